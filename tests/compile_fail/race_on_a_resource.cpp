// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Two tasks use a resource and nothing orders them
//
// A resource is shared by all batches. If one task `mutates` it, every other run that uses it must
// come before or after, whichever threads and streams do the work. One `same_progress_sync` orders
// one way only: the next batch's run may still come too soon. Without this check the schedule would
// be right on most days.
//
// expect-error: race_two_tasks_use_one_resource_and_nothing_orders_their_runs<optimizer_step, prefetch_embeddings, embedding_cache>
// expect-text: race: task `optimizer_step` mutates `embedding_cache`, which `prefetch_embeddings` uses too, and nothing orders the two on all batches; put both on one stream, or let each wait for the other's run before its own
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: all
#include <stretto/stretto.hpp>
namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct loss : st::slot<float> {};
struct embedding_cache : st::resource<> {};

struct optimizer_step;
struct prefetch_embeddings {
  using stream = st::stream<"prefetch">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using mutates = st::mutates<embedding_cache>;
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<optimizer_step, 2>>;
#endif
  void operator()(const int&) const {}
};
struct optimizer_step {
  using stream = st::stream<"compute">;
  using writes = st::writes<loss>;
  using mutates = st::mutates<embedding_cache>;
#ifdef FIXED
  using same_progress_sync = st::same_progress_sync<prefetch_embeddings>;
#endif
  void operator()(float&) const {}
};
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"prefetch", "compute">,
                   prefetch_embeddings, optimizer_step> {};

int main() { st::pipeline<training> pipeline; }
