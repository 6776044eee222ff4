// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stretto/declare/role.hpp>
#include <stretto/dynamic/execute/layout.hpp>
#include <stretto/dynamic/execute/slot_types.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/ends.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

/// The longest period, in progresses, that is laid out.
inline constexpr std::size_t longest_period = 64;

/// The most steps of a segment: without optimisation calls do not jump but nest.
inline constexpr std::size_t longest_segment = 64;

STRETTO_INLINE layout::layout(const schedule& s, const asked& how) : layout(schedule(s), how) {}

STRETTO_INLINE layout::layout(schedule&& s, const asked& how)
    : plan(std::move(s)),
      verdicts(planner::find_verdicts(plan.declaration(), plan.plan().resolved), plan.in_flight()),
      how_(how) {
  const slot_types types(plan, how.driver, how.collectives, {how.meets, how.replaces_bodies});
  const planner::plan& p = plan.plan();
  slot_list.reserve(p.copies.size());
  const planner::slot_items items(plan.declaration().tasks);
  for (std::size_t slot = 0; slot < p.copies.size(); ++slot) {
    types_.push_back(&types[slot]);
    slot_list.emplace_back(types[slot], p.copies[slot],
                           static_cast<std::size_t>(p.resolved.rate_of_slot(slot).every),
                           items[p.resolved.slot_list[slot]]);
  }
  deliver_lag_ = plan.lag()[deliver()];
  for (const planner::node& n : p.resolved.nodes) {
    runs_.push_back(n.runs);
    may_end_groups_ = may_end_groups_ || n.runs.at_end;
  }
  find_hosts();
  lay_out_rooms();
  number_signals();
  name_results();
  for (std::size_t n = 0; n < p.order.size(); ++n) node_names.push_back(plan.name_of(n));
  stopped = std::vector<runner::stopping_point>(hosts.size());
  made_ = std::vector<runner::slots_made>(hosts.size());
  places_.resize(p.order.size());
  runner::find_places(p.threads.chained, p.threads.chains, places_.data());
  ranks.resize(p.order.size());
  runner::find_ranks(p.order, plan.lag(), ranks);
  std::size_t runners = 0;
  for (const std::size_t thread : p.threads.thread_of) runners += p.threads.workers[thread];
  passed.resize(runners);
  const std::size_t pulls = p.threads.thread_of[pull()];
  const planner::range chain = p.threads.chains[pulls];
  pulls_apart = pulls != 0 && p.threads.workers[pulls] == 1 && chain.last - chain.first == 1;
}

STRETTO_INLINE layout::~layout() = default;

STRETTO_INLINE std::size_t layout::last_run_at_end(std::size_t batches) const {
  return planner::last_run_at_end(runs_, batches);
}

STRETTO_INLINE word* layout::call_at_end(host& h, const task_facts& of, const word* at,
                                         std::size_t size, std::size_t last) {
  task_facts& there = *of.at_end;
  there = of;
  // Behind its gate, which knows nothing of the end.
  word* const call = h.alone.data() + slots_begin;
  std::copy_n(at, size, h.alone.data())->body = &end_of_segment;
  call[2].facts = &there;
  const std::size_t batch = h.now.progress - of.lag;
  const planner::graph& g = plan.plan().resolved;
  const planner::task& declared = plan.declaration().tasks[of.node];
  for (std::size_t i = 0; i < declared.reads.size(); ++i) {
    const planner::access& read = declared.reads[i];
    const std::size_t slot = g.reads[g.nodes[of.node].reads.first + i].slot;
    named_slot& named = there.names.named[i];
    const std::size_t group = planner::group_read_at_end(
        read, g.rate_of_slot(slot), planner::farthest_read(declared, read.slot), batch, last);
    const bool is_there =
        group != planner::none &&
        (named.verdicts == nullptr || !named.verdicts->unwritten(named.droppers, group));
    named.since = is_there ? 0 : planner::none / 2;
    named.verdicts = nullptr;
    if (is_there) call[slots_begin + i].slot = slot_list[slot].at(group % slot_list[slot].size());
  }
  return call;
}

STRETTO_INLINE void layout::end_values() {
  for (std::size_t h = 0; h < made_.size(); ++h) runner::end_values(rooms, h, made_[h]);
}

