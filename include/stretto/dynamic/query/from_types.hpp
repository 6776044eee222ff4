// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <stretto/declare/context.hpp>
#include <stretto/declare/history.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/role.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/dynamic/query/outline.hpp>
#include <stretto/dynamic/query/told_apart.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/dynamic/values/transfer.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/rules/roles.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/static/errors/body.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <stretto/static/execute/coroutine_parameters.hpp>
#include <stretto/static/execute/runnable.hpp>
#include <stretto/static/execute/task_arguments.hpp>
#include <stretto/static/query/communicators.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto::dynamic {

namespace detail {

/// Calls a task that says by its parameters which slots it takes, with what it reads and then what
/// it writes.
template <class Task, class Accesses, class Slots, class Parameters>
struct by_name;
template <class Task, class... Access, class... Slot, class... Parameter>
struct by_name<Task, pack<Access...>, pack<Slot...>, pack<Parameter...>> {
  static auto call(Task& object, Parameter... value) {
    const given all{static_cast<Parameter&&>(value)...};
    return object(Access(std::get<place_of<typename Access::slot>>(all))...);
  }
  template <class Context>
  static auto call_with_context(Task& object, Context& context, Parameter... value) {
    const given all{static_cast<Parameter&&>(value)...};
    return object(context, Access(std::get<place_of<typename Access::slot>>(all))...);
  }

 private:
  using given = std::tuple<Parameter...>;
  template <class Wanted>
  static constexpr std::size_t place_of = [] {
    std::size_t place = 0;
    for (const bool found : {std::is_same_v<Slot, Wanted>...}) {
      if (found) break;
      ++place;
    }
    return place;
  }();
};

template <class Type, std::size_t>
using repeated = Type;
template <class... First, class... Second>
auto operator+(pack<First...>, pack<Second...>) -> pack<First..., Second...>;

/// Calls a task that looks back: with what it reads of each batch, and then what it writes.
template <class Task>
class looking_back {
  using entries = typename typed::task_fields<Task>::read_entries;
  using writes = typename typed::task_fields<Task>::given_writes;

  template <class Value, std::size_t... Batch>
  static auto for_past(std::index_sequence<Batch...>) -> pack<repeated<previous<Value>, Batch>...>;

  /// How many values of one slot an entry of `reads` is, and as what they come.
  template <class Entry>
  struct values_of {
    static constexpr std::size_t count = 1;
    using type = pack<typed::read_parameter<Entry>>;
  };
  template <class Slot, auto Batches>
  struct values_of<stretto::previous<Slot, Batches>> {
    static constexpr std::size_t count = 1;
    using type = pack<previous<typename Slot::value_type>>;
  };
  template <class Slot, auto Batches>
  struct values_of<stretto::latest<Slot, Batches>> {
    static constexpr std::size_t count = 1;
    using type = pack<latest<typename Slot::value_type>>;
  };
  template <class Slot, auto Items>
  struct values_of<stretto::consumes<Slot, Items>> {
    static constexpr std::size_t count = 1;
    using type = pack<consumes<typename stretto::consumes<Slot, Items>::value_type>>;
  };
  template <class Slot, auto Batches>
  struct values_of<window<Slot, Batches>> {
    static constexpr std::size_t count = std::size_t{Batches};
    using type = typename declare::joined<pack<const typename Slot::value_type&>,
                                          decltype(for_past<typename Slot::value_type>(
                                              std::make_index_sequence<count - 1>{}))>::type;
  };

  /// Where what was read or written of a slot begins.
  template <class Slot, class... Entry, class... Write>
  static constexpr std::size_t place_among(pack<Entry...>, pack<Write...>) {
    std::size_t place = 0;
    bool found = false;
    ((found = found || std::is_same_v<Slot, typed::named_by<Entry>>,
      place += found ? 0 : values_of<Entry>::count),
     ...);
    ((found = found || std::is_same_v<Slot, Write>, place += found ? 0 : 1), ...);
    return place;
  }
  template <class Slot>
  static constexpr std::size_t place_of = place_among<Slot>(entries{}, writes{});

