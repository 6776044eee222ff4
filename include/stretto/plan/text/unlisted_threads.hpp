// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <stretto/plan/rules/nearest_name.hpp>
#include <string>
#include <string_view>

/// \file
/// Threads that a schedule names and does not list, where it lists its threads: found in values,
/// for both versions and in their sentences. No rule is about them.
namespace stretto::planner {

/// Who is on a thread that is not listed.
struct unlisted_thread {
  std::size_t task = none;  ///< none: the source
  std::string_view thread{};
  std::string_view meant{};  ///< the thread that was probably meant, if one was
};

/// What was meant is looked for of the first 100 only, so that files of thousands are judged soon.
inline constexpr std::size_t most_meant = 100;

/// All of them, in the order of the tasks, then the source. A task that goes by its stream, or by
/// its own name, and the calling thread are on threads that there are. So are those of groups with
/// a queue or workers and the one that the calling thread runs, because tasks are in them.
constexpr list<unlisted_thread> unlisted_threads(const declaration& d) {
  list<unlisted_thread> found;
  if (d.thread_names.empty()) return found;
  text_index known;
  known.number(caller);
  known.number("host");
  for (const std::string_view thread : d.thread_names) known.number(thread);
  for (const std::string_view stream : d.streams) known.number(stream);
  for (std::size_t t = 0; t < d.tasks.size(); ++t) {
    const std::string_view thread = d.tasks[t].thread;
    if (!thread.empty() && thread != d.tasks[t].id.text && known.find(thread) == none)
      found.push_back(
          {t, thread, found.size() < most_meant ? nearest_thread(d, thread) : std::string_view()});
  }
  if (known.find(d.from.thread) == none)
    found.push_back({none, d.from.thread, nearest_thread(d, d.from.thread)});
  return found;
}

/// Adds what is wrong, and what to do about it. \p task: its name; empty for the source.
[[gnu::cold]] constexpr void add_on_unlisted(text_builder& text, std::string_view task,
                                             std::string_view thread, std::string_view meant = {}) {
  if (task.empty()) {
    text.fill("the source is pulled by thread $", thread);
  } else {
    text.fill("task $", task);
    text.fill(" is on thread $", thread);
  }
  text.add(", which `thread_names` does not list; ");
  if (meant.empty()) {
    text.add("add it there, or name one that it lists");
  } else {
    text.fill("did you mean $?", meant);
  }
}
[[gnu::cold]] constexpr std::string sentence_on_unlisted(std::string_view task,
                                                         std::string_view thread,
                                                         std::string_view meant = {}) {
  text_builder text;
  add_on_unlisted(text, task, thread, meant);
  return text.text();
}

}  // namespace stretto::planner