STRETTO_INLINE void layout::lay_out_calls(const signal_rows& rows,
                                          const std::atomic<std::size_t>* batches,
                                          const std::size_t* first, const other_calls& others) {
  std::size_t calls = 0;
  for (const host& h : hosts) {
    const planner::range chain = plan.plan().threads.chains[h.thread];
    calls += chain.last - chain.first;
  }
  facts.reserve(calls);
  if (may_end_groups_) facts_at_end_.reserve(calls);
  place_signals(rows);
  for (std::size_t k = 0; k < begun.size(); ++k) fill_in_coroutine(host_of(k));
  for (std::size_t i = 0; i < threads(); ++i) {
    host& h = hosts[i];
    fill_in(h, others);
    h.opened_by_pull = is_opened_by_pull(h);
    if (h.number > 0 && !h.opened_by_pull) opens = true;
  }
  for (task_facts& f : facts) {
    f.batches = batches;
    f.first = first;
  }
}

STRETTO_INLINE result layout::moved_result(std::size_t batch) {
  for (std::size_t i = 0; i < result_slots_.size(); ++i)
    result_row_[i] = result_slots_[i]->of_batch(batch);
  return {results_, result_row_.data(), batch};
}

STRETTO_INLINE void layout::release_slots() {
  for (std::size_t h = 0; h < made_.size(); ++h) runner::release_values(rooms, h, made_[h]);
  nobody_stopped();
}
STRETTO_INLINE void layout::nobody_stopped() {
  runner::nobody_stopped(stopped.data(), stopped.size());
}
STRETTO_INLINE bool layout::make_values(std::size_t host, runner::caught& failure) {
  const auto make = [&](std::size_t of) {
    return made_[of].all || runner::make_values(rooms, of, made_[of], failure);
  };
  for (const std::size_t coroutine : hosts[host].begins)
    if (!make(host_of(coroutine).number)) return false;
  return make(host);
}

STRETTO_INLINE runner::run_accounting layout::accounting(std::size_t batches,
                                                         std::size_t first) const {
  const planner::plan& p = plan.plan();
  return {node_names,
          p.order,
          plan.lag(),
          p.threads.thread_of,
          p.threads.chained,
          p.threads.chains,
          p.threads.workers,
          stopped,
          places_,
          passed,
          batches,
          first,
          runs_,
          verdicts.table()};
}

STRETTO_INLINE std::size_t layout::slot_named(std::string_view name, const slot_type& type) const {
  for (std::size_t s = 0; s < slot_list.size(); ++s) {
    if (plan.plan().resolved.slot_list[s].text != name) continue;
    if (type == slot_list[s].type()) return s;
    throw usage_error(
        joined("slot `", name, "` holds `", slot_list[s].type().name, "`, not `", type.name, "`"));
  }
  throw usage_error(joined("the schedule has no slot `", name, "`"));
}

STRETTO_INLINE void layout::check_source(const slot_type& yielded) const {
  const slot_type& held = slot_list[plan.plan().resolved.source_slot].type();
  if (yielded == held) return;
  const slot_type& followed = type_of<declare::batch_of_others>();
  if (held == followed)
    throw usage_error(joined("the ranks of role ", quoted_name{plan.input().role},
                             " do not have the source of schedule ", quoted_name{plan.input().name},
                             ": run with `stretto::follow()`"));
  if (yielded == followed)
    throw usage_error(
        joined("`stretto::follow()` is for ranks whose role does not have the "
               "source, and this pipeline pulls batches into slot ",
               quoted_name{plan.input().source.slot}, ": run with a source"));
  throw usage_error(joined("the source yields `", yielded.name, "`, but slot `",
                           plan.input().source.slot, "` holds ",
                           yielded.name == held.name ? "another type spelled `" : "`", held.name,
                           "`, as the tasks take it; let them take what the source yields, or, "
                           "where it can be put into that, name the slot's type: run<T>(source)"));
}

STRETTO_INLINE void layout::find_hosts() {
  const planner::thread_map& threads = plan.plan().threads;
  for (std::size_t t = 0; t < threads.names.size(); ++t) {
    first_host.push_back(hosts.size());
    const std::size_t workers = threads.workers[t];
    for (std::size_t k = 0; k < workers; ++k) {
      host& h = hosts.emplace_back();
      h.number = hosts.size() - 1;
      h.thread = t;
      h.worker = k;
      h.workers = workers;
      std::string& name = worker_names_.emplace_back(threads.names[t]);
      if (workers > 1) name.append(" ").append(std::to_string(k + 1));
    }
  }
  for (const std::string& name : worker_names_) host_names.push_back(name);
  const planner::plan& p = plan.plan();
  begun =
      planner::begun_calls({p.order, threads.chained, threads.chains, threads.begun_by, pull()});
  for (std::size_t k = 0; k < begun.size(); ++k) hosts[first_host[begun[k].by]].begins.push_back(k);
  alone = hosts.size() == 1;
  meets = how_.meets && !alone;
}

