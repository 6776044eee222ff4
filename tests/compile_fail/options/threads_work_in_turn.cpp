// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A warning, which is an error here: threads that overlap nothing
//
// compile-with: -Werror=deprecated-declarations
// expect-compilers: each, not nvcc
// expect-error: the threads of this schedule overlap nothing
// expect-at: pipeline;
// expect-lines: 20
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

namespace {

struct line : st::slot<int> {};
struct words : st::slot<int> {};
struct answer : st::slot<int> {};

struct parse {
  using thread = st::thread<"parse">;
  void operator()(st::in<line> in, st::out<words> out) const { out = *in; }
};
struct store {
  using thread = st::thread<"store">;
  void operator()(st::in<words> in, st::out<answer> out) const { out = *in; }
};

#ifdef FIXED
struct service : st::schedule<st::source<line>, st::result<answer>, st::pipelined<>, parse, store> {
};
#else
struct service : st::schedule<st::source<line>, st::result<answer>, parse, store> {};
#endif

// What is meant, or cannot be otherwise, is no reason for a warning.
struct meant : st::replan<st::schedule<st::source<line>, st::result<answer>, parse, store>> {};
struct in_order : st::serial<st::schedule<st::source<line>, st::result<answer>, parse, store>> {};

// One thread has nobody to overlap with.
struct lone : st::schedule<st::source<line>, st::result<words>, parse> {};

}  // namespace

template <>
inline constexpr bool stretto::works_in_turn<meant> = true;

int sum(const std::vector<int>& lines) {
  st::pipeline<meant> quiet;
  st::pipeline<in_order> quiet_too;
  st::pipeline<lone> quiet_as_well;
  st::pipeline<service> pipeline;
  int total = 0;
  for (const int r : quiet.run(lines)) total += r;
  for (const int r : quiet_too.run(lines)) total += r;
  for (const int r : quiet_as_well.run(lines)) total += r;
  for (const int r : pipeline.run(lines)) total += r;
  return total;
}
