// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/thread.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/text/misused_groups.hpp>
#include <stretto/plan/text/unused.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>

/// What a schedule that is fine otherwise declares and nothing would be made of: streams, slack,
/// queues and workers, the group of the calling thread.
namespace stretto::typed::detail {

/// The sentences are those of the runtime version. `Meant`: the thread that was probably meant, if
/// one was.
template <planner::waste What, std::size_t Position, class Culprit, class... Meant>
struct wasted_part {
  static consteval auto named() {
    using planner::waste;
    // clang-format off
    if constexpr (What == waste::stream_twice) return pack<invalid::a_stream_is_declared_twice<Culprit>>{};
    else if constexpr (What == waste::thread_twice) return pack<invalid::a_thread_is_listed_twice<Culprit>>{};
    else if constexpr (What == waste::stream_unnamed || What == waste::thread_unnamed) return pack<invalid::a_stream_or_a_thread_has_no_name<Culprit>>{};
    else if constexpr (What == waste::slack_of_no_slot) return pack<invalid::slack_is_for_what_is_not_a_slot_of_this_schedule<Culprit>>{};
    else if constexpr (What == waste::slack_twice) return pack<invalid::a_slot_is_given_slack_twice<Culprit>>{};
    else if constexpr (What == waste::result_twice) return pack<invalid::a_result_is_listed_twice<Culprit>>{};
    else if constexpr (What == waste::caller_runs_nobody) return pack<invalid::the_calling_thread_runs_a_thread_group_without_tasks<Culprit, invalid::did_you_mean::group<Meant>...>>{};
    else return pack<invalid::a_thread_group_is_given_queues_or_workers_twice<Culprit>>{};
    // clang-format on
  }
  static constexpr errors::words text() {
    planner::text_builder told;
    if constexpr (is_of_streams(What) || is_of_threads(What)) {
      planner::add_sentence(told, What, Culprit::value[Position]);
    } else if constexpr (What == planner::waste::slack_of_no_slot ||
                         What == planner::waste::slack_twice) {
      planner::add_sentence(told, What, name_of<typename Culprit::slot>.text);
    } else if constexpr (What == planner::waste::result_twice) {
      planner::add_sentence(told, What, name_of<Culprit>.text);
    } else {
      planner::add_sentence(told, What, Culprit::value, Meant::value...);
    }
    return errors::words(told);
  }
};

/// The first of a schedule's parts that nothing is made of; its position is none if there is none.
template <class Schedule>
consteval planner::unused first_waste() {
  using from = declared<Schedule>;
  using parts = typename from::parts;
  // A replan of the threads may leave the group that the calling thread was to run without tasks.
  bool caller_said = false;
  if constexpr (!from::is_serial && declare::only<tag::caller_runs, parts>::size > 0) {
    caller_said = true;
    if constexpr (declare::only<tag::threads, parts>::size > 0)
      caller_said = layers_of<tag::caller_runs, parts>[0] <= layers_of<tag::threads, parts>[0];
  }
  const planner::list<planner::unused> all = planner::unused_parts(
      from::bare, caller_said ? std::string_view(from::caller_part::value) : planner::caller);
  return all.empty() ? planner::unused{planner::waste::stream_twice, planner::none} : all[0];
}

/// The first task that takes the value of a slot in its `writes`; their number if none does.
template <class Schedule>
consteval std::size_t first_taken_in_writes() {
  const planner::view<planner::task> tasks = declared<Schedule>::bare.tasks;
  for (std::size_t t = 0; t < tasks.size(); ++t)
    for (std::size_t i = 0; i < tasks[t].writes.size(); ++i)
      if (tasks[t].writes[i].takes) return t;
  return tasks.size();
}

template <class Schedule>
consteval auto waste_diagnostic() {
  using from = declared<Schedule>;
  constexpr std::size_t taken = first_taken_in_writes<Schedule>();
  if constexpr (taken < from::tasks::size) {
    return errors::taken_in_writes<declare::nth<taken, typename from::tasks>>{};
  } else if constexpr (from::groups.repeated != planner::none && !from::is_alone) {
    using group = declare::nth<from::groups.repeated, typename from::group_parts>;
    constexpr auto what =
        group::batches > 0 ? planner::waste::queue_twice : planner::waste::workers_twice;
    return wasted_part<what, 0, group>{};
  } else {
    constexpr planner::unused found = first_waste<Schedule>();
    if constexpr (found.position == planner::none) {
      return errors::no_error{};
    } else if constexpr (is_of_streams(found.what)) {
      return wasted_part<found.what, found.position, typename from::stream_part>{};
    } else if constexpr (is_of_threads(found.what)) {
      return wasted_part<found.what, found.position,
                         declare::first<tag::thread_names, typename from::parts>>{};
    } else if constexpr (found.what == planner::waste::result_twice) {
      return wasted_part<found.what, 0, declare::nth<found.position, typename from::results>>{};
    } else if constexpr (found.what == planner::waste::caller_runs_nobody) {
      if constexpr (found.meant.empty())
        return wasted_part<found.what, 0, typename from::caller_part>{};
      else
        return wasted_part<found.what, 0, typename from::caller_part,
                           thread<fixed_string<found.meant.size() + 1>(found.meant)>>{};
    } else {
      return wasted_part<
          found.what, 0,
          declare::nth<from::slacked.parts[found.position], typename from::slack_parts>>{};
    }
  }
}

/// Queues and workers along with a thread map that has every task on the calling thread.
template <class Group>
struct grouped_alone {
  static auto named() -> pack<invalid::the_calling_thread_has_no_queue_and_no_workers<Group>>;
  static constexpr errors::words text() {
    planner::text_builder given;
    planner::add_given(given, {Group::value, Group::batches, Group::number});
    return errors::words(given) +
           " and `on_caller` are in one schedule: the calling thread runs every task; drop one";
  }
};
template <class Schedule>
consteval auto alone_diagnostic() {
  using from = declared<Schedule>;
  using parts = typename from::parts;
  if constexpr (from::group_parts::size != 0 && !from::is_serial && from::is_alone) {
    if constexpr (layers_of<tag::thread_group, parts>[0] <= layers_of<tag::threads, parts>[0])
      return grouped_alone<declare::nth<0, typename from::group_parts>>{};
    else
      return errors::no_error{};
  } else {
    return errors::no_error{};
  }
}

}  // namespace stretto::typed::detail