  template <class Slot>
  struct given {
    template <class All>
    static auto& from(const All& all) {
      return std::get<place_of<Slot>>(all);
    }
  };
  template <class Slot, auto Batches>
  struct given<declare::past<stretto::previous<Slot, Batches>>> {
    using type = stretto::previous<Slot, Batches>;
    template <class All>
    static type from(const All& all) {
      const auto& value = std::get<place_of<declare::past<type>>>(all);
      return value ? type(*value) : type();
    }
  };
  template <class Slot, auto Batches>
  struct given<declare::past<stretto::latest<Slot, Batches>>> {
    using type = stretto::latest<Slot, Batches>;
    template <class All>
    static type from(const All& all) {
      const auto& value = std::get<place_of<declare::past<type>>>(all);
      return value ? type(*value) : type();
    }
  };
  template <class Entry>
  struct given_items {
    template <class All>
    static Entry from(const All& all) {
      return Entry(std::get<place_of<declare::past<Entry>>>(all).data());
    }
  };
  template <class Slot, auto Items>
  struct given<declare::past<stretto::consumes<Slot, Items>>>
      : given_items<stretto::consumes<Slot, Items>> {};
  template <class Slot, auto Items>
  struct given<declare::past<stretto::produces<Slot, Items>>>
      : given_items<stretto::produces<Slot, Items>> {};
  template <class Slot, auto Batches>
  struct given<declare::past<window<Slot, Batches>>> {
    using type = window<Slot, Batches>;
    using value_type = typename Slot::value_type;
    static const value_type* address(const value_type& value) { return &value; }
    static const value_type* address(const previous<value_type>& value) {
      return value ? &*value : nullptr;
    }
    template <class All>
    static type from(const All& all) {
      return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        const value_type* const values[] = {
            address(std::get<place_of<declare::past<type>> + Index>(all))...};
        std::size_t size = 1;
        while (size < sizeof...(Index) && values[size] != nullptr) ++size;
        return type::of(size, [next = &values[0]]() mutable { return *next++; });
      }(std::make_index_sequence<std::size_t{Batches}>{});
    }
  };

  /// As what a value that is written comes.
  template <class Slot>
  struct written_as {
    using type = typename Slot::value_type&;
  };
  template <class Slot, auto Items>
  struct written_as<declare::past<stretto::produces<Slot, Items>>> {
    using type = produces<typename stretto::produces<Slot, Items>::value_type>;
  };

  template <class... Entry>
  static auto parameters_of(pack<Entry...>)
      -> decltype((pack<>{} + ... + typename values_of<Entry>::type{}));

 public:
  /// What the body of a value takes.
  template <class... Write>
  static auto parameters(pack<Write...>) ->
      typename declare::joined<decltype(parameters_of(entries{})),
                               pack<typename written_as<Write>::type...>>::type;

  template <class... Given>
  static auto call(Task& object, Given&&... values) {
    return with_values(std::forward_as_tuple(values...), typename typed::body<Task>::slot_list{},
                       typename typed::body<Task>::parameters{}, [&](auto&&... argument) {
                         return object(static_cast<decltype(argument)>(argument)...);
                       });
  }
  template <class Context, class... Given>
  static auto call_with_context(Task& object, Context& context, Given&&... values) {
    return with_values(std::forward_as_tuple(values...),
                       typename typed::body<Task, Context>::slot_list{},
                       typename typed::body<Task, Context>::parameters{}, [&](auto&&... argument) {
                         return object(context, static_cast<decltype(argument)>(argument)...);
                       });
  }

 private:
  template <class All, class... Slot, class... Parameter, class Body>
  static auto with_values(const All& all, pack<Slot...>, pack<Parameter...>, Body called) {
    return called(static_cast<Parameter>(given<Slot>::from(all))...);
  }
};

template <class Caller, class Context, bool Shareable, class... Parameter, class Task>
body called_with(pack<Parameter...>, Task&& object) {
  return shared::called_by<Caller, Shareable, Context>::template make<Parameter...>(
      std::forward<Task>(object));
}

