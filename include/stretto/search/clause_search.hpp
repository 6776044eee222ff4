// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stretto/plan/layout/period.hpp>
#include <stretto/search/formula.hpp>
#include <stretto/search/paths.hpp>
#include <stretto/search/problem.hpp>
#include <utility>
#include <vector>

namespace stretto::search::detail {

/// For which limits something holds: periods below \c period, of which 0 progresses are without
/// end, and fewer bytes than \c bytes.
struct validity {
  planner::ratio period{1, 0};
  long long bytes = no_limit;

  void keep(const validity& other) {
    if (other.period < period) period = other.period;
    if (other.bytes < bytes) bytes = other.bytes;
  }
  bool holds(const planner::ratio& p, long long b) const {
    return p < period && (bytes == no_limit || b < bytes);
  }
};

/// Decides a `formula`, by learning from each conflict a clause that rules out its like (J. Marques
/// Silva and K. Sakallah, GRASP, 1996; with arcs as in S. Cotton and O. Maler, Fast and flexible
/// difference constraint propagation, 2006). A conflict is a cycle longer than its periods, so what
/// is learnt at one period holds at each shorter one, and up to the ratio of that cycle.
class clause_search {
 public:
  enum class verdict { found, none, unknown };

  explicit clause_search(const formula& f) : f_(&f) {
    const std::size_t variables = f.variables.size();
    value_.assign(2 * variables, 0);
    level_.assign(variables, 0);
    position_.assign(variables, 0);
    reason_.assign(variables, {});
    unit_.assign(variables, {});
    seen_.assign(variables, 0);
    activity_.assign(variables, 0);
    place_.assign(variables, no_number);
    for (const formula::variable& v : f.variables) phase_.push_back(v.first ? 1 : 0);
    watches_.assign(2 * variables, {});
    arcs_of_ = grouped(2 * variables, f.arcs.size(),
                       [&](std::size_t a) { return f.arcs[a].step.literal; });
    const std::size_t pairs = std::size_t{f.nodes} * f.nodes;
    for (number g = 0; g < 2; ++g) {
      // Those of the other graph go where nobody looks.
      closing_[g] = grouped(pairs + 1, f.arcs.size(), [&](std::size_t a) {
        const formula::arc& arc = f.arcs[a];
        return arc.graph == g ? arc.step.to * f.nodes + arc.step.from : static_cast<number>(pairs);
      });
    }
    sums_of_.assign(2 * variables, {});
    for (number s = 0; s < f.sums.size(); ++s)
      for (const auto& t : f.sums[s].terms) sums_of_[t.holds].emplace_back(s, t.weight);
    for (const auto& any_of : f.clauses) {
      if (any_of.size() == 1)
        given_.push_back(any_of.front());
      else
        attach(any_of, validity{}, 0);
    }
  }

  /// What is tried first of a variable.
  void prefer(number variable, bool holds) { phase_[variable] = holds ? 1 : 0; }
  bool preferred(number variable) const { return phase_[variable] != 0; }

  /// Looks for decisions at a period, and with at most so many bytes. Gives up after \p steps.
  verdict solve(planner::ratio period, long long bytes, long long steps) {
    const long long stop = work() + steps;
    if (!begin(period, bytes)) return verdict::none;
    for (number round = 0;; ++round) {
      long long conflicts = 64 * luby(round);
      while (true) {
        if (!propagate()) {
          if (level() == 0) {
            refute();
            return verdict::none;
          }
          learn();
          --conflicts;
          if (work() > stop) {
            cancel(0);
            return verdict::unknown;
          }
          continue;
        }
        if (conflicts <= 0) break;
        if (work() > stop) {
          cancel(0);
          return verdict::unknown;
        }
        const literal next = choose();
        if (next == no_number) return verdict::found;
        open();
        enqueue(next, {});
      }
      cancel(0);
      if (learnt_count_ > learnt_most_) reduce();
    }
  }

  /// After `found`, until the next call: what was decided, and the paths.
  bool holds(literal l) const { return value_[l] > 0; }
  const paths& graph(number g) const { return paths_[g]; }
  /// After `none`: for which limits that is so.
  const validity& refuted() const { return refuted_; }
  long long work() const { return work_ + paths_[0].work() + paths_[1].work(); }
  long long conflicts() const { return conflicts_all_; }

