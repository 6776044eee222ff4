// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

// What the programs of docs/coming_from.md have in common: text comes in, is parsed, is averaged,
// and the means are written in order.

using numbers = std::vector<double>;

/// The next line; false behind the last.
struct reader {
  std::size_t next = 0;
  bool operator()(std::string& line) {
    static const std::vector<std::string> lines{"1 2 3", "10", "4 4", "7 8"};
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  }
};

inline void parse(const std::string& line, numbers& out) {
  out.clear();
  for (std::size_t at = 0; at < line.size();) {
    std::size_t length = 0;
    out.push_back(std::stod(line.substr(at), &length));
    at += length + 1;
  }
}

inline double mean_of(const numbers& in) {
  return std::accumulate(in.begin(), in.end(), 0.0) / static_cast<double>(in.size());
}

inline void write(double mean) { std::printf("%.2f\n", mean); }
