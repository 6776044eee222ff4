// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <span>
#include <stretto/declare/context.hpp>
#include <stretto/declare/history.hpp>
#include <stretto/declare/may_be_empty.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/parameter.hpp>
#include <stretto/declare/suspends.hpp>
#include <stretto/declare/verdict.hpp>
#include <stretto/dynamic/values/any_callable.hpp>
#include <stretto/dynamic/values/known_collectives.hpp>
#include <stretto/dynamic/values/ready_call.hpp>
#include <stretto/dynamic/values/slot_access.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/dynamic/values/type_identity.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/run/asked_of_collectives.hpp>
#include <stretto/run/asked_of_device.hpp>
#include <stretto/run/suspended_call.hpp>
#include <stretto/run/verdict_book.hpp>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::dynamic {

/// A parameter of a task's callable: a slot that it reads (`const T&` or `T`, of an earlier batch
/// `previous<T>`, of what was written last `latest<T>`, items as `consumes<T>`), takes (`T&&`) or
/// writes (`T&`, items as `produces<T>`).
struct parameter {
  const slot_type* type = nullptr;
  bool writes = false;
  bool earlier = false;
  bool takes = false;
  bool latest = false;
  bool items = false;
};

/// What a slot held some batches before the one at hand, or nothing where there is no such batch:
/// how a callable takes what the task reads as `use::previous`.
template <class Type>
class previous : public declare::earlier_value<Type> {
 public:
  using declare::earlier_value<Type>::earlier_value;
};

/// What was written last to a slot that is not written for every batch, or nothing yet: how a
/// callable takes what the task reads as `use::latest_of`.
template <class Type>
class latest : public declare::earlier_value<Type> {
 public:
  using declare::earlier_value<Type>::earlier_value;
};

/// The items of a slot that one call of a task consumes: how a callable takes what the task reads
/// as `use::items_of`.
template <class Type>
class consumes : public std::span<const Type> {
 public:
  explicit consumes(std::span<Type> items) noexcept : std::span<const Type>(items) {}
};

/// The items of a slot that one call of a task produces: how a callable takes what the task writes
/// as `use::items_of`.
template <class Type>
class produces : public std::span<Type> {
 public:
  explicit produces(std::span<Type> items) noexcept : std::span<Type>(items) {}
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
  planner::rate runs{};   ///< for which batches it is called
  std::size_t words = 0;  ///< how many its call takes, if that is not all
  std::size_t calls = 1;  ///< how often it is called for a batch
  const std::atomic<std::size_t>* batches = nullptr;  ///< how many there are, once it is known
  const std::size_t* first = nullptr;                 ///< the progress that threads set out from
  const void* spot = nullptr;                         ///< on the device, if streams are on one
  const void* among = nullptr;                        ///< what it has of collectives, if it can
  const transfer_calls* transfers = nullptr;          ///< how that sends and receives
  underway* now = nullptr;                            ///< of the host thread
  runner::verdict_book* verdicts = nullptr;  ///< null: no batch is dropped by it or before it
  bool suspends = false;                     ///< its call begins a coroutine
  task_facts* at_end = nullptr;              ///< room for those behind the end, where it runs there
  bool apart = false;  ///< it has verdicts or suspends, so that observers are told otherwise
  slot_names names;

  /// Whether the task is called in this progress, in which there is a batch for it.
  bool is_due() const {
    const std::size_t batch = now->progress - lag;
    return planner::runs_for(runs, batch) && (verdicts == nullptr || !verdicts->skips(node, batch));
  }
  /// Whether that may be another thing for each batch.
  bool may_be_due() const { return runs.every > 1 || verdicts != nullptr; }

  /// The items at a place among its slots that are those of a call.
  template <class Items>
  Items items_at(std::size_t number, std::size_t nth_call, void* slot) const {
    const std::size_t count = names.named[number].items;
    auto* const of_batch = static_cast<typename Items::value_type*>(slot);
    return Items({of_batch + nth_call * count, count});
  }

