# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/performance.md shows of planning at run time: a table, and the curves. Used by publish.py."""

import math

SHAPES = {  # as in planning/main.cpp
    "sections": ("sections, 8 streams", "#2563a8"),
    "sections_on_own_streams": ("sections, a stream per task", "#8a3d7a"),
    "sections_on_own_threads": ("sections, a thread per task", "#4d8a3d"),
    "fan": ("fan, 8 streams", "#b4512d"),
    "fan_on_own_streams": ("fan, a stream per task", "#d9a441"),
}


def time(milliseconds: float) -> str:
    if milliseconds < 1:
        return f"{1000 * milliseconds:.0f} µs"
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"


def memory(size: float) -> str:
    return f"{size / 1e3:.0f} kB" if size < 1e6 else f"{size / 1e6:.1f} MB"


def table(curves: dict) -> str:
    shown = [s for s in SHAPES if s in curves]
    if not shown:
        return "Not measured yet.\n"
    lines = ["| tasks | " + " | ".join(SHAPES[s][0] for s in shown) + " |",
             "| ---: |" + " ---: |" * len(shown)]
    for tasks in curves[shown[0]]:
        cells = [f"{time(curves[s][tasks]['ms'])}, {memory(curves[s][tasks]['bytes'])}" for s in shown]
        lines.append(f"| {int(tasks):,} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def conclusion(figures: dict) -> str:
    """The slowest and the largest of each size that the page speaks of."""
    curves = figures.get("planning")
    if not curves:
        return "Not measured yet.\n"
    slowest = {tasks: max(by_size[tasks]["ms"] for by_size in curves.values()) for tasks in ("256", "10000")}
    return (f"At most {time(slowest['256'])} for 256 tasks and {time(slowest['10000'])} for 10,000, whatever the "
            f"shape. Memory grows with the edges: at most {figures['planning_10000_bytes_per_edge']} bytes each, with "
            "10,000 tasks.\n")


def plot(curves: dict) -> str:
    width, height, left, right, top, bottom = 720, 380, 60, 196, 16, 44
    sizes = [int(t) for t in next(iter(curves.values()))]
    points = {s: [(int(t), f["ms"]) for t, f in by_size.items()] for s, by_size in curves.items() if s in SHAPES}
    low, high = math.log10(min(sizes)), math.log10(max(sizes))
    least = math.floor(min(math.log10(ms) for line in points.values() for _, ms in line))
    most = math.ceil(max(math.log10(ms) for line in points.values() for _, ms in line))

    def x(tasks: float) -> float:
        return left + (width - left - right) * (math.log10(tasks) - low) / (high - low)

    def y(ms: float) -> float:
        return height - bottom - (height - top - bottom) * (math.log10(ms) - least) / (most - least)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           "<title>Processor time to check and plan a schedule, by its number of tasks</title>",
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for power in range(least, most + 1):
        at = y(10.0 ** power)
        out.append(f'<path d="M{left} {at:.1f}H{width - right}" stroke="#ddd"/>')
        name = f"{10 ** (power + 3)} µs" if power < 0 else f"{10 ** power} ms"
        out.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{name}</text>')
    for tasks in sizes:
        out.append(f'<path d="M{x(tasks):.1f} {top}V{height - bottom}" stroke="#eee"/>')
        out.append(f'<text x="{x(tasks):.1f}" y="{height - bottom + 18}" text-anchor="middle">{tasks:,}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">tasks</text>')
    row = top + 12
    for shape, (name, colour) in SHAPES.items():
        if shape not in points:
            continue
        line = " ".join(f"{x(t):.1f},{y(ms):.1f}" for t, ms in points[shape])
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x(t):.1f}" cy="{y(ms):.1f}" r="3" fill="{colour}"><title>{name}, {t:,} tasks: '
                f"{time(ms)}</title></circle>" for t, ms in points[shape]]
        at = width - right + 12
        out.append(f'<path d="M{at} {row - 4}h18" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{at + 24}" y="{row}">{name}</text>')
        row += 18
    return "\n".join(out + ["</svg>"]) + "\n"
