// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/query/planned.hpp>

int main() {
  const stretto::dynamic::schedule_file file(
      R"({"stretto": 1, "tasks": [{"name": "load", "writes": ["batch"]},
                                  {"name": "train", "reads": ["batch"]}]})");
  const stretto::dynamic::planned_schedule planned(file.schedule());
  std::printf("%s", to_json(planned.input()).c_str());
  return planned.plan().edges.empty() ? 1 : 0;
}
