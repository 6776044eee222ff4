#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What it costs to compile a pipeline: processor time, as a ratio over the compiler's own reference unit and as
seconds, and memory.

Round by round, all units of a compiler one after the other, the reference unit first and last; a ratio is the median
over rounds of that within a round, so that a machine that is slower for a while changes little. The time is that of
the compiler and all its children, user and system. A unit that does not compile, or not in time, has null for a
figure; of a compiler that is not there only that is written.

measure.py --compilers FILE --scratch FOLDER --out FILE: as the target run_compile does. CMake writes FILE.
measure.py --compiler g++-12 [--only 14,64,dynamic_1,stage_14] [--rounds 3]: measures a part, with flags as users have.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading

import instantiations
import units
from units import Unit

TIME_LIMIT = 300  # seconds, per compilation
ROUNDS = {"": (5, 3), "nvcc": (3, 1)}  # and of units with units.BIG tasks; others as ""
FULL = ("", "clang_16")  # measured with all units
CERTIFICATE = {"14_by_hand": "by_hand", "14": "generated"}  # what it is compared with
ADDED = {"1_describe": "1", "14_texts": "14"}  # what these take more than those


def is_nvcc(command: list[str]) -> bool:
    return "nvcc" in pathlib.Path(command[0]).name


def is_clang(command: list[str]) -> bool:
    return "clang" in pathlib.Path(command[0]).name


def command_of(command: list[str], unit: Unit, folder: pathlib.Path) -> list[str]:
    file = folder / unit.file
    whole = [*command, *unit.flags]
    if unit.makes == "module":
        return [*whole, "-x", "c++-module", str(file), "--precompile", "-o", str(file.with_suffix(".pcm"))]
    if unit.makes == "header":
        return [*whole, "-x", "c++-header", str(file), "-o", f"{file}{'.pch' if is_clang(command) else '.gch'}"]
    if unit.uses == "module":
        whole.append(f"-fmodule-file=stretto={folder / 'module.pcm'}")
    elif unit.uses:
        header = folder / f"{unit.uses}.hpp"
        whole += ["-include-pch", f"{header}.pch"] if is_clang(command) else ["-include", str(header)]
    whole += ["-x", "cu"] if is_nvcc(command) else []
    return [*whole, "-c", str(file), "-o", str(file.with_suffix(".o"))]


