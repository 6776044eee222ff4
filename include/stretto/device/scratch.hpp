// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <new>
#include <stretto/device/error.hpp>
#include <stretto/device/memory.hpp>
#include <type_traits>

namespace stretto::device {

/// Device memory for what a body needs while its work is done, from where the pipeline's slots have
/// theirs, in the order of the task's stream: a body asks for a `handle<Driver, scratch<Driver>>`.
/// What is allocated is given back in the same body. In the shape of RMM's resources and of
/// `cuda::mr`, so that libraries take it. The device of the stream is current while bodies are
/// called; elsewhere make it so.
template <class Driver>
class scratch {
  using task_stream = typename Driver::stream;

 public:
  /// What memory is aligned to, and the most that may be asked for.
  static constexpr std::size_t alignment = 256;

  explicit scratch(const slot_location<Driver>& where)
      : resource_(where.resource), stream_(where.stream), driver_(where.driver) {}

  /// Memory in the order of the task's stream. Throws what the pipeline's memory resource throws,
  /// `error` if that is the device's pool.
  void* allocate_async(std::size_t bytes) { return resource_->allocate(bytes, stream_); }
  void deallocate_async(void* memory, std::size_t bytes) noexcept {
    resource_->deallocate(memory, bytes, stream_);
  }

  // What libraries call. Throws `std::bad_alloc` for a larger alignment, too.

  /// In the order of another stream, for which nobody waits but who put work there.
  template <class Stream>
  void* allocate_async(std::size_t bytes, std::size_t aligned_to, const Stream& s) {
    refuse_above(aligned_to);
    return resource_->allocate(bytes, raw(s));
  }
  template <class Stream>
  void deallocate_async(void* memory, std::size_t bytes, std::size_t /*aligned_to*/,
                        const Stream& s) noexcept {
    resource_->deallocate(memory, bytes, raw(s));
  }
  /// In no stream's order: waits for all that is on the task's stream. Not while it is captured.
  void* allocate(std::size_t bytes, std::size_t aligned_to = alignment) {
    refuse_above(aligned_to);
    void* const memory = allocate_async(bytes);
    if (const auto usable = driver_.synchronize_stream(stream_); usable != Driver::success) {
      deallocate_async(memory, bytes);
      shared::checked<Driver>(call::synchronize_stream, usable);
    }
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes,
                  std::size_t /*aligned_to*/ = alignment) noexcept {
    deallocate_async(memory, bytes);
  }

  // What newer versions of those libraries call allocate_async and deallocate_async.

  template <class Stream>
  void* allocate(const Stream& s, std::size_t bytes, std::size_t aligned_to) {
    return allocate_async(bytes, aligned_to, s);
  }
  template <class Stream>
  void deallocate(const Stream& s, void* memory, std::size_t bytes,
                  std::size_t aligned_to) noexcept {
    deallocate_async(memory, bytes, aligned_to, s);
  }
  void* allocate_sync(std::size_t bytes, std::size_t aligned_to = alignment) {
    return allocate(bytes, aligned_to);
  }
  void deallocate_sync(void* memory, std::size_t bytes,
                       std::size_t aligned_to = alignment) noexcept {
    deallocate(memory, bytes, aligned_to);
  }

  /// Whether memory of one may be given back to the other.
  friend bool operator==(const scratch& a, const scratch& b) {
    return a.resource_ == b.resource_ && a.stream_ == b.stream_;
  }

 private:
  /// Libraries have classes for streams, of which some only name what they stand for.
  template <class Stream>
  static task_stream raw(const Stream& s) {
    if constexpr (std::is_convertible_v<const Stream&, task_stream>)
      return s;
    else
      return s.get();
  }
  static void refuse_above(std::size_t aligned_to) {
    if (aligned_to > alignment) throw std::bad_alloc();
  }

  memory_resource<Driver>* resource_;
  task_stream stream_;
  [[no_unique_address]] Driver driver_;
};

}  // namespace stretto::device
