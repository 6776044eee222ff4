// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <doctest/doctest.h>
#include <algorithm>
#include <stretto/plan/model/rate.hpp>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::rate;
using planner::reach_back;

/// How far before a batch the value is written that a reader gets, over all of its runs, by going
/// through them; values of the first batches may be missing, and are not looked at.
reach_back seen(rate reader, rate slot, int ago, bool latest) {
  std::vector<int> all;
  const int start = 4 * reader.every * slot.every * (ago + 2);
  for (int b = start; b < start + reader.every * slot.every; ++b) {
    if (!planner::runs_for(reader, static_cast<std::size_t>(b))) continue;
    int of = latest ? b - ago : (b / slot.every - ago) * slot.every + slot.phase;
    while (latest && of % slot.every != slot.phase) --of;
    all.push_back(b - of);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return {all.front(), all.back() - all.front(), all.size() > 1 ? all[1] - all[0] : 0};
}

}  // namespace

TEST_CASE("a task runs for the last batch of each group, or for that of its phase") {
  planner::task t;
  CHECK(planner::rate_of(t) == rate{1, 0});
  t.every = 4;
  CHECK(planner::rate_of(t) == rate{4, 3});
  t.phase = 0;
  CHECK(planner::rate_of(t) == rate{4, 0});
  const auto batches = [](rate r) {
    std::vector<std::size_t> all;
    for (std::size_t b = 0; b < 12; ++b)
      if (planner::runs_for(r, b)) all.push_back(b);
    return all;
  };
  CHECK(batches({4, 3}) == std::vector<std::size_t>{3, 7, 11});
  CHECK(batches({4, 0}) == std::vector<std::size_t>{0, 4, 8});
  CHECK(batches({1, 0}).size() == 12);
  t.phase = 9;  // rule 2 has those
  CHECK(planner::rate_of(t) == rate{4, 3});
  t.phase = -2;
  CHECK(planner::rate_of(t) == rate{4, 0});
  t.every = -3;
  CHECK(planner::rate_of(t) == rate{1, 0});
}

TEST_CASE("how far back values are read, against going through all batches") {
  for (int re = 1; re <= 6; ++re)
    for (int rp = 0; rp < re; ++rp)
      for (int se = 1; se <= 6; ++se)
        for (int sp = 0; sp < se; ++sp)
          for (int ago = 0; ago <= 3; ++ago)
            for (const bool latest : {false, true}) {
              CAPTURE(re);
              CAPTURE(rp);
              CAPTURE(se);
              CAPTURE(sp);
              CAPTURE(ago);
              CAPTURE(latest);
              const rate reader{re, rp};
              const rate slot{se, sp};
              const reach_back told = latest ? planner::reach_of_latest(reader, slot, ago)
                                             : planner::reach_of_group(reader, slot, ago);
              const reach_back is = seen(reader, slot, ago, latest);
              CHECK(told.nearest == is.nearest);
              CHECK(told.span == is.span);
              if (is.step > 0) CHECK(told.step == is.step);
            }
}

TEST_CASE("a slot has the rate of the task that writes it, and a read that of both") {
  draft d;
  d.add("make").every(4, 1).writes({"value"});
  d.add("use").every(2).previous("value", 2).latest("value", 1).reads({"source"});
  const planner::declaration all = d.declaration();
  const planner::task& use = all.tasks[1];
  CHECK(planner::rate_of_slot(all, stretto::name("value")) == rate{4, 1});
  CHECK(planner::rate_of_slot(all, stretto::name("source")) == rate{1, 0});
  CHECK(planner::reach_of(all, use, use.reads[0]).nearest == 8);
  CHECK(planner::reach_of(all, use, use.reads[1]).nearest == 2);
  CHECK(planner::reach_of(all, use, use.reads[2]).nearest == 0);
  CHECK(planner::first_batch_with(use.reads[0], {4, 1}) == 8);
  CHECK(planner::first_batch_with(use.reads[1], {4, 1}) == 2);
  CHECK(planner::first_batch_with(use.reads[2], {1, 0}) == 0);
}
