// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/measured_costs.hpp>
#include <stretto/observe/draw.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/report/exposure_bars.hpp>
#include <stretto/report/measured_period.hpp>
#include <stretto/report/overlaid_timelines.hpp>
#include <stretto/report/page.hpp>
#include <stretto/watch/padding_result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::report::detail {

/// A run that is compared with another one.
struct named_run {
  std::string_view name;
  const timeline& record;
  const padding_result* padding = nullptr;  ///< null: no tasks were padded
};

/// Puts two runs next to each other on a page.
class comparison_page {
 public:
  comparison_page(const named_run& first, const named_run& second)
      : runs_{known_of(first), known_of(second)},
        overlaid_({first.name, first.record}, {second.name, second.record}),
        page_(std::string(first.name) + " and " + std::string(second.name)) {
    for (const known_run& k : runs_) {
      if (k.run.padding == nullptr) continue;
      const auto tasks = k.run.record.tasks();
      look_at_tasks(*k.run.padding, tasks.size() < 2 ? 0 : tasks.size() - 2,  // pull and deliver
                    [&tasks](std::size_t t) -> std::string_view { return tasks[t]; });
    }
  }

  std::string text() {
    tell_periods();
    draw_timelines();
    draw_overlaid();
    tell_tasks();
    tell_padding();
    tell_threads();
    tell_figures();
    return page_.text();
  }

 private:
  struct known_run {
    named_run run;
    measured_period measured;
    std::map<std::string_view, double> times;         ///< medians, by task, in nanoseconds
    std::map<std::string_view, std::string> threads;  ///< by task; several: with commas
    std::map<std::string_view, std::array<double, 2>>
        busy;  ///< by thread: with tasks, in the source
    overlaid_run overlaid() const { return {run.name, run.record}; }
  };
  using pair = std::array<known_run, 2>;

  static known_run known_of(const named_run& run) {
    known_run k{run, find_measured_period(run.record), {}, {}, {}};
    for (const task_cost& c : measured_costs(run.record))
      if (c.task != planner::pull_name) k.times[c.task] = static_cast<double>(c.time);
    std::map<std::uint32_t, timeline::span> whole;  // by stretch, from its first begin on
    for (std::size_t t = 0; t < run.record.threads().size(); ++t) {
      std::map<std::string_view, bool> there;
      std::array<timeline::seconds, 2> sums{};
      for (const timeline::span& s : run.record.spans(t)) {
        sums[run.record.in_source(s) ? 1 : 0] += s.end - s.begin;
        timeline::span& w = whole.try_emplace(s.stretch, s).first->second;
        w.begin = (std::min)(w.begin, s.begin);
        w.end = (std::max)(w.end, s.end);
        if (!run.record.in_source(s)) there[run.record.tasks()[s.task]] = true;
      }
      for (const auto& [task, is] : there) {
        std::string& threads = k.threads[task];
        threads += threads.empty() ? "" : ", ";
        threads += run.record.threads()[t];
      }
      k.busy[run.record.threads()[t]] = {sums[0].count(), sums[1].count()};
    }
    timeline::seconds total{};
    for (const auto& [stretch, w] : whole) total += w.end - w.begin;
    if (total.count() > 0)
      for (auto& [thread, parts] : k.busy)
        for (double& part : parts) part /= total.count();
    return k;
  }
  double period(std::size_t run) const { return runs_[run].measured.time.count() * 1e9; }
  bool both_known() const { return runs_[0].measured.known() && runs_[1].measured.known(); }

  void tell_periods() {
    page_.add("<p id=\"periods\">");
    if (!both_known()) {
      page_.add("A record is too short to say what a progress took.</p>\n");
      return;
    }
    page_.add("A progress took <b>")
        .add_time(period(0))
        .add("</b> in <code>")
        .add_text(runs_[0].run.name)
        .add("</code>, and <b>")
        .add_time(period(1))
        .add("</b> in <code>")
        .add_text(runs_[1].run.name)
        .add("</code>");
    if (period(0) > 0) page_.add(": ").add_number(period(1) / period(0), 2).add(" of the first");
    page_.add(".</p>\n");
  }

  /// From the first task on the first batch that is drawn to the last one on the last.
  static timeline::seconds drawn_time(const known_run& k, std::size_t batches) {
    timeline::clock::time_point begin = (timeline::clock::time_point::max)();
    timeline::clock::time_point end = (timeline::clock::time_point::min)();
    for (std::size_t t = 0; t < k.run.record.threads().size(); ++t)
      for (const timeline::span& s : k.run.record.spans(t))
        if (s.batch >= k.measured.first && s.batch < k.measured.first + batches) {
          begin = (std::min)(begin, s.begin);
          end = (std::max)(end, s.end);
        }
    return begin < end ? timeline::seconds(end - begin) : timeline::seconds(0);
  }
  static double width_of(const std::string& picture) {
    const std::string_view box = "viewBox=\"0 0 ";
    return std::stod(picture.substr(picture.find(box) + box.size()));
  }
  /// A second is as wide in both.
  void draw_timelines() {
    if (!both_known()) return;
    constexpr std::size_t most = 8;
    const std::size_t batches =
        (std::min)({most, runs_[0].measured.batches, runs_[1].measured.batches});
    const std::array<double, 2> times{drawn_time(runs_[0], batches).count(),
                                      drawn_time(runs_[1], batches).count()};
    const double longest = (std::max)(times[0], times[1]);
    std::array<std::string, 2> pictures;
    for (std::size_t r = 0; r < 2; ++r) {
      std::ostringstream drawn;
      const std::size_t first = runs_[r].measured.first;
      draw_svg(drawn, runs_[r].run.record, first, first + batches - 1, {},
               longest > 0 && times[r] > 0 ? times[r] / longest : 1);
      pictures[r] = drawn.str();
    }
    const double widest = (std::max)(width_of(pictures[0]), width_of(pictures[1]));
    page_.begin("timelines", "As many batches of each");
    for (std::size_t r = 0; r < 2; ++r)
      page_.add("<p><code>")
          .add_text(runs_[r].run.name)
          .add("</code></p>\n")
          .figure("Which task each thread ran when in " + std::string(runs_[r].run.name),
                  pictures[r], 100 * width_of(pictures[r]) / widest);
    page_.end();
  }

