// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <set>
#include <span>
#include <stretto/suspend.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include "../../support/interruption.hpp"
#include "coroutines.hpp"
#include "model.hpp"

/// Runs of a pipeline, each disturbed in some way, and what must hold of their reports.
namespace random_runs {

enum class fault { none, drain, abandon, body, source, observer_started, observer_finished, leave };
enum class loop { over, next, progress, mixed, each };

/// Where a run is disturbed: at a task's run on a batch; after the last task, at the pull or,
/// beyond that, at the delivery of a batch.
struct run_plan {
  fault what = fault::none;
  loop how = loop::over;
  std::size_t node = 0;
  std::size_t batch = 0;
  bool late = false;  ///< at its end
  std::size_t batches = 0;
  std::uint64_t seed = 0;

  std::string text() const {
    static constexpr const char* faults[] = {
        "nothing",           "drain", "abandon", "body throws", "source throws", "observer.started",
        "observer.finished", "leave"};
    static constexpr const char* loops[] = {"for", "next", "has_more and progress", "mixed",
                                            "for_each"};
    return std::string(faults[static_cast<std::size_t>(what)]) + " at node " +
           std::to_string(node) + (late ? " (late)" : "") + ", batch " + std::to_string(batch) +
           " of " + std::to_string(batches) + ", loop: " + loops[static_cast<std::size_t>(how)];
  }
};

inline run_plan draw_run(std::uint64_t seed, std::size_t tasks, bool workers) {
  dice d(seed);
  run_plan p;
  p.seed = d.next();
  constexpr fault all[] = {fault::none,    fault::drain,
                           fault::abandon, fault::abandon,
                           fault::body,    fault::body,
                           fault::source,  fault::observer_started,
                           fault::leave,   fault::observer_finished};
  p.what = all[d.below(std::size(all))];
  // Workers that are late have something to tell.
  const bool early = workers && d.one_in(2);
  if (early) p.what = fault::abandon;
  p.how = static_cast<loop>(d.below(5));
  p.batches = d.one_in(3) ? d.below(4) : d.below(most_batches - 3);
  p.batch = early || d.one_in(3) ? 0 : d.below(p.batches + 1);
  p.late = d.one_in(2);
  p.node = d.below(tasks);
  if (p.what == fault::source) p.node = tasks;
  if ((p.what == fault::drain || p.what == fault::abandon) && d.one_in(3))
    p.node = tasks + d.below(2);
  if (p.what == fault::leave) p.node = tasks + 1;
  return p;
}

struct planned_fault {};

/// The run under way. Set between runs only.
struct stage {
  const model* expected = nullptr;
  record* log = nullptr;
  run_plan plan;
  std::size_t pulled = 0;     ///< the thread that pulls writes it; also of batches that are given
  bool source_ended = false;  ///< and this
  std::atomic<bool> requested{false};
  mutable std::atomic<bool> told{false};  ///< the library knows of the request
};
inline stage current;

struct token {
  bool stop_requested() const {
    if (!current.requested.load(std::memory_order_acquire)) return false;
    current.told = true;
    return true;
  }
};

inline void linger(std::uint64_t seed) {
  dice d(seed);
  if (d.one_in(12)) std::this_thread::yield();
  if (d.one_in(60)) std::this_thread::sleep_for(std::chrono::microseconds(d.below(300)));
}

/// What the run is disturbed by, if this is the place.
inline void disturb(std::size_t node, std::size_t batch, bool late) {
  const run_plan& p = current.plan;
  if (p.node != node || p.batch != batch || p.late != late) return;
  if (p.what == fault::body || p.what == fault::source) {
    ++current.log->thrown;
    throw planned_fault();
  }
  if (p.what == fault::drain || p.what == fault::abandon)
    current.requested.store(true, std::memory_order_release);
}

struct watcher {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  void attached(std::span<const std::string_view>, std::span<const std::string_view>) {}
  void started(std::size_t, std::size_t task, std::size_t batch) const {
    look(fault::observer_started, task, batch);
  }
  void finished(std::size_t, std::size_t task, std::size_t batch) const {
    look(fault::observer_finished, task, batch);
  }
  static void look(fault at, std::size_t task, std::size_t batch) {
    if (current.plan.what != at || current.plan.node != task || current.plan.batch != batch) return;
    ++current.log->thrown;
    throw planned_fault();
  }
};

inline std::uint64_t peek(const std::uint64_t& slot) {
  return __atomic_load_n(&slot, __ATOMIC_RELAXED);
}

/// What a call of a task gets: where the values, or the first items, of its slots are.
struct handed {
  std::vector<const std::uint64_t*> reads;
  std::vector<const std::uint64_t*> looks_back;  ///< null: there is none
  std::vector<std::uint64_t*> writes;
};

/// A call of a task: what its body does before it takes its time, and after.
class call_of {
 public:
  call_of(std::size_t n, const st::task_context& context) : n_(n), batch_(context.batch()) {}

