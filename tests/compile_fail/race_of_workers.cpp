// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task races with itself on several workers
//
// Workers run a task for several batches at once. If it changes a resource, it must take turns: let
// each run wait for the one of the batch before. Put what need not take turns into a task before
// it.
//
// expect-error: race_a_task_changes_a_resource_on_several_workers_at_once<decode, seen>
// expect-text: race: task `decode` mutates `seen` on several workers at once; let it wait for its own run on the batch before
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<float> {};
struct seen : st::resource<> {};

struct decode {
  using thread = st::thread<"decoding">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  using mutates = st::mutates<seen>;
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<decode>;
#endif
  void operator()(int in, int& out) const { out = in; }
};

struct train {
  using thread = st::thread<"training">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training
    : st::schedule<st::source<file>, st::result<loss>, decode, train, st::workers<"decoding", 4>> {
};

float sum(const int (&files)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(files)) total += l;
  return total;
}
