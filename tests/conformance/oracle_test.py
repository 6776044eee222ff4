#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that `oracle.py` objects: to answers that are none, to those that are not what they say, and to proofs of what
is not so.

    oracle_test.py EXE
Exit code: 77 OR-tools is not installed.
"""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

import oracle  # ends with 77 where OR-tools is not installed

PROGRAM = None

# Between the oracle and the program: changes instances on their way in, answers on their way out.
BETWEEN = """#!{python}
import json, subprocess, sys
program, on_way_in, on_way_out = {program!r}, {on_way_in!r}, {on_way_out!r}
with open(sys.argv[1]) as file:
    instances = [json.loads(line) for line in file]
for i in instances:
    exec(on_way_in)
with open(sys.argv[1] + ".changed", "w") as file:
    file.writelines(json.dumps(i) + "\\n" for i in instances)
ran = subprocess.run([program, sys.argv[1] + ".changed", "--proofs"], capture_output=True, text=True)
sys.stderr.write(ran.stderr)
for i, a in zip(instances, map(json.loads, ran.stdout.splitlines())):
    exec(on_way_out)
    if a:
        print(json.dumps(a))
    else:
        sys.stderr.write(i["id"] + ": there is no answer\\n")
sys.exit(ran.returncode)
"""

# Two tasks, of which each has its thread: 5 per batch with two in flight, 8 with one.
INSTANCE = (
    '{"id": "two", "in_flight_cap": 2, "bytes_cap": null, "threads": ["a", "b"], "tasks": [{"name": "read", "weight": 3}, '
    '{"name": "work", "weight": 5}], "slots": [{"name": "x", "bytes": 10, "writer": "read", "readers": ["work"]}], '
    '"arcs": [], "same_progress": []}\n'
)


class Oracle(unittest.TestCase):
    def ask(self, on_way_in="", on_way_out=""):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "goldens").write_text(INSTANCE)
            between = folder / "between"
            between.write_text(
                BETWEEN.format(python=sys.executable, program=PROGRAM, on_way_in=on_way_in, on_way_out=on_way_out)
            )
            between.chmod(0o755)
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                code = oracle.main([str(between), "--random", "0", "--goldens", str(folder / "goldens")])
            return code, said.getvalue()

    def objects(self, sentence, **changed):
        code, said = self.ask(**changed)
        self.assertIn(sentence, said)
        self.assertEqual(code, 1)

    def test_content_with_what_is_so(self):
        code, said = self.ask()
        self.assertEqual(code, 0, said)
        self.assertIn("1 passed, 0 failed: 1 proved", said)

    def test_a_least_period_that_is_not(self):
        self.objects("a schedule takes less than 8, which is said to be the least", on_way_in="i['in_flight_cap'] = 1")

    def test_a_period_that_is_not(self):
        self.objects("the answer takes less than 6", on_way_out="a['period'] = a['least_period'] = '6'")
        self.objects("takes longer than 4", on_way_out="a['period'] = a['least_period'] = '4'")

    def test_no_proof_is_no_objection(self):
        code, said = self.ask(on_way_out="a['least_period'] = '4'")
        self.assertEqual(code, 0, said)
        self.assertIn("0 proved, 1 not proved", said)

    def test_least_bytes_that_are_not(self):
        self.objects("the fewest bytes are 20", on_way_out="a['copies']['x'] += 1; a['bytes'] = a['least_bytes'] = 30")

    def test_bytes_that_are_not(self):
        self.objects("the answer takes 20 bytes, and says 10", on_way_out="a['bytes'] = a['least_bytes'] = 10")

    def test_what_is_no_answer(self):
        self.objects("does not keep to the instance", on_way_out="a['lookahead'] = {'read': 0, 'work': 1}")
        self.objects("does not keep to the instance", on_way_out="a['in_flight'] = 3")
        self.objects("does not keep to the instance", on_way_out="a['copies']['x'] = 1; a['bytes'] = 10")

    def test_an_order_that_waits_for_itself(self):
        self.objects("in the order of a progress work stands before read", on_way_in="i['in_flight_cap'] = 1",
                     on_way_out="a['order'].reverse(); a['thread'] = {'read': 'a', 'work': 'b'}")

    def test_an_answer_that_there_is(self):
        self.objects("there is a schedule, and `search` says that there is none", on_way_out="a = None")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
