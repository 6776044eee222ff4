// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <vector>

/// Seeds of what tests draw at random. Each test has a fixed one of its own, so that it is the same
/// test each time; the environment variable STRETTO_SEED gives all of them another.
namespace seeds {

/// What STRETTO_SEED says. Ends the program if that is no number below 2^32.
inline std::optional<unsigned> given() {
  const char* const text = std::getenv("STRETTO_SEED");
  if (text == nullptr || *text == '\0') return std::nullopt;
  std::uint64_t number = 0;
  for (const char* at = text; *at != '\0'; ++at) {
    const bool is_digit = *at >= '0' && *at <= '9';
    if (is_digit) number = 10 * number + static_cast<unsigned>(*at - '0');
    if (is_digit && number <= 0xffffffffU) continue;
    std::fprintf(stderr, "STRETTO_SEED=%s: a seed is a number from 0 to 4294967295\n", text);
    std::exit(2);
  }
  return static_cast<unsigned>(number);
}

/// What the test case under way was drawn from, for the line that tests/main.cpp prints if it
/// fails.
inline std::optional<unsigned> drawn_from;

/// The seed of a test: \p own, or the one that was given.
inline unsigned first(unsigned own) {
  const unsigned seed = given().value_or(own);
  drawn_from = seed;
  return seed;
}

/// As many seeds as \p count, from the first one on, and before them \p once_failed: those that
/// once found something wrong.
inline std::vector<unsigned> from(unsigned own, unsigned count,
                                  std::initializer_list<unsigned> once_failed = {}) {
  std::vector<unsigned> all(once_failed);
  const unsigned seed = first(own);
  for (unsigned i = 0; i < count; ++i) all.push_back(seed + i);
  return all;
}

/// Prints what a program draws from, and how to run it again.
inline void print(std::uint64_t seed, std::uint64_t count, const char* what, int argc,
                  const char* const* argv) {
  std::printf("%llu %s; again: STRETTO_SEED=%llu", static_cast<unsigned long long>(count), what,
              static_cast<unsigned long long>(seed));
  for (int i = 0; i < argc; ++i) std::printf(" %s", argv[i]);
  std::printf("\n");
  std::fflush(stdout);  // a program that is aborted has said it
}

}  // namespace seeds
