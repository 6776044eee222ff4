# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts here share: options, whether what is to be broken is still there, the sample of a day, a bench
that breaks one piece of a header and looks whether a small test fails, and the score of whole runs."""

import argparse
import concurrent.futures
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCORE = pathlib.Path(__file__).with_name("score.json")
GIT = ["git", "-C", str(ROOT)]


def options_of(doc):
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="those whose description has this text")
    parser.add_argument("--sample", type=int, help="that many of them")
    parser.add_argument("--rotate", type=int, default=0, help="where a sample begins")
    parser.add_argument("--check", action="store_true", help="break nothing: whether each piece is still there")
    parser.add_argument("--score", type=pathlib.Path, help="write there how many of all were found")
    return parser


def parsed(parser):
    options = parser.parse_args()
    if options.score and (options.only or options.sample or options.check):
        parser.error("a score is of a whole run: --score goes with neither --only nor --sample nor --check")
    options.commit = commit() if options.score else None  # at the beginning: it may take an hour
    return options


def stale(pieces):
    """A line for each (what, file, piece) that the file does not hold exactly once."""
    return [
        f"{file} does not hold exactly one {piece!r} ({what})"
        for what, file, piece in pieces
        if not file.exists() or file.read_text().count(piece) != 1
    ]


def stop_if_out_of_date(lines):
    if lines:
        sys.exit("\n".join(["this script is out of date:", *lines]))


def sampled(chosen, options):
    if not options.sample or not chosen:
        return chosen
    first = options.rotate * options.sample % len(chosen)
    return (chosen + chosen)[first : first + min(options.sample, len(chosen))]


def finish(script, options, passed, failed):
    """Says how many were found, and writes it down if asked to. The exit status."""
    print(f"{passed} passed, {failed} failed")
    if options.score:
        score = json.loads(options.score.read_text()) if options.score.exists() else {}
        score[pathlib.Path(script).stem] = {
            "mutants": passed + failed,
            "found": passed,
            "commit": options.commit + ("+" if changed_since(options.commit) else ""),
            "date": datetime.date.today().isoformat(),
        }
        options.score.write_text(json.dumps(score, indent=2, sort_keys=True) + "\n")
    return 1 if failed else 0


def commit():
    named = subprocess.run([*GIT, "rev-parse", "--short=7", "HEAD"], capture_output=True, text=True)
    return named.stdout.strip() or "unknown"


def changed_since(commit):
    """Whether what is tried has been changed since, before or while it was: a score says so by a +."""
    return subprocess.run([*GIT, "diff", "--quiet", commit, "--", "include", "tests", f":!{SCORE}"]).returncode != 0


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Bench:
    """Builds small tests, with a broken header before the real one in the include path."""

    def __init__(self, cxx, folder):
        self.folder = folder
        self.flags = [cxx, "-std=c++20", "-O0", "-w", "-pthread"]
        self.folders = [f"-I{ROOT / place}" for place in ("include", "tests", "tests/support")]
        self.doctest = folder / "main.o"
        self.took = {}  # by test: seconds, with nothing broken
        built = run([*self.flags, "-c", str(ROOT / "tests/main.cpp"), "-o", str(self.doctest)])
        if built.returncode != 0:
            sys.exit(built.stdout)

    def fails(self, place, test, header=None, text=None):
        """How a test fails: `build`, `test`, or None."""
        place = self.folder / place
        before = []
        if header:
            broken = place / header
            broken.parent.mkdir(parents=True)
            broken.write_text(text)
            before = [f"-I{place / 'include'}"]
        place.mkdir(exist_ok=True)
        program = place / "test"
        built = run([*self.flags, *before, *self.folders, str(ROOT / test), str(self.doctest), "-o", str(program)])
        if built.returncode != 0:
            return "test" if "static assertion failed" in built.stdout else "build"
        begun = time.monotonic()
        try:
            ran = subprocess.run(
                [str(program), "--abort-after=1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                timeout=10 + 5 * self.took.get(test, 10),
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "test"
        finally:
            program.unlink()
        if not header:
            self.took[test] = time.monotonic() - begun
        return "test" if ran.returncode != 0 else None


def break_pieces(script, options, all_mutants, more_out_of_date=()):
    """The main part of a script whose mutants are (what is broken, header, a piece of it, what it becomes, the test
    that must fail)."""
    stop_if_out_of_date(
        stale((what, ROOT / header, piece) for what, header, piece, _, _ in all_mutants)
        + [f"there is no {test}" for test in sorted({m[-1] for m in all_mutants}) if not (ROOT / test).exists()]
        + list(more_out_of_date)
    )
    if options.check:
        return 0
    chosen = sampled([m for m in all_mutants if options.only in m[0]], options)

    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options.cxx, pathlib.Path(scratch))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            tests = sorted({test for *_, test in chosen})
            for test, broken in zip(tests, pool.map(lambda t: bench.fails(t.replace("/", "."), t), tests)):
                if broken:
                    sys.exit(f"{test} fails before anything is broken ({broken})")

            def judge(numbered):
                number, (_, header, piece, replacement, test) = numbered
                text = (ROOT / header).read_text().replace(piece, replacement)
                return bench.fails(str(number), test, header, text)

            for (what, _, _, _, test), how in zip(chosen, pool.map(judge, enumerate(chosen))):
                result = {"test": f"killed by {test}", "build": "DOES NOT COMPILE", None: f"SURVIVED {test}"}[how]
                print(f"{result:44} {what}", flush=True)
                passed += how == "test"
                failed += how != "test"
    return finish(script, options, passed, failed)
