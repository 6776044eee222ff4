#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that what README and docs show is real: code, output, compile errors, links, names of files,
the tests of the driver's rules.

A block in the Markdown says on the line above it where it comes from:

  <!-- code: tutorial.cpp#declare -->   the lines between two `// [declare]` in docs/snippets/tutorial.cpp
  <!-- output: tutorial#plan -->        what the program prints between `=== plan` and the next `===`
  <!-- error: mistake.cpp -->           what g++-12 says to that file with -DMISTAKE
  <!-- run: stretto check broken.json -->   what that example program says, in a copy of its folder
      `schedules` in which what it wrote for a block before is kept
  <!-- file: examples/stretto/schedules/training.json -->   that file
  <!-- sketch -->                       C++ that is not meant to compile

and a picture that a program draws, in GraphViz's language, which is kept next to the picture:

  <!-- picture: stretto dot ranking.json -->

With --update the blocks are rewritten instead. Without g++-12 errors are not checked.
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent
BLOCK = re.compile(
    r"(?:^<!-- (?P<kind>\w+)(?:: (?P<what>[^\n]*?))? -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.M | re.S,
)


SOURCES = ("include", "tests", "benchmarks", "examples", "docs", "cmake")
PICTURE = re.compile(r"^<!-- picture: (?P<what>.*) -->\n!\[[^]]*\]\((?P<file>[^)]*)\.svg\)", re.M)


def source_of(name):
    local = DOCS / "snippets" / name
    return local if local.exists() else ROOT / name


def code(what):
    name, region = what.split("#")
    lines = source_of(name).read_text().splitlines()
    marks = [i for i, line in enumerate(lines) if line.strip() == f"// [{region}]"]
    if len(marks) != 2:
        raise ValueError(f"{name} has {len(marks)} marks [{region}], not 2")
    kept = [
        line
        for line in lines[marks[0] + 1 : marks[1]]
        if not re.match(r"\s*(// \[\w+\]|#\s*(if|ifdef|ifndef|else|endif)\b.*)$", line)
    ]
    indent = min((len(s) - len(s.lstrip()) for s in kept if s.strip()), default=0)
    return "\n".join(s[indent:] for s in kept).strip("\n") + "\n"


def output(what, programs):
    name, section = what.split("#")
    if name not in output.known:
        run = subprocess.run([programs / f"docs_{name}"], capture_output=True, text=True, check=True)
        output.known[name] = run.stdout
    parts = re.split(r"^=== (.*)\n", output.known[name], flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2]))
    if section not in sections:
        raise ValueError(f"docs_{name} prints no section {section}")
    return sections[section].strip("\n") + "\n"


output.known = {}


def run(what, examples):
    program, *arguments = shlex.split(what)
    if program not in run.folders:
        run.folders[program] = tempfile.TemporaryDirectory()
        shutil.copytree(
            ROOT / "examples" / program / "schedules", run.folders[program].name, dirs_exist_ok=True
        )
    done = subprocess.run(
        [examples.resolve() / program / program, *arguments],
        cwd=run.folders[program].name,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise ValueError(f"exit code {done.returncode}")
    return done.stdout


run.folders = {}


def error(what, compiler, include):
    run = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", "-w", "-DMISTAKE", *include, what],
        cwd=DOCS / "snippets",
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode == 0:
        raise ValueError(f"{what} compiles with -DMISTAKE")
    message = run.stderr.split("\n")
    text = "\n".join(m for m in message if not re.match(r"In file included from | +from \S+:\d", m))
    # Where the library's own lines are is no concern of a reader, and changes.
    text = re.sub(r"^\S*/include/(stretto/\S+?):(\d+:\d+:)?", r"\1:", text, flags=re.M)
    return re.sub(r"^ *\d+ \|", lambda m: " " * (len(m[0]) - 1) + "|", text, flags=re.M)


def pictures(text, arguments):
    """Complaints about pictures of a page that a program would draw otherwise now."""
    for match in PICTURE.finditer(text) if arguments.examples else ():
        real = run(match["what"], arguments.examples)
        kept = DOCS / (match["file"] + ".dot")
        if arguments.update and (not kept.exists() or kept.read_text() != real):
            kept.write_text(real)
            subprocess.run(["dot", "-Tsvg", kept, "-o", kept.with_suffix(".svg")], check=True)
        if not kept.exists() or kept.read_text() != real:
            yield f"{match['what']} is not what {kept.relative_to(ROOT)} has"
        elif not kept.with_suffix(".svg").exists():
            yield f"there is no {match['file']}.svg"


def links(page, text):
    prose = BLOCK.sub("", text)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose):
        if not re.match(r"\w+:", target) and not (page.parent / target).exists():
            yield f"{page.relative_to(ROOT)}: the link to {target} leads nowhere"


