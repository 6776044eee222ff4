// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "random_types.hpp"

/// A pipeline that is run again and again, disturbed and not, and what must hold of it each time.
namespace stress {

/// What a run is disturbed by, and where.
enum class fault { none, exception, drain, abandon, leave };
struct disturbance {
  fault what = fault::none;
  std::size_t node = 0;  ///< a task, the pull or (the delivery) the user's loop
  std::size_t batch = 0;
};

/// Draws them, and how many batches a run has.
struct run_plan {
  disturbance planned;
  std::size_t batches = 0;
  std::uint64_t seed = 0;  ///< of the delays

  run_plan(std::uint64_t s, std::size_t nodes, std::size_t most_batches) : seed(s) {
    dice d(s);
    batches = d.below(most_batches + 1);
    constexpr fault all[] = {fault::exception, fault::drain, fault::abandon, fault::leave};
    planned = {all[d.below(4)], d.below(nodes), d.below(batches + 2)};
  }
};

struct planned_fault {};

/// What one pipeline is known by, whatever its type.
class subject {
 public:
  virtual ~subject() = default;
  virtual std::size_t nodes() const = 0;
  virtual std::string name() const = 0;
  /// Whether waiting threads give up their core: if not, long runs would take long.
  virtual bool sleeps() const = 0;
  /// A run as planned, and one that nothing disturbs. What went wrong, a line each.
  virtual std::string exercise(const run_plan& planned) = 0;
};

/// What bodies of the run under way look at. Set between runs only.
struct run_state {
  disturbance planned;
  std::uint64_t seed = 0;
  std::atomic<bool> requested{false};
  std::size_t pulled = 0;  ///< the thread that pulls writes it

