// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Traces in Perfetto's own format, read back by a strict reader.

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <stretto/observe/perfetto.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include "hand_made.hpp"
#include "perfetto_reader.hpp"

namespace st = stretto;

namespace {

constexpr std::uint64_t hour = 3'600'000'000'000U;
constexpr std::uint64_t ms = 1'000'000;

/// Of a trace, by the names of tracks: "threads/io".
struct seen {
  struct slice {
    std::string track, name, category;
    std::uint64_t batch, from, to;  // milliseconds
    std::string waited_for;
    std::vector<std::uint64_t> flows_out, flows_in;
  };
  std::vector<std::string> tracks;
  std::map<std::string, std::string> units;
  std::vector<slice> slices;
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::int64_t>>> values;
};

seen written(const st::timeline& record, const std::vector<st::recorded_wait>& waits = {},
             const std::vector<st::recorded_counter>& counters = {}) {
  std::ostringstream out;
  st::write_perfetto(out, record, waits, counters);
  const perfetto_reader::message trace = perfetto_reader::read(out.str());
  seen all;
  std::map<std::uint64_t, std::string> names;
  std::map<std::uint64_t, std::vector<std::size_t>> open;  // by track
  std::uint64_t last = 0;
  std::uint64_t rank = 0;
  const auto in_ms = [](std::uint64_t at) { return at < hour ? at : (at - hour) / ms; };
  for (const auto& packet : trace.messages.at("packet")) {
    CHECK(packet.number("trusted_packet_sequence_id") == 1);
    if (packet.has("track_descriptor")) {
      CHECK_FALSE(packet.has("timestamp"));
      CHECK(last == 0);  // a track is there before its events
      const auto& track = packet.inside("track_descriptor");
      std::string name = track.text("name");
      if (track.has("parent_uuid")) name = names.at(track.number("parent_uuid")) + "/" + name;
      CHECK(track.number("uuid") != 0);
      CHECK(names.emplace(track.number("uuid"), name).second);
      CHECK(track.number("child_ordering") == 3);  // EXPLICIT
      CHECK(track.number("sibling_order_rank") > rank);
      rank = track.number("sibling_order_rank");
      all.tracks.push_back(name);
      if (!track.has("counter")) continue;
      CHECK(track.inside("counter").number("unit") == 2);  // UNIT_COUNT
      all.units[name] = track.inside("counter").text("unit_name");
      continue;
    }
    const auto& event = packet.inside("track_event");
    const std::uint64_t at = packet.number("timestamp");
    CHECK(at >= last);
    last = at;
    const std::uint64_t id = event.number("track_uuid");
    const std::string& track = names.at(id);
    switch (event.number("type")) {
      case 1: {  // TYPE_SLICE_BEGIN
        CHECK(open[id].empty());
        open[id].push_back(all.slices.size());
        seen::slice s{track, event.text("name"), event.text("categories"), 0, in_ms(at), 0, {}, {},
                      {}};
        for (const auto& a : event.messages.at("debug_annotations")) {
          if (a.text("name") == "batch") {
            s.batch = a.number("uint_value");
          } else {
            CHECK(a.text("name") == "waited for");
            s.waited_for += a.text("string_value");
          }
        }
        if (event.has("flow_ids")) s.flows_out = event.numbers.find("flow_ids")->second;
        if (event.has("terminating_flow_ids"))
          s.flows_in = event.numbers.find("terminating_flow_ids")->second;
        all.slices.push_back(s);
        break;
      }
      case 2:  // TYPE_SLICE_END
        REQUIRE(open[id].size() == 1);
        all.slices[open[id].back()].to = in_ms(at);
        open[id].pop_back();
        break;
      case 4:  // TYPE_COUNTER
        CHECK(all.units.contains(track));
        all.values[track].emplace_back(in_ms(at),
                                       static_cast<std::int64_t>(event.number("counter_value")));
        break;
      default: FAIL("an event of another type");
    }
  }
  for (const auto& [id, slices] : open) CHECK(slices.empty());
  return all;
}

}  // namespace

