// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Types are told apart by what they are, not by how a compiler spells them: across functions,
// files and shared libraries.

#include <doctest/doctest.h>
#include <stretto/dynamic.hpp>
#include <string>
#include <utility>
#include <vector>
#include "type_identity_shared.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

struct item {
  long a = 1, b = 2, c = 3, d = 4;
};

template <class T>
auto made_of(T value) {
  return [value](int from, int& to) {
    if constexpr (sizeof(T) > 4) {
      to = from + static_cast<int>(value.size());
    } else {
      to = from + value;
    }
  };
}

dynamic::schedule of_one_body(dynamic::body body) {
  dynamic::schedule s;
  s.source.slot = "from";
  s.results = {"to"};
  s.tasks.push_back({.name = "work", .reads = {"from"}, .writes = {"to"}, .body = std::move(body)});
  return s;
}

/// A schedule in which `fill` writes the slot that `use` reads.
dynamic::schedule of_two(dynamic::body fill, dynamic::body use) {
  dynamic::schedule s;
  s.source.slot = "number";
  s.results = {"sum"};
  s.tasks.push_back(
      {.name = "fill", .reads = {"number"}, .writes = {"item"}, .body = std::move(fill)});
  s.tasks.push_back({.name = "use", .reads = {"item"}, .writes = {"sum"}, .body = std::move(use)});
  return s;
}

dynamic::body use_item() {
  return [](const item& i, long& sum) { sum = i.a + i.b + i.c + i.d; };
}
dynamic::body use_shared() {
  return [](const shared_item& i, long& sum) { sum = static_cast<long>(i.text.size()); };
}

std::string refusal(const dynamic::schedule& s) {
  try {
    dynamic::pipeline pipeline(s);
  } catch (const dynamic::schedule_error& e) {
    return e.what();
  }
  return "none";
}

TEST_CASE("a body is handed out as the closure that it is, and as no other") {
  auto small = made_of(1);
  auto large = made_of(std::string(40, 'x'));
  dynamic::pipeline pipeline(of_one_body(small));
  int to = 0;
  pipeline.body<decltype(small)>("work")(1, to);
  CHECK(to == 2);
  CHECK_THROWS_AS(static_cast<void>(pipeline.body<decltype(large)>("work")), st::usage_error);

  const auto one = [](int from, int& into) { into = from; };
  const auto other = [text = std::string(40, 'x')](int from, int& into) {
    into = from + static_cast<int>(text.size());
  };
  const dynamic::body body = one;
  CHECK(body.target<std::remove_const_t<decltype(one)>>() != nullptr);
  CHECK(body.target<std::remove_const_t<decltype(other)>>() == nullptr);
}

TEST_CASE("closures of one spelling in two files are two") {
  using here = decltype(closure_of_this_file());
  const dynamic::body mine = closure_of_this_file();
  CHECK(mine.target<here>() != nullptr);
  CHECK(same_closure_elsewhere().target<here>() == nullptr);
}

TEST_CASE("types of one spelling in the anonymous namespaces of two files do not share a slot") {
  const std::string said = refusal(of_two(fill_item_elsewhere(), use_item()));
  CHECK(said.find("slot `item` is of two types that are both spelled") != std::string::npos);
  CHECK(said.find("task `fill`") != std::string::npos);
  CHECK(said.find("task `use`") != std::string::npos);
}

TEST_CASE("a type of a header is one in all files") {
  dynamic::pipeline pipeline(of_two(fill_shared_elsewhere(), use_shared()));
  std::vector<long> sums;
  for (const auto& r : pipeline.run(std::vector{7, 77})) sums.push_back(r.get<long>());
  CHECK(sums == std::vector<long>{1, 2});
}

TEST_CASE("a result is handed out as its type only") {
  dynamic::pipeline pipeline(of_one_body([](int n, item& to) { to.a = n; }));
  for (const auto& r : pipeline.run(std::vector{1})) {
    CHECK(r.get<item>().a == 1);
    const auto local = [] {
      struct hidden {
        long a = 1, b = 2, c = 3, d = 4;
      };
      return hidden{};
    };
    CHECK_THROWS_AS(static_cast<void>(r.get<decltype(local())>()), st::usage_error);
  }
}

TEST_CASE("a shared library knows types by what they are, too") {
#if defined(__cpp_rtti)
  dynamic::body fill_item;
  dynamic::body fill_shared;
  fill_in_library(fill_item, fill_shared);
  dynamic::pipeline pipeline(of_two(fill_shared, use_shared()));
  for (const auto& r : pipeline.run(std::vector{77})) CHECK(r.get<long>() == 2);
  CHECK(refusal(of_two(fill_item, use_item())).find("two types") != std::string::npos);
#endif
}

}  // namespace
