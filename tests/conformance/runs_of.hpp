// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <mutex>
#include <stretto/plan/original.hpp>
#include <stretto/plan/sentence.hpp>
#include <stretto/stretto.hpp>
#include "runs.hpp"

/// What generated units are written in.
namespace conformance {

namespace st = stretto;

/// What ran in the progress at hand. Locked because bodies of several threads write it.
inline std::mutex log_mutex;
inline std::vector<std::pair<std::string_view, std::size_t>> log;

/// Base of the tasks: a body that only says that it ran.
struct logging {
  template <st::context Context>
  void operator()(Context& ctx, const auto&...) const {
    const std::lock_guard lock(log_mutex);
    log.emplace_back(ctx.task(), ctx.batch());
  }
};

template <class Schedule>
fire_table run(std::size_t batches) {
  st::pipeline<Schedule> pipeline;
  std::size_t next = 0;
  auto run = pipeline.run([&](int&) { return next++ < batches; });
  fire_table table;
  while (run.has_more()) {
    log.clear();
    run.progress();
    table.push_back(log);
  }
  return table;
}

template <class Schedule>
planned planned_of() {
  constexpr auto& p = st::plan_of<Schedule>;
  const auto& d = st::detail::declared<Schedule>::value;
  planned result;
  const auto name = [&](std::size_t node) { return st::plan::node_name(d, node); };
  for (const std::size_t n : p.order)
    if (n < p.tasks) result.order.push_back(name(n));
  result.in_flight = st::in_flight<Schedule>;
  for (const std::size_t n : p.tickets) result.tickets.push_back(name(n));
  const auto graph = st::plan::make_graph(d);
  for (const auto& w : st::plan::original_waits(graph, st::plan::declared_edges(graph)))
    result.waits.emplace_back(name(w.consumer), name(w.producer), d.tasks[w.producer].stream,
                              w.offset);
  return result;
}

template <class Schedule, bool Threads>
compiled compile(std::string_view id) {
  using strict = st::replan<Schedule, st::strict>;
  compiled c;
  c.id = id;
  c.valid = st::is_valid<strict>;
  c.valid_with_history = st::is_valid<Schedule>;
  for (const auto& f : st::findings<strict>)
    c.why.emplace_back(st::plan::kind_name(f.what), st::plan::rule_of(f));
  if constexpr (st::is_valid<strict>) {
    c.plan = &planned_of<strict>;
    c.run = &run<st::replan<strict, st::threads<st::on_caller>>>;
    if constexpr (Threads) c.run_on_threads = &run<strict>;
  }
  return c;
}

}  // namespace conformance
