#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns records of the original engine into task types and schedules.

    generate.py DIRECTORY UNITS hstu.jsonl documented.jsonl

writes DIRECTORY/records_0.cpp to records_{UNITS-1}.cpp and DIRECTORY/records.cpp.

All of hstu.jsonl; of documented.jsonl every record that is not one of a grid (the document's
examples and corner cases), and of the grids, which differ in three numbers, every fourth. All run on
the calling thread; on threads all of documented's, and every fourth of hstu's.
"""

import json
import re
import sys

GRID = re.compile(r"(grid|dep|sync|read)_x\d")


def chosen(path):
    records = [json.loads(line) for line in open(path, encoding="utf-8")]
    if path.endswith("hstu.jsonl"):
        return [(r, i % 4 == 0) for i, r in enumerate(records)]
    in_grid = -1
    picked = []
    for r in records:
        if GRID.match(r["id"]):
            in_grid += 1
            if in_grid % 4:
                continue
        picked.append((r, True))
    return picked


def quoted(text):
    return json.dumps(text)


def unit_of(record, threads, number):
    tasks = record["tasks"]
    type_of = {}  # the first bearer of a name stands for it
    for i, t in enumerate(tasks):
        type_of.setdefault(t["name"], f"task_{i}")
    slots, strangers = {}, {}

    def slot(access):
        return slots.setdefault(access[0], f"slot_{len(slots)}")

    def task(name):
        if name in type_of:
            return type_of[name]
        return strangers.setdefault(name, f"stranger_{len(strangers)}")

    body = []
    for i, t in enumerate(tasks):
        for access in t["reads"] + t["writes"]:
            assert access[1] == t["lookahead"], "offsets are a task's lookahead, as types"
        body += [f"struct task_{i} : logging {{", f"  static constexpr std::string_view name = {quoted(t['name'])};"]
        if t["stream"]:
            body.append(f"  using stream = st::stream<{quoted(t['stream'])}>;")
        body.append(f"  static constexpr int lookahead = {t['lookahead']};")
        body.append(f"  static constexpr bool collective = {str(t['nccl']).lower()};")
        fields = {
            "reads": [slot(a) for a in t["reads"]],
            "writes": [slot(a) for a in t["writes"]],
            "depends_on": [task(n) for n in t["depends_on"]],
            "cross_iter_depends_on": [f"st::ago<{task(n)}, {-ago}>" for n, ago in t["cross_iter_depends_on"]],
            "same_progress_sync": [task(n) for n in t["same_progress_sync"]],
        }
        for field, entries in fields.items():
            if entries:
                body.append(f"  using {field} = st::{field}<{', '.join(entries)}>;")
        body.append("};")
    slots.setdefault("batch_cpu", f"slot_{len(slots)}")

    out = [f"namespace record_{number} {{"]
    out += [f"struct task_{i};" for i in range(len(tasks))]
    out += [f"struct {s};" for s in strangers.values()]
    for name, s in slots.items():
        out.append(f"struct {s} : st::slot<int> {{ static constexpr std::string_view name = {quoted(name)}; }};")
    out += body
    parts = [f"st::source<{slots['batch_cpu']}>"]
    parts.append(f"st::streams<{', '.join(quoted(s) for s in record['streams'])}>")
    parts += [f"task_{i}" for i in range(len(tasks))]
    out.append(f"struct schedule : st::schedule<{', '.join(parts)}> {{}};")
    out.append(f"}}  // namespace record_{number}")
    call = f"compile<record_{number}::schedule, {str(threads).lower()}>({quoted(record['id'])})"
    return "\n".join(out), call


def main(directory, units, paths):
    records = [r for path in paths for r in chosen(path)]
    for u in range(units):
        parts = [unit_of(r, threads, n) for n, (r, threads) in enumerate(records) if n % units == u]
        with open(f"{directory}/records_{u}.cpp", "w", encoding="utf-8") as f:
            f.write('#include "runs_of.hpp"\n\nnamespace conformance {\nnamespace {\n')
            f.write("\n".join(text for text, _ in parts))
            f.write(f"\n}}  // namespace\n\nstd::vector<compiled> unit_{u}() {{\n  return {{\n      ")
            f.write(",\n      ".join(call for _, call in parts))
            f.write("};\n}\n}  // namespace conformance\n")
    with open(f"{directory}/records.cpp", "w", encoding="utf-8") as f:
        f.write('#include "runs.hpp"\n\nnamespace conformance {\n')
        f.writelines(f"std::vector<compiled> unit_{u}();\n" for u in range(units))
        f.write("std::vector<compiled> all_compiled() {\n  std::vector<compiled> all;\n")
        f.writelines(f"  for (auto& c : unit_{u}()) all.push_back(c);\n" for u in range(units))
        f.write("  return all;\n}\n}  // namespace conformance\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
