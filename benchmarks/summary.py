#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Merges the figures of all benchmarks into summary.json, and prints them.

summary.py --compiler C --build B --out summary.json FIGURES...
summary.py --judge summary.json: fails if a limit was missed there.
summary.py --check README.md: whether that page names each of the limits, and no other.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import sys

import measured

# What the project has set out to reach. The table in README.md says what each means.
LIMITS = {
    "sequential_empty_instruction_ratio": 1.05,
    "cuda_host_instruction_ratio": 1.05,
    "cuda_graphs_host_instruction_ratio": 1.05,
    "dynamic_cuda_graphs_host_instruction_ratio": 3,
    "barrier_empty_ratio": 1.15,
    "run_ahead_empty_ratio": 1.15,
    "pinned_1us_ratio": 1.01,
    "generated_1us_streams_us": 8.3,
    "generated_1us_host_us": 7.4,
    "futex_over_spin_ratio": 1.1,
    "default_over_spin_free_ratio": 1.1,
    "default_over_block_one_core_ratio": 1.05,
    "default_over_block_quota_ratio": 1.05,
    "default_over_block_crowd_ratio": 1.05,
    "slow_source_10000us_default_load": 0.1,
    "planning_10000_ms": 1000,
    "compile_14_over_reference": 2.2,
    "compile_64_over_reference": 4.3,
    "compile_256_over_reference": 13,
    "compile_256_megabytes": 400,
    "compile_14_over_reference_clang_16": 2.2,
    "compile_64_over_reference_clang_16": 3.5,
    "compile_256_over_reference_clang_16": 10,
    "compile_14_over_gcc_reference_nvcc": 6.6,
    "compile_64_over_gcc_reference_nvcc": 12.9,
    "compile_256_over_gcc_reference_nvcc": 39,
    "compile_256_megabytes_nvcc": 1200,
    "compile_14_texts_added_over_reference": 0.5,
    "compile_14_certificate_over_by_hand": 1.05,
    "compile_14_certificate_over_generated": 1.05,
    "compile_14_certificate_over_by_hand_clang_16": 1.05,
    "compile_14_certificate_over_generated_clang_16": 1.05,
    "compile_dynamic_1_over_reference": 4,
    "compile_dynamic_1_compiled_over_reference": 2.5,
    "compile_dynamic_1_file_over_reference": 5,
    "compile_dynamic_1_file_compiled_over_reference": 2.5,
    "ranking_wall_over_busiest_thread": 1.05,
    "ranking_pipelined_over_serial": 0.75,
    "example_etl_over_tbb": 1.0,
    "example_serving_p99_over_by_hand": 1.05,
    "example_camera_over_by_hand": 1.05,
    "example_training_over_by_hand": 1.05,
    "by_hand_one_thread_ratio": 1.05,
    "by_hand_one_thread_13_1_ratio": 1.05,
    "by_hand_one_thread_loop_ratio": 1.05,
    "by_hand_13_1_loop_ratio": 1.05,
    "by_hand_one_thread_results_ratio": 1.05,
    "by_hand_13_1_results_ratio": 1.05,
    "by_hand_barrier_ratio": 1.1,
    "by_hand_run_ahead_2_ratio": 1.1,
    "by_hand_run_ahead_ratio": 1.1,
    "by_hand_run_ahead_5_ratio": 1.1,
    "by_hand_run_ahead_8_ratio": 1.1,
    "by_hand_run_ahead_5_io_pulls_ratio": 1.1,
    "by_hand_run_ahead_8_io_pulls_ratio": 1.1,
    "by_hand_run_ahead_1_13_ratio": 1.1,
    "by_hand_run_ahead_7_7_ratio": 1.1,
    "by_hand_no_result_ratio": 1.1,
    "by_hand_slow_source_ratio": 1.1,
    "by_hand_blocking_ratio": 1.1,
    "by_hand_blocking_copies_ratio": 1.1,
    "by_hand_blocking_default_wait_ratio": 1.1,
    "by_hand_default_wait_ratio": 1.1,
    "by_hand_dynamic_one_thread_ratio": 3.0,
    "by_hand_dynamic_run_ahead_ratio": 1.15,
    "bound_over_simulator_worst": 1.02,
    "advice_error_worst": 0.1,
    "simulator_over_real_worst": 1.03,
    "found_over_real_worst": 1.03,
    "exposed_error_worst_us": 2,
    "padding_slope_error_worst": 0.1,
    "trace_ns_per_task": 30,
    "mpi_allreduce_1mb_over_by_hand": 1.05,
    "mpi_allreduce_64mb_over_by_hand": 1.05,
}


