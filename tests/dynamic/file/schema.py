#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the published JSON Schema and the loader accept and refuse the same files.

Files are made of a good one by random changes: members dropped, renamed, given to others, values of other
kinds. What a schema cannot see is left out: members given twice, and 2.0 where 2 is meant.
"""

import argparse
import copy
import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import seed  # noqa: E402

try:
    import jsonschema
except ImportError:
    print("no jsonschema module: skipped")
    sys.exit(77)

GOOD = {
    "$schema": "schedule.schema.json",
    "stretto": 1,
    "name": "every field",
    "streams": ["copy", "compute"],
    "thread_names": ["train", "reader"],
    "source": {"slot": "raw", "lookahead": 3, "thread": "reader", "weight": 4},
    "results": ["loss"],
    "types": [{"slot": "raw", "cpp": "std::vector<int>"}],
    "caller_runs": "train",
    "generated": 2,
    "strict": True,
    "frugal": True,
    "serial": False,
    "pipelined": True,
    "max_in_flight": 5,
    "max_bytes": 4096,
    "orders": [["a", "b"], []],
    "slacks": [{"slot": "raw", "copies": 2}, {"slot": "loss"}],
    "groups": [{"thread": "reader", "queue": 2, "workers": 3}],
    "tasks": [
        {
            "name": "a",
            "stream": "copy",
            "thread": "train",
            "lookahead": 1,
            "collective": True,
            "communicator": "node",
            "weight": 7,
            "every": 4,
            "phase": 1,
            "and_at_end": True,
            "on_failure": "drop",
            "max_failures": 3,
            "reads": ["raw", {"slot": "raw", "offset": 1}, {"slot": "x", "ago": 2}],
            "writes": [{"slot": "x"}],
            "depends_on": ["b"],
            "cross_iter_depends_on": ["b", {"task": "b", "ago": 2}, {"task": "c"}],
            "same_progress_sync": ["b"],
            "observes": ["weights"],
            "mutates": ["cache"],
        },
        {"name": "b"},
    ],
}
VALUES = [None, True, False, 0, 1, -1, 2, 99, 100, 1000, 1001, 99999, 100000, 100001, -100000, -100001, 1.5,
          2147483647, 2147483648, 10**30, "", "a", "std::map<int, T*>", "int> {}; int x{", [], ["a"], [1],
          [[]], {}, {"slot": "a"}, {"task": "a"}, {"name": "a"}]  # fmt: skip
NAMES = ["slot", "task", "ago", "offset", "name", "thread", "tasks", "stretto", "nmae", "", "queue", "cpp"]


def places(value, path=()):
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def changed(rng):
    file = copy.deepcopy(GOOD)
    for _ in range(rng.choice([1, 1, 1, 2])):
        path = rng.choice(list(places(file)))
        if not path:
            if rng.random() < 0.1:
                return rng.choice(VALUES)
            continue
        parent = file
        for key in path[:-1]:
            parent = parent[key]
        key = path[-1]
        change = rng.randrange(4)
        if change == 0:
            del parent[key]
        elif change == 1 and isinstance(parent, dict):
            parent[rng.choice(NAMES)] = parent.pop(key)
        elif change == 2 and isinstance(parent, dict):
            parent[rng.choice(NAMES)] = copy.deepcopy(rng.choice(VALUES))
        else:
            parent[key] = copy.deepcopy(rng.choice(VALUES))
    return file


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--schema", type=pathlib.Path, required=True)
    parser.add_argument("--verdicts", type=pathlib.Path, required=True, help="the loader's")
    parser.add_argument("--good", type=pathlib.Path, nargs="*", default=[], help="files to accept")
    parser.add_argument("--number", type=int, default=3000)
    arguments = parser.parse_args()
    schema = json.loads(arguments.schema.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    first = seed.first(1)
    seed.tell(first, f"{arguments.number} files")
    rng = random.Random(first)
    good = [GOOD, *(json.loads(path.read_text()) for path in arguments.good)]
    files = good + [changed(rng) for _ in range(arguments.number)]
    lines = [json.dumps(file) for file in files]
    said = subprocess.run(
        [arguments.verdicts], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    ).stdout.split()
    accepted = 0
    wrong = 0
    for number, (line, file, verdict) in enumerate(zip(lines, files, said, strict=True)):
        valid = validator.is_valid(file)
        accepted += valid
        if valid != (verdict == "yes") or (number < len(good) and not valid):
            wrong += 1
            print(f"schema: {'yes' if valid else 'no'}, loader: {verdict}: {line}")
    print(f"{len(files)} files, {accepted} valid, {wrong} judged differently")
    # Of random changes some must be harmless and some not, or nothing has been tried.
    return 1 if wrong or not len(good) < accepted < len(files) / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
