// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work.hpp"
#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace filters {
namespace {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) visit(text.substr(at, end - at));
    at = end + 1;
  }
}

void append(std::string& out, std::string_view word) {
  if (!out.empty()) out += ' ';
  out += word;
}

/// Small letters.
void lower(const std::string& in, std::string& out) {
  out = in;
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
}

/// Letters and single spaces.
void letters(const std::string& in, std::string& out) {
  out.clear();
  for (const char c : in) {
    if (is_letter(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
}

/// Words without their commonest endings.
void stem(const std::string& in, std::string& out) {
  static constexpr std::array<std::string_view, 5> endings{"ings", "ing", "ed", "es", "s"};
  out.clear();
  for_each_word(in, [&](std::string_view word) {
    for (const std::string_view ending : endings)
      if (word.size() > ending.size() + 2 && word.ends_with(ending)) {
        word.remove_suffix(ending.size());
        break;
      }
    append(out, word);
  });
}

/// Words by the alphabet.
void sort(const std::string& in, std::string& out) {
  thread_local std::vector<std::string_view> words;
  words.clear();
  for_each_word(in, [&](std::string_view word) { words.push_back(word); });
  std::sort(words.begin(), words.end());
  out.clear();
  for (const std::string_view word : words) append(out, word);
}

/// Words that follow each other, with their number: "the the a" is "the 2 a 1".
void count(const std::string& in, std::string& out) {
  out.clear();
  std::string_view last;
  std::size_t times = 0;
  const auto flush = [&] {
    if (times > 0) append(out += ' ', std::to_string(times));
  };
  for_each_word(in, [&](std::string_view word) {
    if (word != last) {
      flush();
      append(out, word);
      last = word;
      times = 0;
    }
    ++times;
  });
  flush();
}

constexpr std::array<std::pair<std::string_view, filter>, 5> by_name{
    {{"lower", lower}, {"letters", letters}, {"stem", stem}, {"sort", sort}, {"count", count}}};

}  // namespace

filter find_filter(std::string_view name) {
  std::string all;
  for (const auto& [known, f] : by_name) {
    if (name.substr(0, name.find(' ')) == known) return f;
    append(all, known);
  }
  throw std::runtime_error("there is no filter `" + std::string(name) + "`; there are: " + all);
}

bool book::operator()(std::string& page) {
  static constexpr std::array<std::string_view, 12> roots{"Walk", "read",  "PAINT", "box",
                                                          "sing", "count", "Voice", "enter",
                                                          "last", "fugue", "the",   "one"};
  static constexpr std::array<std::string_view, 6> endings{" ",    "s ",     "ed, ",
                                                           "ing ", "ings. ", "  "};
  if (page_ == pages_) return false;
  std::minstd_rand random(static_cast<unsigned>(++page_));
  page.clear();
  for (int word = 0; word < 3000; ++word) {
    page += roots[random() / 7 % roots.size()];
    page += endings[random() / 7 % endings.size()];
  }
  return true;
}

}  // namespace filters
