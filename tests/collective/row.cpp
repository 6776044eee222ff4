// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// From tickets that are left out to the number of batches.

#include <doctest/doctest.h>
#include <stretto/collective/row.hpp>

using stretto::collective::ticket_row;

// `load` works on batch p in progress p, `train` on batch p - 2.
TEST_CASE("as long as every batch is there, tickets tell nothing") {
  ticket_row row({{"load", 0}, {"train", 2}});
  CHECK(row.size() == 2);
  CHECK(row.name(1) == "train");
  CHECK_FALSE(row.enter(0, 0));
  CHECK_FALSE(row.enter(0, 1));
  for (std::size_t progress = 2; progress < 6; ++progress) {
    CHECK_FALSE(row.enter(0, progress));
    CHECK_FALSE(row.enter(1, progress));
  }
}

// `load` of every batch, `step` of batches 1, 3, 5.
TEST_CASE("a ticket that is not for every batch is missed when it is due, and others are to tell") {
  ticket_row row({{"load", 0}, {"step", 2, false, {2, 1}}});
  row.tell_end(9);
  for (std::size_t progress = 0; progress < 8; ++progress) {
    CHECK_FALSE(row.enter(0, progress));
    if (progress == 3 || progress == 5 || progress == 7) CHECK_FALSE(row.enter(1, progress));
  }
  // Batch 7, for which `step` would run next, is not there, and need not be the first.
  ticket_row alone({{"step", 0, false, {4, 3}}, {"late", 9}});
  alone.enter(0, 3);
  for (std::size_t progress = 9; progress < 16; ++progress) {
    if (progress == 10) alone.tell_end(7);
    CHECK(alone.enter(1, progress) ==
          (progress < 10 ? std::nullopt : std::optional<std::size_t>(7)));
  }
  alone.restart();
  CHECK_FALSE(alone.enter(1, 9));
}

TEST_CASE("a ticket that was left out says how many batches there are") {
  ticket_row row({{"load", 0}, {"train", 2}});
  for (std::size_t progress = 0; progress < 3; ++progress) CHECK_FALSE(row.enter(0, progress));
  CHECK_FALSE(row.enter(1, 2));
  // There is no batch 3 to load: three in all.
  CHECK(row.enter(1, 3) == 3);
  CHECK(row.enter(1, 4) == 3);

  // Both begin a progress later, because a task without a collective is further ahead.
  ticket_row later({{"load", 1}, {"train", 3}});
  for (std::size_t progress = 1; progress < 4; ++progress) CHECK_FALSE(later.enter(0, progress));
  CHECK_FALSE(later.enter(1, 3));
  CHECK(later.enter(1, 4) == 3);
}

TEST_CASE("who asks whether there is a batch does so for one that there is none of") {
  ticket_row row({{"pull", 0, true}, {"train", 1}});
  CHECK(row.asks(0));
  CHECK_FALSE(row.asks(1));
  CHECK_FALSE(row.enter(0, 0));
  CHECK_FALSE(row.enter(0, 1));
  CHECK_FALSE(row.enter(1, 1));
  CHECK_FALSE(row.enter(1, 2));  // without asking first
}

TEST_CASE("a new run begins anew") {
  ticket_row row({{"load", 0}, {"train", 1}});
  CHECK_FALSE(row.enter(0, 0));
  CHECK(row.enter(1, 1) == 1);
  row.restart();
  CHECK_FALSE(row.enter(0, 0));
  CHECK_FALSE(row.enter(0, 1));
  CHECK_FALSE(row.enter(1, 1));
}
