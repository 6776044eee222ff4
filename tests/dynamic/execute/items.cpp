// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks of values that consume and produce items of slots: as they are written, run, saved, turned
// into types and back; what does not go with them.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <stretto/dynamic.hpp>
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/header.hpp>
#include <stretto/from_types.hpp>
#include <stretto/picture.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <string>
#include <vector>

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using dynamic::use;

/// Sums of pairs, and what all of them come to.
dynamic::schedule pairs() {
  dynamic::schedule s;
  s.name = "pairs";
  s.source.slot = "block";
  s.results = {"sum"};
  s.tasks = {
      {.name = "split",
       .lookahead = 1,
       .reads = {"block"},
       .writes = {use::items_of("x", 6)},
       .body = [](const std::vector<int>& block,
                  dynamic::produces<int> x) { std::copy_n(block.begin(), 6, x.begin()); }},
      {.name = "add",
       .lookahead = 1,
       .weight = 5,
       .reads = {use::items_of("x", 2), "block"},
       .writes = {use::items_of("y")},
       .body =
           [](dynamic::consumes<int> x, const std::vector<int>& block, dynamic::produces<long> y) {
             CHECK(x.size() == 2);
             CHECK(y.size() == 1);
             y[0] = x[0] + x[1] + static_cast<long>(block.size());
           }},
      {.name = "total",
       .reads = {use::items_of("y", 3)},
       .writes = {"sum"},
       .body = [](const st::task_context&, dynamic::consumes<long> y, long& sum) {
         sum = 0;
         for (const long v : y) sum += v;
       }}};
  return s;
}

std::string wrong_with(const std::function<void(dynamic::schedule&)>& spoil) {
  dynamic::schedule s = pairs();
  spoil(s);
  std::string all;
  try {
    dynamic::pipeline<> pipeline(s);
  } catch (const dynamic::schedule_error& e) {
    for (const std::string& sentence : e.sentences()) all += sentence + '\n';
  }
  return all;
}

}  // namespace

TEST_CASE("items as values: each call gets its own, in all plans") {
  for (const bool apart : {false, true}) {
    dynamic::schedule s = pairs();
    if (apart)
      for (dynamic::task& t : s.tasks) t.thread = t.name;
    dynamic::pipeline<> pipeline(s);
    std::vector<long> sums;
    const std::vector<std::vector<int>> blocks{{1, 2, 3, 4, 5, 6}, {1, 1, 1, 1, 1, 1, 9}};
    for (const auto& r : pipeline.run(blocks)) sums.push_back(r.get<long>());
    CHECK(sums == std::vector<long>{39, 27});
  }
}

TEST_CASE("items as values: a plan tells what they are") {
  const std::string text = dynamic::planned_schedule(pairs()).describe();
  CHECK(text.find("called 3 times per batch  reads block  consumes 2 x  produces 1 y") !=
        std::string::npos);
  CAPTURE(text);
  CHECK(text.find("1 copy, each of 6 items") != std::string::npos);
  const std::string picture = st::picture::to_mermaid(dynamic::planned_schedule(pairs()));
  CHECK(picture.find("[\"add<br/>+1, 3 calls\"]") != std::string::npos);
  CHECK(picture.find("[\"split<br/>+1\"]") != std::string::npos);
}

TEST_CASE("items as values: a file has them, and a mistake in it is told") {
  const dynamic::schedule s = pairs();
  const std::string text = dynamic::to_json(s);
  CHECK(text.find("{\"slot\": \"x\", \"items\": 6}") != std::string::npos);
  const dynamic::schedule again = dynamic::schedule_file(text).schedule();
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    CHECK(again.tasks[t].reads == s.tasks[t].reads);
    CHECK(again.tasks[t].writes == s.tasks[t].writes);
  }
  std::string wrong = text;
  wrong.replace(wrong.find("\"items\": 6"), 10, "\"items\": 65537");
  const dynamic::schedule_file file(wrong);
  REQUIRE(file.problems().size() == 1);
  CHECK(file.problems().front().what.find("65536") != std::string::npos);
}

