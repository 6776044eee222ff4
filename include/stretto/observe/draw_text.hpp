// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <ostream>
#include <stdexcept>
#include <stretto/observe/timeline.hpp>
#include <stretto/text/in_units.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <vector>

namespace stretto {

namespace observe::detail {

/// Draws what `draw_text` is asked for: rows of characters, each for as long a time.
class text_drawing {
  using clock = timeline::clock;
  using seconds = timeline::seconds;

 public:
  text_drawing(const timeline& record, std::size_t first, std::size_t last, std::size_t columns)
      : record_(record), columns_(columns) {
    for (std::size_t t = 0; t < record.threads().size(); ++t)
      lanes_.push_back({record.threads()[t], record.spans(t)});
    for (std::size_t s = 0; s < record.streams().size(); ++s)
      lanes_.push_back({record.streams()[s] + " (device)", record.stream_spans(s)});
    for (const lane& l : lanes_) {
      widest_ = (std::max)(widest_, text::columns(text::shown(l.name)));
      for (const timeline::span& s : l.spans) {
        if (s.batch < first || s.batch > last) continue;
        begin_ = (std::min)(begin_, s.begin);
        end_ = (std::max)(end_, s.end);
      }
    }
  }

  std::string text() const {
    if (begin_ >= end_) return "nothing ran\n";
    std::string all;
    for (const lane& l : lanes_) add(all, l);
    const seconds column = seconds(end_ - begin_) / static_cast<double>(columns_);
    return all + "a column is " + text::in_units(column) +
           ", a digit the last one of the batch; - in the source, . nothing\n";
  }

 private:
  struct lane {
    std::string name;
    std::vector<timeline::span> spans;
  };

  void add(std::string& to, const lane& l) const {
    constexpr std::size_t source = 10;  // behind the digits
    const double total = seconds(end_ - begin_).count();
    const double wide = total / static_cast<double>(columns_);
    std::vector<std::array<double, source + 1>> times(columns_);
    double busy = 0;
    for (const timeline::span& s : l.spans) {
      const double from = seconds((std::max)(s.begin, begin_) - begin_).count();
      const double until = seconds((std::min)(s.end, end_) - begin_).count();
      if (until <= from) continue;
      if (!record_.in_source(s)) busy += until - from;
      const std::size_t kind = record_.in_source(s) ? source : s.batch % 10;
      for (auto c = static_cast<std::size_t>(from / wide);
           c < columns_ && static_cast<double>(c) * wide < until; ++c)
        times[c][kind] += (std::max)(0.0, (std::min)(until, static_cast<double>(c + 1) * wide) -
                                              (std::max)(from, static_cast<double>(c) * wide));
    }
    std::string cells;
    for (const auto& kinds : times) {
      double sum = 0;
      for (const double time : kinds) sum += time;
      const auto most =
          static_cast<std::size_t>(std::max_element(kinds.begin(), kinds.end()) - kinds.begin());
      cells += sum < 0.5 * wide ? '.' : most == source ? '-' : static_cast<char>('0' + most);
    }
    const std::string name = text::shown(l.name);
    to += name + std::string(widest_ - text::columns(name) + 2, ' ') + cells + "  " +
          std::to_string(std::lround(100 * busy / total)) + " % busy\n";
  }

  const timeline& record_;
  std::size_t columns_;
  std::vector<lane> lanes_;
  std::size_t widest_ = 0;
  clock::time_point begin_ = (clock::time_point::max)();
  clock::time_point end_ = (clock::time_point::min)();
};

}  // namespace observe::detail

/// Draws part of a timeline as lines of text, for terminals, from the first task on batch \p first
/// to the last on batch \p last: a line per thread, and per stream of which it is recorded what the
/// device did there. Each of \p columns characters stands for as long a time, and shows which batch
/// took most of that, by its last digit; `-` is the source, and `.` that more than half of the time
/// nothing ran. Throws `std::invalid_argument` if there are no columns, or more than 10,000.
inline void draw_text(std::ostream& out, const timeline& record, std::size_t first,
                      std::size_t last, std::size_t columns = 72) {
  if (columns == 0 || columns > 10'000)
    throw std::invalid_argument("a timeline as text has from 1 to 10,000 columns");
  out << observe::detail::text_drawing(record, first, last, columns).text();
}

}  // namespace stretto
