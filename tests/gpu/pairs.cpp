// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The four pairs of host and device, reuse and run-ahead, under several plans.

#include <doctest/doctest.h>
#include <vector>
#include "chain.hpp"

namespace {

namespace st = stretto;
using on_cuda = chain::by<st::cuda::driver>;
constexpr int batches = 24;

template <class Schedule, class... Options>
void runs_right(const char* plan) {
  CAPTURE(plan);
  st::pipeline<Schedule, st::on_cuda, Options...> pipeline;
  for (int run = 0; run < 2; ++run) {  // the second meets events that the first has recorded
    const std::vector<int> all = chain::results_of(pipeline, batches);
    CHECK(all.size() == batches);
    CHECK(chain::right(all));
  }
}

}  // namespace

TEST_CASE("each pair of host and device is ordered, whoever submits") {
  using training = on_cuda::schedule;
  runs_right<training>("a thread for each stream");
  runs_right<st::replan<training, st::threads<st::on_caller>>>("the calling thread");
  runs_right<st::replan<training, st::threads<st::per_task>>>("a thread for each task");
  runs_right<training, st::barrier>("a barrier per progress");
}

TEST_CASE("the serial plan runs the same tasks on one stream") {
  runs_right<st::serial<on_cuda::schedule>>("serial");
}

TEST_CASE("graphs replay what the bodies put on streams") {
  st::pipeline<on_cuda::schedule, st::on_cuda_graphs> pipeline;
  for (int run = 0; run < 2; ++run) CHECK(chain::right(chain::results_of(pipeline, batches)));
  // Each task on a stream was captured; those on the host were not.
  for (const auto& left : pipeline.device().left_out()) {
    CAPTURE(left.reason);
    CHECK((left.task == "prepare" || left.task == "send" || left.task == "check"));
  }
}

TEST_CASE("a run that is left early is not seen by the next") {
  st::pipeline<on_cuda::schedule, st::on_cuda> pipeline;
  int seen = 0;
  for (const int r : pipeline.run(chain::numbers(1000))) {
    static_cast<void>(r);
    if (++seen == 5) break;
  }
  CHECK(chain::right(chain::results_of(pipeline, batches)));
}

TEST_CASE("a user's stream is used in place of the pipeline's own") {
  cudaStream_t own = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) == cudaSuccess);
  {
    st::pipeline<on_cuda::schedule, st::on_cuda> pipeline{
        st::cuda::streams{{"compute", {.adopted = own}}, {"up", {.priority = -1}}}};
    CHECK(pipeline.device().stream("compute") == own);
    CHECK(chain::right(chain::results_of(pipeline, batches)));
  }
  CHECK(cudaStreamSynchronize(own) == cudaSuccess);  // it is still there
  CHECK(cudaStreamDestroy(own) == cudaSuccess);
}

TEST_CASE("host tasks may sleep while they wait for a stream") {
  st::pipeline<on_cuda::schedule, st::on_cuda> pipeline{st::cuda::usage{.sleep = true}};
  CHECK(chain::right(chain::results_of(pipeline, batches)));
}
