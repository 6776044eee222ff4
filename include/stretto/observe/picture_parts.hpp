// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <locale>
#include <sstream>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>
#include <vector>

/// What pictures of runs have in common: colours of batches, names within bars, marks of time.
namespace stretto::observe {

/// A colour for a batch, and one that can be read on it.
struct ink {
  std::string_view fill;
  std::string_view text;
};

// Colours that stay apart for colour-blind eyes too (Okabe and Ito), one per batch in turn.
inline constexpr std::array<ink, 7> inks{{{"#56B4E9", "#000"},
                                          {"#E69F00", "#000"},
                                          {"#009E73", "#fff"},
                                          {"#F0E442", "#000"},
                                          {"#CC79A7", "#000"},
                                          {"#0072B2", "#fff"},
                                          {"#D55E00", "#fff"}}};

inline const ink& ink_of(std::size_t batch) { return inks[batch % inks.size()]; }

/// A duration that divides \p total into at most \p most steps: 1, 2 or 5 times a power of ten.
inline double tick_step(double total, double most) {
  const double least = total / most;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0})
    if (times * power >= least) return times * power;
  return 10 * power;
}

/// A mark on the axis of time, and what is next to it.
struct time_mark {
  double seconds = 0;
  std::string label;
};

/// From 0 to \p total seconds, at most \p most marks and one.
inline std::vector<time_mark> time_marks(double total, double most) {
  struct unit {
    std::string_view name;
    double seconds;
  };
  const unit u = total >= 2 ? unit{"s", 1} : total >= 2e-3 ? unit{"ms", 1e-3} : unit{"µs", 1e-6};
  const double step = tick_step(total / u.seconds, most);
  const int decimals = step < 1 ? static_cast<int>(std::ceil(-std::log10(step) - 1e-9)) : 0;
  std::vector<time_mark> marks;
  for (int i = 0; i * step <= total / u.seconds + 1e-9; ++i) {
    std::ostringstream label;
    label.imbue(std::locale::classic());
    label << std::fixed << std::setprecision(decimals) << i * step << ' ' << u.name;
    marks.push_back({i * step * u.seconds, label.str()});
  }
  return marks;
}

/// How wide a letter is of text 12 high, in the fonts of pictures; only a few capitals are wider.
inline constexpr double letter_width = 6.7;

/// As much of a name, fit to be shown, as is readable in a bar \p wide; else nothing.
inline std::string label_within(const std::string& name, double wide) {
  const auto letters = static_cast<std::size_t>((std::max)(wide - 7, 0.0) / letter_width);
  if (letters >= text::columns(name)) return name;
  if (letters < 4) return {};
  return std::string(text::within_columns(name, letters - 1)) + "…";
}

}  // namespace stretto::observe
