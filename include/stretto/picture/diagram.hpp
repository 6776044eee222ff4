// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/text/describe.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// Plans as pictures, of schedules that are types as of those that are values.
namespace stretto::picture {

/// What to draw.
struct options {
  bool implied = false;  ///< also what holds because other waits and orders see to it
  bool legend = true;    ///< what colours and lines mean
};

namespace detail {

/// Kinds of arrows, which pictures tell apart.
enum class line {
  chain,       ///< one after the other on a thread
  data,        ///< a slot is written, then read
  dependency,  ///< declared by a task
  order,       ///< declared by the schedule
  memory,      ///< a slot's copy is updated or used again
  collective,  ///< one submission order
  batch        ///< a batch is there, is done, makes room
};

/// How a kind of arrow looks, and what the legend says.
struct look {
  std::string_view meaning;
  std::string_view colour;
  bool dotted;
};
inline constexpr std::array<look, 7> line_looks{{{"next on the thread", "#9a9a9a", false},
                                                 {"slot", "#0072b2", false},
                                                 {"dependency", "#d55e00", false},
                                                 {"order of the schedule", "#cc79a7", false},
                                                 {"copy of a slot", "#009e73", true},
                                                 {"collectives", "#b8860b", false},
                                                 {"batch", "#444444", true}}};
constexpr const look& look_of(line kind) { return line_looks[static_cast<std::size_t>(kind)]; }

/// Fills for streams, in turn: light, and apart for colour-blind eyes too. A host task is white.
inline constexpr std::array<std::string_view, 7> fills{"#bfe3f7", "#f7dca6", "#b5e3d3", "#f6f0a8",
                                                       "#ecd0e0", "#b3d1e6", "#f3c4a6"};
constexpr std::string_view fill_of(std::size_t stream) {
  return stream == planner::none ? std::string_view("#ffffff") : fills[stream % fills.size()];
}

/// A node of the plan.
struct box {
  std::string name;
  int lookahead = 0;
  std::size_t stream = planner::none;
  bool is_task = true;  ///< not the source, nor the delivery
};

/// An order between two nodes.
struct arrow {
  std::size_t from = 0;
  std::size_t to = 0;
  int delta = 0;  ///< how many progresses back
  line kind = line::chain;
  bool implied = false;
  std::string_view slot{};
};

/// A picture before it is drawn: boxes by node, each thread's in its order, arrows. Refers to the
/// names of the declaration.
struct diagram {
  std::string title;
  std::vector<box> boxes;
  std::vector<std::string> threads;
  std::vector<std::vector<std::size_t>> boxes_of;  ///< by thread
  std::vector<std::string_view> streams;           ///< those in use, numbered as in boxes
  std::vector<arrow> arrows;

  bool uses(line kind) const {
    for (const arrow& a : arrows)
      if (a.kind == kind) return true;
    return false;
  }
};

constexpr line kind_of(planner::reason why) {
  switch (why) {
    case planner::reason::data: return line::data;
    case planner::reason::depends_on:
    case planner::reason::cross_iter:
    case planner::reason::same_progress_sync: return line::dependency;
    case planner::reason::order: return line::order;
    case planner::reason::update:
    case planner::reason::reuse: return line::memory;
    case planner::reason::ticket: return line::collective;
    case planner::reason::stream:
    case planner::reason::thread: return line::chain;
    case planner::reason::batch:
    case planner::reason::through:
    case planner::reason::room: return line::batch;
  }
  return line::chain;
}

/// Adds the arrows of edges, each pair of runs once.
class arrow_maker {
 public:
  arrow_maker(diagram& into, const planner::plan& p) : into_(into), p_(p) {}

  void add_chains() {
    for (const std::vector<std::size_t>& chain : into_.boxes_of)
      for (std::size_t i = 1; i < chain.size(); ++i)
        into_.arrows.push_back({chain[i - 1], chain[i], 0, line::chain, false, {}});
  }
  void add(planner::view<planner::edge> edges, bool implied) {
    for (const planner::edge& e : edges) {
      if (!seen_.insert({e.producer, e.consumer, e.delta}).second) continue;
      into_.arrows.push_back(
          {e.producer, e.consumer, e.delta, kind_of(e.why), implied,
           e.slot == planner::none ? std::string_view() : p_.resolved.slot_list[e.slot].text});
    }
  }

 private:
  diagram& into_;
  const planner::plan& p_;
  std::set<std::tuple<std::size_t, std::size_t, int>> seen_;
};

/// The picture of a plan: every thread's tasks in order, and the fewest waits between threads that
/// run ahead of each other and between streams.
inline diagram make_diagram(std::string_view title, const planner::declaration& d,
                            const planner::plan& p, const options& o = {}) {
  diagram made;
  made.title = std::string("schedule ") + std::string(title);
  for (std::size_t n = 0; n < p.resolved.nodes.size(); ++n) {
    const planner::node& node = p.resolved.nodes[n];
    made.boxes.push_back(
        {std::string(planner::node_name(d, n)), node.lookahead, node.stream, n < p.resolved.tasks});
  }
  for (const std::string_view s : p.resolved.streams) made.streams.push_back(s);
  const planner::group_notes notes(d);
  for (std::size_t t = 0; t < p.threads.names.size(); ++t) {
    const planner::range chain = p.threads.chains[t];
    made.threads.push_back(std::string("thread ") + std::string(p.threads.names[t]) +
                           notes.of(p.threads.names[t]));
    made.boxes_of.emplace_back(p.threads.chained.begin() + chain.first,
                               p.threads.chained.begin() + chain.last);
  }
  arrow_maker arrows(made, p);
  arrows.add_chains();
  arrows.add(planner::run_ahead_waits(p), false);
  arrows.add(planner::minimal_stream_waits(p), false);
  if (o.implied) arrows.add(p.edges, true);
  return made;
}

}  // namespace detail

/// What carries a plan that is drawn: a `dynamic::planned_schedule`.
template <class Planned>
concept planned = requires(const Planned& p) {
  std::string_view(p.input().name);
  p.declaration();
  p.plan();
};

}  // namespace stretto::picture
