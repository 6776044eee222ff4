#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes one check after the other out of the planner and looks whether a test notices.

    python3 tests/mutation/rules.py [--cxx g++]

Works on a copy of the headers. Ends with `N passed, N failed`: passed is a mutant that a test killed.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ["tests/plan/findings.cpp", "tests/plan/planning.cpp", "tests/conformance/values.cpp"]

# (header, a piece of it, what it becomes): each switches one check off.
PLAN = "include/stretto/plan"
MUTANTS = [
    (f"{PLAN}/diagnose.hpp", f"  rules::{check}(s, result.findings);\n", "")
    for check in (
        "check_names",
        "check_offsets",
        "check_streams",
        "check_writers",
        "check_reads",
        "check_dependencies",
        "check_acyclic",
    )
] + [
    (f"{PLAN}/diagnose.hpp", "result.findings.empty() && !d.strict && shares_resources(d)", "false"),
    (f"{PLAN}/rules/rule_8_emission.hpp", "return false;", "return true;"),
]


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def build_and_test(cxx, tree, folder):
    """The first test that fails to build or to pass, or None."""
    for source in TESTS:
        program = folder / (pathlib.Path(source).stem + ".exe")
        built = run(
            [cxx, "-std=c++20", "-O0", f"-I{tree / 'include'}",
             f'-DSTRETTO_GOLDENS="{ROOT / "tests/conformance/goldens"}"',
             str(ROOT / source), str(ROOT / "tests/main.cpp"), "-o", str(program)]
        )
        if built.returncode != 0 or run([str(program)]).returncode != 0:
            return source
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cxx", default="c++")
    cxx = parser.parse_args().cxx
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        tree = folder / "tree"
        shutil.copytree(ROOT / "include", tree / "include")
        broken = build_and_test(cxx, tree, folder)
        if broken:
            sys.exit(f"{broken} fails before anything is mutated")
        for header, piece, replacement in MUTANTS:
            text = (ROOT / header).read_text()
            if text.count(piece) != 1:
                sys.exit(f"{header} does not hold exactly one {piece!r}: this script is out of date")
            (tree / header).write_text(text.replace(piece, replacement))
            killer = build_and_test(cxx, tree, folder)
            (tree / header).write_text(text)
            name = re.sub(r"\s+", " ", piece).strip()
            print(f"{'killed by ' + killer if killer else 'SURVIVED':40} without {name}", flush=True)
            passed += killer is not None
            failed += killer is None
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