TEST_CASE("threads, streams and counters are trees of tracks, with slices and units") {
  hand_made h({"caller", "other"}, {"load", "use"});
  const std::string_view streams[] = {"copy"};
  h.record.name_streams(streams);
  h.run(0, 2, 300, 0, 1).run(0, 0, 300, 1, 4).run(1, 1, 300, 4, 9);
  h.run_on_stream(0, 1, 300, 5, 12);
  const seen all = written(h.record);
  CHECK(all.tracks ==
        std::vector<std::string>{"threads", "threads/caller", "threads/other",
                                 "streams of the device", "streams of the device/copy", "counters",
                                 "counters/batches in flight", "counters/busy threads"});
  CHECK(all.units == std::map<std::string, std::string>{{"counters/batches in flight", "batches"},
                                                        {"counters/busy threads", "threads"}});
  REQUIRE(all.slices.size() == 4);
  const auto told = [&](std::size_t i) {
    const seen::slice& s = all.slices[i];
    return std::tuple(s.track, s.name, s.category, s.batch, s.from, s.to);
  };
  using row = std::tuple<std::string, std::string, std::string, std::uint64_t, std::uint64_t,
                         std::uint64_t>;
  CHECK(told(0) == row("threads/caller", "pull", "source", 300, 0, 1));
  CHECK(told(1) == row("threads/caller", "load", "task", 300, 1, 4));
  CHECK(told(2) == row("threads/other", "use", "task", 300, 4, 9));
  CHECK(told(3) == row("streams of the device/copy", "use", "task", 300, 5, 12));
  using steps = std::vector<std::pair<std::uint64_t, std::int64_t>>;
  CHECK(all.values.at("counters/batches in flight") == steps{{0, 1}, {12, 0}});
  CHECK(all.values.at("counters/busy threads") == steps{{1, 1}, {4, 1}, {9, 0}});
}

TEST_CASE("waits are flows between slices, which say why") {
  hand_made h({"caller", "other"}, {"load", "use"});
  h.run(0, 0, 0, 1, 4).run(1, 1, 0, 4, 9).run(0, 0, 1, 9, 10);
  const std::vector<st::timeline::span> caller = h.record.spans(0);
  const std::vector<st::timeline::span> other = h.record.spans(1);
  const seen all = written(h.record, {{0, caller[0], 1, other[0], "reads `x`"},
                                      {1, other[0], 0, caller[1], "refills `x`"}});
  REQUIRE(all.slices.size() == 3);
  using ids = std::vector<std::uint64_t>;
  CHECK(all.slices[0].flows_out == ids{1});
  CHECK(all.slices[0].flows_in.empty());
  CHECK(all.slices[1].flows_in == ids{1});
  CHECK(all.slices[1].flows_out == ids{2});
  CHECK(all.slices[1].waited_for == "reads `x`");
  CHECK(all.slices[2].flows_in == ids{2});
  CHECK(all.slices[2].waited_for == "refills `x`");
  CHECK(all.slices[2].batch == 1);
}

TEST_CASE("a slice that takes no time ends where it begins") {
  hand_made h({"caller"}, {"a", "b"});
  h.run(0, 0, 0, 1, 4).run(0, 1, 0, 4, 4).run(0, 0, 1, 4, 4).run(0, 1, 1, 4, 6);
  const seen all = written(h.record);
  REQUIRE(all.slices.size() == 4);
  CHECK(all.slices[1].name == "b");
  CHECK(all.slices[2].batch == 1);
  CHECK(all.slices[3].to == 6);
}

TEST_CASE("counters of others are on tracks of their own; names are what people can be shown") {
  hand_made h({"a \xFF thread"}, {"load"});
  h.run(0, 0, 0, 1, 4);
  const auto begin = h.record.spans(0)[0].begin;
  const seen all = written(
      h.record, {},
      {{"waiting in x", "batches", {{begin, 300}, {begin + std::chrono::milliseconds(1), -1}}}});
  CHECK(all.tracks.back() == "counters/waiting in x");
  CHECK(all.units.at("counters/waiting in x") == "batches");
  CHECK(all.values.at("counters/waiting in x") ==
        std::vector<std::pair<std::uint64_t, std::int64_t>>{{1, 300}, {2, -1}});
  CHECK(all.tracks[1].find('\xFF') == std::string::npos);
}

TEST_CASE("a record of nothing is a trace of no event") {
  const seen all = written(st::timeline());
  CHECK(all.slices.empty());
  CHECK(all.values.empty());
}
