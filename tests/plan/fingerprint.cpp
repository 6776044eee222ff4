// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans that differ in anything that ranks must agree on have different fingerprints.

#include <doctest/doctest.h>
#include <cstdint>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/make_plan.hpp>
#include <utility>
#include "draft.hpp"

namespace planner = stretto::planner;

namespace {

struct subject {
  draft written{"copy", "compute"};
  planner::declaration declared;
  planner::plan planned;

  subject() {
    written.add("load", 1, "copy").reads({"source"}).writes({"batch"});
    written.add("train", 0, "compute").reads({"batch"}).collective();
    declared = written.declaration();
    planned = planner::make_plan(declared);
  }
  std::uint64_t print() const { return planner::fingerprint(declared, planned); }
};

/// The fingerprint once \p change has been made to a plan.
template <class Change>
std::uint64_t changed(Change change) {
  subject s;
  change(s.planned);
  return s.print();
}

}  // namespace

TEST_CASE("one plan has one fingerprint") { CHECK(subject().print() == subject().print()); }

TEST_CASE("a fingerprint depends on the tasks: names, lookahead, streams") {
  const std::uint64_t print = subject().print();
  {
    subject s;
    draft other{"copy", "compute"};
    other.add("fetch", 1, "copy").reads({"source"}).writes({"batch"});
    other.add("train", 0, "compute").reads({"batch"}).collective();
    s.declared = other.declaration();
    CHECK(s.print() != print);
  }
  CHECK(changed([](planner::plan& p) { p.resolved.nodes[0].lookahead = 2; }) != print);
  CHECK(changed([](planner::plan& p) { p.resolved.nodes[0].stream = 1; }) != print);
  CHECK(changed([](planner::plan& p) { p.resolved.nodes[0].stream = planner::none; }) != print);
}

TEST_CASE(
    "a fingerprint does not depend on the order of threads, which a rank may have to itself") {
  CHECK(changed([](planner::plan& p) { std::swap(p.order[1], p.order[2]); }) == subject().print());
}

TEST_CASE("a fingerprint depends on the edges: from where, to where, how far, and why") {
  const std::uint64_t print = subject().print();
  CHECK(changed([](planner::plan& p) {
          // From one progress to the next, so that the order stays as it is.
          for (planner::edge& e : p.edges)
            if (e.producer == 0 && e.delta > 0) e.producer = p.resolved.pull();
        }) != print);
  CHECK(changed([](planner::plan& p) { p.edges[0].consumer = 2; }) != print);
  CHECK(changed([](planner::plan& p) { p.edges[0].delta += 1; }) != print);
  CHECK(changed([](planner::plan& p) { p.edges[0].why = planner::reason::ticket; }) != print);
  CHECK(changed([](planner::plan& p) { p.edges.pop_back(); }) != print);
}

TEST_CASE("a fingerprint depends on slots, their copies, and tickets") {
  const std::uint64_t print = subject().print();
  CHECK(changed([](planner::plan& p) { p.resolved.slot_list[1] = stretto::name("other"); }) !=
        print);
  CHECK(changed([](planner::plan& p) { p.copies[1] += 1; }) != print);
  CHECK(changed([](planner::plan& p) { p.tickets[0] = 0; }) != print);
  CHECK(changed([](planner::plan& p) { p.tickets.pop_back(); }) != print);
}

TEST_CASE("fingerprints by node tell at which task two plans part") {
  const subject s;
  const planner::list<std::uint64_t> here = planner::node_fingerprints(s.declared, s.planned);
  const auto first_other = [&](draft& other) {
    const planner::declaration d = other.declaration();
    const planner::list<std::uint64_t> there = planner::node_fingerprints(d, planner::make_plan(d));
    std::size_t place = 0;
    while (place < here.size() && here[place] == there[place]) ++place;
    return place == here.size() ? planner::none : s.planned.order[place];
  };
  {
    draft same{"copy", "compute"};
    same.add("load", 1, "copy").reads({"source"}).writes({"batch"});
    same.add("train", 0, "compute").reads({"batch"}).collective();
    CHECK(first_other(same) == planner::none);
  }
  {
    draft on_another_stream{"copy", "compute", "other"};
    on_another_stream.add("load", 1, "copy").reads({"source"}).writes({"batch"});
    on_another_stream.add("train", 0, "other").reads({"batch"}).collective();
    CHECK(first_other(on_another_stream) == 1);
  }
  {
    draft no_collective{"copy", "compute"};
    no_collective.add("load", 1, "copy").reads({"source"}).writes({"batch"});
    no_collective.add("train", 0, "compute").reads({"batch"});
    CHECK(first_other(no_collective) == 1);
  }
  {
    draft waits_for_more{"copy", "compute"};
    waits_for_more.add("load", 1, "copy").reads({"source"}).writes({"batch"}).cross_iter("train");
    waits_for_more.add("train", 0, "compute").reads({"batch"}).collective();
    CHECK(first_other(waits_for_more) == 0);
  }
}
