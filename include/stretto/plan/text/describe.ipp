// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <stretto/plan/rules/wording.hpp>
#include <stretto/plan/text/describe.hpp>
#include <stretto/plan/text/plan_writer.hpp>
#include <stretto/plan/text/viewed_plan.hpp>

namespace stretto::planner {

namespace detail {

/// For how many batches each value of a slot is.
class batches_of_slots {
 public:
  explicit batches_of_slots(const declaration& d) {
    for (const task& t : d.tasks)
      if (const int every = rate_of(t).every; every > 1)
        for (const access& a : t.writes) {
          if (rated_.find(a.slot.key) != none) continue;
          rated_.add(a.slot.key);
          every_.push_back(every);
        }
  }
  int operator[](const name& slot) const {
    const std::size_t found = rated_.find(slot.key);
    return found == none ? 1 : every_[found];
  }

 private:
  text_index rated_;  // those of several
  list<int> every_;
};

/// Tells a plan, section by section.
class plan_teller : public plan_writer {
 public:
  explicit plan_teller(const plan_view& p)
      : plan_writer(p, add_for_person), batches_of_(p.declared) {}

  [[gnu::cold]] void tell(std::string_view title, view<std::size_t> slot_bytes,
                          const modelled* times, const told_overlap& overlap) {
    constexpr std::size_t widest = 40;  // or one long name would pad all lines
    for (const task& t : plan.declared.tasks) {
      text_builder one;
      one.shown(t.id.text);
      if (one.size() > width) width = one.size() < widest ? one.size() : widest;
    }
    name = title;
    write("schedule $n: ");
    count(plan.tasks(), "$N task, ", "$N tasks, ");
    count(static_cast<std::size_t>(plan.max_lookahead) + 1, "$N batch in flight\n",
          "$N batches in flight\n");
    tell_order();
    tell_threads();
    if (overlap.tracks == 1)
      write(
          "\nno two tasks overlap: one thread runs all of them, whatever their lookaheads; a "
          "thread "
          "map or tasks with threads of their own would change that\n");
    if (overlap.tracks > 1) tell_overlap(overlap);
    if (overlap.held.any()) tell_bounds(overlap);
    if (times != nullptr) {
      write("\nmodelled time per progress, when threads run ahead of each other\n  ");
      text.quotient(times->period.time, times->period.progresses);
      write("; no map on as many threads has less than ");
      text.quotient(times->least.time, times->least.progresses);
      write("\n");
    }
    write("\nwaits between threads that run ahead of each other\n");
    tell_waits(plan.run_ahead_waits);
    count(plan.host_waits, "  (with a barrier after each progress instead: $N wait inside it)\n",
          "  (with a barrier after each progress instead: $N waits inside it)\n");
    write("\nwaits between streams (all that the declarations and the reuse of copies ask for)\n");
    tell_waits(plan.stream_waits);
    const char* begin = "\ncollectives, in submission order\n  $f";
    for (const std::size_t n : plan.tickets) {
      at.producer = n;
      write(begin);
      begin = " $f";
    }
    if (!plan.tickets.empty()) write("\n");
    tell_memory(slot_bytes);
  }

 private:
  [[gnu::cold, gnu::noinline]] void count(std::size_t n, const char* one, const char* many) {
    number = n;
    write(n == 1 ? one : many);
  }

  void tell_drops(const task& t) {
    if (t.drops) write("  may drop batches");
    if (!drops_failures(t)) return;
    write(t.drops ? ", also if it fails" : "  drops batches if it fails");
    tell_most(t.max_failures);
  }
  void tell_drops(const source& from) {
    if (!drops_failures(from)) return;
    write("  drops batches if it fails");
    tell_most(from.max_failures);
  }
  void tell_most(int failures) {
    if (failures > 0) text.add(", ").number(failures).add(" at most");
  }
  void tell_role(const task& t) {
    if (t.role.empty()) return;
    text.add(is_transfer(t) ? "  from role " : "  role ").shown(t.role);
    for (const std::string_view to : t.to) text.add(" to ").shown(to);
  }
  void tell_order() {
    write("\norder of one progress (+n: n batches ahead)\n");
    for (const std::size_t n : plan.order) {
      at.producer = n;
      thread = plan.thread_of[n];
      stream = plan.stream_of[n];
      write("  $|$f$_  +$k  thread $|$g$.");
      if (stream != none) write("  stream $s");
      if (n < plan.tasks() && rate_of(plan.declared.tasks[n]).every > 1)
        say_when(plan.declared.tasks[n], text.add("  "));
      if (n < plan.tasks() && plan.declared.tasks[n].calls > 1)
        text.add("  called ").number(plan.declared.tasks[n].calls).add(" times per batch");
      if (n < plan.tasks()) tell_drops(plan.declared.tasks[n]);
      if (n == plan.tasks()) tell_drops(plan.declared.from);
      if (n < plan.tasks()) tell_role(plan.declared.tasks[n]);
      tell_uses(n);
      write("\n");
    }
    const view<turn> turns = plan.declared.turns;
    if (turns.empty()) return;
    write("\norder given by the schedule\n");
    std::size_t latest = 0;  // of the lists that have begun, which are numbered as they begin
    for (std::size_t i = 0; i < turns.size(); ++i) {
      name = turns[i].task.text;
      const bool begins = i == 0 || turns[i].list > latest;
      if (begins) latest = turns[i].list;
      write(!begins ? " > $n" : i == 0 ? "  $n" : "\n  $n");
    }
    write("\n");
  }