  /// What the task looks back for at a place among its slots.
  template <class Previous>
  Previous previous_at(std::size_t number, const void* slot) const {
    const named_slot& read = names.named[number];
    if (now->progress < lag + read.since || read.dropped(now->progress - lag)) return {};
    return Previous(*static_cast<const typename Previous::value_type*>(slot));
  }
};

inline task_context context_of(const task_facts& facts) {
  const std::size_t progress = facts.now->progress;
  // relaxed: signals order it.
  const bool draining = progress > facts.batches->load(std::memory_order_relaxed);
  return {progress - facts.lag, progress,
          draining                                                        ? phase::drain
          : planner::filled(facts.max_lookahead, progress - *facts.first) ? phase::steady
                                                                          : phase::prefill,
          facts.task, facts.thread};
}

template <class Parameter>
using value_of = std::remove_const_t<std::remove_reference_t<Parameter>>;
template <class Type>
inline constexpr bool is_previous = false;
template <class Type>
inline constexpr bool is_previous<previous<Type>> = true;
template <class Type>
inline constexpr bool is_latest = false;
template <class Type>
inline constexpr bool is_latest<latest<Type>> = true;
template <class Type>
inline constexpr bool may_be_none = is_previous<Type> || is_latest<Type>;
template <class Type>
inline constexpr bool is_consumed = false;
template <class Type>
inline constexpr bool is_consumed<consumes<Type>> = true;
template <class Type>
inline constexpr bool is_produced = false;
template <class Type>
inline constexpr bool is_produced<produces<Type>> = true;
template <class Type>
inline constexpr bool are_items = is_consumed<Type> || is_produced<Type>;
/// The type of the slot that a parameter takes.
template <class Value>
struct taken_from {
  using type = Value;
};
template <class Type>
struct taken_from<previous<Type>> {
  using type = Type;
};
template <class Type>
struct taken_from<latest<Type>> {
  using type = Type;
};
template <class Type>
struct taken_from<consumes<Type>> {
  using type = Type;
};
template <class Type>
struct taken_from<produces<Type>> {
  using type = Type;
};
template <class Parameter>
using slot_of = typename taken_from<value_of<Parameter>>::type;
template <class Parameter>
inline constexpr bool writes_to =
    std::is_lvalue_reference_v<Parameter> && !std::is_const_v<std::remove_reference_t<Parameter>>;
/// Whether a parameter takes the value of a slot.
template <class Parameter>
inline constexpr bool takes_from =
    std::is_rvalue_reference_v<Parameter> && !std::is_const_v<std::remove_reference_t<Parameter>>;
/// Whether a parameter is no slot, but tells of the body's circumstances.
template <class Parameter>
inline constexpr bool takes_context =
    std::is_same_v<std::remove_cvref_t<Parameter>, task_context> ||
    asked_of_device<std::remove_cvref_t<Parameter>>::known ||
    asked_of_collectives<std::remove_cvref_t<Parameter>>::known;
/// Whether what a body gets first, if that is not void, tells of the batch.
template <class Context>
consteval bool tells_batch() {
  if constexpr (requires { asked_of_device<Context>::knows_batch; })
    return asked_of_device<Context>::knows_batch;
  else
    return !std::is_void_v<Context>;
}
template <class Parameter>
inline constexpr bool takes_access = std::is_same_v<std::remove_cvref_t<Parameter>, slot_access>;
/// The parameters that are slots.
template <class First, class... Parameter>
constexpr auto slots_among(pack<First, Parameter...>) {
  if constexpr (takes_context<First>)
    return pack<Parameter...>{};
  else
    return pack<First, Parameter...>{};
}
constexpr pack<> slots_among(pack<>) { return {}; }

