// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/plan/declaration.hpp>
#include <stretto/plan/edge.hpp>
#include <stretto/plan/graph.hpp>
#include <stretto/plan/layout.hpp>
#include <stretto/plan/list.hpp>
#include <stretto/plan/plan.hpp>
#include <stretto/plan/threads.hpp>
#include <stretto/static/declared.hpp>
#include <string_view>

/// Plans as constants. A plan allocates, which a constant may not, and how large its lists are is
/// known only when it is made. So it is written down as one row of numbers with room to spare,
/// which costs compilers nothing, and read from there as often as it is needed.
namespace stretto::detail {

/// Numbers, as many as there is room for.
template <std::size_t Capacity>
struct number_row {
  std::array<std::size_t, Capacity> numbers{};
  std::size_t size = 0;  ///< more than Capacity: what came then is not here

  constexpr void push(std::size_t number) {
    if (size < Capacity) numbers[size] = number;
    ++size;
  }
  constexpr void push(const plan::list<std::size_t>& all) {
    for (const std::size_t n : all) push(n);
  }
  constexpr void push(const plan::list<plan::edge>& edges) {
    for (const plan::edge& e : edges) {
      if (size + 6 <= Capacity) {
        std::size_t* const to = numbers.data() + size;
        to[0] = e.producer;
        to[1] = e.consumer;
        to[2] = static_cast<std::size_t>(e.delta);
        to[3] = static_cast<std::size_t>(e.why);
        to[4] = e.slot;
        to[5] = static_cast<std::size_t>(e.offset);
      }
      size += 6;
    }
  }
};

/// Reads a row from its beginning.
class row_reader {
 public:
  template <std::size_t Capacity>
  constexpr explicit row_reader(const number_row<Capacity>& row) : at_(row.numbers.data()) {}

  constexpr std::size_t next() { return *at_++; }
  constexpr int next_int() { return static_cast<int>(next()); }
  constexpr plan::list<std::size_t> next_list(std::size_t count) {
    plan::list<std::size_t> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) all.push_back(next());
    return all;
  }
  constexpr plan::list<plan::edge> next_edges(std::size_t count) {
    plan::list<plan::edge> edges(count, plan::edge{});
    for (plan::edge& e : edges) {
      e = {at_[0],
           at_[1],
           static_cast<int>(at_[2]),
           static_cast<plan::reason>(at_[3]),
           at_[4],
           static_cast<int>(at_[5])};
      at_ += 6;
    }
    return edges;
  }

 private:
  const std::size_t* at_;
};

/// Where a slot is mentioned first: in the source (list 0), in what a task reads or writes (two
/// lists a task), or in the results (the last list).
struct mention {
  std::size_t list = 0;
  std::size_t place = 0;
};

constexpr std::size_t result_list(std::size_t tasks) { return 1 + 2 * tasks; }

constexpr const name& name_at(const plan::declaration& d, mention m) {
  if (m.list == 0) return d.from.slot;
  if (m.list == result_list(d.tasks.size())) return d.results[m.place];
  const plan::task& t = d.tasks[(m.list - 1) / 2];
  return m.list % 2 == 1 ? t.reads[m.place].slot : t.writes[m.place].slot;
}

/// By slot: slots are numbered in the order of their first mentions.
constexpr plan::list<mention> first_mentions(const plan::graph& g) {
  plan::list<mention> first;
  first.reserve(g.slots.size());
  const auto see = [&](const plan::list<plan::use>& uses, plan::range r, std::size_t in) {
    for (std::size_t i = r.first; i < r.last; ++i)
      if (uses[i].slot == first.size()) first.push_back({in, i - r.first});
  };
  if (g.source_slot != plan::none) first.push_back({});
  for (std::size_t t = 0; t < g.tasks; ++t) {
    see(g.reads, g.nodes[t].reads, 1 + 2 * t);
    see(g.writes, g.nodes[t].writes, 2 + 2 * t);
  }
  see(g.reads, g.nodes[g.deliver()].reads, result_list(g.tasks));
  return first;
}

/// How long the lists of a plan are.
struct plan_sizes {
  std::size_t edges = 0, slots = 0, tickets = 0, stream_waits = 0, host_waits = 0, threads = 0;
  // The fewest waits are not part of a plan::plan.
  std::size_t minimal_stream_waits = 0, run_ahead_waits = 0;
};

/// Enough numbers for the plans of most declarations; a plan that does not fit is made again.
constexpr std::size_t usual_row(const plan::declaration& d) {
  std::size_t uses = d.results.size() + 1;
  std::size_t links = d.turns.size();
  for (const plan::task& t : d.tasks) {
    uses += t.reads.size() + t.writes.size();
    links += t.depends_on.size() + t.cross_iter_depends_on.size() + t.same_progress_sync.size();
  }
  const std::size_t nodes = d.tasks.size() + 2;
  return 18 * (2 * uses + links + 2 * nodes) + 8 * nodes + 64;
}

