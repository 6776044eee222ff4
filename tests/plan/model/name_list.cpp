// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <doctest/doctest.h>
#include <stretto/plan/model/name_list.hpp>
#include <string>
#include <vector>

using stretto::planner::add_names;
using stretto::planner::text_builder;

namespace {

std::string listed(const std::vector<std::string>& names, const char* between) {
  text_builder out;
  return std::string(add_names(out, names, between).text());
}

}  // namespace

TEST_CASE("of very many names those at both ends stay, and how many more there are") {
  std::vector<std::string> many;
  CHECK(listed(many, ", ").empty());
  for (int i = 0; i < 40; ++i) many.push_back(std::to_string(i));
  const std::string all = listed(many, " > ");
  CHECK(all.starts_with("`0` > `1` > "));
  CHECK(all.find("`20`") != std::string::npos);
  for (int i = 40; i < 1000; ++i) many.push_back(std::to_string(i));
  CHECK(listed(many, ", ") ==
        "`0`, `1`, `2`, `3`, `4`, `5`, `6`, `7`, `8`, `9`, ... (980 more) ..., "
        "`990`, `991`, `992`, `993`, `994`, `995`, `996`, `997`, `998`, `999`");
}
