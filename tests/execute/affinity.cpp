// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads as the system sees them: where they run, and what they are called.

#include <doctest/doctest.h>
#include <set>
#include <stretto/stretto.hpp>

#if defined(__linux__)
#  include <pthread.h>
#  include <sched.h>
#  include <string>
#  include <vector>

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

std::string own_name() {
  char text[16] = {};
  pthread_getname_np(pthread_self(), text, sizeof text);
  return text;
}

struct named {
  using stream = st::stream<"a rather long name">;
  using reads = st::reads<number>;
  using writes = st::writes<computed>;
  std::string* seen = nullptr;
  void operator()(int in, int& out) const {
    *seen = own_name();
    out = in;
  }
};

}  // namespace

TEST_CASE("threads are called what their thread group is, cut off where the system does") {
  const std::string before = own_name();
  std::string seen;
  using schedule = st::schedule<st::source<number>, st::result<computed>,
                                st::streams<"a rather long name">, named>;
  st::pipeline<schedule> pipeline{named{&seen}};
  for ([[maybe_unused]] const int r : pipeline.run(std::vector<int>(1))) CHECK(seen != "");
  CHECK(seen == "a rather long n");
  CHECK(own_name() == before);
}

TEST_CASE("pinned threads have one core each, and the caller has its own back afterwards") {
  const int before = allowed();
  CHECK(cores_seen<st::pinned>() == std::set<int>{1});
  CHECK(allowed() == before);
}

TEST_CASE("without the option threads run where the system puts them") {
  CHECK(cores_seen<>() == std::set<int>{allowed()});
}
#endif
