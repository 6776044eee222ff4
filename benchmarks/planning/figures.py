#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""figures.py REPORT.json OUT.json: the figures from the report of the program `planning`.

For each shape and number of tasks the median processor time of the repeats; the memory is the same each
time. The figure with a limit is the slowest shape of 10,000 tasks.
"""

import json
import pathlib
import statistics
import sys

LARGEST = 10000


def main() -> None:
    report, out = sys.argv[1:]
    times: dict[str, dict[str, list[float]]] = {}
    sizes: dict[str, dict[str, dict]] = {}
    for run in json.loads(pathlib.Path(report).read_text())["benchmarks"]:
        if run.get("error_occurred"):
            sys.exit(f"{run['name']}: {run['error_message']}")
        if run.get("run_type") == "aggregate":
            continue
        shape, tasks = run["name"].split("/")[:2]
        times.setdefault(shape, {}).setdefault(tasks, []).append(run["cpu_time"])
        sizes.setdefault(shape, {})[tasks] = {"edges": int(run["edges"]), "bytes": int(run["bytes"])}
    curves = {
        shape: {
            tasks: {"ms": round(statistics.median(found), 4), **sizes[shape][tasks]}
            for tasks, found in by_size.items()
        }
        for shape, by_size in times.items()
    }
    largest = [by_size[str(LARGEST)] for by_size in curves.values()]
    figures = {
        f"planning_{LARGEST}_ms": max(f["ms"] for f in largest),
        f"planning_{LARGEST}_bytes_per_edge": round(max(f["bytes"] / f["edges"] for f in largest)),
        "planning": curves,
    }
    pathlib.Path(out).write_text(json.dumps(figures, indent=2) + "\n")


main()
