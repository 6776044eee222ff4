// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <map>
#include <stretto/report/plan_graph.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "svg_pieces.hpp"

namespace st = stretto;

namespace {

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct small : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using thread = st::thread<"io">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  static constexpr int lookahead = 1;
  void operator()(int in, int& out) const { out = in; }
};
struct shrink {
  using thread = st::thread<"io">;
  using reads = st::reads<image>;
  using writes = st::writes<small>;
  void operator()(int in, int& out) const { out = in; }
};
struct look {
  using thread = st::thread<"eye">;
  using reads = st::reads<image>;
  void operator()(int /*in*/) const {}
};
struct train {
  using thread = st::thread<"gpu">;
  using reads = st::reads<small>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = in; }
};
struct learning : st::schedule<st::source<file>, st::result<loss>, decode, shrink, look, train> {};

std::string drawn(const std::vector<std::string_view>& cycle) {
  st::planner::list<std::string_view> names;
  for (const std::string_view name : cycle) names.push_back(name);
  return st::report::detail::plan_graph(st::typed::plan_view_of<learning>, names).text();
}

struct box {
  double x = 0;
  double y = 0;
  double width = 0;
};
std::map<std::string, box> boxes_in(const std::string& picture) {
  std::map<std::string, box> all;
  for (const auto& found :
       pieces_of(picture, "<rect x=\"(.*?)\" y=\"(.*?)\" width=\"(.*?)\".*?><text .*?>(.*?)<"))
    all[found[3]] = {std::stod(found[0]), std::stod(found[1]), std::stod(found[2])};
  return all;
}
/// Classes of waits, by what they say.
std::map<std::string, std::string> waits_in(const std::string& picture) {
  std::map<std::string, std::string> all;
  for (const auto& found :
       pieces_of(picture, "<path class=\"(.*?)\" marker-end=\"(.*?)\".*?><title>(.*?)<"))
    all[found[2]] = found[0] + " " + found[1];
  return all;
}

}  // namespace

TEST_CASE("a thread has a row, in which a task is right of what it waits for in its progress") {
  const std::string picture = drawn({});
  const std::map<std::string, box> boxes = boxes_in(picture);
  REQUIRE(boxes.size() == 6);  // and source and results
  CHECK(boxes.at("decode").y == boxes.at("shrink").y);
  CHECK(boxes.at("decode").y != boxes.at("train").y);
  const auto is_left = [&](const char* a, const char* b) {
    return boxes.at(a).x + boxes.at(a).width < boxes.at(b).x;
  };
  CHECK(is_left("pull", "decode"));
  CHECK(is_left("decode", "shrink"));
  CHECK(is_left("shrink", "train"));
  CHECK(is_left("train", "deliver"));
  for (const auto& found : pieces_of(picture, "<svg .*? width=\"(.*?)\" height=\"(.*?)\""))
    for (const auto& [name, b] : boxes) {
      CHECK(b.x + b.width <= std::stod(found[0]));
      CHECK(b.y + 26 <= std::stod(found[1]));
    }
}

TEST_CASE("a wait says what for, is dashed if for an earlier progress, and none is on a thread") {
  const std::map<std::string, std::string> waits = waits_in(drawn({}));
  CHECK(waits.at("train waits for shrink in the same progress") == "wait url(#tip)");
  CHECK(waits.at("look waits for decode 1 progress earlier") == "wait earlier url(#tip)");
  CHECK(waits.at("decode waits for pull in the same progress") == "wait url(#tip)");
  for (const auto& [said, kind] : waits) {
    const bool is_earlier = said.find("earlier") != std::string::npos;
    CHECK(is_earlier == (kind == "wait earlier url(#tip)"));
    CHECK(said.find("shrink waits for decode") == std::string::npos);
  }
  CHECK(drawn({}).find("<title>decode, 1 batch ahead</title>") != std::string::npos);
  CHECK(drawn({}).find("<title>train, 0 batches ahead</title>") != std::string::npos);
}

TEST_CASE("what bounds the plan is lit, with the waits between one task of it and the next") {
  const auto lit_boxes = [](const std::string& picture) {
    std::vector<std::string> names;
    for (const auto& found : pieces_of(picture, "<g class=\"lit\"><title>(.*?),"))
      names.push_back(found[0]);
    return names;
  };
  CHECK(lit_boxes(drawn({})).empty());
  const std::string one = drawn({"train"});
  CHECK(lit_boxes(one) == std::vector<std::string>{"train"});
  for (const auto& [said, kind] : waits_in(one)) CHECK(kind.find("lit") == std::string::npos);
  const std::string two = drawn({"shrink", "train"});
  CHECK(lit_boxes(two) == std::vector<std::string>{"shrink", "train"});
  std::size_t lit = 0;
  for (const auto& [said, kind] : waits_in(two)) {
    if (kind.find("lit") == std::string::npos) continue;
    ++lit;
    const bool is_within =
        said.find("train waits for shrink") == 0 || said.find("shrink waits for train") == 0;
    CHECK(is_within);
  }
  CHECK(lit == 1);  // of two, should `shrink` wait for `train`, too
}
