// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What docs/collectives.md shows of NCCL. Without a device it only says so.
#include <chrono>
#include <cstdio>
#include <exception>
#include <stretto/cuda.hpp>
#include <stretto/nccl.hpp>
#include <stretto/stretto.hpp>
#include <thread>
#include <vector>

namespace st = stretto;
using gradients = st::cuda::array<float, 1024>;

struct batch : st::slot<int> {};
struct local : st::slot<gradients> {};
struct global : st::slot<gradients> {};

struct backward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<local>;
  void operator()(cudaStream_t s, int in, gradients& out) const {
    cudaMemsetAsync(out.data(), in, 1024 * sizeof(float), s);
  }
};
// [task]
struct add_up {
  static constexpr bool collective = true;
  using stream = st::stream<"collectives">;
  using reads = st::reads<local>;
  using writes = st::writes<global>;
  void operator()(st::context auto& ctx, const gradients& in, gradients& out) const {
    ctx.all_reduce(in.data(), out.data(), 1024);  // returns when it is on the stream
  }
};
// [task]
// [calls]
struct add_up_by_hand {
  static constexpr bool collective = true;
  using stream = st::stream<"collectives">;
  using reads = st::reads<local>;
  using writes = st::writes<global>;
  void operator()(st::context auto& ctx, const gradients& in, gradients& out) const {
    ctx.checked(ncclAllReduce(in.data(), out.data(), 1024, ncclFloat, ncclAvg, ctx.communicator(),
                              ctx.stream()),
                "ncclAllReduce");
    ctx.grouped([&] {  // as one call of NCCL's
      ctx.broadcast(out.data(), 512, 0);
      ctx.broadcast(out.data() + 512, 512, 0);
    });
  }
};
// [calls]

// [several]
struct add_up_twice {
  static constexpr bool collective = true;
  using communicator = st::communicator<"world", "node">;
  using stream = st::stream<"collectives">;
  using reads = st::reads<local>;
  using writes = st::writes<global>;
  void operator()(st::context auto& ctx, const gradients& in, gradients& out) const {
    ctx.grouped([&] {
      ctx.all_reduce(in.data(), out.data(), 512);  // over "world", the first
      ctx.among("node").all_reduce(in.data() + 512, out.data() + 512, 512);
    });
  }
};
// [several]

template <class Add>
struct training : st::schedule<st::source<batch>, st::result<>,
                               st::streams<"compute", "collectives">, backward, Add> {};

template <class Add>
void train(st::nccl::local_ranks& all, std::size_t rank, const std::vector<int>& batches) {
  // [pipeline]
  st::pipeline<training<Add>, st::on_cuda, st::nccl::collectives> pipeline{
      st::nccl::communicators{{"world", st::nccl::in_process(all, rank)}},
      st::nccl::timeouts{.peers = std::chrono::seconds(30)}};
  // [pipeline]
  for ([[maybe_unused]] const auto number : pipeline.run(batches)) continue;
}

void train_blocking(st::nccl::local_ranks& all, std::size_t rank, const std::vector<int>& batches) {
  // [config]
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 1;  // each call puts its collective on the stream before it returns
  config.maxCTAs = 8;
  st::pipeline<training<add_up>, st::on_cuda, st::nccl::collectives> pipeline{
      st::nccl::communicators{{"world", st::nccl::in_process(all, rank), nullptr, config}}};
  // [config]
  for ([[maybe_unused]] const auto number : pipeline.run(batches)) continue;
}

void train_on_nodes(st::nccl::local_ranks& all, std::size_t rank, int node,
                    const std::vector<int>& batches) {
  // [split]
  st::pipeline<training<add_up_twice>, st::on_cuda, st::nccl::collectives> pipeline{
      st::nccl::communicators{{"world", st::nccl::in_process(all, rank)},
                              {"node", st::nccl::split{"world", node, 0}}}};
  // [split]
  for ([[maybe_unused]] const auto number : pipeline.run(batches)) continue;
}

void train_registered(st::nccl::local_ranks& all, std::size_t rank,
                      const std::vector<int>& batches) {
  // [registered]
  st::nccl::memory memory;  // outlives the pipeline
  st::pipeline<training<add_up>, st::on_cuda, st::nccl::collectives> pipeline{
      st::cuda::memory{&memory}, st::nccl::registered{&memory},
      st::nccl::communicators{{"world", st::nccl::in_process(all, rank)}}};
  // [registered]
  for ([[maybe_unused]] const auto number : pipeline.run(batches)) continue;
}

struct activations : st::slot<gradients> {};

// [halves]
struct first_half {
  using role = st::role<"first">;
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 2;
  using reads = st::reads<batch>;
  using writes = st::writes<activations>;
  void operator()(cudaStream_t s, int in, gradients& out) const {
    cudaMemsetAsync(out.data(), in, 1024 * sizeof(float), s);
  }
};
struct hand_over : st::transfer<activations, "first", "second"> {
  using stream = st::stream<"compute">;  // that of the task that writes the slot
  static constexpr int lookahead = 1;
};
struct second_half {
  using role = st::role<"second">;
  using stream = st::stream<"collectives">;
  using reads = st::reads<activations>;
  using writes = st::writes<local>;
  void operator()(cudaStream_t s, const gradients& in, gradients& out) const {
    cudaMemcpyAsync(out.data(), in.data(), 1024 * sizeof(float), cudaMemcpyDeviceToDevice, s);
  }
};
struct in_halves
    : st::schedule<st::source<batch>, st::result<>, st::streams<"compute", "collectives">,
                   first_half, hand_over, second_half> {};
// [halves]

void train_first_half(st::nccl::local_ranks& all, const std::vector<int>& batches) {
  st::pipeline<st::projection<in_halves, "first">, st::on_cuda, st::nccl::collectives> pipeline{
      st::nccl::communicators{{"world", st::nccl::in_process(all, 0)}}};
  for ([[maybe_unused]] const auto number : pipeline.run(batches)) continue;
}
void train_second_half(st::nccl::local_ranks& all) {
  // [half]
  st::pipeline<st::projection<in_halves, "second">, st::on_cuda, st::nccl::collectives> pipeline{
      st::cuda::streams{{"compute", {.device = 1}}, {"collectives", {.device = 1}}},
      st::nccl::communicators{{"world", st::nccl::in_process(all, 1)}}};
  for ([[maybe_unused]] const auto number : pipeline.run(st::follow())) continue;
  // [half]
}

int main() {
  try {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 1) {
      st::nccl::local_ranks both(2);
      std::thread first([&] { train_first_half(both, {1, 2, 3}); });
      train_second_half(both);
      first.join();
    }
    st::nccl::local_ranks alone(1);
    train<add_up>(alone, 0, {1, 2, 3});
    train<add_up_by_hand>(alone, 0, {1, 2, 3});
    train_blocking(alone, 0, {1, 2, 3});
    train_on_nodes(alone, 0, 0, {1, 2, 3});
    train_registered(alone, 0, {1, 2, 3});
    std::puts("done");
  } catch (const st::cuda::error& e) {
    std::printf("no device: %s\n", e.what());
  }
  return 0;
}
