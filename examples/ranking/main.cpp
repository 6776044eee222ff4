// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Predicts which flights arrive late. Trains by the serial plan, by the pipelined plan, and with
// one task in parts, shows that all compute the same losses to the last bit, and what each costs.

#include <unistd.h>
#include <bit>
#include <chrono>
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stretto/advice.hpp>
#include <stretto/bound.hpp>
#include <stretto/replay.hpp>
#include <stretto/report.hpp>
#include <stretto/timeline.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <utility>
#include <vector>
#include "baseline.hpp"
#include "compare.hpp"
#include "evaluate.hpp"
#include "schedule.hpp"
#include "split.hpp"
#include "split_backward.hpp"

namespace {

using namespace ranking;
using stretto::timeline;

struct options {
  std::string data = RANKING_DATA;
  std::size_t batch_rows = 2048;
  std::size_t passes = 6;
  std::uint32_t cache_lines = 8192;
  bool quick = false;
  bool tune = false;
  bool advise = false;
  bool describe = false;
  long pad = 0;            // microseconds
  std::size_t replay = 0;  // batches
  bool apply = false;
  std::string picture;
  std::string trace;
  std::string report;
  std::string benchmark;
};

struct trained {
  std::vector<float> losses;
  plan_cost cost;
  quality held_out;
  // By the times of the tasks, which were measured.
  double modelled = 0;  // time per batch, in nanoseconds
  std::vector<stretto::split_what_if> splits;
};

/// One line that is written over while the training runs, if somebody is looking.
class progress_line {
 public:
  progress_line(std::string title, std::size_t batches, std::size_t rows)
      : title_(std::move(title)), batches_(batches), rows_(rows) {}

  void operator()(const step_report& r) {
    const std::size_t done = static_cast<std::size_t>(r.batch) + 1;
    const auto now = timeline::clock::now();
    if (done == 1) start_ = last_ = now;
    const bool last = done == batches_;
    if (!last &&
        now - last_ < (isatty(1) != 0 ? std::chrono::milliseconds(100) : std::chrono::seconds(2)))
      return;
    last_ = now;
    const double seconds = timeline::seconds(now - start_).count();
    const double per_second = done > 1 ? static_cast<double>((done - 1) * rows_) / seconds : 0.0;
    std::printf("%s%-9s  batch %4zu of %zu   loss %.4f   %7.0f flights/s%s",
                isatty(1) != 0 ? "\r" : "", title_.c_str(), done, batches_,
                static_cast<double>(r.running_loss), per_second,
                isatty(1) != 0 && !last ? "" : "\n");
    std::fflush(stdout);
  }

 private:
  std::string title_;
  std::size_t batches_;
  std::size_t rows_;
  timeline::clock::time_point start_{};
  timeline::clock::time_point last_{};
};

class experiment {
 public:
  experiment(const options& o)
      : o_(o),
        file_(flight_file::load(o.data)),
        rows_(split_by_day(file_)),
        words_(file_, rows_.training) {
    if (o.quick) rows_.training.resize(rows_.training.size() / 8);
  }

  template <class Schedule, template <class...> class Trainer = pipelined::trainer>
  trained train(const char* title, cost_meter& meter, bool show = true) {
    batch_source source(file_, rows_.training, o_.batch_rows, o_.passes);
    learning how;
    how.batches = source.batches();
    pipelined::state state(words_, how, o_.cache_lines);
    Trainer<Schedule, timeline, stretto::pinned> trainer(state);
    progress_line line(title, source.batches(), o_.batch_rows);
    trained result;
    result.losses.reserve(source.batches());
    for (const auto& yielded : trainer.pipeline.run(source)) {
      const step_report& r = pipelined::report_of(yielded);
      result.losses.push_back(r.loss);
      if (show) line(r);
    }
    meter.add(trainer.pipeline.observer());
    result.cost = meter.cost();
    if (show) model<Schedule>(trainer.pipeline.observer(), result);
    state.cache.flush(state.table);
    result.held_out = evaluate(file_, rows_.held_out, words_, state.table, state.weights);
    if (show) draw<Schedule>(trainer.pipeline.observer(), title);
    if (show && o_.advise) advise<Schedule>(trainer.pipeline.observer());
    return result;
  }

