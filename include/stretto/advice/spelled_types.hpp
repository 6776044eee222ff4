// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/advice/spelled.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/static/values/declared.hpp>
#include <string>
#include <string_view>

namespace stretto::advising {

namespace detail {

/// A type as code next to a schedule would spell it: without the namespaces that \p around has,
/// which are those of the schedule, and without those that have no name.
inline std::string spelled_next_to(std::string_view around, std::string_view type) {
  std::string text = errors::readable(type);
  std::string space = errors::readable(around);
  for (std::string* of : {&text, &space})
    for (const std::string_view unnamed :
         {"{anonymous}::", "(anonymous namespace)::", "<unnamed>::"})
      for (std::size_t at = of->find(unnamed); at != std::string::npos; at = of->find(unnamed))
        of->erase(at, unnamed.size());
  space.erase(space.size() - declare::unqualified(space).size());
  if (!space.empty() && text.starts_with(space)) text.erase(0, space.size());
  return text;
}

}  // namespace detail

/// How C++ spells a schedule of types, its tasks and slots. \p planned is its outline.
template <class Schedule>
spelling spelling_of(const dynamic::planned_schedule& planned) {
  const planner::declaration& d = typed::declared<Schedule>::value;
  const std::string_view around = declare::qualified_name<Schedule>();
  const planner::graph g = planner::planned_graph(d);
  spelling how;
  how.schedule = detail::spelled_next_to(around, around);
  const auto& tasks = planned.input().tasks;
  for (std::size_t t = 0; t < tasks.size(); ++t)
    how.task_names.emplace(tasks[t].name, detail::spelled_next_to(around, d.tasks[t].id.key));
  const auto& used = planned.plan().resolved.slot_list;
  for (std::size_t s = 0; s < used.size(); ++s)
    how.slot_names.emplace(std::string(used[s].text),
                           detail::spelled_next_to(around, g.slot_list[s].key));
  return how;
}

}  // namespace stretto::advising
