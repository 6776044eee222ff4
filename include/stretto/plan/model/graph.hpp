// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/pointing.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <string_view>
#include <utility>

namespace stretto::planner {

// Structs of which there are many have no default values: to make a list of those, a constant takes
// a call per item.

/// Half-open range of positions in one of the graph's flat arrays.
struct range {
  std::size_t first;
  std::size_t last;
};

/// The middle of a counting sort: turns counts, held in \c last, into empty ranges one behind the
/// other. Returns the sum.
constexpr std::size_t lay_out(list<range>& counted) {
  std::size_t start = 0;
  range* const ranges = counted.data();
  const std::size_t size = counted.size();
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t next = start + ranges[i].last;
    ranges[i] = {start, start};
    start = next;
  }
  return start;
}

/// A task touching a slot. A read of an earlier batch is at the offset at which that batch is: the
/// task's, less \c ago. Of a slot that is not written for every batch, that is the newest batch of
/// which it may get the value, and the oldest lies \c span before it, one of every \c step between.
struct use {
  std::size_t node;
  std::size_t slot;
  int offset;
  int ago;
  int span;
  int step;

  /// The offset of the oldest batch of which it may get the value.
  constexpr int oldest() const { return offset - span; }
};

enum class field {
  reads,
  writes,
  depends_on,
  cross_iter_depends_on,
  same_progress_sync,
  observes,
  mutates,
  order  ///< of the schedule, not of a task: a position in its turns
};

/// An entry of a dependency field, its name looked up.
struct link {
  std::size_t producer = none;  ///< none: no task has that name
  int ago = 0;
  field where = field::depends_on;
  std::size_t position = 0;  ///< in the field
};

/// An entry of an authored order, its name looked up.
struct turn_node {
  std::size_t node = none;    ///< none: no task has that name
  std::size_t before = none;  ///< the task that it comes after
  bool repeated = false;      ///< its list has it already
};

struct node {
  std::size_t stream = none;  ///< none: a host task
  int lookahead = 0;
  int stage = 0;  ///< in a serial plan: the lookahead in another
  bool collective = false;
  int weight = 0;  ///< for each progress; of a task that does not run for every batch, on average
  rate runs{};
  std::size_t group = none;  ///< of `groups` of the declaration; none: its group has no queue
  int further = 0;           ///< how many batches its group works further ahead than others
  int workers = 1;           ///< how many threads run its chain
  bool settles = true;       ///< its batch is not handed out before it is done with it
  range reads;
  range writes;
  range links;
};

/// A declaration with every name replaced by a number. \c reads has behind those of all nodes what
/// is read through a slot that points into another. Nodes are the tasks in declaration order,
/// then `pull` (takes a batch from the source) and `deliver` (hands a result to the user), which
/// are planned like any other task.
struct graph {
  list<node> nodes;
  list<use> reads;
  list<use> writes;
  list<link> links;
  list<turn_node> turns;
  list<name> slot_list;
  list<std::string_view> streams;  ///< declared ones first, then undeclared ones in use
  list<use> writers;               ///< \c writes grouped by slot: see writers_of
  list<range> writers_of;
  list<use> readers;  ///< \c reads grouped by slot: see readers_of
  list<range> readers_of;
  list<use> takers;  ///< those of \c reads that take the value of a slot, if one alone does
  std::size_t tasks = 0;
  std::size_t declared_streams = 0;
  std::size_t source_slot = none;
  int max_lookahead = 0;
  bool grouped = false;  ///< some group has a queue or workers
  bool serial = false;
  bool takes = false;  ///< some task takes the value of a slot
  bool rated = false;  ///< some task does not run for every batch

  constexpr std::size_t pull() const { return tasks; }
  constexpr std::size_t deliver() const { return tasks + 1; }

  /// For which batches a slot is written: those of its writers, which rule 4 wants to be the same.
  constexpr rate rate_of_slot(std::size_t slot) const {
    if (!rated || writers_of[slot].first == writers_of[slot].last) return {};
    return nodes[writers[writers_of[slot].first].node].runs;
  }

  /// Whether one use of a slot comes before another use for the same batch: it is further ahead or,
  /// in a serial plan, would be.
  constexpr bool before(const use& a, const use& b) const {
    if (a.offset != b.offset || !serial) return a.offset > b.offset;
    return nodes[a.node].stage > nodes[b.node].stage;
  }
};

namespace detail {

constexpr range number_uses(list<use>& into, name_index& numbers, std::size_t node,
                            view<access> uses) {
  const std::size_t first = into.size();
  for (const access& u : uses)
    into.push_back({node, numbers.number(u.slot), u.offset - u.ago, u.ago, 0, 1});
  return {first, into.size()};
}

constexpr void number_links(graph& g, const name_index& tasks, field where,
                            view<dependency> entries) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    g.links.push_back({tasks.find(entries[i].task), entries[i].ago, where, i});
}

