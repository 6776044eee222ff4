// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/memory.hpp>
#include <stretto/nccl/error.hpp>
#include <stretto/nccl/interface.hpp>

namespace stretto::nccl {

/// Device memory for slots that the library allocates (`ncclMemAlloc`), so that its collectives may
/// use it where it lies, without copies. Passed to a pipeline twice: `cuda::memory{&memory}` for
/// slots to be in it, `nccl::registered{&memory}` to have it registered with the communicators. It
/// outlives the pipelines that use it; `nccl::memory` is this with NCCL and CUDA.
///
/// Every copy of a slot is a block of its own, of 2 MiB at least. What is given back is kept, for
/// whoever asks for as much in the order of the same stream, and goes with this object.
template <library_like Library, device::driver Driver>
class memory_of final : public device::memory_resource<Driver> {
 public:
  struct block {
    void* at = nullptr;
    std::size_t bytes = 0;
    int device = 0;
  };

  explicit memory_of(const Library& library = {}, const Driver& driver = {})
      : library_(library), driver_(driver) {}
  memory_of(const memory_of&) = delete;
  memory_of& operator=(const memory_of&) = delete;
  ~memory_of() override {
    for (const kept& k : all_) static_cast<void>(library_.release(k.what.at));
  }

  /// Throws `nccl::error` if the library has none.
  void* allocate(std::size_t bytes, typename Driver::stream stream) override {
    int device = 0;
    device::shared::checked<Driver>(device::call::current_device, driver_.current_device(device));
    const std::lock_guard hold(mutex_);
    kept* best = nullptr;
    for (kept& k : all_)
      if (k.is_spare && k.stream == stream && k.what.device == device && k.what.bytes >= bytes &&
          (best == nullptr || k.what.bytes < best->what.bytes))
        best = &k;
    if (best == nullptr) best = &made(bytes, device);
    best->is_spare = false;
    best->stream = stream;
    return best->what.at;
  }
  void deallocate(void* memory, std::size_t /*bytes*/,
                  typename Driver::stream stream) noexcept override {
    const std::lock_guard hold(mutex_);
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const kept& k) { return k.what.at == memory; });
    if (found == all_.end()) return;
    found->is_spare = true;
    found->stream = stream;
  }

  /// How many blocks there have ever been: none goes while this lives.
  std::size_t count() const {
    // acquire: who sees the number may ask for the blocks.
    return count_.load(std::memory_order_acquire);
  }
  /// Of number \p i, from 0.
  block at(std::size_t i) const {
    const std::lock_guard hold(mutex_);
    return all_[i].what;
  }

 private:
  struct kept {
    block what;
    typename Driver::stream stream{};  ///< in whose order it was given back
    bool is_spare = true;
  };

  kept& made(std::size_t bytes, int device) {
    kept& k = all_.emplace_back();
    k.what = {nullptr, bytes, device};
    const typename Library::result r = library_.allocate(k.what.at, bytes);
    if (r != Library::success) {
      all_.pop_back();
      detail::fail(library_, call::allocate, r);
    }
    count_.store(all_.size(), std::memory_order_release);
    return k;
  }

  [[no_unique_address]] Library library_;
  [[no_unique_address]] Driver driver_;
  mutable std::mutex mutex_;  ///< for all below
  std::deque<kept> all_;
  std::atomic<std::size_t> count_{0};
};

/// Passed to a pipeline along with tasks: memory that is registered with all its communicators,
/// before the first collective that may use it. On all ranks, or on none: NCCL demands that.
template <library_like Library, device::driver Driver>
struct registered_memory {
  memory_of<Library, Driver>* memory = nullptr;
};

}  // namespace stretto::nccl
