// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stretto/device/error.hpp>
#include <stretto/device/handles.hpp>
#include <stretto/run/asked_of_device.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::device {

/// Where device memory comes from: derive from it to use a pool of your own. Called when copies of
/// slots are made and ended, when a `buffer` grows, and in each batch for a `transient_buffer`;
/// from several threads. The device of the stream is current meanwhile.
template <class Driver>
class memory_resource {
 public:
  memory_resource() = default;
  memory_resource(const memory_resource&) = delete;
  memory_resource& operator=(const memory_resource&) = delete;
  virtual ~memory_resource() = default;

  /// At least \p bytes, aligned to 256, to be used in the order of \p stream. Throws if there are
  /// none.
  virtual void* allocate(std::size_t bytes, typename Driver::stream stream) = 0;
  /// Gives them back, in the order of \p stream.
  virtual void deallocate(void* memory, std::size_t bytes,
                          typename Driver::stream stream) noexcept = 0;
};

/// The default: a stream-ordered pool, that of the device or another one.
template <class Driver>
class pool_resource : public memory_resource<Driver> {
 public:
  /// \p pool, which must outlive it; none: that of the stream's device.
  explicit pool_resource(const Driver& driver, std::optional<typename Driver::pool> pool = {})
      : driver_(driver), pool_(pool) {}

  void* allocate(std::size_t bytes, typename Driver::stream stream) override {
    void* memory = nullptr;
    if (pool_) {
      shared::checked<Driver>(call::allocate_from,
                              driver_.allocate_from(memory, bytes, *pool_, stream));
    } else {
      shared::checked<Driver>(call::allocate, driver_.allocate(memory, bytes, stream));
    }
    return memory;
  }
  void deallocate(void* memory, std::size_t /*bytes*/,
                  typename Driver::stream stream) noexcept override {
    static_cast<void>(driver_.free(memory, stream));
  }

 private:
  [[no_unique_address]] Driver driver_;
  std::optional<typename Driver::pool> pool_;
};

/// Passed to a pipeline along with tasks: where the memory of its device slots comes from, one of
/// these; if none is said, from the pool of the device. More than one is a `usage_error`.
template <class Driver>
struct memory {
  /// A resource, which must outlive the pipeline.
  memory_resource<Driver>* resource = nullptr;
  /// A pool, which must outlive the pipeline. It is left as it is: see to its release threshold and
  /// to other devices' access yourself.
  std::optional<typename Driver::pool> pool{};
  /// Pools of the pipeline's own, one for each device that its streams are on. What is freed stays
  /// there for the next allocation; what is more than this number of bytes goes back to the device
  /// when somebody waits for a stream or an event. (A device's own pool has a threshold of 0,
  /// unless somebody has set another.)
  std::optional<std::size_t> release_threshold{};
};

namespace detail {

/// A stream on which memory is allocated that host tasks fill. Others would wait there for work
/// that has nothing to do with the memory, and get in the way of captures. Made when it is first
/// asked for.
template <class Driver>
class host_stream {
 public:
  explicit host_stream(const Driver& driver) : driver_(driver) {}
  ~host_stream() {
    if (made_) static_cast<void>(driver_.destroy_stream(stream_));
  }
  host_stream(const host_stream&) = delete;
  host_stream& operator=(const host_stream&) = delete;

  /// Before it is asked for.
  void on(int device) { device_ = device; }
  /// Throws `error` if it cannot be made.
  typename Driver::stream get() {
    const std::lock_guard hold(lock_);
    if (!made_) {
      shared::on_device<Driver> current(driver_);
      current.use(device_);
      shared::checked<Driver>(call::create_stream, driver_.create_stream(stream_, 0));
      made_ = true;
    }
    return stream_;
  }
  /// Waits until the memory is there that was asked for by now.
  typename Driver::status synchronize() {
    const std::lock_guard hold(lock_);
    return made_ ? driver_.synchronize_stream(stream_) : Driver::success;
  }

