# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants mistakes of which it is known what becomes of them.

    python3 tests/property/mutation/planted_test.py [compiler]
"""

import contextlib
import io
import sys
import unittest

import parts
import planted
import rules
import runs

COMPILER = sys.argv.pop() if len(sys.argv) > 1 and not sys.argv[-1].startswith("-") else "c++"
HEADER = "include/stretto/collective/wording.hpp"
SOURCES = ("tests/collective/wording.cpp", planted.DOCTEST_MAIN)


def mutant(what, piece, replacement):
    return planted.Mutant(what, [(HEADER, piece, replacement)], SOURCES)


def all_mutants():
    pieces = [planted.Mutant(what, [(header,)], (test,)) for what, header, _, _, test in rules.mutants() + parts.mutants()]
    return pieces + runs.mutants()


class Shards(unittest.TestCase):
    def options(self, *arguments):
        return planted.options_of("doc").parse_args(arguments)

    def test_each_mutant_is_in_one(self):
        mutants = all_mutants()
        shards = [planted.chosen_of(mutants, self.options("--shard", f"{n}/8")) for n in range(1, 9)]
        self.assertEqual(sum(map(len, shards)), len(mutants))
        self.assertEqual(len(set().union(*shards)), len(mutants))
        self.assertGreater(min(map(len, shards)), len(mutants) / 8 * 0.8)

    def test_it_stays_there_when_others_come_and_go(self):
        mutants = all_mutants()
        some = planted.chosen_of(mutants[::2], self.options("--shard", "2/4"))
        self.assertLessEqual(set(some), set(planted.chosen_of(mutants, self.options("--shard", "2/4"))))

    def test_a_sample_is_the_same_each_time(self):
        mutants = all_mutants()
        self.assertEqual(*(planted.chosen_of(mutants, self.options("--sample", "5")) for _ in range(2)))
        self.assertEqual(len(planted.chosen_of(mutants, self.options("--sample", "5"))), 5)


class Reach(unittest.TestCase):
    def test_headers_do_without_their_definitions(self):
        reached = planted.reached_by("cmake/compiled.cpp")
        self.assertIn("include/stretto/run/accounting.ipp", reached)
        self.assertIn("include/stretto/plan/model/graph.hpp", reached)
        self.assertNotIn("include/stretto/run/accounting.ipp", planted.reached_by("tests/run/accounting.cpp"))
        self.assertIn("include/stretto/run/accounting.hpp", planted.reached_by("tests/run/accounting.cpp"))

    def test_a_library_stays_where_no_header_of_it_is_broken(self):
        bench = planted.Bench.__new__(planted.Bench)
        bench.in_library = set()
        for header, linkable in (
            ("include/stretto/run/accounting.ipp", True),
            ("include/stretto/run/accounting.hpp", False),
            ("include/stretto/static/execute/chain.hpp", True),
        ):
            self.assertEqual(bench.is_linkable(planted.Mutant("", [(header, "", "")], ())), linkable, header)


class Verdicts(unittest.TestCase):
    def test_what_becomes_of_mutants(self):
        killed = mutant("halves", *KILLED)
        survivor = mutant("a comment", "#pragma once", "#pragma once  // as it is")
        unbuilt = mutant("nonsense", "#pragma once", "#pragma once\nnonsense")
        refused = mutant("an assertion", "#pragma once", "#pragma once\nstatic_assert(false, \"no\");")
        options = planted.options_of("doc").parse_args(["--cxx", COMPILER, "--jobs", "1"])
        mutants = [killed, survivor, unbuilt, refused]
        with contextlib.redirect_stdout(io.StringIO()):
            judged = planted.judged_on_bench(options, mutants, None, "static assertion failed")
        self.assertEqual([judged[m] for m in mutants], ["killed", "survived", "unbuilt", "killed"])


KILLED = next(pieces[2:4] for pieces in parts.mutants() if pieces[1] == HEADER)

if __name__ == "__main__":
    unittest.main()
