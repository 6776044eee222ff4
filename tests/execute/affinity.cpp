// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The option `pinned`: where threads run, while a run lives and after.

#include <doctest/doctest.h>
#include <set>
#include <stretto/stretto.hpp>

#if defined(__linux__)
#  include <sched.h>

namespace {

namespace st = stretto;

struct number : st::slot<int> {};
struct loaded : st::slot<int> {};
struct computed : st::slot<int> {};

/// How many cores the calling thread may use.
int allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

struct load {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<loaded>;
  std::set<int>* seen = nullptr;
  void operator()(int, int& out) { seen->insert(out = allowed()); }
};
struct compute {
  using stream = st::stream<"compute">;
  using reads = st::reads<loaded>;
  using writes = st::writes<computed>;
  std::set<int>* seen = nullptr;
  void operator()(int, int& out) { seen->insert(out = allowed()); }
};
struct pair : st::schedule<st::source<number>, st::result<computed>, st::streams<"copy", "compute">,
                           load, compute, st::caller_runs<"compute">> {};

template <class... Option>
std::set<int> cores_seen() {
  std::set<int> seen_by_worker;
  std::set<int> seen_by_caller;
  st::pipeline<pair, Option...> pipeline{load{&seen_by_worker}, compute{&seen_by_caller}};
  for (int round = 0; round < 2; ++round) {
    std::size_t left = 0;
    for ([[maybe_unused]] const int r : pipeline.run(std::vector<int>(20))) ++left;
    CHECK(left == 20);
  }
  {
    auto run = pipeline.run(std::vector<int>(20));
    run.next();
  }  // left early
  seen_by_worker.merge(seen_by_caller);
  return seen_by_worker;
}

}  // namespace

TEST_CASE("pinned threads have one core each, and the caller has its own back afterwards") {
  const int before = allowed();
  CHECK(cores_seen<st::pinned>() == std::set<int>{1});
  CHECK(allowed() == before);
}

TEST_CASE("without the option threads run where the system puts them") {
  CHECK(cores_seen<>() == std::set<int>{allowed()});
}
#endif
