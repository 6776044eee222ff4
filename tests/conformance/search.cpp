// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Looks for a schedule of each instance of a file, which `search` starts it with, and prints an
// answer a line; by one of the original engine's tools if asked to.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stretto/search.hpp>
#include <string>
#include <string_view>
#include "scheduling.hpp"

namespace {

std::string quotient(const stretto::planner::ratio& r) {
  std::string text = std::to_string(r.time);
  if (r.progresses != 1) text += "/" + std::to_string(r.progresses);
  return text;
}

/// How answers are looked for, by name.
using searcher = stretto::search::solution (*)(const conformance::instance&);
searcher named(const std::string_view name) {
  using conformance::instance;
  namespace search = stretto::search;
  if (name == "search") return [](const instance& in) { return search::solve(in.asked); };
  if (name == "beam")
    return [](const instance& in) { return search::beam_search(in.asked, in.authored()); };
  if (name == "lookaheads")
    return [](const instance& in) { return search::assign_lookaheads(in.asked, in.authored()); };
  if (name == "list")
    return [](const instance& in) { return search::list_schedule(in.asked, in.authored()); };
  return nullptr;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr
        << "a file of instances, and maybe --proofs, and --by search, beam, lookaheads or list\n";
    return 2;
  }
  bool proofs = false;
  searcher look = named("search");
  for (int i = 2; i < count; ++i) {
    const std::string_view option = arguments[i];
    if (option == "--proofs") {
      proofs = true;
    } else if (option == "--by" && i + 1 < count && named(arguments[i + 1]) != nullptr) {
      look = named(arguments[++i]);
    } else {
      std::cerr << "options are --proofs, and --by search, beam, lookaheads or list\n";
      return 2;
    }
  }
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
      const stretto::search::solution found = look(asked);
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
