// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/known_collectives.hpp>
#include <stretto/dynamic/values/known_driver.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/dynamic/values/type_identity.hpp>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/roles.hpp>
#include <stretto/run/sent_value.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What running a schedule asks of it beyond a plan: a source, bodies, and one type for each slot.
namespace stretto::dynamic::detail {

class slot_types : sentence_list {
 public:
  /// What a pipeline does with tasks that does not go together with coroutines.
  struct asked_of_tasks {
    bool meets = false;            ///< threads meet after every progress
    bool replaces_bodies = false;  ///< somebody may stand in for bodies
  };

  /// Throws `schedule_error`, which says everything that is missing or contradicts.
  [[gnu::cold]] slot_types(const planned_schedule& p, const known_driver& driver,
                           const known_collectives& collectives, const asked_of_tasks& asked)
      : sentence_list(100),
        p_(p),
        device_(driver.name),
        driver_(driver.type),
        collectives_(collectives),
        g_(p.plan().resolved),
        types_(g_.slot_list.size()),
        told_by_(g_.slot_list.size(), planner::none) {
    if (g_.source_slot == planner::none)
      say("it has no source: name the slot that each batch is put into, `source.slot`");
    planner::text_index by_name;
    for (const name& slot : g_.slot_list) by_name.add(slot.text);
    for (const typed_slot& t : p_.input().types)
      if (const std::size_t slot = by_name.find(t.slot); t.type != nullptr && slot != planner::none)
        tell(slot, t.type, planner::none);
    look_at_roles();
    for (std::size_t n = 0; n < g_.tasks; ++n) look_at(n);
    const bool all_else_fits = empty();
    for (std::size_t slot = 0; slot < types_.size(); ++slot)
      if (types_[slot] == nullptr && all_else_fits)
        say("nothing tells the type of slot ", quoted{g_.slot_list[slot].text},
            ": say it with `schedule.slot<T>(\"", g_.slot_list[slot].text, "\")`");
    if (device_.empty())
      for (std::size_t slot = 0; slot < types_.size(); ++slot)
        if (types_[slot] != nullptr && types_[slot]->construct == nullptr)
          say("slot ", quoted{g_.slot_list[slot].text}, " is `", types_[slot]->name,
              "`, which lives on a device, but the pipeline's streams are on the host: give "
              "it the device as an option");
    if (!device_.empty()) refuse_on_device();
    refuse_coroutines(asked);
    if (all_else_fits) refuse_transient_elsewhere();
    if (!empty()) {
      std::vector<std::string> said = take();
      const std::size_t all = said.size();
      throw schedule_error(p_.input().name, std::move(said), all);
    }
  }

  const slot_type& operator[](std::size_t slot) const { return *types_[slot]; }

