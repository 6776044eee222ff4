// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code in docs/files.md, compiled.

#include <iostream>
// [include]
#include <stretto/dynamic.hpp>
#include <stretto/schedule_file.hpp>
// [include]
#include <stretto/picture.hpp>
#include <string>

namespace dynamic = stretto::dynamic;

namespace {

// [load]
void show(const std::string& path) {
  const dynamic::schedule_file file = dynamic::schedule_file::read(path);
  for (const dynamic::file_problem& p : file.diagnose())
    std::cerr << message(file.name(), p) << "\n";
}
// [load]

}  // namespace

int main() {
  const std::string path = "training.json";
  // [edit]
  dynamic::schedule s;
  s.name = "training";
  s.streams = {"memcpy", "compute"};
  s.source.slot = "raw_batch";
  s.tasks.push_back({.name = "h2d",
                     .stream = "memcpy",
                     .lookahead = 1,
                     .reads = {"raw_batch"},
                     .writes = {"batch"}});
  s.tasks.push_back({.name = "train", .stream = "compute", .reads = {"batch"}});
  dynamic::save(s, path);

  s = dynamic::load(path);  // throws `file_error`, which lists every problem
  s.at("h2d").lookahead = 2;
  std::cout << dynamic::to_json(s);
  // [edit]
  show(path);
  // [picture]
  const dynamic::planned_schedule planned(s);
  std::cout << stretto::picture::to_mermaid(planned, {.implied = true});
  // [picture]
}
