// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "surroundings.hpp"

namespace random_device {

struct planned_fault {};

/// Whether results are complete when they are handed out.
inline bool loop_on_host(const dynamic::schedule& s) { return s.serial || s.results_on.empty(); }

/// A run of a task of which another run must have ended before.
struct dependency {
  std::size_t node;
  long long further;  ///< its batch less the one of whoever waits
  const char* why;
};

/// What a run of a task works on.
struct operands {
  std::vector<const value*> in;  ///< null: there is no such batch
  std::vector<std::size_t> ago;  ///< by \c in; 0: the task's own
  std::vector<value*> out;
};

/// What all runs of a pipeline work on. Kernels say what they use of it, so the world tells of two
/// that are in no order.
class board {
 public:
  board(const dynamic::schedule& s, recording::world& w, std::size_t ranks = 1,
        std::size_t rank = 0)
      : s_(s), m_(s, ranks), rank_(rank), w_(&w), d_(w) {
    for (std::size_t n = 0; n < s.tasks.size(); ++n) {
      list_dependencies(n);
      on_stream_.push_back(!s.tasks[n].stream.empty());
    }
    for (std::size_t slot = 0; slot <= s.tasks.size(); ++slot) pinned_.push_back(is_pinned(slot));
    w.make_known(done_.data(), sizeof done_);
    w.make_known(resources_.data(), sizeof resources_);
    w.make_known(kernels_.data(), sizeof kernels_);
  }

  const model& expected() const { return m_; }
  value expected_result(std::size_t slot, std::size_t batch) const {
    return m_.of(batch, rank_).slots[slot];
  }
  bool pinned(std::size_t slot) const { return pinned_[slot]; }
  bool on_stream(std::size_t n) const { return on_stream_[n]; }
  /// Whether the body of a task knew in the last run of which batch it was.
  bool told_batch(std::size_t n) const { return calls_[n] == 0; }
  std::string slot_name(std::size_t slot) const {
    return slot == m_.tasks.size() ? std::string("source") : random_runs::slot_name(slot);
  }

  /// While no run is on.
  void begin(const run_plan& p) {
    plan_ = p;
    pulled = 0;
    requested = false;
    thrown = false;
    said_.clear();
    done_ = {};
    seen_ = {};
    times_ = {};
    calls_ = {};
    kernels_ = {};
    outdated_ = false;
  }
  /// From now on no kernel is to run that a body put on a stream before: graphs are forgotten.
  void renew() { ++version_; }

  bool pull(pinned_cell& into) {
    if (pulled == plan_.batches) return false;
    w_->host_writes(into.data(), sizeof(value));
    into[0] = random_runs::source_value(pulled++, rank_);
    return true;
  }

  /// The body of a task on the host.
  void host_body(std::size_t n, std::size_t batch, const operands& o) {
    disturb(n, batch);
    for (const recording::access& use : uses_of_batch(n, batch, o))
      use.writes ? w_->host_writes(use.at, use.bytes) : w_->host_reads(use.at, use.bytes);
    work(n, batch, o);
  }
  /// The body of a task on a stream; whether its kernel is there.
  bool body(std::size_t n, std::size_t batch, recording::stream s, operands o) {
    std::vector<recording::access> uses = uses_of_batch(n, batch, o);
    return put(n, batch, s, std::move(uses),
               [this, n, batch, o = std::move(o)] { work(n, batch, o); });
  }
  /// That of one that is not told the batch, because it may be captured: its kernel counts. Faults
  /// of a batch hit the call of that number.
  void uncounted_body(std::size_t n, recording::stream s, operands o) {
    std::vector<recording::access> uses = uses_of(n, o);
    uses.push_back(recording::writes(&kernels_[n], sizeof kernels_[n]));
    const auto batch_of = [this, n](std::size_t call) {
      return call * m_.tasks[n].every + m_.tasks[n].phase;
    };
    put(n, batch_of(calls_[n]++), s, std::move(uses),
        [this, n, batch_of, o = std::move(o), version = version_] {
          if (version != version_) outdated_ = true;
          if (const std::size_t batch = batch_of(kernels_[n]++); batch < most_batches)
            work(n, batch, o);
        });
  }

  /// After a run: what was wrong with it.
  std::string complaints() {
    if (outdated_) said_ += "a graph is launched that should have been forgotten\n";
    for (std::size_t n = 0; n < m_.tasks.size(); ++n)
      for (std::size_t b = 0; b < pulled; ++b) {
        if (times_[n][b] > 1) say(m_.tasks[n].name + " runs twice", b);
        if (times_[n][b] == 0) continue;
        for (std::size_t i = 0; i < waits_[n].size(); ++i) {
          const long long other = static_cast<long long>(b) + waits_[n][i].further;
          if (other >= 0 && other < static_cast<long long>(pulled) &&
              m_.runs(waits_[n][i].node, static_cast<std::size_t>(other)) &&
              (seen_[n][b] >> i & 1U) == 0)
            say(m_.tasks[n].name + " does not come after " + m_.tasks[waits_[n][i].node].name +
                    ", " + waits_[n][i].why,
                b);
        }
      }
    return said_;
  }
  bool ran(std::size_t n, std::size_t batch) const { return times_[n][batch] != 0; }

  std::size_t pulled = 0;
  std::atomic<bool> requested{false};
  std::atomic<bool> thrown{false};

 private:
  void say(const std::string& what, std::size_t batch) {
    said_ += what + ", batch " + std::to_string(batch) + "\n";
  }