  /// False: there is no such batch.
  bool begin() {
    if (batch_ >= current.plan.batches) {
      current.log->beyond = true;
      return false;
    }
    record::span& own = span();
    call_ = own.times++;
    if (call_ == 0) own.started = ++current.log->clock;
    if (call_ == current.plan.seed % declared().calls) disturb(n_, batch_, false);
    return true;
  }
  std::uint64_t seed() const { return current.plan.seed ^ (n_ << 20U) ^ batch_; }
  std::uint64_t all_read(const handed& slots) const {
    const model::task& t = declared();
    std::uint64_t h = current.expected->begin(n_, batch_, call_);
    for (std::size_t r = 0; r < t.reads.size(); ++r)
      for (std::size_t i = 0; i < std::max<std::size_t>(t.consumed[r], 1); ++i)
        h = mixed(h, peek(slots.reads[r][i]));
    for (std::size_t e = 0; e < t.looks_back.size(); ++e) {
      const std::uint64_t* const there = slots.looks_back[e];
      h = mixed(h, there != nullptr ? peek(*there) : model::nothing(t.looks_back[e].ago));
    }
    return h;
  }
  /// \p h: what had been read.
  void end(const handed& slots, std::uint64_t h) const {
    const model& m = *current.expected;
    const model::task& t = declared();
    if (all_read(slots) != h) current.log->torn = true;
    for (std::size_t w = 0; w < t.writes.size(); ++w) {
      std::uint64_t* const slot = slots.writes[w];
      if (t.produced[w] == 0)
        __atomic_store_n(slot, m.written(n_, w, h, peek(*slot)), __ATOMIC_RELAXED);
      for (std::size_t i = 0; i < t.produced[w]; ++i)
        __atomic_store_n(slot + i, m.produced(n_, w, h, peek(slot[i]), i), __ATOMIC_RELAXED);
    }
    record::span& own = span();
    own.computed = model::with_call(own.computed, call_, h);
    if (call_ + 1 < t.calls) return;
    disturb(n_, batch_, true);
    own.ended = ++current.log->clock;
  }

 private:
  const model::task& declared() const { return current.expected->tasks[n_]; }
  record::span& span() const { return current.log->runs[n_][batch_]; }

