#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""figures.py REPORT.json OUT.json: the figures from the report of the program `executors`.

A time is the median over the repeats. A ratio is the median over the repeats of what two neighbours,
measured one right after the other, have for a ratio. What was not measured, because oneTBB is not there,
has no figure.
"""

import json
import math
import pathlib
import re
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
    "generated_empty_streams_ns": "generated_streams/stretto_spin/empty",
    "generated_empty_host_ns": "generated_host/stretto_spin/empty",
    "dynamic_sequential_empty_ns": "sequential/dynamic/empty",
    "dynamic_sequential_1us_ns": "sequential/dynamic/1us",
    "dynamic_barrier_empty_ns": "barrier/dynamic_spin/empty",
    "dynamic_barrier_1us_ns": "barrier/dynamic_spin/1us",
    "dynamic_run_ahead_empty_ns": "run_ahead/dynamic_spin/empty",
    "dynamic_run_ahead_1us_ns": "run_ahead/dynamic_spin/1us",
    "dynamic_generated_empty_streams_ns": "generated_streams/dynamic_spin/empty",
    "dynamic_generated_empty_host_ns": "generated_host/dynamic_spin/empty",
    "async_empty_ns": "barrier/async/empty",
    "async_1us_ns": "barrier/async/1us",
    "locked_empty_ns": "barrier/locked/empty",
    "locked_1us_ns": "barrier/locked/1us",
    "tbb_filter_per_stream_empty_ns": "filter_per_stream/tbb/empty",
    "tbb_filter_per_task_empty_ns": "filter_per_task/tbb/empty",
    "tbb_graph_empty_ns": "graph/tbb/empty",
}

MICROSECONDS = {
    "generated_1us_streams_us": "generated_streams/stretto_spin/1us",
    "generated_1us_host_us": "generated_host/stretto_spin/1us",
    "dynamic_generated_1us_streams_us": "generated_streams/dynamic_spin/1us",
    "dynamic_generated_1us_host_us": "generated_host/dynamic_spin/1us",
    "tbb_filter_per_stream_1us_us": "filter_per_stream/tbb/1us",
    "tbb_filter_per_task_1us_us": "filter_per_task/tbb/1us",
    "tbb_graph_1us_us": "graph/tbb/1us",
}

RATIOS = {
    "barrier_empty_ratio": ("barrier/stretto_spin/empty", "barrier/by_hand/empty"),
    "barrier_1us_ratio": ("barrier/stretto_spin/1us", "barrier/by_hand/1us"),
    "run_ahead_empty_ratio": ("run_ahead/stretto_spin/empty", "run_ahead/by_hand/empty"),
    "run_ahead_1us_ratio": ("run_ahead/stretto_spin/1us", "run_ahead/by_hand/1us"),
    "sequential_1us_ratio": ("sequential/stretto/1us", "sequential/by_hand/1us"),
    "dynamic_over_static_sequential_empty_ratio": ("sequential/dynamic/empty", "sequential/stretto/empty"),
    "dynamic_over_static_sequential_1us_ratio": ("sequential/dynamic/1us", "sequential/stretto/1us"),
    "dynamic_over_static_barrier_empty_ratio": ("barrier/dynamic_spin/empty", "barrier/stretto_spin/empty"),
    "dynamic_over_static_barrier_1us_ratio": ("barrier/dynamic_spin/1us", "barrier/stretto_spin/1us"),
    "dynamic_over_static_run_ahead_empty_ratio": ("run_ahead/dynamic_spin/empty", "run_ahead/stretto_spin/empty"),
    "dynamic_over_static_run_ahead_1us_ratio": ("run_ahead/dynamic_spin/1us", "run_ahead/stretto_spin/1us"),
    "futex_over_spin_ratio": ("barrier/stretto_spin_then_sleep/empty", "barrier/stretto_spin/empty"),
}

# Executors swept over task lengths, with the tasks that no executor could run faster than one after
# the other: those of the fuller thread of a map that is given, or half of all, or of the longest stream.
SWEPT = {
    "barrier": ("barrier/stretto_spin", 11),
    "handwritten_barrier": ("barrier/by_hand", 11),
    "run_ahead": ("run_ahead/stretto_spin", 11),
    "handwritten_run_ahead": ("run_ahead/by_hand", 11),
    "dynamic_run_ahead": ("run_ahead/dynamic_spin", 11),
    "generated_streams": ("generated_streams/stretto_spin", 8),
    "generated_host": ("generated_host/stretto_spin", 7),
    "tbb_filter_per_stream": ("filter_per_stream/tbb", 8),
    "tbb_filter_per_task": ("filter_per_task/tbb", 7),
    "tbb_graph": ("graph/tbb", 8),
}
ALONE = "sequential/by_hand"
TASKS = 14


def least_granularity(lengths: list[float], efficiencies: list[float], wanted: float = 0.5) -> float:
    """The shortest task above which efficiency stays at what is wanted, between two measured lengths."""
    for i in reversed(range(len(lengths))):
        if efficiencies[i] >= wanted:
            continue
        if i + 1 == len(lengths):
            return math.inf
        share = (wanted - efficiencies[i]) / (efficiencies[i + 1] - efficiencies[i])
        return lengths[i] * (lengths[i + 1] / lengths[i]) ** share
    return lengths[0]


def sweep(median) -> tuple[dict, dict]:
    """The figures metg_..., and the curves that they are read from."""
    asked = sorted(int(v.split("/")[-1][:-2]) for v in median if re.fullmatch(f"{ALONE}/[0-9]+ns", v))
    # A task takes as long as it does where nothing else is to be done: a little more than asked for.
    task = [median[f"{ALONE}/{n}ns"] / TASKS for n in asked]
    figures: dict[str, float] = {}
    curves: dict[str, list[float]] = {"task_ns": [round(t, 2) for t in task]}
    for name, (variant, bound) in SWEPT.items():
        if f"{variant}/{asked[0]}ns" not in median:
            continue
        efficiencies = [bound * t / median[f"{variant}/{n}ns"] for n, t in zip(asked, task)]
        figures[f"metg_{name}_ns"] = round(least_granularity(task, efficiencies), 1)
        curves[name] = [round(e, 4) for e in efficiencies]
    return figures, curves


def main() -> None:
    report, out = sys.argv[1:]
    times: dict[str, dict[str, float]] = {}
    for run in json.loads(pathlib.Path(report).read_text())["benchmarks"]:
        if run.get("error_occurred"):
            sys.exit(f"{run['name']}: {run['error_message']}")
        variant, _, when = run["name"].partition("/round:")
        times.setdefault(variant, {})[when] = run["real_time"]
    median = {variant: statistics.median(found.values()) for variant, found in times.items()}

    figures: dict = {name: round(median[v], 2) for name, v in TIMES.items() if v in median}
    figures |= {name: round(median[v] / 1000, 4) for name, v in MICROSECONDS.items() if v in median}
    for name, (ours, theirs) in RATIOS.items():
        pairs = [times[ours][when] / times[theirs][when] for when in times[ours]]
        figures[name] = round(statistics.median(pairs), 4)
    figures["pinned_1us_ratio"] = max(figures["barrier_1us_ratio"], figures["run_ahead_1us_ratio"])
    least, curves = sweep(median)
    figures |= least
    figures["metg"] = curves
    pathlib.Path(out).write_text(json.dumps(figures, indent=2) + "\n")


main()