  void tell_threads() {
    write("\nthreads\n");
    for (thread = 0; thread < plan.threads.size(); ++thread) {
      write("  $|$g$_  ");
      const range chain = plan.chains[thread];
      for (std::size_t i = chain.first; i < chain.last; ++i) {
        at.producer = plan.chained[i];
        write(i == chain.first ? "$f" : " > $f");
      }
      write("$q\n");
    }
    tell_unused_threads();
  }

  [[gnu::cold, gnu::noinline]] void tell_unused_threads() {
    const char* const first = "  (listed, and no task is on it: `$n`";
    const char* begin = first;
    text_index used;
    if (!plan.declared.thread_names.empty())
      for (const std::string_view known : plan.threads) used.number(known);
    for (const std::string_view listed : plan.declared.thread_names) {
      if (listed == plan.declared.caller_runs || used.find(listed) != none) continue;
      name = listed;
      write(begin);
      begin = ", `$n`";
    }
    if (begin != first) write(")\n");
  }

  [[gnu::cold, gnu::noinline]] void tell_overlap(const told_overlap& overlap) {
    number = overlap.tracks;
    write("\nnothing overlaps: each batch passes all $N ");
    write(overlap.threads < overlap.tracks ? "streams" : "threads");
    write(" before the next begins; ");
    const char* begin = "`pipelined` would raise `$f` to +$N";
    bool raised = false;
    for (std::size_t n = 0; n < overlap.raised.size(); ++n) {
      // The source alone, only if no task is.
      if (overlap.raised[n] == 0 || (n == plan.tasks() && raised)) continue;
      raised = true;
      at.producer = n;
      const int raised_to = plan.lookahead(n) + overlap.raised[n];
      number = static_cast<std::size_t>(raised_to);
      write(begin);
      begin = ", `$f` to +$N";
    }
    write(raised ? "\n" : "no other lookaheads would change that\n");
  }

  /// Which tasks a bound keeps from working further ahead.
  [[gnu::cold, gnu::noinline]] void tell_bounds(const told_overlap& overlap) {
    const plan_bounds& within = plan.declared.within;
    write("\n");
    if (overlap.held.in_flight) {
      number = static_cast<std::size_t>(within.in_flight);
      write("`max_in_flight` $N ");
    }
    if (overlap.held.bytes) {
      number = within.bytes;
      write(overlap.held.in_flight ? "and `max_bytes` $N " : "`max_bytes` $N ");
    }
    write(overlap.held.in_flight && overlap.held.bytes ? "keep" : "keeps");
    const char* begin = " `$f` from +$N";
    for (std::size_t n = 0; n < overlap.unbounded.size(); ++n) {
      const int raised = plan.declared.raised.empty() ? 0 : plan.declared.raised[n];
      if (overlap.unbounded[n] <= raised) continue;
      at.producer = n;
      const int raised_to = plan.lookahead(n) - raised + overlap.unbounded[n];
      number = static_cast<std::size_t>(raised_to);
      write(begin);
      begin = ", `$f` from +$N";
    }
    write("\n");
  }

  [[gnu::cold, gnu::noinline]] void tell_waits(view<edge> waits) {
    if (waits.empty()) write("  none\n");
    for (const edge& e : waits) {
      at = e;
      write("  `$t` waits for `$f` $A: $w\n");
    }
  }

