// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stretto/observe/picture_parts.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/report/markup.hpp>
#include <stretto/report/measured_period.hpp>
#include <stretto/report/svg.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::report::detail {

/// A run that is drawn with another one. Refers to both.
struct overlaid_run {
  std::string_view name;
  const timeline& record;
};

/// Two runs in one picture: a row for each thread and stream that one of them has, what the first
/// run did in its upper half, what the second did in its lower half.
///
/// Both begin where a batch is through: the first of those between which `find_measured_period`
/// measures, when a run has filled. From there the picture shows equally many progresses of both,
/// eight at most, and the shorter run goes on while the longer one has not done them.
class overlaid_timelines {
  using clock = timeline::clock;
  using seconds = timeline::seconds;

 public:
  static constexpr std::size_t most_progresses = 8;

  /// \p zoom: how much wider time is than on a page.
  overlaid_timelines(const overlaid_run& first, const overlaid_run& second, double zoom = 1)
      : wide_(1000 * zoom), runs_{part_of(first), part_of(second)} {
    progresses_ =
        (std::min)({most_progresses, runs_[0].measured.batches, runs_[1].measured.batches});
    if (!known()) return;
    for (drawn_run& r : runs_) {
      r.through.resize(progresses_ + 1);
      add_rows(r.run.record.threads(), false);
    }
    for (const drawn_run& r : runs_) add_rows(r.run.record.streams(), true);
    const seconds longest = (std::max)(time(0), time(1));
    if (longest.count() > 0) total_ = longest;
    for (std::size_t r = 0; r < 2; ++r) right_ = (std::max)(right_, svg::width_of(said_of(r)));
  }

  /// Whether there is a progress of each to draw.
  bool known() const { return progresses_ > 0; }
  std::size_t progresses() const { return progresses_; }
  /// Of a run: the batch behind whose end it is drawn.
  std::size_t batch(std::size_t run) const { return runs_[run].measured.first; }
  /// How long a run took for what is drawn of it.
  seconds time(std::size_t run) const {
    const std::vector<clock::time_point>& through = runs_[run].through;
    return known() ? seconds(through.back() - through.front()) : seconds(0);
  }

