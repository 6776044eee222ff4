// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// Tasks that drop batches at random, as they are drawn, and what they come to one batch after the
/// other.
namespace drawn_drops {

using number = std::uint64_t;

inline constexpr int batches = 40;
inline constexpr number nothing = 12345;

struct slot_read {
  std::size_t slot;  ///< that of the task of this number; the source's: no_task
  int ago;
};
inline constexpr auto no_task = static_cast<std::size_t>(-1);

/// A task writes a slot of its own, and perhaps updates that of an earlier one, further ahead.
struct plan_of_task {
  int lookahead = 0;
  std::vector<slot_read> reads;
  std::size_t updates = no_task;
  std::size_t after = no_task;  ///< in `depends_on`
  number drops_one_in = 0;      ///< 0: none
  number fails_one_in = 0;      ///< 0: none; else its failures are dropped
};
struct plan_of_all {
  std::vector<plan_of_task> tasks;
  std::size_t result = no_task;
};

inline number mixed(number a, number b) {
  return (a ^ (b + 0x9E3779B97F4A7C15U + (a << 6U))) * 31U;
}
inline bool fails(const plan_of_task& t, number value) {
  return t.fails_one_in != 0 && value / 5 % t.fails_one_in == 0;
}
inline bool says_drop(const plan_of_task& t, number value) {
  return t.drops_one_in != 0 && value / 7 % t.drops_one_in == 0;
}
inline bool drops(const plan_of_task& t, number value) {
  return fails(t, value) || says_drop(t, value);
}

inline plan_of_all draw(std::mt19937& random) {
  const auto upto = [&](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n + 1));
  };
  plan_of_all p;
  const int count = 2 + upto(6);
  int lookahead = upto(3);
  std::vector<char> updated(static_cast<std::size_t>(count), 0);
  for (int i = 0; i < count; ++i) {
    plan_of_task t;
    lookahead = std::max(0, lookahead - upto(1));
    t.lookahead = lookahead;
    const auto earlier = [&] { return static_cast<std::size_t>(upto(i - 1)); };
    for (int k = upto(2); i > 0 && k >= 0; --k) {
      slot_read r{upto(3) == 0 ? no_task : earlier(), upto(2) == 0 ? 1 + upto(2) : 0};
      if (r.slot == no_task) r.ago = 0;
      const bool known =
          std::ranges::any_of(t.reads, [&](const slot_read& o) { return o.slot == r.slot; });
      if (!known) t.reads.push_back(r);
    }
    if (t.reads.empty()) t.reads.push_back({no_task, 0});
    // An update comes after all other uses: later tasks do not read the slot, and none looks back.
    if (i > 0 && upto(3) == 0) {
      const std::size_t slot = earlier();
      const bool free =
          updated[slot] == 0 && p.tasks[slot].lookahead > t.lookahead &&
          std::ranges::none_of(t.reads, [&](const slot_read& r) { return r.slot == slot; }) &&
          std::ranges::none_of(p.tasks, [&](const plan_of_task& o) {
            return std::ranges::any_of(o.reads, [&](const slot_read& r) {
              return r.slot == slot && (r.ago > 0 || o.lookahead <= t.lookahead);
            });
          });
      if (free) {
        t.updates = slot;
        updated[slot] = 1;
      }
    }
    std::erase_if(t.reads, [&](const slot_read& r) {
      return r.slot != no_task && updated[r.slot] != 0;  // of those before, too
    });
    if (i > 0 && upto(5) == 0) t.after = earlier();
    if (upto(2) == 0) t.drops_one_in = static_cast<number>(2 + upto(3));
    if (upto(3) == 0) t.fails_one_in = static_cast<number>(2 + upto(3));
    p.tasks.push_back(t);
  }
  p.result = static_cast<std::size_t>(count - 1);
  return p;
}

struct outcome {
  std::vector<std::pair<std::size_t, number>> results;
  std::vector<long> ran;
  std::size_t withheld = 0;
  std::size_t failed = 0;
  friend bool operator==(const outcome&, const outcome&) = default;
};

/// What tasks have written for the batches that they kept, by task.
using kept_values = std::vector<std::vector<std::pair<std::size_t, number>>>;

/// One batch after the other, by hand.
inline outcome by_hand(const plan_of_all& p, kept_values* all_kept = nullptr) {
  outcome o;
  if (all_kept != nullptr) all_kept->resize(p.tasks.size());
  o.ran.resize(p.tasks.size());
  std::vector<std::vector<number>> values;  // by batch and slot
  std::vector<std::vector<char>> there;
  for (int b = 0; b < batches; ++b) {
    values.emplace_back(p.tasks.size());
    there.emplace_back(p.tasks.size(), 0);
    std::vector<char> kept(p.tasks.size(), 0);
    for (std::size_t n = 0; n < p.tasks.size(); ++n) {
      const plan_of_task& t = p.tasks[n];
      bool runs = t.after == no_task || kept[t.after] != 0;
      if (t.updates != no_task) runs = runs && kept[t.updates] != 0;
      number value = n;
      for (const slot_read& r : t.reads) {
        if (r.slot == no_task) {
          value = mixed(value, static_cast<number>(b));
        } else if (r.ago == 0) {
          runs = runs && kept[r.slot] != 0;
          value = mixed(value, values.back()[r.slot]);
        } else {
          const int at = b - r.ago;
          const auto of = static_cast<std::size_t>(at);
          value = mixed(value, at >= 0 && there[of][r.slot] != 0 ? values[of][r.slot] : nothing);
        }
      }
      if (!runs) continue;
      ++o.ran[n];
      values.back()[n] = value;
      if (t.updates != no_task) values.back()[t.updates] += value;
      kept[n] = drops(t, value) ? 0 : 1;
      if (all_kept != nullptr && kept[n] != 0)
        (*all_kept)[n].emplace_back(static_cast<std::size_t>(b), value);
      o.failed += fails(t, value) ? 1 : 0;
      there.back()[n] = kept[n];
      if (t.updates != no_task && kept[n] == 0) there.back()[t.updates] = 0;
    }
    // A slot that was not updated to its end has no value, either.
    for (std::size_t n = 0; n < p.tasks.size(); ++n)
      if (p.tasks[n].updates != no_task && kept[n] == 0) there.back()[p.tasks[n].updates] = 0;
    bool handed_out = kept[p.result] != 0;
    if (handed_out)
      o.results.emplace_back(static_cast<std::size_t>(b), values.back()[p.result]);
    else
      ++o.withheld;
  }
  return o;
}

inline std::string slot_name(std::size_t n) {
  return n == no_task ? "source" : "s" + std::to_string(n);
}

}  // namespace drawn_drops