TEST_CASE("items as values: memory counts all of a batch, also for a bound") {
  const auto exceeds = [](std::int64_t bytes) {
    return wrong_with([&](dynamic::schedule& s) { s.max_bytes = bytes; });
  };
  CHECK(exceeds(100'000).empty());
  dynamic::schedule s = pairs();
  for (dynamic::task& t : s.tasks) t.lookahead = 0;
  // On cache lines of their own: `x` with six numbers, or with six thousand.
  const auto fits = [&](int scale) {
    dynamic::schedule wide = s;
    wide.max_bytes = 1024;
    wide.tasks[0].writes[0].items = 6 * scale;
    wide.tasks[2].reads[0].items = 3 * scale;
    return dynamic::diagnose(wide).ok();
  };
  CHECK(fits(1));
  CHECK_FALSE(fits(1000));
}

TEST_CASE("items as values: what does not go together is said") {
  CHECK(
      wrong_with([](dynamic::schedule& s) { s.tasks[0].writes[0].items = -1; })
          .find("task `split` has -1 items of slot `x` per call; each call consumes or produces 1 "
                "to 65536 items of a slot; without them it has one value") != std::string::npos);
  CHECK(wrong_with([](dynamic::schedule& s) {
          s.tasks[1].reads[0].items = 65537;
        }).find("task `add` has 65537 items of slot `x` per call") != std::string::npos);
  for (const auto& spoil : std::vector<std::function<void(use&)>>{[](use& u) { u.ago = 1; },
                                                                  [](use& u) { u.latest = true; },
                                                                  [](use& u) { u.takes = true; }})
    CHECK(wrong_with([&](dynamic::schedule& s) { spoil(s.tasks[1].reads[0]); })
              .find("task `add` has slot `x` as items, which are of the batch at hand and stay in "
                    "the slot; drop its `ago`, `latest` or `takes`") != std::string::npos);
  CHECK(wrong_with([](dynamic::schedule& s) {
          s.tasks[1].writes[0].items = 2;
        }).find("rule 9: task `total` is called 2 times per batch and writes slot `sum`") !=
        std::string::npos);
  CHECK(wrong_with([](dynamic::schedule& s) { s.tasks[1].reads[0].items = 0; })
            .find("rule 9: task `add` reads slot `x` as one value per batch, but `split` has it as "
                  "items") != std::string::npos);
  CHECK(wrong_with([](dynamic::schedule& s) {
          s.tasks[1].body = [](int x, const std::vector<int>&, dynamic::produces<long> y) {
            y[0] = x;
          };
        }) ==
        "task `add` takes slot `x` as one value, but consumes items of it; take them as "
        "`stretto::dynamic::consumes<int>`\n");
  CHECK(wrong_with([](dynamic::schedule& s) {
          s.tasks[1].body = [](dynamic::consumes<int> x, dynamic::consumes<std::vector<int>>,
                               dynamic::produces<long> y) { y[0] = x[0]; };
        }) ==
        "task `add` takes slot `block` as items, but has it as one value; list "
        "`use::items_of` of it, or take it as what it is\n");
  CHECK(wrong_with([](dynamic::schedule& s) {
          s.tasks[1].body = [](dynamic::consumes<int> x, const std::vector<int>&,
                               dynamic::consumes<char> y) { CHECK(x[0] == y[0]); };
        }) ==
        "task `add` takes slot `y` as items to consume, but produces items of it; take them as "
        "`stretto::dynamic::produces<char>`\n");
  CHECK(wrong_with([](dynamic::schedule& s) {
          s.tasks[1].body = [](dynamic::produces<int> x, const std::vector<int>&,
                               dynamic::produces<long> y) { CHECK(x[0] == y[0]); };
        }) ==
        "task `add` takes slot `x` as items to produce, but consumes items of it; take them as "
        "`stretto::dynamic::consumes<int>`\n");
  CHECK(wrong_with([](dynamic::schedule& s) {
          s.tasks[1].body = [](std::span<const int> x, const std::vector<int>&, std::span<char> y) {
            CHECK(x[0] == y[0]);
          };
        }) ==
        "task `add` takes slot `x` as one value, but consumes items of it; take them as "
        "`stretto::dynamic::consumes<int>`\n"
        "task `add` takes slot `y` as one value, but produces items of it; take them as "
        "`stretto::dynamic::produces<char>`\n");
  CHECK(wrong_with([](dynamic::schedule& s) { s.tasks[1].body = [](dynamic::slot_access&) {}; })
            .find("task `add` consumes or produces items of slots, and its body asks for slots by "
                  "name; let the body take `stretto::dynamic::consumes<T>` and `produces<T>`") !=
        std::string::npos);
  CHECK(wrong_with([](dynamic::schedule& s) {
          s.tasks[1].body = [](dynamic::consumes<int>, const std::vector<int>&,
                               dynamic::produces<long>) { return st::keep; };
        }).find("rule 9: task `add` consumes or produces items of slots, and may drop batches") !=
        std::string::npos);
}

namespace {

struct block : st::slot<std::vector<int>> {};
struct x : st::slot<int> {};
struct y : st::slot<long> {};
struct sum : st::slot<long> {};
struct split {
  void operator()(st::in<block> b, st::produces<x, 6> out) const {
    std::copy_n(b->begin(), 6, out.begin());
  }
};
struct add {
  static constexpr int weight = 5;
  void operator()(st::produces<y> out, const st::consumes<x, 2>& in) const { out = in[0] + in[1]; }
};
struct total {
  using reads = st::reads<st::consumes<y, 3>>;
  using writes = st::writes<sum>;
  void operator()(st::consumes<y, 3> in, long& out) const { out = in[0] * in[1] * in[2]; }
};
struct pairs_of_types : st::schedule<st::source<block>, st::result<sum>, split, add, total> {};

}  // namespace

TEST_CASE("items as values: an outline of types has them, and the weight of one call") {
  CHECK(st::typed::declared<pairs_of_types>::value.tasks[1].weight == 15);
  const dynamic::schedule s = dynamic::outline<pairs_of_types>();
  CHECK(s.tasks[0].writes[0] == use::items_of("x", 6));
  CHECK(s.tasks[1].reads[0] == use::items_of("x", 2));
  CHECK(s.tasks[1].weight == 5);
  const dynamic::planned_schedule planned(s);
  CHECK(
      planned.fingerprint() ==
      st::planner::fingerprint(st::typed::declared<pairs_of_types>::value,
                               st::planner::make_plan(st::typed::declared<pairs_of_types>::value)));
  CHECK(planned.declaration().tasks[1].weight == 15);
}

TEST_CASE("items as values: bodies of types are called as they are in a pipeline of types") {
  dynamic::pipeline<> pipeline(dynamic::from_types<pairs_of_types>());
  const std::vector<std::vector<int>> blocks{{1, 2, 3, 4, 5, 6}};
  for (const auto& r : pipeline.run(blocks)) CHECK(r.get<long>() == 3 * 7 * 11);
}

TEST_CASE("items as values: a generated header has them") {
  const std::string header = dynamic::to_header(pairs());
  CHECK(header.find("using writes = st::writes<st::produces<x, 6>>;") != std::string::npos);
  CHECK(header.find("using reads = st::reads<st::consumes<x, 2>, block>;") != std::string::npos);
  CHECK(header.find("using writes = st::writes<st::produces<y>>;") != std::string::npos);
  CHECK(header.find("void operator()(st::consumes<x, 2>, const ") != std::string::npos);
}
