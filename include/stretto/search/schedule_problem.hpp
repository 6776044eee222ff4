// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/device_plan.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/problem.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::search {

namespace detail {

/// For what knows of threads only.
inline void refuse_device(bool asked, const char* what) {
  if (asked)
    throw usage_error(std::string(what).append(
        " knows of threads only: schedules of a device are looked for by `find_schedule`, and kept "
        "in files"));
}

/// Which tasks stay where they are besides those that are frozen: none, those that share state that
/// one of them changes, or all.
enum class kept { nothing, sharers, all };

/// A schedule as a problem, and answers as schedules.
class schedule_problem {
 public:
  schedule_problem(const dynamic::schedule& s, planner::view<task_cost> costs, const limits& within,
                   kept keep)
      : planned_(plain(alike_on_ranks(s))), within_(&within), keep_(keep) {
    const planner::declaration& d = planned_.declaration();
    for (const dynamic::thread_group& g : s.groups)
      if (g.queue != 0 || g.workers != 1)
        throw usage_error(std::string("thread group `")
                              .append(g.thread)
                              .append("` has a queue or workers, for which no schedule is looked "
                                      "for: lookaheads do what a queue does"));
    for (const dynamic::task& t : s.tasks)
      if (t.every > 1)
        throw usage_error(std::string("task `").append(t.name).append(
            "` does not run for every batch: no schedule is looked for "
            "where one does not"));
    if (s.generated != 0 && (within.threads.empty() || !within.frozen.empty()))
      throw usage_error(
          "the schedule leaves its threads to be generated: name those that there are to be in the "
          "limits, and freeze no task");
    if (s.serial)
      throw usage_error(
          "a serial schedule does one batch after the other: look for a schedule of "
          "its tasks, and make that serial");
    add_tasks(s, d);
    if (within.device) {
      set_costs_of_both(costs, *within.device);
    } else {
      set_costs(d, costs);
    }
    limit(s);
    place(s);
    add_edges();
    keep_sharers_in_order(s);
    add_slots(s);
    if (within.device) refuse_unbounded();
  }

  const problem& asked() const { return p_; }
  /// Whether the limits let the tasks stay that are to.
  bool possible() const { return possible_; }

  /// The schedule as it is, if that is within the limits: what is found is no worse.
  std::vector<answer> known(const dynamic::schedule& s) const {
    if (!dynamic::diagnose(s).ok()) return {};
    const dynamic::planned_schedule as_it_is(s);
    const planner::plan& plan = as_it_is.plan();
    answer a;
    a.in_flight = plan.resolved.max_lookahead + 1;
    for (number t = 0; t < p_.tasks.size(); ++t) {
      a.lookahead.push_back(plan.resolved.nodes[t].lookahead);
      const std::string_view on = plan.threads.names[plan.threads.thread_of[t]];
      const auto thread =
          std::find(threads_.begin(), threads_.end(), on == planner::caller ? s.caller_runs : on);
      if (thread == threads_.end()) return {};
      a.thread.push_back(to_number(static_cast<std::size_t>(thread - threads_.begin())));
    }
    for (const std::size_t n : plan.order)
      if (n < p_.tasks.size()) a.order.push_back(to_number(n));
    for (const std::string& name : slots_)
      for (std::size_t slot = 0; slot < plan.resolved.slot_list.size(); ++slot)
        if (plan.resolved.slot_list[slot].text == name)
          a.copies.push_back(static_cast<int>(plan.copies[slot]));
    return {a};
  }
  /// By task, as the schedule has them.
  std::vector<int> lookaheads() const {
    std::vector<int> all;
    for (number t = 0; t < p_.tasks.size(); ++t) all.push_back(g().nodes[t].lookahead);
    return all;
  }
  std::string name_of(number node) const {
    const std::string_view name = planner::node_name(planned_.declaration(), p_.task_of(node));
    return p_.submits(node) ? dynamic::device_plan::submission_of(name) : std::string(name);
  }
  const std::string& thread_name(number thread) const { return threads_[thread]; }
  const std::string& resource_name(number resource) const { return resources_[resource]; }

