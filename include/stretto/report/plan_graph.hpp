// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <sstream>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/text/escaped.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::report::detail {

/// A plan as SVG, in the page's colours: a row for each thread, with its tasks in order, each to
/// the right of what it waits for in the same progress; the waits between threads; and, lit, the
/// tasks that bound the time per progress. All lengths are in the picture's units, text is 12 high.
class plan_graph {
 public:
  /// More boxes than that are no picture any more.
  static constexpr std::size_t most_nodes = 200;

  plan_graph(const planner::plan_view& plan, const planner::list<std::string_view>& cycle)
      : plan_(plan), boxes_(plan.order.size()) {
    for (const std::string_view name : plan.threads)
      left_ = (std::max)(left_, width_of(name) + 2 * gap);
    std::vector<double> ends(plan.threads.size(), left_);
    for (const std::size_t n : plan.order) {
      box& b = boxes_[n];
      double& end = ends[plan.thread_of[n]];
      b.x = end;
      for (const planner::edge& e : plan.run_ahead_waits)
        if (e.consumer == n && e.delta == 0)
          b.x = (std::max)(b.x, boxes_[e.producer].x + boxes_[e.producer].width + 3 * gap);
      b.y = row * static_cast<double>(plan.thread_of[n]) + 2 * gap;
      b.width = width_of(name_of(n)) + 2 * gap;
      end = b.x + b.width + 2 * gap;
      width_ = (std::max)(width_, end);
    }
    for (const auto& name : cycle)
      for (std::size_t n = 0; n < boxes_.size(); ++n)
        if (name_of(n) == name) {
          boxes_[n].is_lit = true;
          lit_.push_back(n);
        }
  }

  std::string text() {
    out_ << std::fixed << std::setprecision(1);
    const double height = row * static_cast<double>(plan_.threads.size()) + gap;
    out_ << R"(<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" width=")" << width_
         << R"(" height=")" << height << R"(" viewBox="0 0 )" << width_ << ' ' << height << "\">\n"
         << "<title>The tasks of each thread in order, and the waits between threads</title>\n"
         << "<defs>" << tip("tip") << tip("lit-tip") << "</defs>\n";
    for (std::size_t t = 0; t < plan_.threads.size(); ++t) add_row(t);
    for (const planner::edge& e : plan_.run_ahead_waits) add_wait(e);
    for (std::size_t n = 0; n < boxes_.size(); ++n) add_box(n);
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  static constexpr double row = 64;
  static constexpr double high = 26;
  static constexpr double gap = 8;
  static constexpr double letter = 6.7;

  struct box {
    double x = 0;
    double y = 0;
    double width = 0;
    bool is_lit = false;
  };

  static double width_of(std::string_view name) {
    return letter * static_cast<double>(text::columns(text::shown(name)));
  }
  std::string_view name_of(std::size_t node) const {
    return planner::node_name(plan_.declared, node);
  }
  static std::string tip(std::string_view id) {
    return "<marker id=\"" + std::string(id) +
           "\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" "
           "markerUnits=\"userSpaceOnUse\" "
           "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>";
  }

  void add_row(std::size_t thread) {
    const double middle = row * static_cast<double>(thread) + 2 * gap + high / 2;
    out_ << R"(<text x="0" y=")" << middle + 4 << "\">"
         << text::escaped_for_xml(plan_.threads[thread]) << "</text><line x1=\"" << left_
         << "\" y1=\"" << middle << "\" x2=\"" << width_ - gap << "\" y2=\"" << middle << "\"/>\n";
  }
  /// Whether a task comes right after another one in what bounds the time per progress.
  bool is_lit(const planner::edge& e) const {
    for (std::size_t i = 0; i < lit_.size(); ++i)
      if (lit_[i] == e.producer && lit_[(i + 1) % lit_.size()] == e.consumer) return true;
    return false;
  }
  void add_wait(const planner::edge& e) {
    const box& from = boxes_[e.producer];
    const box& to = boxes_[e.consumer];
    const double x1 = from.x + from.width;
    const double y1 = from.y + high / 2;
    const double x2 = to.x;
    const double y2 = to.y + high / 2;
    const double bend = (std::max)(3 * gap, std::abs(x2 - x1) / 3);
    const bool lit = is_lit(e);
    out_ << "<path class=\"" << (lit ? "lit" : "wait") << (e.delta > 0 ? " earlier" : "")
         << "\" marker-end=\"url(#" << (lit ? "lit-tip" : "tip") << ")\" d=\"M" << x1 << ' ' << y1
         << 'C' << x1 + bend << ' ' << y1 << ' ' << x2 - bend << ' ' << y2 << ' ' << x2 << ' ' << y2
         << "\"><title>" << text::escaped_for_xml(name_of(e.consumer)) << " waits for "
         << text::escaped_for_xml(name_of(e.producer));
    if (e.delta == 0)
      out_ << " in the same progress";
    else
      out_ << ' ' << e.delta << (e.delta == 1 ? " progress earlier" : " progresses earlier");
    out_ << "</title></path>\n";
  }
  void add_box(std::size_t node) {
    const box& b = boxes_[node];
    const char* const kind = b.is_lit ? " class=\"lit\"" : "";
    out_ << "<g" << kind << "><title>" << text::escaped_for_xml(name_of(node)) << ", "
         << plan_.lookahead(node) << (plan_.lookahead(node) == 1 ? " batch" : " batches")
         << " ahead</title><rect x=\"" << b.x << "\" y=\"" << b.y << "\" width=\"" << b.width
         << "\" height=\"" << high << R"(" rx="4"/><text x=")" << b.x + gap << "\" y=\""
         << b.y + high / 2 + 4 << "\">" << text::escaped_for_xml(name_of(node)) << "</text></g>\n";
  }

  const planner::plan_view& plan_;
  std::vector<box> boxes_;        // by node
  std::vector<std::size_t> lit_;  // nodes, in their order in the cycle
  double left_ = 0;
  double width_ = 0;
  std::ostringstream out_;
};

}  // namespace stretto::report::detail