 private:
  using quoted = quoted_name;
  /// Whether a task puts work on a stream. In a serial plan all are on one, also host tasks.
  bool is_on_stream(std::size_t n) const {
    return g_.nodes[n].stream != planner::none &&
           !(p_.plan().runs_serially() && p_.input().tasks[n].body.asks_device().empty());
  }
  /// What only tasks do that put no work on a stream of a device, and slots that it does not make.
  [[gnu::cold]] void refuse_on_device() {
    for (std::size_t n = 0; n < g_.tasks; ++n) {
      const task& t = p_.input().tasks[n];
      const planner::task& declared = p_.declaration().tasks[n];
      const quoted who{t.name};
      refuse_items_of_device(n);
      if (!is_on_stream(n)) continue;
      if (t.body.drops() || !t.on_failure.empty())
        say("task ", who, t.body.drops() ? " may drop batches" : " drops batches if it fails",
            ", but it is on a stream of a device: its body returns before the stream has done what "
            "it put there; let a task without a stream, which waits for that, drop the batch");
      if (planner::has_items({&declared, 1}))
        say("task ", who,
            " consumes or produces items of slots, but it is on a stream of a device: let it work "
            "on all items of a batch at once, as one value of a slot, and tasks without a stream "
            "cut that up or put it together");
    }
  }
  /// Those do not lie side by side.
  [[gnu::cold]] void refuse_items_of_device(std::size_t n) {
    const auto look = [&](const planner::list<planner::use>& uses, planner::range of,
                          const auto& said) {
      for (std::size_t i = of.first; i < of.last; ++i)
        if (const slot_type* const type = types_[uses[i].slot];
            said[i - of.first].items != 0 && type != nullptr && type->construct_at != nullptr)
          say("task ", quoted{p_.input().tasks[n].name}, " consumes or produces items of slot ",
              quoted{g_.slot_list[uses[i].slot].text},
              ", whose values the device makes: let items be of a type that the host makes, and a "
              "task put them into one value of a slot on the device");
    };
    look(g_.reads, g_.nodes[n].reads, p_.declaration().tasks[n].reads);
    look(g_.writes, g_.nodes[n].writes, p_.declaration().tasks[n].writes);
  }
  [[gnu::cold]] void refuse_coroutines(const asked_of_tasks& asked) {
    const planner::declaration& d = p_.declaration();
    if (!planner::has_coroutines(d)) return;
    const planner::list<std::size_t>& workers = p_.plan().threads.workers;
    const bool among_others =
        planner::may_drop(d) || planner::has_items(d.tasks) ||
        std::any_of(workers.begin(), workers.end(), [](std::size_t number) { return number > 1; });
    for (std::size_t n = 0; n < g_.tasks; ++n) {
      const task& t = p_.input().tasks[n];
      if (!t.body.suspends()) continue;
      const quoted who{t.name};
      if (asked.meets)
        say("task ", who,
            " is a coroutine, but threads meet after every progress: leave `stretto::barrier` out, "
            "so that the others go on while it is suspended");
      if (!device_.empty() && is_on_stream(n))
        say("task ", who,
            " is a coroutine on a stream, but the pipeline has its streams on a device: what its "
            "body puts there once it has been suspended would come in no order with what others "
            "put there; let a task without a stream await, and one on the stream come after it");
      if (!collectives_.name.empty())
        say("task ", who,
            " is a coroutine, but the pipeline has collectives, whose order is kept by the threads "
            "of the pipeline, and whoever resumes it is none of them: let a task on a thread of "
            "its own wait for what it awaits");
      if (among_others)
        say("task ", who,
            " is a coroutine, but others drop batches, consume or produce items, or share their "
            "thread with workers, which do not go together: let a task on a thread of its own wait "
            "for what the coroutine awaits");
      if (asked.replaces_bodies)
        say("task ", who, " is a coroutine, which cannot be recorded or replayed");
    }
  }

  /// What is given back in the order of streams is for tasks on streams only.
  [[gnu::cold]] void refuse_transient_elsewhere() {
    const auto look = [this](const planner::list<planner::use>& uses) {
      for (const planner::use& u : uses) {
        if (types_[u.slot] == nullptr || !types_[u.slot]->transient) continue;
        const quoted slot{g_.slot_list[u.slot].text};
        constexpr std::string_view why =
            ", whose memory is transient, given back in the order of streams: use one whose "
            "memory stays, such as a `buffer`";
        if (u.node == g_.pull()) {
          say("the source fills slot ", slot, why);
        } else if (u.node == g_.deliver()) {
          say("results are handed out from slot ", slot, why);
        } else if (g_.nodes[u.node].stream == planner::none) {
          say("task ", quoted{p_.input().tasks[u.node].name}, " has no stream, and uses slot ",
              slot, why);
        } else if (g_.nodes[u.node].runs.at_end) {
          say("task ", quoted{p_.input().tasks[u.node].name},
              " runs at the end, too, for what is left of a group (`and_at_end`), and uses slot ",
              slot, why);
        }
      }
    };
    look(g_.writes);
    look(g_.reads);
  }

  /// Who knows a slot's type: a task, or if \p by is none the schedule.
  [[gnu::cold, gnu::noinline]] std::string named(std::size_t by) const {
    if (by == planner::none) return "the schedule";
    return joined("task ", quoted{p_.input().tasks[by].name});
  }

