// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What uses most of what is no template: runs that succeed and fail, plans shown, the runtime
// version. In two files, so that what is defined in both would not link.
#include <doctest/doctest.h>
#include <sstream>
#include <stop_token>
#include <stretto/dynamic.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/picture.hpp>
#include <stretto/timeline.hpp>
#include <vector>
#include "squares.hpp"

#if !defined(STRETTO_COMPILED)
#  error "stretto::compiled does not say that it is there"
#endif

using namespace compiled_test;

namespace dynamic = stretto::dynamic;

TEST_CASE("two files of a program use one library") {
  CHECK(st::describe<squares>() == described_elsewhere());
  CHECK(sum_run_elsewhere() == 14);
}

TEST_CASE("a run fails, and its pipeline runs again") {
  st::pipeline<squares> pipeline;
  const std::vector<int> unlucky{1, 13, 2};
  try {
    for ([[maybe_unused]] const int value : pipeline.run(unlucky)) {
    }
    FAIL("nothing thrown");
  } catch (const st::task_error& error) {
    CHECK(error.task() == "load");
    CHECK(error.batch() == 1);
  }
  CHECK(pipeline.report().end == st::run_end::failed);
  CHECK_THROWS_AS(static_cast<void>(pipeline.run(unlucky)), st::usage_error);
  pipeline.reset();
  std::vector<int> yielded;
  for (const int value : pipeline.run(std::vector{2, 3})) yielded.push_back(value);
  CHECK(yielded == std::vector{4, 9});
}

TEST_CASE("what cannot be is refused, and a run stops when it is asked to") {
  CHECK_THROWS_AS(st::pipeline<squares>(st::cores{{"nobody", {0}}}), st::usage_error);
  CHECK_THROWS_AS(st::pipeline<squares>(st::attached_threads{"nobody"}), st::usage_error);

  st::pipeline<squares, st::barrier> pipeline;
  std::stop_source stop;
  const std::vector numbers{1, 2, 3, 4, 5, 6};
  int results = 0;
  for ([[maybe_unused]] const int value : pipeline.run(numbers, st::cancel_on(stop.get_token())))
    if (++results == 2) stop.request_stop();
  CHECK(results < 6);
  CHECK(pipeline.report().end == st::run_end::cancelled);
}

TEST_CASE("plans and runs are shown") {
  CHECK(st::explain<squares, load, add>().find("load") != std::string::npos);
  CHECK(st::picture::to_dot<squares>().find("digraph") != std::string::npos);
  CHECK(st::picture::to_mermaid<squares>().find("load") != std::string::npos);

  st::pipeline<squares, st::timeline> pipeline;
  for ([[maybe_unused]] const int value : pipeline.run(std::vector{1, 2, 3})) {
  }
  std::ostringstream drawn;
  st::draw_svg(drawn, pipeline.observer(), 0, 3);
  CHECK(drawn.str().find("<svg") != std::string::npos);
}

TEST_CASE("schedules that are values run, and are refused") {
  dynamic::schedule shape;
  shape.streams = {"compute"};
  shape.source.slot = "number";
  shape.results = {"square"};
  shape.tasks.push_back({.name = "multiply",
                         .stream = "compute",
                         .reads = {"number"},
                         .writes = {"square"},
                         .body = [](int in, int& out) { out = in * in; }});
  dynamic::pipeline pipeline(shape);
  int sum = 0;
  for (const dynamic::result& r : pipeline.run(std::vector{1, 2, 3})) sum += r.get<int>();
  CHECK(sum == 14);

  shape.tasks[0].lookahead = -1;
  const auto make = [&] { const dynamic::pipeline refused(shape); };
  CHECK_THROWS_AS(make(), dynamic::schedule_error);
  CHECK(dynamic::from_types<squares>().tasks.size() == 2);
}