/// The parameters of a callable whose call operator is neither a template nor overloaded.
template <class Function>
struct signature;
template <class Result, class... Parameter>
struct signature<Result (*)(Parameter...)> {
  using result = Result;
  using parameters = pack<Parameter...>;
  static constexpr bool is_const = true;
  static constexpr bool never_throws = false;
};
template <class Result, class... Parameter>
struct signature<Result (*)(Parameter...) noexcept> : signature<Result (*)(Parameter...)> {
  static constexpr bool never_throws = true;
};
template <class Function, class Result, class... Parameter>
struct signature<Result (Function::*)(Parameter...)> {
  using result = Result;
  using parameters = pack<Parameter...>;
  static constexpr bool is_const = false;
  static constexpr bool never_throws = false;
};
template <class Function, class Result, class... Parameter>
struct signature<Result (Function::*)(Parameter...) noexcept>
    : signature<Result (Function::*)(Parameter...)> {
  static constexpr bool never_throws = true;
};
template <class Function, class Result, class... Parameter>
struct signature<Result (Function::*)(Parameter...) const> {
  using result = Result;
  using parameters = pack<Parameter...>;
  static constexpr bool is_const = true;
  static constexpr bool never_throws = false;
};
template <class Function, class Result, class... Parameter>
struct signature<Result (Function::*)(Parameter...) const noexcept>
    : signature<Result (Function::*)(Parameter...) const> {
  static constexpr bool never_throws = true;
};

template <class Function>
auto signature_of() {
  if constexpr (std::is_pointer_v<Function>) {
    return signature<Function>{};
  } else {
    return signature<decltype(&Function::operator())>{};
  }
}

/// Whether a callable says by itself what it takes.
template <class Function>
concept tells_its_parameters =
    (std::is_pointer_v<Function> && std::is_function_v<std::remove_pointer_t<Function>>) ||
    requires { &Function::operator(); };

template <class Parameter>
decltype(auto) argument(void* slot) {
  if constexpr (writes_to<Parameter> || takes_from<Parameter>) {
    return static_cast<Parameter>(*static_cast<value_of<Parameter>*>(slot));
  } else {
    return static_cast<const value_of<Parameter>&>(*static_cast<value_of<Parameter>*>(slot));
  }
}

template <class Parameter>
decltype(auto) argument(const word* at, std::size_t place, [[maybe_unused]] std::size_t nth_call) {
  void* const slot = at[slots_begin + place].slot;
  if constexpr (are_items<value_of<Parameter>>) {
    return facts_of(at).template items_at<value_of<Parameter>>(place, nth_call, slot);
  } else if constexpr (may_be_none<value_of<Parameter>>) {
    return facts_of(at).template previous_at<value_of<Parameter>>(place, slot);
  } else {
    return argument<Parameter>(slot);
  }
}

template <class Function, class Given, std::size_t Index>
using call_at = typename declare::call_at<Function, Index, Given>::type;

/// Whether a callable gets at everything that it is given to write.
template <class Function, class Given>
consteval bool changes_what_it_writes() {
  return []<std::size_t... Index, class... Parameter>(std::index_sequence<Index...>,
                                                      pack<Parameter...>) {
    return ([] {
      if constexpr (writes_to<Parameter> && !takes_context<Parameter>) {
        return !call_at<Function, Given, Index>::template loses_changes<value_of<Parameter>>();
      } else {
        return true;
      }
    }() && ...);
  }(std::make_index_sequence<Given::size>{}, Given{});
}
/// Whether it takes the numbers that it reads as numbers that can hold them.
template <class Function, class Given>
consteval bool reads_without_loss() {
  return []<std::size_t... Index, class... Parameter>(std::index_sequence<Index...>,
                                                      pack<Parameter...>) {
    return ([] {
      if constexpr (!writes_to<Parameter>) {
        return !declare::narrows<call_at<Function, Given, Index>, value_of<Parameter>>();
      } else {
        return true;
      }
    }() && ...);
  }(std::make_index_sequence<Given::size>{}, Given{});
}

/// Whether what a body returns is nothing, its verdict, or the coroutine that it is.
template <class Result>
inline constexpr bool is_taken = std::is_void_v<Result> || std::is_same_v<Result, verdict> ||
                                 std::is_same_v<Result, suspendable>;
