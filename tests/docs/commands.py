#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the commands that pages show with what exists: presets, targets, options, tests, labels, scripts, programs and
what they take, paths. And some step of CI, or a test, does what each of them does.

What exists is read from the sources and from the build folder of the preset that runs this. The chapter "Use it" of the
README is followed word for word by tests/consumers/readme.py; sources that pages name are looked for by docs/check.py.
"""

import argparse
import bisect
import collections
import fnmatch
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGES = ("README.md", "CONTRIBUTING.md", "benchmarks/**/*.md", "docs/**/*.md", "examples/**/*.md", "tests/**/*.md")
FOLDERS = (".ci", "benchmarks", "cmake", "docs", "examples", "include", "tests")

# What no step of CI does as a page says it; what CI does instead; why.
OTHERWISE = {
    "workflow preset benchmarks": ("target benchmark_programs", "an hour, on a quiet machine"),
    "configure preset benchmarks": ("target benchmark_programs", "the same programs, in the build folder of the tests"),
    "workflow preset publish": ("target benchmark_programs", "an hour, on a quiet machine, and it rewrites pages"),
    "target publish_<group>": ("target benchmark_programs", "minutes, on a quiet machine, and it rewrites pages"),
    "workflow preset full": ("target full", "an hour and more: CI does a part"),
    "workflow preset record": ("script tests/record/record.py", "hours: CI asks how old the record is"),
    "workflow preset demo": ("target ranking", "trains for minutes: CI runs the program with --short"),
    "build preset compiled": ("configure preset compiled", "the test consumers.compiled builds in a folder of its own"),
    "configure preset install": ("test consumers.readme", "reads the command from the page"),
    "target docs_update": ("test docs.check", "rewrites what the test compares"),
    "target docs_images": ("target copy_compute", "rewrites pictures of times, other ones each time"),
    "target docs_figures": ("test docs.figures", "rewrites what the test compares"),
    "script benchmarks/gpu/run.sh": ("target gpu_programs", "needs a GPU"),
    "script benchmarks/compile/measure.py": ("script tests/compile_time/figures.py", "minutes with true compilers"),
    "script examples/ranking/data/make.py": (None, "reads a package that is not kept here"),
}
# Options that pages name on their own and that are of other people's programs.
OF_OTHERS = {"--report": "nsys stats"}
# Labels of tests that not every machine can build.
OF_SOME_MACHINES = ("benchmarks", "gpu", "mpi")
# Fewer kinds than that are found only by a reader of pages that has lost its eyes.
LEAST = (
    *("workflow preset", "configure preset", "build preset", "test preset", "build folder", "target", "library"),
    *("test", "test expression", "label", "variable", "program", "option of a program", "script"),
    *("option of a script", "command of stretto", "option of stretto", "path"),
)

CMAKE_OPTIONS = {
    "workflow": ("--workflow", "--preset", "--list-presets", "--fresh"),
    "build": ("--build", "--preset", "--target", "-t", "-j", "--parallel", "--config", "--clean-first", "-v"),
    "install": ("--install", "--prefix", "--component", "--config", "--strip"),
    "configure": ("--preset", "-S", "-B", "-G", "-D", "-P", "-E", "--fresh", "--list-presets", "--no-warn-unused-cli"),
}
CTEST_OPTIONS = ("--preset", "--test-dir", "-R", "-E", "-L", "-LE", "-j", "-N", "-V", "--output-on-failure")

Mention = collections.namedtuple("Mention", "where command kind name of", defaults=(None,))


def without_comments(text):
    """Of a shell's script or a file of the build."""
    return re.sub(r"(?m)(?:^|(?<=\s))#[^\n]*", "", text)


# --- what exists ------------------------------------------------------------------------------------------------------


