// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <stretto/observe/timeline.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>

namespace stretto {

namespace observe::detail {

inline std::string json_escaped(std::string_view text) {
  return text::shown(text, [](std::string& to, char c) {
    if (c == '"' || c == '\\') to += '\\';
    to += c;
  });
}

}  // namespace observe::detail

/// Writes a timeline in the Trace Event Format, which Perfetto and chrome://tracing open.
inline void write_trace(std::ostream& out, const timeline& record) {
  using microseconds = std::chrono::duration<double, std::micro>;
  std::ostringstream json;
  json << std::fixed << std::setprecision(3) << R"({"traceEvents":[)";
  const char* separator = "\n";
  for (std::size_t t = 0; t < record.threads().size(); ++t) {
    json << separator << R"({"ph":"M","pid":1,"tid":)" << t
         << R"(,"name":"thread_name","args":{"name":")"
         << observe::detail::json_escaped(record.threads()[t]) << R"("}})";
    separator = ",\n";
    for (const timeline::span& s : record.spans(t))
      json << separator << R"({"ph":"X","pid":1,"tid":)" << t << R"(,"name":")"
           << observe::detail::json_escaped(record.tasks()[s.task]) << R"(","cat":")"
           << (record.in_source(s) ? "source" : "task") << R"(","ts":)"
           << microseconds(s.begin.time_since_epoch()).count() << R"(,"dur":)"
           << microseconds(s.end - s.begin).count() << R"(,"args":{"batch":)" << s.batch << "}}";
  }
  json << "\n]}\n";
  out << json.str();
}

}  // namespace stretto
