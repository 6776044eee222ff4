// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <recording/spoken_to.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/dynamic.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../random_runs/model.hpp"

/// Random schedules on streams of the recording driver: tasks on a stream put a kernel there, the
/// others run on the host. What comes out must be what the model says, and whatever a declaration
/// puts in order is so on the device.
namespace random_device {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace recording = stretto::testing::recording;
using random_runs::dice;
using random_runs::model;
using random_runs::most_batches;
using recording::driver;
using recording::status;
using value = std::uint64_t;
using device = st::device::backend<driver>;
using context = st::device::context<driver>;
using cell = st::device::array<value, 1, driver>;
using pinned_cell = st::device::pinned_array<value, 1, driver>;

inline constexpr std::size_t most_tasks = 8;

enum class fault {
  none,
  drain,           ///< a stop request
  abandon,         ///< one that leaves what is in flight
  leave,           ///< the loop is left
  body,            ///< a body throws, on the host or before it has put anything on its stream
  body_submitted,  ///< it throws behind that
  refused,         ///< its launch is refused
  call             ///< a call of the driver fails
};

/// How a run is disturbed.
struct run_plan {
  fault what = fault::none;
  std::size_t node = 0;
  std::size_t batch = 0;
  std::size_t batches = 0;
  std::size_t call = 0;  ///< which one fails, from the beginning of the run

  std::string text() const {
    static constexpr const char* faults[] = {"nothing", "drain",           "abandon", "leave",
                                             "body",    "body, submitted", "refused", "call"};
    return std::string(faults[static_cast<std::size_t>(what)]) + " at node " +
           std::to_string(node) + ", batch " + std::to_string(batch) + " of " +
           std::to_string(batches) + ", call " + std::to_string(call);
  }
};

inline run_plan draw_run(std::uint64_t seed, std::size_t tasks) {
  dice d(seed);
  run_plan p;
  p.what = static_cast<fault>(d.below(8));
  p.batches = d.one_in(3) ? d.below(4) : d.below(most_batches - 3);
  p.batch = d.below(p.batches + 1);
  p.node = d.below(tasks);
  p.call = d.one_in(2) ? d.below(12) : d.below(150);
  return p;
}

/// The machine that a schedule runs on.
struct surroundings {
  int devices = 1;
  std::array<int, 3> device_of{};  ///< by stream
  std::size_t room = 0;            ///< how much work a stream takes; 0: any amount
  bool waits_implicitly = false;
  bool loads_lazily = false;

  std::string text() const {
    std::string all = std::to_string(devices) + " devices";
    for (const int d : device_of) all += " " + std::to_string(d);
    all += ", room for " + std::to_string(room);
    if (waits_implicitly) all += ", pinned memory waits";
    if (loads_lazily) all += ", kernels are loaded lazily";
    return all;
  }
  /// A serial plan has one.
  st::device::streams<driver> streams_of(const dynamic::schedule& s) const {
    if (s.serial) return {{"serial", {.device = device_of[0]}}};
    return {{"a", {.device = device_of[0]}},
            {"b", {.device = device_of[1]}},
            {"c", {.device = device_of[2]}}};
  }
  void arrange(recording::world& w) const {
    if (room > 0) w.take_at_most(room);
    if (waits_implicitly) w.wait_implicitly();
    if (loads_lazily) w.load_lazily();
  }
};

inline surroundings draw_surroundings(std::uint64_t seed) {
  dice d(seed ^ 0x5eedU);
  surroundings s;
  if (d.one_in(2)) s.devices = 2 + d.number(2);
  for (int& on : s.device_of) on = d.number(static_cast<std::size_t>(s.devices));
  if (d.one_in(3)) s.room = 1 + d.below(4);
  s.waits_implicitly = d.one_in(4);
  s.loads_lazily = d.one_in(4);
  return s;
}

struct planned_fault {};

/// Whether results are complete when they are handed out.
inline bool loop_on_host(const dynamic::schedule& s) { return s.serial || s.results_on.empty(); }

/// A run of a task of which another run must have ended before.
struct dependency {
  std::size_t node;
  long long further;  ///< its batch less the one of whoever waits
  const char* why;
};

/// What all runs of a pipeline work on. Kernels say what they use of it, so the world tells of two
/// that are in no order.
class board {
 public:
  board(const dynamic::schedule& s, recording::world& w) : s_(s), m_(s), w_(&w) {
    for (std::size_t n = 0; n < s.tasks.size(); ++n) {
      list_dependencies(n);
      on_stream_.push_back(!s.tasks[n].stream.empty());
    }
    for (std::size_t slot = 0; slot <= s.tasks.size(); ++slot) pinned_.push_back(is_pinned(slot));
    w.make_known(done_.data(), sizeof done_);
    w.make_known(resources_.data(), sizeof resources_);
  }