  /// A schedule with the lookaheads, threads, order and copies of an answer.
  dynamic::schedule edited(const dynamic::schedule& from, const answer& a) const {
    dynamic::schedule s = plain(from);
    s.frugal = true;
    s.tasks.clear();
    int deepest = 0;
    for (const number t : a.order) {
      s.tasks.push_back(from.tasks[t]);
      s.tasks.back().lookahead = a.lookahead[t];
      deepest = (std::max)(deepest, a.lookahead[t]);
      if (p_.tasks[t].thread == no_number) s.tasks.back().thread = threads_[a.thread[t]];
    }
    drop_implied(s);
    s.source.lookahead.reset();
    if (a.in_flight - 1 > deepest) s.source.lookahead = a.in_flight - 1;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      std::erase_if(s.slacks, [&](const dynamic::slack& k) { return k.slot == slots_[i]; });
      const int more = a.copies[i] - evaluation::least_copies(p_, a, p_.slot_list[i]);
      if (more > 0) s.slacks.push_back({slots_[i], more});
    }
    if (!s.thread_names.empty())
      for (const std::string& t : within_->threads)
        if (std::find(s.thread_names.begin(), s.thread_names.end(), t) == s.thread_names.end())
          s.thread_names.push_back(t);
    return s;
  }

  /// What copies take of slots whose size is known.
  long long bytes(long long of_answer) const { return fixed_bytes_ + (counted_ ? 0 : of_answer); }

  /// Says why nothing keeps to the limits.
  [[noreturn]] void refuse() const {
    long long least = 0;
    for (const problem::slot& slot : p_.slot_list) least += slot.bytes;
    if (least > p_.bytes)
      throw usage_error("one copy of each slot takes " + std::to_string(least) +
                        " bytes, more than the " + std::to_string(p_.bytes) + " of the limit");
    throw usage_error(
        "nothing keeps to the limits: " + std::to_string(p_.in_flight) +
        (p_.in_flight == 1 ? " batch" : " batches") +
        " in flight, and what tasks' lookaheads may be" +
        (p_.bytes == no_limit ? std::string() : ", and " + std::to_string(p_.bytes) + " bytes"));
  }

 private:
  /// A read that has come to be of so many batches ago says what the entry says: see rule 6.
  static void drop_implied(dynamic::schedule& s) {
    for (dynamic::task& t : s.tasks)
      std::erase_if(t.cross_iter_depends_on, [&](const dynamic::ago& entry) {
        const dynamic::task* const by = s.find(entry.task);
        if (by == nullptr || by->lookahead != t.lookahead + entry.batches) return false;
        return std::any_of(t.reads.begin(), t.reads.end(), [&](const dynamic::use& read) {
          return read.ago == 0 &&
                 std::any_of(by->writes.begin(), by->writes.end(),
                             [&](const dynamic::use& write) { return write.slot == read.slot; });
        });
      });
  }

  /// Throws if ranks differ: what one rank does with an answer the others would have to know.
  static const dynamic::schedule& alike_on_ranks(const dynamic::schedule& s) {
    for (const dynamic::task& t : s.tasks)
      if (!t.role.empty() || !s.whole.empty())
        throw usage_error(std::string("schedule `")
                              .append(s.name)
                              .append("` differs by rank, and schedules are looked for that all "
                                      "ranks run alike: leave out its roles and transfers"));
    return s;
  }

  /// Without what chooses lookaheads, threads and copies by itself.
  static dynamic::schedule plain(dynamic::schedule s) {
    s.pipelined = false;
    s.generated = 0;
    s.frugal = true;
    return s;
  }
  const planner::graph& g() const { return planned_.plan().resolved; }
  static number to_number(std::size_t n) { return static_cast<number>(n); }