  [[gnu::cold, gnu::noinline]] void tell(std::size_t slot, const slot_type* type, std::size_t by) {
    const slot_type*& known = types_[slot];
    if (known == nullptr) {
      known = type;
      told_by_[slot] = by;
    } else if (*known == *type) {
      return;
    } else if (known->name == type->name) {
      say("slot ", quoted{g_.slot_list[slot].text}, " is of two types that are both spelled `",
          type->name, "`: what ", named(told_by_[slot]),
          " knows by that name is another than what ", named(by),
          " does; use one type for both, from one header");
    } else {
      say("slot ", quoted{g_.slot_list[slot].text}, " is `", known->name, "` to ",
          named(told_by_[slot]), ", but `", type->name, "` to ", named(by));
    }
  }

  /// Whether several workers run the task, of which groups of one thread have none.
  bool in_turn_on_workers(std::size_t n) const {
    const planner::thread_map& threads = p_.plan().threads;
    return threads.workers[threads.thread_of[n]] > 1 &&
           planner::shared_by_workers(p_.declaration(), n);
  }

  [[gnu::cold, gnu::noinline]] void look_at(std::size_t n) {
    const task& t = p_.input().tasks[n];
    const quoted who{t.name};
    if (!t.body && is_transfer(t))
      return say("task ", who,
                 " has no body: a transfer's is `stretto::dynamic::sent<T>()`, T the type of its "
                 "slot");
    if (!t.body) return say("task ", who, " has no body: it can be planned, but not run");
    if (in_turn_on_workers(n) && !t.body.shareable())
      say("task ", who,
          " is called by several workers at once, but not callable as const; declare its call "
          "operator const, and keep what it changes in slots");
    if (const std::string_view asks = t.body.asks_device();
        !asks.empty() && !(t.body.asked_driver() == driver_))
      say("task ", who, " asks for its place on the device of `", asks,
          "`, but the pipeline's streams are on ",
          device_.empty() ? "the host: give it that device as an option" : "that of `", device_,
          device_.empty() ? "" : "`");
    else if (!asks.empty() && g_.nodes[n].stream == planner::none)
      say("task ", who,
          " has no stream, and its body asks for one: give the task a stream, or let ",
          "the body take `const stretto::task_context&`");
    look_at_collective(t);
    look_at_transfer(t);
    if (t.body.asks_by_name()) {
      if (planner::has_items({&p_.declaration().tasks[n], 1}))
        say("task ", who,
            " consumes or produces items of slots, and its body asks for slots by name; let the "
            "body take `stretto::dynamic::consumes<T>` and `produces<T>`");
      return;
    }

    const std::vector<parameter>& takes = t.body.parameters();
    const planner::node& node = g_.nodes[n];
    const std::size_t reads = node.reads.last - node.reads.first;
    const std::size_t writes = node.writes.last - node.writes.first;
    if (takes.size() != reads + writes)
      return say("task ", who, " reads ", reads, " and writes ", writes,
                 " slots, but its body takes ", takes.size(),
                 ": it takes what is read, then what is written");
    for (std::size_t i = 0; i < takes.size(); ++i) {
      const bool written = i >= reads;
      const std::size_t slot = written ? g_.writes[node.writes.first + i - reads].slot
                                       : g_.reads[node.reads.first + i].slot;
      const quoted what{g_.slot_list[slot].text};
      if ((written ? t.writes[i - reads] : t.reads[i]).items != 0) {
        if (const bool items = takes[i].items; !items || takes[i].writes != written) {
          say("task ", who, " takes slot ", what,
              items     ? written ? " as items to consume, but produces"
                                  : " as items to produce, but consumes"
              : written ? " as one value, but produces"
                        : " as one value, but consumes",
              " items of it; take them as `stretto::dynamic::", written ? "produces<" : "consumes<",
              item_type(takes[i].type->name), ">`");
          continue;
        }
        tell(slot, takes[i].type, n);
        continue;
      }
      if (takes[i].items) {
        say("task ", who, " takes slot ", what,
            " as items, but has it as one value; list `use::items_of` of it, or take it as what it "
            "is");
        continue;
      }
      if (takes[i].writes && !written)
        say("task ", who, " takes slot ", what,
            " to change it, but only reads it; take it as const, or list it in `writes`");
      if (takes[i].takes && !written && !t.reads[i].takes)
        say("task ", who, " takes slot ", what,
            " as one that it may move from, but only reads it; take it as const, or list `takes(\"",
            g_.slot_list[slot].text, "\")` in `reads`");
      if (!takes[i].takes && !written && t.reads[i].takes)
        say("task ", who, " is to take the value of slot ", what, "; take it as `",
            takes[i].type->name, "&&`, or list the slot without `takes`");
      if (!takes[i].writes && written)
        say("task ", who, " takes slot ", what,
            " by value or as const, but writes it; take it as `", takes[i].type->name, "&`");
      const bool latest = !written && t.reads[i].latest;
      const bool earlier = !written && !latest && t.reads[i].ago > 0;
      if (takes[i].latest != latest)
        say("task ", who, " takes slot ", what,
            latest ? ", but reads what was written last, which may be nothing yet; take it as "
                     "`stretto::dynamic::latest<"
                   : " as what was written last, but does not read that; list `use::latest_of` of "
                     "it in `reads`, or take it as `",
            takes[i].type->name, latest ? ">`" : "`");
      if (takes[i].earlier && !earlier && !written && !latest)
        say("task ", who, " takes slot ", what,
            " as of an earlier batch, but reads it of the batch at hand; take it as `const ",
            takes[i].type->name, "&`");
      if (!takes[i].earlier && earlier)
        say("task ", who, " takes slot ", what,
            " as a value, but reads it of an earlier batch, which there may be none of; take it as "
            "`stretto::dynamic::previous<",
            takes[i].type->name, ">`");
      tell(slot, takes[i].type, n);
    }
  }

