// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <stretto/collective/wording.hpp>
#include <string>
#include <vector>

namespace collective = stretto::collective;

TEST_CASE("one or several: ranks, batches") {
  CHECK(collective::ranks_text({4}) == "rank 4");
  CHECK(collective::ranks_text({0, 3}) == "ranks 0 and 3");
  CHECK(collective::ranks_text({0, 2, 3}) == "ranks 0, 2 and 3");
  const std::vector<std::string> roles{"reader", "trainer", "trainer", "keeper"};
  CHECK(collective::ranks_text({1}, roles) == "rank 1 of role `trainer`");
  CHECK(collective::ranks_text({0, 2, 3}, roles) ==
        "rank 0 of role `reader`, rank 2 of role `trainer` and rank 3 of role `keeper`");
  CHECK(collective::batches_text(0) == "0 batches");
  CHECK(collective::batches_text(1) == "1 batch");
  CHECK(collective::batches_text(12) == "12 batches");
}

TEST_CASE("where, and how long") {
  CHECK(collective::place_text("train", 3) == "task `train` on batch 3");
  CHECK(collective::seconds_text(std::chrono::seconds(10)) == "10 s");
  CHECK(collective::seconds_text(std::chrono::milliseconds(250)) == "250 ms");
  CHECK(collective::seconds_text(std::chrono::milliseconds(1001)) == "1001 ms");
}
