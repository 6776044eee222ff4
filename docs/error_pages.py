#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/errors from tests/compile_fail, or checks that it is up to date.

Each case of tests/compile_fail gets a page: its title and text, which stand at its top as a comment, its code
without FIXED, what each compiler says to it, the sentence, and what FIXED changes. A compiler that is not here
keeps the text that the page has.

Whether a page has what a compiler says now, that compiler's compile-fail test checks, by --case; without it the rest
of all pages is checked, and nothing is compiled. With --update, what compilers say is taken from --said, where those
tests have kept it; what is missing there, or older than the case and the headers, is compiled. --sentences is a
program of tests/compile_fail with a part of the cases; the pages of other cases keep their sentences.
"""

import argparse
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "compile_fail"
PAGES = ROOT / "docs" / "errors"
LICENCE = "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"
SHOWN = {"gcc-12": "GCC 12", "clang-16": "Clang 16", "clang-19": "Clang 19", "nvcc-13": "nvcc 13"}
SAID = re.compile(r"<!-- said by: (.*?) -->\n\n```text\n(.*?)```\n", re.S)
SENTENCE = re.compile(r"<!-- sentences -->\n\n```text\n(.*?)```\n", re.S)
SECTIONS = {
    "rule_1": ("Rule 1: names", "There is a task; names are unique, not empty, and not those of every plan's own."),
    "rule_2": ("Rule 2: lookahead and rates", "No lookahead is negative; no task writes the slot that the source fills; a task runs for one batch of a group."),
    "rule_3": ("Rule 3: streams", "Every stream that a task names is declared in `streams`."),
    "rule_4": ("Rule 4: writers", "One writer per slot and lookahead; all writers of a slot on one stream and for the same batches."),
    "rule_5": ("Rule 5: reads", "Every slot that is read is written, at least as far ahead, by another task; who takes a value is its last user."),
    "rule_6": ("Rule 6: dependencies", "Every entry is a task of the schedule, listed once, that runs for that batch and has by then."),
    "rule_7": ("Rule 7: cycles", "No tasks wait for each other in a cycle inside one progress."),
    "rule_9": ("Rule 9: items", "Of a slot of which items are consumed and produced, all that is produced for a batch is consumed."),
    "race": ("Races", "Two tasks that share a resource which one of them changes are ordered on all batches."),
    "slip": ("Slips", "How a schedule, a task or a source is written, before any rule is asked."),
    "": ("All of them", "What holds whatever is wrong."),
}


class Case:
    def __init__(self, path):
        self.path = path
        self.name = path.stem
        lines = path.read_text().split("\n")
        if len(lines) < 3 or not lines[1].startswith("// # "):
            raise ValueError(f"{path.name}: the second line is not its title, '// # ...'")
        self.title = lines[1][5:]
        head = 2
        while lines[head].startswith("//") and not lines[head].startswith("// expect-"):
            head += 1
        prose = "\n".join(line[2:].strip() for line in lines[2:head]).strip("\n")
        self.prose = re.sub(r"(?<=\S)\n(?=\S)", " ", prose)
        if not self.prose:
            raise ValueError(f"{path.name}: no text under its title")
        self.expected = {
            key: value
            for key, value in re.findall(r"^// expect-([\w-]+): *(.*)$", "\n".join(lines), re.M)
        }
        while lines[head].startswith("//"):
            head += 1
        self.wrong, self.shown_line = variant(lines, head, False)
        self.repaired, _ = variant(lines, head, True)
        self.section = next((s for s in SECTIONS if s and self.name.startswith(s)), "")

    def diff(self):
        import difflib

        lines = difflib.unified_diff(self.wrong, self.repaired, lineterm="", n=2)
        return "\n".join("@@" if line[:2] == "@@" else line for line in list(lines)[2:]) + "\n"


def variant(lines, start, fixed):
    """The code with FIXED defined or not, and the number of each of its lines by that in the file."""
    kept, number = [], {}
    taken = True
    for i, line in enumerate(lines[start:], start + 1):
        if line in ("#ifdef FIXED", "#ifndef FIXED"):
            taken = fixed == (line == "#ifdef FIXED")
        elif line == "#else":
            taken = not taken
        elif line == "#endif":
            taken = True
        elif taken and not line.startswith("// NOLINT"):
            kept.append(line)
            number[i] = len(kept)
    while kept and not kept[-1]:
        del kept[-1]
    return kept, number


def trimmed(output, case):
    """Without the paths of this machine and the library's line numbers; the case's are those of the page."""
    file = re.escape(case.path.name)
    shown = lambda line: str(case.shown_line.get(int(line), line))
    lines = re.sub(rf"[^\s\"]*/(?={file}\b)", "", output).rstrip("\n").split("\n")
    lines = [line for line in lines if not re.match(r"In file included from | +from (\S+:\d|<)", line)]
    text = "\n".join(lines) + "\n"
    text = re.sub(r"\S*/include/(?=stretto/)", "", text)
    text = re.sub(rf"({file}):(\d+)", lambda m: f"{m[1]}:{shown(m[2])}", text)
    text = re.sub(rf"line (\d+) of ({file})", lambda m: f"line {shown(m[1])} of {m[2]}", text)
    text = re.sub(rf"({file})\((\d+)\)", lambda m: f"{m[1]}({shown(m[2])})", text)
    text = re.sub(r"(stretto/\S+?\.hpp)(:\d+:\d+|\(\d+\))", r"\1", text)
    text = re.sub(r"plan_sizes\{[^}]*\}", "plan_sizes{...}", text)
    text = re.sub(r"at line \d+ of (stretto/)", r"in \1", text)
    text = re.sub(r" \(declared at line \d+\)", "", text)
    return re.sub(r"^ *\d+ \|", lambda m: " " * (len(m[0]) - 1) + "|", text, flags=re.M)


def newest_source():
    headers = (ROOT / "include").rglob("*.hpp")
    return max(header.stat().st_mtime for header in headers)


def said(case, label, command, folder, since):
    import subprocess

    kept = folder / f"{case.name}.{label}.txt"
    if not kept.exists() or kept.stat().st_mtime < max(since, case.path.stat().st_mtime):
        run = subprocess.run(
            [*command, case.path],
            env={**os.environ, "LC_ALL": "C"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if run.returncode == 0:
            raise ValueError(f"{case.path.name} compiles with {label}")
        kept.write_text(run.stdout)
    return trimmed(kept.read_text(), case)


def said_by_all(cases, folder):
    """What the compilers that are here say to each case, by the case's name and the compiler."""
    import concurrent.futures  # which takes longer to import than a test takes that needs none of it

    rows = [line.split("\t") for line in (folder / "compilers.txt").read_text().splitlines()]
    commands = {label: command.split(";") for label, command in rows if label in SHOWN}
    since = newest_source()
    jobs = [(case, label) for case in cases for label in commands]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        texts = pool.map(lambda job: said(*job, commands[job[1]], folder, since), jobs)
        outputs = {}
        for (case, label), text in zip(jobs, texts):
            outputs.setdefault(case.name, {})[label] = text
    absent = [name for label, name in SHOWN.items() if label not in commands]
    if absent:
        print(f"not here, so taken from the pages: {listed(absent)}")
    return outputs


