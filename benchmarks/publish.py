#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts what was measured into README and docs: tables between marks, and the plot of task lengths.

publish.py FIGURES [--check]: FIGURES is benchmarks/figures.json, figures that were kept; measured.json next to it says
where, when and of which code they were measured. With --check nothing is written, and it fails if the docs show
something else.
publish.py FIGURES --take FOLDER --groups NAMES: keeps the figures of these groups from FOLDER first, as the benchmarks
wrote them, and what measured.py noted there.
"""

import argparse
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks/planning"))
sys.path.insert(0, str(ROOT / "benchmarks/executors"))
sys.path.insert(0, str(ROOT / "benchmarks/compile"))
sys.path.insert(0, str(ROOT / "benchmarks/by_hand"))
import loops  # noqa: E402
import measured  # noqa: E402
import page as planning  # noqa: E402
import stages  # noqa: E402
import times  # noqa: E402
import versions  # noqa: E402

EXECUTORS = {  # as in executors/figures.py; a dash where hand-written
    "run_ahead": ("Stretto, 3 + 11 tasks", "#2563a8", ""),
    "handwritten_run_ahead": ("by hand, 3 + 11", "#2563a8", "5 3"),
    "dynamic_run_ahead": ("Stretto, values, 3 + 11", "#17a2a2", ""),
    "generated_host": ("Stretto, generated, host tasks", "#4d8a3d", ""),
    "generated_streams": ("Stretto, generated, streams", "#8a3d7a", ""),
    "tbb_filter_per_task": ("oneTBB, filter per task", "#b4512d", ""),
    "tbb_filter_per_stream": ("oneTBB, filter per stream", "#d9a441", ""),
    "tbb_graph": ("oneTBB, flow graph", "#777777", ""),
}


NAMES = {"instructions": "instructions", "executors": "times", "ranking": "the ranking example",
         "device": "on a device", "planning": "planning", "waiting": "waiting", "compile": "compile times",
         "examples": "the examples", "by_hand": "loops by hand", "model": "the model", "mpi": "between two processes"}


def nanoseconds(value: float) -> str:
    return f"{value:.1f} ns" if value < 10 else f"{value:.0f} ns"


def microseconds(value: float) -> str:
    return f"{value:.2f} µs"


class Figures:
    """Figures by name, as text; a dash for what was not measured."""

    def __init__(self, found: dict):
        self.found = found

    def __contains__(self, name: str) -> bool:
        return self.found.get(name) is not None

    def ns(self, name: str) -> str:
        return nanoseconds(self.found[name]) if name in self else "–"

    def us(self, name: str) -> str:
        """Of a figure in microseconds, or in nanoseconds if its name says so."""
        if name not in self:
            return "–"
        return microseconds(self.found[name] / (1000 if name.endswith("_ns") else 1))

    def number(self, name: str, form: str = ".2f") -> str:
        return format(self.found[name], form) if name in self else "–"


def machine(record: dict, *groups: str) -> str:
    return measured.told(record, {group: NAMES[group] for group in groups})


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    kept = [row for row in rows if set(row[1:]) - {"–", ""}]
    if not kept:
        return ["Not measured yet."]
    return ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1),
            *("| " + " | ".join(row) + " |" for row in kept)]


def executors(f: Figures) -> list[str]:
    rows = [
        ["one thread, empty tasks: instructions", f.number("sequential_empty_instructions", ".0f"),
         f.number("handwritten_sequential_empty_instructions", ".0f"),
         f.number("sequential_empty_instruction_ratio"), "–"],
        ["two threads, a barrier per progress, empty tasks", f.ns("barrier_empty_ns"),
         f.ns("handwritten_barrier_empty_ns"), f.number("barrier_empty_ratio"), f.ns("tbb_graph_empty_ns")],
        ["running ahead, empty tasks", f.ns("run_ahead_empty_ns"), f.ns("handwritten_run_ahead_empty_ns"),
         f.number("run_ahead_empty_ratio"), f.ns("tbb_filter_per_stream_empty_ns")],
        ["3 + 11 tasks of 1 µs, running ahead (at best 11 µs)", f.us("run_ahead_1us_ns"),
         f.us("handwritten_run_ahead_1us_ns"), f.number("run_ahead_1us_ratio"), "–"],
        ["the compiler's own map, streams kept, 1 µs (at best 8 µs)", f.us("generated_1us_streams_us"), "–", "–",
         f.us("tbb_filter_per_stream_1us_us")],
        ["the same as host tasks, 1 µs (at best 7 µs)", f.us("generated_1us_host_us"), "–", "–",
         f.us("tbb_filter_per_task_1us_us")],
        ["shortest tasks with half of the time spent in them", f.ns("metg_run_ahead_ns"),
         f.ns("metg_handwritten_run_ahead_ns"), "–", f.ns("metg_tbb_filter_per_task_ns")],
    ]
    return table(["14-task pipeline, per progress", "Stretto", "by hand", "ratio", "oneTBB"], rows)


def device(f: Figures) -> str:
    rows = [
        ["instructions of the host thread", f.number("cuda_host_instructions", ".0f"),
         f.number("handwritten_cuda_host_instructions", ".0f"), f.number("cuda_host_instruction_ratio")],
        ["the same with graphs", f.number("cuda_graphs_host_instructions", ".0f"),
         f.number("handwritten_cuda_graphs_host_instructions", ".0f"),
         f.number("cuda_graphs_host_instruction_ratio")],
        ["the same of the runtime version", f.number("dynamic_cuda_host_instructions", ".0f"),
         f.number("handwritten_cuda_host_instructions", ".0f"), f.number("dynamic_cuda_host_instruction_ratio")],
        *([["the same of the runtime version, with graphs", f.number("dynamic_cuda_graphs_host_instructions", ".0f"),
            f.number("handwritten_cuda_graphs_host_instructions", ".0f"),
            f.number("dynamic_cuda_graphs_host_instruction_ratio")]]
          if "dynamic_cuda_graphs_host_instructions" in f else []),
        ["calls that wait for events or record them", f.number("cuda_event_calls_per_progress", ".0f"), "–", "–"],
    ]
    return "\n".join(table(["14-task pipeline on a device, per progress", "Stretto", "by hand", "ratio"], rows)) + "\n"


def ranking(f: Figures) -> list[str]:
    return table(["ranking example", ""], [
        ["pipelined over serial time per batch", f.number("ranking_pipelined_over_serial")],
        ["wall time over the busiest thread's busy time", f.number("ranking_wall_over_busiest_thread")],
    ])


def examples(f: Figures) -> str:
    """The examples next to their twins."""

    def shown(name: str, unit: str, form: str = ".0f") -> str:
        return f"{f.number(name, form)} {unit}" if name in f else "–"

    pipelines = [
        ["`etl`, 40 MB of orders", *(shown(f"example_etl{who}_ms", "ms") for who in ("_serial", "", "_tbb")),
         f.number("example_etl_over_tbb")],
        ["the same, deflated at level 1",
         *(shown(f"example_etl_fast{who}_ms", "ms") for who in ("_serial", "", "_tbb")),
         f.number("example_etl_fast_over_tbb")],
        ["four stages of 2 ms, per batch",
         *(shown(f"example_stages{who}_ms", "ms", ".2f") for who in ("_serial", "", "_tbb")),
         f.number("example_stages_over_tbb")],
        ["these with a thread per stage", "–", shown("example_stages_per_task_ms", "ms", ".2f"),
         shown("example_stages_tbb_ms", "ms", ".2f"), f.number("example_stages_per_task_over_tbb")],
    ]
    ours, theirs = "example_serving_", "example_serving_by_hand_"
    service = [["a lone request, p50", "alone_p50_us", "alone_over_by_hand"]]
    for load in (30, 70):
        service += [[f"{load} % of what it can answer, p50", f"p50_{load}_us", ""],
                    ["the same, p99", f"p99_{load}_us", "p99_over_by_hand" if load == 70 else "p99_at_30_over_by_hand"]]
    rows = [[what, shown(ours + name, "µs"), shown(theirs + name, "µs"), f.number(ours + over) if over else "–"]
            for what, name, over in service]
    rows.append(["requests per second at most", f.number(ours + "capacity", ",.0f"),
                 f.number(theirs + "capacity", ",.0f"), f.number(ours + "capacity_over_by_hand")])
    return "\n".join([*table(["throughput", "one after the other", "Stretto", "oneTBB", "ratio"], pipelines), "",
                      *table(["`serving`, time to the answer", "Stretto", "by hand", "ratio"], rows)]) + "\n"


def model(f: Figures) -> str:
    """What is told of plans, next to what runs of them take."""

    def apart(name: str, form: str = ".2%") -> str:
        return format(f.found[name] - 1, form) if name in f else "–"

    rows = [[f"bound, over the time per progress in virtual time: {f.number('bound_over_simulator_plans', ',.0f')} plans",
             apart("bound_over_simulator_worst"), "2 %"],
            [f"what the first edit saves, as told and in virtual time: {f.number('advice_error_schedules', '.0f')} schedules",
             f.number("advice_error_worst", ".2%"), "10 %"],
            [f"virtual time, over real runs: {f.number('simulator_over_real_schedules', '.0f')} schedules on two threads",
             apart("simulator_over_real_worst"), "3 %"],
            ["the same, the median", apart("simulator_over_real_median"), "–"],
            [f"the same of schedules that a search found, with a period of 20 µs or more: {f.number('found_over_real_schedules', '.0f')}",
             apart("found_over_real_worst"), "3 %"],
            ["the same, the median", apart("found_over_real_median"), "–"],
            [f"of those with a period below 20 µs: {f.number('found_over_real_short_schedules', '.0f')}",
             apart("found_over_real_short_worst"), "–"],
            ["exposed time of tasks, as told of runs and as built",
             f"{f.number('exposed_error_worst_us')} µs", "2 µs"],
            *([["slope of a task, as padding measures it and as built",
                f.number("padding_slope_error_worst"), "0.1"]] if "padding_slope_error_worst" in f else []),
            ["recording one task", f"{f.number('trace_ns_per_task', '.0f')} ns", "30 ns"]]
    return "\n".join(table(["apart at most", "", "limit"], rows)) + "\n"


def mpi(f: Figures) -> str:
    """All-reduces next to MPI's own."""

    def shown(name: str) -> str:
        return f"{f.found[name] / 1000:.3g} ms" if name in f else "–"

    rows = [[what, *(shown(f"mpi_allreduce_{length}{who}_us") for who in ("", "_by_hand")),
             f.number(f"mpi_allreduce_{length}_over_by_hand")] for what, length in (("1 MB", "1mb"), ("64 MB", "64mb"))]
    return "\n".join(table(["all-reduce of", "Stretto", "`MPI_Allreduce`", "ratio"], rows)) + "\n"


