// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stretto/position.hpp>
#include <string>
#include <utility>
#include <vector>
#include "runs.hpp"

/// A run that is cut at random batches, and gone on with there by other plans of its schedule.
namespace random_runs {

/// What comes out, what tasks compute and in which order they run must be what it is of one run.
class cut_trial {
 public:
  /// \param suspended the tasks that are coroutines, a bit each
  cut_trial(const dynamic::schedule& s, std::uint64_t seed, std::uint64_t suspended = 0)
      : model_(s), dice_(seed), any_(s), suspended_(suspended) {
    any_.pipelined = true;  // which progress a batch is in, the cuts tell
  }

  /// Adds a plan of the schedule, by a pipeline of its own.
  template <class Pipeline>
  void add(const dynamic::schedule& plan) {
    auto pipeline = std::make_shared<Pipeline>(bodied(plan, suspended_));
    const std::size_t number = plans_.size();
    plans_.push_back([this, pipeline, number](std::size_t batches) {
      current.plan.batches = current.pulled + batches;
      current.source_ended = false;
      if (dice_.one_in(3)) {
        const st::position seeded = half_processed(batches);
        consume(pipeline->template run<std::uint64_t>(pull, st::from(seeded)), *pipeline);
      } else if (latest_ == number && dice_.one_in(2)) {
        consume(pipeline->template run<std::uint64_t>(pull, st::onwards), *pipeline);
      } else if (dice_.one_in(2)) {
        consume(pipeline->template run<std::uint64_t>(pull, st::from(position_)), *pipeline);
      } else {  // the source has more than the run takes
        current.plan.batches = most_batches;
        current.plan.what = fault::drain;
        current.plan.node = model_.tasks.size();
        current.plan.batch = current.pulled + batches;
        consume(pipeline->template run<std::uint64_t>(pull, st::from(position_), token()),
                *pipeline);
        current.plan.what = fault::none;
      }
      position_ = pipeline->template position<std::uint64_t>();
      if (position_.batch() != current.pulled) say("the position is of another batch");
      latest_ = number;
      if (dice_.one_in(4)) {  // then nothing but the position has what the next run goes on from
        pipeline->reset();
        latest_ = static_cast<std::size_t>(-1);
      }
    });
  }

  std::string run() {
    current.expected = &model_;
    current.log = log_.get();
    current.plan = {};
    current.plan.seed = dice_.next();
    current.pulled = 0;
    current.told = false;
    while (current.pulled + 1 < most_batches && said_.empty()) {
      current.requested = false;
      first_ = current.pulled;
      plans_[dice_.below(plans_.size())](1 + dice_.below(most_batches - current.pulled - 1));
    }
    said_ += referee(any_, model_, *log_, current.pulled).complaints();
    return std::move(said_);
  }

 private:
  void say(const std::string& what) {
    said_ += what + ", in the run from batch " + std::to_string(first_) + "\n";
  }

  /// Where runs are, with some tasks of some of the next batches given what they write.
  st::position half_processed(std::size_t batches) {
    st::position seeded = position_;
    const std::size_t count = 1 + dice_.below(batches);
    const bool source = dice_.one_in(2);
    std::vector<bool> chosen;
    for (std::size_t n = 0; n < model_.tasks.size(); ++n)
      chosen.push_back(dice_.one_in(2) && is_seedable(n));
    // Who reads a slot before others write it again has to be among them.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t n = 0; n < chosen.size(); ++n)
        if (chosen[n] && !others_may_be_called(n, chosen)) {
          chosen[n] = false;
          changed = true;
        }
    }
    for (std::size_t b = first_; b < first_ + count; ++b) {
      if (source) seeded.seed("source", b, source_value(b));
      for (std::size_t n = 0; n < chosen.size(); ++n) {
        if (!chosen[n] || !model_.runs(n, b)) continue;
        log_->given[n][b] = true;
        for (const std::size_t slot : model_.tasks[n].writes)
          seeded.seed(slot_name(slot), b, model_.of(b).slots[slot]);
      }
    }
    if (source) current.pulled += count;
    return seeded;
  }
  bool is_seedable(std::size_t n) const {
    for (const model::task& t : model_.tasks)
      for (const std::size_t slot : model_.tasks[n].writes) {
        for (std::size_t r = 0; r < t.reads.size(); ++r)
          if (t.reads[r] == slot && t.consumed[r] > 0) return false;
        for (std::size_t w = 0; w < t.writes.size(); ++w)
          if (t.writes[w] == slot && t.produced[w] > 0) return false;
      }
    return !model_.tasks[n].writes.empty();
  }
  /// Whether no slot of a chosen task is written, or read in between, by who is called.
  bool others_may_be_called(std::size_t n, const std::vector<bool>& chosen) const {
    const model::task& t = model_.tasks[n];
    for (const std::size_t slot : t.writes)
      for (const model::task& other : model_.tasks) {
        if (&other == &t || !model::writes(other, slot)) continue;
        if (other.every != t.every || other.phase != t.phase) return false;
        for (std::size_t o = 0; o < chosen.size(); ++o)
          if (!chosen[o] && uses(model_.tasks[o], slot)) return false;
      }
    return true;
  }
  static bool uses(const model::task& t, std::size_t slot) {
    bool looks = false;
    for (const model::earlier& e : t.looks_back) looks = looks || (e.slot == slot && e.ago == 0);
    return looks || model::writes(t, slot) || model::reads(t, slot);
  }

  template <class Run, class Pipeline>
  void consume(Run&& run, const Pipeline& pipeline) {
    std::size_t batch = first_;
    while (run.next()) {
      if (run.batch() != batch) say("a result is of another batch");
      for (const std::size_t slot : model_.results)
        if (run.result().template get<std::uint64_t>(
                slot == model_.tasks.size() ? "source" : slot_name(slot)) !=
            model_.of(batch).slots[slot])
          say("a result of batch " + std::to_string(batch) + " is another");
      ++batch;
    }
    const st::run_report& r = pipeline.report();
    if (batch != current.pulled) say("results are missing");
    if (r.first != first_ || r.pulled != batch - first_ || r.finished != r.pulled ||
        r.delivered != r.pulled)
      say("the report has other numbers");
  }

  model model_;
  dice dice_;
  dynamic::schedule any_;
  std::uint64_t suspended_;
  std::unique_ptr<record> log_ = std::make_unique<record>();
  std::vector<std::function<void(std::size_t)>> plans_;
  st::position position_{0};
  std::size_t latest_ = static_cast<std::size_t>(-1);  ///< the plan whose slots are as they were
  std::size_t first_ = 0;
  std::string said_;
};

}  // namespace random_runs
