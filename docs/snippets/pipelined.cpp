// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdio>
#include <stretto/stretto.hpp>
#include <string>
#include <vector>

namespace st = stretto;

struct line : st::slot<int> {};
struct words : st::slot<int> {};
struct entries : st::slot<int> {};
struct answer : st::slot<int> {};

// [tasks]
struct parse {
  using reads = st::reads<line>;
  using writes = st::writes<words>;
  void operator()(int text, int& out) const { out = text + 1; }
};
struct enrich {
  using reads = st::reads<words>;
  using writes = st::writes<entries>;
  void operator()(int in, int& out) const { out = 2 * in; }
};
struct store {
  using reads = st::reads<entries>;
  using writes = st::writes<answer>;
  void operator()(int in, int& out) const { out = -in; }
};
struct service : st::schedule<st::source<line>, st::result<answer>, st::threads<st::per_task>,
                              parse, enrich, store> {};
// [tasks]

// [pipelined]
struct overlapped : st::pipelined<service> {};
static_assert(!st::overlaps<service> && st::in_flight<service> == 1);
static_assert(st::overlaps<overlapped> && st::in_flight<overlapped> == 4);
// [pipelined]

// [bounded]
struct within_two : st::pipelined<service, st::max_in_flight<2>> {};
static_assert(st::in_flight<within_two> == 2);
struct within_bytes : st::replan<service, st::pipelined<>, st::max_bytes<384>> {};
static_assert(st::memory_bytes<within_bytes> <= 384 && st::in_flight<within_bytes> == 3);
// [bounded]

struct by_turns : st::replan<service> {};
// [in turn]
template <>
inline constexpr bool stretto::works_in_turn<by_turns> = true;
// [in turn]

int main() {
  const std::string alone = st::describe<service>();
  const std::size_t from = alone.find("nothing overlaps");
  std::printf("=== alone\n%s", alone.substr(from, alone.find("\n\nwaits") + 1 - from).c_str());
  const std::string raised = st::describe<overlapped>();
  std::printf("=== raised\n%s", raised.substr(0, raised.find("\nthreads")).c_str());
  const std::string bounded = st::describe<within_two>();
  const std::size_t held = bounded.find("`max_in_flight`");
  std::printf("=== bounded\n%s", bounded.substr(held, bounded.find('\n', held) + 1 - held).c_str());
  std::printf("=== end\n");
  st::pipeline<overlapped> pipeline;
  int expected = -2;
  for (const int a : pipeline.run(std::vector{0, 1, 2, 3})) {
    if (a != expected) return 1;
    expected -= 2;
  }
  st::pipeline<by_turns> in_turn;
  for (const int a : in_turn.run(std::vector{-5}))
    if (a != 8) return 1;
  return expected == -10 ? 0 : 1;
}
