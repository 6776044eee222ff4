#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether commands.py finds commands of what does not exist, or that no step of CI does, and only those: on pages and
scripts that are made up, against the build folder that runs this."""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import commands  # noqa: E402

RIGHT = """# A page
`cmake --workflow --preset test`, the preset `test`, the test `docs.check`, `cmake/setup.sh` and
`build/test/examples/quickstart/quickstart`; `tests/docs/`, the target `docs_update`, `STRETTO_COMPILED`; not a target
of ours: `st::target`, `a/b`, `x --y`, `-DNDEBUG`, `stretto::pipeline`.

| `dynamic`, `stretto::dynamic` | a part |

```sh
sh cmake/setup.sh --ci && CXX=g++ cmake --workflow --preset test   # it's a remark
cmake --preset test -DSTRETTO_BUILD_EXAMPLES=OFF && cmake --build build/test --target quickstart docs_update
ctest --preset test -R 'docs[.]' && ctest -L docs | tail
```
"""
# What is planted, and what is to be said of it.
WRONG = {
    "`cmake --workflow --preset nowhere`": "no workflow preset `nowhere`",
    "`cmake --preset base`": "no configure preset `base`",
    "`cmake --build --preset nowhere`": "no build preset `nowhere`",
    "`ctest --preset nowhere`": "no test preset `nowhere`",
    "the presets `test` and `nowhere`": "no preset `nowhere`",
    "`cmake --build --preset test --target docs_updates`": "no target `docs_updates`",
    "`cmake --build build/test --target quickstart nothing`": "no target `nothing`",
    "`cmake --build build/test --target nothing_<group>`": "no target `nothing_<group>`",
    "`cmake --build build/test --target quickstart\n-DSTRETTO_BUILD_TEST=ON`": "no option `STRETTO_BUILD_TEST`",
    "`cmake --build build/nowhere`": "builds in `build/nowhere`",
    "`cmake --build build/test --targets quickstart`": "takes no `--targets`",
    "`docs_updates`": "no target `docs_updates`",
    "the target `nothing`": "no target `nothing`",
    "`cmake --preset test -DSTRETTO_NOTHING=1`": "no option `STRETTO_NOTHING`",
    "`STRETTO_NOTHING`": "nothing is called `STRETTO_NOTHING`",
    "`ctest --preset test -R docs.check.twice`": "called anything like `docs.check.twice`",
    "`ctest --preset test -L nothing`": "no test has the label `nothing`",
    "`-L nothing`": "no test has the label `nothing`",
    "`ctest --preset test --label docs`": "takes no `--label`",
    "the tests `docs.check` and `docs.checks`": "no test `docs.checks`",
    "`sh cmake/set_up.sh`": "no cmake/set_up.sh",
    "`sh cmake/setup.sh --cii`": "knows no `--cii`",
    "`docs/nowhere/`": "no docs/nowhere/",
    "`build/test/examples/quickstart/quicker`": "nothing builds or writes examples/quickstart/quicker",
    "`build/test/examples/quickstart/quickstart --nothing`": "takes no `--nothing`",
    "`quickstart --nothing`": "takes no `--nothing`",
    "`--nothing`": "takes `--nothing`",
    "| `nothing`, `stretto::nothing` | a part |": "no `stretto::nothing`",
    "`stretto::no_such_part`": "no `stretto::no_such_part`",
    "```sh\nctest --preset nowhere\n```": "no test preset `nowhere`",
    "```console\n$ ctest --preset nowhere\n```": "no test preset `nowhere`",
    "```cmake\ntarget_link_libraries(app PRIVATE stretto::pipeline)\n```": "no `stretto::pipeline`",
}
WRONG_OF_STRETTO = {
    "`stretto tunes FILE`": "no command `tunes`",
    "`stretto tune FILE --cost COSTS`": "`stretto tune` takes no `--cost`",
    "`tune --range`": "`stretto tune` takes no `--range`",
}
failed = []


def expect(what, held):
    print(("  " if held else "! ") + what)
    if not held:
        failed.append(what)


def pages(check, folder, stretto):
    def complaints(text):
        page = folder / "page.md"
        page.write_text(text)
        return check.complaints(list(check.reader.page(page)))

    right = RIGHT + "`stretto tune FILE --costs COSTS`, `--costs`, `tune --ranges`\n" * bool(stretto)
    said = complaints(right)
    expect(f"what is right is left alone {said}", not said)
    for text, why in {**WRONG, **(WRONG_OF_STRETTO if stretto else {})}.items():
        if text == "`--nothing`" and not stretto:
            continue
        said = complaints(f"{right}\n{text}\n")
        line = right.count("\n") + 2 + text.startswith("```")
        expect(f"{text}: {said}", len(said) == 1 and why in said[0] and f"page.md:{line}: " in said[0])


def scripts(check, folder):
    script = folder / "script.sh"
    script.write_text(
        '# cmake --workflow --preset test, or "cmake --build --preset $preset"\n'
        "# docs/*.md, docs/reference of the build folder\n"
        'echo "python3 docs/check.py"\n'
    )
    expect("what a script says is left alone", not [*check.script_complaints([script])])
    script.write_text("#\n# cmake --workflow --preset nowhere (slow)\n")
    said = [*check.script_complaints([script])]
    expect(f"a script's comment is read {said}", len(said) == 1 and "script.sh:2: " in said[0])
    script.write_text("# as docs/nowhere says, and docs/check.py\n")
    expect("and files that it names", len([*check.script_complaints([script])]) == 1)
    script.write_text('echo "sh cmake/set_up.sh installs it"\n')
    expect("and its messages are", len([*check.script_complaints([script])]) == 1)


def steps(check, folder):
    """What counts as a step of CI."""
    ci = folder / "run"

    def done(text):
        ci.write_text(text)
        check.build.tests, kept = [], check.build.tests
        try:
            return commands.Done(check.sources, check.build, check.reader, ci).names
        finally:
            check.build.tests = kept

    here, check.build.part = "test", False
    other = next(p for p in check.sources.presets["test"] if p != here and check.sources.visible("build", p))
    whole = {f"configure preset {here}", f"build preset {here}", f"test preset {here}"}
    expect("a workflow does its steps", whole <= done(f"cmake --workflow --preset {here}\n"))
    expect("and builds all", {"target quickstart", "program quickstart"} <= done(f"cmake --workflow --preset {here}\n"))
    expect("but not what nothing needs", "target docs_update" not in done(f"cmake --workflow --preset {here}\n"))
    expect("a comment does nothing", f"build preset {here}" not in done(f"# cmake --workflow --preset {here}\n"))
    one = done(f"cmake --build --preset {here} --target quickstart\n")
    expect("one target is not all", "target quickstart" in one and "target etl" not in one)
    body = 'both() {\n  cmake --preset "$1" && ctest --preset "$1"\n}\n'
    called = done(body + f'step "both" both {other}\n')
    expect("a function is called with presets", {f"configure preset {other}", f"test preset {other}"} <= called)
    expect("not with others", f"configure preset {here}" not in called and f"build preset {other}" not in called)
    looped = done(body + f'for p in {here} {other}; do\n  step "$p" both "$p"\ndone\n')
    expect("or in a loop", {f"test preset {here}", f"test preset {other}"} <= looped)
    within = f"all() {{\n  for p in {other}; do ctest --preset $p; done\n}}\n"
    expect("the loop may be in the function", f"test preset {other}" in done(within + "step all all\n"))
    expect("which is called", f"test preset {other}" not in done(within))
    expect("or outside of any", f"test preset {other}" in done(f"for p in {other}; do ctest --preset $p; done\n"))
    expect("a function alone does nothing", f"test preset {other}" not in done(body + f"# {other}\n"))

    kept, check.done.names = check.done.names, set()
    page = folder / "page.md"
    page.write_text(RIGHT)
    mentions = list(check.reader.page(page))
    kinds = {m.kind for m in mentions if any("no step of CI" in c for c in check.complaints([m]))}
    expected = {k for k in commands.DONE_KINDS if k not in ("build preset",)}
    expect(f"what no step does is said {expected - kinds}", kinds == expected)
    check.done.names = kept


def parts(check, folder):
    """Where a build folder has a part of the tests, the text of the build says which others there are."""
    page = folder / "page.md"
    page.write_text(RIGHT)
    mentions = list(check.reader.page(page))
    check.build.tests, check.build.part = [], True
    names = commands.Done(check.sources, check.build, check.reader, check.sources.root / ".ci/run").names
    kept, check.done.names = check.done.names, names
    said = check.complaints(mentions)
    expect(f"tests of another part are known {said}", not said)
    check.build.part = False
    expect("of the only part they are not", len(check.complaints(mentions)) >= 3)
    check.done.names = kept


def guards(check):
    everything = [commands.Mention("page.md:1", "", kind, "") for kind in commands.LEAST]
    expect("nothing is amiss if all kinds are seen", not check.unseen(everything))
    expect("a kind that is not seen is", len(check.unseen(everything[1:])) == 1)
    expect("exceptions that no page needs are named", len([*check.unneeded([])]) == len(commands.OTHERWISE))


def main():
    arguments, check = commands.arguments_of(__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pages(check, folder, arguments.stretto)
        scripts(check, folder)
        steps(check, folder)
        parts(check, folder)
    guards(check)
    return f"{len(failed)} checks do not hold" if failed else 0


if __name__ == "__main__":
    sys.exit(main())
