// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which slots get copies that the batches in flight do not need.

#include <doctest/doctest.h>
#include <stretto/plan/derive/copies.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <string_view>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using sizes = std::vector<std::size_t>;

sizes copies_of(const planner::declaration& d) {
  return planner::copies(d, planner::planned_graph(d));
}

/// One task ahead on a thread of its own, one on the calling thread.
struct two_threads : draft {
  explicit two_threads(int ahead) : draft({"copy", "compute"}) {
    add("load", ahead).reads({"source"}).writes({"batch"}).thread("io");
    add("train", 0).reads({"batch"}).writes({"loss"}).thread("caller");
    result("loss");
  }
};

}  // namespace

TEST_CASE("the source's slot has a copy for each batch in flight, up to eight") {
  for (const int ahead : {1, 2, 3, 7, 8, 9}) {
    two_threads d(ahead);
    const auto in_flight = static_cast<std::size_t>(ahead) + 1;
    CHECK(copies_of(d.declaration()) == sizes{in_flight < 8 ? in_flight : 8, in_flight, 1});
  }
}

TEST_CASE("where one batch is in flight nothing would be gained, unless another thread pulls") {
  two_threads d(0);
  CHECK(copies_of(d.declaration()) == sizes{1, 1, 1});
  two_threads pulled(0);
  pulled.source_on("reader");
  CHECK(copies_of(pulled.declaration()) == sizes{2, 1, 1});
}

TEST_CASE("a thread that pulls for itself waits for nobody") {
  two_threads d(2);
  d.source_on("io");
  CHECK(copies_of(d.declaration()) == sizes{1, 3, 1});
}

TEST_CASE("nor does the calling thread if it is the one that runs a group") {
  two_threads d(2);
  planner::declaration declared = d.declaration();
  declared.caller_runs = "io";
  CHECK(copies_of(declared)[0] == 1);
}

TEST_CASE("a slot that needs more copies has no spare ones") {
  draft d;
  d.add("load", 2).reads({"source"}).writes({"batch"}).thread("io");
  d.add("train", 0).reads({"batch", "source"}).thread("caller");
  CHECK(copies_of(d.declaration()) == sizes{3, 3});
}

TEST_CASE(
    "a result that another thread writes has a spare copy, any other slot between threads not") {
  draft d;
  d.add("load", 1).reads({"source"}).writes({"batch"}).thread("io");
  d.add("scale", 1).reads({"batch"}).writes({"scaled"}).thread("math");
  d.add("train", 0).reads({"scaled"}).writes({"loss"}).thread("math");
  CHECK(copies_of(d.declaration()) == sizes{2, 1, 2, 1});
  d.result("loss");
  CHECK(copies_of(d.declaration()) == sizes{2, 1, 2, 2});
  planner::declaration declared = d.declaration();
  declared.caller_runs = "math";
  CHECK(copies_of(declared) == sizes{2, 1, 2, 1});
}

TEST_CASE("a result has one spare copy, however many batches are in flight") {
  draft d;
  d.add("load", 3).reads({"source"}).writes({"batch"}).thread("io");
  d.add("train", 0).reads({"batch"}).writes({"loss"}).thread("math");
  d.result("loss");
  CHECK(copies_of(d.declaration()) == sizes{4, 4, 2});
}

TEST_CASE(
    "a slot that a host task fills for another thread's stream has one, one between streams not") {
  for (const bool alone : {false, true}) {
    draft d({"copy", "compute"});
    const auto add = [&](std::string_view task, int lookahead, std::string_view stream) -> auto& {
      draft::task& added = d.add(task, lookahead, stream);
      return alone ? added.thread("caller") : added;
    };
    add("decode", 1, {}).reads({"source"}).writes({"pinned"}).thread("caller");
    add("upload", 1, "copy").reads({"pinned"}).writes({"raw"});
    add("scale", 1, "compute").reads({"raw"}).writes({"scaled"});
    add("train", 0, "compute").reads({"scaled"});
    CHECK(copies_of(d.declaration()) == sizes{1, alone ? std::size_t{1} : std::size_t{2}, 1, 2});
  }
}

