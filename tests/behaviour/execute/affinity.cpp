// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads as the system sees them: where they run, and what they are called.

#include <doctest/doctest.h>
#include <array>
#include <set>
#include <stretto/run/text_builder.hpp>
#include <stretto/run/threads/core_set.hpp>
#include <stretto/stretto.hpp>
#include "../../support/tested.hpp"

#if defined(__linux__)
#  include <pthread.h>
#  include <sched.h>
#  include <atomic>
#  include <memory>
#  include <string>
#  include <thread>
#  include <utility>
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
  tested::pipeline<pair, Option...> pipeline{load{&seen_by_worker}, compute{&seen_by_caller}};
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
  tested::pipeline<schedule> pipeline{named{&seen}};
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

namespace {

using core_list = std::vector<int>;

/// The cores that the calling thread may use.
core_list here() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  core_list list;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(static_cast<std::size_t>(core), &set)) list.push_back(core);
  return list;
}

/// Where a task ran, each place once. Read when no run is left.
using places = std::set<core_list>;

template <int Number, class Reads, class Writes>
struct noting {
  using reads = st::reads<Reads>;
  using writes = st::writes<Writes>;
  places* seen = nullptr;
  void operator()(int in, int& out) const {
    seen->insert(here());
    out = in;
  }
};
struct middle : st::slot<int> {};
struct first_task : noting<0, number, loaded> {
  using thread = st::thread<"first">;
  static constexpr int lookahead = 1;
};
struct second_task : noting<1, loaded, middle> {
  using thread = st::thread<"second">;
};
struct own_task : noting<2, middle, computed> {
  using thread = st::thread<"caller">;
};
struct three
    : st::schedule<st::source<number>, st::result<computed>, first_task, second_task, own_task> {};

/// A pipeline whose tasks note where they run.
template <class... Option>
struct subject {
  std::array<places, 3> seen;
  tested::pipeline<three, Option...> pipeline;

  explicit subject(st::cores where = {})
      : pipeline(first_task{{&seen[0]}}, std::move(where), second_task{{&seen[1]}},
                 own_task{{&seen[2]}}) {}

  template <class Source>
  void run(Source&& source) {
    for ([[maybe_unused]] const int r : pipeline.run(source)) {
    }
  }
};

const core_list numbers(10);

