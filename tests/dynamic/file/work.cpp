// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What schedule files take, whatever is in them: work and memory in proportion to their length.
// STRETTO_SHAPES=N: N shapes by chance.

#include "../../support/work/work.hpp"
#include <doctest/doctest.h>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/header.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/picture/dot.hpp>
#include <stretto/picture/mermaid.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../../support/seed.hpp"
#include "families.hpp"

namespace {

namespace dynamic = stretto::dynamic;

struct taken {
  std::string by;
  std::uint64_t blocks = 0;
  std::size_t bytes = 0;
};

/// What all that can be done with a file takes.
std::vector<taken> taken_by(std::string text) {
  std::vector<taken> all;
  const auto measure = [&](const char* what, auto act) {
    const std::size_t before = work::bytes();
    work::forget_peak();
    const std::uint64_t blocks = work::blocks();
    act();
    all.push_back({what, work::blocks() - blocks, work::peak() - before});
  };
  std::optional<dynamic::schedule_file> file;
  measure("read", [&] { file.emplace(std::move(text)); });
  if (!file->ok()) return all;
  bool right = false;
  measure("diagnose", [&] { right = file->diagnose().empty(); });
  measure("save", [&] { static_cast<void>(to_json(file->schedule())); });
  if (!right) return all;
  std::optional<dynamic::planned_schedule> planned;
  measure("plan", [&] { planned.emplace(file->schedule()); });
  measure("describe", [&] { static_cast<void>(planned->describe()); });
  measure("dot", [&] { static_cast<void>(stretto::picture::to_dot(*planned, {.implied = true})); });
  measure("mermaid", [&] { static_cast<void>(stretto::picture::to_mermaid(*planned)); });
  measure("header", [&] { static_cast<void>(to_header(file->schedule())); });
  return all;
}

/// Twice as much of the shape takes twice as long, and no more memory for each byte than is said.
/// \p noticed: the blocks below which constants tell, and what is bounded as a whole.
void check_grows_with(const families::family& shape, int n, std::uint64_t noticed) {
  CAPTURE(shape.name);
  const std::string text = shape.make(n);
  const std::vector<taken> small = taken_by(text);
  const std::string twice = shape.make(2 * n);
  const std::size_t size = twice.size();
  const std::vector<taken> large = taken_by(twice);
  constexpr std::uint64_t blocks_a_byte = 2'000;
  constexpr std::size_t bytes_a_byte = 200;
  const double longer = static_cast<double>(size) / static_cast<double>(text.size());
  for (std::size_t i = 0; i < large.size() && i < small.size(); ++i) {
    CAPTURE(large[i].by);
    CAPTURE(size);
    CAPTURE(small[i].blocks);
    CAPTURE(large[i].blocks);
    if (large[i].blocks > noticed)
      CHECK(static_cast<double>(large[i].blocks) <
            1.3 * longer * static_cast<double>(small[i].blocks));
    CHECK(large[i].blocks < 1'000'000 + blocks_a_byte * size);
    CHECK(large[i].bytes < 30'000'000 + bytes_a_byte * size);  // 100,000 findings are kept
  }
}

TEST_CASE("Work and memory grow with a file, whatever is in it") {
  for (const families::family& shape : families::by_hand()) check_grows_with(shape, 1'000, 200'000);
}

TEST_CASE("Names whose hashes were made to agree take no longer") {
  const auto file_of = [](bool crowded) {
    const std::vector<std::string> names = families::crowded_names(4'000);
    return families::file(families::all(4'000, [&](int i) {
      const std::string& name = names[static_cast<std::size_t>(i)];
      return families::task(families::q(crowded ? name : "t" + std::to_string(i) + "____"),
                            families::member("thread", families::q(crowded ? name : "h")));
    }));
  };
  const std::vector<taken> plain = taken_by(file_of(false));
  const std::vector<taken> crowded = taken_by(file_of(true));
  REQUIRE(plain.size() == crowded.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CAPTURE(plain[i].by);
    CHECK(crowded[i].blocks < 8 * plain[i].blocks + 1'000'000);
  }
}

TEST_CASE("Shapes drawn by chance do not take long either") {
  const char* const asked = std::getenv("STRETTO_SHAPES");
  const unsigned shapes = asked == nullptr ? 40 : static_cast<unsigned>(std::atoi(asked));
  for (const unsigned seed : seeds::from(0, shapes))
    check_grows_with(families::by_chance(seed), 500,
                     40'000'000);  // pairs of writers are few enough
}

}  // namespace