  bool is_pinned(std::size_t slot) const {
    if (slot == m_.tasks.size()) return true;
    const auto among = [slot](const std::vector<std::size_t>& all) {
      return std::find(all.begin(), all.end(), slot) != all.end();
    };
    if (loop_on_host(s_) && among(m_.results)) return true;
    for (const model::task& t : m_.tasks) {
      if (!t.stream.empty()) continue;
      if (among(t.reads) || among(t.writes)) return true;
      for (const model::earlier& e : t.looks_back)
        if (e.slot == slot) return true;
    }
    return dice(slot + s_.tasks.size()).one_in(3);
  }

  void list_dependencies(std::size_t n) {
    const dynamic::task& t = s_.tasks[n];
    std::vector<dependency>& all = waits_[n];
    for (const std::string& o : t.depends_on) all.push_back({m_.number_of(o), 0, "depends_on"});
    for (const dynamic::ago& a : t.cross_iter_depends_on)
      all.push_back({m_.number_of(a.task), -a.batches, "cross_iter_depends_on"});
    // Then progresses are not what is declared.
    if (s_.serial || s_.pipelined || !s_.groups.empty()) return;
    for (const std::string& o : t.same_progress_sync) {
      const std::size_t other = m_.number_of(o);
      all.push_back({other, m_.tasks[other].lookahead - t.lookahead, "same_progress_sync"});
    }
  }

  /// What a run of a task uses, whatever its batch.
  std::vector<recording::access> uses_of(std::size_t n, const operands& o) {
    std::vector<recording::access> uses;
    for (const value* at : o.in)
      if (at != nullptr) uses.push_back(recording::reads(at, sizeof *at));
    for (const value* at : o.out) uses.push_back(recording::writes(at, sizeof *at));
    for (const std::string& r : s_.tasks[n].observes)
      uses.push_back(recording::reads(&resource(r), sizeof(value)));
    for (const std::string& r : s_.tasks[n].mutates)
      uses.push_back(recording::writes(&resource(r), sizeof(value)));
    return uses;
  }
  std::vector<recording::access> uses_of_batch(std::size_t n, std::size_t batch,
                                               const operands& o) {
    std::vector<recording::access> uses = uses_of(n, o);
    for (const dependency& d : waits_[n])
      if (const std::uint32_t* const at = done_at(d, batch); at != nullptr)
        uses.push_back(recording::reads(at, sizeof *at));
    uses.push_back(recording::writes(&done_[n][batch], sizeof done_[n][batch]));
    return uses;
  }
  const std::uint32_t* done_at(const dependency& d, std::size_t batch) const {
    const long long other = static_cast<long long>(batch) + d.further;
    if (other < 0 || other >= static_cast<long long>(plan_.batches)) return nullptr;
    if (!m_.runs(d.node, static_cast<std::size_t>(other))) return nullptr;
    return &done_[d.node][static_cast<std::size_t>(other)];
  }
  value& resource(std::string_view r) { return resources_[r == "r" ? 0 : 1]; }

  /// Puts a kernel on a stream, unless that is what goes wrong.
  template <class Kernel>
  bool put(std::size_t n, std::size_t number, recording::stream s,
           std::vector<recording::access> uses, Kernel kernel) {
    disturb(n, number);
    const std::string label = m_.tasks[n].name + " b" + std::to_string(number);
    if (is_fault(fault::refused, n, number)) {
      thrown = true;
      d_.enqueue_refused(s, status::invalid_configuration, label);
      return false;
    }
    d_.enqueue(s, std::move(kernel), label, std::move(uses));
    if (is_fault(fault::body_submitted, n, number)) {
      thrown = true;
      throw planned_fault();
    }
    return true;
  }

  /// What a task does, on the host or as a kernel.
  void work(std::size_t n, std::size_t batch, const operands& o) {
    ++times_[n][batch];
    for (std::size_t i = 0; i < waits_[n].size(); ++i)
      if (const std::uint32_t* const at = done_at(waits_[n][i], batch); at != nullptr && *at != 0)
        seen_[n][batch] |= std::uint64_t{1} << i;
    value h = m_.begin(n, batch);
    for (std::size_t i = 0; i < o.in.size(); ++i)
      h = random_runs::mixed(h, o.in[i] == nullptr ? model::nothing(o.ago[i]) : *o.in[i]);
    for (std::size_t w = 0; w < o.out.size(); ++w) *o.out[w] = m_.written(n, w, h, *o.out[w]);
    for (const std::string& r : m_.tasks[n].mutates) ++resource(r);
    done_[n][batch] = 1;
  }

  bool is_fault(fault what, std::size_t n, std::size_t number) const {
    return plan_.what == what && plan_.node == n && plan_.batch == number;
  }
  void disturb(std::size_t n, std::size_t number) {
    if (is_fault(fault::body, n, number)) {
      thrown = true;
      throw planned_fault();
    }
    if (is_fault(fault::drain, n, number) || is_fault(fault::abandon, n, number)) requested = true;
  }

  template <class Type>
  using by_run = std::array<std::array<Type, most_batches>, most_tasks>;

  const dynamic::schedule& s_;
  model m_;
  std::size_t rank_;
  recording::world* w_;
  driver d_;
  std::vector<bool> on_stream_;
  std::vector<bool> pinned_;  ///< by slot: host tasks or the loop use it
  std::array<std::vector<dependency>, most_tasks> waits_;
  run_plan plan_;
  by_run<std::uint32_t> done_{};
  by_run<std::uint64_t> seen_{};  ///< by dependency, a bit
  by_run<std::uint32_t> times_{};
  std::array<value, 2> resources_{};
  std::array<std::size_t, most_tasks> calls_{};
  std::array<std::size_t, most_tasks> kernels_{};
  int version_ = 0;
  std::atomic<bool> outdated_{false};
  std::string said_;
};

}  // namespace random_device
