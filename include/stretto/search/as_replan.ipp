// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <stretto/advice/code.hpp>
#include <stretto/advice/spelled_types.hpp>
#include <stretto/bound/begins_of.hpp>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/is_optimal.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/cpp_type.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/wording.hpp>
#include <stretto/run/error.hpp>
#include <stretto/search/as_replan.hpp>
#include <stretto/search/cost_ranges.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::search::detail {

/// What was found, as another plan of the schedule of types that it was looked for.
class replanned {
 public:
  replanned(const dynamic::schedule& from, const found_schedule& found,
            planner::view<task_cost> costs, const advising::spelling& how)
      : from_(&from), to_(&found.schedule), how_(&how), edited_(from) {
    refuse_what_cannot_be_said();
    if (to_->frugal && !from.frugal) part("st::frugal");
    edited_.frugal = to_->frugal;
    add_source();
    add_places();
    add_slacks();
    if (!is_as_found(found, costs)) {
      add_orders();
      if (!is_as_found(found, costs))
        throw usage_error(
            std::string("no `replan` of `")
                .append(how.schedule)
                .append("` is the schedule that was found: is it found of this one?"));
    }
  }

  /// What is known of it, for people; the type; what the compiler is to check: that its tasks are
  /// those of the schedule and take by their weights what keeps the plan the best, that its period
  /// is the one that was found, that no plan of its tasks is faster, or, where no compiler can
  /// prove that, what is known of it, and that it is the plan that was found.
  std::string text(std::string_view name, const found_schedule& found,
                   planner::view<task_cost> costs) const {
    const dynamic::planned_schedule planned(edited_);
    std::string out = comment("Found of `" + how_->schedule + "`: " + found.text()) +
                      comment(begins(planned, costs));
    out += "struct " + std::string(name) + "\n    : st::replan<" + how_->schedule;
    for (const std::string& one : parts_) out += ",\n                 " + one;
    out += "> {};\nstatic_assert(st::tasks_are<" + std::string(name);
    for (const dynamic::task& t : from_->tasks) out += ", " + advising::literal(t.name);
    out += ">);\n" + asserted_weights(name, found, costs);
    std::string by;
    for (const task_cost& c : all_costs(costs))
      by += (by.empty() ? "{" : ", {") + advising::literal(c.task) + ", " + std::to_string(c.time) +
            "}";
    const bool optimal = is_optimal(planned, costs);
    out += std::string("static_assert(\n    st::") + (optimal ? "is_optimal_at<" : "period_is<") +
           std::string(name) + ">({" + std::to_string(found.period.time) + ", " +
           std::to_string(found.period.progresses) + "}, {" + by + "}),\n    \"" +
           std::string(name) + " takes another time per progress than was found" +
           (optimal ? ", or another plan may be faster" : "") + ": look for a plan again\");\n";
    if (!optimal) out += unasserted(found);
    return out + "static_assert(st::fingerprint<" + std::string(name) + "> == 0x" +
           hexadecimal(planned.fingerprint()) + ",\n              \"" + std::string(name) +
           " is another plan than was found: look for a plan again\");\n";
  }

