// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/layout/layout.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <stretto/plan/rules/nearest_name.hpp>
#include <string>
#include <string_view>

/// \file
/// Thread groups that cannot have the queue or the workers that they are given, and generated
/// thread maps with too few threads: judged on values, for both versions and in their sentences. No
/// rule is about them.
namespace stretto::planner {

enum class group_misuse {
  sound,
  in_generated_map,
  on_caller,
  of_nobody,
  pulls,
  in_order,
  suspends
};

struct misused_group {
  group_misuse what = group_misuse::sound;
  std::size_t task = planner::none;  ///< in_order, suspends: the task that is or does
  std::string_view meant{};          ///< of_nobody: the group that was probably meant, if one was
};

/// Judges queues and workers by who is in which group.
class group_judge {
 public:
  constexpr explicit group_judge(const declaration& d) : d_(&d) {
    for (std::size_t t = 0; t < d.tasks.size(); ++t) {
      const std::size_t group = inhabited_.number(thread_name(d.tasks[t]));
      if (group == in_order_.size()) in_order_.push_back(planner::none);
      const bool ordered =
          !d.tasks[t].stream.empty() || d.tasks[t].collective || d.tasks[t].suspends;
      if (ordered && in_order_[group] == planner::none) in_order_[group] = t;
    }
  }

  /// Asked of a declaration whose tasks and groups are sound otherwise.
  constexpr misused_group misuse_of(const thread_group& g) const {
    if (g.queue == 0 && g.workers == 1) return {};
    if (d_->generated > 0) return {group_misuse::in_generated_map};
    if (g.thread == caller || g.thread == d_->caller_runs) return {group_misuse::on_caller};
    const std::size_t group = inhabited_.find(g.thread);
    if (group == planner::none && g.thread != d_->from.thread)
      return {group_misuse::of_nobody, none, nearest_group(*d_, g.thread)};
    if (g.workers == 1) return {};
    if (g.thread == d_->from.thread) return {group_misuse::pulls};
    const std::size_t task = in_order_[group];
    if (task == planner::none) return {};
    return {d_->tasks[task].suspends ? group_misuse::suspends : group_misuse::in_order, task};
  }

 private:
  const declaration* d_;
  text_index inhabited_;
  list<std::size_t> in_order_;  // by group: its first task on a stream, collective or a coroutine
};

/// Adds what a group is given, such as "the queue of thread group `loading`".
constexpr void add_given(text_builder& to, const thread_group& g) {
  to.add(g.queue == 0 ? "the workers" : g.workers == 1 ? "the queue" : "the queue and the workers");
  to.fill(" of thread group $", g.thread);
}

/// Adds what is wrong with a group, and what to do about it. \p name: of the task that is in order
/// or a coroutine, or of the group that was probably meant.
[[gnu::cold]] constexpr void add_sentence(text_builder& text, group_misuse what,
                                          const thread_group& g, std::string_view name = {}) {
  switch (what) {
    case group_misuse::sound: break;
    case group_misuse::in_generated_map:
      add_given(text, g);
      text.add(" and a generated thread map are in one schedule; name the threads instead");
      break;
    case group_misuse::on_caller:
      add_given(text, g);
      text.add(" would be the calling thread's, which has none; put the tasks on another thread");
      break;
    case group_misuse::of_nobody:
      text.add("no task is in the group that is to have ");
      add_given(text, g);
      if (name.empty()) {
        text.add("; give tasks that thread, or drop it");
      } else {
        text.fill("; did you mean $?", name);
      }
      break;
    case group_misuse::pulls:
      text.add("a source is pulled by one thread, and ");
      add_given(text, {g.thread, 0, g.workers});
      text.add(" would be several; give the source another thread");
      break;
    case group_misuse::in_order:
      text.fill(
          "task $ is on a stream or a collective, whose runs are in order, and so cannot have "
          "workers; put it on a thread of its own",
          name);
      break;
    case group_misuse::suspends:
      text.fill("task $ is a coroutine, whose calls ", name);
      text.add(
          "come one after the other, and so cannot have workers; leave them out, or let the task "
          "be none, so that each worker waits for its own batch");
  }
}
[[gnu::cold]] constexpr std::string sentence(group_misuse what, const thread_group& g,
                                             std::string_view name = {}) {
  text_builder text;
  add_sentence(text, what, g, name);
  return text.text();
}

/// How many threads have a name, the calling one's counted, if that is more than a generated map is
/// to have; else 0.
constexpr std::size_t crowded_by(const declaration& d) {
  if (d.generated == 0) return 0;
  const std::size_t named = threads_of(d).named;
  return named > d.generated ? named : 0;
}

/// Adds what is said of a map that is generated on fewer threads than \p named.
[[gnu::cold]] constexpr void add_on_too_few(text_builder& text, std::size_t generated,
                                            std::size_t named) {
  text.add("a thread map is generated for ").number(static_cast<long long>(generated));
  text.add(" threads, but ").number(static_cast<long long>(named));
  text.add(" have a name, the calling thread's counted; ask for at least as many");
}
[[gnu::cold]] constexpr std::string sentence_on_too_few(std::size_t generated, std::size_t named) {
  text_builder text;
  add_on_too_few(text, generated, named);
  return text.text();
}

/// Adds what is said of results on a stream that the schedule does not declare.
[[gnu::cold]] constexpr void add_on_result_stream(text_builder& text, std::string_view stream) {
  text.fill(
      "results are to be handed out on stream $, which the schedule does not declare; add it to "
      "`streams`",
      stream);
}
[[gnu::cold]] constexpr std::string sentence_on_result_stream(std::string_view stream) {
  text_builder text;
  add_on_result_stream(text, stream);
  return text.text();
}

}  // namespace stretto::planner
