# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/compile_time.md and README show of compile times: tables, and the curves. Used by publish.py, whose
configured compiler is g++-12. Ratios are over a compiler's own reference unit."""

import math

import units
from summary import LIMITS

COMPILERS = {"": ("g++-12", "#2563a8"), "_gcc_14": ("g++-14", "#17a2a2"), "_clang_16": ("Clang 16", "#b4512d"),
             "_clang_19": ("Clang 19", "#d9a441"), "_clang_22": ("Clang 22", "#8a3d7a"),
             "_nvcc": ("nvcc 13", "#4d8a3d")}
FULL = ("", "_clang_16")  # measured with all units
OTHERS = {
    "1_describe": "one task, described",
    "14_texts": "14 tasks, described, explained and drawn",
    "14_by_hand": "14 tasks, threads and order by hand",
    "14_certificate": "the same with a certificate",
    "14_compiled": "14 tasks, with the compiled part",
    "14_pch": "14 tasks, with a precompiled header",
    "14_module": "14 tasks, with the module",
    "tbb_14": "14 tasks with oneTBB's flow graph",
    "dynamic_1": "runtime version, one task",
    "dynamic_1_compiled": "the same with the compiled part",
    "dynamic_1_pch": "the same with a precompiled header",
    "dynamic_1_file": "runtime version, one task, with schedule files",
    "dynamic_1_file_compiled": "the same with the compiled part",
    "dynamic_14": "runtime version, 14 tasks",
    "dynamic_64": "runtime version, 64 tasks",
    "dynamic_256": "runtime version, 256 tasks",
    "pch": "making the precompiled header of `stretto.hpp`",
    "dynamic_pch": "making that of `dynamic.hpp`",
    "module": "making the module",
}
# What the figures with a limit are, for people.
LIMITED = {
    **{f"compile_{n}_over_reference{label}": f"{n} tasks, {COMPILERS[label][0]}" for label in FULL
       for n in units.COMPARED},
    "compile_256_megabytes": "256 tasks, g++-12, memory",
    **{f"compile_{n}_over_gcc_reference_nvcc": f"{n} tasks, nvcc 13, over the reference unit of g++-12"
       for n in units.COMPARED},
    "compile_256_megabytes_nvcc": "256 tasks, nvcc 13, memory",
    "compile_14_texts_added_over_reference": "what `describe`, `explain` and pictures add to 14 tasks",
    **{f"compile_14_certificate_over_{than}{label}": f"14 tasks with a certificate, {COMPILERS[label][0]}, over {what}"
       for label in FULL for than, what in (("by_hand", "that plan without one"), ("generated", "a generated map"))},
    "compile_dynamic_1_over_reference": "runtime version, one task",
    "compile_dynamic_1_compiled_over_reference": "the same with the compiled part",
    "compile_dynamic_1_file_over_reference": "runtime version, one task, with schedule files",
    "compile_dynamic_1_file_compiled_over_reference": "the same with the compiled part",
}
NOT_YET = "Not measured yet.\n"


def ratio(figures: dict, unit: str, label: str) -> float | None:
    if unit == units.REFERENCE:
        return None if figures.get(f"compile_{unit}_seconds{label}") is None else 1.0
    return figures.get(f"compile_{unit}_over_reference{label}")


def cell(figures: dict, unit: str, label: str) -> str:
    over = ratio(figures, unit, label)
    if over is None:
        return "–"
    seconds, megabytes = (figures[f"compile_{unit}_{what}{label}"] for what in ("seconds", "megabytes"))
    return f"{over:.2f} ×, {seconds:.2f} s, {megabytes:.0f} MB"


def rows(head: list[str], body: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body]) + "\n"


def is_measured(figures: dict) -> bool:
    return any(ratio(figures, str(n), label) is not None for n in units.SIZES for label in COMPILERS)


def rounds(figures: dict) -> str:
    """How many rounds each figure is the median of, in a sentence."""
    said: dict[str, list[str]] = {}
    for label, found in figures.get("compile_rounds", {}).items():
        text = str(found[-1]) + (f" ({found[0]} with {units.BIG} tasks)" if len(found) > 1 else "")
        said.setdefault(text, []).append(COMPILERS.get(f"_{label}" if label else "", (label,))[0])
    return "Medians over rounds: " + "; ".join(f"{text} with {', '.join(c)}" for text, c in said.items()) + ".\n"


def table(figures: dict) -> str:
    """All compilers; a dash for what was not measured."""
    if not is_measured(figures):
        return NOT_YET
    names = {units.REFERENCE: "the reference unit"} | {str(n): f"{n} tasks" if n > 1 else "one task"
                                                       for n in units.SIZES}
    body = [[text, *(cell(figures, unit, label) for label in COMPILERS)] for unit, text in names.items()]
    text = rows(["", *(name for name, _ in COMPILERS.values())], body) + "\n" + rounds(figures)
    counts = [f"{figures[f'compile_{n}_instantiations']} at {n} tasks" for n in (32, 64)
              if f"compile_{n}_instantiations" in figures]
    return text + (f"\nTemplate instantiations with Clang 16: {', '.join(counts)}.\n" if counts else "")