def compile_once(command: list[str]) -> tuple[float, float] | str:
    """Seconds and megabytes, or what went wrong."""
    process = subprocess.Popen(
        command,
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


def rounds_of(label: str, unit: Unit, asked: int | None = None) -> int:
    usual, big = ROUNDS.get(label, ROUNDS[""])
    rounds = big if unit.tasks >= units.BIG else usual
    return rounds if asked is None else min(asked, rounds)


def measure(label: str, command: list[str], wanted: list[Unit], folder: pathlib.Path, asked: int | None = None,
            run=compile_once) -> dict[str, list[tuple[float, float]]]:
    """Seconds and megabytes by unit and round; nothing of a unit that failed in any."""
    folder.mkdir(parents=True, exist_ok=True)
    failed: set[str] = set()
    runs: dict[str, list[tuple[float, float]]] = {}

    def fail(unit: Unit, why: str) -> None:
        failed.add(unit.name)
        runs.pop(unit.name, None)
        print(f"compile: {unit.name}, {label or 'configured'}: {why}", file=sys.stderr)

    for unit in wanted:
        try:
            (folder / unit.file).write_text(unit.text(command))
        except (OSError, subprocess.CalledProcessError) as error:
            fail(unit, str(error))
    reference = wanted[0]
    for number in range(max(rounds_of(label, u, asked) for u in wanted)):
        for unit in [*wanted, reference]:
            if unit.name in failed or number >= rounds_of(label, unit, asked):
                continue
            found = run(command_of(command, unit, folder))
            if isinstance(found, str):
                fail(unit, found)
            elif unit is reference and len(runs.get(unit.name, [])) > number:
                seconds, megabytes = runs[unit.name][number]
                runs[unit.name][number] = (seconds + found[0]) / 2, max(megabytes, found[1])
            else:
                runs.setdefault(unit.name, []).append(found)
    return runs


def medians(runs: dict, *names: str, of) -> float | None:
    """The median over rounds of what `of` says of these units' seconds in a round."""
    if any(name not in runs for name in names):
        return None
    rounds = zip(*([seconds for seconds, _ in runs[name]] for name in names))
    return round(statistics.median(of(*seconds) for seconds in rounds), 3)


def over(runs: dict, name: str, other: str) -> float | None:
    return medians(runs, name, other, of=lambda a, b: a / b)


def added(runs: dict, name: str, without: str) -> float | None:
    return medians(runs, name, without, units.REFERENCE, of=lambda a, b, r: (a - b) / r)


def stages(runs: dict) -> dict[str, dict[str, float]]:
    """By size: what each stage adds, over the reference unit. Sizes that were measured as a whole."""
    found = {}
    for size in units.STAGED:
        names = units.stages_of(size)
        if any(name not in runs for name in (*names, units.REFERENCE)):
            continue
        first, *rest = units.STAGES
        parts = {first: over(runs, names[0], units.REFERENCE)}
        parts |= {s: added(runs, name, before) for s, name, before in zip(rest, names[1:], names)}
        found[str(size)] = parts
    return found


def figures_of(label: str, wanted: list[Unit], runs: dict, host: dict | None = None) -> dict[str, float | None]:
    """Of one compiler. `host` is what was measured of g++, in whose reference unit nvcc's budget is."""
    end = f"_{label}" if label else ""
    figures: dict[str, float | None] = {}
    plain = [u.name for u in wanted if not u.stage]
    for name in plain:
        for what, place, digits in (("seconds", 0, 3), ("megabytes", 1, 1)):
            found = [r[place] for r in runs.get(name, [])]
            figures[f"compile_{name}_{what}{end}"] = round(statistics.median(found), digits) if found else None
        if name != units.REFERENCE:
            figures[f"compile_{name}_over_reference{end}"] = over(runs, name, units.REFERENCE)
        if name in ADDED and ADDED[name] in plain:
            figures[f"compile_{name}_added_over_reference{end}"] = added(runs, name, ADDED[name])
        if name in CERTIFICATE and "14_certificate" in plain:
            figures[f"compile_14_certificate_over_{CERTIFICATE[name]}{end}"] = over(runs, "14_certificate", name)
        if f"dynamic_{name}" in plain:
            figures[f"compile_{name}_over_dynamic{end}"] = over(runs, name, f"dynamic_{name}")
        if f"tbb_{name}" in plain:
            figures[f"compile_{name}_over_tbb{end}"] = over(runs, name, f"tbb_{name}")
        if label == "nvcc" and host is not None and name.isdigit():
            seconds = figures[f"compile_{name}_seconds{end}"]
            unit = statistics.median(s for s, _ in host[units.REFERENCE]) if units.REFERENCE in host else None
            figures[f"compile_{name}_over_gcc_reference{end}"] = round(seconds / unit, 3) if seconds and unit else None
    return figures


def version(command: list[str]) -> str:
    done = subprocess.run([command[0], "--version"], capture_output=True, text=True)
    return version_in(done.stdout)


def version_in(said: str) -> str:
    """nvcc says when it was built before it says what it is."""
    found = re.search(r"\bV(\d+(?:\.\d+)+)", said) or re.search(r"\b(\d+(?:\.\d+)+)", said)
    return found[1] if found else "unknown"


def show(name: str, wanted: list[Unit], runs: dict) -> None:
    print(f"{name}: seconds, over the reference unit, MB, rounds")
    for unit in wanted:
        if unit.name in runs:
            found = runs[unit.name]
            seconds, megabytes = (statistics.median(r[place] for r in found) for place in (0, 1))
            ratio = over(runs, unit.name, units.REFERENCE)
            shown = "-" if ratio is None else f"{ratio:.2f}"
            print(f"  {unit.name:30s} {seconds:7.2f} {shown:>7s} {megabytes:6.0f} {len(found):2d}")
    for size, parts in stages(runs).items():
        print(f"  where the time goes, {size} tasks: " + ", ".join(f"{s} {v:.2f}" for s, v in parts.items()))


def users_compiler(program: str) -> dict:
    include = units.ROOT / "include"
    return {"label": "nvcc" if "nvcc" in program else "", "command": [program, "-std=c++20", "-O2", f"-I{include}"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compilers", type=pathlib.Path)
    parser.add_argument("--compiler", help="a program, or the label of one of those in FILE")
    parser.add_argument("--only", default="", help="units, with commas between them")
    parser.add_argument("--rounds", type=int, metavar="N", help="of each unit at most N")
    parser.add_argument("--scratch", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    if not options.compilers and not options.compiler:
        parser.error("--compilers or --compiler is needed")
    compilers = json.loads(options.compilers.read_text()) if options.compilers else [users_compiler(options.compiler)]
    if options.compilers and options.compiler is not None:
        compilers = [c for c in compilers if c["label"] == options.compiler]
        if not compilers:
            parser.error(f"no compiler of the label {options.compiler}")
    only = [name for name in options.only.split(",") if name]

    figures: dict = {"compile_compilers": {}, "compile_rounds": {}, "compile_stages": {}}
    host = None
    with tempfile.TemporaryDirectory() as folder:
        scratch = options.scratch or pathlib.Path(folder)
        for compiler in compilers:
            label, command = compiler["label"], compiler["command"]
            if command is None:
                figures["compile_compilers"][label] = None
                print(f"compile: there is no {label}", file=sys.stderr)
                continue
            wanted = units.chosen(units.all_units(), only, label in FULL, is_clang(command))
            runs = measure(label, command, wanted, scratch / (label or "configured"), options.rounds)
            host = runs if label == "" else host
            figures["compile_compilers"][label] = version(command)
            figures["compile_rounds"][label] = sorted({rounds_of(label, u, options.rounds) for u in wanted})
            figures["compile_stages"] |= {label: found} if (found := stages(runs)) else {}
            figures |= figures_of(label, wanted, runs, host)
            show(label or command[0], wanted, runs)
    for compiler in compilers:
        if only or compiler["command"] is None or "clang++-16" not in compiler["command"][0]:
            continue
        for tasks in (32, 64):
            flags = [f for f in compiler["command"][1:] if not f.startswith("-O")]
            found = instantiations.count(compiler["command"][0], flags, tasks)
            figures[f"compile_{tasks}_instantiations"] = found
        break
    if options.out:
        options.out.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
