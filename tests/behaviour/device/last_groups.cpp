// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that run at the end of the stream, too, for what is left of a group, on streams and behind
// them: they are put there where the plan has them, and wait for what they would have waited for.

#include <cstddef>
#include <utility>
#include <vector>
#include "looking_back.hpp"

namespace {

using namespace on_recording;
using namespace looking_back;

struct total : st::slot<pinned_cell> {};

struct fold : step {
  using stream = st::stream<"folds">;
  static constexpr int every = 4;
  static constexpr bool and_at_end = true;
  using reads = st::reads<st::window<state, 4>, batch, st::previous<total>>;
  using writes = st::writes<total>;
  void operator()(recording::stream s, const st::window<state, 4>& group, const cell& newest,
                  const st::previous<total>& before, pinned_cell& out) const {
    std::vector<const long*> in{newest.data(), before ? before->data() : nullptr};
    for (const cell& c : group) in.push_back(c.data());
    put(s, "fold", in, out);
  }
};
struct note {
  std::vector<long>* into = nullptr;
  static constexpr int every = 4;
  static constexpr bool and_at_end = true;
  using reads = st::reads<total>;
  using writes = st::writes<>;
  void operator()(const pinned_cell& t) const { into->push_back(*t.data()); }
};

struct folding : st::schedule<st::source<raw>, st::result<loss>,
                              st::streams<"memcpy", "compute", "third", "folds">, upload, forward,
                              backward, fold, note> {};
struct folding_alone : st::replan<folding, st::threads<st::on_caller>> {};

std::vector<long> expected_notes(std::size_t batches) {
  std::vector<long> uploaded;
  std::vector<long> states;
  std::vector<long> all;
  for (std::size_t b = 0; b < batches; ++b) {
    uploaded.push_back(made_by("upload", {number_of_batch(b)}));
    states.push_back(made_by(
        "forward", {uploaded[b], b >= 2 ? uploaded[b - 2] : 1, b >= 1 ? states[b - 1] : 1}));
    if (b % 4 != 3 && b + 1 != batches) continue;
    std::vector<long> in{uploaded[b], all.empty() ? 1 : all.back()};
    for (std::size_t n = 0; n <= b % 4; ++n) in.push_back(states[b - n]);
    all.push_back(made_by("fold", in));
  }
  return all;
}

template <class Schedule, class Device>
void check() {
  with_each_seed(4, [](fixture& f, unsigned) {
    std::vector<long> notes;
    tested::pipeline<Schedule, Device> p{
        f.d, streams{}, upload{{f.d}}, forward{{f.d}}, backward{{f.d}}, fold{{f.d}}, note{&notes}};
    for (const std::size_t batches : {8U, 1U, 2U, 9U, 7U}) {
      notes.clear();
      CHECK(results(p, f.w, batches) == expected(batches));
      CHECK(notes == expected_notes(batches));
      CHECK(p.report().end == st::run_end::completed);
      CHECK(p.report().unfinished_groups.empty());
    }
  });
}

TEST_CASE("on streams: a thread each") { check<folding, device>(); }
TEST_CASE("on streams: the calling thread") { check<folding_alone, device>(); }
TEST_CASE("on streams: one batch after the other") { check<st::serial<folding>, device>(); }
TEST_CASE("next to graphs") { check<folding, st::device::backend<driver, true>>(); }

}  // namespace
