// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/picture/dot.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/text/viewed_plan.hpp>

namespace stretto::picture {

namespace detail {

[[gnu::cold]] STRETTO_INLINE void add_dot_name(planner::text_builder& to, std::string_view name) {
  add_escaped(to, name, [](planner::text_builder& text, char c) {
    if (c == '\\' || c == '"') text.push_back('\\');
    text.push_back(c);
    if (c == '&') text.add("amp;");
  });
}

// NOLINTBEGIN(modernize-raw-string-literal): half of them end lines
inline constexpr language dot{
    .add_name = add_dot_name,
    .begin =
        "digraph plan {\n"
        "  graph [label=\"schedule $n\", labelloc=\"t\", rankdir=\"LR\", "
        "fontname=\"Helvetica\", charset=\"UTF-8\"];\n"
        "  node [shape=\"box\", style=\"filled,rounded\", fontname=\"Helvetica\"];\n"
        "  edge [fontname=\"Helvetica\", fontsize=\"10\"];\n",
    .group =
        "  subgraph cluster$G {\n"
        "    graph [label=\"thread $g$q\", style=\"rounded\", color=\"#9a9a9a\"];\n",
    .group_end = "  }\n",
    .box = {"    n$F [label=\"$f\\n+$k$e\", fillcolor=\"$c\"",
            "    n$F [label=\"$f\\n+$k$e\", fillcolor=\"$c\""},
    .box_on_stream = ", tooltip=\"stream $s\"",
    .box_end = {"];\n", ", shape=\"ellipse\"];\n"},
    .arrow = "  n$F -> n$T [color=\"$c\", fontcolor=\"$c\"",
    .look = {"", ", style=\"dotted\"", ", arrowhead=\"none\"",
             ", style=\"dashed\", arrowhead=\"empty\""},
    .label = ", label=\"",
    .delta = {"\xCE\x94 $d", "\\n\xCE\x94 $d"},
    .label_end = "\"",
    .earlier = ", constraint=\"false\"",
    .arrow_end = "];\n",
    .legend =
        "  subgraph cluster$G {\n"
        "    graph [label=\"+n: n batches ahead;  \xCE\x94 n: n progresses earlier\", "
        "style=\"rounded\", color=\"#9a9a9a\"];\n",
    .stream = "    stream$S [label=\"stream $s\", fillcolor=\"$c\"];\n",
    .meaning =
        "    line$N [label=\" \", shape=\"plaintext\", style=\"\"];\n"
        "    line$N_meaning [label=\" $m\", shape=\"plaintext\", style=\"\"];\n",
    .key = "    line$N -> line$N_meaning [color=\"$c\", fontcolor=\"$c\"",
    .key_end = "];\n",
    .implied = "    line$N -> line$N_meaning [style=\"dashed\", arrowhead=\"empty\"];\n",
    .fill = "",
    .style = {"", ""},
    .end = "}\n"};
// NOLINTEND(modernize-raw-string-literal)

}  // namespace detail

[[gnu::cold]] STRETTO_INLINE std::string to_dot(std::string_view title, const planner::plan_view& p,
                                                const options& o) {
  return detail::draw(detail::dot, title, p, o);
}

[[gnu::cold]] STRETTO_INLINE std::string to_dot(std::string_view title,
                                                const planner::declaration& d,
                                                const planner::plan& p, const options& o) {
  return to_dot(title, planner::viewed_plan(d, p).view(), o);
}

}  // namespace stretto::picture
