#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows the recipe "A field of a task" of docs/architecture.md for a number called `priority`.

recipe_field.py --build FOLDER --compiler CXX -- FLAGS...: copies the headers, adds the field to those that the page
lists, and to no others, then compiles recipe_field.cpp with them and runs it.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "architecture.md"
RECIPE = "**A field of a task**"

# By header: a text that is there once, and what is written behind it.
ADDED = {
    "declare/tag.hpp": [("struct weight {};\n", "struct priority {};\n")],
    "declare/schedule.hpp": [
        (
            "  using stretto_tag = tag::weight;\n  static constexpr int value = Time;\n};\n",
            "template <int Level>\nstruct priority {\n  using stretto_tag = tag::priority;\n"
            "  static constexpr int value = Level;\n};\n",
        )
    ],
    "plan/model/declaration.hpp": [("struct task {\n", "  int priority = 0;\n")],
    "plan/model/graph.hpp": [
        ("struct node {\n", "  int priority = 0;\n"),
        ("    n.weight = t.weight;\n", "    n.priority = t.priority;\n"),
    ],
    "static/values/task_fields.hpp": [
        (
            "namespace scalar {\n",
            "struct priority {\n"
            "  static constexpr auto kept = &planner::task::priority;\n"
            "  using placement = tag::priority;\n"
            "  template <class Type>\n  using address = decltype(&Type::priority);\n"
            "  template <class Type>\n  using constant = std::integral_constant<int, Type::priority>;\n};\n",
        ),
        ("using scalars = pack<", "scalar::priority, "),
        ("using placed_scalars = pack<", "scalar::priority, "),
    ],
    "dynamic/values/fields.hpp": [
        ("  int lookahead = 0;\n", "  int priority = 0;\n"),
        (
            'scalar_field{"lookahead", &task::lookahead, &from::lookahead, range_of::batches},\n',
            'scalar_field{"priority", &task::priority, &from::priority, range_of::batches},\n',
        ),
    ],
}


def listed() -> set[str]:
    """The headers that the page's table names."""
    table = re.search(re.escape(RECIPE) + r".*?\n\n((?:\|.*\n)+)", PAGE.read_text(), re.S)
    if table is None:
        sys.exit(f"{PAGE.name} has no table behind {RECIPE}")
    return set(re.findall(r"^\| `([\w/]+\.hpp)` \|", table[1], re.M))


def add(headers: pathlib.Path) -> None:
    for header, changes in ADDED.items():
        text = (headers / header).read_text()
        for behind, added in changes:
            if text.count(behind) != 1:
                sys.exit(f"{header} has {text.count(behind)} times what the field is put behind: {behind!r}")
            text = text.replace(behind, behind + added)
        (headers / header).write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("flags", nargs="*")
    options = parser.parse_args()

    if listed() != set(ADDED):
        sys.exit(f"{PAGE.name} lists {sorted(listed())}, and the field is added to {sorted(ADDED)}")
    include = options.build / "include"
    shutil.rmtree(include, ignore_errors=True)
    shutil.copytree(ROOT / "include", include)
    add(include / "stretto")
    program = options.build / "recipe_field"
    subprocess.run(
        [options.compiler, "-std=c++20", "-O0", f"-I{include}", f"-I{ROOT / 'tests'}", *options.flags]
        + [str(HERE / "recipe_field.cpp"), "-o", str(program), "-pthread"],
        check=True,
    )
    subprocess.run([str(program.resolve())], check=True)


if __name__ == "__main__":
    main()
