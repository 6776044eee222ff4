// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include "coming_from.hpp"
// [taskflow]
#include <taskflow/algorithm/pipeline.hpp>
#include <taskflow/taskflow.hpp>

void with_taskflow() {
  constexpr std::size_t in_flight = 4;
  std::array<std::string, in_flight> lines;
  std::array<numbers, in_flight> values;
  std::array<double, in_flight> means{};
  reader read;
  tf::Pipeline pipeline(
      in_flight,
      tf::Pipe{tf::PipeType::SERIAL,
               [&](tf::Pipeflow& p) {
                 if (!read(lines[p.line()])) p.stop();
               }},
      tf::Pipe{tf::PipeType::PARALLEL,
               [&](tf::Pipeflow& p) { parse(lines[p.line()], values[p.line()]); }},
      tf::Pipe{tf::PipeType::PARALLEL,
               [&](tf::Pipeflow& p) { means[p.line()] = mean_of(values[p.line()]); }},
      tf::Pipe{tf::PipeType::SERIAL, [&](tf::Pipeflow& p) { write(means[p.line()]); }});
  tf::Taskflow flow;
  flow.composed_of(pipeline);
  tf::Executor(2).run(flow).wait();
}
// [taskflow]

int main() {
  std::printf("=== taskflow\n");
  with_taskflow();
}
