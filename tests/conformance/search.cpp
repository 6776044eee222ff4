// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Looks for a schedule of each instance of a file, which `search` starts it with, and prints an
// answer a line.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stretto/search/solve.hpp>
#include <string>
#include <string_view>
#include "scheduling.hpp"

namespace {

std::string quotient(const stretto::planner::ratio& r) {
  std::string text = std::to_string(r.time);
  if (r.progresses != 1) text += "/" + std::to_string(r.progresses);
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "a file of instances, and maybe --proofs\n";
    return 2;
  }
  const bool proofs = count > 2 && std::string_view(arguments[2]) == "--proofs";
  std::ifstream file(arguments[1]);
  if (!file) {
    std::cerr << arguments[1] << " cannot be read\n";
    return 2;
  }
  bool all = true;
  std::size_t line = 0;
  for (std::string text; std::getline(file, text);) {
    ++line;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      const conformance::instance asked(conformance::json::parse(text));
      const stretto::search::solution found = stretto::search::solve(asked.asked);
      if (!found.found) {
        std::cerr << asked.id << ": "
                  << (found.none ? "there is no answer" : "no answer has been found") << "\n";
        all = false;
        continue;
      }
      conformance::json told = asked.told(found.best);
      if (proofs) {
        told["period"] = quotient(found.period);
        told["least_period"] = quotient(found.least);
        told["bytes"] = found.bytes;
        told["least_bytes"] = found.least_bytes;
      }
      std::cout << told << std::endl;  // at once, for who measures
    } catch (const std::exception& damaged) {
      std::cerr << arguments[1] << ":" << line << ": " << damaged.what() << "\n";
      return 2;
    }
  }
  return all ? 0 : 1;
}
