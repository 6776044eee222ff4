// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source that keeps what can only be moved
//
// The elements of a range are referred to, and copied into the slot. What has no copies, such as a
// `std::unique_ptr`, comes from a container that is given away, from a range that yields what may
// be moved from, or from a function that hands out one at a time.
//
// expect-error: the_source_yields_references_to_what_can_only_be_moved_into_its_slot<std::unique_ptr<int( ?>|,).*, raw_batch>
// expect-text: the source yields references to `std::unique_ptr<int>`, which can be moved into slot `raw_batch`, but not copied
// expect-at: run\(
// expect-lines: 15
#include <memory>
#include <stretto/stretto.hpp>
#include <utility>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<std::unique_ptr<int>> {};
struct loss : st::slot<float> {};

struct train {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<loss>;
  void operator()(const std::unique_ptr<int>& in, float& out) const {
    out = static_cast<float>(*in);
  }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>, train> {};

float sum(std::vector<std::unique_ptr<int>> batches) {
  st::pipeline<training> pipeline;
  float total = 0;
#ifdef FIXED
  for (const float l : pipeline.run(std::move(batches))) total += l;
#else
  for (const float l : pipeline.run(batches)) total += l;
#endif
  return total;
}
