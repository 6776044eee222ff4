// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <stretto/dynamic.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include "../../behaviour/execute/probe.hpp"
#include "../stress/random_types.hpp"

/// Random schedules of types, their plans and runs, against the same as values.
namespace differential {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

/// A plan, whoever made it.
struct plan_fields {
  std::vector<std::size_t> order, lag, copies, fillers, tickets, thread_of, chained, workers;
  std::vector<st::planner::range> chains;
  std::vector<std::string> thread_names, slots;
  std::vector<st::planner::edge> edges, stream_waits, minimal_stream_waits, host_waits,
      run_ahead_waits;
  std::size_t in_flight = 0;
  std::uint64_t fingerprint = 0;
};

/// What a run over a number of batches did: what it handed out, and what its tasks complained of.
struct outcome {
  std::vector<std::vector<probing::stamp>> results;
  std::string complaints;
  std::vector<std::size_t> runs;  ///< by node
};

/// A schedule of types as the tests see it.
struct subject {
  unsigned seed = 0;
  std::size_t variant = 0;
  plan_fields (*plan)() = nullptr;
  dynamic::schedule (*outline)() = nullptr;
  outcome (*run)(std::size_t batches, std::uint64_t seed) = nullptr;  ///< null for most
  outcome (*run_value)(std::size_t batches, std::uint64_t seed) = nullptr;
};

template <class Schedule>
plan_fields fields_of() {
  constexpr auto& p = st::plan_of<Schedule>;
  plan_fields f;
  const auto copy = [](const auto& from, auto& to) { to.assign(from.begin(), from.end()); };
  copy(p.order, f.order);
  copy(p.lag, f.lag);
  copy(p.copies, f.copies);
  copy(p.fillers, f.fillers);
  copy(p.tickets, f.tickets);
  copy(p.thread_of, f.thread_of);
  copy(p.chained, f.chained);
  copy(p.workers, f.workers);
  copy(p.chains, f.chains);
  copy(p.thread_names, f.thread_names);
  for (const st::name& s : p.slot_list) f.slots.emplace_back(s.text);
  copy(p.edges, f.edges);
  copy(p.stream_waits, f.stream_waits);
  copy(p.streams.edges, f.minimal_stream_waits);
  copy(p.barrier.edges, f.host_waits);
  copy(p.run_ahead.edges, f.run_ahead_waits);
  f.in_flight = p.in_flight();
  f.fingerprint = st::fingerprint<Schedule>;
  return f;
}

/// Runs a pipeline of probed tasks, and writes down what it hands out.
template <class Schedule, class Pipeline, class Row>
outcome run_probed(Pipeline& pipeline, std::size_t batches, std::uint64_t seed, Row row) {
  probing::probe p(probing::facts_of<Schedule>(), batches, seed);
  probing::current = &p;
  outcome o;
  std::size_t asked = 0;
  auto run = pipeline.run([&](stress::stamp& to) {
    const std::size_t progress = asked++;
    if (progress == p.batches()) return false;
    p.run(p.known().pull, progress, {}, {&to});
    return true;
  });
  while (run.next()) {
    const std::vector<const probing::stamp*> reads = row(run.result());
    p.run(p.known().deliver, run.batch() + p.known().nodes[p.known().deliver].lag, reads, {});
    std::vector<probing::stamp>& kept = o.results.emplace_back();
    for (const probing::stamp* r : reads) kept.push_back(*r);
  }
  o.complaints = p.complaints();
  for (std::size_t n = 0; n < p.known().nodes.size(); ++n) o.runs.push_back(p.runs(n));
  return o;
}

template <class Schedule, class Pace>
outcome run_types(std::size_t batches, std::uint64_t seed) {
  st::pipeline<Schedule, Pace> pipeline;
  return run_probed<Schedule>(pipeline, batches, seed, [](const auto& result) {
    std::vector<const probing::stamp*> all;
    std::apply([&](auto&... slot) { (all.push_back(&slot), ...); }, result);
    return all;
  });
}

template <class Schedule, class Pace>
outcome run_value(std::size_t batches, std::uint64_t seed) {
  const dynamic::schedule s = dynamic::from_types<Schedule>();
  dynamic::pipeline<Pace> pipeline(s);
  return run_probed<Schedule>(pipeline, batches, seed, [&](const dynamic::result& result) {
    std::vector<const probing::stamp*> all;
    for (const std::string& slot : s.results) all.push_back(&result.get<probing::stamp>(slot));
    return all;
  });
}

/// The schedule of a seed, planned in one of five ways.
inline constexpr std::size_t variants = 5;
template <unsigned Seed>
auto varied() {
  using drawn = stress::plain<Seed>;
  if constexpr (Seed % variants == 1) {
    return std::type_identity<st::replan<drawn, st::threads<st::per_task>>>();
  } else if constexpr (Seed % variants == 2) {
    return std::type_identity<st::replan<drawn, st::threads<st::on_caller>>>();
  } else if constexpr (Seed % variants == 3) {
    return std::type_identity<st::serial<drawn>>();
  } else if constexpr (Seed % variants == 4) {
    return std::type_identity<st::replan<drawn, st::slack<stress::value<Seed, 0>, 2>,
                                         st::place<stress::task<Seed, 1>, st::weight<3>>>>();
  } else {
    return std::type_identity<stress::schedule<Seed>>();  // with a queue and workers, if it can be
  }
}

template <unsigned Seed, unsigned RunOneIn>
subject make() {
  using schedule = typename decltype(varied<Seed>())::type;
  subject s;
  s.seed = Seed;
  s.variant = Seed % variants;
  s.plan = &fields_of<schedule>;
  constexpr bool suspends = st::planner::has_coroutines(st::typed::declared<schedule>::value);
  if constexpr (suspends) {  // which only bodies tell
    s.outline = [] { return dynamic::from_types<schedule>(); };
  } else {
    s.outline = &dynamic::outline<schedule>;
  }
  if constexpr (Seed % RunOneIn == 0) {
    constexpr bool meets = Seed / RunOneIn % 2 != 0 && !suspends;
    using pace = std::conditional_t<meets, st::barrier, st::run_ahead>;
    s.run = &run_types<schedule, pace>;
    s.run_value = &run_value<schedule, pace>;
  }
  return s;
}

template <unsigned First, unsigned RunOneIn, unsigned... I>
std::vector<subject> make_all(std::integer_sequence<unsigned, I...>) {
  return {make<First + I, RunOneIn>()...};
}

/// Of all translation units; generated.
std::vector<subject> all_subjects();

}  // namespace differential
