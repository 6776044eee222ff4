// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/static/values/constant_words.hpp>
#include <string_view>

/// The part of a plan that knows of no threads and no waits, written down: a generated thread map
/// is made from it, and then the rest of the plan.
namespace stretto::typed::detail {

/// Where a slot is mentioned first: in the source (list 0), in what a task reads or writes (two
/// lists a task), or in the results (the last list).
struct mention {
  std::size_t list;
  std::size_t place;
};

constexpr std::size_t result_list(std::size_t tasks) { return 1 + 2 * tasks; }

constexpr const name& name_at(const planner::declaration& d, mention m) {
  if (m.list == 0) return d.from.slot;
  if (m.list == result_list(d.tasks.size())) return d.results[m.place];
  const planner::task& t = d.tasks[(m.list - 1) / 2];
  return m.list % 2 == 1 ? t.reads[m.place].slot : t.writes[m.place].slot;
}

/// By slot: slots are numbered in the order of their first mentions.
constexpr planner::list<mention> first_mentions(const planner::graph& g) {
  planner::list<mention> first;
  first.reserve(g.slot_list.size());
  const auto see = [&](const planner::list<planner::use>& uses, planner::range r, std::size_t in) {
    for (std::size_t i = r.first; i < r.last; ++i)
      if (uses[i].slot == first.size()) first.push_back({in, i - r.first});
  };
  if (g.source_slot != planner::none) first.push_back({});
  for (std::size_t t = 0; t < g.tasks; ++t) {
    see(g.reads, g.nodes[t].reads, 1 + 2 * t);
    see(g.writes, g.nodes[t].writes, 2 + 2 * t);
  }
  see(g.reads, g.nodes[g.deliver()].reads, result_list(g.tasks));
  return first;
}

/// How long the lists of a plan are.
struct plan_sizes {
  std::size_t edges = 0, slot_count = 0, tickets = 0, stream_waits = 0, host_waits = 0, threads = 0;
  // The fewest waits are not part of a planner::plan.
  std::size_t minimal_stream_waits = 0, run_ahead_waits = 0;
};

/// Enough numbers for the plans of most declarations; a plan that does not fit is made again.
constexpr std::size_t usual_row(const planner::declaration& d) {
  std::size_t uses = d.results.size() + 1;
  std::size_t links = d.turns.size();
  for (const planner::task& t : d.tasks) {
    uses += t.reads.size() + t.writes.size();
    links += t.depends_on.size() + t.cross_iter_depends_on.size() + t.same_progress_sync.size();
  }
  const std::size_t nodes = d.tasks.size() + 2;
  return 18 * (2 * uses + links + 2 * nodes) + 8 * nodes + 64;
}

/// A plan, and where its slots are mentioned first, which a plan that was read does not know.
struct draft {
  planner::plan made;
  planner::list<mention> mentions;  ///< by slot
};

constexpr draft make_draft(const planner::declaration& d) {
  draft result;
  result.made = planner::plan_without_threads(d);
  result.mentions = first_mentions(result.made.resolved);
  return result;
}

/// Serialises a plan without threads and waits, of which only the counts are written.
template <std::size_t Capacity>
constexpr void keep_draft(const draft& d, constant_words<Capacity>& row) {
  const planner::plan& p = d.made;
  for (const std::size_t count :
       {p.edges.size(), p.copies.size(), p.tickets.size(), p.stream_waits.size(),
        p.host_waits.size(), p.threads.chains.size()})
    row.push(count);
  for (const mention& m : d.mentions) {
    row.push(m.list);
    row.push(m.place);
  }
  row.push(static_cast<std::size_t>(p.resolved.max_lookahead));
  for (const planner::node& n : p.resolved.nodes) {
    row.push(n.stream);
    row.push(static_cast<std::size_t>(n.lookahead));
    row.push(static_cast<std::size_t>(n.weight));
  }
  row.push(p.order);
  row.push(p.edges);
  row.push(p.copies);
  row.push(p.fillers);
  row.push(p.tickets);
}

constexpr plan_sizes read_sizes(word_reader& from) {
  plan_sizes s;
  s.edges = from.next();
  s.slot_count = from.next();
  s.tickets = from.next();
  s.stream_waits = from.next();
  s.host_waits = from.next();
  s.threads = from.next();
  return s;
}

template <std::size_t Capacity>
constexpr plan_sizes sizes_in(const constant_words<Capacity>& row) {
  word_reader from(row);
  return read_sizes(from);
}

/// What was written down of nodes; their slots stand before them.
constexpr void read_nodes(const planner::declaration& d, word_reader& from, planner::graph& g) {
  g.tasks = d.tasks.size();
  for (const std::string_view s : d.streams) g.streams.push_back(s);
  g.declared_streams = g.streams.size();
  g.max_lookahead = from.next_int();
  g.grouped = !d.groups.empty();
  g.nodes.assign(g.tasks + 2, {});
  for (planner::node& n : g.nodes) {
    n.stream = from.next();
    n.lookahead = from.next_int();
    n.weight = from.next_int();
  }
  for (std::size_t t = 0; t < g.tasks; ++t)
    if (d.tasks[t].every > 1) {
      g.rated = true;
      g.nodes[t].runs = planner::rate_of(d.tasks[t]);
    }
}

/// What was written down, except what the graph knows of reads, writes and dependencies.
constexpr draft read_draft(const planner::declaration& d, const plan_sizes& size,
                           word_reader& from) {
  draft result;
  planner::plan& p = result.made;
  planner::graph& g = p.resolved;
  g.slot_list.reserve(size.slot_count);
  result.mentions.reserve(size.slot_count);
  for (std::size_t slot = 0; slot < size.slot_count; ++slot) {
    const std::size_t in = from.next();
    const mention m{in, from.next()};
    result.mentions.push_back(m);
    g.slot_list.push_back(name_at(d, m));
  }
  read_nodes(d, from, g);
  p.order = from.next_list(g.nodes.size());
  p.edges = from.next_edges(size.edges);
  p.copies = from.next_list(size.slot_count);
  p.fillers = from.next_list(size.slot_count);
  p.tickets = from.next_list(size.tickets);
  return result;
}

template <std::size_t Capacity>
constexpr constant_words<Capacity> make_draft_row(const planner::declaration& d) {
  // Named, because nvcc cannot destroy the temporary of a constant expression.
  const draft made = make_draft(d);
  constant_words<Capacity> row;
  keep_draft(made, row);
  return row;
}

template <class Declared, std::size_t Capacity>
struct draft_row {
  static constexpr constant_words<Capacity> value = make_draft_row<Capacity>(Declared::bare);
};

/// The draft of a declaration that keeps the rules.
template <class Declared>
struct constant_draft {
  static constexpr std::size_t usual = usual_row(Declared::bare);
  static constexpr std::size_t needed = draft_row<Declared, usual>::value.size;
  static constexpr const auto& row = draft_row<Declared, (needed > usual ? needed : usual)>::value;
};

template <std::size_t Capacity>
constexpr draft read_draft(const planner::declaration& d, const constant_words<Capacity>& row) {
  word_reader from(row);
  const plan_sizes size = read_sizes(from);
  return read_draft(d, size, from);
}

}  // namespace stretto::typed::detail
