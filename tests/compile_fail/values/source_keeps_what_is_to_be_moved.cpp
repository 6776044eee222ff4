// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source that keeps what can only be moved
//
// expect-error: the_source_yields_references_to_what_can_only_be_moved_into_its_slot<std::unique_ptr<int
// expect-text: the source yields references to `std::unique_ptr<int>`, which can be moved into slot
// expect-at: run\(
// expect-lines: 25
#include <memory>
#include <stretto/dynamic.hpp>
#include <utility>
#include <vector>

namespace dynamic = stretto::dynamic;

int sum(dynamic::pipeline<>& pipeline, std::vector<std::unique_ptr<int>>& batches) {
  int total = 0;
#ifdef FIXED
  for (const dynamic::result& r : pipeline.run(std::move(batches))) total += r.get<int>();
#else
  for (const dynamic::result& r : pipeline.run(batches)) total += r.get<int>();
#endif
  return total;
}
