// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <stretto/stretto.hpp>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

/// \file
/// A schedule of which two tasks, `parse` and `inspect`, drop some batches, in one way or another:
/// its slots, the tasks after those two, and what its runs hand out.

namespace sifted {

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<long> {};   // not of what `parse` drops
struct checked : st::slot<long> {};  // nor of what `inspect` drops
struct logged : st::slot<long> {};   // for every batch
struct total : st::slot<long> {};

/// Lets other threads go first, now and then.
inline void dawdle(long number) {
  if (number * 7919 % 11 < 3)
    std::this_thread::sleep_for(std::chrono::microseconds(number % 7 * 60));
}

struct tell {  // not after any of them
  static constexpr int lookahead = 1;
  void operator()(st::in<sample> x, st::out<logged> l) const {
    dawdle(*x + 2);
    l = 7L * *x;
  }
};
struct compare {  // with what earlier batches have left, if they were not dropped
  void operator()(st::in<checked> c, st::previous<checked> before, st::previous<parsed, 3> third,
                  st::in<logged> l, st::out<total> t) const {
    dawdle(*c);
    t = *c + 3 * before.value_or(-1) + 5 * third.value_or(-3) + *l;
  }
};

struct row {
  std::size_t batch;
  long total;
  long checked;
  friend bool operator==(const row&, const row&) = default;
};

/// What is handed out of batches that are numbers, where `inspect` makes `parsed` 1000 more and
/// `checked` ten times a number.
inline std::vector<row> rows(int batches, bool (*is_kept)(long)) {
  std::vector<row> all;
  for (long b = 0; b < batches; ++b) {
    if (!is_kept(b)) continue;
    const long before = b >= 1 && is_kept(b - 1) ? 10 * (b - 1) : -1;
    const long third = b >= 3 && is_kept(b - 3) ? b - 3 + 1000 : -3;
    all.push_back({static_cast<std::size_t>(b), 10 * b + 3 * before + 5 * third + 7 * b, 10 * b});
  }
  return all;
}

inline auto samples(int batches) {
  return [next = 0, batches](int& into) mutable {
    into = next;
    return next++ < batches;
  };
}

inline constexpr int ways = 5;

/// Goes through all batches in one of the `ways` to get at results.
template <class Run>
std::vector<row> seen_by(Run& run, int way) {
  std::vector<row> seen;
  const auto add = [&](const auto& r, std::size_t batch) {
    seen.push_back({batch, std::get<0>(r), std::get<1>(r)});
  };
  switch (way) {
    case 0:
      for (const auto& r : run) add(r, run.batch());
      break;
    case 1: run.for_each(add); break;
    case 2:
      while (run.next()) add(run.result(), run.batch());
      break;
    case 3: {
      const auto ignored = [](std::size_t, std::string_view) {};
      while (run.next(ignored)) add(run.result(), run.batch());
      break;
    }
    default:
      while (run.has_more()) {
        if (run.progress()) {
          add(run.result(), run.batch());
        } else {
          // Nothing got through, and the last result is still there, or that batch was dropped.
          bool refused = false;
          try {
            static_cast<void>(run.result());
            CHECK(run.batch() == seen.back().batch);
          } catch (const st::usage_error&) {
            refused = true;
          }
          if (refused) CHECK_THROWS_AS(static_cast<void>(run.batch()), st::usage_error);
        }
      }
  }
  return seen;
}

}  // namespace sifted
