// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "draw.hpp"

/// What must come out and in what order, taken from what the tasks declare; of the library's plans
/// it knows nothing.
namespace random_runs {

inline constexpr std::size_t most_batches = 24;

inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return dice(a ^ (b << 1U)).next(); }
inline std::uint64_t source_value(std::size_t batch, std::size_t rank = 0) {
  return mixed(77 + rank, batch);
}

/// One task after the other on one batch after the other, by turns on each rank. What a collective
/// writes the ranks make one value of.
class model {
 public:
  /// A slot of some batches ago.
  struct earlier {
    std::size_t slot = 0;
    std::size_t ago = 0;
    bool latest = false;  ///< what was written last by then; else of so many of the slot's groups
  };
  struct task {
    std::string name;
    int lookahead = 0;
    std::size_t every = 1;
    std::size_t phase = 0;
    std::string stream;
    bool collective = false;
    std::vector<std::size_t> reads;  ///< slots by number; the source's is the last
    std::vector<earlier> looks_back;
    std::vector<std::size_t> writes;
    std::vector<bool> updates;          ///< by write: somebody further ahead wrote it
    std::vector<std::size_t> consumed;  ///< by read: items of a call; 0: a value
    std::vector<std::size_t> produced;  ///< by write
    std::size_t calls = 1;              ///< for a batch
    std::vector<std::string> observes;
    std::vector<std::string> mutates;
  };

