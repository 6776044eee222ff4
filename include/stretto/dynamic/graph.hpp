// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <cstddef>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The tasks of a schedule as a graph of Boost.Graph: who waits for whom, over how many tasks, and
/// which have nothing to do with each other. A header of its own, as Boost.Graph takes its time to
/// compile.
namespace stretto::dynamic {

/// Why one task waits for another.
struct dependency {
  planner::reason why = planner::reason::data;
  int progresses = 0;  ///< how many lie between the two runs
  std::string slot{};  ///< of data
};

/// Vertices are task numbers and carry the tasks' names; an edge leads from a task to one that
/// waits for it. Any algorithm of Boost.Graph can be asked.
using task_graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, std::string, dependency>;

/// The graph of what tasks declare: slots that they read and dependencies. Of a schedule that
/// breaks rules too; names that no task has are left out.
inline task_graph graph_of(const schedule& s) {
  const declared d(s);
  const planner::graph resolved = planner::make_graph(d.value());
  task_graph g(s.tasks.size());
  for (std::size_t t = 0; t < s.tasks.size(); ++t) g[t] = s.tasks[t].name;
  for (const planner::edge& e : planner::declared_edges(resolved)) {
    if (e.producer >= s.tasks.size() || e.consumer >= s.tasks.size()) continue;
    const std::string slot(e.slot == planner::none ? "" : resolved.slot_list[e.slot].text);
    boost::add_edge(e.producer, e.consumer, dependency{e.why, e.delta, slot}, g);
  }
  return g;
}

namespace detail {

inline std::size_t vertex_named(const task_graph& g, std::string_view task) {
  for (std::size_t v = 0; v < boost::num_vertices(g); ++v)
    if (g[v] == task) return v;
  std::string what("there is no task `");
  throw usage_error(what.append(task).append("`"));
}

struct reached : boost::default_bfs_visitor {
  std::vector<std::size_t>* found;
  explicit reached(std::vector<std::size_t>& into) : found(&into) {}
  template <class Graph>
  void discover_vertex(std::size_t v, const Graph&) {
    found->push_back(v);
  }
};

template <class Graph>
std::vector<std::string> names_reached(const task_graph& g, const Graph& along,
                                       std::string_view task) {
  std::vector<std::size_t> found;
  const std::size_t from = vertex_named(g, task);
  boost::breadth_first_search(along, from, boost::visitor(reached(found)));
  std::vector<std::size_t> others(found.begin() + 1, found.end());
  std::sort(others.begin(), others.end());
  std::vector<std::string> names;
  for (const std::size_t v : others) names.push_back(g[v]);
  return names;
}

/// Vertices by the number that an algorithm gave each, as names; those of a group in order.
inline std::vector<std::vector<std::string>> grouped(const task_graph& g,
                                                     const std::vector<std::size_t>& group) {
  std::vector<std::size_t> place(boost::num_vertices(g), boost::num_vertices(g));
  std::vector<std::vector<std::string>> groups;
  for (std::size_t v = 0; v < group.size(); ++v) {
    if (place[group[v]] == place.size()) {
      place[group[v]] = groups.size();
      groups.emplace_back();
    }
    groups[place[group[v]]].push_back(g[v]);
  }
  return groups;
}

}  // namespace detail

/// All tasks that \p task waits for, over any number of others, in declaration order. Throws
/// `usage_error` if there is no such task.
inline std::vector<std::string> upstream(const task_graph& g, std::string_view task) {
  return detail::names_reached(g, boost::make_reverse_graph(g), task);
}

/// All tasks that wait for \p task: what a change to it can reach.
inline std::vector<std::string> downstream(const task_graph& g, std::string_view task) {
  return detail::names_reached(g, g, task);
}

/// The parts of a schedule that have nothing to do with each other. More than one may be a schedule
/// that was meant as two, or an entry that was forgotten.
inline std::vector<std::vector<std::string>> connected_components(const task_graph& g) {
  using undirected = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  undirected sides(boost::num_vertices(g));
  for (auto [e, end] = boost::edges(g); e != end; ++e)
    boost::add_edge(boost::source(*e, g), boost::target(*e, g), sides);
  std::vector<std::size_t> group(boost::num_vertices(g));
  if (!group.empty())
    boost::connected_components(sides, boost::make_iterator_property_map(
                                           group.begin(), boost::get(boost::vertex_index, sides)));
  return detail::grouped(g, group);
}

/// All cycles of tasks that wait for each other within a progress, so that none of them can be the
/// first: rule 7 names one cycle, this returns all of them.
inline std::vector<std::vector<std::string>> cycles(const task_graph& g) {
  using directed = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  directed within(boost::num_vertices(g));
  std::vector<char> waits_for_itself(boost::num_vertices(g), 0);
  for (auto [e, end] = boost::edges(g); e != end; ++e) {
    if (g[*e].progresses != 0) continue;
    boost::add_edge(boost::source(*e, g), boost::target(*e, g), within);
    if (boost::source(*e, g) == boost::target(*e, g)) waits_for_itself[boost::source(*e, g)] = 1;
  }
  std::vector<std::size_t> group(boost::num_vertices(g));
  if (!group.empty())
    boost::strong_components(within, boost::make_iterator_property_map(
                                         group.begin(), boost::get(boost::vertex_index, within)));
  std::vector<std::vector<std::string>> all = detail::grouped(g, group);
  std::erase_if(all, [&](const std::vector<std::string>& tasks) {
    return tasks.size() == 1 && waits_for_itself[detail::vertex_named(g, tasks.front())] == 0;
  });
  return all;
}

}  // namespace stretto::dynamic