  std::size_t n_;
  std::size_t batch_;
  std::size_t call_ = 0;
};

/// The body of every task.
template <class Hand>
void body_of(std::size_t n, const st::task_context& context, Hand hand) {
  call_of call(n, context);
  if (!call.begin()) return;
  const handed slots = hand();
  const std::uint64_t h = call.all_read(slots);
  linger(call.seed());
  call.end(slots, h);
}

/// A body that asks for its slots by name.
inline dynamic::body named_body(std::size_t n) {
  return [n](const st::task_context& context, dynamic::slot_access& slots) {
    body_of(n, context, [&] {
      const model& m = *current.expected;
      const model::task& t = m.tasks[n];
      const auto name = [&](std::size_t slot) {
        return slot == m.tasks.size() ? std::string("source") : slot_name(slot);
      };
      handed all;
      for (const std::size_t slot : t.reads)
        all.reads.push_back(&slots.read<std::uint64_t>(name(slot)));
      for (const model::earlier& e : t.looks_back)
        all.looks_back.push_back(e.latest ? slots.latest<std::uint64_t>(name(e.slot), e.ago)
                                          : slots.previous<std::uint64_t>(name(e.slot), e.ago));
      for (const std::size_t slot : t.writes)
        all.writes.push_back(&slots.write<std::uint64_t>(name(slot)));
      return all;
    });
  };
}

/// A type, as often as a pack is long.
template <class Type, std::size_t>
using of_each = Type;

/// A body whose parameters are values and items.
template <std::size_t... Value, std::size_t... Earlier, std::size_t... Consumed,
          std::size_t... Written, std::size_t... Produced>
dynamic::body typed_body(std::size_t n, std::index_sequence<Value...>,
                         std::index_sequence<Earlier...>, std::index_sequence<Consumed...>,
                         std::index_sequence<Written...>, std::index_sequence<Produced...>) {
  return [n](const st::task_context& context, of_each<const std::uint64_t&, Value>... value,
             of_each<dynamic::previous<std::uint64_t>, Earlier>... earlier,
             of_each<dynamic::consumes<std::uint64_t>, Consumed>... consumed,
             of_each<std::uint64_t&, Written>... written,
             of_each<dynamic::produces<std::uint64_t>, Produced>... produced) {
    body_of(n, context, [&] {
      return handed{{&value..., consumed.data()...},
                    {(earlier ? &*earlier : nullptr)...},
                    {&written..., produced.data()...}};
    });
  };
}

/// Likewise a coroutine, of values.
template <std::size_t... Value, std::size_t... Written>
dynamic::body suspending_body(std::size_t n, std::index_sequence<Value...>,
                              std::index_sequence<Written...>) {
  return [n](st::task_context context, of_each<const std::uint64_t&, Value>... value,
             of_each<std::uint64_t&, Written>... written) -> st::suspendable {
    call_of call(n, context);
    if (!call.begin()) co_return;
    const handed slots{{&value...}, {}, {&written...}};
    const std::uint64_t h = call.all_read(slots);
    co_await interrupting::interruption(call.seed());
    call.end(slots, h);
  };
}

/// What is made with a pack of a length that is known at run time, which is that or less.
template <std::size_t Most, class Make>
dynamic::body with_pack(std::size_t length, Make make) {
  if constexpr (Most > 0) {
    if (length < Most) return with_pack<Most - 1>(length, make);
  }
  return make(std::make_index_sequence<Most>());
}

/// The body of a task with items.
inline dynamic::body body_with_items(std::size_t n, const item_uses& uses) {
  return with_pack<item_uses::most>(uses.values, [&](auto values) {
    return with_pack<1>(uses.earlier, [&](auto earlier) {
      return with_pack<item_uses::most>(uses.consumed, [&](auto consumed) {
        return with_pack<1>(uses.written, [&](auto written) {
          return with_pack<item_uses::most>(uses.produced, [&](auto produced) {
            return typed_body(n, values, earlier, consumed, written, produced);
          });
        });
      });
    });
  });
}

inline bool pull(std::uint64_t& slot) {
  const std::size_t batch = current.pulled;
  disturb(current.expected->tasks.size(), batch, current.plan.late);
  linger(current.plan.seed ^ (99U << 20U) ^ batch);
  if (batch == current.plan.batches) {
    current.source_ended = true;
    return false;
  }
  __atomic_store_n(&slot, source_value(batch), __ATOMIC_RELAXED);
  ++current.pulled;
  return true;
}

/// The body of a task that is a coroutine.
inline dynamic::body suspending_body(std::size_t n, const item_uses& uses) {
  return with_pack<coroutines::most_reads>(uses.values, [&](auto values) {
    return with_pack<coroutines::most_writes>(
        uses.written, [&](auto written) { return suspending_body(n, values, written); });
  });
}

/// The schedule with bodies; which of them are coroutines, a bit says for each.
inline dynamic::schedule bodied(dynamic::schedule s, std::uint64_t suspended = 0) {
  for (std::size_t n = 0; n < s.tasks.size(); ++n) {
    const item_uses uses(s.tasks[n]);
    s.tasks[n].body = (suspended >> n & 1U) != 0 ? suspending_body(n, uses)
                      : uses.any()               ? body_with_items(n, uses)
                                                 : named_body(n);
  }
  return s;
}

/// One run of a pipeline, from beginning to end, and what is wrong with it, a line each.
class trial {
 public:
  trial(const dynamic::schedule& s, const model& m, const run_plan& p) : s_(s), m_(m), p_(p) {}

  template <class Pipeline>
  std::string run(Pipeline& pipeline) {
    current.expected = &m_;
    current.log = log_.get();
    current.plan = p_;
    current.pulled = 0;
    current.source_ended = false;
    current.requested = false;
    current.told = false;
    try {
      if (p_.what == fault::drain) {
        auto run = pipeline.template run<std::uint64_t>(pull, token());
        consume(run);
      } else if (p_.what == fault::abandon) {
        auto run = pipeline.template run<std::uint64_t>(pull, st::cancel_on(token()));
        consume(run);
      } else {
        auto run = pipeline.template run<std::uint64_t>(pull);
        consume(run);
      }
    } catch (const st::task_error& e) {
      thrown_ = true;
      if (e.batch() != p_.batch) say("the error names batch " + std::to_string(e.batch()));
      if (node_of(e.task()) != p_.node) say("the error names " + std::string(e.task()));
    }
    said_ += referee(s_, m_, *log_, current.pulled).complaints();
    check(pipeline.report());
    if (pipeline.report().end == st::run_end::failed) pipeline.reset();
    return std::move(said_);
  }

 private:
  void say(const std::string& what) { said_ += what + "\n"; }
  void expect(bool holds, const char* what) {
    if (!holds) say(what);
  }

  std::size_t node_of(std::string_view name) const {
    return name == "pull" ? m_.tasks.size() : m_.number_of(name);
  }

  std::string slot_of(std::size_t slot) const {
    return slot == m_.tasks.size() ? std::string("source") : slot_name(slot);
  }

