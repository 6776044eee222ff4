#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions per progress, counted by `valgrind --tool=callgrind`.

callgrind.py PROGRAM OUT.json: runs PROGRAM with two counts of batches; the difference of the totals
over the difference of the counts leaves out start-up, prefill and drain.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FEW, MANY = 1000, 3000


def total(program: str, variant: str, batches: int) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch, "callgrind.out")
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, variant, str(batches)],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"callgrind, {variant}: {done.stderr}")
        found = re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.MULTILINE)
        if found is None:
            sys.exit(f"callgrind, {variant}: no total in its output")
        return int(found[1])


def per_progress(program: str, variant: str) -> float:
    return (total(program, variant, MANY) - total(program, variant, FEW)) / (MANY - FEW)


def main() -> None:
    program, out = sys.argv[1:]
    if shutil.which("valgrind") is None:
        sys.exit("valgrind was not found: sh cmake/setup.sh installs it")
    stretto = per_progress(program, "stretto")
    by_hand = per_progress(program, "by_hand")
    figures = {
        "sequential_empty_instruction_ratio": round(stretto / by_hand, 4),
        "sequential_empty_instructions": stretto,
        "handwritten_sequential_empty_instructions": by_hand,
        "dynamic_sequential_empty_instructions": per_progress(program, "dynamic"),
        "table_sequential_empty_instructions": per_progress(program, "table"),
    }
    pathlib.Path(out).write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
