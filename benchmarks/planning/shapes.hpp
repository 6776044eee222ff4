// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include "large_schedule.hpp"

/// Schedules of any number of tasks, in the shapes that schedules have.
namespace shapes {

using stretto::name;

/// Who shares a stream or a thread group.
enum class lines {
  few,         ///< 8 streams, each with the thread of its name
  streams,     ///< every task has a stream of its own
  own_thread,  ///< every task is a host task with a thread group of its own
};

inline std::string_view stream_for(large_schedule& s, lines l, std::size_t task) {
  constexpr std::string_view eight[] = {"read", "copy",  "embed", "dense",
                                        "loss", "grads", "step",  "metrics"};
  if (l == lines::own_thread) return {};
  if (l == lines::few) return eight[task % 8];
  const std::string_view own = s.text("stream", task);
  s.stream(own);
  return own;
}

inline void declare_streams(large_schedule& s, lines l) {
  if (l == lines::few)
    for (const std::string_view n :
         {"read", "copy", "embed", "dense", "loss", "grads", "step", "metrics"})
      s.stream(n);
}

inline large_schedule::task& add(large_schedule& s, lines l, int lookahead, std::size_t line) {
  const std::size_t number = s.tasks();
  return s.add(s.named("task", number), lookahead,
               stream_for(s, l, l == lines::few ? line : number),
               l == lines::own_thread ? s.text("thread", number) : std::string_view());
}

/// A ranking pipeline's stages over and over: eight tasks make a section, whose first two work two
/// and one batches ahead. Each section reads what the one before it computed.
inline void pipeline(large_schedule& s, std::size_t tasks, lines l) {
  declare_streams(s, l);
  for (std::size_t t = 0; t < tasks; ++t) {
    const std::size_t at = t % 8;
    const auto slot = [&](std::size_t back) { return s.named("slot", t - back); };
    auto& task = add(s, l, at == 0 ? 2 : at == 1 ? 1 : 0, at);
    s.writes(task, slot(0));
    if (at == 0) s.reads(task, name("source"));
    if (at > 0) s.reads(task, slot(1));
    if (at > 3) s.reads(task, slot(2));
    if (at == 2 && t > 8) s.reads(task, slot(3));  // the section before's last
    if (at == 6) task.cross_iter.push_back({s.named("task", t), 1});
    if (at == 6) task.mutates.push_back(s.named("weights", t / 8));
    if (at == 3) task.depends_on.push_back({s.named("task", t - 1), 0});
    if (at == 7) task.sync.push_back({s.named("task", t - 4), 0});
    if (at == 3 && t / 8 % 4 == 0) task.row.collective = true;
  }
  s.result(s.named("slot", tasks - 1));
}

/// One producer that all the others read, and one task that reads what they all wrote.
inline void fan(large_schedule& s, std::size_t tasks, lines l) {
  declare_streams(s, l);
  auto& first = add(s, l, 1, 0);
  s.reads(first, name("source"));
  s.writes(first, name("batch"));
  for (std::size_t t = 1; t + 1 < tasks; ++t) {
    auto& task = add(s, l, 0, 1 + t % 6);
    s.reads(task, name("batch"));
    s.writes(task, s.named("part", t));
  }
  auto& last = add(s, l, 0, 7);
  for (std::size_t t = 1; t + 1 < tasks; ++t) s.reads(last, s.named("part", t));
  s.writes(last, name("whole"));
  s.result(name("whole"));
}

}  // namespace shapes
