// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/fields.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The runtime version: pipelines whose shape is known only when the program runs. The same words
/// as in a schedule of types, the same rules and plans, made by the same code.
namespace stretto::dynamic {

/// Where batches enter: the slot that each batch is put into.
struct source {
  std::string slot{};              ///< empty: the schedule has no source, and cannot be run
  std::optional<int> lookahead{};  ///< default: the deepest of the tasks
  std::string thread = "caller";
  int weight = 0;
  bool collective = false;  ///< ranks agree before each batch whether all have one: `agreed_end`
  /// What becomes of a batch on which it throws: "drop", see `stretto::on_failure`; empty: the run
  /// ends.
  std::string on_failure{};
  int max_failures = 0;  ///< how often at most in a run; 0: any number of times
};

/// Copies of a slot beyond those that the batches in flight need.
struct slack {
  std::string slot{};
  int copies = 1;
};

/// A slot whose values view into those of another, which stay as long as it is used: see
/// `stretto::points_into`.
struct points_into {
  std::string slot{};
  std::string into{};
  friend bool operator==(const points_into&, const points_into&) = default;
};

/// What a schedule says of a thread group beyond its tasks.
struct thread_group {
  std::string thread{};
  int queue = 0;    ///< batches that may wait between the group and others; 0: no queue
  int workers = 1;  ///< host threads that run it, each every N-th batch
};

/// The type of a slot, where no callable tells it.
struct typed_slot {
  std::string slot{};
  const slot_type* type = nullptr;  ///< null: only its spelling is known, which running ignores
  std::string cpp{};                ///< as C++ spells it, for files and generated headers
};

struct schedule;

namespace detail {
/// Throws the `usage_error` of who asks for a task that there is not.
[[noreturn]] STRETTO_INLINE void refuse_task(const schedule& s, std::string_view name);
}  // namespace detail

/// A whole schedule as a value: fill it in, change it, plan it, run it. Copies are independent.
struct schedule {
  std::string name = "schedule";
  std::vector<std::string> streams{};
  std::vector<std::string> thread_names{};  ///< the thread groups that there are; empty: any
  dynamic::source source{};
  std::vector<std::string> results{};
  std::vector<task> tasks{};
  std::vector<std::vector<std::string>> orders{};  ///< each a list of tasks, in order in a progress
  std::vector<slack> slacks{};
  std::vector<thread_group> groups{};
  std::string caller_runs = "caller";  ///< the thread group that the calling thread runs
  int generated = 0;           ///< lay tasks without a thread out over N threads; 0: by stream
  bool strict = false;         ///< the original engine's verdicts, too
  bool frugal = false;         ///< as `frugal`: no spare copies
  bool serial = false;         ///< one batch after the other: see `dynamic::serial`
  bool pipelined = false;      ///< lookaheads are raised: see `dynamic::pipelined`
  int max_in_flight = 0;       ///< as `max_in_flight<N>`; 0: no bound
  std::int64_t max_bytes = 0;  ///< as `max_bytes<N>`, of slots whose types are known; 0: no bound
  std::string results_on{};    ///< the stream in whose order results are handed out; empty: none
  std::vector<typed_slot> types{};
  std::vector<points_into> points{};  ///< slots whose values view into those of others
  std::string schema{};           ///< `$schema` of its file, by which editors complete and check it
  std::string role{};             ///< of a `projection`: that of the rank which runs it
  std::vector<schedule> whole{};  ///< of a `projection`: the schedule of all ranks, one

  /// The task of that name. Throws `usage_error` if there is none.
  task& at(std::string_view task_name) { return *demand(find(task_name), task_name); }
  const task& at(std::string_view task_name) const { return *demand(find(task_name), task_name); }

  /// The task of that name, or null: to ask whether there is one.
  task* find(std::string_view task_name) { return found(tasks, task_name); }
  const task* find(std::string_view task_name) const { return found(tasks, task_name); }

  /// Says the type of a slot's values.
  template <slot_value Type>
  schedule& slot(std::string slot_name) {
    types.push_back({std::move(slot_name), &type_of<Type>(), {}});
    return *this;
  }

 private:
  template <class Task>
  Task* demand(Task* named, std::string_view task_name) const {
    if (named == nullptr) detail::refuse_task(*this, task_name);
    return named;
  }
  template <class Tasks>
  static auto found(Tasks& all, std::string_view name) -> decltype(all.data()) {
    for (auto& t : all)
      if (t.name == name) return &t;
    return nullptr;
  }
};

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/values/schedule.ipp>
#endif
