#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The record of whole runs: which commit each shard of all tests and of all mutants was last tried at, and what failed.

    python3 tests/record/record.py run all                        what is missing or of an older commit
    python3 tests/record/record.py run full --compiler g++-12 --shard 3/8
    python3 tests/record/record.py run debug|tsan [--shard 3/8]
    python3 tests/record/record.py run mutants.rules|mutants.parts|mutants.runs [--shard 1/4]
    python3 tests/record/record.py check                          how old the record is, and whether anything failed
    python3 tests/record/record.py table [--check]                the table of mutants in CONTRIBUTING.md

Each run replaces its entry in tests/record.json. It builds in build/record, a folder for each preset and compiler, and
wants a tree without changes that are not committed; with --allow-dirty its entry is marked by a + behind the commit.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
MUTATION = ROOT / "tests/property/mutation"

OLDEST = 200  # commits, after which the record is too old
DEFAULT = "g++-12"
MUTANTS_BY = "clang++-19"  # compiles tests in 0.6 of the time of GCC 12; where it is not there, GCC does
OPTIONAL = ("clang++-22",)  # not every machine can have it: not missed until there is an entry
JOBS = "2"


class Part(NamedTuple):
    name: str
    compiler: str
    shards: int


PARTS = [
    Part("full", "g++-12", 8),
    Part("full", "clang++-16", 8),
    Part("full", "clang++-19", 8),
    Part("full", "clang++-22", 8),
    Part("debug", "clang++-16", 8),
    Part("tsan", "g++-12", 8),
    Part("mutants.rules", MUTANTS_BY, 4),
    Part("mutants.parts", MUTANTS_BY, 8),
    Part("mutants.runs", MUTANTS_BY, 4),
]

# Each script of mutants, and what it breaks.
SCRIPTS = {
    "rules": "the planner",
    "parts": "what is around the planner",
    "runs": "what runs plans, for random runs to find",
}
BEGIN, END = "<!-- begin: mutants -->\n", "<!-- end: mutants -->\n"


class Tree:
    """A checkout, and the files of the record in it."""

    RESULTS = ("tests/record.json", "CONTRIBUTING.md")  # what a run changes itself

    def __init__(self, root=ROOT):
        self.root = root
        self.file = root / self.RESULTS[0]
        self.page = root / self.RESULTS[1]
        self.others = ["--", ".", *(f":!{name}" for name in self.RESULTS)]

    def git(self, *arguments):
        return subprocess.run(["git", "-C", str(self.root), *arguments], capture_output=True, text=True)

    def commit(self):
        return self.git("rev-parse", "HEAD").stdout.strip()

    def is_dirty(self):
        return self.git("status", "--porcelain", *self.others).stdout != ""

    def is_as_in(self, commit):
        """Whether HEAD has the same files as a commit: one that records a run changes none of those that it tried."""
        return not commit.endswith("+") and self.git("diff", "--quiet", commit, "HEAD", *self.others).returncode == 0

    def age_of(self, commit):
        """In commits; None where it is not in the history of HEAD."""
        commit = commit.rstrip("+")
        if not commit or self.git("merge-base", "--is-ancestor", commit, "HEAD").returncode != 0:
            return None
        return int(self.git("rev-list", "--count", f"{commit}..HEAD").stdout)

    def read(self):
        if not self.file.exists():
            return {"begun": self.commit(), "entries": []}
        return json.loads(self.file.read_text())

    def write(self, entry):
        """Puts an entry in the place of the one before, whatever others have written meanwhile."""
        record = self.read()
        kept = [e for e in record["entries"] if key_of(e) != key_of(entry)]
        record["entries"] = sorted([*kept, entry], key=key_of)
        self.file.write_text(json.dumps(record, indent=1) + "\n")


def key_of(entry):
    return entry["part"], "" if entry["part"].startswith("mutants") else entry["compiler"], entry["shard"]


def keys_of(part):
    compiler = "" if part.name.startswith("mutants") else part.compiler
    return [(part.name, compiler, f"{shard}/{part.shards}") for shard in range(1, part.shards + 1)]


# Running.


class Counts(NamedTuple):
    run: int
    passed: int
    skipped: int
    failures: list


def counts_of(junit):
    """What a JUnit file of ctest says. A test without its program, or whose fixture failed, has failed."""
    run = passed = skipped = 0
    failures = []
    for case in xml.etree.ElementTree.parse(junit).getroot().iter("testcase"):
        message = next((s.get("message", "") for s in case.iter("skipped")), "")
        if case.get("status") == "disabled" or message.startswith("SKIP_"):
            skipped += 1
            continue
        run += 1
        if case.get("status") == "run" and case.find("failure") is None:
            passed += 1
        else:
            failures.append(case.get("name"))
    return Counts(run, passed, skipped, sorted(failures))


def environment_of(preset, root):
    """The environment that a test preset gives to its tests."""
    presets = json.loads((root / "CMakePresets.json").read_text()).get("testPresets", [])
    return next((p.get("environment", {}) for p in presets if p["name"] == preset), {})


