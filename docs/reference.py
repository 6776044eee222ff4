#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/reference.md, a row for each public name, from the headers; with --check, looks whether it is up to date.

A name is public where no namespace around it is `detail`, or for other folders of the library: see INTERNAL.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "stretto"
PAGE = ROOT / "docs" / "reference.md"
# What only a folder itself uses; what folders share; templates that compile errors are named by, and tags of parts.
INTERNAL = {
    "detail", "shared", "declare", "planner", "errors", "observe", "runner", "typed", "text", "collective",
    "invalid", "tag",
}
SECTIONS = {
    "stretto": ("Schedules of types, and what both versions share", "st::"),
    "stretto::dynamic": ("Schedules that are values", "st::dynamic::"),
    "stretto::picture": ("Pictures of plans", "st::picture::"),
    "stretto::cuda": ("CUDA", "st::cuda::"),
    "stretto::mpi": ("Collectives over MPI", "st::mpi::"),
    "stretto::nccl": ("Collectives over NCCL", "st::nccl::"),
    "stretto::device": ("Devices, for who writes a driver", "st::device::"),
}
DECLARED = re.compile(
    r"^(?:inline |constexpr |consteval |extern |\[\[[^\]]*\]\] ?)*"
    r"(?:(?P<type>struct|class|enum class|concept)\s+(?P<a>\w+)(?!\s*<)"
    r"|using\s+(?P<b>\w+)\s*="
    r"|(?:[\w:<>,&* ]+?[\s&*])(?P<c>\w+)\s*(?P<call>\(|=|\{|;))"
)
NOT_NAMES = {"if", "for", "return", "requires", "operator", "while", "else"}


def facades():
    """By header: the headers at the root through which it comes."""
    seen = {}

    def walk(header):
        if header not in seen:
            text = (HEADERS / header).read_text()
            seen[header] = set(re.findall(r"^#include <stretto/(.*?)>", text, re.M))
        return seen[header]

    reached = {}
    for root in sorted(HEADERS.glob("*.hpp"), key=lambda p: (p.name != "stretto.hpp", p.name)):
        if root.name == "compiled.hpp":  # for one file of a program, which names nothing
            continue
        todo, found = [root.name], set()
        while todo:
            header = todo.pop()
            if header not in found:
                found.add(header)
                todo += walk(header)
        for header in found:
            reached.setdefault(header, []).append(root.name)
    return reached


def sentence(doc):
    text = " ".join(line.strip() for line in doc)
    text = re.sub(r"\\[pc] (\w+)", r"`\1`", text)
    first = re.match(r"(.*?[.:])(?= [A-Z`(]|$)", text)
    return (first[1] if first else text).rstrip(":").replace("|", "\\|")


def names_in(header):
    """(namespace, name, sentence) of each public name, in order."""
    spaces, doc, gathering = [], [], False
    depth = 0
    for line in (HEADERS / header).read_text().splitlines():
        if match := re.match(r"^namespace ([\w:]+) \{", line):
            spaces.append(match[1])
            doc = []
            continue
        if line.startswith("}  // namespace"):
            spaces.pop()
            doc = []
            continue
        if not spaces or depth > 0 or line.startswith((" ", "#")):
            if line in ("}", "};") or re.match(r"^\}[^{]*;?$", line):
                depth = 0
            continue
        if line.startswith("///"):
            doc = [] if not gathering else doc
            gathering = True
            doc.append(line[3:])
            continue
        gathering = False
        if not line or line.startswith(("//", "}", "template", "requires", "friend")):
            if not line:
                doc = []
            continue
        match = DECLARED.match(line)
        space = "::".join(spaces)
        if match and not set(space.split("::")) & INTERNAL:
            name = match["a"] or match["b"] or match["c"]
            if variable := re.match(r"^inline constexpr const decltype\(.*\)& (\w+) =", line):
                name = variable[1]
            specialised = re.match(r"^(struct|class)\s+\w+\s*<", line)
            if name not in NOT_NAMES and not specialised:
                yield space, name, sentence(doc)
        doc = []


def page():
    reached = facades()
    rows, undocumented = {}, []
    for path in sorted(HEADERS.rglob("*.hpp")):
        header = str(path.relative_to(HEADERS))
        for space, name, said in names_in(header):
            if space not in SECTIONS:
                sys.exit(f"{header}: nothing says where names of {space} belong on the page")
            known = rows.setdefault(space, {})
            if name in known and (known[name][0] or not said):
                continue
            known[name] = (said, reached.get(header, [header])[0], header)
    parts = [
        "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"
        "<!-- Made from the headers by docs/reference.py. -->\n"
        "# Public names\n\n"
        "Every name that is for users, with the header to include. `namespace st = stretto;`. What is not here is not\n"
        "for users, and may change.\n"
    ]
    for space, (title, prefix) in SECTIONS.items():
        parts.append(f"\n## {title}\n\n| name | what it is | include |\n| --- | --- | --- |\n")
        for name, (said, facade, header) in sorted(rows.get(space, {}).items()):
            if not said:
                undocumented.append(f"{header}: {prefix}{name} is public and has no `///`")
            parts.append(f"| `{prefix}{name}` | {said} | [`{facade}`](../include/stretto/{header}) |\n")
    return "".join(parts), undocumented


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    text, undocumented = page()
    for line in undocumented:
        print(line, file=sys.stderr)
    if not options.check:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        sys.exit("docs/reference.md is out of date: python3 docs/reference.py writes it")
    print(f"{text.count(chr(10) + '| `')} names")
    return 1 if undocumented else 0


if __name__ == "__main__":
    sys.exit(main())