 private:
  static std::string hexadecimal(std::uint64_t number) {
    char digits[16];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number, 16).ptr;
    return {std::begin(digits), end};
  }
  static std::string comment(std::string_view lines) {
    std::string out;
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = (std::min)(lines.find('\n', at), lines.size());
      out.append("// ").append(lines.substr(at, end - at)).append("\n");
      at = end + 1;
    }
    return out;
  }
  /// When each task of a progress begins, thread by thread.
  static std::string begins(const dynamic::planned_schedule& planned,
                            planner::view<task_cost> costs) {
    const std::vector<task_begin> all = begins_of(planned, costs);
    planner::text_builder out;
    for (const std::string_view thread : planned.plan().threads.names) {
      bool first = true;
      for (const task_begin& b : all) {
        if (b.thread != thread) continue;
        if (first) out.add("Thread ").quoted(thread).add(" begins ");
        if (!std::exchange(first, false)) out.add(", ");
        out.quoted(b.task).add(" at ").quotient(b.at.time, b.at.progresses);
      }
      if (!first) out.add("\n");
    }
    return out.text();
  }

  static bool tells(planner::view<task_cost> costs, std::string_view task) {
    return std::any_of(costs.begin(), costs.end(),
                       [&](const task_cost& c) { return c.task == task; });
  }
  /// What is taken by weight: the code may say another one since.
  std::vector<task_cost> by_weight(planner::view<task_cost> costs) const {
    std::vector<task_cost> all;
    for (const dynamic::task& t : from_->tasks)
      if (!tells(costs, t.name)) all.push_back({t.name, t.weight});
    if (from_->source.weight != 0 && !tells(costs, planner::pull_name))
      all.push_back({planner::pull_name, from_->source.weight});
    return all;
  }
  std::vector<task_cost> all_costs(planner::view<task_cost> costs) const {
    std::vector<task_cost> all(costs.begin(), costs.end());
    for (const task_cost& c : by_weight(costs)) all.push_back(c);
    return all;
  }
  /// That weights are still within the ranges for which the schedule is proved to be the best, or
  /// where nothing is proved, what they were.
  std::string asserted_weights(std::string_view name, const found_schedule& found,
                               planner::view<task_cost> costs) const {
    const std::vector<task_cost> weighed = by_weight(costs);
    if (weighed.empty()) return {};
    const std::vector<cost_range> ranges = cost_ranges(found, costs);
    std::string list;
    for (const task_cost& c : weighed) {
      list += ",\n                            st::cost_within<" + advising::literal(c.task) + ", " +
              std::to_string(c.time);
      for (const cost_range& r : ranges) {
        if (r.task != c.task || (r.least == c.time && r.most == c.time)) continue;
        list += ", " + std::to_string(r.least);
        if (r.most) list += ", " + std::to_string(*r.most);
      }
      list += ">";
    }
    return "static_assert(st::costs_are<" + std::string(name) + list + ">);\n";
  }

  /// What is said of the least period where `is_optimal` is false.
  static std::string unasserted(const found_schedule& found) {
    if (found.optimal())
      return "// No plan within the limits of the search takes less, which it has proved, and no "
             "compiler can.\n";
    planner::text_builder told;
    told.add("// A plan that takes less may be there; none within the limits takes less than ");
    told.quotient(found.least.time, found.least.progresses).add(".\n");
    return told.text();
  }

  void part(std::string text) { parts_.push_back(std::move(text)); }
  std::string task(const std::string& name) const {
    return advising::name_in(how_->task_names, name);
  }

  void refuse_what_cannot_be_said() const {
    if (from_->pipelined || from_->generated != 0)
      throw usage_error(
          std::string("schedule `")
              .append(from_->name)
              .append("` leaves lookaheads or threads to the planner (`pipelined`, `generated`), "
                      "which no `replan` takes back: look for a plan of one without"));
    for (const dynamic::slack& more : from_->slacks)
      if (std::none_of(to_->slacks.begin(), to_->slacks.end(),
                       [&](const dynamic::slack& kept) { return kept.slot == more.slot; }))
        throw usage_error(
            std::string("the schedule that was found needs no `slack` of slot `")
                .append(more.slot)
                .append("`, which no `replan` takes back: look for a plan of one without"));
    for (const dynamic::task& t : to_->tasks) {
      const dynamic::task* const was = from_->find(t.name);
      if (was == nullptr)
        throw usage_error(std::string("task `")
                              .append(t.name)
                              .append("` was found, but is none of schedule `")
                              .append(from_->name)
                              .append("`"));
      if (was->cross_iter_depends_on.size() != t.cross_iter_depends_on.size())
        throw usage_error(
            std::string("with the lookaheads that were found, what task `")
                .append(t.name)
                .append("` reads says as much as its `cross_iter_depends_on`: drop that, and look "
                        "again"));
    }
  }

  void add_source() {
    if (from_->source.lookahead == to_->source.lookahead) return;
    part(advising::source_part(*how_, to_->source));
    edited_.source = to_->source;
  }
  void add_places() {
    for (dynamic::task& t : edited_.tasks) {
      const dynamic::task& now = *to_->find(t.name);
      std::string place;
      if (t.lookahead != now.lookahead)
        place += ", st::lookahead<" + std::to_string(now.lookahead) + ">";
      if (t.stream != now.stream) place += ", st::stream<" + advising::literal(now.stream) + ">";
      if (t.thread != now.thread) place += ", st::thread<" + advising::literal(now.thread) + ">";
      if (place.empty()) continue;
      part("st::place<" + task(t.name) + place + ">");
      t.lookahead = now.lookahead;
      t.stream = now.stream;
      t.thread = now.thread;
    }
    edited_.thread_names = to_->thread_names;
    if (from_->thread_names == to_->thread_names) return;
    std::string names;
    for (const std::string& name : to_->thread_names)
      advising::add_part(names, advising::literal(name));
    part("st::thread_names<" + names + ">");
  }
  void add_slacks() {
    for (const dynamic::slack& more : to_->slacks)
      part("st::slack<" + advising::name_in(how_->slot_names, more.slot) +
           (more.copies == 1 ? "" : ", " + std::to_string(more.copies)) + ">");
    edited_.slacks = to_->slacks;
  }

  /// In what order tasks are on each thread and on each stream.
  static std::map<std::string, std::vector<std::string>> turns(const dynamic::schedule& s) {
    const dynamic::planned_schedule planned(s);
    const planner::plan& p = planned.plan();
    std::map<std::string, std::vector<std::string>> all;
    for (const std::size_t n : p.order) {
      if (n >= p.resolved.tasks) continue;
      const std::string name(planned.name_of(n));
      all["thread " + std::string(p.threads.names[p.threads.thread_of[n]])].push_back(name);
      if (const std::size_t on = p.resolved.nodes[n].stream; on != planner::none)
        all["stream " + std::string(p.resolved.streams[on])].push_back(name);
    }
    return all;
  }
  void add_orders() {
    auto& said = edited_.orders;
    for (const auto& [where, turn] : turns(*to_)) {
      if (turn.size() < 2 || std::find(said.begin(), said.end(), turn) != said.end()) continue;
      said.push_back(turn);
      std::string list;
      for (const std::string& t : turn) advising::add_part(list, task(t));
      part("st::order<" + list + ">");
    }
  }

  bool is_as_found(const found_schedule& found, planner::view<task_cost> costs) const {
    if (!dynamic::diagnose(edited_).ok()) return false;
    const dynamic::planned_schedule planned(edited_);
    return bound_of(planned, costs).period() == found.period && turns(edited_) == turns(*to_);
  }

  const dynamic::schedule* from_;
  const dynamic::schedule* to_;
  const advising::spelling* how_;
  dynamic::schedule edited_;
  std::vector<std::string> parts_;
};

STRETTO_INLINE std::string as_replan_of(const dynamic::schedule& from,
                                        const advising::spelling& how, const found_schedule& found,
                                        planner::view<task_cost> costs, std::string_view name) {
  refuse_device(found.on_device, "`as_replan`");
  if (!dynamic::shared::is_cpp_name(name))
    throw usage_error("no plan can be called " + planner::quoted(name) + " in C++");
  return replanned(from, found, costs, how).text(name, found, costs);
}

}  // namespace stretto::search::detail
