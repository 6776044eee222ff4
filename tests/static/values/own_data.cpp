// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Data of a task's own that is called as a field of tasks is: references, too, of which there is no
// pointer to member.

#include <doctest/doctest.h>
#include <stretto/stretto.hpp>
#include <string>

namespace {

namespace st = stretto;
namespace scalar = stretto::typed::scalar;

struct text : st::slot<std::string> {};
struct size : st::slot<std::size_t> {};

struct log {
  std::size_t lines = 0;
};

/// What it refers to is no number, nor a name or a thread.
struct count {
  log& weight;
  log& every;
  log& phase;
  const std::string& name;
  const std::string& stream;
  const std::string& thread;
  void operator()(st::in<text> in, st::out<size> out) const {
    ++weight.lines;
    out = in->size() + name.size() + stream.size() + thread.size();
  }
};
struct counting : st::schedule<st::source<text>, st::result<size>, count> {};

struct numbers {
  int& weight;
  const long& every;
};

}  // namespace

TEST_CASE("references of a task's own are its own affair") {
  static_assert(st::typed::own<scalar::weight, count> == 1);
  static_assert(st::typed::own<scalar::every, count> == 1);
  static_assert(!st::typed::detail::weight_is_odd<count>());
  static_assert(!st::typed::detail::rate_is_odd<count>());
  log lines;
  const std::string word = "of a task";
  st::pipeline<counting> pipeline(count{lines, lines, lines, word, word, word});
  std::size_t sum = 0;
  for (const std::size_t s : pipeline.run(std::vector<std::string>{"a", "bc"})) sum += s;
  CHECK(sum == 3 + 6 * word.size());
  CHECK(lines.lines == 2);
}

TEST_CASE("but numbers called so were meant for Stretto") {
  static_assert(st::typed::detail::weight_is_odd<numbers>());
  static_assert(st::typed::detail::rate_is_odd<numbers>());
}
