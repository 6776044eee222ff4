// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/collective/plans.hpp>
#include <stretto/collective/row.hpp>
#include <stretto/static/query/communicators.hpp>
#include <stretto/static/query/explain.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::collective {

/// What a schedule's collectives ask of a library that does them.
struct demand {
  plan_digest plan{};
  std::vector<ticket_row::ticket> tickets{};
  std::vector<std::size_t> place{};              ///< by node: of its ticket
  std::vector<std::string_view> communicator{};  ///< by node: its name; empty if it has none
  std::vector<std::vector<std::string_view>> further{};  ///< by node: of other communicators of it
  std::vector<std::string_view> task{};                  ///< by node
  bool other_threads = false;     ///< there are, in addition to the calling one
  bool called_by_others = false;  ///< they run collectives
};

namespace detail {

/// A fingerprint that a name has gone into.
constexpr std::uint64_t with_name(std::uint64_t fingerprint, std::string_view name) {
  for (const char c : name)
    fingerprint = (fingerprint ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fingerprint;
}

}  // namespace detail

template <class Schedule>
plan_digest digest_of() {
  constexpr const auto& plan = plan_of<Schedule>;
  constexpr const auto& names = communicator_names<Schedule>;
  constexpr const auto& further = further_communicator_names<Schedule>;
  plan_digest digest;
  digest.fingerprint = fingerprint<Schedule>;
  for (const node_fingerprint& f : node_fingerprints<Schedule>) {
    const std::string_view among = f.node < names.size() ? names[f.node] : std::string_view();
    std::uint64_t own = detail::with_name(f.value, among);
    digest.fingerprint = detail::with_name(digest.fingerprint, among);
    if (f.node < names.size())
      for (const std::string_view other : further[f.node]) {
        own = detail::with_name(detail::with_name(own, " "), other);
        digest.fingerprint = detail::with_name(detail::with_name(digest.fingerprint, " "), other);
      }
    digest.tasks.push_back({std::string(plan.names[f.node]), own});
  }
  return digest;
}

template <class Schedule>
demand demand_of() {
  constexpr const auto& plan = plan_of<Schedule>;
  constexpr const auto& names = communicator_names<Schedule>;
  constexpr const auto& further = further_communicator_names<Schedule>;
  demand all;
  all.plan = digest_of<Schedule>();
  all.place.assign(plan.nodes, 0);
  all.task.assign(plan.names.begin(), plan.names.end());
  all.communicator.assign(plan.nodes, {});
  all.further.resize(plan.nodes);
  for (std::size_t n = 0; n < names.size(); ++n) {
    all.communicator[n] = names[n];
    all.further[n].assign(further[n].begin(), further[n].end());
  }
  for (const std::size_t n : plan.tickets) {
    all.place[n] = all.tickets.size();
    all.tickets.push_back({plan.names[n], plan.lag[n], n == plan.pull});
    if (plan.thread_of[n] != 0) all.called_by_others = true;
  }
  all.other_threads = plan.threads > 1;
  return all;
}

/// Ranks that have something in common besides the schedule, which \p what tells, run another plan
/// than ranks that do not.
inline void distinguish(demand& all, std::string_view what) {
  all.plan.fingerprint = detail::with_name(all.plan.fingerprint, what);
  for (auto& task : all.plan.tasks) task.fingerprint = detail::with_name(task.fingerprint, what);
}

}  // namespace stretto::collective