 private:
  enum class why : number { decided, clause, path, sum };
  struct reason {
    why kind = why::decided;
    number graph = 0;   // of a path
    number which = 0;   // a clause; an arc that would close a cycle; a sum
    number before = 0;  // changes of the graph by then; decisions by then
  };
  struct watch {
    number clause = 0;
    literal other = 0;
  };
  struct range {
    std::vector<number> begins;
    std::vector<number> items;
  };
  template <class Of>
  static range grouped(std::size_t groups, std::size_t count, Of of) {
    range r;
    r.begins.assign(groups + 1, 0);
    for (std::size_t i = 0; i < count; ++i) ++r.begins[of(i) + 1];
    for (std::size_t g = 0; g < groups; ++g) r.begins[g + 1] += r.begins[g];
    std::vector<number> next(r.begins.begin(), r.begins.end() - 1);
    r.items.resize(count);
    for (std::size_t i = 0; i < count; ++i) r.items[next[of(i)]++] = static_cast<number>(i);
    return r;
  }
  static long long luby(number index) {
    number size = 1;
    number power = 0;
    while (size < index + 1) {
      ++power;
      size = 2 * size + 1;
    }
    while (size - 1 != index) {
      size = (size - 1) / 2;
      --power;
      index %= size;
    }
    return 1LL << power;
  }

  number level() const { return static_cast<number>(levels_.size()); }
  bool open_to(literal l) const { return value_[l] == 0; }

  // Clauses: size, glue, index of validity, then the literals.
  static constexpr number header = 3;
  number attach(const std::vector<literal>& any_of, const validity& v, number glue) {
    const auto at = static_cast<number>(store_.size());
    store_.push_back(static_cast<number>(any_of.size()));
    store_.push_back(glue);
    store_.push_back(static_cast<number>(valid_.size()));
    valid_.push_back(v);
    store_.insert(store_.end(), any_of.begin(), any_of.end());
    watches_[any_of[0]].push_back({at, any_of[1]});
    watches_[any_of[1]].push_back({at, any_of[0]});
    if (glue > 0) {
      learnt_.push_back(at);
      ++learnt_count_;
    }
    return at;
  }

