// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What traces take: work and memory in proportion to their length. A timeline has millions of runs.

#include <doctest/doctest.h>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stretto/bound.hpp>
#include <stretto/cost_file.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include "../../support/work/work.hpp"

namespace {

stretto::dynamic::planned_schedule two_tasks() {
  stretto::dynamic::schedule s;
  s.source.slot = "file";
  s.results = {"loss"};
  s.tasks.push_back({.name = "load",
                     .thread = "io",
                     .lookahead = 1,
                     .reads = {"file"},
                     .writes = {"image"},
                     .body = [](int a, int& b) { b = a; }});
  s.tasks.push_back(
      {.name = "train", .reads = {"image"}, .writes = {"loss"}, .body = [](int a, int& b) {
         b = a;
       }});
  return stretto::dynamic::planned_schedule(s);
}
std::string trace_of(const stretto::dynamic::planned_schedule& planned, std::size_t batches) {
  std::ostringstream out;
  stretto::write_trace(out, stretto::simulate(planned, {}, batches).record());
  return out.str();
}

/// \p read, of a trace and of one that is twice as long. It has memory for what it makes, and for
/// as much as the text takes, which is less than all events would.
template <class Read>
void check_grows_with_length(std::size_t made, Read read) {
  const auto planned = two_tasks();
  std::uint64_t blocks[2]{};
  for (const std::size_t times : {1, 2}) {
    const std::string text = trace_of(planned, 2'000 * times);
    const std::size_t bytes = work::bytes();
    work::forget_peak();
    const std::uint64_t before = work::blocks();
    read(planned, text);
    blocks[times - 1] = work::blocks() - before;
    CHECK(work::peak() - bytes < made + text.size());
  }
  CAPTURE(blocks[0]);
  CAPTURE(blocks[1]);
  CHECK(blocks[0] > 0);
  CHECK(static_cast<double>(blocks[1]) < 2.2 * static_cast<double>(blocks[0]));
}

}  // namespace

TEST_CASE("costs of a trace take work in proportion to its length") {
  check_grows_with_length(100'000, [](const auto& /*planned*/, const std::string& text) {
    CHECK(stretto::cost_table::parse_trace(text).to_json().find("train") != std::string::npos);
  });
}

TEST_CASE("a record out of a trace takes work in proportion to its length") {
  constexpr std::size_t timelines = 3 * 65'536 * 64;  // three, of 65,536 runs each
  check_grows_with_length(timelines, [](const auto& planned, const std::string& text) {
    CHECK(stretto::parse_trace(planned, text).threads().size() == 3);
  });
}
