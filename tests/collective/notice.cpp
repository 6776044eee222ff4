// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <stretto/collective/notice.hpp>

using stretto::collective::news;
using stretto::collective::notice;

TEST_CASE("a notice arrives as it was sent, from whom the channel says") {
  const notice sent{news::peer_failed, 1, 2, "train", 3, "it broke", 4, 5, 6};
  const notice there = stretto::collective::unpacked_notice(9, packed(sent));
  CHECK(there.what == news::peer_failed);
  CHECK(there.run == 1);
  CHECK(there.rank == 9);
  CHECK(there.task == "train");
  CHECK(there.batch == 3);
  CHECK(there.text == "it broke");
  CHECK(there.ended == 4);
  CHECK(there.batches == 5);
  CHECK(there.submitted == 6);
}