  /// From the start: what holds of itself.
  bool begin(planner::ratio period, long long bytes) {
    cancel(0);
    period_ = period;
    bytes_ = bytes;
    // All decisions at level 0 are taken back, too: some hold for shorter periods only.
    for (const literal l : trail_) forget(l);
    trail_.clear();
    next_clause_ = next_arc_ = 0;
    refuted_ = {};
    drop_invalid();
    sum_.assign(f_->sums.size(), 0);
    for (std::size_t s = 0; s < sum_.size(); ++s) sum_[s] = f_->sums[s].constant;
    for (number g = 0; g < 2; ++g) {
      const bool time = g == formula::times;
      if (paths_[g].reset(f_->nodes, f_->fixed[g], time ? period.progresses : 0,
                          time ? period.time : 1))
        continue;
      planner::ratio least{0, 1};
      for (number n = 0; n < f_->nodes && time; ++n) {
        const stretch& s = paths_[g].fixed(n, n);
        if (paths_[g].reach(n, n) > 0 && s.periods < 0 &&
            least < planner::ratio{s.time, -s.periods})
          least = {s.time, -s.periods};
      }
      refuted_ = {};
      if (time && least.time > 0) refuted_.period = least;
      return false;
    }
    heap_.clear();
    for (number v = 0; v < f_->variables.size(); ++v) place_[v] = no_number;
    for (number v = 0; v < f_->variables.size(); ++v) put_back(v);
    for (const literal l : given_)
      if (!assume(l, {})) return false;
    std::vector<learnt_unit> kept;
    for (const learnt_unit& u : units_)
      if (u.valid.holds(period_, bytes_)) kept.push_back(u);
    units_ = std::move(kept);
    for (const learnt_unit& u : units_)
      if (!assume(u.holds, u.valid)) return false;
    // Arcs that close a cycle by themselves, and terms that are too much.
    for (const formula::arc& arc : f_->arcs) {
      if (!paths_[arc.graph].closes(arc.step) || value_[arc.step.literal] < 0) continue;
      validity v;
      if (arc.graph == formula::times)
        v = of_cycle(paths_[arc.graph].fixed(arc.step.to, arc.step.from) + arc.step.length);
      if (!assume(opposite(arc.step.literal), v)) return false;
    }
    for (number s = 0; s < f_->sums.size(); ++s) {
      const auto& sum = f_->sums[s];
      if (exceeds(s, sum.constant)) {
        refuted_ = of_sum(s, sum.constant);
        return false;
      }
      for (const auto& t : sum.terms)
        if (exceeds(s, sum.constant + t.weight) && value_[t.holds] >= 0 &&
            !assume(opposite(t.holds), of_sum(s, sum.constant + t.weight)))
          return false;
    }
    return true;
  }
  bool assume(literal l, const validity& v) {
    if (value_[l] > 0) return true;
    if (value_[l] < 0) {
      refuted_ = v;
      refuted_.keep(unit_[variable_of(l)]);
      return false;
    }
    enqueue(l, {});
    unit_[variable_of(l)] = v;
    return true;
  }
  void drop_invalid() {
    bool any = false;
    for (const number at : learnt_)
      if (!valid_[store_[at + 2]].holds(period_, bytes_)) any = true;
    if (any) rebuild([&](number at) { return valid_[store_[at + 2]].holds(period_, bytes_); });
  }
  void reduce() {
    std::vector<number> glues;
    glues.reserve(learnt_.size());
    for (const number at : learnt_) glues.push_back(store_[at + 1]);
    if (glues.empty()) return;
    const auto middle = glues.begin() + static_cast<std::ptrdiff_t>(glues.size() / 2);
    std::nth_element(glues.begin(), middle, glues.end());
    const number limit = *middle;
    const std::size_t newest = learnt_.size() - learnt_.size() / 4;
    const number young = learnt_[newest < learnt_.size() ? newest : learnt_.size() - 1];
    rebuild(
        [&](number at) { return store_[at + 1] <= 3 || store_[at + 1] < limit || at >= young; });
    learnt_most_ += learnt_most_ / 10;
  }
  /// Only at level 0, where no reason is asked for.
  template <class Stays>
  void rebuild(Stays stays) {
    for (const literal l : trail_) reason_[variable_of(l)] = {};
    std::vector<number> old;
    std::vector<validity> validities;
    old.swap(store_);
    validities.swap(valid_);
    for (auto& w : watches_) w.clear();
    std::vector<number> going;
    {
      // `stays` reads what is in place.
      store_.swap(old);
      valid_.swap(validities);
      for (const number at : learnt_)
        if (!stays(at)) going.push_back(at);
      store_.swap(old);
      valid_.swap(validities);
    }
    learnt_.clear();
    learnt_count_ = 0;
    std::size_t dropped = 0;
    std::vector<literal> any_of;
    for (number at = 0; at < old.size(); at += header + old[at]) {
      if (dropped < going.size() && going[dropped] == at) {
        ++dropped;
        continue;
      }
      any_of.assign(old.begin() + at + header, old.begin() + at + header + old[at]);
      // Watched are two that do not fail, if there are.
      for (std::size_t w = 0; w < 2; ++w)
        for (std::size_t i = w; i < any_of.size(); ++i)
          if (value_[any_of[i]] >= 0) {
            std::swap(any_of[w], any_of[i]);
            break;
          }
      attach(any_of, validities[old[at + 2]], old[at + 1]);
    }
    next_clause_ = 0;  // all that holds is looked at again
    work_ += static_cast<long long>(old.size() / 4);
  }

  void open() {
    levels_.push_back(
        {static_cast<number>(trail_.size()), {paths_[0].changes(), paths_[1].changes()}});
  }
  void forget(literal l) {
    value_[l] = value_[opposite(l)] = 0;
    const number v = variable_of(l);
    reason_[v] = {};
    put_back(v);
  }
  void cancel(number to) {
    if (level() <= to) return;
    const level_start& start = levels_[to];
    for (std::size_t i = trail_.size(); i > start.trail; --i) {
      const literal l = trail_[i - 1];
      const number v = variable_of(l);
      const literal only_if = f_->variables[v].only_if;
      if (only_if == no_number || value_[only_if] > 0) phase_[v] = (l & 1U) == 0 ? 1 : 0;
    }
    for (std::size_t i = trail_.size(); i > start.trail; --i) {
      const literal l = trail_[i - 1];
      if (i - 1 < next_arc_)
        for (const auto& [s, weight] : sums_of_[l]) sum_[s] -= weight;
      forget(l);
    }
    trail_.resize(start.trail);
    for (number g = 0; g < 2; ++g) paths_[g].back_to(start.changes[g]);
    next_clause_ = std::min<std::size_t>(next_clause_, trail_.size());
    next_arc_ = std::min<std::size_t>(next_arc_, trail_.size());
    levels_.resize(to);
  }
  void enqueue(literal l, const reason& r) {
    value_[l] = 1;
    value_[opposite(l)] = -1;
    const number v = variable_of(l);
    level_[v] = level();
    reason_[v] = r;
    position_[v] = static_cast<number>(trail_.size());
    trail_.push_back(l);
    work_ += 4;
    if (level() != 0) return;
    unit_[v] = {};
    if (r.kind == why::decided) return;
    // What it rests on is at level 0, too.
    validity valid;
    explain(
        l, r, [&](literal holds) { valid.keep(unit_[variable_of(holds)]); }, valid);
    unit_[v] = valid;
  }

