// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random graphs of types whose tasks consume and produce items, with calls that were drawn: what
// comes out, and how often each is called, is what loops over the items come to.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stretto/stretto.hpp>
#include <type_traits>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"

namespace {

namespace st = stretto;

inline constexpr std::size_t most = 4;  // tasks, without the one that collects

/// A graph: each task consumes what some earlier ones produce, or, if there is none, reads what the
/// source has. The last one is called once and collects what the one before it has produced.
struct graph {
  std::array<int, most + 1> calls{};      // for a batch
  std::array<int, most + 1> lookahead{};  // falls
  std::array<int, most + 1> thread{};
  std::array<std::array<bool, most>, most + 1> consumes{};
  std::array<int, most> items{};  // by slot, in a batch

  constexpr bool reads_source(std::size_t task) const {
    for (const bool c : consumes[task])
      if (c) return false;
    return true;
  }
};

class dice {
 public:
  constexpr explicit dice(std::uint64_t seed) : state_(seed) {}
  constexpr int from(int least, int last) {  // as of Knuth's MMIX
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return least + static_cast<int>((state_ >> 33U) % static_cast<std::uint64_t>(last - least + 1));
  }

 private:
  std::uint64_t state_;
};

constexpr graph draw(unsigned seed) {
  dice d(seed);
  graph g;
  for (std::size_t t = 0; t < most; ++t) {
    g.calls[t] = d.from(1, 6);
    for (std::size_t o = 0; o < t; ++o)
      g.consumes[t][o] = o + 1 == t ? d.from(0, 3) > 0 : d.from(0, 2) == 0;
  }
  g.calls[most] = 1;
  g.consumes[most].fill(true);  // so that all numbers are those of one graph
  int lookahead = 3;
  for (std::size_t t = 0; t <= most; ++t) {
    lookahead = d.from(0, lookahead);
    g.lookahead[t] = lookahead;
    g.thread[t] = d.from(0, 2);
  }
  for (std::size_t slot = 0; slot < most; ++slot) {
    int all = g.calls[slot];
    for (std::size_t t = 0; t <= most; ++t)
      if (g.consumes[t][slot]) all = std::lcm(all, g.calls[t]);
    g.items[slot] = all * d.from(1, 2);
  }
  return g;
}
template <unsigned Seed>
inline constexpr graph drawn = draw(Seed);

template <unsigned Seed>
struct number : st::slot<long> {};
template <unsigned Seed, std::size_t Task>
struct made : st::slot<long> {};
template <unsigned Seed>
struct outcome : st::slot<long> {};

/// What a task does in a call, with what it knows of the calls before.
class mixer {
 public:
  void take(long x) { state_ = (state_ * 31 + x) % 1'000'003; }
  template <class Items>
  void take_all(const Items& items) {
    for (const long x : items) take(x);
  }
  long give() { return state_ = (state_ * 17 + 5) % 1'000'003; }

