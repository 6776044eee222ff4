// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/bound/idle_times.hpp>
#include <stretto/report/markup.hpp>
#include <stretto/report/svg.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace stretto::report::detail {

/// What each thread of a run did as a picture: a bar that is as long as all its time, of which each
/// wait is a part.
class idle_bars {
  using seconds = idle_times::seconds;
  using row = idle_times::thread_row;

 public:
  explicit idle_bars(const idle_times& idle) : idle_(idle) {
    for (const row& r : idle.threads()) svg::make_room(left_, r.name);
  }

  std::string text() const {
    svg out("picture idle",
            {left_ + wide + gap, top + high * static_cast<double>(idle_.threads().size())},
            "What the threads did");
    double x = left_;
    for (const auto& [kind, said] : kinds) {
      out.rect(kind, x, 4, {12, 12}).label("kind", x + 18, 14, said);
      x += 18 + svg::width_of(said) + 2 * gap;
    }
    double y = top;
    for (const row& r : idle_.threads()) {
      out.label("name", 0, y + high / 2 + 4, r.name);
      add_parts(out, r, y);
      y += high;
    }
    return out.text();
  }

 private:
  static constexpr double gap = svg::gap;
  static constexpr double top = 24;
  static constexpr double high = 24;
  static constexpr double wide = 480;
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kinds{
      {{"busy", "busy"}, {"source", "in the source"}, {"wait", "waiting"}, {"other", "neither"}}};

  void add_parts(svg& out, const row& r, double y) const {
    double x = left_;
    const auto part = [&](std::size_t kind, seconds time, const std::string& said) {
      if (r.total.count() <= 0 || time.count() <= 0) return;
      const double width = wide * (time / r.total);
      out.rect(kinds[kind].first, x, y + 2, {width, high - 4}, said + ": " + time_as_text(time));
      x += width;
    };
    part(0, r.busy, "busy");
    part(1, r.in_source, "in the source");
    for (const idle_times::cause& c : r.causes)
      part(2, c.time, "waited for " + c.task + ", " + c.waiter + " " + c.why);
    part(3, r.other, "neither");
  }

  const idle_times& idle_;
  double left_ = 0;
};

}  // namespace stretto::report::detail
