// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Signals in the copies of slots: where they are, found by progress and from a moment.

#include <doctest/doctest.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stretto/run/wait/signal.hpp>
#include <stretto/static/execute/ring.hpp>
#include <stretto/static/execute/slot_signals.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;
namespace detail = stretto::typed::detail;

namespace {

using word = st::runner::early_word;

struct number : st::slot<int> {};
struct halves : st::slot<double> {};
struct big {
  char all[100]{};
};
struct page : st::slot<big> {};
struct answer : st::slot<int> {};

struct half {
  using thread = st::thread<"io">;
  static constexpr int lookahead = 3;
  void operator()(st::in<number> in, st::out<halves> out) const { out = *in / 2.0; }
};
struct print {
  using thread = st::thread<"io">;
  static constexpr int lookahead = 3;
  void operator()(st::in<halves>, st::out<page>) const {}
};
struct add {
  using thread = st::thread<"caller">;
  static constexpr int lookahead = 2;
  void operator()(st::in<halves> in, st::in<page>, st::out<answer> out) const {
    out = static_cast<int>(*in);
  }
};
struct keep {
  using thread = st::thread<"log">;
  void operator()(st::in<answer>) const {}
};
struct sums : st::schedule<st::source<number>, st::result<answer>, half, print, add, keep> {};
struct twice {
  using thread = st::thread<"caller">;
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::out<answer> out) const { out = *in * 2; }
};
struct alone : st::schedule<st::source<number>, st::result<answer>, twice> {};
static_assert(st::plan_of<alone>.chains.size() == 1);

using signals_of_sums = detail::slot_signals<sums>;
constexpr const auto& plan = st::plan_of<sums>;
constexpr std::size_t half_of = 0;
constexpr std::size_t print_of = 1;
constexpr std::size_t add_of = 2;
constexpr std::size_t keep_of = 3;
constexpr std::size_t pull_of = 4;
constexpr std::size_t deliver_of = 5;
static_assert(plan.lag[add_of] == 1);

/// The copy of a slot that a batch is in.
template <class Slot>
const std::byte* copy_of(detail::ring<sums>& memory, std::size_t batch) {
  constexpr std::size_t copies = plan.copies[detail::number_of_slot<sums, Slot>];
  return reinterpret_cast<const std::byte*>(&detail::value_in<Slot, copies, sums>(memory, batch));
}
/// The word that a node fills in a progress.
word& word_of(detail::ring<sums>& memory, std::size_t node, std::size_t progress) {
  std::vector<word*> all;
  signals_of_sums::each_of(memory, node, [&](word& w) { all.push_back(&w); });
  return *all[(progress + all.size() - plan.lag[node] % all.size()) % all.size()];
}
std::uintptr_t line_of(const void* place) {
  return reinterpret_cast<std::uintptr_t>(place) / st::runner::cache_line;
}

}  // namespace

TEST_CASE("what fills a small value for another thread has its signals there") {
  CHECK(signals_of_sums::are_of(pull_of));
  CHECK(signals_of_sums::are_of(half_of));
  CHECK(!signals_of_sums::are_of(print_of));
  CHECK(signals_of_sums::are_of(add_of));
  CHECK(!signals_of_sums::are_of(keep_of));
  CHECK(!signals_of_sums::are_of(deliver_of));
  for (std::size_t n = 0; n < st::plan_of<alone>.lag.size(); ++n)
    CHECK(!detail::slot_signals<alone>::are_of(n));
}

TEST_CASE("the signal of a progress is in the cache line of its batch") {
  detail::ring<sums> memory;
  signals_of_sums::make(memory);
  for (std::size_t progress = 3; progress < 20; ++progress) {
    const void* const pulled = &word_of(memory, pull_of, progress);
    CHECK(line_of(pulled) == line_of(copy_of<number>(memory, progress)));
    const std::size_t batch = progress - plan.lag[half_of];
    const auto* const halved =
        reinterpret_cast<const std::byte*>(&word_of(memory, half_of, progress));
    CHECK(line_of(halved) == line_of(copy_of<halves>(memory, batch)));
    CHECK(halved >= copy_of<halves>(memory, batch) + sizeof(double));
    CHECK(line_of(&word_of(memory, add_of, progress)) ==
          line_of(copy_of<answer>(memory, progress - plan.lag[add_of])));
  }
}

TEST_CASE("from a moment it is found as by progress") {
  detail::ring<sums> memory;
  signals_of_sums::make(memory);
  detail::ring_position<sums> at;
  at.restart(memory, 0);
  for (std::size_t progress = 0; progress < 20; ++progress) {
    const auto now = at.advance();
    CHECK(&signals_of_sums::of<half_of, 0>(memory, now) == &word_of(memory, half_of, progress));
    CHECK(&signals_of_sums::of<add_of, 0>(memory, now) == &word_of(memory, add_of, progress));
    if (progress < 5) continue;
    CHECK(&signals_of_sums::of<add_of, 1>(memory, now) == &word_of(memory, add_of, progress - 1));
    CHECK(&signals_of_sums::of<half_of, 2>(memory, now) == &word_of(memory, half_of, progress - 2));
    CHECK(&signals_of_sums::of<pull_of, 5>(memory, now) == &word_of(memory, pull_of, progress - 5));
  }
}

TEST_CASE("each copy has one, all at the beginning to start with") {
  detail::ring<sums> memory;
  signals_of_sums::make(memory);
  for (const auto& [node, copies] :
       std::map<std::size_t, std::size_t>{{pull_of, 4}, {half_of, 2}, {add_of, 3}}) {
    std::set<word*> all;
    signals_of_sums::each_of(memory, node, [&](word& s) {
      all.insert(&s);
      CHECK(s.has(st::runner::first_epoch));
      CHECK(!s.has(st::runner::first_epoch + 1));
    });
    CHECK(all.size() == copies);
    for (std::size_t progress = 0; progress < 20; ++progress)
      CHECK(all.count(&word_of(memory, node, progress)) == 1);
  }
}
