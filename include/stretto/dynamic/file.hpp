// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <ios>
#include <new>
#include <stretto/dynamic/file/culprits.hpp>
#include <stretto/dynamic/file/document.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <stretto/dynamic/file/reader.hpp>
#include <stretto/dynamic/file/writer.hpp>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/list.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// Schedules as JSON files. Needs nlohmann/json; nothing else of the library includes this.
namespace stretto::dynamic {

/// A schedule that was read from a file, and where in the file each part of it stands.
class schedule_file {
 public:
  /// Takes a text apart. Total: what cannot be used is among the problems, the rest is in the
  /// schedule.
  explicit schedule_file(std::string text, std::string name = "schedule.json")
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
      give_up(e);
    }
  }

  /// Reads a file. Total; a file that cannot be read has that problem.
  static schedule_file read(const std::filesystem::path& from) {
    const auto failed = [&](std::string what) {
      schedule_file file;
      file.name_ = from.string();
      file.document_.problems.push_back({{}, {}, std::move(what)});
      return file;
    };
    std::error_code error;
    if (std::filesystem::is_directory(from, error)) return failed("a directory, not a file");
    std::ifstream in(from, std::ios::binary);
    if (!in)
      return failed(std::filesystem::exists(from, error) ? "cannot be opened" : "no such file");
    std::string text;
    try {
      std::string block(std::size_t{1} << 16U, '\0');
      do {
        in.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block, 0, static_cast<std::size_t>(in.gcount()));
      } while (in && text.size() <= detail::document::most_bytes);
    } catch (const std::exception& e) {
      return failed(too_much(e));
    }
    if (in.bad()) return failed("cannot be read to its end");
    return schedule_file(std::move(text), from.string());
  }

  /// Whether it is a schedule file; the schedule may still break rules.
  bool ok() const { return document_.problems.empty(); }
  /// What keeps it from being one, in the order of the file; at most a hundred.
  const std::vector<file_problem>& problems() const { return document_.problems; }
  const std::string& name() const { return name_; }
  const dynamic::schedule& schedule() const { return schedule_; }

  /// Everything that is wrong: what keeps it from being a schedule file or, if nothing does, what
  /// breaks the rules and where. At most a hundred.
  std::vector<file_problem> diagnose() const {
    if (!ok()) return problems();
    try {
      return breaches();
    } catch (const std::exception& e) {
      return {{{}, {}, too_much(e)}};
    }
  }

 private:
  schedule_file() = default;

  /// What breaks the rules.
  std::vector<file_problem> breaches() const {
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

  /// Memory that cannot be had, mostly.
  static std::string too_much(const std::exception& e) {
    return std::string("cannot be taken in: ") + (dynamic_cast<const std::bad_alloc*>(&e) != nullptr
                                                      ? "there is too little memory"
                                                      : e.what());
  }
  /// Keeps nothing of the text but why.
  void give_up(const std::exception& e) {
    schedule_ = {};
    document_ = {};
    document_.problems.push_back({{}, {}, too_much(e)});
  }

  std::string name_;
  detail::document document_;
  dynamic::schedule schedule_;
};

/// The schedule in a file. Throws `file_error` if it is no schedule file; whether it keeps the
/// rules is asked where it is planned.
inline schedule load(const std::filesystem::path& from) {
  const schedule_file file = schedule_file::read(from);
  if (!file.ok()) throw file_error(file.name(), file.problems());
  return file.schedule();
}

/// A schedule as the text of a file: the same for equal schedules, and read back it is an equal
/// one, except bodies. Throws `usage_error` if a name is not UTF-8.
inline std::string to_json(const schedule& s) { return detail::file_writer().write(s); }

/// Writes a schedule to a file. Throws `file_error` if that cannot be written.
inline void save(const schedule& s, const std::filesystem::path& to) {
  const std::string text = to_json(s);
  std::ofstream out(to, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw file_error(to.string(), {{{}, {}, "cannot be written"}});
}

}  // namespace stretto::dynamic
