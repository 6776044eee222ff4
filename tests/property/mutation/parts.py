#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks what is around the planner in one place after the other and looks whether a test of the place notices.

    python3 tests/property/mutation/parts.py [--cxx g++] [--jobs 2] [--only TEXT] [--sample N] [--shard I/N]
    python3 tests/property/mutation/parts.py --check    only whether each piece to be broken is still there
    python3 tests/record/record.py run mutants.parts    tries all, for tests/record.json

What the threads of a run and the ranks of a job do for each other, piece by piece: signals, stops, who makes values,
what is told of a run, notices of peers; and names, texts, schedule files. Leaves the tree alone: a header with a
mistake goes before the real one in the include path. Each mutant names the small test that must fail on it; one that
hangs has failed. Ends with `N passed, N failed`: passed is a mutant that its test killed.
"""

import sys

import planted


def mutants():
    """(what is broken, header, a piece of it, what it becomes, the test that must fail)"""
    found = []

    def breaks(header, *changes, test=None):
        """The test is the one of the header's name and place, unless another is named."""
        test = test or header.rpartition(".")[0] + ".cpp"
        for what, piece, replacement in changes:
            found.append((what, f"include/stretto/{header}", piece, replacement, f"tests/{test}"))

    # A plan as a device works through it.
    breaks(
        "dynamic/query/device_plan.ipp",
        ("A batch on a device is done before it is handed out",
         "settles = !is_submitted(n)", "settles = true || !is_submitted(n)"),
        ("A thread submits before others have submitted what comes first",
         "const bool only_submission =\n          e.why == planner::reason::ticket",
         "if (e.why != planner::reason::ticket) continue;\n      const bool only_submission =\n          e.why == planner::reason::ticket"),
        ("Collectives of a communicator work at once on a device",
         "planner::add_chain(members, planner::reason::ticket, made.edges)",
         "static_cast<void>(members)"),
        ("A host runs ahead of a device without end",
         "planner::run_ahead_bound(p_, planner::blocking_waits(p_))",
         "planner::list<planner::edge>{}"),
        ("A plan on a device has as few copies as it needs",
         "needed[slot] < p_.copies[before])", "needed[slot] > p_.copies[before])"),
        ("Engines of a device do all at once", "if (is_on(n)) members.push_back(to.work[n]);", ""),
        ("An order of submission is one of what streams do",
         "{to.host[e.producer], to.host[e.consumer], e.delta, e.why, planner::none, e.offset}",
         "{to.work[e.producer], to.work[e.consumer], e.delta, e.why, planner::none, e.offset}"),
    )

    breaks(
        "plan/layout/period.hpp",
        ("What a batch is handed out after comes first by what it need not wait for", "e.consumer != g.deliver() && of[e.consumer].settles", "e.consumer != g.deliver()"),
        test="dynamic/query/device_plan.cpp",
    )
    breaks(
        "advice/price.ipp",
        ("Edits are priced as if threads did a device's work", "if (device_ != nullptr) priced.on_device.emplace", "if (false) priced.on_device.emplace"),
        test="advice/advise.cpp",
    )
    breaks(
        "advice/split.ipp",
        ("Halves of a task share no engine", "if (std::erase(engine, whole) > 0) engine.insert(", "if (std::erase(engine, whole) < 0) engine.insert("),
        test="advice/advise.cpp",
    )

    breaks(
        "search/model.hpp",
        ("The search lets a device do all at once", "const bool on_device = share(p.tasks[u].engines, p.tasks[v].engines);", "const bool on_device = false;"),
        ("What is submitted in no time has any order", "if (p.device) at.order = decided_order(by, at);", ""),
        test="search/device.cpp",
    )
    breaks(
        "search/schedule_problem.hpp",
        ("The search knows of no engines", "if (std::find(held.begin(), held.end(), here) == held.end()) held.push_back(here);", "static_cast<void>(held);"),
        ("An engine that names a task twice holds it twice", "if (std::find(held.begin(), held.end(), here) == held.end()) held.push_back(here);", "held.push_back(here);"),
        test="search/device.cpp",
    )

    # What a rank runs of a schedule with roles, and what ranks with roles agree on.
    breaks(
        "static/query/projection.hpp",
        ("projection: lookaheads are not as raised", "(part.has[Task] && from::is_pipelined)", "false"),
        ("projection: batches are pulled later than on all ranks", "all_of<pack<lookahead<plan.max_lookahead>>,", "all_of<pack<>,"),
        test="collective/roles.cpp",
    )
    breaks(
        "dynamic/query/part_of_role.ipp",
        ("parts of values: lookaheads are not as raised", "if (d_.pipelined) t.lookahead", "if (false) t.lookahead"),
        ("parts of values: batches are pulled later than on all ranks", "if (!whole_.serial) part.source.lookahead", "if (false) part.source.lookahead"),
        ("parts of values: collectives are in an order of the rank's own", "if (in_order.size() > 1)", "if (in_order.size() > 100)"),
        ("parts of values: a rank ends by itself", "part.source.collective = true;", "part.source.collective = false;"),
        ("parts of values: results of others are handed out", "return (judge_.having(d_.results[result++]) & own_) == 0;", "return false;"),
        ("parts of values: who sends receives", "const bool sends = t.role == role_;", "const bool sends = t.role.empty();"),
        ("parts of values: others' copies are asked for", "std::erase_if(part.slacks, is_strange);", ""),
        ("parts of values: others' streams are listed", "std::erase_if(part.streams, [&](const std::string& s) { return !streams.contains(s); });", ""),
        test="collective/role_values.cpp",
    )
    breaks(
        "dynamic/query/diagnose.ipp",
        ("parts of values: a part that was changed is run", "if (planner::fingerprint(anew.value(), plan) != planner::fingerprint(d, made)) return false;", ""),
        ("roles of values: nobody judges them", "if (s.whole.empty() && planner::has_roles(d)) {", "if (false) {"),
        test="collective/role_values.cpp",
    )
    breaks(
        "dynamic/query/misuse.ipp",
        ("roles of values: nobody sends", "if (t.role.empty())\n      say(\"task \", who,\n          \" sends", "if (false)\n      say(\"task \", who,\n          \" sends"),
        ("roles of values: a transfer reads", "t.writes[0].offset || !t.reads.empty())", "t.writes[0].offset)"),
        ("roles of values: a transfer does other work", "if (t.body && t.body.sent() == nullptr)", "if (false)"),
        ("roles of values: a role of no schedule", "if (s_.whole.empty() && !s_.role.empty())", "if (false)"),
        test="collective/role_values.cpp",
    )
    breaks(
        "dynamic/execute/slot_types.hpp",
        ("roles of values: a part runs without other ranks", "if (p_.whole() != nullptr && collectives_.transfers == nullptr)", "if (false)"),
        ("roles of values: each rank runs all", "if (p_.whole() == nullptr && !collectives_.name.empty() &&", "if (false &&"),
        ("roles of values: what has no copies is sent", "collectives_.transfers->can_send(*how))", "true)"),
        test="collective/role_values.cpp",
    )
    breaks(
        "dynamic/execute/layout.ipp",
        ("roles of values: others' batches are pulled", "if (held == followed)", "if (false)"),
        ("roles of values: the source is followed", "if (yielded == followed)", "if (false)"),
        test="collective/role_values.cpp",
    )
    breaks(
        "plan/text/explain.ipp",
        ("explanations: two roles are on one rank", "one.role != other.role && !is_transfer(one)", "!is_transfer(one)"),
        test="collective/role_values.cpp",
    )
    breaks(
        "run/sent_value_of.hpp",
        ("sent values: another type is taken", "if (found != nullptr) value = std::move(*found);\n  return found != nullptr;", "if (found != nullptr) value = std::move(*found);\n  return true;"),
        ("sent values: what has no copies is copied", "if constexpr (sent_as_bytes<Value>) {", "if constexpr (false) {"),
        test="run/sent_value.cpp",
    )
    breaks(
        "collective/roles.hpp",
        ("roles: one that nobody plays is fine", "if (!ranks_of(by_rank, role).empty()) continue;", "continue;"),
        ("roles: more ranks may be sent to than send", "if (senders == receivers) continue;", "if (senders <= receivers) continue;"),
        ("roles: all ranks send to the first", "if (by_rank[r] == by_rank[rank]) ++place;", ""),
    )
    breaks(
        "collective/peers.hpp",
        ("peers: transfers are counted as agreements", "return roles_.empty() || tickets_.asks(ticket);", "return true;"),
        ("peers: ranks with roles compare batches that others have no collectives of", "if (!roles_.empty()) return;\n", ""),
        test="collective/roles.cpp",
    )
    breaks(
        "local/settings.hpp",
        ("local: a rank has two pipelines", "    if (taken_[rank])\n", "    if (false)\n"),
        ("local: what failed is used again", "    if (broken_)\n", "    if (false)\n"),
        test="collective/roles.cpp",
    )
    breaks(
        "local/context.hpp",
        ("local: a sum into too little room", "expect(to.size() == std::span(in).size(), ", "expect(true, "),
        ("local: sums of ranks that differ in length", 'expect(part.size() == to.size(), "all_reduce', 'expect(true, "all_reduce'),
        ("local: what is gathered into too little room", "expect(to.size() == length * ranks(), ", "expect(true, "),
        ("local: what ranks gather that differ in length", "expect(part.size() == length, ", "expect(true, "),
        ("local: a broadcast by nobody", "expect(root < ranks(), ", "expect(true, "),
        ("local: a broadcast to ranks that differ in length", 'expect(part.size() == to.size(), "broadcast', 'expect(true, "broadcast'),
        ("local: a broadcast by the first", "if (rank == root)", "if (rank == 0)"),
        test="collective/local_ranks.cpp",
    )
    breaks(
        "local/core.hpp",
        ("local: any task asks others", "    if (demand_.communicator[node].empty())\n", "    if (false)\n"),
        test="collective/local_ranks.cpp",
    )
    breaks(
        "local/core.hpp",
        ("local: collectives of a role are among all", "return demand_.is_of_role(node) ? of_role_ : everyone_;", "return everyone_;"),
        test="collective/roles.cpp",
    )
    breaks(
        "run/value_bytes.hpp",
        ("bytes: a short value is taken", "if (bytes.size() != sizeof(Value)) return false;", ""),
        ("bytes: a piece of an element is dropped", "if (bytes.size() % each != 0) return false;", ""),
        ("bytes: views travel", " && !std::ranges::view<Type>;", ";"),
        ("bytes: what is derived from a row travels", "(standard_row<Type> || sent_by_elements<Type>)", "true"),
        ("bytes: what is said of a row is not asked", "(standard_row<Type> || sent_by_elements<Type>)", "standard_row<Type>"),
        ("bytes: a row keeps its length", "value.resize(bytes.size() / each);", ""),
    )
    # What is left of a schedule without some of its tasks.
    breaks(
        "declare/without.hpp",
        ("without: an order names what was left out", ": part_of<order, typename others_of<pack<Ordered...>, Out...>::type> {};", ": part_of<order, pack<Ordered...>> {};"),
        ("without: a task is still placed", "std::conditional_t<one_of<Task, Out...>, nothing, place<Task, Placement...>>", "place<Task, Placement...>"),
        ("without: a thread keeps what was left out", "} else if constexpr (smaller::tasks::size == 0) {", "} else if constexpr (true) {\n      return Entry{};\n    } else if constexpr (smaller::tasks::size == 0) {"),
        ("without: the tasks stay", "using type = Part;\n};\ntemplate <class Task, class... Placement", "using type = std::conditional_t<one_of<Part, Out...>, pack<>, Part>;\n};\ntemplate <class Task, class... Placement"),
    )
    breaks(
        "static/values/declared.hpp",
        ("without: no slack stays", "if (!used) continue;", "continue;"),
        test="declare/without.cpp",
    )
    breaks(
        "dynamic/values/replan.ipp",
        ("without, as values: a task still depends on it", "std::erase(t.depends_on, name);", ""),
        ("without, as values: it is still synchronised with", "std::erase(t.same_progress_sync, name);", ""),
        ("without, as values: it is waited for from batch to batch", "std::erase_if(t.cross_iter_depends_on, [&](const ago& a) { return a.task == name; });", ""),
        ("without, as values: an order names it", "for (std::vector<std::string>& order : s.orders) std::erase(order, name);", ""),
        ("without, as values: types of slots stay", "std::erase_if(s.types, forgotten);", ""),
        ("without, as values: slack of slots stays", "std::erase_if(s.slacks, forgotten);", ""),
        ("without, as values: slots that others use are forgotten", "std::none_of(s.tasks.begin(), s.tasks.end(),\n                        [&](const task& t) { return uses(t, said.slot); });", "true;"),
        test="declare/without.cpp",
    )
    # What ranks say to each other.
    breaks(
        "collective/channel.hpp",
        ("ranks: who tells all tells itself", "if (r != rank()) all.push_back(r);", "all.push_back(r);"),
        ("ranks: what was gathered is gathered again", "early_[r].pop_front();", ""),
        ("ranks: of what came early the last is taken first", "early_[early.from].push_back(", "early_[early.from].push_front("),
        ("ranks: all are missing until all are there", "idle(std::as_const(missing));", "idle(peers());"),
        ("ranks: who gathers forgets its own", "all[rank()] = mine;", ""),
        ("ranks: notices are gathered", "send_all(channel_id::notices, packed(n));", "send_all(channel_id::gathered, packed(n));"),
    )
    breaks(
        "collective/local.hpp",
        ("ranks: letters go to the sender", "all_.boxes_[to]", "all_.boxes_[rank_]"),
        ("ranks: letters overtake each other", "push_back({rank_, text});", "push_front({rank_, text});"),
        test="collective/channel.cpp",
    )
    breaks(
        "collective/files.hpp",
        ("ranks: files are seen half written", "std::filesystem::rename(half, box / name_of(on, rank_, number), no_box);", "std::filesystem::remove(half); std::ofstream(box / name_of(on, rank_, number)) << text.substr(0, text.size() / 2);"),
        ("ranks: an earlier job's answer is taken for this one's", "if (const std::size_t space = answer->find(' '); answer->substr(0, space) == mine)", "if (const std::size_t space = answer->find(' '); space != message::npos)"),
        ("ranks: folders are waited for without end", "if (!missing.empty() && until.passed()) throw absent(missing, until);", ""),
        ("ranks: a file's number is not counted on", "    ++next[*from];\n", ""),
        ("ranks: who is gone gets letters", "std::filesystem::exists(box)", "true"),
        ("ranks: a rank's many files are read first", "turn_ = *from + 1;", ";"),
        test="collective/channel.cpp",
    )
    breaks(
        "collective/demand.hpp",
        ("nccl: communicators' names run together", "digest.fingerprint = detail::with_name(detail::with_name(digest.fingerprint, \" \"), other);", "digest.fingerprint = detail::with_name(digest.fingerprint, other);"),
        test="nccl/results.cpp",
    )
    breaks(
        "nccl/core.hpp",
        ("nccl: a collective begins before the values are there", "for (collective::pause idle; !values_are_there_(); idle()) go_on_unless_stopping();", ""),
        ("nccl: ranks do not meet behind their values", "    peers_->agreed(true, stops);\n", ""),
        test="nccl/late_values.cpp",
    )
    breaks(
        "nccl/core.hpp",
        ("nccl: the first communicator of a task alone is waited for", "for (const group* g : groups_of_[node]) synchronize(node, *g);", "synchronize(node, *groups_of_[node].front());"),
        ("nccl: what others are split from is not made", "if (part->of == all[i].name)", "if (false)"),
        ("nccl: collectives of several communicators have no order", "shared_devices_.insert(g->device());", "{}"),
        test="nccl/results.cpp",
    )
    breaks(
        "nccl/core.hpp",
        ("nccl: collectives of a role are among all ranks", "if (demand_.is_of_role(n))", "if (false)"),
        ("nccl: a role that sends nothing stays away from the others", "if (i == 0 && !roles.transfers.empty()) return true;", ""),
        test="nccl/roles.cpp",
    )
    breaks(
        "nccl/context.hpp",
        ("nccl: one role of several receives", "for (const std::string_view role : core_->transfer_of(node_).to)", "if (const std::string_view role = core_->transfer_of(node_).to.front(); !role.empty())"),
        test="nccl/roles.cpp",
    )
    breaks(
        "nccl/core.hpp",
        ("nccl: memory is not registered", "if (memory_ != nullptr) g.register_blocks(*memory_);", ""),
        test="nccl/memory.cpp",
    )
    breaks(
        "nccl/group.hpp",
        ("nccl: memory stays registered", "static_cast<void>(library_.deregister(handle_, as));", "static_cast<void>(as);"),
        ("nccl: blocks are registered once only", "seen_blocks_ < memory.count(); ++seen_blocks_", "seen_blocks_ < memory.count() && registrations_.empty(); ++seen_blocks_"),
        test="nccl/memory.cpp",
    )
    breaks(
        "nccl/memory.hpp",
        ("nccl: memory is used in the order of another stream", "k.stream == stream && ", ""),
        ("nccl: any memory that was given back is large enough", " && k.what.bytes >= bytes &&\n", " &&\n"),
        test="nccl/memory.cpp",
    )
    breaks(
        "collective/pause.hpp",
        ("ranks: no deadline passes", "return clock::now() >= end_;", "return false;"),
        test="collective/channel.cpp",
    )
    breaks(
        "collective/patience.hpp",
        ("patience: nobody looks after a sleep", "awake_until_ = waited + between;", ""),
        ("patience: who has slept is awake for good", "      slept_ = false;\n", ""),
        ("patience: what moves much sleeps as soon", "least_awake + 4 * moved", "least_awake + moved"),
        ("patience: sleep is as long as the wait", "waited / 16", "waited"),
    )
    breaks(
        "mpi/parts.hpp",
        ("parts: the last piece reaches into the next part", "(std::min)(longest_, end - first)", "longest_"),
        ("parts: elements that are left over are nobody's", "elements_ * rank / ranks_", "elements_ / ranks_ * rank"),
        ("parts: a long piece and a rest", "rounds_ == 0 ? 0 : quotient(part, rounds_)", "std::min(part, longest_bytes(ranks) / bytes)"),
        ("parts: more ranks send as much at once", "longest_piece / (std::max<std::size_t>)(ranks - 1, 1)", "longest_piece"),
        ("parts: a rank alone exchanges parts", "ranks > 1 && ", ""),
    )
    breaks(
        "collective/message.hpp",
        ("messages: a number's last byte is left out", "for (int i = 0; i < 8; ++i) made_", "for (int i = 0; i < 7; ++i) made_"),
        ("messages: a byte that is not there is read", "if (left_.size() < bytes)", "if (left_.size() + 1 < bytes)"),
        ("messages: large bytes are negative", "std::uint64_t{static_cast<unsigned char>(bytes[i])}", "static_cast<std::uint64_t>(bytes[i])"),
    )
    breaks(
        "collective/notice.hpp",
        ("notices: how many collectives a rank took part in is lost", "n.submitted = in.size();", "in.size();"),
        ("notices: who says it is lost", "n.rank = from;", ""),
        ("notices: what is said is lost", "n.what = static_cast<news>(in.number());", "in.number();"),
    )
    breaks(
        "collective/plans.hpp",
        ("plans: two kinds of them are none too many", "if (groups.size() > 1) detail", "if (groups.size() > 2) detail"),
        ("plans: the ranks that differ are in no order", "std::sort(others.begin(), others.end());", ""),
        ("plans: tasks beyond the first rank's last are not looked at", "most = (std::max)(most, plan.tasks.size());", "most = by_rank.front().tasks.size();"),
        ("plans: tasks of one name are the same", "task_at(by_rank[a], place).fingerprint == task_at(by_rank[b], place).fingerprint", "true"),
        ("plans: the source is told of in place of what differs", 'if (task_at(by_rank[0], place).name == "pull" &&', "if (false &&"),
        ("plans: a source that differs alone is nothing", "if (found == most) found = place;", ""),
        ("plans: a task's fingerprint does not travel", "t.fingerprint = in.number();", "in.number();"),
    )
    breaks(
        "collective/row.hpp",
        ("tickets: one before this place is not due yet", "i < place ? progress + 1 : progress;", "progress;"),
        ("tickets: one that was used is due again", "next_[place] = progress + static_cast<std::size_t>(all_[place].runs.every);", "next_[place] = progress;"),
        ("tickets: batches are counted from progress 0", "return next_[i] - all_[i].lag;", "return next_[i];"),
        ("tickets: who asks for a batch must have one", "all_[i].asks || ", ""),
        ("tickets: one that is not for every batch is due for the next", "static_cast<std::size_t>(all_[place].runs.every);", "1;"),
        ("tickets: phases are not looked at", "all_[i].lag + static_cast<std::size_t>(all_[i].runs.phase);", "all_[i].lag;"),
        ("tickets: what is left out of a group tells the end", "if (all_[i].runs.every == 1) return", "return"),
        ("tickets: an end is kept for the next run", "end_.reset();", ""),
        ("tickets: a new run does not begin anew", "next_[i] = all_[i].lag + static_cast<std::size_t>(all_[i].runs.phase);\n", ";\n"),
    )
    breaks(
        "collective/wording.hpp",
        ("wording: the last rank has a comma", 'i + 1 == count ? " and " : ", "', '", "'),
        ("wording: half seconds are seconds", "time.count() % 1000 == 0", "time.count() >= 1000"),
    )
    breaks(
        "collective/peers.hpp",
        ("peers: what was given up counts", "reached_ = (std::min)(reached_, place_of(where) - 1);", "{}"),
        ("peers: what a rank that left has done is missed", "if (departed.reached >= place_of(at_)) return false;", "if (departed.reached >= reached_) return false;"),
        ("peers: the least number of batches is not kept", "least_ended_ = (std::min)(least_ended_, batches);", ""),
        ("peers: a failure is not passed on", "if (n.what == news::failed) throw peer_error(n);", "if (n.what == news::failed) return;"),
        ("peers: who missed a peer is blamed for it", "throw peer_error(departure_in(n));", "throw peer_error(n);"),
        ("peers: news of an earlier run are of this one", "if (n.run != run_) return;", ""),
        ("peers: who left is forgotten", "if (n.what == news::left) departed_.push_back(n);", ""),
        ("peers: who left the run before has left this one", "      departed_.clear();\n", ""),
        ("peers: whose source ended is forgotten", "if (n.what == news::ended) note_end(n.rank, n.batch);", ""),
        ("peers: ends of the run before are of this one", "std::fill(ended_.begin(), ended_.end(), not_known);", ""),
        ("peers: who went on is not heard", "if (n.what == news::continued) {", "if (false) {"),
        ("peers: a collective that was given up was taken part in", "submitted_ - (at_.inside && counts(at_.ticket) ? 1 : 0)", "submitted_"),
        ("peers: who left is missed a collective late", "return submitted_ > departed.submitted;", "return submitted_ > departed.submitted + 1;"),
        ("peers: who left is missed a collective early", "return submitted_ > departed.submitted;", "return submitted_ >= departed.submitted;"),
        ("peers: a batch that a peer does not have is waited for", "ended_[r] >= needed", "ended_[r] + 1 >= needed"),
        ("peers: who asks whether there is a batch needs it", "tickets_.asks(at_.ticket) ? at_.batch : at_.batch + 1", "at_.batch + 1"),
        ("peers: who goes on does not tell", "      told_ = true;\n      channel_.notify(n);\n      throw", "      told_ = true;\n      throw"),
        ("peers: no wait has a deadline", "        if (until_.passed())\n", "        if (false)\n"),
        ("peers: a wait asks nobody whether to stop", "      if (stopping()) throw wait_stopped();\n    }\n\n   private:", "    }\n\n   private:"),
        ("peers: a wait for ends asks nobody whether to stop", "      if (stopping()) throw wait_stopped();\n    }\n    const auto least", "    }\n    const auto least"),
        ("peers: one that has the batch is enough", "all = reader(m).number() != 0 && all;", "all = reader(m).number() != 0 || all;"),
        ("peers: collectives that were given up count", "if (counts(p.ticket)) --submitted_;", ""),
        ("peers: who watches looks at the last collective only", "at_ = {p.ticket, p.batch, true};", "static_cast<void>(p);"),
        ("peers: who watched is where it looked last", "    at_ = now;\n", "    static_cast<void>(now);\n"),
        ("peers: after a failure there is another run", "      broken_ = true;\n      throw;", "      throw;"),
        ("peers: who gives up tells nobody", "cannot begin another\";\n      channel_.notify(n);", "cannot begin another\";"),
        ("peers: who turns back tells nobody", "      n.run = run_;\n      channel_.notify(n);", "      n.run = run_;"),
        ("peers: who turns back leaves the run, too", "      if (told_ && report.failures.empty()) return;", ""),
        ("peers: news of a run that is to come are lost", "return early_.push_back(n);", "return;"),
        ("peers: who is stopped waits for the others", "      if (stopping()) throw wait_stopped();\n      idle();", "      idle();"),
        ("peers: the roles of missing ranks are forgotten", "if (roles_.empty() || by_rank_.empty())", "if (true)"),
        ("peers: who gives up tells it again", "if (std::exchange(told_, true)) return;", ""),
        ("peers: a failure is told again", "        if (told_) return;\n", ""),
        ("peers: a peer's failure is told as one's own", "        if (n.task.empty()) return;", ""),
        ("peers: a wait that ended early is the failure", "      } catch (const wait_stopped&) {\n        continue;", "      } catch (const wait_stopped&) {"),
        ("peers: plans are not compared", "if (run_ == 1) {", "if (false) {"),
        ("peers: ranks that left at different collectives go on", "if (part(m).submitted != submitted_)", "if (false)"),
        ("peers: numbers of batches are compared in the first run", "      counts_compared_ = false;\n", ""),
        ("peers: nobody waits for the others' ends", "return ended_[r] == not_known; }", "return ended_[r] == not_known && r > size(); }"),
        ("peers: the numbers of batches may differ", "if (*least == *most) return;", "return;"),
        ("peers: who waits for ends hears nobody leave", "if (ended_[n.rank] == not_known) throw peer_error(n);", ";"),
        ("peers: nobody waits for what is behind the last collective", "        compare_ends();\n", ""),
        ("peers: who left at the last result is waited for", "finished_[n.rank] = true;  // its user", "// its user"),
        ("peers: an end counts for the next run", "      std::fill(finished_.begin(), finished_.end(), false);\n", ""),
    )

    # Collectives of schedules that are values.
    breaks(
        "collective/demand.hpp",
        ("values: a communicator is no part of the whole plan", "digest.fingerprint = detail::with_name(digest.fingerprint, among);", ""),
        ("values: nor is it of a task", "detail::with_name(f.value, among)", "f.value"),
        ("values: a place's number is that of another task", "nodes.push_back({order[i], values[i]});", "nodes.push_back({i, values[i]});"),
        ("values: who names no communicator has none", "communicators.push_back(planner::communicator_of(t));", "communicators.push_back(t.communicator);"),
        ("values: another node pulls", "plan.resolved.pull(),", "plan.resolved.deliver(),"),
        test="nccl/values.cpp",
    )
    breaks(
        "dynamic/execute/collective_call.hpp",
        ("values: nothing is called before a collective", "      m.collectives.before(f.node, progress - f.lag, progress, [&m] { return m.stopping(); });", "      static_cast<void>(m), static_cast<void>(progress);"),
        ("values: nor after it", "      m.collectives.after(f.node, f.now->progress - f.lag, f.now->progress);", ""),
        ("values: a collective is of another batch", "m.collectives.before(f.node, progress - f.lag,", "m.collectives.before(f.node, progress + 1 - f.lag,"),
        ("values: what a collective throws is another task's", "      facts.now->thrower = at;\n", ""),
        test="nccl/values.cpp",
    )
    breaks(
        "dynamic/execute/layout.ipp",
        ("values: calls before a body are left out", "add_device_calls(to, (*on_ranks)[of.node].before, of, h);", "static_cast<void>(on_ranks);"),
        ("values: those behind it are", "add_device_calls(to, (*on_ranks)[of.node].after, of, h);", "static_cast<void>(on_ranks);"),
        test="nccl/values.cpp",
    )
    breaks(
        "dynamic/execute/machine.hpp",
        ("values: ranks meet for nothing", "return !plan.plan().tickets.empty();", "return true;"),
        ("values: ranks agree on no end", "return plan.declaration().from.collective;", "return false;"),
        ("values: in a serial plan collectives are host tasks", "Collectives::on_streams && t.collective;", "false && t.collective;"),
        test="nccl/values.cpp",
    )
    breaks(
        "dynamic/execute/executor.hpp",
        ("values: plans are not compared", "if (machine.has_tickets()) return machine.collectives.begin_run(stop);", "{}"),
        ("values: nobody is told how a run ended", "if (machine.has_tickets()) runner::tell_ranks(machine.collectives, report);", "{}"),
        test="nccl/values.cpp",
    )
    breaks(
        "dynamic/execute/slot_types.hpp",
        ("values: a body may ask for a communicator that there is not", "if (collectives_.name.empty())", "if (false)"),
        ("values: it may ask for another library's", "else if (!(t.body.asked_context() == collectives_.type))", "else if (false)"),
        ("values: it may ask as a task that is no collective", "else if (!t.collective)", "else if (false)"),
        test="nccl/values.cpp",
    )
    breaks(
        "nccl/binding.hpp",
        ("values: a collective may be on no stream", "known.on_streams[n] == 0)", "false)"),
        ("values: a collective is on another stream", "return device.spot_of(n)->stream;", "return device.spot_of(plan_.tickets[0])->stream;"),
        test="nccl/values.cpp",
    )

    # What becomes of a run.
    breaks(
        "run/accounting.ipp",
        ("report: the task at which a thread stopped has run", "place[node] < left.place", "place[node] <= left.place"),
        ("report: batches that there are not have finished", "std::size_t finished = batches;", "auto finished = static_cast<std::size_t>(-1);"),
        ("report: a batch is its first worker's", "first_missing(node, first_host(thread) + progress % workers[thread])", "first_missing(node, first_host(thread))"),
        ("report: who failed has touched every batch", "left.failure.node == node && ", ""),
        ("report: a copy is kept a batch longer", "!has_begun(filler, batch + copies)", "!has_begun(filler, batch + copies + 1)"),
        ("report: what is pulled has finished", "by < n.finished) n.finished = by;", "false) n.finished = by;"),
        ("report: the last failure is thrown", "left.failure.place < first->failure.place", "left.failure.place >= first->failure.place"),
        ("report: results that are left do not matter", "how.delivered == n.finished)", "true)"),
    )
    breaks(
        "run/accounting.hpp",
        ("report: batches in flight are numbered from 0", "in_flight[i].batch = report.first + delivered + i;", "in_flight[i].batch = report.first + i;"),
        ("report: batches of a run that went on are numbered from 0", "in_flight[i].batch = report.first + delivered + i;", "in_flight[i].batch = delivered + i;"),
        ("report: the failure of one is", "next = report.first + report.finished;", "next = report.finished;"),
        ("report: a failure is told twice", "if (report.failures.empty()) fail_at_end", "fail_at_end"),
    )
    breaks(
        "run/first_failure.hpp",
        ("failure: the last one is kept", "if (failure.place >= place_.load(", "if (failure.place < place_.load("),
        ("failure: what lies before it does not run", "return place >= place_.load(", "return place + 1 >= place_.load("),
        ("failure: results come before what follows them in the order", "  ranks[deliver] = deliver;\n", "  ranks[deliver] = 0;\n"),
        ("failure: lookahead does not count in the order", "lag[order[j]] < lag[order[i]] || ", ""),
        test="behaviour/execute/first_failures.cpp",
    )
    breaks(
        "run/run_state.hpp",
        ("failure: the batch that failed is none", "end_before(batch + 1);", "end_before(batch);"),
        ("failure: it takes a stop back", "now < run_command::end_early &&", "true &&"),
        ("failure: it raises the end", "while (batch < known &&", "while (batch != known &&"),
        ("failure: the source's end is forgotten", "    source_end.store(progress, std::memory_order_relaxed);\n", ""),
        test="run/run_state.cpp",
    )
    breaks(
        "run/session/protocol.hpp",
        ("failure: who fails runs nothing more", "        here.place = place;\n        m.end_early", "        here.place = place + 1000;\n        m.end_early"),
        ("failure: what is passed over has finished", "    if (batch < by.batch) by.batch = batch;\n", ""),
        test="behaviour/execute/first_failures.cpp",
    )
    breaks(
        "run/told_source.hpp",
        ("told source: the run's token says nothing to it", "following_.emplace(token, asking{&stop_});", "static_cast<void>(token);"),
        ("told source: it is asked to stop at once", "return source_(slot, stop_.get_token());\n    } else {\n      auto", "stop_.request_stop();\n      return source_(slot, stop_.get_token());\n    } else {\n      auto"),
        test="behaviour/execute/first_failures.cpp",
    )
    breaks(
        "run/record.ipp",
        ("report: failures of the run before stay", "  report.failures.clear();\n", ""),
        ("report: with nothing pulled there are batches in flight", "report.pulled - report.finished)", "report.pulled)"),
        ("report: failures are told in any order", "other.failure.place < left.failure.place ||", "other.failure.place > left.failure.place ||"),
        ("report: who asks late is told nothing", "    if (stopped_) made->tell(all, numbers_, late_);\n", ""),
        test="run/accounting.cpp",
    )
    breaks(
        "run/stop.hpp",
        ("stop: one more batch is taken", "if (!token_.stop_requested() && pull_(slot)) return true;", "if (pull_(slot)) return true;"),
        ("stop: each end is one", "    drained_ = token_.stop_requested();\n", "    drained_ = true;\n"),
        ("stop: one that is found before the pull is forgotten", "return drained_ = token_.stop_requested();", "return token_.stop_requested();"),
    )
    breaks(
        "run/slot_storage.hpp",
        ("values: workers take turns from batch 0", "host + (copy * every + phase + lag) % workers", "host + copy % workers"),
        ("values: copies overlap", "first + copy * stride", "first + copy"),
    )
    breaks(
        "plan/model/copy_size.hpp",
        ("values: large ones share pages", "size >= std::size_t{64} * 1024", "size > std::size_t{64} * 1024"),
        ("bounds: lines are not counted", "(size + line - 1) / line * line", "size"),
        ("bounds: what is aligned is not counted", "copy_alignment(size) > alignment ? copy_alignment(size) : alignment", "copy_alignment(size)"),
    )
    breaks(
        "run/slot_storage.ipp",
        ("values: made again in each run", "        if (n < made.now) continue;\n", ""),
        ("values: the device's are made again", "if (made.ever < made.now) made.ever = made.now;", "made.ever = made.now;"),
        ("values: the device's are released", "what == values::end && n < made.ever", "n < made.ever"),
        ("values: the device's never end", "what == values::end && n < made.ever", "what == values::end && n < made.now"),
        ("values: after a failure the next one is made", "n >= made.ever, *failure)) return false;", "n >= made.ever, *failure)) continue;"),
    )
    breaks(
        "run/slot_storage.ipp",
        ("items: what is made before one that cannot be is not ended", "    end_copy(r, copy, made);\n", ""),
        ("items: only the first is ended", "end_copy(r, copy, r.values);", "end_copy(r, copy, 1);"),
        ("items: only the first is made", "for (; made < r.values; ++made)", "for (; made < 1; ++made)"),
        test="behaviour/execute/items.cpp",
    )
    breaks(
        "static/execute/past_values.hpp",
        ("items: each call has the first ones", "memory) + call * items)", "memory) + 0 * call * items)"),
        test="behaviour/execute/items.cpp",
    )
    breaks(
        "static/execute/local_values.hpp",
        ("items: a loop moves the first one", "    if (values_in_copy<Schedule>(s) > 1) continue;\n", ""),
        test="behaviour/execute/items.cpp",
    )
    breaks(
        "dynamic/values/body.hpp",
        ("items: each call of a value has the first ones", "return Items({of_batch + nth_call * count, count});", "return Items({of_batch + 0 * nth_call, count});"),
        ("items: a value is called once", "for (std::size_t i = 0; i < calls; ++i)", "for (std::size_t i = 0; i < 1 && calls > 0; ++i)"),
        test="dynamic/execute/items.cpp",
    )
    breaks(
        "dynamic/query/outline.hpp",
        ("items: an outline has the weight of all calls", "    t.weight /= from.calls;", ""),
        test="dynamic/execute/items.cpp",
    )
    breaks(
        "dynamic/query/declared.ipp",
        ("items: a bound on bytes counts one", "type->size * items[name(slot)]", "type->size"),
        test="dynamic/execute/items.cpp",
    )
    breaks(
        "bound/calls_bound.hpp",
        ("calls bound: the first call waits for all", "const long long needed = apart ? (consumed + made - 1) / made : calls;", "const long long needed = calls + 0 * (consumed + made);"),
        ("calls bound: items are there a call early", "(consumed + made - 1) / made : calls;", "(consumed + made - 1) / made - (consumed > made ? 1 : 0) : calls;"),
        ("calls bound: calls overlap", "waits.wait(call, call + 1, 0);", "static_cast<void>(call);"),
        ("calls bound: what is left of a share is lost", "(k < times[n] % count ? 1 : 0)", "0"),
        ("calls bound: room for what has no divisor in common", "made + used - planner::common_divisor(made, used)", "made + used - 1"),
        ("calls bound: of several consumers the last counts", "b.at_least = planner::larger(\n                  b.at_least, static_cast<int>(made + used - planner::common_divisor(made, used)));", "b.at_least = static_cast<int>(made + used - planner::common_divisor(made, used));"),
        ("calls bound: streams do all at once", "      look_at({time, 1}, there);\n", ""),
        ("calls bound: workers are not counted", "look_at({times[n], g.nodes[n].workers}", "look_at({times[n], 1}"),
        test="bound/calls_bound_of.cpp",
    )
    breaks(
        "run/source.hpp",
        ("sources: a range is read ahead of need", "      slot = **at_;\n", "      slot = **at_;\n      static_cast<void>(std::ranges::next(*at_));\n"),
        ("sources: the first batch is taken again", "      ++*at_;\n", ""),
    )
    breaks(
        "plan/layout/period.hpp",
        ("bounds: a thread's progresses overlap", "static_cast<long long>(workers[t])};", "static_cast<long long>(workers[t]) + 1};"),
        ("bounds: a thread's tasks overlap", "turns[n] = {before, 0};", "turns[n] = {before, 1};"),
        test="bound/cycles.cpp",
    )
    breaks(
        "bound/spare_times.hpp",
        ("bounds: the first cycle through a task leaves it time", "if (!closed || start > back) back = start;", "if (!closed) back = start;"),
        test="bound/cycles.cpp",
    )
    breaks(
        "bound/cycles.hpp",
        ("bounds: hand-overs are left out", "if (!meet) all.append(planner::delivery_edges(g));", ""),
    )
    breaks(
        "plan/layout/crowded_thread.hpp",
        ("bounds: a thread has one task more", "* threads + 1;", "* threads;"),
        ("bounds: a crowd's longest are on one thread", "std::size_t i = tasks - share; i < tasks", "std::size_t i = 0; i < share"),
        ("bounds: two tasks are all of a crowd", "++share)", "share = longest_first.size() + threads)"),
        test="bound/least_of.cpp",
    )
    breaks(
        "bound/file/range_summary.hpp",
        ("costs: what follows a table is a row of it", "table_.reset();", ""),
        ("costs: commas between quotes end a field", "line[i] == ',' && !quoted", "line[i] == ','"),
        ("costs: a quote in a name ends it", "if (doubled) ++i;", ""),
        ("costs: the last column has an end of line of Windows", "if (!line.empty() && line.back() == '\\r') line.remove_suffix(1);", ""),
        test="bound/file/cost_table.cpp",
    )
    breaks(
        "bound/file/nvtx_costs.hpp",
        ("costs: ranges of other domains are tasks", "if (r.range.substr(0, domain.size()) != domain) continue;", ""),
        ("costs: the source's range counts", "if (task == planner::pull_name || task == planner::deliver_name) continue;", ""),
        test="bound/file/cost_table.cpp",
    )
    breaks(
        "bound/file/cost_table.hpp",
        ("costs: the first of several files counts", "times_.insert_or_assign(task, cost);\n  }\n\n  /// The text", "times_.emplace(task, cost);\n  }\n\n  /// The text"),
        test="bound/file/cost_table.cpp",
    )
    breaks(
        "bound/costs.hpp",
        ("bounds: what a task takes for a group it takes for each batch", "all[node] = time / g.nodes[node].runs.every;", "all[node] = time;"),
        ("bounds: costs are in the order of tasks", "first + i < timed() ? first + i : first + i - timed();", "first + i < timed() ? first + i : 0;"),
        test="bound/is_optimal.cpp",
    )
    breaks(
        "bound/plan_least.hpp",
        ("bounds: less than enough is enough", "!(period_ < enough)", "!(enough < period_)"),
        test="bound/is_optimal.cpp",
    )
    breaks(
        "bound/keeps_to.hpp",
        ("bounds: each thread is one", "finder.share(workers);", ""),
        ("bounds: no thread has turns", "exceeds(period, order, thread_of, workers.size())", "exceeds(period, order)"),
        ("bounds: results wait for none", "all.append(planner::delivery_edges(g));", ""),
        test="bound/is_optimal.cpp",
    )
    breaks(
        "bound/is_optimal.hpp",
        ("bounds: a plan that is slower than was told is the best", "!(least == told)", "least < told"),
        ("bounds: a plan keeps to the least", "return shared::keeps_to(least,", "return true || shared::keeps_to(least,"),
        ("bounds: any period is the period", "p.workers) == told;", "p.workers).time > 0;"),
        ("bounds: a constant plan is the best at any period", "p.workers, costs, told);", "p.workers, costs);"),
        test="bound/is_optimal.cpp",
    )
    breaks(
        "static/query/planned_nodes.hpp",
        ("bounds: workers take no turns", "    g.nodes[g.pull()].workers = ", "    for (planner::node& n : g.nodes) n.workers = 1;\n    g.nodes[g.pull()].workers = "),
        ("bounds: no task is a collective", "g.nodes[n].collective = d.tasks[n].collective;", ""),
        test="bound/is_optimal.cpp",
    )
    breaks(
        "bound/file/read_trace.hpp",
        ("read traces: rows may come in any order", 'number_in(e, "tid") != rows.size() || ', ""),
        ("read traces: streams are threads", "? streams_ : threads_;", "? threads_ : threads_;"),
        ("read traces: the source is left out", ' || (kind != "task" && kind != "source")) return;', ' || kind != "task") return;'),
        ("read traces: rows without a name are taken", "if (r.row >= (r.on_stream ? streams_ : threads_).size())", "if (r.row > 1000)"),
        ("read traces: times are of a microsecond", "found->get<double>() * 1e3", "std::floor(found->get<double>()) * 1e3"),
    )
    breaks(
        "bound/order_of_work.hpp",
        ("bounds: the cycle is against the order of work", "backward[(first + backward.size() - i) % backward.size()]", "backward[(first + i) % backward.size()]"),
        test="bound/bound_of.cpp",
    )
    breaks(
        "bound/thread_arcs.hpp",
        ("bounds: who begins a progress waits for no meeting", "if (meet && turns.firsts()[thread_of[n]] == n)", "if (false)"),
        ("bounds: a meeting waits for the first thread only", "if (last != planner::none) all.arcs.push_back({last, 0});", "if (last == turns.lasts()[0]) all.arcs.push_back({last, 0});"),
        test="bound/simulate.cpp",
    )
    breaks(
        "bound/plan_bound.hpp",
        ("bounds: what takes no time keeps a thread busy", "track_of[n] == track && (n == node || cycles_.time_of(n) > 0)", "track_of[n] == track"),
        test="bound/bound_of.cpp",
    )
    breaks(
        "bound/plan_bound.hpp",
        ("bounds: a stream is not named", "limit.busy_stream = streams_[s];", ""),
        test="bound/curve.cpp",
    )
    breaks(
        "plan/layout/modulo_evaluation.hpp",
        ("a schedule is found whose streams overlap", "if (last != none) all.push_back({last, t, 0});", ""),
        ("copies of what is found do not count", "by.copies(at, s) - (ahead", "1000 + by.copies(at, s) - (ahead"),
        test="search/modulo_search.cpp",
    )
    breaks(
        "plan/layout/modulo_search.hpp",
        ("what is found takes more bytes than it may", "if (bytes > p_->bytes) return false;", ""),
        ("a search begins anew with each part", "s_(before)", "s_()"),
        test="search/modulo_search.cpp",
    )
    breaks(
        "plan/layout/modulo_problem_of.hpp",
        ("a schedule is found in which state is shared across batches", "          stay(t);\n          if (comes", "          if (comes"),
        ("who names a thread is put on another", "t.thread.empty() && p_.offered > 0", "p_.offered > 0"),
        ("batches in flight are those that there were", "p_.in_flight + 2 * static_cast<int>(tasks) + 1", "p_.in_flight"),
        ("many batches in flight spoil a search", "smaller(within.in_flight, p_.in_flight + 2 * static_cast<int>(tasks) + 1)", "within.in_flight"),
        ("the largest bound on bytes is less than none", "within_->bytes > 0 && within_->bytes < static_cast<std::size_t>(p_.bytes)", "within_->bytes > 0"),
        test="static/query/scheduled.cpp",
    )
    breaks(
        "static/errors/unscheduled.hpp",
        ("a schedule is found for tasks without weight", "weightless < tasks::size", "false"),
        ("the weight of a place is none", "not_placed::value) stated[t] = true;", "not_placed::value) stated[t] = false;"),
        ("threads are offered to nobody", "} else if constexpr (!wanted) {", "} else if constexpr (false) {"),
        test="static/query/scheduled.cpp",
    )
    breaks(
        "static/query/scheduled.hpp",
        ("of too few bytes more are asked for than it takes", "bytes += s.bytes * least;", "bytes += s.bytes * (least + 1);"),
        test="static/query/scheduled.cpp",
    )
    breaks(
        "bound/plan_least.hpp",
        ("bounds: no plan has other lookaheads", "if (const int ago = e.delta - from.lookahead + to.lookahead; ago >= 0)", "if (const int ago = e.delta; ago >= 0)"),
        ("bounds: no plan has copies otherwise", "        case planner::reason::take:\n", "        case planner::reason::take:\n        case planner::reason::reuse:\n"),
        ("bounds: a batch less is in flight", "waits.wait(g.deliver(), g.pull(), in_flight_);", "waits.wait(g.deliver(), g.pull(), in_flight_ - 1);"),
        ("bounds: as many batches as they like are in flight", "waits.wait(g.deliver(), g.pull(), in_flight_);", ""),
        ("bounds: who shares a task is not counted", "most = planner::larger(most, workers[t]);", ""),
        ("bounds: a stream's tasks overlap", "streams[g.nodes[n].stream] += times[n];", "streams[g.nodes[n].stream] = times[n];"),
        ("bounds: threads share a task", "if (workers > 1 || unit == 0) return {total, threads};", "return {total, threads};"),
        ("bounds: who shares tasks is crowded", "if (workers == 1 && !is(enough)) add_crowd(g, names, times);", "add_crowd(g, names, times);"),
        ("bounds: what is enough is not", "if (!is(enough)) add_cycles", "if (is(enough)) add_cycles"),
        test="bound/least_of.cpp",
    )
    breaks(
        "bound/order_of_work.hpp",
        ("bounds: a cycle over batches is against the order of work", "backward[(first + backward.size() - i) % backward.size()]", "backward[(first + i) % backward.size()]"),
        ("bounds: a cycle over batches begins anywhere", "if (place[backward[i]] < place[backward[first]]) first = i;", ";"),
        test="bound/least_of.cpp",
    )
    breaks(
        "bound/costs.hpp",
        ("bounds: a task is told the cost of twice", "if (told[node] != 0) costs", "if (false) costs"),
        ("bounds: less than nothing is a cost", "if (c.time < 0) a_task", "if (false) a_task"),
        test="bound/bound_of.cpp",
    )
    breaks(
        "bound/curve.hpp",
        ("bounds: a curve has one bend", "      open.push_back(between);\n", ""),
        ("bounds: a curve ends too early", "{work * progresses, 1}", "{work, 1}"),
        ("bounds: the task itself is counted twice", "if (n != node) upper.time += all.time_of(n);", "upper.time += all.time_of(n);"),
    )
    breaks(
        "bound/steady_state.hpp",
        ("bounds: latency is that of the beginning", "for (std::size_t batch = now + 1; batch <= now + turns; ++batch)", "for (std::size_t batch = 0; batch < turns; ++batch)"),
        ("bounds: after the last pull nothing runs", "for (std::size_t d = 0; d < depth; ++d) last.advance(run.progresses());", ""),
        ("bounds: one end is as good as another", "found.drain = planner::larger(found.drain, drain);", "found.drain = drain;"),
    )
    breaks(
        "bound/idle_times.hpp",
        ("idle: what hands out batches waits for nobody", "if (!meets_) take_all(plan_.run_ahead_waits);", ""),
        ("idle: threads meet themselves only", "if (elsewhere(n))", "if (!elsewhere(n))"),
        ("idle: what is not recorded takes no time", "        at(node, progress).end = end;\n", ""),
        ("idle: the first task to end is waited for", "if (ended.end > last.end) {", "if (last.edge == nullptr) {"),
        ("idle: what is waited for is of the waiting task's progress", "{{}, &e, e.producer, progress - ago, node}", "{{}, &e, e.producer, progress, node}"),
        ("idle: one may have waited for what ended later", " || last.end > spans_[t][i].begin", ""),
        ("idle: the record of any schedule is taken", "  check_record(p, record);\n", ""),
        ("idle: what ran in a gap has ended long ago", "if (of.stretch != 0 && is_recorded[task] != 0) begins[task] = planner::none;", ""),
        ("idle: the source is work", "(record_.in_source(s) ? row.in_source : row.busy)", "row.busy"),
        test="bound/idle_of.cpp",
    )
    breaks(
        "observe/counter_map.hpp",
        ("counter: anchors are in order as they come", "    std::sort(anchors.begin(), anchors.end(),\n              [](const counter_anchor& a, const counter_anchor& b) { return a.count < b.count; });\n", ""),
        ("counter: anchors at one moment tell how fast it goes", "if (anchors_.empty() || a.time - anchors_.back().time >= least_apart) add(a);", "add(a);"),
        ("counter: the last anchor may be left out", "    while (anchors_.size() > 1 && anchors.back().time - anchors_.back().time < least_apart)\n      anchors_.pop_back();\n    add(anchors.back());\n", ""),
        ("counter: the last anchor is close to the one before", "    while (anchors_.size() > 1 && anchors.back().time - anchors_.back().time < least_apart)\n      anchors_.pop_back();\n", ""),
        ("counter: all goes as between the first anchors", "const counter_anchor& from = *(after - 1);\n    const counter_anchor& to = *after;", "const counter_anchor& from = anchors_[0];\n    const counter_anchor& to = anchors_[1];"),
        ("counter: before the first anchor time turns back", "return from.time - lasted(", "return from.time + lasted("),
        ("counter: an anchor takes time back", "      a.time = (std::max)(a.time, anchors_.back().time);\n", ""),
        ("counter: two anchors at one count", "      if (a.count == anchors_.back().count) return;\n", ""),
    )
    breaks(
        "observe/processor_counter.hpp",
        ("counter: any source of the clock is taken for it", 'clock_source == "arch_sys_counter";', 'clock_source != "hpet";'),
    )
    breaks(
        "observe/timeline.hpp",
        ("timeline: one reading of the clock has to do", "    if (!all.empty())", "    if (all.size() > 1)"),
        ("timeline: what was timed elsewhere is a count", "2 * run.stretch};", "2 * run.stretch + (counts_ ? 1U : 0U)};"),
        ("timeline: a task begins when the one before it began", "    if (now != l.began_at) [[unlikely]]\n      begin(l, now);", "    begin(l, now);"),
        ("timeline: the end of a task is nobody's begin", "    l.since = e.end;\n", "    if (l.since == 0) l.since = e.end;\n"),
        ("timeline: one that waited begins when it was free", "    if (is_on) l.since = reading_of(l);", "    if (is_on && l.since == 0) l.since = reading_of(l);"),
        ("timeline: counts of the clock's ticks", "if (e.made_at % 2 != 0) return", "if ((e.made_at % 2 != 0) == (e.batch % 2 == 0)) return"),
        test="observe/recorded.cpp",
    )
    breaks(
        "observe/timeline.hpp",
        ("timeline: one that began while it was off is recorded", "l.began_at = is_on ? now : recording_switch::never;", "l.began_at = now;"),
        ("timeline: one in which it was switched is recorded", "return l.began_at == switch_.now();", "return l.began_at != recording_switch::never;"),
        ("timeline: one begins where the last one before the gap ended", "    if (now != l.began_at) [[unlikely]]\n      begin(l, now);", "    l.began_at = recording_switch::is_on(now) ? now : recording_switch::never;"),
        ("timeline: batches with tasks in a gap count", "if (!recorded.with_gaps) return found;", "return found;"),
        ("timeline: all stretches are one", "found[s.stretch]", "found[0]"),
        ("timeline: a task that is cut off takes the oldest one's place", "    if (!is_recorded(l)) [[unlikely]]", "    l.entries[l.count % capacity].batch = batch;\n    if (!is_recorded(l)) [[unlikely]]"),
        test="observe/recording_switch.cpp",
    )
    breaks(
        "observe/recorded_counter.hpp",
        ("trace: a batch is in flight while a task has it", "through.try_emplace(s.batch, s).first->second", "through[s.batch]"),
        ("trace: the source's end is a batch", "      if (record.in_source(s)) continue;\n      run.insert(s.batch);", "      run.insert(s.batch);\n      if (record.in_source(s)) continue;"),
        ("trace: who pulls is busy", "      if (record.in_source(s)) continue;\n      run.insert(s.batch);", "      run.insert(s.batch);"),
        test="observe/draw.cpp",
    )
    breaks(
        "observe/perfetto.hpp",
        ("perfetto: flows are numbers of any length", "more.fixed(47, w + 1)", "more.number(47, w + 1)"),
        ("perfetto: a number has seven bits", "for (; value >= 0x80U; value >>= 7U)", "for (; value >= 0x100U; value >>= 7U)"),
        ("perfetto: a slice ends after the next one's begin", "std::tie(a.at, a.after_ends, a.number) < std::tie(b.at, b.after_ends, b.number)", "std::tie(a.at, b.after_ends) < std::tie(b.at, a.after_ends)"),
        ("perfetto: what takes no time ends before it begins", "add(at, empty, of_type(slice_end, track), {});", "add(at, false, of_type(slice_end, track), {});"),
        ("perfetto: all tracks are at the root", "if (parent != 0) track.number(5, parent);", ""),
        ("perfetto: events are of no sequence", "packet.number(10, 1);", ""),
    )
    breaks(
        "bound/slot_queues.hpp",
        ("queues: reads of earlier batches count", "is_used(a) && a.ago == 0 && !a.latest", "is_used(a)"),
        ("queues: whoever updates a slot waits for itself", "      } else if (std::any_of(task.reads", "      }\n      if (std::any_of(task.reads"),
        ("queues: the source fills nothing", "if (plan.declared.from.slot == plan.slot_list[s]) of.writers.push_back(plan.tasks());", ""),
    )
    breaks(
        "bound/queues_of.hpp",
        ("queues: the first reader counts", "read = (std::max)(read, run->second.begin);", "read = run->second.begin;"),
        ("queues: a batch that nobody read waits", "if (read <= written) continue;", ""),
    )
    breaks(
        "text/escaped.hpp",
        ("texts: names are markup", "case '<': to += \"&lt;\"; break;", "case '<': to += '<'; break;"),
        ("texts: quotes end a string", "if (c == '\"' || c == '\\\\') to += '\\\\';", ""),
        ("texts: controls are in JSON as they are", "} else if (!is_control(c.code) && !is_no_character(c.code)) {", "} else if (true) {"),
        ("texts: JSON has long escapes", "} else if (c.code > 0xFFFFU) {", "} else if (false) {"),
    )
    breaks(
        "text/in_units.hpp",
        ("units: a thousand of one is not the next", "0.9995 * units[u].nanoseconds", "units[u].nanoseconds"),
        ("units: what is negative has the least unit", "if (std::abs(time.count()) >=", "if (time.count() >="),
        ("units: all have two decimals", "size >= 9.995 ? 1", "size >= 9.995 ? 2"),
    )
    breaks(
        "observe/draw.hpp",
        ("pictures: numbers are the program's", "    out_.imbue(std::locale::classic());\n", ""),
    )
    breaks(
        "observe/picture_parts.hpp",
        ("pictures: ticks are the program's", "    label.imbue(std::locale::classic());\n", ""),
        test="observe/draw.cpp",
    )
    breaks(
        "observe/trace.hpp",
        ("traces: numbers are the program's", "    json_.imbue(std::locale::classic());\n", ""),
        test="observe/draw.cpp",
    )
    breaks(
        "observe/draw_text.hpp",
        ("drawn text: what began first has a column", "std::max_element(kinds.begin(), kinds.end()) - kinds.begin()", "std::find_if(kinds.begin(), kinds.end(), [](double time) { return time > 0; }) - kinds.begin()"),
        ("drawn text: other batches widen it", "if (s.batch < first || s.batch > last) continue;", ""),
        ("drawn text: the source is work", "if (!record_.in_source(s)) busy += until - from;", "busy += until - from;"),
        ("drawn text: a moment fills a column", "sum < 0.5 * wide ? '.'", "sum <= 0 ? '.'"),
        ("drawn text: streams have no lines", "s < record.streams().size(); ++s)", "false; ++s)"),
    )
    breaks(
        "report/plan_graph.hpp",
        ("graph: a task is above what it waits for", "if (e.consumer == n && e.delta == 0)", "if (e.consumer == n && e.delta > 9)"),
        ("graph: earlier progresses look alike", 'add(e.delta > 0 ? " earlier" : "")', 'add("")'),
        ("graph: a wait into what bounds it is lit", "lit_[(i + 1) % lit_.size()] == e.consumer", "true"),
        ("graph: nothing is lit", "boxes_[n].is_lit = true;", ""),
        ("graph: all threads have one row", "row * static_cast<double>(plan.thread_of[n]) + 2 * gap", "2 * gap"),
    )
    breaks(
        "report/used_copies.hpp",
        ("copies: the first reader ends their use", "u.end = u.is_read ? (std::max)(u.end, s.end) : s.end;", "u.end = u.is_read ? (std::min)(u.end, s.end) : s.end;"),
        ("copies: all are read on their own batch", "+ shift];", "];"),
        ("copies: use begins when they are written", "u.begin = u.is_written ? (std::min)(u.begin, s.begin) : s.begin;", "u.begin = s.end;"),
        ("copies: what nobody wrote was used", "!u.is_written || ", ""),
    )
    breaks(
        "report/comparison_page.hpp",
        ("comparison: the source is work", "sums[run.record.in_source(s) ? 1 : 0]", "sums[0]"),
        ("comparison: a task has its last thread", "threads += run.record.threads()[t];", "threads = run.record.threads()[t];"),
        ("comparison: a second has another width", "longest > 0 && times[r] > 0 ? times[r] / longest : 1", "1"),
        ("comparison: tasks of the second run alone are left out", "for (const known_run& k : runs_)\n      for (const auto& [name, value] : k.*of)", "for (const known_run& k : {runs_[0]})\n      for (const auto& [name, value] : k.*of)"),
        ("comparison: any padding is taken", "if (k.run.padding == nullptr) continue;", "continue;"),
    )
    breaks(
        "report/overlaid_timelines.hpp",
        ("overlaid: each run has a scale of its own", "seconds(at - r.through.front()) / total_", "seconds(at - r.through.front()) / seconds(r.through.back() - r.through.front())"),
        ("overlaid: the second run has no rows of its own", "return l.of == found.of && l.is_stream == found.is_stream;", "return true;"),
        ("overlaid: batches have colours by their numbers", "turn - r.measured.first % turn", "turn"),
        ("overlaid: a stream is a thread of its name", "l.of == found.of && l.is_stream == found.is_stream", "l.of == found.of"),
        ("overlaid: streams are looked for among threads", "of.is_stream ? record.streams() : record.threads()", "record.threads()"),
    )
    breaks(
        "report/exposure_bars.hpp",
        ("padded: a slope of less than none is drawn", "(std::max)(0.0, (std::min)(1.0, slope))", "(std::min)(1.0, slope)"),
        ("padded: a slope of more than one is drawn", "(std::max)(0.0, (std::min)(1.0, slope))", "(std::max)(0.0, slope)"),
        ("padded: hidden tasks look exposed", 'is_exposed ? "wait" : "other"', '"wait"'),
        ("padded: bars leave the picture", "whole = (std::max)(whole, r.exposed_at_most());", ""),
        ("padded: what is on a device has a bar", "    if (r.is_padded) {\n", "    {\n"),
        ("padded: tasks of another schedule are drawn", "if (found.tasks[t].task != name_of(t))", "if (false)"),
        test="report/pictures.cpp",
    )
    breaks(
        "report/idle_bars.hpp",
        ("idle: waits are no parts", "for (const idle_times::cause& c : r.causes)", "for (const idle_times::cause& c : std::vector<idle_times::cause>())"),
        test="report/pictures.cpp",
    )
    breaks(
        "report/progress_grid.hpp",
        ("progresses: prefill looks like the rest", "i >= depth() && i < batches()", "i < batches()"),
        ("progresses: a number is the progress", "std::to_string(i - plan_.lag[node])", "std::to_string(i)"),
        ("progresses: there is room for all", "return progresses() <= most_columns;", "return true;"),
        test="report/pictures.cpp",
    )
    breaks(
        "report/exposed_curve.hpp",
        ("curve: it does not bend", "if (p.from.value() > 0 && p.from.value() < widest_) point(p.from.value());", ""),
        ("curve: the point is at the end", "add_number(x(time_), 1)", "add_number(x(widest_), 1)"),
        test="report/pictures.cpp",
    )
    breaks(
        "report/picture_style.hpp",
        ("pictures: they have no colours", ".append(colours)", ""),
        test="report/pictures.cpp",
    )
    breaks(
        "report/pictures.hpp",
        ("pictures: a plan of any size is drawn", "if (plan.order.size() > plan_graph::most_nodes)", "if (false)"),
        ("pictures: costs do not matter", "bound_of(planned, costs, pace)", "bound_of(planned, {}, pace)"),
    )
    breaks(
        "report/page.hpp",
        ("page: bars leave their cell", "part < 0 ? 0 : part > 1 ? 1 : part", "part"),
    )
    breaks(
        "report/measured_period.hpp",
        ("page: the run's beginning counts", "std::size_t from = count / 4;", "std::size_t from = 0;"),
    )
    breaks(
        "observe/timeline.hpp",
        ("times: the source is part of a batch", "if (!in_source(s)) use(s);", "use(s);"),
        ("times: batches count from the first", "batches.last - batches.first + 1", "batches.last + 1"),
        ("times: nobody is told what was overwritten", "all += count - (std::min)(count, capacity);", ""),
        ("times: windows begin with the record", "std::size_t b = (batches - ends.first % batches) % batches;", "std::size_t b = 0;"),
    )
    breaks(
        "watch/distribution.hpp",
        ("watch: an octave has eight buckets", "static_cast<int>(std::bit_width(number)) - 5);", "static_cast<int>(std::bit_width(number)) - 4);"),
        ("watch: a quantile is the bucket before", "if (below >= rank && below > 0)", "if (below + counts[b] >= rank && below > 0)"),
        ("watch: a quantile is longer than the longest", "return (std::min)(middle_of(b), longest);", "return middle_of(b);"),
    )
    breaks(
        "watch/monitor.hpp",
        ("watch: batches of all runs are one run's", "        f.batches.store(0, std::memory_order_relaxed);\n", ""),
        ("watch: a task that threw has done its batch", "raise(leave(thread, task, batch).failures);", "raise(leave(thread, task, batch).batches);"),
        ("watch: the source counts as work", "f != nullptr && !is_pull(task))", "f != nullptr)"),
        ("watch: one worker's batches are the task's", "all += (f.*of).load(std::memory_order_relaxed);", "all = (f.*of).load(std::memory_order_relaxed);"),
        ("watch: what is through is what some task has done", "now.through = (std::min)(now.through, due);", "now.through = (std::max)(now.through == activity::none ? 0 : now.through, due);"),
        ("watch: who runs for the first of a group has begun all", "due - static_cast<std::size_t>(tasks_[t].runs.every) + 1", "due - static_cast<std::size_t>(tasks_[t].runs.phase)"),
    )
    breaks(
        "watch/turns.hpp",
        ("watch: workers run each batch", "progress += workers(thread);", "progress += 1;"),
        ("watch: workers begin with batch 0", "now_.first + runner::progresses_to_own(worker, workers(thread), now_.first)", "now_.first + worker"),
        test="watch/stall.cpp",
    )
    breaks(
        "watch/turns.hpp",
        ("watch: a task at work is behind its thread", "(place == last && !t.runs_a_task)", "place == last"),
        test="watch/stalled_streams.cpp",
    )
    breaks(
        "watch/device_work.hpp",
        ("watch: an event that is recorded again tells as much", "r.later != activity::none && p + events > r.later", "true"),
        ("watch: who waited tells nothing of what it waited for", "if (a.producer == node && of(n", "if (false && of(n"),
        ("watch: events of runs before are asked", "if (events == 0 || !where.runs_in(n, p)) continue;", "if (events == 0) continue;"),
        test="watch/stalled_streams.cpp",
    )
    breaks(
        "watch/stalled_streams.hpp",
        ("watch: what waits for another stream has begun", 'if (!pending.empty()) return ", nor begun it', 'if (false) return ", nor begun it'),
        ("watch: what is not known has been finished", "while (open > 0 &&", "while (open > given.size() - 1 &&"),
    )
    breaks(
        "watch/asker.hpp",
        ("watch: who does not answer is asked again", "if (question_) return false;", ""),
        ("watch: what a question throws is an answer", "&& answered_;", ";"),
    )
    breaks(
        "device/inquiry.hpp",
        ("inquiry: captures of others are minded", "driver_.exchange_capture_mode(mode_) == Driver::success;", "true;"),
        ("inquiry: a device that refuses has not come to it", "if (s == Driver::not_ready) return false;", "if (s != Driver::success) return false;"),
    )
    breaks(
        "watch/stall.hpp",
        ("watch: what is done is waited for", "next.progress - back < now_.first || has_done(e.producer, next.progress - back)", "next.progress - back < now_.first"),
        ("watch: a run that has failed rests while its source is asked", "now_.in_flight() != 0 || has_failed()", "now_.in_flight() != 0"),
        ("watch: what a failure has cut off is waited for", "return has_failed() && next.progress >=", "return has_failed() && next.progress <"),
        ("watch: a batch that is kept by the source is at rest", "if (now_.in_flight() != 0 || has_failed()) return false;", ""),
    )
    breaks(
        "watch/stillness.hpp",
        ("watch: a stall is told at every look", "return told_ = true;", "return true;"),
        ("watch: what rests counts as patience", "if (at_rest || !looked_", "if (!looked_"),
    )
    breaks(
        "watch/watchdog.hpp",
        ("watch: nobody can end a run that has stalled", "    stalled_->store(true, std::memory_order_relaxed);\n", ""),
        ("watch: what a teller throws ends the program", "    } catch (...) {  // a watchdog has nobody to tell\n", "    } catch (const int&) {\n"),
    )
    breaks(
        "watch/metrics.hpp",
        ("watch: labels of all samples are left out", "std::string labels = common_;", "std::string labels;"),
    )
    breaks(
        "watch/status_line.hpp",
        ("watch: rates are of the whole run", "of_this_run ? seconds(now.at - before.at) : now.up", "now.up"),
        ("watch: looks at another run count", "before.running && before.at", "before.at"),
    )
    breaks(
        "watch/slope.hpp",
        ("padding: a disturbed comparison counts", "values.size() * 3 / 8", "values.size() * 0 / 8"),
        ("padding: an interval has all resamples", "means[resamples / 40]", "means[0]"),
        ("padding: the same comparisons are drawn again and again", "found[random() % found.size()]", "found[&e - each.data()]"),
        ("padding: three comparisons are enough", "fewest_comparisons = 8", "fewest_comparisons = 3"),
    )
    breaks(
        "watch/padding.hpp",
        ("padding: no task takes longer", "while (clock::now() - now < d->by) runner::relax();", "static_cast<void>(d);"),
        ("padding: of a task that is rated all counts", "seconds(c.tried.by).count() / this->every(c.tried.task)", "seconds(c.tried.by).count()"),
    )
    breaks(
        "watch/stretches.hpp",
        ("padding: the prefill is compared with", "if (next == 0 || next >= r.stretches) continue;", "if (next >= r.stretches) continue;"),
        ("padding: half a stretch is compared with", "(std::min)(batches / how_.stretch, drawn_.size())", "(std::min)((batches + how_.stretch - 1) / how_.stretch, drawn_.size())"),
        ("padding: batches of the stretch before count", "(last - behind) / step * step", "last"),
        ("padding: workers are one thread", "const std::size_t whole = groups_of_workers();", "const std::size_t whole = group();"),
        ("padding: circles take one progress", "std::lcm(whole, std::size_t{12})", "whole"),
        ("padding: a run pads as the one before", "static_cast<std::uint32_t>(number_of_run)", "0U"),
        ("padding: half of the seed counts", "static_cast<std::uint32_t>(how_.seed >> 32U)", "0U"),
        ("padding: tasks are drawn independently", "turn[next++]", "turn[random() % turn.size()]"),
        ("padding: what another run found is overwritten", "runs_.back().first + runs_.back().stretches", "0"),
        test="watch/padding.cpp",
    )
    breaks(
        "watch/stretches.hpp",
        ("padding: streams of a device are the host's", "if (streams_[t] == name) on_device_[t] = true;", "static_cast<void>(name);"),
        test="behaviour/device/observed.cpp",
    )
    breaks(
        "watch/stretches.hpp",
        ("replay: what a task takes is what replaying it does", "if ((plan_[r.first + s].task == task) != tried) continue;", "if (plan_[r.first + s].task == task && !tried) continue;"),
        ("replay: a run has all the stretches that there is room for", "drawn_ = drawn_.first((std::min)(how_.most_of_a_run, drawn_.size()));", ""),
        test="watch/replay.cpp",
    )
    breaks(
        "watch/replay.hpp",
        ("replay: what a task changes is not restored", "if (e->effects) e->effects.restore(tasks_[task].object);", ""),
        ("replay: slots are not restored", "for (std::size_t s = 0; s < written.size(); ++s) e->values[s].restore(written[s]);", ""),
        ("replay: bodies are called as ever", "    if (e->effects) e->effects.restore(tasks_[task].object);\n    return true;", "    if (e->effects) e->effects.restore(tasks_[task].object);\n    return false;"),
        ("replay: another batch's recording is played", "const std::size_t batch = this->batch_of_run(number);\n    return batch < all.size()", "const std::size_t batch = this->batch_of_run(number) / 2;\n    return batch < all.size()"),
        ("replay: nothing is compared", "if (!e->values[s].same(written[s]))", "if (false)"),
        ("replay: what is recorded anew is not played any more", "tape_ = into.tape_ = std::make_shared<recording::tape>();", "if (into.tape_ == nullptr) into.tape_ = std::make_shared<recording::tape>();\n    tape_ = into.tape_;"),
        ("replay: a recording is recorded over", "    doing_ = mode::nothing;\n  }\n\n  void keep", "  }\n\n  void keep"),
        ("replay: a recording has the batches that were asked for", "(std::min)({tape_->rows.front().by_batch.size(), most, common})", "tape_->rows.front().by_batch.size()"),
        ("replay: a recording ends with its first task", "({tape_->rows.front().by_batch.size(), most, common})", "({tape_->rows.front().by_batch.size(), most})"),
        ("replay: a recording goes on to where a task would run again", "({tape_->rows.front().by_batch.size(), most, common})", "({tape_->rows.front().by_batch.size(), common})"),
        ("replay: a run may begin with any batch", "this->first_batch() != played_->first_batch", "false"),
        ("replay: collectives are replayed", "if (f.collective) return", "if (false) return"),
        ("replay: who drops batches is replayed", "    if (f.drops)\n", "    if (false)\n"),
        ("replay: a resource that is changed needs no capture", "if (!f.changes.empty())", "if (false)"),
        ("replay: a task that changes itself needs no capture", "if (!f.is_const)", "if (false)"),
        ("replay: workers capture each other's effects", "return f.is_shared ?", "return false ?"),
        ("replay: a recording of another schedule is played", "    if (!alike)\n", "    if (false)\n"),
    )
    breaks(
        "watch/replay.hpp",
        ("replay: what is on a device is replayed", "    if (this->is_on_device(task))\n", "    if (false)\n"),
        test="behaviour/device/observed.cpp",
    )
    breaks(
        "watch/recorded_value.hpp",
        ("replay: a pointer is copied deeply", "std::is_pointer_v<Type> ||", "false ||"),
        ("replay: a shared_ptr is copied deeply", "requires { typename Type::element_type; } ||", "false ||"),
        ("replay: a string_view is copied deeply", "is_string_view<Type> ||", "false ||"),
        ("replay: elements do not count", "return copies_deeply<element>();", "return true;"),
        ("replay: no number is no number", "return a == b || (a != a && b != b);", "return a == b;"),
        test="watch/replay.cpp",
    )
    breaks(
        "watch/replay_result.hpp",
        ("replay: the model is asked of the task as it is", "r.modelled = now - period_of(costs(r.task)) * 1e-9;", "r.modelled = now - period_of(costs()) * 1e-9;"),
        ("replay: a model that tells nothing is believed", "if (asked && apart > 0.05)", "if (false)"),
        ("replay: results of other tasks are added", "if (!alike)", "if (false)"),
        test="watch/replay.cpp",
    )
    breaks(
        "dynamic/execute/chain.hpp",
        ("replay: of values what is read is what is written", "if (facts.names.named[i].writes) written", "written"),
        ("replay: of values nobody is told that a body is done", "if (!threw) stand_in<true>(m, self, at, facts);", "static_cast<void>(threw);"),
        test="watch/replay.cpp",
    )
    breaks(
        "static/execute/step.hpp",
        ("replay: of types bodies are told to be done that were not called", "if (!stood_in) stand_in<Node, true>(m, at, written_by<task>{});", "stand_in<Node, true>(m, at, written_by<task>{});"),
        test="watch/replay.cpp",
    )
    breaks(
        "watch/padding_result.hpp",
        ("padding: what may be hidden is exposed", "return low > least_slope", "return slope > least_slope"),
        ("padding: a slope of more than one is believed", "(std::min)(1.0, high)", "high"),
        ("padding: no task is said to be on a device", "if (!is_padded) return finding::not_padded;", ""),
        test="watch/padding.cpp",
    )
    breaks(
        "bound/virtual_time.hpp",
        ("simulation: what does not fire takes its time", "(fires(n, progresses_, batches) ? waits_.weight[n] : 0)", "waits_.weight[n]"),
        ("simulation: of waits the last counts", "begin = planner::larger(begin, ends_[first - ago * nodes + arc.from]);", "begin = ends_[first - ago * nodes + arc.from];"),
        test="bound/simulate.cpp",
    )
    breaks(
        "bound/simulation.hpp",
        ("simulation: all runs are of a group's first worker", "i % workers[thread_of[n]]", "0"),
        ("simulation: a meeting hands nothing out", "meet ? order.size() : names_.deliver()", "names_.deliver()"),
        ("simulation: a result counts from the pull's end", "pulled_.push_back(time.begin(", "pulled_.push_back(time.end("),
        ("simulation: the fill counts as steady", "const std::size_t from = batches_ / 2 - 1;", "const std::size_t from = 0;"),
        test="bound/simulate.cpp",
    )
    breaks(
        "bound/time_spread.hpp",
        ("costs: the least counts", "times[times.size() / 2]", "times[0]"),
        ("costs: all times are most", "times.size() / 20", "0"),
        test="bound/measured_costs.cpp",
    )
    breaks(
        "search/cost_ranges.hpp",
        ("ranges: what was measured is not looked at", "least <= measured_least &&", ""),
        test="search/cost_ranges.cpp",
    )
    breaks(
        "bound/measured_costs.hpp",
        ("costs: a source is measured", "if (run.task < tasks)", "if (run.task <= tasks)"),
    )
    breaks(
        "advice/moved_along.ipp",
        ("advice: a reader sees an update that it did not see", "all_.push_back({read.task, write.task, -read.ago - 1});", ""),
        ("advice: what is read is not written yet", "all_.push_back({write.task, read.task, read.ago});", ""),
        ("advice: two writers change places", "if (offset(w) > offset(other)) all_", "if (false) all_"),
        ("advice: users of a resource drift apart", "if (a.task != b.task && (a.mutates || b.mutates))", "if (false)"),
        ("advice: who only looks stays with who only looks", "if (a.task != b.task && (a.mutates || b.mutates))", "if (a.task != b.task)"),
        ("advice: a dependency is overtaken", "for (const std::string& before : s.tasks[t].depends_on) add(before, t, 0);", ""),
        ("advice: a dependency on an earlier batch is overtaken", "add(a.task, t, a.batches);", ";"),
        ("advice: an offset that is given moves", "detail::stays(s.tasks[t])", "false"),
        ("advice: tasks work behind the training step", "if (ahead[t] < 0 ||", "if ("),
    )
    breaks(
        "advice/candidates.ipp",
        ("advice: spare copies do not count", "static_cast<int>(plan_.copies[slot] - needed[slot]) + 1", "1"),
        ("advice: workers share what they change", "if (on_host && is_shareable(n)) add_workers", "if (on_host) add_workers"),
        ("advice: a group of workers shares what one changes", "shareable && is_shareable(t) &&", "shareable &&"),
        ("advice: nothing works further ahead", "      add_lookahead(n, 1);\n", ""),
        ("advice: the source stays where it is", "if (n == g_.pull()) add_pull();", ""),
        ("advice: streams stay busy", "      add_streams(n);\n", ""),
        ("advice: a generated map stays as wide", "s_.generated + 1", "s_.generated"),
        ("advice: tasks move one by one only", "if (s_.generated == 0) add_shares(cycle);", ""),
        test="advice/advise.cpp",
    )
    breaks(
        "advice/search.ipp",
        ("advice: what takes longer is tried further", "if (!p || now_.period < p->period || too", "if (!p || too"),
        ("advice: threads are not counted", "threads > most && threads > host_threads(now_.plan)", "false"),
        ("advice: what needs no bytes comes last", "return is_free;", "return !is_free;"),
        ("advice: a byte brings what all of them do", "static_cast<unsigned long long>(e.after.period.progresses) * memory_more(e)", "static_cast<unsigned long long>(e.after.period.progresses)"),
        ("advice: pairs are not tried", "        try_pairs();\n", ""),
        ("advice: what saves little is advised", "before.time * (100 - least_gain_percent) + 1", "before.time * 100 + 1"),
        ("advice: what takes more of everything is advised", "std::any_of(kept.begin(), kept.end(), no_better) || ", ""),
        ("advice: splits are told that edits make needless", "split_each(shortest(edits))", "split_each(now_.period)"),
        ("advice: what was measured is not looked at", "if (checked.holds() && now_", "if (now_"),
        ("advice: bodies get lost", "e.edited = changed(input_, e.changes);", "e.edited = changed(now_.plan.input(), e.changes);"),
        test="advice/advise.cpp",
    )
    breaks(
        "advice/search.ipp",
        ("advice: bytes are not looked at", "if (a.bytes != b.bytes) return a.bytes < b.bytes;", ""),
        test="advice/random.cpp",
    )
    breaks(
        "advice/price.ipp",
        ("advice: a resource is seen in another state", "&&\n         same_effects(before, after)", ""),
        ("advice: bodies tell no sizes", "if (!known && type != nullptr)", "if (false)"),
        ("advice: bytes are those of one copy", "price.bytes += plan.copies[slot] * known->second;", "price.bytes += known->second;"),
        ("advice: groups count as one thread", "all += workers;", "all += workers > 0 ? 1 : 0;"),
        test="advice/advise.cpp",
    )
    breaks(
        "advice/split.ipp",
        ("advice: half of a task that is two side by side is enough", "t.reads.push_back(std::move(more));", ""),
        ("advice: what is two side by side changes one thing", "    also(t.observes);\n", ""),
        ("advice: two side by side are on a stream", "  second.stream.clear();\n", ""),
        ("advice: what is two takes any number of threads", "if (most_threads > 0 && threads > most_threads && threads > host_threads(now.plan)) return;", ""),
        ("advice: two side by side are on a thread of their own", "if (t != map.thread_of[task] && map.workers[t] == 1) others.emplace_back(map.names[t]);", ""),
        ("advice: who waits for a task waits for half of it", "if (a.task == whole) a.task = second.name;", "if (a.task == whole) a.task = s.tasks[task].name;"),
        ("advice: an order has half of a task", "order.insert(at + 1, second.name);", ""),
        ("advice: halves take as long", "time - time / 2", "time"),
        test="advice/advise.cpp",
    )
    breaks(
        "advice/fidelity.ipp",
        ("advice: any thread may be what is wrong", "return threads.thread_of[on] == threads.thread_of[n];", "return true;"),
        ("advice: the last difference counts", "sign * more <= sign * found.residual", "false"),
        ("advice: what takes less counts as more", "? 1 : -1", "? 1 : 1"),
        ("advice: the first window counts", "all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2)", "all.begin()"),
    )
    breaks(
        "advice/spelled.ipp",
        ("advice: a task is placed twice", "        placed.push_back(c.subject);\n", ""),
        ("advice: patches lose queues", "if (g.queue != 0) entry +=", "if (false) entry +="),
        test="advice/spelled.cpp",
    )
    breaks(
        "advice/code.hpp",
        ("advice: the source's weight is lost", "if (from.weight != 0) part +=", "if (false) part +="),
        ("advice: patches do not escape", "if (c == '\"' || c == '\\\\') quoted += '\\\\';", ""),
        test="advice/spelled.cpp",
    )
    breaks(
        "run/push_run.hpp",
        ("pushes: a batch is pushed while others are flushed", "    if (flushing_)\n", "    if (false)\n"),
        ("pushes: a run whose pipeline is gone goes with its first failure", "if (run_.has_value() && run_->lost_pipeline()) return;", ""),
        ("pushes: a batch is pushed within a push", "    if (asked_.load(std::memory_order_relaxed))\n", "    if (false)\n"),
        ("pushes: after one all are within it", "~being_asked() { say(false); }", "~being_asked() {}"),
        ("pushes: a run that failed is kept", "if (steps_ != nullptr) steps_->end();", ""),
        ("pushes: batches of the run before are counted", "    batches_ = {};\n", ""),
        ("pushes: what is to stay is moved from", "slot = std::forward<Batch>(batch);", "slot = std::move(batch);"),
        ("pushes: who closes goes on to flush", "    flushing_ = false;\n", ""),
        ("pushes: a flush ends with the first progress that yields nothing", "if (!run_->next()) return false;", "if (!run_->progress()) return false;"),
        ("pushes: a flush ends nothing", "    if (!run_->next()) return false;\n    end.not_yet();", "    const bool more = run_->next();\n    end.not_yet();\n    if (!more) return false;"),
        test="behaviour/execute/pushing.cpp",
    )
    breaks(
        "run/zip.hpp",
        ("zip: members of structs are not counted", "(made_of_members<Value, std::make_index_sequence<Count>> ? most = Count : 0)", "(false ? most = Count : 0)"),
        ("zip: the elements of an array are members", "has_array<Value, made_of>() || ", ""),
        ("zip: a base is a member", " || requires { Value{any_base<Value>()}; }", ""),
        ("zip: the sentence names the source after", "static_cast<int>(unfit) + 1>{}", "static_cast<int>(unfit) + 2>{}"),
        ("zip: all are asked when one has ended", "(std::get<Index>(parts_)(std::get<Index>(members)) && ...)", "(std::get<Index>(parts_)(std::get<Index>(members)) & ...)"),
        test="run/zip.cpp",
    )
    breaks(
        "run/merge.hpp",
        ("merge: the first goes on until it has ended", "      turn_ = (turn_ + 1) % count;\n", "      if (ended_[turn]) turn_ = (turn_ + 1) % count;\n"),
        ("merge: who has ended is asked again", "      ended_[turn] = true;\n", ""),
        ("merge: ends with the first that has ended", "      ended_[turn] = true;\n", "      return false;\n"),
        test="run/merge.cpp",
    )
    breaks(
        "run/combined_source.hpp",
        ("zip: sources may have nothing yet", "source_of<Given, Value> && !pausing_source<Given, Value>", "source_of<Given, Value>"),
        test="run/zip.cpp",
    )
    breaks(
        "serve/requests.hpp",
        ("serving: an answer waits for the next request", "      if (may_wait)\n        asked_.wait(", "        asked_.wait("),
        ("serving: who closes loses who waits", "if (waiting_.empty())\n", "if (waiting_.empty() || state_ == state::closed)\n"),
        ("serving: a server that is cancelled has come to its end", "    if (state_ == state::cancelled) return pulled::nothing_yet;\n", ""),
        ("serving: who is in flight is not told of the end", "begun.swap(in_flight_);", ""),
        ("serving: who waits is not told of the end", "left.swap(waiting_);", ""),
        ("serving: who waits for room is not told of the end", "    room_.notify_all();\n", ""),
        ("serving: nobody is told that there is room", "if (made_room) room_.notify_one();", ""),
        ("serving: one more request waits than may", "room_taken_ < most_waiting_", "room_taken_ <= most_waiting_"),
        ("serving: the server's thread waits for itself", "if (serves)", "if (false)"),
        ("serving: a failed server takes requests", "      if (failure != nullptr) {\n", "      if (false) {\n"),
        ("serving: a request is taken after the end", "} else if (state_ == state::open) {", "} else if (false) {"),
        ("serving: answers go to who came last", "reply_pointer oldest = std::move(in_flight_.front());\n    in_flight_.pop_front();", "reply_pointer oldest = std::move(in_flight_.back());\n    in_flight_.pop_back();"),
        test="behaviour/execute/serving.cpp",
    )
    breaks(
        "serve/requests.hpp",
        ("awaiting: a coroutine's request takes room", "put_under_lock(request, to, false);", "put_under_lock(request, to, true);"),
        ("awaiting: room stays taken", "if (takes_room) --room_taken_;", ""),
        ("awaiting: a coroutine makes room that it did not take", "    return takes_room;\n", "    if (!takes_room) --room_taken_;\n    return true;\n"),
        ("awaiting: a closed server takes requests of coroutines", "    refuse_unless_open();\n    put_under_lock(request, to, false);", "    put_under_lock(request, to, false);"),
        test="behaviour/execute/awaiting.cpp",
    )
    breaks(
        "serve/requests.hpp",
        ("batching: a batch waits for one more", "waiting_.size() >= how_.most ||", "waiting_.size() > how_.most ||"),
        ("batching: a batch has all who wait", "(std::min)(waiting_.size(), how_.most)", "waiting_.size()"),
        ("batching: a deadline is counted from the latest request", "const auto came = waiting_.front().came;", "const auto came = waiting_.back().came;"),
        ("batching: a deadline beyond all time has passed", "how_.wait < never - came ?", "true ?"),
        ("batching: whose size is not reached waits for others at the end", "return state_ != state::open || waiting_.size() >= how_.most", "return waiting_.size() >= how_.most"),
        ("batching: a batch goes in before its time", "      if (!has_batch()) return pulled::nothing_yet;\n", ""),
        ("batching: requests of an earlier batch stay in the slot", "    slot.clear();\n", ""),
        ("batching: who waits for room is not told of a batch that is taken", "    if (made_room) room_.notify_all();\n", ""),
        ("batching: a batch with nothing in flight does not wait", "state_ == state::open && !has_batch())\n      asked_.wait_until", "false)\n      asked_.wait_until"),
        ("batching: nobody is told that a batch is full", "waiting_.size() == 1 || waiting_.size() >= how_.most", "waiting_.size() == 1"),
        ("batching: batches of none", "if (how.most == 0)", "if (false)"),
        ("batching: batches wait for negative times", "if (how.wait < std::chrono::nanoseconds::zero())", "if (false)"),
        ("batching: batches are larger than may wait", "if (how.most > most_waiting)", "if (false)"),
        ("batching: sizes of batches come out last first", "sizes_.pop_front();", "sizes_.pop_back();"),
        test="behaviour/execute/batching.cpp",
    )
    breaks(
        "serve/batch.hpp",
        ("batching: more answers than requests", "if (size != requests)", "if (size < requests)"),
        ("batching: fewer answers than requests", "if (size != requests)", "if (size > requests)"),
        ("batching: all get the first answer", "(static_cast<void>(++at), ...);", ""),
        test="behaviour/execute/batching.cpp",
    )
    breaks(
        "serve/awaited.hpp",
        ("awaiting: a coroutine that is gone is resumed", "    reply_->forget();\n", ""),
        ("awaiting: who was refused is taken for one that waits", "      reply_ = nullptr;\n      throw;", "      throw;"),
        ("awaiting: who waits may be destroyed anywhere", "if (std::this_thread::get_id() != asked_.serving)", "if (false)"),
        ("awaiting: who is resumed still waits", "      awaited_by_->reply_ = nullptr;\n", ""),
        test="behaviour/execute/awaiting.cpp",
    )
    breaks(
        "serve/reply.hpp",
        ("serving: results are moved out of their slots", "std::constructible_from<Kept, const Lent&>", "false"),
        test="behaviour/execute/serving.cpp",
    )
    breaks(
        "serve/server.hpp",
        ("serving: what failed is not told", "requests_.end(failure);", "requests_.end(nullptr);"),
        ("serving: the run does not know that it is cancelled", "cancelled_.store(true, std::memory_order_relaxed);", ""),
        ("serving: what is refused is lost", "if constexpr (std::is_same_v<Given, Request>) {", "if constexpr (false) {"),
        test="behaviour/execute/serving.cpp",
    )
    breaks(
        "run/session/run.hpp",
        ("for_each: who is asked in between goes on", "    if (closed()) return nothing_more();\n    if (phase_ == phase::lent) refuse_in_use();", "    if (closed()) return nothing_more();"),
        ("for_each: batches are counted in between", "    if (phase_ == phase::lent) refuse_in_use();\n    return delivered_;", "    return delivered_;"),
        ("for_each: results are had in between", "    if (!steady() || withholds()) [[unlikely]]\n      refuse_result();\n    return result_of", "    return result_of"),
        ("for_each: whether there is more is told in between", "  bool has_more() {\n    if (phase_ == phase::lent) refuse_in_use();", "  bool has_more() {"),
        ("for_each: a run is lent for good", "~lending() { take_back(); }", "~lending() {}"),
        ("for_each: a run that is closed comes back to life", "if (run_.phase_ != phase::lent) return false;", ""),
        ("for_each: batches in prefill and drain are counted from 1", "delivered_of(held_) - 1; };", "delivered_of(held_); };"),
        ("for_each: steady batches are counted from 1", "return s.at().progress() - s.deliver_lag(); };", "return s.at().progress() - s.deliver_lag() + 1; };"),
        ("for_each: with one batch in flight a gap is the end", "return after_last_steady(w) || goes_on();", "return after_last_steady(w);"),
        test="behaviour/execute/for_each.cpp",
    )
    breaks(
        "run/session/run.hpp",
        ("run: a steady progress comes before the first result", "delivered_ > first_ && chain", "chain"),
        ("run: there is a number before the first batch", "    if (!steady() || withholds()) [[unlikely]]\n      refuse_batch();\n    return delivered() - 1;", "    return delivered() - 1;"),
        test="behaviour/execute/steps.cpp",
    )
    breaks(
        "run/session/run.hpp",
        ("run: after the end there is another batch's result", "    look_back();\n    session_.end_run(*this);", "    session_.end_run(*this);"),
        ("run: in a gap there is another batch's result", "told_to_stop()) return look_back();", "told_to_stop()) return;"),
        ("run: behind a gap there is a result before there is one", "    if (delivered() == first_ ||\n        session_.at().next_progress() != delivered() + session_.deliver_lag())", "    if (delivered() == first_)"),
        test="behaviour/execute/endings.cpp",
    )
    breaks(
        "run/active_run.hpp",
        ("run: one that has ended tells of another run", "void supersede() { superseded_ = true; }", "void supersede() {}"),
        test="behaviour/execute/endings.cpp",
    )
    breaks(
        "run/push_run.hpp",
        ("push_run: a batch whose function throws is taken", "    std::exchange(call_, nullptr)(put_, slot);\n    ++taken_;", "    ++taken_;\n    std::exchange(call_, nullptr)(put_, slot);"),
        test="behaviour/execute/pushing.cpp",
    )
    breaks(
        "run/session/results.hpp",
        ("results: what changes is lost when the loop is left", "    if (!of_->run_.closed()) variables_.put_back(*session_, of_->run_.pull_);\n", ""),
        ("results: two loops at once", "    if (has_iterator_) [[unlikely]]\n      refuse_another();\n", ""),
        ("results: one loop is all there is", "    of_ = nullptr;\n    of.has_iterator_ = false;", "    of_ = nullptr;"),
        ("results: behind the steady ones there are none", "if (of.run_.after_last_steady(w) || of.run_.goes_on()) begin_with(of);", "of.run_.after_last_steady(w);"),
        test="behaviour/execute/for_each.cpp",
    )
    breaks(
        "static/execute/local_loop.hpp",
        ("one thread's loop: it does not say where it is", "    at.restart(m.memory, at_.next_progress());\n", ""),
        ("one thread's loop: values are lost when who gets them throws", "        if (goes_on()) here.put_back(m, at, source);\n", ""),
        ("one thread's loop: values are lost when a task throws", "      put_back(m, at, source);\n      chain::fail", "      chain::fail"),
        ("one thread's loop: values are lost at the end", "        put_back(m, at, source);\n        w =", "        w ="),
        ("one thread's loop: another task is told to have failed", "((place = Index + 1,", "((place = Index,"),
        ("one thread's loop: values of the oldest batch are not moved on", "    values_.advance();\n", ""),
        ("one thread's loop: a source is asked for what it has given", "      ::new (static_cast<void*>(declare::address_of(source))) Source(source_);", "      ;"),
        ("one thread's loop: it goes on with a pipeline that is gone", "      if (!goes_on()) [[unlikely]]\n        return runner::progress_result::complete;\n", ""),
        test="behaviour/execute/for_each.cpp",
    )
    breaks(
        "static/execute/local_loop.hpp",
        ("one thread's loop: of several threads, one", "Machine::alone && ", ""),
        ("one thread's loop: nobody watches", "!Machine::observed && ", ""),
        ("one thread's loop: nobody cancels", "!Source::abandons && ", ""),
        test="static/execute/local_values.cpp",
    )
    breaks(
        "static/execute/local_loop.hpp",
        ("one thread's loop: each task runs for each batch", "!Machine::plan.rated &&", ""),
        test="behaviour/execute/rates.cpp",
    )
    breaks(
        "static/execute/verdict_words.hpp",
        ("drops: who is passed over says nothing", "word(of.places[Node], batch) = by;", "static_cast<void>(by);"),
        ("drops: a batch that is kept says nothing", "word(own, batch) = kept ? 0 :", "if (!kept) word(own, batch) ="),
        ("drops: what a dropped batch left is recovered", "return words_[runner::word_at(of.places[Node], batch, each)] != 0;", "return false;"),
        ("drops: nobody counts", "    ++withheld_;\n", ""),
        ("drops: results are handed out", "if (culprit<plan.deliver>(batch) == 0) [[likely]]", "if (true)"),
        ("drops: counts go on in the next run", "    withheld_ = 0;\n", ""),
        ("drops: lists go on in the next run", "log.count.store(0, std::memory_order_relaxed);", "static_cast<void>(log);"),
        ("drops: the last is to blame", "return of.droppers[culprit<plan.deliver>(batch) - 1];", "return of.droppers[0];"),
        test="behaviour/execute/dropping.cpp",
    )
    breaks(
        "run/verdict_book.hpp",
        ("drops, of values: who is passed over says nothing", "own != planner::none) word(own, batch) = by;", "own != planner::none) static_cast<void>(by);"),
        ("drops, of values: a batch that is kept says nothing", "own != planner::none) word(own, batch) = by;", "own != planner::none && by != 0) word(own, batch) = by;"),
        ("failures, of values: they end the run", "    drop(own, batch, error);\n    return true;", "    return false;"),
        ("failures, of values: the batch is kept", "    drop(own, batch, error);\n", ""),
        ("drops, of values: values of batches that were dropped", "found = found || table_.word", "found = found && table_.word"),
        ("drops, of values: nobody counts", "    ++withheld_;\n", ""),
        ("drops, of values: results are handed out", "table_.culprit(deliver, batch) == 0) [[likely]]", "true) [[likely]]"),
        ("drops, of values: counts go on in the next run", "    withheld_ = 0;\n", ""),
        test="dynamic/execute/random_drops.cpp",
    )
    breaks(
        "static/execute/past_values.hpp",
        ("drops: values of batches that were dropped", "if (at.progress() >= back &&", "if (false &&"),
        test="behaviour/execute/dropping.cpp",
    )
    breaks(
        "run/session/run.hpp",
        ("drops: a loop ends at the first", "while (take_drop() || paused())", "while (paused())"),
        ("drops: a result of a batch that was dropped", "if constexpr (may_drop) return drops_.last;", ""),
        ("drops: after a stop they are handed out", "    const bool through = hands_out(session_);\n    session_.tell_delivered", "    const bool through = true;\n    session_.tell_delivered"),
        test="behaviour/execute/dropping.cpp",
    )
    breaks(
        "run/accounting.ipp",
        ("drops: who was passed over has run", " &&\n         !verdicts.skips(node, batch)", ""),
        test="behaviour/execute/dropping.cpp",
    )
    breaks(
        "run/record.ipp",
        ("drops: who dropped a batch is listed by task", "found[j].batch < found[i].batch + (j < i ? 1 : 0)", "j < i"),
        test="behaviour/execute/dropping.cpp",
    )
    breaks(
        "run/failure_log.hpp",
        ("failures: one more is dropped", "if (count_ >= most) return false;", "if (count_ > most) return false;"),
        ("failures: they are not counted", "    ++count_;\n", ""),
        ("failures: their number goes on in the next run", "    count_ = 0;\n", ""),
        ("failures: errors stay", "    gone.swap(errors_);\n", ""),
        ("failures: errors are not kept", "      errors_[count_] = error;\n", ""),
    )
    breaks(
        "static/execute/verdict_words.hpp",
        ("failures: the batch is kept", "    word(own, batch) = static_cast<runner::said>(own) + 1;\n", ""),
        ("failures: nobody is told why", "    failures_.errors[runner::word_at(own, batch, each)] = error;\n", ""),
        ("failures: a verdict is taken for one", "      failures_.errors[runner::word_at(own, batch, each)] = nullptr;\n", "      {}\n"),
        ("failures: those of the run before count", "    failures_.forget();\n", ""),
        test="behaviour/execute/failing_batches.cpp",
    )
    breaks(
        "static/execute/step.hpp",
        ("failures: observers are told nothing", "if constexpr (Machine::observed && !OnlyBody) failure_dropped<Node>(m, at);", ""),
        test="behaviour/execute/failing_batches.cpp",
    )
    breaks(
        "run/record.ipp",
        ("failures: a report does not count them", "  report.dropped_failures = count_dropped_failures(all.verdicts);\n", ""),
        ("failures: a report has no errors", "    drop.error = found[i].error;\n", ""),
        test="behaviour/execute/failing_batches.cpp",
    )
    breaks(
        "serve/server.hpp",
        ("failures: who asked is not told", "if (error == nullptr) throw unanswered", "throw unanswered"),
        test="behaviour/execute/failing_batches.cpp",
    )
    breaks(
        "watch/monitor.hpp",
        ("watch: a failure that drops its batch is not counted", "    raise(f.failures);\n", ""),
    )
    breaks(
        "dynamic/values/body.hpp",
        ("failures, of values: none is dropped", "if (drops_failure(at)) return;", ""),
        test="dynamic/execute/random_drops.cpp",
    )
    breaks(
        "static/execute/local_values.hpp",
        ("local values: declared views", "if (p.into == slot) return true;", ""),
        ("local values: tasks that look back", "if (a.slot == slot && a.ago > 0) return true;", ""),
        ("local values: views that nobody declared", "!types[other].has_no_address", "false"),
        ("local values: more than there are registers", "if (moved + plan.copies[s] > most_moved) continue;", ""),
        ("local values: large ones", " && sizeof(Value) <= 2 * sizeof(void*)", ""),
        ("local values: the place of the oldest is new", "    by_lag_[0] = oldest;\n", ""),
        ("local values: they are put back a batch late", "at.template value<Slot, Lag>(memory) = by_lag_[Lag]", "at.template value<Slot, Lag + 1>(memory) = by_lag_[Lag]"),
        ("local values: they begin a batch late", "by_lag_{at.template value<Slot, Lag>(memory)...}", "by_lag_{at.template value<Slot, Lag + 1>(memory)...}"),
    )
    breaks(
        "run/source.hpp",
        ("one thread's loop: containers are copied", "(!any_range<Given> || std::ranges::enable_borrowed_range<Given>)", "true"),
        ("one thread's loop: large sources are copied", "sizeof(Given) <= 8 * sizeof(void*) &&", ""),
        test="static/execute/local_values.cpp",
    )
    breaks(
        "plan/derive/looked_back.hpp",
        ("looked back: results are no reads", "if (result == slot && of_group) look(access{result}, rate{});", "static_cast<void>(result);"),
        ("looked back: reads of the group at hand are not of others", "read.slot == slot && (read.ago > 0 || of_group)", "read.slot == slot && read.ago > 0"),
        ("looked back: what was written last counts groups", "read.latest ? written + ago : (written / every + ago) * every", "(written / every + ago) * every"),
        ("looked back: whoever reads runs for every batch", "(readers.first < readers.last && detail::runs_among(reader, readers))", "readers.first < readers.last"),
        ("looked back: earlier batches read, too", "readers.first = larger(readers.first, first);", "readers.last += 0;"),
        ("looked back: the batch before the first is forgotten", "first < phase + 1 ? none : (first - 1 - phase)", "first < phase + 1 ? none : (first - (first > phase + 1 ? 2 : 1) - phase)"),
    )
    breaks(
        "run/position.hpp",
        ("positions: values stay behind", "      kept(v).copy_to(to.address_of(v));\n", ""),
        ("positions: a dropped batch has a value", "if (kept(v).dropped()) to.tell_unwritten(v, true);", "static_cast<void>(v);"),
        ("positions: a value stays dropped", "      to.tell_unwritten(v, false);\n", ""),
        ("positions: any value fits", "} else if (!to.holds_type(v.slot, value.type())) {", "} else if (false) {"),
        ("positions: whatever is seeded may be dropped", "if (!to.may_be_unwritten(v.slot)) throw_never_dropped", "if (false) throw_never_dropped"),
        ("positions: who asks for another type gets it", "if (!(type_ == runner::value_type::of<Type>()))", "if (false)"),
        ("positions: names do not count", "slot_type_ == slot.type : slot_ == slot.text;", "slot_type_ == slot.type : true;"),
        test="behaviour/execute/position.cpp",
    )
    breaks(
        "run/position.ipp",
        ("positions: later batches are dropped", "if (value.batch() >= next_ && value.dropped())", "if (false)"),
        ("positions: earlier batches are unread", "if (value.batch() < next_ && value.unread())", "if (false)"),
        ("positions: any number is a batch", "if (next_ < (std::numeric_limits<std::size_t>::max)() / 4) return;", "return;"),
        ("positions: a value is seeded besides the one that is there", "      v = std::move(value);\n      return *this;\n", "      break;\n"),
        ("positions: what points into another slot is handed over", "if (p.slot == asked.slot_list[v.slot])", "if (p.slot == p.into)"),
        ("positions: what is not needed is taken", "    if (needed) continue;\n", "    if (needed || there) continue;\n"),
        test="behaviour/execute/position.cpp",
    )
    breaks(
        "run/position.ipp",
        ("half-processed: part of what a task writes is enough", "      if (!said)\n", "      if (false)\n"),
        ("half-processed: what is unread is read all the same", "      if (is_called(reader, b))\n", "      if (false)\n"),
        ("half-processed: who reads in between sees the last value", "is_called(n, v.batch()) && before(n, last_writer)", "false"),
        ("half-processed: the first of several leaves the value", "if (before(last, n)) last = n;", "if (before(n, last)) last = n;"),
        ("half-processed: values are given out of turn", "    if (out_of_turn != nullptr)\n", "    if (writers.empty())\n"),
        ("half-processed: results are unread", "if (result == slot) throw_not_given", "if (false) throw_not_given"),
        test="behaviour/execute/half_processed.cpp",
    )
    breaks(
        "run/run_state.hpp",
        ("half-processed: progresses are steady at once", "given.behind() > progress ? given.behind() : progress;", "progress;"),
        test="behaviour/execute/half_processed.cpp",
    )
    breaks(
        "run/session/session.hpp",
        ("half-processed: batches that the source lacks are no loss", "return executor_.machine.given.behind() > executor_.machine.batches();", "return false;"),
        test="behaviour/execute/half_processed.cpp",
    )
    breaks(
        "static/execute/verdict_words.hpp",
        ("half-processed: who is not called drops the batch as before", "word(of.places[node], batch) = by;\n    return by != 0;", "word(of.places[node], batch) = by == 0 ? 1 : by;\n    return by != 0;"),
        test="behaviour/execute/half_processed.cpp",
    )
    breaks(
        "run/record.ipp",
        ("onwards: a run that lost batches goes on", "if (!latest.all_through())", "if (false)"),
        ("onwards: a pipeline goes on after reset()", "  if (!kept)\n", "  if (false)\n"),
        ("onwards: a failed run has a position", "  if (failed)\n    throw_usage_error(\n        \"the latest run", "  if (false)\n    throw_usage_error(\n        \"the latest run"),
        ("onwards: batches in flight are numbered from 0 on", "left.batch = report.first + report.finished + i;", "left.batch = report.finished + i;"),
        ("onwards: a report does not say where its run begins", "  report.first = numbers.first;\n", ""),
        ("onwards: results of earlier runs are counted", "numbers_.delivered = through - numbers_.first - dropped;", "numbers_.delivered = through - dropped;"),
        test="behaviour/execute/position.cpp",
    )
    breaks(
        "run/accounting.ipp",
        ("onwards: earlier batches were pulled again", "  n.pulled -= n.first;\n", ""),
        ("onwards: earlier batches were finished again", "  n.finished -= n.first;\n", ""),
        test="behaviour/execute/position.cpp",
    )
    breaks(
        "run/session/session.hpp",
        ("onwards: batches begin anew", "    machine().restart(first);\n", "    machine().restart(0);\n"),
        ("onwards: what was dropped before is told again", "    machine().forget_drops();\n", ""),
        ("onwards: values of a position have no room", "      if (!machine().make_values(host, failure)) std::rethrow_exception(failure.error);\n", "      static_cast<void>(host);\n"),
        ("onwards: after reset() all is as it was", "    failed_ = false;\n    kept_ = false;\n", "    failed_ = false;\n"),
        ("onwards: the latest run may be there still", "    if (active_ != nullptr)\n      detail::throw_usage_error(\n          \"a run of this pipeline is still there: let it come to its end before position()\");\n", ""),
        test="behaviour/execute/position.cpp",
    )
    breaks(
        "run/session/session.hpp",
        ("onwards: observers are not told where a run begins", "    if constexpr (tells_of_beginnings) machine().observer.begins_at(first);\n", ""),
        test="watch/monitor.cpp",
    )
    breaks(
        "run/session/run.hpp",
        ("onwards: results of the run before are asked for", "    if (delivered() == first_ ||\n", "    if (delivered() == 0 ||\n"),
        test="behaviour/execute/position.cpp",
    )
    breaks(
        "run/push_run.hpp",
        ("onwards: pushed batches begin anew", "      if (steps.onwards_)\n", "      if (false)\n"),
        test="behaviour/execute/position.cpp",
    )
    breaks(
        "watch/monitor.hpp",
        ("watch: groups begin with the run", "(first % every <= phase ? phase : phase + every) - first % every", "phase"),
        ("watch: a run begins with batch 0", "    now.first = run_->first.load(std::memory_order_relaxed);\n", ""),
    )
    breaks(
        "watch/monitor.hpp",
        ("watch: the first writer fills a slot", "*std::max_element(q.writers", "*std::min_element(q.writers"),
        ("watch: whoever reads a slot before it is updated is its last reader", "if (before(r, of.writer)) continue;", ""),
        ("watch: one reader of a slot is as good as another", "read = (std::min)(read, read_by(r));", "read = read_by(r);"),
        ("watch: batches that nobody reads wait", " && read_by(r) <= b;", ";"),
        ("watch: groups that nobody reads come to wait", "if (is_queued(q, batch)) found", "found"),
        ("watch: an empty source is a batch", "    leave(thread, task, batch);\n    run_->dry", "    raise(leave(thread, task, batch).batches);\n    run_->dry"),
        ("watch: a source is dry from the begin on", "    run_->dry.store(false, std::memory_order_relaxed);\n    run_->begun", "    run_->dry.store(true, std::memory_order_relaxed);\n    run_->begun"),
        ("watch: readers begin when they end", "    raise(f.begun);\n    if (is_pull", "    if (is_pull"),
        test="watch/queues.cpp",
    )
    breaks(
        "watch/stall.hpp",
        ("watch: a source that had no batch is waited for", "if (node == pull() && now_.dry) return true;", ""),
        ("watch: earlier batches' runs are awaited", "now_.tasks[node].batches + runs_before(r, now_.first)", "now_.tasks[node].batches"),
        ("watch: batches in flight are those of a first run", "std::to_string(now_.first + now_.through) + \" to \"", "std::to_string(now_.through) + \" to \""),
    )
    breaks(
        "watch/stretches.hpp",
        ("watch: stretches begin with batch 0", "const std::size_t batch = batch_of_run(number);", "const std::size_t batch = number;"),
        ("watch: who is padded is told by batches of all runs", "batch_of_run(number) / how_.stretch", "number / how_.stretch"),
        test="watch/padding.cpp",
    )
    breaks(
        "run/session/run.hpp",
        ("pauses: who has nothing yet has ended", "if (pull_.paused() && !session_.machine().told_to_stop()) return look_back();", ""),
        ("pauses: with one batch in flight a gap is the end", "return paused() && next_unsteady();", "return false;"),
        ("pauses: nobody asks the token after a gap", "    if constexpr (pull::abandons) session_.machine().poll(pull_.token());\n    session_.set_going_again();", "    session_.set_going_again();"),
        ("pauses: a run that is left in a gap is complete", "if (pull_.paused()) through = how == left_by_user ? run_end::left_early : run_end::cancelled;", ""),
        test="behaviour/execute/pausing.cpp",
    )
    breaks(
        "run/session/session.hpp",
        ("pauses: batches begin anew", "machine().restart(machine().batches());", "machine().restart(0);"),
        ("pauses: the calling thread stays where it was", "machine().restart(machine().batches());\n    executor_.restart(at_);", "machine().restart(machine().batches());"),
        ("pauses: attached threads come along", "    if (attached_)\n      detail::throw_usage_error(", "    if (false)\n      detail::throw_usage_error("),
        test="behaviour/execute/pausing.cpp",
    )
    breaks(
        "run/source.hpp",
        ("pauses: a source never may wait", "    paused_ = false;\n    may_wait_ = true;", "    paused_ = false;"),
        ("pauses: a source may always wait", "    may_wait_ = false;\n", ""),
        test="behaviour/execute/pausing.cpp",
    )
    breaks(
        "static/execute/ring.hpp",
        ("pauses: counted copies begin anew", "newest_ = (progress + Copies - 1) % Copies;", "newest_ = Copies - 1;"),
        ("pauses: linked copies begin anew", "[(progress + Copies - 1) % Copies];", "[Copies - 1];"),
        test="behaviour/execute/pausing.cpp",
    )
    breaks(
        "run/accounting.ipp",
        ("pauses: batches before the gap are to be done again", "if (next < first + lag[node]) next = first + lag[node];", "if (next < lag[node]) next = lag[node];"),
        ("pauses: what was through before the gap may not be", "  if (batch < first) return true;\n", ""),
        test="run/accounting.cpp",
    )
    breaks(
        "run/run_state.hpp",
        ("run: after a gap no task is behind", "planner::fires(lag, progress - first, batches() - first)", "planner::fires(lag, progress, batches())"),
        ("run: after a gap all is waited for anew", "first_epoch + static_cast<std::uint32_t>(first);", "first_epoch;"),
        ("run: after a gap the first worker begins", "return (worker + workers - first % workers) % workers;", "return worker;"),
        ("run: the end of the run before is this one's", "    end.store(not_yet_known, std::memory_order_relaxed);\n", ""),
        ("run: once stopped, stopped for good", "    command.store(run_command::go_on, std::memory_order_relaxed);\n", ""),
        ("run: a token is asked after it has said stop", "    if (requested) tell_to_stop();\n", ""),
        ("run: a token stops whatever it says", "question.requested != nullptr && question.requested(question.token)", "question.requested != nullptr"),
        ("run: the barrier is open from the run before", "    start.open.restart(epoch_before());\n", ""),
        ("run: batches of the run before are pulled", "    start.pulled.restart(epoch_before());\n", ""),
    )
    breaks(
        "run/device_outcome.hpp",
        ("device: of errors on results the last counts", "if (failure && !of_results_)", "if (failure)"),
        ("device: given back before the last result", "if (!results_on_stream) device", "device"),
        ("device: an error on results is told of the next run, too", "std::exchange(of_results_, nullptr)", "of_results_"),
        ("device: a consequence is told as the cause", "{ of_tasks_ = std::move(error); }", "{ static_cast<void>(error); }"),
        ("device: tasks' errors are forgotten", "of_tasks_ = device.synchronize();", "device.synchronize();"),
    )
    breaks(
        "run/observer_error.hpp",
        ("observers: a task before which one threw has run", "return who == thrower::observer_after;", "return who != thrower::task;"),
        ("observers: told of what they threw", "if (who == thrower::task) {", "{"),
    )
    breaks(
        "run/observer_error.ipp",
        ("observers: before and after are the same", "e.task_ran() ? thrower::observer_after : thrower::observer_before", "thrower::observer_after"),
    )
    breaks(
        "run/error.ipp",
        ("errors: a wait that ended early is a failure", "} catch (const wait_stopped&) {\n    return true;", "} catch (const wait_stopped&) {\n    return false;"),
    )
    breaks("run/text_builder.ipp", ("errors: 10 is :", "if (number > 9)", "if (number > 10)"))

    # How schedules are looked for.
    breaks(
        "search/paths.hpp",
        ("search: paths stay when arcs go", "reach_[c.pair] = c.old;", ""),
        ("search: what a path rested on is forgotten", "last_[c.pair] = c.before;", ""),
        ("search: a path rests on what came later", "while (at != none && at >= p.before) at = changes_[at].before;", ""),
        ("search: a path rests on its last arc only", "parts_.push_back({p.from, s.from, s.first_change});", ""),
        ("search: arcs that hold in any case close no cycle", "if (reach_[pair(via, via)] > 0) return false;", ""),
    )
    breaks(
        "search/clause_search.hpp",
        ("search: what is learnt holds for each period", "if (s.periods < 0) v.period = {s.time, -s.periods};", ""),
        ("search: what is learnt holds for any bytes", "v.bytes = sum;", "v.bytes = no_limit;"),
        ("search: a load is none for long periods", "v.period = {sum, 1};", ""),
        ("search: level 0 rests on nothing", "unit_[v] = valid;\n", ""),
        ("search: units are kept for all limits", "if (u.valid.holds(period_, bytes_)) kept.push_back(u);", "kept.push_back(u);"),
        ("search: clauses are kept for all limits", "if (!valid_[store_[at + 2]].holds(period_, bytes_)) any = true;", ""),
        ("search: what is left out of a clause rested on nothing", "if (follows) valid.keep(also);", ""),
        ("search: a sum forgets what is taken back", "sum_[s] -= weight;", ""),
        ("search: steps have no end", "const long long stop = work() + steps;", "const long long stop = steps < 0 ? steps : no_limit;"),
    )
    breaks(
        "search/evaluation.hpp",
        ("search: a future read is legal", "if (x.delta < 0) return illegal::future;", ""),
        ("search: any order is legal", "if (x.delta == 0 && place_[p.task_of(x.from)] >= place_[p.task_of(x.to)])\n        return illegal::order;", ""),
        ("search: a thread's first task does not wait for its last", "if (first[by] != last[by]) add(last[by], first[by], 1);", ""),
        ("search: copies are reused at once", "a.copies[s] - (ahead(slot.writer) - ahead(r.node) + r.ago)", "a.copies[s] + 1 - (ahead(slot.writer) - ahead(r.node) + r.ago)"),
        ("search: batches leave when they like", "add(t, p.deliver(), a.lookahead[t]);", ""),
        ("search: earlier batches take no copy", "ahead(p, a, r.node) + r.ago);\n    return", "ahead(p, a, r.node));\n    return"),
        ("search: bytes have no limit", "bytes_ > p.bytes ? illegal::bytes : illegal::no", "illegal::no"),
    )
    breaks(
        "search/evaluation.hpp",
        ("search: a task's own runs overlap", "(std::min)(left.of(t).time, period_.time - weight)", "left.of(t).time"),
        ("search: all that is to spare counts", "share.time += (std::min)(10 * most, weight);", "share.time += 10 * most;"),
        ("search: each reader is handed a batch", "std::unique(all.begin(), all.end()) - all.begin()", "all.end() - all.begin()"),
        ("search: a thread hands over to itself", "thread_of(by) != no_number && thread != thread_of(by)", "thread_of(by) != no_number"),
        test="search/refine.cpp",
    )
    breaks(
        "search/refine.hpp",
        ("search: refined answers take another time", "period_ < now.period() || now.period() < period_ ||", "false ||"),
        ("search: refined answers take more bytes", "now.bytes() != bytes_", "false"),
        ("search: tasks stay on their threads", "      helped |= runs_elsewhere(t);\n", ""),
        ("search: tasks stay in their order", "if (helps(a)) return true;\n      }", "}"),
        ("search: hand-overs are as they come", "(spare == spare_ && hand_overs >= hand_overs_)", "spare == spare_"),
        ("search: any change is one to more", "if (spare < spare_ || ", "if ("),
        test="search/refine.cpp",
    )
    breaks(
        "search/least_period.ipp",
        ("search: streams take no time", "for (const number r : task.on) resource[r] += task.weight;", ""),
        ("search: any thread shares the load", "if (task.host && (task.thread == no_number || task.thread < p.choices())) {", "if (task.host) {"),
        ("search: loads are any number", "divided_up(total, unit * static_cast<long long>(p.choices())) * unit", "divided_up(total, static_cast<long long>(p.choices()))"),
        ("search: nobody shares a thread", "at_least(crowd.load, proof::why::crowd, no_number);", ""),
        ("search: a crowd is of the shortest", "return of_a != of_b ? of_a > of_b : a < b;", "return of_a != of_b ? of_a < of_b : a < b;"),
        ("search: batches in flight bound nothing", "waits.wait(p.deliver(), p.pull(), p.in_flight);", ""),
    )
    breaks(
        "search/placement.hpp",
        ("search: the end of a period is free", "(next == 0 ? period_ : 0)", "0"),
        ("search: who goes stays", "held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i - 1));", ""),
        ("search: who is in the way stays", "out.push_back(h.task);", ""),
        ("search: copies are as they come", "now > best_bytes ||", "true ||"),
        ("search: moves forget who waits", "for (const link& l : into_[t])\n      from = (std::max)(from, start_[l.node]", "for (const link& l : out_[t])\n      from = (std::max)(from, 0 * start_[l.node]"),
    )
    breaks(
        "search/model.hpp",
        ("search: two tasks take a thread at a time", "f_.clause({opposite(same), later, earlier});", ""),
        ("search: what shares a stream overlaps", "if (on_host || on_device) order(u, v, on_host, on_device);", "static_cast<void>(on_device);"),
        ("search: blank threads have names", "if (blank_[j] != 0 && blank > i) continue;", "if (blank_[j] != 0 && blank > 0) continue;"),
        ("search: copies are not as few as they are said", "f_.imply(l, formula::progresses, r.node, slot.writer, {0, r.ago + 1 - few});", ""),
        ("search: lookaheads have no floor", "f_.fix(formula::progresses, t, p.deliver(), {0, p.tasks[t].least});", ""),
        ("search: lookaheads have no cap", "f_.fix(formula::progresses, p.deliver(), t, {0, -p.most_ahead(t)});", ""),
        ("search: progresses are batches", "{p_->weight(by), count - a.ago}", "{p_->weight(by), count}"),
        test="search/solve.cpp",
    )
    breaks(
        "search/solve.ipp",
        ("search: it ends at the first answer", "next = failed < whole && whole < s_.period ? whole : just_below(s_.period);", "return;"),
        ("search: what is refuted is not told", "at_least(by.refuted().period);", ""),
        ("search: bytes are as they come", "if (s_.found && going_) save_bytes();", ""),
        ("search: as many batches as there may be", "if (s_.found && going_) fly_fewer();", ""),
        ("search: nobody can end it", "going_ = false;", "going_ = true;"),
        ("search: what is known is forgotten", "for (const answer& a : effort_->known) take(a);", ""),
    )
    breaks(
        "search/schedule_problem.hpp",
        ("search: the source is on no thread", "in_turn(true, together, on(pulling));", ""),
        ("search: results are on no stream", "in_turn(false, true, [&](number t) { return g().nodes[t].stream == stream; });", "static_cast<void>(stream);"),
        ("search: collectives overlap", 'if (n.collective) p_.tasks[t].on.push_back(numbered(resources_, "collectives"));', ""),
        ("search: spare copies are not asked for", "if (more > 0) s.slacks.push_back({slots_[i], more});", ""),
        ("search: the source is as far ahead as the tasks", "if (a.in_flight - 1 > deepest) s.source.lookahead = a.in_flight - 1;", ""),
        ("search: entries stay that reads make superfluous", "    drop_implied(s);\n", ""),
        ("search: who updates in place moves", "if (u.node < g().tasks) stay(to_number(u.node));", ""),
        ("search: who shares state stays in no order", "if (a != no_number && a != b) p_.progresses.push_back({a, b, 0, true});", ""),
        ("search: any number of batches is of use", "p_.in_flight = static_cast<int>((std::min<long long>)(useful, within_->in_flight));", "p_.in_flight = within_->in_flight;"),
        ("search: what is pipelined is as it is declared", "if (s.pipelined && dynamic::diagnose(s).ok())", "if (false)"),
        ("search: what is ordered by hand is not", "p_.progresses.push_back({to_number(e.producer), to_number(e.consumer), e.delta,\n                                   e.why == planner::reason::order});", ""),
        test="search/find_schedule.cpp",
    )
    breaks(
        "search/found_by.hpp",
        ("search: results are other ones", "return dynamic::diagnose(made.schedule).ok() && keeps_results(s, made.schedule);", "return dynamic::diagnose(made.schedule).ok();"),
        test="search/find_schedule.cpp",
    )
    breaks(
        "search/find_schedules.ipp",
        ("search: what is next comes last", "if (parts_[i].found.better_than(parts_[best].found)) best = i;", "if (parts_[best].found.better_than(parts_[i].found)) best = i;"),
        ("search: no other is further ahead", "if (next.found.found) parts_.push_back(std::move(next));\n      };", "if (next.found.found && next.asked.tasks[t].least == task.least) parts_.push_back(std::move(next));\n      };"),
        ("search: parts have all in common", "      task.least = task.most = a.lookahead[t];\n", ""),
        ("search: no other is on another thread", "if (j != a.thread[t]) look(", "if (false) look("),
        ("search: the same comes twice", "if (!seen.insert(detail::placements_of(s, made.schedule, within)).second)", "if (false)"),
        ("search: what is proved is of a part", "    found.least = root_.least;\n", ""),
        test="search/find_schedules.cpp",
    )
    breaks(
        "search/find_streams.ipp",
        ("search: what is frozen changes its stream", "std::find(frozen.begin(), frozen.end(), s.tasks[t].name) != frozen.end())", "false)"),
        ("search: streams are looked at as they are", "s.tasks[movable_[i]].stream = (*offered_)[on[i]];", "static_cast<void>(on);"),
        ("search: the last way counts", "if (!better || ", "if ("),
        ("search: the first way of the least period is taken", "if (all || least < best_.period) {", "if (least < best_.period) {"),
        ("search: a stream is full of what fits", "return best_.period < planner::ratio{load, 1};", "return planner::ratio{load, 1} < best_.period;"),
        ("search: what is proved is proved of one way", "if (all && closed_ && least < *closed_) {", "if (closed_ && closed_->time < 0) {"),
        ("search: streams have no load", "total += task.weight;", ""),
        ("search: of many ways none is looked at", "improve(now, least);", "static_cast<void>(now);"),
        ("search: results are handed out in any order", "if (stream == s_->results_on)", "if (false)"),
        test="search/find_streams.cpp",
    )
    breaks(
        "watch/in_turn.hpp",
        ("in turn: the first round counts", "if (round > 0) took", "took"),
        ("in turn: all rounds have one order", "round % 2 == 0 ? i : count - 1 - i", "i"),
        ("in turn: the middle is above it", "(times[last / 2] + times[rounds / 2]) / 2.0", "times[rounds / 2]"),
        ("in turn: whatever overlaps is told apart", "low <= other.high && other.low <= high", "low <= other.high && other.high <= high"),
        ("in turn: the first results count", "if (count++ == skipped)", "if (count++ == 0)"),
    )
    breaks(
        "search/cost_ranges.ipp",
        ("search: a bound stays where it is", "case proof::why::resource: return {1, 1};", "case proof::why::resource: return {0, 1};"),
        ("search: other orders are looked at as they are", "if (one_of_several) return range;", ""),
        ("search: ranges of what is not proved", "!found.optimal() || ", ""),
        ("search: what is handed out takes time", "if (one != planner::deliver_name) all", "all"),
        ("search: a range ends where its line does not", "!(piece.slope == slope) || ", ""),
        test="search/cost_ranges.cpp",
    )
    breaks(
        "search/thread_counts.hpp",
        ("search: each thread is worth having", "while (fewest > 1 && !(found_.back().period < found_[fewest - 2].period)) --fewest;", ""),
        test="search/thread_counts.cpp",
    )
    breaks(
        "search/thread_counts.ipp",
        ("search: more threads are looked at for ever", "if (detail::bounds_any_threads(all.back())) break;", ""),
        ("search: more threads are never of use", "f.reason != proof::why::threads && ", ""),
        test="search/thread_counts.cpp",
    )
    # The original engine's tools.
    breaks(
        "search/batch_graph.hpp",
        ("search: paths end before they begin", "tail[t] += p.tasks[t].weight;", ""),
        ("search: an earlier batch's is before", "if (ago == 0) before[to].push_back(from);", "before[to].push_back(from);"),
        test="search/list_schedule.cpp",
    )
    breaks(
        "search/authored.hpp",
        ("search: who waits is further ahead", "if (ahead[a.to] <= most) continue;", "continue;"),
        ("search: nothing is by depth", "p.in_flight - 1 - static_cast<int>(p.in_flight * g.head[t] / g.longest)", "0"),
        test="search/list_schedule.cpp",
    )
    breaks(
        "search/fire_order.hpp",
        ("search: frozen tasks have no queue", "++frozen[of[t]];", "static_cast<void>(task);"),
        ("search: nobody shares", "shared[r] = 1;", "shared[r] = 0;"),
        ("search: what follows the main queue does not", "if (late[b] != 0) late[t] = 1;", "static_cast<void>(b);"),
        ("search: a progress has any order", "if (--missing[next] == 0) ready.push(rank[next]);", "ready.push(rank[next]);"),
        test="search/list_schedule.cpp",
    )
    breaks(
        "search/ring_answer.hpp",
        ("search: rings are as short as may be", "(std::max)(a.in_flight, evaluation::least_copies(p, a, s))", "evaluation::least_copies(p, a, s)"),
        ("search: rings are as long for few bytes", "if (bytes > p.bytes)", "if (bytes > no_limit - 1)"),
        test="search/list_schedule.cpp",
    )
    breaks(
        "search/assigned.hpp",
        ("search: frozen tasks move", "most[t] = p.most_ahead(t);", "most[t] = p.in_flight - 1;"),
        ("search: who waits for an earlier batch moves", "if (a.ago > 0) most[a.to] = (std::min)(most[a.to], start[a.to]);", "static_cast<void>(a);"),
        ("search: who shares a resource does not count", "if (q.shared[r] != 0) need = (std::max)(need, windows(q.busy[p.threads + r]));", "static_cast<void>(r);"),
        ("search: producers stay", "        ahead[b] = ahead[t];\n", "        break;\n"),
        test="search/assign_lookaheads.cpp",
    )
    breaks(
        "search/assign_lookaheads.ipp",
        ("search: any fire order will do", "  detail::refuse_unknown(policy);\n", ""),
    )
    breaks(
        "search/thread_maps.hpp",
        ("search: what is pinned leaves its thread free", "if (thread[t] != no_number) busy[thread[t]] += p_->tasks[t].weight;", ""),
        ("search: stages have any length", "before += p_->tasks[t].weight;", "before += all / 2;"),
        test="search/beam_search.cpp",
    )
    breaks(
        "search/beam_search.ipp",
        ("search: a beam keeps no best", "if (!best.legal || kept.front().period < best.period) {", "if (!best.legal) {"),
        ("search: a beam of nothing looks", "  detail::refuse_none(how);\n", ""),
        ("search: without assigned lookaheads there is nothing", "if (found.found || found.none) return found;", "if (true) return found;"),
        ("search: no task moves to another thread", "const bool free = !maps_.free().empty() && p_->choices() > 0;", "const bool free = false;"),
    )
    breaks(
        "bound/begins_of.hpp",
        ("begins: threads do several things at a time", "planner::period_on(finder, waits, p.order, threads.thread_of, threads.workers);", "finder.period({1, 1}, p.order);"),
        ("begins: all are in one period", "const long long turns = period.time == 0 ? 0 : start / period.time;", "const long long turns = 0;"),
        ("begins: a delivery is a task", "    if (n == p.resolved.deliver()) continue;\n", ""),
    )
    breaks(
        "search/as_replan.ipp",
        ("search: code has the fingerprint of the plan before", "hexadecimal(planned.fingerprint())", "hexadecimal(dynamic::planned_schedule(*from_).fingerprint())"),
        ("search: code has another fingerprint than its plan", "> == 0x\" +", "> != 0x\" +"),
        ("search: code does not tell when tasks begin", "comment(begins(planned, costs));", "std::string();"),
        ("search: code is in the order of declaration", "      add_orders();\n", ""),
        ("search: code was found for no tasks", "for (const dynamic::task& t : from_->tasks) out += ", "for (const dynamic::task& t : from_->tasks) if (false) out += "),
        ("search: code has no spare copies", "    add_slacks();\n", ""),
        ("search: code has the streams of before", "if (t.stream != now.stream) place +=", "if (false) place +="),
        ("search: code of another schedule", "if (was == nullptr)", "if (false)"),
        ("search: what is not proved is said to be", "if (found.optimal())", "if (true)"),
        ("search: weights may be any", "if (!tells(costs, t.name)) all.push_back({t.name, t.weight});", ""),
        ("search: a source may take any time", "if (from_->source.weight != 0 && !tells(costs, planner::pull_name))", "if (false)"),
        ("search: weights are to be what they were", 'list += ", " + std::to_string(r.least);', ""),
    )
    breaks(
        "bound/costs_are.hpp",
        ("costs: a plan stays the best whatever tasks take", "(found.now < r.least || r.most < found.now) && ", "false && "),
        ("costs: ranges of what is no task are fine", "if (gone == planner::none) gone = i;", ""),
        ("costs: a range has no end", ": ends == 1 ? ", ": ends <= 2 ? "),
        ("costs: each of several may change", "changed.second.told != planner::none", "false"),
        ("costs: none of several may change", "if constexpr (is_optimal<Schedule>()) {", "if constexpr (false) {"),
        ("costs: one task is several", " && first.node != node", ""),
    )
    # How threads wait for each other, and what each of them does.
    breaks(
        "run/wait/signal.hpp",
        ("signals: sleepers are not woken", "!= 0) detail::wake_all(epoch_);", "!= 0) {}"),
        ("signals: an epoch that has come is waited for", "static_cast<std::int32_t>(now - wanted) >= 0;", "static_cast<std::int32_t>(now - wanted) > 0;"),
        ("signals: epochs are compared as numbers", "static_cast<std::int32_t>(now - wanted) >= 0;", "now >= wanted;"),
        ("signals: released for good is in the past", "std::uint32_t{1} << 30U", "std::uint32_t{1} << 31U"),
        ("signals: a new run keeps the last epoch", "{ epoch_.store(epoch, std::memory_order_relaxed); }", "{}"),
        ("signals: who has slept once goes on", "!reached(now, epoch);\n         now = epoch_.load(std::memory_order_seq_cst))\n      detail::sleep_while(", "false;\n         now = epoch_.load(std::memory_order_seq_cst))\n      detail::sleep_while("),
        ("signals: who spins goes on", "for (unsigned looks = 1; !has(epoch, early, looks); ++looks) relax();", "relax();"),
        ("signals: who runs no more is not noticed", "return early != nullptr && looks <= looks_there ? early->has(epoch) : has(epoch);", "return early != nullptr ? early->has(epoch) : has(epoch);"),
        ("signals: who blocks never offers the core", "yields_before_sleep = 16;", "yields_before_sleep = 0;"),
        ("signals: who is to sleep soon is not told", "learned_.sleeps_soon = true;", "learned_.sleeps_soon = false;"),
        ("signals: who is to sleep soon spins", "spinning.of(soon ? spins_before_sleep : Waiting::spins)", "spinning.of(Waiting::spins)"),
        ("signals: of several one is told to sleep soon", "for (signal<Waiting>& s : of) s.sleep_soon();", "of[0].sleep_soon();"),
        ("signals: what was seen is looked for", "if (reached(seen, epoch)) return;\n    // acquire", "// acquire"),
        ("signals: what was waited for is not remembered", "await_in_vain(epoch, nullptr);\n    seen = epoch_.load(std::memory_order_acquire);", "await_in_vain(epoch, nullptr);"),
        ("signals: what is said early is not looked at", "if (!early.has(epoch)) await_in_vain(epoch, &early);", "await(epoch);"),
    )
    breaks(
        "static/execute/machine.hpp",
        ("threads: what was seen in another run counts", "for (auto& of_thread : seen) of_thread.restart(epoch);", ""),
        ("threads: under a quota who waits for tasks stays awake", "    signal_list.sleep_soon();\n", ""),
        ("threads: under a quota who waits for the others stays awake", "    closed.sleep_soon();\n", ""),
        test="behaviour/execute/waiting.cpp",
    )
    breaks(
        "run/run_state.hpp",
        ("threads: under a quota who waits for the source stays awake", "    start.pulled.sleep_soon();\n", ""),
        test="behaviour/execute/waiting.cpp",
    )
    breaks(
        "run/session/session.hpp",
        ("threads: a quota is not looked at", "machine().sleep_soon();", ";"),
        test="behaviour/execute/waiting.cpp",
    )
    breaks(
        "run/wait/futex.ipp",
        ("sleep: one of several is woken", "constexpr int everybody = 0x7fffffff;", "constexpr int everybody = 1;"),
        ("sleep: milliseconds are microseconds", "longest % 1000 * 1'000'000", "longest % 1000 * 1'000"),
    )
    breaks(
        "run/wait/adaptive_spin.hpp",
        ("spin: what was in vain is tried as often", "times >> backoff_", "times"),
        ("spin: what helped once is tried in full", "spin_attempt(backoff_ / 2, trials_, 0)", "spin_attempt(0, trials_, 0)"),
        ("spin: a trial comes a wait late", "waits_ >= 32U << trials_", "waits_ > 32U << trials_"),
        ("spin: trials get no rarer", "trials_ < most_trials ? trials_ + 1 : trials_", "trials_"),
        ("spin: who gave up tries soon again", "return {most_backoff, most_trials, is_trial()", "return {most_backoff, trials_, is_trial()"),
        ("spin: who gave up tries as before", "return {most_backoff, most_trials, is_trial()", "return {backoff_, most_trials, is_trial()"),
        ("spin: nothing is learned", "word != word_.load(std::memory_order_relaxed))", "false)"),
    )
    breaks(
        "run/session/protocol.hpp",
        ("protocol: who stops leaves others waiting", "    here.early = true;\n    release(m, self, progress, epoch);\n", "    here.early = true;\n"),
        ("protocol: who is through leaves others waiting", "    left.place = 0;\n    release(m, self, next, epoch);\n", "    left.place = 0;\n"),
        ("protocol: who stops has run one task more", "    here.place = place;\n    here.early", "    here.place = place + 1;\n    here.early"),
        ("protocol: who cannot make its values stops nobody", "    m.tell_to_stop();\n    m.ask_source_to_stop();\n    stop_at(m, self, where.next_progress()", "    m.ask_source_to_stop();\n    stop_at(m, self, where.next_progress()"),
        ("protocol: who cannot make its values is not told", "    caught& failure = m.stopped[host].failure;\n", "    caught failure;\n"),
        ("protocol: a failure stops nobody", "    m.tell_to_stop();  // published", "    // published"),
        ("protocol: the barrier opens an epoch late", "m.start.open.publish(before + 1);", "m.start.open.publish(before);"),
        ("protocol: a thread does not wait for the barrier to open", "m.start.open.await(before + 1);", ";"),
        ("protocol: the barrier waits for the progress before", "{ signal.await(at.epoch()); });", "{ signal.await(at.epoch() - 1); });"),
        ("protocol: who sees the pull waits for the barrier to open, too", "} else if (!self.is_opened_by_pull()) {", "} else {"),
        ("protocol: nobody waits for the barrier to open, and it is said", "if (m.opens) m.start", "m.start"),
        ("protocol: who has stopped waits at the barrier", "if (w == progress_result::stopped) [[unlikely]]\n        return w;", ""),
        ("protocol: a stop is not seen at the barrier", "if (m.stopping()) [[unlikely]]\n        return m.is", "if (false) return m.is"),
        ("protocol: a stop at the barrier is in the progress before", "at.progress() + 1, 0, at.epoch()", "at.progress(), 0, at.epoch()"),
        ("protocol: prefill is taken for steady", "self.is_filled(progress - m.called_from) &&\n           ", ""),
        ("protocol: workers run their fellows' progresses", "where.skip(self.workers() - 1);", "where.skip(0);"),
        ("protocol: deliveries are told a progress early", "m.publish_delivery(before);", "m.publish_delivery(before + 1);"),
        ("protocol: the barrier stays closed for who waits there", "        m.start.open.publish(epoch + detail::released_forever);", "        ;"),
        ("protocol: who is gone is waited for at the barrier", "m.closed[self.number(progress) - 1].publish(epoch + detail::released_forever);", ";"),
    )
    breaks(
        "run/threads/core_set.hpp",
        ("cores: others are kept, and the rest removed", "if (others.has(core)) left", "if (!others.has(core)) left"),
        ("cores: no ranges", "    while (cores.has(core + 1)) ++core;\n", ""),
        ("cores: who asks stays everywhere", "    before.apply();\n", ""),
        ("cores: the second comes first", "index-- != 0) ++core;", "index-- > 1) ++core;"),
    )
    breaks(
        "run/threads/core_quota.ipp",
        ("quota: a controller counts that only begins alike", 'if (cut_off(list, \',\') == word) return true;', 'if (cut_off(list, \',\').substr(0, word.size()) == word) return true;'),
        ("quota: what is no time is none at all", "time > 0 && each > 0 ?", "each > 0 ?"),
        ("quota: version 1 is not looked at", "unified ? kind == \"cgroup2\" : kind == \"cgroup\" && lists(line, \"cpu\")", "kind == \"cgroup2\""),
        ("quota: any hierarchy of version 1", "kind == \"cgroup\" && lists(line, \"cpu\")", "kind == \"cgroup\""),
        ("quota: what the container's own group begins with stays", "      path.remove_prefix(mount.root.size());\n", "{}"),
        ("quota: another group's path is cut", " && path.substr(0, mount.root.size()) == mount.root)", ")"),
        ("quota: the last one counts, not the least", "if (given < least) least = given;", "least = given;"),
        ("quota: the groups that it is in do not count", "if (path.empty()) break;", "break;"),
        ("quota: the group that is mounted does not count", "if (!path.empty()) path.remove_suffix(1);\n", "if (!path.empty()) path.remove_suffix(1);\n      if (path.empty()) break;\n"),
        ("quota: as many threads as cores are too many", "cores_given < static_cast<double>(threads)", "cores_given <= static_cast<double>(threads)"),
        ("quota: options before the dash are a part of the kind", 'while (!line.empty() && cut_off(line, \' \') != "-") {', 'for (int i = 0; i < 3; ++i) { cut_off(line, \' \');'),
    )
    breaks(
        "run/threads/pinned_threads.hpp",
        ("pins: who lets go sends all home", "(holders.empty() ? own : holders.back().cores)", "own"),
        ("pins: home is where it was last", "if (t.holders.empty()) t.own =", "t.own ="),
        ("pins: another thread cannot let go", "      if (t->release(by)) return;\n", "      return;\n"),
        ("pins: any may let go", "while (last > 0 && holders[last - 1].by != by) --last;", ""),
    )
    breaks(
        "run/threads/affinity.ipp",
        ("affinity: a core may be named twice", "if (result[g].has(core)) {", "if (false) {"),
        ("affinity: named cores are for all", "rest = rest.without(taken);", ";"),
        ("affinity: workers share the first core", "named.turn(k)", "named.turn(0)"),
        ("affinity: with all cores named the others have none", "  if (rest.empty()) rest = own;\n", ""),
        ("affinity: a core that there is not", "if (!there.has(core)) {", "if (false) {"),
    )
    breaks(
        "run/threads/thread_team.ipp",
        ("team: one thread is not waited for", "for (std::size_t h = 1; h < size_; ++h) members_[h].left.await(runs_);", "for (std::size_t h = 2; h < size_; ++h) members_[h].left.await(runs_);"),
        ("team: attached threads are started as well", "      if (attached != nullptr && attached->has(h)) continue;\n", ""),
        ("team: who leaves says so of the run before", "members_[host].left.publish(run);", "members_[host].left.publish(run - 1);"),
        ("team: runs are missed", "for (std::uint32_t run = 1;; ++run) {", "for (std::uint32_t run = 1;; run += 2) {"),
        ("team: who ends does not say so", "  quit_ = true;\n", ""),
    )
    breaks(
        "run/threads/os_thread.hpp",
        ("threads: names end in a character", "text::beginning(name, sizeof own - 1)", "name.substr(0, sizeof own - 1)"),
        ("threads: nobody is waited for", "if (started_) pthread_join(id_, nullptr);", "if (started_) pthread_detach(id_);"),
    )

    # Chains of tasks that are long.
    breaks(
        "static/execute/chain.hpp",
        ("chains: workers ask before their waits which tasks fire", "return workers > 1 && !pulls && place < first_new;", "return place > length;"),
        ("chains: those that do not fire run", "if (fires) [[likely]] {", "if (true) {"),
        ("chains: tasks fire by another's number", "set |= std::uint64_t{1} << (place - first);", "set |= std::uint64_t{1} << (length - 1 - place);"),
        ("chains: a failure is told of the piece's first task", "    at_place = Place;\n", ""),
        ("chains: the tasks behind the end are run twice", "pull, pulls ? 1 : first_new);", "pull, pulls ? 1 : 0);"),
        test="behaviour/execute/long_chains.cpp",
    )

    # What a device is told.
    breaks(
        "device/ordering.hpp",
        ("events: one for all batches", "first_event[node] + progress % event_count[node]", "first_event[node]"),
        ("events: each has room for one more", "first[n] + event_count[n];", "first[n] + event_count[n] + 1;"),
        ("streams: in a serial plan host tasks are on one", "if (!on_streams[n]) all[n] = none;", "static_cast<void>(on_streams);"),
        ("streams: a serial plan knows no names", "    if (serial)\n      for (std::size_t s = 0;", "    if (false)\n      for (std::size_t s = 0;"),
        ("streams: waits of the host do not count as far ones", "    for (const stretto::planner::edge& e : blocking_waits.edges)\n      if (e.consumer == node) most", "    for (const stretto::planner::edge& e : blocking_waits.edges)\n      if (false) most"),
    )
    breaks(
        "device/handles.hpp",
        ("streams: what is said last counts", "for (std::size_t i = wanted.size(); i-- > 0;)", "for (std::size_t i = 0; i < wanted.size(); ++i)"),
        ("streams: the user's are ended", "if (s.owned) static_cast<void>", "static_cast<void>"),
        ("streams: our own are not", "        made.owned = true;\n", ""),
        ("streams: there is one device more", "made.device >= devices", "made.device > devices"),
        ("streams: the device stays the last one used", "if (now_ != before_) static_cast<void>(driver_.set_device(before_));", ""),
        ("streams: the last error is told", "if (!first) first = std::current_exception();", "first = std::current_exception();"),
        ("events: are left behind", "for (const typename Driver::event e : events) static_cast<void>(driver_.destroy_event(e));", ""),
        ("events: who may sleep does not", "if (sleep) {", "if (!sleep) {"),
        ("streams: any name will do", "if (number(wanted[i].name) == planner::none)", "if (false)"),
    )
    breaks(
        "device/grouping.hpp",
        ("launches: a stream is spanned on which others have work", "if (facts_.stream_of[n] == stream && !can_span(n, thread)) return false;", ""),
        ("launches: on a stream of another thread", "if (facts_.thread_of[n] != thread) return false;", "if (facts_.thread_of[n] != thread) continue;"),
        ("launches: a graph goes on behind a wait for another thread", "!facts_.waits[n] && ", ""),
        ("launches: a graph goes on behind a host task", "before = facts_.can[n] ? n : none;", "before = facts_.can[n] ? n : before;"),
        ("launches: they wait for nobody", "return !together && facts.stream_of[e.producer] != launch[thread];", "return together && facts.stream_of[e.producer] != launch[thread];"),
        ("launches: streams are spanned for nothing", "if (needed >= fewest) continue;", "if (needed > fewest) continue;"),
        ("launches: streams are spanned whatever it takes", "} else if (takes_longer(other, thread)) {", "} else if (false) {"),
        ("launches: they are no longer than their parts", "each_in(before, [&](std::size_t p) {", "each_in(none, [&](std::size_t p) {"),
        ("launches: records behind them cost nothing", "if (g.spanning[n] ? nodes.is_awaited_outside(n) : facts_.event_count[n] > 0) ++all;", "if (!g.spanning[n] && facts_.event_count[n] > 0) ++all;"),
        ("launches: waits of a later progress are edges, too", "return e.delta == 0 && follows(e.producer, e.consumer);", "return follows(e.producer, e.consumer);"),
        ("launches: the host waits for nothing in them", "if (facts.host_waits[node]) return true;", ""),
        ("launches: events do not count in the turn", "return common_turn(facts.turns[node], events > 0 ? events : 1);", "return facts.turns[node];"),
        test="behaviour/device/launches.cpp",
    )
    breaks(
        "device/across_streams.hpp",
        ("launches: come before what was called", "    device_.marks_.launches_after_streams(thread);\n", ""),
        ("launches: nothing is recorded for others", "if constexpr (launched::grouped.is_awaited_outside(Awaited))", "if constexpr (false)"),
        ("launches: an event is recorded on another device", "if (own != origin && on_several) {", "if (false) {"),
        ("launches: no more than a launch on several devices", "return !device_.on_several_;", "return true;"),
        ("launches: no wait for others", "if constexpr (launched::grouped.is_before_launch(plan.streams.edges[Wait]))", "if constexpr (false)"),
        test="behaviour/device/launches.cpp",
    )
    breaks(
        "device/backend.hpp",
        ("launches: a run goes on with the graph that was to come next", "      graphs_.interrupt(Thread);\n", ""),
        ("launches: go on behind what was called", "if (marks_.streams_after_launches(thread)) graphs_.interrupt(thread);", "marks_.streams_after_launches(thread);"),
        test="behaviour/device/launches.cpp",
    )
    breaks(
        "device/resources.hpp",
        ("going on: events are waited for that no run has recorded", "return progress >= first_ + back;", "return progress >= back;"),
        ("going on: the thread's own device is the one behind a gap", "if (caller && before_run_ < 0)", "if (caller)"),
        test="behaviour/device/going_on.cpp",
    )
    breaks(
        "run/session/run.hpp",
        ("going on: the calling thread makes no graphs behind a gap", "          if (!chain::prepare(session_.machine(), session_.at())) return stopped_early();\n      }", "          {}\n      }"),
        test="behaviour/device/going_on.cpp",
    )
    breaks(
        "static/execute/step.hpp",
        ("drops: who waits for a dropped batch waits for less", "          leave_out(m, at, Node);\n", ""),
        test="behaviour/device/dropping.cpp",
    )
    breaks(
        "device/capture.hpp",
        ("drops: what may be passed over is launched", "obstacle::none && depend_on_drops[n])", "obstacle::none && false)"),
        test="behaviour/device/dropping.cpp",
    )
    breaks(
        "device/graphs_in_turn.hpp",
        ("launches: again and again that of one place", "    next_ = here->behind;\n    return", "    return"),
        ("launches: one after the other before all are captured", "if (captured_ == turn && how.may_only_launch())", "if (how.may_only_launch())"),
        ("launches: first that of the same place again", "next_ = here.behind;", "next_ = &here;"),
        test="behaviour/device/launches.cpp",
    )
    breaks(
        "static/execute/ring.hpp",
        ("launches: bodies are called with one copy for all batches", "return {(progress + Copies) % Copies};", "return {progress - progress};"),
        test="behaviour/device/launches.cpp",
    )
    breaks(
        "static/execute/chain.hpp",
        ("launches: what was only captured is done", "captured ? First : place", "place"),
        test="behaviour/device/launches.cpp",
    )
    breaks(
        "static/execute/chain.hpp",
        ("back to back: a task that waited", "    if (waits_at(place) || beginning[place] || (!pulls && place == first_new)) return false;\n    // Nothing", "    // Nothing"),
        ("back to back: a task before which others were told", "    if (awaited(before) || asks_late(place - 1)) return false;\n    return before", "    return before"),
        ("back to back: a task behind one that may not have run", "return before == plan.pull || plan.runs[before].every == 1;", "return true;"),
        ("back to back: never", "if (Machine::submits || Machine::collects || place == 0) return false;", "return false;"),
        test="behaviour/execute/back_to_back.cpp",
    )
    breaks(
        "device/stream_marks.hpp",
        ("launches: no edge for a wait", "    for (const stretto::planner::edge& e : grouped_->facts.awaits)\n      if (e.consumer == node && grouped_->is_inside(e))", "    for (const stretto::planner::edge& e : grouped_->facts.awaits)\n      if (false)"),
        ("launches: a stream that nobody waits for is left behind", "!(whole && ends_before_another(head, s))", "!whole"),
        ("launches: a stream that waits for nobody is not captured", "if (s == origin || !forks_from_origin(head, s)) continue;", "continue;"),
        ("launches: only the first comes after what was called", "      if (s == origin || spanned_by_[s] != thread) continue;\n", "      if (s != 1) continue;\n"),
        ("launches: what was called is marked again and again", "    launched_[thread].last = true;\n", ""),
        ("launches: nobody hears that something is called between them", "    launched_[thread].last = false;\n    return true;\n", "    launched_[thread].last = false;\n    return false;\n"),
        test="behaviour/device/launches.cpp",
    )
    breaks(
        "plan/order/last_users.hpp",
        ("last users: who works ahead of the others is one", "delta >= 0 && order.ordered(user, last, delta)", "order.ordered(user, last, delta < 0 ? -delta : delta)"),
        ("last users: any reader is one", "all = all && comes_before(user, last);", "all = all && (user != last || comes_before(user, last));"),
        ("last users: earlier batches are not looked at", "of_earlier = of_earlier || g.readers[i].ago > 0 || g.readers[i].span > 0;", ""),
        ("last users: who writes is none", "users.push_back(g.writers[i].node);", "static_cast<void>(i);"),
        ("last users: the delivery is one", "bool all = last < g.tasks && g.nodes[last].runs.every == 1;", "bool all = true;"),
    )
    breaks(
        "device/transient.hpp",
        ("transient: memory is asked for anew without giving the old back", "    give_back(where_.stream);\n    if (bytes == 0)", "    if (bytes == 0)"),
        ("transient: of several blocks the first is given back", "for (transient_memory<Driver>* m = first_; m != nullptr; m = m->next_) m->give_back(stream);", "if (first_ != nullptr) first_->give_back(stream);"),
        ("transient: what a failed run leaves is lost", "for (transient_memory<Driver>* m = first_; m != nullptr; m = m->next_) m->end();", ""),
        ("transient: the size stays", "std::exchange(bytes_, 0), stream);", "bytes_, stream);"),
        ("transient: nobody has to say it", "if (where.transients == nullptr)\n", "if (where.transients == nullptr && where.host_fills)\n"),
        test="behaviour/device/transient.cpp",
    )
    breaks(
        "device/backend.hpp",
        ("transient: given back on a stream of another device", "return last != none &&\n           (!on_several_ || handle_of(last).device == handle_of(plan.fillers[slot]).device);", "return last != none;"),
        ("transient: with no last user it stays", "plan.fillers[s] == node && !ends_with_last_user(s)", "false"),
        ("transient: given back after its filler", "if (transient::last_user[s] == node && ends_with_last_user(s))", "if (transient::is[s] && plan.fillers[s] == node)"),
        ("transient: given back before its filler only", "if (transient::last_user[s] == node && ends_with_last_user(s))", "if (false)"),
        test="behaviour/device/transient.cpp",
    )
    breaks(
        "device/clock_map.hpp",
        ("times: a reading is taken for its begin", "return (least + most) / 2;", "return least;"),
        ("times: a device's clock goes as fast as the host's", "if (last.device.count() > 0) gain_ =", "if (last.device.count() < 0) gain_ ="),
        ("times: every run's clock is stretched", "if (both.least <= both.most) {", "if (both.least > both.most + milliseconds(1e9)) {"),
        ("times: surer than the readings are", "error_ = (std::max)(begin.most - begin.least, end.most - end.least) / 2;", "error_ = (std::min)(begin.most - begin.least, end.most - end.least) / 2;"),
        ("times: the last reading alone tells how sure they are", "(std::max)((std::max)(begin.most, end.most) - ahead_,", "(std::max)(end.most - ahead_,"),
    )
    breaks(
        "device/event_pairs.hpp",
        ("times: a pair is taken that was not read", "open_ = !p.used || try_read(p);", "open_ = true;"),
        ("times: what has no pair is not counted", "      ++dropped_;\n      return;", "      return;"),
        ("times: what has no pair ends another's", "    if (!open_) return;\n", ""),
        ("times: a pair is read at the end only", "open_ = !p.used || try_read(p);", "open_ = !p.used;"),
        ("times: a failed task's pair counts", "    p.batch = batch;\n", "    p.batch = batch;\n    p.used = true;\n"),
        ("times: the latest pair is read first", "pairs_[(next_ + i) % pairs_.size()]", "pairs_[(next_ + pairs_.size() - 1 - i) % pairs_.size()]"),
        ("times: what cannot be read is not counted", "      if (!read) ++dropped_;\n", ""),
        ("times: an earlier run's pairs are read", "    for (pair& p : pairs_) p.used = false;\n", ""),
        ("times: the first are kept, not the latest", "for (std::size_t i = read_ - kept; i < read_; ++i)", "for (std::size_t i = 0; i < kept; ++i)"),
        ("times: all are told from the begin of the run", "if (begin - reference_.time > farthest) {", "if (false) {"),
        ("times: the reference is recorded anew", "      std::swap(own_, p.begin);\n", "      own_ = p.begin;\n"),
        ("times: the reference has the time of the run's begin", "reference_ = {own_, begin};", "reference_ = {own_, reference_.time};"),
    )
    breaks(
        "device/timed_events.hpp",
        ("times: events are left behind", "for (const typename Driver::event e : all_) static_cast<void>(driver_.destroy_event(e));", ""),
        test="behaviour/device/times.cpp",
    )
    breaks(
        "device/padding.hpp",
        ("padding: no work of a device takes longer", "if (const auto* const d = this->tried_on(task, batch))", "if (const auto* const d = this->tried_on(task, batch); d == nullptr)"),
        ("padding: what a device takes is what submitting does", "tasks_[t].pairs ? median(tasks_[t].times) : time_of(t)", "time_of(t)"),
        ("padding: a device that is far behind is not told of", "tasks_[t].pairs->dropped() > 0", "false"),
        ("padding: an earlier padding's times count", "t.times.clear();", ""),
        ("padding: that the device was behind is never forgotten", "if (t.pairs) t.pairs->forget_dropped();", ""),
        test="behaviour/device/padding.cpp",
    )
    breaks(
        "device/task_streams.hpp",
        ("times: host tasks of a serial plan are timed", "if (names_[t].empty() || !on.on_stream(t)) continue;", "if (names_[t].empty()) continue;"),
        ("times: events are made on another device", "      current.use(device);\n", ""),
        test="behaviour/device/times.cpp",
    )
    breaks(
        "device/timeline.hpp",
        ("times: of a few readings the worst counts", "now.after - now.before >= best.after - best.before", "now.after - now.before <= best.after - best.before"),
        ("times: the last event is not the one that was read", "      std::swap(event, spare_);\n", "      if (i == 0) std::swap(event, spare_);\n"),
        ("times: a clock for all devices", "if (c.device() == device) return c;", "if (c.device() >= 0) return c;"),
        ("times: each task begins after the run", "t.pairs->restart(t.clock->base());", "t.pairs->restart({});"),
        ("times: the clock of an earlier run", "    for (device_clock& c : clocks_) c.begin();\n", "    if (!clocks_.empty() && clock_error_.count() == 0) for (device_clock& c : clocks_) c.begin();\n"),
        ("times: pairs that are left are not read", "      if (t.pairs) t.pairs->read_all();\n", ""),
        ("times: a stream's row is in the order of tasks", "      std::sort(all.begin(), all.end(), began_earlier);\n", ""),
        ("times: each row has every stream's tasks", "if (tasks_[t].clock == &by && tasks_[t].row == row)", "if (tasks_[t].clock == &by)"),
        ("times: what has no time is not forgotten", "t.pairs->forget_dropped();", "static_cast<void>(t);"),
        ("times: a device is asked while it is paused", "is_recorded(thread))\n      tasks_[task].pairs->begin(", "true)\n      tasks_[task].pairs->begin("),
        ("times: what it was paused in is timed", "is_recorded(thread)) tasks_[task].pairs->end();", "true) tasks_[task].pairs->end();"),
        ("times: all that streams did is one stretch", "stretch_of(thread));", "0 * stretch_of(thread));"),
        test="behaviour/device/times.cpp",
    )
    breaks(
        "static/execute/step.hpp",
        ("times: a task ends behind the event that others wait for", "      if constexpr (Machine::submits && Machine::observed && !OnlyBody) submitted<Node>(m, at);\n      if constexpr (Machine::submits && !OnlyBody) m.device.template after<Node>(at.progress());\n", "      if constexpr (Machine::submits && !OnlyBody) m.device.template after<Node>(at.progress());\n      if constexpr (Machine::submits && Machine::observed && !OnlyBody) submitted<Node>(m, at);\n"),
        test="behaviour/device/times.cpp",
    )
    breaks(
        "run/session/session.hpp",
        ("observers: are not told when a run begins", "    if constexpr (tells_of_runs) machine().observer.run_begins();\n", ""),
        ("observers: are told of a run's end before it", "    if constexpr (tells_of_runs) machine().observer.run_ended();\n", "    if constexpr (tells_of_runs) machine().observer.run_begins();\n"),
        test="behaviour/device/times.cpp",
    )
    breaks(
        "device/pools.hpp",
        ("pools: are left behind", "for (const entry& e : all_) static_cast<void>(driver_.destroy_pool(e.pool));", ""),
        ("pools: a device has one for each of its streams", "if (e.device == device) return;", "if (e.device == device && device < 0) return;"),
        ("pools: the threshold is not set", "    shared::checked<Driver>(call::set_release_threshold,\n                            driver_.set_release_threshold(made, threshold));\n", ""),
        ("pools: all memory is from the first", "      if (e.device == device) return e.pool;", "      return e.pool;"),
        ("pools: a resource and a pool", "if (places > 1)", "if (places > 2)"),
        ("pools: the user's is given access to", "yours_(said.resource != nullptr || said.pool)", "yours_(said.resource != nullptr)"),
        ("pools: the user's is not taken", "shared_(driver, said.pool)", "shared_(driver)"),
        test="behaviour/device/resources.cpp",
    )
    breaks(
        "device/resources.hpp",
        ("device: the workers' device is the one at hand", "    use_device(current, handles_.streams[0].device);\n", ""),
        ("device: the device where values are made is the one at hand", "      current.use(on.device);\n", ""),
        ("device: values of host tasks are made on the last stream's device", "handles_.streams[host_fills ? 0 : stream]", "handles_.streams[host_fills ? handles_.streams.size() - 1 : stream]"),
        test="behaviour/device/resources.cpp",
    )
    breaks(
        "device/error.hpp",
        ("device: calls do not fail", "if (s != Driver::success) [[unlikely]]", "if (false)"),
        ("device: none is lost", "        sticky_(sticky) {}", "        sticky_(false) {}"),
    )
    breaks(
        "device/kept.hpp",
        ("handles: one for all types", "if (e.type == &type && ", "if ("),
        ("handles: one for all streams", " && e.stream == stream", ""),
        ("handles: one for all threads", " && e.thread == by.thread", ""),
        ("handles: one for each task", "e.thread == by.thread) return e.object;", "false) return e.object;"),
        ("handles: made on the device at hand", "    current.use(where.device);\n    all_", "    all_"),
        ("handles: ended on the device at hand", "static_cast<void>(driver_.set_device(all_[i].device));", ""),
        ("handles: never ended", "      all_[i].type->end(all_[i].object);\n", ""),
        ("handles: the task is said to be the stream", "task_(task),", "task_(stream),"),
        test="behaviour/device/handles.cpp",
    )
    breaks(
        "device/asked.hpp",
        ("handles: templates are not read", "} else if constexpr (sizeof...(More) > 0) {", "} else if constexpr (false) {"),
        ("handles: only those of templates are read", "if constexpr (said::readable) {", "if constexpr (false) {"),
        test="behaviour/device/handles.cpp",
    )
    breaks(
        "device/backend.hpp",
        ("handles: all tasks have the first one's", "kept_for_.data() + keeps::first[Node]);\n  }\n  template <std::size_t Node>\n  [[gnu", "kept_for_.data());\n  }\n  template <std::size_t Node>\n  [[gnu"),
        test="behaviour/device/handles.cpp",
    )
    breaks(
        "device/scratch.hpp",
        ("scratch: any alignment will do", "if (aligned_to > alignment) throw std::bad_alloc();", "static_cast<void>(aligned_to);"),
        ("scratch: on any stream it is the same", " && a.stream_ == b.stream_", ""),
        ("scratch: from anywhere it is the same", "a.resource_ == b.resource_ && ", ""),
        ("scratch: what cannot be waited for is lost", "      deallocate_async(memory, bytes);\n      shared", "      shared"),
    )
    breaks(
        "device/adapted_resource.hpp",
        ("resource: aligned to less", "memory_alignment = 256", "memory_alignment = 128"),
    )

    # Names, texts and files.
    breaks(
        "text/utf8.hpp",
        ("text: longer than need be", "code < least[bytes] || ", ""),
        ("text: surrogates", " || surrogate ?", " ?"),
        ("text: beyond Unicode", " || code > 0x10FFFFU", ""),
        ("text: cut characters", " || bytes > text.size()", ""),
        ("text: a cut parts a character", "cut + whole > most ? cut : most", "most"),
        ("text: what turns the direction is shown", "(code >= 0x2028U && code <= 0x202EU)", "(code >= 0x2028U && code < 0x202EU)"),
        test="text/shown.cpp",
    )
    breaks(
        "text/shown.hpp",
        ("text: what is joined counts apart", "(!joined && !within(marks, next.code))", "!within(marks, next.code)"),
        ("text: a line of just that width is too wide", "if (wide > most) break;", "if (wide >= most) break;"),
        ("text: a flag is two", "is_flag(c.code) && found.bytes", "false && found.bytes"),
        ("text: no character is nothing", "c.bytes == 0 || is_control(c.code) || is_no_character(c.code)", "is_control(c.code) || is_no_character(c.code)"),
    )
    breaks(
        "errors/words.hpp",
        ("words: a compiler's scope of a name is left", ".ends_with(scope)", ".empty()"),
        ("words: a quote in a name ends it", "text[end] == '\\\\' ? 2 : 1", "1"),
        ("words: what follows a name is lost", "from = end + 2;", "from = size;"),
    )
    breaks(
        "text/visible.hpp",
        ("text: the longest name is too long", "name.size() <= longest_shown", "name.size() < longest_shown"),
        ("text: long escapes are short", "wide ? 4 : 2", "2"),
        ("text: an end of line ends the line", "if (c.bytes != 0 && !is_control(c.code)) {", "if (c.bytes != 0 && (!is_control(c.code) || c.code == '\\n')) {"),
    )
    breaks(
        "declare/name.hpp",
        ("names: a text is no type", "a.is_type && b.is_type ?", "a.is_type || b.is_type ?"),
        ("names: qualifiers of arguments count", "if (depth == 0 && c == ':')", "if (c == ':')"),
        ("names: a beginning is the same", "    if (a.size() != b.size()) return false;\n", ""),
        ("names: one hash, one name", "return a.is_type && b.is_type ? same(a.type, b.type) : same(a.key, b.key);", "return true;"),
    )
    breaks(
        "declare/pack.hpp",
        ("packs: every mark is the first", "if (m == mark) break;", "break;"),
        ("packs: one of none", "found = found || same;", "found = true;"),
    )
    breaks(
        "declare/parameter.hpp",
        ("bodies: signs do not matter", " && (to::is_signed || !from::is_signed)", ""),
        ("bodies: digits do not matter", "return to::digits >= from::digits && (to", "return (to"),
        ("bodies: what a const gives is access", "return takes_in_braces<const Type&>();", "return false;"),
    )
    breaks(
        "declare/access.hpp",
        ("parameters: a value that soon is gone is read", "  explicit in(const value_type&&) = delete;\n", ""),
        ("parameters: a value is read by itself", "constexpr explicit in(const value_type& value)", "constexpr in(const value_type& value)"),
        ("parameters: a value is written by itself", "constexpr explicit written(", "constexpr written("),
        ("parameters: what is read is assigned", "in& operator=(const in&) = delete;", "in& operator=(const in&) = default;"),
        ("parameters: what is written is another's", "written& operator=(const written&) = delete;", "written& operator=(const written&) = default;"),
        ("parameters: what is assigned is lost", "*value_ = static_cast<Given&&>(given);", "static_cast<void>(given);"),
        ("parameters: anything is assigned", "requires(!std::is_arithmetic_v<value_type> && std::is_assignable_v<value_type&, Given>)", "requires(!std::is_arithmetic_v<value_type>)"),
        ("parameters: a number that is assigned is lost", "*value_ = given;", "static_cast<void>(given);"),
        ("parameters: an offset is a slot", "struct accessed<at_offset<Slot, Offset>> {\n  using type = Slot;", "struct accessed<at_offset<Slot, Offset>> {\n  using type = at_offset<Slot, Offset>;"),
    )
    breaks(
        "static/values/said_by_parameters.hpp",
        ("parameters: not by reference", "struct access_by<const Access&> : access_by<Access> {};", "struct access_by<const Access&> : access_by<int> {};"),
        ("parameters: not by rvalue", "access_by<std::remove_const_t<Access>> {};", "access_by<int> {};"),
        ("parameters: updates are writes", "using updates = slot;", "using updates = pack<>;"),
        ("parameters: not of call operators for lvalues", "(Parameter...) const&) -> pack<Parameter...>;", "(Parameter...) const&, int) -> pack<Parameter...>;"),
        ("parameters: a context is odd", "!ok && place > 1)", "!ok)"),
        ("parameters: the second is a context, too", "!ok && place > 1)", "!ok && place > 2)"),
        ("parameters: what lists are for is odd", "constexpr bool said = accesses::size > 0;", "constexpr bool said = true;"),
        ("parameters: what is read is written", "accessed<Entry>::type>;\n  using reads = pack<Entry>;\n  using writes = pack<>;", "accessed<Entry>::type>;\n  using reads = pack<>;\n  using writes = pack<Entry>;"),
    )
    breaks(
        "declare/count.hpp",
        ("counts: truth values", "if constexpr (std::is_same_v<type, bool> || is_letter<type>)", "if constexpr (is_letter<type>)"),
        ("counts: letters", "if constexpr (std::is_same_v<type, bool> || is_letter<type>)", "if constexpr (std::is_same_v<type, bool>)"),
        ("counts: a letter of another alphabet", "std::is_same_v<Type, char8_t> ||", ""),
        ("counts: whatever the enumerator", "return std::is_convertible_v<type, int>;", "return true;"),
        ("counts: more than an int holds", "    return std::in_range<int>(Given);\n", "    return true;\n"),
        ("counts: an enumerator is more than that", "std::in_range<int>(static_cast<std::underlying_type_t<decltype(Given)>>(Given))", "true"),
        ("counts: another number", "return static_cast<int>(Given);\n  } else {\n    return Otherwise;", "return static_cast<int>(Given);\n  } else {\n    return 0;"),
    )
    breaks(
        "declare/task.hpp",
        ("tasks: all at lookahead 0", "static constexpr auto lookahead = Field::value;", "static constexpr int lookahead = 0;"),
        ("tasks: all of a weight", "static constexpr auto weight = Field::value;", "static constexpr int weight = 1;"),
        ("tasks: a communicator makes no collective", "static constexpr bool collective = true;", "static constexpr bool collective = false;"),
        ("tasks: functions may throw", "operator()(Parameter... given) const noexcept {", "operator()(Parameter... given) const {"),
        ("tasks: one name for all", "name = Name.view();", 'name = "task";'),
        ("tasks: a list is empty", "using observes = stretto::observes<Resource...>;", "using observes = stretto::observes<>;"),
        ("tasks: a thread may be said twice", "requires { typename Task::thread; } ? 1 : 2", "1"),
        ("tasks: a weight may be said twice", "requires { Task::weight; } ? 1 : 2", "1"),
        ("tasks: anything is a field", "  else return 0;", "  else return 1;"),
    )
    breaks(
        "static/errors/misuse.hpp",
        ("fields: a list as a value is none", "return errors::list_as_value<Type, m::observes>{};", "return errors::no_error{};"),
        ("fields: a phase is a type", "requires { requires number_as_type<typename Type::phase>; } ||", ""),
        ("fields: any type is a communicator", "(!has_communicator<Type> && requires { typename Type::communicator; }) ||", ""),
    )
    breaks(
        "static/errors/misspelled.hpp",
        ("fields: a text is no role", "std::is_constructible_v<std::string_view, std::add_lvalue_reference_t<Value>>", "false"),
        ("fields: a number is no role", "std::is_integral_v<std::remove_cvref_t<Value>> ||", ""),
        ("fields: data of a task's own is a role", "InObject || std::is_function_v<Value>", "std::is_function_v<Value>"),
        ("fields: a value of Stretto's in an object is the task's own", "if constexpr (declares<std::remove_cvref_t<Value>>) {", "if constexpr (declares<std::remove_cvref_t<Value>> && !InObject) {"),
        ("fields: an enumerator is no role", "std::is_const_v<std::remove_reference_t<Type>> || std::is_void_v<Address>", "std::is_const_v<std::remove_reference_t<Type>>"),
        test="static/errors/misuse.cpp",
    )
    breaks(
        "static/errors/misspelled.hpp",
        ("misspellings: none is looked for", "requires can_be_base<Type> && has_no_misspelled_name<with_known_names<Type>>", "requires can_be_base<Type>"),
        ("misspellings: the last of a field is none", "if constexpr (place < Field::names::size &&", "if constexpr (place + 1 < Field::names::size &&"),
        ("misspellings: what the field is made of is one", " && !Field::template stated<Type>)", ")"),
        ("misspellings: one is not told", "requires { requires declares<typename Type::inputs>; },", "false,"),
        ("misspellings: one is not seen", "typename Seen::inputs; ", ""),
        ("misspellings: a number is not seen", "Seen::cost; ", ""),
        ("words: one is not seen", "Seen::interval; ", ""),
        ("words: one means nothing", "requires { requires member_declares<decltype(Type::queue), decltype(&Type::queue)>; }", "false"),
        ("words: data of a task's own is one", "InObject || std::is_function_v<Value>", "std::is_function_v<Value>"),
        ("misspellings: a list says nothing", "inline constexpr bool declares<mutates<Type...>> = true;", "inline constexpr bool declares<mutates<Type...>> = false;"),
        ("misspellings: whatever it holds", "inline constexpr bool declares = declare::is_part<Type>;", "inline constexpr bool declares = true;"),
        ("misspellings: another field was meant", "static invalid::did_you_mean::observes meant();", "static invalid::did_you_mean::mutates meant();"),
    )
    breaks(
        "static/values/pipelined_lookaheads.hpp",
        ("pipelined: the source is ahead, whatever was chosen", "known::reached, {Most, Ahead, Pairs});", "known::reached, {Most, true, Pairs});"),
        ("pipelined: pairs are a number of batches", "known::reached, {Most, Ahead, Pairs});", "known::reached, {Most, Ahead, false});"),
        ("pipelined: a map is made beyond the bounds", "raise_on({}, reached, reached.room.widest());", "raise_on({}, far, {99, true});"),
        ("pipelined: the order of a map is what it was", "planner::copy_items(planner::order_like(r.of(bare), apart::value.order), r.order.data());", "{}"),
        test="static/values/pipelined_lookaheads.cpp",
    )
    breaks(
        "plan/text/unlisted_threads.hpp",
        ("threads: host is listed", '  known.number("host");\n', ""),
        ("threads: the caller is listed", "  known.number(caller);\n", ""),
        ("threads: streams are listed", "for (const std::string_view stream : d.streams) known.number(stream);", ""),
        ("threads: tasks of their own are listed", "thread != d.tasks[t].id.text && ", ""),
        ("threads: where none is listed, all are", "  if (d.thread_names.empty()) return found;\n", ""),
    )
    breaks(
        "plan/rules/nearest_name.hpp",
        ("threads: no stream is meant", "for (const std::string_view stream : d.streams) nearest.consider(stream);", ""),
        ("threads: the caller is not meant", "  nearest.consider(caller);\n", ""),
        test="plan/text/unlisted_threads.cpp",
    )
    breaks(
        "plan/text/unused.hpp",
        ("threads: one is listed twice", "found.push_back({waste::thread_twice, t});", "{}"),
        ("threads: one has no name", "found.push_back({waste::thread_unnamed, t});", "{}"),
        ("streams: one has no name", "found.push_back({waste::stream_unnamed, s});", "{}"),
        test="dynamic/query/diagnose.cpp",
    )
    breaks(
        "dynamic/query/misuse.ipp",
        ("threads: who is misspelled leaves a queue alone", "if (!check_threads()) return take();", "check_threads();"),
        test="dynamic/query/diagnose.cpp",
    )
    breaks(
        "dynamic/query/declared.ipp",
        ("bounds: bodies do not tell sizes", "if (takes.size() != t.reads.size() + t.writes.size()) continue;", "continue;"),
        test="static/values/pipelined_lookaheads.cpp",
    )
    breaks(
        "dynamic/file/not_json.hpp",
        ("files: columns count from the first line", "before.rfind('\\n') + 1;", "before.find('\\n') + 1;"),
        test="dynamic/file.cpp",
    )
    breaks(
        "dynamic/file/not_json.hpp",
        ("files: what the parser read last is told", "if (const std::size_t last = said.find(\"; last read: \"); last != std::string::npos) {", "if (const std::size_t last = std::string::npos; last != std::string::npos) {"),
        test="bound/file/cost_table.cpp",
    )
    breaks(
        "bound/file/parsed_json.hpp",
        ("costs: what is no JSON is so at its beginning", "position, error.what()", "1, error.what()"),
        ("costs: the second of a field counts", "if (!first) refuse(", "if (false) refuse("),
        ("costs: a zero byte is the end", "zero != std::string_view::npos)", "false)"),
        test="bound/file/cost_table.cpp",
    )
    breaks(
        "dynamic/file/content.ipp",
        ("files: there is no limit", "if (text.size() > most) refuse(", "if (false) refuse("),
        ("files: the limit is too long", "(text.size() > most)", "(text.size() >= most)"),
        test="dynamic/file/content.cpp",
    )
    breaks(
        "dynamic/file/new_file.ipp",
        ("files: what is written takes the place of what was there at once", "  if (place.replaceable) {", "  if (false) {"),
        ("files: what is not put in its place stays beside it", "if (!beside_.empty()) std::remove(", "if (false) std::remove("),
        ("files: what fails leaves its beginning", "if (error != 0 && mode[2] == 'x') std::remove(", "if (false) std::remove("),
        ("files: a new one has a mode of its own", "if (!like.empty())", "if (false)"),
        ("files: a link is replaced", "path = path.parent_path() / next;", "break;"),
        ("files: what is open elsewhere is replaced", 'if (!error && folder.string().starts_with("/proc/")) return;', ""),
        ("files: two at a time are one", "error == EEXIST && i < 1'000", "i < 1"),
        test="dynamic/file/new_file.cpp",
    )
    breaks(
        "dynamic/file/document.ipp",
        ("files: sixteen levels are too deep", "open_.size() <= document::most_levels", "open_.size() < document::most_levels"),
        ("files: a byte order mark is in the way", 'if (std::string_view(doc_.source).starts_with("\\xEF\\xBB\\xBF")) next_ = 3;', ""),
        ("files: a zero byte is the end", "zero != std::string::npos", "false"),
        ("files: an escaped quote ends a string", "while (doc_.source[next_] != '\"') next_ += doc_.source[next_] == '\\\\' ? 2U : 1U;", "while (doc_.source[next_] != '\"') ++next_;"),
        test="dynamic/file.cpp",
    )
    breaks(
        "dynamic/file/reader.hpp",
        ("files: the second of a field counts", "} else if (std::any_of(all.begin(), all.end(),\n                             [&](const member& m) { return m.key == name; })) {", "} else if (false) {"),
        ("files: any version will do", "} else if (v.number != 1) {", "} else if (false) {"),
        ("files: the largest number is too large", "v.number > range.most", "v.number >= range.most"),
        ("files: what must be there may be missing", "std::none_of(has.begin(), has.end(), [&]", "false && std::none_of(has.begin(), has.end(), [&]"),
        test="dynamic/file.cpp",
    )
    breaks(
        "dynamic/file/culprits.hpp",
        ("files: the entry before is the culprit", "position > 0; --position) e", "position > 1; --position) e"),
        ("files: orders are counted from 0 each", "if (position-- == 0) {", "if (index == f.position) {"),
        test="dynamic/file.cpp",
    )
    breaks(
        "dynamic/file/writer.hpp",
        ("files: controls are saved as they are", "if (text::is_control(c.code)) {", "if (false) {"),
        ("files: what is strict is saved as what is not", 'if (strict) all.emplace_back("strict", "true");', ""),
        ("files: what is frugal is saved as what is not", 'if (frugal) all.emplace_back("frugal", "true");', ""),
        test="dynamic/file.cpp",
    )
    # Tasks that are coroutines.
    breaks(
        "run/session/begun_call.hpp",
        ("coroutines: a call begins before the last one has ended", "    call_.await_end();                              // of the batch before\n", ""),
        ("coroutines: a call does not wait for what it uses", "    Rules::await(now);\n", ""),
        ("coroutines: one with no batch lets others wait", "      Rules::pass(now);\n", ""),
        ("coroutines: one that failed is not told", "if (error != nullptr) std::rethrow_exception(std::move(error));", "static_cast<void>(error);"),
        ("coroutines: a run is left while one is suspended", "    call_.await_end();\n    return next_;", "    return next_;"),
        test="behaviour/execute/suspending.cpp",
    )
    breaks(
        "static/execute/chain.hpp",
        ("coroutines: those that need it are told where it is suspended", "      step::template begin_call<node<Place>>(*c.machine, c.at, told", "      pass(c);\n      step::template begin_call<node<Place>>(*c.machine, c.at, told"),
        ("coroutines: a thread waits for its next task first", "      if constexpr (beginning[first_new]) begin_calls(m, at, first_new);\n      await", "      await"),
        ("coroutines: a long chain waits for its next task first", "      if constexpr (beginning[first_new]) begin_calls(m, at, first_new);\n      m.await_all", "      m.await_all"),
        test="behaviour/execute/suspending.cpp",
    )
    breaks(
        "static/execute/chain.hpp",
        ("coroutines on a device: one begins before the streams have come so far", "        step::template order_before<node<Place>, false>(*c.machine, c.at);\n", "        static_cast<void>(c);\n"),
        ("coroutines on a device: none is begun in the midst of a graph", "      if constexpr (beginning[Place]) begin_calls(m, at, Place);\n      return together<", "      return together<"),
        ("coroutines on a device: those in the midst of a graph are begun nowhere", "    while (place < length && continues(place)) ++place;\n", ""),
        test="behaviour/device/suspending.cpp",
    )
    breaks(
        "static/execute/machine.hpp",
        ("coroutines on a device: nothing is captured", "hosts::count - begun::count", "hosts::count"),
        test="behaviour/device/suspending.cpp",
    )
    breaks(
        "run/active_run.hpp",
        ("push_run: who refers to a pipeline is not told that it is gone", "      first_->outlived_ = true;\n", ""),
        test="behaviour/execute/pushing.cpp",
    )
    breaks(
        "run/suspended_call.hpp",
        ("coroutines: each frame is allocated", "of == nullptr || of->taken_ ?", "true ?"),
        ("coroutines: a frame is never given back", "made->of->taken_ = false;", ""),
        test="behaviour/execute/suspending.cpp",
    )
    breaks(
        "run/suspendable.hpp",
        ("coroutines: one that is destroyed is waited for", "      if (call_ == nullptr) return;\n      call_->tell_destroyed", "      return;\n      call_->tell_destroyed"),
        test="behaviour/execute/suspending.cpp",
    )
    breaks(
        "dynamic/execute/chain.hpp",
        ("coroutines of values: those that need it are told where it is suspended", "      facts_of(c.at).now->told = &told;\n", "      facts_of(c.at).now->told = &told;\n      pass(c);\n"),
        ("coroutines of values: one that has no batch yet is not begun, and tells nobody", "} else if (facts.suspends || (m.fires(", "} else if ((m.fires("),
        test="dynamic/execute/suspending.cpp",
    )
    breaks(
        "dynamic/execute/layout.ipp",
        ("coroutines of values: one that comes last is never begun", "  begin_before(chain.last - chain.first);\n", ""),
        ("coroutines of values: one is told to be on the thread that begins it", "  of.thread = plan.plan().threads.names[host_of(coroutine).thread];\n", ""),
        test="dynamic/execute/suspending.cpp",
    )
    # Tasks of a thread that call each other.
    breaks(
        "dynamic/execute/layout.ipp",
        ("segments: there is no end to a long one", "number - segments.back() == longest_segment;", "false;"),
        ("segments: nor on the calling thread alone", "number % longest_segment == longest_segment - 1;", "false;"),
        ("segments: one goes on with newer batches", "lag < h.newest ||", ""),
        ("segments: one goes on with who waits", "number == 0 || of.first != of.last ||", "number == 0 ||"),
        ("segments: one goes on behind who is waited for", "h.signal_list.back().said.own.first != nullptr ||", ""),
        test="dynamic/execute/segments.cpp",
    )
    breaks(
        "dynamic/execute/chain.hpp",
        ("segments: who was told to stop has run one task more", "[step].own < undone)", "[step].own <= undone)"),
        ("segments: who is told to stop goes on to the end", "    if (!m.stopping()) return next->body(next);\n", "    return next->body(next);\n"),
        ("segments: who is to ask whether to stop stops", "    if (!m.stopping()) return next->body(next);\n", ""),
        test="dynamic/execute/segments.cpp",
    )
    breaks(
        "dynamic/execute/slot_types.hpp",
        ("coroutines of values: threads may meet", "      if (asked.meets)\n", "      if (false && asked.meets)\n"),
        ("coroutines of values: bodies may be replaced", "      if (asked.replaces_bodies)\n", "      if (false && asked.replaces_bodies)\n"),
        ("coroutines of values: those of workers are fine", "[](std::size_t number) { return number > 1; }", "[](std::size_t number) { return number > 9; }"),
        ("coroutines of values: others may drop batches", "planner::may_drop(d) || planner::has_items", "planner::has_items"),
        ("coroutines of values: collectives are fine", "if (!collectives_.name.empty())\n        say(\"task \", who,\n            \" is a coroutine", "if (false)\n        say(\"task \", who,\n            \" is a coroutine"),
        test="dynamic/execute/suspending.cpp",
    )
    breaks(
        "dynamic/query/declared.ipp",
        ("coroutines of values: the plan knows nothing of them", "    row.suspends = t.body.suspends();\n", ""),
        test="dynamic/execute/suspending.cpp",
    )
    breaks(
        "static/values/constant_plan.hpp",
        ("coroutines: who begins them is not written down", "  for (const std::size_t by : p.threads.begun_by) row.push(by);\n", "  for (const std::size_t by : p.threads.begun_by) row.push(0 * by);\n"),
        test="dynamic/execute/suspending.cpp",
    )
    breaks(
        "plan/derive/begun_calls.hpp",
        ("coroutines: a thread begins them before it pulls", "    if (of.chained[chain.first] == of.pull) b.before = 1;\n", ""),
        ("coroutines: a thread begins them behind all", "           position[of.chained[chain.first + b.before]] < position[b.node])", "           position[b.node] < of.order.size())"),
    )
    breaks(
        "plan/derive/threads.hpp",
        ("coroutines: they are among the thread's tasks", "return node < d.tasks.size() && d.tasks[node].suspends;", "return false && d.tasks[node].suspends;"),
        ("coroutines: one that is called as a thread is on it", "    m.thread_of[n] = m.names.size();\n    m.names.push_back(d.tasks[n].id.text);\n", "    m.thread_of[n] = names.number(d.tasks[n].id.text);\n    m.names = names.texts();\n"),
        ("coroutines: the calling thread begins all", "    m.begun_by.push_back(by == none ? 0 : by);\n", "    m.begun_by.push_back(by == none ? 0 : 0 * by);\n"),
    )
    return found


def main():
    return planted.break_pieces(__file__, planted.options_of(__doc__).parse_args(), mutants())


if __name__ == "__main__":
    sys.exit(main())
