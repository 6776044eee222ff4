// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coming_from.hpp"
// [tbb]
#include <oneapi/tbb/parallel_pipeline.h>

void with_tbb() {
  namespace tbb = oneapi::tbb;
  const std::size_t in_flight = 4;
  reader read;
  const auto get = [&](tbb::flow_control& control) {
    std::string line;
    if (!read(line)) control.stop();
    return line;
  };
  const auto parse_line = [](const std::string& in) {
    numbers out;
    parse(in, out);
    return out;
  };
  const auto average = [](const numbers& in) { return mean_of(in); };
  const auto write_mean = [](double mean) { write(mean); };
  using tbb::filter_mode;
  tbb::parallel_pipeline(
      in_flight, tbb::make_filter<void, std::string>(filter_mode::serial_in_order, get) &
                     tbb::make_filter<std::string, numbers>(filter_mode::parallel, parse_line) &
                     tbb::make_filter<numbers, double>(filter_mode::parallel, average) &
                     tbb::make_filter<double, void>(filter_mode::serial_in_order, write_mean));
}
// [tbb]

int main() {
  std::printf("=== tbb\n");
  with_tbb();
}
