// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must hold of any bytes: they are read, diagnosed, planned, saved, loaded, drawn and turned
// into a header, or refused with a place; nothing crashes, and nothing takes for ever.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/header.hpp>
#include <stretto/dynamic/planned.hpp>
#include <stretto/picture/mermaid.hpp>
#include <string>

namespace {

namespace dynamic = stretto::dynamic;

void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << "\n";
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const dynamic::schedule_file file(std::string(data, data + size), "fuzz");
  for (const dynamic::file_problem& p : file.problems()) {
    require(!p.what.empty() && !message(file.name(), p).empty(), "a problem says what it is");
    require(p.at.line != 0 || size > 1000, "a problem has a place");
  }
  if (!file.ok()) return 0;

  const std::string saved = to_json(file.schedule());
  const dynamic::schedule_file again(saved);
  require(again.ok(), "what was saved is read");
  require(to_json(again.schedule()) == saved, "what was saved is saved the same");

  const auto problems = file.diagnose();
  require(problems.size() == again.diagnose().size(), "what was saved has the same diagnosis");
  for (const dynamic::file_problem& p : problems)
    require(!p.what.empty(), "a violation says what it is");
  if (!problems.empty()) return 0;

  const dynamic::planned_schedule planned(file.schedule());
  require(!planned.describe().empty(), "a plan is described");
  require(dynamic::planned_schedule(again.schedule()).fingerprint() == planned.fingerprint(),
          "what was saved is planned the same");
  require(!stretto::picture::to_mermaid(planned, {.implied = true}).empty(), "a plan is drawn");
  try {
    require(!to_header(file.schedule()).empty(), "a schedule has a header");
  } catch (const stretto::usage_error&) {
  }
  return 0;
}
