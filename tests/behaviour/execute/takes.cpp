// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that are taken out of slots: what can only be moved goes from the source to the result,
// and whoever reads a slot that another task takes the value of still finds it there.

#include <doctest/doctest.h>
#include <cstddef>
#include <memory>
#include <stretto/explain.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"

namespace st = stretto;

namespace {

/// Can only be moved, and says whether it has been.
struct parcel {
  std::unique_ptr<std::string> content;
};

struct request : st::slot<std::unique_ptr<std::string>> {};
struct parsed : st::slot<parcel> {};
struct length : st::slot<std::size_t> {};
struct found : st::slot<bool> {};
struct reply : st::slot<std::unique_ptr<std::string>> {};

struct parse {
  using thread = st::thread<"parsing">;
  void operator()(st::takes<request> from, st::out<parsed> to) const { to->content = from; }
};

/// Reads what another takes, and is slow about it.
struct measure {
  using thread = st::thread<"measuring">;
  using reads = st::reads<request>;
  using writes = st::writes<length>;
  void operator()(const std::unique_ptr<std::string>& text, std::size_t& size) const {
    std::this_thread::yield();
    size = text ? text->size() : 0;
  }
};

struct check {
  using thread = st::thread<"checking">;
  void operator()(st::in<parsed> from, st::out<found> out) const {
    std::this_thread::yield();
    out = from->content != nullptr;
  }
};

struct answer {
  using thread = st::thread<"answering">;
  using reads = st::reads<st::takes<parsed>, found, length>;
  using writes = st::writes<reply>;
  void operator()(parcel&& from, bool there, std::size_t size,
                  std::unique_ptr<std::string>& to) const {
    to = std::move(from).content;
    *to += there ? " " + std::to_string(size) : " lost";
  }
};

struct service : st::schedule<st::source<request>, st::result<reply>, parse, measure, check, answer,
                              st::threads<st::by_stream>> {};

struct serial : st::serial<service> {};
struct on_one_thread : st::replan<service, st::threads<st::on_caller>> {};
struct each_ahead
    : st::replan<service, st::place<measure, st::lookahead<3>>, st::place<parse, st::lookahead<2>>,
                 st::place<check, st::lookahead<1>>> {};
struct serial_of_that : st::serial<each_ahead> {};
struct raised : st::pipelined<service> {};
struct queued : st::replan<each_ahead, st::queue<"answering", 2>, st::queue<"parsing", 3>> {};
struct shared : st::replan<each_ahead, st::workers<"parsing", 2>, st::workers<"answering", 3>> {};

struct load {
  void operator()(st::takes<request> from, st::out<parsed> to) const { to->content = from; }
};
struct look {
  void operator()(st::in<request> from, st::out<length> to) const { to = (*from)->size(); }
};
struct use {
  void operator()(st::takes<parsed> from, st::out<reply> to) const { to = (*from).content; }
};
struct laid_out : st::schedule<st::source<request>, st::result<reply, length>, load, look, use,
                               st::threads<st::generated<2>>> {};

constexpr int batches = 200;

/// Gives requests away, one at a time.
auto requests() {
  return [next = 0](std::unique_ptr<std::string>& slot) mutable {
    if (next == batches) return false;
    slot = std::make_unique<std::string>(std::to_string(next++));
    return true;
  };
}

template <class Schedule>
void run_as() {
  tested::pipeline<Schedule> pipeline;
  int batch = 0;
  std::vector<std::unique_ptr<std::string>> kept;
  for (std::unique_ptr<std::string>& r : pipeline.run(requests())) {
    REQUIRE(r);
    const std::string number = std::to_string(batch++);
    CHECK(*r == number + " " + std::to_string(number.size()));
    kept.push_back(std::move(r));
  }
  CHECK(batch == batches);
  CHECK(*kept.back() == "199 3");
}

}  // namespace

TEST_CASE("what can only be moved goes from the source to the result, whatever the plan") {
  run_as<service>();
  run_as<serial>();
  run_as<on_one_thread>();
  run_as<each_ahead>();
  run_as<serial_of_that>();
  run_as<raised>();
  run_as<queued>();
  run_as<shared>();
}

TEST_CASE("on threads that are generated, too, and as a tuple of results") {
  tested::pipeline<laid_out> pipeline;
  std::size_t all = 0;
  for (auto&& [text, size] : pipeline.run(requests())) {
    const std::unique_ptr<std::string> mine = std::move(text);
    CHECK(mine->size() == size);
    all += size;
  }
  CHECK(all == 10 + 2 * 90 + 3 * 100);
}

TEST_CASE("a container that is given away is moved from, element by element") {
  std::vector<std::unique_ptr<std::string>> all;
  for (int i = 0; i < 5; ++i) all.push_back(std::make_unique<std::string>(i, 'x'));
  tested::pipeline<service> pipeline;
  std::string texts;
  for (auto& r : pipeline.run(std::move(all))) texts += *r + ";";
  CHECK(texts == " 0;x 1;xx 2;xxx 3;xxxx 4;");
}

namespace {

struct rows : st::slot<std::vector<int>> {};
struct kept_rows : st::slot<std::vector<int>> {};
struct number : st::slot<int> {};

/// Fills what it finds, which another has moved from.
struct fill {
  static constexpr int lookahead = 1;
  void operator()(st::in<number> n, st::out<rows> out) const {
    out = std::vector<int>(static_cast<std::size_t>(*n), *n);
  }
};
struct extend {
  void operator()(st::inout<rows> all) const { all->push_back(-1); }
};
struct keep {
  void operator()(st::takes<rows> all, st::out<kept_rows> out) const { out = *all; }
};
struct filling : st::schedule<st::source<number>, st::result<kept_rows>, keep, extend, fill> {};

}  // namespace

TEST_CASE("a value is taken after all that update it, and the slot filled again") {
  tested::pipeline<filling> pipeline;
  const std::vector<int> sizes{3, 0, 2, 1};
  std::size_t at = 0;
  for (const std::vector<int>& all : pipeline.run(sizes)) {
    std::vector<int> expected(static_cast<std::size_t>(sizes[at]), sizes[at]);
    expected.push_back(-1);
    CHECK(all == expected);
    ++at;
  }
  CHECK(at == 4);
}

TEST_CASE("a plan says who takes what, and why that waits") {
  const std::string plan = st::describe<service>();
  CHECK(plan.find("takes request  writes parsed") != std::string::npos);
  CHECK(plan.find("reads found, length  takes parsed  writes reply") != std::string::npos);
  CHECK(plan.find("`parse` waits for `measure` in the same progress: takes the value of `request` "
                  "after it") != std::string::npos);
  CHECK(st::ordered<service, measure, parse>);
}
