// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/thread.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/errors/placements.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <type_traits>

/// Entries of a thread map that would give no task its thread.
namespace stretto::typed::detail {

/// A task as a thread map names it.
struct map_member {
  const name* task;
  bool threaded;  ///< its type names a thread
};
template <class... Task>
inline constexpr map_member map_members[] = {{&name_of<Task>, !own_thread<Task>().empty()}...};

/// An entry of a thread map: a group, something that gives every task a thread, something that
/// leaves tasks to the other entries, a function, or no such thing.
enum class map_entry_kind { group, all, rest, function, none };
struct map_entry {
  map_entry_kind what;
  planner::view<map_member> members;
};
template <class... Task>
consteval planner::view<map_member> members_of(pack<Task...>) {
  if constexpr (sizeof...(Task) == 0) {
    return {};
  } else {
    return map_members<Task...>;
  }
}
template <class Map>
consteval map_entry map_entry_of() {
  if constexpr (!declare::part_is<Map, tag::thread_map_entry>()) {
    return {map_entry_kind::none, {}};
  } else if constexpr (requires { typename Map::tasks; }) {
    return {map_entry_kind::group, members_of(typename Map::tasks{})};
  } else if constexpr (std::is_same_v<Map, per_task> || std::is_same_v<Map, on_caller>) {
    return {map_entry_kind::all, {}};
  } else if constexpr (std::is_same_v<Map, by_stream> || is_generated<Map>) {
    return {map_entry_kind::rest, {}};
  } else {
    return {map_entry_kind::function, {}};
  }
}

enum class map_slip_kind { none, odd, unused, empty, repeated, threaded };
struct map_slip {
  map_slip_kind what = map_slip_kind::none;
  std::size_t entry = 0;
  std::size_t member = 0;
};
/// \p placed: tasks to which a `place` gives a thread that no replan of the map overrides.
constexpr map_slip slip_among(planner::view<map_entry> entries, planner::view<const name*> placed) {
  std::size_t members = 0;
  for (const map_entry& e : entries) members += e.members.size();
  planner::name_index tasks(members + placed.size());
  for (const name* const p : placed) tasks.number(*p);
  planner::list<bool> taken(members + placed.size(), false);
  const std::size_t given = tasks.names().size();
  bool all = false;
  bool rest = false;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const map_entry& entry = entries[e];
    if (entry.what == map_entry_kind::none) return {map_slip_kind::odd, e};
    const bool general = entry.what == map_entry_kind::all || entry.what == map_entry_kind::rest;
    if (all || (general && rest)) return {map_slip_kind::unused, e};
    all = entry.what == map_entry_kind::all;
    rest = rest || general;
    if (entry.what == map_entry_kind::group && entry.members.empty())
      return {map_slip_kind::empty, e};
    for (std::size_t m = 0; m < entry.members.size(); ++m) {
      const std::size_t task = tasks.number(*entry.members[m].task);
      if (entry.members[m].threaded || task < given) return {map_slip_kind::threaded, e, m};
      if (taken[task]) return {map_slip_kind::repeated, e, m};
      taken[task] = true;
    }
  }
  return {};
}

template <class Entry>
struct odd_map_entry {
  static auto named() -> pack<invalid::an_entry_of_a_thread_map_is_none<Entry>>;
  static constexpr errors::words text() {
    return errors::shown<Entry>() +
           " gives no task its thread: a thread map is made of `by_stream`, `per_task`, "
           "`on_caller`, `group<\"name\", tasks...>`, `chosen_by<function>` and `generated<N>`";
  }
};
template <class Entry>
struct unused_map_entry {
  static auto named() -> pack<invalid::an_entry_of_a_thread_map_is_not_used<Entry>>;
  static constexpr errors::words text() {
    return "the thread map makes nothing of " + errors::shown<Entry>() +
           ", because an entry before it gives all tasks their threads; put it before that one, or "
           "drop it";
  }
};
template <class Group>
struct empty_group {
  static auto named() -> pack<invalid::a_thread_group_names_no_task<Group>>;
  static constexpr errors::words text() {
    return "thread group `" + errors::words(Group::value) + "` names no task; name one, or drop it";
  }
};
template <class Task, class Group>
struct grouped_twice {
  static auto named() -> pack<invalid::a_task_is_named_by_thread_groups_twice<Task, Group>>;
  static constexpr errors::words text() {
    return "thread group `" + errors::words(Group::value) + "` names " +
           errors::shown_task<Task>() +
           ", which is in a group of this thread map already; keep one";
  }
};
template <class Task, class Group>
struct grouped_and_threaded {
  static auto named()
      -> pack<invalid::a_thread_group_names_a_task_with_a_thread_of_its_own<Task, Group>>;
  static constexpr errors::words text() {
    const errors::words group(Group::value);
    return "thread group `" + group + "` names " + errors::shown_task<Task>() +
           ", which has a thread of its own, and that goes first; take it out of the group, or " +
           "give it that thread: `stretto::place<" + errors::words(name_of<Task>.text) +
           ", stretto::thread<\"" + group + "\">>`";
  }
};

template <class Parts, class... Map>
consteval map_slip slip_of_map(pack<Map...>) {
  if constexpr (sizeof...(Map) == 0) {
    return {};
  } else {
    constexpr std::array entries{map_entry_of<Map>()...};
    planner::list<const name*> placed;
    if constexpr (declare::only<tag::place, Parts>::size > 0) {
      constexpr auto places = stated_placements(declare::only<tag::place, Parts>{});
      // A function, because nvcc warns of a comparison with a constant that is 0.
      const auto stays = [](std::size_t layer, std::size_t map) { return layer >= map; };
      for (std::size_t p = 0; p < places.size(); ++p)
        for (const std::uint64_t m : places[p].marks)
          if (m == declare::mark<tag::thread> &&
              stays(layers_of<tag::place, Parts>[p], layers_of<tag::threads, Parts>[0]))
            placed.push_back(places[p].of);
    }
    return slip_among({entries.data(), entries.size()}, placed);
  }
}

template <class Schedule>
consteval auto map_slip_diagnostic() {
  using parts = typename Schedule::parts;
  using map = typename declare::first<tag::threads, parts, threads<>>::map;
  constexpr map_slip slip = slip_of_map<parts>(map{});
  if constexpr (slip.what == map_slip_kind::none) {
    return errors::no_error{};
  } else {
    using entry = declare::nth<slip.entry, map>;
    if constexpr (slip.what == map_slip_kind::odd) {
      return odd_map_entry<entry>{};
    } else if constexpr (slip.what == map_slip_kind::unused) {
      return unused_map_entry<entry>{};
    } else if constexpr (slip.what == map_slip_kind::empty) {
      return empty_group<entry>{};
    } else if constexpr (slip.what == map_slip_kind::repeated) {
      return grouped_twice<declare::nth<slip.member, typename entry::tasks>, entry>{};
    } else {
      return grouped_and_threaded<declare::nth<slip.member, typename entry::tasks>, entry>{};
    }
  }
}

}  // namespace stretto::typed::detail
