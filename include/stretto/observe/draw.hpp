// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <stretto/observe/timeline.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

namespace detail {

inline std::string escaped(std::string_view text, bool json) {
  std::string result;
  for (const char c : text) {
    if (json && (c == '"' || c == '\\')) {
      result += '\\';
      result += c;
    } else if (json && static_cast<unsigned char>(c) < 0x20) {
      result += ' ';
    } else if (!json && c == '<') {
      result += "&lt;";
    } else if (!json && c == '&') {
      result += "&amp;";
    } else if (!json && c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

// Colours that stay apart for colour-blind eyes too (Okabe and Ito), one per batch in turn.
inline constexpr std::array<std::string_view, 7> batch_colours{
    "#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#0072B2", "#D55E00"};

}  // namespace detail

/// Draws part of a timeline as SVG: a row per thread, a bar per task, a colour per batch.
/// From the first task on batch \p first to the last on batch \p last, in milliseconds.
inline void draw_svg(std::ostream& out, const timeline& record, std::size_t first,
                     std::size_t last) {
  using clock = timeline::clock;
  using milliseconds = std::chrono::duration<double, std::milli>;
  constexpr double left = 110;
  constexpr double width = 1090;
  constexpr double row = 46;
  constexpr double top = 34;

  std::vector<std::vector<timeline::span>> lanes;
  clock::time_point begin = clock::time_point::max();
  clock::time_point end = clock::time_point::min();
  for (std::size_t t = 0; t < record.threads().size(); ++t) {
    lanes.push_back(record.spans(t));
    std::erase_if(lanes.back(),
                  [&](const timeline::span& s) { return s.batch < first || s.batch > last; });
    for (const timeline::span& s : lanes.back()) {
      begin = std::min(begin, s.begin);
      end = std::max(end, s.end);
    }
  }
  const double total = begin < end ? milliseconds(end - begin).count() : 1.0;
  const auto x = [&](clock::time_point t) {
    return left + width * milliseconds(t - begin).count() / total;
  };
  const double height = top + row * static_cast<double>(lanes.size()) + 40;

  std::ostringstream svg;
  svg << std::fixed << std::setprecision(2);
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << left + width + 20 << ' '
      << height << "\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (std::size_t b = first; b <= last; ++b) {
    const double at = left + 90 * static_cast<double>(b - first);
    svg << "<rect x=\"" << at << "\" y=\"8\" width=\"12\" height=\"12\" fill=\""
        << detail::batch_colours[b % detail::batch_colours.size()] << "\"/><text x=\"" << at + 17
        << "\" y=\"18\">batch " << b << "</text>\n";
  }
  for (std::size_t t = 0; t < lanes.size(); ++t) {
    const double y = top + row * static_cast<double>(t);
    svg << "<rect x=\"" << left << "\" y=\"" << y << "\" width=\"" << width << "\" height=\""
        << row - 8 << "\" fill=\"#f3f3f3\"/><text x=\"" << left - 8 << "\" y=\"" << y + 24
        << "\" text-anchor=\"end\">" << detail::escaped(record.threads()[t], false) << "</text>\n";
    for (const timeline::span& s : lanes[t]) {
      const double from = x(s.begin);
      const double wide = std::max(x(s.end) - from, 0.3);
      const std::string task = detail::escaped(record.tasks()[s.task], false);
      svg << "<g><title>" << task << ", batch " << s.batch << ", "
          << milliseconds(s.end - s.begin).count() << " ms</title><rect x=\"" << from << "\" y=\""
          << y << "\" width=\"" << wide << "\" height=\"" << row - 8 << "\" fill=\""
          << detail::batch_colours[s.batch % detail::batch_colours.size()]
          << "\" stroke=\"white\" stroke-width=\"0.5\"/>";
      if (wide > 6.6 * static_cast<double>(task.size()) + 6)
        svg << "<text x=\"" << from + 4 << "\" y=\"" << y + 24 << "\">" << task << "</text>";
      svg << "</g>\n";
    }
  }
  const double axis = height - 34;
  for (int i = 0; i <= 10; ++i) {
    const double at = left + width * i / 10;
    svg << "<line x1=\"" << at << "\" x2=\"" << at << "\" y1=\"" << top << "\" y2=\"" << axis
        << "\" stroke=\"#00000018\"/><text x=\"" << at << "\" y=\"" << axis + 16
        << "\" text-anchor=\"middle\" fill=\"#555\">" << total * i / 10 << " ms</text>\n";
  }
  svg << "</svg>\n";
  out << svg.str();
}

/// Writes a timeline in the Trace Event Format, which Perfetto and chrome://tracing open.
inline void write_trace(std::ostream& out, const timeline& record) {
  using microseconds = std::chrono::duration<double, std::micro>;
  std::ostringstream json;
  json << std::fixed << std::setprecision(3) << "{\"traceEvents\":[";
  const char* separator = "\n";
  for (std::size_t t = 0; t < record.threads().size(); ++t) {
    json << separator << "{\"ph\":\"M\",\"pid\":1,\"tid\":" << t
         << ",\"name\":\"thread_name\",\"args\":{\"name\":\""
         << detail::escaped(record.threads()[t], true) << "\"}}";
    separator = ",\n";
    for (const timeline::span& s : record.spans(t))
      json << separator << "{\"ph\":\"X\",\"pid\":1,\"tid\":" << t << ",\"name\":\""
           << detail::escaped(record.tasks()[s.task], true)
           << "\",\"ts\":" << microseconds(s.begin.time_since_epoch()).count()
           << ",\"dur\":" << microseconds(s.end - s.begin).count()
           << ",\"args\":{\"batch\":" << s.batch << "}}";
  }
  json << "\n]}\n";
  out << json.str();
}

}  // namespace stretto
