#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes records with one violation planted and one of another kind besides.

    planted.py VALID.jsonl PLANTED.jsonl [--each N] [--seed N]

Takes small valid records and plants N pairs of each two kinds, at places drawn by the seed. The kind that a record
states is that of the second: what it needs is looked for when the first is there already, so that it is surely true
and nothing hides it. What else is wrong then is worked out where the record is judged.
"""

import argparse
import copy
import json
import random

import records

PLANTS = {}  # kind: (rule, what plants it)
ANY = -10  # of a lookahead: a negative one does, too


def plants(rule):
    def note(plant):
        PLANTS[plant.__name__] = (rule, plant)
        return plant

    return note


class Schedule:
    """A record's tasks and streams, and chance among those that a violation can be planted at."""

    def __init__(self, record, chance):
        self.tasks, self.streams, self.chance = record["tasks"], record["streams"], chance
        self.made = 0
        self.last = None

    def fresh(self, stream=None, lookahead=0, **fields):
        """A task more."""
        self.made += 1
        task = {
            "name": f"more_{len(self.tasks)}_{self.made}",
            "stream": self.streams[0] if stream is None else stream,
            "lookahead": lookahead,
            "reads": [], "writes": [], "depends_on": [], "cross_iter_depends_on": [], "same_progress_sync": [],
            "nccl": False,
        }
        self.tasks.append(task | fields)
        return self.tasks[-1]

    def task(self, wanted=lambda t: True, least=0):
        """One that others can name, with a lookahead from `least` on, or None. Often the one last chosen, because
        violations of one task are those that get in each other's way."""
        first = {t["name"]: t for t in reversed(self.tasks)}
        found = [t for t in first.values() if t["lookahead"] >= least and wanted(t)]
        found = [t for t in found if t["name"] not in ("", "pull", "deliver")]
        if not any(t is self.last for t in found) or self.chance.random() < 0.5:
            self.last = self.chance.choice(found) if found else None
        return self.last

    def writer(self, least=0):
        """A task that writes a slot of its own at its lookahead, and the slot."""
        known = lambda t: [s for s, o in t["writes"] if o == t["lookahead"] and s != "batch_cpu"]
        task = self.task(known, least)
        if task:
            return task, self.chance.choice(known(task))
        task = self.task(least=least) or self.fresh(lookahead=least)
        task["writes"].append([f"slot_of_{task['name']}", task["lookahead"]])
        return task, task["writes"][-1][0]

    def other(self, than, wanted=lambda t: True):
        """Another task for which something holds, or None."""
        return self.task(lambda t: t is not than and wanted(t))

    def elsewhere(self, than):
        """A task on another stream."""
        found = self.other(than, lambda t: t["stream"] != than["stream"])
        if found:
            return found
        if all(s == than["stream"] for s in self.streams):
            self.streams.append("one_more")
        return self.fresh(next(s for s in self.streams if s != than["stream"]))


@plants(1)
def duplicate_name(s):
    s.fresh(name=s.task()["name"])  # behind: what names it still means the first


@plants(1)
def reserved_name(s):
    s.fresh(name=s.chance.choice(["pull", "deliver"]))


@plants(2)
def negative_lookahead(s):
    s.task()["lookahead"] = -s.chance.randint(1, 2)


@plants(2)
def negative_slot_offset(s):
    s.task()["reads"].append([s.writer()[1], -s.chance.randint(1, 2)])


@plants(2)
def slot_offset_mismatch(s):
    t = s.task()
    t[s.chance.choice(["reads", "writes"])].append([s.writer()[1], t["lookahead"] + s.chance.randint(1, 2)])


@plants(2)
def reserved_write(s):
    t = s.task(least=ANY)
    t["writes"].append(["batch_cpu", t["lookahead"]])


@plants(3)
def stream_not_declared(s):
    s.task(least=ANY)["stream"] = "nowhere"


@plants(4)
def multiple_writers(s):
    t, slot = s.writer()
    (s.other(t) or s.fresh())["writes"].append([slot, t["lookahead"]])


@plants(4)
def name_multi_stream(s):
    t, slot = s.writer()
    other = s.elsewhere(t)
    other["writes"].append([slot, other["lookahead"]])