STRETTO_INLINE void layout::lay_out_rooms() {
  const planner::plan& p = plan.plan();
  for (std::size_t slot = 0; slot < slot_list.size(); ++slot) {
    const slot_copies& copies = slot_list[slot];
    const std::size_t filler = p.fillers[slot];
    const std::size_t thread = p.threads.thread_of[filler];
    rooms.push_back({static_cast<std::byte*>(copies.at(0)), copies.bytes() / copies.size(),
                     copies.size(), copies.type().construct, copies.type().destroy,
                     p.resolved.slot_list[slot].text, filler, plan.lag()[filler],
                     p.threads.names[thread], first_host[thread], p.threads.workers[thread],
                     static_cast<std::size_t>(p.resolved.nodes[filler].runs.every),
                     static_cast<std::size_t>(p.resolved.nodes[filler].runs.phase)});
    rooms.back().values = copies.values();
    rooms.back().size = copies.type().size;
  }
}

/// The waits, grouped by consumer; and for each node where its signals are, if anybody waits for
/// it.
STRETTO_INLINE void layout::number_signals() {
  const planner::plan& p = plan.plan();
  const std::size_t nodes = p.order.size();
  if (!alone) waits_ = meets ? p.host_waits : plan.run_ahead_waits();
  waits_of_ = planner::groups_of(nodes, waits_);
  awaited_.assign(nodes, 0);
  for (const planner::edge& e : waits_) awaited_[e.producer] = 1;
  // Whoever asks whether there are more batches waits for the pull, if another thread pulls.
  if (p.threads.thread_of[pull()] != 0) awaited_[pull()] = 1;
  first_signal_.assign(nodes, planner::none);
  signals_of.resize(nodes);
  if (alone) return;
  std::vector<std::size_t> sizes;
  sizes.reserve(slot_list.size());
  for (const slot_copies& slot : slot_list) sizes.push_back(slot.size_of_values());
  const planner::list<std::size_t> slot_of = planner::signal_slots(
      {p.edges, p.fillers, p.threads.thread_of, p.threads.workers, sizes, runs_});
  for (std::size_t n = 0; n < nodes; ++n) {
    if (slot_of[n] != planner::none) {
      const slot_copies& slot = slot_list[slot_of[n]];
      signals_of[n].early = {static_cast<std::byte*>(slot.signal_at(0)), slot.stride(), slot.size(),
                             slot.size() - plan.lag()[n] % slot.size()};
    }
    if (awaited_[n] != 0) {
      first_signal_[n] = signal_count;
      signal_count += p.threads.workers[p.threads.thread_of[n]];
    }
  }
}

/// Where the signals are that somebody waits for, and those of a barrier.
STRETTO_INLINE void layout::place_signals(const signal_rows& rows) {
  const planner::thread_map& threads = plan.plan().threads;
  for (std::size_t n = 0; n < signals_of.size(); ++n)
    if (first_signal_[n] != planner::none)
      signals_of[n].own = {static_cast<std::byte*>(rows.of_nodes) + first_signal_[n] * rows.stride,
                           rows.stride, threads.workers[threads.thread_of[n]]};
  if (!meets) return;
  const auto closing = [&](std::size_t t) {
    node_signals s;
    s.own = {static_cast<std::byte*>(rows.closed) + (first_host[t] - 1) * rows.stride, rows.stride,
             threads.workers[t]};
    s.early = closed_early(t);
    return s;
  };
  for (std::size_t t = 1; t < first_host.size(); ++t) hosts.front().closing.push_back(closing(t));
  for (std::size_t h = 1; h < hosts.size(); ++h)
    hosts[h].closing.push_back(closing(hosts[h].thread));
}

/// Where a thread says early that its progress is finished: next to the last value that it fills
/// there and whose signal nobody waits for.
STRETTO_INLINE in_turn layout::closed_early(std::size_t thread) const {
  const planner::thread_map& threads = plan.plan().threads;
  for (std::size_t i = threads.chains[thread].last; i-- > threads.chains[thread].first;)
    if (const std::size_t n = threads.chained[i]; awaited_[n] == 0 && signals_of[n].early.first)
      return signals_of[n].early;
  return {};
}

