// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <memory>
#include <stretto/declare/context.hpp>
#include <stretto/declare/part.hpp>
#include <stretto/dynamic/slot_access.hpp>
#include <stretto/dynamic/slot_type.hpp>
#include <stretto/plan/fire.hpp>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::dynamic {

/// A parameter of a task's callable: a slot that it reads (`const T&` or `T`) or writes (`T&`).
struct parameter {
  const slot_type* type = nullptr;
  bool writes = false;
};

namespace detail {

/// What a task's callable may ask of its circumstances.
struct task_facts {
  std::string_view task;
  std::string_view thread;
  std::size_t node = 0;
  std::size_t place = 0;  ///< in its thread's chain
  std::size_t lag = 0;
  int max_lookahead = 0;
  const std::atomic<std::size_t>* batches = nullptr;  ///< how many there are, once it is known
  const void* spot = nullptr;                         ///< on the device, if streams are on one
  slot_names slots;
};

inline task_context context_of(const task_facts& facts, std::size_t progress) {
  // relaxed: signals order it.
  const bool draining = progress > facts.batches->load(std::memory_order_relaxed);
  return {progress - facts.lag, progress,
          draining                                      ? phase::drain
          : plan::filled(facts.max_lookahead, progress) ? phase::steady
                                                        : phase::prefill,
          facts.task, facts.thread};
}

struct frame;

/// Makes the call that is ready at \p at, and goes on with the frame behind it. \p now is told
/// where it is before it begins.
using call = void (*)(const frame* at, std::size_t progress, const frame** now);

inline void end_of_segment(const frame*, std::size_t, const frame**) {}

/// A call, ready to be made: a task in one progress. Frames of a segment lie one behind the other
/// and call each other, each as the last thing that it does, so that there is one jump between two
/// tasks; a segment ends with a frame that does nothing.
struct frame {
  call body = &end_of_segment;
  void* object = nullptr;
  void* const* slots = nullptr;
  const task_facts* facts = nullptr;
};

template <class P>
using value_of = std::remove_const_t<std::remove_reference_t<P>>;
template <class P>
inline constexpr bool writes_to =
    std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;
/// Whether a parameter is no slot, but tells of the body's circumstances.
template <class P>
inline constexpr bool takes_context = std::is_same_v<std::remove_cvref_t<P>, task_context> ||
                                      asked_of_device<std::remove_cvref_t<P>>::known;
template <class P>
inline constexpr bool takes_access = std::is_same_v<std::remove_cvref_t<P>, slot_access>;

/// The parameters of a callable whose call operator is neither a template nor overloaded.
template <class F>
struct signature;
template <class R, class... P>
struct signature<R (*)(P...)> {
  using parameters = pack<P...>;
  static constexpr bool is_const = true;
};
template <class R, class... P>
struct signature<R (*)(P...) noexcept> : signature<R (*)(P...)> {};
template <class F, class R, class... P>
struct signature<R (F::*)(P...)> {
  using parameters = pack<P...>;
  static constexpr bool is_const = false;
};
template <class F, class R, class... P>
struct signature<R (F::*)(P...) noexcept> : signature<R (F::*)(P...)> {};
template <class F, class R, class... P>
struct signature<R (F::*)(P...) const> {
  using parameters = pack<P...>;
  static constexpr bool is_const = true;
};
template <class F, class R, class... P>
struct signature<R (F::*)(P...) const noexcept> : signature<R (F::*)(P...) const> {};

template <class F>
auto signature_of() {
  if constexpr (std::is_pointer_v<F>) {
    return signature<F>{};
  } else {
    return signature<decltype(&F::operator())>{};
  }
}

/// Whether a callable says by itself what it takes.
template <class F>
concept tells_its_parameters =
    (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>) ||
    requires { &F::operator(); };

template <class P>
decltype(auto) argument(void* slot) {
  if constexpr (writes_to<P>) {
    return static_cast<P>(*static_cast<value_of<P>*>(slot));
  } else {
    return static_cast<const value_of<P>&>(*static_cast<value_of<P>*>(slot));
  }
}

/// What a body gets first that asks for a Context.
template <class Context>
Context first_argument(const task_facts& facts, std::size_t progress) {
  if constexpr (asked_of_device<Context>::known) {
    return asked_of_device<Context>::get([&] { return context_of(facts, progress); }, facts.spot);
  } else {
    return context_of(facts, progress);
  }
}

/// Calls an object of type F with slots of the types that the P ask for, and before them with a
/// Context, if that is not void.
template <class F, class Context, class... P>
void call_with(const frame* at, std::size_t progress, const frame** now) {
  *now = at;
  F& f = *static_cast<F*>(at->object);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (std::is_void_v<Context>) {
      f(argument<P>(at->slots[I])...);
    } else {
      auto context = first_argument<Context>(*at->facts, progress);
      f(context, argument<P>(at->slots[I])...);
    }
  }(std::make_index_sequence<sizeof...(P)>{});
  at[1].body(at + 1, progress, now);
}

/// Calls an object that looks its slots up itself.
template <class F, class Context>
void call_with_access(const frame* at, std::size_t progress, const frame** now) {
  *now = at;
  F& f = *static_cast<F*>(at->object);
  slot_access access(at->facts->slots, at->slots);
  if constexpr (std::is_void_v<Context>) {
    f(access);
  } else {
    auto context = first_argument<Context>(*at->facts, progress);
    f(context, access);
  }
  at[1].body(at + 1, progress, now);
}

