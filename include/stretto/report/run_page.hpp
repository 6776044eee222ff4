// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <stretto/bound/curve.hpp>
#include <stretto/bound/idle_times.hpp>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/observe/draw.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/report/exposed_curve.hpp>
#include <stretto/report/exposure_bars.hpp>
#include <stretto/report/idle_bars.hpp>
#include <stretto/report/measured_period.hpp>
#include <stretto/report/page.hpp>
#include <stretto/report/plan_graph.hpp>
#include <stretto/report/progress_grid.hpp>
#include <stretto/report/used_copies.hpp>
#include <stretto/watch/padding_result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::report::detail {

/// What is known of a run and its plan. Costs, and so times of the bound, are in nanoseconds.
struct facts {
  std::string_view name;
  const planner::plan_view& plan;
  const timeline& record;
  const plan_bound& bound;
  const idle_times& idle;
  std::string_view description;
  std::string_view advice;        ///< empty: none was asked for
  const padding_result* padding;  ///< null: no tasks were padded
};

/// Puts a run and its plan on a page.
class run_page {
 public:
  explicit run_page(const facts& known)
      : known_(known),
        measured_(find_measured_period(known.record)),
        page_("Report on " + std::string(known.name)) {
    if (known.padding != nullptr)
      look_at_tasks(*known.padding, known.plan.tasks(),
                    [this](std::size_t node) { return name_of(node); });
    if (!measured_.known()) return;
    for (std::size_t s = 0; s < known.plan.slot_list.size(); ++s)
      used_.push_back(used_copies(known.record, known.plan, s));
  }

  std::string text() {
    tell_fidelity();
    tell_unmeasured();
    draw_timeline();
    tell_bound();
    draw_graph();
    draw_curves();
    tell_padding();
    tell_advice();
    tell_waits();
    draw_space_and_time();
    tell_slots();
    page_.begin("plan", "The plan")
        .add("<pre>")
        .add_lines(known_.description)
        .add("</pre>\n")
        .end();
    tell_figures();
    return page_.text();
  }

 private:
  /// How far a model may be off before what it says of tasks is no advice.
  static constexpr double most_off = 0.05;

  std::size_t nodes() const { return known_.plan.tasks() + 1; }  // with the source
  std::string_view name_of(std::size_t node) const {
    return planner::node_name(known_.plan.declared, node);
  }
  std::string_view thread_of(std::size_t node) const {
    return known_.plan.threads[known_.plan.thread_of[node]];
  }
  double modelled() const { return known_.bound.period().value(); }
  double measured() const { return measured_.time.count() * 1e9; }
  double off() const { return modelled() > 0 ? measured() / modelled() - 1 : 0; }
  bool faithful() const { return measured_.known() && std::abs(off()) <= most_off; }

  /// The first line of every report: whether the rest can be relied on.
  void tell_fidelity() {
    page_.add("<p id=\"fidelity\">By the medians of its tasks' times a progress takes <b>")
        .add_time(modelled())
        .add("</b> at best");
    if (!measured_.known()) {
      page_.add("; the record is too short to say what it took.</p>\n");
      return;
    }
    page_.add(", and took <b>")
        .add_time(measured())
        .add("</b>: ")
        .add_number(100 * std::abs(off()), 1)
        .add(off() < 0 ? " % less." : " % more.");
    if (!faithful()) {
      page_.add(
          " That is more than the model explains, so what follows about the time of tasks is "
          "no advice.");
      if (const idle_times::thread_row* const row = least_explained(); row != nullptr)
        page_.add(" Most is unexplained on thread <code>")
            .add_text(row->name)
            .add("</code>, which ran nothing, and waited for no task, for ")
            .add_number(100 * row->other / row->total, 1)
            .add(" % of its time.");
    }
    page_.add("</p>\n");
  }
  /// What is not in the record: which tasks' times are no measured ones, and how much is missing.
  void tell_unmeasured() {
    std::vector<bool> ran(known_.plan.tasks(), false);
    for (std::size_t t = 0; t < known_.record.threads().size(); ++t)
      for (const timeline::span& s : known_.record.spans(t))
        if (s.task < ran.size()) ran[s.task] = true;
    bool any = false;
    for (std::size_t n = 0; n < ran.size(); ++n) {
      if (ran[n]) continue;
      page_.add(any ? ", <code>" : "<p id=\"unmeasured\">The record has no run of <code>")
          .add_text(name_of(n))
          .add("</code>");
      any = true;
    }
    if (any) page_.add(": here a weight of N counts as N nanoseconds.</p>\n");
    if (known_.record.overwritten() > 0)
      page_.add("<p id=\"overwritten\">The record has no room for all of the run: ")
          .add_number(static_cast<double>(known_.record.overwritten()), 0)
          .add(" runs of tasks are missing at its beginning.</p>\n");
    if (const std::size_t stretches = known_.record.stretches().size(); stretches > 1)
      page_.add("<p id=\"paused\">The record is of ")
          .add_number(static_cast<double>(stretches), 0)
          .add(
              " stretches: recording was paused, or there were several runs. What a progress took, "
              "and how many copies were in use, is of the one that has most batches; waits are of "
              "all, and none is across a gap.</p>\n");
  }
  const idle_times::thread_row* least_explained() const {
    const idle_times::thread_row* most = nullptr;
    for (const idle_times::thread_row& row : known_.idle.threads())
      if (row.other.count() > 0 && (most == nullptr || row.other > most->other)) most = &row;
    return most;
  }

