// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that run at the end of the stream, too, for what is left of a group: for which batches they
// do, and what they get, in all kinds of plans, next to the same work done one batch after the
// other; and what reports say of groups that are not ended.

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <stretto/push.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"

namespace {

namespace st = stretto;

struct sample : st::slot<int> {};
struct gradient : st::slot<long> {};
struct weights : st::slot<long> {};  // once per 3 batches
struct loss : st::slot<long> {};

/// Lets other threads go first, now and then.
void dawdle(long number) {
  if (number * 7919 % 11 < 3)
    std::this_thread::sleep_for(std::chrono::microseconds(number % 7 * 30));
}

/// What tasks noted in a run, each in a row of its own.
using notes = std::vector<std::vector<long>>;
notes of_step, of_early, of_wide;
constexpr long none = -77;
constexpr int never = std::numeric_limits<int>::max();
int fails_at = never;   ///< a sample that `backward` throws on
int breaks_at = never;  ///< a batch that `step` throws for

void forget() {
  for (notes* of : {&of_step, &of_early, &of_wide}) of->clear();
  fails_at = breaks_at = never;
}

struct backward {
  static constexpr int lookahead = 1;
  void operator()(st::in<sample> x, st::latest<weights, 2> w, st::out<gradient> g) const {
    g = -1;
    dawdle(*x + 1);
    if (*x == fails_at) throw std::runtime_error("bad sample");
    g = 10L * *x + w.value_or(7) % 97;
  }
};
struct step {  // with the last batch of each 3
  static constexpr int every = 3;
  static constexpr bool and_at_end = true;
  void operator()(const st::context auto& ctx, st::window<gradient, 3> group,
                  st::previous<weights> before, st::out<weights> w) const {
    std::vector<long> note{static_cast<long>(ctx.batch())};
    if (static_cast<int>(ctx.batch()) == breaks_at) throw std::runtime_error("no more");
    w = -1;
    long sum = before.value_or(1) % 1000;
    for (const long g : group) {
      note.push_back(g);
      sum = 3 * sum + g;
    }
    dawdle(sum);
    w = sum;
    of_step.push_back(note);
  }
};
struct early {  // with the second of each 4, before which there is one
  static constexpr int every = 4;
  static constexpr int phase = 1;
  static constexpr bool and_at_end = true;
  static constexpr int lookahead = 1;
  void operator()(const st::context auto& ctx, st::in<sample> x, st::previous<sample> before,
                  st::in<gradient> g) const {
    of_early.push_back({static_cast<long>(ctx.batch()), *x, before.value_or(-77), *g});
    dawdle(*x + 2);
  }
};
struct wide {  // with the last of each 6, that of two groups of `step`
  static constexpr int every = 6;
  static constexpr bool and_at_end = true;
  void operator()(st::window<weights, 2> both, st::previous<gradient, 6> g,
                  st::latest<weights, 5> last, st::latest<gradient, 1> newest) const {
    std::vector<long> note{last.value_or(none), newest.value_or(none), g.value_or(none)};
    for (const long v : both) note.push_back(v);
    of_wide.push_back(note);
    dawdle(both[0]);
  }
};
struct rare {  // for full groups only
  static constexpr int every = 5;
  void operator()(st::in<sample>) const {}
};
struct report {
  void operator()(st::in<gradient> g, st::latest<weights> w, st::out<loss> out) const {
    dawdle(*g);
    out = *g + 2 * w.value_or(-1);
  }
};

struct trained : st::schedule<st::source<sample>, st::result<loss>, backward, step, early, wide,
                              rare, report, st::threads<st::per_task>> {};

/// The same, batch by batch.
struct serial_run {
  std::vector<long> results;
  notes step, early, wide;