  explicit model(const dynamic::schedule& s, std::size_t ranks = 1)
      : slots_(s.tasks.size() + 1), ranks_(ranks) {
    const auto number = [&](std::string_view slot) {
      return slot == "source" ? s.tasks.size()
                              : static_cast<std::size_t>(std::stoul(std::string(slot.substr(1))));
    };
    for (const dynamic::task& t : s.tasks) {
      task& m = tasks.emplace_back();
      m.name = t.name;
      m.lookahead = t.lookahead;
      m.every = static_cast<std::size_t>(t.every);
      m.phase = t.phase == st::last_of_group ? m.every - 1 : static_cast<std::size_t>(t.phase);
      m.stream = t.stream;
      m.collective = t.collective;
      m.observes = t.observes;
      m.mutates = t.mutates;
      deepest = std::max(deepest, t.lookahead);
      for (const dynamic::use& u : t.reads) {
        if (u.ago == 0 && !u.latest) {
          m.reads.push_back(number(u.slot));
          m.consumed.push_back(static_cast<std::size_t>(u.items));
        } else {
          m.looks_back.push_back({number(u.slot), static_cast<std::size_t>(u.ago), u.latest});
        }
      }
      for (const dynamic::use& u : t.writes) {
        m.writes.push_back(number(u.slot));
        m.produced.push_back(static_cast<std::size_t>(u.items));
      }
    }
    count_calls();
    for (task& t : tasks)
      for (const std::size_t slot : t.writes)
        t.updates.push_back(std::any_of(tasks.begin(), tasks.end(), [&](const auto& o) {
          return o.lookahead > t.lookahead && writes(o, slot);
        }));
    for (const std::string& r : s.results) results.push_back(number(r));
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      every_.push_back(1);
      phase_.push_back(0);
      for (const task& t : tasks)
        if (writes(t, slot)) {
          every_[slot] = t.every;
          phase_[slot] = t.phase;
        }
    }
    arrange();
    while (outcomes_.size() < most_batches) outcomes_.push_back(after(outcomes_.size()));
  }

  /// What each task computes for a batch, and then what the slots hold.
  struct outcome {
    std::vector<std::uint64_t> computed;
    std::vector<std::uint64_t> slots;
    std::vector<std::vector<std::uint64_t>> items;  ///< by slot, of those that hold items
  };
  const outcome& of(std::size_t batch, std::size_t rank = 0) const {
    return outcomes_.at(batch)[rank];
  }

  /// What stands for the value of a batch that there is none of.
  static std::uint64_t nothing(std::size_t ago) { return 12345 + ago; }

  /// Whether a task runs for a batch.
  bool runs(std::size_t n, std::size_t batch) const {
    return batch % tasks[n].every == tasks[n].phase;
  }
  /// The batch of which what a task reads for another was written; more than most: there is none.
  static constexpr std::size_t never = static_cast<std::size_t>(-1);
  std::size_t written_for(const earlier& e, std::size_t batch) const {
    const std::size_t every = every_[e.slot];
    const std::size_t phase = phase_[e.slot];
    if (e.latest)
      return batch < e.ago + phase ? never : (batch - e.ago - phase) / every * every + phase;
    return batch / every < e.ago ? never : (batch / every - e.ago) * every + phase;
  }

  /// What a call of a task starts from.
  std::uint64_t begin(std::size_t n, std::size_t batch, std::size_t call = 0) const {
    const std::uint64_t first = mixed(std::stoul(tasks[n].name.substr(1)) + 1, batch);
    return call == 0 ? first : mixed(first, call);
  }
  /// What several calls have computed.
  static std::uint64_t with_call(std::uint64_t before, std::size_t call, std::uint64_t computed) {
    return call == 0 ? computed : mixed(before, computed);
  }
  std::uint64_t written(std::size_t n, std::size_t write, std::uint64_t computed,
                        std::uint64_t before) const {
    return mixed(computed, tasks[n].updates[write] ? before : tasks[n].writes[write]);
  }
  std::uint64_t produced(std::size_t n, std::size_t write, std::uint64_t computed,
                         std::uint64_t before, std::size_t item) const {
    return mixed(written(n, write, computed, before), item);
  }

  /// How a collective makes one value of those of all ranks; of a single rank's, that one.
  enum class reduction { sum, greatest, of_first_rank };
  static reduction reduction_of(std::size_t slot) { return static_cast<reduction>(slot % 3); }

  static bool writes(const task& t, std::size_t slot) {
    return std::find(t.writes.begin(), t.writes.end(), slot) != t.writes.end();
  }
  static bool shares(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
  }
  static bool reads(const task& t, std::size_t slot) {
    return std::find(t.reads.begin(), t.reads.end(), slot) != t.reads.end();
  }
  std::size_t number_of(std::string_view named) const {
    std::size_t n = 0;
    while (tasks[n].name != named) ++n;
    return n;
  }

  std::vector<task> tasks;
  std::vector<std::size_t> results;
  int deepest = 0;

 private:
  /// Of a batch on each rank, when those before it are known.
  std::vector<outcome> after(std::size_t batch) const {
    std::vector<outcome> all(
        ranks_, {std::vector<std::uint64_t>(tasks.size()), std::vector<std::uint64_t>(slots_),
                 std::vector<std::vector<std::uint64_t>>(slots_)});
    if (batch > 0)  // what is not written for it is held
      for (std::size_t r = 0; r < ranks_; ++r) all[r].slots = outcomes_[batch - 1][r].slots;
    for (std::size_t r = 0; r < ranks_; ++r) all[r].slots.back() = source_value(batch, r);
    for (const std::size_t n : sequence_) {
      if (!runs(n, batch)) continue;
      for (std::size_t r = 0; r < ranks_; ++r) run(n, batch, r, all[r]);
      if (!tasks[n].collective) continue;
      for (const std::size_t slot : tasks[n].writes) reduce(slot, all);
    }
    return all;
  }
  void run(std::size_t n, std::size_t batch, std::size_t rank, outcome& o) const {
    for (std::size_t call = 0; call < tasks[n].calls; ++call) run(n, batch, rank, call, o);
  }
  void run(std::size_t n, std::size_t batch, std::size_t rank, std::size_t call, outcome& o) const {
    const task& t = tasks[n];
    std::uint64_t h = begin(n, batch, call);
    for (std::size_t r = 0; r < t.reads.size(); ++r) {
      if (t.consumed[r] == 0) h = mixed(h, o.slots[t.reads[r]]);
      for (std::size_t i = 0; i < t.consumed[r]; ++i)
        h = mixed(h, o.items[t.reads[r]].at(call * t.consumed[r] + i));
    }
    for (const earlier& e : tasks[n].looks_back) {
      const std::size_t of = written_for(e, batch);
      h = mixed(h, of == never   ? nothing(e.ago)
                   : of == batch ? o.slots[e.slot]
                                 : outcomes_[of][rank].slots[e.slot]);
    }
    o.computed[n] = with_call(o.computed[n], call, h);
    for (std::size_t w = 0; w < t.writes.size(); ++w) {
      std::uint64_t& value = o.slots[t.writes[w]];
      if (t.produced[w] == 0) value = written(n, w, h, value);
      std::vector<std::uint64_t>& items = o.items[t.writes[w]];
      if (t.produced[w] > 0) items.resize(t.produced[w] * t.calls);
      for (std::size_t i = 0; i < t.produced[w]; ++i) {
        std::uint64_t& item = items[call * t.produced[w] + i];
        item = produced(n, w, h, item, i);
      }
    }
  }

  /// The least numbers of calls for which all who use a slot have the items of a batch: whoever has
  /// fewer than another is called once more, until nobody has.
  void count_calls() {
    const auto items_of = [](const task& t, std::size_t slot) {
      for (std::size_t r = 0; r < t.reads.size(); ++r)
        if (t.reads[r] == slot && t.consumed[r] > 0) return t.consumed[r];
      for (std::size_t w = 0; w < t.writes.size(); ++w)
        if (t.writes[w] == slot && t.produced[w] > 0) return t.produced[w];
      return std::size_t{0};
    };
    for (bool more = true; more;) {
      more = false;
      for (std::size_t slot = 0; slot < slots_; ++slot)
        for (task& fewer : tasks)
          for (const task& other : tasks)
            if (const std::size_t items = items_of(fewer, slot);
                items > 0 && fewer.calls * items < other.calls * items_of(other, slot)) {
              ++fewer.calls;
              more = true;
            }
    }
  }
  static void reduce(std::size_t slot, std::vector<outcome>& all) {
    std::uint64_t one = all.front().slots[slot];
    for (std::size_t r = 1; r < all.size(); ++r) {
      const std::uint64_t other = all[r].slots[slot];
      if (reduction_of(slot) == reduction::sum) one += other;
      if (reduction_of(slot) == reduction::greatest) one = std::max(one, other);
    }
    for (outcome& o : all) o.slots[slot] = one;
  }

  /// Whoever works further ahead comes first; among others, writers before readers.
  void arrange() {
    std::vector<bool> done(tasks.size());
    while (sequence_.size() < tasks.size()) {
      for (std::size_t n = 0; n < tasks.size(); ++n) {
        if (done[n]) continue;
        bool ready = true;
        for (std::size_t o = 0; o < tasks.size(); ++o) {
          if (done[o] || o == n) continue;
          if (tasks[o].lookahead > tasks[n].lookahead) ready = false;
          if (tasks[o].lookahead < tasks[n].lookahead) continue;
          for (const std::size_t slot : tasks[n].reads) ready = ready && !writes(tasks[o], slot);
          for (const earlier& e : tasks[n].looks_back)
            if (e.latest && e.ago == 0) ready = ready && !of_same_batch(n, e, o);
        }
        if (!ready) continue;
        done[n] = true;
        sequence_.push_back(n);
      }
    }
  }

  /// Whether a task may read what another has written last for the same batch.
  bool of_same_batch(std::size_t n, const earlier& e, std::size_t o) const {
    if (!writes(tasks[o], e.slot)) return false;
    bool same = false;
    for (std::size_t b = 0; b < most_batches; ++b) same = same || (runs(n, b) && runs(o, b));
    return same;
  }

  std::size_t slots_;
  std::size_t ranks_;
  std::vector<std::size_t> every_;  // by slot
  std::vector<std::size_t> phase_;
  std::vector<std::size_t> sequence_;
  std::vector<std::vector<outcome>> outcomes_;  // by batch and rank
};

