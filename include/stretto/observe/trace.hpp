// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iomanip>
#include <locale>
#include <ostream>
#include <span>
#include <sstream>
#include <stretto/observe/recorded_counter.hpp>
#include <stretto/observe/recorded_wait.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/text/escaped.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

namespace observe::detail {

/// Writes what `write_trace` is asked for.
class trace {
 public:
  explicit trace(const timeline& record) : record_(record) {
    json_.imbue(std::locale::classic());
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
            << microseconds(s.end - s.begin).count() << R"(,"args":{"batch":)" << s.batch
            << in_stretch(s) << "}}";
  }
  /// Which rows these are.
  void name_process(int process, std::string_view name) {
    json_ << separator_ << R"({"ph":"M","pid":)" << process
          << R"(,"name":"process_name","args":{"name":")" << name << R"("}})";
    separator_ = ",\n";
  }

  void counter(const recorded_counter& c) {
    for (const recorded_counter::change& now : c.changes) {
      json_ << separator_ << R"({"ph":"C","pid":1,"name":")" << text::escaped_for_json(c.name)
            << R"(","ts":)" << microseconds(now.at.time_since_epoch()).count() << R"(,"args":{")"
            << text::escaped_for_json(c.unit) << R"(":)" << now.value << "}}";
      separator_ = ",\n";
    }
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
  /// Nothing of a record that was never paused.
  static std::string in_stretch(const timeline::span& s) {
    return s.stretch == 0 ? "" : R"(,"stretch":)" + std::to_string(s.stretch);
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
/// many batches are in flight, and how many threads are busy, are counters, as are \p counters,
/// which `queues_of` finds. \p waits, which `waits_of` finds, are arrows. If the timeline was
/// paused, tasks have the number of their stretch next to their batch, which `load_trace` reads.
inline void write_trace(std::ostream& out, const timeline& record,
                        std::span<const recorded_wait> waits = {},
                        std::span<const recorded_counter> counters = {}) {
  observe::detail::trace trace(record);
  for (std::size_t t = 0; t < record.threads().size(); ++t)
    trace.row(1, t, record.threads()[t], record.spans(t));
  if (!record.streams().empty()) {
    trace.name_process(1, "threads");
    trace.name_process(2, "streams of the device");
    for (std::size_t s = 0; s < record.streams().size(); ++s)
      trace.row(2, s, record.streams()[s], record.stream_spans(s));
  }
  for (const recorded_counter& c : observe::counters_of(record)) trace.counter(c);
  for (const recorded_counter& c : counters) trace.counter(c);
  for (std::size_t w = 0; w < waits.size(); ++w) trace.flow(w + 1, waits[w]);
  out << trace.text();
}

}  // namespace stretto