template <class Function, class... Given>
consteval bool returns_nothing_else(pack<Given...>) {
  return is_taken<std::invoke_result_t<Function&, Given...>>;
}

template <class Function, class... Given>
consteval bool returns_coroutine(pack<Given...>) {
  return std::is_same_v<std::invoke_result_t<Function&, Given...>, suspendable>;
}

/// What a body gets first that asks for a Context.
template <class Context>
Context first_argument(const task_facts& facts) {
  if constexpr (asked_of_collectives<Context>::known) {
    return asked_of_collectives<Context>::get([&] { return context_of(facts); }, facts.spot,
                                              facts.among);
  } else if constexpr (asked_of_device<Context>::known) {
    return asked_of_device<Context>::get([&] { return context_of(facts); }, facts.spot);
  } else {
    return context_of(facts);
  }
}

/// Calls an object of type F with slots of the types that the P ask for, and before them with a
/// Context, if that is not void. By a Caller, if that is not void.
template <class Function, class Caller, class Context, class... Parameter, std::size_t... Index>
[[gnu::always_inline]] inline decltype(auto) call_object(
    const word* at, std::index_sequence<Index...>, [[maybe_unused]] std::size_t nth_call = 0) {
  auto& f = object_of<Function>(at);
  if constexpr (std::is_void_v<Context>) {
    if constexpr (std::is_void_v<Caller>)
      return f(argument<Parameter>(at, Index, nth_call)...);
    else
      return Caller::call(f, argument<Parameter>(at, Index, nth_call)...);
  } else {
    auto context = first_argument<Context>(facts_of(at));
    if constexpr (std::is_void_v<Caller>)
      return f(context, argument<Parameter>(at, Index, nth_call)...);
    else
      return Caller::call_with_context(f, context, argument<Parameter>(at, Index, nth_call)...);
  }
}
/// Likewise an object that looks its slots up itself.
template <class Function, class Context>
[[gnu::always_inline]] inline decltype(auto) call_with_slots(const word* at) {
  const task_facts& facts = facts_of(at);
  auto& f = object_of<Function>(at);
  slot_access access(facts.names, at + slots_begin, facts.now->progress - facts.lag);
  if constexpr (std::is_void_v<Context>) {
    return f(access);
  } else {
    auto context = first_argument<Context>(facts);
    return f(context, access);
  }
}

/// Inside a handler of what a task threw: whether its batch is dropped for that.
[[gnu::cold, gnu::noinline]] inline bool drops_failure(const word* at) {
  const task_facts& facts = facts_of(at);
  return facts.verdicts != nullptr &&
         facts.verdicts->takes_failure(facts.node, facts.now->progress - facts.lag,
                                       std::current_exception());
}

/// Makes a call, and takes note of the verdict if it returns one, and of who threw.
template <class Call>
[[gnu::always_inline]] inline void call_and_note(const word* at, const Call& made) {
  try {
    if constexpr (std::is_same_v<decltype(made()), verdict>) {
      const task_facts& facts = facts_of(at);
      facts.verdicts->say(facts.node, facts.now->progress - facts.lag, made());
    } else {
      static_cast<void>(made());
    }
  } catch (...) {
    if (drops_failure(at)) return;
    facts_of(at).now->thrower = at;
    throw;
  }
}
template <class Function, class Caller, class Context, class... Parameter>
const word* call_with(const word* at) {
  if constexpr ((are_items<value_of<Parameter>> || ...)) {
    call_and_note(at, [at] {
      const std::size_t calls = facts_of(at).calls;
      for (std::size_t i = 0; i < calls; ++i)
        static_cast<void>(call_object<Function, Caller, Context, Parameter...>(
            at, std::index_sequence_for<Parameter...>{}, i));
    });
  } else {
    call_and_note(at, [at]() -> decltype(auto) {
      return call_object<Function, Caller, Context, Parameter...>(
          at, std::index_sequence_for<Parameter...>{});
    });
  }
  return go_on(at + slots_begin + sizeof...(Parameter));
}
template <class Function, class Context>
const word* call_with_access(const word* at) {
  call_and_note(at, [at]() -> decltype(auto) { return call_with_slots<Function, Context>(at); });
  return go_on(at + slots_begin + facts_of(at).names.named.size());
}

