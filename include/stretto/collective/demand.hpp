// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stretto/collective/plans.hpp>
#include <stretto/collective/roles.hpp>
#include <stretto/collective/row.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/role.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/derive/sort.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/projected.hpp>
#include <stretto/plan/rules/roles.hpp>
#include <stretto/plan/text/exceeded_bounds.hpp>
#include <stretto/static/query/communicators.hpp>
#include <stretto/static/query/fingerprint.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stretto::collective {

/// What a schedule's collectives ask of a library that does them.
struct demand {
  plan_digest plan{};
  std::vector<ticket_row::ticket> tickets{};
  std::vector<std::size_t> place{};              ///< by node: of its ticket
  std::vector<std::string_view> communicator{};  ///< by node: its name; empty if it has none
  std::vector<std::vector<std::string_view>> further{};   ///< by node: of other communicators of it
  std::vector<std::string_view> task{};                   ///< by node
  std::vector<std::size_t> number{};                      ///< by node: in the schedule of all ranks
  std::vector<std::optional<role_transfer>> transfers{};  ///< by node
  casting roles{};                                        ///< if the schedule differs by rank
  std::size_t pull = 0;                                   ///< the node that asks the source
  bool other_threads = false;     ///< there are, in addition to the calling one
  bool called_by_others = false;  ///< they run collectives

  /// Whether a task is a collective of those ranks alone that play the role of this one.
  bool is_of_role(std::size_t node) const {
    if (roles.empty() || communicator[node].empty()) return false;
    const casting::meeting& m = roles.meetings[place[node]];
    return !m.roles.empty() && !m.in_place;
  }
};

