// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thread groups on user threads, which come early or late, never come, or go.

#include <doctest/doctest.h>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <stop_token>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#include "../../support/rest.hpp"
#include "../../support/tested.hpp"
#include "deadline.hpp"

#if defined(__linux__)
#  include <pthread.h>
#  include <sched.h>
#endif

namespace {

namespace st = stretto;

struct number : st::slot<int> {};
struct loaded : st::slot<int> {};
struct drawn : st::slot<int> {};

/// Which threads ran a task. Read when no run is left.
using threads = std::set<std::thread::id>;

struct load {
  using thread = st::thread<"loading">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<loaded>;
  threads* seen = nullptr;
  int fails_at = -1;
  void operator()(int in, int& out) const {
    seen->insert(std::this_thread::get_id());
    if (in == fails_at) throw std::runtime_error("loading");
    out = in + 1;
  }
};
struct draw {
  using thread = st::thread<"rendering">;
  using reads = st::reads<loaded>;
  using writes = st::writes<drawn>;
  threads* seen = nullptr;
  int fails_at = -1;
  void operator()(int in, int& out) const {
    seen->insert(std::this_thread::get_id());
    if (in == fails_at) throw std::runtime_error("drawing");
    out = 2 * in;
  }
};
struct scene : st::schedule<st::source<number>, st::result<drawn>, load, draw> {};
struct fed
    : st::schedule<st::source<number, st::thread<"rendering">>, st::result<drawn>, load, draw> {};

constexpr int batches = 10;

template <class Schedule = scene, class... Option>
struct subject {
  threads loading, rendering;
  std::atomic<int> asked{0};
  tested::pipeline<Schedule, Option...> pipeline;

  explicit subject(st::attached_threads attached = {"rendering"}, st::cores cores = {})
      : pipeline(std::move(attached), load{&loading}, std::move(cores), draw{&rendering}) {}

  auto source() {
    return [this, next = 0](int& slot) mutable {
      ++asked;
      slot = next++;
      return slot < batches;
    };
  }
  /// \p count results have been taken already.
  template <class Run>
  int results(Run&& run, int count = 0) {
    for (const int r : run) CHECK(r == 2 * (count++ + 1));
    return count;
  }
  int results() { return results(pipeline.run(source())); }
};

using thread = std::jthread;

/// What a pipeline says to whoever asks for what it refuses.
template <class Ask>
std::string refusal(Ask ask) {
  try {
    ask();
  } catch (const st::usage_error& error) {
    return error.what();
  }
  return "";
}

/// One thread for two runs and the destruction of the pipeline.
template <class Schedule, class... Option>
void check_two_runs() {
  const deadline limit("runs with an attached thread");
  subject<Schedule, Option...> s;
  int runs = 0;
  thread attached([&](const std::stop_token& leaving) {
    while (s.pipeline.attach("rendering", leaving)) ++runs;
  });
  const auto id = attached.get_id();
  for (int run = 0; run < 2; ++run) CHECK(s.results() == batches);
  CHECK(s.rendering == threads{id});
  CHECK(s.loading.size() == 1);
  CHECK(s.loading.count(id) == 0);
  CHECK(s.loading.count(std::this_thread::get_id()) == 0);
  attached.request_stop();
  attached.join();
  CHECK(runs == 2);
}

}  // namespace

TEST_CASE("attaching: one thread, run after run") {
  check_two_runs<scene>();
  check_two_runs<scene, st::spin>();
  check_two_runs<scene, st::block>();
  check_two_runs<scene, st::barrier>();
  check_two_runs<scene, st::barrier, st::block>();
  check_two_runs<scene, st::pinned>();
  check_two_runs<fed>();
  check_two_runs<fed, st::barrier, st::spin>();
}