/// What a transfer does with the value of its slot: nothing on one rank alone.
enum class transfer_side { alone, sends, receives };
/// The callable of a transfer.
struct transfer_end {
  const runner::sent_value* how = nullptr;
};
template <transfer_side Side>
const word* make_transfer(const word* at) {
  call_and_note(at, [at] {
    [[maybe_unused]] const task_facts& facts = facts_of(at);
    [[maybe_unused]] const runner::sent_value& how = *object_of<transfer_end>(at).how;
    [[maybe_unused]] void* const value = at[slots_begin].slot;
    if constexpr (Side == transfer_side::sends) facts.transfers->send(facts.among, how, value);
    if constexpr (Side == transfer_side::receives)
      facts.transfers->receive(facts.among, how, value);
  });
  return go_on(at + slots_begin + 1);
}

/// Makes a coroutine and begins it; who began it (`Machine` of execute/machine.hpp) goes on.
template <class Function, class Caller, class Context, class... Parameter>
const word* begin_with(const word* at) {
  runner::suspended_call& told = *facts_of(at).now->told;
  auto made = told.made([at]() -> decltype(auto) {
    return call_object<Function, Caller, Context, Parameter...>(
        at, std::index_sequence_for<Parameter...>{});
  });
  std::move(made).begin(told);
  return nullptr;
}
template <class Function, class Caller, class Context, class... Parameter>
using returned_by = decltype(call_object<Function, Caller, Context, Parameter...>(
    nullptr, std::index_sequence_for<Parameter...>{}));
template <class Function, class Context>
using returned_by_name = decltype(call_with_slots<Function, Context>(nullptr));

/// Whether what a coroutine takes is there as long as it is; `Passed` are its slots.
template <class... Declared, class... Passed>
consteval bool outlive_their_call(pack<Declared...> declared, pack<Passed...> passed) {
  return declare::outlive_their_call<(sizeof...(Declared) > sizeof...(Passed))>(declared, passed);
}

}  // namespace detail

namespace shared {
template <class Caller, bool Shareable, class Context>
struct called_by;
struct transfer_body;
}  // namespace shared

/// What a task does: a callable of any type, its type forgotten. Takes what the task reads as
/// `const T&` (or `T`; as `T&&`, of what the task takes), then what it writes as `T&`, before them
/// a `task_context&` if it wants to; or, instead of the slots, a `slot_access&` to ask for them by
/// name. Where streams are on a device it may ask for its stream, such as a `cudaStream_t`, or the
/// device's context in place of the `task_context`; where the pipeline is given collectives, for
/// what contexts have of those, such as `mpi::in_context`, or for all, `context_of<no_device,
/// mpi::collectives>`. It may be a coroutine that returns `st::suspendable`.
///
/// Copying a body copies its callable; one that cannot be copied is shared by the copies.
class body {
 public:
  body() = default;