/// Whether the first task of a thread waits for the pull of the same progress, which tells it that
/// the progress has begun.
STRETTO_INLINE bool layout::is_opened_by_pull(const host& h) const {
  const planner::thread_map& threads = plan.plan().threads;
  if (threads.thread_of[pull()] != 0) return false;
  const planner::range first = waits_of_[threads.chained[threads.chains[h.thread].first]];
  for (std::size_t w = first.first; w < first.last; ++w)
    if (waits_[w].producer == pull() && waits_[w].delta == 0) return true;
  return false;
}

STRETTO_INLINE void layout::name_results() {
  const planner::graph& g = plan.plan().resolved;
  results_.owner = "the result of a batch";
  results_.listed_in = "`results`";
  const planner::range of = g.nodes[g.deliver()].reads;
  for (std::size_t i = of.first; i < of.last; ++i) {
    const slot_copies& slot = slot_list[g.reads[i].slot];
    result_slots_.push_back(&slot);
    results_.named.push_back({g.slot_list[g.reads[i].slot].text, &slot.type(), true});
  }
  result_row_.resize(result_slots_.size());
  if (results_.named.size() == 1) results_.only = results_.named.front().type;
}

STRETTO_INLINE void layout::fill_in(host& h, const other_calls& others) {
  const std::vector<device_calls>* const on_device = others.on_device;
  const planner::plan& p = plan.plan();
  const planner::range chain = p.threads.chains[h.thread];
  h.newest = planner::none;
  // With no other thread to wait for, and nobody who watches.
  h.flows = alone && !how_.observed;
  // With others to wait for, nobody who watches, and no calls but those of the steps.
  const bool joins = !alone && !how_.observed && !how_.submits && h.begins.empty();
  std::vector<std::size_t> segments;  // by the step that each begins with
  for (std::size_t i = chain.first; i < chain.last; ++i)
    h.oldest = (std::max)(h.oldest, plan.lag()[p.threads.chained[i]]);
  progress_calls calls;
  /// Of a step whose call is laid out behind those of the progress.
  struct body_apart {
    std::size_t step;
    const task_facts* facts;
    launch_calls* in;
  };
  std::vector<body_apart> apart;
  const auto begin_before = [&](std::size_t place) {
    for (const std::size_t coroutine : h.begins)
      if (begun[coroutine].before == place) add_beginning(calls, coroutine, place, others, h);
  };
  for (std::size_t i = chain.first; i < chain.last; ++i) {
    begin_before(i - chain.first);
    const std::size_t n = p.threads.chained[i];
    const std::size_t lag = plan.lag()[n];
    node_signals own;
    if (awaited_[n] != 0 && !alone) {
      own = signals_of[n];
      h.owned.push_back(own.own.of(h.worker));
    }
    // Nothing happens at a delivery but waiting.
    const planner::range of = waits_of_[n];
    if (n == deliver() && !how_.submits && of.first == of.last && chain.last - chain.first > 1)
      continue;
    const std::size_t number = h.signal_list.size();
    if (joins) {
      const bool begins = number == 0 || of.first != of.last || lag < h.newest ||
                          number == (h.pulls ? 1U : 0U) ||
                          h.signal_list.back().said.own.first != nullptr ||
                          number - segments.back() == longest_segment;
      if (number > 0 && begins) add_end(calls, &end_of_segment);
      if (!begins) add_between(calls, others.between);
      if (begins) segments.push_back(number);
    }
    if (n == pull()) h.pulls = true;
    if (lag < h.newest) {
      h.newest = lag;
      h.first_new = h.signal_list.size();
    }
    const task_facts& facts_of_call = facts_of(n, i - chain.first, h);
    step_signals step;
    launch_calls* const in = launch_of(others, n);
    h.launched.push_back(in != nullptr && in->nodes.front() != n ? 1 : 0);
    if (in != nullptr) {
      if (in->nodes.front() == n) add_launch(calls, *in, facts_of_call, h);
      apart.push_back({h.signal_list.size(), &facts_of_call, in});
    } else {
      if (on_device != nullptr) add_device_calls(calls, (*on_device)[n].before, facts_of_call, h);
      if (on_device != nullptr && n == pull()) add_end(calls, &end_of_segment);
      add_own_call(calls, step, others, facts_of_call, h);
      facts.back().words = step.size;
      if (on_device != nullptr) add_device_calls(calls, (*on_device)[n].after, facts_of_call, h);
    }
    const bool ends = !h.flows || n == pull() || number % longest_segment == longest_segment - 1;
    if (ends && !joins) add_end(calls, &end_of_segment);
    if (n != deliver()) step.said = own;
    step.first_wait = h.waits.size();
    step.last_wait = step.first_wait + (of.last - of.first);
    h.signal_list.push_back(step);
    for (std::size_t w = of.first; w < of.last; ++w) {
      const planner::edge& e = waits_[w];
      h.waits.push_back({signals_of[e.producer], static_cast<std::uint32_t>(e.delta), 0});
    }
  }
  if (joins) add_end(calls, &end_of_segment);
  begin_before(chain.last - chain.first);
  h.steps = h.signal_list.size();
  if (joins) h.segment_end.assign(h.steps, h.steps);
  for (std::size_t s = 0; s + 1 < segments.size(); ++s)
    h.segment_end[segments[s]] = segments[s + 1];
  h.quiet_until.assign(h.steps, h.steps);
  for (std::size_t i = h.steps; i-- > 0;) {
    const step_signals& step = h.signal_list[i];
    if (step.said.own.first != nullptr || step.first_wait != step.last_wait)
      h.quiet_until[i] = i;
    else if (i + 1 < h.steps)
      h.quiet_until[i] = h.quiet_until[i + 1];
  }
  add_end(calls, &end_of_progress);
  for (const body_apart& b : apart) {
    step_signals& step = h.signal_list[b.step];
    add_own_call(calls, step, others, *b.facts, h);
    add_end(calls, &end_of_segment);
    b.in->to_body.push_back(static_cast<std::ptrdiff_t>(step.own) - b.in->at);
  }
  lay_out(h, calls);
}

