// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an answer comes to, and what is wrong with one that is none.

#include <doctest/doctest.h>
#include <stretto/search/evaluation.hpp>
#include <vector>

namespace {

namespace search = stretto::search;
using search::illegal;
using stretto::planner::ratio;

/// A reader on one thread, a worker on another, and the slot between them.
search::problem two() {
  search::problem p;
  p.threads = 2;
  p.resources = 1;
  p.in_flight = 2;
  p.tasks.resize(2);
  p.tasks[0].weight = 3;
  p.tasks[1].weight = 5;
  p.slot_list.push_back({10, 0, {{1, 0}}});
  return p;
}
search::answer overlapped() {
  search::answer a;
  a.lookahead = {1, 0};
  a.thread = {0, 1};
  a.order = {0, 1};
  a.copies = {2};
  a.in_flight = 2;
  return a;
}

illegal wrong(const search::problem& p, const search::answer& a) {
  return search::evaluation(p, a).wrong();
}

}  // namespace

TEST_CASE("a period is the longest of loads and cycles, bytes are those of all copies") {
  search::problem p = two();
  search::answer a = overlapped();
  REQUIRE(wrong(p, a) == illegal::no);
  CHECK(search::evaluation(p, a).period() == ratio{5, 1});
  CHECK(search::evaluation(p, a).bytes() == 20);
  CHECK(search::evaluation(p, a).cycle().empty());

  // With one copy a batch goes through both before the next is written.
  a.lookahead = {0, 0};
  CHECK(search::evaluation(p, a).period() == ratio{5, 1});
  a.copies = {1};
  CHECK(search::evaluation(p, a).period() == ratio{8, 1});
  CHECK(search::evaluation(p, a).cycle().size() == 2);
  // With one batch in flight, before the next is pulled.
  a.copies = {2};
  a.in_flight = 1;
  const search::evaluation alone(p, a);
  CHECK(alone.period() == ratio{8, 1});
  CHECK(alone.cycle().size() == 4);

  // On one thread, or with one resource.
  a = overlapped();
  a.thread = {0, 0};
  CHECK(search::evaluation(p, a).period() == ratio{8, 1});
  a.thread = {0, 1};
  p.tasks[0].on = p.tasks[1].on = {0};
  CHECK(search::evaluation(p, a).period() == ratio{8, 1});
  p.tasks[0].on = {};

  // A thread that waits for another between its first task and its last.
  search::problem three = two();
  three.tasks.resize(3);
  three.tasks[2].weight = 4;
  three.slot_list.push_back({1, 1, {{2, 0}}});
  a.lookahead = {0, 0, 0};
  a.thread = {0, 1, 0};
  a.order = {0, 1, 2};
  a.copies = {2, 2};
  CHECK(search::evaluation(three, a).period() == ratio{12, 1});
  a = overlapped();

  // `1` of the batch before comes first.
  p.arcs.push_back({1, 0, 1});
  a.lookahead = {0, 0};
  a.copies = {2};
  CHECK(search::evaluation(p, a).period() == ratio{8, 1});
}

TEST_CASE("what is read of an earlier batch takes a copy more") {
  search::problem p = two();
  p.slot_list[0].readers[0].ago = 1;
  search::answer a = overlapped();
  CHECK(wrong(p, a) == illegal::copies);
  a.copies = {3};
  CHECK(search::evaluation(p, a).period() == ratio{5, 1});
  a.lookahead = {0, 1};
  a.copies = {1};
  a.order = {0, 1};
  CHECK(wrong(p, a) == illegal::no);  // at one progress, of different batches
  a.order = {1, 0};
  CHECK(wrong(p, a) == illegal::order);
}

TEST_CASE("what waits by progress does so whatever the lookaheads") {
  search::problem p = two();
  p.slot_list.clear();
  search::answer a = overlapped();
  a.copies = {};
  CHECK(search::evaluation(p, a).period() == ratio{5, 1});
  p.progresses.push_back({0, 1, 0});
  p.progresses.push_back({1, 0, 1});
  CHECK(search::evaluation(p, a).period() == ratio{8, 1});
  a.order = {1, 0};
  CHECK(wrong(p, a) == illegal::order);
}

TEST_CASE("each mistake of an answer is told") {
  const search::problem p = two();
  const auto with = [&](auto change) {
    search::answer a = overlapped();
    change(a);
    return wrong(p, a);
  };
  CHECK(with([](auto& a) { a.lookahead.pop_back(); }) == illegal::incomplete);
  CHECK(with([](auto& a) { a.thread.pop_back(); }) == illegal::incomplete);
  CHECK(with([](auto& a) { a.order = {0, 0}; }) == illegal::incomplete);
  CHECK(with([](auto& a) { a.order = {0, 2}; }) == illegal::incomplete);
  CHECK(with([](auto& a) { a.copies.pop_back(); }) == illegal::incomplete);
  CHECK(with([](auto& a) { a.in_flight = 3; }) == illegal::in_flight);
  CHECK(with([](auto& a) { a.in_flight = 1; }) == illegal::in_flight);
  CHECK(with([](auto& a) { a.lookahead = {2, 0}; }) == illegal::lookahead);
  CHECK(with([](auto& a) { a.lookahead = {-1, 0}; }) == illegal::lookahead);
  CHECK(with([](auto& a) { a.lookahead = {0, 1}; }) == illegal::future);
  CHECK(with([](auto& a) { a.thread = {0, 2}; }) == illegal::thread);
  CHECK(with([](auto& a) { a.thread = {0, search::no_number}; }) == illegal::thread);
  CHECK(with([](auto& a) { a.copies = {1}; }) == illegal::copies);
  CHECK(with([](auto& a) {
          a.lookahead = {1, 1};
          a.order = {1, 0};
        }) == illegal::order);

  search::problem other = p;
  other.bytes = 19;
  CHECK(wrong(other, overlapped()) == illegal::bytes);
  other = p;
  other.tasks[1].thread = 0;
  CHECK(wrong(other, overlapped()) == illegal::thread);
  other.tasks[1].host = false;
  CHECK(wrong(other, overlapped()) == illegal::thread);
  other = p;
  other.offered = 1;  // `1` is on none that is offered
  CHECK(wrong(other, overlapped()) == illegal::thread);
  other = p;
  other.tasks[0].most = 0;
  CHECK(wrong(other, overlapped()) == illegal::lookahead);
}
