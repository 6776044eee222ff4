#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what `search` answers with what a constraint solver proves (OR-tools CP-SAT, which shares no code with it).

    oracle.py EXE [--goldens FILE.jsonl] [--random N] [--seed N] [--most-tasks N] [--from-goldens N]

Small random instances and small ones of the goldens, made and chosen by the seed. Of each: the answer is legal and has
the period and the bytes that it says; no schedule has a shorter period, or fewer bytes at that period, where `search`
says that there is none; and the least that it states is not above what there is. The README of the goldens says what
instances, answers and periods are.
Exit code: 0 all agree; 1 some do not; 77 OR-tools is not installed.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import seed  # noqa: E402

try:
    from ortools.sat.python import cp_model
except ImportError:
    print("oracle: OR-tools is not installed, so nothing is compared: `python3 -m pip install ortools`")
    sys.exit(77)

PULL, DELIVER = "pull", "deliver"
SECONDS = 20.0  # for one question to the solver; the instances need milliseconds


def longest(instance):
    """No period that there is need be longer: one task after the other."""
    return sum(t["weight"] for t in instance["tasks"])


def most_progresses(instance):
    """A cycle that bounds the period has no more: its tasks are done once, and none takes longer than a period."""
    return longest(instance) // max(t["weight"] for t in instance["tasks"])


class Question:
    """Is there a schedule of at most `period`, a whole number when weights are multiplied by `scale`?"""

    def __init__(self, instance, period, scale, answer=None):
        self.model = m = cp_model.CpModel()
        cap = instance["in_flight_cap"]
        tasks = {t["name"]: t for t in instance["tasks"]}
        self.weight = {n: t["weight"] * scale for n, t in tasks.items()} | {PULL: 0, DELIVER: 0}
        horizon = sum(self.weight.values()) + 1
        self.ahead, self.start = {}, {}
        for name, t in tasks.items():
            given = t.get("lookahead")
            low, high = (given, given) if isinstance(given, int) else (
                (given or {}).get("min", 0), min(cap - 1, (given or {}).get("max", cap - 1)))
            self.ahead[name] = m.new_int_var(low, max(low, high), f"ahead {name}")
            if low > min(high, cap - 1):
                m.add_bool_or([])
        self.ahead[PULL] = m.new_int_var(0, cap - 1, "ahead pull")
        self.ahead[DELIVER] = 0
        for name in self.weight:
            self.start[name] = m.new_int_var(0, horizon, f"start {name}")
        self.period = period
        for name in tasks:
            m.add(self.ahead[PULL] >= self.ahead[name])
            self.after(PULL, name, self.ahead[PULL] - self.ahead[name])
            self.after(name, DELIVER, self.ahead[name])
            if self.weight[name] > period:
                m.add_bool_or([])
        self.after(DELIVER, PULL, 1)
        for a in instance["arcs"]:
            between = self.ahead[a["from"]] + a["ago"] - self.ahead[a["to"]]
            m.add(between >= 0)
            self.after(a["from"], a["to"], between)
        for first, then in instance.get("same_progress", []):
            self.after(first, then, 0)
        self.bytes = 0
        self.copies = {}
        most_copies = cap + len(tasks) + 2
        for s in instance["slots"]:
            copies = self.copies[s["name"]] = m.new_int_var(1, most_copies, f"copies {s['name']}")
            self.bytes += copies * s["bytes"]
            for r in s["readers"]:
                between = self.ahead[s["writer"]] - self.ahead[r]
                m.add(between >= 0)
                m.add(copies >= between + 1)
                self.after(s["writer"], r, between)
                self.after(r, s["writer"], copies - between)
        if instance["bytes_cap"] is not None:
            m.add(self.bytes <= instance["bytes_cap"])
        self.put_on_tracks(instance, tasks)
        if answer:
            self.take(answer)

    def take(self, answer):
        """Leaves that answer alone."""
        self.model.add(self.ahead[PULL] == answer["in_flight"] - 1)
        for name, ahead in answer["lookahead"].items():
            self.model.add(self.ahead[name] == ahead)
        for slot, copies in answer["copies"].items():
            self.model.add(self.copies[slot] == copies)
        for name, threads in self.on.items():
            self.model.add(threads[answer["thread"][name]] == 1)
        place = {name: i for i, name in enumerate(answer["order"])}
        for (u, v), first in self.first.items():
            self.model.add(first == int(place[u] < place[v]))

    def after(self, first, then, progresses):
        self.model.add(
            self.start[then] >= self.start[first] + self.weight[first] - progresses * self.period)

    def put_on_tracks(self, instance, tasks):
        """What is on one thread, or holds one resource, does not overlap modulo the period."""
        m = self.model
        on = self.on = {}
        self.first = {}
        for name, t in tasks.items():
            if not t.get("host", True):
                continue
            on[name] = {x: m.new_bool_var(f"{name} on {x}") for x in instance["threads"]}
            m.add_exactly_one(on[name].values())
            if "thread" in t:
                m.add(on[name][t["thread"]] == 1)
        names = list(tasks)
        for i, u in enumerate(names):
            for v in names[:i]:
                held = bool(set(tasks[u].get("on", [])) & set(tasks[v].get("on", [])))
                if not held and not (u in on and v in on):
                    continue
                first = self.first[u, v] = m.new_bool_var(f"{u} before {v}")
                if held:
                    met = [[]]
                else:
                    met = [[on[u][x], on[v][x]] for x in instance["threads"]]
                for both in met:
                    self.in_turn(u, v, [*both, first])
                    self.in_turn(v, u, [*both, first.negated()])

    def in_turn(self, u, v, when):
        end = lambda n: self.start[n] + self.weight[n]
        self.model.add(end(u) <= self.start[v]).only_enforce_if(when)
        self.model.add(end(v) <= self.start[u] + self.period).only_enforce_if(when)

    def solve(self, seed=0):
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed
        solver.parameters.max_time_in_seconds = SECONDS
        status = solver.solve(self.model)
        if status == cp_model.UNKNOWN:
            raise TimeoutError
        self.solver = solver
        return status in (cp_model.OPTIMAL, cp_model.FEASIBLE)

    def least_bytes(self):
        """Of schedules of that period; none: there is no schedule."""
        self.model.minimize(self.bytes)
        return round(self.solver.objective_value) if self.solve() else None


