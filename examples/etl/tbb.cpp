// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `main.cpp` does, with oneTBB: stages that keep state are in order, the others parallel.
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include "stages.hpp"

using tbb::filter_mode;

static void load(stages::reader& read, stages::writer& write) {
  stages::ledger enter;
  const auto read_block = [&](tbb::flow_control& control) {
    std::string block;
    if (!read(block)) control.stop();
    return block;
  };
  const auto parse = [](const std::string& in) {
    stages::orders out;
    stages::parse(in, out);
    return out;
  };
  const auto enter_orders = [&](const stages::orders& in) {
    stages::sales out;
    enter(in, out);
    return out;
  };
  const auto save = [&](const std::string& text) { write(text); };
  const auto format = [](const stages::sales& in) {
    std::string out;
    stages::format(in, out);
    return out;
  };
  tbb::parallel_pipeline(
      2 * static_cast<std::size_t>(tbb::info::default_concurrency()),
      tbb::make_filter<void, std::string>(filter_mode::serial_in_order, read_block) &
          tbb::make_filter<std::string, stages::orders>(filter_mode::parallel, parse) &
          tbb::make_filter<stages::orders, stages::sales>(filter_mode::serial_in_order,
                                                          enter_orders) &
          tbb::make_filter<stages::sales, std::string>(filter_mode::parallel, format) &
          tbb::make_filter<std::string, void>(filter_mode::serial_in_order, save));
}

int main(int argc, char** argv) { return stages::program(argc, argv, load); }
