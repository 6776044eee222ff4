// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <stretto/observe/timeline.hpp>
#include <string_view>
#include <vector>
#include "hand_made.hpp"

using stretto::timeline;

namespace {

constexpr std::size_t copy = 0;
constexpr std::size_t work = 1;
constexpr std::size_t pull = 2;

double ms(timeline::seconds s) { return s.count() * 1e3; }

// Copies one batch ahead: a copy takes 4, work 8, and each progress 10.
hand_made steady() {
  hand_made h({"a", "b"}, {"copy", "work"});
  for (int b = 0; b < 6; ++b) {
    h.run(0, copy, static_cast<std::size_t>(b), 10 * b, 10 * b + 4);
    h.run(1, work, static_cast<std::size_t>(b), 10 * b + 10, 10 * b + 18);
  }
  return h;
}

}  // namespace

TEST_CASE("a window reaches from the end of one batch to the end of another") {
  const auto windows = steady().record.windows(2);
  REQUIRE(windows.size() == 2);
  CHECK(windows[0].first_batch == 1);
  CHECK(windows[0].batches == 2);
  CHECK(ms(windows[0].wall) == doctest::Approx(20));
  REQUIRE(windows[0].busy.size() == 2);
  CHECK(ms(windows[0].busy[0]) == doctest::Approx(8));
  CHECK(ms(windows[0].busy[1]) == doctest::Approx(16));
  CHECK(ms(windows[0].busiest()) == doctest::Approx(16));
  CHECK(ms(windows[0].total()) == doctest::Approx(24));
  CHECK(windows[1].first_batch == 3);
}

TEST_CASE("a task that crosses a window's edge counts on both sides") {
  hand_made h({"a", "b"}, {"copy", "work"});
  h.run(1, work, 0, 0, 10).run(1, work, 1, 12, 20).run(1, work, 2, 22, 30);
  h.run(0, copy, 2, 15, 24);  // the edge between windows is at 20
  const auto windows = h.record.windows(1);
  REQUIRE(windows.size() == 2);
  CHECK(ms(windows[0].busy[0]) == doctest::Approx(5));
  CHECK(ms(windows[1].busy[0]) == doctest::Approx(4));
}

TEST_CASE("asking a source that has ended is no batch") {
  hand_made h = steady();
  h.run(0, pull, 6, 60, 61);
  CHECK(h.record.windows(1).size() == 5);
}

TEST_CASE("time in the source is counted apart: it may be waiting") {
  hand_made h({"a", "b"}, {"copy", "work"});
  for (int b = 0; b < 4; ++b) {
    h.run(0, pull, static_cast<std::size_t>(b), 10 * b, 10 * b + 7);
    h.run(0, copy, static_cast<std::size_t>(b), 10 * b + 7, 10 * b + 9);
    h.run(1, work, static_cast<std::size_t>(b), 10 * b + 9, 10 * b + 10);
  }
  const auto windows = h.record.windows(1);
  REQUIRE(windows.size() == 3);
  CHECK(ms(windows[1].busy[0]) == doctest::Approx(2));
  CHECK(ms(windows[1].in_source[0]) == doctest::Approx(7));
  CHECK(ms(windows[1].busy[1]) == doctest::Approx(1));
  CHECK(ms(windows[1].in_source[1]) == doctest::Approx(0));
  CHECK(ms(windows[1].total()) == doctest::Approx(3));
}

TEST_CASE("windows of no batches, and records too short for one, give none") {
  CHECK(steady().record.windows(0).empty());
  CHECK(steady().record.windows(6).empty());
  CHECK(hand_made({"a"}, {"work"}).record.windows(1).empty());
}

TEST_CASE("the latest runs are kept, oldest first, and windows over lost batches are left out") {
  hand_made h({"a"}, {"copy", "work"});
  const int extra = 10;
  const int runs = static_cast<int>(timeline::capacity) + extra;
  for (int b = 0; b < runs; ++b) h.run(0, work, static_cast<std::size_t>(b), b, b + 1);
  const auto spans = h.record.spans(0);
  REQUIRE(spans.size() == timeline::capacity);
  CHECK(spans.front().batch == extra);
  CHECK(h.record.overwritten() == extra);
  CHECK(spans.back().batch == static_cast<std::size_t>(runs - 1));
  CHECK(h.record.windows(1).front().first_batch == extra + 1);
}

TEST_CASE("a record that begins at a late batch takes no room for those before") {
  constexpr std::size_t late = std::size_t{1} << 62U;  // more of them than there is memory
  hand_made h({"a"}, {"copy", "work"});
  for (std::size_t b = 0; b < 6; ++b) {
    const auto begin = static_cast<int>(10 * b);
    h.run(0, work, late + 1 + b, begin, begin + 10);
  }
  const auto ends = h.record.ends_of_batches();
  CHECK(ends.first == late + 1);
  CHECK(ends.through.size() == 6);
  const auto windows = h.record.windows(2);
  REQUIRE(windows.size() == 2);
  CHECK(windows[0].first_batch == late + 3);  // as where a record has all batches from 0
  CHECK(windows[1].first_batch == late + 5);
  CHECK(ms(windows[0].wall) == doctest::Approx(20));
  CHECK(h.record.windows(late).empty());
}

TEST_CASE("the end of a batch is that of its last task") {
  hand_made h({"a", "b"}, {"copy", "work"});
  CHECK(h.record.ends_of_batches().through.empty());
  h.run(0, copy, 3, 5, 9).run(1, work, 3, 6, 8).run(0, pull, 4, 9, 20);
  const auto ends = h.record.ends_of_batches();
  CHECK(ends.first == 3);
  REQUIRE(ends.through.size() == 1);
  CHECK(ends.through[0] == h.record.spans(0)[0].end);
}

TEST_CASE("clear forgets the runs and keeps the names") {
  hand_made h = steady();
  h.record.clear();
  CHECK(h.record.spans(0).empty());
  CHECK(h.record.threads()[1] == "b");
  CHECK(h.record.tasks()[work] == "work");
}

TEST_CASE("what streams did is recorded apart, and cleared with the rest") {
  hand_made h({"a"}, {"copy"});
  CHECK(h.record.streams().empty());
  const std::vector<std::string_view> streams{"memcpy"};
  h.record.name_streams(streams);
  h.run(0, copy, 0, 0, 1).run_on_stream(0, copy, 0, 2, 4);
  REQUIRE(h.record.streams().size() == 1);
  CHECK(h.record.streams()[0] == "memcpy");
  REQUIRE(h.record.stream_spans(0).size() == 1);
  CHECK(ms(h.record.stream_spans(0)[0].end - h.record.stream_spans(0)[0].begin) ==
        doctest::Approx(2));
  CHECK(h.record.spans(0).size() == 1);
  CHECK(h.record.threads().size() == 1);
  h.record.clear();
  CHECK(h.record.stream_spans(0).empty());
  CHECK(h.record.spans(0).empty());
  CHECK(h.record.overwritten() == 0);

  for (std::size_t b = 0; b < timeline::capacity + 2; ++b) h.run_on_stream(0, copy, b, 0, 1);
  CHECK(h.record.stream_spans(0).size() == timeline::capacity);
  CHECK(h.record.stream_spans(0).front().batch == 2);
  CHECK(h.record.overwritten() == 2);
  const std::vector<std::string_view> threads{"a"};
  h.record.attached(threads, threads);
  CHECK(h.record.streams().empty());
}
