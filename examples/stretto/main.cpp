// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Stretto makes of a schedule file: diagnosis, plan, who works on which batch when, pictures,
// a header of task types; and, with what its tasks take, what bounds it, how it would run, and
// which other plan of its tasks is faster.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <stretto/advice.hpp>
#include <stretto/bound.hpp>
#include <stretto/cost_file.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/picture.hpp>
#include <stretto/report.hpp>
#include <stretto/schedule_file.hpp>
#include <stretto/search.hpp>
#include <stretto/text/visible.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>
#include "comparison.hpp"
#include "fire_table.hpp"
#include "in_flight.hpp"
#include "number_ranges.hpp"
#include "search_progress.hpp"
#include "stand_ins.hpp"

namespace {

namespace dynamic = stretto::dynamic;

enum exit_code { fine = 0, schedule_is_wrong = 1, cannot_be_done = 2 };

struct options {
  std::string file;
  std::string other;
  std::string output;
  std::string costs;
  std::string trace;
  std::vector<std::string> range_summaries;
  std::string certificate;
  bool barrier = false;
  bool on_device = false;
  std::vector<std::string> engines;
  bool with_submissions = false;
  bool perfetto = false;
  bool with_advice = false;
  bool as_page = false;
  bool as_text = false;
  stretto::advice_options within;
  std::string order = "time-saved";
  stretto::search::limits tuned_within;
  stretto::search::effort effort;
  bool show_progress = false;
  std::string by = "search";
  std::string policy;
  int width = 0;
  bool threads_anew = false;
  bool count_threads = false;
  bool ranges = false;
  std::vector<std::string> streams;
  std::size_t measure = 0;
  std::size_t rounds = 0;
  std::size_t batches = 4;
  stretto::picture::options picture;
  bool no_legend = false;
  dynamic::header_options header;
};

/// Says what problems there are. One of the file that has no place in it: it cannot be read.
int say(const dynamic::schedule_file& file, const std::vector<dynamic::file_problem>& problems) {
  for (const dynamic::file_problem& p : problems) std::cerr << message(file.name(), p) << "\n";
  if (!file.ok() && file.problems().front().at.line == 0) return cannot_be_done;
  return problems.empty() ? fine : schedule_is_wrong;
}
/// Says what is wrong with a file, or that nothing is.
int check(const dynamic::schedule_file& file) { return say(file, file.diagnose()); }

/// Writes the output to its file or, if there is none or it is `-`, to standard output.
int print(const options& o, const std::string& text) {
  if (!o.output.empty() && o.output != "-") {
    dynamic::write_file(o.output, text);
    return fine;
  }
  std::cout << text << std::flush;
  if (!std::cout) throw std::runtime_error("cannot write the output");
  return fine;
}

/// What tasks took in a run, by its trace or by what a profiler printed.
stretto::cost_table measured(const options& o) {
  if (o.range_summaries.empty()) return stretto::cost_table::load_trace(o.file);
  stretto::cost_table all;
  std::map<std::string, long long> submissions;
  for (const std::string& path : o.range_summaries) {
    const stretto::cost_table more = stretto::cost_table::load_nvtx(path);
    const std::vector<stretto::task_cost> before = all.costs();
    for (const stretto::task_cost& c : more.costs())
      for (const stretto::task_cost& host : before)
        if (c.task == host.task && c.task != "pull")
          submissions.emplace(dynamic::device_plan::submission_of(c.task), host.time);
    all.update(more);
  }
  if (!o.with_submissions) return all;
  std::vector<stretto::task_cost> costs;
  costs.reserve(submissions.size());
  for (const auto& [task, time] : submissions) costs.push_back({task, time});
  all.update(stretto::cost_table({costs.data(), costs.size()}));
  return all;
}

/// The device of `--device` and `--engine`, if there is one.
std::optional<dynamic::device_model> device_of(const options& o) {
  if (!o.on_device) {
    if (!o.engines.empty()) throw stretto::usage_error("`--engine` goes with `--device`");
    return std::nullopt;
  }
  dynamic::device_model device;
  for (const std::string& tasks : o.engines) {
    std::istringstream names(tasks);
    std::vector<std::string>& served = device.engines.emplace_back();
    for (std::string name; std::getline(names, name, ',');) served.push_back(name);
  }
  return device;
}

bool tells(const std::vector<stretto::task_cost>& costs, std::string_view task) {
  return std::any_of(costs.begin(), costs.end(),
                     [&](const stretto::task_cost& c) { return c.task == task; });
}

/// The costs of `--costs`. Tells of tasks that it says nothing of, nor the schedule: they count as
/// next to nothing.
stretto::cost_table costs_of(const options& o, const dynamic::schedule& s) {
  stretto::cost_table table;
  if (o.costs.empty()) return table;
  table = stretto::cost_table::load(o.costs);
  const std::vector<stretto::task_cost> told = table.costs();
  std::string missing;
  for (const dynamic::task& t : s.tasks)
    if (!tells(told, t.name) && t.weight == 1)
      missing += (missing.empty() ? " `" : ", `") + stretto::text::visible_name(t.name) + "`";
  if (!missing.empty())
    std::cerr << stretto::text::visible(o.costs) << ": no cost of" << missing
              << "; it is taken to be 1, the weight of a task that has none\n";
  return table;
}

/// What tasks take, and the plan of whose tasks that is.
class timed_plan {
 public:
  timed_plan(const dynamic::planned_schedule& planned, const options& o)
      : planned_(planned), options_(o), within_(o.within) {
    costs_ = costs_of(o, planned.input());
    within_.device = device_of(o);
    if (within_.device) device_.emplace(planned, within_.device->engines);
  }