def difference(then, now):
    import difflib

    return "\n".join(difflib.unified_diff(then, now, "the page", "what it is", lineterm=""))


def check_said(case, label, output):
    """Whether the case's page has what a compiler said just now."""
    page = PAGES / f"{case.name}.md"
    stored = {by: text for labels, text in SAID.findall(page.read_text()) for by in labels.split()}
    now = trimmed(output.read_text(), case)
    if stored[label] == now:
        return 0
    print(f"{page.relative_to(ROOT)} is out of date, the target docs_update writes it:")
    print(difference(stored[label].splitlines(), now.splitlines()))
    return 1


def sentences_of(cases, program):
    """What `explain_findings` says to each case, or its compile error where the schedule is sound."""
    import subprocess

    run = subprocess.run([program], capture_output=True, text=True, check=True)
    rows = [line.split("\t", 2) for line in run.stdout.splitlines()]
    found = {}
    there = {what for how, what, _ in rows if how == "case"}
    for case in cases:
        if case.name not in there:
            continue
        space = f"case_{case.name}::"
        errors = [text for how, what, text in rows if how == "error" and space in what]
        wanted = case.expected.get("text", case.expected["error"])
        if not errors:
            strays = [row for row in rows if row[0] == "error" and "case_" not in row[1]]
            errors = [text for _, _, text in strays if re.search(wanted, text)]
        errors = [text.replace(space, "") for text in errors]
        if len(errors) != 1:
            raise ValueError(f"{case.path.name}: one sentence expected, not {errors}")
        if not re.search(wanted, errors[0]):
            raise ValueError(f"{case.path.name}: expect-text is\n{wanted}\nbut the sentence is\n{errors[0]}")
        listed = [text for how, what, text in rows if how == "findings" and what == case.name]
        found[case.name] = ([text.replace(space, "") for text in listed] or errors, bool(listed))
    return found


