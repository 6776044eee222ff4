// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/plan/text/plan_writer.hpp>
#include <string>
#include <string_view>

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
  const char* meaning;
  const char* colour;
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
inline constexpr std::array<const char*, 7> fills{"#bfe3f7", "#f7dca6", "#b5e3d3", "#f6f0a8",
                                                  "#ecd0e0", "#b3d1e6", "#f3c4a6"};
constexpr const char* fill_of(std::size_t stream) {
  return stream == planner::none ? "#ffffff" : fills[stream % fills.size()];
}

/// An order between two nodes.
struct arrow {
  planner::edge order;
  line kind;
  bool implied;
};

/// A picture before it is drawn: a plan, whose tasks are boxes in the order of their threads, and
/// the arrows between them.
struct diagram {
  const planner::plan_view& plan;
  planner::list<arrow> arrows{};
  bool uses[line_looks.size()]{};  ///< by kind of arrow
  bool has_implied = false;
};

/// The picture of a plan: every thread's tasks in order, and the fewest waits between threads that
/// run ahead of each other and between streams.
STRETTO_INLINE diagram make_diagram(const planner::plan_view& p, const options& o);

/// How an arrow is drawn.
enum class stroke { plain, dotted, chain, implied };
inline constexpr std::size_t strokes = 4;

/// A language that pictures are written in, by patterns as `planner::plan_writer` reads them.
struct language {
  planner::plan_writer::name_writer add_name;
  const char* begin;
  const char* group;  ///< a thread
  const char* group_end;
  const char* box[2];  ///< a task; what is none
  const char* box_on_stream;
  const char* box_end[2];
  const char* arrow;
  const char* look[strokes];
  const char* label;
  const char* delta[2];  ///< without and with something before it in the label
  const char* label_end;
  const char* earlier;  ///< after arrows from an earlier progress, and those that hold anyway
  const char* arrow_end;
  const char* legend;
  const char* stream;
  const char* meaning;  ///< of each kind of arrow, where those stand before all arrows
  const char* key;      ///< the arrow of a kind
  const char* key_end;
  const char* implied;   ///< the arrow of what is implied
  const char* fill;      ///< of each stream
  const char* style[2];  ///< of each arrow; of one that is implied
  const char* end;
};

/// Draws a plan in a language.
STRETTO_INLINE std::string draw(const language& in, std::string_view title,
                                const planner::plan_view& p, const options& o);

/// Adds a name in UTF-8 that every reader takes; \p escape adds an ASCII character.
STRETTO_INLINE void add_escaped(planner::text_builder& to, std::string_view name,
                                void (*escape)(planner::text_builder& to, char c));

}  // namespace detail

/// What carries a plan that is drawn: a `dynamic::planned_schedule`.
template <class Planned>
concept planned = requires(const Planned& p) {
  std::string_view(p.input().name);
  p.declaration();
  p.plan();
};

}  // namespace stretto::picture

#if !defined(STRETTO_COMPILED)
#  include <stretto/picture/diagram.ipp>
#endif