  /// All that follows from what is decided. Returns whether nothing contradicts it.
  bool propagate() {
    while (true) {
      if (next_clause_ < trail_.size()) {
        if (!by_clauses(trail_[next_clause_++])) return false;
      } else if (next_arc_ < trail_.size()) {
        const literal l = trail_[next_arc_++];
        if (!by_sums(l) || !by_arcs(l)) return false;
      } else {
        return true;
      }
    }
  }
  bool by_clauses(literal holds) {
    const literal fails = opposite(holds);
    auto& list = watches_[fails];
    std::size_t kept = 0;
    work_ += static_cast<long long>(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const watch w = list[i];
      if (value_[w.other] > 0) {
        list[kept++] = w;
        continue;
      }
      number* const literals = &store_[w.clause + header];
      const number size = store_[w.clause];
      if (literals[0] == fails) std::swap(literals[0], literals[1]);
      const literal first = literals[0];
      if (value_[first] > 0) {
        list[kept++] = {w.clause, first};
        continue;
      }
      bool moved = false;
      for (number k = 2; k < size; ++k) {
        if (value_[literals[k]] < 0) continue;
        std::swap(literals[1], literals[k]);
        watches_[literals[1]].push_back({w.clause, first});
        moved = true;
        break;
      }
      if (moved) continue;
      list[kept++] = {w.clause, first};
      if (value_[first] < 0) {
        for (++i; i < list.size(); ++i) list[kept++] = list[i];
        list.resize(kept);
        blame({why::clause, 0, w.clause, 0});
        return false;
      }
      enqueue(first, {why::clause, 0, w.clause, 0});
    }
    list.resize(kept);
    return true;
  }
  bool exceeds(number s, long long sum) const {
    if (f_->sums[s].bytes) return sum > bytes_;
    return sum * period_.progresses > period_.time;
  }
  validity of_sum(number s, long long sum) const {
    validity v;
    if (f_->sums[s].bytes)
      v.bytes = sum;
    else
      v.period = {sum, 1};
    return v;
  }
  static validity of_cycle(const stretch& s) {
    validity v;
    if (s.periods < 0) v.period = {s.time, -s.periods};
    return v;
  }
  bool by_sums(literal l) {
    bool fine = true;
    for (const auto& [s, weight] : sums_of_[l]) sum_[s] += weight;
    for (const auto& [s, weight] : sums_of_[l]) {
      const auto before = static_cast<number>(next_arc_);
      if (exceeds(s, sum_[s])) {
        if (fine) blame({why::sum, 0, s, before});
        fine = false;
        continue;
      }
      if (!fine) continue;
      const auto& terms = f_->sums[s].terms;
      work_ += static_cast<long long>(terms.size());
      for (const auto& t : terms)
        if (open_to(t.holds) && exceeds(s, sum_[s] + t.weight))
          enqueue(opposite(t.holds), {why::sum, 0, s, before});
    }
    return fine;
  }
  bool by_arcs(literal l) {
    for (number i = arcs_of_.begins[l]; i < arcs_of_.begins[l + 1]; ++i) {
      const number a = arcs_of_.items[i];
      const formula::arc& arc = f_->arcs[a];
      paths& p = paths_[arc.graph];
      if (p.closes(arc.step)) {
        blame({why::path, arc.graph, a, p.changes()});
        return false;
      }
      const number known = p.changes();
      p.add(arc.step);
      const range& closing = closing_[arc.graph];
      for (number c = known; c < p.changes(); ++c) {
        const number pair = p.at(c).pair;
        const number end = closing.begins[pair + 1];
        for (number k = closing.begins[pair]; k < end; ++k) {
          const number other = closing.items[k];
          const formula::arc& closed = f_->arcs[other];
          ++work_;
          if (value_[closed.step.literal] != 0) continue;
          if (p.reach_of(pair) + p.scaled(closed.step.length) > 0)
            enqueue(opposite(closed.step.literal), {why::path, arc.graph, other, p.changes()});
        }
      }
    }
    return true;
  }

