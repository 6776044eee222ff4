// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stretto/report/markup.hpp>
#include <stretto/report/page.hpp>
#include <stretto/report/svg.hpp>
#include <stretto/run/error.hpp>
#include <stretto/text/visible.hpp>
#include <stretto/watch/padding_result.hpp>
#include <string>
#include <string_view>

namespace stretto::report::detail {

/// What padding tells of tasks as a picture: a row for each, its time by its slope as a bar, and
/// the interval of that as a line.
class exposure_bars {
  using seconds = padding_result::seconds;
  using row = padding_result::row;

 public:
  /// \p whole: for how long a time there is room; more, if that is not enough.
  explicit exposure_bars(const padding_result& found, seconds whole = {})
      : found_(found), whole_(whole_of(found, whole)) {
    for (const row& r : found.tasks) {
      svg::make_room(left_, r.task);
      svg::make_room(right_, said_of(r));
    }
  }

  /// For how long a time a picture has to have room.
  static seconds whole_of(const padding_result& found, seconds whole = {}) {
    whole = (std::max)(whole, found.period);
    for (const row& r : found.tasks)
      if (r.is_padded) whole = (std::max)(whole, r.exposed_at_most());
    return whole;
  }
  /// A finding in words.
  static std::string_view name_of(padding_result::finding f) {
    using finding = padding_result::finding;
    switch (f) {
      case finding::hidden: return "hidden";
      case finding::exposed: return "exposed";
      case finding::unknown: return "unknown";
      case finding::not_padded: break;
    }
    return "not padded";
  }

  std::string text() const {
    const double bottom = top + high * static_cast<double>(found_.tasks.size());
    svg out("picture exposure", {left_ + wide + right_, bottom + gap},
            "What a progress would take less at most without the time of each task");
    out.label("begin", left_, top - gap, "0");
    out.label("end", left_ + wide, top - gap, time_as_text(whole_));
    out.line("axis", left_, top - gap / 2, left_, bottom);
    out.line("axis", left_ + wide, top - gap / 2, left_ + wide, bottom);
    for (std::size_t i = 0; i < found_.tasks.size(); ++i)
      add_row(out, found_.tasks[i], top + high * static_cast<double>(i));
    return out.text();
  }

 private:
  static constexpr double gap = svg::gap;
  static constexpr double top = 24;
  static constexpr double high = 20;
  static constexpr double wide = 400;

  static seconds part(const row& r, double slope) {
    return r.time * (std::max)(0.0, (std::min)(1.0, slope));
  }
  static std::string said_of(const row& r) {
    std::string said(name_of(r.found()));
    if (!r.is_padded) return said;
    if (!std::isfinite(r.high))
      return said + ": padded in " + std::to_string(r.stretches) + " stretches";
    return said + ": " + time_as_text(part(r, r.slope)) + " (" + time_as_text(part(r, r.low)) +
           " to " + time_as_text(part(r, r.high)) + ")";
  }
  double x(seconds time) const { return whole_.count() > 0 ? wide * (time / whole_) : 0; }

  void add_row(svg& out, const row& r, double y) const {
    const double middle = y + high / 2;
    out.label("name", 0, middle + 4, r.task);
    if (r.is_padded) {
      const bool is_exposed = r.found() == padding_result::finding::exposed;
      out.rect(is_exposed ? "wait" : "other", left_, y + 4, {x(part(r, r.slope)), high - 8});
      const double least = left_ + x(part(r, r.low));
      const double most = left_ + x(part(r, r.high));
      out.line("range", least, middle, most, middle);
      for (const double end : {least, most}) out.line("range", end, middle - 5, end, middle + 5);
    }
    out.label("found", left_ + wide + gap, middle + 4, said_of(r));
  }

  const padding_result& found_;
  seconds whole_;
  double left_ = 0;
  double right_ = 0;
};

/// Throws `usage_error` unless what was padded are \p tasks of a report, \p name_of each.
template <class NameOf>
void look_at_tasks(const padding_result& found, std::size_t tasks, NameOf name_of) {
  const std::string another = "the padding is of another schedule than the report: ";
  if (found.tasks.size() != tasks)
    throw usage_error(another + "of " + std::to_string(found.tasks.size()) + " tasks, not " +
                      std::to_string(tasks));
  for (std::size_t t = 0; t < tasks; ++t)
    if (found.tasks[t].task != name_of(t))
      throw usage_error(another + "of the task `" + text::visible_name(found.tasks[t].task) +
                        "` where the report has `" + text::visible_name(name_of(t)) + "`");
}

/// The figures of the picture for programs to read, times in nanoseconds.
inline void add_padding(page& to, const padding_result& found) {
  const auto bound = [&to](std::string_view name, double value) {
    to.add(name);
    if (std::isfinite(value))
      to.add_number(value, 4);
    else
      to.add("null");
  };
  to.add("{\"period\":").add_number(found.period.count() * 1e9, 3).add(",\"tasks\":[");
  for (const padding_result::row& r : found.tasks) {
    to.add(&r == found.tasks.data() ? "\n{\"name\":" : ",\n{\"name\":").add_json(r.task);
    to.add(",\"time\":").add_number(r.time.count() * 1e9, 3);
    to.add(",\"slope\":").add_number(r.slope, 4);
    bound(",\"low\":", r.low);
    bound(",\"high\":", r.high);
    to.add(",\"found\":").add_json(exposure_bars::name_of(r.found())).add("}");
  }
  to.add("]}");
}

}  // namespace stretto::report::detail
