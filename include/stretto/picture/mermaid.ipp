// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/picture/mermaid.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/text/viewed_plan.hpp>

namespace stretto::picture {

namespace detail {

/// Whatever may mean something to Mermaid, or to the browser behind it, goes by its number.
[[gnu::cold]] STRETTO_INLINE void add_mermaid_name(planner::text_builder& to,
                                                   std::string_view name) {
  add_escaped(to, name, [](planner::text_builder& text, char c) {
    bool plain = false;
    for (const char* at =
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,:+-()/=!?";
         *at != '\0'; ++at)
      plain = plain || *at == c;
    if (plain) {
      text.push_back(c);
    } else {
      text.add("#").number(c).add(";");
    }
  });
}

// Without the title: between dashes it would be YAML, with rules of its own for text.
inline constexpr language mermaid{
    .add_name = add_mermaid_name,
    .begin = "flowchart LR\n",
    .group = "  subgraph thread$G[\"thread $g$q\"]\n",
    .group_end = "  end\n",
    .box = {"    n$F[\"$f<br/>+$k$e\"]", "    n$F([\"$f<br/>+$k$e\"])"},
    .box_on_stream = ":::stream$S",
    .box_end = {"\n", "\n"},
    .arrow = "  n$F",
    .look = {" -->", " -.->", " ---", " -.->"},
    .label = "|\"",
    .delta = {"\xCE\x94 $d", "<br/>\xCE\x94 $d"},
    .label_end = "\"|",
    .earlier = "",
    .arrow_end = " n$T\n",
    .legend = "  subgraph legend[\"+n: n batches ahead#59; \xCE\x94 n: n progresses earlier\"]\n",
    .stream = "    key$S[\"stream $s\"]:::stream$S\n",
    .meaning = "",
    .key = "  kind$Kfrom[\" \"]",
    .key_end = "|\"$m\"| kind$Kto[\" \"]\n",
    .implied = "",
    .fill = "  classDef stream$S fill:$c,color:#000\n",
    .style = {"  linkStyle $N stroke:$c\n", "  linkStyle $N stroke:$c,opacity:0.5\n"},
    .end = ""};

}  // namespace detail

[[gnu::cold]] STRETTO_INLINE std::string to_mermaid(std::string_view title,
                                                    const planner::plan_view& p, const options& o) {
  return detail::draw(detail::mermaid, title, p, o);
}

[[gnu::cold]] STRETTO_INLINE std::string to_mermaid(std::string_view title,
                                                    const planner::declaration& d,
                                                    const planner::plan& p, const options& o) {
  return to_mermaid(title, planner::viewed_plan(d, p).view(), o);
}

}  // namespace stretto::picture