  /// Of a callable that says by itself what it takes: a function, or an object with one call
  /// operator that is no template.
  template <class Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, body> &&
             detail::tells_its_parameters<std::decay_t<Function>>)
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): `requires` sees to it
  body(Function&& callable) {
    using type = std::decay_t<Function>;
    using said = decltype(detail::signature_of<type>());
    static_assert(detail::is_taken<typename said::result>,
                  "the callable returns a value, which nobody takes: write it to a slot, or return "
                  "nothing, or a verdict");
    if constexpr (std::is_same_v<typename said::result, suspendable>)
      check_coroutine<typename said::parameters>(detail::slots_among(typename said::parameters{}));
    take<type>(std::forward<Function>(callable), typename said::parameters{});
    shareable_ = said::is_const;         // NOLINT(cppcoreguidelines-prefer-member-initializer)
    never_throws_ = said::never_throws;  // NOLINT(cppcoreguidelines-prefer-member-initializer)
    drop_if_empty<type>();
  }

  /// Of any callable, with the parameters given: `body::with<const In&, Out&>(f)`.
  template <class... Parameter, class Function>
  static body with(Function&& callable) {
    return with_context<task_context, Parameter...>(std::forward<Function>(callable));
  }
  /// Of any callable, with the parameters given, before them a `Context` if it cannot be called
  /// without.
  template <class Context, class... Parameter, class Function>
  static body with_context(Function&& callable) {
    using type = std::decay_t<Function>;
    body made;
    constexpr bool asks = !std::is_invocable_v<type&, Parameter...> &&
                          std::is_invocable_v<type&, Context&, Parameter...>;
    static_assert(asks || std::is_invocable_v<type&, Parameter...>,
                  "the callable does not take these parameters");
    using given = std::conditional_t<asks, pack<Context&, Parameter...>, pack<Parameter...>>;
    static_assert(detail::changes_what_it_writes<type, given>(),
                  "the callable takes by value or as const what it is to write: take it as T&");
    static_assert(detail::reads_without_loss<type, given>(),
                  "the callable takes a number that it reads as one that cannot hold all its "
                  "values: take it as what it is");
    static_assert(detail::returns_nothing_else<type>(given{}),
                  "the callable returns a value, which nobody takes: write it to a slot, or return "
                  "nothing, or a verdict");
    if constexpr (detail::returns_coroutine<type>(given{})) {
      static_assert(detail::tells_its_parameters<type>,
                    "the callable is a coroutine by a call operator that is overloaded or a "
                    "template, so that nobody knows what it refers to: let it have one call "
                    "operator, no template");
      if constexpr (detail::tells_its_parameters<type>)
        check_coroutine<typename decltype(detail::signature_of<type>())::parameters>(
            pack<Parameter...>{});
    }
    made.template hold<type>(std::forward<Function>(callable));
    made.template call_slots<type, void, std::conditional_t<asks, Context, void>, Parameter...>();
    if constexpr (asks) {
      made.shareable_ = std::is_invocable_v<const type&, Context&, Parameter...>;
      made.never_throws_ = std::is_nothrow_invocable_v<type&, Context&, Parameter...>;
    } else {
      made.shareable_ = std::is_invocable_v<const type&, Parameter...>;
      made.never_throws_ = std::is_nothrow_invocable_v<type&, Parameter...>;
    }
    made.template drop_if_empty<type>();
    return made;
  }

  explicit operator bool() const { return call_ != nullptr; }

  /// What the callable takes, reads and writes in its own order; nothing if it asks by name.
  const std::vector<parameter>& parameters() const { return parameters_; }
  bool asks_by_name() const { return asks_by_name_; }
  /// Whether several workers may call it at once: its call operator is const.
  bool shareable() const { return shareable_; }
  /// Whether its call operator is noexcept: what it threw would end the program.
  bool never_throws() const { return never_throws_; }
  /// Whether it may drop batches: its call operator returns a verdict.
  bool drops() const { return drops_; }
  /// Whether it is a coroutine: its call operator returns a `suspendable`
  /// (`<stretto/suspend.hpp>`).
  bool suspends() const { return suspends_; }
  /// The driver of the device whose stream or context it asks for, as the compiler spells it;
  /// empty: it asks for neither.
  std::string_view asks_device() const { return asks_device_; }
  /// What the handle refers to that it asks for, as the device knows it; null: it asks for none.
  const void* asked_kept() const { return asked_kept_; }
  /// Which type that driver is.
  const type_identity& asked_driver() const { return asked_driver_; }
  /// Whether it may ask for its batch: what it does may then be another thing for each.
  bool knows_batch() const { return knows_batch_; }
  /// What it asks for of collectives, as the compiler spells it; empty: nothing.
  std::string_view asks_collectives() const { return asks_collectives_; }
  /// Which type that is.
  const type_identity& asked_context() const { return asked_context_; }

  /// How it sends values, if it is a transfer's; else null.
  const runner::sent_value* sent() const {
    const auto* const end = target<detail::transfer_end>();
    return end == nullptr ? nullptr : end->how;
  }

  /// Of which type the callable is.
  const type_identity& callable() const { return type_; }
  /// The callable, if it is of type F; else null.
  template <class Function>
  Function* target() const {
    return type_ == type_identity::of<Function>() ? static_cast<Function*>(object_.get()) : nullptr;
  }

  detail::call call() const { return call_; }
  void* object() const { return object_.get(); }

 private:
  template <class Caller, bool Shareable, class Context>
  friend struct shared::called_by;
  friend shared::transfer_body;

  template <class Function, class Given>
  void hold(Given&& callable) {
    object_ = detail::any_callable(std::type_identity<Function>(), std::forward<Given>(callable));
    type_ = type_identity::of<Function>();
  }

  /// A function that is not there is no body.
  template <class Function>
  void drop_if_empty() {
    if constexpr (std::is_pointer_v<Function> || declare::may_be_empty<Function>) {
      if (*target<Function>() == nullptr) call_ = nullptr;
    }
  }

  /// A compile error if a coroutine takes what may be gone when it is resumed.
  template <class Declared, class... Parameter>
  static consteval void check_coroutine(pack<Parameter...> passed) {
    static_assert(((!detail::may_be_none<detail::value_of<Parameter>> &&
                    !detail::are_items<detail::value_of<Parameter>>)&&...),
                  "a task that is a coroutine uses slots of its own batch only, whose copies stay "
                  "what they are while it is suspended: let a task in front of it look back");
    static_assert(detail::outlive_their_call(Declared{}, passed),
                  "a task that is a coroutine takes its context by value, and its slots by value "
                  "or as what they are: another reference is to what is gone when it is resumed");
  }

  template <class Context>
  void ask() {
    knows_batch_ = detail::tells_batch<Context>();
    if constexpr (asked_of_device<Context>::known) {
      using driver = typename asked_of_device<Context>::driver;
      asks_device_ = declare::qualified_name<driver>();
      asked_driver_ = type_identity::of<driver>();
      if constexpr (requires { asked_of_device<Context>::kept; })
        asked_kept_ = asked_of_device<Context>::kept;
    }
    if constexpr (asked_of_collectives<Context>::known) {
      using in_context = typename asked_of_collectives<Context>::in_context;
      asks_collectives_ = declare::qualified_name<in_context>();
      asked_context_ = type_identity::of<in_context>();
    }
  }
  template <class Function, class Caller, class Context, class... Parameter>
  void call_slots() {
    constexpr bool are_values = (slot_value<detail::slot_of<Parameter>> && ...);
    static_assert(
        are_values,
        "a slot's type is default-constructible (or made of a place on a device), no const and no "
        "array: its copies outlive batches; hold an array in a std::array");
    // Names, because Clang shows the condition.
    constexpr bool earlier_by_value =
        (((!detail::may_be_none<detail::value_of<Parameter>> &&
           !detail::are_items<detail::value_of<Parameter>>) ||
          !(detail::writes_to<Parameter> || detail::takes_from<Parameter>)) &&
         ...);
    static_assert(earlier_by_value,
                  "what an earlier batch left can only be read, and items are referred to: take "
                  "`previous<T>`, `latest<T>`, `consumes<T>` and `produces<T>` by value");
    ask<Context>();
    if constexpr (are_values && earlier_by_value) {
      parameters_ = {parameter{
          &type_of<detail::slot_of<Parameter>>(),
          detail::writes_to<Parameter> || detail::is_produced<detail::value_of<Parameter>>,
          detail::is_previous<detail::value_of<Parameter>>, detail::takes_from<Parameter>,
          detail::is_latest<detail::value_of<Parameter>>,
          detail::are_items<detail::value_of<Parameter>>}...};
      using returned = detail::returned_by<Function, Caller, Context, Parameter...>;
      if constexpr (std::is_same_v<returned, suspendable>) {
        call_ = &detail::begin_with<Function, Caller, Context, Parameter...>;
        suspends_ = true;
      } else {
        call_ = &detail::call_with<Function, Caller, Context, Parameter...>;
        drops_ = std::is_same_v<returned, verdict>;
      }
    }
  }

  template <class Function, class Given, class First, class... Parameter>
  void take(Given&& callable, pack<First, Parameter...>) {
    hold<Function>(std::forward<Given>(callable));
    if constexpr (!detail::takes_context<First>) {
      take_slots<Function, void, First, Parameter...>();
    } else {
      take_slots<Function, std::remove_cvref_t<First>, Parameter...>();
    }
  }
  template <class Function, class Given>
  void take(Given&& callable, pack<>) {
    hold<Function>(std::forward<Given>(callable));
    take_slots<Function, void>();
  }
  template <class Function, class Context, class... Parameter>
  void take_slots() {
    if constexpr (sizeof...(Parameter) == 1 && (detail::takes_access<Parameter> && ...)) {
      asks_by_name_ = true;
      ask<Context>();
      using returned = detail::returned_by_name<Function, Context>;
      static_assert(!std::is_same_v<returned, suspendable>,
                    "the callable is a coroutine that asks for its slots by name, which it can "
                    "only while it is called: let it take them as parameters");
      if constexpr (!std::is_same_v<returned, suspendable>) {
        call_ = &detail::call_with_access<Function, Context>;
        drops_ = std::is_same_v<returned, verdict>;
      }
    } else {
      call_slots<Function, void, Context, Parameter...>();
    }
  }

  detail::any_callable object_;
  type_identity type_;
  detail::call call_ = nullptr;
  std::vector<parameter> parameters_;
  std::string_view asks_device_;
  type_identity asked_driver_;
  std::string_view asks_collectives_;
  type_identity asked_context_;
  const void* asked_kept_ = nullptr;
  bool asks_by_name_ = false;
  bool knows_batch_ = false;
  bool shareable_ = false;
  bool never_throws_ = false;
  bool drops_ = false;
  bool suspends_ = false;
};

