# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records runs in scratch repositories, of tests and scripts that are planted, and has the record judged."""

import contextlib
import functools
import io
import json
import pathlib
import subprocess
import tempfile
import types
import unittest
import unittest.mock

import record

JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="x" tests="9">
  <testcase name="good" status="run"><system-out>fine</system-out></testcase>
  <testcase name="bad" status="fail"><failure message=""/></testcase>
  <testcase name="here not" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
  <testcase name="nor this" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
  <testcase name="off" status="disabled"/>
  <testcase name="not built" status="notrun"><skipped message="Unable to find executable"/></testcase>
  <testcase name="behind bad" status="notrun"><skipped message="Fixture dependency failed"/></testcase>
</testsuite>
"""
REAL_PARTS = record.PARTS
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(x NONE)
enable_testing()
add_custom_target(full)
add_test(NAME good COMMAND sh -c "test $GIVEN = ${STRETTO_SHARD}")
add_test(NAME bad COMMAND false)
add_test(NAME script COMMAND true)
add_test(NAME other COMMAND false)
set_tests_properties(good bad PROPERTIES LABELS full)
set_tests_properties(script PROPERTIES LABELS "any-compiler;full")
set_tests_properties(other PROPERTIES LABELS fuller)
"""
PRESETS = {
    "version": 6,
    "configurePresets": [{"name": "full", "generator": "Ninja", "binaryDir": "${sourceDir}/build"}],
    "testPresets": [{"name": "full", "configurePreset": "full", "environment": {"GIVEN": "2/2"}}],
}
SCRIPT = """import json, sys
given = sys.argv
if given[given.index("--shard") + 1] == "2/2": sys.exit(1)
outcome = {"mutants": 4, "killed": 2, "survivors": ["a"], "unbuilt": ["b"]}
with open(given[given.index("--outcome") + 1], "w") as file: file.write(json.dumps(outcome))
"""
PARTS = [record.Part("full", "sh", 2), record.Part("tsan", "sh", 1), record.Part("mutants.rules", "sh", 2)]
PAGE = f"before\n{record.BEGIN}old\n{record.END}after\n"
WELL = record.Counts(5, 4, 1, [])


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = record.Tree(pathlib.Path(folder.name))
        (self.tree.root / "tests").mkdir()
        self.git("init", "--quiet")
        self.tree.page.write_text(PAGE)
        self.commit()
        for name, value in {"PARTS": PARTS, "SCRIPTS": {"rules": "rules"}, "OLDEST": 3}.items():
            patched = unittest.mock.patch.object(record, name, value)
            patched.start()
            self.addCleanup(patched.stop)

    def git(self, *arguments):
        who = ["-c", "user.name=x", "-c", "user.email=x@x.invalid", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", self.tree.root, *who, *arguments], check=True, capture_output=True)

    def commit(self, file="file"):
        with (self.tree.root / file).open("a") as changed:
            changed.write(" \n")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "x")
        return self.tree.commit()

    def run_shard(self, part=PARTS[0], shard="1/2", counts=WELL, meanwhile=lambda: None):
        def try_it(part, shard):
            meanwhile()
            return counts

        with contextlib.redirect_stdout(io.StringIO()):
            record.record_run(self.tree, part, shard, try_it)
        return next(e for e in self.tree.read()["entries"] if (e["part"], e["shard"]) == (part.name, shard))

    def run_all(self):
        for part in PARTS:
            for shard in range(1, part.shards + 1):
                self.run_shard(part, f"{shard}/{part.shards}")

    def checked(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            wrong = record.failures_of(self.tree)
        return wrong, said.getvalue()

    def wanted(self, part="all", compiler=None, shard=None):
        with contextlib.redirect_stdout(io.StringIO()):
            return [(p.name, s) for p, s in record.wanted(self.tree, part, compiler, shard)]

    def test_junit_files_are_counted(self):
        file = self.tree.root / "junit.xml"
        file.write_text(JUNIT)
        counts = record.counts_of(file)
        self.assertEqual(counts, record.Counts(4, 1, 3, ["bad", "behind bad", "not built"]))

    def test_the_tests_of_a_shard_are_run(self):
        (self.tree.root / "CMakeLists.txt").write_text(PROJECT)
        (self.tree.root / "CMakePresets.json").write_text(json.dumps(PRESETS))

        def run(part):
            return record.run_tests(part, "2/2", self.tree.root)

        quietly = functools.partial(subprocess.run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with unittest.mock.patch.object(subprocess, "run", quietly):
            self.assertEqual(run(record.Part("full", record.DEFAULT, 2)), record.Counts(3, 2, 0, ["bad"]))
            self.assertEqual(run(record.Part("full", "another", 2)), record.Counts(2, 1, 0, ["bad"]))
            (self.tree.root / "CMakeLists.txt").write_text(PROJECT.replace("(full)", "(full false)"))
            self.assertEqual(run(record.Part("full", record.DEFAULT, 2)).failures, ["build", "bad"])
            (self.tree.root / "CMakeLists.txt").write_text(PROJECT.replace("PROPERTIES LABELS", "PROPERTIES FOLDER"))
            self.assertEqual(run(record.Part("full", record.DEFAULT, 2)).failures, ["ctest"])
            (self.tree.root / "CMakeLists.txt").write_text("nonsense")
            self.assertEqual(run(record.Part("full", record.DEFAULT, 2)).failures, ["configure"])

    def test_what_became_of_mutants_is_counted(self):
        (self.tree.root / "rules.py").write_text(SCRIPT)
        with unittest.mock.patch.object(record, "MUTATION", self.tree.root):
            counts = record.run_mutants(PARTS[2], "1/2")
            self.assertEqual(counts, record.Counts(4, 2, 0, ["a", "b (does not compile)"]))
            self.assertEqual(record.run_mutants(PARTS[2], "2/2").failures, ["rules.py ended before it was done, with 1"])

    def test_an_entry_replaces_the_one_before(self):
        self.run_shard(counts=WELL._replace(failures=["some"]))
        self.run_shard(shard="2/2")
        head = self.commit()
        entry = self.run_shard()
        self.assertEqual((entry["commit"], entry["run"], entry["failed"], entry["skipped"]), (head, 5, 0, 1))
        self.assertEqual(len(self.tree.read()["entries"]), 2)

    def test_the_record_is_no_change_and_other_files_are(self):
        self.run_shard()
        self.tree.page.write_text(PAGE + "more")
        self.assertEqual(self.run_shard()["commit"], self.tree.commit())
        (self.tree.root / "new").write_text("new")
        self.assertEqual(self.run_shard()["commit"], self.tree.commit() + "+")

    def test_what_changes_while_it_runs_is_marked(self):
        head = self.tree.commit()
        self.assertEqual(self.run_shard(meanwhile=self.commit)["commit"], head + "+")
        head, new = self.tree.commit(), self.tree.root / "new"
        new.write_text("new")
        self.assertEqual(self.run_shard(meanwhile=new.unlink)["commit"], head + "+")

    def test_nothing_is_run_of_a_changed_tree(self):
        options = types.SimpleNamespace(part="all", compiler=None, shard=None, allow_dirty=False)
        (self.tree.root / "file").write_text("changed")
        with self.assertRaises(SystemExit):
            record.run(self.tree, options)

    def test_what_is_missing_or_older_is_run(self):
        self.run_shard()
        self.assertEqual(self.wanted()[0], ("full", "2/2"))
        self.assertNotIn(("full", "1/2"), self.wanted())
        self.run_all()
        self.commit("tests/record.json")
        self.assertEqual(self.wanted(), [])
        self.commit()
        self.run_shard(PARTS[1], "1/1")
        self.assertEqual(len(self.wanted()), 4)
        self.assertEqual(self.wanted("full", "sh", "2/2"), [("full", "2/2")])
        self.assertEqual(self.wanted("full", "another"), [])

    def test_the_oldest_is_run_first(self):
        self.run_all()
        for part, shard in (("full", "1/2"), ("tsan", "1/1"), ("mutants.rules", "1/2"), ("mutants.rules", "2/2")):
            self.commit()
            self.run_shard(next(p for p in PARTS if p.name == part), shard)
        self.commit()
        order = [("full", "2/2"), ("full", "1/2"), ("tsan", "1/1"), ("mutants.rules", "1/2"), ("mutants.rules", "2/2")]
        self.assertEqual(self.wanted(), order)

    def test_a_young_record_without_failures_is_good(self):
        self.run_all()
        self.commit()
        wrong, said = self.checked()
        self.assertEqual(wrong, [])
        self.assertIn("full sh                  8 passed, 0 failed", said)
        self.assertIn("the record is 1 commits old (3 at most): 5 of 5 shards\n", said)

    def test_a_failure_counts(self):
        self.run_all()
        self.run_shard(counts=WELL._replace(failures=["plan.order"]))
        self.assertEqual(self.checked()[0], ["full sh 1/2: 1 failed: plan.order"])

    def test_age_counts(self):
        self.run_all()
        for _ in range(record.OLDEST):
            self.commit()
        self.assertEqual(self.checked()[0], [])
        self.commit()
        self.run_shard()
        wrong = self.checked()[0]
        self.assertEqual(len(wrong), 4)
        self.assertEqual(wrong[0], "full sh 2/2 was last run 4 commits ago, 3 at most")

    def test_what_was_never_run_ages_from_the_beginning(self):
        self.run_shard()
        for _ in range(record.OLDEST + 1):
            self.commit()
        self.run_shard()
        wrong, said = self.checked()
        self.assertEqual(len(wrong), 4)
        self.assertIn("has not been run since the record began", wrong[0])
        self.assertIn("tsan sh                  never run\n", said)
        self.assertIn("1 of 5 shards, 4 never run", said)

    def test_an_unknown_commit_counts(self):
        self.run_all()
        text = self.tree.file.read_text()
        self.tree.file.write_text(text.replace(self.tree.commit(), 40 * "1", 2))
        wrong = self.checked()[0]
        self.assertEqual(len(wrong), 2)
        self.assertTrue(all("is this a shallow clone?" in line for line in wrong))

    def test_the_table_shows_what_there_is(self):
        with contextlib.redirect_stdout(io.StringIO()):
            record.update_table(self.tree)
            self.assertIn("| `rules.py` | rules | not yet tried | | | |\n", self.tree.page.read_text())
            self.run_shard(PARTS[2], "2/2", record.Counts(5, 4, 0, ["a mutant"]))
            self.assertEqual(record.check_table(self.tree), 1)
            record.update_table(self.tree)
            self.assertEqual(record.check_table(self.tree), 0)
        at = self.tree.commit()[:7]
        row = f"| `rules.py` | rules | 5, partly: 1 of 2 shards | 4 (80 %) | 1 | {at} |\n"
        self.assertIn(row, self.tree.page.read_text())
        self.run_shard(PARTS[2], "1/2", record.Counts(5, 5, 0, []))
        record.update_table(self.tree)
        self.assertIn(f"| `rules.py` | rules | 10 | 9 (90 %) | 1 | {at} |\n", self.tree.page.read_text())

    def test_entries_of_this_checkout_are_of_parts_that_there_are(self):
        keys = [key for part in REAL_PARTS for key in record.keys_of(part)]
        for entry in json.loads(record.Tree().file.read_text())["entries"]:
            self.assertIn(record.key_of(entry), keys)


if __name__ == "__main__":
    unittest.main()
