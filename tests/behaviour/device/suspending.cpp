// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks without a stream that are coroutines, between tasks on streams of a device: they begin when
// the streams have come so far, others go on meanwhile, and what comes after them on streams waits
// for their end.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <interruption.hpp>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <stretto/suspend.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <string_view>
#include <suspended.hpp>
#include <thread>
#include <utility>
#include <vector>
#include "../execute/deadline.hpp"
#include "fixture.hpp"

namespace {

using namespace on_recording;
using interrupting::resuming;
using interrupting::suspended;
using replaying = st::device::backend<driver, true>;
using growing = st::device::pinned_buffer<long, driver>;

constexpr std::size_t none = static_cast<std::size_t>(-1);

struct raw : st::slot<pinned_cell> {};
struct image : st::slot<cell> {};
struct question : st::slot<pinned_cell> {};
template <class Memory>
struct answer : st::slot<Memory> {};
struct merged : st::slot<cell> {};
struct seen : st::slot<long> {};
struct done : st::slot<pinned_cell> {};

struct step {
  driver d;
};
struct upload : step {
  using stream = st::stream<"copies">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<image>;
  void operator()(recording::stream s, const pinned_cell& in, cell& out) const {
    put(d, s, "upload", {in.data()}, out.data());
  }
};
struct infer : step {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
  using reads = st::reads<image>;
  using writes = st::writes<question>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(d, s, "infer", {in.data()}, out.data());
  }
};

/// Who is to be asked, and what goes wrong there.
struct asked {
  recording::world& w;
  suspended* on = nullptr;  ///< null: `interruption`, as drawn
  std::size_t fails_at = none;
  std::size_t fails_at_once = none;
  std::atomic<std::size_t> begun{0}, ended{0};
};
void make_room(pinned_cell&, std::size_t) {}
void make_room(growing& out, std::size_t size) { out.resize(size); }

/// Reads what a stream has written, and fills what a stream reads, before it is suspended and
/// after.
template <class Memory>
struct ask_into {
  asked* of;
  static constexpr int lookahead = 1;
  using reads = st::reads<question>;
  using writes = st::writes<answer<Memory>>;
  st::suspendable operator()(st::task_context ctx, const pinned_cell& in, Memory& out) const {
    CHECK(of->begun++ == of->ended);  // that of the batch before has ended
    if (ctx.batch() == of->fails_at_once) throw std::runtime_error("not even begun");
    const long asked_for = of->w.host_read(in.data());
    if (of->on != nullptr) {
      co_await of->on->wait();
    } else {
      co_await interrupting::interruption(ctx.batch());
    }
    ++of->ended;
    if (ctx.batch() == of->fails_at) throw std::runtime_error("no answer");
    CHECK(of->w.host_read(in.data()) == asked_for);  // its slots stay what they are
    make_room(out, 1 + ctx.batch() / 5);
    of->w.host_write(out.data(), made_by("ask", {asked_for}));
  }
};
struct ask : ask_into<pinned_cell> {};
template <class Memory>
struct merge_from : step {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 0;
  using reads = st::reads<image, answer<Memory>>;
  using writes = st::writes<merged>;
  void operator()(recording::stream s, const cell& a, const Memory& b, cell& out) const {
    put(d, s, "merge", {a.data(), b.data()}, out.data());
  }
};
struct merge : merge_from<pinned_cell> {};
struct fetch : step {
  using stream = st::stream<"copies">;
  using reads = st::reads<merged>;
  using writes = st::writes<done>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(d, s, "fetch", {in.data()}, out.data());
  }
};

using two_streams = st::streams<"copies", "compute">;
struct job : st::schedule<st::source<raw>, st::result<done>, two_streams, upload, infer, ask, merge,
                          fetch, st::slack<raw>, st::slack<question>> {};
struct alone : st::replan<job, st::threads<st::on_caller>> {};
struct ask_elsewhere : ask {
  using thread = st::thread<"other">;
};
struct elsewhere : st::schedule<st::source<raw>, st::result<done>, two_streams, upload, infer,
                                ask_elsewhere, merge, fetch, st::slack<raw>, st::slack<question>> {
};
struct ask_for_more : ask_into<growing> {};
struct merge_more : merge_from<growing> {};
struct growing_job : st::schedule<st::source<raw>, st::result<done>, two_streams, upload, infer,
                                  ask_for_more, merge_more, fetch, st::slack<raw>> {};

