// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <ranges>
#include <stretto/observe/timeline.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

namespace {

struct number : st::slot<int> {};
struct square : st::slot<int> {};
struct sum : st::slot<int> {};

struct multiply {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};
struct add {
  using stream = st::stream<"b">;
  using reads = st::reads<square>;
  using writes = st::writes<sum>;
  void operator()(int in, int& out) { out = total += in; }
  int total = 0;
};
struct sums
    : st::schedule<st::source<number>, st::result<sum>, st::streams<"a", "b">, multiply, add> {};

}  // namespace

TEST_CASE("a pipeline records each task once per batch, on its thread and in order") {
  st::pipeline<sums, st::timeline> pipeline;
  int last = 0;
  for (const int s : pipeline.run(std::views::iota(0, 20))) last = s;
  CHECK(last == 2470);

  const st::timeline& record = pipeline.observer();
  REQUIRE(record.threads().size() == 3);
  REQUIRE(record.tasks().size() == 4);
  CHECK(record.threads()[0] == "caller");
  CHECK(record.tasks()[0] == "multiply");
  CHECK(record.tasks()[2] == "pull");
  for (std::size_t thread = 1; thread < 3; ++thread) {
    const auto spans = record.spans(thread);
    REQUIRE(spans.size() == 20);
    for (std::size_t b = 0; b < 20; ++b) {
      CHECK(spans[b].batch == b);
      CHECK(spans[b].task == thread - 1);
      CHECK(spans[b].begin <= spans[b].end);
      if (b > 0) CHECK(spans[b - 1].end <= spans[b].begin);
    }
  }
  CHECK(record.windows(1).size() == 19);
}
