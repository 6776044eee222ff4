// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is written down as a row of numbers is read back as it was.

#include <doctest/doctest.h>
#include <stretto/static/values/constant_words.hpp>

namespace {

namespace typed = stretto::typed;
namespace planner = stretto::planner;

template <std::size_t Capacity>
constexpr typed::constant_words<Capacity> written() {
  planner::list<std::size_t> numbers;
  numbers.push_back(3);
  numbers.push_back(4);
  planner::list<planner::edge> edges;
  edges.push_back({1, 2, -5, planner::reason::reuse, planner::none, -6});
  edges.push_back({7, 8, 9, planner::reason::room, 10, 11});
  typed::constant_words<Capacity> row;
  row.push(static_cast<std::size_t>(-2));
  row.push(numbers);
  row.push(edges);
  return row;
}

constexpr bool comes_back() {
  constexpr auto row = written<15>();
  typed::word_reader in(row);
  if (in.next_int() != -2) return false;
  const planner::list<std::size_t> numbers = in.next_list(2);
  const planner::list<planner::edge> edges = in.next_edges(2);
  return numbers[0] == 3 && numbers[1] == 4 && edges[0].producer == 1 && edges[0].consumer == 2 &&
         edges[0].delta == -5 && edges[0].why == planner::reason::reuse &&
         edges[0].slot == planner::none && edges[0].offset == -6 && edges[1].producer == 7 &&
         edges[1].delta == 9 && edges[1].slot == 10 && edges[1].offset == 11;
}
static_assert(comes_back());

}  // namespace

TEST_CASE("a row without room for all says how much there is, and writes nothing beyond its end") {
  CHECK(written<15>().size == 15);
  CHECK(written<14>().size == 15);
  CHECK(written<14>().numbers[8] == static_cast<std::size_t>(-6));
  CHECK(written<14>().numbers[13] == 0);
  CHECK(written<2>().size == 15);
  CHECK(written<2>().numbers[1] == 3);
}
