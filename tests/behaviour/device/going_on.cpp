// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs on a device that go on: behind a gap, in which the source has nothing yet, and where an
// earlier one ended. Memory that streams are still at work on is not filled again, and what is on
// the device of earlier batches is found there.

#include <cstddef>
#include <future>
#include <stretto/position.hpp>
#include <stretto/serve.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "looking_back.hpp"
#include "pairs.hpp"

namespace {

using namespace on_recording;
using replaying = st::device::backend<driver, true>;

/// Says that it has nothing yet before every batch whose number, and that of a seed, say so.
class gappy {
 public:
  gappy(recording::world& w, std::size_t batches, unsigned seed)
      : batches_(w, batches), seed_(seed) {}
  st::pulled operator()(pinned_cell& slot, bool may_wait) {
    if (!may_wait && (next_ * 7 + seed_) % 11 < 4 && !std::exchange(rested_, true))
      return st::pulled::nothing_yet;
    rested_ = false;
    ++next_;
    return batches_(slot) ? st::pulled::batch : st::pulled::end;
  }

 private:
  numbers batches_;
  std::size_t next_ = 0;
  unsigned seed_;
  bool rested_ = false;
};

template <class Schedule, class Device>
void check_gaps() {
  using namespace looking_back;
  with_each_seed(6, [](fixture& f, unsigned seed) {
    auto p = made<Schedule, Device>(f);
    for (const std::size_t batches : {30U, 1U, 9U})
      CHECK(results(p.run(gappy(f.w, batches, seed)), f.w) == expected(batches));
  });
}

TEST_CASE("behind gaps: a thread for each stream") { check_gaps<looking_back::training, device>(); }
TEST_CASE("behind gaps: the calling thread") { check_gaps<looking_back::alone, device>(); }
TEST_CASE("behind gaps: one batch after the other") {
  check_gaps<st::serial<looking_back::training>, device>();
}
TEST_CASE("behind gaps: graphs") {
  check_gaps<looking_back::training, replaying>();
  check_gaps<looking_back::alone, replaying>();
}

TEST_CASE("a thread that the device refuses behind a gap fails the run, which lets all go") {
  using namespace looking_back;
  fixture f;
  auto p = made<training, device>(f);
  numbers all(f.w, 9);
  std::size_t next = 0;
  const auto source = [&](pinned_cell& slot, bool may_wait) {
    if (next == 3 && !may_wait) {
      f.w.fail(call::current_device, 1, status::memory_allocation);
      return st::pulled::nothing_yet;
    }
    ++next;
    return all(slot) ? st::pulled::batch : st::pulled::end;
  };
  CHECK_THROWS_AS(results(p.run(source), f.w), st::task_error);
  CHECK(p.report().delivered == 3);
  p.reset();
  CHECK(results(p, f.w, 9) == expected(9));
  CHECK(f.breaches() == "");
}

TEST_CASE("graphs are made behind a gap, too") {
  fixture f;
  auto p = looking_back::made<looking_back::alone, replaying>(f);
  numbers all(f.w, 40);
  std::size_t next = 0;
  const auto source = [&](pinned_cell& slot, bool may_wait) {
    if (next == 1 && !may_wait) return st::pulled::nothing_yet;
    ++next;
    return all(slot) ? st::pulled::batch : st::pulled::end;
  };
  CHECK(results(p.run(source), f.w) == looking_back::expected(40));
  CHECK(p.device().graph_count() > 0);
}

template <class Schedule, class Device>
void check_parts() {
  using namespace looking_back;
  with_each_seed(6, [](fixture& f, unsigned) {
    auto p = made<Schedule, Device>(f);
    std::vector<long> all;
    std::size_t first = 0;
    for (const std::size_t last : {1U, 13U, 13U, 15U, 40U}) {
      for (const long r : results(p.run(numbers(f.w, last, first), st::onwards), f.w))
        all.push_back(r);
      first = last;
    }
    CHECK(all == expected(40));
    CHECK(results(p, f.w, 3) == expected(3));  // begins anew
  });
}

TEST_CASE("in parts: a thread for each stream") { check_parts<looking_back::training, device>(); }
TEST_CASE("in parts: the calling thread") { check_parts<looking_back::alone, device>(); }
TEST_CASE("in parts: one batch after the other") {
  check_parts<st::serial<looking_back::training>, device>();
}
TEST_CASE("in parts: graphs") {
  check_parts<looking_back::training, replaying>();
  check_parts<looking_back::alone, replaying>();
}

// What is looked back at is on the host: it can leave its pipeline.
namespace handed_over {

struct raw : st::slot<pinned_cell> {};
struct scaled : st::slot<pinned_cell> {};
struct sum : st::slot<long> {};

struct scale {
  using stream = st::stream<"main">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<scaled>;
  void operator()(st::context auto& c, const pinned_cell& in, pinned_cell& out) const {
    kernel(c, {out.data()}, {in.data()});
  }
};
struct add {
  recording::world& w;
  using reads = st::reads<scaled, st::previous<sum>>;
  using writes = st::writes<sum>;
  void operator()(const pinned_cell& in, st::previous<sum> before, long& out) const {
    out = w.host_read_slowly(in.data()) + (before ? *before : 0);
  }
};
struct adding : st::schedule<st::source<raw>, st::result<sum>, st::streams<"main">, scale, add> {};
struct elsewhere
    : st::replan<adding, st::threads<st::on_caller>, st::place<scale, st::lookahead<3>>,
                 st::place<add, st::lookahead<1>>> {};

std::vector<long> expected(std::size_t batches) {
  std::vector<long> all;
  long before = 0;
  for (std::size_t b = 0; b < batches; ++b)
    all.push_back(before += made_by("scale", {number_of_batch(b)}));
  return all;
}
template <class Run>
void append(std::vector<long>& all, Run&& run) {
  for (const long r : run) all.push_back(r);
}

}  // namespace handed_over

TEST_CASE("a position on the host begins a run on a device, and is taken of one") {
  using namespace handed_over;
  for (const std::size_t cut : {1U, 2U, 7U}) {
    CAPTURE(cut);
    with_each_seed(4, [cut](fixture& f, unsigned) {
      std::vector<long> all;
      st::position where(0);
      {
        tested::pipeline<adding, device> first{f.d, add{f.w}};
        append(all, first.run(numbers(f.w, cut)));
        where = first.position();
      }
      CHECK(where.batch() == cut);
      tested::pipeline<elsewhere, device> second{f.d, add{f.w}};
      append(all, second.run(numbers(f.w, 12, cut), st::from(where)));
      append(all, second.run(numbers(f.w, 20, 12), st::onwards));
      CHECK(all == expected(20));
    });
  }
}

template <class Schedule, class Device>
void check_half_processed() {
  using namespace handed_over;
  for (unsigned seed = 0; seed <= 4; ++seed) {
    for (const std::size_t count : {1U, 2U, 3U, 7U})
      for (const bool streams_too : {false, true}) {
        CAPTURE(seed);
        CAPTURE(count);
        fixture f;
        if (seed > 0) f.w.jitter(seed);
        st::position where(0);
        for (std::size_t b = 0; b < count; ++b) {
          where.seed<sum>(b, expected(b + 1).back());
          if (streams_too) where.seed_unread<scaled>(b).seed_unread<raw>(b);
        }
        tested::pipeline<Schedule, Device> p{f.d, add{f.w}};
        std::vector<long> all;
        append(all, p.run(numbers(f.w, 20, streams_too ? count : 0), st::from(where)));
        append(all, p.run(numbers(f.w, 40, 20), st::onwards));
        CHECK(all == expected(40));
        CHECK(f.breaches() == "");
      }
  }
}

TEST_CASE("batches that begin half-processed on the host go through a device") {
  check_half_processed<handed_over::adding, device>();
  check_half_processed<handed_over::elsewhere, device>();
  check_half_processed<st::serial<handed_over::adding>, device>();
  check_half_processed<handed_over::adding, replaying>();
  check_half_processed<handed_over::elsewhere, replaying>();
}

TEST_CASE("what is written on a device is not seeded") {
  using namespace handed_over;
  fixture f;
  tested::pipeline<adding, device> p{f.d, add{f.w}};
  st::position where(0);
  where.seed("raw", 0, 1L);
  try {
    static_cast<void>(p.run(numbers(f.w, 1), st::from(where)));
    FAIL("nothing was thrown");
  } catch (const st::usage_error& e) {
    CHECK(std::string(e.what()) ==
          "slot `raw` cannot be seeded for batch 0: it is written on the device: give what a task "
          "on the host writes");
  }
}

TEST_CASE("what a device makes does not leave its pipeline") {
  using namespace looking_back;
  fixture f;
  auto p = made<alone, device>(f);
  try {
    static_cast<void>(p.run(numbers(f.w, 9, 5), st::from(st::position(5))));
    FAIL("nothing was thrown");
  } catch (const st::usage_error& e) {
    CHECK(std::string(e.what()) ==
          "batches from 5 on look back at slot `batch`, whose values the device makes, so that a "
          "position has no copies of them: let the pipeline go on by st::onwards, or look back at "
          "a slot on the host into which a task copies what is needed");
  }
  CHECK(results(p, f.w, 9) == expected(9));
}

namespace transient {

using memory = st::device::transient_buffer<long, driver>;
struct raw : st::slot<pinned_cell> {};
struct kept : st::slot<memory> {};
struct out : st::slot<pinned_cell> {};

struct fill {
  using stream = st::stream<"main">;
  using reads = st::reads<raw>;
  using writes = st::writes<kept>;
  void operator()(st::context auto& c, const pinned_cell& in, memory& to) const {
    kernel(c, {to.resize(1)}, {in.data()});
  }
};
struct look {
  using stream = st::stream<"main">;
  using reads = st::reads<kept, st::previous<kept>>;
  using writes = st::writes<out>;
  void operator()(st::context auto& c, const memory& in, const st::previous<kept>& before,
                  pinned_cell& to) const {
    kernel(c, {to.data()}, {in.data(), before ? before->data() : in.data()});
  }
};
struct lasting : st::schedule<st::source<raw>, st::result<out>, st::streams<"main">, fill, look> {};

}  // namespace transient

TEST_CASE("memory that was given back when a run ended is not looked back at, behind a gap it is") {
  using namespace transient;
  fixture f;
  tested::pipeline<lasting, device> p{f.d};
  const std::vector<long> all = results(p, f.w, 8);
  CHECK(results(p.run(gappy(f.w, 8, 1)), f.w) == all);
  try {
    static_cast<void>(p.run(numbers(f.w, 9, 8), st::onwards));
    FAIL("nothing was thrown");
  } catch (const st::usage_error& e) {
    CHECK(std::string(e.what()) ==
          "batches look back at slot `kept`, whose memory is transient and was given back when the "
          "run before ended: let one run have all batches, or use a type whose memory stays, such "
          "as a `buffer`");
  }
  CHECK(f.breaches() == "");
}

TEST_CASE("the device of the calling thread is its own again behind a run with gaps") {
  using namespace looking_back;
  fixture f(2);
  f.d.set_device(1);
  {
    auto p = made<alone, device>(
        f,
        streams{{"memcpy", {.device = 0}}, {"compute", {.device = 0}}, {"third", {.device = 0}}});
    CHECK(results(p.run(gappy(f.w, 9, 1)), f.w) == expected(9));
    int current = -1;
    f.d.current_device(current);
    CHECK(current == 1);
  }
  f.d.set_device(0);
}

TEST_CASE("a device that fails in a part of the batches names them by their own numbers") {
  using namespace looking_back;
  fixture f;
  auto p = made<alone, device>(f);
  CHECK(results(p.run(numbers(f.w, 5)), f.w).size() == 5);
  const recording::stream third = p.device().stream("third");
  auto run = p.run(numbers(f.w, 9, 5), st::onwards);
  CHECK(run.next());
  CHECK(run.batch() == 5);
  f.w.take_log();
  f.d.enqueue_failing(third, status::assertion, "fails");
  CHECK_THROWS_AS(while (run.next()){}, st::task_error);
  const st::run_report& told = p.report();
  CHECK(told.first == 5);
  CHECK(told.end == st::run_end::failed);
  CHECK(told.failures.front().batch >= 6);
  for (const st::run_report::unfinished& u : told.in_flight) CHECK(u.batch >= 6);
}

template <class Schedule, class... Options>
void check_server() {
  using namespace paired;
  for (unsigned seed = 0; seed <= 4; ++seed) {
    subject<Schedule, Options...> s;
    if (seed > 0) s.w.jitter(seed);
    constexpr long each = 40;
    {
      st::server server(s.pipeline, 5);
      std::vector<std::thread> requesters;
      for (long t = 0; t < 3; ++t)
        requesters.emplace_back([&server, t] {
          std::vector<std::pair<long, std::future<long>>> open;
          for (long i = 0; i < each; ++i) {
            open.emplace_back(t * each + i, server.ask(t * each + i));
            if (i % (t + 1) != 0) continue;  // some wait for each answer
            for (auto& [asked, answer] : open) CHECK(answer.get() == paired::expected(asked));
            open.clear();
          }
          for (auto& [asked, answer] : open) CHECK(answer.get() == paired::expected(asked));
        });
      for (std::thread& t : requesters) t.join();
    }
    CHECK(s.pipeline.report().delivered == 3 * each);
    CHECK(s.breaches() == "");
    s.check_run();  // the pipeline is the caller's again
  }
}

TEST_CASE("a server on a device: a thread for each stream") { check_server<paired::pairs>(); }
TEST_CASE("a server on a device: one thread") { check_server<paired::alone>(); }
TEST_CASE("a server on a device: workers") { check_server<paired::manned>(); }
TEST_CASE("a server on a device: one batch after the other") {
  check_server<st::serial<paired::pairs>>();
}

}  // namespace