TEST_CASE("with a thread map to be generated, any tasks may be on different threads") {
  draft d;
  d.add("load", 1).reads({"source"}).writes({"batch"});
  d.add("train", 0).reads({"batch"}).writes({"loss"});
  d.result("loss");
  planner::declaration declared = d.declaration();
  declared.generated = 2;
  CHECK(copies_of(declared) == sizes{2, 2, 2});
  declared.generated = 1;
  CHECK(copies_of(declared) == sizes{1, 2, 1});
}

TEST_CASE(
    "with a generated thread map, a source on a thread named as tasks are by stream is apart") {
  draft d;
  d.add("load", 1).reads({"source"}).writes({"batch"});
  d.add("train", 0).reads({"batch"});
  d.source_on("host");
  planner::declaration declared = d.declaration();
  CHECK(copies_of(declared) == sizes{1, 2});
  declared.generated = 2;
  CHECK(copies_of(declared) == sizes{2, 2});
}

TEST_CASE("with a generated thread map, what has a thread of its own is where it is") {
  draft d;
  d.add("load", 1).reads({"source"}).writes({"batch"}).thread("caller");
  d.add("train", 0).reads({"batch"});
  planner::declaration declared = d.declaration();
  declared.generated = 2;
  CHECK(copies_of(declared) == sizes{1, 2});
}

TEST_CASE("slack counts instead") {
  two_threads d(2);
  d.slack("source", 1);
  CHECK(copies_of(d.declaration()) == sizes{2, 3, 1});
}

TEST_CASE("a frugal plan has none, nor has a serial one") {
  two_threads d(2);
  planner::declaration declared = d.declaration();
  declared.frugal = true;
  CHECK(copies_of(declared) == sizes{1, 3, 1});
  declared.frugal = false;
  declared.serial = true;
  CHECK(copies_of(declared)[0] == 1);
}

TEST_CASE("there are none that would exceed a bound on bytes") {
  two_threads d(2);
  planner::declaration declared = d.declaration();
  const std::vector<planner::slot_size> bytes{{stretto::name("source"), 100},
                                              {stretto::name("batch"), 10}};
  declared.within.sizes = bytes;
  for (const std::size_t bound : {130U, 229U, 329U}) {
    declared.within.bytes = bound;
    CHECK(copies_of(declared) == sizes{1, 3, 1});
  }
  declared.within.bytes = 330;
  CHECK(copies_of(declared) == sizes{3, 3, 1});
}

TEST_CASE("a source's slot that is pulled further ahead in a pipelined plan keeps its copies") {
  two_threads d(3);
  planner::declaration declared = d.declaration();
  const std::vector<int> pulled{0, 0, 1};
  declared.raised = pulled;
  CHECK(copies_of(declared) == sizes{4, 4, 1});
  const std::vector<int> both{2, 0, 3};  // it has no more of them than as declared
  declared.raised = both;
  CHECK(copies_of(declared) == sizes{4, 6, 1});
  declared.raised = pulled;
  declared.frugal = true;
  CHECK(copies_of(declared) == sizes{2, 4, 1});
  two_threads with_slack(3);
  with_slack.slack("source", 1);
  declared = with_slack.declaration();
  declared.raised = pulled;
  CHECK(copies_of(declared) == sizes{3, 4, 1});
}

TEST_CASE("but has no spare ones where its declared lookahead gave it none") {
  two_threads d(3);
  d.source_on("caller", 4);
  planner::declaration declared = d.declaration();
  const std::vector<int> pulled{0, 0, 1};
  declared.raised = pulled;
  CHECK(copies_of(declared) == sizes{3, 4, 1});
}
