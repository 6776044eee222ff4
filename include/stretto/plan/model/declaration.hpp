// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <stretto/declare/name.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>

/// The planner: ordinary `constexpr` code over small structs indexed by task number. Types, files
/// and run-time builders all come in through `declaration`.
namespace stretto::planner {

inline constexpr std::size_t none = static_cast<std::size_t>(-1);

/// A slot, at the offset (batches ahead of the training step) at which a task touches it.
struct access {
  name slot{};
  int offset = 0;
  bool given = false;   ///< the offset is; so `pipelined` leaves its task where it is
  int ago = 0;          ///< of a read: how many batches before the one at hand; those of the slot
  bool takes = false;   ///< of a read: the task takes the value, so it is the last to use it
  bool latest = false;  ///< of a read: what was written last, as it was `ago` batches before
  bool in_window = false;  ///< of a read: one of those of a `window`
  int items = 0;  ///< of the slot, for each call of the task; 0: the one value of the batch
};

/// A task named in a dependency field; `ago` batches earlier in `cross_iter_depends_on`.
struct dependency {
  name task{};
  int ago = 0;
};

/// The most batches of which a task runs for one.
inline constexpr int most_rate = most_batches;

/// What one task declares.
struct task {
  name id{};
  std::string_view stream{};  ///< empty: a host task
  std::string_view thread{};  ///< empty: by stream, or as generated
  int lookahead = 0;
  int stage = 0;  ///< in a serial plan: the lookahead that the task would have in another
  bool collective = false;
  std::string_view communicator{};  ///< of a collective: as it is stated; empty: the usual one
  int weight = 1;  ///< how long it takes for a batch, in a unit that all tasks share; not negative
  int calls = 1;   ///< how often it is called for a batch: see repetitions.hpp
  int every = 1;   ///< runs for one of N batches, this is N
  int phase = last_of_group;      ///< how many batches of such a group come before that one
  bool and_at_end = false;        ///< runs for what is left of a group at the end, too
  std::string_view on_failure{};  ///< what becomes of a batch on which it throws; empty: all ends
  int max_failures = 0;           ///< how often at most in a run, if that is not all; 0: any number
  bool drops = false;             ///< its body returns a verdict
  bool suspends = false;          ///< its body is a coroutine: see derive/threads.hpp
  view<access> reads{};
  view<access> writes{};
  view<dependency> depends_on{};
  view<dependency> cross_iter_depends_on{};
  view<dependency> same_progress_sync{};
  view<name> observes{};
  view<name> mutates{};
  std::string_view role{};  ///< of the ranks that it runs on; empty: all; of a transfer, who sends
  view<std::string_view> to{};  ///< of a transfer: the roles that receive the slot it writes
};

/// Whether a task takes what one rank has in a slot to others.
constexpr bool is_transfer(const task& t) { return !t.to.empty(); }

/// What `on_failure` of a task says that drops batches on which it throws.
inline constexpr std::string_view drops_it = "drop";
/// Whether a task drops batches on which it throws.
constexpr bool drops_failures(const task& t) { return t.on_failure == drops_it; }
/// Whether a task may drop batches: by its verdict, or when it fails.
constexpr bool may_drop(const task& t) { return t.drops || drops_failures(t); }
/// Whether it may only when it fails.
constexpr bool only_drops_failures(const task& t) { return !t.drops && drops_failures(t); }

/// The communicator that collectives use which name none.
inline constexpr std::string_view usual_communicator = "world";
/// The name of the communicator of a collective; empty for another task.
constexpr std::string_view communicator_of(const task& t) {
  if (!t.collective) return {};
  return t.communicator.empty() ? usual_communicator : t.communicator;
}

inline constexpr int deepest = (std::numeric_limits<int>::min)();
inline constexpr std::string_view caller = "caller";

/// Where batches enter the pipeline. No slot name: the pipeline has no source slot.
struct source {
  name slot{};
  int lookahead = deepest;
  std::string_view thread = caller;
  int weight = 0;           ///< how long pulling takes
  bool collective = false;  ///< ranks agree whether each has a batch
};

/// A thread map that `generate` made.
struct layout_view {
  view<std::size_t> order{};      ///< nodes of one progress
  view<std::size_t> thread_of{};  ///< by node, into `threads_of` the declaration
};

/// Copies of a slot beyond those that the batches in flight need.
struct slack {
  name slot{};
  std::size_t copies = 0;
};

/// A slot whose values view into those of another.
struct pointing {
  name slot{};
  name into{};
};

/// What a schedule says of a thread group beyond its tasks.
struct thread_group {
  std::string_view thread{};
  int queue = 0;    ///< batches that may wait between the group and others
  int workers = 1;  ///< host threads that run its chain, each every N-th progress
};

/// A task's turn in an order that the user gives: within a progress it runs after the turn before
/// it that has the same list.
struct turn {
  name task{};
  std::size_t list = 0;
};

/// The bytes that a copy of a slot takes, with the cache lines around it.
struct slot_size {
  name slot{};
  std::size_t bytes = 0;
};

/// What a plan must not exceed; 0: no bound.
struct plan_bounds {
  int in_flight = 0;        ///< batches
  std::size_t bytes = 0;    ///< of all copies of slots
  view<slot_size> sizes{};  ///< for `bytes`; slots of unknown size are not counted
};

/// A whole schedule as values: what the rules check and the plan is made of.
struct declaration {
  view<task> tasks{};
  view<std::string_view> streams{};
  source from{};
  view<name> results{};
  view<slack> slacks{};
  view<turn> turns{};
  view<pointing> points{};
  view<thread_group> groups{};            ///< those with a queue or workers; not if generated
  std::string_view caller_runs = caller;  ///< the thread group that the calling thread runs
  std::string_view results_on{};  ///< the stream in whose order results are handed out; empty: none
  bool strict = false;            ///< the original engine's verdicts, too: no history
  bool frugal = false;            ///< no copies beyond those needed and the slack asked for
  bool serial = false;            ///< one batch after the other; tasks keep their stages
  std::size_t generated = 0;      ///< lay tasks without a thread out over N threads; 0: by stream
  bool pipelined = false;         ///< lookaheads are raised so that threads and streams overlap
  layout_view layout{};           ///< the generated map, if it is known already
  plan_bounds within{};           ///< what the plan must not exceed
  view<std::string_view> thread_names{};  ///< the thread groups that there are; empty: any
  view<int> raised{};  ///< if pipelined: by task, then `pull`, how much further ahead; empty: none
};

/// Whether a declaration says how long anything takes.
constexpr bool has_weights(const declaration& d) {
  bool says = d.from.weight != source{}.weight;
  for (const task& t : d.tasks) says = says || t.weight != task{}.weight;
  return says;
}

}  // namespace stretto::planner