STRETTO_INLINE void layout::add_beginning(progress_calls& to, std::size_t coroutine,
                                          std::size_t place, const other_calls& others, host& h) {
  task_facts& of = facts_of(begun[coroutine].node, place, h);
  of.thread = plan.plan().threads.names[host_of(coroutine).thread];
  step_signals step;
  step.own = to.words.size();
  add_device_calls(to, {(*others.begun)[coroutine]}, of, h);
  add_call(to, of, h);
  step.size = to.words.size() - step.own;
  of.words = step.size;
  add_end(to, &end_of_segment);
  step.first_wait = step.last_wait = h.waits.size();
  h.signal_list.push_back(step);
  h.launched.push_back(0);
}

/// What others wait for, and what it waits for itself: its steps are in the table of who begins it.
STRETTO_INLINE void layout::fill_in_coroutine(host& h) {
  const planner::thread_map& threads = plan.plan().threads;
  const std::size_t n = threads.chained[threads.chains[h.thread].first];
  step_signals& step = h.signal_list.emplace_back();
  if (awaited_[n] != 0) {
    step.said = signals_of[n];
    h.owned.push_back(step.said.own.of(0));
  }
  const planner::range of = waits_of_[n];
  for (std::size_t w = of.first; w < of.last; ++w)
    h.waits.push_back(
        {signals_of[waits_[w].producer], static_cast<std::uint32_t>(waits_[w].delta)});
}

STRETTO_INLINE void layout::add_own_call(progress_calls& to, step_signals& step,
                                         const other_calls& others, const task_facts& of,
                                         const host& h) const {
  const std::vector<device_calls>* const on_ranks = others.on_ranks;
  step.own = to.words.size();
  if (of.may_be_due()) add_gate(to, of);
  if (on_ranks != nullptr) add_device_calls(to, (*on_ranks)[of.node].before, of, h);
  add_call(to, of, h);
  if (on_ranks != nullptr) add_device_calls(to, (*on_ranks)[of.node].after, of, h);
  step.size = to.words.size() - step.own;
}

/// The launch that does a node; null: it is called.
STRETTO_INLINE launch_calls* layout::launch_of(const other_calls& others, std::size_t n) {
  if (others.launches == nullptr) return nullptr;
  for (launch_calls& l : *others.launches)
    if (std::find(l.nodes.begin(), l.nodes.end(), n) != l.nodes.end()) return &l;
  return nullptr;
}

