#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where, when and of which code figures were measured: benchmarks/measured.json, and whether they still hold.

measured.py --note OUT --compiler C --build B: writes down, before anything is measured, the commit, the machine
and the code that each group of figures depends on. publish.py keeps that with the figures.
measured.py --check README.md: fails if more than LIMIT of the code of a group has changed since, or if that page
says another limit.

Code is kept as a hash of each line, so that no history is needed to compare. Comments, blank lines, includes and the
names of files and namespaces do not count: what was only moved is what it was.
"""

import argparse
import base64
import collections
import datetime
import hashlib
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
RECORD = ROOT / "benchmarks/measured.json"
LIMIT = 0.2  # README.md says so, too
EVERYTHING = "CXX=g++-12 cmake --workflow --preset publish"
ONE_GROUP = "CXX=g++-12 cmake --preset benchmarks && cmake --build build/benchmarks --target publish_"

# What is measured together: the programs and scripts that it starts from. What they include is found.
GROUPS = {
    "instructions": ["benchmarks/instructions/main.cpp", "benchmarks/instructions/callgrind.py"],
    "device": ["benchmarks/device/*.cpp", "benchmarks/device/figures.py"],
    "executors": ["benchmarks/executors/main.cpp", "benchmarks/executors/figures.py"],
    "planning": ["benchmarks/planning/main.cpp", "benchmarks/planning/figures.py"],
    "waiting": ["benchmarks/waiting/main.cpp", "benchmarks/waiting/waiting.py"],
    "compile": ["include/stretto/stretto.hpp", "include/stretto/dynamic.hpp", "include/stretto/explain.hpp",
                "include/stretto/picture.hpp", "include/stretto/schedule_file.hpp", "benchmarks/compile/generate.py",
                "benchmarks/compile/values.py", "benchmarks/compile/tbb.py", "benchmarks/compile/units.py",
                "benchmarks/compile/measure.py"],
    "ranking": ["examples/ranking/*.cpp"],
    "examples": ["benchmarks/examples/*.cpp", "benchmarks/examples/figures.py", "examples/etl/*.cpp",
                 "examples/serving/*.cpp", "examples/camera/*.cpp", "examples/training/*.cpp",
                 "examples/json/*.cpp"],
    "by_hand": ["benchmarks/by_hand/main.cpp", "benchmarks/by_hand/figures.py"],
    "model": ["benchmarks/model/main.cpp", "benchmarks/model/figures.py"],
    "mpi": ["benchmarks/mpi/*.cpp", "benchmarks/mpi/figures.py"],
    "gpu": ["benchmarks/gpu/*.cpp", "benchmarks/gpu/*.cu", "benchmarks/gpu/ranking_torch.py",
            "examples/ranking/gpu/*.cpp", "examples/ranking/gpu/*.cu"],
}
LIBRARY = "include/stretto/"

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(stretto/[^>]+)>)', re.M)
COMMENT_OR_LITERAL = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)"""
    r"""|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\b[0-9](?:[\w.]|'\w)*|'(?:\\.|[^'\\\n])+'""",
    re.S,
)
NOT_COUNTED = re.compile(r"#\s*include\b|#\s*pragma once|(inline )?namespace\b.*\{$|import |from ")


class Tree:
    """The files as they are."""

    def __init__(self, root: pathlib.Path = ROOT):
        self.root = root

    def matching(self, pattern: str) -> list[str]:
        return sorted(p.relative_to(self.root).as_posix() for p in self.root.glob(pattern))

    def text(self, name: str) -> str | None:
        path = self.root / name
        return path.read_text(encoding="utf-8") if path.is_file() else None


