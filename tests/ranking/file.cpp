// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranking example as a schedule file is the ranking example.

#include <doctest/doctest.h>
#include <fstream>
#include <sstream>
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/query/from_types.hpp>
#include "schedule.hpp"

TEST_CASE("ranking.json is the schedule of types, saved") {
  std::ostringstream kept;
  kept << std::ifstream(RANKING_SCHEDULE).rdbuf();
  const std::string saved =
      stretto::dynamic::to_json(stretto::dynamic::outline<ranking::pipelined::training>());
  // GCC and Clang spell these types alike; another compiler may not.
  CHECK(saved == kept.str());
}
