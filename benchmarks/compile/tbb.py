# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tasks of generate.py with oneTBB, as one would write them: a flow graph with a node for each task, run once per
progress over a ring of batches. What a task waits for within a progress is an edge."""

import generate


def edges(tasks: list[dict]) -> list[tuple[str, str]]:
    """Of tasks that work on the same batch, what they read and depend on; each stream's tasks in order, which is theirs
    within a batch; and what a progress has to keep in order."""
    of = {t["name"]: t for t in tasks}
    writer = {slot: t["name"] for t in tasks for slot in t["writes"]}
    found = []
    for t in tasks:
        before = [writer[s] for s in t["reads"] if s in writer] + t["depends_on"]
        found += [(b, t["name"]) for b in before if of[b]["lookahead"] == t["lookahead"]]
        found += [(b, t["name"]) for b in t["same_progress_sync"]]
    for stream in generate.streams_of(tasks):
        row = [t["name"] for t in tasks if t["stream"] == stream]
        found += zip(row, row[1:])
    return list(dict.fromkeys(found))


def unit(count: int) -> str:
    tasks = generate.tasks_of(count)
    deepest = max(t["lookahead"] for t in tasks)
    joined = edges(tasks)
    first = [t["name"] for t in tasks if t["name"] not in {to for _, to in joined}]
    out = [
        f"// {count} tasks with oneTBB, generated",
        "#include <oneapi/tbb/flow_graph.h>",
        "#include <array>",
        "#include <cstddef>",
        "#include <cstdint>",
        "",
        "namespace flow = oneapi::tbb::flow;",
        "",
        "void work(const char* task, const std::uint64_t* read, std::uint64_t* written);",
        "bool fill(std::uint64_t& batch);",
        "void use(std::uint64_t result);",
        "",
        "struct batch {",
        *(f"  std::uint64_t {s}{{}};" for s in generate.slots_of(tasks)),
        "};",
        "",
        "void run() {",
        f"  std::array<batch, {deepest + 1}> ring;",
        f"  std::array<batch*, {deepest + 1}> at{{}};  // of this progress, the newest first",
        "  flow::graph graph;",
        "  flow::broadcast_node<flow::continue_msg> start(graph);",
    ]
    for t in tasks:
        names = [f"b.{s}" for s in t["reads"] + t["writes"]]
        out += [
            f"  flow::continue_node<flow::continue_msg> {t['name']}(graph, [&](const flow::continue_msg&) {{",
            f"    if (at[{deepest - t['lookahead']}] == nullptr) return;",
            f"    [[maybe_unused]] batch& b = *at[{deepest - t['lookahead']}];",
            f"    []({generate.parameters(t)}) {generate.body(t)}({', '.join(names)});",
            "  });",
        ]
    out += [f"  flow::make_edge(start, {name});" for name in first]
    out += [f"  flow::make_edge({before}, {after});" for before, after in joined]
    return "\n".join(
        out
        + [
            "  for (std::size_t progress = 0;; ++progress) {",
            "    batch& pulled = ring[progress % ring.size()];",
            "    for (std::size_t i = at.size() - 1; i > 0; --i) at[i] = at[i - 1];",
            f"    at[0] = fill(pulled.{generate.SOURCE}) ? &pulled : nullptr;",
            "    if (at == decltype(at){}) return;",
            "    start.try_put({});",
            "    graph.wait_for_all();",
            f"    if (at.back() != nullptr) use(at.back()->{generate.result_of(tasks)});",
            "  }",
            "}",
            "",
        ]
    )
