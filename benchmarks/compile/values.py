# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The schedules of generate.py as values, for the runtime version: in the source, or with the shape read from a
file."""

import generate

LISTS = ("reads", "writes", "depends_on", "same_progress_sync", "observes", "mutates")
SOURCE = "[](std::uint64_t& b) { return fill(b); }"


def braced(names: list[str]) -> str:
    return "{" + ", ".join(f'"{n}"' for n in names) + "}"


def value(task: dict) -> str:
    fields = [f'.name = "{task["name"]}"', f'.stream = "{task["stream"]}"']
    if task["lookahead"]:
        fields.append(f".lookahead = {task['lookahead']}")
    fields += [f".{name} = {braced(task[name])}" for name in LISTS if task[name]]
    fields.append(f".body = [](" + generate.parameters(task) + ") " + generate.body(task))
    return "       {" + ",\n        ".join(fields) + "}"


def run(made: str) -> list[str]:
    return [
        "void run() {",
        f"  st::dynamic::pipeline pipeline({made});",
        f"  for (const st::dynamic::result& r : pipeline.run({SOURCE})) use(r.get<std::uint64_t>());",
        "}",
        "",
    ]


def unit(count: int) -> str:
    tasks = generate.tasks_of(count)
    return "\n".join(
        generate.head(count, ["stretto/dynamic.hpp"])
        + [
            "st::dynamic::schedule pipelined() {",
            '  return {.name = "pipelined",',
            f"      .streams = {braced(generate.streams_of(tasks))},",
            f'      .source = {{.slot = "{generate.SOURCE}"}},',
            f"      .results = {braced([generate.result_of(tasks)])},",
            "      .tasks = {",
            ",\n".join(value(t) for t in tasks) + "},",
            "      .generated = 2};",
            "}",
            "",
        ]
        + run("pipelined()")
    )


def file_unit(count: int) -> str:
    """The shape from a file, the bodies from the program."""
    return "\n".join(
        generate.head(count, ["stretto/dynamic.hpp", "stretto/schedule_file.hpp"])
        + ["st::dynamic::schedule pipelined() {", '  auto made = st::dynamic::load("pipelined.json");']
        + [f'  made.at("{t["name"]}").body = []({generate.parameters(t)}) {generate.body(t)};'
           for t in generate.tasks_of(count)]
        + ["  return made;", "}", ""]
        + run("pipelined()")
    )
