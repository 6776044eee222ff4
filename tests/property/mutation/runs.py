#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants mistakes in the library, one at a time, and looks whether random runs find them.

    python3 tests/property/mutation/runs.py [--cxx g++] [--jobs 2] [--only TEXT] [--sample N] [--shard I/N] [--schedules 2000]
    python3 tests/property/mutation/runs.py --check    only whether each line to be changed is still there
    python3 tests/record/record.py run mutants.runs    tries all, for tests/record.json

Leaves the tree alone: a header with a mistake goes before the real one in the include path of tests/property/random_runs,
or of random_device for mistakes about devices, which must then find something wrong, or hang, within N schedules, and
without a mistake must not. Ends with `N passed, N failed`: passed is a mistake that was found.
"""

import sys

import planted
from planted import ROOT

INCLUDE = ROOT / "include/stretto"
SIGNAL = "run/wait/signal.hpp"
PROTOCOL = "run/session/protocol.hpp"
SESSION = "run/session/session.hpp"
BEGUN = "run/session/begun_call.hpp"
# Signals start just before they wrap around, as in tests/property/random_runs/CMakeLists.txt.
WRAPS = (SIGNAL, "first_epoch = 0;", "first_epoch = 0xFFFFFFFAU;")

# What is wrong: the pieces of headers that change, and what they become. The first ones have been in a release.
MISTAKES = {
    "a finished batch is told as in flight, of workers that are late": [
        ("run/accounting.ipp", "next += (k + turns - next % turns) % turns;", ""),
    ],
    "a result of a group is not handed over to the next plan": [
        ("plan/derive/looked_back.hpp", "if (result == slot && of_group) look(access{result}, rate{});", "static_cast<void>(result);"),
    ],
    "the values of a position are of the batch after": [
        ("dynamic/execute/executor.hpp", "return machine.slot_list[v.slot].of_batch(v.batch);", "return machine.slot_list[v.slot].of_batch(v.batch + 1);"),
    ],
    "half-processed: what a run is given is not put there": [
        ("dynamic/execute/machine.hpp", "if (!verdicts.skips(node, batch)) this->given.put(node, batch);", "verdicts.skips(node, batch);"),
    ],
    "half-processed: values are of the batch after": [
        ("run/position.hpp", "all_.push_back({{g.slot, g.batch}", "all_.push_back({{g.slot, g.batch + 1}"),
    ],
    "half-processed: a coroutine is called all the same": [
        ("dynamic/execute/chain.hpp", "if (due && !given && !is_behind_failure(m, facts, c.progress)) return true;", "return true;"),
    ],
    "items: each call has the first ones": [
        ("dynamic/values/body.hpp", "return Items({of_batch + nth_call * count, count});", "return Items({of_batch + 0 * nth_call, count});"),
    ],
    "items: the last call is left out": [
        ("dynamic/values/body.hpp", "for (std::size_t i = 0; i < calls; ++i)", "for (std::size_t i = 0; i == 0 || i + 1 < calls; ++i)"),
    ],
    "items: a batch is two iterations": [
        ("plan/derive/repetitions.hpp", "const long long calls = over_[t] * (common / under_[t]);", "const long long calls = 2 * over_[t] * (common / under_[t]);"),
    ],
    "items: a copy has those of one call": [
        ("plan/derive/repetitions.hpp", "counts_.push_back(static_cast<std::size_t>(a.items) *\n                              static_cast<std::size_t>(t.calls));", "counts_.push_back(static_cast<std::size_t>(a.items));"),
    ],
    "coroutines: a call begins before the last one has ended": [
        (BEGUN, "    call_.await_end();                              // of the batch before\n", ""),
    ],
    "coroutines: a call does not wait for what it uses": [
        (BEGUN, "    Rules::await(now);\n", ""),
    ],
    "coroutines: one with no batch lets others wait": [
        (BEGUN, "      Rules::pass(now);\n", ""),
    ],
    "coroutines: a run is left while one is suspended": [
        (BEGUN, "    call_.await_end();\n    return next_;", "    return next_;"),
    ],
    "coroutines: a run that goes on has begun its first calls": [
        (BEGUN, "void restart(std::size_t progress) { next_ = progress; }", "void restart(std::size_t progress) { next_ = progress + 1; }"),
    ],
    "coroutines: those that need one are told where it is suspended": [
        ("dynamic/execute/chain.hpp", "      facts_of(c.at).now->told = &told;\n", "      facts_of(c.at).now->told = &told;\n      pass(c);\n"),
    ],
    "coroutines: one whose task does not run for a batch is begun": [
        ("dynamic/execute/chain.hpp", "const bool due = m.fires(facts.lag, c.progress) && facts.is_due();", "const bool due = m.fires(facts.lag, c.progress);"),
    ],
    "coroutines: one that comes last is never begun": [
        ("dynamic/execute/layout.ipp", "  begin_before(chain.last - chain.first);\n", ""),
    ],
    "coroutines: one that failed is told as done": [
        ("dynamic/execute/chain.hpp", "      rules::failed(machine(c), identity{own(c)}, node(c), 0, c.progress, epoch(c),", "      rules::failed(machine(c), identity{own(c)}, node(c), 1, c.progress, epoch(c),"),
    ],
    "a run that goes on begins before its first batch": [
        (SESSION, "    machine().restart(first);\n", "    machine().restart(first > 0 ? first - 1 : 0);\n"),
    ],
    "a run that is complete is told as left": [
        ("run/session/run.hpp", "      if (paused() || phase_ == phase::failing || !over()) return true;\n      end_or_pause();\n      if (paused() || phase_ == phase::failing) return true;\n", "      return !over();\n"),
        ("run/accounting.ipp", "how.delivered == n.finished)", "false)"),
    ],
    "a drained run is told as completed by who asks whether there is more": [
        ("run/session/run.hpp", "pull_.drained() ? run_end::drained : run_end::completed", "run_end::completed"),
    ],
    "a task whose observer threw after it has not run": [
        (PROTOCOL, "{has_run ? batch + 1 : batch, !has_run};", "{batch, true};"),
    ],
    "a task whose observer threw before it is told to be another": [
        (PROTOCOL, "caught failure{node, std::move(error), progress, progress};",
         "caught failure{node == 0 ? 1 : node - 1, std::move(error), progress, progress};"),
    ],
    "serial plans refuse writers of one slot": [
        ("plan/model/graph.hpp", "if (a.offset != b.offset || !serial) return", "return"),
    ],
    "serial plans update slots before their readers": [
        ("plan/model/edge.hpp", "    come_after(g.readers, g.readers_of[write.slot]);\n", ""),
    ],
    "serial plans keep the waits for batches that are not in flight": [
        ("dynamic/query/declared.ipp", "if (!serial_) return true;", "return true;"),
    ],
    "serial plans keep orders of several batches": [
        ("dynamic/query/declared.ipp", "serial_ ? lookaheads_.find(t) : lookaheads_.end()", "lookaheads_.end()"),
    ],
    "serial plans drop orders": [
        ("dynamic/query/declared.ipp", "for (const std::vector<std::string>& order : s.orders) add(order);",
         "for (const std::vector<std::string>& order : s.orders)\n      if (!serial_) add(order);"),
    ],
    "serial plans keep offsets": [
        ("dynamic/query/declared.ipp", "serial_ ? 0 : u.offset.value_or(t.lookahead)",
         "u.offset.value_or(serial_ ? 0 : t.lookahead)"),
    ],
    "serial plans update slots in any order": [
        ("plan/model/edge.hpp", "if (g.serial) detail::update_edges(g, consumer, edges);", ""),
    ],
    "strict hides races": [
        ("plan/rules/diagnose.hpp", "if (!shares_resources(d)) return found;",
         "if (d.strict || !shares_resources(d)) return found;"),
    ],
    # Types are not drawn with one spelling: a test of their own has those.
    "types that are spelled alike are one": [
        ("declare/name.hpp", "return a.is_type && b.is_type ? same(a.type, b.type) : same(a.key, b.key);",
         "return same(a.key, b.key);"),
    ],
    # These have not.
    "epochs are compared as numbers": [
        (SIGNAL, "return static_cast<std::int32_t>(now - wanted) >= 0;", "return now >= wanted;"),
    ],
    "signals keep the epochs of the run before": [
        (SIGNAL, "void restart(std::uint32_t epoch) { epoch_.store(epoch, std::memory_order_relaxed); }",
         "void restart(std::uint32_t) {}"),
    ],
    "a slot has a copy too few": [
        ("plan/derive/copies.hpp", "larger(ahead - behind + 1, reach)",
         "larger(ahead - behind + (ahead == behind), reach)"),
    ],
    "a copy is refilled a progress early": [
        ("plan/derive/copies.hpp", "batches - (refill->offset - user.oldest());",
         "batches - (refill->offset - user.oldest()) + 1;"),
    ],
    "later writers wait for no earlier user": [
        ("plan/derive/copies.hpp", "if (user.offset > later.offset && user.node != later.node)", "if (false)"),
    ],
    "cross_iter_depends_on waits for a batch too early": [
        ("plan/model/edge.hpp", "const int delta = ahead + l.ago - c.lookahead;",
         "const int delta = ahead + l.ago - c.lookahead + 1;"),
    ],
    "depends_on waits for the batch before": [
        ("plan/model/edge.hpp", "{l.producer, consumer, ahead - c.lookahead, reason::depends_on, none, c.lookahead});",
         "{l.producer, consumer, ahead - c.lookahead + 1, reason::depends_on, none, c.lookahead});"),
    ],
    "an order is dropped": [
        ("plan/model/edge.hpp", "if (t.before != none) edges", "if (false) edges"),
    ],
    "streams are not in order": [
        ("plan/derive/serial_edges.hpp", "for (const auto& members : streams) add_chain(members, reason::stream, edges);", ""),
    ],
    "collectives have no tickets": [
        ("plan/derive/serial_edges.hpp", "add_chain(tickets(g, order), reason::ticket, edges);", ""),
    ],
    "a failure is forgotten": [
        (PROTOCOL, "m.tell_to_stop();  // published by the signals that follow", "if (place > 1) m.tell_to_stop();"),
    ],
    "a thread that stops leaves others waiting": [
        (PROTOCOL, "    here.early = true;\n    release(m, self, progress, epoch);\n", "    here.early = true;\n"),
    ],
    "a thread that is through leaves others waiting": [
        (PROTOCOL, "    left.place = 0;\n    release(m, self, next, epoch);\n",
         "    left.place = 0;\n"),
    ],
    "a thread that stops says that it has run one task more": [
        (PROTOCOL, "    here.place = place;\n    here.early", "    here.place = place + 1;\n    here.early"),
    ],
    "workers run every progress": [
        (PROTOCOL, "where.skip(self.workers() - 1);", "where.skip(0);"),
    ],
    "prefill is taken for steady": [
        (PROTOCOL, "return progress >= m.called_from && self.is_filled(progress - m.called_from) &&\n           progress", "return progress"),
    ],
    "drain is taken for steady": [
        (PROTOCOL, "progress <= m.batches() + self.newest() &&", "progress <= m.batches() + self.newest() + 1 &&"),
    ],
    "the barrier waits for one thread too few": [
        ("dynamic/execute/machine.hpp", "for (std::size_t t = 0; t < at.self().closing.size(); ++t)",
         "for (std::size_t t = 1; t < at.self().closing.size(); ++t)"),
    ],
    "what a thread has seen in another run counts": [
        ("dynamic/execute/machine.hpp", "for (wait& w : h.waits) w.seen = epoch;", "static_cast<void>(h);"),
    ],
    "a thread remembers one signal of several workers": [
        ("dynamic/execute/host.hpp", "return on.own.count == 1;", "return on.own.count >= 1;"),
    ],
    "a wait is for what is said early in the copy of another batch, and that is not looked at closely": [
        ("dynamic/execute/layout.ipp", "w.on.at(progress + (round - w.back % round))", "w.on.at(progress)"),
        (SIGNAL, "return reached(said_.load(std::memory_order_acquire), epoch);",
         "return reached(said_.load(std::memory_order_acquire), epoch - 1);"),
    ],
    "threads do not wait for the barrier to open": [
        (PROTOCOL, "m.start.open.await(before + 1);", "static_cast<void>(before);"),
    ],
    "deliveries are told a progress early": [
        (PROTOCOL, "m.publish_delivery(before);", "m.publish_delivery(before + 1);"),
    ],
    "the report is written while threads are still at work": [
        (SESSION, "if (team_) team_->join_run();", "static_cast<void>(team_);"),
    ],
    "a pipeline that failed runs again": [
        (SESSION, "    failed_ = record_.numbers().end == run_end::failed;\n", ""),
    ],
    "a run that is left goes on": [
        ("run/session/run.hpp", "if (how == left_by_user) {\n      m.tell_to_stop();", "if (how == left_by_user) {\n      if (false) m.tell_to_stop();"),
    ],
    "results that were complete when a run stopped are lost": [
        ("run/session/run.hpp", "if (delivered_ >= session_.finished()) {", "if (true) {"),
    ],
    "races are not found": [
        ("plan/rules/diagnose.hpp", "if (!shares_resources(d)) return found;", "return found;"),
    ],
    "what earlier batches left is looked for where this batch's is": [
        ("dynamic/execute/layout.ipp", "if (read && n < g.tasks)", "if (false)"),
    ],
    "rates: a task runs for each batch": [
        ("dynamic/values/body.hpp", "return planner::runs_for(runs, batch) && (", "return ("),
    ],
    "rates: a task that does not run is called in a steady progress": [
        ("dynamic/execute/layout.ipp", "task.is_due() ? slots_begin : task.words", "slots_begin"),
    ],
    "rates: a task that does not run is called at the end": [
        ("dynamic/execute/chain.hpp", "m.fires(facts.lag, progress) && facts.is_due()", "m.fires(facts.lag, progress)"),
        ("dynamic/execute/layout.ipp", "task.is_due() ? slots_begin : task.words", "slots_begin"),
    ],
    "rates: a copy is in use for one batch of its group": [
        ("dynamic/execute/host.hpp", "part.every = every;", ""),
    ],
    "rates: what is held is there from the first batch on": [
        ("plan/model/rate.hpp", "return read.latest ? ago + static_cast<std::size_t>(slot.phase)",
         "return read.latest ? ago"),
    ],
    "rates: a copy is refilled while its value is held": [
        ("plan/derive/copies.hpp", "(refill->offset - user.oldest())", "(refill->offset - user.offset)"),
    ],
    "rates: a slot has copies for its newest readers only": [
        ("plan/derive/copies.hpp", "smaller(behind, uses[i].oldest())", "smaller(behind, uses[i].offset)"),
    ],
    "rates: of workers only the last one is waited for": [
        ("plan/model/edge.hpp", "turn < g.nodes[node].workers && ", "false && "),
    ],
    "rates: who has nothing to do has not finished": [
        ("run/accounting.ipp", "while (finished < batches && done(finished)) ++finished;", ""),
    ],
    "rates: who was not to run is told to have": [
        ("run/accounting.ipp", "(runs.empty() || planner::runs_for(runs[node], batch))", "true"),
    ],
    "a task does not wait for what it wrote a batch before": [
        ("plan/model/edge.hpp", "(write.node != consumer || read.ago > 0)", "write.node != consumer"),
    ],
    "lookaheads are raised beyond what earlier batches allow": [
        ("plan/derive/pipelined.hpp", "if (g_.reads[i].ago > 0) keep", "if (false) keep"),
    ],
}

# Of these random schedules on a device tell.
TABLE = "device/table_backend.hpp"
ON_DEVICE = {
    "a stream waits for no event": [
        (TABLE, "      shared::checked<Driver>(call::wait, d.driver_.wait(with.stream, *e));\n", ""),
    ],
    "a host task waits for no event": [
        (TABLE, "      shared::checked<Driver>(call::synchronize_event, d.driver_.synchronize_event(*e));\n", ""),
    ],
    "a wait is for the event of the progress before": [
        (TABLE, "      with.back = waits_[w].back;", "      with.back = waits_[w].back + 1;"),
    ],
    "tasks that do not fire wait for nothing": [
        ("dynamic/execute/chain.hpp", "      m.device.before(of.node, progress);\n", ""),
    ],
    "tasks that do not fire record nothing": [
        ("dynamic/execute/chain.hpp", "      m.device.after(of.node, progress, false);\n", ""),
    ],
    "what was done with a result is not recorded": [
        (TABLE, "if (released_by_ != nullptr) this->keep_released(record(*released_by_, progress));", "static_cast<void>(progress);"),
    ],
    "a launch that was refused is not asked for": [
        ("device/resources.hpp", "if (left != Driver::success && left != Driver::not_ready) [[unlikely]]", "if (false)"),
    ],
    "host tasks of serial plans wait for nothing": [
        (TABLE, "      d.wait_for_all();\n", ""),
    ],
    "the end of a run does not wait for streams": [
        ("device/resources.hpp", "std::exception_ptr failure = handles_.synchronize();", "std::exception_ptr failure;"),
    ],
    "an error of a stream at the end is lost": [
        ("run/device_outcome.hpp", "    of_tasks_ = device.synchronize();", "    static_cast<void>(device.synchronize());"),
    ],
    "tasks have the device of another stream": [
        (TABLE, "      d.use_device(with.thread, with.device);\n", ""),
    ],
    "tasks have the device of another stream in progresses that are not steady": [
        (TABLE, "        use_device(n.thread, n.at.device);\n", "        static_cast<void>(n.thread);\n"),
    ],
    "the caller keeps the device of the last task": [
        ("device/resources.hpp", "      static_cast<void>(driver_.set_device(before_run_));\n", "      static_cast<void>(current);\n"),
    ],
    "a producer has one event": [
        ("plan/order/events.hpp", "larger(std::size_t{1}, static_cast<std::size_t>(e.delta + later))", "std::size_t{1}"),
    ],
    "streams wait for tasks of the same stream only": [
        ("plan/order/waits.hpp", "consumer != none && producer != consumer && e.why != reason::order", "consumer != none && producer == consumer && e.why != reason::order"),
    ],
    "host tasks do not wait for what fills their slots on streams": [
        ("plan/order/fewest_waits.hpp", "return on_stream(e.producer) && !on_stream(e.consumer) && e.why != reason::ticket &&",
         "return on_stream(e.producer) && !on_stream(e.consumer) && e.delta > 0 && e.why != reason::ticket &&"),
    ],
}
MISTAKES |= ON_DEVICE

# Of these random schedules of types with graphs tell.
BACKEND = "device/backend.hpp"
GRAPHS = "device/graphs.hpp"
IN_TURN = "device/graphs_in_turn.hpp"
ACROSS = "device/across_streams.hpp"
MARKS = "device/stream_marks.hpp"
NO_EDGE = (MARKS, "      if (e.consumer == node && grouped_->is_inside(e))\n        shared", "      if (false)\n        shared")
OF_BOTH = {
    "there is one for all places in the turn": [
        (IN_TURN, "place& here = places_[at];", "place& here = places_[0];"),
    ],
    "kept of what a body put there before it threw": [
        (IN_TURN, "    if (thrown) std::rethrow_exception(thrown);\n", ""),
    ],
    "they are not forgotten": [
        (IN_TURN, "    *this = {};\n", ""),
    ],
    "what was refused is not called": [
        (IN_TURN, "static_cast<void>(driver.last_error());  // what the attempt left behind\n        return how.call();", "static_cast<void>(driver.last_error());\n        return;"),
    ],
    "no edge for a wait": [NO_EDGE],
}
WITH_GRAPHS = {f"graphs: {what}": changes for what, changes in OF_BOTH.items()} | {
    "graphs: captured before earlier batches are there": [
        (GRAPHS, "if (progress < complete) return how.call();", "static_cast<void>(complete);"),
    ],
    "graphs: kept of a launch that was refused": [
        (BACKEND, "if constexpr (order::stream_of[Node] != none) this->check_last_error();", "static_cast<void>(this);"),
    ],
    "graphs: a pipeline that is reset keeps them": [
        ("static/execute/machine.hpp", "if constexpr (replays) device.forget_graphs();", "{}"),
    ],
    "graphs: a failed launch is none": [
        (IN_TURN, "shared::checked<Driver>(call::launch, driver.launch(here.executable, stream));", "static_cast<void>(driver.launch(here.executable, stream));"),
        (GRAPHS, "shared::checked<Driver>(call::launch, driver_.launch(next, stream));", "static_cast<void>(driver_.launch(next, stream));"),
    ],
    "graphs: launches come before what was called": [
        (ACROSS, "    device_.marks_.launches_after_streams(thread);\n", ""),
    ],
    "graphs: what is called does not come after launches": [
        (ACROSS, "    device_.streams_after_launches(thread);\n", ""),
    ],
    "graphs: no wait for others before a launch": [
        (ACROSS, "if constexpr (launched::grouped.is_before_launch(plan.streams.edges[Wait]))", "if constexpr (false)"),
    ],
    "graphs: nothing is recorded for others behind a launch": [
        (ACROSS, "if constexpr (launched::grouped.is_awaited_outside(Awaited))", "if constexpr (false)"),
    ],
}
MISTAKES |= WITH_GRAPHS

# Of these random schedules of values with graphs.
TABLE = "device/table_backend.hpp"
TABLE_GRAPHS = "device/table_graphs.hpp"
TABLE_LAUNCHES = "device/table_launches.hpp"
LAUNCH_CALL = "dynamic/execute/launch_call.hpp"
WITH_GRAPHS_OF_VALUES = {f"graphs of values: {what}": changes for what, changes in OF_BOTH.items()} | {
    "graphs of values: captured before earlier batches are there": [
        (TABLE, "if (progress < of.complete) return how.call();", ""),
    ],
    "graphs of values: kept of a launch that was refused": [
        (TABLE, "          after_body(of.nodes[i]);\n", ""),
        (TABLE_GRAPHS, "      device_.after_body(nodes_[i]);\n", ""),
    ],
    "graphs of values: a pipeline that is reset keeps them": [
        ("dynamic/execute/machine.hpp", "if constexpr (replays) device.forget_graphs();", "{}"),
    ],
    "graphs of values: a failed launch is none": [
        (IN_TURN, "shared::checked<Driver>(call::launch, driver.launch(here.executable, stream));", "static_cast<void>(driver.launch(here.executable, stream));"),
        (TABLE, "shared::checked<Driver>(call::launch, driver.launch(of.graphs.take_next(), of.stream));", "static_cast<void>(driver.launch(of.graphs.take_next(), of.stream));"),
    ],
    "graphs of values: launches come before what was called": [
        (TABLE_GRAPHS, "    device_.graphs_.marks.launches_after_streams(of_.thread);\n", ""),
    ],
    "graphs of values: what is called does not come after launches": [
        (TABLE_GRAPHS, "if (g.spans) streams_after_launches(g.thread);", ""),
        (TABLE_GRAPHS, "    device_.graphs_.streams_after_launches(of_.thread);\n", ""),
    ],
    "graphs of values: no wait for others before a launch": [
        (TABLE, "if (grouped.is_before_launch(grouped.facts.awaits[w])) use(waits_[w]);", "continue;"),
    ],
    "graphs of values: nothing is recorded for others behind a launch": [
        (TABLE, "graphs_.launches.grouped().is_awaited_outside(n)", "false"),
    ],
    "graphs of values: the turn goes on without them": [
        (TABLE_GRAPHS, "if (g.thread == thread) g.graphs.interrupt();", "continue;"),
        (TABLE_GRAPHS, "    g.graphs.interrupt();  // the turn of its places goes on without it\n", ""),
    ],
    "graphs of values: what comes next is another task's": [
        (LAUNCH_CALL, "if (!graphs.spans) to.behind = to.calls.size();", ""),
    ],
    "graphs of values: what was only captured is done": [
        (LAUNCH_CALL, "if (captured) now.undone = at;", ""),
    ],
    "graphs of values: a body that may ask for its batch is captured": [
        (TABLE_LAUNCHES, "} else if (known.knows_batch[n] != 0) {", "} else if (false) {"),
    ],
    "graphs of values: a graph goes on behind a wait for another thread": [
        (TABLE_LAUNCHES, "for (const stretto::planner::edge& e : known.run_ahead) waits_[e.consumer] = true;", ""),
        (TABLE_LAUNCHES, "for (const stretto::planner::edge& e : known.value.host_waits) waits_[e.consumer] = true;", ""),
    ],
}
MISTAKES |= WITH_GRAPHS_OF_VALUES

# Of these random schedules whose collectives several ranks do tell.
CORE = "nccl/core.hpp"
ON_RANKS = {
    "ranks: collectives of several communicators have no order": [
        (CORE, "shared_devices_.insert(g->device());", "{}"),
    ],
    "ranks: collectives are submitted in any order": [
        ("dynamic/execute/collective_call.hpp", "m.collectives.before(f.node, progress - f.lag,", "if (f.node % 2 == 0) m.collectives.before(f.node, progress - f.lag,"),
    ],
    "ranks: a failure is not passed on": [
        ("collective/peers.hpp", "if (n.what == news::failed) throw peer_error(n);", "if (n.what == news::failed) return;"),
    ],
    "ranks: a batch that a peer does not have is waited for": [
        ("collective/peers.hpp", "ended_[r] >= needed", "ended_[r] + 1 >= needed"),
    ],
}
MISTAKES |= ON_RANKS

RANDOM_RUNS = ["tests/property/random_runs/main.cpp"]
RANDOM_DEVICE = ["tests/property/random_device/main.cpp"]
RANDOM_GRAPHS = ["tests/property/random_device/graphs.cpp"]
RANDOM_COLLECTIVES = ["tests/property/random_device/collectives.cpp"]
FOUND_BY = dict.fromkeys(ON_DEVICE, RANDOM_DEVICE) | dict.fromkeys(WITH_GRAPHS, RANDOM_GRAPHS)
FOUND_BY |= dict.fromkeys(WITH_GRAPHS_OF_VALUES, RANDOM_DEVICE)
FOUND_BY |= dict.fromkeys(ON_RANKS, RANDOM_COLLECTIVES)
FOUND_BY |= {
    "types that are spelled alike are one": ["tests/behaviour/execute/spelled_alike.cpp", "tests/main.cpp"],
    # Waits are then for more than they need: results are as they were.
    "a producer has one event": ["tests/plan/order/events.cpp", "tests/main.cpp"],
}


def mutants(arguments=()):
    return [
        planted.Mutant(
            what,
            [(f"include/stretto/{header}", piece, replacement) for header, piece, replacement in changes],
            tuple(FOUND_BY.get(what, RANDOM_RUNS)),
            tuple(arguments),
        )
        for what, changes in MISTAKES.items()
    ]


def wrapping():
    """The include path of signals that start just before they wrap around. It stays, so that ccache knows it."""
    header, piece, replacement = WRAPS
    include = ROOT / "build/mutation/include"
    wraps = include / "stretto" / header
    text = (INCLUDE / header).read_text().replace(piece, replacement)
    wraps.parent.mkdir(parents=True, exist_ok=True)
    if not wraps.exists() or wraps.read_text() != text:
        wraps.write_text(text)
    return include


def main():
    parser = planted.options_of(__doc__)
    parser.add_argument("--schedules", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    header, piece, _ = WRAPS
    return planted.break_all(
        __file__,
        options,
        mutants(["--schedules", str(options.schedules), "--seed", str(options.seed)]),  # doctest ignores them
        more_out_of_date=planted.stale([("wrapping epochs", INCLUDE / header, piece)]),
        overlay=None if options.check else wrapping(),
        refused=r"stretto::(invalid|errors::text)",
    )


if __name__ == "__main__":
    sys.exit(main())
