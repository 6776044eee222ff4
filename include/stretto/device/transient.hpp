// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/device/handles.hpp>
#include <stretto/device/memory.hpp>
#include <stretto/run/error.hpp>
#include <type_traits>
#include <utility>

/// Device memory of slots that is there for one batch: allocated when the task that fills the slot
/// asks for it, given back when nobody uses the batch any more.
namespace stretto::device {

/// Whether a slot's value has memory that is given back after each batch. True of
/// `transient_buffer`; a type of your own that has some says so by
/// `static constexpr bool transient = true`.
template <class Type>
inline constexpr bool is_transient = requires { requires Type::transient; };

namespace detail {

/// A block of it. Those in one copy of a slot are linked, for whoever gives them back.
template <class Driver>
class transient_memory {
 public:
  explicit transient_memory(const slot_location<Driver>& where) : where_(where) {
    if (where.host_fills)
      throw usage_error(
          "its memory is transient, given back in the order of streams, but a host task fills it: "
          "use `buffer`");
    if (where.transients == nullptr)
      throw usage_error(
          "its type has transient memory and does not say so: give it "
          "`static constexpr bool transient = true`");
    where_.transients->add(*this);
  }
  ~transient_memory() {
    where_.transients->remove(*this);
    end();
  }
  transient_memory(const transient_memory&) = delete;
  transient_memory& operator=(const transient_memory&) = delete;

  /// Makes room for \p bytes, in the order of the filling task's stream.
  void* resize(std::size_t bytes) {
    give_back(where_.stream);
    if (bytes == 0) return nullptr;
    memory_ = device_room<Driver>::allocate(where_, bytes);
    bytes_ = bytes;
    return memory_;
  }
  /// Gives it back, if there is some, in the order of a stream on the same device.
  void give_back(typename Driver::stream stream) {
    if (memory_ == nullptr) return;
    shared::on_device<Driver> current(where_.driver);
    current.use(where_.device);
    where_.resource->deallocate(std::exchange(memory_, nullptr), std::exchange(bytes_, 0), stream);
  }
  /// The same when the streams have come to their end.
  void end() noexcept {
    if (memory_ != nullptr)
      device_room<Driver>::deallocate(where_, std::exchange(memory_, nullptr),
                                      std::exchange(bytes_, 0));
  }
  void* data() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

 private:
  friend transient_copy<Driver>;

  slot_location<Driver> where_;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  transient_memory* next_ = nullptr;  ///< in the same copy
};

/// What transient memory there is in one copy of a slot.
template <class Driver>
class transient_copy {
 public:
  void add(transient_memory<Driver>& one) { one.next_ = std::exchange(first_, &one); }
  void remove(transient_memory<Driver>& one) {
    transient_memory<Driver>** at = &first_;
    while (*at != &one) at = &(*at)->next_;
    *at = one.next_;
  }
  void give_back(typename Driver::stream stream) const {
    for (transient_memory<Driver>* m = first_; m != nullptr; m = m->next_) m->give_back(stream);
  }
  void end() const noexcept {
    for (transient_memory<Driver>* m = first_; m != nullptr; m = m->next_) m->end();
  }

 private:
  transient_memory<Driver>* first_ = nullptr;
};

}  // namespace detail

/// A slot's value: device memory for elements of type `T`, which the filling task asks for in each
/// batch, in the order of its stream. It is given back in the order of streams after the last task
/// that uses the batch, so that between batches there is none. Only tasks on streams use it.
template <class Type, class Driver>
class transient_buffer {
  static_assert(std::is_trivially_copyable_v<Type>, "what streams copy is copied by bytes");

 public:
  static constexpr bool transient = true;

  explicit transient_buffer(const slot_location<Driver>& where) : memory_(where) {}

  /// Makes room for \p size elements; what there was before in this batch is given back. Only the
  /// task that fills the slot may ask, at whose begin there is none.
  Type* resize(std::size_t size) { return static_cast<Type*>(memory_.resize(size * sizeof(Type))); }
  Type* data() { return static_cast<Type*>(memory_.data()); }
  const Type* data() const { return static_cast<const Type*>(memory_.data()); }
  std::size_t size() const { return memory_.bytes() / sizeof(Type); }

 private:
  detail::transient_memory<Driver> memory_;
};

}  // namespace stretto::device
