// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The runtime version on CUDA: schedules made of types, and one written as a value.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <vector>
#include "chain.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using by_cuda = chain::by<st::cuda::driver>;
constexpr int batches = 24;

template <class Pipeline>
void runs_right(Pipeline& pipeline, const char* plan) {
  CAPTURE(plan);
  for (int run = 0; run < 2; ++run) {
    std::vector<int> all;
    for (const dynamic::result& r : pipeline.template run<int>(chain::numbers(batches)))
      all.push_back(r.get<int>());
    CHECK(all.size() == batches);
    CHECK(chain::right(all));
  }
}

}  // namespace

TEST_CASE("a schedule of types runs as a value, whoever submits") {
  const dynamic::schedule s = dynamic::from_types<by_cuda::schedule, st::on_cuda>();
  dynamic::pipeline by_stream(s, st::on_cuda{});
  runs_right(by_stream, "a thread for each stream");
  dynamic::pipeline alone(dynamic::on_caller(s), st::on_cuda{});
  runs_right(alone, "the calling thread");
  dynamic::pipeline each(dynamic::per_task(s), st::on_cuda{}, st::barrier{});
  runs_right(each, "a thread for each task, and a barrier");
  dynamic::pipeline serial(dynamic::serial(s), st::on_cuda{});
  runs_right(serial, "serial");
}

TEST_CASE("graphs replay what the bodies of a value put on streams") {
  const dynamic::schedule s = dynamic::from_types<by_cuda::schedule, st::on_cuda>();
  dynamic::pipeline by_stream(s, st::on_cuda_graphs{});
  runs_right(by_stream, "a thread for each stream");
  dynamic::pipeline alone(dynamic::on_caller(s), st::on_cuda_graphs{});
  runs_right(alone, "the calling thread");
  CHECK(by_stream.device().graph_count() > 0);
  CHECK(alone.device().graph_count() > 0);
  // Each task on a stream was captured; those on the host were not.
  for (const st::device::uncaptured& left : alone.device().left_out()) {
    CAPTURE(left.reason);
    CHECK((left.task == "prepare" || left.task == "send" || left.task == "check"));
  }
}

TEST_CASE("a schedule that is a value, on a user's stream") {
  using pinned = st::cuda::pinned_array<int, chain::count>;
  using array = st::cuda::array<int, chain::count>;
  constexpr std::size_t bytes = chain::count * sizeof(int);
  const dynamic::schedule s{
      .name = "copies",
      .streams = {"up", "down"},
      .source = {.slot = "number"},
      .results = {"result"},
      .tasks = {{.name = "send",
                 .lookahead = 1,
                 .reads = {"number"},
                 .writes = {"sent"},
                 .body = [](int in, pinned& out) { out[0] = out[chain::count - 1] = 10 * in; }},
                {.name = "upload",
                 .stream = "up",
                 .lookahead = 1,
                 .reads = {"sent"},
                 .writes = {"there"},
                 .body =
                     [](cudaStream_t on, const pinned& in, array& out) {
                       cudaMemcpyAsync(out.data(), in.data(), bytes, cudaMemcpyHostToDevice, on);
                     }},
                {.name = "download",
                 .stream = "down",
                 .reads = {"there"},
                 .writes = {"back"},
                 .body =
                     [](const st::cuda::context& c, const array& in, pinned& out) {
                       cudaMemcpyAsync(out.data(), in.data(), bytes, cudaMemcpyDeviceToHost, c);
                     }},
                {.name = "check",
                 .reads = {"back"},
                 .writes = {"result"},
                 .body = [](const pinned& in, int& out) {
                   out = in[0] == in[chain::count - 1] ? in[0] + 1 : -1;
                 }}}};
  cudaStream_t own = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) == cudaSuccess);
  {
    dynamic::pipeline<st::on_cuda> pipeline(
        s, st::cuda::streams{{"down", {.adopted = own}}, {"up", {.priority = -1}}},
        st::cuda::usage{.sleep = true});
    CHECK(pipeline.device().stream("down") == own);
    runs_right(pipeline, "a value");
  }
  CHECK(cudaStreamDestroy(own) == cudaSuccess);
}