def in_short(f: Figures) -> list[str]:
    """What README.md shows. By hand stands the fastest of several loops, or nothing."""

    def next_to_loops(what: str, shape: str, by: str = "") -> list[str]:
        ours = f"by_hand_{by}_ns" if by else f"by_hand_{shape}_stretto_ns"
        return [what, f.ns(ours), f.ns(f"by_hand_{shape}_ns"), f.number(f"by_hand_{by or shape}_ratio"), "–"]

    rows = [
        ["one thread, empty tasks: instructions", f.number("sequential_empty_instructions", ".0f"),
         f.number("handwritten_sequential_empty_instructions", ".0f"),
         f.number("sequential_empty_instruction_ratio"), "–"],
        next_to_loops("one thread, tasks that count, `for_each`", "one_thread", "one_thread_loop"),
        next_to_loops("the same, in a loop over the results", "one_thread"),
        next_to_loops("two threads, a barrier per progress", "barrier"),
        next_to_loops("two threads, running ahead, three batches in flight", "run_ahead"),
        next_to_loops("the same, eight in flight", "run_ahead_8"),
        ["empty tasks, running ahead", f.ns("run_ahead_empty_ns"), "–", "–", f.ns("tbb_filter_per_stream_empty_ns")],
        ["3 + 11 tasks of 1 µs, running ahead (at best 11 µs)", f.us("run_ahead_1us_ns"),
         f.us("handwritten_run_ahead_1us_ns"), f.number("run_ahead_1us_ratio"), "–"],
        ["the compiler's own map, streams kept, 1 µs (at best 8 µs)", f.us("generated_1us_streams_us"), "–", "–",
         f.us("tbb_filter_per_stream_1us_us")],
        ["the same as host tasks, 1 µs (at best 7 µs)", f.us("generated_1us_host_us"), "–", "–",
         f.us("tbb_filter_per_task_1us_us")],
        ["shortest tasks with half of the time spent in them", f.ns("metg_run_ahead_ns"), "–", "–",
         f.ns("metg_tbb_filter_per_task_ns")],
    ]
    return table(["14 tasks, per progress", "Stretto", "by hand", "ratio", "oneTBB"], rows)


