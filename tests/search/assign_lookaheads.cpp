// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lookaheads as the original engine assigns them.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <string>
#include <vector>

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace search = stretto::search;
using search::number;

/// `load` on one stream, for `train` on the main one, which is frozen.
search::problem pair(int load, int train) {
  search::problem p;
  p.resources = 3;
  p.in_flight = 5;
  p.tasks = {{load, false, search::no_number, {0}}, {train, false, search::no_number, {1}, 0, 0}};
  p.arcs = {{0, 1, 0}};
  return p;
}

std::vector<int> assigned(const search::problem& p, std::vector<int> start) {
  const search::solution found = search::assign_lookaheads(p, {std::move(start)});
  return found.found ? found.best.lookahead : std::vector<int>{};
}

using ahead = std::vector<int>;

}  // namespace

TEST_CASE("what the main queue waits for is done while it is busy with earlier batches") {
  CHECK(assigned(pair(3, 10), {0, 0}) == ahead{1, 0});
  CHECK(assigned(pair(10, 10), {0, 0}) == ahead{1, 0});
  CHECK(assigned(pair(11, 10), {0, 0}) == ahead{2, 0});
  CHECK(assigned(pair(35, 10), {0, 0}) == ahead{4, 0});
  CHECK(assigned(pair(1000, 10), {0, 0}) == ahead{4, 0});  // as many as there may be
  CHECK(assigned(pair(3, 10), {3, 0}) == ahead{3, 0});     // never less than before
  search::problem p = pair(1000, 10);
  p.tasks[0].most = 2;
  CHECK(assigned(p, {0, 0}) == ahead{2, 0});
}

TEST_CASE("all who share a resource have to be done by then") {
  search::problem p = pair(4, 10);
  p.tasks.push_back({17, false, search::no_number, {2}});
  p.tasks[0].on = {0, 2};
  // The resource is the queue of the one and is held by the other.
  CHECK(assigned(p, {0, 0, 0}) == ahead{3, 0, 3});
  p.tasks[2].on = {0};
  p.tasks[0].on = {0};
  CHECK(assigned(p, {0, 0, 0}) == ahead{1, 0, 2});
}

TEST_CASE("frozen tasks, the main queue and what comes after it stay") {
  search::problem p = pair(3, 10);
  p.tasks.push_back({5, false, search::no_number, {2}});
  p.arcs.push_back({1, 2, 0});
  CHECK(assigned(p, {0, 0, 0}) == ahead{1, 0, 0});
  p.tasks.push_back({5, false, search::no_number, {2}, 1, 1});
  CHECK(assigned(p, {0, 0, 0, 1}) == ahead{1, 0, 0, 1});
  // With nothing frozen the fullest queue is the main one.
  p = pair(3, 10);
  p.tasks[1].most = 4;
  CHECK(assigned(p, {0, 0}) == ahead{1, 0});
  p = pair(30, 10);
  p.tasks[1].most = 4;
  CHECK(assigned(p, {0, 0}) == ahead{0, 0});
}

TEST_CASE(
    "who waits for an earlier batch does not move, and what a task waits for is as far ahead") {
  search::problem p = pair(3, 10);
  p.tasks.insert(p.tasks.begin(), {1, false, search::no_number, {2}});
  p.arcs = {{0, 1, 0}, {1, 2, 0}};
  p.tasks[1].weight = 25;
  CHECK(assigned(p, {0, 0, 0}) == ahead{3, 3, 0});
  p.arcs.push_back({2, 1, 1});
  CHECK(assigned(p, {0, 0, 0}) == ahead{1, 0, 0});
  // The first cannot follow the second.
  p.arcs = {{0, 1, 0}, {1, 2, 0}, {2, 0, 1}};
  CHECK(assigned(p, {0, 0, 0}) == ahead{});
}

namespace {

/// `read`, `decode` and `train`, each on a stream of its own; `train` is long.
dynamic::schedule chain() {
  dynamic::schedule s;
  s.streams = {"disk", "copy", "compute"};
  s.source.slot = "file";
  s.results = {"loss"};
  s.source.lookahead = 3;
  const char* const slots[] = {"file", "image", "batch", "loss"};
  const char* const names[] = {"read", "decode", "train"};
  for (std::size_t t = 0; t < 3; ++t) {
    dynamic::task& task = s.tasks.emplace_back();
    task.name = names[t];
    task.stream = s.streams[t];
    task.reads = {slots[t]};
    task.writes = {slots[t + 1]};
  }
  s.slot<int>("file").slot<int>("image").slot<int>("batch").slot<int>("loss");
  return s;
}
const std::vector<st::task_cost> costs{{"read", 3}, {"decode", 15}, {"train", 10}};

std::string refused(const dynamic::schedule& s, const search::limits& within,
                    search::fire_order policy = search::fire_order::declared) {
  try {
    search::assign_lookaheads(s, costs, within, policy);
  } catch (const st::usage_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("frozen tasks of a schedule name its main stream and keep their lookahead") {
  search::limits within;
  within.frozen = {"train"};
  const search::found_schedule found = search::assign_lookaheads(chain(), costs, within);
  CHECK(found.schedule.at("read").lookahead == 2);
  CHECK(found.schedule.at("decode").lookahead == 2);
  CHECK(found.schedule.at("train").lookahead == 0);
  CHECK(found.in_flight == 3);
  CHECK(dynamic::diagnose(found.schedule).ok());
  // Without, the longest is the main one: what comes after it stays.
  CHECK(search::assign_lookaheads(chain(), costs).schedule.at("decode").lookahead == 0);
  CHECK(search::assign_lookaheads(chain(), costs).schedule.at("read").lookahead == 1);
}

TEST_CASE("policies order tasks") {
  const auto order = [&](search::fire_order policy) {
    std::string names;
    dynamic::schedule s = chain();
    s.tasks[2].reads = {"file"};  // who waits for nobody
    for (const dynamic::task& t : search::assign_lookaheads(s, costs, {}, policy).schedule.tasks)
      names += t.name + " ";
    return names;
  };
  CHECK(order(search::fire_order::declared) == "read decode train ");
  CHECK(order(search::fire_order::main_first) != order(search::fire_order::longest_off_main));
  CHECK(order(search::fire_order::longest_off_main) == "train read decode ");
}

TEST_CASE("what cannot be assigned is refused in a sentence") {
  search::limits within;
  within.frozen = {"train"};
  CHECK(refused(chain(), within) == "");
  dynamic::schedule s = chain();
  within.frozen = {"train", "read"};
  CHECK(refused(s, within) ==
        "lookaheads cannot be assigned: task `decode` would work 2 ahead, and `read`, for which it "
        "waits, stays at 0: give the latter a greater lookahead");
  within.frozen = {"trian"};
  CHECK(refused(s, within) == "limits name the task `trian`, which there is not");
  within.frozen = {"train"};
  within.bytes = 1;
  CHECK(refused(s, within).find("one copy of each slot takes ") == 0);
  CHECK(refused(s, {}, static_cast<search::fire_order>(7)) == "there is no fire order of number 7");
  CHECK(refused(s, {}, static_cast<search::fire_order>(-1)) ==
        "there is no fire order of number -1");
}
