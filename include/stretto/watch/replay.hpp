// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stretto/declare/name.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/stand_in.hpp>
#include <stretto/text/shown.hpp>
#include <stretto/watch/recording.hpp>
#include <stretto/watch/replay_result.hpp>
#include <stretto/watch/stretches.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto {

/// What a `replay` records.
struct recording_options {
  /// Which tasks, by name.
  std::vector<std::string> tasks;
  /// On how many batches, from the first one of the run on. All that they write is copied.
  std::size_t batches = 256;
  /// Whether what all other tasks write is kept, too, to be compared with.
  bool compare = false;
};

/// How a `replay` plays a recording.
struct replay_options {
  /// Which of the recorded tasks, by name; none: all.
  std::vector<std::string> tasks{};
  /// On how many batches in a row one task is replayed, and then none on as many. More than three
  /// times the batches in flight.
  std::size_t stretch = 16;
  /// How many runs there is room for.
  std::size_t most_runs = 16;
  /// What tasks are drawn by.
  std::uint64_t seed = 1;
  /// Whether what tasks do that are not replayed is compared with what they did when it was
  /// recorded. Nothing is timed then.
  bool compare = false;
};

namespace watch::detail {

/// A `replay` that tells the time by any clock.
template <class Clock>
class replay_by : public stretches<Clock> {
  using base = stretches<Clock>;
  using base::none;

 public:
  using typename base::clock;
  using typename base::seconds;

  /// Names types of values of slots, and of callables that have `capture` and `restore`, so that
  /// they can be recorded. For the runtime version: types say by themselves what theirs are.
  template <class... Type>
  void knows() {
    (know<Type>(has_effects<Type> ? &nothing_known : &values_of<Type, has_effects<Type>>,
                &effects_of<Type>),
     ...);
  }
  template <class Task, class... Value>
  void knows_task() {
    know<Task>(&nothing_known, &effects_of<Task>);
    (know<Value>(&values_of<Value>, &nothing_known), ...);
  }

  /// Records the next run. What the recording had is dropped. Throws `usage_error` while a run goes
  /// on, and if a task cannot be replayed: the error says why.
  void record(recording& into, const recording_options& how) {
    refuse_while_running();
    if (how.tasks.empty()) throw usage_error("a recording is of some task: say of which, `tasks`");
    if (how.batches == 0) throw usage_error("a recording is of one batch at least");
    std::vector<recording::row> rows;
    std::vector<std::size_t> playing(tasks_.size(), none);
    for (const std::string& name : how.tasks) {
      const std::size_t task = number_of(name);
      if (playing[task] != none)
        throw usage_error(quoted(name) + " is listed twice in what is to be recorded");
      if (const std::string why = obstacle(task); !why.empty())
        throw usage_error(quoted(name) + " cannot be replayed: " + why);
      playing[task] = rows.size();
      rows.push_back(row_of(task, how.batches));
      rows.back().replayed = true;
    }
    if (how.compare)
      for (std::size_t task = 0; task < tasks_.size(); ++task) {
        if (playing[task] != none || this->is_on_device(task) || tasks_[task].pointing ||
            tasks_[task].items)
          continue;
        playing[task] = rows.size();
        rows.push_back(row_of(task, how.batches));
      }
    if (how.compare && !any_compared(playing))
      throw usage_error(
          "nothing that tasks write can be compared: let a type have `operator==`, or specialise "
          "`stretto::recorded_value` for it, with `same`");
    // Another tape: somebody may play what it had. It has no batches until the run has ended.
    tape_ = into.tape_ = std::make_shared<recording::tape>();
    tape_->rows = std::move(rows);
    tape_->of_all = how.compare;
    playing_ = std::move(playing);
    doing_ = mode::recording;
    this->begin_anew({.stretch = std::size_t{1} << 30U});
  }