template <class Context, class... Parameter, class Task>
body body_of(pack<Parameter...>, Task&& object) {
  using type = std::remove_cvref_t<Task>;
  using called = typed::body<type, Context>;
  if constexpr (typed::may_suspend<type>)
    typed::check_coroutine<type, Context>(typename called::parameters{});
  if constexpr (called::looks_back) {
    using caller = looking_back<type>;
    return called_with<caller, std::conditional_t<called::wants_context, Context, void>,
                       called::callable_as_const(typename called::parameters{})>(
        decltype(caller::parameters(typename called::writes{})){}, std::forward<Task>(object));
  } else if constexpr (called::by_parameters) {
    using slot_list =
        typename declare::joined<typename called::reads, typename called::writes>::type;
    using caller = by_name<type, typed::accesses<type>, slot_list, pack<Parameter...>>;
    return shared::called_by<caller, called::callable_as_const(typename called::parameters{}),
                             std::conditional_t<called::wants_context, Context, void>>::
        template make<Parameter...>(std::forward<Task>(object));
  } else {
    return body::with_context<Context, Parameter...>(std::forward<Task>(object));
  }
}

/// The first of two contexts that is enough for a task's body, or the last.
template <class Task, class Enough, class Context>
using enough_for = std::conditional_t<typed::body<Task, Enough>::ok, Enough, Context>;

/// What a task's body may ask for: what the device has for those that are on its streams, and what
/// collectives have for those that are one; a host task is content with less, if it can be.
template <class Schedule, class Device, class Collectives, std::size_t Node, class Task>
consteval auto context_to_ask_for() {
  constexpr bool on_stream = typed::declared<Schedule>::on_streams()[Node];
  using all = stretto::context_of<Device, Collectives>;
  if constexpr (Collectives::submits && typed::own<typed::scalar::collective, Task>) {
    if constexpr (on_stream) {
      return std::type_identity<all>{};
    } else {
      return std::type_identity<
          enough_for<Task, stretto::context_of<no_device, Collectives>, all>>{};
    }
  } else if constexpr (on_stream) {
    return std::type_identity<
        enough_for<Task, typename Device::template least_context_for<Task>, all>>{};
  } else {
    return std::type_identity<enough_for<
        Task, task_context, enough_for<Task, typename Device::template context_for<Task>, all>>>{};
  }
}
template <class Schedule, class Device, class Collectives, std::size_t Node, class Task>
using context_for =
    typename decltype(context_to_ask_for<Schedule, Device, Collectives, Node, Task>())::type;

/// The body of a task of a schedule of types.
template <class Context, class Task, class Object>
body body_of_task(Object&& object) {
  if constexpr (declare::is_transfer<Task>) {
    return sent<typename Task::slot_sent::value_type>();
  } else {
    return body_of<Context>(typename typed::body<Task, Context>::plain_parameters{},
                            std::forward<Object>(object));
  }
}

template <class... Slot>
void add_types([[maybe_unused]] schedule& s, [[maybe_unused]] const outliner& names,
               pack<Slot...>) {
  [[maybe_unused]] const auto add = [&](const name& slot, const slot_type& type) {
    const std::string called = names.slot(slot);
    for (const typed_slot& known : s.types)
      if (known.slot == called) return;
    s.types.push_back({called, &type});
  };
  (add(name_of<Slot>, type_of<typename Slot::value_type>()), ...);
}

}  // namespace detail

namespace detail {

/// What one rank runs is made of the schedule of all ranks, which it compares.
template <class Schedule>
struct outlined_projection {
  static auto named() -> pack<invalid::a_projection_has_no_runtime_version<Schedule>>;
  static constexpr errors::words text() {
    return errors::shown<Schedule>() +
           " is what one rank of several runs; make a value of the schedule of all ranks, and "
           "project that by `stretto::dynamic::projection`";
  }
};

/// Why there is no outline, or `no_error`.
template <class Schedule>
consteval auto outline_diagnostic() {
  if constexpr (typed::well_formed<Schedule>) {
    if constexpr (typed::declared<Schedule>::has_part(declare::mark<tag::projected>)) {
      return outlined_projection<Schedule>{};
    } else {
      return names_diagnostic<Schedule>();
    }
  } else {
    return typed::shape_diagnostic<Schedule>();
  }
}

template <class Schedule>
schedule outlined() {
  static_cast<void>(errors::emit_error<decltype(detail::outline_diagnostic<Schedule>())>::value);
  using from = typed::declared<Schedule>;
  const detail::outliner names(from::value);
  schedule s = names.outline();
  s.name = name_of<Schedule>.text;
  [&]<class... Task>(pack<Task...>) {
    (detail::add_types(s, names, typename typed::task_fields<Task>::reads{}), ...);
    (detail::add_types(s, names, typename typed::task_fields<Task>::writes{}), ...);
  }(typename from::tasks{});
  if constexpr (from::has_source)
    detail::add_types(s, names, pack<typename from::source_part::slot>{});
  return s;
}

}  // namespace detail

