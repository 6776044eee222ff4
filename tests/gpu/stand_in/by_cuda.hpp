// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <cstddef>
#include <recording/spoken_to.hpp>
#include <stretto/cuda/driver.hpp>
#include <string>
#include <utility>
#include "recorded.hpp"

namespace stand_in {

/// Asks what CUDA has a function for by that function, as pipelines on CUDA do. The rest, such as
/// kernels with labels, it has from the recording driver.
class driver_by_cuda : public recording::driver {
  using cuda = stretto::cuda::driver;

 public:
  using driver::driver;

  status device_count(int& n) const { return recorded(cuda::device_count(n)); }
  status current_device(int& n) const { return recorded(cuda::current_device(n)); }
  status set_device(int n) const { return recorded(cuda::set_device(n)); }
  status synchronize_device() const { return recorded(cudaDeviceSynchronize()); }
  status last_error() const { return recorded(cuda::last_error()); }
  status least_priority(int& least, int& greatest) const {
    return recorded(cuda::least_priority(least, greatest));
  }

  status create_stream(stream& s, int priority) const {
    return made(s, [&](cudaStream_t& own) { return cuda::create_stream(own, priority); });
  }
  status create_ordered_stream(stream& s) const {
    return made(
        s, [](cudaStream_t& own) { return cudaStreamCreateWithFlags(&own, cudaStreamDefault); });
  }
  status destroy_stream(stream s) const { return recorded(cuda::destroy_stream(of_cuda(s))); }
  status synchronize_stream(stream s) const {
    return recorded(cuda::synchronize_stream(of_cuda(s)));
  }
  status device_of(stream s, int& n) const { return recorded(cuda::device_of(of_cuda(s), n)); }

  status create_event(event& e) const { return made(e, cuda::create_event); }
  status create_blocking_event(event& e) const { return made(e, cuda::create_blocking_event); }
  status create_timed_event(event& e) const { return made(e, cuda::create_timed_event); }
  status destroy_event(event e) const { return recorded(cuda::destroy_event(of_cuda(e))); }
  status record(event e, stream s) const { return recorded(cuda::record(of_cuda(e), of_cuda(s))); }
  status wait(stream s, event e) const { return recorded(cuda::wait(of_cuda(s), of_cuda(e))); }
  status synchronize_event(event e) const { return recorded(cuda::synchronize_event(of_cuda(e))); }
  /// Not by CUDA's driver, which does not let it be seen what CUDA keeps.
  status query(event e) const { return recorded(cudaEventQuery(of_cuda(e))); }
  status elapsed_time(float& milliseconds, event from, event to) const {
    return recorded(cuda::elapsed_time(milliseconds, of_cuda(from), of_cuda(to)));
  }

  status allocate(void*& at, std::size_t bytes, stream s) const {
    return recorded(cuda::allocate(at, bytes, of_cuda(s)));
  }
  status free(void* at, stream s) const { return recorded(cuda::free(at, of_cuda(s))); }
  status allocate_pinned(void*& at, std::size_t bytes) const {
    return recorded(cuda::allocate_pinned(at, bytes));
  }
  status free_pinned(void* at) const { return recorded(cuda::free_pinned(at)); }
  status copy(stream s, void* to, const void* from, std::size_t bytes,
              std::string label = {}) const {
    if (!label.empty()) return driver::copy(s, to, from, bytes, std::move(label));
    return recorded(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, of_cuda(s)));
  }

  status device_pool(pool& p, int device) const {
    return made(p, [&](cudaMemPool_t& own) { return cuda::device_pool(own, device); });
  }
  status create_pool(pool& p, int device) const {
    return made(p, [&](cudaMemPool_t& own) { return cuda::create_pool(own, device); });
  }
  status destroy_pool(pool p) const { return recorded(cuda::destroy_pool(of_cuda(p))); }
  status set_release_threshold(pool p, std::size_t bytes) const {
    return recorded(cuda::set_release_threshold(of_cuda(p), bytes));
  }
  status allocate_from(void*& at, std::size_t bytes, pool p, stream s) const {
    return recorded(cuda::allocate_from(at, bytes, of_cuda(p), of_cuda(s)));
  }
  status can_access(bool& yes, int device, int of) const {
    return recorded(cuda::can_access(yes, device, of));
  }
  status give_access(pool p, int device) const {
    return recorded(cuda::give_access(of_cuda(p), device));
  }

  status exchange_capture_mode(stretto::device::capture_mode& mode) const {
    return recorded(cuda::exchange_capture_mode(mode));
  }
  status begin_capture(stream s) const { return recorded(cuda::begin_capture(of_cuda(s))); }
  using driver::begin_capture;
  status end_capture(stream s, graph& g) const {
    return made(g, [&](cudaGraph_t& own) { return cuda::end_capture(of_cuda(s), own); });
  }
  status record_external(event e, stream s) const {
    return recorded(cuda::record_external(of_cuda(e), of_cuda(s)));
  }
  status wait_external(stream s, event e) const {
    return recorded(cuda::wait_external(of_cuda(s), of_cuda(e)));
  }
  status instantiate(executable& x, graph g) const {
    return made(x, [&](cudaGraphExec_t& own) { return cuda::instantiate(own, of_cuda(g)); });
  }
  status destroy_graph(graph g) const { return recorded(cuda::destroy_graph(of_cuda(g))); }
  status destroy_executable(executable x) const {
    return recorded(cuda::destroy_executable(of_cuda(x)));
  }
  status launch(executable x, stream s) const {
    return recorded(cuda::launch(of_cuda(x), of_cuda(s)));
  }

 private:
  template <class Handle, class Call>
  static status made(Handle& to, Call call) {
    decltype(of_cuda(Handle{})) own = nullptr;
    const cudaError_t s = call(own);
    to = recorded(own);
    return recorded(s);
  }
};

/// A world, CUDA's functions that speak to it, and somebody who calls them.
struct spoken_to : recording::spoken_to {
  explicit spoken_to(int devices = 1) : recording::spoken_to(devices), here_(w), d(w) {}

 private:
  in_place here_;

 public:
  driver_by_cuda d;
};

}  // namespace stand_in