def run_tests(part, shard, root=ROOT):
    build = root / "build/record" / (f"full-{part.compiler}" if part.name == "full" else part.name)
    junit = build / "record.xml"
    junit.unlink(missing_ok=True)
    configure = ["cmake", "--preset", part.name, "-B", build, f"-DCMAKE_CXX_COMPILER={part.compiler}"]
    if subprocess.run([*configure, f"-DSTRETTO_SHARD={shard}"], cwd=root).returncode != 0:
        return Counts(0, 0, 0, ["configure"])
    make = ["cmake", "--build", build, "--target", "full", "--parallel", JOBS, "--", "-k", "0"]
    failed = ["build"] if subprocess.run(make, cwd=root).returncode != 0 else []
    test = ["ctest", "--test-dir", build, "-L", "^full$", "--no-tests=error", f"-j{JOBS}", "--output-on-failure"]
    if part.name == "full" and part.compiler != DEFAULT:
        test += ["-LE", "^any-compiler$"]
    environment = {**os.environ, **environment_of(part.name, root)}
    status = subprocess.run([*test, "--output-junit", junit], cwd=root, env=environment).returncode
    if not junit.exists():
        return Counts(0, 0, 0, [*failed, "ctest"])
    counts = counts_of(junit)
    if status != 0 and not counts.failures:
        failed.append("ctest")
    return counts._replace(failures=failed + counts.failures)


def run_mutants(part, shard):
    script = part.name.partition(".")[2]
    with tempfile.TemporaryDirectory() as folder:
        outcome = pathlib.Path(folder) / "outcome.json"
        command = [sys.executable, MUTATION / f"{script}.py", "--cxx", part.compiler, "--jobs", JOBS]
        status = subprocess.run([*command, "--shard", shard, "--outcome", outcome]).returncode
        if not outcome.exists():
            return Counts(0, 0, 0, [f"{script}.py ended before it was done, with {status}"])
        found = json.loads(outcome.read_text())
    unbuilt = [f"{what} (does not compile)" for what in found["unbuilt"]]
    return Counts(found["mutants"], found["killed"], 0, sorted(found["survivors"] + unbuilt))


def record_run(tree, part, shard, try_it):
    """Runs a shard and writes its entry; whether all is well."""
    print(f"=== {part.name} {part.compiler} {shard}", flush=True)
    commit, dirty = tree.commit(), tree.is_dirty()
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    counts = try_it(part, shard)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    dirty = dirty or tree.is_dirty() or tree.commit() != commit
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    entry = {
        "part": part.name,
        "compiler": part.compiler,
        "shard": shard,
        "commit": commit + ("+" if dirty else ""),
        "run": counts.run,
        "passed": counts.passed,
        "failed": len(counts.failures),
        "skipped": counts.skipped,
        "failures": counts.failures,
        "minutes": round((time.monotonic() - begun) / 60, 1),
        "processor_minutes": round(processor / 60, 1),
    }
    tree.write(entry)
    print(f"{part.name} {part.compiler} {shard}: {counts.passed} passed, {len(counts.failures)} failed")
    for name in counts.failures:
        print(f"  {name}")
    return not counts.failures


def wanted(tree, part_name, compiler, shard):
    """The (part, shard) to run; those that were never run first, then the oldest."""
    recorded = {key_of(e): e["commit"] for e in tree.read()["entries"]}
    chosen = []
    for part in PARTS:
        if part_name not in ("all", part.name) or (part_name == "full" and compiler not in (None, part.compiler)):
            continue
        if part_name != "full" and compiler:
            part = part._replace(compiler=compiler)
        if part.compiler == MUTANTS_BY and part.name.startswith("mutants") and not shutil.which(MUTANTS_BY):
            part = part._replace(compiler=DEFAULT)
        if not shutil.which(part.compiler):
            print(f"left out: {part.name} by {part.compiler}, which is not here")
            continue
        for key in keys_of(part):
            commit = recorded.get(key)
            if part_name == "all" and commit and tree.is_as_in(commit):
                continue
            if shard in (None, key[2]):
                age = float("inf") if commit is None else tree.age_of(commit)
                chosen.append((-(age if age is not None else float("inf")), part, key[2]))
    return [(part, number) for _, part, number in sorted(chosen, key=lambda c: c[0])]


def run(tree, options):
    if tree.is_dirty() and not options.allow_dirty:
        sys.exit("there are changes that are not committed: commit them, or mark the entry with --allow-dirty")
    chosen = wanted(tree, options.part, options.compiler, options.shard)
    if not chosen and options.part != "all":
        shards = {p.name: p.shards for p in PARTS}[options.part]
        sys.exit(f"nothing to run: {options.part} is in {shards} shards, of compilers that are here")
    failed = 0
    for part, shard in chosen:
        failed += not record_run(tree, part, shard, run_mutants if part.name.startswith("mutants") else run_tests)
    update_table(tree)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


