// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <stretto/watch/recorded_value.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto {

namespace watch::detail {

/// What is done with values of a type that are kept. Null: cannot be done.
struct keeping {
  void* (*copy)(const void* value) = nullptr;
  void (*restore)(void* value, const void* kept) = nullptr;
  void (*destroy)(void* kept) = nullptr;
  bool (*same)(const void* kept, const void* value) = nullptr;
};

template <class Type>
concept is_recorded = requires(Type& value, const Type& given) {
  recorded_value<Type>::restore(value, recorded_value<Type>::copy(given));
};
template <class Task>
using captured_by = std::remove_cvref_t<decltype(std::declval<const Task&>().capture())>;
/// A callable that declares what it changes besides slots.
template <class Task>
concept has_effects =
    requires { typename captured_by<Task>; } && is_recorded<captured_by<Task>> &&
    requires(Task& task, const captured_by<Task>& captured) { task.restore(captured); };

/// Of values of slots.
template <class Type>
constexpr keeping keeping_of_values() {
  keeping k;
  if constexpr (is_recorded<Type>) {
    using copy =
        std::remove_cvref_t<decltype(recorded_value<Type>::copy(std::declval<const Type&>()))>;
    k.copy = [](const void* v) -> void* {
      return new copy(recorded_value<Type>::copy(*static_cast<const Type*>(v)));
    };
    k.restore = [](void* v, const void* kept) {
      recorded_value<Type>::restore(*static_cast<Type*>(v), *static_cast<const copy*>(kept));
    };
    k.destroy = [](void* kept) { delete static_cast<copy*>(kept); };
    if constexpr (requires(const copy& kept, const Type& v) {
                    { recorded_value<Type>::same(kept, v) } -> std::convertible_to<bool>;
                  })
      k.same = [](const void* kept, const void* v) -> bool {
        return recorded_value<Type>::same(*static_cast<const copy*>(kept),
                                          *static_cast<const Type*>(v));
      };
  }
  return k;
}
/// Of what callables change besides.
template <class Task>
constexpr keeping keeping_of_effects() {
  keeping k;
  if constexpr (has_effects<Task>) {
    using captured = captured_by<Task>;
    using copy =
        std::remove_cvref_t<decltype(recorded_value<captured>::copy(std::declval<captured>()))>;
    k.copy = [](const void* task) -> void* {
      return new copy(recorded_value<captured>::copy(static_cast<const Task*>(task)->capture()));
    };
    if constexpr (std::is_same_v<copy, captured>)
      k.restore = [](void* task, const void* kept) {
        static_cast<Task*>(task)->restore(*static_cast<const copy*>(kept));
      };
    else
      k.restore = [](void* task, const void* kept) {
        captured value = static_cast<const Task*>(task)->capture();
        recorded_value<captured>::restore(value, *static_cast<const copy*>(kept));
        static_cast<Task*>(task)->restore(std::as_const(value));
      };
    k.destroy = [](void* kept) { delete static_cast<copy*>(kept); };
  }
  return k;
}

/// A value that is kept.
class kept {
 public:
  kept() = default;
  kept(const keeping& how, const void* value) : how_(&how), at_(how.copy(value)) {}
  kept(kept&& other) noexcept : how_(other.how_), at_(std::exchange(other.at_, nullptr)) {}
  kept& operator=(kept&& other) noexcept {
    std::swap(how_, other.how_);
    std::swap(at_, other.at_);
    return *this;
  }
  ~kept() {
    if (at_ != nullptr) how_->destroy(at_);
  }

  explicit operator bool() const { return at_ != nullptr; }
  void restore(void* value) const { how_->restore(value, at_); }
  bool same(const void* value) const { return how_->same(at_, value); }

 private:
  const keeping* how_ = nullptr;
  void* at_ = nullptr;
};

template <class Clock>
class replay_by;

}  // namespace watch::detail

/// What tasks wrote to their slots, and changed besides, on some batches in a row: copies, for an
/// `st::replay` to put in the place of their bodies. May be moved; what it has, pipelines keep that
/// record or play it.
class recording {
 public:
  recording() = default;
  recording(recording&&) = default;
  recording& operator=(recording&&) = default;

  /// The batches of a run that were recorded, from its first one on; 0 before it has ended.
  std::size_t batches() const { return tape_ == nullptr ? 0 : tape_->batches; }
  /// The tasks that can be replayed.
  std::vector<std::string_view> tasks() const {
    std::vector<std::string_view> names;
    if (tape_ == nullptr) return names;
    for (const row& r : tape_->rows)
      if (r.replayed) names.push_back(r.task);
    return names;
  }

 private:
  template <class Clock>
  friend class watch::detail::replay_by;

  struct entry {
    bool made = false;
    std::vector<watch::detail::kept> values;  // by slot
    watch::detail::kept effects;
  };
  struct row {
    std::string task;
    bool replayed = false;  // else it is only compared with
    std::vector<std::string> writes;
    std::vector<const char*> types;  // by slot
    std::vector<entry> by_batch;
  };

  struct tape {
    std::vector<row> rows;
    std::size_t batches = 0;
    std::size_t first_batch = 0;
    bool of_all = false;  // tasks, to compare with
  };

  std::shared_ptr<tape> tape_;  // null: nothing was to be recorded
};

}  // namespace stretto