  void add_tasks(const dynamic::schedule& s, const planner::declaration& d) {
    int now = g().nodes[g().pull()].lookahead + 1;
    if (s.pipelined && dynamic::diagnose(s).ok())
      now = static_cast<int>(dynamic::planned_schedule(s).in_flight());
    p_.in_flight = now;
    if (within_->in_flight > 0) {
      // Each task may wait for its turn for a progress, and take one: more batches are of no use.
      long long useful = 2 * static_cast<long long>(d.tasks.size()) + 2;
      for (const limits::ahead& a : within_->lookaheads) useful = (std::max)(useful, a.least + 1LL);
      useful = (std::min<long long>)((std::max<long long>)(useful, now), most_batches + 1);
      p_.in_flight = static_cast<int>((std::min<long long>)(useful, within_->in_flight));
    }
    if (within_->in_flight < 0) throw usage_error("there cannot be fewer than 0 batches in flight");
    if (within_->bytes < 0) throw usage_error("there cannot be fewer than 0 bytes");
    if (within_->bytes > 0) p_.bytes = within_->bytes;
    for (const planner::task& declared : d.tasks) {
      problem::task task;
      task.weight = declared.weight;
      p_.tasks.push_back(task);
    }
    p_.pull_weight = d.from.weight;
  }

  void set_costs(const planner::declaration& d, planner::view<task_cost> costs) {
    // As `bound_of` does, which says what is wrong with costs.
    const bound::shared::node_names names(d);
    names.each(costs, [&](std::size_t node, long long time) {
      (node < p_.tasks.size() ? p_.tasks[node].weight : p_.pull_weight) = time;
    });
  }

  void set_costs_of_both(planner::view<task_cost> costs, const dynamic::device_model& device) {
    const dynamic::device_plan on_device(planned_, device.engines);
    p_.device = true;
    for (number t = 0; t < p_.tasks.size(); ++t) {
      problem::task& task = p_.tasks[t];
      task.submits = g().nodes[t].stream != planner::none;
      if (task.submits) std::swap(task.weight, task.device);
    }
    const bound::shared::node_names names(on_device.declaration());
    names.each(costs, [&](std::size_t node, long long time) {
      const std::string_view name = planner::node_name(on_device.declaration(), node);
      const std::size_t of = dynamic::device_plan::node_of(planned_, name);
      if (of >= p_.tasks.size()) {
        p_.pull_weight = time;
      } else if (problem::task& task = p_.tasks[of]; task.submits && planned_.name_of(of) == name) {
        task.device = time;
      } else {
        task.weight = time;
      }
    });
  }
  /// Where no host task waits for a stream, what keeps threads from running ahead depends on the
  /// order.
  void refuse_unbounded() const {
    bool waits = false;
    const auto look = [&](number from, number to) {
      waits = waits || (p_.submits(from) && !p_.submits(to));
    };
    for (const problem::slot& slot : p_.slot_list)
      for (const auto& r : slot.readers) {
        look(slot.writer, r.node);
        look(r.node, slot.writer);
      }
    for (const problem::arc& a : p_.arcs) look(a.from, a.to);
    if (!waits)
      throw usage_error(
          "nothing on the host waits for what streams of the device do, so no schedule is looked "
          "for that keeps them busy: hand out a result of theirs, or read one in a host task");
  }

  number demand(std::string_view task) const {
    for (number t = 0; t < p_.tasks.size(); ++t)
      if (planner::node_name(planned_.declaration(), t) == task) return t;
    throw usage_error(
        std::string("limits name the task `").append(task).append("`, which there is not"));
  }
  void stay(number t) {
    const int where = g().nodes[t].lookahead;
    problem::task& task = p_.tasks[t];
    if (where < task.least || where > task.most) {
      possible_ = false;
      if (keep_ == kept::nothing)
        throw usage_error(std::string("task `")
                              .append(name_of(t))
                              .append("` stays at lookahead ")
                              .append(std::to_string(where))
                              .append(", which the limits leave out"));
    }
    task.least = task.most = where;
  }