  std::string bound() const {
    return with_pace([&](const auto& costs, auto pace) {
      if (device_) return stretto::bound_of(*device_, costs, pace).text();
      return stretto::bound_of(planned_, costs, pace).text() +
             stretto::least_of(planned_, costs).text();
    });
  }
  std::string advice() const {
    return with_pace([&](const auto& costs, auto pace) {
      return stretto::advise(planned_, costs, within_, pace).text();
    });
  }
  std::string simulation() const {
    return with_pace([&](const auto& costs, auto pace) { return simulated(costs, pace).text(); });
  }
  std::string report() const {
    return with_pace([&](const auto& costs, auto pace) {
      std::ostringstream out;
      const bool is_real = !options_.trace.empty();
      const stretto::timeline record =
          is_real ? stretto::load_trace(planned_, options_.trace)
                  : stretto::simulate(planned_, costs, options_.batches, pace).record();
      std::string advice;
      if (options_.with_advice)
        advice = is_real ? stretto::advise(planned_, stretto::measured_run(record), options_.within,
                                           pace)
                               .text()
                         : stretto::advise(planned_, costs, options_.within, pace).text();
      write_report(out, planned_, record, pace, advice);
      return out.str();
    });
  }
  std::string drawn(bool as_trace) const {
    return with_pace([&](const auto& costs, auto pace) {
      const stretto::timeline record = simulated(costs, pace).record();
      std::ostringstream out;
      if (as_trace) {
        const auto waits =
            device_ ? waits_of(*device_, record, pace) : waits_of(planned_, record, pace);
        const auto queues = device_ ? queues_of(*device_, record) : queues_of(planned_, record);
        if (options_.perfetto) {
          write_perfetto(out, record, waits, queues);
        } else {
          write_trace(out, record, waits, queues);
        }
      } else {
        const std::size_t last = options_.batches == 0 ? 0 : options_.batches - 1;
        if (options_.as_text) {
          draw_text(out, record, 0, last);
        } else {
          draw_svg(out, record, 0, last);
        }
      }
      return out.str();
    });
  }
  std::string page_with(const dynamic::planned_schedule& other) const {
    return with_pace([&](const auto& costs, auto pace) {
      std::ostringstream out;
      stretto::write_comparison(
          out, options_.file, stretto::simulate(planned_, costs, options_.batches, pace).record(),
          options_.other, stretto::simulate(other, costs, options_.batches, pace).record());
      return out.str();
    });
  }
  std::string compared_with(const dynamic::planned_schedule& other) const {
    return with_pace([&](const auto& /*costs*/, auto pace) {
      return comparison(stretto::text::visible(options_.file),
                        stretto::text::visible(options_.other))
          .of(planned_, other, costs_.costs(), pace);
    });
  }

