// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/picture/diagram.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::picture {

namespace detail {

/// What GraphViz is told of a box, an arrow or a group: names and values.
using attributes = std::vector<std::pair<std::string_view, std::string>>;

/// A text for a label, between the quotes.
inline std::string dot_text(std::string_view text) {
  return text::shown(text, [](std::string& to, char c) {
    if (c == '\\' || c == '"') {
      to += '\\';
      to += c;
    } else if (c == '&') {
      to += "&amp;";
    } else {
      to += c;
    }
  });
}

/// Writes a diagram down, a line for each box and arrow.
class dot_maker {
 public:
  dot_maker(const diagram& of, bool legend) : of_(of), legend_(legend) {}

  std::string make() {
    text_ = "digraph plan {\n";
    statement("graph", {{"label", dot_text(of_.title)},
                        {"labelloc", "t"},
                        {"rankdir", "LR"},
                        {"fontname", "Helvetica"},
                        {"charset", "UTF-8"}});
    statement("node", {{"shape", "box"}, {"style", "filled,rounded"}, {"fontname", "Helvetica"}});
    statement("edge", {{"fontname", "Helvetica"}, {"fontsize", "10"}});
    for (std::size_t t = 0; t < of_.threads.size(); ++t) {
      begin_cluster(dot_text(of_.threads[t]));
      for (const std::size_t n : of_.boxes_of[t]) draw(n);
      end_cluster();
    }
    for (const arrow& a : of_.arrows) draw(a);
    if (legend_) add_legend();
    return text_ + "}\n";
  }

 private:
  void statement(std::string_view what, const attributes& looks) {
    text_ += std::string(margin_, ' ');
    text_ += what;
    for (std::size_t i = 0; i < looks.size(); ++i) {
      text_ += i == 0 ? " [" : ", ";
      text_ += looks[i].first;
      text_ += "=\"";
      text_ += looks[i].second;
      text_ += '"';
    }
    text_ += looks.empty() ? ";\n" : "];\n";
  }
  static std::string id_of(std::size_t n) { return std::string("n") + std::to_string(n); }

  void begin_cluster(const std::string& label) {
    text_ += std::string("  subgraph cluster") + std::to_string(clusters_++) + " {\n";
    margin_ = 4;
    statement("graph", {{"label", label}, {"style", "rounded"}, {"color", "#9a9a9a"}});
  }
  void end_cluster() {
    margin_ = 2;
    text_ += "  }\n";
  }

  void draw(std::size_t n) {
    const box& b = of_.boxes[n];
    attributes looks{{"label", dot_text(b.name) + "\\n+" + std::to_string(b.lookahead)},
                     {"fillcolor", std::string(fill_of(b.stream))}};
    if (b.stream != planner::none)
      looks.emplace_back("tooltip", std::string("stream ") + dot_text(of_.streams[b.stream]));
    if (!b.is_task) looks.emplace_back("shape", "ellipse");
    statement(id_of(n), looks);
  }

  void connect(const std::string& from, const std::string& to, const attributes& looks) {
    statement(from + " -> " + to, looks);
  }
  static attributes looks_of(line kind, bool implied) {
    const std::string colour(look_of(kind).colour);
    attributes looks{{"color", colour}, {"fontcolor", colour}};
    if (implied) {
      looks.insert(looks.end(), {{"style", "dashed"}, {"arrowhead", "empty"}});
    } else {
      if (look_of(kind).dotted) looks.emplace_back("style", "dotted");
      if (kind == line::chain) looks.emplace_back("arrowhead", "none");
    }
    return looks;
  }
  void draw(const arrow& a) {
    attributes looks = looks_of(a.kind, a.implied);
    std::string label = dot_text(a.slot);
    if (a.delta > 0)
      label += (label.empty() ? "\xCE\x94 " : "\\n\xCE\x94 ") + std::to_string(a.delta);
    if (!label.empty()) looks.emplace_back("label", label);
    // It comes from an earlier progress, or holds anyway.
    if (a.delta > 0 || a.implied) looks.emplace_back("constraint", "false");
    connect(id_of(a.from), id_of(a.to), looks);
  }

  void add_legend() {
    std::vector<std::pair<std::string, attributes>> lines;
    begin_cluster("+n: n batches ahead;  \xCE\x94 n: n progresses earlier");
    for (std::size_t s = 0; s < of_.streams.size(); ++s)
      statement(std::string("stream") + std::to_string(s),
                {{"label", std::string("stream ") + dot_text(of_.streams[s])},
                 {"fillcolor", std::string(fill_of(s))}});
    const auto add_line = [&](std::string_view meaning, const attributes& looks) {
      const std::string from = std::string("line") + std::to_string(lines.size());
      statement(from, {{"label", " "}, {"shape", "plaintext"}, {"style", ""}});
      statement(from + "_meaning", {{"label", std::string(" ") + std::string(meaning)},
                                    {"shape", "plaintext"},
                                    {"style", ""}});
      lines.emplace_back(from + " -> " + from + "_meaning", looks);
    };
    for (std::size_t k = 0; k < line_looks.size(); ++k)
      if (of_.uses(static_cast<line>(k)))
        add_line(line_looks[k].meaning, looks_of(static_cast<line>(k), false));
    if (std::any_of(of_.arrows.begin(), of_.arrows.end(), [](const arrow& a) { return a.implied; }))
      add_line("implied by others", {{"style", "dashed"}, {"arrowhead", "empty"}});
    for (const auto& [between, style] : lines) statement(between, style);
    end_cluster();
  }

  const diagram& of_;
  bool legend_;
  std::string text_;
  std::size_t margin_ = 2;
  std::size_t clusters_ = 0;
};

}  // namespace detail

/// A plan as a picture in GraphViz's language: boxes grouped by thread and coloured by stream, an
/// arrow for each wait.
inline std::string to_dot(std::string_view title, const planner::declaration& d,
                          const planner::plan& p, const options& o = {}) {
  const detail::diagram of = detail::make_diagram(title, d, p, o);
  return detail::dot_maker(of, o.legend).make();
}

/// Draws a planned schedule that is a value, for GraphViz.
template <planned Planned>
std::string to_dot(const Planned& p, const options& o = {}) {
  return to_dot(p.input().name, p.declaration(), p.plan(), o);
}

/// Draws a schedule of types, which keeps the rules, for GraphViz.
template <class Schedule>
std::string to_dot(const options& o = {}) {
  const planner::declaration& d = typed::declared<Schedule>::value;
  static_cast<void>(plan_of<Schedule>);
  return to_dot(name_of<Schedule>.text, d, planner::make_plan(d), o);
}

}  // namespace stretto::picture
