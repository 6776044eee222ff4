// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/report/markup.hpp>
#include <stretto/report/svg.hpp>
#include <string>
#include <string_view>

namespace stretto::report::detail {

/// The time per progress by the time of a task, up to twice what that is, as a picture. Costs are
/// in nanoseconds.
class exposed_curve {
 public:
  /// An unknown task is an error of the bound.
  exposed_curve(const plan_bound& bound, std::string_view task)
      : task_(task),
        pieces_(bound.curve(task)),
        time_(static_cast<double>(bound.time_of(task))),
        widest_(2 * (time_ > 0 ? time_ : 1)),
        highest_(period_at(widest_) * 1.05) {}

  std::string text() const {
    svg out("picture plot", {300, 140}, "Time per progress by the time of " + std::string(task_));
    out.line("axis", 10, 120, 290, 120).line("axis", 10, 10, 10, 120);
    out.add(R"(<polyline class="curve" points=")");
    const auto point = [&](double t) {
      out.add_number(x(t), 1).add(",").add_number(y(period_at(t)), 1).add(" ");
    };
    point(0);
    for (const curve_piece& p : pieces_)
      if (p.from.value() > 0 && p.from.value() < widest_) point(p.from.value());
    point(widest_);
    out.add(R"("/><circle class="now" r="4" cx=")").add_number(x(time_), 1);
    out.add("\" cy=\"").add_number(y(period_at(time_)), 1).add("\"/>");
    out.label("begin", 10, 135, "0");
    out.label("end", 290, 135, time_as_text(std::chrono::duration<double, std::nano>(widest_)));
    return out.text();
  }

 private:
  double period_at(double t) const {
    std::size_t p = 0;
    while (p + 1 < pieces_.size() && pieces_[p + 1].from.value() <= t) ++p;
    return pieces_[p].period.value() + pieces_[p].slope.value() * (t - pieces_[p].from.value());
  }
  double x(double t) const { return 10 + 280 * t / widest_; }
  double y(double t) const { return 120 - 110 * t / (highest_ > 0 ? highest_ : 1); }

  std::string_view task_;
  planner::list<curve_piece> pieces_;
  double time_;
  double widest_;
  double highest_;
};

}  // namespace stretto::report::detail
