// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/errors/first_diagnostic.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <string_view>

/// Parts of a schedule that are out of place, or that another one overrides.
namespace stretto::typed::detail {

/// Parts of which a schedule has one at most.
inline constexpr std::array single_parts{
    declare::mark<tag::source>,        declare::mark<tag::result>,
    declare::mark<tag::streams>,       declare::mark<tag::threads>,
    declare::mark<tag::caller_runs>,   declare::mark<tag::result_on>,
    declare::mark<tag::strict>,        declare::mark<tag::agreed_end>,
    declare::mark<tag::pipelined>,     declare::mark<tag::thread_names>,
    declare::mark<tag::max_in_flight>, declare::mark<tag::max_bytes>,
    declare::mark<tag::frugal>};
inline constexpr std::array repeatable_parts{declare::mark<tag::place>,
                                             declare::mark<tag::slack>,
                                             declare::mark<tag::thread_group>,
                                             declare::mark<tag::order>,
                                             declare::mark<tag::serially>,
                                             declare::mark<tag::left_out>,
                                             declare::mark<tag::scheduled_within>,
                                             declare::mark<tag::projected>};
/// Parts that a serial plan does not look at.
inline constexpr std::array pipelined_parts{
    declare::mark<tag::streams>,       declare::mark<tag::threads>,
    declare::mark<tag::caller_runs>,   declare::mark<tag::result_on>,
    declare::mark<tag::thread_group>,  declare::mark<tag::slack>,
    declare::mark<tag::pipelined>,     declare::mark<tag::thread_names>,
    declare::mark<tag::max_in_flight>, declare::mark<tag::max_bytes>,
    declare::mark<tag::frugal>};

enum class part_slip_kind { none, unscheduled, misplaced, repeated, lost, planned_again };
struct part_slip {
  part_slip_kind what = part_slip_kind::none;
  std::size_t at = 0;     ///< among the parts
  std::size_t first = 0;  ///< repeated: the one before it
};

constexpr part_slip slip_among(planner::view<std::uint64_t> tags) {
  std::size_t serial_from = 0;  // parts before it stand outside a serial plan
  for (std::size_t p = 0; p < tags.size(); ++p)
    if (tags[p] == declare::mark<tag::serially>) serial_from = p;
  std::array<std::size_t, single_parts.size()> seen{};  // the place behind it; 0: not yet
  for (std::size_t p = 0; p < tags.size(); ++p) {
    const std::uint64_t tag = tags[p];
    if (tag == declare::mark<void>) continue;
    if (tag == declare::mark<tag::replanned>) {
      seen = {};
      continue;
    }
    if (tag == declare::mark<tag::unscheduled>) return {part_slip_kind::unscheduled, p};
    if (tag == declare::mark<tag::projected> && p > 0) return {part_slip_kind::planned_again, p};
    const std::size_t single = declare::place_among(single_parts, tag);
    if (single == single_parts.size() &&
        declare::place_among(repeatable_parts, tag) == repeatable_parts.size())
      return {part_slip_kind::misplaced, p};
    if (p < serial_from && declare::place_among(pipelined_parts, tag) < pipelined_parts.size())
      return {part_slip_kind::lost, p};
    if (single == single_parts.size()) continue;
    if (seen[single] != 0) return {part_slip_kind::repeated, p, seen[single] - 1};
    seen[single] = p + 1;
  }
  return {};
}

/// Stands among the parts of a schedule that `scheduled` did not look for, and says why.
template <class Diagnostic>
struct unscheduled {
  using stretto_tag = tag::unscheduled;
  using why = Diagnostic;
};

/// What is for `scheduled`, in another place.
template <class Part, class Schedule>
struct misplaced_offer {
  static auto named() -> pack<invalid::offered_threads_are_for_scheduled<Part, Schedule>>;
  static constexpr errors::words text() {
    const errors::words part = errors::shown<Part>();
    return part + " stands among the parts of schedule " + errors::shown<Schedule>() +
           ", where nothing is put on threads that are offered; give it to `scheduled`: " +
           "`stretto::scheduled<schedule, " +
           errors::readable(declare::unqualified(declare::qualified_name<Part>())) + ">`";
  }
};

template <class Part, class Schedule>
struct misplaced_part {
  static constexpr bool is_option =
      declare::part_is<Part, tag::pace>() || declare::part_is<Part, tag::waiting>() ||
      declare::part_is<Part, tag::observer>() || declare::part_is<Part, tag::affinity>() ||
      declare::part_is<Part, tag::device>() || declare::part_is<Part, tag::collectives>();
  static constexpr bool is_map_entry = declare::part_is<Part, tag::thread_map_entry>();
  static constexpr bool places =
      declare::place_among(placements_of_tasks, declare::tag_of<Part>()) <
      placements_of_tasks.size();
  static auto named() {
    if constexpr (is_option) {
      return pack<invalid::an_option_of_a_pipeline_is_among_the_parts_of_a_schedule<Part>>{};
    } else if constexpr (is_map_entry) {
      return pack<invalid::an_entry_of_a_thread_map_is_among_the_parts_of_a_schedule<Part>>{};
    } else {
      return pack<
          invalid::what_belongs_to_a_task_is_among_the_parts_of_a_schedule<Part, Schedule>>{};
    }
  }
  static constexpr errors::words text() {
    if (is_option)
      return errors::shown<Part>() +
             " is an option of a pipeline and no part of a schedule: write " +
             "`stretto::pipeline<" + errors::words(name_of<Schedule>.text) + ", " +
             errors::readable(declare::qualified_name<Part>()) + ">`";
    if (is_map_entry)
      return errors::shown<Part>() +
             " is an entry of a thread map and no part of a schedule: write `stretto::threads<" +
             errors::readable(declare::qualified_name<Part>()) + ">`";
    errors::words found = errors::shown<Part>() + " stands among the parts of schedule " +
                          errors::shown<Schedule>() +
                          ", where it belongs to no task; declare it in a task";
    if (!places) return found;
    return found + ", or write `stretto::place<task, " +
           errors::readable(declare::qualified_name<Part>()) + ">`";
  }
};

template <class First, class Second, class Schedule>
struct repeated_part {
  static auto named() -> pack<invalid::a_schedule_has_two_parts_of_one_kind<First, Second>>;
  static constexpr std::string_view remedy() {
    if (declare::part_is<First, tag::result>())
      return "list all results in one: `stretto::result<a, b>`";
    if (declare::part_is<First, tag::source>())
      return "all of a batch comes in one slot: put what belongs together into one type";
    if (declare::part_is<First, tag::streams>())
      return R"(name all streams in one: `stretto::streams<"a", "b">`)";
    if (declare::part_is<First, tag::thread_names>())
      return R"(name all threads in one: `stretto::thread_names<"a", "b">`)";
    if (declare::part_is<First, tag::threads>()) return "put all of the thread map into one";
    return "keep one";
  }
  static constexpr errors::words text() {
    return "schedule " + errors::shown<Schedule>() + " has two parts of one kind, " +
           errors::shown<First>() + " and " + errors::shown<Second>() + "; " +
           errors::words(remedy());
  }
};

template <class Part, class Schedule>
struct lost_part {
  static auto named() -> pack<invalid::a_serial_plan_makes_nothing_of_a_part<Part, Schedule>>;
  static constexpr errors::words text() {
    return "serial schedule " + errors::shown<Schedule>() +
           ", which has one stream and the calling thread, makes nothing of " +
           errors::shown<Part>() + "; replan the schedule that is not serial, or drop it";
  }
};

/// A plan of one rank's own, which others would not know of.
template <class Schedule>
struct planned_again {
  static auto named() -> pack<invalid::a_projection_is_planned_as_its_schedule_is<Schedule>>;
  static constexpr errors::words text() {
    return "schedule " + errors::shown<Schedule>() +
           " plans a projection anew, which other ranks would not know of; plan the schedule of " +
           "all ranks so, and give that to `stretto::projection`";
  }
};

template <class Schedule>
struct nothing_left_out {
  static auto named() -> pack<invalid::without_names_no_task_to_leave_out<Schedule>>;
  static constexpr errors::words text() {
    return "`without` of schedule " + errors::shown<Schedule>() +
           " names no task to leave out; name some, or use the schedule that it was given";
  }
};
template <class Task, class Schedule>
struct stranger_left_out {
  static auto named()
      -> pack<invalid::without_leaves_out_what_is_not_a_task_of_its_schedule<Task, Schedule>>;
  static constexpr errors::words text() {
    return "`without` of schedule " + errors::shown<Schedule>() + " leaves out " +
           errors::shown<Task>() + ", which is not a task of the schedule that it was given";
  }
};
template <class Task>
struct left_out_twice {
  static auto named() -> pack<invalid::without_leaves_out_a_task_twice<Task>>;
  static constexpr errors::words text() {
    return "`without` leaves out " + errors::shown_task<Task>() + " twice; name it once";
  }
};

/// What is wrong with the tasks that one `without` leaves out.
template <class Schedule, class Part>
consteval auto left_out_diagnostic() {
  using tasks = typename Part::tasks;
  if constexpr (tasks::size == 0) {
    return nothing_left_out<Schedule>{};
  } else if constexpr (Part::strangers::size > 0) {
    return stranger_left_out<declare::nth<0, typename Part::strangers>, Schedule>{};
  } else {
    constexpr std::size_t twice = [] {
      const auto all = names(tasks{});
      for (std::size_t t = 1; t < all.size(); ++t)
        for (std::size_t before = 0; before < t; ++before)
          if (all[before] == all[t]) return t;
      return all.size();
    }();
    if constexpr (twice < tasks::size) {
      return left_out_twice<declare::nth<twice, tasks>>{};
    } else {
      return errors::no_error{};
    }
  }
}
template <class Schedule, class... Part>
consteval auto all_left_out_diagnostics(pack<Part...>)
    -> pack<decltype(left_out_diagnostic<Schedule, Part>())...>;

template <class Schedule>
consteval auto parts_slip_diagnostic() {
  using parts = typename Schedule::parts;
  constexpr part_slip slip =
      slip_among({declare::tags_of<parts>::value.data(), declare::tags_of<parts>::value.size()});
  if constexpr (slip.what == part_slip_kind::unscheduled) {
    return typename declare::nth<slip.at, parts>::why{};
  } else if constexpr (slip.what == part_slip_kind::planned_again) {
    return planned_again<Schedule>{};
  } else if constexpr (slip.what == part_slip_kind::misplaced &&
                       declare::part_is<declare::nth<slip.at, parts>, tag::offered_threads>()) {
    return misplaced_offer<declare::nth<slip.at, parts>, Schedule>{};
  } else if constexpr (slip.what == part_slip_kind::misplaced) {
    return misplaced_part<declare::nth<slip.at, parts>, Schedule>{};
  } else if constexpr (slip.what == part_slip_kind::repeated) {
    return repeated_part<declare::nth<slip.first, parts>, declare::nth<slip.at, parts>, Schedule>{};
  } else if constexpr (slip.what == part_slip_kind::lost) {
    return lost_part<declare::nth<slip.at, parts>, Schedule>{};
  } else if constexpr (declare::place_among(declare::tags_of<parts>::value,
                                            declare::mark<tag::left_out>) < parts::size) {
    return first_of<decltype(all_left_out_diagnostics<Schedule>(
        declare::only<tag::left_out, parts>{}))>{};
  } else {
    return errors::no_error{};
  }
}

}  // namespace stretto::typed::detail