namespace detail {

/// A fingerprint that a name has gone into.
constexpr std::uint64_t with_name(std::uint64_t fingerprint, std::string_view name) {
  for (const char c : name)
    fingerprint = (fingerprint ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fingerprint;
}

}  // namespace detail

/// A plan as far as collectives have to know it, whether types were planned or values.
struct known_plan {
  planner::view<std::string_view> names{};                     ///< by node
  planner::view<std::size_t> lag{};                            ///< by node
  planner::view<std::size_t> thread_of{};                      ///< by node
  planner::view<std::string_view> communicators{};             ///< by task, as `communicator_names`
  planner::view<std::span<const std::string_view>> further{};  ///< by task, if any has them
  planner::view<std::size_t> tickets{};
  std::size_t pull = 0;
  std::size_t threads = 1;
  std::uint64_t fingerprint = 0;
  planner::view<node_fingerprint> nodes{};  ///< in the order of one progress
  planner::view<planner::rate> runs{};      ///< by node
};

namespace detail {

template <class Schedule>
known_plan plan_known_of() {
  constexpr const auto& plan = plan_of<Schedule>;
  return {plan.names,
          plan.lag,
          plan.thread_of,
          communicator_names<Schedule>,
          further_communicator_names<Schedule>,
          plan.tickets,
          plan.pull,
          plan.threads,
          fingerprint<Schedule>,
          node_fingerprints<Schedule>,
          plan.runs};
}

}  // namespace detail

inline plan_digest digest_of(const known_plan& plan) {
  plan_digest digest;
  digest.fingerprint = plan.fingerprint;
  for (const node_fingerprint& f : plan.nodes) {
    const std::string_view among =
        f.node < plan.communicators.size() ? plan.communicators[f.node] : std::string_view();
    std::uint64_t own = detail::with_name(f.value, among);
    digest.fingerprint = detail::with_name(digest.fingerprint, among);
    if (f.node < plan.further.size())
      for (const std::string_view other : plan.further[f.node]) {
        own = detail::with_name(detail::with_name(own, " "), other);
        digest.fingerprint = detail::with_name(detail::with_name(digest.fingerprint, " "), other);
      }
    digest.tasks.push_back({std::string(plan.names[f.node]), own});
  }
  return digest;
}

inline demand demand_of(const known_plan& plan) {
  demand all;
  all.plan = digest_of(plan);
  all.pull = plan.pull;
  all.place.assign(plan.names.size(), 0);
  all.task.assign(plan.names.begin(), plan.names.end());
  all.communicator.assign(plan.names.size(), {});
  all.further.resize(plan.names.size());
  all.transfers.resize(plan.names.size());
  for (std::size_t n = 0; n < plan.names.size(); ++n) all.number.push_back(n);
  for (std::size_t n = 0; n < plan.communicators.size(); ++n)
    all.communicator[n] = plan.communicators[n];
  for (std::size_t n = 0; n < plan.further.size(); ++n)
    all.further[n].assign(plan.further[n].begin(), plan.further[n].end());
  for (const std::size_t n : plan.tickets) {
    all.place[n] = all.tickets.size();
    all.tickets.push_back({plan.names[n], plan.lag[n], n == plan.pull, plan.runs[n]});
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

template <class Schedule>
plan_digest digest_of() {
  return digest_of(detail::plan_known_of<Schedule>());
}

namespace detail {

inline role_transfer transfer_of(const planner::task& t) {
  return {t.id.text, t.role, {t.to.begin(), t.to.end()}};
}

/// Which ranks make a collective, in what place of the order of all.
inline casting::meeting meeting_of(const planner::task& t, const planner::met_plan& whole) {
  casting::meeting m;
  const std::size_t number = planner::number_of(t.id, whole.tasks);
  while (whole.tickets[m.place] != number) ++m.place;
  ++m.place;  // behind the agreement on the batch
  if (!t.role.empty()) m.roles.push_back(t.role);
  m.roles.insert(m.roles.end(), t.to.begin(), t.to.end());
  m.in_place = planner::is_transfer(t);
  return m;
}

/// The schedule of all ranks is what they compare, and roles are told by.
inline void add_roles(demand& all, std::string_view own, const planner::declaration& bare,
                      const planner::met_plan& whole, const planner::met_plan& part,
                      planner::view<std::span<const std::string_view>> further) {
  casting& roles = all.roles;
  const planner::role_judge judge(bare);
  roles.own = own;
  for (std::size_t r = 0; r < judge.count(); ++r) roles.all.push_back(judge.role(r));
  const auto add = [&roles](std::string_view among) {
    std::vector<std::string_view>& known = roles.communicators;
    if (std::find(known.begin(), known.end(), among) == known.end()) known.push_back(among);
  };
  for (std::size_t n = 0; n < whole.tasks.size(); ++n) {
    const planner::task& t = whole.tasks[n];
    if (planner::is_transfer(t)) {
      roles.transfers.push_back(transfer_of(t));
    } else if (t.collective && !t.role.empty()) {
      add(planner::communicator_of(t));
      if (n < further.size()) std::for_each(further[n].begin(), further[n].end(), add);
    }
  }
  roles.tickets = whole.tickets.size() + 1;
  for (const std::size_t n : part.tickets)
    roles.meetings.push_back(n == all.pull ? casting::meeting() : meeting_of(part.tasks[n], whole));
  for (std::size_t n = 0; n < part.tasks.size(); ++n) {
    all.number[n] = planner::number_of(part.tasks[n].id, whole.tasks);
    if (planner::is_transfer(part.tasks[n])) all.transfers[n] = transfer_of(part.tasks[n]);
  }
}

template <class Part, class Whole, class Role>
void add_roles(demand& all, declare::projected<Whole, Role>*) {
  constexpr const auto& part = typed::declared<Part>::value.tasks;
  constexpr const auto& whole = typed::declared<Whole>::value.tasks;
  // Named, because nvcc cannot print them as arguments.
  constexpr planner::met_plan of_all{whole, plan_of<Whole>.lag, plan_of<Whole>.tickets};
  constexpr planner::met_plan of_part{part, plan_of<Part>.lag, plan_of<Part>.tickets};
  static_assert(planner::keeps_to(of_all, of_part, plan_of<Part>.pull),
                "the plan of a projection is not that of its schedule: please report it");
  all.plan = digest_of(plan_known_of<Whole>());
  add_roles(all, Role::value, typed::declared<Whole>::bare, of_all, of_part,
            further_communicator_names<Whole>);
}

}  // namespace detail

template <class Schedule>
demand demand_of() {
  demand all = demand_of(detail::plan_known_of<Schedule>());
  using part = declare::first<tag::projected, typename Schedule::parts>;
  if constexpr (!std::is_void_v<part>)
    detail::add_roles<Schedule>(all, static_cast<part*>(nullptr));
  return all;
}

/// Of what a projection that is a value is one.
struct projected_values {
  std::string_view role{};
  const planner::declaration* declared = nullptr;  ///< of the schedule of all ranks
  const planner::plan* plan = nullptr;
  planner::view<std::string_view> names{};  ///< by node
  planner::view<std::size_t> lag{};         ///< by node
};

/// A plan that is a value. What is viewed outlives the pipeline.
struct planned_values {
  const planner::declaration& declared;
  const planner::plan& plan;
  planner::view<std::string_view> names{};  ///< by node
  planner::view<std::size_t> lag{};         ///< by node
  planner::view<char> on_streams{};         ///< by node: whether it is on a device's stream
  projected_values part_of{};               ///< if it is a projection
};

namespace detail {

/// Calls \p use with a plan as far as collectives have to know it.
template <class Use>
void know(const planned_values& given, const Use& use) {
  const planner::plan& plan = given.plan;
  std::vector<std::string_view> communicators;
  for (const planner::task& t : given.declared.tasks)
    communicators.push_back(planner::communicator_of(t));
  const planner::list<std::uint64_t> values = planner::node_fingerprints(given.declared, plan);
  const planner::list<std::size_t> order = planner::sort(plan.resolved, plan.edges).order;
  std::vector<node_fingerprint> nodes;
  std::vector<planner::rate> runs;
  for (const planner::node& n : plan.resolved.nodes) runs.push_back(n.runs);
  for (std::size_t i = 0; i < order.size(); ++i) nodes.push_back({order[i], values[i]});
  use(known_plan{given.names,
                 given.lag,
                 plan.threads.thread_of,
                 communicators,
                 {},
                 plan.tickets,
                 plan.resolved.pull(),
                 plan.threads.names.size(),
                 planner::fingerprint(given.declared, plan),
                 nodes,
                 runs});
}

}  // namespace detail

inline demand demand_of(const planned_values& given) {
  demand all;
  detail::know(given, [&](const known_plan& plan) { all = demand_of(plan); });
  const projected_values& of = given.part_of;
  if (of.plan == nullptr) return all;
  detail::know({*of.declared, *of.plan, of.names, of.lag, {}, {}},
               [&](const known_plan& plan) { all.plan = digest_of(plan); });
  detail::add_roles(all, of.role, planner::without_raised(*of.declared),
                    {of.declared->tasks, of.lag, of.plan->tickets},
                    {given.declared.tasks, given.lag, given.plan.tickets}, {});
  return all;
}

}  // namespace stretto::collective
