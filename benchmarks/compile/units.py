# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files whose compilation is measured, by the names that figures have."""

import dataclasses
import pathlib
import re
import subprocess
import tempfile
from collections.abc import Callable

import found
import generate
import tbb
import values

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = (1, 14, 32, 64, 128, 256)
COMPARED = (14, 64, 256)  # with the runtime version
STAGED = (1, 14, 64, 256)  # where the time goes
BIG = 256  # tasks, from which on there are fewer rounds
REFERENCE = "reference"
COMPILED = ("-DSTRETTO_COMPILED",)
CHECKED = ("-fsyntax-only",)

# What a file of any program includes, and one thread.
REFERENCE_HEADERS = ("algorithm", "atomic", "chrono", "functional", "memory", "optional", "string", "thread", "tuple",
                     "vector")
REFERENCE_TEXT = "".join(f"#include <{h}>\n" for h in REFERENCE_HEADERS) + """
void run() {
  std::thread thread([] {});
  thread.join();
}
"""

# What a compiler does, in this order: the units below stop behind each. What the last one adds is code generation.
STAGES = {
    "standard": "standard headers",
    "headers": "Stretto's headers",
    "declarations": "declarations",
    "planning": "planning",
    "waits": "races and waits",
    "loop": "templates of the run loop",
    "code": "code generation",
}


@dataclasses.dataclass(frozen=True)
class Unit:
    name: str
    text: Callable[[list[str]], str]  # of the compiler's command
    tasks: int = 0
    flags: tuple[str, ...] = ()
    makes: str = ""  # no object file: a precompiled "header", or a "module"
    uses: str = ""  # the unit that makes the one that this unit uses
    stage: bool = False
    everywhere: bool = False  # measured with every compiler

    @property
    def file(self) -> str:
        return self.name + {"header": ".hpp", "module": ".cppm"}.get(self.makes, ".cpp")


def texts(count: int) -> str:
    """A unit that also asks for the plan's description, an explanation, and both pictures."""
    tasks = generate.tasks_of(count)
    asked = [
        "std::string texts() {",
        "  return st::describe<pipelined>() +",
        f"         st::explain<pipelined, {tasks[0]['name']}, {tasks[-1]['name']}>() +",
        "         st::picture::to_dot<pipelined>() + st::picture::to_mermaid<pipelined>();",
        "}",
        "",
    ]
    return generate.unit(count, ("stretto/explain.hpp", "stretto/picture.hpp", "string"), generate.RUN + asked)


def described(count: int) -> str:
    asked = ["std::string text() { return st::describe<pipelined>(); }", ""]
    return generate.unit(count, ("string",), generate.RUN + asked)


def importing(count: int) -> str:
    """With the module. Clang 16 wants to see what is compared there."""
    text = generate.unit(count, ("string_view",))
    return text.replace("#include <stretto/stretto.hpp>\n", "").replace("\n\n", "\n\nimport stretto;\n\n", 1)


def standard_headers(command: list[str]) -> list[str]:
    """Those that Stretto's headers open themselves, as this compiler finds them: what -H shows, by depth."""
    with tempfile.TemporaryDirectory() as scratch:
        unit = pathlib.Path(scratch) / "unit.cpp"
        unit.write_text("#include <stretto/stretto.hpp>\n")
        done = subprocess.run([*command, "-H", "-fsyntax-only", str(unit)], capture_output=True, text=True, check=True)
    return opened(done.stderr, lambda path: pathlib.Path(path).read_text())


def opened(shown: str, read: Callable[[str], str]) -> list[str]:
    """The headers that are not Stretto's and that one of Stretto's includes, as spelled there."""
    found: dict[str, None] = {}
    within: list[str] = []
    for dots, path in re.findall(r"^(\.+) (.+)$", shown, re.M):
        del within[len(dots) - 1 :]
        parent = within[-1] if within else ""
        within.append(path)
        if "/stretto/" in path or "/stretto/" not in parent:
            continue
        spelled = re.findall(r"^\s*#\s*include\s*<([^>]+)>", read(parent), re.M)
        found |= dict.fromkeys(s for s in spelled if path.endswith("/" + s))
    return list(found)