class Sources:
    def __init__(self, root):
        self.root = root
        given = json.loads((root / "CMakePresets.json").read_text())
        self.presets = {
            kind: {p["name"]: p for p in given.get(f"{kind}Presets", ())}
            for kind in ("configure", "build", "test", "workflow")
        }

    def visible(self, kind, name):
        preset = self.presets[kind].get(name)
        return preset is not None and not preset.get("hidden")

    @functools.cached_property
    def cmake(self):
        """The text of each file of the build, without comments."""
        files = [self.root / "CMakeLists.txt", *(self.root / "cmake").glob("*.cmake")]
        for folder in ("benchmarks", "examples", "tests", "docs"):
            files += [*(self.root / folder).rglob("CMakeLists.txt"), *(self.root / folder).rglob("*.cmake")]
        return {f: without_comments(f.read_text()) for f in files}

    @functools.cached_property
    def code(self):
        """All text that may use a name: a macro's, a variable's of the build or of the environment."""
        texts = list(self.cmake.values())
        for folder in FOLDERS:
            for path in (self.root / folder).rglob("*"):
                if path.suffix in (".hpp", ".ipp", ".cpp", ".cu", ".in", ".py", ".sh") and path.parent != HERE:
                    texts.append(path.read_text(errors="replace"))
        return "\n".join(texts)

    @functools.cached_property
    def scripts(self):
        return [p for f in FOLDERS for p in (self.root / f).rglob("*.sh")]

    @functools.cached_property
    def headers(self):
        text = "\n".join(p.read_text() for p in (self.root / "include").rglob("*.?pp"))
        return re.sub(r"//[^\n]*", "", text)

    @functools.cached_property
    def declared(self):
        """Targets by the text of the build, each with the folder that declares it; of a name with a variable, what the
        variable is where its function or macro is called."""
        found, generic, adds = {}, [], r"\b(?:add_executable|add_custom_target|add_library)\("
        for file, text in self.cmake.items():
            for name in re.findall(adds + r"\s*([\w:]+)[\s)]", text):
                found[name] = file.parent
            bodies = r"\b(?:function|macro)\((\w+) name\b(.*?)\bend(?:function|macro)\("
            for function, body in re.findall(bodies, text, re.S):
                generic += [(function, before) for before in re.findall(adds + r"\s*([\w:]*)\$\{name\}", body)]
        for function, before in generic:
            for file, text in self.cmake.items():
                for name in re.findall(rf"\b{function}\(\s*(\w+)", text):
                    found[before + name] = file.parent
        return found

    def writes(self, name):
        """Whether the build names a file."""
        return any(re.search(rf"\b{re.escape(name)}(?![\w-])", text) for text in self.cmake.values())

    def lacks(self, targets):
        """Whether targets that a build folder of tests does not have may be of what this machine lacks."""
        folders = [self.declared[t].relative_to(self.root).parts[:1] for t in targets if t in self.declared]
        return ("examples",) in folders or ("tests",) in folders

    @functools.cached_property
    def variables(self):
        found = set()
        for text in self.cmake.values():
            found.update(re.findall(r"\boption\(\s*(\w+)", text))
            found.update(re.findall(r"\bset\(\s*(\w+)[^()]*\bCACHE\b", text))
            found.update(re.findall(r"\bfind_(?:program|library|path|file)\(\s*(\w+)", text))
        return found

    @functools.cached_property
    def tests(self):
        """Names of tests by the text of the build: where a build folder has a part of them only."""
        texts = self.cmake.values()
        names = [n for t in texts for n in re.findall(r"\b(?:stretto_add_test\(|(?:stretto|add)_test\(\s*NAME)\s*([\w.]+)", t)]
        labels = {w for t in texts for n in re.findall(r'\bLABELS\s+"?([\w;-]+)', t) for w in n.split(";")}
        return names, labels


class Build:
    def __init__(self, folder, ctest):
        self.folder = folder
        self.cache = dict(
            re.findall(r"^(\w+):\w+=(.*)$", (folder / "CMakeCache.txt").read_text(), re.M)
        )
        self.part = self.cache.get("STRETTO_SHARD", "") not in ("", "1/1")
        text = re.sub(r"\$\n\s*", "", (folder / "build.ninja").read_text())
        self.needs, self.programs, self.names_only = {}, {}, set()
        for outputs, rule, inputs in re.findall(r"^build (.+?): (\S+)(.*)$", text, re.M):
            names = [word for word in inputs.split() if not word.startswith("|")]
            for output in outputs.replace("|", " ").split():
                self.needs[output] = names
                if rule == "phony" and names:
                    self.names_only.add(output)
                if "_EXECUTABLE_LINKER__" in rule:
                    self.programs[output.rsplit("/", 1)[-1]] = output
        done = subprocess.run(
            [ctest, "--test-dir", folder, "--show-only=json-v1"], capture_output=True, text=True, check=True
        )
        self.tests = []
        for test in json.loads(done.stdout)["tests"]:
            properties = {p["name"]: p["value"] for p in test.get("properties", ())}
            self.tests.append((test["name"], properties.get("LABELS", []), test.get("command", [])))

    def closure(self, names):
        found, left = set(), list(names)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.needs.get(name, ())
        return found


