// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <mutex>
#include <stretto/stretto.hpp>
#include "runs.hpp"

/// What generated units are written in.
namespace conformance {

namespace st = stretto;

/// What ran in each progress. Locked because bodies of several threads write it.
inline std::mutex log_mutex;
inline fire_table log;

/// Base of the tasks: a body that only says that it ran.
struct logging {
  template <st::context Context>
  void operator()(Context& ctx, auto&&...) const {
    const std::lock_guard lock(log_mutex);
    if (log.size() <= ctx.progress()) log.resize(ctx.progress() + 1);
    log[ctx.progress()].emplace_back(ctx.task(), ctx.batch());
  }
};

template <class Schedule>
fire_table run(std::size_t batches) {
  st::pipeline<Schedule> pipeline;
  std::size_t next = 0;
  auto run = pipeline.run([&](int&) { return next++ < batches; });
  log.clear();
  std::size_t progresses = 0;
  for (; run.has_more(); ++progresses) run.progress();
  const std::lock_guard lock(log_mutex);
  if (log.size() < progresses) log.resize(progresses);
  return log;
}

template <class Schedule, bool Threads>
compiled compile(std::string_view id) {
  using strict = st::replan<Schedule, st::strict>;
  compiled c;
  c.id = id;
  c.valid = st::is_valid<strict>;
  c.valid_with_history = st::is_valid<Schedule>;
  if constexpr (st::is_valid<strict>) {
    c.run = &run<st::replan<strict, st::threads<st::on_caller>>>;
    if constexpr (Threads) c.run_on_threads = &run<strict>;
  }
  return c;
}

}  // namespace conformance
