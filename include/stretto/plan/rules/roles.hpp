// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/declare/name.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/nearest_name.hpp>
#include <string_view>

/// Whether each rank of a schedule with roles has what its tasks use: asked of the schedule of all
/// ranks, which keeps all rules.
namespace stretto::planner {

enum class role_misuse {
  sound,
  grouped,            ///< a thread group has a queue or workers
  too_many,           ///< roles
  unknown,            ///< a transfer names a role that no task has
  to_itself,          ///< a transfer is to the role that it is from, or to one twice
  among_others,       ///< a transfer names a communicator
  of_view,            ///< a transfer is of values that view into others
  two_sources,        ///< tasks of two roles read the source's slot
  unwritten,          ///< a transfer is of a slot that nobody writes before
  sent_by_stranger,   ///< a transfer is from a role that does not have the value
  needless,           ///< a transfer is to a role that has the value
  read_elsewhere,     ///< a task reads what its role does not have
  updated_elsewhere,  ///< a task updates what its role does not have
  depends_across,     ///< a task depends on one that is not on its rank
  ordered_across,     ///< an order has tasks of two roles next to each other
  shares_state        ///< tasks of two roles use a resource that one of them changes
};

struct role_finding {
  role_misuse what = role_misuse::sound;
  std::size_t task = none;   ///< at fault
  std::size_t other = none;  ///< who wrote, is depended on, or shares
  name of{};                 ///< the slot or resource
  std::string_view role{};   ///< that lacks it, is unknown, or has it
  std::string_view meant{};  ///< the role that was probably meant
};

/// Whether some task of a schedule is not on all ranks.
constexpr bool has_roles(const declaration& d) {
  bool found = false;
  for (const task& t : d.tasks) found = found || !t.role.empty();
  return found;
}

/// Who has what in a schedule with roles. Sets of roles are bits.
class role_judge {
 public:
  using set = std::uint64_t;
  static constexpr std::size_t most_roles = 64;

  constexpr explicit role_judge(const declaration& d) : d_(d), g_(make_graph(d)) {
    for (const task& t : d.tasks)
      if (!t.role.empty() && !is_transfer(t) && roles_.find(t.role) == none) roles_.add(t.role);
    for (std::size_t r = 0; r < count() && r < most_roles; ++r) all_ |= set{1} << r;
    for (const use& read : g_.reads)
      if (read.slot == g_.source_slot && read.node < g_.tasks) pulls_ |= where(d.tasks[read.node]);
    if (pulls_ == 0) pulls_ = all_;
  }

  /// The roles, in the order in which tasks name them.
  constexpr std::size_t count() const { return roles_.texts().size(); }
  constexpr std::string_view role(std::size_t number) const { return roles_.texts()[number]; }
  /// The set of a role; empty: no task has it.
  constexpr set only(std::string_view name) const {
    const std::size_t number = roles_.find(name);
    return number >= most_roles ? 0 : set{1} << number;
  }
  /// The role that was probably meant by a name that is none of them.
  constexpr std::string_view nearest(std::string_view name) const {
    nearest_name found(name);
    for (std::size_t r = 0; r < count(); ++r) found.consider(role(r));
    return found.name();
  }
  /// The roles on whose ranks a task is.
  constexpr set where(const task& t) const {
    if (t.role.empty()) return all_;
    set ranks = only(t.role);
    for (const std::string_view to : t.to) ranks |= only(to);
    return ranks;
  }
  /// The roles whose tasks read the source's slot; all, if nobody does.
  constexpr set pulling() const { return pulls_; }
  /// The roles whose ranks have the finished value of a slot.
  constexpr set having(const name& slot) const {
    for (std::size_t s = 0; s < g_.slot_list.size(); ++s)
      if (g_.slot_list[s] == slot) return holders(s).who;
    return 0;
  }

  constexpr role_finding judge() const {
    if (count() > most_roles) return {role_misuse::too_many};
    role_finding found = judge_transfers();
    if (found.what == role_misuse::sound) found = judge_source();
    for (std::size_t s = 0; s < g_.slot_list.size() && found.what == role_misuse::sound; ++s) {
      found = judge_writers(s);
      if (found.what == role_misuse::sound) found = judge_readers(s);
    }
    if (found.what == role_misuse::sound) found = judge_links();
    if (found.what == role_misuse::sound) found = judge_resources();
    return found;
  }

