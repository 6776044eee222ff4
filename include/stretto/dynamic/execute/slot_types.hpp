// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <map>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/known_driver.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/dynamic/values/type_identity.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What running a schedule asks of it beyond a plan: a source, bodies, and one type for each slot.
namespace stretto::dynamic::detail {

class slot_types {
 public:
  /// Throws `schedule_error`, which says everything that is missing or contradicts.
  slot_types(const planned_schedule& p, const known_driver& driver)
      : p_(p),
        device_(driver.name),
        driver_(driver.type),
        g_(p.plan().resolved),
        types_(g_.slot_list.size()),
        told_by_(g_.slot_list.size()) {
    if (g_.source_slot == planner::none)
      say("it has no source: name the slot that each batch is put into, `source.slot`");
    std::map<std::string_view, std::size_t> by_name;
    for (std::size_t slot = 0; slot < g_.slot_list.size(); ++slot)
      by_name.emplace(g_.slot_list[slot].text, slot);
    for (const typed_slot& t : p_.input().types)
      if (const auto at = by_name.find(t.slot); t.type != nullptr && at != by_name.end())
        tell(at->second, t.type, "the schedule");
    for (std::size_t n = 0; n < g_.tasks; ++n) look_at(n);
    const bool all_else_fits = said_.empty();
    for (std::size_t slot = 0; slot < types_.size(); ++slot)
      if (types_[slot] == nullptr && all_else_fits)
        say(joined("nothing tells the type of slot ", quoted(g_.slot_list[slot].text),
                   ": say it with `schedule.slot<T>(\"", g_.slot_list[slot].text, "\")`"));
    if (device_.empty())
      for (std::size_t slot = 0; slot < types_.size(); ++slot)
        if (types_[slot] != nullptr && types_[slot]->construct == nullptr)
          say(joined("slot ", quoted(g_.slot_list[slot].text), " is `", types_[slot]->name,
                     "`, which lives on a device, but the pipeline's streams are on the host: give "
                     "it the device as an option"));
    if (!said_.empty()) {
      const std::size_t all = said_.size();
      throw schedule_error(p_.input().name, std::move(said_), all);
    }
  }

  const slot_type& operator[](std::size_t slot) const { return *types_[slot]; }

 private:
  static std::string quoted(std::string_view text) { return planner::quoted(text); }
  void say(std::string sentence) {
    if (said_.size() < 100) said_.push_back(std::move(sentence));
  }

  void tell(std::size_t slot, const slot_type* type, const std::string& by) {
    if (types_[slot] == nullptr) {
      types_[slot] = type;
      told_by_[slot] = by;
    } else if (*types_[slot] == *type) {
      return;
    } else if (types_[slot]->name == type->name) {
      say(joined("slot ", quoted(g_.slot_list[slot].text),
                 " is of two types that are both spelled `", type->name, "`: what ", told_by_[slot],
                 " knows by that name is another than what ", by,
                 " does; use one type for both, from one header"));
    } else {
      say(joined("slot ", quoted(g_.slot_list[slot].text), " is `", types_[slot]->name, "` to ",
                 told_by_[slot], ", but `", type->name, "` to ", by));
    }
  }

  /// Whether several workers run the task, of which groups of one thread have none.
  bool in_turn_on_workers(std::size_t n) const {
    const planner::thread_map& threads = p_.plan().threads;
    return threads.workers[threads.thread_of[n]] > 1 &&
           planner::shared_by_workers(p_.declaration(), n);
  }

  void look_at(std::size_t n) {
    const task& t = p_.input().tasks[n];
    const std::string who = joined("task ", quoted(t.name));
    if (!t.body) return say(joined(who, " has no body: it can be planned, but not run"));
    if (in_turn_on_workers(n) && !t.body.shareable())
      say(joined(
          who,
          " is called by several workers at once, but not callable as const; declare its call "
          "operator const, and keep what it changes in slots"));
    if (const std::string_view asks = t.body.asks_device();
        !asks.empty() && !(t.body.asked_driver() == driver_))
      say(joined(who, " asks for its place on the device of `", asks,
                 "`, but the pipeline's streams are on ",
                 device_.empty() ? std::string("the host: give it that device as an option")
                                 : joined("that of `", device_, "`")));
    if (t.body.asks_by_name()) return;

    const std::vector<parameter>& takes = t.body.parameters();
    const planner::node& node = g_.nodes[n];
    const std::size_t reads = node.reads.last - node.reads.first;
    const std::size_t writes = node.writes.last - node.writes.first;
    if (takes.size() != reads + writes)
      return say(joined(who, " reads ", reads, " and writes ", writes,
                        " slots, but its body takes ", takes.size(),
                        ": it takes what is read, then what is written"));
    for (std::size_t i = 0; i < takes.size(); ++i) {
      const bool written = i >= reads;
      const std::size_t slot = written ? g_.writes[node.writes.first + i - reads].slot
                                       : g_.reads[node.reads.first + i].slot;
      const std::string where = joined(who, " takes slot ", quoted(g_.slot_list[slot].text));
      if (takes[i].writes && !written)
        say(joined(where,
                   " to change it, but only reads it; take it as const, or list it in `writes`"));
      if (!takes[i].writes && written)
        say(joined(where, " by value or as const, but writes it; take it as `", takes[i].type->name,
                   "&`"));
      tell(slot, takes[i].type, who);
    }
  }

  const planned_schedule& p_;
  std::string_view device_;
  type_identity driver_;
  const planner::graph& g_;
  std::vector<const slot_type*> types_;
  std::vector<std::string> told_by_;
  std::vector<std::string> said_;
};

}  // namespace stretto::dynamic::detail
