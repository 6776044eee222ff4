// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Slots whose values view into those of others: whoever is behind still finds there what the views
// were made of, whatever the plan.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/explain.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"

namespace st = stretto;

namespace {

struct number : st::slot<int> {};
struct text : st::slot<std::string> {};
struct words : st::slot<std::vector<std::string_view>>, st::points_into<text> {};
struct longest : st::slot<std::string_view>, st::points_into<words> {};
struct seen : st::slot<std::string> {};
struct kept : st::slot<std::string> {};

struct compose {
  static constexpr int lookahead = 4;
  using thread = st::thread<"writing">;
  void operator()(st::in<number> n, st::out<text> out) const {
    out = "a" + std::to_string(*n) + " " + std::string(static_cast<std::size_t>(*n % 40), 'x');
  }
};
struct split {
  static constexpr int lookahead = 3;
  using thread = st::thread<"splitting">;
  void operator()(st::in<text> from, st::out<words> out) const {
    const std::string_view all = *from;
    const std::size_t space = all.find(' ');
    out = {all.substr(0, space), all.substr(space + 1)};
  }
};
struct choose {
  static constexpr int lookahead = 2;
  using thread = st::thread<"choosing">;
  void operator()(st::in<words> all, st::out<longest> out) const {
    out = all->at(0).size() > all->at(1).size() ? all->at(0) : all->at(1);
  }
};
/// Far behind, and slow.
struct copy {
  using thread = st::thread<"copying">;
  void operator()(st::in<longest> from, st::out<seen> out) const {
    std::this_thread::yield();
    out = std::string(*from);
  }
};
/// Takes what others still view into, after the last of them.
struct keep {
  using thread = st::thread<"keeping">;
  void operator()(st::takes<text> from, st::out<kept> out) const { out = *from; }
};

struct reading : st::schedule<st::source<number>, st::result<seen>, compose, split, choose, copy> {
};
struct keeping
    : st::schedule<st::source<number>, st::result<seen, kept>, keep, compose, split, choose, copy> {
};
struct ending : st::schedule<st::source<number>, st::result<longest>, compose, split, choose> {};

static_assert(st::copies_of<reading, text> == 5 && st::copies_of<reading, words> == 4);
static_assert(st::copies_of<ending, text> == 5 && st::copies_of<ending, longest> == 3);

struct reading_alone : st::replan<reading, st::threads<st::on_caller>> {};
struct reading_serially : st::serial<reading> {};
struct reading_queued : st::replan<reading, st::queue<"copying", 3>> {};
struct reading_shared : st::replan<reading, st::workers<"copying", 3>> {};
struct keeping_alone : st::replan<keeping, st::threads<st::on_caller>> {};
struct keeping_serially : st::serial<keeping> {};
struct keeping_raised : st::pipelined<keeping> {};
struct ending_raised : st::pipelined<ending> {};

constexpr int batches = 150;

std::string longest_of(int n) {
  const std::string first = "a" + std::to_string(n);
  const std::string second(static_cast<std::size_t>(n % 40), 'x');
  return first.size() > second.size() ? first : second;
}
std::string text_of(int n) {
  return "a" + std::to_string(n) + " " + std::string(static_cast<std::size_t>(n % 40), 'x');
}
std::vector<int> numbers() {
  std::vector<int> all;
  for (int n = 0; n < batches; ++n) all.push_back(n);
  return all;
}

template <class Schedule>
void read_as() {
  tested::pipeline<Schedule> pipeline;
  int n = 0;
  for (const auto& word : pipeline.run(numbers())) CHECK(word == longest_of(n++));
  CHECK(n == batches);
}
template <class Schedule>
void keep_as() {
  tested::pipeline<Schedule> pipeline;
  int n = 0;
  for (const auto& [word, all] : pipeline.run(numbers())) {
    CHECK(word == longest_of(n));
    CHECK(all == text_of(n++));
  }
  CHECK(n == batches);
}

}  // namespace

TEST_CASE("what a view points into is there as long as it is used") {
  read_as<reading>();
  read_as<reading_alone>();
  read_as<reading_serially>();
  read_as<reading_queued>();
  read_as<reading_shared>();
}

TEST_CASE("who takes it comes after all views") {
  keep_as<keeping>();
  keep_as<keeping_alone>();
  keep_as<keeping_serially>();
  keep_as<keeping_raised>();
}

TEST_CASE("a result keeps what it points into") {
  read_as<ending>();
  read_as<ending_raised>();
}

TEST_CASE("a plan says why a slot is kept") {
  const std::string plan = st::describe<keeping>();
  CHECK(plan.find("`keep` waits for `copy` in the same progress: takes the value of `text` after "
                  "it, which `longest` points into") != std::string::npos);
  CHECK(plan.find("  text      5 copies of ") != std::string::npos);
  CHECK(plan.find(" bytes, `words` points into it\n") != std::string::npos);
  CHECK(st::explain<keeping, keep, compose>(1).find("refills the copy of `text` that it used") !=
        std::string::npos);
}