TEST_CASE("attaching: no batch is pulled before the thread is there") {
  const deadline limit("a thread that comes late");
  subject s;
  std::atomic<bool> coming{false};
  thread attached([&] {
    tested::until_others_sleep();
    CHECK(s.asked == 0);
    coming = true;
    CHECK(s.pipeline.attach("rendering"));
  });
  auto run = s.pipeline.run(s.source());
  CHECK(run.has_more());
  REQUIRE(run.next());
  CHECK(coming);
  CHECK(run.result() == 2);
  CHECK(s.results(run, 1) == batches);
}

TEST_CASE("attaching: a thread may come before the run is made, and before it is advanced") {
  const deadline limit("a thread that comes early");
  subject s;
  thread attached([&] { CHECK(s.pipeline.attach("rendering")); });
  { const auto never_advanced = s.pipeline.run(s.source()); }
  CHECK(s.pipeline.report().end == st::run_end::left_early);
  CHECK(s.results() == batches);
}

TEST_CASE("attaching: if no thread comes, a stop ends the run, and the next run may have one") {
  const deadline limit("a thread that never comes");
  subject s;
  for (const bool abandons : {false, true}) {
    std::stop_source stop;
    thread other([&] {
      tested::until_others_sleep();
      stop.request_stop();
    });
    if (abandons) {
      auto run = s.pipeline.run(s.source(), st::cancel_on(stop.get_token()));
      CHECK_FALSE(run.next());
      CHECK_FALSE(run.has_more());
    } else {
      CHECK(s.results(s.pipeline.run(s.source(), stop.get_token())) == 0);
    }
    CHECK(s.asked == 0);
    const st::run_report& report = s.pipeline.report();
    CHECK(report.end == (abandons ? st::run_end::cancelled : st::run_end::drained));
    CHECK(report.pulled == 0);
    CHECK(report.finished == 0);
    CHECK(report.in_flight.empty());
  }
  thread attached([&] { CHECK(s.pipeline.attach("rendering")); });
  CHECK(s.results() == batches);
}

TEST_CASE(
    "attaching: of two groups one has its thread, which may go again while the other is awaited") {
  const deadline limit("a thread that goes");
  subject s({"rendering", "loading"});
  std::stop_source leaving;
  std::atomic<bool> left{false};
  thread first([&] {
    CHECK_FALSE(s.pipeline.attach("loading", leaving.get_token()));
    left = true;
  });
  std::optional<thread> rendering;
  std::optional<thread> loading;
  thread others([&] {
    tested::until_others_sleep();
    leaving.request_stop();
    while (!left) std::this_thread::yield();
    rendering.emplace([&] { CHECK(s.pipeline.attach("rendering")); });
    tested::until_others_sleep();
    CHECK(s.asked == 0);
    loading.emplace([&] { CHECK(s.pipeline.attach("loading", std::stop_source().get_token())); });
  });
  CHECK(s.results() == batches);
  CHECK(left);
}

TEST_CASE("attaching: a thread in a run stays to its end, whatever its token says") {
  const deadline limit("a thread with a token");
  subject s;
  std::stop_source leaving;
  thread attached([&] {
    CHECK(s.pipeline.attach("rendering", leaving.get_token()));
    CHECK_FALSE(s.pipeline.attach("rendering", leaving.get_token()));
  });
  auto run = s.pipeline.run(s.source());
  REQUIRE(run.next());
  leaving.request_stop();
  CHECK(s.results(run, 1) == batches);
}

TEST_CASE("attaching: a run that is left early, that fails here or there, that is asked to stop") {
  const deadline limit("a run that ends early");
  std::optional<subject<>> s(std::in_place);
  int runs = 0;
  thread attached([&](const std::stop_token& leaving) {
    while (s->pipeline.attach("rendering", leaving)) ++runs;
  });
  auto& p = s->pipeline;
  {
    auto run = p.run(s->source());
    REQUIRE(run.next());
  }
  CHECK(p.report().end == st::run_end::left_early);
  p.task<load>().fails_at = 3;
  CHECK_THROWS_AS(s->results(), st::task_error);
  CHECK(p.report().failures.at(0).task == "load");
  p.reset();
  p.task<load>().fails_at = -1;
  p.task<draw>().fails_at = 3;
  CHECK_THROWS_AS(s->results(), st::task_error);
  CHECK(p.report().failures.at(0).task == "draw");
  p.reset();
  p.task<draw>().fails_at = -1;
  std::stop_source stop;
  {
    auto run = p.run(s->source(), stop.get_token());
    REQUIRE(run.next());
    stop.request_stop();
    while (run.next()) {
    }
  }
  CHECK(p.report().finished == p.report().pulled);
  CHECK(s->results() == batches);
  attached.request_stop();
  attached.join();
  CHECK(runs == 5);
}