/// Counting sort: \p uses by slot into \p grouped, with the range of each slot.
constexpr void group_by_slot(const list<use>& uses, std::size_t slot_count, list<use>& grouped,
                             list<range>& ranges) {
  ranges.assign(slot_count, range{});
  range* const of = ranges.data();
  const use* const from = uses.data();
  const std::size_t count = uses.size();
  for (std::size_t i = 0; i < count; ++i) ++of[from[i].slot].last;
  lay_out(ranges);
  use* const to = grouped.overwrite(count);
  for (std::size_t i = 0; i < count; ++i) to[of[from[i].slot].last++] = from[i];
}

constexpr bool touches(const list<use>& uses, range among, const use& one) {
  for (std::size_t i = among.first; i < among.last; ++i)
    if (uses[i].node == one.node && uses[i].slot == one.slot && uses[i].ago == one.ago) return true;
  return false;
}

/// Whoever uses a slot reads those that its values point into, too: reads that stand behind those
/// of all nodes, so that no body gets them.
constexpr void imply_reads(graph& g, const declaration& d, const name_index& numbers) {
  const pointings all(d.points);
  list<std::size_t> into;  // slots, by the slot that points into them
  list<range> into_of;
  for (std::size_t slot = 0; slot < numbers.names().size(); ++slot) {
    const list<std::size_t> places = all.of(*numbers.names()[slot]);
    into_of.push_back({into.size(), into.size()});
    for (const std::size_t place : places)
      if (const std::size_t n = numbers.find(all.into(place)); n != none) into.push_back(n);
    into_of[slot].last = into.size();
  }
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    if (n == g.pull()) continue;
    const range reads = g.nodes[n].reads;
    const range writes = g.nodes[n].writes;
    const std::size_t first = g.reads.size();
    const std::size_t said = reads.last - reads.first;
    for (std::size_t i = 0; i < said + writes.last - writes.first; ++i) {
      const use by = i < said ? g.reads[reads.first + i] : g.writes[writes.first + i - said];
      for (std::size_t k = into_of[by.slot].first; k < into_of[by.slot].last; ++k) {
        const use implied{n, into[k], by.offset, by.ago, by.span, by.step};
        if (!touches(g.reads, reads, implied) && !touches(g.writes, writes, implied) &&
            !touches(g.reads, {first, g.reads.size()}, implied))
          g.reads.push_back(implied);
      }
    }
  }
}

/// Reads of what is not written for every batch are of the batches for which it is.
constexpr void find_values_read(graph& g, const declaration& d) {
  list<rate> of_slot(g.slot_list.size(), rate{});
  for (std::size_t i = g.writes.size(); i-- > 0;)
    of_slot[g.writes[i].slot] = g.nodes[g.writes[i].node].runs;
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    const range reads = g.nodes[n].reads;
    for (std::size_t i = reads.first; i < reads.last; ++i) {
      use& read = g.reads[i];
      const bool latest = n < g.tasks && d.tasks[n].reads[i - reads.first].latest;
      const reach_back reach = latest
                                   ? reach_of_latest(g.nodes[n].runs, of_slot[read.slot], read.ago)
                                   : reach_of_group(g.nodes[n].runs, of_slot[read.slot], read.ago);
      const int nearest = reach.nearest >= 0 ? reach.nearest : 1;  // rule 5 has what is less
      read.offset += read.ago - nearest;
      read.ago = nearest;
      read.span = reach.span;
      read.step = reach.step;
    }
  }
}

/// Those reads of tasks that take the value of their slot. What is taken twice is left to rule 5.
constexpr void find_takers(graph& g, const declaration& d) {
  list<std::size_t> times(g.slot_list.size(), 0);
  for (const bool last : {false, true})
    for (std::size_t t = 0; t < g.tasks; ++t)
      for (std::size_t i = 0; i < d.tasks[t].reads.size(); ++i) {
        if (!d.tasks[t].reads[i].takes) continue;
        const use& read = g.reads[g.nodes[t].reads.first + i];
        if (!last) ++times[read.slot];
        if (last && times[read.slot] == 1) g.takers.push_back(read);
      }
}

/// Looks the turns up: \p task gives a name's number, or none. The entries of a list stand
/// together, so the list that a task was seen in last tells whether it is repeated.
template <class Task>
constexpr void number_turns(graph& g, view<turn> turns, Task task) {
  if (turns.empty()) return;
  std::size_t lists = 0;
  for (const turn& t : turns) lists = t.list >= lists ? t.list + 1 : lists;
  list<std::size_t> last(lists, none);
  list<std::size_t> seen(g.tasks, none);
  for (const turn& t : turns) {
    turn_node n;
    n.node = task(t.task);
    if (n.node != none) {
      n.repeated = seen[n.node] == t.list;
      if (!n.repeated) n.before = replace(last[t.list], n.node);
      seen[n.node] = t.list;
    }
    g.turns.push_back(n);
  }
}

}  // namespace detail