  /// Plays a recording in the runs to come, which begin as the run began that was recorded: with
  /// its batches, and all that tasks change as it was then. What earlier runs came to is
  /// forgotten. Throws `usage_error` while a run goes on,
  /// and if the recording is of other tasks or too short; a run does that begins with another
  /// batch.
  void play(const recording& of, const replay_options& how = {}) {
    refuse_while_running();
    if (how.stretch < 2) throw usage_error("a replay needs stretches of two batches and more");
    if (how.most_runs == 0) throw usage_error("a replay has room for one run at least");
    if (of.batches() == 0)
      throw usage_error(
          "there is nothing in the recording: `record` it, in a run that has ended by now");
    const recording::tape& tape = *of.tape_;
    const std::size_t stretches_of_a_run = tape.batches / how.stretch;
    if (stretches_of_a_run < 3)
      throw usage_error("a recording of " + std::to_string(tape.batches) +
                        " batches has fewer than three stretches of " +
                        std::to_string(how.stretch) +
                        " batches: record more, or let `stretch` be "
                        "less");
    std::vector<std::size_t> playing(tasks_.size(), none);
    std::vector<std::size_t> turn;
    for (std::size_t r = 0; r < tape.rows.size(); ++r) {
      const recording::row& row = tape.rows[r];
      const std::size_t task = number_of(row.task);
      check_alike(row, task);
      playing[task] = r;
      const bool chosen = how.tasks.empty() || std::find(how.tasks.begin(), how.tasks.end(),
                                                         row.task) != how.tasks.end();
      if (row.replayed && chosen) turn.push_back(task);
    }
    for (const std::string& name : how.tasks)
      if (const std::size_t t = number_of(name);
          std::find(turn.begin(), turn.end(), t) == turn.end())
        throw usage_error(quoted(name) + " is not in the recording");
    if (how.compare && !tape.of_all)
      throw usage_error(
          "the recording has nothing to compare with: record it with `.compare = true`");
    played_ = of.tape_;
    playing_ = std::move(playing);
    turn_ = std::move(turn);
    compares_ = how.compare;
    stretch_ = how.stretch;
    doing_ = mode::playing;
    tally_ = std::make_unique<tally>();
    this->begin_anew({how.stretch, stretches_of_a_run * how.most_runs, stretches_of_a_run, how.seed,
                      std::chrono::nanoseconds::zero()});
  }

  void replaces(const runner::replaceable_task& task, const planner::declaration& d) {
    if (task.number == 0) tasks_.clear();
    facts f;
    f.name = task.declared->id.text;
    f.object = task.object;
    f.callable = task.type.address;
    f.is_const = task.is_const;
    f.is_shared = task.is_shared;
    f.collective = task.declared->collective;
    f.drops = planner::may_drop(*task.declared);
    for (const planner::access& a : task.declared->writes) f.items = f.items || a.items > 0;
    for (const name& r : task.declared->mutates) f.changes.emplace_back(r.text);
    for (const runner::written_slot& s : task.writes) {
      f.writes.push_back({std::string(s.name), s.type.address, std::string(s.type.name)});
      for (const planner::pointing& p : d.points)
        if (p.slot.text == s.name) f.pointing = true;
    }
    tasks_.push_back(std::move(f));
  }

  void run_begins() {
    if (doing_ == mode::nothing)
      throw usage_error(
          "a replay has to be told what to do in this run: `pipeline.observer().record(recording, "
          "{.tasks = {\"decode\"}})`, and in another pipeline `play(recording)`");
    if (doing_ == mode::playing && this->first_batch() != played_->first_batch)
      throw usage_error("this run begins with batch " + std::to_string(this->first_batch()) +
                        ", and the one that was recorded with batch " +
                        std::to_string(played_->first_batch) +
                        ": a recording stands in for the batches that it is of");
    this->begin_run(doing_ == mode::playing ? turn_ : std::vector<std::size_t>{}, "replay");
  }
  void run_ended() {
    base::run_ended();
    if (doing_ == mode::recording) end_recording();
  }

