#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""figures.py STAGES EXAMPLES SOURCES OUT.json [--rounds N]: the examples next to their twins.

STAGES is the program `benchmark_examples`, EXAMPLES the folder of the built examples, SOURCES that of their sources. A program and its twin run in
turn; a time is the median over the rounds, a ratio the median of what neighbours have for a ratio. What was not built,
because oneTBB or zlib is not there, has no figure.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys

LOADS = (30, 70)  # per cent of what the service by hand can answer
REQUESTS = 2000  # at each load


def said(program: pathlib.Path, *arguments: object) -> str:
    return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def ratio(ours: list[float], theirs: list[float]) -> float:
    return round(statistics.median(a / b for a, b in zip(ours, theirs)), 4)


def median(values: list[float], digits: int = 1) -> float:
    return round(statistics.median(values), digits)


def stages(program: pathlib.Path, rounds: int) -> dict:
    times = json.loads(said(program, rounds))
    found = {"example_stages_ms": median(times["stretto"], 3)}
    found |= {f"example_stages_{name}_ms": median(times[name], 3) for name in times if name != "stretto"}
    found |= {f"example_stages_over_{name}": ratio(times["stretto"], times[name])
              for name in ("serial", "tbb") if name in times}
    if "tbb" in times:
        found["example_stages_per_task_over_tbb"] = ratio(times["per_task"], times["tbb"])
    return found


def etl(folder: pathlib.Path, rounds: int, how: str = "", *arguments: str) -> dict:
    """HOW is in the figures' names, for ARGUMENTS."""
    names = {"etl": f"example_etl{how}_ms", "etl_serial": f"example_etl{how}_serial_ms",
             "etl_tbb": f"example_etl{how}_tbb_ms"}
    times: dict[str, list[float]] = {name: [] for name in names if (folder / name).exists()}
    checksums = set()
    for _ in range(rounds):
        for name, all_times in times.items():
            found = re.fullmatch(r"([\d.]+) ms, (\d+ sales, checksum \w+)\n", said(folder / name, *arguments))
            all_times.append(float(found[1]))
            checksums.add(found[2])
    if len(checksums) > 1:
        sys.exit(f"figures: etl and its twins differ: {', '.join(sorted(checksums))}")
    figures = {names[name]: median(all_times) for name, all_times in times.items()}
    for name in times:
        if name != "etl":
            figures[f"example_etl{how}_over_{name.removeprefix('etl_')}"] = ratio(times["etl"], times[name])
    return figures


# Programs that run themselves and their twin in turn, that many times each, and say what a batch took.
ALTERNATING = {"camera": ("camera/camera",), "training": ("training/training",),
               "json": ("json/json", "json/chains/two_threads.json")}
TWINS = re.compile(r"stretto\b[^\n]*?([\d.]+) ms.*?by hand\b[^\n]*?([\d.]+)(?: ms|:)", re.S)


def alternating(folder: pathlib.Path, sources: pathlib.Path, rounds: int) -> dict:
    figures = {}
    for name, (program, *files) in ALTERNATING.items():
        found = TWINS.search(said(folder / program, *(sources / file for file in files), rounds))
        ours, by_hand = float(found[1]), float(found[2])
        figures |= {f"example_{name}_ms": ours, f"example_{name}_by_hand_ms": by_hand,
                    f"example_{name}_over_by_hand": round(ours / by_hand, 4)}
    return figures


def serving(folder: pathlib.Path, rounds: int) -> dict:
    line = re.compile(r"^(.*): (\d+) requests/s, p50 (\d+) us, p99 (\d+) us, checksum", re.M)
    names = {"serving": "example_serving", "serving_by_hand": "example_serving_by_hand"}

    def capacity(name: str, *rates: int) -> float:
        found = line.findall(said(folder / name, REQUESTS, *rates))
        return next(float(rate) for how, rate, _, _ in found if how == "at once")

    by_hand = statistics.median(capacity("serving_by_hand", 1_000_000) for _ in range(3))
    rates = [round(by_hand * load / 100) for load in LOADS]
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, figure in names.items():
            alone, at_once, *loaded = line.findall(said(folder / name, REQUESTS, *rates))
            for what, value in [("alone_p50_us", alone[2]), ("capacity", at_once[1]),
                                *((f"p{q}_{load}_us", row[2 if q == 50 else 3])
                                  for load, row in zip(LOADS, loaded) for q in (50, 99))]:
                found.setdefault(f"{figure}_{what}", []).append(float(value))
    figures = {name: median(values) for name, values in found.items()}
    for what, figure in {"alone_p50_us": "alone_over_by_hand", "p99_30_us": "p99_at_30_over_by_hand",
                         "p99_70_us": "p99_over_by_hand", "capacity": "capacity_over_by_hand"}.items():
        figures[f"example_serving_{figure}"] = ratio(found[f"example_serving_{what}"],
                                                     found[f"example_serving_by_hand_{what}"])
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stages", type=pathlib.Path)
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    figures = stages(options.stages, options.rounds)
    if (options.examples / "etl/etl").exists():
        figures |= etl(options.examples / "etl", options.rounds)
        figures |= etl(options.examples / "etl", options.rounds, "_fast", "--fast")
    figures |= alternating(options.examples, options.sources, options.rounds)
    # A p99 is what twenty requests say, and one stall of the machine is seen in it.
    figures |= serving(options.examples / "serving", 3 * options.rounds)
    options.out.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
