# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts here share: options, whether what is to be broken is still there, a bench that breaks pieces of
headers and looks whether a test fails, and the outcome for tests/record.json."""

import argparse
import concurrent.futures
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import deadline

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCTEST_MAIN = "tests/main.cpp"


@dataclasses.dataclass(frozen=True, eq=False)
class Mutant:
    what: str
    changes: list  # of (header, a piece of it, what it becomes)
    sources: tuple  # of the program that must fail; the first is the test
    arguments: tuple = ("--abort-after=1",)


def options_of(doc):
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="those whose description has this text")
    parser.add_argument("--sample", type=int, help="that many of them, the same ones each time")
    parser.add_argument("--shard", default="1/1", help="2/8: the second of eight parts of them")
    parser.add_argument("--check", action="store_true", help="break nothing: whether each piece is still there")
    parser.add_argument("--outcome", type=pathlib.Path, help="write there what became of them")
    return parser


def stale(pieces):
    """A line for each (what, file, piece) that the file does not hold exactly once."""
    return [
        f"{file} does not hold exactly one {piece!r} ({what})"
        for what, file, piece in pieces
        if not file.exists() or file.read_text().count(piece) != 1
    ]


def shard_of(mutant, shards):
    """By what it is, so that a mutant stays where it is when others come and go."""
    digest = hashlib.md5(f"{mutant.what}\n{mutant.changes[0][0]}".encode()).hexdigest()
    return int(digest[:6], 16) % shards + 1


def chosen_of(mutants, options):
    shard, shards = map(int, options.shard.split("/"))
    chosen = [m for m in mutants if options.only in m.what and shard_of(m, shards) == shard]
    if options.sample and options.sample < len(chosen):
        chosen = random.Random(1).sample(chosen, options.sample)
    return chosen


@functools.cache
def included_by(file):
    """The files that a file includes, with STRETTO_COMPILED: headers then do without their .ipp."""
    found = set()
    for quote, name in re.findall(r'^ *# *include *([<"])([^>"]+)', (ROOT / file).read_text(), re.M):
        if name.endswith(".ipp") and file.endswith(".hpp") and "/compiled" not in file:
            continue
        places = [pathlib.Path(file).parent] if quote == '"' else []
        for place in [*places, *map(pathlib.Path, ("include", "tests", "tests/support"))]:
            if (ROOT / place / name).is_file():
                found.add(os.path.normpath(place / name))
                break
    return found


def reached_by(file):
    """All that comes with a file."""
    reached, next_ones = set(), [file]
    while next_ones:
        added = included_by(next_ones.pop()) - reached
        reached |= added
        next_ones.extend(added)
    return reached


class Broken(Exception):
    """Something does not work before anything is broken."""


class Bench:
    """Builds tests with broken headers before the real ones in the include path. A test is linked with the library of
    stretto::compiled, and of both only what includes a broken header is compiled again: the test, or an .ipp by itself,
    whose functions the linker then takes instead of the library's. Where the library includes a header that is broken and
    is no .ipp, the test has all of it from headers instead."""

    LIBRARY = ("cmake/compiled.cpp", "cmake/compiled_files.cpp")
    WORTH_A_LIBRARY = 10  # mutants: it takes as long as compiling so many tests

    def __init__(self, cxx, folder, overlay=None, flags=()):
        self.cxx, self.folder, self.overlay = cxx, folder, overlay
        self.flags = ["-std=c++20", "-O0", "-w", "-pthread", *flags]
        if "clang" not in subprocess.run([cxx, "--version"], capture_output=True, text=True).stdout:
            self.flags.append("--param=ggc-min-heapsize=700000")  # a tenth of the time, as in tests/CMakeLists.txt
        self.cache = [shutil.which("ccache")] if shutil.which("ccache") else []
        self.env = {**os.environ, "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1"}
        self.library = []
        self.in_library = set()
        self.doctest = folder / "doctest.o"
        built = self.compile(ROOT / DOCTEST_MAIN, self.doctest, cache=self.cache)
        if built.status != 0:
            raise Broken(built.output)

    def compile(self, source, made, broken=None, linked=False, cache=()):
        places = [broken, self.overlay, *(ROOT / place for place in ("include", "tests", "tests/support"))]
        command = [*cache, self.cxx, *self.flags, *(["-DSTRETTO_COMPILED"] if linked else [])]
        command += [f"-I{place}" for place in places if place]
        return deadline.run([*command, "-c", source, "-o", made], env=self.env)

    def make_library(self, pool):
        def make(source):
            made = self.folder / f"{pathlib.Path(source).stem}.o"
            return made, self.compile(ROOT / source, made, linked=True, cache=self.cache)

        archive = self.folder / "library.a"
        (made, built), (files, files_built) = pool.map(make, self.LIBRARY)
        if built.status != 0:
            raise Broken(built.output)
        objects = [made, *([files] if files_built.status == 0 else [])]  # without nlohmann/json there are no files
        deadline.run(["ar", "rcs", archive, *objects])
        self.library = [archive]
        self.in_library = set().union(*(reached_by(source) for source in self.LIBRARY))

    def is_linkable(self, mutant):
        """Whether the library may stay as it is, apart from .ipp that are broken."""
        in_library = self.in_library or set().union(*(reached_by(source) for source in self.LIBRARY))
        return all(header.endswith(".ipp") or header not in in_library for header, _, _ in mutant.changes)

    def link(self, objects, program, linked):
        library = ["-Wl,-z,muldefs", *self.library] if linked else []
        return deadline.run([self.cxx, "-pthread", *objects, *library, "-o", program])

    def sound(self, sources, arguments, linked):
        """The test with nothing broken: its objects by source, and how it ended."""
        name = f"{sources[0].replace('/', '.')}{'.linked' if linked else ''}"
        objects = {DOCTEST_MAIN: self.doctest}
        for number, source in enumerate(s for s in sources if s != DOCTEST_MAIN):
            objects[source] = self.folder / f"{name}.{number}.o"
            built = self.compile(ROOT / source, objects[source], linked=linked, cache=self.cache)
            if built.status != 0:
                raise Broken(f"{source} does not compile before anything is broken\n{built.output}")
        program = self.folder / name
        built = self.link([objects[s] for s in sources], program, linked)
        if built.status != 0:
            raise Broken(f"{sources[0]} does not link before anything is broken\n{built.output}")
        ended = deadline.run([program, *arguments], wall=3600)
        program.unlink()
        if ended.status != 0:
            raise Broken(f"{sources[0]} fails before anything is broken\n{ended.output}")
        return objects, ended

    def forget(self, sound):
        for source, made in sound[0].items():
            if source != DOCTEST_MAIN:
                made.unlink()

    def broken_headers(self, place, changes):
        for header, piece, replacement in changes:
            header = pathlib.Path(header)
            broken = place / header
            over = self.overlay / header.relative_to("include") if self.overlay else broken
            text = next(f for f in (broken, over, ROOT / header) if f.exists()).read_text()
            broken.parent.mkdir(parents=True, exist_ok=True)
            broken.write_text(text.replace(piece, replacement))
        return place / "include"

    def built(self, place, mutant, objects, linked):
        """The program with broken headers, or how the compiler ended."""
        include = self.broken_headers(place, mutant.changes)
        headers = {header for header, _, _ in mutant.changes}
        remade = []
        for source in mutant.sources:
            if source == DOCTEST_MAIN or (linked and not headers & reached_by(source)):
                remade.append((None, objects[source]))
            else:
                remade.append((ROOT / source, place / f"{pathlib.Path(source).stem}.o"))
        for header in sorted(h for h in headers if linked and h.endswith(".ipp")):
            alone = place / f"{len(remade)}.cpp"
            alone.write_text(f"#include <{pathlib.Path(header).relative_to('include')}>\n")
            remade.append((alone, alone.with_suffix(".o")))
        for source, made in remade:
            if source:
                ended = self.compile(source, made, include, linked)
                if ended.status != 0:
                    return None, ended
        program = place / "test"
        ended = self.link([made for _, made in remade], program, linked)
        return (program if ended.status == 0 else None), ended

    def judge(self, place, mutant, sound, linked, refused):
        """(killed, survived or unbuilt, by what)"""
        objects, unbroken = sound
        program, ended = self.built(place, mutant, objects, linked)
        if program is None:
            if re.search(refused, ended.output):
                return "killed", "the compiler"
            errors = [line for line in ended.output.splitlines() if "error" in line or "undefined" in line]
            return "unbuilt", "\n".join(errors[:3])
        ran = deadline.run(
            [program, *mutant.arguments], processor=10 + 10 * unbroken.processor, wall=60 + 20 * unbroken.wall
        )
        if ran.status == 0:
            return "survived", ""
        if ran.hung:
            return "killed", "a hang"
        seed = re.search(r"seed \d+|hangs", ran.output)
        return "killed", seed[0] if seed else mutant.sources[0]


def break_all(script, options, mutants, more_out_of_date=(), overlay=None, refused="static assertion failed"):
    """The main part of a script."""
    out_of_date = stale((m.what, ROOT / header, piece) for m in mutants for header, piece, _ in m.changes)
    out_of_date += [f"there is no {s}" for s in sorted({s for m in mutants for s in m.sources}) if not (ROOT / s).exists()]
    out_of_date += more_out_of_date
    if out_of_date:
        sys.exit("\n".join(["this script is out of date:", *out_of_date]))
    if options.check:
        return 0
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    chosen = chosen_of(mutants, options)
    try:
        judged = judged_on_bench(options, chosen, overlay, refused)
    except Broken as why:
        sys.exit(str(why))
    unbuilt = [m.what for m in chosen if judged[m] == "unbuilt"]
    survivors = [m.what for m in chosen if judged[m] == "survived"]
    killed = len(chosen) - len(unbuilt) - len(survivors)
    if options.outcome:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        outcome = {
            "script": pathlib.Path(script).stem,
            "shard": options.shard,
            "mutants": len(chosen),
            "killed": killed,
            "survivors": survivors,
            "unbuilt": unbuilt,
            "processor_seconds": round(used.ru_utime + used.ru_stime, 1),
            "commit": commit,
        }
        options.outcome.write_text(json.dumps(outcome, indent=2) + "\n")
    print(f"{killed} passed, {len(unbuilt) + len(survivors)} failed")
    return 1 if unbuilt or survivors else 0


def judged_on_bench(options, chosen, overlay, refused):
    """What became of each mutant. Those of one test are tried one after the other, with what they share made once."""
    judged = {}
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        bench = Bench(options.cxx, pathlib.Path(scratch), overlay)
        linkable = {m for m in chosen if bench.is_linkable(m)}
        if len(linkable) >= Bench.WORTH_A_LIBRARY:
            bench.make_library(pool)
        else:
            linkable = set()
        groups = {}
        for m in chosen:
            groups.setdefault((m.sources, m.arguments, m in linkable), []).append(m)
        numbers = {m: number for number, m in enumerate(chosen)}

        def judge_group(key):
            sources, arguments, linked = key
            sound = bench.sound(sources, arguments, linked)
            for m in groups[key]:
                place = bench.folder / str(numbers[m])
                how, by = bench.judge(place, m, sound, linked, refused)
                shutil.rmtree(place)
                judged[m] = how
                said = {"killed": f"killed by {by}", "survived": "SURVIVED", "unbuilt": f"DOES NOT COMPILE\n{by}\n"}[how]
                print(f"{said:44} {m.what} ({m.sources[0]})", flush=True)
            bench.forget(sound)

        running = [pool.submit(judge_group, key) for key in sorted(groups, key=lambda k: -len(groups[k]))]
        try:
            for one in concurrent.futures.as_completed(running):
                one.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    return judged


def break_pieces(script, options, pieces, more_out_of_date=()):
    """The main part of a script whose mutants are (what is broken, header, a piece of it, what it becomes, the test
    that must fail)."""
    mutants = [
        Mutant(what, [(header, piece, replacement)], (test, DOCTEST_MAIN))
        for what, header, piece, replacement, test in pieces
    ]
    return break_all(script, options, mutants, more_out_of_date)
