// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/errors/parts.hpp>
#include <stretto/static/values/declared.hpp>
#include <type_traits>

/// What `place` and `source` say of placement and nobody would look at.
namespace stretto::typed::detail {

/// And what a source says besides.
inline constexpr std::array placements_of_sources{
    declare::mark<tag::lookahead>, declare::mark<tag::thread>, declare::mark<tag::weight>,
    declare::mark<tag::on_failure>};
/// What a serial plan decides itself.
inline constexpr std::array placements_of_pipelines{
    declare::mark<tag::stream>, declare::mark<tag::lookahead>, declare::mark<tag::thread>};

/// What one `place` or `source` says, as marks.
struct stated_placement {
  const name* of;
  planner::view<std::uint64_t> marks;
};
template <class... Place>
consteval std::array<stated_placement, sizeof...(Place)> stated_placements(pack<Place...>) {
  return {stated_placement{&name_of<typename Place::task>,
                           {declare::tags_of<typename Place::placement>::value.data(),
                            declare::tags_of<typename Place::placement>::value.size()}}...};
}

/// A placement that says what another has said, or that says nothing.
struct placement_slip {
  std::size_t place = planner::none;
  std::size_t entry = planner::none;  ///< none: it has none
};
constexpr placement_slip slip_among(planner::view<stated_placement> places,
                                    planner::view<std::size_t> layers) {
  constexpr std::size_t kinds = placements_of_tasks.size();
  planner::name_index tasks(places.size());
  planner::list<std::size_t> said(places.size() * kinds, planner::none);  // the layer that says it
  for (std::size_t p = 0; p < places.size(); ++p) {
    if (places[p].marks.empty()) return {p};
    const std::size_t task = tasks.number(*places[p].of);
    for (std::size_t e = 0; e < places[p].marks.size(); ++e) {
      const std::size_t kind = declare::place_among(placements_of_tasks, places[p].marks[e]);
      if (kind == kinds) continue;  // not a placement at all
      std::size_t& layer = said[task * kinds + kind];
      if (layer == layers[p]) return {p, e};
      if (layer == planner::none) layer = layers[p];
    }
  }
  return {};
}

template <class Task>
struct empty_place {
  static auto named() -> pack<invalid::a_place_says_nothing_of_its_task<Task>>;
  static constexpr errors::words text() {
    return "a `place` of " + errors::shown_task<Task>() +
           " says nothing; give it a stream, a lookahead, a thread or a weight, or drop it";
  }
};
template <class Task, class Placement>
struct placed_twice {
  static auto named() -> pack<invalid::a_task_is_placed_twice<Task, Placement>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " is placed twice: " + errors::shown<Placement>() +
           " says what an entry before it has said; keep one, or override it with `replan`";
  }
};
template <class Placement>
struct source_placed_twice {
  static auto named() -> pack<invalid::a_source_is_placed_twice<Placement>>;
  static constexpr errors::words text() {
    return "the source is placed twice: " + errors::shown<Placement>() +
           " says what an entry before it has said; keep one";
  }
};
template <class Placement>
struct odd_source_placement {
  static auto named()
      -> pack<invalid::a_source_is_placed_by_a_lookahead_a_thread_or_a_weight<Placement>>;
  static constexpr errors::words text() {
    return "a source is placed by a lookahead, a thread or a weight, not by " +
           errors::shown<Placement>();
  }
};

template <class Schedule>
consteval auto places_slip_diagnostic() {
  using parts = typename Schedule::parts;
  using places = declare::only<tag::place, parts>;
  if constexpr (places::size == 0) {
    return errors::no_error{};
  } else {
    constexpr placement_slip slip = [] {
      constexpr auto stated = stated_placements(places{});
      return slip_among({stated.data(), stated.size()},
                        {layers_of<tag::place, parts>.data(), stated.size()});
    }();
    if constexpr (slip.place == planner::none) {
      return errors::no_error{};
    } else if constexpr (slip.entry == planner::none) {
      return empty_place<typename declare::nth<slip.place, places>::task>{};
    } else {
      using place = declare::nth<slip.place, places>;
      return placed_twice<typename place::task,
                          declare::nth<slip.entry, typename place::placement>>{};
    }
  }
}

/// What a replan says of the tasks or the source of a serial plan, and is not looked at: the first
/// entry, of the first \p outside of the placements, on what a serial plan decides itself.
constexpr placement_slip lost_in_serial(planner::view<planner::view<std::uint64_t>> placements,
                                        std::size_t outside) {
  for (std::size_t p = 0; p < outside; ++p)
    for (std::size_t e = 0; e < placements[p].size(); ++e)
      if (declare::place_among(placements_of_pipelines, placements[p][e]) <
          placements_of_pipelines.size())
        return {p, e};
  return {};
}
template <class Parts, class Tag, class... Part>
consteval placement_slip lost_in_serial(pack<Part...>) {
  std::size_t serial_from = 0;
  for (const std::size_t p : declare::only_of<tag::serially, Parts>::places) serial_from = p;
  std::size_t outside = 0;
  for (const std::size_t p : declare::only_of<Tag, Parts>::places)
    outside += p < serial_from ? 1U : 0U;
  const std::array<planner::view<std::uint64_t>, sizeof...(Part)> all{planner::view<std::uint64_t>(
      declare::tags_of<typename Part::placement>::value.data(), Part::placement::size)...};
  return lost_in_serial({all.data(), all.size()}, outside);
}
template <class Schedule, class Tag>
consteval auto lost_placement_diagnostic() {
  using parts = typename Schedule::parts;
  using placed = declare::only<Tag, parts>;
  if constexpr (declare::only<tag::serially, parts>::size == 0 || placed::size == 0) {
    return errors::no_error{};
  } else {
    constexpr placement_slip slip = lost_in_serial<parts, Tag>(placed{});
    if constexpr (slip.place == planner::none) {
      return errors::no_error{};
    } else {
      return lost_part<
          declare::nth<slip.entry, typename declare::nth<slip.place, placed>::placement>,
          Schedule>{};
    }
  }
}

template <class Source>
consteval auto source_slip_diagnostic() {
  if constexpr (std::is_void_v<Source>) {
    return errors::no_error{};
  } else {
    using entries = typename Source::placement;
    if constexpr (entries::size == 0) {
      return errors::no_error{};
    } else {
      constexpr auto entry = [] {
        std::array<std::size_t, 2> at{planner::none, planner::none};  // not of a source; said twice
        std::array<bool, placements_of_tasks.size() + 1> said{};
        std::size_t e = 0;
        for (const std::uint64_t m : declare::tags_of<entries>::value) {
          bool& known = said[declare::place_among(placements_of_tasks, m)];
          if (known && at[1] == planner::none) at[1] = e;
          known = true;
          const bool fits =
              declare::place_among(placements_of_sources, m) < placements_of_sources.size();
          if (!fits && at[0] == planner::none) at[0] = e;
          ++e;
        }
        return at;
      }();
      if constexpr (entry[0] != planner::none) {
        return odd_source_placement<declare::nth<entry[0], entries>>{};
      } else if constexpr (entry[1] != planner::none) {
        return source_placed_twice<declare::nth<entry[1], entries>>{};
      } else {
        return errors::no_error{};
      }
    }
  }
}

}  // namespace stretto::typed::detail