namespace shared {

/// Makes bodies whose callable is called by a `Caller`: with the parameters by its `call`, with a
/// Context before them, if that is not void, by its `call_with_context`.
template <class Caller, bool Shareable, class Context>
struct called_by {
  template <class... Parameter, class Function>
  static body make(Function&& callable) {
    using type = std::decay_t<Function>;
    body made;
    made.template hold<type>(std::forward<Function>(callable));
    made.template call_slots<type, Caller, Context, Parameter...>();
    made.template drop_if_empty<type>();
    made.shareable_ = Shareable;
    return made;
  }
};

/// Makes bodies of transfers.
struct transfer_body {
  static body make(const slot_type& type, const runner::sent_value& how) {
    body made;
    made.hold<detail::transfer_end>(detail::transfer_end{&how});
    made.parameters_ = {parameter{.type = &type, .writes = true}};
    made.shareable_ = true;
    made.call_ = &detail::make_transfer<detail::transfer_side::alone>;
    return made;
  }
  /// That of a rank which sends, and of one which receives.
  static body at_sender(body whole) {
    for (parameter& p : whole.parameters_) p.writes = false;
    whole.call_ = &detail::make_transfer<detail::transfer_side::sends>;
    return whole;
  }
  static body at_receiver(body whole) {
    whole.call_ = &detail::make_transfer<detail::transfer_side::receives>;
    return whole;
  }
  /// What a plan needs to know of a body that is called elsewhere: all but its callable.
  static body elsewhere(const body& called) {
    body known;
    known.parameters_ = called.parameters_;
    known.asks_by_name_ = called.asks_by_name_;
    known.never_throws_ = called.never_throws_;
    known.drops_ = called.drops_;
    return known;
  }
};

}  // namespace shared

}  // namespace stretto::dynamic