/// What a pipeline says to cores that it refuses.
template <class... Option>
std::string refusal(const st::cores& where) {
  try {
    const subject<Option...> refused(where);
  } catch (const st::usage_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("cores: a group runs on its own, the caller too while a run exists, others anywhere") {
  const core_list all = here();
  const core_list one{all.back()};
  subject<> s({{"caller", one}, {"first", all}});
  CHECK(here() == all);
  for (int round = 0; round < 2; ++round) {
    s.run(numbers);
    CHECK(here() == all);
  }
  {
    auto left = s.pipeline.run(numbers);
    CHECK(here() == one);
    REQUIRE(left.next());
  }
  CHECK(here() == all);
  CHECK(s.seen[0] == places{all});
  CHECK(s.seen[1] == places{all});
  CHECK(s.seen[2] == places{one});

  subject<> other(st::cores().add({"second", {all.front()}}));
  other.run(numbers);
  CHECK(other.seen[0] == places{all});
  CHECK(other.seen[1] == places{{all.front()}});
  CHECK(other.seen[2] == places{all});
}

TEST_CASE("cores: the caller has its own back after a failure") {
  const core_list all = here();
  subject<> s({{"caller", {all.back()}}});
  const auto fails = [](int&) -> bool { throw 1; };
  CHECK_THROWS_AS(s.run(fails), st::task_error);
  CHECK(here() == all);
}

TEST_CASE("cores: each worker of a group has them all, or one of them if threads are pinned") {
  struct shared {
    using thread = st::thread<"shared">;
    using reads = st::reads<number>;
    using writes = st::writes<computed>;
    std::atomic<int>* count;
    std::array<core_list, 2>* seen;
    void operator()(st::task_context& ctx, int in, int& out) const {
      seen->at(ctx.batch() % 2) = here();
      out = in;
    }
  };
  struct schedule
      : st::schedule<st::source<number>, st::result<computed>, shared, st::workers<"shared", 2>> {};
  const core_list all = here();
  std::atomic<int> count{0};
  std::array<core_list, 2> seen;
  {
    tested::pipeline<schedule> pipeline{shared{&count, &seen}, st::cores{{"shared", all}}};
    for ([[maybe_unused]] const int r : pipeline.run(numbers)) {
    }
    CHECK(seen == std::array{all, all});
  }
  tested::pipeline<schedule, st::pinned> pipeline{shared{&count, &seen},
                                                  st::cores{{"shared", all}}};
  for ([[maybe_unused]] const int r : pipeline.run(numbers)) {
  }
  CHECK(seen == std::array{core_list{all[0]}, core_list{all[1 % all.size()]}});
}

TEST_CASE("cores and pinned: who is named is pinned to its own, who is not to the rest") {
  const core_list all = here();
  const core_list last{all.back()};
  subject<st::pinned> s({{"second", last}});
  s.run(numbers);
  CHECK(s.seen[1] == places{last});
  if (all.size() > 1) {  // the caller is the first of the others, `first` the second of them
    core_list rest = all;
    rest.pop_back();
    CHECK(s.seen[2] == places{{rest[0]}});
    CHECK(s.seen[0] == places{{rest[1 % rest.size()]}});
  }
  subject<st::pinned> none_left({{"second", all}});  // then they share
  none_left.run(numbers);
  CHECK(none_left.seen[2] == places{{all[0]}});
}

TEST_CASE("cores that cannot be had: the error names the group, the core and what there is") {
  CHECK(refusal({{"thrid", {0}}}) ==
        "cores of thread group `thrid`: the pipeline has none of this name, but `caller`, `first`, "
        "`second`");
  const int one = here().front();
  CHECK(refusal({{"first", {one}}, {"first", {one}}}) ==
        "cores of thread group `first`: it is named twice; list all of its cores in one place");
  CHECK(
      refusal({{"first", {}}}) ==
      "cores of thread group `first`: none are given; leave the group out to let it run anywhere");
  CHECK(refusal({{"first", {one, one}}}) == "cores of thread group `first`: core " +
                                                std::to_string(one) +
                                                " is named twice; name it once");
  for (const int core : {-1, 100'000, CPU_SETSIZE - 1}) {
    const std::string text = refusal<st::pinned>({{"second", {one, core}}});
    const std::string start = "cores of thread group `second`: there is no core " +
                              std::to_string(core) + " for this process, but ";
    CHECK(text.substr(0, start.size()) == start);
    CHECK(text.size() > start.size());
  }
  CHECK(here().size() > 0);
}

TEST_CASE("cores are named in ranges") {
  st::runner::detail::core_set some;
  for (const int core : {0, 1, 2, 5, 7, 8, CPU_SETSIZE - 1}) some.add(core);
  st::runner::text_builder text;
  st::runner::detail::name_cores(text, some);
  CHECK(text.text() == "0-2, 5, 7-8, " + std::to_string(CPU_SETSIZE - 1));
}

TEST_CASE("two pipelines at once, each on its own cores, one the source of the other") {
  const core_list all = here();
  const core_list front{all.front()};
  const core_list back{all.back()};
  const auto check = [&](auto& loading, auto& training) {
    for (int round = 0; round < 2; ++round) {
      auto loads = loading.pipeline.run(numbers);
      training.run(loads);  // which ends first, though it began last
      CHECK(loading.pipeline.report().end == st::run_end::completed);
    }
    CHECK(here() == all);
  };
  {
    subject<> loading({{"caller", front}, {"first", front}});
    subject<> training({{"caller", back}, {"first", back}});
    check(loading, training);
    CHECK(loading.seen[0] == places{front});
    CHECK(loading.seen[1] == places{all});
    CHECK(training.seen[0] == places{back});
    CHECK(training.seen[1] == places{all});  // not where the other's run held the caller
  }
  {
    subject<st::pinned> loading;
    subject<st::pinned> training;
    check(loading, training);
    for (const auto* s : {&loading, &training}) {
      CHECK(s->seen[2] == places{{all[0]}});
      CHECK(s->seen[0] == places{{all[1 % all.size()]}});
    }
  }
}

TEST_CASE("two runs on one thread that end in either order leave it where it was") {
  const core_list all = here();
  const core_list front{all.front()};
  const core_list back{all.back()};
  subject<> one({{"caller", front}});
  subject<> two({{"caller", back}});
  {
    const auto outer = one.pipeline.run(numbers);
    {
      const auto inner = two.pipeline.run(numbers);
      CHECK(here() == back);
    }
    CHECK(here() == front);
  }
  CHECK(here() == all);
  {
    auto ends_first = one.pipeline.run(numbers);
    const auto ends_last = two.pipeline.run(numbers);
    while (ends_first.next()) {
    }
    CHECK(here() == back);
  }
  CHECK(here() == all);
}

TEST_CASE("a run that comes to its end on another thread gives its maker its cores back") {
  const core_list all = here();
  subject<> s({{"caller", {all.front()}}});
  {
    auto run = s.pipeline.run(numbers);
    std::thread([&] {
      const core_list before = here();
      while (run.next()) {
      }
      CHECK(here() == before);
    }).join();
    CHECK(here() == all);  // at once, not when the maker sees to it
  }
  CHECK(here() == all);
}

TEST_CASE("a run that is destroyed on another thread gives its maker its cores back") {
  const core_list all = here();
  subject<> s({{"caller", {all.front()}}});
  using run = decltype(s.pipeline.run(numbers));
  struct made {
    explicit made(subject<>& of) : run_(of.pipeline.run(numbers)) {}
    run run_;
  };
  for (const bool ends : {true, false}) {
    auto one = std::make_unique<made>(s);
    CHECK(here() == core_list{all.front()});
    std::thread([one = std::move(one), ends]() mutable {
      const core_list before = here();
      while (ends && one->run_.next()) {
      }
      one.reset();
      CHECK(here() == before);
    }).join();
    CHECK(here() == all);
  }
  // A maker that is gone by then is nobody's to put back.
  std::unique_ptr<made> one;
  std::thread([&] { one = std::make_unique<made>(s); }).join();
  one.reset();
  CHECK(here() == all);
}
#endif