  bool stand_in(std::size_t /*thread*/, std::size_t task, std::size_t number,
                std::span<void* const> written) {
    if (!replays(task, number)) return false;
    const recording::entry* const e = entry_of(task, number);
    for (std::size_t s = 0; s < written.size(); ++s) e->values[s].restore(written[s]);
    if (e->effects) e->effects.restore(tasks_[task].object);
    return true;
  }
  void body_done(std::size_t /*thread*/, std::size_t task, std::size_t number,
                 std::span<void* const> written) {
    if (doing_ == mode::recording) {
      keep(task, this->batch_of_run(number), written);
    } else if (compares_) {
      compare(task, number, written);
    }
  }
  void finished(std::size_t thread, std::size_t task, std::size_t number) {
    this->ended(thread, task, number, clock::now());
  }

  /// Whether a recording stands in for a task on a batch of the run that began last.
  bool replays(std::size_t task, std::size_t batch) const {
    return doing_ == mode::playing && this->tried_on(task, batch) != nullptr &&
           entry_of(task, batch) != nullptr;
  }

  /// What came of the runs that have ended in which a recording was played. Throws `usage_error` if
  /// stretches were too short for the batches in flight.
  replay_result result() const {
    replay_result all;
    all.batches = stretch_;
    for (const facts& f : tasks_) all.tasks.emplace_back().task = f.name;
    if (played_ == nullptr) return all;
    // Relaxed: no run is on.
    all.compared = tally_->compared.load(std::memory_order_relaxed);
    all.timed = !compares_;
    if (compares_) return all;
    const auto came = this->what_came("replay");
    all.period = came.period;
    for (const auto& c : came.all) all.tasks[c.tried.task].saved.push_back(c.before - c.period);
    for (std::size_t t = 0; t < all.tasks.size(); ++t) {
      all.tasks[t].time = this->time_of(t);
      all.tasks[t].replayed = this->time_of(t, true);
    }
    return all;
  }

 private:
  enum class mode { nothing, recording, playing };

  struct slot {
    std::string name;
    const char* type = nullptr;
    std::string type_name;
  };
  struct facts {
    std::string name;
    void* object = nullptr;
    const char* callable = nullptr;  // its type
    bool is_const = false;
    bool is_shared = false;
    bool collective = false;
    bool drops = false;
    bool pointing = false;
    bool items = false;
    std::vector<std::string> changes;  // resources
    std::vector<slot> writes;          // that it writes
  };
  /// What is known of a type.
  struct known {
    const char* type = nullptr;
    const keeping* values = nullptr;
    const keeping* effects = nullptr;
  };
  /// For several threads.
  struct tally {
    std::atomic<std::size_t> compared{0};
  };

  template <class Type, bool IsTask = false>
  static constexpr keeping values_of = [] {
    if constexpr (IsTask)
      return keeping{};
    else
      return keeping_of_values<Type>();
  }();
  template <class Type>
  static constexpr keeping effects_of = keeping_of_effects<Type>();
  static constexpr keeping nothing_known{};

  template <class Type>
  void know(const keeping* of_values, const keeping* of_effects) {
    if (find(&declare::identity<Type>) == nullptr)
      known_.push_back({&declare::identity<Type>, of_values, of_effects});
  }
  const known* find(const char* type) const {
    for (const known& k : known_)
      if (k.type == type) return &k;
    return nullptr;
  }
  const keeping& values(const slot& s) const {
    const known* const k = find(s.type);
    return k == nullptr ? nothing_known : *k->values;
  }
  const keeping& effects(const facts& f) const {
    const known* const k = find(f.callable);
    return k == nullptr ? nothing_known : *k->effects;
  }

  static std::string quoted(std::string_view name) { return "`" + text::shown(name) + "`"; }

  void refuse_while_running() const {
    if (this->is_running())
      throw usage_error(
          "a run is on: say what a replay is to do before it begins or when it has ended");
  }
  std::size_t number_of(std::string_view task) const {
    for (std::size_t t = 0; t < tasks_.size(); ++t)
      if (tasks_[t].name == task) return t;
    throw usage_error(quoted(task) + " is no task of this pipeline");
  }