long expected(std::size_t batch) {
  const long in = made_by("upload", {number_of_batch(batch)});
  return made_by("fetch", {made_by("merge", {in, made_by("ask", {made_by("infer", {in})})})});
}

template <class Schedule, class Device = device, class Ask = ask, class Merge = merge,
          class... More>
struct subject {
  fixture& f;
  asked of{f.w};
  static constexpr bool has_streams =
      !tested::runtime_version || !st::typed::declared<Schedule>::is_serial;
  using pipeline_type = tested::pipeline<Schedule, Device, More...>;
  pipeline_type pipeline{f.d,
                         upload{{f.d}},
                         infer{{f.d}},
                         Ask{&of},
                         Merge{{f.d}},
                         fetch{{f.d}},
                         has_streams ? streams{{"copies"}, {"compute"}} : streams{}};

  explicit subject(fixture& world) : f(world) {}
  void check_run(std::size_t batches) {
    of.begun = of.ended = 0;
    const std::vector<long> all = results(pipeline, f.w, batches);
    REQUIRE(all.size() == batches);
    for (std::size_t b = 0; b < batches; ++b) CHECK(all[b] == expected(b));
    CHECK(of.ended == batches);
  }
  /// What a run fails by.
  std::string failed_run(std::size_t batches) {
    of.begun = of.ended = 0;
    try {
      results(pipeline, f.w, batches);
    } catch (const st::task_error& e) {
      return e.what();
    }
    return {};
  }
  void again() {
    of.fails_at = of.fails_at_once = none;
    pipeline.reset();
  }
};

template <class Schedule, class Device = device, class Ask = ask, class Merge = merge,
          class... More>
void check_results(const char* what) {
  const deadline all(what);
  with_each_seed(6, [](fixture& f, unsigned) {
    subject<Schedule, Device, Ask, Merge, More...> s(f);
    s.check_run(40);
    s.check_run(3);
    s.check_run(1);
    s.check_run(40);
  });
}

TEST_CASE("results are those of one batch after the other: on the calling thread") {
  check_results<alone>("a coroutine and two streams, on one thread");
}
TEST_CASE("results are those of one batch after the other: a thread for each stream") {
  check_results<job>("a coroutine and two streams, on several threads");
  check_results<elsewhere, device, ask_elsewhere>("a coroutine on a thread of its own");
}
TEST_CASE("results are those of one batch after the other: one after the other") {
  check_results<st::serial<job>>("a coroutine and streams in a serial plan");
}
TEST_CASE("results are those of one batch after the other: replayed") {
  check_results<alone, replaying>("a coroutine and graphs, on one thread");
  check_results<job, replaying>("a coroutine and graphs, on several threads");
  check_results<elsewhere, replaying, ask_elsewhere>("a coroutine and graphs, elsewhere");
  check_results<st::serial<job>, replaying>("a coroutine and graphs in a serial plan");
}
TEST_CASE("results are those of one batch after the other: watched") {
  check_results<alone, device, ask, merge, st::monitor>("a coroutine on a device, watched");
  check_results<job, replaying, ask, merge, st::monitor>("a coroutine among graphs, watched");
}

TEST_CASE("a coroutine makes room in a slot on whichever thread it is") {
  check_results<growing_job, device, ask_for_more, merge_more>("a coroutine that makes room");
}

/// On a stream, and behind the coroutine in the order of the thread that begins it.
struct refined : st::slot<cell> {};
struct refine : step {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
  using reads = st::reads<image>;
  using writes = st::writes<refined>;
  void operator()(recording::stream s, const cell& in, cell& out) const {
    put(d, s, "refine", {in.data()}, out.data());
  }
};
struct join : step {
  using stream = st::stream<"compute">;
  using reads = st::reads<refined, answer<pinned_cell>>;
  using writes = st::writes<done>;
  void operator()(recording::stream s, const cell& a, const pinned_cell& b,
                  pinned_cell& out) const {
    put(d, s, "join", {a.data(), b.data()}, out.data());
  }
};
struct in_the_midst
    : st::schedule<st::source<raw>, st::result<done>, two_streams, upload, infer, ask, refine, join,
                   st::threads<st::on_caller>, st::slack<raw>, st::slack<question>> {};