  void draw_timeline() {
    if (!measured_.known()) return;
    constexpr std::size_t most = 8;
    const std::size_t last = measured_.first + (std::min)(most, measured_.batches) - 1;
    page_.begin("timeline", "Some batches of the run")
        .stretchable("Which task each thread ran when",
                     [&](int zoom) {
                       std::ostringstream drawn;
                       draw_svg(drawn, known_.record, measured_.first, last, {}, zoom);
                       return drawn.str();
                     })
        .end();
  }

  void tell_bound() {
    const plan_bound& b = known_.bound;
    page_.begin("bound", "What bounds it").add("<p>");
    if (!b.busy_thread().empty())
      page_.add("Thread <code>").add_text(b.busy_thread()).add("</code> is busy all the time");
    else if (!b.busy_stream().empty())
      page_.add("Stream <code>").add_text(b.busy_stream()).add("</code> is busy all the time");
    else
      page_.add("Tasks wait for each other in a circle");
    page_.add(" with ");
    for (std::size_t i = 0; i < b.cycle().size(); ++i)
      page_.add(i == 0 ? "<code>" : ", <code>").add_text(b.cycle()[i]).add("</code>");
    page_.add(
        ".</p>\n<table>\n<tr><th>task</th><th>thread</th><th class=\"n\">time</th>"
        "<th class=\"n\">exposed</th><th>of a progress</th><th class=\"n\">spare</th></tr>\n");
    for (std::size_t n = 0; n < nodes(); ++n) {
      const double exposed = b.exposed(name_of(n)).value();
      page_.add("<tr>")
          .cell(name_of(n))
          .cell(thread_of(n))
          .add("<td class=\"n\">")
          .add_time(static_cast<double>(b.time_of(name_of(n))))
          .add("</td><td class=\"n\">")
          .add_time(exposed)
          .add("</td>")
          .bar(modelled() > 0 ? exposed / modelled() : 0, "wait")
          .add("<td class=\"n\">")
          .add_time(b.spare(name_of(n)).value())
          .add("</td></tr>\n");
    }
    page_
        .add(
            "</table>\n<p>Exposed is what a progress would take less without the task; spare, how "
            "much longer the task may take before a progress takes longer.</p>\n")
        .end();
  }

  void draw_graph() {
    page_.begin("graph", "Who waits for whom");
    if (known_.plan.order.size() > plan_graph::most_nodes) {
      page_.add("<p>")
          .add_number(static_cast<double>(known_.plan.tasks()), 0)
          .add(" tasks are too many for a picture.</p>\n")
          .end();
      return;
    }
    page_
        .figure("Each thread's tasks, and the waits between threads",
                plan_graph(known_.plan, known_.bound.cycle()).text())
        .add(
            "<p>Each thread's tasks in order; an arrow is a wait, dashed for what "
            "happened in an earlier progress. Orange is what bounds it.</p>\n")
        .end();
  }

