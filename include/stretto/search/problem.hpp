// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// Schedules that are looked for: lookaheads, threads and an order for tasks of known cost. Values
/// only; what is a user's is turned into them by `<stretto/search.hpp>`.
namespace stretto::search {

/// Numbers tasks, nodes, threads, resources and slots.
using number = std::uint32_t;

/// No task, no thread: none of what numbers stand for.
inline constexpr number no_number = (std::numeric_limits<number>::max)();
/// As many bytes as it takes.
inline constexpr long long no_limit = (std::numeric_limits<long long>::max)();

/// What is asked for. Nodes are the tasks, then `pull`, then `deliver`; on a device then, by task,
/// what it does, while the task itself is what a thread does to submit that. Times are in any one
/// unit.
struct problem {
  struct task {
    long long weight = 0;       ///< what it takes for a batch
    bool host = true;           ///< a host thread runs it
    number thread = no_number;  ///< the one that has to; none: any
    std::vector<number> on{};   ///< resources that it holds while it runs: streams, communicators
    int least = 0;              ///< lookahead
    int most = (std::numeric_limits<int>::max)();
    bool submits = false;           ///< a device does the work, in the order of submissions
    long long device = 0;           ///< how long that takes
    std::vector<number> engines{};  ///< resources that the device holds meanwhile
  };
  /// What is written once for a batch, and read; each copy of it takes so many bytes.
  struct slot {
    struct reader {
      number node = 0;
      int ago = 0;  ///< it reads what was written for the batch so many before
    };
    long long bytes = 0;
    number writer = 0;
    std::vector<reader> readers{};

    /// How many batches before the one at hand it is read at the earliest.
    int earliest() const {
      int most = 0;
      for (const reader& r : readers) most = r.ago > most ? r.ago : most;
      return most;
    }
  };
  /// `to` on a batch comes after `from` on the batch \c ago before.
  struct arc {
    number from = 0;
    number to = 0;
    int ago = 0;
    bool on_host = false;  ///< of what threads do, not of what a device does for it
  };

  std::vector<task> tasks{};
  std::vector<slot> slot_list{};
  std::vector<arc> arcs{};
  /// By progress in place of batch: at each one `to` comes after `from` at the one \c ago before.
  std::vector<arc> progresses{};
  number threads = 0;  ///< host threads
  number offered =
      no_number;  ///< those that a task may be on that has to be on none: the first ones
  /// Threads of `pull` and `deliver`, to count what is handed over; those past the others run no
  /// task. None: nothing is handed to them, or by them.
  number pulling = no_number;
  number delivering = no_number;
  number resources = 0;
  int in_flight = 1;           ///< at most so many batches
  long long bytes = no_limit;  ///< of all copies, at most
  long long pull_weight = 0;
  bool device = false;  ///< some task submits

  number choices() const { return offered < threads ? offered : threads; }
  number pull() const { return static_cast<number>(tasks.size()); }
  number deliver() const { return pull() + 1; }
  number nodes() const { return pull() + 2; }
  number all_nodes() const { return device ? nodes() + pull() : nodes(); }
  bool submits(number node) const { return node < tasks.size() && tasks[node].submits; }
  /// The node that is through with a task when others may go on: its own, or what a device does.
  number done(number node) const { return submits(node) ? nodes() + node : node; }
  number task_of(number node) const { return node < nodes() ? node : node - nodes(); }
  long long weight(number node) const {
    return node >= nodes()       ? tasks[task_of(node)].device
           : node < tasks.size() ? tasks[node].weight
           : node == pull()      ? pull_weight
                                 : 0;
  }
  /// Calls \p wait with nodes of which the second waits for the first if \p to waits for \p from:
  /// what is submitted waits on its stream, and is submitted when that is which it waits for.
  template <class Wait>
  void each_wait(number from, number to, Wait wait) const {
    if (!submits(to) || !submits(from)) wait(done(from), to);
    if (submits(to) && submits(from)) {
      wait(from, to);
      wait(done(from), done(to));
    }
  }
  int most_ahead(number t) const {
    return tasks[t].most < in_flight ? tasks[t].most : in_flight - 1;
  }
};

namespace detail {

/// Whether two tasks that hold these resources exclude each other.
inline bool share(const std::vector<number>& a, const std::vector<number>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](number r) { return std::find(b.begin(), b.end(), r) != b.end(); });
}

}  // namespace detail

/// A schedule of the tasks of a problem.
struct answer {
  std::vector<int> lookahead{};  ///< by task
  std::vector<number> thread{};  ///< by task; none: no host thread runs it
  std::vector<number> order{};   ///< tasks, in that of one progress
  std::vector<int> copies{};     ///< by slot
  int in_flight = 1;
};

}  // namespace stretto::search
