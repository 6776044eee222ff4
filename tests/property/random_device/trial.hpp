// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <stretto/dynamic.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#include "board.hpp"

namespace random_device {

/// What a task's body is given in the runtime version.
inline operands operands_of(const board& b, std::size_t n, const dynamic::slot_access& values) {
  operands o;
  const model::task& t = b.expected().tasks[n];
  for (const std::size_t slot : t.reads) {
    const std::string name = b.slot_name(slot);
    o.in.push_back(b.pinned(slot) ? values.read<pinned_cell>(name).data()
                                  : values.read<cell>(name).data());
    o.ago.push_back(0);
  }
  for (const model::earlier& e : t.looks_back) {
    const std::string name = b.slot_name(e.slot);
    const auto at = [](const auto* found) { return found == nullptr ? nullptr : found->data(); };
    if (e.latest)
      o.in.push_back(b.pinned(e.slot) ? at(values.latest<pinned_cell>(name, e.ago))
                                      : at(values.latest<cell>(name, e.ago)));
    else
      o.in.push_back(b.pinned(e.slot) ? at(values.previous<pinned_cell>(name, e.ago))
                                      : at(values.previous<cell>(name, e.ago)));
    o.ago.push_back(e.ago);
  }
  for (const std::size_t slot : t.writes) {
    const std::string name = b.slot_name(slot);
    o.out.push_back(b.pinned(slot) ? values.write<pinned_cell>(name).data()
                                   : values.write<cell>(name).data());
  }
  return o;
}

/// The schedule with slots in the memory that their users need, and with bodies; those of tasks for
/// which \p captured says so take the stream only, so that they can be captured.
template <class Captured>
dynamic::schedule bodied(dynamic::schedule s, board& b, Captured captured) {
  s.types.clear();
  for (std::size_t slot = 0; slot <= s.tasks.size(); ++slot)
    b.pinned(slot) ? s.slot<pinned_cell>(b.slot_name(slot)) : s.slot<cell>(b.slot_name(slot));
  for (std::size_t n = 0; n < s.tasks.size(); ++n)
    if (b.on_stream(n) && captured(n))
      s.tasks[n].body = [n, &b](recording::stream on, dynamic::slot_access& values) {
        b.uncounted_body(n, on, operands_of(b, n, values));
      };
    else if (b.on_stream(n))
      s.tasks[n].body = [n, &b](const context& here, dynamic::slot_access& values) {
        b.body(n, here.batch(), here.stream(), operands_of(b, n, values));
      };
    else
      s.tasks[n].body = [n, &b](const st::task_context& here, dynamic::slot_access& values) {
        b.host_body(n, here.batch(), operands_of(b, n, values));
      };
  return s;
}

inline dynamic::schedule bodied(dynamic::schedule s, board& b) {
  return bodied(std::move(s), b, [](std::size_t) { return false; });
}

struct token {
  const std::atomic<bool>* requested;
  bool stop_requested() const { return requested->load(); }
};

// How pipelines of values and of types are run, and what they hand out.

template <class Pipeline>
inline constexpr bool is_value = false;
template <class... Options>
inline constexpr bool is_value<dynamic::pipeline<Options...>> = true;

template <class Pipeline, class... Argument>
auto begun(Pipeline& p, Argument&&... arguments) {
  if constexpr (is_value<Pipeline>) {
    return p.template run<pinned_cell>(std::forward<Argument>(arguments)...);
  } else {
    return p.run(std::forward<Argument>(arguments)...);
  }
}
inline std::vector<const value*> addresses_in(const dynamic::result& r, const board& b) {
  std::vector<const value*> all;
  for (const std::size_t slot : b.expected().results) {
    const std::string name = b.slot_name(slot);
    all.push_back(b.pinned(slot) ? r.get<pinned_cell>(name).data() : r.get<cell>(name).data());
  }
  return all;
}
template <class... Value>
std::vector<const value*> addresses_in(const std::tuple<Value&...>& r, const board&) {
  return std::apply([](auto&... v) { return std::vector<const value*>{v.data()...}; }, r);
}

/// One run of a pipeline, from beginning to end.
template <class Pipeline>
class trial {
 public:
  trial(Pipeline& p, board& b, recording::spoken_to& to, const dynamic::schedule& s)
      : p_(p), b_(b), to_(to), s_(s) {}

