// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <stretto/dynamic.hpp>
#include <stretto/schedule_file.hpp>

namespace dynamic = stretto::dynamic;

TEST_CASE("schedule files are read and written") {
  const dynamic::schedule_file file(
      R"({"stretto": 1, "tasks": [{"name": "load", "writes": ["batch"]},
                                  {"name": "train", "reads": ["batch"]}]})");
  CHECK(file.diagnose().empty());
  const dynamic::planned_schedule planned(file.schedule());
  CHECK(planned.plan().edges.size() > 0);
  CHECK(dynamic::schedule_file(dynamic::to_json(file.schedule())).schedule().tasks.size() == 2);
}
