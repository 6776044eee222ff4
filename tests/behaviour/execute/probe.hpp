// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Task bodies that check, while they run under random delays, that everything that the plan and
/// the declaration say comes before them did, and that nobody touches what they read.
namespace probing {

namespace st = stretto;

/// What every slot holds: the batch it belongs to, and who has written it for that batch.
struct stamp {
  std::size_t batch = st::planner::none;
  std::uint64_t writers = 0;
  friend bool operator==(const stamp&, const stamp&) = default;
};

/// What the probe needs to know of a schedule. Slots by number; nodes as in the plan.
struct facts {
  struct node {
    std::string name;
    std::size_t lag = 0;
    std::size_t turn = 0;  ///< at a batch's slots: the lag, unless the plan is serial
    std::vector<std::size_t> reads, writes;
  };
  std::vector<node> nodes;
  std::vector<st::planner::edge> edges;
  std::size_t slots = 0;
  std::size_t pull = 0;
  std::size_t deliver = 0;
};

/// What a declaration means, read straight off it: the table of the design, without the planner's
/// help except for the sorted order. So an edge that the planner forgets is missed all the same.
inline std::vector<st::planner::edge> meaning(const st::planner::declaration& d, const facts& f,
                                              std::span<const std::size_t> order) {
  std::vector<st::planner::edge> edges;
  const auto lag = [&](std::size_t n) { return static_cast<int>(f.nodes[n].lag); };
  const auto add = [&](std::size_t producer, std::size_t consumer, int delta) {
    edges.push_back({producer, consumer, delta, st::planner::reason::data, st::planner::none, 0});
  };
  const auto task_named = [&](const st::name& id) {
    std::size_t t = 0;
    while (!(d.tasks[t].id == id)) ++t;
    return t;
  };
  const auto touches = [](const std::vector<std::size_t>& slots, std::size_t slot) {
    return std::find(slots.begin(), slots.end(), slot) != slots.end();
  };
  for (std::size_t w = 0; w < f.nodes.size(); ++w)
    for (const std::size_t slot : f.nodes[w].writes)
      for (std::size_t r = 0; r < f.nodes.size(); ++r) {
        const bool reads = touches(f.nodes[r].reads, slot);
        if (r == w || (!reads && !touches(f.nodes[r].writes, slot))) continue;
        const std::size_t user = f.nodes[r].turn;
        const std::size_t writer = f.nodes[w].turn;
        if (user > writer || (reads && user == writer))
          add(w, r, lag(r) - lag(w));                   // read or updated after it was written
        if (user < writer) add(r, w, lag(w) - lag(r));  // used before it is updated
      }
  for (std::size_t t = 0; t < d.tasks.size(); ++t) {
    for (const auto& p : d.tasks[t].depends_on)
      add(task_named(p.task), t, lag(t) - lag(task_named(p.task)));
    for (const auto& p : d.tasks[t].cross_iter_depends_on)
      add(task_named(p.task), t, lag(t) - lag(task_named(p.task)) + p.ago);
    for (const auto& p : d.tasks[t].same_progress_sync) add(task_named(p.task), t, 0);
  }
  const auto in_turn = [&](auto member) {
    std::size_t first = st::planner::none;
    std::size_t last = st::planner::none;
    for (const std::size_t n : order) {
      if (n >= d.tasks.size() || !member(d.tasks[n])) continue;
      if (last == st::planner::none) {
        first = n;
      } else {
        add(last, n, 0);
      }
      last = n;
    }
    if (first != last) add(last, first, 1);
  };
  for (const auto& stream : d.streams)
    in_turn([&](const st::planner::task& t) { return t.stream == stream; });
  in_turn([](const st::planner::task& t) { return t.collective; });
  for (std::size_t n = 0; n < f.nodes.size(); ++n)
    if (n != f.pull) add(f.pull, n, lag(n));
  return edges;
}

template <class Schedule>
facts facts_of() {
  constexpr auto& plan = st::plan_of<Schedule>;
  const auto& declared = st::typed::declared<Schedule>::value;
  const auto number = [&](const st::name& slot) {
    std::size_t n = 0;
    while (!(plan.slot_list.at(n) == slot)) ++n;
    return n;
  };
  facts f;
  f.pull = plan.pull;
  f.deliver = plan.deliver;
  f.slots = plan.slot_list.size();
  f.edges.assign(plan.edges.begin(), plan.edges.end());
  for (std::size_t n = 0; n < plan.nodes; ++n) {
    facts::node node{
        std::string(st::planner::node_name(declared, n)), plan.lag[n], plan.lag[n], {}, {}};
    if (declared.serial)
      node.turn = n == plan.pull ? 0
                  : n == plan.deliver
                      ? st::planner::none
                      : static_cast<std::size_t>(st::most_batches - declared.tasks[n].stage);
    if (n < plan.tasks) {
      for (const auto& a : declared.tasks[n].reads) node.reads.push_back(number(a.slot));
      for (const auto& a : declared.tasks[n].writes) node.writes.push_back(number(a.slot));
    }
    f.nodes.push_back(node);
  }
  f.nodes[f.pull].writes.push_back(number(declared.from.slot));
  for (const auto& r : declared.results) f.nodes[f.deliver].reads.push_back(number(r));
  for (const auto& e : meaning(declared, f, plan.order)) f.edges.push_back(e);
  return f;
}

class probe {
 public:
  probe(facts f, std::size_t batches, std::uint64_t seed)
      : facts_(std::move(f)), batches_(batches), seed_(seed), checked_(facts_.edges.size()) {
    for (const auto& n : facts_.nodes) progresses_ = std::max(progresses_, batches + n.lag + 1);
    finished_ = std::vector<std::atomic<bool>>(facts_.nodes.size() * progresses_);
    plain_.assign(facts_.nodes.size() * progresses_, 0);
    into_.resize(facts_.nodes.size());
    for (std::size_t e = 0; e < facts_.edges.size(); ++e)
      into_[facts_.edges[e].consumer].push_back(e);
  }