  /// The time per progress by the time of each task that is exposed, up to twice what it takes.
  void draw_curves() {
    page_.begin("curves", "If a task took another time").add("<div class=\"curves\">\n");
    bool any = false;
    for (std::size_t n = 0; n < nodes(); ++n)
      if (known_.bound.exposed(name_of(n)).value() > 0.02 * modelled()) {
        draw_curve(n);
        any = true;
      }
    page_.add("</div>\n");
    if (!any)
      page_.add("<p>No task's time is exposed by more than a fiftieth of a progress.</p>\n");
    page_.end();
  }
  void draw_curve(std::size_t node) {
    const planner::list<curve_piece> pieces = known_.bound.curve(name_of(node));
    const auto time = static_cast<double>(known_.bound.time_of(name_of(node)));
    page_.add("<figure>\n")
        .add(exposed_curve(known_.bound, name_of(node)).text())
        .add("<figcaption><code>")
        .add_text(name_of(node))
        .add("</code>: ")
        .add_time(time);
    std::size_t now = 0;
    while (now + 1 < pieces.size() && pieces[now + 1].from.value() < time) ++now;
    if (now > 0 && pieces[now].slope.time > 0) {
      const double bend = pieces[now].from.value();
      page_.add("; up to ").add_time(time - bend).add(" faster helps, then ");
      tell_limit(pieces[now - 1]);
      page_.add(" is in the way");
    }
    page_.add("</figcaption></figure>\n");
  }
  void tell_limit(const curve_piece& limit) {
    if (!limit.busy_thread.empty()) {
      page_.add("thread <code>").add_text(limit.busy_thread).add("</code>");
    } else if (!limit.busy_stream.empty()) {
      page_.add("stream <code>").add_text(limit.busy_stream).add("</code>");
    } else {
      for (std::size_t i = 0; i < limit.cycle.size(); ++i)
        page_.add(i == 0 ? "<code>" : " &gt; <code>").add_text(limit.cycle[i]).add("</code>");
    }
  }

  /// How much of each task is exposed, by runs in which it was made longer.
  void tell_padding() {
    if (known_.padding == nullptr) return;
    const padding_result& found = *known_.padding;
    page_.begin("padding", "Exposed, measured by padding");
    if (found.stretches == 0) {
      page_.add("<p>Nothing is known: the runs were too short to compare stretches.</p>\n").end();
      return;
    }
    page_.figure("How much of each task is exposed", exposure_bars(found).text())
        .add(
            "<p>What a progress would take less, at most, if the task took no time: its "
            "time by its slope, which is how much longer a progress took by how much longer the "
            "task was made; lines are the intervals in which that is in 95 of 100 cases. Tasks "
            "were "
            "made longer one at a time, by up to ")
        .add_time(found.longest)
        .add(", in ")
        .add_number(static_cast<double>(found.stretches), 0)
        .add(" stretches of ")
        .add_number(static_cast<double>(found.batches), 0)
        .add(" batches; without that a progress took ")
        .add_time(found.period)
        .add(" there.</p>\n")
        .end();
  }

  void tell_advice() {
    if (known_.advice.empty()) return;
    page_.begin("advice", "What would make it faster");
    if (measured_.known() && !faithful())
      page_.add("<p>No advice: the model does not explain what the run took.</p>\n");
    else
      page_.add("<pre>").add_lines(known_.advice).add("</pre>\n");
    page_.end();
  }

  void tell_waits() {
    page_.begin("waits", "What threads did")
        .figure("What each thread did, and what it waited for", idle_bars(known_.idle).text())
        .add("<pre>")
        .add_lines(known_.idle.text())
        .add("</pre>\n")
        .end();
  }

  /// Which task works on which batch in which progress.
  void draw_space_and_time() {
    const progress_grid grid(known_.plan);
    page_.begin("progresses", "Prefill, steady state, drain");
    if (!grid.fits()) {
      page_.add("<p>")
          .add_number(known_.plan.max_lookahead + 1, 0)
          .add(" batches are in flight: too many for a picture.</p>\n")
          .end();
      return;
    }
    page_.figure("Which task works on which batch in which progress", grid.text())
        .add("<p>A number is the batch that a task works on, of ")
        .add_number(static_cast<double>(grid.batches()), 0)
        .add(" batches in all; in the dark columns all tasks have one.</p>\n")
        .end();
  }