class Disagreement(Exception):
    """What the two say of one instance, in a sentence."""


def claimed(instance, answer, scale):
    """Whether an answer is a schedule, of the period and the bytes that it says."""
    period = Fraction(answer["period"])
    if not Question(instance, int(period * scale), scale, answer).solve():
        raise Disagreement(f"the answer does not keep to the instance, or takes longer than {period}")
    if Question(instance, int(period * scale) - 1, scale, answer).solve():
        raise Disagreement(f"the answer takes less than {period}")
    taken = sum(answer["copies"][s["name"]] * s["bytes"] for s in instance["slots"])
    if taken != answer["bytes"]:
        raise Disagreement(f"the answer takes {taken} bytes, and says {answer['bytes']}")
    place = {name: i for i, name in enumerate(answer["order"])}
    ahead = answer["lookahead"]
    waits = [(a["from"], a["to"], a["ago"]) for a in instance["arcs"]]
    written = [s for s in instance["slots"] if s["writer"] != PULL]
    waits += [(s["writer"], r, 0) for s in written for r in s["readers"] if r != DELIVER]
    waits = [(first, then) for first, then, ago in waits if ahead[first] + ago == ahead[then]]
    for first, then in [*waits, *instance.get("same_progress", [])]:
        if place[first] >= place[then]:
            raise Disagreement(f"in the order of a progress {then} stands before {first}, which it waits for")


def compare(instance, answer, says_none):
    """Returns what was found: "without a schedule", "proved" or "not proved"."""
    if answer is None:
        if Question(instance, longest(instance), 1).solve():
            raise Disagreement("there is a schedule" + (", and `search` says that there is none" if says_none else ""))
        return "without a schedule"
    period, least = Fraction(answer["period"]), Fraction(answer["least_period"])
    scale = math.lcm(*range(1, most_progresses(instance) + 1), period.denominator, least.denominator)
    at = lambda p: int(p * scale)
    claimed(instance, answer, scale)
    if least > period:
        raise Disagreement(f"the least period, {least}, is above the one that was found, {period}")
    question = Question(instance, at(period), scale)
    bytes_then = question.least_bytes()
    if bytes_then is None:
        raise Disagreement(f"no schedule takes {period}, as the answer does")
    if Question(instance, at(least) - 1, scale).solve():
        raise Disagreement(f"a schedule takes less than {least}, which is said to be the least")
    if answer["bytes"] < bytes_then or answer["least_bytes"] > bytes_then:
        raise Disagreement(
            f"at the period {period} the fewest bytes are {bytes_then}; the answer takes {answer['bytes']}, the least "
            f"is said to be {answer['least_bytes']}"
        )
    return "proved" if least == period else "not proved"