/// A schedule of types as a value, with the types of its slots but without bodies: to be planned,
/// saved, drawn. What `place`, `serial`, `threads` and the like say is applied. Of a schedule that
/// breaks rules too: `diagnose` finds the same. A compile error if two of its slots, or resources,
/// have one name and are spelled alike.
template <class Schedule>
schedule outline() {
  static_assert(
      !planner::has_coroutines(typed::declared<Schedule>::value),
      "a task of this schedule is a coroutine, which a schedule that is a value learns of "
      "its body, and an outline has none: use from_types");
  return detail::outlined<Schedule>();
}

namespace detail {

template <class Schedule, class Device, class Collectives, class... Object>
schedule with_bodies(Object&&... objects) {
  using tasks = typename typed::declared<Schedule>::tasks;
  using settings =
      typename declare::joined<typename Device::settings, typename Collectives::settings>::type;
  constexpr bool projected = [] {
    if constexpr (typed::well_formed<Schedule>) {
      return planner::has_roles(typed::declared<Schedule>::bare);
    } else {
      return false;
    }
  }();
  using diagnostic = decltype(typed::run_diagnostic<Schedule, Device, Collectives, projected>());
  using objects_diagnostic =
      decltype(typed::objects_diagnostic<Schedule, settings>(tasks{}, pack<Object...>{}));
  static_cast<void>(errors::emit_error<diagnostic>::value);
  static_cast<void>(errors::emit_error<objects_diagnostic>::value);
  static_assert(!Collectives::submits || typed::has_one_communicator_each<Schedule>,
                "a collective task of a schedule that is a value is among the ranks of one "
                "communicator: name the others in tasks of their own");
  schedule s = outlined<Schedule>();
  typed::task_maker<Object&&...> maker{std::forward_as_tuple(std::forward<Object>(objects)...)};
  [&]<class... Task, std::size_t... Index>(pack<Task...>, std::index_sequence<Index...>) {
    ((s.tasks[Index].body =
          body_of_task<context_for<Schedule, Device, Collectives, Index, Task>, Task>(
              maker.template make<Task>())),
     ...);
  }(tasks{}, std::make_index_sequence<tasks::size>{});
  return s;
}

}  // namespace detail

/// A schedule of types as a value, with the bodies of its tasks: \p objects, passed as to
/// `stretto::pipeline`, and the others default-constructed. A schedule that cannot be run is a
/// compile error.
template <class Schedule, class... Object>
schedule from_types(Object&&... objects) {
  return detail::with_bodies<Schedule, no_device, no_collectives>(std::forward<Object>(objects)...);
}
/// A schedule of types as a value, with bodies for a device that its streams are on:
/// `from_types<training, on_cuda>()`.
template <class Schedule, class Device, class... Object>
  requires std::same_as<typename Device::stretto_tag, tag::device>
schedule from_types(Object&&... objects) {
  return detail::with_bodies<Schedule, Device, no_collectives>(std::forward<Object>(objects)...);
}
/// A schedule of types as a value, with bodies for collectives that the pipeline is given:
/// `from_types<training, mpi::collectives>()`.
template <class Schedule, class Collectives, class... Object>
  requires std::same_as<typename Collectives::stretto_tag, tag::collectives>
schedule from_types(Object&&... objects) {
  return detail::with_bodies<Schedule, no_device, Collectives>(std::forward<Object>(objects)...);
}
/// A schedule of types as a value, with bodies for both: `from_types<training, on_cuda,
/// nccl::collectives>()`.
template <class Schedule, class Device, class Collectives, class... Object>
  requires std::same_as<typename Device::stretto_tag, tag::device> &&
           std::same_as<typename Collectives::stretto_tag, tag::collectives>
schedule from_types(Object&&... objects) {
  return detail::with_bodies<Schedule, Device, Collectives>(std::forward<Object>(objects)...);
}

}  // namespace stretto::dynamic
