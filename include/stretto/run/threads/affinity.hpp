// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/text_builder.hpp>
#include <stretto/run/threads/core_set.hpp>
#include <stretto/run/threads/pinned_threads.hpp>
#include <string_view>

namespace stretto {

/// Pipeline option: threads run wherever the system puts them (the default).
struct unpinned {
  using stretto_tag = tag::affinity;
  static constexpr bool pins = false;
};

/// Pipeline option: each host thread on a core of its own, the i-th on the i-th of the cores that
/// the calling thread may use at the first run, in turn if there are fewer. The calling thread is
/// on the first while a run exists. Schedulers that pack threads onto few cores otherwise undo the
/// overlap. Linux; elsewhere it does nothing.
///
/// A thread group that `cores` names takes its cores from there, and the others do without those.
struct pinned {
  using stretto_tag = tag::affinity;
  static constexpr bool pins = true;
};

/// Which cores thread groups may use, as the system numbers them; an argument of a pipeline's
/// constructor: `cores{{"caller", {0}}, {"loading", {1, 2}}}`. All workers of a group get its
/// cores. Groups that are not named run where the system puts them.
///
/// The constructor throws `usage_error`, which says what there is, for a group that the pipeline
/// does not have or that is named twice, for one without cores, for a core that is named twice or
/// that a thread of the process cannot be put on, and where the system lets nobody choose (other
/// than Linux).
class cores {
 public:
  /// A thread group and its cores.
  class group {
   public:
    group() = default;
    group(std::string_view name, std::initializer_list<int> numbers)
        : group(name, planner::view<int>(numbers.begin(), numbers.size())) {}
    /// \p numbers may be any container that holds them side by side.
    group(std::string_view name, planner::view<int> numbers)
        : name_(planner::view<char>(name.data(), name.size())), numbers_(numbers) {}

    std::string_view name() const { return {name_.data(), name_.size()}; }
    planner::view<int> numbers() const { return numbers_; }

   private:
    planner::list<char> name_;
    planner::list<int> numbers_;
  };

  cores() = default;
  cores(std::initializer_list<group> groups) {
    for (const group& g : groups) groups_.push_back(g);
  }
  /// One more group.
  cores& add(const group& one) {
    groups_.push_back(one);
    return *this;
  }

  planner::view<group> groups() const { return groups_; }

 private:
  planner::list<group> groups_;
};

namespace runner::detail {

/// The number of a thread group, or `size()` of them.
inline std::size_t group_named(planner::view<std::string_view> groups, std::string_view name) {
  std::size_t g = 0;
  while (g < groups.size() && groups[g] != name) ++g;
  return g;
}

/// The cores of each of a pipeline's thread groups, none where \p wanted does not name it; no list
/// if it names no group. Throws `usage_error` if it cannot be done.
[[gnu::noinline]] inline planner::list<core_set> cores_of_groups(
    const cores& wanted, planner::view<std::string_view> groups) {
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

/// Where each host thread is to run; no list if all run anywhere, an empty set for those that do.
/// \p workers says how many host threads each group has, \p of_groups is what cores_of_groups()
/// made as the user asked. Pinned threads that it does not name share the rest of the calling
/// thread's cores.
[[gnu::noinline]] inline planner::list<core_set> cores_of_hosts(planner::view<core_set> of_groups,
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

}  // namespace runner::detail
}  // namespace stretto