  void tell_memory(view<std::size_t> slot_bytes) {
    write("\nmemory\n");
    std::size_t total = 0;
    const list<const edge*> spare = spared();
    const slot_items all_items(plan.declared.tasks);
    for (std::size_t s = 0; s < plan.copies.size(); ++s) {
      at.slot = s;
      count(plan.copies[s], "  $|$l$_  $N copy", "  $|$l$_  $N copies");
      const std::size_t items = all_items[plan.slot_list[s]];
      if (!slot_bytes.empty()) {
        count(slot_bytes[s] * items, " of $N byte", " of $N bytes");
        total += plan.copies[s] * slot_bytes[s] * items;
      }
      if (items > 1) count(items, "", ", each of $N items");
      if (const int every = batches_of_[plan.slot_list[s]]; every > 1)
        text.add(", each for ").number(every).add(" batches");
      if (spare[s] != nullptr) {
        at = *spare[s];
        number = plan.copies[s] - 1;
        write(", $N of them spare: `$t` need not wait for `$f`");
      }
      for (const pointing& p : plan.declared.points) {
        name = p.slot.text;
        if (p.into == plan.slot_list[s]) write(", `$n` points into it");
      }
      write("\n");
    }
    if (!slot_bytes.empty())
      count(total, "  $N byte in all, without what slots own elsewhere\n",
            "  $N bytes in all, without what slots own elsewhere\n");
  }

  /// By slot: the edge along which nobody waits because of spare copies; of a slot that needs all
  /// its copies, none.
  list<const edge*> spared() const {
    list<const edge*> all(plan.copies.size(), nullptr);
    list<char> needed(plan.copies.size(), 0);
    for (const edge& e : plan.edges) {
      if (e.why != reason::reuse) continue;
      if (batches_of_[plan.slot_list[e.slot]] > 1) needed[e.slot] = 1;
      if (plan.copies[e.slot] == 1 || static_cast<std::size_t>(e.delta) != plan.copies[e.slot])
        needed[e.slot] = 1;
      const edge*& best = all[e.slot];
      if (best == nullptr || plan.thread_of[best->producer] == plan.thread_of[best->consumer])
        best = &e;
    }
    for (std::size_t s = 0; s < all.size(); ++s)
      if (needed[s] != 0) all[s] = nullptr;
    return all;
  }

  void tell_uses(std::size_t n) {
    const declaration& d = plan.declared;
    if (n < d.tasks.size()) {
      const auto is_read = [](const access& a) { return !a.takes && a.items == 0; };
      const auto has_items = [](const access& a) { return a.items != 0; };
      tell_accesses(d.tasks[n].reads, is_read, "  reads $n");
      tell_accesses(
          d.tasks[n].reads, [](const access& a) { return a.takes; }, "  takes $n");
      tell_accesses(d.tasks[n].reads, has_items, "  consumes $N $n");
      tell_accesses(d.tasks[n].writes, is_read, "  writes $n");
      tell_accesses(d.tasks[n].writes, has_items, "  produces $N $n");
    } else if (n == d.tasks.size()) {
      name = d.from.slot.text;
      if (!d.from.slot.key.empty()) write("  writes $n");
    } else {
      for (std::size_t i = 0; i < d.results.size(); ++i) {
        name = d.results[i].text;
        write(i == 0 ? "  reads $n" : ", $n");
      }
    }
  }
  [[gnu::cold, gnu::noinline]] void tell_accesses(view<access> uses, bool (*told)(const access&),
                                                  const char* begin) {
    for (const access& a : uses) {
      if (!told(a)) continue;
      name = a.slot.text;
      number = static_cast<std::size_t>(a.items);
      write(begin);
      begin = a.items != 0 ? ", $N $n" : ", $n";
      if (a.latest) text.add(" as written last");
      const bool in_groups = !a.latest && batches_of_[a.slot] > 1;
      if (a.ago > 0)
        text.add(" ").count(static_cast<std::size_t>(a.ago),
                            in_groups ? " group ago" : " batch ago",
                            in_groups ? " groups ago" : " batches ago");
    }
  }

  batches_of_slots batches_of_;
};

}  // namespace detail

[[gnu::cold]] STRETTO_INLINE std::string describe(std::string_view title, const plan_view& p,
                                                  view<std::size_t> slot_bytes,
                                                  const modelled* times,
                                                  const told_overlap& overlap) {
  detail::plan_teller teller(p);
  teller.tell(title, slot_bytes, times, overlap);
  return teller.text.text();
}

[[gnu::cold]] STRETTO_INLINE std::string describe(std::string_view title, const declaration& d,
                                                  const plan& p, view<std::size_t> slot_bytes,
                                                  const told_overlap& overlap) {
  const viewed_plan viewed(d, p);
  modelled times;
  const bool told = tells_times(d);
  if (told) times = make_modelled(d, p);
  return describe(title, viewed.view(), slot_bytes, told ? &times : nullptr, overlap);
}

}  // namespace stretto::planner
