// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans that differ in anything that ranks must agree on have different fingerprints.

#include <doctest/doctest.h>
#include <cstdint>
#include <stretto/plan/fingerprint.hpp>
#include <utility>
#include "draft.hpp"

namespace plan = stretto::plan;

namespace {

struct subject {
  draft written{"copy", "compute"};
  plan::declaration declared;
  plan::plan planned;

  subject() {
    written.add("load", 1, "copy").reads({"source"}).writes({"batch"});
    written.add("train", 0, "compute").reads({"batch"}).collective();
    declared = written.declaration();
    planned = plan::make_plan(declared);
  }
  std::uint64_t print() const { return plan::fingerprint(declared, planned); }
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
  CHECK(changed([](plan::plan& p) { p.resolved.nodes[0].lookahead = 2; }) != print);
  CHECK(changed([](plan::plan& p) { p.resolved.nodes[0].stream = 1; }) != print);
  CHECK(changed([](plan::plan& p) { p.resolved.nodes[0].stream = plan::none; }) != print);
}

TEST_CASE(
    "a fingerprint does not depend on the order of threads, which a rank may have to itself") {
  CHECK(changed([](plan::plan& p) { std::swap(p.order[1], p.order[2]); }) == subject().print());
}

TEST_CASE("a fingerprint depends on the edges: from where, to where, how far, and why") {
  const std::uint64_t print = subject().print();
  CHECK(changed([](plan::plan& p) { p.edges[0].producer = 1; }) != print);
  CHECK(changed([](plan::plan& p) { p.edges[0].consumer = 2; }) != print);
  CHECK(changed([](plan::plan& p) { p.edges[0].delta += 1; }) != print);
  CHECK(changed([](plan::plan& p) { p.edges[0].why = plan::reason::ticket; }) != print);
  CHECK(changed([](plan::plan& p) { p.edges.pop_back(); }) != print);
}

TEST_CASE("a fingerprint depends on slots, their copies, and tickets") {
  const std::uint64_t print = subject().print();
  CHECK(changed([](plan::plan& p) { p.resolved.slots[1] = stretto::name("other"); }) != print);
  CHECK(changed([](plan::plan& p) { p.copies[1] += 1; }) != print);
  CHECK(changed([](plan::plan& p) { p.tickets[0] = 0; }) != print);
  CHECK(changed([](plan::plan& p) { p.tickets.pop_back(); }) != print);
}
