// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks of values that are coroutines: as they are written, planned, saved and run; what does not
// go with them. How they run, tests/behaviour/execute/suspending.cpp has of both versions.

#include <doctest/doctest.h>
#include <algorithm>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <numeric>
#include <stretto/dynamic.hpp>
#include <stretto/dynamic/execute/slot_types.hpp>
#include <stretto/dynamic/file.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/replay.hpp>
#include <stretto/stretto.hpp>
#include <stretto/suspend.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "../../behaviour/execute/deadline.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

/// Resumes coroutines on a thread of its own, one after the other, a little later.
class elsewhere {
 public:
  elsewhere() = default;
  elsewhere(const elsewhere&) = delete;
  elsewhere& operator=(const elsewhere&) = delete;
  ~elsewhere() { join(); }

  auto wait() {
    struct awaiter {
      elsewhere& there;
      static constexpr bool await_ready() noexcept { return false; }
      void await_suspend(std::coroutine_handle<> who) { there.resume_later(who); }
      static void await_resume() noexcept {}
    };
    return awaiter{*this};
  }

 private:
  void resume_later(std::coroutine_handle<> who) {
    join();
    thread_ = std::thread([who] {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      who.resume();
    });
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  std::thread thread_;
};

/// What is fetched twice over, and what is counted meanwhile on the thread that begins it.
dynamic::schedule fetching(elsewhere& there) {
  dynamic::schedule s;
  s.name = "fetching";
  s.source.slot = "number";
  s.results = {"sum"};
  s.tasks = {{.name = "fetch",
              .thread = "work",
              .lookahead = 1,
              .reads = {"number"},
              .writes = {"fetched"},
              .body = [&there](st::task_context ctx, const int& in, int& out) -> st::suspendable {
                co_await there.wait();
                CHECK(ctx.thread() == "fetch");
                out = 2 * in + static_cast<int>(ctx.batch());
              }},
             {.name = "count",
              .thread = "work",
              .lookahead = 1,
              .reads = {"number"},
              .writes = {"counted"},
              .body = [](const int& in, int& out) { out = in; }},
             {.name = "add",
              .thread = "caller",
              .reads = {"fetched", "counted"},
              .writes = {"sum"},
              .body = [](const int& a, const int& b, int& sum) { sum = a + b; }}};
  return s;
}

std::vector<int> numbers(std::size_t size) {
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void check_run(const dynamic::schedule& s) {
  dynamic::pipeline<> pipeline(s);
  int expected = 0;
  for (const dynamic::result& r : pipeline.run(numbers(50)))
    CHECK(r.get<int>("sum") == 4 * expected++);
  CHECK(expected == 50);
}

bool says(const std::string& text, const char* what) {
  return text.find(what) != std::string::npos;
}
std::string described(const dynamic::schedule& s) {
  return dynamic::planned_schedule(s).describe();
}
/// Without the bytes, which plans of types know.
std::string without_memory(const std::string& description) {
  return description.substr(0, description.find("\nmemory"));
}

template <class... Options>
std::string refused(const dynamic::schedule& s) {
  try {
    dynamic::pipeline<Options...> pipeline(s);
  } catch (const dynamic::schedule_error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("coroutines as values: with their context, in all plans") {
  const deadline all("a coroutine that is a value");
  elsewhere there;
  const dynamic::schedule s = fetching(there);
  check_run(s);
  check_run(dynamic::serial(s));
  check_run(dynamic::pipelined(s));
  dynamic::schedule mapped = s;
  mapped.generated = 2;
  check_run(mapped);
  // Behind all else of the thread that begins it.
  dynamic::schedule last = s;
  std::swap(last.tasks[0], last.tasks[1]);
  last.tasks[1].depends_on = {"count"};
  check_run(last);
}

TEST_CASE("the body alone tells the plan that a task is a coroutine") {
  elsewhere there;
  const dynamic::schedule s = fetching(there);
  CHECK(s.at("fetch").body.suspends());
  CHECK_FALSE(s.at("count").body.suspends());
  CHECK(says(described(s), "fetch, a coroutine that thread work begins"));

  // A file has no bodies.
  dynamic::schedule read = dynamic::schedule_file(dynamic::to_json(s)).schedule();
  CHECK_FALSE(says(described(read), "a coroutine"));
  for (dynamic::task& t : read.tasks) t.body = s.at(t.name).body;
  CHECK(described(read) == described(s));
}

TEST_CASE("who begins a coroutine: the thread that it would be on, or the calling one") {
  elsewhere there;
  dynamic::schedule s = fetching(there);
  s.at("count").thread = "other";
  CHECK(says(described(s), "a coroutine that thread caller begins"));

  // On a generated map, where the map has it.
  s = fetching(there);
  s.generated = 3;
  for (dynamic::task& t : s.tasks) t.thread.clear();
  s.at("fetch").thread = "work";
  s.at("count").thread = "work";
  CHECK(says(described(s), "a coroutine that thread work begins"));
  s.at("fetch").thread = "";
  s.at("fetch").weight = s.at("count").weight = 1;
  s.at("add").weight = 9;
  s.generated = 2;
  CHECK(says(described(s), "a coroutine that thread work begins"));
}

namespace {

struct number : st::slot<int> {};
struct fetched : st::slot<int> {};
struct counted : st::slot<int> {};
struct sum : st::slot<int> {};
struct fetch {
  using thread = st::thread<"work">;
  static constexpr int lookahead = 1;
  st::suspendable operator()(st::in<number> in, st::out<fetched> out) const {
    co_await on->wait();
    *out = *in;
  }
  elsewhere* on = nullptr;
};
struct count {
  using thread = st::thread<"work">;
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::out<counted> out) const { *out = *in; }
};
struct add {
  using thread = st::thread<"caller">;
  void operator()(st::in<fetched> a, st::in<counted> b, st::out<sum> out) const { *out = *a + *b; }
};
struct job : st::schedule<st::source<number>, st::result<sum>, fetch, count, add> {};
struct mapped : st::replan<job, st::threads<st::generated<2>>> {};

}  // namespace

TEST_CASE("of types and of values it is one plan") {
  elsewhere there;
  const fetch first{&there};
  const auto values = dynamic::from_types<job>(first);
  CHECK(values.at("fetch").body.suspends());
  CHECK(without_memory(described(values)) == without_memory(st::describe<job>()));
  CHECK(dynamic::planned_schedule(values).fingerprint() == st::fingerprint<job>);
  CHECK(without_memory(described(dynamic::from_types<mapped>(first))) ==
        without_memory(st::describe<mapped>()));
}

TEST_CASE("what does not go with coroutines is refused with the task's name") {
  elsewhere there;
  const dynamic::schedule s = fetching(there);
  CHECK(says(refused<st::barrier>(s),
             "task `fetch` is a coroutine, but threads meet after every progress: leave "
             "`stretto::barrier` out"));
  CHECK(says(refused<st::replay>(s),
             "task `fetch` is a coroutine, which cannot be recorded or replayed"));

  const char* const others = "task `fetch` is a coroutine, but others drop batches, consume or ";
  dynamic::schedule spoilt = s;
  spoilt.at("count").thread = "many";
  spoilt.groups = {{.thread = "many", .workers = 2}};
  CHECK(says(refused<>(spoilt), others));
  spoilt = s;
  spoilt.at("fetch").thread = "many";
  spoilt.groups = {{.thread = "many", .workers = 2}};
  CHECK(
      says(refused<>(spoilt), "task `fetch` is a coroutine, whose calls come one after the other"));
  spoilt.groups = {{.thread = "many", .queue = 2}};
  CHECK(refused<>(spoilt).empty());
  spoilt = s;
  spoilt.at("count").on_failure = "drop";
  CHECK(says(refused<>(spoilt), others));
  spoilt = s;
  spoilt.at("count").body = [](const int& in, int& out) {
    out = in;
    return st::verdict::keep;
  };
  CHECK(says(refused<>(spoilt), others));

  const auto said_of = [](const dynamic::schedule& of, bool device, bool ranks) -> std::string {
    const dynamic::planned_schedule planned(of);
    try {
      const dynamic::detail::slot_types types(planned, {device ? "gpu" : "", {}},
                                              {ranks ? "ranks" : "", {}}, {});
    } catch (const dynamic::schedule_error& e) {
      return e.what();
    }
    return {};
  };
  CHECK(says(said_of(s, false, true),
             "task `fetch` is a coroutine, but the pipeline has collectives, whose order"));
  CHECK(said_of(s, true, false).empty());
  spoilt = s;
  spoilt.streams = {"copies"};
  spoilt.at("fetch").stream = "copies";
  CHECK(says(said_of(spoilt, true, false),
             "task `fetch` is a coroutine on a stream, but the pipeline has its streams on a "
             "device: what its body puts there once it has been suspended"));
  CHECK(said_of(spoilt, false, false).empty());
}
