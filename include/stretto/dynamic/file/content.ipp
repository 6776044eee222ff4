// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <ios>
#include <new>
#include <stretto/dynamic/file/content.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace stretto::dynamic::shared {

STRETTO_INLINE std::string too_much(const std::exception& e) {
  return std::string("cannot be taken in: ") + (dynamic_cast<const std::bad_alloc*>(&e) != nullptr
                                                    ? "there is too little memory"
                                                    : e.what());
}

STRETTO_INLINE std::string content_of(std::string_view path, std::size_t most) {
  const auto refuse = [&](std::string what) {
    throw file_error(path, {{{}, {}, std::move(what)}});
  };
  const std::filesystem::path from(path);
  std::error_code error;
  if (std::filesystem::is_directory(from, error)) refuse("a directory, not a file");
  std::ifstream in(from, std::ios::binary);
  if (!in) refuse(std::filesystem::exists(from, error) ? "cannot be opened" : "no such file");
  std::string text;
  try {
    std::string block(std::size_t{1} << 16U, '\0');
    do {
      in.read(block.data(), static_cast<std::streamsize>(block.size()));
      text.append(block, 0, static_cast<std::size_t>(in.gcount()));
    } while (in && text.size() <= most);
  } catch (const std::exception& e) {
    refuse(too_much(e));
  }
  if (text.size() > most) refuse(longer_than(most));
  if (in.bad()) refuse("cannot be read to its end");
  return text;
}

}  // namespace stretto::dynamic::shared
