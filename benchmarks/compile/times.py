# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/compile_time.md shows of compile times: a table, and the curves. Used by publish.py, whose configured
compiler is g++-12."""

import math

from summary import LIMITS

COMPILERS = {"": ("g++-12", "#2563a8"), "_clang_16": ("Clang 16", "#b4512d"),
             "_clang_19": ("Clang 19", "#d9a441"), "_nvcc": ("nvcc 13", "#4d8a3d")}
SIZES = (8, 14, 16, 32, 64, 128, 256)
BUDGET = {n: LIMITS[f"compile_{n}_seconds"] for n in SIZES if f"compile_{n}_seconds" in LIMITS}
MEMORY = {n: LIMITS[f"compile_{n}_megabytes"] for n in SIZES if f"compile_{n}_megabytes" in LIMITS}
# Of the budget, which is g++-12's: what others may take.
SHARE = {"": 1.0, "_clang_16": 1.5, "_clang_19": 1.5, "_nvcc": 3.0}


def value(figures: dict, size: int, what: str, label: str) -> float | None:
    return figures.get(f"compile_{size}_{what}{label}")


def table(figures: dict) -> str:
    used = [l for l in COMPILERS if any(value(figures, s, "seconds", l) for s in SIZES)]
    lines = ["| tasks | " + " | ".join(COMPILERS[l][0] for l in used) + " | budget, g++-12 |",
             "| ---: |" + " ---: |" * (len(used) + 1)]
    for size in SIZES:
        cells = []
        for l in used:
            seconds, megabytes = (value(figures, size, w, l) for w in ("seconds", "megabytes"))
            cells.append("–" if seconds is None else f"{seconds:.2f} s, {megabytes:.0f} MB")
        budget = [f"{BUDGET[size]:g} s"] if size in BUDGET else []
        budget += [f"{MEMORY[size]:g} MB"] if size in MEMORY else []
        lines.append(f"| {size} | " + " | ".join(cells) + f" | {', '.join(budget)} |")
    counts = [f"{figures[f'compile_{n}_instantiations']} at {n} tasks" for n in (32, 64)
              if f"compile_{n}_instantiations" in figures]
    if counts:
        lines += ["", f"Template instantiations with Clang 16: {', '.join(counts)}."]
    return "\n".join(lines) + "\n"


def budget(figures: dict) -> str:
    """Who keeps the budget, of those that were measured."""
    kept: dict[bool, list[str]] = {True: [], False: []}
    for label, (name, _) in COMPILERS.items():
        limits = [(value(figures, n, "seconds", label), s * SHARE[label]) for n, s in BUDGET.items()]
        if not label:  # others' memory has no limit
            limits += [(value(figures, n, "megabytes", label), m) for n, m in MEMORY.items()]
        if any(found is not None for found, _ in limits):
            kept[all(found is not None and found <= limit for found, limit in limits)].append(name)
    said = [", ".join(names) for names in kept.values()]
    if not any(said):
        return "Not measured yet.\n"
    return ("The short bars in the picture are the budget for g++-12; Clang may take "
            f"{SHARE['_clang_16']:g} times as much, nvcc {SHARE['_nvcc']:g} times. "
            f"Within its budget: {said[0] or 'none'}. Above it: {said[1] or 'none'}.\n")


def aims(figures: dict) -> str:
    """In a sentence, for the README."""
    shown = [f"{seconds:.1f} s for {n} tasks (we aim for {limit:g} s)" for n, limit in BUDGET.items()
             if (seconds := value(figures, n, "seconds", "")) is not None]
    said = f"with g++-12: {', '.join(shown)}" if shown else "have not been measured yet"
    return f"[Compile times](docs/compile_time.md) {said}.\n"


def chart(figures: dict) -> str:
    width, height, left, right, top, bottom = 640, 360, 56, 84, 16, 44
    low, high = 0.5, 32.0

    def x(size: float) -> float:
        return left + (width - left - right) * math.log2(size / 8) / 5

    def y(seconds: float) -> float:
        share = math.log2(max(seconds, low) / low) / math.log2(high / low)
        return height - bottom - (height - top - bottom) * share

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           "<title>Processor seconds to compile a pipeline, by its number of tasks</title>",
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for s in (0.5, 1, 2, 4, 8, 16, 32):
        out.append(f'<path d="M{left} {y(s):.1f}H{width - right}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y(s) + 4:.1f}" text-anchor="end">{s:g} s</text>')
    for n in (8, 16, 32, 64, 128, 256):
        out.append(f'<text x="{x(n):.1f}" y="{height - bottom + 18}" text-anchor="middle">{n}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">tasks</text>')
    for n, s in BUDGET.items():
        out.append(f'<path d="M{x(n) - 7:.1f} {y(s):.1f}h14" stroke="#333" stroke-width="2">'
                   f"<title>budget: {s:g} s</title></path>")
    taken: list[float] = []
    for label, (name, colour) in COMPILERS.items():
        points = [(n, v) for n in SIZES if (v := value(figures, n, "seconds", label))]
        if not points:
            continue
        line = " ".join(f"{x(n):.1f},{y(v):.1f}" for n, v in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for n, v in points:
            out.append(f'<circle cx="{x(n):.1f}" cy="{y(v):.1f}" r="3" fill="{colour}">'
                       f"<title>{name}, {n} tasks: {v:.2f} s</title></circle>")
        at = y(points[-1][1]) + 4
        while any(abs(at - other) < 14 for other in taken):
            at += 2
        taken.append(at)
        out.append(f'<text x="{x(points[-1][0]) + 8:.1f}" y="{at:.1f}" fill="{colour}">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
