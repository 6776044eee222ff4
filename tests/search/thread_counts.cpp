// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many threads are worth having.

#include <doctest/doctest.h>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <string>
#include "rows.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace search = stretto::search;

using rows::row;
using rows::threads;

}  // namespace

TEST_CASE("threads are worth having up to where a task by itself takes as long") {
  const dynamic::schedule s = row({300, 250, 80, 420});
  const search::thread_counts all =
      search::try_thread_counts(s, {}, threads({"a", "b", "c", "d", "e"}));
  REQUIRE(all.found().size() == 3);  // with more nothing is looked for
  CHECK(all.found()[0].period.value() == 1050);
  CHECK(all.found()[1].period.value() == 550);
  CHECK(all.found()[2].period.value() == 420);
  CHECK(all.worth_having() == 3);
  CHECK(all.best().period.value() == 420);
  const dynamic::planned_schedule planned(all.best().schedule);
  CHECK(st::bound_of(planned).period().value() == 420);
  CHECK(all.text() ==
        "1 thread: a progress takes 1050, the least that it can\n"
        "2 threads: a progress takes 550, the least that it can\n"
        "3 threads: a progress takes 420, the least that it can\n"
        "3 threads are worth having: with more, no progress takes less\n");
}

TEST_CASE("a thread that saves nothing is not worth having") {
  // Two of five equal tasks are on one thread, of three and of four.
  const dynamic::schedule s = row({100, 100, 100, 100, 100});
  search::thread_counts all = search::try_thread_counts(s, {}, threads({"a", "b", "c", "d"}));
  REQUIRE(all.found().size() == 4);
  CHECK(all.found()[2].period.value() == 200);
  CHECK(all.found()[3].period.value() == 200);
  CHECK(all.worth_having() == 3);
  CHECK(all.text().ends_with("3 threads are worth having: with more, no progress takes less\n"));
  all = search::try_thread_counts(s, {}, threads({"a", "b"}));
  CHECK(all.worth_having() == 2);
  CHECK(all.text().ends_with("2 threads are worth having, or more than are offered\n"));
  all = search::try_thread_counts(row({7}), {}, threads({"a", "b"}));
  CHECK(all.worth_having() == 1);
  CHECK(all.text().ends_with("\n1 thread is worth having: with more, no progress takes less\n"));
}

TEST_CASE("what fewer threads do is there with more, however little is looked for") {
  const dynamic::schedule s = row({31, 22, 43, 14, 35, 26, 17, 38, 29, 21, 33, 44});
  const search::thread_counts all =
      search::try_thread_counts(s, {}, threads({"a", "b", "c", "d", "e"}), {.steps = 1});
  for (std::size_t i = 1; i < all.found().size(); ++i) {
    CHECK(!(all.found()[i - 1].period < all.found()[i].period));
    CHECK(!(all.found()[i].period < all.found()[i].least));
  }
}

TEST_CASE("to ask without threads is refused") {
  std::string said;
  try {
    search::try_thread_counts(row({7}), {}, {});
  } catch (const st::usage_error& error) {
    said = error.what();
  }
  CHECK(said ==
        "how many threads are worth having is asked without any: name those that there can be in "
        "`threads` of the limits");
}