def readme(f: Figures, record: dict) -> str:
    lines = [machine(record, "executors", "by_hand", "instructions", "ranking"), "", *in_short(f), "", *ranking(f)]
    if "ranking_auc" in f and "ranking_regression_auc" in f:
        lines += ["", f"The ranking example reaches a held-out AUC of {f.number('ranking_auc', '.3f')}; logistic "
                  f"regression on the same features, {f.number('ranking_regression_auc', '.3f')}."]
    return "\n".join(lines) + "\n"


def least_lengths(f: Figures) -> str:
    rows = [["Stretto, barrier, 3 + 11 tasks", f.ns("metg_barrier_ns")],
            ["by hand, barrier, 3 + 11", f.ns("metg_handwritten_barrier_ns")]]
    rows += [[name, f.ns(f"metg_{key}_ns")] for key, (name, _, _) in EXECUTORS.items()]
    return "\n".join(table(["executor", "shortest task at half efficiency"], rows)) + "\n"


def waiting(f: Figures) -> str:
    """Times per progress by situation, strategies side by side."""
    names = {"free": "both cores free", "one_core": "one core for two threads",
             "quota": "two cores, a quota of one", "crowd": "15 threads on all cores"}
    strategies = ("spin", "default", "block")
    rows = []
    for situation, text in names.items():
        found = f.found.get("waiting", {}).get(situation, {})
        for kind in dict.fromkeys(name.rpartition("/")[0] for name in found):
            pace, length = kind.split("/")
            what = "" if pace == "crowd" else f", {pace.replace('_', ' ')}"
            rows.append([f"{text}{what}, tasks of {length.replace('us', ' µs')}",
                         *(microseconds(found[f"{kind}/{s}"]) if f"{kind}/{s}" in found else "–"
                           for s in strategies)])
    lines = table(["time per progress", "`spin`", "the default", "`block`"], rows)
    loads = [[f"source that takes {each}", "–", f.number(f"slow_source_{each_key}_default_load"),
              f.number(f"slow_source_{each_key}_block_load")]
             for each, each_key in (("1 ms", "1000us"), ("10 ms", "10000us"))]
    lines += ["", *table(["processor time over time", "`spin`", "the default", "`block`"], loads)]
    return "\n".join(lines) + "\n"


