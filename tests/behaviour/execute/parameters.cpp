// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks whose parameters say what they read and write, and tasks made of functions and lambdas:
// each gets its slots by name, whatever the order, and all run in one pipeline.

#include <doctest/doctest.h>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include "../../support/tested.hpp"

namespace st = stretto;

namespace {

struct number : st::slot<int> {};
struct box : st::slot<std::unique_ptr<int>> {};
struct text : st::slot<std::string> {};
struct length : st::slot<std::size_t> {};
struct doubled : st::slot<int> {};
struct tripled : st::slot<int> {};
struct sum : st::slot<long> {};
struct seen : st::slot<int> {};

/// Writes before it reads, behind a context whose type is deduced.
struct wrap {
  static constexpr int lookahead = 2;
  void operator()(const st::context auto& ctx, st::out<box> made, st::in<number> n) const {
    made = std::make_unique<int>(*n + static_cast<int>(ctx.batch()));
  }
};

struct raise {
  static constexpr int lookahead = 1;
  void operator()(st::inout<box> made) const noexcept { **made += 100; }
};

void spell(const st::task_context& here, st::out<text> out, st::out<length> size,
           const st::in<box>& n) {
  out = std::string(here.task()) + std::to_string(**n);
  size = out->size();
}
using spelling = st::task<"spell", spell, st::thread<"other">, st::weight<3>>;

void twice(st::in<box> n, st::out<doubled> out) noexcept { out = 2 * *n.get(); }
using doubling = st::task<"twice", twice>;

template <st::fixed_string Name, int Factor, class Out>
using times = st::task<Name, [](st::out<Out> out, st::in<doubled> n) { out = n / 2 * Factor; },
                       st::depends_on<doubling>>;
using tripling = times<"thrice", 3, tripled>;

/// Asks for its slots by place.
using counting = st::task<"count", [](const auto& from, auto& to) { to = from + 1; },
                          st::reads<tripled>, st::writes<seen>>;

struct model {
  long total = 0;
};
struct add {
  model& to;
  int calls = 0;
  void operator()(st::in<seen> a, st::out<sum> all, st::in<doubled> b, st::in<length> c) {
    ++calls;
    to.total += a + b + static_cast<long>(c.get());
    all = to.total;
  }
};

struct all_of_them : st::schedule<st::source<number>, st::result<text, sum>, wrap, raise, spelling,
                                  doubling, tripling, counting, add> {};

TEST_CASE("each task gets the slots that its parameters name") {
  model kept;
  tested::pipeline<all_of_them> pipeline{add{kept}};
  const std::vector<int> numbers{5, 60, 700};
  long total = 0;
  int batch = 0;
  for (const auto& [word, all] : pipeline.run(numbers)) {
    const int n = numbers[static_cast<std::size_t>(batch)] + batch + 100;
    CHECK(word == "spell" + std::to_string(n));
    total += 3 * n + 1 + 2 * n + static_cast<long>(word.size());
    CHECK(all == total);
    ++batch;
  }
  CHECK(batch == 3);
  CHECK(kept.total == total);
  CHECK(pipeline.task<add>().calls == 3);
}

/// One class for several tasks.
template <class In, class Out>
struct shifted_by_one {
  void operator()(st::in<In> in, st::out<Out> out) const { out = in + 1; }
};
struct one_more : st::slot<int> {};
struct two_more : st::slot<int> {};
struct first_shift : shifted_by_one<number, one_more> {
  static constexpr int lookahead = 1;
};
struct shifts : st::schedule<st::source<number>, st::result<two_more>, first_shift,
                             shifted_by_one<one_more, two_more>, st::workers<"host", 2>> {};

TEST_CASE("one class is several tasks, which workers may share") {
  tested::pipeline<shifts> pipeline;
  const std::vector<int> numbers{1, 2, 3, 4, 5, 6, 7};
  std::vector<int> results;
  for (const int n : pipeline.run(numbers)) results.push_back(n);
  CHECK(results == std::vector<int>{3, 4, 5, 6, 7, 8, 9});
}

}  // namespace
