// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/subgraph.hpp>
#include <cstddef>
#include <map>
#include <sstream>
#include <stretto/picture/diagram.hpp>
#include <stretto/picture/text.hpp>
#include <stretto/static/plan_of.hpp>
#include <string>
#include <string_view>

namespace stretto::picture {

namespace detail {

using attributes = std::map<std::string, std::string>;
using dot_graph = boost::subgraph<boost::adjacency_list<
    boost::vecS, boost::vecS, boost::bidirectionalS,
    boost::property<boost::vertex_attribute_t, attributes>,
    boost::property<boost::edge_index_t, int, boost::property<boost::edge_attribute_t, attributes>>,
    boost::property<boost::graph_name_t, std::string,
                    boost::property<boost::graph_graph_attribute_t, attributes,
                                    boost::property<boost::graph_vertex_attribute_t, attributes,
                                                    boost::property<boost::graph_edge_attribute_t,
                                                                    attributes>>>>>>;

/// A text for a label. Boost puts the quotes, so that what is markup to GraphViz is none here.
inline std::string dot_text(std::string_view text) {
  return shown(text, [](std::string& to, char c) {
    if (c == '\\') {
      to += "\\\\";
    } else if (c == '&') {
      to += "&amp;";
    } else {
      to += c;
    }
  });
}

/// Lays a diagram out as a graph that Boost writes.
class dot_maker {
 public:
  dot_maker(const diagram& of, bool legend) : of_(of), legend_(legend) {}

  std::string make() {
    boost::get_property(graph_, boost::graph_name) = "plan";
    attributes_of(graph_) = {{"label", dot_text(of_.title)},
                             {"labelloc", "t"},
                             {"rankdir", "LR"},
                             {"fontname", "Helvetica"},
                             {"charset", "UTF-8"}};
    boost::get_property(graph_, boost::graph_vertex_attribute) = {
        {"shape", "box"}, {"style", "filled,rounded"}, {"fontname", "Helvetica"}};
    boost::get_property(graph_, boost::graph_edge_attribute) = {{"fontname", "Helvetica"},
                                                                {"fontsize", "10"}};
    for (std::size_t n = 0; n < of_.boxes.size(); ++n) boost::add_vertex(graph_);
    for (std::size_t t = 0; t < of_.threads.size(); ++t) add_thread(t);
    for (std::size_t n = 0; n < of_.boxes.size(); ++n) draw(n);
    for (const arrow& a : of_.arrows) draw(a);
    if (legend_) add_legend();
    std::ostringstream out;
    boost::write_graphviz(out, graph_);
    return out.str();
  }

 private:
  static attributes& attributes_of(dot_graph& g) {
    return boost::get_property(g, boost::graph_graph_attribute);
  }
  attributes& of_box(std::size_t n) { return boost::get(boost::vertex_attribute, graph_)[n]; }

  dot_graph& add_cluster(std::string_view label) {
    dot_graph& cluster = graph_.create_subgraph();
    boost::get_property(cluster, boost::graph_name) =
        std::string("cluster") + std::to_string(clusters_++);
    attributes_of(cluster) = {
        {"label", dot_text(label)}, {"style", "rounded"}, {"color", "#9a9a9a"}};
    return cluster;
  }
  void add_thread(std::size_t t) {
    dot_graph& cluster = add_cluster(of_.threads[t]);
    for (const std::size_t n : of_.boxes_of[t]) boost::add_vertex(n, cluster);
  }

  void draw(std::size_t n) {
    const box& b = of_.boxes[n];
    attributes& a = of_box(n);
    a["label"] = dot_text(b.name) + "\\n+" + std::to_string(b.lookahead);
    a["fillcolor"] = fill_of(b.stream);
    if (b.stream != plan::none)
      a["tooltip"] = std::string("stream ") + dot_text(of_.streams[b.stream]);
    if (!b.is_task) a["shape"] = "ellipse";
  }

  void connect(std::size_t from, std::size_t to, const attributes& looks) {
    const auto made = boost::add_edge(from, to, graph_).first;
    boost::get(boost::edge_attribute, graph_)[made] = looks;
  }
  static attributes looks_of(line kind) {
    attributes a{{"color", std::string(look_of(kind).colour)}};
    if (look_of(kind).dotted) a["style"] = "dotted";
    if (kind == line::chain) a["arrowhead"] = "none";
    return a;
  }
  void draw(const arrow& a) {
    attributes looks = looks_of(a.kind);
    // Boost leaves words bare, `node` and `edge` too, which GraphViz reads as its own: no label is
    // one.
    std::string label = a.slot.empty() ? std::string() : dot_text(a.slot) + " ";
    if (a.delta > 0) {
      label += (label.empty() ? "\xCE\x94 " : "\\n\xCE\x94 ") + std::to_string(a.delta);
      looks["constraint"] = "false";  // it comes from an earlier progress
    }
    if (!label.empty()) looks["label"] = label;
    if (a.implied) {
      looks["style"] = "dashed";
      looks["arrowhead"] = "empty";
      looks["constraint"] = "false";
    }
    looks["fontcolor"] = looks["color"];
    connect(a.from, a.to, looks);
  }

  void add_legend() {
    dot_graph& cluster = add_cluster("+n: n batches ahead;  \xCE\x94 n: n progresses earlier");
    const auto add = [&](attributes looks) {
      const std::size_t n = boost::add_vertex(graph_);
      boost::add_vertex(n, cluster);
      of_box(n) = std::move(looks);
      return n;
    };
    for (std::size_t s = 0; s < of_.streams.size(); ++s)
      add({{"label", std::string("stream ") + dot_text(of_.streams[s])},
           {"fillcolor", std::string(fill_of(s))}});
    const auto add_line = [&](std::string_view meaning, const attributes& looks) {
      const std::size_t from = add({{"label", " "}, {"shape", "plaintext"}, {"style", ""}});
      connect(from,
              add({{"label", std::string(" ") + std::string(meaning)},
                   {"shape", "plaintext"},
                   {"style", ""}}),
              looks);
    };
    for (std::size_t k = 0; k < looks.size(); ++k)
      if (of_.uses(static_cast<line>(k)))
        add_line(looks[k].meaning, looks_of(static_cast<line>(k)));
    for (const arrow& a : of_.arrows)
      if (a.implied)
        return add_line("implied by others", {{"style", "dashed"}, {"arrowhead", "empty"}});
  }

  const diagram& of_;
  bool legend_;
  dot_graph graph_;
  std::size_t clusters_ = 0;
};

}  // namespace detail

/// A plan as a picture in GraphViz's language: boxes grouped by thread and coloured by stream, an
/// arrow for each wait.
inline std::string to_dot(std::string_view title, const plan::declaration& d, const plan::plan& p,
                          const options& o = {}) {
  const diagram of = make_diagram(title, d, p, o);
  return detail::dot_maker(of, o.legend).make();
}

/// The same of a planned schedule that is a value.
template <planned Planned>
std::string to_dot(const Planned& p, const options& o = {}) {
  return to_dot(p.input().name, p.declaration(), p.plan(), o);
}

/// The same of a schedule of types, which keeps the rules.
template <class Schedule>
std::string to_dot(const options& o = {}) {
  const plan::declaration& d = stretto::detail::declared<Schedule>::value;
  static_cast<void>(plan_of<Schedule>);
  return to_dot(name_of<Schedule>.text, d, plan::make_plan(d), o);
}

}  // namespace stretto::picture
