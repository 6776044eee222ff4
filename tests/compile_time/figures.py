#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether benchmarks/compile computes figures of compile times as its pages say: on compilers that are made up, whose
times are known."""

import contextlib
import dataclasses
import io
import json
import pathlib
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "benchmarks/compile")]
import generate  # noqa: E402
import measure  # noqa: E402
import stages  # noqa: E402
import summary  # noqa: E402
import tbb  # noqa: E402
import times  # noqa: E402
import units  # noqa: E402
import values  # noqa: E402

failed = []
# Two units ask for more than their names: one a real compiler, one the headers.
ALL = [dataclasses.replace(u, text=lambda _: "") if u.name in ("stage_standard", "module") else u
       for u in units.all_units()]
PLAIN = [u for u in ALL if not u.stage]


def expect(what: str, held: bool) -> None:
    print(("  " if held else "! ") + what)
    if not held:
        failed.append(what)


def unit_of(command: list[str]) -> str:
    return pathlib.Path(command[command.index("-o") + 1]).name.partition(".")[0]


class Compiler:
    """Takes known times, by unit; what it was asked for is kept."""

    def __init__(self, seconds: dict[str, float], fails: tuple[str, ...] = ()):
        self.seconds, self.fails = seconds, fails
        self.asked: list[str] = []

    def __call__(self, command: list[str]) -> tuple[float, float] | str:
        name = unit_of(command)
        self.asked.append(name)
        if name in self.fails:
            return "error: made up"
        slower = 1 + len(self.rounds())  # the machine gets slower with every round
        return self.seconds.get(name, 1.0) * slower, 100.0 * slower

    def rounds(self) -> list[list[str]]:
        """What was asked for, cut where the reference unit closes a round."""
        found: list[list[str]] = []
        row: list[str] = []
        for name in self.asked[:-1]:
            row.append(name)
            if name == units.REFERENCE and len(row) > 1:
                found.append(row)
                row = []
        return found


def measured(wanted: list[units.Unit], seconds: dict[str, float], label: str = "", **options) -> tuple[dict, Compiler]:
    compiler = Compiler(seconds, options.pop("fails", ()))
    program = {"nvcc": "nvcc"}.get(label, "g++")
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        runs = measure.measure(label, [program], wanted, pathlib.Path(folder), run=compiler, **options)
    return runs, compiler


def protocol() -> None:
    runs, compiler = measured(PLAIN, {})
    rounds = compiler.rounds()
    names = [u.name for u in PLAIN]
    small = [u.name for u in PLAIN if u.tasks < units.BIG]
    expect("five rounds, in turn, the reference unit first and last",
           rounds[0] == [*names, units.REFERENCE] and rounds[3] == [*small, units.REFERENCE])
    expect("three of big units", len(runs["14"]) == 5 and len(runs["256"]) == 3 and len(runs["dynamic_256"]) == 3)
    few = [u for u in PLAIN if u.everywhere]
    runs, _ = measured(few, {}, "nvcc")
    expect("three and one with nvcc", len(runs["64"]) == 3 and len(runs["256"]) == 1)
    runs, _ = measured(few, {}, asked=2)
    expect("as few as asked for", {len(r) for r in runs.values()} == {2})
    runs, _ = measured(PLAIN, {}, fails=("64",))
    figures = measure.figures_of("", PLAIN, runs)
    expect("a unit that fails has null, the others their figures",
           figures["compile_64_over_reference"] is None and figures["compile_64_seconds"] is None
           and figures["compile_64_over_dynamic"] is None and figures["compile_14_over_reference"] == 1)
    runs, _ = measured(PLAIN, {}, fails=(units.REFERENCE,))
    figures = measure.figures_of("", PLAIN, runs)
    expect("without the reference unit there are no ratios over it",
           figures["compile_14_over_reference"] is None and figures["compile_14_seconds"] is not None)

    names = [u.name for u in units.chosen(ALL, ["14_pch", "64"], True)]
    expect("a part is what was asked for and what that needs", names == [units.REFERENCE, "64", "pch", "14_pch"])
    every = [u.name for u in units.chosen(ALL, [], False)]
    expect("of most compilers a few units", every == [units.REFERENCE, "1", "14", "64", "256"])
    expect("g++ is not asked for modules", not any("module" in u.name for u in units.chosen(ALL, [], True, False)))
    try:
        units.chosen(ALL, ["15"], True)
        expect("a unit that is not there is refused", False)
    except SystemExit as end:
        expect("a unit that is not there is refused", "no unit is called 15" in str(end))


def ratios() -> None:
    seconds = {units.REFERENCE: 0.5, "1": 0.9, "1_describe": 1.0, "14": 1.2, "14_texts": 1.3, "64": 2.0, "256": 8.0,
               "dynamic_14": 2.4, "dynamic_256": 4.0, "tbb_14": 1.5}
    runs, _ = measured(PLAIN, seconds)
    figures = measure.figures_of("", PLAIN, runs)
    expected = {"compile_14_over_reference": 2.4, "compile_256_over_reference": 16.0, "compile_14_over_dynamic": 0.5,
                "compile_256_over_dynamic": 2.0, "compile_14_over_tbb": 0.8,
                "compile_1_describe_added_over_reference": 0.2, "compile_14_texts_added_over_reference": 0.2}
    for name, value in expected.items():
        expect(f"{name}, though the machine gets slower", figures[name] is not None and
               abs(figures[name] - value) < 1e-9)
    expect("seconds are the median", figures["compile_14_seconds"] == 3.6)  # third of five rounds
    expect("so is memory", figures["compile_256_megabytes"] == 200)
    expect("each name but those of objects is that of a unit", all(
        any(name.startswith(f"compile_{u.name}_") for u in PLAIN) for name in figures))
    needed = {name for name in summary.LIMITS if name.startswith("compile_") and not name.endswith(("16", "nvcc"))}
    expect("all that has a limit is measured", needed <= figures.keys())
    of_clang = measure.figures_of("clang_16", PLAIN, runs)
    expect("with Clang 16, too", {n for n in summary.LIMITS if n.endswith("clang_16")} <= of_clang.keys())
    few = [u for u in PLAIN if u.everywhere]
    of_nvcc, _ = measured(few, {units.REFERENCE: 3.0, "14": 6.0}, "nvcc")
    found = measure.figures_of("nvcc", few, of_nvcc, runs)
    host = statistics.median(s for s, _ in runs[units.REFERENCE])
    expect("nvcc's budget is in reference units of g++",
           found["compile_14_over_gcc_reference_nvcc"] == round(found["compile_14_seconds_nvcc"] / host, 3)
           and found["compile_14_over_reference_nvcc"] == 2)
    expect("and all of it is measured", {n for n in summary.LIMITS if n.endswith("nvcc")} <= found.keys())
    found = measure.figures_of("nvcc", few, of_nvcc, None)
    expect("without g++ it is not", "compile_14_over_gcc_reference_nvcc" not in found)

    parts = [0.3, 0.6, 0.7, 1.0, 1.1, 1.2, 2.0]
    runs = {units.REFERENCE: [(0.5, 1.0)] * 3}
    runs |= {name: [(s, 1.0)] * 3 for name, s in zip(units.stages_of(14), parts)}
    found = measure.stages(runs)
    expect("stages add up to the whole", list(found) == ["14"] and list(found["14"]) == list(units.STAGES)
           and abs(sum(found["14"].values()) - 4.0) < 1e-6)


def commands() -> None:
    folder = pathlib.Path("/nowhere")
    by_name = {u.name: u for u in ALL}

    def command(program: str, name: str) -> list[str]:
        return measure.command_of([program, "-O2"], by_name[name], folder)

    header = ["-include", "/nowhere/pch.hpp"]
    clangs = ["-include-pch", "/nowhere/pch.hpp.pch"]
    expect("g++ makes and uses a precompiled header", command("g++", "pch")[-1] == "/nowhere/pch.hpp.gch"
           and command("g++", "14_pch")[2:4] == header)
    expect("Clang as well", command("clang++-16", "pch")[-1] == clangs[1]
           and command("clang++-16", "14_pch")[2:4] == clangs)
    expect("a module, too", command("clang++-16", "module")[-1] == "/nowhere/module.pcm"
           and command("clang++-16", "14_module")[2] == "-fmodule-file=stretto=/nowhere/module.pcm")
    expect("nvcc is told that it is CUDA", command("/usr/bin/nvcc", "14")[2:4] == ["-x", "cu"])
    expect("the compiled part is asked for", "-DSTRETTO_COMPILED" in command("g++", "dynamic_1_compiled"))

    nvcc = "Copyright (c) 2005-2025\nCuda compilation tools, release 13.0, V13.0.88\nBuild cuda_13.0.r13.0/1_0\n"
    expect("a compiler's version is read", measure.version_in("g++-12 (Debian 12.2.0-14) 12.2.0\n") == "12.2.0"
           and measure.version_in("Debian clang version 16.0.6 (15)\n") == "16.0.6"
           and measure.version_in(nvcc) == "13.0.88" and measure.version_in("") == "unknown")
    python = [sys.executable, "-c"]
    found = measure.compile_once([*python, "pass"])
    expect("a compiler that succeeds has taken time and memory", not isinstance(found, str) and min(found) > 0)
    said = "import sys; sys.exit('some words\\nunit.cpp:1: error: it is wrong')"
    expect("of one that fails the error is kept",
           measure.compile_once([*python, said]) == "unit.cpp:1: error: it is wrong")
    measure.TIME_LIMIT = 0.2
    expect("one that does not end is killed",
           str(measure.compile_once([*python, "import time; time.sleep(600)"])).startswith("killed after"))

    shown = (". /include/stretto/stretto.hpp\n.. /include/stretto/a.hpp\n... /usr/include/c++/12/array\n"
             ".... /usr/include/c++/12/utility\n... /usr/include/x86/sys/syscall.h\n.. /usr/include/c++/12/string\n"
             "Multiple include guards may be useful for:\n/usr/include/asm/unistd.h\n")
    texts = {"/include/stretto/a.hpp": "#include <array>\n#  include <sys/syscall.h>\n#include <not_here>\n",
             "/include/stretto/stretto.hpp": "#include <stretto/a.hpp>\n#include <string>\n"}
    expect("standard headers are those that Stretto's open themselves",
           units.opened(shown, texts.__getitem__) == ["array", "sys/syscall.h", "string"])


def generated() -> None:
    for count in (1, 14, 20):
        tasks = generate.tasks_of(count)
        for what, text in (("types", generate.unit(count)), ("values", values.unit(count)),
                           ("values of a file", values.file_unit(count)), ("oneTBB", tbb.unit(count))):
            expect(f"{count} tasks as {what} are all there",
                   all(len(re.findall(rf'work\("{t["name"]}"', text)) >= 1 for t in tasks))
    tasks = generate.tasks_of(14)
    place = {}
    left = list(tbb.edges(tasks))
    while ready := [t["name"] for t in tasks if t["name"] not in place
                    and all(b in place for b, a in left if a == t["name"])]:
        place |= dict.fromkeys(ready)
    expect("the flow graph has no cycle", len(place) == len(tasks))
    names = [u.name for u in units.all_units()]
    expect("no two units have one name", len(names) == len(set(names)))
    expect("every unit that another needs is before it", all(
        not u.uses or names.index(u.uses) < names.index(u.name) for u in units.all_units()))


def pages() -> None:
    blocks = (times.table, times.budget, times.others, times.compared, stages.table)
    expect("nothing measured is said to be so", all(block({}) == times.NOT_YET for block in blocks)
           and "have not been measured yet" in times.aims({}) and "not measured yet" in times.chart({})
           and "not measured yet" in stages.chart({}))
    old = {"compile_14_seconds": 2.0, "compile_14_megabytes": 300.0, "compile_32_instantiations": 10}
    expect("so are figures of before there were ratios", all(block(old) == times.NOT_YET for block in blocks))

    seconds = {units.REFERENCE: 0.5, "14": 1.2, "64": 2.0, "256": 8.0}
    runs, _ = measured(PLAIN, seconds)
    figures: dict = measure.figures_of("", PLAIN, runs)
    figures |= {"compile_compilers": {"": "12.2.0", "gcc_14": None, "clang_16": None, "nvcc": None},
                "compile_rounds": {"": [3, 5]}, "compile_32_instantiations": 10}
    row = next(line for line in times.table(figures).splitlines() if line.startswith("| 14 tasks"))
    expect("a compiler that is missing is a dash",
           row == "| 14 tasks | 2.40 ×, 3.60 s, 300 MB | – | – | – | – | – |")
    expect("the page says how many rounds", "5 (3 with 256 tasks) with g++-12." in times.table(figures))
    rows = {line.split(" | ")[0]: line for line in times.budget(figures).splitlines()}
    expect("what is above its limit is said to be missed",
           rows["| 14 tasks, g++-12"].endswith("2.4 × | 2.2 × | missed |"))
    expect("what is below it, to be held", rows["| 64 tasks, g++-12"].endswith("| 4 × | 4.3 × | held |"))
    expect("what was not measured is a dash", rows["| 64 tasks, Clang 16"].endswith("| – | 3.5 × | – |"))
    expect("each limit is on the page",
           {n for n in summary.LIMITS if n.startswith("compile_")} == times.LIMITED.keys())
    expect("the README names ratios and aims", "2.4 for 14 tasks (we aim for 2.2)" in times.aims(figures))
    known = {u.name for u in PLAIN}
    expect("each other unit is on the page once", times.OTHERS.keys() | set(map(str, units.SIZES))
           | {units.REFERENCE} == known)
    stage = {s: 0.5 for s in units.STAGES} | {"loop": -0.2}
    chart = stages.chart({"compile_stages": {"": {"14": stage}, "clang_16": {"14": stage}}})
    expect("a difference below zero is drawn as nothing", 'height="-' not in chart and chart.count(": -0.20 ×") == 2)
    expect("a part of the sizes can be shown", "g++-12, 14" in stages.table({"compile_stages": {"": {"14": stage}}}))


def limits() -> None:
    def judged(found: dict) -> bool:
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                summary.judge(found)
            except SystemExit as end:
                return not end.code
        return True

    here = {n: v for n, v in summary.LIMITS.items() if not n.endswith(("clang_16", "nvcc"))}
    expect("limits of compilers that were looked for in vain are not judged",
           judged(here | {"compile_compilers": {"": "12.2.0", "clang_16": None, "nvcc": None}}))
    expect("of compilers that are there they are",
           not judged(here | {"compile_compilers": {"": "12.2.0", "clang_16": "16.0.6", "nvcc": None}}))
    expect("nothing excuses the configured one",
           not judged({"compile_compilers": {"": None, "clang_16": None, "nvcc": None}}))


def program() -> None:
    """The script itself, with compilers from a file."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fake = folder / "fake-g++"
        fake.write_text(f"#!{sys.executable}\nprint('fake 12.2.0')\n")
        fake.chmod(0o755)
        (folder / "compilers.json").write_text(json.dumps([{"label": "", "command": [str(fake), "-O2"]},
                                                           {"label": "gcc_14", "command": None}]))
        sys.argv = ["measure.py", "--compilers", str(folder / "compilers.json"), "--only", "14,dynamic_1", "--rounds",
                    "2", "--out", str(folder / "out.json")]
        said = io.StringIO()
        measure.TIME_LIMIT = 600
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            measure.main()
        found = json.loads((folder / "out.json").read_text())
    expect("a compiler that is not there is null", found["compile_compilers"] == {"": "12.2.0", "gcc_14": None})
    expect("and said", "there is no gcc_14" in said.getvalue())
    expect("a part is measured as asked", found["compile_rounds"] == {"": [2]}
           and {"compile_14_over_reference", "compile_dynamic_1_seconds"} <= found.keys()
           and "compile_64_seconds" not in found and "compile_32_instantiations" not in found)


for part in (protocol, ratios, commands, generated, pages, limits, program):
    part()
sys.exit(f"{len(failed)} checks do not hold" if failed else None)
