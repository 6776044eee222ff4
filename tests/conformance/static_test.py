#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `static` itself: that altered records fail, by name, and that damaged files are told apart.

    static_test.py [--compiler c++] [--keep DIR] [--dynamic EXE]

With the program that `dynamic` runs, the same of that.
"""

import argparse
import copy
import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
OPTIONS = argparse.Namespace(compiler="c++", keep=None, dynamic=None)


def golden(file, record_id):
    with open(HERE / "goldens" / file, encoding="utf-8") as lines:
        return next(r for r in map(json.loads, lines) if r["id"] == record_id)


class Static(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(OPTIONS.keep or cls.scratch.name)
        cls.folder.mkdir(parents=True, exist_ok=True)
        cls.valid = golden("random.jsonl", "rnd001")
        cls.invalid = golden("documented.jsonl", "A5_row1_cross_stream")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def static(self, *arguments, compiler=None):
        if OPTIONS.dynamic:
            command = [HERE / "dynamic", "--program", compiler or OPTIONS.dynamic, arguments[0]]
        else:
            command = [HERE / "static", "--compiler", compiler or OPTIONS.compiler, "--jobs", "1", *arguments]
        return subprocess.run([str(c) for c in command], capture_output=True, text=True)

    def written(self, name, *lines):
        path = self.folder / name
        path.write_text("".join(x if isinstance(x, str) else json.dumps(x) + "\n" for x in lines))
        return path

    def altered(self, record_id, record, change):
        record = copy.deepcopy(record)
        record["id"] = record_id
        change(record)
        return record

    def test_each_altered_record_fails_by_name_and_the_others_pass(self):
        def order(r):
            r["order"][-2:] = reversed(r["order"][-2:])

        def in_flight(r):
            r["in_flight"] += 1

        def tickets(r):
            r["tickets"].pop()

        def edges(r):
            next(iter(r["edges"].values())).pop()

        def waits(r):
            next(iter(r["event_deps"].values()))[0][2] += 1

        def another_thread(r):
            a, b = list(r["cpu_deps"]["two_group"]["chains"].values())[:2]
            b.append(a.pop())

        def across_threads(r):
            next(iter(r["cpu_deps"]["per_task"]["deps"].values())).pop()

        def fires(r):
            r["fires"]["2"][-1].pop()

        def verdict(r):
            r["verdict"] = "invalid"
            r["error"] = {"kind": "cycle", "rule": 7}

        def task(r):
            r["tasks"][0]["depends_on"] = ["nobody"]

        def kind(r):
            r["error"]["kind"] = "cycle"

        def rule(r):
            r["error"]["rule"] = 5

        ranking = golden("hstu.jsonl", "hstu_doc_np_shuf_depth1")
        wanted = [
            (order, "order", ranking),
            (in_flight, "in_flight", ranking),
            (tickets, "tickets", ranking),
            (edges, "edges of ", ranking),
            (waits, "event_deps of ", ranking),
            (another_thread, "cpu_deps of two_group of chains", ranking),
            (across_threads, "cpu_deps of per_task of deps", ranking),
            (fires, "fires of 2", ranking),
            (verdict, "verdict", ranking),
            (task, "verdict", ranking),
            (kind, "verdict", self.invalid),
            (rule, "verdict", self.invalid),
        ]
        if OPTIONS.dynamic:

            def one_batch_less(r):  # what ran on threads is as much as what ran on one
                r["fires"]["1"] = r["fires"].pop("2")

            wanted.append((one_batch_less, "fires on threads per_task of 1", ranking))
        records = [self.altered(f"altered_{c.__name__}", record, c) for c, _, record in wanted]
        ran = self.static(
            self.written("altered.jsonl", self.valid, *records, self.invalid),
            "--keep", self.folder / "altered", "--tasks-per-unit", 60,
        )
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        lines = ran.stdout.splitlines()
        self.assertEqual(lines[-1], f"2 passed, {len(wanted)} failed")
        for change, what, _ in wanted:
            said = [line for line in lines if line.startswith(f"altered_{change.__name__}: ")]
            self.assertTrue(any(s.split(": ")[1].startswith(what) for s in said), said)
            for line in said:
                self.assertRegex(line, r": expected .*, got ")
        self.assertFalse([x for x in lines if x.startswith((self.valid["id"], self.invalid["id"]))])

    def test_what_else_is_wrong_with_a_record_is_no_difference(self):
        def nobody_writes(r):
            r["tasks"][0]["reads"].append(["nobody_writes", r["tasks"][0]["lookahead"]])

        def named_twice(r):
            r["tasks"].append(r["tasks"][0])

        def source_written(r):
            for task in r["tasks"]:
                task["writes"].append(["batch_cpu", task["lookahead"]])

        besides = [nobody_writes, named_twice, source_written]
        records = [self.altered(f"with_{c.__name__}", self.invalid, c) for c in besides]
        ran = self.static(self.written("besides.jsonl", *records), "--keep", self.folder / "besides")
        self.assertEqual(ran.stdout, "3 passed, 0 failed\n", ran.stderr)

    def test_a_record_that_does_not_compile_fails_alone(self):
        if OPTIONS.dynamic:
            self.skipTest("nothing is compiled for each record")
        compiler = self.folder / "compiler.sh"
        compiler.write_text(
            '#!/bin/sh\nfor a; do case $a in unit*.cpp) grep -q "namespace record_3 " $a && '
            '{ echo "error: enough"; exit 1; } ;; esac; done\n'
            f'exec {OPTIONS.compiler} "$@"\n'
        )
        compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)
        path = self.written("four.jsonl", *(self.altered(f"r{n}", self.invalid, lambda r: None) for n in range(4)))
        ran = self.static(path, "--keep", self.folder / "four", compiler=compiler)
        self.assertEqual(ran.stdout, "r2: does not compile: error: enough\n3 passed, 1 failed\n", ran.stderr)
        self.assertEqual(ran.returncode, 1)

    def assert_damaged(self, ran, *said):
        self.assertEqual(ran.returncode, 2, ran.stdout)
        self.assertEqual(ran.stdout, "")
        self.assertEqual(len(ran.stderr.splitlines()), 1, ran.stderr)
        for text in said:
            self.assertIn(text, ran.stderr)

    def test_damage_is_told_in_one_line_with_file_and_line(self):
        def without(field):
            return self.altered("x", self.valid, lambda r: r.pop(field))

        def task_with(field, value):
            return self.altered("x", self.valid, lambda r: r["tasks"][1].update({field: value}))

        def with_(field, value):
            return self.altered("x", self.valid, lambda r: r.update({field: value}))

        def task_without_stream(r):
            del r["tasks"][1]["stream"]

        damaged = [
            ('{"id": \n', "not JSON"),
            ("[" * 100000 + "\n", "nested too deeply"),
            ("[]\n", "not a record"),
            ("42\n", "not a record"),
            (without("id"), "`id` is missing"),
            (without("tasks"), "`tasks` is missing"),
            (without("order"), "`order` is missing"),
            (without("fires"), "`fires` is missing"),
            (self.altered("x", self.invalid, lambda r: r.pop("error")), "`error` is missing"),
            (self.altered("x", self.invalid, lambda r: r["error"].pop("rule")), "an object with `rule`"),
            (self.altered("x", self.valid, task_without_stream), "task 1: `stream` is missing"),
            (with_("verdict", "maybe"), "`verdict`"),
            (with_("streams", "default"), "`streams` is not a list"),
            (with_("tasks", [3]), "`tasks` is not a list"),
            (with_("in_flight", "2"), "`in_flight` is not a whole number"),
            (with_("in_flight", True), "`in_flight` is not a whole number"),
            (with_("fires", {"two": []}), "`fires` is not"),
            (with_("fires", {"2": [["h2d"]]}), "`fires` is not"),
            (with_("cpu_deps", {"by_stream": {"chains": {}}}), "`cpu_deps` is not"),
            (with_("event_deps", {"t1": [["t2", "default"]]}), "`event_deps` is not"),
            (with_("event_deps", {"t1": [["t2", "nowhere", 0]]}), "a stream that `streams` lists"),
            (task_with("stream", "nowhere"), "task 1: `stream` is not a stream that `streams` lists"),
            (task_with("lookahead", "1"), "task 1: `lookahead` is not a whole number"),
            (task_with("lookahead", 10**30), "task 1: `lookahead` is not a number up to"),
            (task_with("reads", [["s0"]]), "task 1: `reads` is not"),
            (task_with("nccl", 1), "task 1: `nccl` is not true or false"),
            (task_with("depends_on", ["a", 5]), "task 1: `depends_on` is not"),
        ]
        for line, said in damaged:
            with self.subTest(said):
                path = self.written("damaged.jsonl", self.valid, "\n", line)
                self.assert_damaged(self.static(path), f"{path}:3: ", said)

    def test_a_file_without_records(self):
        self.assert_damaged(self.static(self.folder / "nowhere.jsonl"), "nowhere.jsonl", "No such file")
        self.assert_damaged(self.static(self.folder), str(self.folder), "directory")
        self.assert_damaged(self.static(self.written("empty.jsonl")), "empty.jsonl", "no record")
        self.assert_damaged(self.static(self.written("blank.jsonl", "\n  \n")), "no record")
        binary = self.folder / "binary.jsonl"
        binary.write_bytes(b"\xff\xfe\n")
        self.assert_damaged(self.static(binary), "not UTF-8")

    def test_a_compiler_that_is_not_there(self):
        path = self.written("valid.jsonl", self.invalid)
        self.assert_damaged(self.static(path, compiler="no-such-compiler"), "no-such-compiler")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--keep")
    parser.add_argument("--dynamic", metavar="EXE")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest)