def made(number, chance):
    """A random instance. Small, with ties and tight bounds, because those are where searches go wrong."""
    count = chance.randint(2, 8)
    names = [f"t{i}" for i in range(count)]
    threads = [f"w{i}" for i in range(chance.randint(1, 3))]
    resources = ["stream", "link"]
    most = chance.choice([1, 2, 5, 9])
    cap = chance.randint(1, 4)
    tasks = []
    for name in names:
        t = {"name": name, "weight": chance.randint(1, most)}
        if chance.random() < 0.25:
            t["host"] = False
            t["on"] = [r for r in resources if chance.random() < 0.7] or [resources[0]]
        elif chance.random() < 0.3:
            t["thread"] = chance.choice(threads)
        if chance.random() < 0.15:
            low = chance.randint(0, cap - 1)
            t["lookahead"] = chance.choice([low, {"min": low}, {"max": low}])
        tasks.append(t)
    later = lambda i: [n for n in names[i + 1:] if chance.random() < 0.45]
    size = lambda: chance.randint(1, 4)
    slots = [{"name": "in", "bytes": size(), "writer": PULL, "readers": later(-1) or [names[0]]}]
    for i, name in enumerate(names):
        readers = later(i) + ([DELIVER] if chance.random() < 0.3 else [])
        if readers:
            slots.append({"name": f"s{i}", "bytes": size(), "writer": name, "readers": readers})
    arcs = []
    for _ in range(chance.choice([0, 0, 1, 2])):
        i, k = chance.randrange(count), chance.randrange(count)
        ago = chance.randint(0, 2)
        if i < k or ago > 0:
            arcs.append({"from": names[i], "to": names[k], "ago": ago})
    same = [[names[i], names[i + 1]] for i in range(count - 1) if chance.random() < 0.05]
    least = sum(s["bytes"] for s in slots)
    capped = chance.random() < 0.4
    return {
        "id": f"random_{number}", "in_flight_cap": cap,
        "bytes_cap": least + chance.randint(0, least) if capped else None,
        "threads": threads, "resources": resources, "tasks": tasks, "slots": slots, "arcs": arcs,
        "same_progress": same,
    }


def chosen(path, most_tasks, number, chance):
    small = [json.loads(line) for line in path.read_text().splitlines()]
    small = [i for i in small if len(i["tasks"]) <= most_tasks]
    chance.shuffle(small)
    return small[:number]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="EXE", help="search.cpp, compiled")
    numbers = {"type": int, "metavar": "N"}
    parser.add_argument("--goldens", type=pathlib.Path, metavar="FILE.jsonl", help="instances to take small ones of")
    parser.add_argument("--from-goldens", default=3, **numbers, help="how many of them; default: %(default)s")
    parser.add_argument("--most-tasks", default=9, **numbers, help="how small they are; default: %(default)s")
    parser.add_argument("--random", default=60, **numbers, help="random instances; default: %(default)s")
    parser.add_argument(
        "--seed", default=seed.first(0), **numbers, help="what they are made from; default: STRETTO_SEED, or 0"
    )
    options = parser.parse_args(arguments)

    seed.tell(options.seed, f"{options.random} instances")
    chance = random.Random(options.seed)
    instances = [made(f"{options.seed}_{i}", chance) for i in range(options.random)]
    if options.goldens:
        instances += chosen(options.goldens, options.most_tasks, options.from_goldens, chance)
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "instances.jsonl"
        path.write_text("".join(json.dumps(i) + "\n" for i in instances))
        ran = subprocess.run([options.program, str(path), "--proofs"], capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        sys.exit(f"oracle: {options.program}: {ran.stderr}")
    answers = {a["id"]: a for a in map(json.loads, ran.stdout.splitlines())}

    counted = {"proved": 0, "not proved": 0, "without a schedule": 0}
    failed = late = 0
    for instance in instances:
        answer = answers.get(instance["id"])
        says_none = f"{instance['id']}: there is no answer" in ran.stderr
        try:
            counted[compare(instance, answer, says_none)] += 1
        except TimeoutError:
            late += 1
        except Disagreement as why:
            failed += 1
            print(f"{instance['id']}: {why}\n  {json.dumps(instance)}\n  {json.dumps(answer)}")
    told = ", ".join(f"{counted[what]} {what}" for what in ("proved", "not proved", "without a schedule"))
    told += f"; {late} took the solver too long" if late else ""
    print(f"{len(instances) - failed - late} passed, {failed} failed: {told}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