/// What the bodies of one run put down.
struct record {
  struct span {
    std::atomic<std::uint32_t> started{0};  ///< 0: not yet
    std::atomic<std::uint32_t> ended{0};
    std::atomic<std::uint64_t> computed{0};
    std::atomic<std::uint32_t> times{0};
  };
  std::array<std::array<span, most_batches>, 8> runs;
  std::array<std::array<bool, most_batches>, 8>
      given{};  ///< what it writes: it is not to be called
  std::atomic<std::uint32_t> clock{0};
  std::atomic<bool> torn{false};    ///< a slot changed while it was read
  std::atomic<bool> beyond{false};  ///< a batch that cannot be
  std::atomic<std::uint32_t> thrown{0};

  const span& run(std::size_t n, std::size_t batch) const { return runs[n][batch]; }
  bool ran(std::size_t n, std::size_t batch) const { return runs[n][batch].ended != 0; }
};

/// Checks the order of all runs of a record, and what they computed, against what is declared.
class referee {
 public:
  referee(const dynamic::schedule& s, const model& m, const record& r, std::size_t pulled)
      : s_(s), m_(m), r_(r), pulled_(pulled) {}

  std::string complaints() {
    if (r_.torn) say("a slot changes while it is read");
    if (r_.beyond) say("a task runs on a batch that is not there");
    for (std::size_t b = 0; b < pulled_; ++b) {
      const model::outcome& expected = m_.of(b);
      for (std::size_t n = 0; n < m_.tasks.size(); ++n) {
        if (r_.run(n, b).times > m_.tasks[n].calls)
          say(m_.tasks[n].name + " is called too often", b);
        if (r_.run(n, b).times > 0 && r_.given[n][b])
          say(m_.tasks[n].name + " is called, but what it writes is given", b);
        if (r_.run(n, b).times > 0 && !m_.runs(n, b))
          say(m_.tasks[n].name + " runs out of turn", b);
        if (r_.ran(n, b) && r_.run(n, b).computed != expected.computed[n])
          say(m_.tasks[n].name + " computes something else", b);
      }
    }
    for (std::size_t n = 0; n < m_.tasks.size(); ++n) check_declared(n);
    for (std::size_t n = 0; n < m_.tasks.size(); ++n)
      for (std::size_t o = 0; o < m_.tasks.size(); ++o) check_shared(n, o);
    return std::move(said_);
  }