 private:
  long state_ = 1;
};

template <int Thread>
struct on_thread {};
template <>
struct on_thread<1> {
  using thread = st::thread<"x">;
};
template <>
struct on_thread<2> {
  using thread = st::thread<"y">;
};

/// How often tasks were called, by all seeds.
inline std::array<std::size_t, most> called{};

template <unsigned Seed, std::size_t Task, std::size_t... Of>
struct calling : on_thread<drawn<Seed>.thread[Task]> {
  static constexpr int lookahead = drawn<Seed>.lookahead[Task];
  static constexpr int per_call = drawn<Seed>.items[Task] / drawn<Seed>.calls[Task];
  mixer state{};
  void operator()(
      st::consumes<made<Seed, Of>, drawn<Seed>.items[Of] / drawn<Seed>.calls[Task]>... in,
      st::produces<made<Seed, Task>, per_call> out) {
    ++called[Task];
    (..., state.take_all(in));
    for (long& y : out) y = state.give();
  }
};
template <unsigned Seed, std::size_t Task>
struct calling<Seed, Task> : on_thread<drawn<Seed>.thread[Task]> {
  static constexpr int lookahead = drawn<Seed>.lookahead[Task];
  static constexpr int per_call = drawn<Seed>.items[Task] / drawn<Seed>.calls[Task];
  mixer state{};
  void operator()(st::in<number<Seed>> in, st::produces<made<Seed, Task>, per_call> out) {
    ++called[Task];
    state.take(*in);
    for (long& y : out) y = state.give();
  }
};
template <unsigned Seed, std::size_t... Of>
struct collecting : on_thread<drawn<Seed>.thread[most]> {
  static constexpr int lookahead = drawn<Seed>.lookahead[most];
  mixer state{};
  void operator()(st::consumes<made<Seed, Of>, drawn<Seed>.items[Of]>... in,
                  st::out<outcome<Seed>> out) {
    (..., state.take_all(in));
    out = state.give();
  }
};

/// The task of a number, by what it consumes of those from \p Next on, and of others.
template <unsigned Seed, std::size_t Task, std::size_t Next, std::size_t... Of>
auto task_of() {
  if constexpr (Next == Task) {
    return std::type_identity<calling<Seed, Task, Of...>>();
  } else if constexpr (drawn<Seed>.consumes[Task][Next]) {
    return task_of<Seed, Task, Next + 1, Of..., Next>();
  } else {
    return task_of<Seed, Task, Next + 1, Of...>();
  }
}
template <unsigned Seed, std::size_t Task>
using task = typename decltype(task_of<Seed, Task, 0>())::type;
static_assert(most == 4);
template <unsigned Seed>
struct drawn_schedule
    : st::schedule<st::source<number<Seed>>, st::result<outcome<Seed>>, task<Seed, 0>,
                   task<Seed, 1>, task<Seed, 2>, task<Seed, 3>, collecting<Seed, 0, 1, 2, 3>> {};

/// What a batch after the other comes to.
class loops {
 public:
  explicit loops(const graph& g) : g_(g) {}

  long next(long number) {
    std::array<std::vector<long>, most> items;
    for (std::size_t t = 0; t < most; ++t)
      for (std::size_t call = 0; call < size(g_.calls[t]); ++call) {
        take(t, call, items, number);
        for (int i = 0; i < g_.items[t] / g_.calls[t]; ++i) items[t].push_back(of_[t].give());
      }
    take(most, 0, items, number);
    return of_[most].give();
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
  void take(std::size_t t, std::size_t call, const std::array<std::vector<long>, most>& items,
            long number) {
    if (g_.reads_source(t)) of_[t].take(number);
    for (std::size_t o = 0; o < most; ++o) {
      if (!g_.consumes[t][o]) continue;
      const std::size_t each = size(g_.items[o] / g_.calls[t]);
      for (std::size_t i = 0; i < each; ++i) of_[t].take(items[o].at(call * each + i));
    }
  }

  const graph& g_;
  std::array<mixer, most + 1> of_{};
};

template <unsigned Seed, class Plan>
void check_run() {
  CAPTURE(Seed);
  called = {};
  std::vector<long> numbers(7);
  std::iota(numbers.begin(), numbers.end(), static_cast<long>(Seed));
  loops expected(drawn<Seed>);
  tested::pipeline<Plan> pipeline;
  std::size_t batches = 0;
  for (const long x : pipeline.run(numbers)) CHECK(x == expected.next(numbers[batches++]));
  CHECK(batches == numbers.size());
  for (std::size_t t = 0; t < most; ++t)
    CHECK(called[t] == batches * static_cast<std::size_t>(drawn<Seed>.calls[t]));
}

}  // namespace

TEST_CASE("random graphs of items come to what loops come to") {
  const auto check_all = []<unsigned... Seed>(std::integer_sequence<unsigned, Seed...>) {
    (check_run<Seed, drawn_schedule<Seed>>(), ...);
    check_run<0, st::serial<drawn_schedule<0>>>();
  };
  check_all(std::make_integer_sequence<unsigned, 8>());
}