  /// Of a run by the pipelined plan in which tasks are made longer, one at a time.
  template <template <class...> class Trainer>
  std::vector<float> pad(const char* title) {
    beginning begun(*this);
    Trainer<pipelined::training, stretto::padding, stretto::pinned> trainer(begun.state);
    trainer.pipeline.observer().pad({.longest = std::chrono::microseconds(o_.pad)});
    const auto since = timeline::clock::now();
    std::vector<float> losses = begun.train(trainer.pipeline);
    const timeline::seconds took = timeline::clock::now() - since;
    const stretto::padding_result found = trainer.pipeline.observer().result();
    std::printf("\n%s, %.0f s: %s", title, took.count(), found.text().c_str());
    std::fflush(stdout);
    if (!padded_) padded_ = found;
    return losses;
  }

  /// Of runs in which what tasks did on the first batches stands in for them: one that records
  /// that, one that compares, and some that measure.
  template <template <class...> class Trainer>
  std::vector<std::vector<float>> replay(const char* title) {
    constexpr std::size_t measured = 4;
    stretto::recording tape;
    stretto::replay_result found;
    std::vector<std::vector<float>> losses;
    for (std::size_t run = 0; run < 2 + measured; ++run) {
      beginning begun(*this);
      Trainer<pipelined::training, stretto::replay, stretto::pinned> trainer(begun.state);
      stretto::replay& observer = trainer.pipeline.observer();
      observer.template knows<columns, batch_context, activations, ranking::losses, step_result,
                              step_report, permutation>();
      if (run == 0)
        observer.record(tape, {.tasks = {"h2d", "forward"}, .batches = o_.replay, .compare = true});
      else
        observer.play(tape, {.seed = run, .compare = run == 1});
      losses.push_back(begun.train(trainer.pipeline));
      if (run == 1) std::printf("\n%s: %s", title, observer.result().text().c_str());
      if (run == 2) found = observer.result();
      if (run > 2) found.add(observer.result());
    }
    found.hold_against<pipelined::training>();
    std::printf("%s", found.text().c_str());
    std::fflush(stdout);
    return losses;
  }

  /// Takes the first edit that is advised where one thread runs all tasks, by what a run took, and
  /// runs both plans in turn: what was promised, and what it is.
  std::vector<std::vector<float>> apply_advice() {
    namespace dynamic = stretto::dynamic;
    std::vector<std::vector<float>> losses;
    cost_meter meters[] = {cost_meter(batches()), cost_meter(batches())};
    std::vector<stretto::priced_edit> edits;
    for (int run = 0; run < 6; ++run) {
      const bool edited = run % 2 != 0;
      beginning begun(*this);
      dynamic::schedule s = pipelined::with_bodies<pipelined::training>(begun.state);
      for (dynamic::task& t : s.tasks) t.thread = "caller";
      s.caller_runs = "caller";
      const dynamic::planned_schedule planned(s);
      if (edited) {
        // It was advised for tasks that work on another state.
        dynamic::schedule better = edits.front().edited;
        for (std::size_t t = 0; t < s.tasks.size(); ++t) better.tasks[t].body = s.tasks[t].body;
        s = better;
      }
      dynamic::pipeline<timeline, stretto::pinned> pipeline(s);
      losses.push_back(begun.train(pipeline));
      meters[run % 2].add(pipeline.observer());
      if (run > 0) continue;
      const stretto::advice advice =
          stretto::advise(planned, stretto::measured_run(pipeline.observer()), {.most_threads = 2});
      std::printf("%s\n", advice.text().c_str());
      edits = advice.edits();
      if (edits.empty()) return losses;
    }
    const stretto::priced_edit& first = edits.front();
    const double before = meters[0].cost().batch_ms;
    const double after = meters[1].cost().batch_ms;
    std::printf("the first: promised %.2f of the time, measured %.2f: %.2f ms, not %.2f\n",
                first.after.period.value() / first.before.period.value(), after / before, after,
                before);
    return losses;
  }

