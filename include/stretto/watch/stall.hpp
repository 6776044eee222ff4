// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/plan/text/plan_writer.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/text/in_units.hpp>
#include <stretto/text/shown.hpp>
#include <stretto/watch/activity.hpp>
#include <stretto/watch/device_work.hpp>
#include <stretto/watch/stalled_streams.hpp>
#include <stretto/watch/turns.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::watch::detail {

/// What a run waits for before its first batch, as far as its pipeline can tell.
struct awaited_before {
  std::vector<bool> threads{};    ///< by host thread: none is attached as that one
  runner::missing_ranks ranks{};  ///< have not begun the run

  bool lacks_thread(std::size_t host) const { return host < threads.size() && threads[host]; }
  bool lacks_threads() const {
    return std::find(threads.begin(), threads.end(), true) != threads.end();
  }
  bool any() const { return lacks_threads() || ranks.count > 0; }
};

/// Where the threads of a run are, by what a monitor saw of them, and what the plan has those wait
/// for that run nothing.
class stall {
 public:
  /// \p meets: whether threads meet after each progress. \p work: what a device has said; null:
  /// there is none, or it has said nothing. \p before: what the pipeline has said.
  stall(const planner::plan_view& p, bool meets, const activity& now,
        const device_work* work = nullptr, awaited_before before = {})
      : plan_(p),
        meets_(meets),
        now_(now),
        where_(p, now),
        work_(work),
        before_(std::move(before)) {}

  /// What a monitor can see that needs nobody to look after it: no batch is in flight, and whoever
  /// pulls is in the source, whose next batch is wanted.
  bool waits_for_source() const {
    if (now_.in_flight() != 0 || has_failed()) return false;
    for (const activity::thread_row& t : now_.threads)
      if (t.runs_a_task) return t.task == pull();
    return false;
  }

  std::string text() const {
    std::string all = "batches in flight: ";
    all += now_.in_flight() == 0   ? "none"
           : now_.in_flight() == 1 ? std::to_string(now_.first + now_.through)
                                   : std::to_string(now_.first + now_.through) + " to " +
                                         std::to_string(now_.first + now_.begun - 1);
    if (has_failed())
      all += "\n  the run has failed: " + name_of(now_.failed_task) + " on batch " +
             std::to_string(now_.failed_batch);
    std::size_t host = 0;
    for (std::size_t thread = 0; thread < plan_.threads.size(); ++thread)
      for (std::size_t worker = 0; worker < where_.workers(thread); ++worker, ++host)
        if (host < now_.threads.size()) all += "\n" + line(thread, worker, host);
    if (work_ != nullptr) all += stalled_streams(where_, now_, *work_).text();
    return all;
  }

 private:
  using turn = turns::turn;

  /// How many runs a task has for the batches before one.
  static std::size_t runs_before(const planner::rate& r, std::size_t batch) {
    const auto phase = static_cast<std::size_t>(r.phase);
    return batch <= phase ? 0 : (batch - 1 - phase) / static_cast<std::size_t>(r.every) + 1;
  }
  /// Whether a task has done a batch, of this run or of those before.
  bool has_done(std::size_t node, std::size_t batch) const {
    if (node == pull() && now_.dry) return true;  // it has none
    const planner::rate r = where_.rate_of(node);
    return now_.tasks[node].batches + runs_before(r, now_.first) >= runs_before(r, batch + 1);
  }
  std::size_t pull() const { return where_.pull(); }
  std::string quoted(std::string_view name) const { return "`" + text::shown(name) + "`"; }
  std::string name_of(std::size_t node) const { return quoted(now_.tasks[node].name); }

  bool has_failed() const { return now_.failed_task != activity::none; }

