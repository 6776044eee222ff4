// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/mpi/parts.hpp>
#include <vector>

using stretto::mpi::detail::parts;

namespace {

/// How often each element is in a piece; the rounds' pieces of a rank follow one another.
std::vector<int> covered(const parts& cut, std::size_t elements) {
  std::vector<int> times(elements, 0);
  for (std::size_t rank = 0; rank < cut.ranks(); ++rank)
    for (std::size_t round = 0; round < cut.rounds(); ++round) {
      const parts::piece p = cut.of(rank, round);
      CHECK(p.length <= cut.longest());
      CHECK(p.first + p.length <= elements);
      for (std::size_t i = 0; i < p.length; ++i) ++times[p.first + i];
    }
  return times;
}

}  // namespace

TEST_CASE("each element is in one piece") {
  for (const std::size_t ranks : {1U, 2U, 3U, 4U, 7U, 64U})
    for (const std::size_t elements : {0U, 1U, 5U, 64U, 65'537U, 1'000'003U})
      CHECK(covered(parts(elements, 8, ranks), elements) == std::vector<int>(elements, 1));
}

TEST_CASE("pieces are as long as what arrives at once allows") {
  CHECK(parts(std::size_t{1} << 18U, 4, 2).rounds() == 1);   // 1 MB: halves in one piece
  CHECK(parts(std::size_t{1} << 24U, 4, 2).rounds() == 32);  // 64 MB: of 1 MB each
  CHECK(parts(std::size_t{1} << 24U, 4, 5).longest() * 4 <= std::size_t{1} << 18U);
  CHECK(parts(std::size_t{1} << 26U, 4, 100).longest() * 4 > std::size_t{1} << 15U);
  const parts uneven(300'000, 8, 2);  // two pieces that are as long, not a long one and a rest
  CHECK(uneven.rounds() == 2);
  CHECK(uneven.of(0, 0).length == uneven.of(0, 1).length);
}

TEST_CASE("small parts do not pay, nor does a rank alone") {
  CHECK(parts::pay(std::size_t{1} << 18U, 4, 2));
  CHECK(parts::pay(std::size_t{1} << 14U, 4, 2));
  CHECK(!parts::pay((std::size_t{1} << 14U) - 1, 4, 2));
  CHECK(!parts::pay(std::size_t{1} << 14U, 4, 4));
  CHECK(!parts::pay(std::size_t{1} << 24U, 4, 1));
  CHECK(!parts::pay(1, 8, 2));
}