def stage(name: str, count: int) -> str:
    """A unit with `count` tasks, of which a compiler does that stage and those before it."""
    asserted = {
        "declarations": "st::typed::declared<pipelined>::bare.tasks.size() == {0}",
        "planning": "st::typed::declared<pipelined>::value.layout.order.size() == {0} + 2",
        "waits": "st::plan_of<pipelined>.tasks == {0}",
    }
    if name == "loop":
        return generate.unit(count)
    return generate.unit(count, (), [f"static_assert({asserted[name].format(count)});", ""])


def all_units() -> list[Unit]:
    of = lambda make, *arguments: lambda _: make(*arguments)  # noqa: E731
    includes = lambda *names: lambda _: "".join(f"#include <{n}>\n" for n in names)  # noqa: E731
    units = [Unit(REFERENCE, lambda _: REFERENCE_TEXT, everywhere=True)]
    units += [Unit(str(n), of(generate.unit, n), n, everywhere=n in STAGED) for n in SIZES]
    units += [
        Unit("1_describe", of(described, 1), 1),
        Unit("14_texts", of(texts, 14), 14),
        Unit("14_by_hand", of(found.unit, False), 14),
        Unit("14_certificate", of(found.unit, True), 14),
        Unit("14_compiled", of(generate.unit, 14), 14, COMPILED),
        Unit("pch", includes("stretto/stretto.hpp"), makes="header"),
        Unit("14_pch", of(generate.unit, 14), 14, uses="pch"),
        Unit("module", lambda _: (ROOT / "include/stretto/stretto.cppm").read_text(), makes="module"),
        Unit("14_module", of(importing, 14), 14, uses="module"),
        Unit("tbb_14", of(tbb.unit, 14), 14),
        Unit("dynamic_1", of(values.unit, 1), 1),
        Unit("dynamic_1_compiled", of(values.unit, 1), 1, COMPILED),
        Unit("dynamic_1_file", of(values.file_unit, 1), 1),
        Unit("dynamic_1_file_compiled", of(values.file_unit, 1), 1, COMPILED),
        Unit("dynamic_pch", includes("stretto/dynamic.hpp"), makes="header"),
        Unit("dynamic_1_pch", of(values.unit, 1), 1, uses="dynamic_pch"),
    ]
    units += [Unit(f"dynamic_{n}", of(values.unit, n), n) for n in COMPARED]
    standard = lambda command: includes(*standard_headers(command))(command)  # noqa: E731
    units.append(Unit("stage_standard", standard, flags=CHECKED, stage=True))
    units.append(Unit("stage_headers", includes("stretto/stretto.hpp"), flags=CHECKED, stage=True))
    units += [
        Unit(f"stage_{n}_{name}", of(stage, name, n), n, CHECKED, stage=True)
        for n in STAGED
        for name in ("declarations", "planning", "waits", "loop")
    ]
    return units


def stages_of(count: int) -> list[str]:
    """The units of a size by what each stage adds to the one before."""
    names = [f"stage_{count}_{s}" for s in ("declarations", "planning", "waits", "loop")]
    return ["stage_standard", "stage_headers", *names, str(count)]


def chosen(units: list[Unit], only: list[str], full: bool, modules: bool = True) -> list[Unit]:
    """Those asked for, the reference and what they need; of a compiler that is not measured in full, those for all. A
    stage is asked for by its size: `stage_14`."""
    units = units if modules else [u for u in units if "module" not in (u.makes, u.uses)]
    known = {u.name for u in units} | {f"stage_{n}" for n in STAGED}
    unknown = [name for name in only if name not in known]
    if unknown:
        raise SystemExit(f"no unit is called {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    wanted = {u.name for u in units if full or u.everywhere} if not only else {REFERENCE}
    for name in only:
        wanted |= set(stages_of(int(name[6:]))) if name[6:].isdigit() and name.startswith("stage_") else {name}
    wanted |= {u.uses for u in units if u.name in wanted}
    return [u for u in units if u.name in wanted]