 private:
  [[no_unique_address]] Driver driver_;
  int device_ = 0;
  std::mutex lock_;
  typename Driver::stream stream_{};
  bool made_ = false;
};

}  // namespace detail

/// The stream in whose order a slot's device memory is allocated and given back. Converts to it.
template <class Driver>
class memory_stream {
 public:
  memory_stream() = default;
  /// That of the task that fills the slot.
  memory_stream(typename Driver::stream filler) : filler_(filler) {}
  /// Where a host task fills it: one of the pipeline's own, which is made if somebody asks.
  explicit memory_stream(detail::host_stream<Driver>& own) : own_(&own) {}

  operator typename Driver::stream() const { return own_ != nullptr ? own_->get() : filler_; }

 private:
  typename Driver::stream filler_{};
  detail::host_stream<Driver>* own_ = nullptr;
};

namespace detail {

template <class Driver>
class transient_copy;

}  // namespace detail

/// Where a copy of a slot lives: what a slot's type is made of that is to own device memory. A type
/// of your own may be constructed from it, too.
template <class Driver>
struct slot_location {
  memory_resource<Driver>* resource = nullptr;
  /// Of the task that fills the slot; where that is a host task, one of the pipeline's own.
  memory_stream<Driver> stream{};
  int device = 0;
  [[no_unique_address]] Driver driver;
  bool host_fills = false;  ///< a host task fills it, which is in no stream's order
  /// Who gives memory of the copy back after each batch; null: nobody does.
  detail::transient_copy<Driver>* transients = nullptr;
};

}  // namespace stretto::device

namespace stretto {

template <class Driver>
struct slot_location_traits<device::slot_location<Driver>> {
  static constexpr bool known = true;
  using driver = Driver;
};

}  // namespace stretto

namespace stretto::device {

namespace detail {

/// Room for elements of type `T` that a task sizes; it grows, and what it holds is not kept then.
/// `Room` says where it comes from, and what becomes of what has grown too small.
template <class Type, class Driver, class Room>
class sized {
  static_assert(std::is_trivially_copyable_v<Type>, "what streams copy is copied by bytes");

 public:
  explicit sized(const slot_location<Driver>& where) : where_(where) {}
  sized(const slot_location<Driver>& where, std::size_t size) : where_(where) { resize(size); }
  ~sized() {
    for (Type* const old : outgrown_) Room::deallocate(where_, old, 0);
    give_back();
  }
  sized(const sized&) = delete;
  sized& operator=(const sized&) = delete;

  /// Makes room for \p size elements; where that takes more memory, for half as many again as there
  /// was room for, at least. Only the task that fills the slot may ask.
  Type* resize(std::size_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
    return data_;
  }
  Type* data() { return data_; }
  const Type* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

 private:
  void grow(std::size_t size) {
    const std::size_t capacity = (std::max)(size, capacity_ + capacity_ / 2);
    if constexpr (Room::keeps) {
      outgrown_.reserve(outgrown_.size() + 1);
    } else {
      give_back();
    }
    auto* const data = static_cast<Type*>(Room::allocate(where_, capacity * sizeof(Type)));
    if (data_ != nullptr) outgrown_.push_back(data_);
    data_ = data;
    capacity_ = capacity;
  }
  void give_back() {
    if (data_ != nullptr) Room::deallocate(where_, data_, capacity_ * sizeof(Type));
    data_ = nullptr;
    capacity_ = 0;
    size_ = 0;
  }

