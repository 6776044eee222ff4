// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <string_view>

namespace stretto::planner {

viewed_plan::viewed_plan(const declaration& d, const plan& p)
    : declared_(d),
      plan_(p),
      minimal_stream_waits_(planner::minimal_stream_waits(p)),
      run_ahead_waits_(planner::run_ahead_waits(p)) {
  for (const node& n : p.resolved.nodes) {
    lag_.push_back(lag(p.resolved.max_lookahead, n.lookahead));
    stream_of_.push_back(n.stream);
  }
  const group_index groups(d);
  for (const std::string_view thread : p.threads.names) {
    const std::size_t group = groups.find(thread);
    queues_.push_back(group == none ? 0 : static_cast<std::size_t>(d.groups[group].queue));
  }
}

plan_view viewed_plan::view() const {
  plan_view v{declared_};
  v.max_lookahead = plan_.resolved.max_lookahead;
  v.lag = lag_;
  v.order = plan_.order;
  v.edges = plan_.edges;
  v.slot_list = plan_.resolved.slot_list;
  v.copies = plan_.copies;
  v.tickets = plan_.tickets;
  v.streams = plan_.resolved.streams;
  v.stream_of = stream_of_;
  v.threads = plan_.threads.names;
  v.thread_of = plan_.threads.thread_of;
  v.chained = plan_.threads.chained;
  v.chains = plan_.threads.chains;
  v.workers = plan_.threads.workers;
  v.begun_by = plan_.threads.begun_by;
  v.queues = queues_;
  v.stream_waits = plan_.stream_waits;
  v.minimal_stream_waits = minimal_stream_waits_;
  v.run_ahead_waits = run_ahead_waits_;
  v.host_waits = plan_.host_waits.size();
  return v;
}

}  // namespace stretto::planner
