// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule has two `result`s
//
// All results of a batch leave together, in one `result`. The same holds of `source`, `streams`,
// `threads` and the other parts that a schedule has once: the second would not be looked at. Only
// `replan` overrides what a schedule says.
//
// expect-error: a_schedule_has_two_parts_of_one_kind<stretto::result<loss>, stretto::result<batch> *>|a_schedule_has_two_parts_of_one_kind<result<loss>, result<batch> *>
// expect-text: has two parts of one kind, `result<loss>` and `result<batch>`; list all results in one
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct load {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss, batch>, load, train> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::result<batch>> {};
#endif

int count(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  int results = 0;
  for (const auto& both : pipeline.run(batches)) {
    static_cast<void>(both);
    ++results;
  }
  return results;
}