  const model& expected() const { return m_; }
  bool pinned(std::size_t slot) const { return pinned_[slot]; }
  bool on_stream(std::size_t n) const { return on_stream_[n]; }
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
  }

  bool pull(pinned_cell& into) {
    if (pulled == plan_.batches) return false;
    w_->host_writes(into.data(), sizeof(value));
    into[0] = random_runs::source_value(pulled++);
    return true;
  }

  /// The body of a task on the host.
  void on_host(std::size_t n, const st::task_context& here, const dynamic::slot_access& values) {
    disturb(n, here.batch());
    const operands o = operands_of(n, here.batch(), values);
    for (const recording::access& use : o.uses)
      use.writes ? w_->host_writes(use.at, use.bytes) : w_->host_reads(use.at, use.bytes);
    work(n, here.batch(), o);
  }
  /// The body of a task on a stream.
  void on_device(std::size_t n, const context& here, const dynamic::slot_access& values) {
    const std::size_t batch = here.batch();
    disturb(n, batch);
    operands o = operands_of(n, batch, values);
    const std::string label = std::string(here.task()).append(" b").append(std::to_string(batch));
    if (is_fault(fault::refused, n, batch)) {
      thrown = true;
      here.driver().enqueue_refused(here.stream(), status::invalid_configuration, label);
      return;
    }
    std::vector<recording::access> uses = o.uses;
    here.driver().enqueue(
        here.stream(), [this, n, batch, o = std::move(o)] { work(n, batch, o); }, label,
        std::move(uses));
    if (is_fault(fault::body_submitted, n, batch)) {
      thrown = true;
      throw planned_fault();
    }
  }