def others(figures: dict) -> str:
    body = [[text, *(cell(figures, unit, label) for label in FULL)] for unit, text in OTHERS.items()]
    if all(set(row[1:]) == {"–"} for row in body):
        return NOT_YET
    return rows(["", *(COMPILERS[label][0] for label in FULL)], body)


def compared(figures: dict) -> str:
    """With the same tasks by other means."""

    def shown(name: str) -> str:
        found = figures.get(name)
        return "–" if found is None else f"{found:.2f} ×"

    body = [[f"{n} tasks over the {'runtime version' if means == 'dynamic' else 'flow graph of oneTBB'}",
             *(shown(f"compile_{n}_over_{means}{label}") for label in FULL)]
            for means, sizes in (("dynamic", units.COMPARED), ("tbb", (14,))) for n in sizes]
    if all(set(row[1:]) == {"–"} for row in body):
        return NOT_YET
    return rows(["", *(COMPILERS[label][0] for label in FULL)], body)


def budget(figures: dict) -> str:
    """Every figure with a limit."""
    if not is_measured(figures):
        return NOT_YET
    body = []
    for name, limit in LIMITS.items():
        if not name.startswith("compile_"):
            continue
        found, of_memory = figures.get(name), "_megabytes" in name
        with_unit = lambda v: f"{v:g} MB" if of_memory else f"{v:g} ×"  # noqa: E731
        held = "–" if found is None else "held" if found <= limit else "missed"
        measured = "–" if found is None else with_unit(round(found) if of_memory else round(found, 2))
        body.append([LIMITED[name], measured, with_unit(limit), held])
    return rows(["", "measured", "at most", ""], body)


def aims(figures: dict) -> str:
    """In a sentence, for the README."""
    shown = [f"{over:.1f} for {n} tasks (we aim for {LIMITS[f'compile_{n}_over_reference']:g})" for n in units.COMPARED
             if (over := ratio(figures, str(n), "")) is not None]
    if not shown:
        return "[Compile times](docs/compile_time.md) have not been measured yet.\n"
    return ("[Compile times](docs/compile_time.md) with g++-12, over that of a file that includes the usual standard "
            f"headers and starts a thread: {', '.join(shown)}.\n")


def chart(figures: dict) -> str:
    width, height, left, right, top, bottom = 640, 360, 56, 84, 16, 44
    low, high, last = 1.0, 64.0, math.log2(units.SIZES[-1])

    def x(size: float) -> float:
        return left + (width - left - right) * math.log2(size) / last

    def y(over: float) -> float:
        share = math.log2(min(max(over, low), high) / low) / math.log2(high / low)
        return height - bottom - (height - top - bottom) * share

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           "<title>Processor time to compile a pipeline, over the reference unit, by its number of tasks</title>",
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for s in (1, 2, 4, 8, 16, 32, 64):
        out.append(f'<path d="M{left} {y(s):.1f}H{width - right}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y(s) + 4:.1f}" text-anchor="end">{s:g} ×</text>')
    for n in units.SIZES:
        out.append(f'<text x="{x(n):.1f}" y="{height - bottom + 18}" text-anchor="middle">{n}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">tasks</text>')
    for side, label in enumerate(FULL):  # next to each other, as two may be equal
        name, colour = COMPILERS[label]
        for n in units.COMPARED:
            limit = LIMITS[f"compile_{n}_over_reference{label}"]
            out.append(f'<path d="M{x(n) + 10 * side - 10:.1f} {y(limit):.1f}h10" stroke="{colour}" stroke-width="3">'
                       f"<title>budget, {name}: {limit:g} ×</title></path>")
    if not is_measured(figures):
        out.append(f'<text x="{(left + width - right) / 2}" y="{height / 2:g}" text-anchor="middle">'
                   "not measured yet</text>")
    taken: list[float] = []
    for label, (name, colour) in COMPILERS.items():
        points = [(n, v) for n in units.SIZES if (v := ratio(figures, str(n), label)) is not None]
        if not points:
            continue
        line = " ".join(f"{x(n):.1f},{y(v):.1f}" for n, v in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for n, v in points:
            out.append(f'<circle cx="{x(n):.1f}" cy="{y(v):.1f}" r="3" fill="{colour}">'
                       f"<title>{name}, {n} tasks: {v:.2f} ×</title></circle>")
        at = y(points[-1][1]) + 4
        while any(abs(at - other) < 14 for other in taken):
            at += 2
        taken.append(at)
        out.append(f'<text x="{x(points[-1][0]) + 8:.1f}" y="{at:.1f}" fill="{colour}">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