  /// Calls \p each with what a reason rests on, all of which holds; narrows \p v to where the
  /// reason is one. \p of is what follows; of a conflict, `no_number`.
  template <class Each>
  void explain(literal of, const reason& r, Each each, validity& v) {
    switch (r.kind) {
      case why::decided: break;
      case why::clause: {
        const number size = store_[r.which];
        work_ += size;
        for (number k = 0; k < size; ++k) {
          const literal l = store_[r.which + header + k];
          if (l != of) each(opposite(l));
        }
        v.keep(valid_[store_[r.which + 2]]);
        break;
      }
      case why::path: {
        const paths::step& s = f_->arcs[r.which].step;
        if (of == no_number) each(s.literal);
        const stretch back = paths_[r.graph].explain(s.to, s.from, r.before, each);
        if (r.graph == formula::times) v.keep(of_cycle(back + s.length));
        break;
      }
      case why::sum: {
        long long sum = f_->sums[r.which].constant;
        work_ += static_cast<long long>(f_->sums[r.which].terms.size());
        for (const auto& t : f_->sums[r.which].terms) {
          if (t.holds == opposite(of) && of != no_number) {
            sum += t.weight;
            continue;
          }
          if (value_[t.holds] <= 0 || position_[variable_of(t.holds)] >= r.before) continue;
          sum += t.weight;
          each(t.holds);
        }
        v.keep(of_sum(r.which, sum));
        break;
      }
    }
  }
  void blame(const reason& r) { conflict_ = r; }

  void refute() {
    validity v;
    explain(
        no_number, conflict_, [&](literal holds) { v.keep(unit_[variable_of(holds)]); }, v);
    refuted_ = v;
  }
  void learn() {
    ++conflicts_all_;
    validity valid;
    learnt_now_.assign(1, 0);
    number open_paths = 0;
    const auto see = [&](literal holds) {
      const number v = variable_of(holds);
      if (seen_[v] != 0) return;
      if (level_[v] == 0) {
        valid.keep(unit_[v]);
        return;
      }
      seen_[v] = 1;
      touched_.push_back(v);
      bump(v);
      if (level_[v] == level())
        ++open_paths;
      else
        learnt_now_.push_back(opposite(holds));
    };
    explain(no_number, conflict_, see, valid);
    std::size_t at = trail_.size();
    literal asserted = 0;
    while (true) {
      do --at;
      while (seen_[variable_of(trail_[at])] == 0 || level_[variable_of(trail_[at])] != level());
      asserted = trail_[at];
      --open_paths;
      if (open_paths == 0) break;
      const reason r = reason_[variable_of(asserted)];
      explain(asserted, r, see, valid);
    }
    learnt_now_[0] = opposite(asserted);
    shorten(valid);
    number back = 0;
    number glue = 1;
    for (std::size_t i = 1; i < learnt_now_.size(); ++i) {
      const number l = level_[variable_of(learnt_now_[i])];
      if (l > back) {
        back = l;
        std::swap(learnt_now_[1], learnt_now_[i]);
      }
    }
    stamps_.resize(levels_.size() + 1, 0);
    ++stamp_;
    for (const literal l : learnt_now_) {
      const number on = level_[variable_of(l)];
      if (stamps_[on] == stamp_) continue;
      stamps_[on] = stamp_;
      ++glue;
    }
    for (const number v : touched_) seen_[v] = 0;
    touched_.clear();
    cancel(back);
    increment_ *= 1 / 0.95;
    if (increment_ > 1e100) {
      for (double& a : activity_) a *= 1e-100;
      increment_ *= 1e-100;
    }
    if (learnt_now_.size() == 1) {
      units_.push_back({learnt_now_[0], valid});
      enqueue(learnt_now_[0], {});
      unit_[variable_of(learnt_now_[0])] = valid;
      return;
    }
    const number clause = attach(learnt_now_, valid, glue);
    enqueue(learnt_now_[0], {why::clause, 0, clause, 0});
  }
  /// Leaves out what follows from the rest by the clause that it is there for.
  void shorten(validity& valid) {
    std::size_t kept = 1;
    for (std::size_t i = 1; i < learnt_now_.size(); ++i) {
      const literal l = learnt_now_[i];
      const reason& r = reason_[variable_of(l)];
      bool follows = r.kind == why::clause;
      if (follows) {
        validity also;
        explain(
            opposite(l), r,
            [&](literal holds) {
              const number v = variable_of(holds);
              if (level_[v] == 0)
                also.keep(unit_[v]);
              else if (seen_[v] == 0)
                follows = false;
            },
            also);
        if (follows) valid.keep(also);
      }
      if (!follows) learnt_now_[kept++] = l;
    }
    learnt_now_.resize(kept);
  }

