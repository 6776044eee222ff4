// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/report/svg.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::report::detail {

/// A plan as a picture: a row for each thread, with its tasks in order, each to the right of what
/// it waits for in the same progress; the waits between threads; and, lit, the tasks that bound the
/// time per progress.
class plan_graph {
 public:
  /// More boxes than that are no picture any more.
  static constexpr std::size_t most_nodes = 200;

  plan_graph(const planner::plan_view& plan, const planner::list<std::string_view>& cycle)
      : plan_(plan), boxes_(plan.order.size()) {
    for (const std::string_view name : plan.threads) svg::make_room(left_, name);
    std::vector<double> ends(plan.threads.size(), left_);
    for (const std::size_t n : plan.order) {
      box& b = boxes_[n];
      double& end = ends[plan.thread_of[n]];
      b.x = end;
      for (const planner::edge& e : plan.run_ahead_waits)
        if (e.consumer == n && e.delta == 0)
          b.x = (std::max)(b.x, boxes_[e.producer].x + boxes_[e.producer].width + 3 * gap);
      b.y = row * static_cast<double>(plan.thread_of[n]) + 2 * gap;
      b.width = svg::width_of(name_of(n)) + 2 * gap;
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

  std::string text() const {
    svg out("picture graph", {width_, row * static_cast<double>(plan_.threads.size()) + gap},
            "The tasks of each thread in order, and the waits between threads");
    out.add("<defs>").add(tip("tip")).add(tip("lit-tip")).add("</defs>\n");
    for (std::size_t t = 0; t < plan_.threads.size(); ++t) add_row(out, t);
    for (const planner::edge& e : plan_.run_ahead_waits) add_wait(out, e);
    for (std::size_t n = 0; n < boxes_.size(); ++n) add_box(out, n);
    return out.text();
  }

 private:
  static constexpr double row = 64;
  static constexpr double high = 26;
  static constexpr double gap = svg::gap;

  struct box {
    double x = 0;
    double y = 0;
    double width = 0;
    bool is_lit = false;
  };

  std::string_view name_of(std::size_t node) const {
    return planner::node_name(plan_.declared, node);
  }
  static std::string tip(std::string_view id) {
    return "<marker id=\"" + std::string(id) +
           "\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" "
           "markerUnits=\"userSpaceOnUse\" "
           "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>";
  }

  void add_row(svg& out, std::size_t thread) const {
    const double middle = row * static_cast<double>(thread) + 2 * gap + high / 2;
    out.label("thread", 0, middle + 4, plan_.threads[thread])
        .line("row", left_, middle, width_ - gap, middle);
  }
  /// Whether a task comes right after another one in what bounds the time per progress.
  bool is_lit(const planner::edge& e) const {
    for (std::size_t i = 0; i < lit_.size(); ++i)
      if (lit_[i] == e.producer && lit_[(i + 1) % lit_.size()] == e.consumer) return true;
    return false;
  }
  void add_wait(svg& out, const planner::edge& e) const {
    const box& from = boxes_[e.producer];
    const box& to = boxes_[e.consumer];
    const double x1 = from.x + from.width;
    const double y1 = from.y + high / 2;
    const double x2 = to.x;
    const double y2 = to.y + high / 2;
    const double bend = (std::max)(3 * gap, std::abs(x2 - x1) / 3);
    const bool lit = is_lit(e);
    const auto point = [&out](const char* before, double x, double y) {
      out.add(before).add_number(x, 1).add(" ").add_number(y, 1);
    };
    out.add("<path class=\"").add(lit ? "lit" : "wait").add(e.delta > 0 ? " earlier" : "");
    out.add("\" marker-end=\"url(#").add(lit ? "lit-tip" : "tip");
    point(")\" d=\"M", x1, y1);
    point("C", x1 + bend, y1);
    point(" ", x2 - bend, y2);
    point(" ", x2, y2);
    out.add("\"><title>").add_text(name_of(e.consumer));
    out.add(" waits for ").add_text(name_of(e.producer));
    if (e.delta == 0)
      out.add(" in the same progress");
    else
      out.add(" ")
          .add_number(e.delta, 0)
          .add(e.delta == 1 ? " progress earlier" : " progresses earlier");
    out.add("</title></path>\n");
  }
  void add_box(svg& out, std::size_t node) const {
    const box& b = boxes_[node];
    out.add(b.is_lit ? "<g class=\"lit\"><title>" : "<g><title>").add_text(name_of(node));
    out.add(", ").add_number(plan_.lookahead(node), 0);
    out.add(plan_.lookahead(node) == 1 ? " batch" : " batches").add(" ahead</title>");
    out.add("<rect x=\"").add_number(b.x, 1).add("\" y=\"").add_number(b.y, 1);
    out.add("\" width=\"").add_number(b.width, 1).add("\" height=\"").add_number(high, 1);
    out.add(R"(" rx="4"/>)").label("name", b.x + gap, b.y + high / 2 + 4, name_of(node));
    out.add("</g>\n");
  }

  const planner::plan_view& plan_;
  std::vector<box> boxes_;        // by node
  std::vector<std::size_t> lit_;  // nodes, in their order in the cycle
  double left_ = 0;
  double width_ = 0;
};

}  // namespace stretto::report::detail