  void tell_slots() {
    page_.begin("slots", "Slots")
        .add(
            "<table>\n<tr><th>slot</th><th class=\"n\">copies</th><th class=\"n\">in use</th>"
            "<th>of its copies</th></tr>\n");
    for (std::size_t s = 0; s < known_.plan.slot_list.size(); ++s) {
      const double used = measured_.known() ? used_[s] : 0;
      const auto copies = static_cast<double>(known_.plan.copies[s]);
      page_.add("<tr>").cell(known_.plan.slot_list[s].text).cell(copies, 0);
      if (used > 0)
        page_.cell(used, 2).bar(used / copies, "busy");
      else
        page_.add("<td></td><td></td>");
      page_.add("</tr>\n");
    }
    page_
        .add(
            "</table>\n<p>In use is how many copies were, on average: from the begin of the task "
            "that writes one to the end of the last task that reads it.</p>\n")
        .end();
  }

  /// The figures of the page for programs to read, in nanoseconds.
  void tell_figures() {
    page_.add("<script type=\"application/json\" id=\"figures\">\n{\"schedule\":");
    page_.add_json(known_.name);
    page_.add(",\"modelled_period\":").add_number(modelled(), 3);
    if (measured_.known()) page_.add(",\"measured_period\":").add_number(measured(), 3);
    page_.add(",\"overwritten\":").add_number(static_cast<double>(known_.record.overwritten()), 0);
    page_.add(",\"tasks\":[");
    for (std::size_t n = 0; n < nodes(); ++n) {
      page_.add(n == 0 ? "\n{\"name\":" : ",\n{\"name\":");
      page_.add_json(name_of(n));
      page_.add(",\"thread\":");
      page_.add_json(thread_of(n));
      page_.add(",\"time\":").add_number(static_cast<double>(known_.bound.time_of(name_of(n))), 0);
      page_.add(",\"exposed\":").add_number(known_.bound.exposed(name_of(n)).value(), 3);
      page_.add(",\"spare\":").add_number(known_.bound.spare(name_of(n)).value(), 3).add("}");
    }
    page_.add("],\"bounded_by\":[");
    for (std::size_t i = 0; i < known_.bound.cycle().size(); ++i) {
      if (i > 0) page_.add(",");
      page_.add_json(known_.bound.cycle()[i]);
    }
    page_.add("],\"slots\":[");
    for (std::size_t s = 0; s < known_.plan.slot_list.size(); ++s) {
      page_.add(s == 0 ? "\n{\"name\":" : ",\n{\"name\":");
      page_.add_json(known_.plan.slot_list[s].text);
      page_.add(",\"copies\":").add_number(static_cast<double>(known_.plan.copies[s]), 0);
      if (measured_.known()) page_.add(",\"in_use\":").add_number(used_[s], 3);
      page_.add("}");
    }
    page_.add("],\"threads\":[");
    bool first = true;
    for (const idle_times::thread_row& row : known_.idle.threads()) {
      page_.add(first ? "\n{\"name\":" : ",\n{\"name\":");
      first = false;
      page_.add_json(row.name);
      page_.add(",\"total\":").add_number(row.total.count() * 1e9, 0);
      page_.add(",\"busy\":").add_number(row.busy.count() * 1e9, 0);
      page_.add(",\"in_source\":").add_number(row.in_source.count() * 1e9, 0);
      page_.add(",\"waiting\":").add_number(row.waiting().count() * 1e9, 0);
      page_.add(",\"other\":").add_number(row.other.count() * 1e9, 0).add("}");
    }
    page_.add("]");
    if (known_.padding != nullptr) {
      page_.add(",\"padding\":");
      add_padding(page_, *known_.padding);
    }
    page_.add("}\n</script>\n");
  }

  const facts& known_;
  measured_period measured_;
  std::vector<double> used_;  // copies in use, by slot, if there is a measured period
  page page_;
};

}  // namespace stretto::report::detail