  /// Why a task cannot be replayed; empty: it can.
  std::string obstacle(std::size_t task) const {
    const facts& f = tasks_[task];
    if (f.collective) return "it is a collective, and other ranks wait for what it does";
    if (this->is_on_device(task))
      return "it works on a device, and what it writes is not there when its body ends";
    if (f.drops)
      return "it may drop batches, and a recording has what is in slots, not whether there is "
             "anything";
    if (f.items)
      return "it produces items, of which a recording would have the first one of each batch";
    if (f.pointing)
      return "it writes a slot whose values point into another slot, which has other memory when "
             "it is replayed";
    for (const slot& s : f.writes) {
      if (find(s.type) == nullptr)
        return "it writes slot " + quoted(s.name) + ", which holds `" + s.type_name +
               "`: name that type, `pipeline.observer().knows<T>()`";
      if (values(s).copy == nullptr)
        return "it writes slot " + quoted(s.name) + ", which holds `" + s.type_name +
               "`: copies of that are not known to have all that is in it; specialise "
               "`stretto::recorded_value` for it";
    }
    if (effects(f).copy != nullptr)
      return f.is_shared ? "several workers call it at once, so that `capture` would find what it "
                           "did on other batches"
                         : "";
    const std::string members =
        find(f.callable) == nullptr
            ? "let its callable have members `capture() const` and `restore(captured)`, and name "
              "its type, `pipeline.observer().knows<T>()`"
            : "let it have members `capture() const`, which returns what it changes, and "
              "`restore(captured)`";
    if (!f.changes.empty())
      return "it changes resource " + quoted(f.changes.front()) + ", which is in no slot; " +
             members;
    if (!f.is_const)
      return "its call operator is not const, so it may change what is in no slot; " + members;
    return "";
  }

  /// Whether there is a slot whose values can be, that a task writes which is recorded.
  bool any_compared(const std::vector<std::size_t>& playing) const {
    for (std::size_t t = 0; t < tasks_.size(); ++t)
      for (const slot& s : tasks_[t].writes)
        if (playing[t] != none && values(s).same != nullptr) return true;
    return false;
  }

  recording::row row_of(std::size_t task, std::size_t batches) const {
    recording::row row;
    row.task = tasks_[task].name;
    for (const slot& s : tasks_[task].writes) {
      row.writes.push_back(s.name);
      row.types.push_back(s.type);
    }
    row.by_batch.resize(batches);
    return row;
  }
  void check_alike(const recording::row& row, std::size_t task) const {
    const std::vector<slot>& now = tasks_[task].writes;
    const bool alike =
        std::equal(now.begin(), now.end(), row.writes.begin(), row.writes.end(),
                   [](const slot& a, const std::string& b) { return a.name == b; }) &&
        std::equal(now.begin(), now.end(), row.types.begin(), row.types.end(),
                   [](const slot& a, const char* b) { return a.type == b; });
    if (!alike)
      throw usage_error("the recording is of another schedule: " + quoted(row.task) +
                        " writes other slots here");
    if (row.replayed)
      if (const std::string why = obstacle(task); !why.empty())
        throw usage_error(quoted(row.task) + " cannot be replayed: " + why);
  }

  /// Has the recording know of how many batches it is: fewer than asked for if the run had fewer.
  void end_recording() {
    std::size_t most = 0;
    auto common = static_cast<std::size_t>(-1);
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      if (playing_[t] == none || !tape_->rows[playing_[t]].replayed) continue;
      const std::size_t reached = this->batches_reached(t);
      most = (std::max)(most, reached);
      // Up to the next batch for which it would have run.
      const auto more = static_cast<std::size_t>(this->every(t)) - 1;
      common = (std::min)(common, reached == 0 ? 0 : reached + more);
    }
    tape_->batches = (std::min)({tape_->rows.front().by_batch.size(), most, common});
    tape_->first_batch = this->first_batch();
    tape_.reset();
    doing_ = mode::nothing;
  }