def listed(names):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def page(case, outputs, sentences, old):
    stored = {label: text for labels, text in SAID.findall(old) for label in labels.split()}
    spoken = {label: outputs.get(label) or stored.get(label) for label in SHOWN}
    missing = [label for label, text in spoken.items() if text is None]
    if missing:
        raise ValueError(f"{case.name}: nobody here is {listed(missing)}, and the page has no text of theirs")
    groups = {}
    for label, text in spoken.items():
        groups.setdefault(text, []).append(label)
    parts = [
        LICENCE,
        f"<!-- Made from tests/compile_fail/{case.path.name} by the target docs_update. -->\n",
        f"# {case.title}\n\n{case.prose}\n\n## Wrong\n\n```cpp\n" + "\n".join(case.wrong) + "\n```\n",
        "\n## What the compiler says\n",
    ]
    for text, labels in groups.items():
        parts.append(f"\n{listed([SHOWN[label] for label in labels])}:\n\n")
        parts.append(f"<!-- said by: {' '.join(labels)} -->\n\n```text\n{text}```\n")
    texts, explained = sentences or (None, "`explain_findings" in old)
    block = "".join(f"{text}\n" for text in texts) if texts else SENTENCE.search(old)[1]
    if not any(line in spoken["gcc-12"].replace('\\"', '"').replace("\\'", "'") for line in block.splitlines()):
        raise ValueError(f"{case.name}: GCC says none of the sentences:\n{block}")
    parts.append("\nThe sentence, which GCC and Clang 20 and newer show")
    parts.append(", and `explain_findings` returns:\n\n" if explained else ":\n\n")
    parts.append(f"<!-- sentences -->\n\n```text\n{block}```\n")
    parts.append(f"\n## Repaired\n\n```diff\n{case.diff()}```\n\n[All errors](README.md)\n")
    return "".join(parts), block.split("\n")[0]


def index(cases, first_sentences):
    parts = [
        LICENCE,
        "<!-- Made from tests/compile_fail by the target docs_update. -->\n",
        "# Compile errors\n\n"
        "A mistake in a schedule is one compile error of a few lines. GCC and Clang 20 and newer show a sentence. The\n"
        "others name a template that is called what the sentence says, with the tasks, slots and numbers in question as\n"
        "its arguments. [Where they point](../errors.md#what-an-ide-shows) is another question. Each page has the wrong\n"
        "code, what the compilers say to it, and the repair; all of them are tests.\n\n"
        "A schedule without `result` is no mistake: its runs yield the number of each batch.\n",
    ]
    for key, (heading, rule) in SECTIONS.items():
        rows = [case for case in cases if case.section == key]
        if rows:
            parts.append(f"\n## {heading}\n\n{rule}\n\n| page | the sentence |\n| --- | --- |\n")
            for case in rows:
                cell = first_sentences[case.name].replace("|", "\\|")
                parts.append(f"| [{case.title}]({case.name}.md) | {cell} |\n")
    return "".join(parts)


def uncovered(cases):
    """The templates of errors/names.hpp that no case expects."""
    header = (ROOT / "include" / "stretto" / "errors" / "names.hpp").read_text()
    names = re.findall(r"^template <.*>\nstruct (\w+);", header, re.M)
    expected = " ".join(value for case in cases for value in case.expected.values())
    # Some are of libraries that not everybody has: their cases are in a folder, and have no page.
    for path in CASES.glob("*/*.cpp"):
        expected += " " + " ".join(re.findall(r"^// expect-error: (.*)", path.read_text(), re.M))
    for name in names:
        if not re.search(rf"\b{name}<", expected):
            yield f"errors/names.hpp has {name}, but no case of tests/compile_fail expects it"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", type=pathlib.Path, help="check this one's page for what --label said")
    parser.add_argument("--label", help="a compiler, as in gcc-12")
    parser.add_argument("--output", type=pathlib.Path, help="a file with what it said")
    parser.add_argument("--said", type=pathlib.Path, help="a folder with what compilers said, for --update")
    parser.add_argument("--sentences", type=pathlib.Path, action="append", default=[], help="a program that prints sentences")
    parser.add_argument("--update", action="store_true", help="write the pages")
    arguments = parser.parse_args()
    if arguments.case:
        return check_said(Case(arguments.case), arguments.label, arguments.output)

    cases = [Case(path) for path in sorted(CASES.glob("*.cpp"))]
    outputs = said_by_all(cases, arguments.said) if arguments.update else {}
    sentences = {}
    for program in arguments.sentences:
        sentences |= sentences_of(cases, program)

    wrong = list(uncovered(cases))
    made = {}
    first = {}
    for case in cases:
        path = PAGES / f"{case.name}.md"
        old = path.read_text() if path.exists() else ""
        if not (arguments.update or old):
            wrong.append(f"{path.relative_to(ROOT)} is missing")
            continue
        made[path], first[case.name] = page(case, outputs.get(case.name, {}), sentences.get(case.name), old)
    if len(first) == len(cases):
        made[PAGES / "README.md"] = index(cases, first)
    for path in sorted(PAGES.glob("*.md")):
        if path not in made and arguments.update:
            path.unlink()
        elif path not in made:
            wrong.append(f"{path.relative_to(ROOT)} belongs to no case")
    for path, text in made.items():
        if arguments.update:
            PAGES.mkdir(exist_ok=True)
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            now = path.read_text().splitlines() if path.exists() else []
            change = difference(now, text.splitlines())
            wrong.append(f"{path.relative_to(ROOT)} is out of date, the target docs_update writes it:\n{change}")

    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(cases)} pages, {len(wrong)} wrong")
    if arguments.update and not sentences:
        print("the sentences were taken from the pages: the programs that print them are built with GCC")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ValueError as problem:
        sys.exit(str(problem))