  std::size_t batches() const {
    return o_.passes * ((rows_.training.size() + o_.batch_rows - 1) / o_.batch_rows);
  }

  void introduce() const {
    std::printf("%zu flights of 2013 from New York: %zu to train on, %zu of other days held out\n",
                file_.rows(), rows_.training.size(), rows_.held_out.size());
    std::printf("(%zu and %zu of them were cancelled or diverted: no outcome, no weight)\n\n",
                count_without_outcome(file_, rows_.training),
                count_without_outcome(file_, rows_.held_out));
  }

  /// The penalty is the best of a grid, chosen on the held-out days themselves, which favours the
  /// regression; `--tune` searches the grid again.
  baseline_result regression() const {
    const std::vector<double> grid = o_.tune
                                         ? std::vector<double>{3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5}
                                         : std::vector<double>{3e-5};
    const auto results = logistic_regression(file_, rows_.training, rows_.held_out, words_, grid);
    return *std::max_element(results.begin(), results.end(), [](const auto& a, const auto& b) {
      return a.held_out.auc < b.held_out.auc;
    });
  }

 private:
  template <class Schedule>
  static void model(const timeline& record, trained& result) {
    const std::vector<stretto::task_cost> times = stretto::measured_costs(record);
    result.modelled = stretto::bound_of<Schedule>(times).period().value();
    // A thread for each core.
    result.splits = stretto::advise<Schedule>(times, {.most_threads = 2}).splits();
  }

  /// What a run works on, as it is when it begins.
  struct beginning {
    explicit beginning(const experiment& e)
        : source(e.file_, e.rows_.training, e.o_.batch_rows, e.o_.passes),
          state(e.words_, rates(source), e.o_.cache_lines) {}

    template <class Pipeline>
    std::vector<float> train(Pipeline& pipeline) {
      std::vector<float> losses;
      losses.reserve(source.batches());
      for (const auto& yielded : pipeline.run(source))
        losses.push_back(pipelined::report_of(yielded).loss);
      return losses;
    }
    static learning rates(const batch_source& from) {
      learning how;
      how.batches = from.batches();
      return how;
    }

    batch_source source;
    pipelined::state state;
  };

  /// What another plan would save, in nanoseconds.
  template <class Schedule>
  static void advise(const timeline& record) {
    const stretto::measured_run run(record);
    std::printf("\n%s", stretto::advise<Schedule>(run).text().c_str());
  }

  template <class Schedule>
  void draw(const timeline& record, const std::string& title) const {
    const auto named = [&](std::string path) {
      const std::size_t dot = path.rfind('.');
      return path.insert(dot == std::string::npos ? path.size() : dot, "_" + title);
    };
    const std::size_t middle = record.spans(0)[record.spans(0).size() / 2].batch;
    if (!o_.picture.empty()) {
      std::ofstream out(named(o_.picture));
      stretto::draw_svg(out, record, middle, middle + 3);
    }
    if (!o_.trace.empty()) {
      std::ofstream out(named(o_.trace));
      stretto::write_trace(out, record, stretto::waits_of<Schedule>(record),
                           stretto::queues_of<Schedule>(record));
    }
    if (!o_.report.empty()) {
      std::ofstream out(named(o_.report));
      stretto::write_report<Schedule>(out, record, {}, {}, padded_ ? &*padded_ : nullptr);
    }
  }

  options o_;
  flight_file file_;
  split_rows rows_;
  vocabulary words_;
  std::optional<stretto::padding_result> padded_;  // of the pipelined plan
};

std::size_t different_bits(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t different = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    different += std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]) ? 1U : 0U;
  return different;
}