TEST_CASE("graphs are replayed though a coroutine is begun in their midst") {
  const deadline all("a coroutine within a graph");
  with_each_seed(4, [](fixture& f, unsigned) {
    asked of{f.w};
    tested::pipeline<in_the_midst, replaying> p(f.d, upload{{f.d}}, infer{{f.d}}, ask{&of},
                                                refine{{f.d}}, join{{f.d}},
                                                streams{{"copies"}, {"compute"}});
    const std::vector<st::device::launch_group> launches = p.device().launches();
    REQUIRE(!launches.empty());
    CHECK(launches.front().tasks == std::vector<std::string_view>{"upload", "infer", "refine"});
    for (int again = 0; again < 2; ++again) {
      of.begun = of.ended = 0;
      f.w.take_log();
      const std::vector<long> made = results(p, f.w, 40);
      CHECK(f.w.take_log().count(call::launch) > 20);
      REQUIRE(made.size() == 40);
      for (std::size_t b = 0; b < 40; ++b) {
        const long in = made_by("upload", {number_of_batch(b)});
        CHECK(made[b] ==
              made_by("join", {made_by("refine", {in}), made_by("ask", {made_by("infer", {in})})}));
      }
    }
    REQUIRE(p.device().left_out().size() == 1);
    CHECK(p.device().left_out().front().task == "ask");
  });
}

// Nobody but what comes behind it on its thread resumes it.
struct resume : step {
  suspended* on;
  using thread = st::thread<"caller">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<seen>;
  void operator()(const pinned_cell& in, long& out) const {
    on->resume_one();
    out = in[0];
  }
};
struct goes_on : st::schedule<st::source<raw>, st::result<done>, two_streams, upload, infer, ask,
                              resume, merge, fetch, st::threads<st::on_caller>, st::slack<raw>> {};

template <class Device>
void go_on() {
  with_each_seed(3, [](fixture& f, unsigned) {
    suspended here;
    asked of{f.w, &here};
    tested::pipeline<goes_on, Device> p(f.d, upload{{f.d}}, infer{{f.d}}, ask{&of},
                                        resume{{f.d}, &here}, merge{{f.d}}, fetch{{f.d}},
                                        streams{{"copies"}, {"compute"}});
    const std::vector<long> all = results(p, f.w, 30);
    REQUIRE(all.size() == 30);
    for (std::size_t b = 0; b < 30; ++b) CHECK(all[b] == expected(b));
  });
}
TEST_CASE("a thread goes on with host tasks and streams while a coroutine is suspended") {
  const deadline all("the thread waits for its coroutine");
  go_on<device>();
  go_on<replaying>();
}

TEST_CASE(
    "a coroutine that fails ends the run, before it is suspended or after, and what is in "
    "flight is through when the run ends") {
  const deadline all("a coroutine on a device fails");
  for (const bool at_once : {false, true})
    with_each_seed(4, [&](fixture& f, unsigned) {
      subject<job> s(f);
      (at_once ? s.of.fails_at_once : s.of.fails_at) = 7;
      const std::string said = s.failed_run(20);
      CHECK(said.find("task `ask") == 0);
      CHECK(said.find("failed on batch 7") != std::string::npos);
      CHECK(said.find(at_once ? "not even begun" : "no answer") != std::string::npos);
      CHECK(f.w.idle());
      s.again();
      s.check_run(20);
    });
}

TEST_CASE("what a stream does not tell a coroutine it fails by") {
  const deadline all("the wait before a coroutine fails");
  for (std::size_t nth = 0; nth < 40; ++nth) {
    CAPTURE(nth);
    fixture f;
    {
      subject<alone> s(f);
      s.check_run(10);
      f.w.fail(call::synchronize_event, nth, status::unknown);
      const std::string said = s.failed_run(10);
      if (f.w.faults_left() > 0) break;
      CHECK(said.find("synchron") != std::string::npos);
      s.again();
      s.check_run(10);
    }
    CHECK(f.leaks() == "");
  }
}

