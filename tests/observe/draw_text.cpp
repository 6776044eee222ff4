// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <stretto/observe/draw_text.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "hand_made.hpp"

namespace {

std::string drawn(const hand_made& h, std::size_t first, std::size_t last, std::size_t columns) {
  std::ostringstream out;
  stretto::draw_text(out, h.record, first, last, columns);
  return out.str();
}

}  // namespace

TEST_CASE("a line per thread shows which batch it worked on") {
  hand_made h({"caller", "copy"}, {"copy", "work"});
  for (int b = 8; b < 12; ++b)
    h.run(1, 0, static_cast<std::size_t>(b), 10 * b, 10 * b + 4)
        .run(0, 2, static_cast<std::size_t>(b), 10 * b, 10 * b + 2)
        .run(0, 1, static_cast<std::size_t>(b), 10 * b + 4, 10 * b + 10);
  CHECK(drawn(h, 8, 10, 15) ==
        "caller  -.888-.999-.000  60 % busy\n"
        "copy    88...99...00...  40 % busy\n"
        "a column is 2.00 ms, a digit the last one of the batch; - in the source, . nothing\n");
  // What took most of a column is shown.
  CHECK(drawn(h, 9, 9, 2) ==
        "caller  -9  60 % busy\n"
        "copy    9.  40 % busy\n"
        "a column is 5.00 ms, a digit the last one of the batch; - in the source, . nothing\n");
}

TEST_CASE("streams have lines below those of threads, and names any bytes") {
  hand_made h({"a\nb"}, {"copy"});
  h.record.name_streams(std::vector<std::string_view>{"memcpy"});
  h.run(0, 0, 3, 0, 1).run_on_stream(0, 0, 3, 2, 4);
  CHECK(drawn(h, 3, 3, 4) ==
        "a\xE2\x90\x8A"
        "b              3...  25 % busy\n"
        "memcpy (device)  ..33  50 % busy\n"
        "a column is 1.00 ms, a digit the last one of the batch; - in the source, . nothing\n");
}

TEST_CASE("where nothing ran there is no picture, and none without columns") {
  const hand_made h({"caller"}, {"work"});
  CHECK(drawn(h, 0, 9, 10) == "nothing ran\n");
  CHECK_THROWS_AS(drawn(h, 0, 9, 0), std::invalid_argument);
  CHECK_THROWS_AS(drawn(h, 0, 9, 10'001), std::invalid_argument);
}

TEST_CASE("what took less than half of a column is not shown there") {
  hand_made h({"caller"}, {"work"});
  h.run(0, 0, 3, 0, 1).run(0, 0, 3, 6, 10);
  CHECK(drawn(h, 3, 3, 2) ==
        "caller  .3  50 % busy\n"
        "a column is 5.00 ms, a digit the last one of the batch; - in the source, . nothing\n");
}
