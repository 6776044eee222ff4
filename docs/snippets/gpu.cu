// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code in docs/gpu.md, compiled.

// [include]
#include <stretto/cuda.hpp>
#include <stretto/stretto.hpp>
// [include]
// [include_libraries]
#include <stretto/cuda/cublas.hpp>
#include <stretto/cuda/thrust.hpp>
// [include_libraries]
#include <thrust/sort.h>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cub/device/device_reduce.cuh>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
// [include_times]
#include <stretto/cuda/timeline.hpp>
#include <stretto/timeline.hpp>
// [include_times]
// [include_nvtx]
#include <stretto/cuda/nvtx.hpp>
// [include_nvtx]
// [include_dynamic]
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
// [include_dynamic]

namespace st = stretto;

constexpr std::size_t size = 1 << 16;

// [kernel]
__global__ void sum_of_squares(const float* in, std::size_t count, float* out) {
  float sum = 0.0F;
  for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) sum += in[i] * in[i];
  atomicAdd(out, sum);
}
// [kernel]

// [slots]
struct raw : st::slot<st::cuda::pinned_array<float, size>> {};  // on the host, page-locked
struct batch : st::slot<st::cuda::array<float, size>> {};       // on the device
struct loss : st::slot<st::cuda::array<float, 1>> {};
struct result : st::slot<st::cuda::pinned_array<float, 1>> {};
// [slots]
struct raw_again : st::slot<st::cuda::pinned_array<float, size>> {};

// [tasks]
struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<batch>;
  void operator()(cudaStream_t s, const auto& in, auto& out) const {
    cudaMemcpyAsync(out.data(), in.data(), size * sizeof(float), cudaMemcpyHostToDevice, s);
  }
};

struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(cudaStream_t s, const auto& in, auto& out) const {
    cudaMemsetAsync(out.data(), 0, sizeof(float), s);
    sum_of_squares<<<1, 256, 0, s>>>(in.data(), size, out.data());
  }
};

struct d2h {
  using stream = st::stream<"compute">;
  using reads = st::reads<loss>;
  using writes = st::writes<result>;
  void operator()(cudaStream_t s, const auto& in, auto& out) const {
    cudaMemcpyAsync(out.data(), in.data(), sizeof(float), cudaMemcpyDeviceToHost, s);
  }
};

struct training : st::schedule<st::source<raw>, st::result<result>,
                               st::streams<"memcpy", "compute">, h2d, train, d2h> {};
// [tasks]

// [own]
/// Two arrays of a size that is known when the program runs.
class samples {
 public:
  static inline std::size_t count = 0;

  explicit samples(const st::cuda::slot_location& where)
      : keys(where, count), values(where, count) {}
  st::cuda::buffer<int> keys;
  st::cuda::buffer<float> values;
};
struct sampled : st::slot<samples> {};
// [own]

// [handle]
struct scores : st::slot<st::cuda::array<float, size>> {};

struct score {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<scores>;
  void operator()(st::cuda::handle<st::cuda::cublas> blas, const auto& in, auto& out) const {
    cublasScopy(blas, size, in.data(), 1, out.data(), 1);
    const float scale = 0.5F;
    cublasSscal(blas, size, &scale, out.data(), 1);
  }
};
// [handle]

// [own_handle]
/// A cuBLAS handle for numbers that stay on the device, be they single ones.
struct device_blas : st::cuda::cublas {
  explicit device_blas(cudaStream_t s) : cublas(s) {
    checked("cublasSetPointerMode", cublasSetPointerMode(*this, CUBLAS_POINTER_MODE_DEVICE));
  }
};
/// Device memory that outlives batches.
struct places {
  explicit places(const st::cuda::slot_location& where) : memory(where, 1) {}
  st::cuda::buffer<int> memory;
};
// [own_handle]

// [several_handles]
struct find_best {
  using stream = st::stream<"compute">;
  using reads = st::reads<scores>;
  void operator()(st::cuda::handle<device_blas, places> h, const auto& in) const {
    cublasIsamax(h.get<device_blas>(), size, in.data(), 1, h.get<places>().memory.data());
  }
};
// [several_handles]

// [scratch]
/// Adds up small numbers first, which loses least.
struct sum_up {
  using stream = st::stream<"compute">;
  using reads = st::reads<scores>;
  using writes = st::writes<loss>;
  void operator()(st::cuda::handle<st::cuda::scratch> h, const auto& in, auto& out) const {
    constexpr std::size_t bytes = size * sizeof(float);
    auto* const sorted = static_cast<float*>(h->allocate_async(bytes));
    cudaMemcpyAsync(sorted, in.data(), bytes, cudaMemcpyDeviceToDevice, h.stream());
    thrust::sort(st::cuda::policy(h), sorted, sorted + size);

    std::size_t more = 0;  // CUB is asked first how much it needs
    cub::DeviceReduce::Sum(nullptr, more, sorted, out.data(), int{size}, h.stream());
    void* const memory = h->allocate_async(more);
    cub::DeviceReduce::Sum(memory, more, sorted, out.data(), int{size}, h.stream());
    h->deallocate_async(memory, more);
    h->deallocate_async(sorted, bytes);
  }
};
// [scratch]

