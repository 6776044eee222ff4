// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares records judged as types, which `static` generates, with what the original engine
// computed: reads the file of records given to it.

#include "static.hpp"
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include "compare.hpp"

int main(int, char** argv) {
  std::map<std::size_t, conformance::judged> by_line;
  for (auto& [line, result] : conformance::all_judged()) by_line.emplace(line, std::move(result));
  std::ifstream file(argv[1]);
  std::size_t number = 0;
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (std::string line; std::getline(file, line);) {
    const auto got = by_line.find(++number);
    if (got == by_line.end()) continue;
    const auto record = nlohmann::json::parse(line);
    const auto differ = conformance::differences(record, got->second);
    ++(differ.empty() ? passed : failed);
    for (const std::string& d : differ)
      std::printf("%s: %s\n", record["id"].get_ref<const std::string&>().c_str(), d.c_str());
  }
  std::printf("%zu %zu\n", passed, failed);
  return passed + failed == by_line.size() ? 0 : 2;
}