def closure(tree, patterns: list[str]) -> list[str]:
    """The files, and what they include of ours, whatever is defined."""
    todo = [name for pattern in patterns for name in tree.matching(pattern)]
    seen = dict.fromkeys(todo)
    while todo:
        name = todo.pop()
        if name.endswith(".py"):
            continue
        for quoted, ours in INCLUDE.findall(tree.text(name) or ""):
            places = [os.path.normpath(f"{os.path.dirname(name)}/{quoted}")] if quoted else []
            for place in [*places, f"include/{quoted or ours}"]:
                if tree.text(place) is not None:
                    if place not in seen:
                        seen[place] = None
                        todo.append(place)
                    break
    return sorted(seen)


def lines_of_code(name: str, text: str) -> list[str]:
    if name.endswith(".py"):
        text = re.sub(r'""".*?"""|^\s*#[^\n]*', "", text, flags=re.S | re.M)
    else:
        text = COMMENT_OR_LITERAL.sub(lambda m: " " if m["comment"] else m[0], text)
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in lines if re.search(r"\w", line) and not NOT_COUNTED.match(line)]


def hashed(text: str, size: int) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=size).digest()


BYTES = 3  # of a line's hash


def code_of(tree, names: list[str]) -> dict[str, list]:
    """By a key that stands for name and code: the name and the hash of each line."""
    code = {}
    for name in names:
        lines = lines_of_code(name, tree.text(name))
        key = hashed("\n".join([name, *lines]), 6).hex()
        code[key] = [name, base64.b64encode(b"".join(hashed(line, BYTES) for line in lines)).decode()]
    return code


def hashes(packed: str) -> list[bytes]:
    unpacked = base64.b64decode(packed)
    return [unpacked[i : i + BYTES] for i in range(0, len(unpacked), BYTES)]


def git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


def revision() -> tuple[str | None, set[str]]:
    """The commit, where git knows one, and which files differ from it."""
    commit, changes = git("rev-parse", "HEAD"), git("status", "--porcelain", "-uall", "--no-renames")
    if not commit or changes is None:
        return None, set()
    return commit.strip(), {line[3:] for line in changes.splitlines()}


def cpu_model() -> str:
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def note(compiler: str, build: str, tree=None) -> dict:
    """What a record holds, of every group."""
    tree = tree or Tree()
    commit, changed = revision()
    record: dict = {"groups": {}, "code": {}}
    for group, patterns in GROUPS.items():
        names = closure(tree, patterns)
        code = code_of(tree, names)
        record["code"] |= code
        record["groups"][group] = {
            "commit": commit,
            "clean": None if commit is None else not changed & set(names),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
            "compiler": compiler,
            "build": build,
            "cpu": cpu_model(),
            "cores": len(os.sched_getaffinity(0)),
            "files": list(code),
        }
    return record


