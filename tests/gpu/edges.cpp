// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Edges that no slot carries, between two streams: what one stream writes late, the other must see.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/cuda.hpp>
#include <stretto/stretto.hpp>
#include <vector>
#include "kernels.hpp"

namespace {

namespace st = stretto;
constexpr int batches = 20;

/// Device memory for an int, all batches'.
struct shared_int {
  shared_int() {
    void* memory = nullptr;
    cudaMalloc(&memory, sizeof(int));
    cudaMemset(memory, 0, sizeof(int));
    cudaDeviceSynchronize();  // streams of a pipeline do not wait for the legacy stream
    at = static_cast<int*>(memory);
  }
  ~shared_int() { cudaFree(at); }
  shared_int(const shared_int&) = delete;
  shared_int& operator=(const shared_int&) = delete;
  int* at = nullptr;
};

struct number : st::slot<int> {};
struct seen : st::slot<st::cuda::pinned_array<int, 1>> {};
struct result : st::slot<int> {};
struct box : st::resource<int> {};

/// Brings the shared number back.
void fetch(cudaStream_t s, const shared_int& from, st::cuda::pinned_array<int, 1>& out) {
  cudaMemcpyAsync(out.data(), from.at, sizeof(int), cudaMemcpyDeviceToHost, s);
}
struct take {
  using reads = st::reads<seen>;
  using writes = st::writes<result>;
  void operator()(const st::cuda::pinned_array<int, 1>& in, int& out) const { out = in[0]; }
};

// `depends_on`, same batch; and the way back, so that the writer does not come too early: one batch
// ago.
struct read_after;
struct write_before {
  using stream = st::stream<"a">;
  using reads = st::reads<number>;
  using cross_iter_depends_on = st::cross_iter_depends_on<read_after>;
  using mutates = st::mutates<box>;
  const shared_int& shared;
  void operator()(cudaStream_t s, int in) const {
    kernels::write(kernels::long_us, 100 + in, shared.at, 1, s);
  }
};
struct read_after {
  using stream = st::stream<"b">;
  using writes = st::writes<seen>;
  using depends_on = st::depends_on<write_before>;
  using observes = st::observes<box>;
  const shared_int& shared;
  void operator()(cudaStream_t s, st::cuda::pinned_array<int, 1>& out) const {
    fetch(s, shared, out);
  }
};
struct same_batch : st::schedule<st::source<number>, st::result<result>, st::streams<"a", "b">,
                                 write_before, read_after, take> {};

// `cross_iter_depends_on`: what the last batch's update left.
struct update;
struct use {
  using stream = st::stream<"b">;
  using writes = st::writes<seen>;
  using cross_iter_depends_on = st::cross_iter_depends_on<update>;
  using observes = st::observes<box>;
  const shared_int& shared;
  void operator()(cudaStream_t s, st::cuda::pinned_array<int, 1>& out) const {
    fetch(s, shared, out);
    kernels::spin(kernels::long_us, s);  // an update that does not wait would be seen by the next
  }
};
struct update {
  using stream = st::stream<"a">;
  using reads = st::reads<number>;
  using depends_on = st::depends_on<use>;
  using mutates = st::mutates<box>;
  const shared_int& shared;
  void operator()(cudaStream_t s, int in) const {
    kernels::write(kernels::long_us, 100 + in, shared.at, 1, s);
  }
};
struct last_batch : st::schedule<st::source<number>, st::result<result>, st::streams<"a", "b">, use,
                                 update, take> {};

// `same_progress_sync`: what was done meanwhile for the next batch.
struct observe_ahead;
struct work_ahead {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<observe_ahead, 2>>;
  using mutates = st::mutates<box>;
  const shared_int& shared;
  void operator()(cudaStream_t s, int in) const {
    kernels::write(kernels::long_us, 100 + in, shared.at, 1, s);
  }
};
struct observe_ahead {
  using stream = st::stream<"b">;
  using writes = st::writes<seen>;
  using same_progress_sync = st::same_progress_sync<work_ahead>;
  using observes = st::observes<box>;
  const shared_int& shared;
  void operator()(cudaStream_t s, st::cuda::pinned_array<int, 1>& out) const {
    fetch(s, shared, out);
  }
};
struct same_progress : st::schedule<st::source<number>, st::result<result>, st::streams<"a", "b">,
                                    work_ahead, observe_ahead, take> {};

template <class Schedule, class... Task>
std::vector<int> results(Task... tasks) {
  st::pipeline<Schedule, st::on_cuda> pipeline{tasks...};
  int next = 0;
  std::vector<int> all;
  for (const int r : pipeline.run([&](int& to) {
         to = next;
         return next++ < batches;
       }))
    all.push_back(r);
  REQUIRE(all.size() == batches);
  return all;
}

}  // namespace

TEST_CASE("depends_on: a task sees what the same batch's producer wrote") {
  const shared_int shared;
  const auto all = results<same_batch>(write_before{shared}, read_after{shared});
  for (int b = 0; b < batches; ++b) CHECK(all[static_cast<std::size_t>(b)] == 100 + b);
}

TEST_CASE("cross_iter_depends_on: a task sees what the last batch's producer wrote") {
  const shared_int shared;
  const auto all = results<last_batch>(use{shared}, update{shared});
  CHECK(all[0] == 0);
  for (int b = 1; b < batches; ++b) CHECK(all[static_cast<std::size_t>(b)] == 100 + b - 1);
}

TEST_CASE("same_progress_sync: a task sees what was written ahead in its progress") {
  const shared_int shared;
  const auto all = results<same_progress>(work_ahead{shared}, observe_ahead{shared});
  for (int b = 0; b + 1 < batches; ++b) CHECK(all[static_cast<std::size_t>(b)] == 100 + b + 1);
  CHECK(all.back() == 100 + batches - 1);  // there is no next one
}
