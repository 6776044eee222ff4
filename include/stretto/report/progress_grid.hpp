// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/report/svg.hpp>
#include <string>
#include <string_view>

namespace stretto::report::detail {

/// Which task works on which batch in which progress of a run of a few batches, as a picture.
class progress_grid {
 public:
  explicit progress_grid(const planner::plan_view& plan) : plan_(plan) {
    for (const std::size_t n : plan.order)
      if (is_shown(n)) {
        svg::make_room(left_, name_of(n));
        ++rows_;
      }
  }

  /// More columns than these are no picture any more.
  static constexpr std::size_t most_columns = 24;
  bool fits() const { return progresses() <= most_columns; }

  std::size_t batches() const { return depth() + 3; }
  std::size_t progresses() const { return batches() + depth(); }

  std::string text() const {
    const auto columns = static_cast<double>(progresses());
    svg out("picture progresses", {left_ + wide * columns, high * static_cast<double>(rows_ + 1)},
            "Which task works on which batch in which progress");
    out.label("name", 0, high - 6, "progress");
    for (std::size_t i = 0; i < progresses(); ++i)
      out.label("middle", middle_of(i), high - 6, std::to_string(i));
    std::size_t row = 1;
    for (const std::size_t n : plan_.order)
      if (is_shown(n)) add_row(out, n, high * static_cast<double>(row++));
    return out.text();
  }

 private:
  static constexpr double gap = svg::gap;
  static constexpr double high = 20;
  static constexpr double wide = 28;

  std::size_t depth() const { return static_cast<std::size_t>(plan_.max_lookahead); }
  bool is_shown(std::size_t node) const { return node <= plan_.tasks(); }  // not `deliver`
  std::string_view name_of(std::size_t node) const {
    return planner::node_name(plan_.declared, node);
  }
  double middle_of(std::size_t column) const {
    return left_ + wide * (static_cast<double>(column) + 0.5);
  }

  void add_row(svg& out, std::size_t node, double y) const {
    out.label("name", 0, y + high - 6, name_of(node));
    for (std::size_t i = 0; i < progresses(); ++i) {
      if (!planner::fires(plan_.lag[node], i, batches())) continue;
      const bool steady = i >= depth() && i < batches();
      out.rect(steady ? "busy" : "source", middle_of(i) - wide / 2 + 1, y + 1,
               {wide - 2, high - 2});
      out.label(steady ? "middle on" : "middle half", middle_of(i), y + high - 6,
                std::to_string(i - plan_.lag[node]));
    }
  }

  const planner::plan_view& plan_;
  std::size_t rows_ = 0;
  double left_ = svg::width_of("progress") + 2 * gap;
};

}  // namespace stretto::report::detail