  explicit serial_run(long batches) {
    std::vector<long> g;
    std::vector<long> w;
    const auto at = [](const std::vector<long>& v, long i) {
      return i < 0 ? none : v[static_cast<std::size_t>(i)];
    };
    const auto do_step = [&](long batch, long last) {
      std::vector<long> note{batch};
      long sum = w.empty() ? 1 : w.back() % 1000;
      for (long b = last; b >= batch - 2; --b) {
        note.push_back(at(g, b));
        sum = 3 * sum + at(g, b);
      }
      w.push_back(sum);
      step.push_back(note);
    };
    const auto do_wide = [&](long batch, long last) {
      const bool both = last / 3 == batch / 3;
      wide.push_back({batch < 7 ? none : at(w, batch / 6 * 2 - 1),
                      at(g, last < batch ? last : batch - 1),
                      last < batch ? none : at(g, batch - 6), w.back()});
      if (both) wide.back().push_back(at(w, last / 3 - 1));
    };
    for (long b = 0; b < batches; ++b) {
      g.push_back(10 * b + (b < 4 ? 7 : at(w, (b - 4) / 3)) % 97);
      if (b % 3 == 2) do_step(b, b);
      if (b % 4 == 1) early.push_back({b, b, b - 1, at(g, b)});
      if (b % 6 == 5) do_wide(b, b);
      results.push_back(at(g, b) + 2 * (w.empty() ? -1 : w.back()));
    }
    const long last = batches - 1;
    if (batches % 3 != 0) do_step(last / 3 * 3 + 2, last);
    if (batches % 4 == 1) early.push_back({batches, last, none, at(g, last)});
    if (batches % 6 != 0) do_wide(last / 6 * 6 + 5, last);
  }
};

auto samples(int batches, int first = 0) {
  return [next = first, batches](int& into) mutable {
    into = next < batches ? next : -5;  // a source may have touched the slot when it ends
    return next++ < batches;
  };
}

void check_notes(const serial_run& expected) {
  CHECK(of_step == expected.step);
  CHECK(of_early == expected.early);
  CHECK(of_wide == expected.wide);
}

void check_report(const st::run_report& told, int batches) {
  CHECK(told.end == st::run_end::completed);
  const auto all = static_cast<std::size_t>(batches);
  CHECK(told.pulled == all);
  CHECK(told.finished == all);
  CHECK(told.delivered == all);
  CHECK(told.in_flight.empty());
  CHECK(told.failures.empty());
  REQUIRE(told.unfinished_groups.size() == (batches % 5 == 0 ? 0 : 1));
  if (batches % 5 != 0) {
    CHECK(told.unfinished_groups[0].task == "rare");
    CHECK(told.unfinished_groups[0].batches == all % 5);
  }
}

template <class Schedule, class... Options>
void check() {
  tested::pipeline<Schedule, Options...> p;
  // Each run begins anew, and with a group of its own.
  for (int batches = 0; batches <= 14; ++batches) {
    CAPTURE(batches);
    const serial_run expected(batches);
    for (int way = 0; way < 3; ++way) {
      CAPTURE(way);
      forget();
      std::vector<long> seen;
      if (way == 0) {
        for (const long l : p.run(samples(batches))) seen.push_back(l);
      } else if (way == 1) {
        p.run(samples(batches)).for_each([&](long l) { seen.push_back(l); });
      } else {
        auto run = p.run(samples(batches));
        while (run.has_more())
          if (run.progress()) seen.push_back(run.result());
      }
      CHECK(seen == expected.results);
      check_notes(expected);
      check_report(p.report(), batches);
    }
  }
}

struct alone : st::replan<trained, st::threads<st::on_caller>> {};
struct shared : st::replan<trained, st::threads<st::group<"pool", backward, early>>,
                           st::workers<"pool", 2>, st::queue<"host", 2>> {};
struct reader : st::replan<trained, st::source<sample, st::thread<"reader">, st::lookahead<3>>> {};
struct long_alone : st::replan<alone, st::slack<loss>> {};
struct long_threads : st::replan<trained, st::threads<st::group<"first", backward, early, rare>>> {
};

}  // namespace

template <>
inline constexpr std::size_t stretto::unrolled_up_to<long_alone> = 2;
template <>
inline constexpr std::size_t stretto::unrolled_up_to<long_threads> = 1;

TEST_CASE("threads of their own") { check<trained>(); }
TEST_CASE("a barrier after each progress") { check<trained, st::barrier>(); }
TEST_CASE("one thread, one batch after the other") { check<st::serial<trained>>(); }
TEST_CASE("one thread") { check<alone>(); }
TEST_CASE("workers that take turns") { check<shared>(); }
TEST_CASE("a source on a thread of its own, further ahead") { check<reader>(); }
TEST_CASE("a long chain") { check<long_alone>(); }
TEST_CASE("long chains on threads") { check<long_threads>(); }

TEST_CASE("where a stream fails, no group is ended") {
  tested::pipeline<trained> p;
  for (const int batch : {0, 3, 7, 9}) {
    CAPTURE(batch);
    forget();
    fails_at = batch;
    long seen = 0;
    CHECK_THROWS_AS(
        [&] {
          for (const long l : p.run(samples(10))) seen += l > 0 ? 1 : 1;
        }(),
        st::task_error);
    CHECK(seen == batch);
    for (const auto& note : of_step) CHECK(note[0] < batch);
    CHECK(p.report().end == st::run_end::failed);
    const auto left = static_cast<std::size_t>(batch % 3);
    for (const auto& group : p.report().unfinished_groups)
      if (group.task == "step") CHECK(group.batches == left);
    p.reset();
  }
}

