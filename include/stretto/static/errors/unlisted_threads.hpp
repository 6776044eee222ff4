// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/thread.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/text/unlisted_threads.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>

/// Threads that a schedule names and does not list, where it lists its threads.
namespace stretto::typed::detail {

/// `Meant`: the thread that was probably meant, if one was.
template <class Task, class Thread, class... Meant>
struct task_on_unlisted_thread {
  static auto named() -> pack<invalid::a_task_is_on_a_thread_that_thread_names_does_not_list<
      Task, Thread, invalid::did_you_mean::group<Meant>...>>;
  static constexpr errors::words text() {
    planner::text_builder told;
    planner::add_on_unlisted(told, name_of<Task>.text, Thread::value, Meant::value...);
    return errors::words(told);
  }
};
template <class Source, class Thread, class... Meant>
struct source_on_unlisted_thread {
  static auto named()
      -> pack<invalid::a_source_is_pulled_by_a_thread_that_thread_names_does_not_list<
          Source, Thread, invalid::did_you_mean::group<Meant>...>>;
  static constexpr errors::words text() {
    planner::text_builder told;
    planner::add_on_unlisted(told, {}, Thread::value, Meant::value...);
    return errors::words(told);
  }
};

template <class Schedule>
consteval planner::unlisted_thread first_unlisted() {
  const planner::list<planner::unlisted_thread> all =
      planner::unlisted_threads(declared<Schedule>::bare);
  return all.empty() ? planner::unlisted_thread{} : all[0];
}

template <class Schedule, std::size_t Task, class... ThreadAndMeant>
consteval auto on_unlisted_thread() {
  using from = declared<Schedule>;
  if constexpr (Task == planner::none) {
    return source_on_unlisted_thread<typename from::source_part, ThreadAndMeant...>{};
  } else {
    return task_on_unlisted_thread<declare::nth<Task, typename from::tasks>, ThreadAndMeant...>{};
  }
}

/// The first task, else the source, on a thread that is not listed, or `no_error`. Asked of a
/// schedule whose parts are written as they should be.
template <class Schedule>
consteval auto unlisted_diagnostic() {
  if constexpr (!declared<Schedule>::has_part(declare::mark<tag::thread_names>)) {
    return errors::no_error{};
  } else {
    constexpr planner::unlisted_thread found = first_unlisted<Schedule>();
    if constexpr (found.thread.empty()) {
      return errors::no_error{};
    } else {
      using on = thread<fixed_string<found.thread.size() + 1>(found.thread)>;
      if constexpr (found.meant.empty())
        return on_unlisted_thread<Schedule, found.task, on>();
      else
        return on_unlisted_thread<Schedule, found.task, on,
                                  thread<fixed_string<found.meant.size() + 1>(found.meant)>>();
    }
  }
}

}  // namespace stretto::typed::detail