  std::string text() const {
    const double bottom = top + row * static_cast<double>(rows_.size());
    svg out("picture overlaid", {left_ + (std::max)(wide_, right_) + gap, bottom + 24},
            "Two runs, one in the upper half of each row, one in the lower half");
    for (std::size_t r = 0; r < 2; ++r)
      out.label("begin", left_, 14 + 18 * static_cast<double>(r), said_of(r));
    add_colours(out);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double y = top + row * static_cast<double>(i);
      out.label("name", 0, y + half + 4, rows_[i].name());
      for (std::size_t r = 0; r < 2; ++r) {
        const double from = y + half * static_cast<double>(r);
        out.rect("row", left_, from, {wide_, half - 1});
        add_spans(out, runs_[r], rows_[i], from);
        add_ends(out, runs_[r], from);
      }
    }
    for (const observe::time_mark& m : observe::time_marks(total_.count(), wide_ / 100))
      out.label("middle", left_ + wide_ * m.seconds / total_.count(), bottom + 14, m.label);
    return out.text();
  }

 private:
  static constexpr double gap = svg::gap;
  static constexpr double top = 64;
  static constexpr double half = 22;
  static constexpr double row = 2 * half + gap;

  struct drawn_run {
    overlaid_run run;
    measured_period measured;
    std::vector<clock::time_point> through;  ///< when batches were, from the first that is drawn
  };
  struct lane {
    std::string_view of;
    bool is_stream;
    std::string name() const { return std::string(of) + (is_stream ? " (device)" : ""); }
  };

  static drawn_run part_of(const overlaid_run& run) {
    drawn_run r{run, find_measured_period(run.record), {}};
    if (!r.measured.known()) return r;
    const timeline::batch_ends ends = run.record.ends_of_batches();
    const auto from =
        ends.through.begin() + static_cast<std::ptrdiff_t>(r.measured.first - ends.first);
    r.through.assign(from, from + static_cast<std::ptrdiff_t>(r.measured.batches) + 1);
    // A batch that no task ran for is through with the one before.
    for (std::size_t i = 1; i < r.through.size(); ++i)
      r.through[i] = (std::max)(r.through[i], r.through[i - 1]);
    return r;
  }
  void add_rows(std::span<const std::string> names, bool are_streams) {
    for (const std::string& name : names) {
      const lane found{name, are_streams};
      if (std::any_of(rows_.begin(), rows_.end(), [&found](const lane& l) {
            return l.of == found.of && l.is_stream == found.is_stream;
          }))
        continue;
      rows_.push_back(found);
      svg::make_room(left_, found.name());
    }
  }

  std::string said_of(std::size_t r) const {
    return std::string(r == 0 ? "upper" : "lower") + " halves: " + text::shown(runs_[r].run.name) +
           ", " + std::to_string(progresses_) +
           (progresses_ == 1 ? " progress in " : " progresses in ") + time_as_text(time(r)) +
           ", from the end of batch " + std::to_string(batch(r));
  }
  void add_colours(svg& out) const {
    double x = left_;
    const auto label = [&](std::string_view said) {
      out.label("begin", x, 50, said);
      x += svg::width_of(said) + gap;
    };
    label("batches after that one:");
    for (std::size_t after = 1; after <= observe::inks.size(); ++after) {
      add_bar(out, after, x, 40, {12, 12}, false);
      x += 18;
      label("+" + std::to_string(after));
    }
    label("and again; paler in the source; a line: a batch is through");
  }

  /// In the colour of a batch: how many it is after the one that is through where the picture
  /// begins.
  static void add_bar(svg& out, std::size_t after, double x, double y, svg::size s, bool pale) {
    out.add("<rect fill=\"").add(ink_of(after).fill);
    out.add(pale ? R"(" fill-opacity="0.3" x=")" : "\" x=\"").add_number(x, 2);
    out.add("\" y=\"").add_number(y, 1).add("\" width=\"").add_number(s.width, 2);
    out.add("\" height=\"").add_number(s.height, 1).add("\"/>\n");
  }
  static const observe::ink& ink_of(std::size_t after) {
    return observe::ink_of(after + observe::inks.size() - 1);  // +1 has the first one
  }
  double x(const drawn_run& r, clock::time_point at) const {
    const double from = seconds(at - r.through.front()) / total_;
    return left_ + wide_ * (std::max)(0.0, (std::min)(1.0, from));
  }

  void add_spans(svg& out, const drawn_run& r, const lane& of, double y) const {
    const timeline& record = r.run.record;
    const std::span<const std::string> names = of.is_stream ? record.streams() : record.threads();
    const auto found = std::find(names.begin(), names.end(), of.of);
    if (found == names.end()) return;
    const auto number = static_cast<std::size_t>(found - names.begin());
    for (const timeline::span& s :
         of.is_stream ? record.stream_spans(number) : record.spans(number)) {
      const double from = x(r, s.begin);
      const double to = x(r, s.end);
      if (to > left_ && from < left_ + wide_) add_span(out, r, s, from, to, y);
    }
  }
  void add_span(svg& out, const drawn_run& r, const timeline::span& s, double from, double to,
                double y) const {
    const std::string task = text::shown(r.run.record.tasks()[s.task]);
    const bool pull = r.run.record.in_source(s);
    const std::size_t turn = observe::inks.size();
    const std::size_t after = (s.batch + turn - r.measured.first % turn) % turn + turn;
    out.add("<g><title>")
        .add_text(task)
        .add(", batch ")
        .add_number(static_cast<double>(s.batch), 0);
    out.add(", ").add_time(s.end - s.begin).add(pull ? " in the source, " : ", ");
    out.add_text(r.run.name).add("</title>\n");
    const double width = (std::max)(to - from - 0.4, 0.4);  // a seam between two
    add_bar(out, after, from, y + 1, {width, half - 3}, pull);
    if (const std::string said = observe::label_within(task, width); !said.empty())
      out.label(pull                           ? "begin"
                : ink_of(after).text == "#fff" ? "on"
                                               : "half",
                from + 4, y + half / 2 + 4, said);
    out.add("</g>\n");
  }
  /// Where batches are through, and so progresses end.
  void add_ends(svg& out, const drawn_run& r, double y) const {
    for (const clock::time_point at : r.through)
      out.line("end-of-batch", x(r, at), y, x(r, at), y + half - 1);
  }

  double wide_;
  std::array<drawn_run, 2> runs_;
  std::size_t progresses_ = 0;
  seconds total_{1e-3};  // that there is room for
  std::vector<lane> rows_;
  double left_ = 0;
  double right_ = 0;  // of the lines above the rows
};

}  // namespace stretto::report::detail
