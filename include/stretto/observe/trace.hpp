// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <iomanip>
#include <ostream>
#include <sstream>
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
    json_ << std::fixed << std::setprecision(3) << R"({"traceEvents":[)";
  }

  /// What happened on a thread, or on a stream.
  void row(int process, std::size_t number, std::string_view name,
           const std::vector<timeline::span>& spans) {
    using microseconds = std::chrono::duration<double, std::micro>;
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

  std::string text() const { return json_.str() + "\n]}\n"; }

 private:
  const timeline& record_;
  std::ostringstream json_;
  const char* separator_ = "\n";
};

}  // namespace observe::detail

/// Writes a timeline in the Trace Event Format, which Perfetto and chrome://tracing open. Streams
/// of which it is recorded what the device did there (`cuda::timeline`) are rows of their own.
inline void write_trace(std::ostream& out, const timeline& record) {
  observe::detail::trace trace(record);
  for (std::size_t t = 0; t < record.threads().size(); ++t)
    trace.row(1, t, record.threads()[t], record.spans(t));
  if (!record.streams().empty()) {
    trace.name_process(1, "threads");
    trace.name_process(2, "streams of the device");
    for (std::size_t s = 0; s < record.streams().size(); ++s)
      trace.row(2, s, record.streams()[s], record.stream_spans(s));
  }
  out << trace.text();
}

}  // namespace stretto
