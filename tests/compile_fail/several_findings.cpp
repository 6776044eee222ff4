// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Several mistakes at once
//
// The first finding in the order of the rules becomes the error, which says how many more there
// are: `explain_findings` gives a sentence for each. Whatever the code does with such a pipeline,
// no other error follows.
//
// expect-error: rule_3_the_stream_of_a_task_is_not_declared_by_the_schedule<h2d, (stretto::invalid::)?and_more<2> ?>
// expect-text: rule 3: task `h2d` is on stream `memcpy`, .* \(and 2 more: print stretto::explain_findings<training>\(\)\)
// expect-at: pipeline<training, st::spin> pipeline
// expect-lines: 15
// expect-compilers: all
#include <cstdio>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct zero_gradd;

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct backward {
  using stream = st::stream<"compute">;
#ifndef FIXED
  using depends_on = st::depends_on<zero_gradd>;
  using same_progress_sync = st::same_progress_sync<forward, forward>;
#endif
  void operator()() const {}
};

#ifdef FIXED
using used_streams = st::streams<"memcpy", "compute">;
#else
using used_streams = st::streams<"compute">;
#endif
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, used_streams, h2d, forward, backward> {
};

// Whatever is done with the pipeline, the sentence stays the only error.
int main() {
  std::vector<int> batches(5);
  st::pipeline<training, st::spin> pipeline{h2d{}, forward{}};
  for (float& l : pipeline.run(batches)) l += 1;
  for (auto&& l : pipeline.run([n = 0]() mutable { return std::optional(n++); }))
    std::printf("%f", l);
  auto run = pipeline.run(batches);
  while (run.next()) std::printf("%zu %f", run.batch(), run.result() + 1);
  while (run.has_more()) run.progress();
  pipeline.reset();
  std::printf("%zu", pipeline.report().finished);
  pipeline.task<h2d>() = h2d{};
  const decltype(pipeline)::source_value first = batches[0];
  decltype(pipeline)::reference again = *pipeline.recover<loss>(0);
  return first + static_cast<int>(again);
}