  /// What is wrong with it, a line each.
  std::string run(const run_plan& plan) {
    plan_ = plan;
    b_.begin(plan);
    if (plan.what == fault::call) to_.w.fail_at(plan.call, status::launch_out_of_resources);
    delivered_ = 0;
    kept_.assign(b_.expected().results.size() * most_batches, 0);
    bool failed = false;
    try {
      const auto pull = [this](pinned_cell& into) { return b_.pull(into); };
      if (plan.what == fault::drain) {
        auto run = begun(p_, pull, token{&b_.requested});
        consume(run);
      } else if (plan.what == fault::abandon) {
        auto run = begun(p_, pull, st::cancel_on(token{&b_.requested}));
        consume(run);
      } else {
        auto run = begun(p_, pull);
        consume(run);
      }
    } catch (const st::task_error& e) {
      failed = true;
      const bool its_batch = e.batch() == plan.batch || !b_.told_batch(plan.node);
      if (plan.what != fault::call && (!its_batch || e.task() != named(plan.node)))
        say(std::string("the error is another: ") + e.what());
    } catch (const st::device::error&) {
      failed = true;
      if (plan.what != fault::call) say("the device has an error of its own");
    }
    check(failed);
    return std::move(said_);
  }

 private:
  void say(const std::string& what) { said_ += what + "\n"; }
  const std::string& named(std::size_t n) const { return b_.expected().tasks[n].name; }

  template <class Run>
  void consume(Run& run) {
    while (run.next()) {
      const std::size_t batch = delivered_++;
      if (run.batch() != batch) say("a result is of another batch");
      const std::vector<const value*> results = addresses_in(run.result(), b_);
      for (std::size_t i = 0; i < results.size(); ++i)
        take(results[i], kept_[i * most_batches + batch], batch);
      if (batch == plan_.batch && plan_.what == fault::leave) return;
    }
  }
  void take(const value* at, value& kept, std::size_t batch) {
    if (loop_on_host(s_)) {
      to_.w.host_reads(at, sizeof *at);
      kept = *at;
    } else {
      const recording::stream on = p_.device().stream(s_.results_on);
      on_device_of(on, [&] {
        to_.d.enqueue(on, [at, &kept] { kept = *at; }, "take b" + std::to_string(batch),
                      {recording::reads(at, sizeof *at)});
      });
    }
  }
  /// Kernels want their stream's device to be the current one.
  template <class Act>
  void on_device_of(recording::stream s, Act act) {
    const auto insist = [](auto call) {
      if (call() != status::success) call();  // a planned fault comes once
    };
    int before = 0, its = 0;
    insist([&] { return to_.d.current_device(before); });
    insist([&] { return to_.d.device_of(s, its); });
    insist([&] { return to_.d.set_device(its); });
    act();
    insist([&] { return to_.d.set_device(before); });
  }

  /// Of some calls that fail it is a later one that tells: a kernel is refused where its device was
  /// not made current again, the end of a capture where a stream was not joined.
  bool told_by_another_call(std::string_view breach) const {
    const auto says = [&](const char* what) { return breach.find(what) != breach.npos; };
    return plan_.what == fault::call && (says("a stream of another device than the current one") ||
                                         says("has work that was not joined"));
  }

  void check(bool failed) {
    to_.w.forget_faults();
    int current = 0;
    to_.d.current_device(current);
    // The call that fails may be the one that gives it back.
    if (current != 0 && plan_.what != fault::call) say("another device is current than before");
    to_.d.set_device(0);
    const bool over = to_.w.idle();
    if (!over) say("streams are still at work");
    if (over) said_ += b_.complaints();
    // Nobody can wait for the loop's work on a stream if the call fails by which it is waited for.
    const bool unawaited = failed && plan_.what == fault::call && !loop_on_host(s_);
    for (const std::string& breach : to_.w.take_breaches())
      if (!unawaited && !told_by_another_call(breach)) say(breach);
    const model& m = b_.expected();
    for (std::size_t batch = 0; over && batch < delivered_; ++batch)
      for (std::size_t i = 0; i < m.results.size(); ++i)
        // What was to be taken in the order of a stream may have been left with it.
        if (!(failed && !loop_on_host(s_)) &&
            kept_[i * most_batches + batch] != b_.expected_result(m.results[i], batch))
          say("result " + b_.slot_name(m.results[i]) + " of batch " + std::to_string(batch) +
              " is another");
    if (failed) {
      if (!b_.thrown && plan_.what != fault::call) say("an error from nowhere");
      if (p_.report().end != st::run_end::failed) say("the report does not tell of a failure");
      p_.reset();
      b_.renew();
    } else {
      if (b_.thrown && plan_.what != fault::leave) say("an error is lost");
      const bool whole = plan_.what != fault::leave && !b_.requested;
      if (whole && delivered_ != plan_.batches) say("results are missing");
      if (whole && delivered_ == plan_.batches)
        for (std::size_t n = 0; n < m.tasks.size(); ++n)
          for (std::size_t b = 0; b < plan_.batches; ++b)
            if (b_.ran(n, b) != m.runs(n, b))
              say(named(n) + (m.runs(n, b) ? " is left out" : " runs out of turn") + ", batch " +
                  std::to_string(b));
    }
  }

  Pipeline& p_;
  board& b_;
  recording::spoken_to& to_;
  const dynamic::schedule& s_;
  run_plan plan_;
  std::size_t delivered_ = 0;
  std::vector<value> kept_;
  std::string said_;
};

}  // namespace random_device