def written(record: dict) -> str:
    """As JSON, a line for each group and file."""

    def lines(part: dict) -> str:
        return ",\n".join(f"    {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in part.items())

    groups = {g: record["groups"][g] for g in GROUPS if g in record["groups"]}
    used = {key for group in groups.values() for key in group["files"]}
    code = dict(sorted(((k, v) for k, v in record["code"].items() if k in used), key=lambda e: (e[1][0], e[0])))
    return '{\n  "groups": {\n' + lines(groups) + '\n  },\n  "code": {\n' + lines(code) + "\n  }\n}\n"


def kept(path: pathlib.Path = RECORD) -> dict:
    return json.loads(path.read_text()) if path.exists() else {"groups": {}, "code": {}}


def keep(noted: pathlib.Path, groups: list[str], path: pathlib.Path = RECORD) -> None:
    """Takes over what was noted of groups whose figures are published."""
    record, new = kept(path), json.loads(noted.read_text())
    record["code"] |= new["code"]
    for group in groups:
        record["groups"][group] = new["groups"][group] | {"load": round(os.getloadavg()[1], 1)}
    path.write_text(written(record))


def told(record: dict, groups: dict[str, str]) -> str:
    """Where and when these groups were measured, in a sentence; their names where it was not one time."""
    found: dict[str, list[str]] = {}
    for group, name in groups.items():
        m = record["groups"].get(group)
        if m is None:
            found.setdefault("not yet measured", []).append(name)
            continue
        commit = f"commit {m['commit'][:7]}" if m["commit"] else "an unknown commit"
        if m["clean"] is None and m["commit"]:
            commit += " or shortly before it"
        elif m["clean"] is False:
            commit += " with changes that were not committed"
        text = f"at {commit}, {m['date']}"
        if m.get("compiler"):
            text += f", with {m['compiler']}, {m['build']}"
        if m.get("cpu"):
            text += f", on {m['cores']} cores ({m['cpu']})"
        if m.get("load") and m["load"] > m["cores"] + 0.5:  # the benchmarks themselves keep all cores busy
            text += f", which had other work meanwhile (load {m['load']:g})"
        found.setdefault(text, []).append(name)
    if len(found) == 1:
        text = next(iter(found))
        return text.capitalize() + "." if text.startswith("not") else f"Measured {text}."
    return "Measured: " + "; ".join(f"{' and '.join(names)} {text}" for text, names in found.items()) + "."


def changes(record: dict, group: str, tree) -> list[tuple[str, float, int, list[str]]]:
    """Of the library's headers and of the benchmark itself: the share that changed, of how many lines, and where most
    lines are new."""
    then = [record["code"][key] for key in record["groups"][group]["files"]]
    now = list(code_of(tree, closure(tree, GROUPS[group])).values())
    found = []
    for what, ours in (("of the headers", True), ("of the benchmark's own code", False)):
        def part(files: list) -> dict[str, list[bytes]]:
            return {name: hashes(code) for name, code in files if name.startswith(LIBRARY) == ours}

        before, after = part(then), part(now)
        old = collections.Counter(h for lines in before.values() for h in lines)
        new = collections.Counter(h for lines in after.values() for h in lines)
        most = max(old.total(), new.total())
        added = {name: sum(h not in old for h in lines) for name, lines in after.items()}
        where = sorted((n for n in added if added[n]), key=lambda n: -added[n])[:3]
        found.append((what, 1 - (old & new).total() / most if most else 0.0, most, where))
    return found


def check(record: dict, tree=None) -> list[str]:
    """What is wrong; a line of what was found is printed for each group."""
    tree = tree or Tree()
    wrong = []
    for group in GROUPS:
        if group not in record["groups"]:
            if group == "gpu" and not tree.matching("benchmarks/gpu/results/*.json"):
                print("gpu: not yet measured")
            else:
                wrong.append(f"{group}: nothing says what its figures were measured of")
            continue
        m = record["groups"][group]
        shares = changes(record, group, tree)
        print(f"{group}: " + ", ".join(f"{share:.1%} {what} ({most} lines)" for what, share, most, _ in shares))
        for what, share, _, where in shares:
            if share > LIMIT:
                wrong.append(f"{group}: {share:.0%} {what} changed since {(m['commit'] or 'they were measured')[:7]} "
                             f"({m['date']}), at most {LIMIT:.0%}: most in {', '.join(where)}")
    stale = sorted({line.partition(":")[0] for line in wrong}, key=list(GROUPS).index)
    if stale:
        wrong += ["Measure anew: " + EVERYTHING]
        wrong += ["or a group alone: " + ONE_GROUP + group for group in stale if group != "gpu"]
        wrong += ["on a machine with a GPU: sh benchmarks/gpu/run.sh"] if "gpu" in stale else []
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--note", type=pathlib.Path, metavar="OUT")
    parser.add_argument("--compiler")
    parser.add_argument("--build")
    parser.add_argument("--check", type=pathlib.Path, metavar="README.md")
    options = parser.parse_args()
    if options.note:
        options.note.write_text(written(note(options.compiler, options.build)))
        return
    if not options.check:
        parser.error("--note or --check")
    said = f"more than {LIMIT * 100:.0f} %"
    wrong = [] if said in options.check.read_text() else [f"{options.check.name} does not say `{said}`"]
    wrong += check(kept())
    sys.exit("\n".join(wrong) if wrong else None)


if __name__ == "__main__":
    main()