def files_named(page, text):
    """Source files that a page names in its prose, by path or by name, must be there."""
    prose = BLOCK.sub("", text)
    for name in dict.fromkeys(re.findall(r"`((?:[\w.-]+/)*\w+\.(?:hpp|cpp|cmake|py|pml))`", prose)):
        folders = [ROOT, ROOT / "include", ROOT / "include/stretto", ROOT / "tests", ROOT / "benchmarks", page.parent]
        if any((folder / name).exists() for folder in folders):
            continue
        if "/" not in name and any(path.name == name for folder in SOURCES for path in (ROOT / folder).rglob("*")):
            continue
        yield f"{page.relative_to(ROOT)}: there is no {name}"


def driver_rules():
    """The page on GPUs has a rule for each call of the driver, under CUDA's name for it, and each test that it names
    is there."""
    tables = re.findall(r"^<!-- driver rules -->\n((?:\|.*\n)+)", (DOCS / "gpu.md").read_text(), re.M)
    rows = [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for t in tables for line in t.splitlines()[2:]]
    for row in rows:
        test = re.fullmatch(r'`(\w+\.cpp)`, "(.*)"', row[-1])
        if test is None:
            yield f"gpu.md: {row[-1]} is no test"
            continue
        source = ROOT / "tests/recording" / test[1]
        cases = re.findall(r'^TEST_CASE(?:_FIXTURE)?\(\s*(?:\w+,\s*)?"([^"]*)"', source.read_text(), re.M)
        if test[2] not in cases:
            yield f"gpu.md: {test[1]} has no test case \"{test[2]}\""
    include = ROOT / "include/stretto"
    listed = re.search(r"enum class call {(.*?)}", (include / "device/driver.hpp").read_text(), re.S)[1]
    cuda = (include / "cuda/driver.hpp").read_text()
    names = {}
    for calls, name in re.findall(r'((?:case call::\w+:\s*)+)return "(\w+)"', cuda):
        names.update(dict.fromkeys(re.findall(r"call::(\w+)", calls), name))
    for call in re.findall(r"\w+", listed):
        mine = [row for row in rows if f"`{call}`" in row[0].split(", ")]
        if not mine:
            yield f"gpu.md: the table has no rule for the driver's `{call}`"
        for row in mine:
            if row[1] != f"`{names.get(call)}`":
                yield f"gpu.md: `{call}` is {names.get(call)} in CUDA, not {row[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of docs_*")
    parser.add_argument("--examples", type=pathlib.Path, help="folder of the built examples")
    parser.add_argument("--compiler", default="g++-12")
    parser.add_argument("--include", action="append", default=[], help="include folder")
    parser.add_argument("--update", action="store_true", help="rewrite the blocks")
    arguments = parser.parse_args()
    include = [f"-I{path}" for path in arguments.include or [ROOT / "include"]]
    has_compiler = shutil.which(arguments.compiler) is not None
    wrong = []
    checked = 0

    for page in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]:
        text = page.read_text()

        def renew(match):
            nonlocal checked
            kind, what, shown = match["kind"], match["what"], match["text"]
            where = f"{page.relative_to(ROOT)}: {kind}: {what}"
            if kind is None or kind == "sketch":
                if kind is None and match["language"] == "cpp":
                    wrong.append(f"{page.relative_to(ROOT)}: a block of C++ does not say where it comes from:\n{shown}")
                return match[0]
            try:
                if kind == "code":
                    real = code(what)
                elif kind == "output":
                    real = output(what, arguments.programs)
                elif kind == "file":
                    real = (ROOT / what).read_text()
                elif kind == "run":
                    if arguments.examples is None:
                        return match[0]
                    real = run(what, arguments.examples)
                elif kind == "error":
                    if not has_compiler:
                        return match[0]
                    real = error(what, arguments.compiler, include)
                else:
                    raise ValueError("neither code, output, run, file, error nor sketch")
            except (ValueError, OSError, subprocess.CalledProcessError) as problem:
                wrong.append(f"{where}: {problem}")
                return match[0]
            checked += 1
            if real != shown and not arguments.update:
                wrong.append(f"{where}: the page shows\n{shown}\nbut it is\n{real}")
            return match[0][: match.start("text") - match.start()] + real + "```"

        renewed = BLOCK.sub(renew, text)
        if arguments.update:
            page.write_text(renewed)
        wrong.extend(links(page, text))
        wrong.extend(files_named(page, text))
        wrong.extend(pictures(text, arguments))

    wrong.extend(driver_rules())
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{checked} blocks, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