 private:
  template <class Costs, class Pace>
  stretto::simulation simulated(const Costs& costs, Pace pace) const {
    return device_ ? stretto::simulate(*device_, costs, options_.batches, pace)
                   : stretto::simulate(planned_, costs, options_.batches, pace);
  }
  template <class Use>
  std::string with_pace(const Use& use) const {
    const std::vector<stretto::task_cost> costs = costs_.costs();
    const stretto::planner::view<stretto::task_cost> all(costs.data(), costs.size());
    return options_.barrier ? use(all, stretto::barrier{}) : use(all, stretto::run_ahead{});
  }

  const dynamic::planned_schedule& planned_;
  const options& options_;
  stretto::advice_options within_;
  std::optional<dynamic::device_plan> device_;
  stretto::cost_table costs_;
};

int compare(const dynamic::planned_schedule& first, const options& o) {
  const dynamic::schedule_file file = dynamic::schedule_file::read(o.other);
  if (const int wrong = check(file); wrong != fine) return wrong;
  const dynamic::planned_schedule second(file.schedule());
  const timed_plan timed(first, o);
  return print(o, o.as_page ? timed.page_with(second) : timed.compared_with(second));
}

/// Has all tasks but those to \p keep name no thread.
void forget_threads(dynamic::schedule& s, const std::vector<std::string>& keep) {
  bool caller_has_tasks = false;
  for (dynamic::task& t : s.tasks) {
    if (std::find(keep.begin(), keep.end(), t.name) == keep.end()) t.thread.clear();
    caller_has_tasks = caller_has_tasks || (!t.thread.empty() && t.thread == s.caller_runs);
  }
  if (!caller_has_tasks) s.caller_runs = stretto::planner::caller;
}

/// The fire orders of lookahead assignment, by name.
const std::map<std::string, stretto::search::fire_order>& policies() {
  using stretto::search::fire_order;
  static const std::map<std::string, fire_order> all{
      {"critical-path", fire_order::critical_path},
      {"declared", fire_order::declared},
      {"main-first", fire_order::main_first},
      {"longest-off-main", fire_order::longest_off_main},
      {"collectives-early", fire_order::collectives_early},
      {"transfers-early", fire_order::transfers_early},
      {"least-slack", fire_order::least_slack}};
  return all;
}

/// What is looked for keeps to this.
stretto::search::limits limits_of(const options& o) {
  stretto::search::limits within = o.tuned_within;
  within.device = device_of(o);
  return within;
}

/// The schedule that is found by what was asked for. Options of another way are an error.
stretto::search::found_schedule found_by(const options& o, const dynamic::schedule& tasks,
                                         const std::vector<stretto::task_cost>& costs) {
  stretto::search::limits within = limits_of(o);
  const auto only_with = [&](bool given, const char* option, const char* way) {
    if (given && o.by != way)
      throw stretto::usage_error(std::string("`").append(option).append("` goes with `--by ") +
                                 way + "`, not with `--by " + o.by + "`");
  };
  only_with(o.width != 0, "--width", "beam");
  only_with(!o.policy.empty(), "--policy", "lookaheads");
  only_with(o.effort.steps != 0, "--steps", "search");
  only_with(o.show_progress, "--progress", "search");
  only_with(o.count_threads, "--count", "search");
  only_with(o.measure != 0, "--measure", "search");
  if (o.measure != 0 && o.count_threads)
    throw stretto::usage_error(
        "`--measure` goes without `--count`: name as many threads as there are to be");
  only_with(!o.streams.empty(), "--streams", "search");
  if (within.device && (o.measure != 0 || o.ranges || !o.certificate.empty()))
    throw stretto::usage_error(
        "`--device` goes without `--measure`, `--ranges` and `--certificate`, which know of "
        "threads only");
  if (!o.streams.empty() && (o.measure != 0 || o.count_threads))
    throw stretto::usage_error(
        "`--streams` goes without `--measure` and `--count`: look for streams first, and for the "
        "rest in the schedule that was found");
  if (o.rounds != 0 && o.measure == 0)
    throw stretto::usage_error("`--rounds` goes with `--measure`");
  const stretto::planner::view<stretto::task_cost> all(costs.data(), costs.size());
  if (o.by == "list") return stretto::search::list_schedule(tasks, all, within);
  if (o.by == "lookaheads")
    return stretto::search::assign_lookaheads(
        tasks, all, within, policies().at(o.policy.empty() ? "declared" : o.policy));
  if (o.by == "beam") {
    stretto::search::beam wide;
    if (o.width != 0) wide.width = o.width;
    return stretto::search::beam_search(tasks, all, within, wide);
  }
  stretto::search::effort how = o.effort;
  std::optional<search_progress> shown;
  if (o.show_progress) shown.emplace(how);
  if (within.in_flight == 0) {
    auto found = find_at_any_depth(tasks, costs, within, how);
    if (o.measure == 0 && o.streams.empty() && !o.count_threads) return found;
    within.in_flight = found.most_in_flight;
  }
  if (o.measure != 0) {
    const auto several = stretto::search::find_schedules(tasks, all, within, o.measure, how);
    shown.reset();
    stand_ins measured(several, costs, o.rounds == 0 ? 5 : o.rounds);
    measured.measure();
    std::cerr << measured.text();
    return several[measured.best()];
  }
  if (!o.streams.empty()) return stretto::search::find_streams(tasks, all, within, o.streams, how);
  if (!o.count_threads) return stretto::search::find_schedule(tasks, all, within, how);
  const auto counts = stretto::search::try_thread_counts(tasks, all, within, how);
  shown.reset();
  std::cerr << counts.text();
  return counts.best();
}

/// What each task takes, and the source: by weight where \p costs say nothing. Refers to the names
/// of both.
std::vector<stretto::task_cost> all_costs(const dynamic::schedule& s,
                                          const std::vector<stretto::task_cost>& costs) {
  std::vector<stretto::task_cost> all = costs;
  const auto add = [&](std::string_view task, long long weight) {
    if (!tells(costs, task)) all.push_back({task, weight});
  };
  for (const dynamic::task& t : s.tasks) add(t.name, t.weight);
  add(stretto::planner::pull_name, s.source.weight);
  return all;
}

/// For what costs a schedule was found, and in what range each may be: the text of a certificate.
std::string certified(const stretto::search::found_schedule& found,
                      const std::vector<stretto::task_cost>& costs) {
  const auto all = all_costs(found.schedule, costs);
  stretto::cost_table table(stretto::planner::view<stretto::task_cost>(all.data(), all.size()));
  const stretto::planner::view<stretto::task_cost> told(costs.data(), costs.size());
  for (const stretto::search::cost_range& r : stretto::search::cost_ranges(found, told))
    table.set_range(r.task, {r.least, r.most});
  return table.to_json();
}

/// Says whether a schedule is still the best of those that were looked for when it was found.
int check_certificate(const dynamic::schedule_file& file, const options& o) {
  const auto certificate = stretto::cost_table::load(o.certificate);
  const dynamic::planned_schedule planned(file.schedule());
  const stretto::cost_table table = costs_of(o, planned.input());
  const std::vector<stretto::task_cost> costs = table.costs();
  const auto all = all_costs(planned.input(), costs);
  const stretto::planner::view<stretto::task_cost> now(all.data(), all.size());
  const bool optimal = stretto::is_optimal(planned, now);  // which looks at the names, too
  const std::string name = stretto::text::visible(file.name());
  std::vector<std::string> wrong = certificate.changes(now);
  if (const auto changed = certificate.changed(now);
      wrong.empty() && changed.size() > 1 && !optimal)
    wrong.push_back("tasks `" + stretto::text::visible_name(changed[0]) + "` and `" +
                    stretto::text::visible_name(changed[1]) +
                    "` take other than what the schedule was found for, each within its range, "
                    "but it is proved to be the best for one of them alone");
  for (const std::string& what : wrong) std::cerr << name << ": " << what << "; tune it again\n";
  if (!wrong.empty()) return schedule_is_wrong;
  return print(o, name + ": no cost has left the range for which the schedule was found\n");
}

/// Throws where a certificate would be written over a schedule.
void keep_apart(const options& o) {
  const auto same = [&o](const std::string& schedule) {
    std::error_code none;  // of files that are not there yet
    return !schedule.empty() && (std::filesystem::path(schedule).lexically_normal() ==
                                     std::filesystem::path(o.certificate).lexically_normal() ||
                                 std::filesystem::equivalent(schedule, o.certificate, none));
  };
  if (!o.certificate.empty() && (same(o.file) || same(o.output)))
    throw stretto::usage_error(
        "the certificate would take the place of the schedule: name another file for it");
}

/// Writes the schedule that is found, and says what is proved of it where that is in nobody's way.
int tune(const dynamic::schedule_file& file, const options& o) {
  keep_apart(o);
  dynamic::schedule tasks = file.schedule();
  const stretto::cost_table table = costs_of(o, tasks);
  const std::vector<stretto::task_cost> costs = table.costs();
  tasks.serial = false;  // what is looked for is what it could be instead
  if (o.threads_anew) forget_threads(tasks, o.tuned_within.frozen);
  const stretto::search::found_schedule found = found_by(o, tasks, costs);
  if (o.ranges && !found.optimal())
    throw stretto::usage_error(
        "`--ranges` goes with a schedule that is proved to be the best, which this one is not");
  // All that may fail comes first.
  std::string told = found.text();
  const bool is_bounded = o.tuned_within.in_flight != 0 || tasks.max_in_flight != 0;
  if (o.by == "search" && o.streams.empty() && is_bounded)
    told += price_of_in_flight(found, tasks, costs, limits_of(o), o.effort);
  const stretto::planner::view<stretto::task_cost> all(costs.data(), costs.size());
  if (o.ranges) told += to_text(stretto::search::cost_ranges(found, all));
  std::optional<dynamic::new_file> certificate;
  if (!o.certificate.empty()) certificate.emplace(o.certificate, certified(found, costs));
  print(o, to_json(found.schedule));
  if (certificate) certificate->put_in_place();
  std::cerr << told;
  return fine;
}

int run(const std::string& command, const options& o) {
  if (command == "costs") return print(o, measured(o).to_json());
  const dynamic::schedule_file file = dynamic::schedule_file::read(o.file);
  if (command == "format") {  // a schedule may be put in form before it is right
    if (const int wrong = say(file, file.problems()); wrong != fine) return wrong;
    return print(o, to_json(file.schedule()));
  }
  if (const int wrong = check(file); wrong != fine) return wrong;
  if (command == "tune") return tune(file, o);
  if (command == "check" && !o.certificate.empty()) return check_certificate(file, o);
  if (command == "check" && !o.costs.empty())
    throw stretto::usage_error("`--costs` of `check` goes with `--certificate`");
  const dynamic::planned_schedule planned(file.schedule());
  if (command == "check")
    return print(o, stretto::text::visible(file.name()) + ": nothing is wrong with schedule `" +
                        stretto::text::visible_name(planned.input().name) + "` of " +
                        std::to_string(planned.input().tasks.size()) + " tasks\n");
  if (command == "describe") return print(o, planned.describe());
  if (command == "fire") return print(o, fire_table(planned, o.batches));
  if (command == "dot") return print(o, stretto::picture::to_dot(planned, o.picture));
  if (command == "mermaid") return print(o, stretto::picture::to_mermaid(planned, o.picture));
  if (command == "header") return print(o, to_header(planned.input(), o.header));
  if (command == "compare") return compare(planned, o);
  const timed_plan timed(planned, o);
  if (command == "bound") return print(o, timed.bound());
  if (command == "advise") return print(o, timed.advice());
  if (command == "simulate") return print(o, timed.simulation());
  if (command == "report") return print(o, timed.report());
  return print(o, timed.drawn(command == "trace"));
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app("What Stretto makes of a schedule file.");
  app.footer(
      "Exit code: 0; 1 if something is wrong with the schedule, which is said on standard error;\n"
      "2 if the command line is wrong, a file cannot be read, or the output cannot be made or\n"
      "written.");
  app.require_subcommand(1);
  const char* const output_is =
      "write to this file, once all of it is there; without, or as -, to standard output";
  const auto add = [&](const char* name, const char* what) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("FILE", o.file, "the schedule, JSON")->required();
    command->add_option("-o,--output", o.output, output_is);
    return command;
  };
  const auto add_costed = [&](const char* name, const char* what) {
    CLI::App* command = add(name, what);
    command->add_option("--costs", o.costs,
                        "what tasks take, JSON; those it does not name take their weight");
    return command;
  };
  const auto add_device = [&](CLI::App* command) {
    command->add_flag("--device", o.on_device,
                      "the streams are a device's: threads only submit, which takes what the costs "
                      "say of `submit TASK`");
    command
        ->add_option("--engine", o.engines,
                     "of a device: tasks on streams, as a,b, that share a copy engine or a bus, "
                     "which does one thing at a time; may be there several times")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  const auto add_timed = [&](const char* name, const char* what) {
    CLI::App* command = add_costed(name, what);
    command->add_flag("--barrier", o.barrier, "threads meet after each progress");
    return command;
  };
  add_costed("check", "say what is wrong, and where")
      ->add_option(
          "--certificate", o.certificate,
          "what `tune --certificate` wrote: say which cost, by weight or --costs, has left "
          "its range");
  add("describe", "print the plan: order, threads, every wait and why, memory");
  const auto add_batches = [&](CLI::App* command, int most) {
    command->add_option("--batches", o.batches, "batches that the source has")
        ->check(from_to(0, most))
        ->capture_default_str();
  };
  add_batches(add("fire", "print who works on which batch in which progress"), 1'000'000'000);
  for (const auto& [name, what] : {std::pair("dot", "draw the plan in GraphViz's language"),
                                   std::pair("mermaid", "draw the plan in Mermaid's language")}) {
    CLI::App* command = add(name, what);
    command->add_flag("--implied", o.picture.implied, "draw what others imply, too");
    command->add_flag("--no-legend", o.no_legend, "do not explain colours and lines");
  }
  CLI::App* header = add("header", "turn it into a C++ header of task types");
  header->add_option("--namespace", o.header.name_space, "what it is all in")
      ->capture_default_str();
  header->add_option("--include", o.header.includes,
                     "a header with the types of slots, in its quotes or brackets; any number");
  add("format", "print the file as it would be saved");
  add_device(add_timed(
      "bound", "print what bounds the time per progress, and what each task has to do with it"));
  CLI::App* advise = add_timed("advise", "print which edits of the plan would make it faster");
  add_device(advise);
  advise->add_option("--threads", o.within.most_threads, "the most host threads that one may take")
      ->check(from_to(1, 1'000'000));
  advise
      ->add_option("--measured", o.within.measured_period,
                   "the time per progress of a real run, which the plan has to tell")
      ->check(from_to(0.0, 1e18));
  const auto add_order = [&](CLI::App* command) {
    return command
        ->add_option("--by", o.order,
                     "which edit comes first: time-saved, the one that saves most; or "
                     "gain-per-byte, those that need no further bytes, then by time saved per byte "
                     "(per copy, where no slot's size is known)")
        ->check(CLI::IsMember({"time-saved", "gain-per-byte"}))
        ->capture_default_str();
  };
  add_order(advise);
  CLI::App* tune =
      add_costed("tune", "look for the lookaheads, threads and order that are fastest");
  add_device(tune);
  tune->add_option("--threads", o.tuned_within.threads,
                   "threads for tasks that name none: a,b; without, each is on that of its stream")
      ->delimiter(',');
  tune->add_option("--streams", o.streams,
                   "streams of which tasks that are on one of them may be on any: a,b; without, "
                   "each stays on its own")
      ->delimiter(',');
  tune->add_option("--in-flight", o.tuned_within.in_flight,
                   "the most batches in flight; without, as many as the shortest period asks for")
      ->check(from_to(1, (std::numeric_limits<int>::max)()));
  tune->add_option("--bytes", o.tuned_within.bytes,
                   "the most bytes that all copies of slots may take")
      ->check(from_to<std::int64_t>(1, (std::numeric_limits<std::int64_t>::max)()));
  tune->add_flag("--count", o.count_threads,
                 "say what the first of --threads does, the first two, and so on, and take as many "
                 "as are worth having");
  tune->add_option(
          "--measure", o.measure,
          "run this many of the best schedules on this machine, with tasks that spin for as "
          "long as they are said to take, in nanoseconds, and take the fastest")
      ->check(from_to(1, 1'000));
  tune->add_option("--rounds", o.rounds, "how often each runs, with --measure; without, 5 times")
      ->check(from_to(1, 1'000));
  tune->add_flag("--ranges", o.ranges,
                 "say how much each cost may change before another schedule may be better");
  tune->add_option(
      "--certificate", o.certificate,
      "write to this file for what costs the schedule is found, and in what range each "
      "may be: for `check --certificate`");
  tune->add_flag("--anew", o.threads_anew, "forget which threads tasks name, except those to keep");
  tune->add_option("--keep", o.tuned_within.frozen, "tasks that stay as they are: a,b")
      ->delimiter(',');
  tune->add_option("--steps", o.effort.steps,
                   "how far to look; some 300 million take a second; without, as it needs")
      ->check(from_to<long long>(1, (std::numeric_limits<long long>::max)()));
  tune->add_flag(
      "--progress", o.show_progress,
      "show on standard error what is found so far, and what no schedule takes less than");
  tune->add_option("--by", o.by,
                   "search; or, of the original engine's tools, to compare with: beam, its beam "
                   "search; lookaheads, its lookahead assignment; list, its list scheduler")
      ->check(CLI::IsMember({"search", "beam", "lookaheads", "list"}))
      ->capture_default_str();
  std::vector<std::string> names;
  for (const auto& [name, policy] : policies()) names.push_back(name);
  tune->add_option("--policy", o.policy, "which task is first, with --by lookaheads")
      ->check(CLI::IsMember(names));
  tune->add_option("--width", o.width, "candidates to go on with, with --by beam; without, 8")
      ->check(from_to(1, 1'000'000));
  CLI::App* simulate = add_timed("simulate", "run the plan in virtual time: what takes how long");
  add_batches(simulate, 100'000);
  add_device(simulate);
  CLI::App* picture = add_timed("timeline", "draw that run as SVG");
  add_device(picture);
  add_batches(picture, 100'000);
  picture->add_flag("--text", o.as_text, "in characters, for a terminal");
  CLI::App* report = add_timed("report", "write a page of HTML about that run, or a recorded one");
  add_batches(report, 100'000);
  report
      ->add_option(
          "--trace", o.trace,
          "not about a run in virtual time: about that of which stretto::write_trace wrote "
          "this trace")
      ->excludes("--costs")
      ->excludes("--batches");
  add_order(report)->needs(report->add_flag("--advice", o.with_advice,
                                            "also what would make it faster, as `advise` says"));
  CLI::App* trace = add_timed("trace", "write that run as a trace, for Perfetto");
  add_batches(trace, 100'000);
  trace->add_flag("--perfetto", o.perfetto, "in Perfetto's own format, not in JSON");
  add_device(trace);
  CLI::App* comparison = add_timed("compare", "print what another schedule does better or worse");
  comparison->add_option("OTHER", o.other, "the other schedule, JSON")->required();
  add_batches(comparison, 100'000);
  comparison->add_flag("--page", o.as_page,
                       "as a page of HTML, about a run of each in virtual time");
  CLI::App* costs = app.add_subcommand("costs", "print the costs of tasks in a trace, as JSON");
  costs->alias("profile");
  CLI::Option* of_trace =
      costs->add_option("TRACE", o.file, "what stretto::write_trace wrote of a run");
  costs
      ->add_option(
          "--nvtx", o.range_summaries,
          "not of a trace: of what nsys stats prints of a run with NVTX ranges, as CSV, by "
          "the reports nvtx_sum and nvtx_gpu_proj_sum; of several files the last one that "
          "has a task counts")
      ->excludes(of_trace);
  costs->add_flag("--submissions", o.with_submissions,
                  "of a task that several files have, also say what the first says, as that of "
                  "`submit TASK`, which --device takes");
  costs->callback([&o, costs] {
    if (o.file.empty() && o.range_summaries.empty())
      throw CLI::RequiredError(costs->get_name() + ": TRACE or --nvtx");
  });
  costs->add_option("-o,--output", o.output, output_is);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    if (std::cout.flush()) return code == 0 ? fine : cannot_be_done;
    std::fprintf(stderr, "stretto: cannot write the output\n");
    return cannot_be_done;
  }
  o.picture.legend = !o.no_legend;
  if (o.order == "gain-per-byte") o.within.by = stretto::advice_order::gain_per_byte;
  try {
    return run(app.get_subcommands().front()->get_name(), o);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "stretto: there is too little memory for this\n");
    return cannot_be_done;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "stretto: %s\n", stretto::text::visible(e.what()).c_str());
    return cannot_be_done;
  }
}