  /// After a run: what was wrong with it.
  std::string complaints() {
    for (std::size_t n = 0; n < m_.tasks.size(); ++n)
      for (std::size_t b = 0; b < pulled; ++b) {
        if (times_[n][b] > 1) say(m_.tasks[n].name + " runs twice", b);
        if (times_[n][b] == 0) continue;
        for (std::size_t i = 0; i < waits_[n].size(); ++i) {
          const long long other = static_cast<long long>(b) + waits_[n][i].further;
          if (other >= 0 && other < static_cast<long long>(pulled) && (seen_[n][b] >> i & 1U) == 0)
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
  struct operands {
    std::vector<const value*> in;  ///< null: there is no such batch
    std::vector<std::size_t> ago;  ///< by \c in; 0: the task's own
    std::vector<value*> out;
    std::vector<recording::access> uses;
  };

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

  operands operands_of(std::size_t n, std::size_t batch, const dynamic::slot_access& values) {
    operands o;
    const model::task& t = m_.tasks[n];
    for (const std::size_t slot : t.reads) {
      o.in.push_back(pinned(slot) ? values.read<pinned_cell>(slot_name(slot)).data()
                                  : values.read<cell>(slot_name(slot)).data());
      o.ago.push_back(0);
    }
    for (const model::earlier& e : t.looks_back) {
      const auto at = [](const auto* found) { return found == nullptr ? nullptr : found->data(); };
      o.in.push_back(pinned(e.slot) ? at(values.previous<pinned_cell>(slot_name(e.slot), e.ago))
                                    : at(values.previous<cell>(slot_name(e.slot), e.ago)));
      o.ago.push_back(e.ago);
    }
    for (const std::size_t slot : t.writes)
      o.out.push_back(pinned(slot) ? values.write<pinned_cell>(slot_name(slot)).data()
                                   : values.write<cell>(slot_name(slot)).data());
    for (const value* at : o.in)
      if (at != nullptr) o.uses.push_back(recording::reads(at, sizeof *at));
    for (const value* at : o.out) o.uses.push_back(recording::writes(at, sizeof *at));
    for (const dependency& d : waits_[n])
      if (const std::uint32_t* const at = done_at(d, batch); at != nullptr)
        o.uses.push_back(recording::reads(at, sizeof *at));
    o.uses.push_back(recording::writes(&done_[n][batch], sizeof done_[n][batch]));
    for (const std::string& r : t.observes)
      o.uses.push_back(recording::reads(&resource(r), sizeof(value)));
    for (const std::string& r : t.mutates)
      o.uses.push_back(recording::writes(&resource(r), sizeof(value)));
    return o;
  }
  const std::uint32_t* done_at(const dependency& d, std::size_t batch) const {
    const long long other = static_cast<long long>(batch) + d.further;
    if (other < 0 || other >= static_cast<long long>(plan_.batches)) return nullptr;
    return &done_[d.node][static_cast<std::size_t>(other)];
  }
  value& resource(std::string_view r) { return resources_[r == "r" ? 0 : 1]; }

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

  bool is_fault(fault what, std::size_t n, std::size_t batch) const {
    return plan_.what == what && plan_.node == n && plan_.batch == batch;
  }
  void disturb(std::size_t n, std::size_t batch) {
    if (is_fault(fault::body, n, batch)) {
      thrown = true;
      throw planned_fault();
    }
    if (is_fault(fault::drain, n, batch) || is_fault(fault::abandon, n, batch)) requested = true;
  }

  template <class Type>
  using by_run = std::array<std::array<Type, most_batches>, most_tasks>;

  const dynamic::schedule& s_;
  model m_;
  recording::world* w_;
  std::vector<bool> on_stream_;
  std::vector<bool> pinned_;  ///< by slot: host tasks or the loop use it
  std::array<std::vector<dependency>, most_tasks> waits_;
  run_plan plan_;
  by_run<std::uint32_t> done_{};
  by_run<std::uint64_t> seen_{};  ///< by dependency, a bit
  by_run<std::uint32_t> times_{};
  std::array<value, 2> resources_{};
  std::string said_;
};

/// The schedule with slots in the memory that their users need, and with bodies.
inline dynamic::schedule bodied(dynamic::schedule s, board& b) {
  s.types.clear();
  for (std::size_t slot = 0; slot <= s.tasks.size(); ++slot)
    b.pinned(slot) ? s.slot<pinned_cell>(b.slot_name(slot)) : s.slot<cell>(b.slot_name(slot));
  for (std::size_t n = 0; n < s.tasks.size(); ++n)
    if (b.on_stream(n))
      s.tasks[n].body = [n, &b](const context& here, dynamic::slot_access& values) {
        b.on_device(n, here, values);
      };
    else
      s.tasks[n].body = [n, &b](const st::task_context& here, dynamic::slot_access& values) {
        b.on_host(n, here, values);
      };
  return s;
}

struct token {
  const std::atomic<bool>* requested;
  bool stop_requested() const { return requested->load(); }
};

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
        auto run = p_.template run<pinned_cell>(pull, token{&b_.requested});
        consume(run);
      } else if (plan.what == fault::abandon) {
        auto run = p_.template run<pinned_cell>(pull, st::cancel_on(token{&b_.requested}));
        consume(run);
      } else {
        auto run = p_.template run<pinned_cell>(pull);
        consume(run);
      }
    } catch (const st::task_error& e) {
      failed = true;
      if (plan.what != fault::call && (e.batch() != plan.batch || e.task() != named(plan.node)))
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
    for (const dynamic::result& r : run) {
      const std::size_t batch = delivered_++;
      if (r.batch() != batch) say("a result is of another batch");
      for (std::size_t i = 0; i < b_.expected().results.size(); ++i) take(r, i, batch);
      if (batch == plan_.batch && plan_.what == fault::leave) return;
    }
  }
  void take(const dynamic::result& r, std::size_t i, std::size_t batch) {
    const std::size_t slot = b_.expected().results[i];
    const std::string name = b_.slot_name(slot);
    value& kept = kept_[i * most_batches + batch];
    const value* const at =
        b_.pinned(slot) ? r.get<pinned_cell>(name).data() : r.get<cell>(name).data();
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
      if (!unawaited) say(breach);
    const model& m = b_.expected();
    for (std::size_t batch = 0; over && batch < delivered_; ++batch)
      for (std::size_t i = 0; i < m.results.size(); ++i)
        // What was to be taken in the order of a stream may have been left with it.
        if (!(failed && !loop_on_host(s_)) &&
            kept_[i * most_batches + batch] != m.of(batch).slots[m.results[i]])
          say("result " + b_.slot_name(m.results[i]) + " of batch " + std::to_string(batch) +
              " is another");
    if (failed) {
      if (!b_.thrown && plan_.what != fault::call) say("an error from nowhere");
      if (p_.report().end != st::run_end::failed) say("the report does not tell of a failure");
      p_.reset();
    } else {
      if (b_.thrown && plan_.what != fault::leave) say("an error is lost");
      const bool whole = plan_.what != fault::leave && !b_.requested;
      if (whole && delivered_ != plan_.batches) say("results are missing");
      if (whole && delivered_ == plan_.batches)
        for (std::size_t n = 0; n < m.tasks.size(); ++n)
          for (std::size_t b = 0; b < plan_.batches; ++b)
            if (!b_.ran(n, b)) say(named(n) + " is left out, batch " + std::to_string(b));
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
