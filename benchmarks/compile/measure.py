#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What it costs to compile a pipeline of 8 to 256 tasks: processor time, memory, instantiations.

The time is that of the compiler and all its children, user and system, so that what else the machine
does meanwhile counts little. A unit that does not compile, or not in time, has null for a figure.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading

import generate
import instantiations

SIZES = (8, 14, 16, 32, 64, 128, 256)
TIME_LIMIT = 300  # seconds, per compilation


def compile_once(command: list[str], unit: pathlib.Path) -> tuple[float, float] | str:
    """Seconds and megabytes, or what went wrong."""
    language = ["-x", "cu"] if "nvcc" in pathlib.Path(command[0]).name else []
    process = subprocess.Popen(
        command + language + ["-c", str(unit), "-o", str(unit.with_suffix(".o"))],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    timer = threading.Timer(TIME_LIMIT, lambda: os.killpg(process.pid, 9))
    timer.start()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    timed_out = not timer.is_alive()
    timer.cancel()
    if timed_out:
        return f"killed after {TIME_LIMIT} s"
    if process.returncode != 0:
        return next((l for l in errors.splitlines() if "error" in l), errors[:200])
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compilers", required=True, type=pathlib.Path)
    parser.add_argument("--scratch", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    compilers = json.loads(options.compilers.read_text())

    figures: dict[str, float | None] = {}
    for tasks in SIZES:
        unit = options.scratch / f"tasks_{tasks}.cpp"
        unit.write_text(generate.unit(tasks))
        for compiler in compilers:
            repeats = 5 if tasks == 14 else 3 if not compiler["label"] and tasks == 64 else 1
            runs = []
            for _ in range(repeats):
                run = compile_once(compiler["command"], unit)
                if isinstance(run, str):
                    print(f"compile: {tasks} tasks, {compiler['label'] or 'configured'}: {run}", file=sys.stderr)
                    break
                runs.append(run)
            done = len(runs) == repeats
            end = f"_{compiler['label']}" if compiler["label"] else ""
            for what, place, digits in (("seconds", 0, 3), ("megabytes", 1, 1)):
                value = round(statistics.median(r[place] for r in runs), digits) if done else None
                figures[f"compile_{tasks}_{what}{end}"] = value
    for compiler in compilers:
        if "clang++-16" not in compiler["command"][0]:
            continue
        for tasks in (32, 64):
            flags = [f for f in compiler["command"][1:] if not f.startswith("-O")]
            found = instantiations.count(compiler["command"][0], flags, tasks)
            figures[f"compile_{tasks}_instantiations"] = found
        break
    options.out.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