TEST_CASE("a run that is left waits for its coroutines and its streams") {
  const deadline all("a run is left while a coroutine is suspended");
  with_each_seed(2, [](fixture& f, unsigned) {
    suspended there;
    subject<job> s(f);
    s.of.on = &there;
    std::optional<resuming> rest;
    {
      auto run = s.pipeline.run(numbers(f.w, 20));
      {
        const resuming first(there, 1);
        CHECK(run.next());
      }
      while (there.seen() < 2) std::this_thread::yield();
      // One is suspended, and is resumed while the run is being left, or so it should be.
      rest.emplace(there, 1, true);
    }
    CHECK(s.pipeline.report().end == st::run_end::left_early);
    CHECK(s.of.begun == s.of.ended);
    CHECK(f.w.idle());
  });
}

TEST_CASE("a stop request lets coroutines and streams through, or ends when they have") {
  const deadline all("a run with a coroutine on a device is stopped");
  for (const bool cancels : {false, true})
    with_each_seed(4, [&](fixture& f, unsigned) {
      subject<job> s(f);
      std::stop_source stop;
      std::size_t seen_so_far = 0;
      const auto use = [&](const pinned_cell&) {
        if (++seen_so_far == 3) stop.request_stop();
      };
      if (cancels) {
        s.pipeline.run(numbers(f.w, 100), st::cancel_on(stop.get_token())).for_each(use);
      } else {
        s.pipeline.run(numbers(f.w, 100), stop.get_token()).for_each(use);
      }
      CHECK(s.pipeline.report().end == (cancels ? st::run_end::cancelled : st::run_end::drained));
      CHECK(s.of.begun == s.of.ended);
      CHECK(f.w.idle());
      s.again();
      s.check_run(10);
    });
}

/// Once per two batches: in the others it is passed over.
struct ask_every_other : ask {
  static constexpr int every = 2;
};
struct note {
  recording::world& w;
  void operator()(st::latest<answer<pinned_cell>> in, st::out<done> out) const {
    w.host_write(out->data(), in ? w.host_read(in->data()) : 0);
  }
};
struct rated : st::schedule<st::source<raw>, st::result<done>, two_streams, upload, infer,
                            ask_every_other, note, st::slack<raw>, st::slack<question>> {};

TEST_CASE("a coroutine has a rate on a device, too") {
  const deadline all("a coroutine on a device once per two batches");
  with_each_seed(4, [](fixture& f, unsigned) {
    asked of{f.w};
    tested::pipeline<rated, device> p(f.d, upload{{f.d}}, infer{{f.d}}, ask_every_other{{{&of}}},
                                      note{f.w}, streams{{"copies"}, {"compute"}});
    const std::vector<long> made = results(p, f.w, 21);
    REQUIRE(made.size() == 21);
    for (std::size_t b = 0; b < made.size(); ++b) {
      const std::size_t asked_last = b % 2 == 1 ? b : b - 1;
      CHECK(made[b] ==
            (b == 0 ? 0
                    : made_by(
                          "ask",
                          {made_by("infer", {made_by("upload", {number_of_batch(asked_last)})})})));
    }
    CHECK(of.ended == 10);
  });
}

TEST_CASE("a watchdog tells which coroutine is suspended on a device") {
  const deadline all("a watchdog looks at a coroutine on a device");
  fixture f;
  suspended there;
  subject<job, device, ask, merge, st::monitor> s(f);
  s.of.on = &there;
  std::mutex mutex;
  std::condition_variable told;
  std::string what;
  const st::watchdog dog(
      tested::untyped(s.pipeline), std::chrono::milliseconds(20), [&](const std::string& text) {
        const std::lock_guard lock(mutex);
        // On a busy machine it may be told of what comes later as well.
        if (text.find("thread `ask` has been in `ask` on batch 0") == std::string::npos) return;
        what = text;
        told.notify_one();
      });
  std::thread thread([&] {
    {
      std::unique_lock lock(mutex);
      told.wait(lock, [&] { return !what.empty(); });
    }
    for (int i = 0; i < 2; ++i) there.resume_one();
  });
  s.check_run(2);
  thread.join();
}

}  // namespace