TEST_CASE("attaching: a pipeline is destroyed with threads inside, used or not") {
  const deadline limit("a destructor");
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::optional<subject<>> s(std::in_place, st::attached_threads{"rendering", "loading"});
    std::atomic<int> served{0};
    const auto attach = [&](std::string_view group) {
      for (bool on = true; on;) {
        try {
          on = s->pipeline.attach(group);
          ++served;
        } catch (const st::usage_error&) {  // await_attached() was trying the slot
        }
      }
    };
    const auto await_attached = [&](std::string_view group) {
      std::stop_source stop;
      stop.request_stop();
      const auto taken = [&] {
        return !refusal([&] { s->pipeline.attach(group, stop.get_token()); }).empty();
      };
      while (!taken()) std::this_thread::yield();
    };
    thread rendering([&] { attach("rendering"); });
    thread loading([&] { attach("loading"); });
    // Who is not there yet, or not back from the run, must not find it gone.
    if (repeat % 2 == 0) {
      CHECK(s->results() == batches);
      while (served < 2) std::this_thread::yield();
    }
    await_attached("rendering");
    await_attached("loading");
    s.reset();
  }
}

namespace {

/// What was said of waits, for as long as it is there: at once, and where a test hears it.
class said_of_waits {
 public:
  said_of_waits() {
    all.clear();
    st::set_patience({1, [](std::string_view sentence) noexcept {
                        const std::lock_guard lock(mutex);
                        all.emplace_back(sentence);
                      }});
  }
  said_of_waits(const said_of_waits&) = delete;
  said_of_waits& operator=(const said_of_waits&) = delete;
  ~said_of_waits() { st::set_patience({}); }

  /// When so many have been said.
  static std::vector<std::string> await(std::size_t count) {
    while (now().size() < count) std::this_thread::yield();
    return now();
  }
  static std::vector<std::string> now() {
    const std::lock_guard lock(mutex);
    return all;
  }

 private:
  static inline std::mutex mutex;
  static inline std::vector<std::string> all;
};

}  // namespace

TEST_CASE(
    "attaching: groups that lack their threads are named, once a wait, with a token or none") {
  const deadline limit("threads that come when it is said that they lack");
  subject s({"rendering", "loading"});
  for (const bool asked : {false, true}) {
    const said_of_waits said;
    thread late([&] {
      const auto first = said.await(1);
      CHECK(first.front() ==
            "a run waits for threads to be attached: thread group `loading` has no thread yet: let "
            "one call attach(\"loading\"); thread group `rendering` has no thread yet: let one "
            "call attach(\"rendering\")");
      thread loading([&] { CHECK(s.pipeline.attach("loading")); });
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it is not said again
      CHECK(s.pipeline.attach("rendering"));
    });
    std::stop_source stop;
    CHECK((asked ? s.results(s.pipeline.run(s.source(), stop.get_token())) : s.results()) ==
          batches);
    late.join();
    CHECK(said.now().size() == 1);
  }
}