 private:
  struct held {
    set who = 0;
    std::size_t last = none;  ///< who wrote last
  };

  constexpr std::string_view first_of(set roles) const {
    std::size_t r = 0;
    while (r + 1 < count() && (roles >> r & 1U) == 0) ++r;
    return role(r);
  }

  /// The writers of a slot for a batch, one after the other.
  constexpr list<use> in_order(std::size_t slot) const {
    list<use> writers;
    for (std::size_t i = g_.writers_of[slot].first; i < g_.writers_of[slot].last; ++i)
      writers.push_back(g_.writers[i]);
    insertion_sort(writers, [this](const use& a, const use& b) { return g_.before(a, b); });
    return writers;
  }
  constexpr void write(held& so_far, const use& by) const {
    if (by.node >= g_.tasks) {
      so_far.who = pulls_;
    } else if (is_transfer(d_.tasks[by.node])) {
      so_far.who |= where(d_.tasks[by.node]);
      return;
    } else {
      so_far.who = where(d_.tasks[by.node]);
    }
    so_far.last = by.node;
  }
  /// Who has a value after its writers; those that come before a read, if one is given. What an
  /// earlier batch left there is there when all its writers are done.
  constexpr held holders(std::size_t slot, const use* read = nullptr) const {
    const bool all = read == nullptr || read->ago > 0 || read->span > 0;
    held now;
    for (const use& w : in_order(slot))
      if (all || !g_.before(*read, w)) write(now, w);
    return now;
  }

  constexpr role_finding judge_transfers() const {
    for (std::size_t n = 0; n < g_.tasks; ++n) {
      const task& t = d_.tasks[n];
      if (!is_transfer(t)) continue;
      set named = only(t.role);
      role_finding f{role_misuse::unknown, n, none, {}, t.role};
      for (const std::string_view to : t.to) {
        if (named != 0 && only(to) == 0) f.role = to;
        if (named == 0 || only(to) == 0) {
          f.meant = nearest(f.role);
          return f;
        }
        if ((named & only(to)) != 0) return {role_misuse::to_itself, n, none, {}, to};
        named |= only(to);
      }
      if (!t.communicator.empty()) return {role_misuse::among_others, n};
      f = {role_misuse::of_view, n};
      f.of = t.writes[0].slot;
      for (const pointing& p : d_.points)
        if (p.slot == f.of) return f;
    }
    return {};
  }

  constexpr role_finding judge_source() const {
    role_finding first;
    for (const use& read : g_.reads) {
      if (read.slot != g_.source_slot || read.node >= g_.tasks) continue;
      const task& t = d_.tasks[read.node];
      if (t.role.empty()) return {};  // all ranks have a source
      if (first.task != none && d_.tasks[first.task].role != t.role)
        return {role_misuse::two_sources, read.node, first.task, d_.from.slot, t.role};
      if (first.task == none) first.task = read.node;
    }
    return {};
  }

  constexpr role_finding judge_writers(std::size_t slot) const {
    held now;
    for (const use& w : in_order(slot)) {
      if (w.node < g_.tasks) {
        const task& t = d_.tasks[w.node];
        role_finding f{role_misuse::sound, w.node, now.last, g_.slot_list[slot], t.role};
        const set needed = is_transfer(t) ? only(t.role) : where(t);
        const set lacking = needed & ~now.who;
        if (is_transfer(t)) {
          if (now.last == none)
            f.what = role_misuse::unwritten;
          else if (lacking != 0)
            f.what = role_misuse::sent_by_stranger;
          if (f.what != role_misuse::sound) return f;
          for (const std::string_view to : t.to) {
            f.what = role_misuse::needless;
            f.role = to;
            if ((only(to) & now.who) != 0) return f;
          }
        } else if (now.last != none && lacking != 0) {
          f.what = role_misuse::updated_elsewhere;
          f.role = first_of(lacking);
          return f;
        }
      }
      write(now, w);
    }
    return {};
  }

