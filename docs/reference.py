#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes from the headers what lists public names; with --check, looks whether it is up to date.

That is docs/reference.md, with a row for each, and include/stretto/stretto.cppm, the module, which exports those that
need no more than a compiler. A name is public where no namespace around it is `detail`, or for other folders of the
library: see INTERNAL.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "stretto"
PAGE = ROOT / "docs" / "reference.md"
MODULE = HEADERS / "stretto.cppm"
# What only a folder itself uses; what folders share; templates that compile errors are named by, and tags of parts.
INTERNAL = {
    "detail", "shared", "declare", "planner", "errors", "observe", "runner", "typed", "text", "collective",
    "bound", "advising", "serving", "sending", "invalid", "tag",
}
SECTIONS = {
    "stretto": ("Schedules of types, and what both versions share", "st::"),
    "stretto::dynamic": ("Schedules that are values", "st::dynamic::"),
    "stretto::picture": ("Pictures of plans", "st::picture::"),
    "stretto::search": ("Schedules that are looked for", "st::search::"),
    "stretto::cuda": ("CUDA", "st::cuda::"),
    "stretto::local": ("Ranks of one process", "st::local::"),
    "stretto::mpi": ("Collectives over MPI", "st::mpi::"),
    "stretto::nccl": ("Collectives over NCCL", "st::nccl::"),
    "stretto::device": ("Devices, for who writes a driver", "st::device::"),
}
DECLARED = re.compile(
    r"^(?:inline |constexpr |consteval |extern |\[\[[^\]]*\]\] ?)*"
    r"(?:(?P<type>struct|class|enum class|concept)\s+(?:\[\[\w+\]\]\s+)?(?P<a>\w+)(?!\s*<)"
    r"|using\s+(?P<b>\w+)\s*="
    r"|(?:[\w:<>,&* ]+?[\s&*])(?P<c>\w+)\s*(?P<call>\(|=|\{|;))"
)
# What users include that needs more than a compiler: no part of the module.
NEEDS_MORE = {"cuda.hpp", "local.hpp", "mpi.hpp", "nccl.hpp", "nvtx.hpp", "schedule_file.hpp", "senders.hpp"}
NOT_NAMES = {"if", "for", "return", "requires", "operator", "while", "else"}


def roots():
    """What users include."""
    found = (root for root in HEADERS.glob("*.hpp") if root.stem not in ("compiled", "compiled_files"))
    # Advice and reports, which bring most others along, are not what to include for them; nor are senders, which need more than
    # a compiler.
    last = ("advice.hpp", "report.hpp", "senders.hpp")
    return sorted(found, key=lambda p: (p.name != "stretto.hpp", p.name in last, p.name))


def facades():
    """By header: the headers at the root through which it comes."""
    seen = {}

    def walk(header):
        if header not in seen:
            text = (HEADERS / header).read_text()
            seen[header] = set(re.findall(r"^#include <stretto/(.*?)>", text, re.M))
        return seen[header]

    reached = {}
    for root in roots():
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


def public_names():
    """By namespace and name: the sentence, the header to include, the header that has it."""
    reached = facades()
    rows = {}
    for path in sorted(HEADERS.rglob("*.hpp")):
        header = str(path.relative_to(HEADERS))
        for space, name, said in names_in(header):
            if space not in SECTIONS:
                sys.exit(f"{header}: nothing says where names of {space} belong on the page")
            known = rows.setdefault(space, {})
            if name in known and (known[name][0] or not said):
                continue
            known[name] = (said, reached.get(header, [header])[0], header)
    return rows


def page(rows):
    undocumented = []
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


def module(rows):
    headers = sorted(root.name for root in roots() if root.name not in NEEDS_MORE)
    parts = [
        "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
        "// Made from the headers by docs/reference.py.\n"
        "module;\n\n",
        *(f"#include <stretto/{header}>\n" for header in headers),
        "\nexport module stretto;\n",
    ]
    for space in SECTIONS:
        names = sorted(name for name, (_, facade, _) in rows.get(space, {}).items() if facade in headers)
        if names:
            parts.append(f"\nexport namespace {space} {{\n\n")
            parts.extend(f"using {space}::{name};\n" for name in names)
            parts.append(f"\n}}  // namespace {space}\n")
    return "".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    rows = public_names()
    text, undocumented = page(rows)
    for line in undocumented:
        print(line, file=sys.stderr)
    for path, made in ((PAGE, text), (MODULE, module(rows))):
        if not options.check:
            path.write_text(made)
        elif not path.exists() or path.read_text() != made:
            sys.exit(f"{path.relative_to(ROOT)} is out of date: python3 docs/reference.py writes it")
    print(f"{text.count(chr(10) + '| `')} names")
    return 1 if undocumented else 0


if __name__ == "__main__":
    sys.exit(main())
