// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/plan/order/deadlock.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <string_view>

/// A number for each field of a diagnosis and a plan: equal if and only if (up to a collision of 64
/// bits) the fields are, item by item.
namespace differential {

namespace planner = stretto::planner;

enum class field {
  findings,
  cycle,
  order,
  lookaheads,
  slots,
  edges,
  copies,
  fillers,
  tickets,
  stream_waits,
  minimal_stream_waits,
  host_waits,
  run_ahead_waits,
  blocking_waits,
  thread_names,
  thread_of,
  chains,
  workers,
  races,
  fields
};
inline constexpr std::array<std::string_view, static_cast<std::size_t>(field::fields)> field_names{
    "findings",
    "cycle",
    "order",
    "lookaheads",
    "slots",
    "edges",
    "copies",
    "fillers",
    "tickets",
    "stream_waits",
    "minimal_stream_waits",
    "host_waits",
    "run_ahead_waits",
    "blocking_waits",
    "thread_names",
    "thread_of",
    "chains",
    "workers",
    "races"};

class digest {
 public:
  std::array<std::uint64_t, static_cast<std::size_t>(field::fields)> of{};

  constexpr digest() = default;
  /// Of all that there is to say about a declaration.
  constexpr explicit digest(const planner::declaration& d) {
    const planner::diagnosis found = planner::check_rules(d);
    take(field::findings, found.findings);
    take(field::cycle, found.cycle);
    if (!found.findings.empty()) return;
    const planner::plan p = planner::make_plan(d);
    take(p);
    take(field::races, planner::check_races(d, p));
  }
  /// Of a plan that somebody else has made.
  constexpr void take(const planner::plan& p) {
    take(field::order, p.order);
    for (const planner::node& n : p.resolved.nodes) add(field::lookaheads, n.lookahead);
    for (const stretto::name& s : p.resolved.slot_list) add(field::slots, s.text);
    take(field::edges, p.edges);
    take(field::copies, p.copies);
    take(field::fillers, p.fillers);
    take(field::tickets, p.tickets);
    take(field::stream_waits, p.stream_waits);
    take(field::minimal_stream_waits, planner::minimal_stream_waits(p));
    take(field::host_waits, p.host_waits);
    take(field::run_ahead_waits, planner::run_ahead_waits(p));
    take(field::blocking_waits, planner::blocking_waits(p));
    for (const std::string_view t : p.threads.names) add(field::thread_names, t);
    take(field::thread_of, p.threads.thread_of);
    for (const planner::range& chain : p.threads.chains)
      for (std::size_t i = chain.first; i < chain.last; ++i)
        add(field::chains, p.threads.chained[i]);
    take(field::workers, p.threads.workers);
    if (!planner::deadlock(p).empty()) add(field::edges, 1);
  }

  constexpr bool planned() const { return of[static_cast<std::size_t>(field::order)] != 0; }

 private:
  template <class Number>
  constexpr void add(field f, Number n) {
    std::uint64_t& h = of[static_cast<std::size_t>(f)];
    h += 0x9e3779b97f4a7c15U;
    h = (h ^ static_cast<std::uint64_t>(n)) * 0xbf58476d1ce4e5b9U;
    h ^= h >> 29U;
  }
  constexpr void add(field f, std::string_view text) {
    for (const char c : text) add(f, static_cast<unsigned char>(c));
    add(f, text.size());
  }
  constexpr void add(field f, const planner::edge& e) {
    add(f, e.producer);
    add(f, e.consumer);
    add(f, e.delta);
    add(f, static_cast<int>(e.why));
    add(f, e.slot);
    add(f, e.offset);
  }
  constexpr void add(field f, const planner::finding& found) {
    add(f, static_cast<int>(found.what));
    add(f, found.task);
    add(f, found.other);
    add(f, static_cast<int>(found.where));
    add(f, found.position);
  }
  template <class Item>
  constexpr void take(field f, const planner::list<Item>& items) {
    for (const Item& i : items) add(f, i);
    add(f, items.size());
  }
};

}  // namespace differential
