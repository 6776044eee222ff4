// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <stretto/device/memory.hpp>

namespace stretto::device {

namespace detail {

/// What memory resources promise unless more is asked for.
inline constexpr std::size_t memory_alignment = 256;

template <class Resource, class Stream>
concept allocates_async = requires(Resource& r, void* memory, std::size_t bytes, Stream s) {
  { r.allocate_async(bytes, memory_alignment, s) } -> std::same_as<void*>;
  r.deallocate_async(memory, bytes, memory_alignment, s);
};
template <class Resource, class Stream>
concept allocates_on_stream = requires(Resource& r, void* memory, std::size_t bytes, Stream s) {
  { r.allocate(s, bytes, memory_alignment) } -> std::same_as<void*>;
  r.deallocate(s, memory, bytes, memory_alignment);
};

}  // namespace detail

/// A resource whose memory is used in the order of a stream, in the shape of RMM's and of
/// `cuda::mr`: `allocate_async(bytes, alignment, stream)` and `deallocate_async(memory, bytes,
/// alignment, stream)`, or, as newer versions have it, `allocate(stream, bytes, alignment)` and
/// `deallocate(stream, memory, bytes, alignment)`.
template <class Resource, class Stream>
concept stream_ordered_resource =
    detail::allocates_async<Resource, Stream> || detail::allocates_on_stream<Resource, Stream>;

/// A memory resource for slots that takes from somebody else's, which must outlive it, and may be
/// called by several threads at once.
template <class Driver, class Resource>
  requires stream_ordered_resource<Resource, typename Driver::stream>
class adapted_resource final : public memory_resource<Driver> {
  using stream = typename Driver::stream;

 public:
  explicit adapted_resource(Resource& from) : from_(&from) {}

  void* allocate(std::size_t bytes, stream s) override {
    if constexpr (detail::allocates_async<Resource, stream>)
      return from_->allocate_async(bytes, detail::memory_alignment, s);
    else
      return from_->allocate(s, bytes, detail::memory_alignment);
  }
  void deallocate(void* memory, std::size_t bytes, stream s) noexcept override {
    if constexpr (detail::allocates_async<Resource, stream>)
      from_->deallocate_async(memory, bytes, detail::memory_alignment, s);
    else
      from_->deallocate(s, memory, bytes, detail::memory_alignment);
  }

 private:
  Resource* from_;
};

}  // namespace stretto::device
