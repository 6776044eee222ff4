// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_headers FOLDER FILE... : a header for each schedule file and for some random schedules, the
// schedules themselves next to them, and all_headers.hpp, which calls a function for each.

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/header.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/query/outline.hpp>
#include <string>
#include <vector>
#include "../../support/random_schedule.hpp"

namespace {

namespace dynamic = stretto::dynamic;

/// The last struct of a header is its schedule.
std::string schedule_type(const std::string& header) {
  const std::size_t end = header.find(" : st::schedule<");
  const std::size_t begin = header.rfind(' ', end - 1) + 1;
  return header.substr(begin, end - begin);
}

}  // namespace

int main(int count, char** argument) {
  const std::filesystem::path folder = argument[1];
  std::vector<std::pair<std::string, dynamic::schedule>> all;
  for (int i = 2; i < count; ++i)
    all.emplace_back(std::filesystem::path(argument[i]).stem().string(),
                     dynamic::load(argument[i]));
  unsigned number = 0;
  random_schedule::for_each_valid(60, 1, [&](const stretto::planner::declaration& d, unsigned) {
    const dynamic::schedule s = dynamic::detail::outliner(d).outline();
    if (number < 25 && dynamic::diagnose(s).ok())
      all.emplace_back("random_" + std::to_string(number++), s);
  });

  std::filesystem::create_directories(folder);
  std::ofstream list(folder / "all_headers.hpp");
  for (const auto& [name, s] : all) list << "#include \"" << name << ".hpp\"\n";
  list << "template <class Use>\nvoid for_each_header(Use use) {\n";
  for (const auto& [name, s] : all) {
    const std::string header = dynamic::to_header(s, {name, {"<vector>", "\"types.hpp\""}});
    std::ofstream(folder / (name + ".hpp")) << header;
    dynamic::save(s, folder / (name + ".json"));
    list << "  use.template operator()<" << name << "::" << schedule_type(header) << ">(\"" << name
         << "\");\n";
  }
  list << "}\n";
  list.close();
  std::cout << all.size() << " headers\n";
  return list && number == 25 ? 0 : 1;
}
