// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Four stages of about two milliseconds each, of different kinds: one looks at text, one branches,
/// one computes, one follows pointers and keeps state.
namespace benchmarks::stages {

using numbers = std::vector<double>;
using samples = std::vector<float>;

/// Of a batch: readings in decimal.
const std::string& text(std::size_t batch);

/// The greatest reading of each window.
void parse(const std::string& in, numbers& out);
void sort(const numbers& in, numbers& out);
void smooth(const numbers& in, samples& out);

class counts {
 public:
  void operator()(const samples& in);
  std::uint64_t checksum() const;

 private:
  std::map<std::int32_t, std::uint64_t> of_;
  std::uint64_t seen_ = 0;
};

}  // namespace benchmarks::stages