  literal choose() {
    while (!heap_.empty()) {
      const number v = heap_.front();
      take_first();
      ++work_;
      if (value_[2 * std::size_t{v}] != 0) continue;
      const literal only_if = f_->variables[v].only_if;
      const bool wanted = only_if == no_number || value_[only_if] > 0;
      work_ += 8;
      return 2 * v + (wanted && phase_[v] != 0 ? 0 : 1);
    }
    return no_number;
  }
  void bump(number v) {
    activity_[v] += increment_;
    if (place_[v] != no_number) rise(place_[v]);
  }
  bool before(number a, number b) const {
    return activity_[a] > activity_[b] || (activity_[a] == activity_[b] && a < b);
  }
  void put_back(number v) {
    if (place_[v] != no_number) return;
    place_[v] = static_cast<number>(heap_.size());
    heap_.push_back(v);
    rise(place_[v]);
  }
  void rise(number at) {
    const number v = heap_[at];
    while (at > 0 && before(v, heap_[(at - 1) / 2])) {
      heap_[at] = heap_[(at - 1) / 2];
      place_[heap_[at]] = at;
      at = (at - 1) / 2;
    }
    heap_[at] = v;
    place_[v] = at;
  }
  void take_first() {
    place_[heap_.front()] = no_number;
    const number v = heap_.back();
    heap_.pop_back();
    if (heap_.empty()) return;
    number at = 0;
    const auto size = static_cast<number>(heap_.size());
    while (2 * at + 1 < size) {
      number child = 2 * at + 1;
      if (child + 1 < size && before(heap_[child + 1], heap_[child])) ++child;
      if (!before(heap_[child], v)) break;
      heap_[at] = heap_[child];
      place_[heap_[at]] = at;
      at = child;
    }
    heap_[at] = v;
    place_[v] = at;
  }

  struct level_start {
    number trail;
    number changes[2];
  };
  struct learnt_unit {
    literal holds;
    validity valid;
  };

  const formula* f_;
  planner::ratio period_{};
  long long bytes_ = no_limit;
  paths paths_[2];
  range arcs_of_;     // by literal
  range closing_[2];  // by pair of nodes: arcs from the second to the first
  std::vector<std::vector<std::pair<number, long long>>> sums_of_;  // by literal
  std::vector<long long> sum_;

  std::vector<signed char> value_;  // by literal
  std::vector<number> level_;       // by variable, as all below
  std::vector<number> position_;
  std::vector<reason> reason_;
  std::vector<validity> unit_;  // of what holds at level 0
  std::vector<char> seen_;
  std::vector<char> phase_;
  std::vector<double> activity_;
  std::vector<number> place_;

  std::vector<literal> trail_;
  std::vector<level_start> levels_;
  std::size_t next_clause_ = 0;
  std::size_t next_arc_ = 0;
  std::vector<literal> given_;
  std::vector<learnt_unit> units_;

  std::vector<number> store_;
  std::vector<validity> valid_;
  std::vector<std::vector<watch>> watches_;  // by literal that fails
  std::vector<number> learnt_;
  long long learnt_count_ = 0;
  long long learnt_most_ = 4000;

  reason conflict_{};
  validity refuted_{};
  std::vector<literal> learnt_now_;
  std::vector<number> touched_;
  std::vector<number> stamps_;
  number stamp_ = 0;
  std::vector<number> heap_;
  double increment_ = 1;
  long long work_ = 0;
  long long conflicts_all_ = 0;
};

}  // namespace stretto::search::detail