STRETTO_INLINE void layout::add_launch(progress_calls& to, launch_calls& of,
                                       const task_facts& first, const host& h) {
  for (std::size_t i = 0; i < of.calls.size(); ++i) {
    if (i == of.begins) of.at = static_cast<std::ptrdiff_t>(to.words.size());
    if (i == of.behind) of.to_behind = static_cast<std::ptrdiff_t>(to.words.size()) - of.at;
    add_device_calls(to, {of.calls[i]}, first, h);
  }
  if (of.behind == of.calls.size())
    of.to_behind = static_cast<std::ptrdiff_t>(to.words.size()) - of.at;
}

STRETTO_INLINE void layout::add_end(progress_calls& to, call end) {
  to.words.emplace_back().body = end;
}

STRETTO_INLINE void layout::add_between(progress_calls& to, const device_call& between) {
  to.words.emplace_back().body = between.body;
  to.words.emplace_back().object = between.with;
}

/// Of a task that may not run for a batch: what passes its call by where it does not.
STRETTO_INLINE void layout::add_gate(progress_calls& to, const task_facts& of) {
  to.words.emplace_back().body = [](const word* at) {
    const task_facts& task = detail::facts_of(at);
    return go_on(at + (task.is_due() ? slots_begin : task.words));
  };
  to.words.emplace_back().object = nullptr;
  to.words.emplace_back().facts = &of;
}

STRETTO_INLINE void layout::add_call(progress_calls& to, const task_facts& of,
                                     const host& h) const {
  const std::size_t n = of.node;
  const bool is_task = n < plan.plan().resolved.tasks;
  to.words.emplace_back().body = is_task ? plan.input().tasks[n].body.call() : [](const word* at) {
    return go_on(at + slots_begin);  // a delivery
  };
  to.words.emplace_back().object = is_task ? plan.input().tasks[n].body.object() : nullptr;
  to.words.emplace_back().facts = &of;
  if (n != deliver()) add_uses(to, n, h);
}

STRETTO_INLINE void layout::add_device_calls(progress_calls& to,
                                             const std::vector<device_call>& calls,
                                             const task_facts& of, const host& h) {
  for (const device_call& c : calls) {
    to.words.emplace_back().body = c.back > h.oldest ? c.body_if_in_run : c.body;
    to.words.emplace_back().object = c.with;
    to.words.emplace_back().facts = &of;
    if (c.about == nullptr) continue;
    moving_part about = moving_part::of(c.about, c.size, c.count, h.worker, c.back, h.workers);
    about.cell = to.words.size();
    to.parts.push_back(about);
    to.words.emplace_back();
  }
}

STRETTO_INLINE task_facts& layout::facts_of(std::size_t n, std::size_t place, host& h) {
  const planner::plan& p = plan.plan();
  const planner::graph& g = p.resolved;
  task_facts& f = facts.emplace_back();
  f.task = plan.name_of(n);
  f.thread = p.threads.names[h.thread];
  f.node = n;
  f.place = place;
  f.now = &h.now;
  f.lag = plan.lag()[n];
  f.runs = g.nodes[n].runs;
  if (f.runs.at_end) f.at_end = &facts_at_end_.emplace_back();
  if (n < g.tasks) f.calls = static_cast<std::size_t>(plan.declaration().tasks[n].calls);
  f.max_lookahead = g.max_lookahead;
  if (n < g.tasks && verdicts.of().dropper_before(n) != planner::none) f.verdicts = &verdicts;
  if (n < g.tasks) f.suspends = plan.input().tasks[n].body.suspends();
  f.apart = f.verdicts != nullptr || f.suspends;
  f.names.owner.append("task `").append(f.task).append("`");
  const std::size_t first_read = g.nodes[n].reads.first;
  for (std::size_t i = first_read; i < g.nodes[n].reads.last; ++i) {
    const std::size_t slot = g.reads[i].slot;
    named_slot& read = f.names.named.emplace_back();
    read.name = g.slot_list[slot].text;
    read.type = types_[slot];
    if (n >= g.tasks) continue;
    const planner::access& said = plan.declaration().tasks[n].reads[i - first_read];
    read.ago = static_cast<std::size_t>(said.ago);
    read.takes = said.takes;
    read.latest = said.latest;
    read.items = static_cast<std::size_t>(said.items);
    read.since = planner::first_batch_with(said, g.rate_of_slot(slot));
    if (const planner::range by = verdicts.of().unwritten_of[slot];
        read.ago > 0 && by.first != by.last) {
      read.verdicts = &verdicts;
      read.droppers = {verdicts.of().unwritten.data() + by.first, by.last - by.first};
    }
  }
  const std::size_t first_write = g.nodes[n].writes.first;
  for (std::size_t i = first_write; i < g.nodes[n].writes.last; ++i) {
    f.names.named.push_back({g.slot_list[g.writes[i].slot].text, types_[g.writes[i].slot], true});
    if (n < g.tasks)
      f.names.named.back().items =
          static_cast<std::size_t>(plan.declaration().tasks[n].writes[i - first_write].items);
  }
  return f;
}

