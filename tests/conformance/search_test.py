#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `search` itself: what it prints, and that damaged files and instances without an answer are told apart.

    search_test.py EXE
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = None

INSTANCE = {
    "id": "two", "in_flight_cap": 2, "bytes_cap": None, "threads": ["a", "b"],
    "tasks": [{"name": "read", "weight": 3}, {"name": "work", "weight": 5}],
    "slots": [{"name": "x", "bytes": 10, "writer": "read", "readers": ["work"]}],
    "arcs": [], "same_progress": [],
}


class Search(unittest.TestCase):
    def search(self, *lines, options=()):
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "instances.jsonl"
            path.write_text("".join(x if isinstance(x, str) else json.dumps(x) + "\n" for x in lines))
            command = [str(HERE / "search"), "--program", PROGRAM, str(path), *options]
            return subprocess.run(command, capture_output=True, text=True)

    def test_an_answer_a_line(self):
        ran = self.search(INSTANCE, {**INSTANCE, "id": "again"}, options=["--proofs"])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        first, second = (json.loads(line) for line in ran.stdout.splitlines())
        self.assertEqual((first["id"], second["id"]), ("two", "again"))
        self.assertEqual(sorted(first["lookahead"]), ["read", "work"])
        self.assertGreaterEqual(first["lookahead"]["read"], first["lookahead"]["work"])
        self.assertEqual(first["copies"], {"x": 2})
        self.assertEqual(first["in_flight"], 2)
        self.assertEqual(sorted(first["order"]), ["read", "work"])
        self.assertNotEqual(first["thread"]["read"], first["thread"]["work"])
        self.assertEqual((first["period"], first["least_period"]), ("5", "5"))
        self.assertEqual((first["bytes"], first["least_bytes"]), (20, 20))

    def test_the_original_tools_answer_as_well(self):
        for by in ("search", "beam", "lookaheads", "list"):
            ran = self.search(INSTANCE, options=["--by", by, "--proofs"])
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertEqual(json.loads(ran.stdout)["period"], "5")
        ran = self.search(INSTANCE, options=["--by", "luck"])
        self.assertEqual(ran.returncode, 2)
        self.assertIn("invalid choice: 'luck'", ran.stderr)

    def test_no_proofs_unless_asked_for(self):
        ran = self.search(INSTANCE)
        self.assertNotIn("period", json.loads(ran.stdout))

    def test_an_instance_without_an_answer_is_named(self):
        ran = self.search({**INSTANCE, "bytes_cap": 9}, INSTANCE)
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(ran.stderr, "two: there is no answer\n")
        self.assertEqual(len(ran.stdout.splitlines()), 1)

    def test_damage_is_named_with_its_line(self):
        for damaged in ("{\n", json.dumps({**INSTANCE, "threads": None}) + "\n",
                        json.dumps({**INSTANCE, "arcs": [{"from": "x", "to": "work", "ago": 0}]}) + "\n"):
            ran = self.search(INSTANCE, damaged)
            self.assertEqual(ran.returncode, 2)
            self.assertIn("instances.jsonl:2: ", ran.stderr)
            self.assertEqual(len(ran.stderr.splitlines()), 1)

    def test_a_missing_file(self):
        ran = subprocess.run([str(HERE / "search"), "--program", PROGRAM, "/nowhere"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 2)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
