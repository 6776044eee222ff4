// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Filters of text, by name. Nothing here knows of threads.
namespace filters {

/// Makes a text of another. The memory of the one that is written is used again.
using filter = void (*)(const std::string& in, std::string& out);

/// The filter that a name begins with: `sort` is one, and so is `sort again`. Throws if there is
/// none.
filter find_filter(std::string_view name);

/// Made-up pages of text, the same on every run.
class book {
 public:
  explicit book(std::size_t pages) : pages_(pages) {}
  bool operator()(std::string& page);

 private:
  std::size_t pages_;
  std::size_t page_ = 0;
};

/// What comes of a book.
struct outcome {
  std::size_t pages = 0;
  std::size_t letters = 0;
  std::uint64_t digest = 14695981039346656037U;

  void add(std::string_view page) {
    ++pages;
    letters += page.size();
    for (const char c : page) digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  bool operator==(const outcome&) const = default;
};

}  // namespace filters