  void keep(std::size_t task, std::size_t batch, std::span<void* const> written) {
    if (playing_[task] == none) return;
    recording::row& row = tape_->rows[playing_[task]];
    if (batch >= row.by_batch.size()) return;
    recording::entry made;
    for (std::size_t s = 0; s < written.size(); ++s) {
      const keeping& how = values(tasks_[task].writes[s]);
      const bool keeps = how.copy != nullptr && (row.replayed || how.same != nullptr);
      made.values.push_back(keeps ? kept(how, written[s]) : kept());
    }
    if (const keeping& how = effects(tasks_[task]); row.replayed && how.copy != nullptr)
      made.effects = kept(how, tasks_[task].object);
    made.made = true;
    row.by_batch[batch] = std::move(made);
  }

  const recording::entry* entry_of(std::size_t task, std::size_t number) const {
    if (playing_[task] == none) return nullptr;
    const std::vector<recording::entry>& all = played_->rows[playing_[task]].by_batch;
    const std::size_t batch = this->batch_of_run(number);
    return batch < all.size() && all[batch].made ? &all[batch] : nullptr;
  }

  void compare(std::size_t task, std::size_t number, std::span<void* const> written) {
    const recording::entry* const e = entry_of(task, number);
    if (e == nullptr) return;
    for (std::size_t s = 0; s < written.size(); ++s) {
      if (!e->values[s] || values(tasks_[task].writes[s]).same == nullptr) continue;
      if (!e->values[s].same(written[s]))
        throw usage_error(
            quoted(tasks_[task].name) + " has written to slot " +
            quoted(tasks_[task].writes[s].name) + " what is not in the recording, for batch " +
            std::to_string(number) +
            ": a task that is replayed does what is neither in its slots "
            "nor in what it captures, or the run did not begin as the one that was recorded");
      // Relaxed: a number, which is read when the run has ended.
      tally_->compared.fetch_add(1, std::memory_order_relaxed);
    }
  }

  std::vector<facts> tasks_;
  std::vector<known> known_;
  mode doing_ = mode::nothing;
  std::shared_ptr<recording::tape> tape_;
  std::shared_ptr<const recording::tape> played_;
  std::vector<std::size_t> playing_;  // by task: its row in the recording
  std::vector<std::size_t> turn_;     // tasks that are replayed
  bool compares_ = false;
  std::size_t stretch_ = 16;
  std::unique_ptr<tally> tally_;
};

}  // namespace watch::detail

/// Observer that measures the exposed time of tasks by doing without theirs: in the place of a
/// task's body it puts what the body did on that batch in an earlier run, copies of what it wrote
/// to its slots and of what it changed besides, which its class declares by members `capture()
/// const` and `restore(captured)`. One task at a time, for a stretch of batches, and none for the
/// next stretch: how much less a batch takes then is what the task was exposed, measured and not
/// modelled.
///
///     st::recording tape;
///     {
///       st::pipeline<training, st::replay> pipeline(...);
///       pipeline.observer().record(tape, {.tasks = {"forward"}});
///       for (auto&& result : pipeline.run(source)) ...
///     }
///     st::pipeline<training, st::replay> pipeline(...);  // all is as the first one found it
///     pipeline.observer().play(tape);
///     for (auto&& result : pipeline.run(source)) ...
///     std::cout << pipeline.observer().result().text();
///
/// Both runs have the same batches and begin alike, so the second one computes what the first one
/// did, to the last bit; with `compare` it is checked that it does, which finds tasks that do more
/// than they declare.
///
/// Not for collectives, tasks on a device, and those that may drop batches. A pipeline without this
/// observer has nothing of it in its code. After the SWPipeline engine's `Shortcut` and
/// `DeclaredIO`, which replay one recorded iteration.
using replay = watch::detail::replay_by<std::chrono::steady_clock>;

}  // namespace stretto