TEST_CASE("attaching: of a group with workers it is said how many are there") {
  const deadline limit("workers that come when it is said that they lack");
  struct decode {
    using thread = st::thread<"de\ncoding">;
    using reads = st::reads<number>;
    using writes = st::writes<drawn>;
    void operator()(int in, int& out) const { out = in; }
  };
  struct schedule
      : st::schedule<st::source<number>, st::result<drawn>, decode, st::workers<"de\ncoding", 3>> {
  };
  const said_of_waits said;
  tested::pipeline<schedule> pipeline{decode{}, st::attached_threads{"de\ncoding"}};
  thread first([&] { CHECK(pipeline.attach("de\ncoding")); });
  tested::until_others_sleep();
  thread others([&] {
    CHECK(said.await(1).front() ==
          "a run waits for threads to be attached: thread group `de\\ncoding` has 1 of 3 threads: "
          "let 2 more call attach(\"de\\ncoding\")");
    thread second([&] { CHECK(pipeline.attach("de\ncoding")); });
    CHECK(pipeline.attach("de\ncoding"));
  });
  int results = 0;
  for ([[maybe_unused]] const int r : pipeline.run(std::vector<int>(5))) ++results;
  CHECK(results == 5);
}

TEST_CASE("attaching: a group with workers wants a thread for each") {
  const deadline limit("user threads as workers");
  struct decode {
    using thread = st::thread<"decoding">;
    using reads = st::reads<number>;
    using writes = st::writes<drawn>;
    std::array<std::thread::id, 3>* seen;
    void operator()(st::task_context& ctx, int in, int& out) const {
      seen->at(ctx.batch() % 3) = std::this_thread::get_id();
      out = in;
    }
  };
  struct schedule
      : st::schedule<st::source<number>, st::result<drawn>, decode, st::workers<"decoding", 3>> {};
  std::array<std::thread::id, 3> seen;
  tested::pipeline<schedule> pipeline{decode{&seen}, st::attached_threads{"decoding"}};
  for (int run = 0; run < 5; ++run) {
    std::array<thread, 3> attached;
    std::set<std::thread::id> ids;
    for (thread& h : attached) {
      h = thread([&] { CHECK(pipeline.attach("decoding")); });
      ids.insert(h.get_id());
    }
    int next = 0;
    std::vector<int> source(20);
    std::iota(source.begin(), source.end(), 0);
    for (const int r : pipeline.run(source)) CHECK(r == next++);
    CHECK(next == 20);
    CHECK(std::set<std::thread::id>(seen.begin(), seen.end()) == ids);
  }
}

TEST_CASE("attaching: what is refused, and why") {
  const deadline limit("a refusal");
  CHECK(refusal([] { subject<> s({"redering"}); }) ==
        "attached thread group `redering`: the pipeline has none of this name, but `caller`, "
        "`loading`, `rendering`");
  CHECK(refusal([] { subject<> s({"caller"}); }) ==
        "attached thread group `caller`: the thread that asks for results runs it; no other can");
  CHECK(refusal([] {
          subject<> s({"loading", "rendering", "loading"});
        }) == "attached thread group `loading`: it is named twice; name it once");
  subject s;
  const auto attach = [&](std::string_view group) {
    return refusal([&] { s.pipeline.attach(group); });
  };
  CHECK(attach("redering") ==
        "attaching to thread group `redering`: the pipeline has none of this name, but `caller`, "
        "`loading`, `rendering`");
  CHECK(
      attach("caller") ==
      "attaching to thread group `caller`: the thread that asks for results runs it; no other can");
  CHECK(
      attach("loading") ==
      "attaching to thread group `loading`: the pipeline has a thread of its own for it; name the "
      "group in `stretto::attached_threads{...}`, an argument of the pipeline's constructor");
  {
    const auto run = s.pipeline.run(s.source());
    CHECK(attach("rendering") ==
          "attaching to thread group `rendering`: the calling thread has a run of this pipeline, "
          "which "
          "would wait for it");
  }
  thread first([&](const std::stop_token& leaving) {
    for (bool on = true; on;) {
      try {
        on = s.pipeline.attach("rendering", leaving);
      } catch (const st::usage_error&) {  // the slot was tried below
      }
    }
  });
  std::stop_source stop;
  stop.request_stop();
  std::string taken;
  while (taken.empty()) taken = refusal([&] { s.pipeline.attach("rendering", stop.get_token()); });
  CHECK(taken == "attaching to thread group `rendering`: another thread is attached already");
  {
    auto run = s.pipeline.run(s.source());
    REQUIRE(run.next());
    thread([&] {
      CHECK(attach("rendering") ==
            "attaching to thread group `rendering`: another thread is attached already");
    }).join();
    CHECK(s.results(run, 1) == batches);  // unharmed
  }
  tested::pipeline<st::serial<scene>> alone{load{&s.loading}, draw{&s.rendering}};
  CHECK(refusal([&] { alone.attach("rendering"); }) ==
        "attaching to thread group `rendering`: the pipeline has none of this name, but `caller`");
}