  void limit(const dynamic::schedule& s) {
    if (s.max_in_flight > 0) p_.in_flight = (std::min)(p_.in_flight, s.max_in_flight);
    if (s.max_bytes > 0) p_.bytes = std::min<long long>(p_.bytes, s.max_bytes);
    for (const limits::ahead& a : within_->lookaheads) {
      const number t = demand(a.task);
      if (a.least < 0 || a.most < a.least)
        throw usage_error(std::string("limits of the lookahead of `")
                              .append(a.task)
                              .append("` leave none that it could have"));
      for (const limits::ahead* other = within_->lookaheads.data(); other != &a; ++other)
        if (other->task == a.task)
          throw usage_error(
              std::string("limits name the lookahead of `").append(a.task).append("` twice"));
      p_.tasks[t].least = a.least;
      p_.tasks[t].most = a.most;
    }
    frozen_.assign(p_.tasks.size(), keep_ == kept::all ? 1 : 0);
    for (const std::string& t : within_->frozen) frozen_[demand(t)] = 1;
    if (keep_ == kept::sharers)
      for (number t = 0; t < p_.tasks.size(); ++t)
        if (!s.tasks[t].observes.empty() || !s.tasks[t].mutates.empty()) frozen_[t] = 1;
    for (number t = 0; t < p_.tasks.size(); ++t) {
      bool stays = frozen_[t] != 0;
      // An offset that is written down goes with one lookahead.
      for (const auto* uses : {&s.tasks[t].reads, &s.tasks[t].writes})
        for (const dynamic::use& u : *uses) stays = stays || u.offset.has_value();
      if (stays) stay(t);
    }
    if (s.strict) keep_history(s);
    // Who updates a slot in place comes after those further ahead: they say so by lookahead.
    for (std::size_t slot = 0; slot < g().slot_list.size(); ++slot) {
      if (!has_writers(slot)) continue;
      each_user(slot, [&](const planner::use& u) {
        if (u.node < g().tasks) stay(to_number(u.node));
      });
    }
  }
  /// The original engine keeps no history: what waits for an earlier batch of another stream has to
  /// be as far ahead.
  void keep_history(const dynamic::schedule& s) {
    for (number t = 0; t < p_.tasks.size(); ++t)
      for (const dynamic::ago& entry : s.tasks[t].cross_iter_depends_on) {
        const dynamic::task* const by = s.find(entry.task);
        if (by == nullptr || by->stream == s.tasks[t].stream) continue;
        if (s.tasks[t].lookahead >= entry.batches) {
          p_.tasks[t].least = (std::max)(p_.tasks[t].least, entry.batches);
        } else {
          stay(t);
          stay(to_number(static_cast<std::size_t>(by - s.tasks.data())));
        }
      }
  }
  template <class Each>
  void each_user(std::size_t slot, Each each) const {
    for (std::size_t i = g().writers_of[slot].first; i < g().writers_of[slot].last; ++i)
      each(g().writers[i]);
    for (std::size_t i = g().readers_of[slot].first; i < g().readers_of[slot].last; ++i)
      each(g().readers[i]);
  }
  bool has_writers(std::size_t slot) const {
    return g().writers_of[slot].last - g().writers_of[slot].first > 1;
  }