  constexpr role_finding judge_readers(std::size_t slot) const {
    for (std::size_t i = g_.readers_of[slot].first; i < g_.readers_of[slot].last; ++i) {
      const use& read = g_.readers[i];
      if (read.node >= g_.tasks) continue;
      const held then = holders(slot, &read);
      const set lacking = where(d_.tasks[read.node]) & ~then.who;
      if (lacking != 0)
        return {role_misuse::read_elsewhere, read.node, then.last, g_.slot_list[slot],
                first_of(lacking)};
    }
    return {};
  }

  constexpr role_finding judge_links() const {
    for (std::size_t n = 0; n < g_.tasks; ++n) {
      const task& t = d_.tasks[n];
      for (std::size_t i = g_.nodes[n].links.first; i < g_.nodes[n].links.last; ++i) {
        const std::size_t on = g_.links[i].producer;
        const set there = where(d_.tasks[on]);
        // The rank that sends and those that receive wait each for what they have.
        if (is_transfer(t) ? (where(t) & there) == 0 : (where(t) & ~there) != 0)
          return {role_misuse::depends_across, n, on, {}, d_.tasks[on].role};
      }
    }
    for (const turn_node& t : g_.turns)
      if (t.before != none && (where(d_.tasks[t.node]) & where(d_.tasks[t.before])) == 0)
        return {role_misuse::ordered_across, t.node, t.before, {}, d_.tasks[t.before].role};
    return {};
  }

  static constexpr bool lists(view<name> resources, const name& one) {
    bool found = false;
    for (const name& r : resources) found = found || r == one;
    return found;
  }
  constexpr role_finding judge_resources() const {
    for (std::size_t n = 0; n < g_.tasks; ++n)
      for (const name& r : d_.tasks[n].mutates)
        for (std::size_t o = 0; o < g_.tasks; ++o)
          if ((where(d_.tasks[n]) & where(d_.tasks[o])) == 0 &&
              (lists(d_.tasks[o].observes, r) || lists(d_.tasks[o].mutates, r)))
            return {role_misuse::shares_state, o, n, r, d_.tasks[n].role};
    return {};
  }