TEST_CASE("a task that fails at the end does so behind all results") {
  tested::pipeline<trained> p;
  forget();
  breaks_at = 11;
  std::size_t seen = 0;
  try {
    for (const long l : p.run(samples(10))) {
      static_cast<void>(l);
      ++seen;
    }
    CHECK(false);
  } catch (const st::task_error& e) {
    CHECK(e.task() == "step");
    CHECK(e.batch() == 11);
  }
  CHECK(seen == 10);
  const st::run_report& told = p.report();
  CHECK(told.end == st::run_end::failed);
  CHECK(told.pulled == 10);
  CHECK(told.finished == 10);
  CHECK(told.delivered == 10);
  CHECK(told.in_flight.empty());
  bool listed = false;
  for (const auto& group : told.unfinished_groups)
    listed = listed || (group.task == "step" && group.batches == 1);
  CHECK(listed);
}

TEST_CASE("a stop is the end of the stream, too") {
  tested::pipeline<trained> p;
  forget();
  std::stop_source stop;
  std::size_t seen = 0;
  auto endless = [next = 0, &stop](int& into) mutable {
    into = next++;
    if (next == 8) stop.request_stop();
    return true;
  };
  for (const long l : p.run(endless, stop.get_token())) {
    static_cast<void>(l);
    ++seen;
  }
  CHECK(p.report().end == st::run_end::drained);
  CHECK(seen == 8);
  check_notes(serial_run(8));
}

TEST_CASE("a run that is left ends no group, and says so") {
  tested::pipeline<alone> p;
  forget();
  std::size_t seen = 0;
  for (const long l : p.run(samples(10))) {
    static_cast<void>(l);
    if (++seen == 7) break;
  }
  CHECK(of_step.size() == 2);
  CHECK(p.report().end == st::run_end::left_early);
  std::size_t left = 0;
  for (const auto& group : p.report().unfinished_groups)
    if (group.task == "step") left = group.batches;
  CHECK(left == 1);
  // With its last result in hand, too.
  forget();
  seen = 0;
  for (const long l : p.run(samples(10))) {
    static_cast<void>(l);
    if (++seen == 10) break;
  }
  CHECK(of_step.size() == 3);
  CHECK(p.report().end == st::run_end::left_early);
}

TEST_CASE("a run goes on from full groups, and not from one that was ended") {
  tested::pipeline<trained> p;
  forget();
  std::vector<long> seen;
  for (const long l : p.run(samples(12))) seen.push_back(l);
  for (const long l : p.run(samples(17, 12), st::onwards)) seen.push_back(l);
  CHECK(seen == serial_run(17).results);
  check_notes(serial_run(17));
  std::string said;
  try {
    static_cast<void>(p.run(samples(20, 17), st::onwards));
  } catch (const st::usage_error& e) {
    said = e.what();
  }
  CHECK(said.find("`step`") != std::string::npos);
  CHECK(said.find("and_at_end") != std::string::npos);
}

TEST_CASE("a pause of the source is no end") {
  tested::pipeline<trained> p;
  forget();
  std::vector<long> seen;
  auto gaps = [next = 0, gap = false](int& into) mutable {
    gap = !gap;
    if (gap && next < 11) return st::pulled::nothing_yet;
    if (next == 11) return st::pulled::end;
    into = next++;
    return st::pulled::batch;
  };
  for (const long l : p.run(gaps)) seen.push_back(l);
  CHECK(seen == serial_run(11).results);
  check_notes(serial_run(11));
}

TEST_CASE("batches that are pushed end with the flush") {
  tested::pipeline<trained> p;
  forget();
  {
    st::push_run steps(p);
    std::vector<long> seen;
    for (int b = 0; b < 7; ++b)
      if (steps.push(b)) seen.push_back(steps.result());
    while (steps.flush()) seen.push_back(steps.result());
    CHECK(seen == serial_run(7).results);
  }
  check_notes(serial_run(7));
}

namespace {

struct kept : st::slot<int> {};
int noted = 0;
struct sift {  // odd ones are dropped
  st::verdict operator()(st::in<sample> x, st::out<kept> k) const {
    k = *x;
    return *x % 2 == 0 ? st::keep : st::drop;
  }
};
void note_kept(st::in<kept> k) { noted = 100 * noted + *k; }
using note = st::task<"note", note_kept, st::every<4, 2, st::and_at_end>>;
struct sifted : st::schedule<st::source<sample>, sift, note> {};

}  // namespace

TEST_CASE("the last batch that is there decides whether it was dropped") {
  tested::pipeline<sifted> p;
  for (const auto& [batches, expected] :
       {std::pair{5, 204}, std::pair{6, 2}, std::pair{7, 206}, std::pair{2, 0}}) {
    CAPTURE(batches);
    noted = 0;
    for (const std::size_t b : p.run(samples(batches))) static_cast<void>(b);
    CHECK(noted == expected);
  }
}