  void begin(disturbance d, std::uint64_t s) {
    planned = d;
    seed = s;
    requested = false;
    pulled = 0;
  }
};
extern run_state state;

struct token {
  bool stop_requested() const {
    if (!state.requested.load(std::memory_order_acquire)) return false;
    if (state.planned.what == fault::drain) probing::current->end_at(state.pulled);
    return true;
  }
};

template <class Schedule, class... Options>
class living : public subject {
 public:
  explicit living(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::size_t nodes() const override { return st::plan_of<Schedule>.nodes; }
  bool sleeps() const override { return (!std::is_same_v<Options, st::spin> && ...); }

  std::string exercise(const run_plan& planned) override {
    std::string wrong = once(planned.planned, planned.batches, planned.seed);
    wrong += once({}, 1 + planned.seed % (sleeps() ? 8 : 2), planned.seed);
    return wrong;
  }

 private:
  static constexpr const auto& plan = st::plan_of<Schedule>;

  std::string once(disturbance d, std::size_t batches, std::uint64_t seed) {
    probing::probe p(probing::facts_of<Schedule>(), batches, seed);
    probing::current = &p;
    state.begin(d, seed);
    delivered_ = 0;
    bool thrown = false;
    const auto source = [&p](stamp& to) {
      const std::size_t batch = state.pulled;
      disturb(plan.pull, batch);
      if (batch == p.batches()) return false;
      p.run(plan.pull, batch, {}, {&to});
      ++state.pulled;
      return true;
    };
    try {
      switch (d.what) {
        case fault::drain: {
          auto run = pipeline_.run(source, token());
          consume(run, p);
          break;
        }
        case fault::abandon: {
          auto run = pipeline_.run(source, st::cancel_on(token()));
          consume(run, p);
          break;
        }
        default: {
          auto run = pipeline_.run(source);
          consume(run, p);
        }
      }
    } catch (const st::task_error&) {
      thrown = true;
    }
    std::string wrong = p.complaints();
    check(wrong, thrown, d, p);
    if (pipeline_.report().end == st::run_end::failed) pipeline_.reset();
    return wrong;
  }

  template <class Run>
  void consume(Run& run, probing::probe& p) {
    // Every way to loop, in turn.
    const bool by_progress = state.seed % 2 == 0;
    while (by_progress ? run.has_more() : run.next()) {
      if (by_progress && !run.progress()) continue;
      std::vector<const stamp*> reads;
      std::apply([&](auto&... slot) { (reads.push_back(&slot), ...); }, run.result());
      const std::size_t batch = delivered_++;
      p.run(plan.deliver, batch + plan.lag[plan.deliver], reads, {});
      if (state.planned.node != plan.deliver || state.planned.batch != batch) continue;
      if (state.planned.what == fault::leave) return;
      state.requested.store(true, std::memory_order_release);
    }
  }

  /// The report, against what ran.
  void check(std::string& wrong, bool thrown, const disturbance& d, const probing::probe& p) const {
    const st::run_report& report = pipeline_.report();
    const auto expect = [&](bool holds, const char* what) {
      if (!holds) wrong += name_ + ": " + what + "\n";
    };
    using st::run_end;
    switch (report.end) {
      case run_end::completed: expect(report.delivered == p.batches(), "lost a result"); break;
      case run_end::drained: expect(d.what == fault::drain, "drained, unasked"); break;
      case run_end::cancelled: expect(d.what == fault::abandon, "abandoned, unasked"); break;
      case run_end::left_early: expect(d.what == fault::leave, "left, they say"); break;
      case run_end::failed: expect(d.what == fault::exception, "failed at nothing"); break;
      case run_end::none: expect(false, "did not end");
    }
    expect(thrown == (report.end == run_end::failed), "an error and the report disagree");
    expect(report.failures.size() == (thrown ? 1 : 0), "failures");
    expect(report.pulled == state.pulled, "pulled");
    expect(report.delivered == delivered_, "delivered");
    expect(report.end == run_end::left_early || report.finished == delivered_, "finished");
    expect(report.finished + report.in_flight.size() == report.pulled, "a batch vanished");
    if (report.end == run_end::completed || report.end == run_end::drained)
      expect(report.in_flight.empty(), "in flight after the end");
    for (std::size_t batch = 0; batch < report.pulled; ++batch) {
      std::vector<std::string> ran;
      for (const std::size_t n : plan.order)
        if (n < plan.tasks && p.has_run(n, batch)) ran.emplace_back(p.known().nodes[n].name);
      if (batch < report.finished) {
        expect(ran.size() == plan.tasks, "a finished batch is not finished");
      } else if (batch - report.finished < report.in_flight.size()) {
        const auto& left = report.in_flight[batch - report.finished];
        expect(left.batch == batch && left.ran == ran, "the tasks of a batch in flight");
        expect(ran.size() < plan.tasks, "a batch in flight is finished");
      }
    }
    for (std::size_t n = 0; n < plan.tasks; ++n)
      expect(p.runs(n) <= report.pulled, "a task ran on a batch that is not there");
  }

  std::string name_;
  tested::pipeline<Schedule, Options...> pipeline_;
  std::size_t delivered_ = 0;
};

using maker = std::unique_ptr<subject> (*)(unsigned seed);

/// All paces and wait strategies in turn, on the schedule's own threads and on one per task.
template <unsigned Seed, std::size_t Which>
std::unique_ptr<subject> make(unsigned) {
  using drawn = schedule<Seed>;
  using alike = plain<Seed>;  // other threads have no such groups
  using mapped =
      std::conditional_t<Which == 0, drawn,
                         std::conditional_t<Seed % 4 == 3, st::serial<alike>,
                                            st::replan<alike, st::threads<st::per_task>>>>;
  constexpr unsigned turn = 3 * Seed + 5 * Which;
  using pace = std::conditional_t<turn % 2 == 0 || shape_for<Seed>.has_coroutines(), st::run_ahead,
                                  st::barrier>;
  using waiting = std::tuple_element_t<
      turn / 2 % 4, std::tuple<st::spin_then_sleep<>, st::block, st::spin_then_sleep<1>, st::spin>>;
  return std::make_unique<living<mapped, pace, waiting>>("schedule " + std::to_string(Seed) +
                                                         (Which == 0 ? "" : ", other threads"));
}

template <unsigned First, unsigned... I>
std::vector<maker> makers(std::integer_sequence<unsigned, I...>) {
  std::vector<maker> all;
  ((all.push_back(&make<First + I, 0>), all.push_back(&make<First + I, 1>)), ...);
  return all;
}

}  // namespace stress
