// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which slots point into which, over how many others, and who uses a slot without naming it.

#include <doctest/doctest.h>
#include <stretto/plan/derive/copies.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/pointing.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::edge;
using planner::reason;

stretto::name operator""_n(const char* text, std::size_t size) {
  return {std::string_view(text, size)};
}

/// `line` points into `words`, which point into `text`.
struct viewing : draft {
  task& load = add("load", 3).writes({"text"});
  task& split = add("split", 2).reads({"text"}).writes({"words"});
  task& choose = add("choose", 1).reads({"words"}).writes({"line"});
  task& copy = add("copy", 0).reads({"line"}).writes({"out"});
  viewing() { points("words", "text").points("line", "words"); }
};

std::size_t copies_of(draft& d, std::string_view slot) {
  const planner::graph g = planner::make_graph(d.declaration());
  const planner::list<std::size_t> all = planner::needed_copies(g);
  for (std::size_t s = 0; s < all.size(); ++s)
    if (g.slot_list[s].text == slot) return all[s];
  return 0;
}

std::vector<edge> edges_to(draft& d, std::size_t consumer, reason why) {
  const planner::plan p = planner::make_plan(d.declaration());
  std::vector<edge> found;
  for (const edge& e : p.edges)
    if (e.consumer == consumer && e.why == why) found.push_back(e);
  return found;
}

}  // namespace

TEST_CASE("what a slot points into, over others, and not itself") {
  viewing d;
  d.points("text", "line");  // a circle
  const planner::pointings all(d.declaration().points);
  CHECK(all.leads("line"_n, "words"_n));
  CHECK(all.leads("line"_n, "text"_n));
  CHECK_FALSE(all.leads("line"_n, "line"_n));
  CHECK(all.leads("text"_n, "words"_n));
  CHECK(all.of("out"_n).empty());
  CHECK(planner::implying_slot(d.declaration(), 3, "text"_n).text == "line");
  CHECK(planner::implying_slot(d.declaration(), 1, "text"_n).key.empty());
  CHECK(planner::viewing_slot(d.declaration(), 1, "text"_n).text == "words");
  CHECK(planner::implying_slot(d.declaration(), 0, "out"_n).key.empty());
  viewing straight;
  CHECK(planner::implying_slot(straight.declaration(), 3, "text"_n).text == "line");
  CHECK(planner::implying_slot(straight.declaration(), 0, "words"_n).key.empty());
}

TEST_CASE("a slot is kept as long as those that point into it are used") {
  viewing d;
  CHECK(copies_of(d, "text") == 4);
  CHECK(copies_of(d, "words") == 3);
  CHECK(copies_of(d, "line") == 2);
  const std::vector<edge> again = edges_to(d, 0, reason::reuse);
  REQUIRE(again.size() == 3);  // once for each task that uses it in any way
  for (const edge& e : again) CHECK(e.delta == 4 - (3 - (3 - static_cast<int>(e.producer))));
  draft plain;
  plain.add("load", 3).writes({"text"});
  plain.add("split", 2).reads({"text"}).writes({"words"});
  plain.add("copy", 0).reads({"words"}).writes({"out"});
  CHECK(copies_of(plain, "text") == 2);
  plain.points("words", "text");
  CHECK(copies_of(plain, "text") == 4);
  draft updated;  // who writes a slot later uses what it points into
  updated.add("load", 3).writes({"text"});
  updated.add("split", 2).reads({"text"}).writes({"words"});
  updated.add("sort", 1).writes({"words"});
  updated.points("words", "text");
  CHECK(copies_of(updated, "text") == 3);
}

TEST_CASE("a result keeps what it points into") {
  viewing d;
  CHECK(planner::make_plan(d.declaration()).resolved.readers.size() == 6);
  d.result("line");
  const planner::plan p = planner::make_plan(d.declaration());
  bool kept = false;
  for (const edge& e : p.edges)
    kept = kept || (e.producer == p.resolved.deliver() && e.consumer == 0 &&
                    e.why == reason::reuse && e.delta == 1);
  CHECK(kept);
}

TEST_CASE("who updates or takes comes after all that use what points into it") {
  viewing d;
  d.add("send", 0).takes({"text"});
  std::vector<edge> before = edges_to(d, 4, reason::take);
  REQUIRE(before.size() == 3);
  CHECK(before[2].producer == 3);
  CHECK(before[2].delta == 0);
  viewing updated;
  updated.choose.writes({"other"});
  updated.add("update", 0).thread("u").writes({"words"});
  updated.add("look", 1).reads({"words"});
  CHECK(edges_to(updated, 4, reason::update).size() == 3);
}

TEST_CASE("no body gets what is read by the way, and what moves ahead keeps it") {
  viewing d;
  planner::declaration declared = d.declaration();
  const planner::graph g = planner::make_graph(declared);
  for (std::size_t t = 0; t < g.tasks; ++t)
    CHECK(g.nodes[t].reads.last - g.nodes[t].reads.first == declared.tasks[t].reads.size());
  const std::vector<int> raised{1, 1, 1, 1, 1};
  declared.raised = raised;
  const planner::graph further = planner::planned_graph(declared);
  for (const planner::use& u : further.readers) CHECK(u.offset == further.nodes[u.node].lookahead);
}
