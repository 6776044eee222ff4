// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stretto/collective/error.hpp>
#include <stretto/collective/message.hpp>
#include <stretto/collective/wording.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::collective {

/// What ranks compare of their plans before the first collective.
struct plan_digest {
  struct task {
    std::string name;
    std::uint64_t fingerprint = 0;
  };
  std::uint64_t fingerprint = 0;  ///< of the whole plan
  std::vector<task> tasks{};      ///< in the order of one progress
};

inline message packed(const plan_digest& plan) {
  writer out;
  out.number(plan.fingerprint).number(plan.tasks.size());
  for (const plan_digest::task& t : plan.tasks) out.text(t.name).number(t.fingerprint);
  return out.made();
}

inline plan_digest unpacked_plan(std::string_view bytes) {
  reader in(bytes);
  plan_digest plan;
  plan.fingerprint = in.number();
  for (std::size_t left = in.size(); left > 0; --left) {
    plan_digest::task t;
    t.name = in.text();
    t.fingerprint = in.number();
    plan.tasks.push_back(std::move(t));
  }
  return plan;
}

namespace detail {

/// Ranks that are the same in something, in order.
using rank_groups = std::vector<std::vector<std::size_t>>;

template <class Same>
rank_groups grouped(std::size_t ranks, Same&& same) {
  rank_groups groups;
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& group) { return same(group.front(), r); });
    if (found == groups.end()) {
      groups.push_back({r});
    } else {
      found->push_back(r);
    }
  }
  return groups;
}

/// What is at a place in the plan of a rank; past its end, no task.
inline plan_digest::task task_at(const plan_digest& plan, std::size_t place) {
  return place < plan.tasks.size() ? plan.tasks[place] : plan_digest::task{};
}

[[noreturn]] inline void throw_mismatch(const std::vector<plan_digest>& by_rank,
                                        const rank_groups& groups) {
  std::vector<std::size_t> others;
  for (std::size_t g = 1; g < groups.size(); ++g)
    others.insert(others.end(), groups[g].begin(), groups[g].end());
  std::sort(others.begin(), others.end());

  std::size_t most = 0;
  for (const plan_digest& plan : by_rank) most = (std::max)(most, plan.tasks.size());
  std::string text = ranks_text(groups.front());
  for (std::size_t g = 1; g < groups.size(); ++g)
    text.append(g + 1 == groups.size() ? " and " : ", ").append(ranks_text(groups[g]));
  text.append(" run different plans: ");
  const auto same_name_at = [&](std::size_t place) {
    return [&, place](std::size_t a, std::size_t b) {
      return task_at(by_rank[a], place).name == task_at(by_rank[b], place).name;
    };
  };
  // The source is pulled ahead of what is furthest ahead, so it differs along with others: those
  // come first, unless it is in another place.
  std::size_t found = most;
  for (std::size_t place = 0; place < most; ++place) {
    const auto same_name = same_name_at(place);
    const auto same = [&](std::size_t a, std::size_t b) {
      return same_name(a, b) &&
             task_at(by_rank[a], place).fingerprint == task_at(by_rank[b], place).fingerprint;
    };
    if (grouped(by_rank.size(), same).size() == 1) continue;
    if (found == most) found = place;
    if (task_at(by_rank[0], place).name == "pull" && grouped(by_rank.size(), same_name).size() == 1)
      continue;
    found = place;
    break;
  }
  if (found < most) {
    const std::size_t place = found;
    const std::string first = task_at(by_rank[0], place).name;
    const rank_groups names = grouped(by_rank.size(), same_name_at(place));
    if (names.size() == 1) {
      text.append("they differ in task `").append(first);
      text.append("`: its lookahead, stream, role, communicator or what it waits for");
    } else {
      text.append("in place ").append(std::to_string(place)).append(" of the order ");
      for (std::size_t g = 0; g < names.size(); ++g) {
        const std::string name = task_at(by_rank[names[g].front()], place).name;
        if (g > 0) text.append(g + 1 == names.size() ? " and " : ", ");
        text.append(ranks_text(names[g])).append(names[g].size() == 1 ? " has " : " have ");
        text.append(name.empty() ? "no task" : std::string("task `").append(name).append("`"));
      }
    }
    throw plan_mismatch_error(text, std::move(others), first);
  }
  throw plan_mismatch_error(
      text.append("their tasks are the same, their slots' copies or edges are not"),
      std::move(others), {});
}

}  // namespace detail

/// Throws `plan_mismatch_error` unless the plans of all ranks are the same.
inline void compare_plans(const std::vector<plan_digest>& by_rank) {
  const detail::rank_groups groups =
      detail::grouped(by_rank.size(), [&](std::size_t a, std::size_t b) {
        return by_rank[a].fingerprint == by_rank[b].fingerprint;
      });
  if (groups.size() > 1) detail::throw_mismatch(by_rank, groups);
}

}  // namespace stretto::collective
