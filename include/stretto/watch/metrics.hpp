// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <locale>
#include <ostream>
#include <set>
#include <span>
#include <sstream>
#include <stretto/run/error.hpp>
#include <stretto/text/escaped.hpp>
#include <stretto/text/visible.hpp>
#include <stretto/watch/activity.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace stretto {

namespace watch::detail {

/// Writes metrics in Prometheus' text format.
class metrics_writer {
 public:
  explicit metrics_writer(std::span<const std::pair<std::string, std::string>> labels) {
    out_.imbue(std::locale::classic());
    out_ << std::setprecision(std::numeric_limits<double>::digits10);
    std::set<std::string_view> used{"task", "thread", "slot", "quantile"};
    for (const auto& [name, value] : labels) {
      if (!is_label(name))
        throw usage_error("`" + text::visible_name(name) + "` is no name that a label can have");
      if (!used.insert(name).second)
        throw usage_error("label `" + name + "` is there already: name it otherwise");
      add_label(common_, name, value);
    }
  }

  void family(std::string_view name, std::string_view type, std::string_view help) {
    out_ << "# HELP " << name << ' ' << help << "\n# TYPE " << name << ' ' << type << '\n';
  }
  template <class Value>
  void sample(std::string_view name, std::string_view label, std::string_view of, Value value,
              std::string_view quantile = {}) {
    std::string labels = common_;
    if (!label.empty()) add_label(labels, label, of);
    if (!quantile.empty()) add_label(labels, "quantile", quantile);
    out_ << name;
    if (!labels.empty()) out_ << '{' << labels << '}';
    out_ << ' ' << value << '\n';
  }
  void summary(const std::string& name, std::string_view task, const activity::times& t) {
    summary(name, "task", task, t.median.count(), t.p99.count(), t.total.count(), t.count);
  }
  void summary(const std::string& name, std::string_view slot, const activity::lengths& l) {
    summary(name, "slot", slot, l.median, l.p99, l.total, l.count);
  }
  std::string text() const { return out_.str(); }

 private:
  template <class Value>
  void summary(const std::string& name, std::string_view label, std::string_view of, Value median,
               Value p99, Value sum, std::uint64_t count) {
    sample(name, label, of, median, "0.5");
    sample(name, label, of, p99, "0.99");
    sample(name + "_sum", label, of, sum);
    sample(name + "_count", label, of, count);
  }

  /// What Prometheus takes, without what it keeps for itself: `__name__` and the like.
  static bool is_label(std::string_view name) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    constexpr std::string_view digits = "0123456789";
    if (name.empty() || name.starts_with("__") ||
        digits.find(name.front()) != std::string_view::npos)
      return false;
    return std::all_of(name.begin(), name.end(), [&](char c) {
      return letters.find(c) != std::string_view::npos || digits.find(c) != std::string_view::npos;
    });
  }
  static void add_label(std::string& to, std::string_view name, std::string_view value) {
    if (!to.empty()) to += ',';
    to += std::string(name) + "=\"";
    to += text::escaped_for_label(value);
    to += '"';
  }

  std::ostringstream out_;
  std::string common_;
};

}  // namespace watch::detail

/// Writes what a monitor saw as metrics in Prometheus' text format (version 0.0.4), for an endpoint
/// of yours to serve: times of tasks and of the waits before them as summaries in seconds,
/// failures, how long threads were busy, how many batches wait in slots, batches. Batches count
/// from 0 again in each run, as after a restart of the process. \p labels, names and values, are
/// put on every sample. Throws `usage_error` if Prometheus does not take a name, or one is there
/// already: `task`, `thread`, `slot`, `quantile`, or one that comes twice.
inline void write_metrics(std::ostream& out, const activity& now,
                          std::span<const std::pair<std::string, std::string>> labels = {}) {
  watch::detail::metrics_writer to(labels);
  to.family("stretto_task_seconds", "summary", "How long tasks took for a batch.");
  for (const activity::task_row& t : now.tasks) to.summary("stretto_task_seconds", t.name, t.runs);
  to.family("stretto_task_wait_seconds", "summary",
            "How long threads had run nothing when tasks began.");
  for (const activity::task_row& t : now.tasks)
    to.summary("stretto_task_wait_seconds", t.name, t.waits);
  to.family("stretto_task_failures_total", "counter", "Runs of tasks that threw.");
  for (const activity::task_row& t : now.tasks)
    to.sample("stretto_task_failures_total", "task", t.name, t.failures);
  to.family("stretto_thread_busy_seconds_total", "counter", "How long threads were in tasks.");
  for (const activity::thread_row& t : now.threads)
    to.sample("stretto_thread_busy_seconds_total", "thread", t.name, t.busy.count());
  to.family("stretto_queue_batches", "gauge",
            "Batches that wait in a slot, written and not read by all that read it.");
  for (const activity::queue_row& q : now.queues)
    to.sample("stretto_queue_batches", "slot", q.slot, q.waiting);
  to.family("stretto_queue_room_batches", "gauge", "Batches that may wait in a slot.");
  for (const activity::queue_row& q : now.queues)
    to.sample("stretto_queue_room_batches", "slot", q.slot, q.room);
  to.family("stretto_queue_found_batches", "summary",
            "Batches that waited in a slot when one more had come, that one among them.");
  for (const activity::queue_row& q : now.queues)
    to.summary("stretto_queue_found_batches", q.slot, q.found);
  to.family("stretto_batches_total", "counter", "Batches that are through, of the latest run.");
  to.sample("stretto_batches_total", "", "", now.through);
  to.family("stretto_batches_in_flight", "gauge", "Batches that are begun and not through.");
  to.sample("stretto_batches_in_flight", "", "", now.in_flight());
  to.family("stretto_running", "gauge", "1 while there is a run, else 0.");
  to.sample("stretto_running", "", "", now.running ? 1 : 0);
  out << to.text();
}

}  // namespace stretto