template <class Schedule>
void print_cost(const char* title, const plan_cost& c) {
  std::printf("  %-10s %6.2f ms per batch;  busy", title, c.batch_ms);
  for (std::size_t t = 0; t < c.busy_ms.size(); ++t)
    std::printf("  %s %.2f ms", std::string(stretto::plan_of<Schedule>.thread_names[t]).c_str(),
                c.busy_ms[t]);
  std::printf(";  overlap %.0f %%\n", 100 * c.overlap);
}

/// What `backward` in parts should save, and what it does.
void print_split(const trained& whole, const trained& split) {
  for (const stretto::split_what_if& two : whole.splits)
    if (two.task == "backward")
      std::printf("  promised   %.2f of the pipelined time, were `backward` two equal tasks%s\n",
                  two.period.value() / whole.modelled, two.side_by_side ? " side by side" : "");
  std::printf("  promised   %.2f of it by the times of the parts\n",
              split.modelled / whole.modelled);
  std::printf("  measured   %.2f\n", split.cost.batch_ms / whole.cost.batch_ms);
}

int compare(const options& o) {
  experiment flights(o);
  flights.introduce();

  cost_meter serial_meter(flights.batches());
  cost_meter pipelined_meter(flights.batches());
  cost_meter split_meter(flights.batches());
  const trained one = flights.train<pipelined::serial>("serial", serial_meter);
  const trained two = flights.train<pipelined::training>("pipelined", pipelined_meter);
  const trained three =
      flights.train<pipelined::split_training, pipelined::split_trainer>("split", split_meter);
  const std::size_t different =
      different_bits(one.losses, two.losses) + different_bits(one.losses, three.losses);
  std::printf("\nlosses: %zu batches, %zu differ%s\n", one.losses.size(), different,
              different == 0 ? ": the plans agree to the last bit" : "");

  std::printf("\ncost (p10 over windows of %zu batches)\n", serial_meter.window_batches());
  print_cost<pipelined::serial>("serial", one.cost);
  print_cost<pipelined::training>("pipelined", two.cost);
  std::printf(
      "  pipelined takes %.2f of the serial time; its wall time is %.2f of its busiest thread's\n",
      two.cost.batch_ms / one.cost.batch_ms, two.cost.wall_over_busiest);
  std::printf("\n`backward` in parts, of which one is on the thread that prepares\n");
  print_cost<pipelined::split_training>("split", three.cost);
  print_split(two, three);

  std::printf("\nheld-out days\n  this model           AUC %.4f  log loss %.4f\n", two.held_out.auc,
              two.held_out.loss);
  if (!o.quick) {
    const baseline_result line = flights.regression();
    std::printf("  logistic regression  AUC %.4f  log loss %.4f  (L2 %.0e)\n", line.held_out.auc,
                line.held_out.loss, line.penalty);
  }
  return different == 0 ? 0 : 1;
}

/// How many losses of runs are not those of a run by the pipelined plan that nobody watches.
std::size_t count_changed(experiment& flights, const std::vector<std::vector<float>>& runs) {
  cost_meter meter(flights.batches());
  const trained plain = flights.train<pipelined::training>("unwatched", meter);
  std::size_t different = 0;
  for (const std::vector<float>& losses : runs) different += different_bits(plain.losses, losses);
  std::printf("\nlosses: %zu batches, %zu runs, %zu differ\n", plain.losses.size(), runs.size(),
              different);
  return different;
}

/// Measures which tasks are exposed, in both versions, and that this changes no loss.
int pad(const options& o) {
  experiment flights(o);
  flights.introduce();
  return count_changed(flights, {flights.pad<pipelined::trainer>("types"),
                                 flights.pad<pipelined::dynamic_trainer>("runtime")}) == 0
             ? 0
             : 1;
}

/// Measures how much of the time of tasks is, likewise.
int replay(const options& o) {
  experiment flights(o);
  flights.introduce();
  std::vector<std::vector<float>> runs = flights.replay<pipelined::trainer>("types");
  for (std::vector<float>& losses : flights.replay<pipelined::dynamic_trainer>("runtime"))
    runs.push_back(std::move(losses));
  return count_changed(flights, runs) == 0 ? 0 : 1;
}