def plot(f: Figures) -> str:
    curves = f.found["metg"]
    task = curves["task_ns"]
    width, height, left, right, top, bottom = 720, 380, 56, 200, 16, 44
    low, high = math.log10(min(task)), math.log10(max(task))

    def x(length: float) -> float:
        return left + (width - left - right) * (math.log10(length) - low) / (high - low)

    def y(share: float) -> float:
        return height - bottom - (height - top - bottom) * min(share, 1.05) / 1.05

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           "<title>Efficiency on two threads by the length of tasks</title>",
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for share in (0, 0.25, 0.5, 0.75, 1):
        colour = "#999" if share == 0.5 else "#ddd"
        out.append(f'<path d="M{left} {y(share):.1f}H{width - right}" stroke="{colour}"/>')
        out.append(f'<text x="{left - 8}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for power in range(math.ceil(low), math.floor(high + 0.01) + 1):
        name = f"{10 ** power} ns" if power < 3 else f"{10 ** (power - 3)} µs"
        out.append(f'<path d="M{x(10 ** power):.1f} {top}V{height - bottom}" stroke="#eee"/>')
        out.append(f'<text x="{x(10 ** power):.1f}" y="{height - bottom + 18}" text-anchor="middle">{name}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">'
               "length of a task</text>")
    row = top + 12
    for key, (name, colour, dash) in EXECUTORS.items():
        if key not in curves:
            continue
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        line = " ".join(f"{x(t):.1f},{y(e):.1f}" for t, e in zip(task, curves[key]))
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>')
        if not dash:
            out += [f'<circle cx="{x(t):.1f}" cy="{y(e):.1f}" r="3" fill="{colour}"><title>{name}, '
                    f"{nanoseconds(t)}: {e:.0%}</title></circle>" for t, e in zip(task, curves[key])]
        at = width - right + 12
        out.append(f'<path d="M{at} {row - 4}h18" stroke="{colour}" stroke-width="2"{dashed}/>')
        out.append(f'<text x="{at + 24}" y="{row}">{name}</text>')
        row += 18
    return "\n".join(out + ["</svg>"]) + "\n"


def placed(page: pathlib.Path, blocks: dict[str, str]) -> str:
    """The page with each block between its marks."""
    text = page.read_text()
    for name, block in blocks.items():
        begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->\n"
        if text.count(begin) != 1 or text.count(end) != 1:
            sys.exit(f"{page.name} has no place for {name}")
        before, rest = text.split(begin)
        text = before + begin + block + end + rest.split(end)[1]
    return text


def take(figures: pathlib.Path, folder: pathlib.Path, groups: list[str]) -> None:
    kept = json.loads(figures.read_text()) if figures.exists() else {}
    for group in groups:
        kept[group] = json.loads((folder / f"{group}.json").read_text())
    kept = {group: kept[group] for group in measured.GROUPS if group in kept}
    figures.write_text(json.dumps(kept, indent=2) + "\n")
    measured.keep(folder / "measured.json", groups)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figures", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--take", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--groups", nargs="+", choices=NAMES, default=[])
    options = parser.parse_args()
    if options.take:
        take(options.figures, options.take, options.groups)
    groups = json.loads(options.figures.read_text())
    f = Figures({name: value for group in groups.values() for name, value in group.items()})
    record = measured.kept()
    docs = ROOT / "docs"
    wanted = {
        ROOT / "README.md": placed(ROOT / "README.md", {
            "figures": readme(f, record),
            "types or values": versions.conclusion(f.found) + " [More of it](docs/performance.md#types-or-values-what-"
                               "compiling-the-schedule-buys).\n",
            "compile times": times.aims(f.found),
        }),
        docs / "performance.md": placed(docs / "performance.md", {
            "executors": "\n".join([machine(record, "executors", "instructions"), "", *executors(f)]) + "\n",
            "task lengths": machine(record, "executors") + "\n\n" + least_lengths(f),
            "waiting": machine(record, "waiting") + "\n\n" + waiting(f),
            "versions": "\n".join([machine(record, "executors", "ranking"), "", versions.table(f.found)]),
            "types or values": versions.conclusion(f.found) + "\n",
            "planning": machine(record, "planning") + "\n\n" + planning.table(f.found["planning"]),
            "planning in short": planning.conclusion(f.found),
            "device": machine(record, "device") + "\n\n" + device(f),
            "examples": machine(record, "examples") + "\n\n" + examples(f),
            "by hand": machine(record, "by_hand") + "\n\n" + loops.table(f.found),
            "by hand in short": loops.conclusion(f.found),
            "model": machine(record, "model") + "\n\n" + model(f),
            "mpi": machine(record, "mpi") + "\n\n" + mpi(f),
        }),
        docs / "compile_time.md": placed(docs / "compile_time.md", {
            "measured": (machine(record, "compile") + "\n\n" if times.is_measured(f.found) else "")
                        + times.table(f.found),
            "budget": times.budget(f.found),
            "other units": times.others(f.found),
            "compared": times.compared(f.found),
            "stages": stages.table(f.found),
        }),
        docs / "images/metg.svg": plot(f),
        docs / "images/versions.svg": versions.plot(f.found),
        docs / "images/planning.svg": planning.plot(f.found["planning"]),
        docs / "images/compile_time.svg": times.chart(f.found),
        docs / "images/compile_time_stages.svg": stages.chart(f.found),
    }
    for path, text in wanted.items():
        if not options.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"{path.name} does not show the figures: build the target docs_figures")


if __name__ == "__main__":
    main()