  /// A node's run: checks, takes its time, stamps what it writes. Reads and writes are in the order
  /// of the task's declaration.
  void run(std::size_t node, std::size_t progress, const std::vector<const stamp*>& reads,
           const std::vector<stamp*>& writes) {
    before(node, progress);
    const facts::node& self = facts_.nodes[node];
    const std::size_t batch = progress - self.lag;
    std::vector<stamp> seen;
    for (std::size_t r = 0; r < reads.size(); ++r) {
      seen.push_back(*reads[r]);
      expect(seen[r].batch == batch, node, progress, "reads a slot that holds another batch");
      expect(seen[r].writers == writers(self.reads[r],
                                        [&](std::size_t w) {
                                          return w != node && facts_.nodes[w].turn <= self.turn;
                                        }),
             node, progress, "reads a slot too early or too late for its writers");
    }
    for (std::size_t w = 0; w < writes.size(); ++w) {
      const std::uint64_t earlier = writers(
          self.writes[w], [&](std::size_t other) { return facts_.nodes[other].turn < self.turn; });
      stamp& to = *writes[w];
      if (earlier == 0) {
        to = {batch, bit(node)};
      } else {
        expect(to == stamp{batch, earlier}, node, progress, "updates a slot out of turn");
        to.writers |= bit(node);
      }
    }
    take_time(node, progress);
    for (std::size_t r = 0; r < reads.size(); ++r)
      expect(*reads[r] == seen[r], node, progress, "had a slot changed while it read it");
    for (const stamp* w : writes)
      expect(w->batch == batch, node, progress, "had a slot changed while it wrote it");
    after(node, progress);
  }

  /// A node's run has begun: everything that the plan puts before it must be over.
  void before(std::size_t node, std::size_t progress) {
    for (const std::size_t e : into_[node]) {
      const st::planner::edge& edge = facts_.edges[e];
      const auto delta = static_cast<std::size_t>(edge.delta);
      if (delta > progress ||
          !st::planner::fires(facts_.nodes[edge.producer].lag, progress - delta, batches()))
        continue;
      const std::size_t at = edge.producer * progresses_ + progress - delta;
      // relaxed: the test must not order what the library does not.
      const bool over = finished_[at].load(std::memory_order_relaxed);
      if (!over && lies_behind_failure(edge.producer, progress - delta, node, progress)) continue;
      expect(over, node, progress,
             "runs before `" + facts_.nodes[edge.producer].name + "` of progress " +
                 std::to_string(progress - delta) + " is over");
      // A plain read, for the thread sanitizer: it knows whether the order is real or was luck.
      if (over) expect(plain_[at] == 1, node, progress, "does not see what came before");
      checked_[e].fetch_add(1, std::memory_order_relaxed);
    }
  }
  void after(std::size_t node, std::size_t progress) {
    plain_[node * progresses_ + progress] = 1;
    finished_[node * progresses_ + progress].store(true, std::memory_order_relaxed);
  }

  /// A node is about to throw on a batch.
  void fail_on(std::size_t batch) { failed_.store(batch, std::memory_order_relaxed); }
  /// From the thread that pulls: there are fewer batches than planned.
  void end_at(std::size_t batches) { batches_.store(batches, std::memory_order_relaxed); }
  std::size_t batches() const { return batches_.load(std::memory_order_relaxed); }
  const facts& known() const { return facts_; }

