#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""figures.py PROGRAM OUT.json [--rounds N]: Stretto, declared plainly, next to loops by hand.

PROGRAM is `benchmark_by_hand`. A time is the median over the rounds. What counts as by hand is the variant with the
smallest one in this run; a ratio is the median of what it and its neighbour of the same round have for a ratio.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

# Further sides of a shape, over Stretto's usual one: types, and threads that spin.
OVER_OURS = {"default_wait": ("run_ahead", "default wait"), "dynamic_one_thread": ("one_thread", "values"),
             "dynamic_run_ahead": ("run_ahead", "values")}
# Further sides over the fastest by hand: by `for_each`, in a loop over the results alone, with the source on the thread
# `io`, with as many copies of what is handed on as batches in flight, with the default wait strategy.
TOLD = {"one_thread_loop": ("one_thread", "for_each"), "13_1_loop": ("one_thread_13_1", "for_each"),
        "one_thread_results": ("one_thread", "results"), "13_1_results": ("one_thread_13_1", "results"),
        "run_ahead_5_io_pulls": ("run_ahead_5", "io pulls"), "run_ahead_8_io_pulls": ("run_ahead_8", "io pulls"),
        "blocking_copies": ("blocking", "a copy per batch"), "blocking_default_wait": ("blocking", "default wait")}


def ratio(ours: list[float], theirs: list[float]) -> float:
    return round(statistics.median(a / b for a, b in zip(ours, theirs)), 4)


def figures(shapes: dict[str, dict[str, list[float]]]) -> dict:
    found: dict = {}
    for shape, sides in shapes.items():
        median = {name: statistics.median(times) for name, times in sides.items()}
        fastest = min((name for name in sides if name.startswith("by hand")), key=lambda name: median[name])
        found[f"by_hand_{shape}_ratio"] = ratio(sides["stretto"], sides[fastest])
        found[f"by_hand_{shape}_stretto_ns"] = round(median["stretto"], 2)
        found[f"by_hand_{shape}_ns"] = round(median[fastest], 2)
    for name, (shape, side) in TOLD.items():
        by_hand = (times for of, times in shapes[shape].items() if of.startswith("by hand"))
        found[f"by_hand_{name}_ratio"] = ratio(shapes[shape][side], min(by_hand, key=statistics.median))
        found[f"by_hand_{name}_ns"] = round(statistics.median(shapes[shape][side]), 2)
    for name, (shape, side) in OVER_OURS.items():
        found[f"by_hand_{name}_ratio"] = ratio(shapes[shape][side], shapes[shape]["stretto"])
        found[f"by_hand_{name}_ns"] = round(statistics.median(shapes[shape][side]), 2)
    found["by_hand_sides"] = {
        shape: {name: round(statistics.median(times), 2) for name, times in sides.items()}
        for shape, sides in shapes.items()
    }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=75)
    options = parser.parse_args()
    said = subprocess.run([options.program, str(options.rounds)], check=True, stdout=subprocess.PIPE, text=True).stdout
    options.out.write_text(json.dumps(figures(json.loads(said)), indent=2) + "\n")


if __name__ == "__main__":
    main()
