#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A translation unit with a pipeline of any number of tasks.

generate.py TASKS > unit.cpp: the 14-task ranking pipeline of the conformance records; with more tasks,
copies of it, each of which reads what the one before it loaded; the last copy may be cut short. Tasks
declare what they share (weights, gradients, a journal), so that races are looked for too, and the
compiler lays them out over two threads.
"""

import json
import pathlib
import sys

RECORDS = pathlib.Path(__file__).parents[2] / "tests/conformance/goldens/hstu.jsonl"
RECORD = "hstu_doc_pf_shuf_depth1"
SOURCE = "batch_cpu"
# Per copy, but the journal, which all share.
OBSERVES = {"forward": ["weights"], "backward": ["weights"], "optimizer_step": ["gradients"]}
MUTATES = {
    "zero_grad": ["gradients"],
    "backward": ["gradients"],
    "finalize_model_grads": ["gradients"],
    "optimizer_step": ["weights"],
    "watchdog_step": ["journal"],
}


def record() -> list[dict]:
    for line in RECORDS.read_text().splitlines():
        found = json.loads(line)
        if found["id"] == RECORD:
            return found["tasks"]
    sys.exit(f"no record {RECORD} in {RECORDS.name}")


def shared(resource: str, suffix: str) -> str:
    return resource if resource == "journal" else resource + suffix


def tasks_of(count: int) -> list[dict]:
    pattern = record()
    tasks = []
    for number in range(count):
        copy, place = divmod(number, len(pattern))
        task = pattern[place]
        suffix = f"_{copy}" if copy else ""
        last = f"_{copy - 1}" if copy > 1 else ""
        here = {t["name"] for t in pattern[: count - copy * len(pattern)]}
        reads = [SOURCE if s == SOURCE else s + suffix for s, _ in task["reads"]]
        if copy and place == 0:
            reads.append("batch_gpu" + last)
        tasks.append(
            {
                "name": task["name"] + suffix,
                "stream": task["stream"],
                "lookahead": task["lookahead"],
                "reads": reads,
                "writes": [s + suffix for s, _ in task["writes"]],
                "depends_on": [t + suffix for t in task["depends_on"] if t in here],
                "same_progress_sync": [t + suffix for t in task["same_progress_sync"] if t in here],
                "observes": [shared(r, suffix) for r in OBSERVES.get(task["name"], [])],
                "mutates": [shared(r, suffix) for r in MUTATES.get(task["name"], [])],
            }
        )
    return tasks


def slots_of(tasks: list[dict]) -> list[str]:
    return list(dict.fromkeys([SOURCE] + [s for t in tasks for s in t["reads"] + t["writes"]]))


def streams_of(tasks: list[dict]) -> list[str]:
    return list(dict.fromkeys(t["stream"] for t in tasks))


def result_of(tasks: list[dict]) -> str:
    results = [s for s in slots_of(tasks) if s.startswith("step_result")][-1:]
    return (results or [t["writes"][-1] for t in tasks if t["writes"]][-1:])[0]


def parameters(task: dict) -> str:
    read = [f"const std::uint64_t& r{i}" for i in range(len(task["reads"]))]
    return ", ".join(read + [f"std::uint64_t& w{i}" for i in range(len(task["writes"]))])


def body(task: dict) -> str:
    """Calls that the optimizer knows nothing of, with each slot."""
    read = "&r0" if task["reads"] else "nullptr"
    calls = "".join(f' work("{task["name"]}", {read}, &w{i});' for i in range(len(task["writes"])))
    unused = "".join(f" work(nullptr, &r{i}, nullptr);" for i in range(1, len(task["reads"])))
    calls = calls or f' work("{task["name"]}", {read}, nullptr);'
    return f"{{{calls}{unused} }}"


def head(count: int, includes: list[str]) -> list[str]:
    return [
        f"// {count} tasks, generated",
        "#include <cstdint>",
        *(f"#include <{name}>" for name in includes),
        "",
        "namespace st = stretto;",
        "",
        "void work(const char* task, const std::uint64_t* read, std::uint64_t* written);",
        "bool fill(std::uint64_t& batch);",
        "void use(std::uint64_t result);",
        "",
    ]


def schedule(count: int) -> list[str]:
    """Tasks, slots and the schedule, `pipelined`."""
    tasks = tasks_of(count)
    out = [f"struct {s} : st::slot<std::uint64_t> {{}};" for s in slots_of(tasks)]
    resources = dict.fromkeys(r for t in tasks for r in t["observes"] + t["mutates"])
    out += [f"struct {r} : st::resource<> {{}};" for r in resources]
    out += [f"struct {t['name']};" for t in tasks]
    for t in tasks:
        out += ["", f"struct {t['name']} {{", f'  using stream = st::stream<"{t["stream"]}">;']
        if t["lookahead"]:
            out.append(f"  static constexpr int lookahead = {t['lookahead']};")
        for field in ("reads", "writes", "depends_on", "same_progress_sync", "observes", "mutates"):
            if t[field]:
                out.append(f"  using {field} = st::{field}<{', '.join(t[field])}>;")
        out += [f"  void operator()({parameters(t)}) const {body(t)}", "};"]
    quoted = ", ".join(f'"{s}"' for s in streams_of(tasks))
    parts = [f"st::source<{SOURCE}>", f"st::result<{result_of(tasks)}>", f"st::streams<{quoted}>"]
    parts += ["st::threads<st::generated<2>>"] + [t["name"] for t in tasks]
    return out + ["", f"struct pipelined : st::schedule<{', '.join(parts)}> {{}};", ""]


RUN = [
    "void run() {",
    "  st::pipeline<pipelined> pipeline;",
    "  for (const std::uint64_t& r : pipeline.run([](std::uint64_t& b) { return fill(b); })) use(r);",
    "}",
    "",
]


def unit(count: int, includes: tuple[str, ...] = (), functions: list[str] = RUN) -> str:
    return "\n".join(head(count, ["stretto/stretto.hpp", *includes]) + schedule(count) + functions)


if __name__ == "__main__":
    sys.stdout.write(unit(int(sys.argv[1])))