/// An object of any type. Copies have one of their own, unless it cannot be copied: then they share
/// it.
class any_callable {
 public:
  any_callable() = default;
  template <class F, class Given>
  any_callable(std::type_identity<F>, Given&& callable)
      : object_(std::make_shared<F>(std::forward<Given>(callable))) {
    if constexpr (std::is_copy_constructible_v<F>) {
      clone_ = [](const void* object) -> std::shared_ptr<void> {
        return std::make_shared<F>(*static_cast<const F*>(object));
      };
    }
  }
  any_callable(const any_callable& other)
      : object_(other.clone_ == nullptr ? other.object_ : other.clone_(other.object_.get())),
        clone_(other.clone_) {}
  any_callable(any_callable&& other) noexcept
      : object_(std::move(other.object_)), clone_(std::exchange(other.clone_, nullptr)) {}
  any_callable& operator=(any_callable other) noexcept {
    std::swap(object_, other.object_);
    std::swap(clone_, other.clone_);
    return *this;
  }
  ~any_callable() = default;

  void* get() const { return object_.get(); }

 private:
  std::shared_ptr<void> object_;
  std::shared_ptr<void> (*clone_)(const void* object) = nullptr;
};

}  // namespace detail

/// What a task does: a callable of any type, its type forgotten. Takes what the task reads as
/// `const T&` (or `T`), then what it writes as `T&`, before them a `task_context&` if it wants to;
/// or, instead of the slots, a `slot_access&` to ask for them by name. Where streams are on a
/// device it may ask for its stream, such as a `cudaStream_t`, or the device's context in place of
/// the `task_context`.
///
/// Copying a body copies its callable; one that cannot be copied is shared by the copies.
class body {
 public:
  body() = default;

  /// Of a callable that says by itself what it takes: a function, or an object with one call
  /// operator that is no template.
  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, body> &&
             detail::tells_its_parameters<std::decay_t<F>>)
  body(F&& callable) {  // NOLINT(bugprone-forwarding-reference-overload): `requires` sees to it
    using type = std::decay_t<F>;
    using said = decltype(detail::signature_of<type>());
    take<type>(std::forward<F>(callable), typename said::parameters{});
    shareable_ = said::is_const;  // NOLINT(cppcoreguidelines-prefer-member-initializer)
  }

  /// Of any callable, with the parameters given: `body::with<const In&, Out&>(f)`.
  template <class... P, class F>
  static body with(F&& callable) {
    return with_context<task_context, P...>(std::forward<F>(callable));
  }
  /// The same; before them it takes a `Context` if it cannot be called without.
  template <class Context, class... P, class F>
  static body with_context(F&& callable) {
    using type = std::decay_t<F>;
    body made;
    constexpr bool asks =
        !std::is_invocable_v<type&, P...> && std::is_invocable_v<type&, Context&, P...>;
    static_assert(asks || std::is_invocable_v<type&, P...>,
                  "the callable does not take these parameters");
    made.template hold<type>(std::forward<F>(callable));
    made.template call_slots<type, std::conditional_t<asks, Context, void>, P...>();
    if constexpr (asks) {
      made.shareable_ = std::is_invocable_v<const type&, Context&, P...>;
    } else {
      made.shareable_ = std::is_invocable_v<const type&, P...>;
    }
    return made;
  }

  explicit operator bool() const { return call_ != nullptr; }

  /// What the callable takes, reads and writes in its own order; nothing if it asks by name.
  const std::vector<parameter>& parameters() const { return parameters_; }
  bool asks_by_name() const { return asks_by_name_; }
  /// Whether several workers may call it at once: its call operator is const.
  bool shareable() const { return shareable_; }
  /// The driver of the device whose stream or context it asks for, as the compiler spells it;
  /// empty: it asks for neither.
  std::string_view asks_device() const { return asks_device_; }

  /// The callable, if it is of type F; else null.
  template <class F>
  F* target() const {
    const bool same = type_ == stretto::detail::qualified_name<F>();
    return same ? static_cast<F*>(object_.get()) : nullptr;
  }

  detail::call call() const { return call_; }
  void* object() const { return object_.get(); }

 private:
  template <class F, class Given>
  void hold(Given&& callable) {
    object_ = detail::any_callable(std::type_identity<F>(), std::forward<Given>(callable));
    type_ = stretto::detail::qualified_name<F>();
  }

  template <class Context>
  void ask() {
    if constexpr (asked_of_device<Context>::known)
      asks_device_ = stretto::detail::qualified_name<typename asked_of_device<Context>::driver>();
  }
  template <class F, class Context, class... P>
  void call_slots() {
    static_assert(
        (slot_value<detail::value_of<P>> && ...),
        "a slot's type is default-constructible (or made of a place on a device) and no const: its "
        "copies outlive batches");
    ask<Context>();
    parameters_ = {parameter{&type_of<detail::value_of<P>>(), detail::writes_to<P>}...};
    call_ = &detail::call_with<F, Context, P...>;
  }

  template <class F, class Given, class First, class... P>
  void take(Given&& callable, pack<First, P...>) {
    hold<F>(std::forward<Given>(callable));
    if constexpr (!detail::takes_context<First>) {
      take_slots<F, void, First, P...>();
    } else {
      take_slots<F, std::remove_cvref_t<First>, P...>();
    }
  }
  template <class F, class Given>
  void take(Given&& callable, pack<>) {
    hold<F>(std::forward<Given>(callable));
    take_slots<F, void>();
  }
  template <class F, class Context, class... P>
  void take_slots() {
    if constexpr (sizeof...(P) == 1 && (detail::takes_access<P> && ...)) {
      asks_by_name_ = true;
      ask<Context>();
      call_ = &detail::call_with_access<F, Context>;
    } else {
      call_slots<F, Context, P...>();
    }
  }

  detail::any_callable object_;
  std::string_view type_;
  detail::call call_ = nullptr;
  std::vector<parameter> parameters_;
  std::string_view asks_device_;
  bool asks_by_name_ = false;
  bool shareable_ = false;
};

}  // namespace stretto::dynamic
