// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/run/error.hpp>
#include <stretto/run/text_builder.hpp>
#include <stretto/run/threads/affinity.hpp>
#include <stretto/run/threads/core_set.hpp>
#include <stretto/run/threads/group_named.hpp>
#include <stretto/run/threads/pinned_threads.hpp>

namespace stretto::runner::detail {

STRETTO_INLINE planner::list<core_set> cores_of_groups(const cores& wanted,
                                                       planner::view<std::string_view> groups) {
  planner::list<core_set> result;
  if (wanted.groups().empty()) return result;
  result.assign(groups.size(), core_set());
  const core_set there = core_set::of_this_process();
  for (const cores::group& one : wanted.groups()) {
    text_builder text;
    text.add("cores of thread group ").name(one.name()).add(": ");
    const auto refuse = [&] { throw usage_error(text.text()); };
    const std::size_t g = group_named(groups, one.name());
    if (g == groups.size()) {
      text.add("the pipeline has none of this name, but ").names(groups);
      refuse();
    }
    if (!result[g].empty()) {
      text.add("it is named twice; list all of its cores in one place");
      refuse();
    }
    if (one.numbers().empty()) {
      text.add("none are given; leave the group out to let it run anywhere");
      refuse();
    }
    if (there.empty()) {
      text.add("this system lets no program choose them");
      refuse();
    }
    for (const int core : one.numbers()) {
      if (!there.has(core)) {
        text.add("there is no core ").add(core).add(" for this process, but ");
        name_cores(text, there);
        refuse();
      }
      if (result[g].has(core)) {
        text.add("core ").add(core).add(" is named twice; name it once");
        refuse();
      }
      result[g].add(core);
    }
  }
  return result;
}

STRETTO_INLINE planner::list<core_set> cores_of_hosts(planner::view<core_set> of_groups,
                                                      planner::view<std::size_t> workers,
                                                      bool pins) {
  planner::list<core_set> result;
  if (of_groups.empty() && !pins) return result;
  const core_set own = pinned_threads::own_cores();
  core_set rest = own;
  for (const core_set& taken : of_groups) rest = rest.without(taken);
  if (rest.empty()) rest = own;
  std::size_t others = 0;
  for (std::size_t g = 0; g < workers.size(); ++g) {
    const core_set named = of_groups.empty() ? core_set() : of_groups[g];
    for (std::size_t k = 0; k < workers[g]; ++k) {
      if (!pins) {
        result.push_back(named);
      } else if (!named.empty()) {
        result.push_back(named.turn(k));
      } else {
        result.push_back(rest.turn(others++));
      }
    }
  }
  return result;
}

/// Puts host threads on the cores that the user wants, or on one each.
class core_placement final : public placement {
 public:
  core_placement(planner::list<core_set> of_groups, planner::view<std::size_t> workers, bool pins)
      : of_groups_(static_cast<planner::list<core_set>&&>(of_groups)),
        workers_(workers),
        pins_(pins) {}

  void choose() override {
    if (of_hosts_.empty()) of_hosts_ = cores_of_hosts(of_groups_, workers_, pins_);
  }
  void start_from_here() override { home_ = pinned_threads::home(); }
  void enter(std::size_t host) const override {
    home_.apply();
    of_hosts_[host].apply();
  }
  void hold(const void* by, std::size_t host) const noexcept override {
    pinned_threads::hold(by, of_hosts_[host]);
  }
  void release(const void* by) const override { pinned_threads::release(by); }

 private:
  planner::list<core_set> of_groups_;
  planner::view<std::size_t> workers_;
  bool pins_;
  planner::list<core_set> of_hosts_;  ///< from the first run on
  core_set home_;                     ///< which threads would inherit if no run held their maker
};

STRETTO_INLINE placement* make_placement(const cores& wanted,
                                         planner::view<std::string_view> groups,
                                         planner::view<std::size_t> workers, bool pins) {
  planner::list<core_set> of_groups = cores_of_groups(wanted, groups);
  if (of_groups.empty() && !pins) return nullptr;
  return new core_placement(static_cast<planner::list<core_set>&&>(of_groups), workers, pins);
}

}  // namespace stretto::runner::detail