  number numbered(std::vector<std::string>& names, std::string_view name) const {
    for (number i = 0; i < names.size(); ++i)
      if (names[i] == name) return i;
    names.emplace_back(name);
    return to_number(names.size() - 1);
  }
  void place(const dynamic::schedule& s) {
    const planner::declaration& d = planned_.declaration();
    for (const std::string& t : within_->threads) {
      if (t.empty()) throw usage_error("limits offer tasks a thread without a name");
      if (t == planner::caller || t == s.caller_runs || t == s.source.thread)
        throw usage_error(std::string("limits offer tasks the thread `")
                              .append(t)
                              .append("`, which pulls batches or hands them out: those that it is "
                                      "to run name it themselves"));
      if (std::find(threads_.begin(), threads_.end(), t) != threads_.end())
        throw usage_error(std::string("limits offer tasks the thread `")
                              .append(t)
                              .append("` twice; name it once"));
      threads_.push_back(t);
    }
    const number offered = to_number(threads_.size());
    const std::string_view calling = s.caller_runs;
    const auto same = [&](std::string_view thread) {
      return thread == planner::caller ? std::string(calling) : std::string(thread);
    };
    for (number t = 0; t < p_.tasks.size(); ++t) {
      if (s.tasks[t].thread.empty() && !within_->threads.empty() && frozen_[t] == 0) continue;
      p_.tasks[t].thread = numbered(threads_, same(planner::thread_name(d.tasks[t])));
    }
    for (number t = 0; t < p_.tasks.size(); ++t) {
      const planner::node& n = g().nodes[t];
      if (n.stream != planner::none) {
        const std::string stream = std::string("stream ").append(g().streams[n.stream]);
        if (p_.submits(t)) {
          p_.tasks[t].engines.push_back(numbered(resources_, stream));
          p_.tasks[t].on.push_back(numbered(resources_, "submissions to " + stream));
        } else {
          p_.tasks[t].on.push_back(numbered(resources_, stream));
        }
      }
      if (n.collective) p_.tasks[t].on.push_back(numbered(resources_, "collectives"));
      if (n.collective && p_.submits(t))
        p_.tasks[t].engines.push_back(numbered(
            resources_, std::string("communicator ").append(planner::communicator_of(d.tasks[t]))));
    }
    if (within_->device)
      for (const std::vector<std::string>& engine : within_->device->engines) {
        std::string name = "an engine for";
        for (const std::string& task : engine) name.append(" ").append(task);
        const number here = numbered(resources_, name);
        for (const std::string& task : engine) {
          std::vector<number>& held = p_.tasks[demand(task)].engines;
          if (std::find(held.begin(), held.end(), here) == held.end()) held.push_back(here);
        }
      }
    p_.resources = to_number(resources_.size());
    p_.threads = to_number(threads_.size());
    p_.offered = offered;
    // `pull` comes first in a progress and `deliver` last.
    const auto in_turn = [&](bool with_pull, bool with_deliver, auto is_among) {
      const auto before = [&](number a, number b) {
        p_.progresses.push_back({a, b, 0, true});
        p_.progresses.push_back({b, a, 1, true});
      };
      for (number t = 0; t < p_.tasks.size(); ++t) {
        if (!is_among(t)) continue;
        if (with_pull) before(p_.pull(), t);
        if (with_deliver) before(t, p_.deliver());
      }
      if (with_pull && with_deliver) before(p_.pull(), p_.deliver());
    };
    const std::string pulling = same(s.source.thread);
    const auto on = [&](const std::string& thread) {
      return [&](number t) {
        return p_.tasks[t].thread != no_number && threads_[p_.tasks[t].thread] == thread;
      };
    };
    const bool together = pulling == calling;
    const auto number_of = [&](std::string_view thread, number other) {
      const auto at = std::find(threads_.begin(), threads_.end(), thread);
      return at == threads_.end() ? p_.threads + other
                                  : to_number(static_cast<std::size_t>(at - threads_.begin()));
    };
    p_.pulling = number_of(pulling, 0);
    p_.delivering = number_of(calling, together ? 0 : 1);
    in_turn(true, together, on(pulling));
    if (!together) in_turn(false, true, on(std::string(calling)));
    if (d.from.collective) in_turn(true, false, [&](number t) { return g().nodes[t].collective; });
    if (const std::size_t stream = g().nodes[g().deliver()].stream; stream != planner::none)
      in_turn(false, true, [&](number t) { return g().nodes[t].stream == stream; });
  }

  /// Edges by batch, whatever the lookaheads; or by progress.
  void add_edges() {
    for (const planner::edge& e : planned_.plan().edges) {
      const problem::arc by_batch{
          to_number(e.producer), to_number(e.consumer),
          e.delta - g().nodes[e.producer].lookahead + g().nodes[e.consumer].lookahead};
      switch (e.why) {
        case planner::reason::data:
        case planner::reason::update:
        case planner::reason::reuse:
          if (has_writers(e.slot)) p_.arcs.push_back(by_batch);
          break;
        case planner::reason::depends_on:
        case planner::reason::cross_iter:
        case planner::reason::take: p_.arcs.push_back(by_batch); break;
        case planner::reason::same_progress_sync:
        case planner::reason::order:
          p_.progresses.push_back({to_number(e.producer), to_number(e.consumer), e.delta,
                                   e.why == planner::reason::order});
          break;
        default: break;  // of streams, threads and tickets, which are what is looked for
      }
    }
  }