  /// What went wrong, a line each (the first few).
  std::string complaints() {
    const std::lock_guard lock(mutex_);
    return complaints_;
  }
  /// The edges that were never put to the test.
  std::string unchecked() const {
    std::string text;
    for (std::size_t e = 0; e < facts_.edges.size(); ++e)
      if (checked_[e].load() == 0)
        text += facts_.nodes[facts_.edges[e].producer].name + " -> " +
                facts_.nodes[facts_.edges[e].consumer].name + "\n";
    return text;
  }
  bool has_run(std::size_t node, std::size_t batch) const {
    return finished_[node * progresses_ + batch + facts_.nodes[node].lag].load();
  }
  std::size_t runs(std::size_t node) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < progresses_; ++i)
      count += finished_[node * progresses_ + i].load() ? 1U : 0U;
    return count;
  }

 private:
  /// Whether a run of a node is passed over, so that one for an earlier batch goes without it.
  bool lies_behind_failure(std::size_t node, std::size_t progress, std::size_t user,
                           std::size_t used_in) const {
    const std::size_t batch = progress - facts_.nodes[node].lag;
    return batch >= failed_.load(std::memory_order_relaxed) &&
           batch > used_in - facts_.nodes[user].lag;
  }
  static std::uint64_t bit(std::size_t node) { return std::uint64_t{1} << node; }

  template <class Which>
  std::uint64_t writers(std::size_t slot, Which which) const {
    std::uint64_t bits = 0;
    for (std::size_t w = 0; w < facts_.nodes.size(); ++w)
      for (const std::size_t written : facts_.nodes[w].writes)
        if (written == slot && which(w)) bits |= bit(w);
    return bits;
  }

  void take_time(std::size_t node, std::size_t progress) const {
    std::uint64_t dice = seed_ * 0x9e3779b97f4a7c15U + node * 1000003 + progress;  // splitmix64
    dice = (dice ^ (dice >> 30U)) * 0xbf58476d1ce4e5b9U;
    dice = (dice ^ (dice >> 27U)) * 0x94d049bb133111ebU;
    const auto length = static_cast<unsigned>(dice >> 32U) % 200;
    switch (dice % 16) {
      case 0: std::this_thread::sleep_for(std::chrono::microseconds(length)); break;
      case 1:
      case 2: std::this_thread::yield(); break;
      case 3:
      case 4:
      case 5:
        for (unsigned i = 0; i < length; ++i) st::runner::relax();
        break;
      default: break;
    }
  }

  void expect(bool holds, std::size_t node, std::size_t progress, const std::string& what) {
    if (holds) return;
    const std::lock_guard lock(mutex_);
    if (complaints_.size() < 1000)
      complaints_ += "`" + facts_.nodes[node].name + "` at progress " + std::to_string(progress) +
                     " " + what + "\n";
  }

  facts facts_;
  std::atomic<std::size_t> batches_;
  std::atomic<std::size_t> failed_{static_cast<std::size_t>(-1) / 2};
  std::uint64_t seed_;
  std::size_t progresses_ = 0;
  std::vector<std::atomic<bool>> finished_;        // by node and progress
  std::vector<int> plain_;                         // the same
  std::vector<std::vector<std::size_t>> into_;     // edges by consumer
  std::vector<std::atomic<std::size_t>> checked_;  // by edge
  std::mutex mutex_;
  std::string complaints_;
};

/// The probe that bodies report to. Set between runs only.
inline probe* current = nullptr;

/// Base of a probed task, the `Node`th of its schedule.
template <std::size_t Node>
struct task {
  template <st::context Context, class... Slot>
  void operator()(Context& ctx, Slot&... slots) const {
    std::vector<const stamp*> reads;
    std::vector<stamp*> writes;
    [[maybe_unused]] const auto sort_out = [&]<class S>(S& s) {
      if constexpr (std::is_const_v<S>) {
        reads.push_back(&s);
      } else {
        writes.push_back(&s);
      }
    };
    (sort_out(slots), ...);
    current->run(Node, ctx.progress(), reads, writes);
  }
};

/// Takes `p` through a run of a pipeline over a schedule of probed tasks, with several results.
template <class Pipeline>
void drive(Pipeline& pipeline, probe& p) {
  current = &p;
  std::size_t asked = 0;
  auto run = pipeline.run([&](stamp& to) {
    const std::size_t progress = asked++;
    if (progress == p.batches()) return false;
    p.run(p.known().pull, progress, {}, {&to});
    return true;
  });
  while (run.next()) {
    std::vector<const stamp*> reads;
    std::apply([&](auto&... slot) { (reads.push_back(&slot), ...); }, run.result());
    p.run(p.known().deliver, run.batch() + p.known().nodes[p.known().deliver].lag, reads, {});
  }
}

}  // namespace probing
