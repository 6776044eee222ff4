// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A pipeline is moved
//
// Its threads know where it is. What has to be moved holds it by a pointer.
//
// expect-error: a_pipeline_is_not_copied_or_moved<.*
// expect-text: `.*pipeline<training>` is copied or moved here, and a pipeline stays where it is made; what is to be moved holds it by a std::unique_ptr
// expect-at: other\(
// expect-lines: 18
#include <memory>
#include <stretto/stretto.hpp>
#include <utility>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

void run() {
#ifdef FIXED
  auto pipeline = std::make_unique<st::pipeline<training>>();
  const auto other(std::move(pipeline));
#else
  st::pipeline<training> pipeline;
  const st::pipeline<training> other(std::move(pipeline));
#endif
}
