// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/query/misuse.hpp>
#include <stretto/dynamic/query/part_of_role.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/projected.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/roles.hpp>
#include <stretto/plan/text/exceeded_bounds.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic {

STRETTO_INLINE std::string diagnosis::sentence(const planner::declaration& d,
                                               std::size_t number) const {
  if (number < misuses.size()) return misuses[number];
  return planner::sentence(d, found.findings[number - misuses.size()], found.cycle);
}

STRETTO_INLINE std::vector<std::string> diagnosis::sentences(const planner::declaration& d,
                                                             std::size_t most) const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < size() && i < most; ++i) all.push_back(sentence(d, i));
  return all;
}

STRETTO_INLINE std::vector<std::string> diagnosis::sentences(const schedule& s,
                                                             std::size_t most) const {
  return sentences(declared(s).value(), most);
}

namespace detail {

[[gnu::cold, gnu::noinline]] inline std::string refusal(std::string_view schedule,
                                                        std::string_view first, std::size_t all) {
  planner::text_builder text;
  text.add("schedule ").quoted(schedule).add(": ").add(first);
  if (all > 1) text.add(" (and ").number(static_cast<long long>(all - 1)).add(" more)");
  return text.text();
}

}  // namespace detail

STRETTO_INLINE schedule_error::schedule_error(const std::string& schedule,
                                              std::vector<std::string> sentences, std::size_t all)
    : std::invalid_argument(detail::refusal(schedule, sentences.front(), all)),
      sentences_(std::move(sentences)) {}

namespace detail {

inline planner::list<std::size_t> lags(const planner::plan& p) {
  planner::list<std::size_t> all;
  for (const planner::node& n : p.resolved.nodes)
    all.push_back(planner::lag(p.resolved.max_lookahead, n.lookahead));
  return all;
}

/// Whether what a rank runs is its part of the schedule of all ranks, whatever its bodies and
/// threads are.
inline bool is_part_of(const planner::declaration& d, const planner::plan& made,
                       const planner::declaration& all, const planner::plan& of_all,
                       const schedule& projected) {
  const declared anew(projected);
  if (!planner::check_rules(anew.value()).findings.empty()) return false;
  const planner::plan plan = planner::make_plan(anew.value());
  if (planner::fingerprint(anew.value(), plan) != planner::fingerprint(d, made)) return false;
  const planner::list<std::size_t> lag = lags(made);
  const planner::list<std::size_t> lag_of_all = lags(of_all);
  return planner::keeps_to({all.tasks, lag_of_all, of_all.tickets}, {d.tasks, lag, made.tickets},
                           made.resolved.pull());
}

/// Of what a rank runs: what is wrong with the schedule of all ranks, or with this part of it.
[[gnu::cold, gnu::noinline]] inline std::string misuse_of_whole(const schedule& s,
                                                                const planner::declaration& d,
                                                                const planner::plan& made) {
  const schedule& whole = s.whole.front();
  const declared all(whole);
  planner::plan of_all;
  const diagnosis found = examine(whole, all.value(), of_all);
  if (!found.ok()) return joined("of the schedule of all ranks: ", found.sentence(all.value(), 0));
  if (std::string text = unknown_role(whole, all.value(), s.role); !text.empty()) return text;
  if (is_part_of(d, made, all.value(), of_all, project(whole, all.value(), of_all, s.role)))
    return {};
  return joined("what a rank of role ", quoted_name{s.role}, " runs is not its part of schedule ",
                quoted_name{whole.name},
                " any more: change the schedule of all ranks, and project that; of a projection "
                "bodies and threads alone can be changed");
}

STRETTO_INLINE diagnosis examine(const schedule& s, const planner::declaration& d,
                                 planner::plan& made) {
  diagnosis result;
  result.misuses = find_misuse(s, d);
  if (!result.ok()) return result;
  result.found = planner::check_rules(d);
  if (!result.ok()) return result;
  if (s.whole.empty() && planner::has_roles(d)) {
    const planner::declaration bare = planner::without_raised(d);
    if (const planner::role_finding found = planner::check_roles(bare);
        found.what != planner::role_misuse::sound) {
      planner::text_builder text;
      planner::add_sentence(text, bare, found);
      result.misuses.push_back(text.text());
      return result;
    }
  }
  made = planner::make_plan(d);
  if (!s.whole.empty())
    if (std::string text = misuse_of_whole(s, d, made); !text.empty()) {
      result.misuses.push_back(std::move(text));
      return result;
    }
  result.found.findings = planner::check_races(d, made);
  return result;
}

}  // namespace detail

STRETTO_INLINE diagnosis diagnose(const schedule& s) {
  planner::plan made;
  return detail::examine(s, declared(s).value(), made);
}

}  // namespace stretto::dynamic
