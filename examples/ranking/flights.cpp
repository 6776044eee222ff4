// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flights.hpp"
#include <zlib.h>
#include <algorithm>
#include <memory>
#include <utility>

namespace ranking {
namespace {

struct close_gz {
  void operator()(gzFile file) const { gzclose(file); }
};
using gz_handle = std::unique_ptr<gzFile_s, close_gz>;

[[noreturn]] void reject_file(const std::string& name, std::string_view reason) {
  throw data_error(name + ": " + std::string(reason));
}

std::string at_line(const std::string& name, std::size_t line) {
  return name + ", line " + std::to_string(line) + ": ";
}

/// Quotes text from the file so that it is safe and short to print.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown = "\"";
  for (const char c : text.substr(0, longest)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > longest ? "...\"" : "\"");
}

std::string read_all(const std::string& name) {
  const gz_handle file{gzopen(name.c_str(), "rb")};
  if (!file) reject_file(name, "cannot be opened");
  gzbuffer(file.get(), 1U << 17U);
  std::string text;
  std::size_t used = 0;
  for (;;) {
    constexpr unsigned step = 1U << 22U;
    text.resize(used + step);
    const int got = gzread(file.get(), text.data() + used, step);
    used += static_cast<std::size_t>(std::max(got, 0));
    int code = Z_OK;
    gzerror(file.get(), &code);
    if (code == Z_BUF_ERROR)
      reject_file(name, "ends in the middle of its compressed data, after " + std::to_string(used) +
                            " bytes of text; is the file complete?");
    if (code == Z_ERRNO) reject_file(name, "cannot be read");
    if (got < 0 || code != Z_OK)
      reject_file(name,
                  "has damaged compressed data, after " + std::to_string(used) + " bytes of text");
    if (got == 0) break;
  }
  text.resize(used);
  return text;
}

std::string expected_header() {
  std::string header;
  for (const std::string_view name : column_names) header.append(name).append(",");
  header.pop_back();
  return header;
}

}  // namespace

flight_file flight_file::load(const std::filesystem::path& path) {
  std::string name = path.string();
  if (std::filesystem::is_directory(path)) reject_file(name, "is a directory, not a data file");
  std::string text = read_all(name);
  return parse(std::move(name), std::move(text));
}

flight_file flight_file::parse(std::string name, std::string text) {
  if (text.empty()) reject_file(name, "is empty");
  const std::string header = expected_header();
  const std::string_view first = std::string_view(text).substr(0, text.find('\n'));
  if (first != header)
    throw data_error(at_line(name, 1) + "the header is " + quoted(first) + ", expected \"" +
                     header + "\"");
  flight_file file;
  for (std::size_t end = first.size(); end < text.size(); end = text.find('\n', end + 1))
    file.starts_.push_back(end + 1);
  if (text.back() != '\n')
    throw data_error(at_line(name, file.starts_.size() + 1) + "has no end; is the file complete?");
  if (file.rows() == 0) reject_file(name, "has a header but no rows");
  file.name_ = std::move(name);
  file.text_ = std::move(text);
  return file;
}

std::string_view flight_file::line(std::size_t row) const {
  return std::string_view(text_).substr(starts_[row], starts_[row + 1] - starts_[row] - 1);
}

fields split(const flight_file& file, std::size_t row) {
  const std::string_view line = file.line(row);
  fields found;
  std::size_t count = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] != ',') continue;
    if (count < found.size()) found[count] = line.substr(start, i - start);
    ++count;
    start = i + 1;
  }
  if (count != found.size())
    throw data_error(at_line(file.name(), file.line_number(row)) + "has " + std::to_string(count) +
                     " columns, expected " + std::to_string(found.size()) + ": " + quoted(line));
  return found;
}

void reject_field(const flight_file& file, std::size_t row, column c, std::string_view text,
                  std::string_view reason) {
  throw data_error(at_line(file.name(), file.line_number(row)) + "column " +
                   std::string(column_names[static_cast<std::size_t>(c)]) + ": " + quoted(text) +
                   " " + std::string(reason));
}

}  // namespace ranking