  /// Tasks that share state one of which changes it, in the order that they have now.
  void keep_sharers_in_order(const dynamic::schedule& s) {
    if (keep_ != kept::sharers) return;
    struct users {
      number changed = no_number;
      std::vector<number> looked{};  // since
    };
    std::map<std::string, users> by_resource;
    const auto in_turn = [&](number a, number b) {
      if (a != no_number && a != b) p_.progresses.push_back({a, b, 0, true});
    };
    for (const std::size_t n : planned_.plan().order) {
      if (n >= p_.tasks.size()) continue;
      const number t = to_number(n);
      for (const std::string& r : s.tasks[t].observes) {
        in_turn(by_resource[r].changed, t);
        by_resource[r].looked.push_back(t);
      }
      for (const std::string& r : s.tasks[t].mutates) {
        users& u = by_resource[r];
        in_turn(u.changed, t);
        for (const number other : u.looked) in_turn(other, t);
        u = {t, {}};
      }
    }
  }

  void add_slots(const dynamic::schedule& s) {
    // A bound on bytes has a declaration say what slots take.
    dynamic::schedule bounded = s;
    bounded.serial = bounded.pipelined = false;
    bounded.max_bytes = (std::numeric_limits<std::int64_t>::max)();
    const dynamic::declared sized(bounded);
    std::map<std::string_view, long long> bytes;
    for (const planner::slot_size& known : sized.value().within.sizes)
      bytes.emplace(known.slot.text, static_cast<long long>(known.bytes));
    for (std::size_t slot = 0; slot < g().slot_list.size(); ++slot) {
      if (g().writers_of[slot].first == g().writers_of[slot].last) continue;
      const auto known = bytes.find(g().slot_list[slot].text);
      const long long size = known == bytes.end() ? 0 : known->second;
      if (has_writers(slot)) {
        fixed_bytes_ += size * static_cast<long long>(planned_.plan().copies[slot]);
        continue;
      }
      problem::slot made;
      made.writer = to_number(g().writers[g().writers_of[slot].first].node);
      made.bytes = size;
      for (std::size_t i = g().readers_of[slot].first; i < g().readers_of[slot].last; ++i)
        // A task may change in place what it has written itself.
        if (g().readers[i].node != made.writer || g().readers[i].ago > 0)
          made.readers.push_back({to_number(g().readers[i].node), g().readers[i].ago});
      p_.slot_list.push_back(made);
      slots_.emplace_back(g().slot_list[slot].text);
    }
    // Where no size is known, as few copies as there can be.
    counted_ = std::all_of(p_.slot_list.begin(), p_.slot_list.end(),
                           [](const problem::slot& x) { return x.bytes == 0; });
    if (counted_) {
      if (within_->bytes > 0)
        throw usage_error(
            "the limits bound bytes, but of no slot is it known how many it takes: a file names "
            "types only");
      p_.bytes = no_limit;
      for (problem::slot& x : p_.slot_list) x.bytes = 1;
    } else if (p_.bytes != no_limit) {
      p_.bytes -= fixed_bytes_;
    }
  }

  dynamic::planned_schedule planned_;
  const limits* within_;
  kept keep_;
  problem p_;
  std::vector<std::string> threads_;
  std::vector<std::string> resources_;
  std::vector<std::string> slots_;  // those that have one writer
  std::vector<char> frozen_;        // by task
  long long fixed_bytes_ = 0;       // of those that have several
  bool counted_ = false;            // no size is known
  bool possible_ = true;
};

}  // namespace detail

}  // namespace stretto::search