# Checking.


def failures_of(tree):
    """Prints the record, a line for each part; why it is not good enough."""
    record = tree.read()
    entries = {key_of(e): e for e in record["entries"]}
    wrong = []
    begun = tree.age_of(record["begun"])
    if begun is None:
        wrong.append(f"the commit {record['begun'][:12]} of `begun` is unknown: is this a shallow clone?")
    oldest, tried, all_shards = 0, 0, 0
    for part in PARTS:
        keys = keys_of(part)
        there = [entries[key] for key in keys if key in entries]
        name = f"{part.name} {part.compiler}"
        if not there and part.compiler in OPTIONAL:
            print(f"{name:24} never run; not every machine can")
            continue
        ages = []
        for key in keys:
            entry = entries.get(key)
            age = begun if entry is None else tree.age_of(entry["commit"])
            if entry is not None and age is None:
                wrong.append(f"{name} {key[2]}: its commit {entry['commit'][:12]} is unknown: is this a shallow clone?")
            if entry is not None and entry["failures"]:
                wrong.append(f"{name} {key[2]}: {len(entry['failures'])} failed: {', '.join(entry['failures'][:5])}")
            if age is not None and age > OLDEST:
                how = "was last run" if entry is not None else "has not been run since the record began,"
                wrong.append(f"{name} {key[2]} {how} {age} commits ago, {OLDEST} at most")
            oldest = max(oldest, age or 0)
            ages.append("-" if entry is None else f"{'?' if age is None else age}{'+' * entry['commit'].endswith('+')}")
        tried += len(there)
        all_shards += len(keys)
        passed = sum(e["passed"] for e in there)
        failed = sum(e["failed"] for e in there)
        minutes = sum(e["processor_minutes"] for e in there)
        said = "never run" if not there else f"{passed} passed, {failed} failed, {minutes:.0f} processor minutes"
        print(f"{name:24} {said}" + (f"; commits since: {' '.join(ages)}" if there else ""))
    never = f", {all_shards - tried} never run" if tried < all_shards else ""
    print(f"the record is {oldest} commits old ({OLDEST} at most): {tried} of {all_shards} shards{never}")
    return wrong


def check(tree):
    wrong = failures_of(tree)
    for line in wrong:
        print(line)
    print(f"{0 if wrong else 1} passed, {len(wrong)} failed")
    return 1 if wrong else 0


# The table of mutants.


def row_of(script, breaks, record):
    part = next(p for p in PARTS if p.name == f"mutants.{script}")
    keys = keys_of(part)
    there = [e for e in record["entries"] if key_of(e) in keys]
    if not there:
        return f"| `{script}.py` | {breaks} | not yet tried | | | |"
    mutants, found = (sum(e[field] for e in there) for field in ("run", "passed"))
    partly = f", partly: {len(there)} of {len(keys)} shards" if len(there) < len(keys) else ""
    commits = sorted({e["commit"][:7] + "+" * e["commit"].endswith("+") for e in there})
    share = f" ({100 * found / mutants:.0f} %)" if mutants else ""
    return f"| `{script}.py` | {breaks} | {mutants}{partly} | {found}{share} | {mutants - found} | {', '.join(commits)} |"


def table(record):
    lines = ["| script | breaks | mutants | found | survivors | at commit |", "| --- | --- | ---: | ---: | ---: | --- |"]
    return "\n".join([*lines, *(row_of(script, breaks, record) for script, breaks in SCRIPTS.items())]) + "\n"


def page_with(text, block):
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"the page does not hold exactly one {BEGIN.strip()} ... {END.strip()}")
    before, rest = text.split(BEGIN)
    return before + BEGIN + block + END + rest.split(END)[1]


def update_table(tree):
    tree.page.write_text(page_with(tree.page.read_text(), table(tree.read())))


def check_table(tree):
    text = tree.page.read_text()
    good = page_with(text, table(tree.read())) == text
    if not good:
        print(f"{tree.page.name} does not show what {tree.file.name} holds: run record.py table")
    print("1 passed, 0 failed" if good else "0 passed, 1 failed")
    return 0 if good else 1


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="run a part, all its shards or one, and write the entries")
    running.add_argument("part", choices=["all", *dict.fromkeys(p.name for p in PARTS)])
    running.add_argument("--compiler", help="of full: one of those in PARTS; of the others: another than usual")
    running.add_argument("--shard", help="3/8: the third of eight")
    running.add_argument("--allow-dirty", action="store_true", help="in spite of changes that are not committed")
    commands.add_parser("check", help="how old the record is, and whether anything failed")
    commands.add_parser("table", help="bring the table of mutants up to date").add_argument(
        "--check", action="store_true", help="change nothing: whether it is"
    )
    options = parser.parse_args(arguments)
    tree = Tree()
    if options.command == "run":
        return run(tree, options)
    if options.command == "check":
        return check(tree)
    return check_table(tree) if options.check else update_table(tree)


if __name__ == "__main__":
    sys.exit(main())