STRETTO_INLINE void layout::add_uses(progress_calls& to, std::size_t n, const host& h) const {
  const planner::graph& g = plan.plan().resolved;
  const auto add = [&](const planner::list<planner::use>& uses, planner::range of, bool read) {
    for (std::size_t i = of.first; i < of.last; ++i) {
      const slot_copies& slot = slot_list[uses[i].slot];
      std::size_t back = plan.lag()[n];
      if (read && n < g.tasks)
        back += planner::first_batch_with(plan.declaration().tasks[n].reads[i - of.first],
                                          g.rate_of_slot(uses[i].slot));
      moving_part copy = moving_part::held(slot.at(0), slot.bytes() / slot.size(), slot.size(),
                                           slot.every(), h.worker, back, h.workers);
      copy.cell = to.words.size();
      to.parts.push_back(copy);
      to.words.emplace_back();
    }
  };
  add(g.reads, g.nodes[n].reads, true);
  add(g.writes, g.nodes[n].writes, false);
}

/// The calls of every progress that a host thread runs, until they repeat.
STRETTO_INLINE void layout::lay_out(host& h, progress_calls& calls) {
  progress_calls results;
  if (h.number == 0) add_uses(results, deliver(), h);
  std::size_t turns = 1;
  const auto come_round = [&turns, &h](std::size_t count) {
    if (turns <= longest_period) turns = std::lcm(turns, count / std::gcd(count, h.workers));
  };
  for (const std::vector<moving_part>* parts : {&calls.parts, &results.parts})
    for (const moving_part& p : *parts) come_round(p.copies);
  const auto all_come_round = [&come_round](const node_signals& s) {
    come_round(s.own.count);
    come_round(s.early.count);
  };
  for (const step_signals& step : h.signal_list) all_come_round(step.said);
  for (const wait& w : h.waits) all_come_round(w.on);
  for (const node_signals& closing : h.closing) all_come_round(closing);
  const bool repeats = turns <= longest_period;
  if (!repeats) {
    turns = 1;
    h.moving = calls.parts;
  }
  h.words.reserve(turns * calls.words.size());
  h.results.reserve(turns * results.parts.size());
  h.turn_signals.reserve(turns * (h.steps + h.waits.size() + h.closing.size()));
  std::size_t longest = 0;
  for (const step_signals& step : h.signal_list) longest = (std::max)(longest, step.size);
  h.alone.resize(longest + 1);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    for (moving_part& part : calls.parts) {
      calls.words[part.cell].slot = part.at();
      part.move();
    }
    void* const* const handed_out = h.results.data() + h.results.size();
    for (moving_part& part : results.parts) {
      h.results.push_back(part.at());
      part.move();
    }
    const signal_at* const said = h.turn_signals.data() + h.turn_signals.size();
    const std::size_t progress = h.worker + turn * h.workers;
    for (const step_signals& step : h.signal_list) h.turn_signals.push_back(step.said.at(progress));
    // Of a progress before the first, any will do.
    for (const wait& w : h.waits) {
      const std::size_t round = w.on.own.count * w.on.early.count;
      h.turn_signals.push_back(w.on.at(progress + (round - w.back % round)));
    }
    for (const node_signals& closing : h.closing) h.turn_signals.push_back(closing.at(progress));
    auto& laid_out = h.turns.emplace_back();
    laid_out.calls = h.words.data() + h.words.size();
    if (repeats) {
      laid_out.results = handed_out;
      laid_out.said = said;
      laid_out.awaited = said + h.steps;
      laid_out.closing = laid_out.awaited + h.waits.size();
    }
    h.words.insert(h.words.end(), calls.words.begin(), calls.words.end());
  }
}

}  // namespace stretto::dynamic::detail
