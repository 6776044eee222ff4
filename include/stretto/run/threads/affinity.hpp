// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/compiled/linkage.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/threads/placement.hpp>
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

class core_set;

/// The cores of each of a pipeline's thread groups, none where \p wanted does not name it; no list
/// if it names no group. Throws `usage_error` if it cannot be done.
STRETTO_INLINE planner::list<core_set> cores_of_groups(const cores& wanted,
                                                       planner::view<std::string_view> groups);

/// Where each host thread is to run; no list if all run anywhere, an empty set for those that do.
/// \p workers says how many host threads each group has, \p of_groups is what cores_of_groups()
/// made as the user asked. Pinned threads that it does not name share the rest of the calling
/// thread's cores.
STRETTO_INLINE planner::list<core_set> cores_of_hosts(planner::view<core_set> of_groups,
                                                      planner::view<std::size_t> workers,
                                                      bool pins);

/// Where the host threads of a pipeline run that pins its threads, or whose user wants the cores \p
/// wanted; null if neither. \p groups are its thread groups, \p workers says how many host threads
/// each has. Throws `usage_error` if it cannot be done.
STRETTO_INLINE placement* make_placement(const cores& wanted,
                                         planner::view<std::string_view> groups,
                                         planner::view<std::size_t> workers, bool pins);

}  // namespace runner::detail
}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/threads/affinity.ipp>
#endif
