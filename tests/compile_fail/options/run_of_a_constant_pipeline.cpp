// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run of a constant pipeline
//
// A run changes what slots and tasks have.
//
// expect-error: a_run_is_of_a_pipeline_that_is_not_const_over_a_source<.*
// expect-text: a run is made of a pipeline that is not const, and of a source, behind which may stand where it begins and a stop token: `pipeline.run\(source, st::onwards, token\)`
// expect-at: pipeline.run\(
// expect-lines: 18
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

#ifdef FIXED
void run(st::pipeline<training>& pipeline, const std::vector<int>& numbers) {
#else
void run(const st::pipeline<training>& pipeline, const std::vector<int>& numbers) {
#endif
  for (const int s : pipeline.run(numbers)) static_cast<void>(s);
}
