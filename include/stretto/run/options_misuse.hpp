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
#include <stretto/plan/model/view.hpp>
#include <type_traits>

/// Options of a pipeline that it would not look at, or look at only one of.
namespace stretto::runner {

namespace detail {

inline constexpr std::array option_marks{
    declare::mark<tag::pace>,     declare::mark<tag::waiting>, declare::mark<tag::observer>,
    declare::mark<tag::affinity>, declare::mark<tag::device>,  declare::mark<tag::collectives>};

/// The first option that is none, and the first that is of the kind of one before it.
struct option_slip {
  std::size_t at = planner::none;
  std::size_t first = planner::none;  ///< none: it is no option at all
};
constexpr option_slip slip_of_options(planner::view<std::uint64_t> tags) {
  std::array<std::size_t, option_marks.size()> seen{};  // the place behind it; 0: not yet
  for (std::size_t p = 0; p < tags.size(); ++p) {
    const std::size_t kind = declare::place_among(option_marks, tags[p]);
    if (kind == option_marks.size()) return {p};
    if (seen[kind] != 0) return {p, seen[kind] - 1};
    seen[kind] = p + 1;
  }
  return {};
}

/// `Schedule` is void where the schedule is a value.
template <class Option, class Schedule>
struct part_as_option {
  static auto named() -> pack<invalid::a_part_of_a_schedule_is_no_option_of_a_pipeline<Option>>;
  static constexpr errors::words text() {
    const errors::words what =
        errors::shown<Option>() + " is no option of a pipeline, but of a schedule: ";
    if constexpr (std::is_void_v<Schedule>) {
      return what + "say it there before the pipeline is made";
    } else {
      constexpr bool is_map_entry = declare::part_is<Option, tag::thread_map_entry>();
      constexpr bool is_offer = declare::part_is<Option, tag::offered_threads>();
      return what + "write `stretto::pipeline<stretto::" + (is_offer ? "scheduled<" : "replan<") +
             errors::words(name_of<Schedule>.text) + ", " +
             (is_map_entry ? "stretto::threads<" : "") +
             errors::readable(declare::qualified_name<Option>()) + (is_map_entry ? ">>>`" : ">>`");
    }
  }
};
template <class Option>
struct no_option {
  static auto named() -> pack<invalid::what_was_given_as_an_option_of_a_pipeline_is_none<Option>>;
  static constexpr errors::words text() {
    return errors::shown<Option>() +
           " is no option of a pipeline: those are a pace, a wait strategy, an observer, `pinned`, "
           "a device and collectives";
  }
};
template <class First, class Schedule>
struct schedule_behind {
  static auto named()
      -> pack<invalid::the_schedule_is_the_first_that_a_pipeline_is_given<First, Schedule>>;
  static constexpr errors::words text() {
    const errors::words first{errors::readable(declare::qualified_name<First>())};
    return "a pipeline is given its schedule first, and options behind: write `stretto::pipeline<" +
           errors::words(errors::readable(declare::qualified_name<Schedule>())) + ", " + first +
           ">`";
  }
};
template <class First, class Second>
struct repeated_option {
  static auto named() -> pack<invalid::a_pipeline_was_given_two_options_of_one_kind<First, Second>>;
  static constexpr errors::words text() {
    return "a pipeline has one option of each kind, and was given " + errors::shown<First>() +
           " and " + errors::shown<Second>() + "; keep one";
  }
};

}  // namespace detail

/// What is wrong with a pipeline's options, or `no_error`.
template <class Schedule, class... Option>
consteval auto options_diagnostic() {
  if constexpr (sizeof...(Option) == 0) {
    return errors::no_error{};
  } else {
    using options = pack<Option...>;
    constexpr detail::option_slip slip =
        detail::slip_of_options({declare::tags_of<options>::value.data(), sizeof...(Option)});
    if constexpr (slip.at == planner::none) {
      return errors::no_error{};
    } else {
      using culprit = declare::nth<slip.at, options>;
      if constexpr (slip.first != planner::none) {
        return detail::repeated_option<declare::nth<slip.first, options>, culprit>{};
      } else if constexpr (declare::is_part<culprit> && declare::is_part<Schedule> &&
                           !requires { typename Schedule::parts; }) {
        return errors::no_schedule<Schedule>{};
      } else if constexpr (declare::is_part<culprit>) {
        return detail::part_as_option<culprit, Schedule>{};
      } else if constexpr (
          !std::is_void_v<Schedule> && declare::is_part<Schedule> &&
          !requires { typename Schedule::parts; } && requires { typename culprit::parts; }) {
        return detail::schedule_behind<Schedule, culprit>{};
      } else {
        return detail::no_option<culprit>{};
      }
    }
  }
}

}  // namespace stretto::runner
