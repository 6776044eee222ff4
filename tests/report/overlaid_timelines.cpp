// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <stretto/report/pictures.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "../observe/hand_made.hpp"
#include "svg_pieces.hpp"

namespace st = stretto;

namespace {

/// Batches of \p each milliseconds, from number \p from on, of which `train` is on \p threads[0],
/// and one that comes after it on \p threads[1].
hand_made run_of(std::vector<std::string_view> threads, int each, int from = 0) {
  hand_made h(std::move(threads), {"train", "store"});
  const std::size_t pull = 2;
  for (int b = 0; b < 12; ++b) {
    const auto batch = static_cast<std::size_t>(from + b);
    h.run(0, pull, batch, each * b, each * b + 1)
        .run(0, 0, batch, each * b + 1, each * b + 4)
        .run(1, 1, batch, each * b + 4, each * b + 6);
  }
  return h;
}

std::string drawn(const hand_made& a, const hand_made& b, double zoom = 1) {
  std::ostringstream out;
  st::draw_overlaid(out, "first", a.record, "second", b.record, zoom);
  return out.str();
}

struct bar {
  std::string title;
  std::string fill;
  double x, y, width;
};
std::vector<bar> bars_of(const std::string& picture) {
  std::vector<bar> all;
  for (const auto& b : pieces_of(picture,
                                 "<g><title>(.*?)</title>\n<rect fill=\"(.*?)\".*? x=\"(.*?)\" "
                                 "y=\"(.*?)\" width=\"(.*?)\""))
    all.push_back({b[0], b[1], std::stod(b[2]), std::stod(b[3]), std::stod(b[4])});
  return all;
}
bar bar_of(const std::string& picture, const std::string& title) {
  for (const bar& b : bars_of(picture))
    if (b.title == title) return b;
  FAIL(title);
  return {};
}

}  // namespace

TEST_CASE("both begin at the end of a batch, and a second is as wide in both") {
  const std::string picture = drawn(run_of({"caller", "disk"}, 10), run_of({"caller", "disk"}, 20));
  CHECK(picture.find(">upper halves: first, 5 progresses in 50.0 ms, from the end of batch 3<") !=
        std::string::npos);
  CHECK(picture.find(">lower halves: second, 5 progresses in 100 ms, from the end of batch 3<") !=
        std::string::npos);
  const auto rows = pieces_of(picture, "<rect class=\"row\" x=\"(.*?)\"");
  REQUIRE(rows.size() == 4);
  const double left = std::stod(rows[0][0]);
  // Batch 3 is through at 36 ms and at 66 ms; `train` works on batch 4 from 41 ms and from 81 ms.
  const bar first = bar_of(picture, "train, batch 4, 3.00 ms, first");
  const bar second = bar_of(picture, "train, batch 4, 3.00 ms, second");
  CHECK(first.x == doctest::Approx(left + 50));  // 1,000 for 100 ms
  CHECK(second.x == doctest::Approx(left + 150));
  CHECK(first.width == doctest::Approx(second.width));
  CHECK(first.width == doctest::Approx(29.6));
  CHECK(first.y < second.y);
  // What the first does while the second is not there yet is drawn; what neither does then is not.
  bar_of(picture, "store, batch 11, 2.00 ms, first");
  for (const bar& b : bars_of(picture)) {
    CHECK(b.title.find("batch 9, 2.00 ms, second") == std::string::npos);
    CHECK(b.x >= left);
    CHECK(b.x + b.width <= left + 1000);
  }
  CHECK(bar_of(drawn(run_of({"caller", "disk"}, 10), run_of({"caller", "disk"}, 20), 4),
               "train, batch 4, 3.00 ms, first")
            .x == doctest::Approx(left + 200));
}

TEST_CASE("a batch has the colour of that of the other run with which it is drawn") {
  const std::string picture =
      drawn(run_of({"caller", "disk"}, 10), run_of({"caller", "disk"}, 10, 1000));
  const std::string begin = bar_of(picture, "train, batch 4, 3.00 ms, first").fill;
  CHECK(begin == "#56B4E9");
  CHECK(bar_of(picture, "train, batch 1004, 3.00 ms, second").fill == begin);
  CHECK(bar_of(picture, "train, batch 5, 3.00 ms, first").fill != begin);
}

TEST_CASE("each thread and each stream of one of the runs has a row") {
  hand_made first = run_of({"caller", "disk"}, 10);
  first.record.name_streams(std::vector<std::string_view>{"disk"});
  first.run_on_stream(0, 1, 4, 44, 45);
  hand_made second = run_of({"caller", "gpu"}, 10);
  const std::string picture = drawn(first, second);
  std::vector<std::string> names;
  for (const auto& n : pieces_of(picture, "<text class=\"name\".*?>(.*?)<")) names.push_back(n[0]);
  CHECK(names == std::vector<std::string>{"caller", "disk", "gpu", "disk (device)"});
  const double high = bar_of(picture, "store, batch 4, 2.00 ms, second").y -
                      bar_of(picture, "store, batch 4, 2.00 ms, first").y;
  const double half = bar_of(picture, "train, batch 4, 3.00 ms, second").y -
                      bar_of(picture, "train, batch 4, 3.00 ms, first").y;
  CHECK(high > 2 * half);  // in the next row
  CHECK(bar_of(picture, "store, batch 4, 1.00 ms, first").y >
        bar_of(picture, "store, batch 4, 2.00 ms, second").y);
}

TEST_CASE("a picture is whole in itself, and what cannot be drawn is refused") {
  const hand_made run = run_of({"caller", "disk"}, 10);
  const std::string picture = drawn(run, run);
  CHECK(picture.find("<svg xmlns=\"http://www.w3.org/2000/svg\"") == 0);
  CHECK(picture.find("prefers-color-scheme:dark") != std::string::npos);
  CHECK_THROWS_AS(drawn(run, run, 0), std::invalid_argument);
  const hand_made nothing({"caller", "disk"}, {"train", "store"});
  CHECK_THROWS_AS(drawn(run, nothing), std::invalid_argument);
  CHECK_THROWS_AS(drawn(nothing, run), std::invalid_argument);
}

TEST_CASE("of tasks that take no time there is a picture, too") {
  const std::string picture = drawn(run_of({"caller", "disk"}, 0), run_of({"caller", "disk"}, 0));
  CHECK(picture.find("nan") == std::string::npos);
  CHECK(picture.find("inf") == std::string::npos);
}
