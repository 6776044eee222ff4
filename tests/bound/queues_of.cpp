// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many batches waited in slots, of records of which it is known.

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <sstream>
#include <stretto/bound/queues_of.hpp>
#include <stretto/bound/simulate.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "learning.hpp"

namespace st = stretto;
using namespace of_three_threads;

namespace {

using steps = std::vector<std::pair<long, int>>;

st::timeline::clock::time_point at(int us) {
  return st::timeline::clock::time_point(std::chrono::microseconds(us));
}
steps of(const st::recorded_counter& c) {
  steps all;
  for (const auto& now : c.changes)
    all.emplace_back(
        std::chrono::duration_cast<std::chrono::microseconds>(now.at.time_since_epoch()).count(),
        now.value);
  return all;
}

/// `decode` of two batches, and what reads them later. The source has no third one.
st::timeline known() {
  st::timeline record;
  const std::string_view threads[] = {"caller", "decoder", "cropper"};
  const std::string_view tasks[] = {"decode", "crop", "train", "pull", "deliver"};
  record.attached(threads, tasks);
  const auto put = [&](std::size_t thread, std::size_t task, std::size_t batch, int from, int to) {
    record.add(thread, {task, batch, at(from), at(to)});
  };
  put(0, 3, 0, 10, 11);
  put(0, 3, 1, 12, 13);
  put(0, 3, 2, 13, 14);
  put(1, 0, 0, 20, 30);
  put(1, 0, 1, 30, 40);
  put(2, 1, 0, 50, 60);
  put(2, 1, 1, 60, 70);
  put(0, 2, 0, 60, 90);
  put(0, 2, 1, 90, 95);
  return record;
}

struct latest_loss : st::slot<int> {};
struct keep {
  using thread = st::thread<"keeper">;
  using reads = st::reads<patch, st::previous<loss>>;
  using writes = st::writes<latest_loss>;
  void operator()(int in, int before, int& out) const { out = in + before; }
};
struct keeping
    : st::schedule<st::source<file>, st::result<latest_loss>, decode, crop, train, keep> {};

}  // namespace

TEST_CASE("a batch waits in a slot from the end of its writer to the begin of its reader") {
  const std::vector<st::recorded_counter> all = st::queues_of<learning>(known());
  REQUIRE(all.size() == 3);  // nobody reads `loss` but the loop over results
  CHECK(all[0].name == "waiting in file");
  CHECK(all[0].unit == "batches");
  CHECK(of(all[0]) == steps{{11, 1}, {13, 2}, {20, 1}, {30, 0}});
  CHECK(all[1].name == "waiting in image");
  CHECK(of(all[1]) == steps{{30, 1}, {40, 2}, {50, 1}, {60, 0}});
  CHECK(all[2].name == "waiting in patch");
  CHECK(of(all[2]) == steps{{70, 1}, {90, 0}});  // the first one was read at once
}

TEST_CASE("of values it is what it is of types; a record has to be of the schedule") {
  const st::dynamic::planned_schedule planned(st::dynamic::from_types<learning>());
  const auto types = st::queues_of<learning>(known());
  const auto values = st::queues_of(planned, known());
  REQUIRE(types.size() == values.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    CHECK(types[i].name == values[i].name);
    CHECK(of(types[i]) == of(values[i]));
  }
  CHECK(st::queues_of<learning>(st::timeline()).empty());
  CHECK_THROWS_AS(static_cast<void>(st::queues_of<keeping>(known())), st::usage_error);
}

TEST_CASE("of several readers the last one counts, and reads of earlier batches do not") {
  const st::timeline record =
      st::simulate<keeping>({{"decode", 10}, {"crop", 10}, {"train", 10}, {"keep", 1}}, 4)
          .record(std::chrono::microseconds(1));
  for (const st::recorded_counter& c : st::queues_of<keeping>(record)) {
    CHECK(c.name != "waiting in loss");
    for (const auto& now : c.changes) CHECK(now.value >= 0);
    if (!c.changes.empty()) CHECK(c.changes.back().value == 0);
  }
  // `crop` has made a batch: `keep` waits for `train` of the batch before.
  st::timeline made;
  const std::string_view threads[] = {"caller", "decoder", "cropper", "keeper"};
  const std::string_view tasks[] = {"decode", "crop", "train", "keep", "pull", "deliver"};
  made.attached(threads, tasks);
  made.add(2, {1, 0, at(0), at(10)});
  made.add(0, {2, 0, at(15), at(20)});
  made.add(3, {3, 0, at(11), at(13)});
  for (const st::recorded_counter& c : st::queues_of<keeping>(made))
    if (c.name == "waiting in patch") CHECK(of(c) == steps{{10, 1}, {15, 0}});
}

TEST_CASE("queues are counters of a trace") {
  const st::timeline record = known();
  std::ostringstream out;
  st::write_trace(out, record, {}, st::queues_of<learning>(record));
  CHECK(out.str().find(
            R"({"ph":"C","pid":1,"name":"waiting in image","ts":40.000,"args":{"batches":2}})") !=
        std::string::npos);
}
