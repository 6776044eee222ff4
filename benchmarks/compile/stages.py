# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/compile_time.md shows of where the time goes: stacked bars, and their numbers. Used by publish.py."""

import times
import units

COLOURS = {"standard": "#999999", "headers": "#2563a8", "declarations": "#17a2a2", "planning": "#4d8a3d",
           "waits": "#d9a441", "loop": "#8a3d7a", "code": "#b4512d"}


def measured(figures: dict) -> list[tuple[str, str, dict[str, float]]]:
    """Compiler, size and what each stage takes."""
    found = figures.get("compile_stages", {})
    return [(times.COMPILERS[f"_{label}" if label else ""][0], size, parts)
            for label, by_size in found.items() for size, parts in by_size.items()]


def table(figures: dict) -> str:
    bars = measured(figures)
    if not bars:
        return times.NOT_YET
    shown = lambda v: f"{round(v, 2) + 0.0:.2f}"  # no negative zero  # noqa: E731
    body = [[text, *(shown(parts[stage]) for _, _, parts in bars)] for stage, text in units.STAGES.items()]
    body.append(["together", *(shown(sum(parts.values())) for _, _, parts in bars)])
    return times.rows(["over the reference unit", *(f"{name}, {size}" for name, size, _ in bars)], body)


def chart(figures: dict) -> str:
    bars = measured(figures)
    width, height, left, right, top, bottom = 720, 380, 48, 190, 24, 56
    most = max((sum(max(v, 0) for v in parts.values()) for _, _, parts in bars), default=16)
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100) if most / s <= 8)
    names = list(dict.fromkeys(name for name, _, _ in bars))
    places = len(bars) + max(len(names) - 1, 0)  # a gap between compilers

    def y(over: float) -> float:
        return height - bottom - (height - top - bottom) * over / most

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           "<title>Where the time to compile a pipeline goes, over the reference unit, by number of tasks</title>",
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for n in range(int(most // step) + 1):
        out.append(f'<path d="M{left} {y(n * step):.1f}H{width - right}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y(n * step) + 4:.1f}" text-anchor="end">{n * step} ×</text>')
    each = (width - left - right) / max(places, 1)
    middles: dict[str, list[float]] = {}
    for number, (name, size, parts) in enumerate(bars):
        middle = left + each * (number + names.index(name) + 0.5)
        middles.setdefault(name, []).append(middle)
        at = 0.0
        for stage, text in units.STAGES.items():
            value = max(parts[stage], 0)  # a difference of what was measured
            out.append(f'<rect x="{middle - each * 0.36:.1f}" y="{y(at + value):.1f}" width="{each * 0.72:.1f}" '
                       f'height="{y(at) - y(at + value):.1f}" fill="{COLOURS[stage]}">'
                       f"<title>{name}, {size} tasks, {text}: {parts[stage]:.2f} ×</title></rect>")
            at += value
        out.append(f'<text x="{middle:.1f}" y="{y(at) - 5:.1f}" text-anchor="middle">{at:.1f}</text>')
        out.append(f'<text x="{middle:.1f}" y="{height - bottom + 18}" text-anchor="middle">{size}</text>')
    for name, of in middles.items():
        out.append(f'<text x="{sum(of) / len(of):.1f}" y="{height - bottom + 38}" text-anchor="middle">'
                   f"tasks, {name}</text>")
    if not bars:
        out.append(f'<text x="{(left + width - right) / 2}" y="{height / 2:g}" text-anchor="middle">'
                   "not measured yet</text>")
    row = top + 12
    for stage, text in reversed(units.STAGES.items()):
        out.append(f'<rect x="{width - right + 16}" y="{row - 10}" width="12" height="12" fill="{COLOURS[stage]}"/>')
        out.append(f'<text x="{width - right + 34}" y="{row}">{text}</text>')
        row += 20
    return "\n".join(out + ["</svg>"]) + "\n"