#if defined(__linux__)
TEST_CASE("attaching: the thread keeps its name, and has its cores back after the run") {
  const deadline limit("an attached thread on its cores");
  const auto here = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    std::vector<int> list;
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(static_cast<std::size_t>(core), &set)) list.push_back(core);
    return list;
  };
  static std::vector<int> inside;
  static std::string name;
  static const auto note = +[](std::vector<int> cores) {
    inside = std::move(cores);
    char text[16] = {};
    pthread_getname_np(pthread_self(), text, sizeof text);
    name = text;
  };
  struct look {
    using thread = st::thread<"rendering">;
    using reads = st::reads<number>;
    using writes = st::writes<drawn>;
    decltype(here) where;
    void operator()(int in, int& out) const {
      note(where());
      out = in;
    }
  };
  using schedule = st::schedule<st::source<number>, st::result<drawn>, look>;
  const std::vector<int> all = here();
  tested::pipeline<schedule> pipeline{st::cores{{"rendering", {all.back()}}},
                                      st::attached_threads{"rendering"}, look{here}};
  thread attached([&] {
    pthread_setname_np(pthread_self(), "event loop");
    CHECK(pipeline.attach("rendering"));
    CHECK(here() == all);
  });
  for ([[maybe_unused]] const int r : pipeline.run(std::vector<int>(3))) {
  }
  attached.join();
  CHECK(inside == std::vector<int>{all.back()});
  CHECK(name == "event loop");
}
#endif

TEST_CASE("attaching: threads that come and go at random, runs that end in every way") {
  const deadline limit("threads at random");
  std::optional<subject<>> s(std::in_place, st::attached_threads{"rendering", "loading"});
  std::atomic<bool> done{false};
  std::atomic<int> served{0};
  struct leaving {
    bool at_once;
    const std::atomic<bool>& at_last;
    bool stop_requested() const { return at_once || at_last; }
  };
  const auto come_and_go = [&](std::string_view group, unsigned seed) {
    while (!done) {
      seed = seed * 1664525 + 1013904223;
      try {
        if (s->pipeline.attach(group, leaving{seed >> 30U == 0, done})) ++served;
      } catch (const st::usage_error&) {
        std::this_thread::yield();  // the other one was faster
      }
    }
  };
  int begun = 0;
  {
    std::vector<thread> attached;
    for (unsigned seed = 0; seed < 4; ++seed)
      attached.emplace_back(come_and_go, seed % 2 == 0 ? "rendering" : "loading", seed);
    for (int run = 0; run < 400; ++run) {
      std::stop_source stop;
      if (run % 5 == 1) stop.request_stop();
      auto& p = s->pipeline;
      p.task<load>().fails_at = run % 5 == 2 ? run % batches : -1;
      try {
        auto r = p.run(s->source(), stop.get_token());
        for (int stays = run % 5 == 3 ? 3 : batches + 1; stays > 0 && r.next(); --stays) {
        }
      } catch (const st::task_error&) {
        p.reset();
      }
      begun += p.report().pulled > 0 ? 1 : 0;
      CHECK(p.report().finished + p.report().in_flight.size() == p.report().pulled);
    }
    done = true;
  }
  CHECK(begun == 320);
  CHECK(served >= 2 * begun);
}