  slot_location<Driver> where_;
  Type* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::vector<Type*> outgrown_;
};

template <class Driver>
struct device_room {
  /// It is given back in the order of the stream.
  static constexpr bool keeps = false;
  static void* allocate(const slot_location<Driver>& where, std::size_t bytes) {
    shared::on_device<Driver> current(where.driver);
    current.use(where.device);
    const typename Driver::stream stream = where.stream;
    void* const memory = where.resource->allocate(bytes, stream);
    // A host task does not wait for the stream on which the memory becomes usable.
    if (where.host_fills) {
      const typename Driver::status usable = where.driver.synchronize_stream(stream);
      if (usable != Driver::success) where.resource->deallocate(memory, bytes, stream);
      shared::checked<Driver>(call::synchronize_stream, usable);
    }
    return memory;
  }
  static void deallocate(const slot_location<Driver>& where, void* memory,
                         std::size_t bytes) noexcept {
    const current_device_kept<Driver> kept(where.driver);
    static_cast<void>(where.driver.set_device(where.device));
    where.resource->deallocate(memory, bytes, where.stream);
  }
};

template <class Driver>
struct pinned_room {
  /// To give it back would wait for the whole device.
  static constexpr bool keeps = true;
  static void* allocate(const slot_location<Driver>& where, std::size_t bytes) {
    void* memory = nullptr;
    shared::checked<Driver>(call::allocate_pinned, where.driver.allocate_pinned(memory, bytes));
    return memory;
  }
  static void deallocate(const slot_location<Driver>& where, void* memory, std::size_t) noexcept {
    static_cast<void>(where.driver.free_pinned(memory));
  }
};

}  // namespace detail

/// A slot's value: device memory for elements of type `T`, which grows in the order of the filling
/// task's stream when that asks for more, by half at least (where it is a host task, the call waits
/// until the memory is there). What it holds is not kept when it grows; it does not shrink.
template <class Type, class Driver>
class buffer : public detail::sized<Type, Driver, detail::device_room<Driver>> {
 public:
  using detail::sized<Type, Driver, detail::device_room<Driver>>::sized;
};

/// A slot's value: device memory for `N` elements of type `T`, allocated once per copy.
template <class Type, std::size_t Count, class Driver>
class array {
 public:
  static constexpr bool stays = true;

  explicit array(const slot_location<Driver>& where) : memory_(where, Count) {}

  Type* data() { return memory_.data(); }
  const Type* data() const { return memory_.data(); }
  static constexpr std::size_t size() { return Count; }

 private:
  buffer<Type, Driver> memory_;
};

}  // namespace stretto::device

namespace stretto {

template <class Type, std::size_t Count, class Driver>
inline constexpr bool lies_on_device<device::array<Type, Count, Driver>> = true;

}  // namespace stretto

namespace stretto::device {

/// A slot's value: page-locked host memory for elements of type `T`, which copies to and from the
/// device need in order to be asynchronous. Grows as `buffer` does; what has grown too small is
/// given back when the pipeline ends, because that would wait for the device.
template <class Type, class Driver>
class pinned_buffer : public detail::sized<Type, Driver, detail::pinned_room<Driver>> {
 public:
  using detail::sized<Type, Driver, detail::pinned_room<Driver>>::sized;

  Type* begin() { return this->data(); }
  Type* end() { return this->data() + this->size(); }
  const Type* begin() const { return this->data(); }
  const Type* end() const { return this->data() + this->size(); }
  Type& operator[](std::size_t i) { return this->data()[i]; }
  const Type& operator[](std::size_t i) const { return this->data()[i]; }
};

/// A slot's value: page-locked host memory for `N` elements, allocated once per copy.
template <class Type, std::size_t Count, class Driver>
class pinned_array {
 public:
  static constexpr bool stays = true;

  explicit pinned_array(const slot_location<Driver>& where) : memory_(where, Count) {}

  Type* data() { return memory_.data(); }
  const Type* data() const { return memory_.data(); }
  static constexpr std::size_t size() { return Count; }
  Type* begin() { return data(); }
  Type* end() { return data() + Count; }
  const Type* begin() const { return data(); }
  const Type* end() const { return data() + Count; }
  Type& operator[](std::size_t i) { return memory_[i]; }
  const Type& operator[](std::size_t i) const { return memory_[i]; }

 private:
  pinned_buffer<Type, Driver> memory_;
};

}  // namespace stretto::device
