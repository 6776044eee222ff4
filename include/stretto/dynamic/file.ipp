// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/file/content.hpp>
#include <stretto/dynamic/file/culprits.hpp>
#include <stretto/dynamic/file/document.hpp>
#include <stretto/dynamic/file/new_file.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <stretto/dynamic/file/reader.hpp>
#include <stretto/dynamic/file/writer.hpp>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/list.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic {

STRETTO_INLINE schedule_file::schedule_file(std::string text, std::string name)
    : name_(std::move(name)) {
  document_.source = std::move(text);
  try {
    detail::parse(document_);
    if (!ok()) return;  // what stands behind the first slip is not known for what it is
    detail::file_reader(document_, schedule_).read();
    planner::insertion_sort(document_.problems, [](const file_problem& a, const file_problem& b) {
      return a.at.line != b.at.line ? a.at.line < b.at.line : a.at.column < b.at.column;
    });
  } catch (const std::exception& e) {
    give_up(shared::too_much(e));
  }
}

STRETTO_INLINE schedule_file schedule_file::read(std::string_view from) {
  try {
    return schedule_file(shared::content_of(from, detail::document::most_bytes), std::string(from));
  } catch (const file_error& e) {
    schedule_file file;
    file.name_ = std::string(from);
    file.document_.problems = e.problems();
    return file;
  }
}

STRETTO_INLINE std::vector<file_problem> schedule_file::diagnose() const {
  if (!ok()) return problems();
  try {
    return breaches();
  } catch (const std::exception& e) {
    return {{{}, {}, shared::too_much(e)}};
  }
}

STRETTO_INLINE std::vector<file_problem> schedule_file::breaches() const {
  constexpr std::size_t most = 100;
  const declared d(schedule_);
  const diagnosis found = dynamic::diagnose(schedule_);
  const detail::culprit_finder culprits(document_);
  std::vector<file_problem> all;
  for (std::size_t i = 0; i < found.size() && i < most; ++i) {
    file_problem p;
    if (i >= found.misuses.size()) {
      const detail::part_of_file at =
          culprits.find(d.value(), found.found.findings[i - found.misuses.size()]);
      p.at = document_.position_of(document_.values[at.value].at);
      p.field = at.field;
    }
    p.what = found.sentence(d.value(), i);
    all.push_back(std::move(p));
  }
  return all;
}

STRETTO_INLINE void schedule_file::give_up(std::string why) {
  schedule_ = {};
  document_ = {};
  document_.problems.push_back({{}, {}, std::move(why)});
}

STRETTO_INLINE schedule load(std::string_view from) {
  const schedule_file file = schedule_file::read(from);
  if (!file.ok()) throw file_error(file.name(), file.problems());
  return file.schedule();
}

STRETTO_INLINE std::string to_json(const schedule& s) { return detail::file_writer().write(s); }

STRETTO_INLINE void save(const schedule& s, std::string_view to) { write_file(to, to_json(s)); }

}  // namespace stretto::dynamic