 private:
  void say(std::string what) { said_ += what + "\n"; }
  void say(const std::string& what, std::size_t batch) {
    say(what + ", batch " + std::to_string(batch));
  }

  /// One run, if there is one, must have ended before another starts.
  void expect_before(std::size_t n, long long bn, std::size_t o, long long bo, const char* why) {
    const auto there = [&](long long b) { return b >= 0 && b < static_cast<long long>(pulled_); };
    if (!there(bn) || !there(bo)) return;
    if (!m_.runs(n, static_cast<std::size_t>(bn)) || !m_.runs(o, static_cast<std::size_t>(bo)))
      return;
    const record::span& first = r_.run(n, static_cast<std::size_t>(bn));
    const record::span& then = r_.run(o, static_cast<std::size_t>(bo));
    if (then.started == 0 || r_.given[n][static_cast<std::size_t>(bn)]) return;
    // What fails has not ended, what lies behind it is passed over, and batches before go through.
    if (bn > bo && r_.thrown != 0 && first.ended == 0) return;
    if (first.ended == 0 || first.ended > then.started)
      say(std::string(why) + ": " + m_.tasks[o].name + " of batch " + std::to_string(bo) +
          " does not come after " + m_.tasks[n].name + " of batch " + std::to_string(bn));
  }

