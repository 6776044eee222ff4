// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stretto/text/shown.hpp>
#include <stretto/watch/activity.hpp>
#include <stretto/watch/device_work.hpp>
#include <stretto/watch/turns.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::watch::detail {

/// How far the streams of a run have come that is at rest, and what they wait for, by what a device
/// has said.
class stalled_streams {
  using state = device_work::state;

 public:
  stalled_streams(const turns& where, const activity& now, const device_work& work)
      : where_(where), now_(now), work_(work) {}

  /// A line for each.
  std::string text() const {
    std::string all;
    for (std::size_t s = 0; s < where_.plan.streams.size(); ++s)
      if (has_tasks(s)) all += "\n  stream " + quoted(where_.plan.streams[s]) + " " + line(s);
    return all;
  }

  /// What is waited for before a node, as far as it has not been done, or may not have been.
  std::vector<turns::turn> awaited(const turns::turn& next) const {
    std::vector<turns::turn> all;
    for (const device_work::awaited& w : work_.awaits(next.node)) {
      if (next.progress < now_.first + w.back) continue;  // all of earlier runs is done
      const turns::turn producer{w.producer, next.progress - w.back};
      const bool was_put_there =
          work_.told(w.producer) != activity::none && producer.progress <= work_.told(w.producer);
      if (was_put_there && where_.runs_in(producer.node, producer.progress) &&
          work_.of(producer.node, producer.progress) != state::done)
        all.push_back(producer);
    }
    return all;
  }
  /// "`copy` on batch 3, which stream `h2d` has not finished"
  std::string told_of(const turns::turn& work, std::string_view why = {}) const {
    const std::size_t stream = work_.stream_of(work.node);
    return name_of(work) + std::string(why) +
           (is_pending(work)
                ? ", which stream " + of(stream) + " has not finished"
                : ", of which nobody knows whether stream " + of(stream) + " has finished it");
  }

 private:
  static std::string quoted(std::string_view name) { return "`" + text::shown(name) + "`"; }
  std::string of(std::size_t stream) const { return quoted(where_.plan.streams[stream]); }
  std::string name_of(const turns::turn& work) const {
    return quoted(now_.tasks[work.node].name) + " on batch " +
           std::to_string(work.progress - where_.plan.lag[work.node]);
  }
  bool has_tasks(std::size_t stream) const {
    for (std::size_t n = 0; n < where_.plan.tasks(); ++n)
      if (work_.stream_of(n) == stream) return true;
    return false;
  }
  bool is_pending(const turns::turn& work) const {
    return work_.of(work.node, work.progress) == state::pending;
  }
  std::vector<turns::turn> pending_of(const std::vector<turns::turn>& some) const {
    std::vector<turns::turn> all;
    std::copy_if(some.begin(), some.end(), std::back_inserter(all),
                 [this](const turns::turn& t) { return is_pending(t); });
    return all;
  }

  /// The latest work on a stream, oldest first: as much as threads may be ahead of it.
  std::vector<turns::turn> given_to(std::size_t stream) const {
    std::vector<turns::turn> all;
    for (std::size_t n = 0; n < where_.plan.tasks(); ++n) {
      const std::size_t told = work_.told(n);
      if (work_.stream_of(n) != stream || told == activity::none) continue;
      for (std::size_t p = told + 1 - (std::min)(told + 1, where_.in_flight()); p <= told; ++p)
        if (where_.runs_in(n, p)) all.push_back({n, p});
    }
    std::sort(all.begin(), all.end(), [this](const turns::turn& a, const turns::turn& b) {
      return a.progress != b.progress ? a.progress < b.progress
                                      : work_.place(a.node) < work_.place(b.node);
    });
    return all;
  }

  std::string line(std::size_t stream) const {
    const std::vector<turns::turn> given = given_to(stream);
    if (given.empty()) return "has been given nothing yet";
    std::size_t open = given.size();
    while (open > 0 && work_.of(given[open - 1].node, given[open - 1].progress) != state::done)
      --open;
    if (open == given.size())
      return "has finished all that it was given, " + name_of(given.back()) + " last";
    // It is at one of those from `open` up to `at`.
    std::size_t at = open;
    while (at < given.size() && work_.of(given[at].node, given[at].progress) == state::unknown)
      ++at;
    if (at == given.size()) return "is not known to have finished " + listed(given, open, at);
    const turns::turn& work = given[at];
    const std::string before =
        at == open ? ""
                   : "; before that, it is not known to have finished " + listed(given, open, at);
    if (!is_pending(work))
      return "has not finished all that it was given, " + name_of(given.back()) + " last";
    return "has not finished " + name_of(work) + begun(work, at == open) + before;
  }
  /// Whether work has begun. \p is_next: the stream has done all that comes before.
  std::string begun(const turns::turn& work, bool is_next) const {
    if (work_.in_wide_graph(work.node)) return ", which is launched in a graph with others";
    const std::vector<turns::turn> waits = awaited(work);
    const std::vector<turns::turn> pending = pending_of(waits);
    std::string all;
    for (const turns::turn& w : pending.empty() ? waits : pending)
      all += (all.empty() ? "" : ", and for ") + told_of(w);
    if (!pending.empty()) return ", nor begun it: it waits for " + all;
    if (!waits.empty()) return "; it may wait for " + all;
    return is_next ? ", which waits for nothing any more" : "";
  }
  std::string listed(const std::vector<turns::turn>& some, std::size_t from, std::size_t to) const {
    std::string all;
    constexpr std::size_t most = 8;
    for (std::size_t i = from; i < to && i < from + most; ++i)
      all += (i > from ? ", " : "") + name_of(some[i]);
    return to - from > most ? all + " and what follows" : all;
  }

  const turns& where_;
  const activity& now_;
  const device_work& work_;
};

}  // namespace stretto::watch::detail