struct scoring : st::schedule<st::source<raw>, st::result<result>, st::streams<"memcpy", "compute">,
                              h2d, score, find_best, sum_up, d2h> {};
// [transient]
struct kept : st::slot<st::cuda::transient_buffer<float>> {};

struct crop {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<kept>;
  void operator()(const st::cuda::context& c, const auto& in, auto& out) const {
    const std::size_t n = c.batch() == 0 ? size : size / 2;
    cudaMemcpyAsync(out.resize(n), in.data(), n * sizeof(float), cudaMemcpyDeviceToDevice,
                    c.stream());
  }
};
// [transient]
struct train_on_kept {
  using stream = st::stream<"compute">;
  using reads = st::reads<kept>;
  using writes = st::writes<loss>;
  void operator()(cudaStream_t s, const auto& in, auto& out) const {
    cudaMemsetAsync(out.data(), 0, sizeof(float), s);
    sum_of_squares<<<1, 256, 0, s>>>(in.data(), in.size(), out.data());
  }
};
struct cropping : st::schedule<st::source<raw>, st::result<result>,
                               st::streams<"memcpy", "compute">, h2d, crop, train_on_kept, d2h> {};

// [drop]
struct is_finite {  // without a stream: its thread waits for `d2h`
  st::verdict operator()(st::in<result> loss) const {
    return std::isfinite((*loss)[0]) ? st::keep : st::drop;
  }
};
struct keep_copy {
  using stream = st::stream<"memcpy">;
  using reads = st::reads<batch>;
  using writes = st::writes<raw_again>;
  using depends_on = st::depends_on<is_finite>;  // of a batch that is dropped, nothing is copied
  void operator()(cudaStream_t s, const auto& in, auto& out) const {
    cudaMemcpyAsync(out.data(), in.data(), size * sizeof(float), cudaMemcpyDeviceToHost, s);
  }
};
struct guarded
    : st::schedule<st::source<raw>, st::result<raw_again>, st::streams<"memcpy", "compute">, h2d,
                   train, d2h, is_finite, keep_copy> {};
// [drop]

