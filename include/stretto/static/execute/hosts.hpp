// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/text/utf8.hpp>
#include <string_view>

namespace stretto::typed::detail {

/// The host threads of a plan: one for each thread group, or as many as it has workers. Those run a
/// chain in turns, each every N-th progress.
template <class Schedule, bool HasWorkers = plan_of<Schedule>.has_workers()>
struct hosts {
  static constexpr const auto& plan = plan_of<Schedule>;
  static constexpr std::size_t count = plan.host_threads();
  static constexpr bool has_workers = true;

  static constexpr std::size_t workers(std::size_t thread) { return plan.workers[thread]; }
  static constexpr auto first_of = [] {
    std::array<std::size_t, plan.threads> first{};
    for (std::size_t t = 0; t < plan.threads; ++t) first[t] = plan.first_host(t);
    return first;
  }();
  static constexpr auto thread_of = [] {
    std::array<std::size_t, count> of{};
    for (std::size_t t = 0; t < plan.threads; ++t)
      for (std::size_t k = 0; k < workers(t); ++k) of[first_of[t] + k] = t;
    return of;
  }();

  static constexpr std::size_t first(std::size_t thread) { return first_of[thread]; }
  static constexpr std::size_t group(std::size_t host) { return thread_of[host]; }

  /// Who runs a thread's chain in a progress.
  static constexpr std::size_t at(std::size_t thread, std::size_t progress) {
    return first_of[thread] + progress % workers(thread);
  }

  /// Where the signals of a node are: one for each host thread that runs it.
  static constexpr auto first_signal = [] {
    std::array<std::size_t, plan.nodes + 1> first{};
    for (std::size_t n = 0; n < plan.nodes; ++n)
      first[n + 1] = first[n] + workers(plan.thread_of[n]);
    return first;
  }();
  static constexpr std::size_t signal_count = first_signal[plan.nodes];
  static constexpr std::size_t signal(std::size_t node, std::size_t progress) {
    return first_signal[node] + progress % workers(plan.thread_of[node]);
  }

 private:
  struct numbered {
    std::array<char, 64> text{};
    std::size_t size = 0;
  };
  static constexpr auto texts = [] {
    std::array<numbered, count> all{};
    for (std::size_t h = 0; h < count; ++h) {
      const std::size_t t = thread_of[h];
      std::size_t number = h - first_of[t] + 1;
      numbered& own = all[h];
      for (const char c : text::beginning(plan.thread_names[t], own.text.size() - 4))
        own.text[own.size++] = c;
      if (workers(t) == 1) continue;
      own.text[own.size++] = ' ';
      if (number >= 10) own.text[own.size++] = static_cast<char>('0' + number / 10 % 10);
      own.text[own.size++] = static_cast<char>('0' + number % 10);
    }
    return all;
  }();

 public:
  /// As observers and debuggers show them: the group's name and, where it has several, a number.
  static constexpr auto names = [] {
    std::array<std::string_view, count> all{};
    for (std::size_t h = 0; h < count; ++h)
      all[h] = workers(thread_of[h]) == 1 ? plan.thread_names[thread_of[h]]
                                          : std::string_view(texts[h].text.data(), texts[h].size);
    return all;
  }();
};

/// Without workers: the thread groups.
template <class Schedule>
struct hosts<Schedule, false> {
  static constexpr const auto& plan = plan_of<Schedule>;
  static constexpr std::size_t count = plan.threads;
  static constexpr std::size_t signal_count = plan.nodes;
  static constexpr bool has_workers = false;
  static constexpr const auto& names = plan.thread_names;

  static constexpr std::size_t workers(std::size_t /*thread*/) { return 1; }
  static constexpr std::size_t first(std::size_t thread) { return thread; }
  static constexpr std::size_t group(std::size_t host) { return host; }
  static constexpr std::size_t at(std::size_t thread, std::size_t /*progress*/) { return thread; }
  static constexpr std::size_t signal(std::size_t node, std::size_t /*progress*/) { return node; }
};

}  // namespace stretto::typed::detail