def holds(summary: dict, name: str) -> bool:
    return summary.get(name) is not None and summary[name] <= LIMITS[name]


def absent(summary: dict, name: str) -> bool:
    """Whether a figure is of a compiler that was looked for and is not there."""
    return any(version is None and label and name.endswith(f"_{label}")
               for label, version in summary.get("compile_compilers", {}).items())


def judge(summary: dict) -> None:
    missed = []
    for name, limit in LIMITS.items():
        if absent(summary, name):
            print(f"{name}: not judged, there is no such compiler here")
        elif not holds(summary, name):
            missed.append(f"{name}: {summary.get(name, 'not measured')}, at most {limit:g}")
    sys.exit("limits missed:\n  " + "\n  ".join(missed) if missed else None)


def check(page: pathlib.Path) -> None:
    table = page.read_text().partition("| name | limit | meaning |\n")[2].partition("\n\n")[0]
    wrong, named = [], {}
    for row in table.splitlines()[1:]:
        names, limit = (cell.strip() for cell in row.split("|")[1:3])
        name = re.fullmatch(r"`(\w+)`", names)
        if not limit:
            continue
        if name is None or name[1] in named or not re.fullmatch(r"[\d.]+", limit):
            wrong.append(f"{names}: a limit is a number, and of one figure that is written out: {limit}")
        else:
            named[name[1]] = float(limit)
    wrong += [f"{name}: {named.get(name)} on the page, {LIMITS.get(name)} in summary.py"
              for name in sorted(named.keys() | LIMITS.keys())
              if named.get(name) != LIMITS.get(name)]
    sys.exit("\n".join(wrong) if wrong else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", type=pathlib.Path, metavar="README.md")
    parser.add_argument("--judge", type=pathlib.Path, metavar="summary.json")
    parser.add_argument("--compiler")
    parser.add_argument("--build")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("figures", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.check:
        check(options.check)
        return
    if options.judge:
        judge(json.loads(options.judge.read_text()))
        return
    if not (options.compiler and options.build and options.out and options.figures):
        parser.error("--compiler, --build, --out and figures are needed")

    summary: dict = {}
    for path in options.figures:
        if not path.exists():
            sys.exit(f"summary: {path.name} is missing: that benchmark has not run, or wrote no figures")
        figures = json.loads(path.read_text())
        if not isinstance(figures, dict):
            sys.exit(f"summary: {path.name} is not one JSON object")
        twice = summary.keys() & figures.keys()
        if twice:
            sys.exit(f"summary: {path.name} repeats {', '.join(sorted(twice))}")
        summary |= figures

    summary["machine"] = {
        "cpu": measured.cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": options.compiler,
        "build": options.build,
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "load": round(os.getloadavg()[1], 1),
    }
    options.out.write_text(json.dumps(summary, indent=2) + "\n")

    for name, value in summary.items():
        if isinstance(value, dict):
            continue
        limit = LIMITS.get(name)
        note = ""
        if limit is not None:
            note = f"   at most {limit:g}: {'held' if holds(summary, name) else 'MISSED'}"
        shown = "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        print(f"{name:45s} {shown:>12s}{note}")
    print(f"written to {options.out.name}")


if __name__ == "__main__":
    main()