class Help:
    """What `stretto` takes, by what it says itself."""

    def __init__(self, program):
        self.program = program

    @functools.lru_cache(maxsize=None)
    def text(self, *command):
        done = subprocess.run([self.program, *command, "--help"], capture_output=True, text=True, check=True)
        return done.stdout

    @functools.cached_property
    def commands(self):
        listed = re.search(r"^(?:Sub)?commands:\n((?:  .*\n)+)", self.text(), re.M | re.I)[1]
        lines = re.findall(r"^  (\w[\w, -]*?)(?:  |$)", listed, re.M)
        return {name for line in lines for name in re.split(r",\s*", line)}

    def takes(self, command, option):
        """By the lines that begin with an option, as texts name others."""
        begins = re.findall(r"^  (-.*?)(?:  | [A-Z]|$)", self.text(*[command] * (command is not None)), re.M)
        return option in {name for line in begins for name in re.split(r",\s*", line)}


def has_option(text, option):
    if option == "--help" and "argparse" in text:
        return True
    return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text) is not None


# --- what pages say ---------------------------------------------------------------------------------------------------


def commands_of(text):
    """The words of each command in lines of a shell."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;")
        lexer.whitespace_split, lexer.commenters = True, "#"
        words = []
        try:
            for word in lexer:
                if re.fullmatch(r"[&|;]+", word):
                    yield words
                    words = []
                else:
                    words.append(word)
        except ValueError:  # an apostrophe, say, in what is no command
            continue
        yield words


class Reader:
    """Finds in pages and scripts what is to exist."""

    def __init__(self, sources, build, stretto):
        self.sources, self.build, self.stretto = sources, build, stretto

    def script(self, word):
        """The scripts that a word may mean."""
        root = self.sources.root
        if word.startswith(("build/", "/")) or ".." in word or not re.fullmatch(r"[\w./-]+", word):
            return []
        if (root / word).is_file() and (word.endswith((".sh", ".py")) or os.access(root / word, os.X_OK)):
            return [root / word]
        if re.fullmatch(r"\w+\.(?:sh|py)", word):
            return sorted(p for f in FOLDERS for p in (root / f).rglob(word))
        return []

    def program_folder(self, name):
        """The folder with the sources of a program of the build."""
        if name in self.build.programs:
            return self.sources.root / pathlib.Path(self.build.programs[name]).parent
        return self.sources.declared.get(name)

    def of_cmake(self, words):
        mode = next((w[2:] for w in words if w in ("--workflow", "--build", "--install")), "configure")
        place, after, targets = None, None, []
        for word in words[1:] + ["--"]:
            if after in ("--target", "-t") and not word.startswith("-"):
                targets.append(word)
                continue
            if after == "--preset":
                place = ("preset", word)
                yield f"{mode} preset", word, None
            elif after in ("--build", "--install") and not word.startswith("-"):
                place = ("folder", word)
                yield "build folder", word, None
            elif word.startswith("-D"):
                yield from ((("variable", m[1], "-D"),) if (m := re.match(r"-D(STRETTO_\w+)", word)) else ())
            elif word.startswith("--preset="):
                place = ("preset", word[9:])
                yield f"{mode} preset", word[9:], None
            elif word.startswith("-") and word != "--" and word.split("=")[0] not in CMAKE_OPTIONS[mode]:
                yield "option of cmake", word, f"cmake --{mode}"
            after = word if word.startswith("-") else None
        for target in targets:
            yield "target", target, place

    def of_ctest(self, words):
        preset, after = None, None
        for word in words[1:]:
            if after == "--preset":
                preset = word
                yield "test preset", word, None
            elif after in ("-R", "-E"):
                yield "test expression", word, preset
            elif after in ("-L", "-LE"):
                yield "label", word, preset
            elif word.startswith("-") and word.split("=")[0] not in CTEST_OPTIONS:
                yield "option of ctest", word, "ctest"
            after = word if word.startswith("-") else None

    def of_stretto(self, words):
        command = words[1] if len(words) > 1 else ""
        if re.fullmatch(r"[a-z]+", command):
            yield "command of stretto", command, None
        for word in words[1:]:
            if re.match(r"--?[a-z]", word):
                yield "option of stretto", word.split("=")[0], command if re.fullmatch(r"[a-z]+", command) else None

    def of_command(self, words):
        """Kind, name and context of all that a command names."""
        words = list(words)
        while words and re.match(r"\w+=", words[0]):
            words.pop(0)
        if words[:2] == ["mpirun", "-n"]:
            words = words[3:]
            if words and self.program_folder(words[0]):
                yield "program", words[0], None
        if words and words[0] in ("sh", "bash", "python3", "sudo") and len(words) > 1:
            if re.fullmatch(r"[\w./-]+\.(?:sh|py)", words[1]) and not self.script(words[1]):
                yield "script", words[1], None
                return
            words.pop(0)
        if not words:
            return
        head = words[0]
        yield from (("path", w, None) for w in words[1:] if w.split("/")[0] in FOLDERS and "/" in w)
        if head == "cmake":
            yield from self.of_cmake(words)
        elif head == "ctest":
            yield from self.of_ctest(words)
        elif head == "stretto":
            yield from self.of_stretto(words)
        elif scripts := self.script(head):
            script = str(scripts[0].relative_to(self.sources.root))
            if "/" in head or len(scripts) == 1 < len(words):
                yield "script", script, None
            for word in words[1:]:
                if re.match(r"--?[a-z]", word):
                    yield "option of a script", word.split("=")[0], [script] if "/" in head else [str(s) for s in scripts]
        elif head.startswith("build/") and "/" in head[6:]:
            yield "program", head, None
            yield from self.of_program(head.rsplit("/", 1)[1], words)
        elif re.fullmatch(r"\w+", head) and self.program_folder(head) and len(words) > 1:
            yield "program", head, None
            yield from self.of_program(head, words)
        elif head.split("/")[0] in FOLDERS and "/" in head:
            yield "script" if len(words) > 1 else "path", head, None

    def of_program(self, name, words):
        for word in words[1:]:
            if re.match(r"--[a-z]", word):
                yield "option of a program", word.split("=")[0], name

    def in_code(self, span):
        """What words in a text say that are set as code."""
        words = next(commands_of(span), [])
        if not words:
            return
        if words[0] in ("-L", "-R"):
            yield from self.of_ctest(["ctest", *words])
        elif re.match(r"--[a-z]", words[0]):
            yield from (("option", w.split("=")[0], None) for w in words if re.match(r"--[a-z]", w))
        elif self.stretto and words[0] in self.stretto.commands and any(w.startswith("--") for w in words):
            yield from self.of_stretto(["stretto", *words])
        elif re.fullmatch(r"docs_\w+", span):
            yield "target", span, None
        elif m := re.fullmatch(r"stretto::(\w+)", span):
            yield "library", m[1], None
        elif re.fullmatch(r"build/[\w./-]+", span):
            yield "build folder" if span.count("/") == 1 else "program", span, None
        elif re.fullmatch(r"[\w.*-]+(?:/[\w.*+-]+)+/?|[\w-]+/", span):
            yield "path", span, None
            if self.script(span):
                yield "script", span, None
        else:
            yield from self.of_command(words)

    def page(self, path):
        text = path.read_text()
        ends = [m.end() for m in re.finditer(r"\n", text)]
        name = os.path.relpath(path, self.sources.root)

        def mention(at, command, found):
            where = f"{name}:{bisect.bisect_right(ends, at) + 1}"
            return (Mention(where, " ".join(command.split()), *each) for each in found)

        def blanked(m):
            return re.sub(r"[^\n]", " ", m[0])

        for block in re.finditer(r"^```(\w*)\n(.*?)^```", text, re.M | re.S):
            at = block.start(2)
            if block[1] in ("sh", "console", "bash"):
                for line in block[2].splitlines(keepends=True):
                    line_of = line.removeprefix("$ ") if block[1] == "console" else line
                    for words in commands_of(line_of):
                        yield from mention(at, " ".join(words), self.of_command(words))
                    at += len(line)
            elif block[1] == "cmake":
                for m in re.finditer(r"stretto::(\w+)", block[2]):
                    yield from mention(at + m.start(), m[0], [("library", m[1], "cmake")])
            if block[1] in ("sh", "cmake", "console", "bash"):
                for m in re.finditer(r"\bSTRETTO_\w*[A-Z0-9]\b", block[2]):
                    yield from mention(block.start(2) + m.start(), m[0], [("variable", m[0])])

        text = re.sub(r"^```.*?^```$|<!--.*?-->", blanked, text, flags=re.M | re.S)
        for span in re.finditer(r"(?<!`)(`+)(?!`)((?:(?!\n\n).)+?)(?<!`)\1(?!`)", text, re.S):
            code = " ".join(span[2].split())
            yield from mention(span.start(), code, self.in_code(code))
            for variable in re.findall(r"\bSTRETTO_\w*[A-Z0-9]\b", code):
                yield from mention(span.start(), code, [("variable", variable)])
        for row in re.finditer(r"^\| `(\w+)`, `stretto::\1` \|", text, re.M):
            yield from mention(row.start(), f"stretto::{row[1]}", [("library", row[1], "cmake")])
        for said in re.finditer(r"\b(target|preset|test|label)s? \(?((?:`[^`\n]+`(?:,\s+|\s+and\s+|\s+or\s+)?)+)", text):
            for what in re.findall(r"`([^`]+)`", said[2]):
                yield from mention(said.start(), f"{said[1]} `{what}`", self.called(said[1], what))

    def called(self, kind, what):
        """What a text calls a target, a preset, a test or a label."""
        if kind == "target" and re.fullmatch(r"[a-z]\w+", what):
            yield kind, what
        elif kind == "target" and (m := re.fullmatch(r"stretto::(\w+)", what)):
            yield "library", m[1], "cmake"
        elif kind == "preset" and re.fullmatch(r"[\w-]+", what):
            yield "preset", what
        elif kind == "test" and re.fullmatch(r"[a-z_]+(?:\.[\w*]+)+(?<!pp)(?<!\.py)(?<!\.cmake)(?<!\.json)", what):
            yield kind, what
        elif kind == "label" and re.fullmatch(r"[\w-]+", what):
            yield kind, what

    def script_commands(self, path, comments=True):
        """Commands in a script or a file of the build, those in its comments and messages included."""
        text = path.read_text(errors="replace")
        text = (text if comments else without_comments(text)).replace('"${CMAKE_COMMAND}"', "cmake").replace('"', " ")
        pattern = (
            r"\b(?:cmake (?:--workflow|--build|--preset)|ctest --preset)[^`'|&;()\n]*"
            r"|\b(?:sh|python3) [\w./-]+\.(?:sh|py)\b"
        )

        def where(at):
            return f"{os.path.relpath(path, self.sources.root)}:{text.count(chr(10), 0, at) + 1}"

        for found in re.finditer(pattern, text):
            for words in commands_of(re.sub(r"[.,:;](?=\s|$)", "", found[0])):
                for each in self.of_command(words):
                    yield Mention(where(found.start()), found[0].strip(), *each)
        folders = "|".join(map(re.escape, FOLDERS))
        for remark in re.finditer(r"(?:^|(?<=\s))#[^\n]*", text) if comments else ():
            for found in re.finditer(rf"(?<![\w./${{}}>-])(?:{folders})/[\w./*-]*\w\b(?! of the build)", remark[0]):
                yield Mention(where(remark.start()), found[0], "path", found[0])


# --- whether it is there ----------------------------------------------------------------------------------------------


class Judge:
    def __init__(self, sources, build, stretto, reader):
        self.sources, self.build, self.stretto, self.reader = sources, build, stretto, reader
        self.options = collections.defaultdict(list)  # of each page: of what it names, who takes which option

    def missing(self, m):
        """What is not there of a mention; none if all of it is."""
        judge = getattr(self, m.kind.replace(" ", "_"), None)
        if judge is None and m.kind.endswith(" preset"):
            kind = m.kind.split()[0]
            return None if self.sources.visible(kind, m.name) else f"there is no {m.kind} `{m.name}`"
        return judge(m)

    def preset(self, m):
        if not any(self.sources.visible(kind, m.name) for kind in self.sources.presets):
            return f"there is no preset `{m.name}`"

    def build_folder(self, m):
        if not m.name.startswith("build/") or not self.folder_exists(m.name.split("/")[1]):
            return f"no preset and no script builds in `{m.name}`"

    def folder_exists(self, name):
        if self.sources.visible("configure", name):
            return True
        return any(re.search(rf"\bbuild/{name}\b", p.read_text()) for p in self.sources.scripts)

    def targets(self, name):
        """The targets that a name means, which may have a <placeholder>."""
        pattern = re.compile("".join(r"\w+" if p.startswith("<") else re.escape(p) for p in re.split(r"(<\w+>)", name)))
        known = {*self.build.needs, *self.sources.declared}
        return [t for t in known if "/" not in t and pattern.fullmatch(t)] if "<" in name else [name] * (name in known)

    def target(self, m):
        found = self.targets(m.name)
        if not found:
            return f"there is no target `{m.name}`"
        here = ("preset", self.build.folder.name), ("folder", f"build/{self.build.folder.name}")
        if m.of in here and not any(t in self.build.needs for t in found) and not self.sources.lacks(found):
            return f"there is no target `{m.name}` in build/{self.build.folder.name}"

    def library(self, m):
        if f"stretto::{m.name}" in self.sources.declared or f"stretto_{m.name}" in self.sources.declared:
            return None
        declared = (
            rf"\b(?:struct|class|concept|namespace|using|enum class|constexpr [\w:<>]+) (?:\w+::)*{m.name}\b"
            rf"|[\w>&*] {m.name}\("
        )
        if m.of != "cmake" and re.search(declared, self.sources.headers):
            return None
        return f"there is no `stretto::{m.name}`"

    def variable(self, m):
        if m.of == "-D":
            if m.name not in self.sources.variables and m.name not in self.build.cache:
                return f"there is no option `{m.name}` of the build"
        elif not re.search(rf"\b{m.name}\b", self.sources.code):
            return f"nothing is called `{m.name}`"

    def tests_of(self, preset):
        """Names and labels of the tests that a preset runs, or all."""
        filters, name = {"include": {}, "exclude": {}}, preset
        while name in self.sources.presets["test"]:
            of = self.sources.presets["test"][name]
            for side in filters:
                filters[side] = {**of.get("filter", {}).get(side, {}), **filters[side]}
            name = of.get("inherits")
        for name, labels, _ in self.build.tests:

            def matches(side):
                label, expression = filters[side].get("label"), filters[side].get("name")
                return [bool(e and re.search(e, t)) for e, ts in ((label, labels), (expression, [name])) for t in ts]

            if ("label" in filters["include"] or "name" in filters["include"]) and not any(matches("include")):
                continue
            if not any(matches("exclude")):
                yield name, labels

    def test(self, m):
        names = [name for name, *_ in self.build.tests] + self.sources.tests[0] * self.build.part
        if not fnmatch.filter(names, m.name):
            return f"there is no test `{m.name}`"

    def test_expression(self, m):
        names = [name for name, _ in self.tests_of(m.of)] + self.sources.tests[0] * self.build.part
        if not any(re.search(m.name, name) for name in names):
            return f"no test is called anything like `{m.name}`"

    def label(self, m):
        labels = {label for _, labels in self.tests_of(m.of) for label in labels}
        if self.build.part or m.name in OF_SOME_MACHINES:
            labels |= self.sources.tests[1]
        if not any(re.search(m.name, label) for label in labels):
            return f"no test has the label `{m.name}`"

    def script(self, m):
        path = self.sources.root / m.name
        if path.is_file():
            self.options[page_of(m)].append(functools.partial(has_option, path.read_text()))
            return None
        return f"there is no {m.name}"

    def option_of_a_script(self, m):
        if not any(has_option((self.sources.root / s).read_text(), m.name) for s in m.of):
            return f"{m.of[0]} knows no `{m.name}`"

    def program(self, m):
        name = m.name.rsplit("/", 1)[-1]
        if m.name.startswith("build/"):
            _, folder, rest = m.name.split("/", 2)
            if not self.folder_exists(folder):
                return f"no preset and no script builds in build/{folder}"
            made = any(o == rest or o.startswith(rest.rstrip("/") + "/") for o in self.build.needs)
            if not made and (name in self.build.programs or not self.sources.writes(name)):
                return f"nothing builds or writes {rest}"
        folder = self.reader.program_folder(name)
        if folder is not None:
            self.options[page_of(m)].append(functools.partial(self.program_takes, name))

    def program_takes(self, name, option):
        folder = self.reader.program_folder(name)
        return any(has_option(p.read_text(), option) for p in folder.rglob("*.?pp"))

    def option_of_a_program(self, m):
        if self.reader.program_folder(m.of) is not None and not self.program_takes(m.of, m.name):
            return f"`{m.of}` takes no `{m.name}`"

    def command_of_stretto(self, m):
        if self.stretto is None:
            return None
        if m.name not in self.stretto.commands:
            return f"`stretto` has no command `{m.name}`"
        self.options[page_of(m)].append(functools.partial(self.stretto.takes, m.name))

    def option_of_stretto(self, m):
        if self.stretto is None or m.of is not None and m.of not in self.stretto.commands:
            return None
        if not self.stretto.takes(m.of, m.name):
            return f"`stretto {m.of or ''}".rstrip() + f"` takes no `{m.name}`"

    def option_of_cmake(self, m):
        return f"`{m.of}` takes no `{m.name}`"

    option_of_ctest = option_of_cmake

    def option(self, m):
        """An option on its own: of something that the page names."""
        if m.name in OF_OTHERS:
            return None
        if self.stretto is None:
            return None
        if not any(takes(m.name) for takes in self.options[page_of(m)]):
            return f"nothing that this page names takes `{m.name}`"

    def path(self, m):
        root, page = self.sources.root, self.sources.root / m.where.split(":")[0]
        name = m.name.rstrip("/.,")
        first = name.split("/")[0]
        bases = [b for b in (root, page.parent, root / "include", root / "include/stretto") if (b / first).is_dir()]
        if not bases or any(any(b.glob(name)) for b in bases):
            return None
        if not any(m.name in p.read_text() for p in self.sources.scripts):  # which may make it
            return f"there is no {m.name}"


def page_of(mention):
    return mention.where.split(":")[0]


# --- whether CI does it -----------------------------------------------------------------------------------------------


class Done:
    """What the steps of .ci/run and the tests do: `kind name` of each."""

    def __init__(self, sources, build, reader, ci):
        self.sources, self.build = sources, build
        self.names, self.scripts, left = set(), set(), [ci]
        for name, _, command in build.tests:
            self.names.add(f"test {name}")
            for before, word in zip(["", *command], command):
                if before == "--target":
                    self.names.add(f"target {word}")
                path = pathlib.Path(word)
                if path.is_relative_to(sources.root) and not path.is_relative_to(build.folder):
                    if path.suffix in (".py", ".sh", ".cmake") or path.is_file() and os.access(path, os.X_OK):
                        left.append(path)
        while left:
            path = left.pop()
            if path in self.scripts:
                continue
            self.scripts.add(path)
            self.names.add(f"script {os.path.relpath(path, sources.root)}")
            whole_preset = None
            text = path.read_text()
            if path.suffix == ".py" or text.startswith("#!/usr/bin/env python3"):
                # Commands are lists there, and texts that name some: only scripts next to it that it runs.
                for word in re.findall(r'/ "([\w.-]+)"', text):
                    left += reader.script(str((path.parent / word).relative_to(sources.root)))
                continue
            for m in reader.script_commands(path, comments=False):
                if m.kind == "target":
                    self.names.discard(whole_preset)
                self.names.add(f"{m.kind} {m.name}")
                whole_preset = f"{m.kind} {m.name}" if m.kind == "build preset" else whole_preset
            if path == ci:
                text = without_comments(text)
                self.take_steps(text)
                for word in re.findall(r"[\w./-]+/[\w.-]+", text):
                    left += reader.script(word)
        self.complete()

    def take_steps(self, text):
        """Presets that functions of the script are called with."""
        functions = re.findall(r"^(\w+)\(\) {\n(.*?)^}", text, re.M | re.S)
        outside = re.sub(r"^\w+\(\) {\n.*?^}", "", text, flags=re.M | re.S)
        loops = re.findall(r"^\s*for\b.*", outside, re.M)
        for function, body in [*functions, ("", outside)]:
            kinds = set()
            if re.search(r'cmake --preset "?\$', body):
                kinds.add("configure")
            if re.search(r'cmake --build --preset "?\$', body):
                kinds.add("build")
            if re.search(r'ctest --preset "?\$', body):
                kinds.add("test")
            if re.search(r'cmake --workflow --preset "?\$', body):
                kinds.add("workflow")
            called = [line for line in outside.splitlines() if function and re.search(rf"\b{function}\b", line)]
            within = re.findall(r"^\s*for\b.*", body, re.M)
            calls = called + within * (not function or bool(called)) + loops * any("$" in call for call in called)
            for word in re.findall(r"[\w-]+", " ".join(calls)):
                self.names.update(f"{kind} preset {word}" for kind in kinds if word in self.sources.presets[kind])

    def complete(self):
        """A workflow does its steps, and who does all steps does the workflow; a build preset builds its targets."""
        presets = self.sources.presets
        for name, workflow in presets["workflow"].items():
            steps = {f"{step['type']} preset {step['name']}" for step in workflow["steps"]}
            if f"workflow preset {name}" in self.names:
                self.names |= steps
            elif steps <= self.names:
                self.names.add(f"workflow preset {name}")
        built = set()
        for name, preset in presets["build"].items():
            if f"build preset {name}" in self.names:
                self.names.add(f"configure preset {preset['configurePreset']}")
                targets = preset.get("targets", "all")
                built.update([targets] if isinstance(targets, str) else targets)
        built |= {name.split(" ", 1)[1] for name in self.names if name.startswith("target ")}
        if self.build.part:  # other folders build the programs that this one leaves out
            built.update(self.build.programs.values())
        made = self.build.closure(built)
        self.names |= {f"target {name}" for name in {*built, *made}}
        for name, output in self.build.programs.items():
            if output in made:
                self.names |= {f"target {name}", f"program {name}"}
        # What has no command of its own is made of what it needs: `ranking` is examples/ranking/ranking.
        for _ in range(4):
            for name in self.build.names_only:
                if all(need in made for need in self.build.needs[name]):
                    made.add(name)
        self.names |= {f"target {name}" for name in made}

    def does(self, key):
        kind, name = key.split(" ", 1)
        if not self.build.part or kind not in ("script", "test"):
            return key in self.names
        return key in self.names or self.sources.writes(name.rsplit("/", 1)[-1])  # a test of another part

    def lacks(self, mention, targets):
        """Why no step does what a page names; none if one does, or something else that stands for it."""
        kind, name = mention.kind, mention.name.rsplit("/", 1)[-1] if mention.kind == "program" else mention.name
        key = f"{kind} {name}"
        if kind == "program" and name not in self.build.programs:
            return None  # a file, or a program of what this machine lacks
        if self.does(key) or kind == "target" and targets and all(f"target {t}" in self.names for t in targets):
            return None
        if key in OTHERWISE:
            instead = OTHERWISE[key][0]
            if instead is None or self.does(instead):
                return None
            return f"no step of CI does `{instead}`, which is to stand for it"
        if kind == "target" and not any(t in self.build.needs for t in targets) and self.sources.lacks(targets):
            return None
        return "no step of CI does that"


DONE_KINDS = ("workflow preset", "configure preset", "build preset", "test preset", "target", "script", "program")


class Check:
    def __init__(self, root, folder, ctest, program):
        self.sources = Sources(root)
        self.build = Build(folder, ctest)
        stretto = Help(program) if program else None
        self.reader = Reader(self.sources, self.build, stretto)
        self.judge = Judge(self.sources, self.build, stretto, self.reader)
        self.done = Done(self.sources, self.build, self.reader, root / ".ci/run")

    def pages(self):
        return sorted({p for pattern in PAGES for p in self.sources.root.glob(pattern)})

    def scripts(self):
        yield self.sources.root / ".ci/run"
        yield from self.sources.cmake
        for folder in FOLDERS:
            for path in sorted((self.sources.root / folder).rglob("*")):
                runs = not path.suffix and path.is_file() and os.access(path, os.X_OK)
                if (runs or path.suffix in (".py", ".sh")) and path.parent != HERE:
                    yield path

    def complaints(self, mentions):
        """Each, once for each line."""
        found = {}
        mentions = sorted(set(hashable(m) for m in mentions), key=lambda m: m.kind == "option")  # when tools are known
        for m in mentions:
            why = self.judge.missing(m)
            if why is None and m.kind in DONE_KINDS:
                why = self.done.lacks(m, self.judge.targets(m.name) if m.kind == "target" else [])
            if why is not None:
                found.setdefault((m.where, why), f"{m.where}: {m.command}: {why}")
        return [found[key] for key in sorted(found)]

    def script_complaints(self, scripts):
        """A script may name what it has in variables: what it says in words is judged, and not whether CI does it."""
        kinds = [k for k in DONE_KINDS if k != "program"] + ["path", "variable"]
        for path in scripts:
            for m in self.reader.script_commands(path):
                if m.kind in kinds and not re.search(r"[$%{}<\\]|_$", m.name) and (why := self.judge.missing(m)):
                    yield f"{m.where}: {m.command}: {why}"

    def unseen(self, mentions):
        """Kinds that no page names."""
        kinds = {m.kind for m in mentions}
        return [f"no page names a {kind}: this script does not see what it is to" for kind in LEAST if kind not in kinds]

    def unneeded(self, mentions):
        """Exceptions that no page needs any more."""
        named = {f"{m.kind} {m.name}" for m in mentions}
        for key in OTHERWISE:
            if key not in named:
                yield f"tests/docs/commands.py: `{key}` is excepted, and no page names it"
            elif key in self.done.names:
                yield f"tests/docs/commands.py: `{key}` is excepted, and a step of CI does it"


def hashable(m):
    return m._replace(of=tuple(m.of)) if isinstance(m.of, list) else m


def arguments_of(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a build folder of the preset `test`, by Ninja")
    parser.add_argument("--ctest", default="ctest")
    parser.add_argument("--stretto", type=pathlib.Path, help="the program `stretto`, if it is built")
    parser.add_argument("--list", action="store_true", help="print all that is found")
    arguments = parser.parse_args()
    if arguments.stretto and not arguments.stretto.is_file():
        sys.exit(f"{arguments.stretto} is not built")
    return arguments, Check(arguments.source, arguments.build, arguments.ctest, arguments.stretto)


def main():
    arguments, check = arguments_of(__doc__.split("\n\n")[0])
    mentions = [m for page in check.pages() for m in check.reader.page(page)]
    if arguments.list:
        for m in mentions:
            print(*m, sep=" | ")
    wrong = [*check.complaints(mentions), *check.script_complaints(check.scripts())]
    wrong += [*check.unneeded(mentions), *check.unseen(mentions)]
    kinds = collections.Counter(m.kind for m in mentions)
    for line in wrong:
        print(line, file=sys.stderr)
    print(", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())))
    print(f"{len(mentions)} named, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
