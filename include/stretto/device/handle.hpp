// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/device/context.hpp>
#include <stretto/device/kept.hpp>
#include <stretto/run/asked_of_device.hpp>
#include <type_traits>

namespace stretto::device {

namespace detail {

/// Stands for a handle where bodies are asked whether they take one.
template <class Driver>
struct handle_only {};

template <class Wanted, class... Kept>
consteval std::size_t place_of() {
  std::size_t place = 0;
  for (const bool found : {std::is_same_v<Wanted, Kept>...}) {
    if (found) return place;
    ++place;
  }
  return place;
}

}  // namespace detail

/// What a body asks for first that works with a library's handle, or with anything else that is
/// made once for a stream: `void operator()(handle<Driver, blas> h, const In&, Out&)`. Holds a
/// reference to an object of each of the types `Kept`, and knows the stream.
///
/// The pipeline's constructor makes one object of each type for each stream and each thread that
/// submits to it, of a `slot_location<Driver>` or, if it has no such constructor, of the stream,
/// whose device is current. They are destroyed with the pipeline, before its streams.
template <class Driver, class... Kept>
class handle {
  static_assert(sizeof...(Kept) > 0, "a handle is of something: name the type");
  using first = declare::nth<0, pack<Kept..., void>>;
  static constexpr bool one = sizeof...(Kept) == 1;

 public:
  handle(typename Driver::stream stream, int device, void* const* objects)
      : stream_(stream), device_(device), objects_(objects) {}
  /// A body that takes a handle and gets a context instead: nobody could read which handle.
  handle(const context<Driver>&) {
    static_assert(sizeof...(Kept) == 0,
                  "a body asks for a handle, but its call operator does not tell for which: let it "
                  "be no overload, and make all parameters behind the handle `auto`, or none");
  }
  // For checks of whether a body takes one; never called.
  handle(detail::handle_only<Driver>);
  handle(detail::stream_only<Driver>);

  /// The stream of the task.
  typename Driver::stream stream() const { return stream_; }
  /// The number of the device that the stream is on.
  int device() const { return device_; }

  /// The object of a type.
  template <class Type>
  Type& get() const {
    constexpr std::size_t place = detail::place_of<Type, Kept...>();
    static_assert(place < sizeof...(Kept), "the body did not ask for this: name it in the handle");
    return *static_cast<Type*>(objects_[place]);
  }

  // Of one type.

  first& operator*() const
    requires one
  {
    return *static_cast<first*>(objects_[0]);
  }
  first* operator->() const
    requires one
  {
    return static_cast<first*>(objects_[0]);
  }
  /// Whatever the object converts to, such as the handle of a library.
  template <class Wanted>
    requires(one && std::is_convertible_v<first&, Wanted>)
  operator Wanted() const {
    return *static_cast<first*>(objects_[0]);
  }

 private:
  typename Driver::stream stream_{};
  int device_ = 0;
  void* const* objects_ = nullptr;
};

}  // namespace stretto::device

namespace stretto {

template <class Driver, class... Kept>
struct asked_of_device<device::handle<Driver, Kept...>> {
  static constexpr bool known = true;
  static constexpr bool knows_batch = false;
  using driver = Driver;
  /// How what it refers to is made.
  static constexpr const void* kept = &device::detail::kept_types<Driver, Kept...>;
  template <class Here>
  static device::handle<Driver, Kept...> get(Here, const void* spot) {
    const auto& at = *static_cast<const device::detail::spot<Driver>*>(spot);
    return {at.stream, at.device, at.kept};
  }
};

}  // namespace stretto
