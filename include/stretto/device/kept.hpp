// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <stretto/declare/name.hpp>
#include <stretto/device/handles.hpp>
#include <stretto/device/memory.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/text_builder.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stretto::device {

/// What a body asks for by a `handle` could not be made: its constructor threw. The original
/// exception is nested: `std::rethrow_if_nested`, or `nested_ptr()`.
class handle_error : public std::runtime_error, public std::nested_exception {
 public:
  /// \p type as the compiler spells it; \p what the constructor said.
  handle_error(std::string_view type, std::string_view task, std::string_view stream,
               std::string_view what)
      : std::runtime_error(runner::text_builder()
                               .add("a ")
                               .name(type)
                               .add(" for task ")
                               .name(task)
                               .add(" on stream ")
                               .name(stream)
                               .add(" could not be made: ")
                               .add(what)
                               .text()),
        task_(task),
        stream_(stream) {}

  /// The task whose body asks for it.
  const std::string& task() const { return task_; }
  const std::string& stream() const { return stream_; }

 private:
  std::string task_;
  std::string stream_;
};

namespace detail {

/// How an object that is kept for a stream is made and ended, its type forgotten.
template <class Driver>
struct kept_type {
  std::string_view name;
  void* (*make)(const slot_location<Driver>& where);
  void (*end)(void* object);
};

template <class Driver, class Kept>
void* make_kept(const slot_location<Driver>& where) {
  constexpr bool placed = std::is_constructible_v<Kept, const slot_location<Driver>&>;
  static_assert(placed || std::is_constructible_v<Kept, const typename Driver::stream&>,
                "what a handle is of is made of the stream that it is for: give the class a "
                "constructor that takes the stream, or a `slot_location`");
  if constexpr (placed) {
    return new Kept(where);
  } else {
    const typename Driver::stream stream = where.stream;
    return new Kept(stream);
  }
}
template <class Kept>
void end_kept(void* object) {
  delete static_cast<Kept*>(object);
}

/// (Told apart by its address.)
template <class Driver, class Kept>
inline constexpr kept_type<Driver> kept_type_of{declare::qualified_name<Kept>(),
                                                &make_kept<Driver, Kept>, &end_kept<Kept>};

template <class Driver>
using kept_list = planner::view<const kept_type<Driver>*>;
template <class Driver, class... Kept>
inline constexpr std::array<const kept_type<Driver>*, sizeof...(Kept)> kept_row{
    &kept_type_of<Driver, Kept>...};
/// What a body asks for.
template <class Driver, class... Kept>
inline constexpr kept_list<Driver> kept_types{kept_row<Driver, Kept...>.data(), sizeof...(Kept)};

/// Who asks.
struct asking_task {
  std::string_view task;
  std::string_view stream;
  std::size_t thread = 0;  ///< that submits it
};

/// The objects that are kept for the streams of a pipeline, one of each type for each stream and
/// thread: libraries do not let two threads use a handle at once.
template <class Driver>
class kept_objects {
 public:
  explicit kept_objects(const Driver& driver) : driver_(driver) {}
  kept_objects(const kept_objects&) = delete;
  kept_objects& operator=(const kept_objects&) = delete;
  ~kept_objects() {
    if (all_.empty()) return;
    const current_device_kept<Driver> current(driver_);
    for (std::size_t i = all_.size(); i-- > 0;) {
      static_cast<void>(driver_.set_device(all_[i].device));
      all_[i].type->end(all_[i].object);
    }
  }

  /// The object of a type for the stream of \p where, made unless it is there. Throws
  /// `handle_error`.
  void* of(const kept_type<Driver>& type, const asking_task& by,
           const slot_location<Driver>& where) {
    const typename Driver::stream stream = where.stream;
    for (const entry& e : all_)
      if (e.type == &type && e.stream == stream && e.thread == by.thread) return e.object;
    all_.reserve(all_.size() + 1);
    shared::on_device<Driver> current(driver_);
    current.use(where.device);
    all_.push_back({&type, stream, where.device, by.thread, made(type, by, where)});
    return all_.back().object;
  }

 private:
  struct entry {
    const kept_type<Driver>* type;
    typename Driver::stream stream;
    int device;
    std::size_t thread;
    void* object;
  };

  static void* made(const kept_type<Driver>& type, const asking_task& by,
                    const slot_location<Driver>& where) {
    try {
      return type.make(where);
    } catch (const std::exception& e) {
      throw handle_error(type.name, by.task, by.stream, e.what());
    } catch (...) {
      throw handle_error(type.name, by.task, by.stream,
                         "an exception that is not a std::exception");
    }
  }

  [[no_unique_address]] Driver driver_;
  std::vector<entry> all_;
};

}  // namespace detail
}  // namespace stretto::device