  const declaration& d_;
  graph g_;
  text_index roles_{};
  set all_ = 0;
  set pulls_ = 0;
};

/// What is wrong with the roles of a schedule that keeps all rules.
constexpr role_finding check_roles(const declaration& d) {
  if (!has_roles(d)) return {};
  if (!d.groups.empty()) return {role_misuse::grouped};
  const role_judge judge(d);
  return judge.judge();
}

namespace detail {

constexpr void add_task(text_builder& to, const declaration& d, std::size_t n) {
  if (n >= d.tasks.size()) {
    to.add("the source");
    return;
  }
  const task& t = d.tasks[n];
  to.add(is_transfer(t) ? "transfer " : "task ").quoted(t.id.text);
  if (t.role.empty()) {
    to.add(", which is on all ranks,");
  } else if (!is_transfer(t)) {
    to.add(" of role ").quoted(t.role);
  }
}

/// Who has a value: of a task on all ranks every rank.
constexpr void add_owner(text_builder& to, const declaration& d, std::size_t n) {
  add_task(to, d, n);
  to.add(n < d.tasks.size() ? " writes" : " fills");
}

/// The transfer that sends a slot to a role, at whatever lookahead; \c none: there is none.
constexpr std::size_t transfer_to(const declaration& d, const role_finding& f) {
  for (std::size_t n = 0; n < d.tasks.size(); ++n)
    for (const std::string_view to : d.tasks[n].to)
      for (const access& sent : d.tasks[n].writes)
        if (to == f.role && sent.slot == f.of) return n;
  return none;
}

constexpr void add_needed_transfer(text_builder& to, const declaration& d, const role_finding& f) {
  if (const std::size_t sends = transfer_to(d, f); sends != none) {
    to.add("; ");
    add_task(to, d, sends);
    to.add(
        " sends it there, but not between them: give it a lookahead that is less than the "
        "writer's and no less than the reader's");
    return;
  }
  to.add("; between them put `stretto::transfer<").shown(f.of.text).add(", \"");
  if (f.other < d.tasks.size() && !d.tasks[f.other].role.empty()) {
    to.shown(d.tasks[f.other].role);
  } else {
    to.add("...");
  }
  to.add("\", \"").shown(f.role).add(
      "\">` among the parts of the schedule, at a lookahead that is ");
  to.add("less than the writer's and no less than the reader's");
}

}  // namespace detail

/// What is wrong, as a sentence.
constexpr void add_sentence(text_builder& to, const declaration& d, const role_finding& f) {
  switch (f.what) {
    case role_misuse::sound: return;
    case role_misuse::grouped:
      to.add(
          "a schedule with roles has a queue or workers for a thread group, which would be "
          "planned otherwise on each rank; leave them out");
      return;
    case role_misuse::too_many: to.add("a schedule has more than 64 roles"); return;
    case role_misuse::unknown:
      detail::add_task(to, d, f.task);
      to.add(" names role ").quoted(f.role).add(", which no task has");
      if (!f.meant.empty()) to.add("; did you mean ").quoted(f.meant).add("?");
      return;
    case role_misuse::to_itself:
      detail::add_task(to, d, f.task);
      to.add(" names role ").quoted(f.role).add(" twice; name who sends, then each who receives");
      return;
    case role_misuse::among_others:
      detail::add_task(to, d, f.task);
      to.add(" names a communicator; transfers are among all ranks of the pipeline: leave it out");
      return;
    case role_misuse::of_view:
      detail::add_task(to, d, f.task);
      to.add(" sends slot ").quoted(f.of.text);
      to.add(
          ", whose values view into those of other slots and mean nothing on another rank; send "
          "the slots that they view into, and make the views there");
      return;
    case role_misuse::two_sources:
      to.add("the source's slot ").quoted(f.of.text).add(" is read by ");
      detail::add_task(to, d, f.task);
      to.add(" and by ");
      detail::add_task(to, d, f.other);
      to.add(
          "; let one role have the source, and send the others what they need by "
          "`stretto::transfer`");
      return;
    case role_misuse::unwritten:
      detail::add_task(to, d, f.task);
      to.add(" sends slot ").quoted(f.of.text);
      to.add(", which no task writes before; give the task of role ").quoted(f.role);
      to.add(" that writes it a larger lookahead than the transfer has");
      return;
    case role_misuse::sent_by_stranger:
      detail::add_task(to, d, f.task);
      to.add(" sends slot ").quoted(f.of.text).add(" from role ").quoted(f.role);
      to.add(", which does not have it then: ");
      detail::add_owner(to, d, f.other);
      to.add(" it; name the role that has it, or send it there before");
      return;
    case role_misuse::needless:
      detail::add_task(to, d, f.task);
      to.add(" sends slot ").quoted(f.of.text).add(" to role ").quoted(f.role);
      to.add(", which has it already; leave that role out");
      return;
    case role_misuse::read_elsewhere:
      detail::add_task(to, d, f.task);
      to.add(" reads slot ").quoted(f.of.text).add(", but a rank of role ").quoted(f.role);
      to.add(" does not have it then: ");
      detail::add_owner(to, d, f.other);
      to.add(" it");
      detail::add_needed_transfer(to, d, f);
      return;
    case role_misuse::updated_elsewhere:
      detail::add_task(to, d, f.task);
      to.add(" updates slot ").quoted(f.of.text).add(", but a rank of role ").quoted(f.role);
      to.add(" does not have it then: ");
      detail::add_owner(to, d, f.other);
      to.add(" it");
      detail::add_needed_transfer(to, d, f);
      return;
    case role_misuse::depends_across:
      detail::add_task(to, d, f.task);
      to.add(" depends on ");
      detail::add_task(to, d, f.other);
      to.add(
          ", which is not on the same ranks; ranks wait for each other in transfers only: read a "
          "slot that comes from there by `stretto::transfer`");
      return;
    case role_misuse::ordered_across:
      to.add("an order has ");
      detail::add_task(to, d, f.task);
      to.add(" after ");
      detail::add_task(to, d, f.other);
      to.add(", and no rank has both; order the tasks of each role on their own");
      return;
    case role_misuse::shares_state:
      detail::add_task(to, d, f.task);
      to.add(" uses resource ").quoted(f.of.text).add(", which ");
      detail::add_task(to, d, f.other);
      to.add(
          " changes on another rank; let one role have the resource, and send what the others "
          "need of it by `stretto::transfer`");
      return;
  }
}

}  // namespace stretto::planner
