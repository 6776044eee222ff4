# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/performance.md shows of types against values, and of both against the usual: a table with what
each row means, and bars. Used by publish.py."""

import math

TYPES, VALUES, HAND, OTHERS = "#2563a8", "#8a3d7a", "#4d8a3d", "#999999"

# Name, figures with empty tasks and with tasks of 1 µs, colour, and what it means for a user.
ONE_THREAD = [
    ("by hand", "handwritten_sequential_empty_ns", "handwritten_sequential_1us_ns", HAND,
     "What there is to reach."),
    ("Stretto, types", "sequential_empty_ns", "sequential_1us_ns", TYPES,
     "The compiler sees every call, and inlines it."),
    ("Stretto, values", "dynamic_sequential_empty_ns", "dynamic_sequential_1us_ns", VALUES,
     "One jump through a pointer per task{jump}. Here compiling helps, and only if tasks are tiny."),
    ("a table of `std::function`", "table_sequential_empty_ns", "table_sequential_1us_ns", OTHERS,
     "What one would write at first."),
]
BARRIER = [
    ("by hand, barrier", "handwritten_barrier_empty_ns", "handwritten_barrier_1us_ns", HAND,
     "Two threads and two flags."),
    ("Stretto, types, barrier", "barrier_empty_ns", "barrier_1us_ns", TYPES,
     "The same flags; what a message from core to core takes decides, not the calls."),
    ("Stretto, values, barrier", "dynamic_barrier_empty_ns", "dynamic_barrier_1us_ns", VALUES,
     "The same plan and the same waits{barrier}."),
    ("oneTBB, flow graph", "tbb_graph_empty_ns", "tbb_graph_1us_us", OTHERS,
     "Each task is scheduled anew in every progress{graph}."),
    ("locks and condition variables", "locked_empty_ns", "locked_1us_ns", OTHERS,
     "Events by name, as engines in Python do it: threads sleep and are woken, whatever the tasks take."),
    ("`std::async` per progress", "async_empty_ns", "async_1us_ns", OTHERS,
     "A thread is started in every progress."),
]
AHEAD = [
    ("by hand, three in flight", "handwritten_run_ahead_empty_ns", "handwritten_run_ahead_1us_ns", HAND,
     "Three batches in flight, no barrier."),
    ("Stretto, types, running ahead", "run_ahead_empty_ns", "run_ahead_1us_ns", TYPES,
     "Waits only for what it needs."),
    ("Stretto, values, running ahead", "dynamic_run_ahead_empty_ns", "dynamic_run_ahead_1us_ns", VALUES,
     "The same waits{ahead}."),
    ("oneTBB, a filter per stream", "tbb_filter_per_stream_empty_ns", "tbb_filter_per_stream_1us_us", OTHERS,
     "Work stealing balances by itself, where the map of the rows above is given."),
]
GENERATED = [
    ("Stretto, types, generated map", "generated_empty_streams_ns", "generated_1us_streams_us", TYPES,
     "With a map of its own making: at best 8 µs."),
    ("Stretto, values, generated map", "dynamic_generated_empty_streams_ns", "dynamic_generated_1us_streams_us",
     VALUES, "The same map, made when the program starts."),
]
TASKS = 14
GROUPS = {
    "one thread": ONE_THREAD,
    "two threads, a barrier per progress": BARRIER,
    "two threads, running ahead": AHEAD,
    "two threads, generated map": GENERATED,
}


def time(nanoseconds: float) -> str:
    if nanoseconds < 10:
        return f"{nanoseconds:.1f} ns"
    return f"{nanoseconds:.0f} ns" if nanoseconds < 2000 else f"{nanoseconds / 1000:.2f} µs"


def found(figures: dict, name: str) -> float | None:
    value = figures.get(name)
    return value if value is None or name.endswith("_ns") else 1000 * value


def measured(figures: dict) -> bool:
    return found(figures, "dynamic_sequential_empty_ns") is not None


def computed(figures: dict) -> dict[str, str]:
    """What the meanings say in numbers; nothing where it was not measured."""

    def text(form: str, *names: str, what=lambda *values: values[0]) -> str:
        values = [found(figures, name) for name in names]
        return "" if None in values else form.format(what(*values))

    def of_types(kind: str) -> str:
        both = [figures.get(f"dynamic_over_static_{kind}_{tasks}_ratio") for tasks in ("empty", "1us")]
        return "" if None in both else f": {both[0]:.2f} of the time as types, {both[1]:.2f} at a microsecond"

    return {
        "jump": text(": {:.1f} ns each", "dynamic_sequential_empty_ns", "sequential_empty_ns",
                     what=lambda ours, types: (ours - types) / TASKS),
        "graph": text(": {:.0f} ns per task", "tbb_graph_empty_ns", what=lambda all_tasks: all_tasks / TASKS),
        "barrier": of_types("barrier"),
        "ahead": of_types("run_ahead"),
    }


def conclusion(figures: dict) -> str:
    """How much longer values take than types, in a sentence."""
    parts = []
    for tasks, text in (("empty", "empty tasks"), ("1us", "tasks of a microsecond")):
        ratios = [figures.get(f"dynamic_over_static_{kind}_{tasks}_ratio") for kind in ("sequential", "barrier", "run_ahead")]
        if None in ratios:
            continue
        one, barrier, ahead = (f"{ratio:.2f}" for ratio in ratios)
        times = f"{one} times as long" if not parts else f"{one}"
        parts.append(f"with {text}, {times} on one thread, {barrier} on two with a barrier, {ahead} running ahead")
    return f"A schedule that is a value takes, {'; '.join(parts)}." if parts else "Not measured yet."


def table(figures: dict) -> str:
    if not measured(figures):
        return "Not measured yet.\n"
    lines = ["| 14 tasks, per progress | empty | 1 µs each | what it means |", "| --- | ---: | ---: | --- |"]
    numbers = computed(figures)
    for rows in GROUPS.values():
        for name, empty, busy, _, meaning in rows:
            if found(figures, empty) is None:
                continue
            shown = [time(found(figures, f)) if found(figures, f) is not None else "–" for f in (empty, busy)]
            lines.append(f"| {name} | {shown[0]} | {shown[1]} | {meaning.format(**numbers)} |")
    real = [figures.get(f"ranking_{kind}_batch_ms") for kind in ("serial", "pipelined", "dynamic")]
    if None not in real:
        lines.append(f"| the ranking example, per batch: serial {real[0]:.2f} ms, pipelined as types | "
                     f"– | {real[1]:.2f} ms | With real bodies the plan decides. |")
        lines.append(f"| the same, pipelined as values | – | {real[2]:.2f} ms | "
                     f"{figures['ranking_dynamic_over_static']:.2f} of the time as types. |")
    return "\n".join(lines) + "\n"


def plot(figures: dict) -> str:
    """Bars of the time per progress with empty tasks, on a logarithmic scale."""
    rows = [(group, name.replace("`", ""), found(figures, empty), colour)
            for group, all_rows in GROUPS.items() for name, empty, _, colour, _ in all_rows
            if found(figures, empty) is not None] if measured(figures) else []
    width, left, right, line, top = 720, 210, 70, 20, 12
    groups = list(dict.fromkeys(r[0] for r in rows))
    height = top + line * (len(rows) + len(groups)) + 40
    most = math.ceil(math.log10(max((r[2] for r in rows), default=1000)))

    def x(nanoseconds: float) -> float:
        return left + (width - left - right) * max(math.log10(nanoseconds), 0) / most

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           "<title>Time per progress of 14 empty tasks</title>",
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for power in range(most + 1):
        name = f"{10 ** power} ns" if power < 3 else f"{10 ** (power - 3)} µs"
        out.append(f'<path d="M{x(10 ** power):.1f} {top}V{height - 34}" stroke="#e5e5e5"/>')
        out.append(f'<text x="{x(10 ** power):.1f}" y="{height - 20}" text-anchor="middle">{name}</text>')
    at, last = top, None
    for group, name, value, colour in rows:
        if group != last:
            out.append(f'<text x="8" y="{at + 14}" font-weight="bold">{group}</text>')
            at, last = at + line, group
        out.append(f'<text x="{left - 8}" y="{at + 14}" text-anchor="end">{name}</text>')
        out.append(f'<rect x="{left}" y="{at + 4}" width="{x(value) - left:.1f}" height="12" fill="{colour}"/>')
        out.append(f'<text x="{x(value) + 6:.1f}" y="{at + 14}">{time(value)}</text>')
        at += line
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 4}" text-anchor="middle">'
               "time per progress of 14 empty tasks</text>")
    return "\n".join(out + ["</svg>"]) + "\n"