  void check_declared(std::size_t n) {
    const dynamic::task& t = s_.tasks[n];
    const auto other = [&](std::string_view name) { return m_.number_of(name); };
    for (long long b = 0; b < static_cast<long long>(pulled_); ++b) {
      for (const std::string& o : t.depends_on) expect_before(other(o), b, n, b, "depends_on");
      for (const dynamic::ago& a : t.cross_iter_depends_on)
        expect_before(other(a.task), b - a.batches, n, b, "cross_iter_depends_on");
      std::vector<model::earlier> read = m_.tasks[n].looks_back;
      for (const std::size_t slot : m_.tasks[n].reads)
        if (m_.written_for({slot}, static_cast<std::size_t>(b)) != static_cast<std::size_t>(b))
          read.push_back({slot});  // of a batch of the group before this one
      for (const model::earlier& e : read)
        for (std::size_t o = 0; o < m_.tasks.size(); ++o)
          if (const std::size_t of = m_.written_for(e, static_cast<std::size_t>(b));
              of != model::never && o != n && model::writes(m_.tasks[o], e.slot) &&
              (of != static_cast<std::size_t>(b) || m_.tasks[o].lookahead >= t.lookahead))
            expect_before(o, static_cast<long long>(of), n, b, "an earlier batch");
      if (!s_.groups.empty() || s_.pipelined) continue;  // then progresses are not what is declared
      const auto expect_in_progress = [&](std::size_t o, const char* why) {
        const int further = m_.tasks[o].lookahead - t.lookahead;
        if (!s_.serial || further == 0) expect_before(o, b + further, n, b, why);
      };
      for (const std::string& o : t.same_progress_sync) expect_in_progress(other(o), "sync");
      for (const std::vector<std::string>& order : s_.orders)
        for (std::size_t i = 1; i < order.size(); ++i)
          for (std::size_t j = 0; order[i] == t.name && j < i; ++j)
            expect_in_progress(other(order[j]), "order");
    }
  }

  void check_shared(std::size_t n, std::size_t o) {
    const model::task& a = m_.tasks[n];
    const model::task& c = m_.tasks[o];
    for (long long b = 0; b < static_cast<long long>(pulled_); ++b) {
      for (std::size_t slot = 0; slot <= m_.tasks.size(); ++slot) {
        const bool earlier = a.lookahead > c.lookahead;
        if (n == o) break;
        if (model::writes(a, slot) && model::reads(c, slot) &&
            (earlier || a.lookahead == c.lookahead))
          expect_before(n, b, o, b, "data");
        if (model::writes(c, slot) && earlier && (model::writes(a, slot) || model::reads(a, slot)))
          expect_before(n, b, o, b, "update");
      }
      const bool in_order = (!a.stream.empty() && a.stream == c.stream) ||
                            (a.collective && c.collective) || model::shares(a.mutates, c.mutates) ||
                            model::shares(a.mutates, c.observes);
      if (!in_order) continue;
      for (long long e = 0; e < static_cast<long long>(pulled_); ++e)
        if (n != o || b != e) check_apart(n, b, o, e);
    }
  }

  void check_apart(std::size_t n, long long bn, std::size_t o, long long bo) {
    const record::span& x = r_.run(n, static_cast<std::size_t>(bn));
    const record::span& y = r_.run(o, static_cast<std::size_t>(bo));
    if (x.ended == 0 || y.ended == 0) return;
    if (x.started < y.ended && y.started < x.ended)
      say(m_.tasks[n].name + " and " + m_.tasks[o].name + " run at once, batches " +
          std::to_string(bn) + " and " + std::to_string(bo));
  }

  const dynamic::schedule& s_;
  const model& m_;
  const record& r_;
  std::size_t pulled_;
  std::string said_;
};

}  // namespace random_runs
