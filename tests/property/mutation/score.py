#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many mutants tests notice: the table in CONTRIBUTING.md, of what whole runs have left in score.json.

    python3 tests/property/mutation/score.py            brings the table up to date
    python3 tests/property/mutation/score.py --check    whether it is, and whether the score is of what is tried now
    python3 tests/property/mutation/score.py --run [--cxx g++] [--jobs 2]    tries all mutants, then the table
"""

import argparse
import json
import pathlib
import subprocess
import sys

import parts
import planted
import rules
import runs

PAGE = planted.ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- begin: mutants -->\n", "<!-- end: mutants -->\n"

# Each script, what it breaks, and how many mutants it has.
SCRIPTS = {
    "rules": ("the planner", len(rules.mutants())),
    "parts": ("what is around the planner", len(parts.mutants())),
    "runs": ("what runs plans, for random runs to find", len(runs.MISTAKES)),
}


def table(score):
    lines = ["| script | breaks | mutants | found | at commit | on |", "| --- | --- | ---: | ---: | --- | --- |"]
    for script, (breaks, _) in SCRIPTS.items():
        if script not in score:
            lines.append(f"| `{script}.py` | {breaks} | not yet tried whole | | | |")
            continue
        of = score[script]
        share = f"{of['found']} ({100 * of['found'] / of['mutants']:.0f} %)"
        lines.append(f"| `{script}.py` | {breaks} | {of['mutants']} | {share} | {of['commit']} | {of['date']} |")
    return "\n".join(lines) + "\n"


def page_with(text, block):
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{PAGE.name} does not hold exactly one {BEGIN.strip()} ... {END.strip()}")
    before, rest = text.split(BEGIN)
    return before + BEGIN + block + END + rest.split(END)[1]


def out_of_date(score, text):
    if page_with(text, table(score)) != text:
        yield f"{PAGE.name} does not show what {planted.SCORE.name} holds: run {pathlib.Path(__file__).name}"
    for script, of in score.items():
        if script not in SCRIPTS:
            yield f"there is a score of {script}.py, but no such script"
        elif SCRIPTS[script][1] > 1.1 * of["mutants"]:
            yield f"{script}.py has {SCRIPTS[script][1]} mutants, the score is of {of['mutants']}: try them all again"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--run", action="store_true", help="run all scripts whole, however long that takes")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()

    failed = []
    if options.run:
        for script in SCRIPTS:
            print(f"=== {script}.py", flush=True)
            file = pathlib.Path(__file__).with_name(f"{script}.py")
            how = ["--cxx", options.cxx, "--jobs", options.jobs, "--score", str(planted.SCORE)]
            if subprocess.run([sys.executable, str(file), *how]).returncode != 0:
                failed.append(f"{script}.py has found mistakes that no test notices, or has not come to its end")

    score = json.loads(planted.SCORE.read_text())
    text = PAGE.read_text()
    if options.check:
        failed.extend(out_of_date(score, text))
    else:
        PAGE.write_text(page_with(text, table(score)))
    for line in failed:
        print(line)
    print(f"{0 if failed else 1} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
