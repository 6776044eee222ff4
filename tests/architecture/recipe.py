# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts here share that follow a recipe of docs/architecture.md in a copy of the headers."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "architecture.md"


def options_of(doc):
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("flags", nargs="*")
    return parser.parse_args()


def expect(holds, what, output=""):
    if not holds:
        sys.exit(f"{output}\nexpected: {what}".lstrip())


def listed(recipe):
    """The headers in the table behind what begins with \\p recipe. In them `N_…` is a number and a name."""
    table = re.search(re.escape(recipe) + r".*?\n\n((?:\|[^\n]*\n)+)", PAGE.read_text(), re.S)
    expect(table, f"a table in {PAGE.name} behind {recipe}")
    return re.findall(r"^\| `([^`]+\.hpp)` \|", table[1], re.M)


class Copy:
    """The headers, copied to where they can be changed."""

    def __init__(self, options):
        self.options = options
        self.scratch = tempfile.TemporaryDirectory()  # goes with this object
        self.folder = pathlib.Path(self.scratch.name)
        shutil.copytree(ROOT / "include", self.folder / "include")
        self.headers = self.folder / "include" / "stretto"

    def create(self, header, text):
        expect(not (self.headers / header).exists(), f"no {header} yet")
        (self.headers / header).write_text(text)

    def add(self, header, text, *, before="", behind=""):
        """Puts text before or behind a piece that the header has exactly once."""
        old = (self.headers / header).read_text()
        piece = before or behind
        expect(old.count(piece) == 1, f"{piece!r} in {header}, once")
        (self.headers / header).write_text(old.replace(piece, text + piece if before else piece + text))

    def touched(self):
        """The headers that are not as they are in the tree."""

        def texts(folder):
            return {str(h.relative_to(folder)): h.read_bytes() for h in folder.rglob("*.[hi]pp")}

        was, now = texts(ROOT / "include" / "stretto"), texts(self.headers)
        return {header for header in was.keys() | now.keys() if was.get(header) != now.get(header)}

    def expect_touched(self, recipe):
        """Nothing but what the recipe lists is touched, and all of that."""
        rest = self.touched()
        for line in listed(recipe):
            pattern = re.escape(line).replace(re.escape("N_…"), r"\d+_\w+")
            found = {header for header in rest if re.fullmatch(pattern, header)}
            expect(len(found) == 1, f"{line}, which {PAGE.name} lists, among what is touched: {sorted(rest)}")
            rest -= found
        expect(not rest, f"in the table of {PAGE.name} what is touched, too: {sorted(rest)}")

    def compile(self, text, *arguments):
        """Whether a program compiles, and what the compiler says."""
        source = self.folder / "program.cpp"
        source.write_text(text)
        command = [self.options.compiler, "-std=c++20", f"-I{self.folder / 'include'}", *self.options.flags]
        ran = subprocess.run(
            [*command, *arguments, str(source)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "LC_ALL": "C"},
        )
        return ran.returncode == 0, ran.stdout

    def run(self, text):
        """What a program prints."""
        program = self.folder / "program"
        compiled, said = self.compile(text, "-O0", "-pthread", "-o", str(program))
        expect(compiled, "the program compiles", said)
        return subprocess.run([str(program)], check=True, stdout=subprocess.PIPE, text=True).stdout