  /// True if the user has enough.
  template <class Result>
  bool got(const Result& result) {
    const std::size_t batch = delivered_++;
    if (result.batch() != batch) say("a result is of another batch");
    const model::outcome& expected = m_.of(batch);
    for (const std::size_t slot : m_.results)
      if (result.template get<std::uint64_t>(slot_of(slot)) != expected.slots[slot])
        say("result " + slot_of(slot) + " of batch " + std::to_string(batch) + " is another");
    if (batch != p_.batch || p_.node != m_.tasks.size() + 1) return false;
    if (p_.what != fault::leave) current.requested.store(true, std::memory_order_release);
    left_ = p_.what == fault::leave;
    return left_;
  }

  template <class Run>
  void consume(Run& run) {
    switch (p_.how) {
      case loop::over:
        for (const dynamic::result& r : run)
          if (got(r)) return;
        break;
      case loop::next:
        while (run.next())
          if (got(run.result())) return;
        break;
      case loop::progress:
        while (run.has_more())
          if (run.progress() && got(run.result())) return;
        break;
      case loop::mixed: {
        dice d(p_.seed);
        while (run.has_more())
          if ((d.one_in(2) ? run.next() : run.progress()) && got(run.result())) return;
        break;
      }
      case loop::each: {
        struct enough {};
        try {
          run.for_each([this](const dynamic::result& r) {
            if (got(r)) throw enough();
          });
        } catch (const enough&) {
        }
      }
    }
  }

  void check(const st::run_report& r) {
    using st::run_end;
    const std::size_t tasks = m_.tasks.size();
    const std::size_t pulled = current.pulled;
    expect(r.pulled == pulled, "report: pulled");
    expect(r.delivered == delivered_, "report: delivered");
    const auto through = [&](std::size_t batch) {
      for (std::size_t n = 0; n < tasks; ++n)
        if (m_.runs(n, batch) && !log_->ran(n, batch)) return false;
      return true;
    };
    std::size_t finished = 0;
    while (finished < pulled && through(finished)) ++finished;
    if (r.finished != finished)
      say("report: finished " + std::to_string(r.finished) + ", but it is " +
          std::to_string(finished) + " of " + std::to_string(pulled));
    check_in_flight(r);
    const bool threw = log_->thrown != 0;
    expect(thrown_ == (threw && !left_), "an error is lost, or from nowhere");
    expect(r.failures.size() == log_->thrown, "report: failures");
    for (const auto& f : r.failures)
      expect(node_of(f.task) == p_.node && f.batch == p_.batch, "report: who failed");
    const run_end end = threw                                        ? run_end::failed
                        : left_                                      ? run_end::left_early
                        : p_.what == fault::drain && current.told    ? run_end::drained
                        : current.source_ended && finished == pulled ? run_end::completed
                                                                     : run_end::cancelled;
    // Whoever leaves at the last result has left nothing, if the source is known to have ended.
    const bool at_the_end = left_ && !threw && delivered_ == p_.batches && current.source_ended;
    if (r.end != end && !(at_the_end && r.end == run_end::completed))
      say("report: the end is " + std::to_string(static_cast<int>(r.end)) + ", not " +
          std::to_string(static_cast<int>(end)));
    // A batch that an observer failed fails, though its tasks may all have run.
    const bool ran_all_the_same =
        threw && p_.what == fault::observer_finished && r.finished == delivered_ + 1;
    expect(left_ || r.end == run_end::left_early || r.finished == delivered_ || ran_all_the_same,
           "a result is withheld");
    if (end == run_end::completed || end == run_end::drained)
      expect(finished == pulled && (end == run_end::drained || pulled == p_.batches),
             "batches are missing");
  }

  void check_in_flight(const st::run_report& r) {
    expect(r.finished + r.in_flight.size() == r.pulled, "report: a batch vanished");
    for (std::size_t i = 0; i < r.in_flight.size(); ++i) {
      const std::size_t batch = r.finished + i;
      std::set<std::string, std::less<>> ran;
      for (std::size_t n = 0; n < m_.tasks.size() && batch < most_batches; ++n)
        if (log_->ran(n, batch)) ran.insert(m_.tasks[n].name);
      std::set<std::string, std::less<>> told;
      for (const auto& t : r.in_flight[i].ran) told.emplace(t);
      if (r.in_flight[i].batch != batch || told != ran || told.size() != r.in_flight[i].ran.size())
        say("report: what ran on batch " + std::to_string(batch));
    }
  }

  const dynamic::schedule& s_;
  const model& m_;
  run_plan p_;
  std::unique_ptr<record> log_ = std::make_unique<record>();
  std::size_t delivered_ = 0;
  bool left_ = false;
  bool thrown_ = false;
  std::string said_;
};

}  // namespace random_runs
