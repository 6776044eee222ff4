#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""figures.py REPORT.json OUT.json: the figures from the report of the program `executors`.

A time is the median over the repeats. A ratio is the median over the repeats of what two neighbours,
measured one right after the other, have for a ratio.
"""

import json
import pathlib
import statistics
import sys

TIMES = {
    "sequential_empty_ns": "sequential/stretto/empty",
    "handwritten_sequential_empty_ns": "sequential/by_hand/empty",
    "table_sequential_empty_ns": "sequential/table/empty",
    "sequential_1us_ns": "sequential/stretto/1us",
    "handwritten_sequential_1us_ns": "sequential/by_hand/1us",
    "table_sequential_1us_ns": "sequential/table/1us",
    "barrier_empty_ns": "barrier/stretto_spin/empty",
    "handwritten_barrier_empty_ns": "barrier/by_hand/empty",
    "barrier_empty_spin_then_sleep_ns": "barrier/stretto_spin_then_sleep/empty",
    "barrier_1us_ns": "barrier/stretto_spin/1us",
    "handwritten_barrier_1us_ns": "barrier/by_hand/1us",
    "barrier_1us_spin_then_sleep_ns": "barrier/stretto_spin_then_sleep/1us",
    "run_ahead_empty_ns": "run_ahead/stretto_spin/empty",
    "handwritten_run_ahead_empty_ns": "run_ahead/by_hand/empty",
    "run_ahead_empty_spin_then_sleep_ns": "run_ahead/stretto_spin_then_sleep/empty",
    "run_ahead_1us_ns": "run_ahead/stretto_spin/1us",
    "handwritten_run_ahead_1us_ns": "run_ahead/by_hand/1us",
    "run_ahead_1us_spin_then_sleep_ns": "run_ahead/stretto_spin_then_sleep/1us",
}

RATIOS = {
    "barrier_empty_ratio": ("barrier/stretto_spin/empty", "barrier/by_hand/empty"),
    "barrier_1us_ratio": ("barrier/stretto_spin/1us", "barrier/by_hand/1us"),
    "run_ahead_empty_ratio": ("run_ahead/stretto_spin/empty", "run_ahead/by_hand/empty"),
    "run_ahead_1us_ratio": ("run_ahead/stretto_spin/1us", "run_ahead/by_hand/1us"),
    "sequential_1us_ratio": ("sequential/stretto/1us", "sequential/by_hand/1us"),
    "futex_over_spin_ratio": ("barrier/stretto_spin_then_sleep/empty", "barrier/stretto_spin/empty"),
}


def main() -> None:
    report, out = sys.argv[1:]
    times: dict[str, dict[str, float]] = {}
    for run in json.loads(pathlib.Path(report).read_text())["benchmarks"]:
        if run.get("error_occurred"):
            sys.exit(f"{run['name']}: {run['error_message']}")
        variant, _, when = run["name"].partition("/round:")
        times.setdefault(variant, {})[when] = run["real_time"]

    figures = {name: round(statistics.median(times[v].values()), 2) for name, v in TIMES.items()}
    for name, (ours, theirs) in RATIOS.items():
        pairs = [times[ours][when] / times[theirs][when] for when in times[ours]]
        figures[name] = round(statistics.median(pairs), 4)
    pathlib.Path(out).write_text(json.dumps(figures, indent=2) + "\n")


main()
