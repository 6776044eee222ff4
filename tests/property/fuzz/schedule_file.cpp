// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must hold of any bytes: they are read, diagnosed, planned, saved, loaded, drawn and turned
// into a header, or refused with a place; nothing crashes. What is said does nothing to a terminal,
// a header has the brackets of one and no identifier that may be a macro, and nothing takes more
// work than its bytes are worth.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <regex>
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/header.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/picture/mermaid.hpp>
#include <string>
#include <string_view>
#ifdef STRETTO_COUNTS_BLOCKS
#  include "../../support/work/work.hpp"
#endif

namespace {

namespace dynamic = stretto::dynamic;

void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << "\n";
  std::abort();
}

/// Whether a terminal shows it all and obeys nothing.
bool is_plain(std::string_view text, bool lines) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0x7FU || (byte < 0x20U && !(lines && c == '\n'))) return false;
  }
  return true;
}

/// Whether a header's brackets match outside of texts and comments, a line for each declaration: so
/// that no name and no type gets out of its place.
void check_header(const std::string& header) {
  std::string open;
  bool text = false;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const char c = header[i];
    if (text) {
      require(c != '\n', "a text of a header ends on its line");
      if (c == '\\') ++i;
      if (c == '"') text = false;
    } else if (c == '"') {
      text = true;
    } else if (c == '/' && header[i + 1] == '/') {
      i = header.find('\n', i);
    } else if (c == '#') {
      require(header.compare(i, 9, "#include ") == 0 || header.compare(i, 12, "#pragma once") == 0,
              "a header has no other directives");
      i = header.find('\n', i);
    } else if (c == '{' && dynamic::detail::is_letter(header[i - 1])) {
      open += 'i';  // of an initial value
    } else if (c == '(' || c == '{' || c == '[' || c == '<') {
      open += c;
    } else if (c == ')' || c == '}' || c == ']' || c == '>') {
      require(!open.empty() &&
                  std::string_view("(){}[]<>i}").find(std::string{open.back(), c}) % 2 == 0,
              "a header's brackets match");
      open.pop_back();
    } else if (c == ',') {
      require(!open.empty() && open.back() != '{', "a header has commas in brackets only");
    } else if (c == ';') {
      require(open.empty() || open.back() == '{', "a declaration of a header is whole");
    }
  }
  require(open.empty() && !text, "a header is whole");
  static const std::regex declared("struct ([A-Za-z0-9_]+)");
  static const std::regex apart("_(task|slot|resource|schedule)(_[0-9]+)?$");
  for (std::sregex_iterator at(header.begin(), header.end(), declared), end; at != end; ++at) {
    const std::string name = (*at)[1];
    require(!dynamic::detail::looks_like_macro(name) || std::regex_search(name, apart),
            "an identifier of a header is hardly a macro");
  }
}

/// Ends the program where more is done for some bytes than those are worth.
class budget {
 public:
#ifdef STRETTO_COUNTS_BLOCKS
  explicit budget(std::size_t bytes) { work::stop_after(100'000'000 + 10'000 * bytes); }
  ~budget() { work::stop_after(0); }
#else
  explicit budget(std::size_t) {}
  ~budget() {}  // the fuzzer's own clock sees to it
#endif
  budget(const budget&) = delete;
  budget& operator=(const budget&) = delete;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const budget enough(size);
  const dynamic::schedule_file file(std::string(data, data + size), "fuzz");
  for (const dynamic::file_problem& p : file.problems()) {
    require(!p.what.empty() && !message(file.name(), p).empty(), "a problem says what it is");
    require(p.at.line != 0 || size > 1000, "a problem has a place");
    require(is_plain(message(file.name(), p), false), "a problem is told in plain characters");
  }
  if (!file.ok()) return 0;

  const std::string saved = to_json(file.schedule());
  const dynamic::schedule_file again(saved);
  require(again.ok(), "what was saved is read");
  require(to_json(again.schedule()) == saved, "what was saved is saved the same");

  const auto problems = file.diagnose();
  require(problems.size() == again.diagnose().size(), "what was saved has the same diagnosis");
  for (const dynamic::file_problem& p : problems)
    require(!p.what.empty() && is_plain(p.what, false),
            "a violation says in plain words what it is");
  if (!problems.empty()) return 0;

  const dynamic::planned_schedule planned(file.schedule());
  require(is_plain(planned.describe(), true), "a plan is described in plain characters");
  require(dynamic::planned_schedule(again.schedule()).fingerprint() == planned.fingerprint(),
          "what was saved is planned the same");
  require(!stretto::picture::to_mermaid(planned, {.implied = true}).empty(), "a plan is drawn");
  try {
    check_header(to_header(file.schedule()));
  } catch (const stretto::usage_error&) {
  }
  return 0;
}
