// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/report/used_copies.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include "../observe/hand_made.hpp"

namespace st = stretto;

namespace {

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  static constexpr int lookahead = 1;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = in; }
};
struct compare {
  using reads = st::reads<st::previous<image>>;
  void operator()(st::previous<image> /*earlier*/) const {}
};
struct learning : st::schedule<st::source<file>, st::result<loss>, decode, train> {};
struct comparing : st::schedule<st::source<file>, st::result<loss>, decode, train, compare> {};

template <class Schedule>
double used(const st::timeline& record, std::string_view slot) {
  const st::planner::plan_view& plan = st::typed::plan_view_of<Schedule>;
  for (std::size_t s = 0; s < plan.slot_list.size(); ++s)
    if (plan.slot_list[s].text == slot) return st::report::detail::used_copies(record, plan, s);
  return -1;
}

}  // namespace

TEST_CASE("a copy is in use from the begin of who writes it to the end of who reads it") {
  hand_made h({"caller", "io"}, {"decode", "train"});
  for (int b = 0; b < 3; ++b)
    h.run(1, 0, static_cast<std::size_t>(b), 10 * b, 10 * b + 4)
        .run(0, 1, static_cast<std::size_t>(b), 10 * b + 14, 10 * b + 20);
  // Each for 20 of the 40 from the first begin to the last end.
  CHECK(used<learning>(h.record, "image") == doctest::Approx(1.5));
}

TEST_CASE("of several readers the last one counts, whatever batch it works on then") {
  hand_made h({"caller"}, {"decode", "train", "compare"});
  for (int b = 0; b < 3; ++b) {
    const auto batch = static_cast<std::size_t>(b);
    h.run(0, 0, batch, 10 * b, 10 * b + 1)
        .run(0, 1, batch, 10 * b + 1, 10 * b + 2)
        .run(0, 2, batch, 10 * b + 2, 10 * b + 3);
  }
  // The image of batch 0 is compared on batch 1, that of the last one on none: 13, 13 and 2 of 23.
  CHECK(used<comparing>(h.record, "image") == doctest::Approx(28.0 / 23));
}

TEST_CASE("of a batch that was not written, or read, nothing is known") {
  hand_made h({"caller"}, {"decode", "train"});
  h.run(0, 0, 0, 0, 4).run(0, 1, 7, 20, 24);
  CHECK(used<learning>(h.record, "image") == 0);
  h.run(0, 0, 7, 10, 14);
  CHECK(used<learning>(h.record, "image") == doctest::Approx(1));
}

TEST_CASE("of a record with a gap copies are counted in the stretch with most batches") {
  hand_made h({"caller", "io"}, {"decode", "train"});
  h.run(1, 0, 0, 0, 4).run(0, 1, 0, 4, 8);
  for (int b = 1000; b < 1003; ++b)
    h.run(1, 0, static_cast<std::size_t>(b), 10 * b, 10 * b + 4, 1)
        .run(0, 1, static_cast<std::size_t>(b), 10 * b + 14, 10 * b + 20, 1);
  CHECK(used<learning>(h.record, "image") == doctest::Approx(1.5));
}