@plants(5)
def unresolved_read(s):
    t = s.task(least=ANY)
    t["reads"].append(["nobody_writes", t["lookahead"]])


@plants(5)
def slot_future_read(s):
    slot = s.writer()[1]
    ahead = max(o for t in s.tasks for w, o in t["writes"] if w == slot) + s.chance.randint(1, 2)
    (s.task(lambda t: t["lookahead"] == ahead) or s.fresh(lookahead=ahead))["reads"].append([slot, ahead])


@plants(5)
def reader_not_after_writer(s):
    t, slot = s.writer()
    t["reads"].append([slot, t["lookahead"]])


@plants(6)
def unknown_name(s):
    field = s.chance.choice(["depends_on", "cross_iter_depends_on", "same_progress_sync"])
    s.task(least=ANY)[field].append(["nobody", -1] if field == "cross_iter_depends_on" else "nobody")


@plants(6)
def field_overlap(s):
    t = s.task()
    name = (s.other(t) or s.fresh())["name"]
    for field in s.chance.sample(["depends_on", "cross_iter_depends_on", "same_progress_sync"], 2):
        t[field].append([name, -1] if field == "cross_iter_depends_on" else name)


@plants(6)
def listed_twice(s):
    t, slot = s.writer()
    t["writes"].append([slot, t["lookahead"]])


@plants(6)
def cross_offset_not_negative(s):
    t = s.task()
    t["cross_iter_depends_on"].append([(s.other(t) or s.fresh())["name"], s.chance.randint(0, 1)])


@plants(6)
def depends_future_read(s):
    t = s.task()
    ahead = s.other(t, lambda o: o["lookahead"] > t["lookahead"]) or s.fresh(lookahead=t["lookahead"] + 1)
    ahead["depends_on"].append(t["name"])


@plants(6)
def cross_iter_future_read(s):
    t, ago = s.task(), s.chance.randint(1, 2)
    ahead = s.other(t, lambda o: o["lookahead"] > t["lookahead"] + ago) or s.fresh(lookahead=t["lookahead"] + ago + 1)
    ahead["cross_iter_depends_on"].append([t["name"], -ago])


@plants(6)
def cross_iter_rotated_out(s):
    t = s.task()
    of = s.elsewhere(t)
    t["cross_iter_depends_on"].append([of["name"], -t["lookahead"] - s.chance.randint(1, 2)])


@plants(6)
def redundant_cross_iter(s):
    of, slot = s.writer(least=1)
    ahead = of["lookahead"] - 1
    t = s.other(of, lambda o: o["lookahead"] == ahead) or s.fresh(lookahead=ahead)
    t["reads"].append([slot, ahead])
    t["cross_iter_depends_on"].append([of["name"], -1])


@plants(7)
def cycle(s):
    t = s.task(least=ANY)
    other = s.chance.choice([s.other(t) or t, t])
    t["same_progress_sync"].append(other["name"])
    other["same_progress_sync"].append(t["name"])


def planted(valid, besides, kind, number, chance):
    record = copy.deepcopy(chance.choice(valid))
    schedule = Schedule(record, chance)
    PLANTS[besides][1](schedule)
    PLANTS[kind][1](schedule)
    return {
        "id": f"{kind}_besides_{besides}_{number}",
        "streams": schedule.streams,
        "tasks": schedule.tasks,
        "verdict": "invalid",
        "error": {"kind": kind, "rule": PLANTS[kind][0]},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("valid", metavar="VALID.jsonl", help="records to plant violations in")
    parser.add_argument("planted", metavar="PLANTED.jsonl", help="where to write them")
    parser.add_argument("--each", type=int, default=2, metavar="N", help="of each two kinds; default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="default: %(default)s")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    valid = [r for _, r in records.load(options.valid) if r["verdict"] == "valid" and len(r["tasks"]) <= 6]
    made = [
        planted(valid, besides, kind, number, chance)
        for besides in PLANTS
        for kind in PLANTS
        for number in range(options.each)
        if besides != kind
    ]
    chance.shuffle(made)  # so that any part of them is of all kinds
    with open(options.planted, "w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(r)}\n" for r in made)


if __name__ == "__main__":
    main()
