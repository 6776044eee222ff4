#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tier `quick` is chosen so that it notices: the test of each header is in it, the test that is to kill each planted
mistake, and everything in tests/behaviour, which is both versions of every behaviour.

    tiers.py LIST    LIST is test_list.tsv of a build
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
HEADERS = TESTS.parent / "include/stretto"
sys.path.append(str(TESTS / "property/mutation"))


def places():
    """(what is tested, file or folder in tests) by the table of tests_by_place.cmake and by the headers' own names"""
    for header in sorted(HEADERS.rglob("*.hpp")):
        name = header.relative_to(HEADERS).with_suffix("")
        for suffix in (".cpp", ".cu"):
            if (TESTS / f"{name}{suffix}").exists():
                yield f"{name}.hpp", f"tests/{name}{suffix}"
    text = (HERE / "tests_by_place.cmake").read_text()
    for call in re.findall(r"^tested_in\(([^)]*)\)", text, re.MULTILINE):
        where, *headers = re.sub(r"#.*", "", call).split()
        for header in headers:
            yield f"{header}.hpp", f"tests/{where}"


def planted():
    import parts
    import rules

    for script in (parts, rules):
        for what, _, _, _, test in script.mutants():
            yield f"a planted mistake ({what})", test


def main():
    known, quick = set(), set()
    apart = []
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
        name, folder, labels, _, sources = line.split("\t")
        tiers = set(labels.split(",")) & {"quick", "outside"}
        made_of = {folder, *(s for s in sources.split(",") if s)}
        known |= made_of
        if tiers:
            quick |= made_of
        elif folder.startswith("tests/behaviour/"):
            apart.append(f"{name} is a behaviour, and not quick")

    def has(files, place):
        return place in files or any(file.startswith(f"{place}/") for file in files)

    # What no test at all is made of is left out on this machine; that some list names it is asked by tests_by_place.cmake.
    checked = [(what, place) for what, place in (*places(), *planted()) if has(known, place)]
    wrong = [f"{what} is tested by {place}, which no quick test is made of" for what, place in checked if not has(quick, place)]
    wrong = sorted(set(wrong + apart))
    for line in wrong:
        print(line)
    print(f"{len(checked) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