/// Writes a plan down.
template <std::size_t Capacity>
constexpr number_row<Capacity> keep(const plan::plan& p) {
  number_row<Capacity> row;
  for (const std::size_t count :
       {p.edges.size(), p.copies.size(), p.tickets.size(), p.stream_waits.size(),
        p.host_waits.size(), p.threads.chains.size()})
    row.push(count);
  for (const mention& m : first_mentions(p.resolved)) {
    row.push(m.list);
    row.push(m.place);
  }
  row.push(static_cast<std::size_t>(p.resolved.max_lookahead));
  for (const plan::node& n : p.resolved.nodes) {
    row.push(n.stream);
    row.push(static_cast<std::size_t>(n.lookahead));
  }
  row.push(p.order);
  row.push(p.edges);
  row.push(p.copies);
  row.push(p.tickets);
  row.push(p.stream_waits);
  row.push(p.host_waits);
  row.push(p.threads.thread_of);
  row.push(p.threads.chained);
  for (const plan::range& chain : p.threads.chains) row.push(chain.last);
  return row;
}

constexpr plan_sizes read_sizes(row_reader& from) {
  plan_sizes s;
  s.edges = from.next();
  s.slots = from.next();
  s.tickets = from.next();
  s.stream_waits = from.next();
  s.host_waits = from.next();
  s.threads = from.next();
  return s;
}

/// The plan that was written down, but for what its graph knows of reads, writes and dependencies.
template <std::size_t Capacity>
constexpr plan::plan read_plan(const plan::declaration& d, const number_row<Capacity>& row) {
  row_reader from(row);
  const plan_sizes size = read_sizes(from);
  plan::plan p;
  plan::graph& g = p.resolved;
  g.tasks = d.tasks.size();
  const std::size_t nodes = g.tasks + 2;
  for (std::size_t slot = 0; slot < size.slots; ++slot) {
    const std::size_t in = from.next();
    g.slots.push_back(name_at(d, {in, from.next()}));
  }
  for (const std::string_view s : d.streams) g.streams.push_back(s);
  g.declared_streams = g.streams.size();
  g.max_lookahead = from.next_int();
  g.nodes.assign(nodes, {});
  for (plan::node& n : g.nodes) {
    n.stream = from.next();
    n.lookahead = from.next_int();
  }
  p.order = from.next_list(nodes);
  p.edges = from.next_edges(size.edges);
  p.copies = from.next_list(size.slots);
  p.tickets = from.next_list(size.tickets);
  p.stream_waits = from.next_edges(size.stream_waits);
  p.host_waits = from.next_edges(size.host_waits);

  plan::thread_map& threads = p.threads;
  threads.thread_of = from.next_list(nodes);
  threads.chained = from.next_list(nodes);
  threads.place.assign(nodes, 0);
  plan::crew_list crew;
  if (d.generated > 0) crew = plan::threads_of(d);
  std::size_t first = 0;
  for (std::size_t t = 0; t < size.threads; ++t) {
    const std::size_t last = from.next();
    threads.chains.push_back({first, last});
    for (std::size_t i = first; i < last; ++i) threads.place[threads.chained[i]] = i - first;
    // Its first node gives a thread its name.
    if (t == 0) {
      threads.names.push_back(plan::caller);
    } else if (d.generated > 0) {
      threads.names.push_back(crew.names[d.layout.thread_of[threads.chained[first]]]);
    } else if (threads.chained[first] < g.tasks) {
      threads.names.push_back(plan::thread_name(d.tasks[threads.chained[first]]));
    } else {
      threads.names.push_back(d.from.thread);
    }
    first = last;
  }
  return p;
}

template <class Schedule, std::size_t Capacity>
struct plan_row {
  // Named, because nvcc cannot destroy the temporary of a constant expression.
  static constexpr number_row<Capacity> value = [] {
    const plan::plan p = plan::make_plan(declared<Schedule>::value);
    return keep<Capacity>(p);
  }();
};

/// The plan of a schedule that keeps the rules, written down. Made once, read for all else.
template <class Schedule>
struct kept_plan {
  static constexpr std::size_t usual = usual_row(declared<Schedule>::value);
  static constexpr std::size_t needed = plan_row<Schedule, usual>::value.size;
  static constexpr const auto& row = plan_row<Schedule, (needed > usual ? needed : usual)>::value;

  static constexpr plan::plan read() { return read_plan(declared<Schedule>::value, row); }
};

}  // namespace stretto::detail