int apply(const options& o) {
  experiment flights(o);
  flights.introduce();
  return count_changed(flights, flights.apply_advice()) == 0 ? 0 : 1;
}

/// Alternates the plans, so that both meet the same neighbours.
int benchmark(const options& o) {
  experiment flights(o);
  cost_meter serial_meter(flights.batches());
  cost_meter pipelined_meter(flights.batches());
  cost_meter dynamic_meter(flights.batches());
  trained one, two, three;
  for (int round = 0; round < 3; ++round) {
    one = flights.train<pipelined::serial>("serial", serial_meter, false);
    two = flights.train<pipelined::training>("pipelined", pipelined_meter, false);
    three = flights.train<pipelined::training, pipelined::dynamic_trainer>("runtime", dynamic_meter,
                                                                           false);
    if (different_bits(one.losses, two.losses) != 0 ||
        different_bits(one.losses, three.losses) != 0)
      throw std::runtime_error("the losses of the plans differ");
  }
  const nlohmann::json figures{
      {"ranking_pipelined_over_serial", two.cost.batch_ms / one.cost.batch_ms},
      {"ranking_wall_over_busiest_thread", two.cost.wall_over_busiest},
      {"ranking_serial_batch_ms", one.cost.batch_ms},
      {"ranking_pipelined_batch_ms", two.cost.batch_ms},
      {"ranking_dynamic_batch_ms", three.cost.batch_ms},
      {"ranking_dynamic_over_static", three.cost.batch_ms / two.cost.batch_ms},
      {"ranking_auc", two.held_out.auc},
      {"ranking_regression_auc", flights.regression().held_out.auc}};
  std::ofstream out(o.benchmark);
  out << figures.dump(2) << '\n';
  std::cout << figures.dump(2) << '\n';
  return out ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app(
      "Predicts which flights arrive more than 15 minutes late: one training step, three plans.");
  app.add_option("--data", o.data, "the flights, CSV or gzip-compressed CSV")
      ->capture_default_str();
  app.add_option("--batch", o.batch_rows, "flights per batch")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("--passes", o.passes, "passes over the data")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--cache", o.cache_lines, "lines of the embedding cache")
      ->check(CLI::Range(1, 1 << 24))
      ->capture_default_str();
  app.add_flag("--short", o.quick,
               "an eighth of the data, one pass, no regression to compare with");
  app.add_flag("--tune", o.tune, "search the logistic regression's penalty again");
  app.add_flag("--describe", o.describe, "print the plan and end");
  app.add_option("--picture", o.picture, "write timelines as SVG, named after this file");
  app.add_option("--trace", o.trace, "write traces for Perfetto, named after this file");
  app.add_option(
      "--report", o.report,
      "write pages about the runs, named after this file; with --pad, also what that finds");
  app.add_flag("--advise", o.advise, "say which edits of the plans would pay");
  app.add_option("--pad", o.pad,
                 "measure which tasks are exposed: make them longer by up to N microseconds")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--replay", o.replay,
                 "measure how much of the time of two tasks is exposed: replay what they did on "
                 "the first N batches")
      ->check(CLI::Range(48, 100'000));
  app.add_flag("--apply", o.apply,
               "apply the first edit that is advised where one thread runs all tasks");
  app.add_option("--benchmark", o.benchmark,
                 "measure only, and write the figures to this JSON file");
  CLI11_PARSE(app, argc, argv);
  if (o.quick) o.passes = 1;
  try {
    if (o.describe) {
      std::cout << stretto::describe<pipelined::training>();
      return 0;
    }
    if (o.pad != 0) return pad(o);
    if (o.replay != 0) return replay(o);
    if (o.apply) return apply(o);
    return o.benchmark.empty() ? compare(o) : benchmark(o);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "ranking: %s\n", e.what());
    return 2;
  }
}
