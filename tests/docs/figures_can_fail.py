#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the checks of benchmarks/measured.py and summary.py fail when they should, and only then: on a copy of the
sources that is changed in known ways."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import summary  # noqa: E402

failed = []


def expect(what: str, held: bool) -> None:
    print(("  " if held else "! ") + what)
    if not held:
        failed.append(what)


class Copy:
    def __init__(self, root: pathlib.Path):
        self.root = root
        for folder in ("include", "benchmarks", "examples"):
            shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "data"))

    def run(self, script: str, *arguments: str) -> tuple[bool, str]:
        command = [sys.executable, "-B", self.root / "benchmarks" / script, *arguments]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode == 0, done.stdout + done.stderr

    def check(self) -> tuple[bool, str]:
        return self.run("measured.py", "--check", str(self.root / "benchmarks/README.md"))

    def headers(self) -> list[pathlib.Path]:
        return sorted((self.root / "include/stretto").rglob("*.hpp"))

    def change(self, files: list[pathlib.Path], one_of: int) -> None:
        """Plants a change in every one_of-th line of code."""
        at = 0
        for path in files:
            lines = path.read_text().splitlines()
            for i, line in enumerate(lines):
                if re.match(r"\s*(//|#|namespace)", line) or not re.search(r"\w", line):
                    continue
                if at % one_of == 0:
                    lines[i] = f"planted_{at} {line}"
                at += 1
            path.write_text("\n".join(lines) + "\n")


def age(scratch: pathlib.Path) -> None:
    copies = 0

    def fresh() -> Copy:
        nonlocal copies
        copies += 1
        copy = Copy(scratch / str(copies))
        for results in (copy.root / "benchmarks/gpu").glob("results"):
            shutil.rmtree(results)
        noted = copy.root / "noted.json"
        copy.run("measured.py", "--note", str(noted), "--compiler", "a compiler", "--build", "Release")
        record = json.loads(noted.read_text())
        del record["groups"]["gpu"]
        (copy.root / "benchmarks/measured.json").write_text(json.dumps(record))
        return copy

    copy = fresh()
    held, said = copy.check()
    expect("what was just measured holds", held)
    expect("a GPU that was not there is no failure", "gpu: not yet measured" in said)

    for path in copy.headers():
        path.write_text("/* moved, and\n   explained */\n\n" + path.read_text().replace(";\n", ";  // a remark\n"))
    (copy.root / "include/stretto/plan").rename(copy.root / "include/stretto/planner")
    for path in copy.root.rglob("*.?pp"):
        path.write_text(path.read_text().replace("stretto/plan/", "stretto/planner/").replace('"plan/', '"planner/'))
    held, said = copy.check()
    expect("comments, blank lines and files that move do not count", held)
    expect("not at all", len(re.findall(r"\b0\.0% of the headers", said)) == 11)

    copy = fresh()
    copy.change(copy.headers(), 10)
    expect("a tenth of the lines may change", copy.check()[0])
    copy = fresh()
    copy.change(copy.headers(), 3)
    held, said = copy.check()
    expect("a third may not", not held and said.count("of the headers changed since") == 11)
    expect("the command that measures anew is named", "cmake --workflow --preset publish\n" in said)

    copy = fresh()
    copy.change([copy.root / "benchmarks/waiting/main.cpp"], 1)
    held, said = copy.check()
    expect("nor may the benchmark itself", not held and "of the benchmark's own code changed" in said)
    expect("of a group alone, that group is named", re.findall(r"publish_(\w+)", said) == ["waiting"])

    copy = fresh()
    record = json.loads((copy.root / "benchmarks/measured.json").read_text())
    del record["groups"]["device"]
    (copy.root / "benchmarks/measured.json").write_text(json.dumps(record))
    expect("figures of unknown code fail", not copy.check()[0])
    copy = fresh()
    (copy.root / "benchmarks/gpu/results").mkdir()
    (copy.root / "benchmarks/gpu/results/some_gpu.json").write_text("{}")
    expect("those of a GPU as well", not copy.check()[0])
    copy = fresh()
    page = copy.root / "benchmarks/README.md"
    page.write_text(page.read_text().replace("more than 20 %", "more than 90 %"))
    expect("the page says the limit that is tested", not copy.check()[0])


def limits(scratch: pathlib.Path) -> None:
    def judged_by_program(found: dict) -> bool:
        path = scratch / "summary.json"
        path.write_text(json.dumps(found))
        return subprocess.run([sys.executable, "-B", ROOT / "benchmarks/summary.py", "--judge", path],
                              capture_output=True).returncode == 0

    def judged(found: dict) -> bool:
        try:
            summary.judge(found)
        except SystemExit as end:
            return not end.code
        return True

    def checked(text: str) -> bool:
        path = scratch / "README.md"
        path.write_text(text)
        return subprocess.run([sys.executable, "-B", ROOT / "benchmarks/summary.py", "--check", path],
                              capture_output=True).returncode == 0

    expect("limits that are held pass", judged_by_program(summary.LIMITS))
    one = next(iter(summary.LIMITS))
    expect("one that is missed ends the program with an error", not judged_by_program(summary.LIMITS | {one: 1e9}))
    for name, limit in summary.LIMITS.items():
        expect(f"{name}: missed fails", not judged(summary.LIMITS | {name: limit * 1.01}))
        expect(f"{name}: not measured fails", not judged({n: v for n, v in summary.LIMITS.items() if n != name}))

    page = (ROOT / "benchmarks/README.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith("| `pinned_1us_ratio`"))
    expect("limits as on the page pass", checked(page))
    for what, text in {
        "a limit that nobody enforces": "| `some_ratio` | 3 | of no use |",
        "one of many figures": "| `..._ns` | 3 | |",
        "one of two figures": "| `one_ns`, `other_ns` | 3 | |",
        "one that is no number": "| `some_ratio` | a few | |",
    }.items():
        expect(f"{what} fails", not checked(page.replace(row, f"{row}\n{text}")))
    expect("a limit that the page leaves out fails", not checked(page.replace(row + "\n", "")))
    expect("another limit than on the page fails", not checked(page.replace(row, row.replace("1.01", "1.02"))))


with tempfile.TemporaryDirectory() as folder:
    age(pathlib.Path(folder))
    limits(pathlib.Path(folder))
sys.exit(f"{len(failed)} checks do not do what they should" if failed else None)