/// Resolves the names of a declaration.
constexpr graph make_graph(const declaration& d) {
  graph g;
  g.tasks = d.tasks.size();
  g.serial = d.serial;
  std::size_t uses = 1 + d.results.size();
  for (const task& t : d.tasks) uses += t.reads.size() + t.writes.size();
  name_index tasks(d.tasks.size());
  name_index numbers(uses);
  if (!d.from.slot.key.empty()) g.source_slot = numbers.number(d.from.slot);
  text_index streams(d.streams);
  g.declared_streams = d.streams.size();
  g.nodes.reserve(d.tasks.size() + 2);
  g.reads.reserve(uses);

  for (const task& t : d.tasks) {
    if (t.lookahead > g.max_lookahead) g.max_lookahead = t.lookahead;
    for (const access& a : t.reads) g.takes = g.takes || a.takes;
  }
  if (d.from.lookahead > g.max_lookahead) g.max_lookahead = d.from.lookahead;

  // A name given twice is found by rule 1; until then its first bearer stands for it.
  list<std::size_t> bearer;
  for (std::size_t i = 0; i < d.tasks.size(); ++i)
    if (tasks.number(d.tasks[i].id) == bearer.size()) bearer.push_back(i);

  for (std::size_t i = 0; i < d.tasks.size(); ++i) {
    const task& t = d.tasks[i];
    node n;
    n.stream = t.stream.empty() ? none : streams.number(t.stream);
    n.lookahead = t.lookahead;
    n.stage = t.stage;
    n.collective = t.collective;
    n.weight = t.weight;
    if (t.every > 1) {
      g.rated = true;
      n.runs = rate_of(t);
      n.weight = t.weight / n.runs.every + (t.weight % n.runs.every > 0 ? 1 : 0);
    }
    n.reads = detail::number_uses(g.reads, numbers, i, t.reads);
    n.writes = detail::number_uses(g.writes, numbers, i, t.writes);
    n.links.first = g.links.size();
    detail::number_links(g, tasks, field::depends_on, t.depends_on);
    detail::number_links(g, tasks, field::cross_iter_depends_on, t.cross_iter_depends_on);
    detail::number_links(g, tasks, field::same_progress_sync, t.same_progress_sync);
    n.links.last = g.links.size();
    g.nodes.push_back(n);
  }
  for (link& l : g.links)
    if (l.producer != none) l.producer = bearer[l.producer];
  detail::number_turns(g, d.turns, [&](const name& t) {
    const std::size_t number = tasks.find(t);
    return number == none ? none : bearer[number];
  });

  node pull;
  pull.lookahead = g.max_lookahead;
  pull.stage = (std::numeric_limits<int>::max)();
  pull.weight = d.from.weight;
  pull.collective = d.from.collective;
  pull.reads = {g.reads.size(), g.reads.size()};
  pull.writes.first = g.writes.size();
  if (g.source_slot != none) g.writes.push_back({g.pull(), g.source_slot, pull.lookahead, 0, 0, 1});
  pull.writes.last = g.writes.size();
  pull.links = {g.links.size(), g.links.size()};
  g.nodes.push_back(pull);

  node deliver;
  deliver.stage = (std::numeric_limits<int>::min)();
  if (!d.results_on.empty()) deliver.stream = streams.number(d.results_on);
  deliver.reads.first = g.reads.size();
  for (const name& r : d.results) g.reads.push_back({g.deliver(), numbers.number(r), 0, 0, 0, 1});
  deliver.reads.last = g.reads.size();
  deliver.writes = {g.writes.size(), g.writes.size()};
  deliver.links = {g.links.size(), g.links.size()};
  g.nodes.push_back(deliver);

  g.streams = streams.texts();
  g.slot_list.reserve(numbers.names().size());
  for (const name* const s : numbers.names()) g.slot_list.push_back(*s);
  if (g.rated) detail::find_values_read(g, d);
  if (!d.points.empty()) detail::imply_reads(g, d, numbers);
  detail::group_by_slot(g.writes, g.slot_list.size(), g.writers, g.writers_of);
  detail::group_by_slot(g.reads, g.slot_list.size(), g.readers, g.readers_of);
  if (g.takes) detail::find_takers(g, d);
  return g;
}

/// What every plan calls the tasks that take a batch from the source and hand a result out.
inline constexpr std::string_view pull_name = "pull";
inline constexpr std::string_view deliver_name = "deliver";

/// The name of a node, as messages and pictures show it.
constexpr std::string_view node_name(const declaration& d, std::size_t node) {
  if (node < d.tasks.size()) return d.tasks[node].id.text;
  return node == d.tasks.size() ? pull_name : deliver_name;
}

}  // namespace stretto::planner
