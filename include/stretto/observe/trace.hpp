// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iomanip>
#include <map>
#include <ostream>
#include <set>
#include <span>
#include <sstream>
#include <stretto/observe/recorded_wait.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/text/escaped.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto {

namespace observe::detail {

/// Writes what `write_trace` is asked for.
class trace {
 public:
  explicit trace(const timeline& record) : record_(record) {
    json_ << std::fixed << std::setprecision(3) << R"({"traceEvents":[)";
  }

  /// What happened on a thread, or on a stream.
  void row(int process, std::size_t number, std::string_view name,
           const std::vector<timeline::span>& spans) {
    json_ << separator_ << R"({"ph":"M","pid":)" << process << R"(,"tid":)" << number
          << R"(,"name":"thread_name","args":{"name":")" << text::escaped_for_json(name)
          << R"("}})";
    separator_ = ",\n";
    for (const timeline::span& s : spans)
      json_ << separator_ << R"({"ph":"X","pid":)" << process << R"(,"tid":)" << number
            << R"(,"name":")" << text::escaped_for_json(record_.tasks()[s.task]) << R"(","cat":")"
            << (record_.in_source(s) ? "source" : "task") << R"(","ts":)"
            << microseconds(s.begin.time_since_epoch()).count() << R"(,"dur":)"
            << microseconds(s.end - s.begin).count() << R"(,"args":{"batch":)" << s.batch << "}}";
  }
  /// Which rows these are.
  void name_process(int process, std::string_view name) {
    json_ << separator_ << R"({"ph":"M","pid":)" << process
          << R"(,"name":"process_name","args":{"name":")" << name << R"("}})";
    separator_ = ",\n";
  }

  /// How many batches are between the begin of their pull and the end of their last task, and how
  /// many threads are in tasks.
  void counters() {
    changes batches, busy;
    // By batch: from its first begin to its last end.
    std::map<std::size_t, timeline::span> through;
    std::set<std::size_t> run;  // else the source was asked, and had none
    const auto take = [&](const std::vector<timeline::span>& spans, bool of_thread) {
      for (const timeline::span& s : spans) {
        timeline::span& whole = through.try_emplace(s.batch, s).first->second;
        whole.begin = (std::min)(whole.begin, s.begin);
        whole.end = (std::max)(whole.end, s.end);
        if (record_.in_source(s)) continue;
        run.insert(s.batch);
        if (of_thread) add(busy, s);
      }
    };
    for (std::size_t t = 0; t < record_.threads().size(); ++t) take(record_.spans(t), true);
    for (std::size_t s = 0; s < record_.streams().size(); ++s) take(record_.stream_spans(s), false);
    for (const std::size_t batch : run) add(batches, through.at(batch));
    counter("batches in flight", "batches", batches);
    counter("busy threads", "threads", busy);
  }
  /// An arrow from what was waited for to what began then.
  void flow(std::size_t number, const recorded_wait& w) {
    // Within the slices: at the end of one begins the next.
    const auto end = (std::max)(w.awaited.begin, w.awaited.end - std::chrono::nanoseconds(1));
    flow_end("s", number, w.awaited_thread, end, w.why);
    flow_end("f", number, w.waiting_thread, w.waiting.begin, w.why);
  }

  std::string text() const { return json_.str() + "\n]}\n"; }

 private:
  using microseconds = std::chrono::duration<double, std::micro>;
  using changes = std::vector<std::pair<timeline::clock::time_point, int>>;

  static void add(changes& to, const timeline::span& s) {
    to.emplace_back(s.begin, 1);
    to.emplace_back(s.end, -1);
  }
  /// A value from each change on; what changes at one time is one change.
  void counter(std::string_view name, std::string_view unit, changes& all) {
    std::sort(all.begin(), all.end());
    int value = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      value += all[i].second;
      if (i + 1 < all.size() && all[i + 1].first == all[i].first) continue;
      json_ << separator_ << R"({"ph":"C","pid":1,"name":")" << name << R"(","ts":)"
            << microseconds(all[i].first.time_since_epoch()).count() << R"(,"args":{")" << unit
            << R"(":)" << value << "}}";
      separator_ = ",\n";
    }
  }
  void flow_end(std::string_view phase, std::size_t number, std::size_t thread,
                timeline::clock::time_point at, std::string_view why) {
    json_ << separator_ << R"({"ph":")" << phase << R"(","bp":"e","pid":1,"tid":)" << thread
          << R"(,"id":)" << number << R"(,"name":"wait","cat":"wait","ts":)"
          << microseconds(at.time_since_epoch()).count() << R"(,"args":{"why":")"
          << text::escaped_for_json(why) << R"("}})";
    separator_ = ",\n";
  }

  const timeline& record_;
  std::ostringstream json_;
  const char* separator_ = "\n";
};

}  // namespace observe::detail

/// Writes a timeline in the Trace Event Format, which Perfetto and chrome://tracing open. Streams
/// of which it is recorded what the device did there (`cuda::timeline`) are rows of their own. How
/// many batches are in flight, and how many threads are busy, are counters. \p waits, which
/// `waits_of` finds, are arrows.
inline void write_trace(std::ostream& out, const timeline& record,
                        std::span<const recorded_wait> waits = {}) {
  observe::detail::trace trace(record);
  for (std::size_t t = 0; t < record.threads().size(); ++t)
    trace.row(1, t, record.threads()[t], record.spans(t));
  if (!record.streams().empty()) {
    trace.name_process(1, "threads");
    trace.name_process(2, "streams of the device");
    for (std::size_t s = 0; s < record.streams().size(); ++s)
      trace.row(2, s, record.streams()[s], record.stream_spans(s));
  }
  trace.counters();
  for (std::size_t w = 0; w < waits.size(); ++w) trace.flow(w + 1, waits[w]);
  out << trace.text();
}

}  // namespace stretto
