// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which values of batches before one the batches from there on look back at, next to what each
// later batch reads, counted one by one.

#include <doctest/doctest.h>
#include <cstddef>
#include <set>
#include <stretto/plan/derive/looked_back.hpp>
#include <stretto/plan/model/declaration.hpp>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using values = std::set<std::size_t>;

std::size_t value(std::size_t slot, std::size_t batch) { return 1000 * slot + batch; }

constexpr stretto::name all_slots[] = {stretto::name("source"), stretto::name("s")};

values found(draft& d, std::size_t first) {
  values all;
  const planner::declaration drafted = d.declaration();
  const auto listed = planner::looked_back(drafted, all_slots, first);
  for (const planner::earlier_value& v : listed) all.insert(value(v.slot, v.batch));
  CHECK(all.size() == listed.size());
  return all;
}

struct read {
  int every, phase, ago;
  bool latest;
};

/// What `s`, written for one of N batches, has to hold before a batch.
values counted(std::size_t every, std::size_t phase, const read& r, std::size_t first) {
  values all;
  for (std::size_t batch = first; batch < first + 200; ++batch) {
    if (batch % static_cast<std::size_t>(r.every) != static_cast<std::size_t>(r.phase)) continue;
    const auto ago = static_cast<std::size_t>(r.ago);
    std::size_t written = planner::none;
    if (r.latest) {
      for (std::size_t b = 0; b + ago <= batch; ++b)
        if (b % every == phase) written = b;
    } else if (batch / every >= ago) {
      written = (batch / every - ago) * every + phase;
    }
    if (written < first) all.insert(value(1, written));
  }
  return all;
}

}  // namespace

TEST_CASE("values are looked back at as rates, phases and batches say") {
  for (const int every : {1, 2, 3, 5})
    for (int phase = 0; phase < every; ++phase)
      for (const read r :
           {read{1, 0, 0, false}, read{1, 0, 1, false}, read{1, 0, 3, false}, read{1, 0, 0, true},
            read{1, 0, 2, true}, read{4, 3, 0, false}, read{4, 1, 1, false}, read{6, 5, 2, true},
            read{3, 0, 4, true}, read{7, 2, 1, true}})
        for (std::size_t first = 0; first < 23; ++first) {
          draft d;
          d.add("writer").every(every, phase).writes({"s"});
          auto& reader = d.add("reader").every(r.every, r.phase);
          if (r.latest) {
            reader.latest("s", r.ago);
          } else {
            reader.previous("s", r.ago);
          }
          CHECK(found(d, first) == counted(static_cast<std::size_t>(every),
                                           static_cast<std::size_t>(phase), r, first));
        }
}

TEST_CASE("a result of a group is handed out with each batch of it") {
  draft d;
  d.add("writer").every(4, 0).writes({"s"});
  d.result("s");
  CHECK(found(d, 8).empty());
  CHECK(found(d, 9) == values{value(1, 8)});
  CHECK(found(d, 11) == values{value(1, 8)});
  CHECK(found(d, 12).empty());
  CHECK(planner::is_looked_back(d.declaration(), stretto::name("s")));
}

TEST_CASE("the source's slot is looked back at, too, and what several readers want counts once") {
  draft d;
  d.add("writer").reads({"source"}).writes({"s"});
  d.add("one").window("source", 3).reads({"s"});
  d.add("two").previous("source", 2);
  CHECK(found(d, 0).empty());
  CHECK(found(d, 1) == values{value(0, 0)});
  CHECK(found(d, 9) == values{value(0, 8), value(0, 7)});
  CHECK(planner::is_looked_back(d.declaration(), stretto::name("source")));
  CHECK_FALSE(planner::is_looked_back(d.declaration(), stretto::name("s")));
}

namespace {

constexpr stretto::name slot("s");
constexpr planner::access reads[] = {{slot, 0, false, 2}};
constexpr planner::access writes[] = {{slot, 0}};
constexpr std::size_t count_looked_back() {
  planner::task tasks[1]{};
  tasks[0].reads = reads;
  tasks[0].writes = writes;
  planner::declaration d;
  d.tasks = tasks;
  return planner::looked_back(d, planner::view<stretto::name>(&slot, 1), 5).size();
}

}  // namespace

TEST_CASE("what is looked back at is a constant where the declaration is") {
  static_assert(count_looked_back() == 2);
}
