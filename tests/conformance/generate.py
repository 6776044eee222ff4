#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns records of the original engine into pipelines that run.

    generate.py DIRECTORY UNITS FIRST COUNT hstu.jsonl documented.jsonl

deals them to UNITS files and writes COUNT of these, DIRECTORY/records_{FIRST}.cpp and on, and DIRECTORY/records.cpp.

All of hstu.jsonl; of documented.jsonl every record that is not one of a grid (the document's
examples and corner cases), and of the grids, which differ in three numbers, every fourth. All run on
the calling thread; on threads all of documented's, and every fourth of hstu's.
"""

import re
import sys

import records

GRID = re.compile(r"(grid|dep|sync|read)_x\d")


def chosen(path):
    loaded = [record for _, record in records.load(path)]
    if path.endswith("hstu.jsonl"):
        return [(r, i % 4 == 0) for i, r in enumerate(loaded)]
    in_grid = -1
    picked = []
    for r in loaded:
        if GRID.match(r["id"]):
            in_grid += 1
            if in_grid % 4:
                continue
        picked.append((r, True))
    return picked


def unit_of(record, threads, number):
    call = f"compile<record_{number}::schedule, {str(threads).lower()}>({records.quoted(record['id'])})"
    return records.declarations(record, f"record_{number}", " : logging"), call


def main(directory, units, first, count, paths):
    picked = [r for path in paths for r in chosen(path)]
    built = range(first, first + count)
    for u in built:
        parts = [unit_of(r, threads, n) for n, (r, threads) in enumerate(picked) if n % units == u]
        with open(f"{directory}/records_{u}.cpp", "w", encoding="utf-8") as f:
            f.write('#include "runs_of.hpp"\n\nnamespace conformance {\nnamespace {\n')
            f.write("\n".join(text for text, _ in parts))
            f.write(f"\n}}  // namespace\n\nstd::vector<compiled> unit_{u}() {{\n  return {{\n      ")
            f.write(",\n      ".join(call for _, call in parts))
            f.write("};\n}\n}  // namespace conformance\n")
    with open(f"{directory}/records.cpp", "w", encoding="utf-8") as f:
        f.write('#include "runs.hpp"\n\nnamespace conformance {\n')
        f.write(f"bool all_are_compiled() {{ return {str(count == units).lower()}; }}\n")
        f.writelines(f"std::vector<compiled> unit_{u}();\n" for u in built)
        f.write("std::vector<compiled> all_compiled() {\n  std::vector<compiled> all;\n")
        f.writelines(f"  for (auto& c : unit_{u}()) all.push_back(c);\n" for u in built)
        f.write("  return all;\n}\n}  // namespace conformance\n")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5:])