namespace {

/// Fills page-locked memory with numbers, three times.
auto three_batches() {
  return [next = 0](st::cuda::pinned_array<float, size>& to) mutable {
    for (float& x : to) x = static_cast<float>(next);
    return next++ < 3;
  };
}

void run() {
  auto batches = three_batches();
  // [run]
  st::pipeline<training, st::on_cuda> pipeline;
  for (const auto& r : pipeline.run(batches)) std::printf("loss %.0f\n", r[0]);
  // [run]
}

void run_guarded() {
  st::pipeline<guarded, st::on_cuda> pipeline;
  for (const auto& r : pipeline.run(three_batches(), st::onwards)) std::printf("%.0f\n", r[0]);
}

void crop_numbers() {
  // [pools]
  st::pipeline<cropping, st::on_cuda> pipeline{
      st::cuda::memory{.release_threshold = std::size_t{1} << 30U}};
  // [pools]
  for (const auto& r : pipeline.run(three_batches())) std::printf("loss %.0f\n", r[0]);
}

// [result_on]
struct on_device : st::replan<training, st::result<loss>, st::result_on<"report">,
                              st::streams<"memcpy", "compute", "report">> {};
// [result_on]

void report(float* sums, std::size_t batches_at_most) {
  // [results]
  st::pipeline<on_device, st::on_cuda> pipeline;
  const cudaStream_t s = pipeline.device().stream("report");
  std::size_t b = 0;
  for (const auto& l : pipeline.run(three_batches()))
    cudaMemcpyAsync(&sums[b++ % batches_at_most], l.data(), sizeof(float), cudaMemcpyDeviceToHost,
                    s);
  // [results]
}

void choose_streams(cudaStream_t mine) {
  // [streams]
  st::pipeline<training, st::on_cuda> pipeline{
      st::cuda::streams{{"memcpy", {.priority = -1}}, {"compute", {.adopted = mine}}},
      st::cuda::usage{.sleep = true}};
  // [streams]
  for ([[maybe_unused]] const auto& r : pipeline.run(three_batches())) {
  }
}

void time_streams() {
  // [times]
  st::pipeline<training, st::on_cuda, st::cuda::timeline> pipeline;
  for ([[maybe_unused]] const auto& r : pipeline.run(three_batches())) {
  }

  const st::cuda::timeline& record = pipeline.observer();
  for (std::size_t stream = 0; stream < record.streams().size(); ++stream)
    for (const st::timeline::span& s : record.stream_spans(stream))
      std::printf("%s, %s, batch %zu: %.3f ms\n", record.streams()[stream].c_str(),
                  record.tasks()[s.task].c_str(), s.batch,
                  st::timeline::seconds(s.end - s.begin).count() * 1e3);
  std::printf("%zu without a time, clocks may be off by %.1f us\n", record.dropped(),
              record.clock_error().count() * 1e6);
  std::ofstream out("overlap.svg");
  st::draw_svg(out, record, 0, 2, "What overlaps");
  // [times]
}

void show_ranges() {
  // [nvtx]
  st::pipeline<training, st::on_cuda, st::cuda::nvtx_ranges> pipeline;
  // [nvtx]
  for ([[maybe_unused]] const auto& r : pipeline.run(three_batches())) {
  }
}

void use_libraries() {
  st::pipeline<scoring, st::on_cuda> pipeline;
  for (const auto& r : pipeline.run(three_batches())) std::printf("score %.0f\n", r[0]);
}

/// As RMM's resources are.
struct some_pool {
  void* allocate_async(std::size_t bytes, std::size_t, cudaStream_t s) {
    void* memory = nullptr;
    cudaMallocAsync(&memory, bytes, s);
    return memory;
  }
  void deallocate_async(void* memory, std::size_t, std::size_t, cudaStream_t s) {
    cudaFreeAsync(memory, s);
  }
};

void share_memory(some_pool& pool) {
  // [adapted]
  auto from = st::cuda::adapted(pool);  // of an rmm::mr::pool_memory_resource, for instance
  st::pipeline<training, st::on_cuda> pipeline{st::cuda::memory{&from}};
  // [adapted]
  for ([[maybe_unused]] const auto& r : pipeline.run(three_batches())) {
  }
}

void compare() {
  // [serial]
  st::pipeline<st::serial<training>, st::on_cuda> baseline;
  // [serial]
  for ([[maybe_unused]] const auto& r : baseline.run(three_batches())) {
  }
}

void replay() {
  // [launches]
  st::pipeline<training, st::on_cuda_graphs> pipeline;
  for (const st::device::launch_group& l : pipeline.device().launches()) {
    std::printf("one launch on %s:", std::string(l.stream).c_str());
    for (const std::string_view task : l.tasks) std::printf(" %s", std::string(task).c_str());
    std::printf("\n%s\n", std::string(l.reason).c_str());
  }
  // [launches]
  for ([[maybe_unused]] const auto& r : pipeline.run(three_batches())) {
  }
}

void run_values() {
  namespace dynamic = st::dynamic;
  // [values]
  using pinned = st::cuda::pinned_array<float, size>;  // what the source fills
  dynamic::schedule s = dynamic::from_types<training, st::on_cuda>();
  s.at("train").body = [](cudaStream_t on, const st::cuda::array<float, size>& in,
                          st::cuda::array<float, 1>& out) {
    cudaMemsetAsync(out.data(), 0, sizeof(float), on);
    sum_of_squares<<<1, 1024, 0, on>>>(in.data(), size, out.data());
  };
  dynamic::pipeline<st::on_cuda> pipeline(s, st::cuda::streams{{"compute", {.priority = -1}}});
  for (const dynamic::result& r : pipeline.run<pinned>(three_batches()))
    std::printf("loss %.0f\n", r.get<st::cuda::pinned_array<float, 1>>()[0]);
  // [values]
  // [values_with_graphs]
  dynamic::pipeline<st::on_cuda_graphs> with_graphs(s);
  for (const st::device::uncaptured& u : with_graphs.device().left_out())
    std::printf("%s is called each time: %s\n", std::string(u.task).c_str(), u.reason.c_str());
  // [values_with_graphs]
  for ([[maybe_unused]] const dynamic::result& r : with_graphs.run<pinned>(three_batches())) {
  }
}

// [errors]
/// What CUDA said, if it was CUDA's: which call, its code, and whether the device is gone.
void explain(const std::exception& thrown) {
  std::fprintf(stderr, "%s\n", thrown.what());
  if (const auto* e = dynamic_cast<const st::cuda::error*>(&thrown); e != nullptr && e->sticky())
    std::fprintf(stderr, "start the process anew\n");
  try {
    std::rethrow_if_nested(thrown);
  } catch (const std::exception& inner) {
    explain(inner);
  }
}
// [errors]

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device\n");
    return 77;
  }
  try {
    run();
    run_guarded();
    crop_numbers();
    cudaStream_t mine = nullptr;
    cudaStreamCreate(&mine);
    choose_streams(mine);
    cudaStreamDestroy(mine);
    float* sums = nullptr;
    cudaMallocHost(&sums, 4 * sizeof(float));
    report(sums, 4);
    cudaFreeHost(sums);
    time_streams();
    show_ranges();
    use_libraries();
    some_pool pool;
    share_memory(pool);
    compare();
    replay();
    run_values();
  } catch (const std::exception& e) {
    explain(e);
    return 1;
  }
}
