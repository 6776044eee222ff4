// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The interleavings that show what is wrong, as a person reads them. (That those of races are real
// and the shortest is for tests/property/oracle.)

#include <doctest/doctest.h>
#include <stretto/static/query/witness.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include "../draft.hpp"

namespace {

namespace st = stretto;
namespace planner = stretto::planner;

std::string only_witness(draft& d) {
  const auto declared = d.declaration();
  const auto found = planner::diagnose(declared).findings;
  REQUIRE(found.size() == 1);
  return planner::witness(declared, found[0]);
}

}  // namespace

TEST_CASE("witness of a race: what leads to it, and who meets whom") {
  draft d{"a", "b"};
  d.add("eval", 0, "a").observes({"weights"});
  d.add("train", 0, "b").mutates({"weights"}).sync({"eval"});
  CHECK(only_witness(d) ==
        "progress 0: `pull` takes batch 0\n"
        "progress 0: `eval` runs on batch 0\n"
        "progress 0: `deliver` hands out batch 0\n"
        "progress 1: `pull` takes batch 1\n"
        "progress 1: `eval` reads `weights` for batch 1 while `train`, still in progress 0, "
        "changes it for batch 0\n");
}

TEST_CASE("witness of a race in one progress, of different batches") {
  draft d{"a", "b"};
  d.add("prefetch", 1, "a").mutates({"cache"});
  d.add("train", 0, "b").mutates({"cache"}).depends_on({"prefetch"});
  CHECK(only_witness(d) ==
        "progress 0: `pull` takes batch 0\n"
        "progress 0: `prefetch` runs on batch 0\n"
        "progress 1: `pull` takes batch 1\n"
        "progress 1: `train` changes `cache` for batch 0 while `prefetch` changes it for batch "
        "1\n");
}

TEST_CASE("witness of a cycle: the first progress in which all have something to do") {
  draft d;
  d.add("ahead", 1).sync({"here"});
  d.add("here", 0).cross_iter("ahead", 1).sync({"last"});
  d.add("last", 0).sync({"ahead"});
  CHECK(only_witness(d) ==
        "progress 1: `ahead` on batch 1 waits for `here` on batch 0\n"
        "progress 1: `here` on batch 0 waits for `last` on batch 0\n"
        "progress 1: `last` on batch 0 waits for `ahead` on batch 1\n"
        "none of them ever starts\n");
}

TEST_CASE("witness of an order that cannot be, and of a task that waits for itself") {
  draft d;
  d.add("a");
  d.add("b").depends_on({"a"});
  d.order({"b", "a"});
  CHECK(only_witness(d) ==
        "progress 0: `a` on batch 0 waits for `b` on batch 0\n"
        "progress 0: `b` on batch 0 waits for `a` on batch 0\n"
        "none of them ever starts\n");
  draft self;
  self.add("a").depends_on({"a"});
  CHECK(only_witness(self) ==
        "progress 0: `a` on batch 0 waits for itself\n"
        "it never starts\n");
}

TEST_CASE("witness of a run that comes too late") {
  draft slot;
  slot.add("load", 0).writes({"x"});
  slot.add("use", 2).reads({"x"});
  CHECK(only_witness(slot) ==
        "progress 0: `use` on batch 0 needs `x` of batch 0\n"
        "progress 2: `load` writes it: too late\n");
  draft same_batch;
  same_batch.add("load", 0);
  same_batch.add("use", 1).depends_on({"load"});
  CHECK(only_witness(same_batch) ==
        "progress 0: `use` on batch 0 needs `load` done with batch 0\n"
        "progress 1: `load` gets there: too late\n");
  draft earlier;
  earlier.add("step", 0);
  earlier.add("prefetch", 3).cross_iter("step", 2);
  CHECK(only_witness(earlier) ==
        "progress 2: `prefetch` on batch 2 needs `step` done with batch 0\n"
        "progress 3: `step` gets there: too late\n");
  draft handed_out;
  handed_out.add("score", -1).writes({"x"});
  handed_out.result("x");
  const planner::declaration d = handed_out.declaration();
  std::string told;
  for (const planner::finding& f : planner::diagnose(d).findings) told += planner::witness(d, f);
  CHECK(told ==
        "progress 0: `deliver` on batch 0 needs `x` of batch 0\n"
        "progress 1: `score` writes it: too late\n");
}

TEST_CASE("no interleaving shows what is only about how something is declared") {
  draft d;
  d.add("a").depends_on({"b"});
  CHECK(only_witness(d).empty());
}

namespace {

struct number : st::slot<int> {};
struct state : st::resource<> {};
struct one {
  using stream = st::stream<"one">;
  using reads = st::reads<number>;
  using mutates = st::mutates<state>;
};
struct two {
  using stream = st::stream<"two">;
  using observes = st::observes<state>;
};
struct racing : st::schedule<st::source<number>, st::streams<"one", "two">, one, two> {};
struct ordered : st::schedule<st::source<number>, st::streams<"one", "two">, one,
                              st::place<two, st::stream<"one">>, two> {};

}  // namespace

TEST_CASE("a schedule gives the witness of its first finding that has one") {
  CHECK(st::witness<racing>() == st::explain_findings<racing>()[0] +
                                     "\nprogress 0: `pull` takes batch 0\n"
                                     "progress 0: `two` reads `state` for batch 0 while `one` "
                                     "changes it for batch 0\n");
  CHECK(st::witness<ordered>().empty());
  CHECK(st::witness<number>().empty());  // no schedule at all
}
