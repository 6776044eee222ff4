#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many templates Clang instantiates for a pipeline: the part of compile time that can be gated.

The count comes from Clang's time trace with no event left out. It depends on the compiler and its
standard library only, not on the machine.

instantiations.py --compiler clang++-16 --tasks 32,64 [--limits FILE] -- FLAGS...: prints the counts;
with a file of limits fails if a count is more than its tolerance above the number stored there.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import generate

TOLERANCE = 0.03


def count(compiler: str, flags: list[str], tasks: int) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        unit = pathlib.Path(scratch) / "unit.cpp"
        unit.write_text(generate.unit(tasks))
        trace = ["-O0", "-ftime-trace", "-ftime-trace-granularity=0"]
        subprocess.run(
            [compiler, *flags, *trace, "-c", str(unit), "-o", str(unit.with_suffix(".o"))], check=True
        )
        events = json.loads(unit.with_suffix(".json").read_text())["traceEvents"]
    return sum(e["name"] in ("InstantiateClass", "InstantiateFunction") for e in events)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--tasks", default="32,64")
    parser.add_argument("--limits", type=pathlib.Path)
    parser.add_argument("flags", nargs="*")
    options = parser.parse_args()
    stored = json.loads(options.limits.read_text()) if options.limits else {}
    failed = False
    for tasks in map(int, options.tasks.split(",")):
        found = count(options.compiler, options.flags, tasks)
        name = f"compile_{tasks}_instantiations"
        print(f"{name}: {found}", end="")
        if name in stored:
            change = found / stored[name] - 1
            print(f" ({change:+.1%} of the {stored[name]} stored)", end="")
            if change > TOLERANCE:
                print(f": more than {TOLERANCE:.0%} above", end="")
                failed = True
            elif change < -TOLERANCE:
                print("; store the new number, so that it stays", end="")
        print()
    if failed:
        sys.exit(f"If what was added is worth that, store the new number in {options.limits.name}.")


if __name__ == "__main__":
    main()