  std::string line(std::size_t thread, std::size_t worker, std::size_t host) const {
    const activity::thread_row& t = now_.threads[host];
    const std::string who = "  thread " + quoted(t.name);
    const std::string long_ago = " for " + text::in_units(t.since);
    if (before_.any() && t.task == activity::none)
      return who + (host == 0                    ? awaited_by_caller(long_ago)
                    : before_.lacks_thread(host) ? " is not there: let one call attach(\"" +
                                                       text::shown(plan_.threads[thread]) + "\")"
                                                 : " waits for the run to begin");
    if (t.runs_a_task)
      return who + (t.task == pull() ? " has asked the source for batch " : " has been in ") +
             (t.task == pull() ? "" : name_of(t.task) + " on batch ") + std::to_string(t.batch) +
             long_ago + (has_failed() ? ", and the run cannot end before it leaves that" : "");
    const turn next = where_.next_of(thread, worker, t);
    const std::string loop =
        has_failed() ? " has waited for the others to leave the run, or been in the loop over "
                       "results, or elsewhere,"
                     : " has been in the loop over results, or elsewhere,";
    if (next.node == activity::none)
      return who + (thread == 0 ? loop + long_ago : " has nothing to run");
    if (is_cut_off(next)) return who + (thread == 0 ? loop + long_ago : " has nothing more to run");
    std::vector<std::string> reasons = awaited(next);
    if (reasons.empty()) reasons = awaited_of_streams(next);
    if (!reasons.empty()) return who + " has waited" + long_ago + to_run(next, reasons);
    if (next.node == where_.deliver()) {
      // Whether it has handed out the batch is not told to observers.
      const turn behind = where_.next_after(thread, next);
      if (behind.node != activity::none && awaited(behind).empty())
        reasons = awaited_of_streams(behind);
      if (!reasons.empty())
        return who + " has been in the loop over results, or has waited," + long_ago +
               to_run(behind, reasons);
    }
    if (waits_for_all_streams(next))
      return who + " has run nothing" + long_ago + ": " + named(next) +
             " comes after all that streams have been given";
    if (thread == 0) return who + loop + long_ago;
    return who + " has run nothing" + long_ago + ": " + named(next) +
           (meets_ ? " waits for the threads to meet" : " may begin, if there is such a batch");
  }
  /// Whether a failure has left nothing of it to run.
  bool is_cut_off(const turn& next) const {
    return has_failed() && next.progress >= now_.failed_batch + plan_.lag[next.node];
  }
  /// Before the first batch.
  std::string awaited_by_caller(const std::string& long_ago) const {
    const std::string waits = " has waited" + long_ago + " for ";
    const auto [first, count] = before_.ranks;
    const std::string rank = "rank " + std::to_string(first);
    if (count == 0) return waits + "threads to be attached";
    if (count == 1) return waits + rank + " to begin its run";
    return waits + std::to_string(count) + " ranks to begin their runs, " + rank + " among them";
  }
  std::string named(const turn& t) const {
    return name_of(t.node) + " on batch " + std::to_string(t.progress - plan_.lag[t.node]);
  }
  std::string to_run(const turn& next, const std::vector<std::string>& reasons) const {
    std::string all = " to run " + named(next) + ", which comes after ";
    for (std::size_t r = 0; r < reasons.size(); ++r) all += (r > 0 ? ", " : "") + reasons[r];
    return all;
  }

  bool waits_for_all_streams(const turn& next) const {
    return work_ != nullptr && work_->host_waits_for_all() &&
           work_->stream_of(next.node) == activity::none;
  }
  /// What a thread waits for that streams have yet to do before it runs a node of the host.
  std::vector<std::string> awaited_of_streams(const turn& next) const {
    std::vector<std::string> all;
    if (work_ == nullptr || work_->stream_of(next.node) != activity::none) return all;
    const stalled_streams streams(where_, now_, *work_);
    for (const turn& w : streams.awaited(next))
      all.push_back(streams.told_of(w, " (" + reason_of(w, next) + ")"));
    return all;
  }
  std::string reason_of(const turn& producer, const turn& consumer) const {
    const auto delta = static_cast<int>(consumer.progress - producer.progress);
    // That of a wait which is in no schedule: see `run_ahead_bound`.
    planner::edge found{producer.node,         consumer.node, delta,
                        planner::reason::room, planner::none, 0};
    for (const planner::edge& e : plan_.edges)
      if (e.producer == producer.node && e.consumer == consumer.node && e.delta == delta) found = e;
    return reason_of(found);
  }
  std::string reason_of(const planner::edge& e) const {
    planner::plan_writer reason(plan_, planner::add_for_person);
    reason.at = e;
    reason.write("$w");
    return std::string(reason.text.text());
  }

  /// Whose run a task waits for, with the reason, by the edges of the plan.
  std::vector<std::string> awaited(const turn& next) const {
    std::vector<std::string> all;
    planner::list<std::size_t> seen;
    planner::list<planner::edge> edges(plan_.edges);
    // With those that hand out no batch before all of it is done.
    if (!meets_) edges.append(plan_.run_ahead_waits);
    for (const planner::edge& e : edges) {
      if (e.consumer != next.node || plan_.thread_of[e.producer] == plan_.thread_of[next.node])
        continue;
      const std::size_t back = static_cast<std::size_t>(e.delta) + plan_.lag[e.producer];
      const activity::task_row& producer = now_.tasks[e.producer];
      // Handing out results without work on them is not told to observers.
      const bool untold = e.producer > pull() && producer.runs.count == 0;
      if (next.progress < back || untold) continue;
      if (next.progress - back < now_.first || has_done(e.producer, next.progress - back)) continue;
      bool known = false;
      for (const std::size_t s : seen) known = known || s == e.producer;
      if (known) continue;
      seen.push_back(e.producer);
      all.push_back(name_of(e.producer) + " on batch " + std::to_string(next.progress - back) +
                    " (" + reason_of(e) + ")");
    }
    return all;
  }

  const planner::plan_view& plan_;
  bool meets_;
  const activity& now_;
  turns where_;
  const device_work* work_;
  awaited_before before_;
};

}  // namespace stretto::watch::detail