  /// What a parameter that is to take items has items of: a span has those. Some compilers spell
  /// the extent of one that has any number.
  static std::string_view item_type(std::string_view parameter) {
    constexpr std::string_view span = "std::span<";
    if (!parameter.starts_with(span)) return parameter;
    parameter.remove_prefix(span.size());
    parameter.remove_suffix(1);
    parameter = parameter.substr(0, parameter.rfind(", 18446744073709551615"));
    if (constexpr std::string_view constant = "const "; parameter.starts_with(constant))
      parameter.remove_prefix(constant.size());
    return parameter;
  }

  [[gnu::cold, gnu::noinline]] void look_at_roles() {
    const quoted who{p_.input().name};
    if (p_.whole() != nullptr && collectives_.transfers == nullptr)
      say(who,
          " is what one rank of several runs, and needs collectives that send from role to role: "
          "`stretto::local::collectives`, `stretto::mpi::collectives` or "
          "`stretto::nccl::collectives` among the options of its pipeline");
    if (p_.whole() == nullptr && !collectives_.name.empty() && planner::has_roles(p_.declaration()))
      say("schedule ", who,
          " has roles, so that with collectives each rank runs its own part: give the pipeline "
          "`stretto::dynamic::projection(schedule, \"role\")`");
  }

  [[gnu::cold, gnu::noinline]] void look_at_transfer(const task& t) {
    const runner::sent_value* const how = t.body.sent();
    if (how == nullptr || p_.whole() == nullptr || collectives_.transfers == nullptr ||
        collectives_.transfers->can_send(*how))
      return;
    say("transfer ", quoted{t.name}, " sends slot ",
        quoted{t.reads.empty() ? t.writes.front().slot : t.reads.front().slot}, " of type `",
        t.body.parameters().front().type->name, "`, ", collectives_.transfers->otherwise);
  }

  [[gnu::cold, gnu::noinline]] void look_at_collective(const task& t) {
    const std::string_view asks = t.body.asks_collectives();
    if (asks.empty()) return;
    const quoted who{t.name};
    if (collectives_.name.empty())
      say("task ", who, " asks for `", asks,
          "`, but the pipeline is given no collectives: give it those as an option");
    else if (!(t.body.asked_context() == collectives_.type))
      say("task ", who, " asks for `", asks, "`, but the pipeline's collectives have `",
          collectives_.name, "`");
    else if (!t.collective)
      say("task ", who,
          " asks for its communicator and is no collective: set its `collective`, or let the body "
          "take `const stretto::task_context&`");
  }

  const planned_schedule& p_;
  std::string_view device_;
  type_identity driver_;
  known_collectives collectives_;
  const planner::graph& g_;
  std::vector<const slot_type*> types_;
  planner::list<std::size_t> told_by_;  // by slot: see named
};

}  // namespace stretto::dynamic::detail
