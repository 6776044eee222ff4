// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/thread.hpp>
#include <type_traits>
#include <utility>

namespace stretto {

namespace declare {

/// The types of a pack that are none of others.
template <class Pack, class... Other>
struct others_of;
template <class... Type, class... Other>
struct others_of<pack<Type...>, Other...> {
  static constexpr std::array<bool, sizeof...(Type)> kept{!one_of<Type, Other...>...};
  static constexpr std::size_t count = [] {
    std::size_t found = 0;
    for (const bool k : kept) found += k ? 1U : 0U;
    return found;
  }();
  static constexpr auto places = [] {
    std::array<std::size_t, count> result{};
    [[maybe_unused]] std::size_t place = 0;
    [[maybe_unused]] std::size_t next = 0;
    for (const bool k : kept) {
      if (k) result[next++] = place;
      ++place;
    }
    return result;
  }();
  template <std::size_t... Index>
  static auto pick(std::index_sequence<Index...>) -> pack<nth<places[Index], pack<Type...>>...>;
  using type = decltype(pick(std::make_index_sequence<count>{}));
};

/// Part of a schedule from which tasks were left out. `Strangers`: those that it did not have.
template <class Strangers, class... Task>
struct left_out {
  using stretto_tag = tag::left_out;
  using strangers = Strangers;
  using tasks = pack<Task...>;
};

namespace detail {

/// What is left of a part of which nothing is left.
struct nothing {};

/// (Derived: nvcc does not deduce string arguments.)
template <class Group, class... Out>
struct smaller_group : Group {
  using tasks = typename others_of<typename Group::tasks, Out...>::type;
};
template <class Entry, class... Out>
consteval auto map_entry_without() {
  if constexpr (requires { typename Entry::tasks; }) {
    using smaller = smaller_group<Entry, Out...>;
    if constexpr (smaller::tasks::size == Entry::tasks::size) {
      return Entry{};
    } else if constexpr (smaller::tasks::size == 0) {
      return nothing{};
    } else {
      return smaller{};
    }
  } else {
    return Entry{};
  }
}

/// A part that lists the types of a pack.
template <template <class...> class Part, class Pack>
struct part_of;
template <template <class...> class Part, class... Type>
struct part_of<Part, pack<Type...>> {
  using type = std::conditional_t<sizeof...(Type) == 0, nothing, Part<Type...>>;
};

template <class Part, class... Out>
struct part_without {
  using type = Part;
};
template <class Task, class... Placement, class... Out>
struct part_without<place<Task, Placement...>, Out...> {
  using type = std::conditional_t<one_of<Task, Out...>, nothing, place<Task, Placement...>>;
};
template <class... Ordered, class... Out>
struct part_without<order<Ordered...>, Out...>
    : part_of<order, typename others_of<pack<Ordered...>, Out...>::type> {};
template <class... Entry, class... Out>
struct part_without<threads<Entry...>, Out...>
    : part_of<threads, typename others_of<pack<decltype(map_entry_without<Entry, Out...>())...>,
                                          nothing>::type> {};

template <class Parts, class... Out>
struct parts_without;
template <class... Part, class... Out>
struct parts_without<pack<Part...>, Out...> {
  using strangers = typename others_of<pack<Out...>, Part...>::type;
  using type =
      typename joined<pack<left_out<strangers, Out...>>,
                      typename others_of<pack<typename part_without<Part, Out...>::type...>,
                                         nothing, Out...>::type>::type;
};

}  // namespace detail
}  // namespace declare

/// A schedule without some of its tasks: what evaluates is what trains, without the backward pass
/// and the optimizer. What else it says stays, and is checked and planned for the tasks that are
/// left: `depends_on` and its like, `order`, `place` and `group` name those that were left out in
/// vain.
///
/// An error if one of `Tasks` is no task of the schedule, or none is named, and whatever rules
/// find: that a task reads what nobody writes any more, that a result is missing, which
/// `replan<without<...>, result<...>>` says anew, that a queue or workers are for a thread group
/// without tasks.
template <class Schedule, class... Tasks>
struct without {
  using parts = typename declare::detail::parts_without<typename Schedule::parts, Tasks...>::type;
};

}  // namespace stretto