  void draw_overlaid() {
    if (!overlaid_.known()) return;
    page_.begin("overlaid", "One over the other")
        .stretchable(
            "Which task each thread ran when, in both runs",
            [this](int zoom) {
              return overlaid_timelines(runs_[0].overlaid(), runs_[1].overlaid(), zoom).text();
            })
        .end();
  }

  template <class Value>
  std::vector<std::string_view> names_in_either(
      std::map<std::string_view, Value> known_run::*of) const {
    std::vector<std::string_view> names;
    for (const known_run& k : runs_)
      for (const auto& [name, value] : k.*of)
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
  }
  void tell_tasks() {
    page_.begin("tasks", "Tasks").add("<table>\n<tr><th>task</th>");
    for (const known_run& k : runs_)
      page_.add("<th class=\"n\">").add_text(k.run.name).add("</th><th>thread</th>");
    page_.add("<th class=\"n\">of the first</th></tr>\n");
    for (const std::string_view task : names_in_either(&known_run::times)) {
      page_.add("<tr>").cell(task);
      for (const known_run& k : runs_) {
        const auto time = k.times.find(task);
        const auto threads = k.threads.find(task);
        page_.add("<td class=\"n\">");
        if (time != k.times.end()) page_.add_time(time->second);
        page_.add("</td>").cell(threads == k.threads.end() ? "" : threads->second);
      }
      const auto first = runs_[0].times.find(task);
      const auto second = runs_[1].times.find(task);
      if (first != runs_[0].times.end() && second != runs_[1].times.end() && first->second > 0)
        page_.cell(second->second / first->second, 2);
      else
        page_.add("<td></td>");
      page_.add("</tr>\n");
    }
    page_.add("</table>\n").end();
  }

  /// A second is as wide in both.
  void tell_padding() {
    padding_result::seconds whole{};
    for (const known_run& k : runs_)
      if (k.run.padding != nullptr) whole = exposure_bars::whole_of(*k.run.padding, whole);
    if (whole.count() <= 0) return;
    page_.begin("padding", "Exposed, measured by padding");
    for (const known_run& k : runs_)
      if (k.run.padding != nullptr)
        page_.add("<p><code>")
            .add_text(k.run.name)
            .add("</code></p>\n")
            .figure("How much of each task is exposed in " + std::string(k.run.name),
                    exposure_bars(*k.run.padding, whole).text());
    page_.end();
  }

  void tell_threads() {
    page_.begin("threads", "How busy threads were").add("<table>\n<tr><th>thread</th>");
    for (const known_run& k : runs_) page_.add("<th>").add_text(k.run.name).add("</th>");
    page_.add("</tr>\n");
    for (const std::string_view thread : names_in_either(&known_run::busy)) {
      page_.add("<tr>").cell(thread);
      for (const known_run& k : runs_) {
        const auto parts = k.busy.find(thread);
        if (parts == k.busy.end()) {
          page_.add("<td></td>");
          continue;
        }
        page_.add("<td><div class=\"stack\">");
        for (std::size_t p = 0; p < 2; ++p)
          page_.add(p == 0 ? R"(<span class="busy" title=")" : R"(<span class="source" title=")")
              .add_number(100 * parts->second[p], 0)
              .add(p == 0 ? " % busy\" style=\"width:" : " % in the source\" style=\"width:")
              .add_number(100 * parts->second[p], 2)
              .add("%\"></span>");
        page_.add("</div></td>");
      }
      page_.add("</tr>\n");
    }
    page_.add("</table>\n").end();
  }

  /// The figures of the page for programs to read, in nanoseconds.
  void tell_figures() {
    page_.add("<script type=\"application/json\" id=\"figures\">\n{\"runs\":[");
    for (std::size_t r = 0; r < 2; ++r) {
      page_.add(r == 0 ? "\n{\"name\":" : ",\n{\"name\":").add_json(runs_[r].run.name);
      if (runs_[r].measured.known()) page_.add(",\"measured_period\":").add_number(period(r), 3);
      if (overlaid_.known())
        page_.add(R"(,"overlaid":{"after_batch":)")
            .add_number(static_cast<double>(overlaid_.batch(r)), 0)
            .add(",\"progresses\":")
            .add_number(static_cast<double>(overlaid_.progresses()), 0)
            .add(",\"time\":")
            .add_number(overlaid_.time(r).count() * 1e9, 3)
            .add("}");
      page_.add(",\"tasks\":{");
      bool first = true;
      for (const auto& [task, time] : runs_[r].times) {
        page_.add(first ? "" : ",").add_json(task).add(":").add_number(time, 0);
        first = false;
      }
      page_.add("},\"threads\":{");
      first = true;
      for (const auto& [thread, parts] : runs_[r].busy) {
        page_.add(first ? "" : ",").add_json(thread).add(":").add_number(parts[0] + parts[1], 4);
        first = false;
      }
      page_.add("}");
      if (runs_[r].run.padding != nullptr) {
        page_.add(",\"padding\":");
        add_padding(page_, *runs_[r].run.padding);
      }
      page_.add("}");
    }
    page_.add("]}\n</script>\n");
  }

  pair runs_;
  overlaid_timelines overlaid_;
  page page_;
};

}  // namespace stretto::report::detail
