// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `run.for_each(f)` is a loop over the run, whatever happens in it: same results, same report, same
// values in the slots of what is left in flight.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <stretto/observe/timeline.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

// Slots of every kind: with several copies and with one, a few bytes and many, looked back on,
// viewed into.
struct point {
  int x = 0;
  float y = 0;
};
struct number : st::slot<int> {};
struct wide : st::slot<long> {};
struct half : st::slot<float> {};
struct share : st::slot<double> {};
struct place : st::slot<point> {};
struct text : st::slot<std::string> {};
struct shown : st::slot<std::string_view>, st::points_into<text> {};
struct digits : st::slot<std::array<char, 2>> {};
struct seen : st::slot<const char*> {};  // into digits, which whoever follows it reads, too
struct letter : st::slot<char> {};
struct lettered : st::slot<const char*>, st::points_into<letter> {};
struct mean : st::slot<double> {};
struct total : st::slot<long> {};

/// Which task fails, and on which batch.
struct fault {
  std::string_view task;
  long batch = -1;
};
void fail_at(const fault& f, std::string_view task, long batch) {
  if (f.task == task && f.batch == batch) throw std::runtime_error("planned");
}

struct widen {
  static constexpr int lookahead = 3;
  fault f{};
  void operator()(st::in<number> in, st::out<wide> out) const {
    fail_at(f, "widen", *in);
    if (*in % 3 != 1) *out = 10L * *in;  // else what the copy had before
  }
};
struct split {
  static constexpr int lookahead = 2;
  fault f{};
  void operator()(st::in<wide> in, st::in<number> n, st::out<share> out, st::out<half> h) const {
    *out = static_cast<double>(*in) / 4;
    if (*n % 2 == 0) *h = static_cast<float>(*in) / 2;
    fail_at(f, "split", *n);
  }
};
struct put {
  static constexpr int lookahead = 1;
  fault f{};
  void operator()(const st::context auto& ctx, st::in<share> in, st::in<number> n,
                  st::out<place> out) const {
    CHECK(ctx.batch() == static_cast<std::size_t>(*n));
    CHECK(ctx.progress() == ctx.batch() + 2);
    *out = {static_cast<int>(*in), static_cast<float>(*in) + 1};
    fail_at(f, "put", *n);
  }
};
struct spell {
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::out<text> out, st::out<digits> d,
                  st::out<letter> l) const {
    *l = static_cast<char>('a' + *in % 25);
    *out = "a text that is too long for where it is: " + std::to_string(*in);
    *d = {static_cast<char>('a' + *in % 26), static_cast<char>('A' + *in % 26)};
  }
};
struct show {
  static constexpr int lookahead = 1;
  void operator()(st::in<text> in, st::in<digits> d, st::out<shown> out, st::out<seen> character,
                  st::in<letter> l, st::out<lettered> view) const {
    *view = &*l;
    *out = std::string_view(*in).substr(20);
    *character = &(*d)[1];
  }
};
struct average {
  fault f{};
  void operator()(st::in<share> in, st::previous<mean, 2> before, st::in<number> n,
                  st::out<mean> out) const {
    *out = *in + (before ? *before / 2 : 100);
    fail_at(f, "average", *n);
  }
};
struct add {
  fault f{};
  long sum = 0;
  void operator()(st::in<wide> w, st::in<half> h, st::in<place> p, st::in<shown> t, st::in<digits>,
                  st::in<seen> c, st::in<lettered> l, st::window<mean, 3> last, st::in<number> n,
                  st::out<total> out) {
    sum += *w + static_cast<long>(*h) + p->x + static_cast<long>(p->y) +
           static_cast<long>(t->back()) + **c + 3 * **l;
    for (const double m : last) sum = (3 * sum + static_cast<long>(m)) % 1000003;
    *out = sum;
    fail_at(f, "add", *n);
  }
};

struct alone : st::schedule<st::source<number>, st::result<total>, st::threads<st::on_caller>,
                            widen, split, put, spell, show, average, add> {};
struct apart : st::replan<alone, st::threads<st::group<"ahead", widen, split>>> {};
struct read_elsewhere : st::replan<alone, st::threads<st::group<"ahead", widen, split>>,
                                   st::source<number, st::thread<"ahead">>> {};
struct two_results : st::replan<alone, st::result<total, share>> {};

#if !defined(STRETTO_TEST_DYNAMIC)
// Both kinds are here: slots that a loop on one thread has to itself, and those that it has not.
template <class Slot>
constexpr bool is_local = st::typed::detail::local_values<alone>::has<Slot>;
static_assert(is_local<wide> && st::copies_of<alone, wide> == 4);
static_assert(is_local<half> && st::copies_of<alone, half> == 3);
static_assert(is_local<total>);
static_assert(!is_local<number> && !is_local<share> && !is_local<place> && !is_local<mean>);
static_assert(!is_local<digits> && !is_local<letter> && !is_local<text>);
#endif

using found = std::vector<std::pair<std::size_t, long>>;  // batches and their results

auto up_to(int count) { return std::views::iota(0, count); }

/// How results are taken: by a loop over the run, by for_each, and by a loop over the results
/// alone.
enum class by { range, for_each, results };

/// Takes results from \p run; \p use is called with each.
template <class Run, class Use>
void take(by how, Run& run, Use use) {
  if (how == by::range) {
    for (auto&& r : run) use(r, run.batch());
  } else {
    run.for_each(use);
  }
}
/// Takes those of a run of \p pipeline, over what is \p given.
template <class Pipeline, class Use, class... Given>
void take_from(by how, Pipeline& pipeline, Use use, Given&&... given) {
  if (how == by::results) {
    std::size_t batch = 0;
    for (auto&& r : pipeline.results(std::forward<Given>(given)...)) use(r, batch++);
  } else {
    auto run = pipeline.run(std::forward<Given>(given)...);
    take(how, run, use);
  }
}

/// What a run has left: report and slots.
struct remains {
  st::run_end end{};
  std::size_t pulled = 0, finished = 0, delivered = 0;
  std::vector<std::pair<std::size_t, std::vector<std::string>>> in_flight;
  std::vector<double> values;
  friend bool operator==(const remains&, const remains&) = default;
};
template <class Slot, class Pipeline>
void add_value(Pipeline& pipeline, std::size_t batch, std::vector<double>& values) {
  const auto* const value = pipeline.template recover<Slot>(batch);
  values.push_back(value == nullptr ? -1 : static_cast<double>(*value));
}
template <class Pipeline>
remains what_is_left(Pipeline& pipeline) {
  const st::run_report& report = pipeline.report();
  remains r{report.end, report.pulled, report.finished, report.delivered, {}, {}};
  for (const auto& b : report.in_flight) {
    r.in_flight.emplace_back(b.batch, std::vector<std::string>(b.ran.begin(), b.ran.end()));
    add_value<number>(pipeline, b.batch, r.values);
    add_value<wide>(pipeline, b.batch, r.values);
    add_value<half>(pipeline, b.batch, r.values);
    add_value<share>(pipeline, b.batch, r.values);
    add_value<mean>(pipeline, b.batch, r.values);
    add_value<total>(pipeline, b.batch, r.values);
    const point* const p = pipeline.template recover<place>(b.batch);
    r.values.push_back(p == nullptr ? -1 : p->x + 1000.0 * static_cast<double>(p->y));
  }
  return r;
}

template <class Pipeline>
found results(by how, Pipeline& pipeline, int count, int stepped = 0) {
  found all;
  auto run = pipeline.run(up_to(count));
  for (int i = 0; i < stepped; ++i)
    if (run.next()) all.emplace_back(run.batch(), run.result());
  take(how, run, [&all](long r, std::size_t batch) { all.emplace_back(batch, r); });
  CHECK_FALSE(run.next());
  CHECK(pipeline.report().end == st::run_end::completed);
  CHECK(pipeline.report().delivered == static_cast<std::size_t>(count));
  return all;
}

template <class Pipeline>
void check_results() {
  const deadline limit("results");
  Pipeline looped;
  Pipeline called;
  Pipeline ranged;
  // Slots keep what they held, and tasks their state.
  for (const int count : {0, 1, 2, 3, 4, 5, 6, 7, 9, 20, 21, 5}) {
    CAPTURE(count);
    const found expected = results(by::range, looped, count);
    REQUIRE(expected.size() == static_cast<std::size_t>(count));
    CHECK(results(by::for_each, called, count) == expected);
    found taken;
    const auto keep = [&taken](long r, std::size_t batch) { taken.emplace_back(batch, r); };
    take_from(by::results, ranged, keep, up_to(count));
    CHECK(taken == expected);
    CHECK(what_is_left(ranged) == what_is_left(looped));
  }
  for (int stepped = 1; stepped < 14; ++stepped) {
    CAPTURE(stepped);
    CHECK(results(by::for_each, called, 12, stepped) == results(by::range, looped, 12));
  }
}

TEST_CASE(
    "for_each gives the results that a loop over the run gives, and may begin in the middle") {
  check_results<tested::pipeline<alone>>();
  check_results<tested::pipeline<alone, st::barrier>>();
  check_results<tested::pipeline<alone, st::spin>>();
  check_results<tested::pipeline<alone, st::spin_then_sleep<10>>>();
  check_results<tested::pipeline<alone, st::block>>();
  check_results<tested::pipeline<alone, st::timeline>>();
}
TEST_CASE("likewise with more threads") {
  check_results<tested::pipeline<apart>>();
  check_results<tested::pipeline<apart, st::barrier>>();
  check_results<tested::pipeline<apart, st::block>>();
  check_results<tested::pipeline<read_elsewhere>>();
}

TEST_CASE("a run that has no name, several results, and none") {
  const deadline limit("kinds of results");
  tested::pipeline<alone> looped;
  long expected = 0;
  for (const long r : looped.run(up_to(10))) expected = 31 * expected + r;
  tested::pipeline<alone> called;
  long sum = 0;
  called.run(up_to(10)).for_each([&sum](long r) { sum = 31 * sum + r; });
  CHECK(sum == expected);

  tested::pipeline<two_results> two;
  long again = 0;
  double shares = 0;
  two.run(up_to(10)).for_each([&](std::tuple<long&, double&> r) {
    again = 31 * again + std::get<0>(r);
    shares += std::get<1>(r);
  });
  CHECK(again == expected);
  CHECK(shares > 0);
}

struct check_only {
  static constexpr int lookahead = 2;
  void operator()(st::in<number> in) const { CHECK(*in >= 0); }
};
struct last_look {
  void operator()(st::in<number> in) const { CHECK(*in >= 0); }
};
struct no_result
    : st::schedule<st::source<number>, st::threads<st::on_caller>, check_only, last_look> {};

TEST_CASE("where there is no result, it gives the batches' numbers") {
  const deadline limit("no result");
  tested::pipeline<no_result> pipeline;
  std::vector<std::size_t> batches;
  pipeline.run(up_to(8)).for_each([&](std::size_t b) { batches.push_back(b); });
  CHECK(batches == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("what it calls may change results, and return something") {
  const deadline limit("changes");
  tested::pipeline<alone> pipeline;
  std::vector<long> seen_values;
  pipeline.run(up_to(8)).for_each([&](long& r) {
    r = 5;
    seen_values.push_back(r);
    return false;  // not looked at
  });
  CHECK(seen_values == std::vector<long>(8, 5));
  // A function object is called itself, not a copy of it.
  struct counter {
    int calls = 0;
    void operator()(long) { ++calls; }
  } count;
  pipeline.run(up_to(8)).for_each(count);
  CHECK(count.calls == 8);
}

// --- Sources

struct counting {
  int next = 0;
  int count = 0;
  bool operator()(int& slot) {
    if (next == count) return false;
    slot = next++;
    return true;
  }
};

TEST_CASE("every kind of source, kept or referred to") {
  const deadline limit("sources");
  tested::pipeline<alone> looped;
  const found expected = results(by::range, looped, 12);
  tested::pipeline<alone> pipeline;
  const auto check = [&](auto&& source) {
    pipeline.template task<add>().sum = 0;
    found all;
    pipeline.run(std::forward<decltype(source)>(source)).for_each([&](long r, std::size_t b) {
      all.emplace_back(b, r);
    });
    // The first batches find in their slots what an earlier run has left.
    CHECK(all.size() == expected.size());
    return all;
  };
  const found first = check(up_to(12));
  CHECK(first == expected);
  std::vector<int> numbers;
  for (const int i : up_to(12)) numbers.push_back(i);
  const std::array<int, 12> fixed{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const found again = check(numbers);
  CHECK(check(std::vector<int>(numbers)) == again);
  CHECK(check(fixed) == again);
  CHECK(check(std::array<int, 12>(fixed)) == again);
  CHECK(check(up_to(24) | std::views::filter([](int i) { return i < 12; })) == again);
  CHECK(check(counting{0, 12}) == again);
  CHECK(check([next = 0](int& slot) mutable { return (slot = next++) < 12; }) == again);
  CHECK(check([next = 0]() mutable { return next < 12 ? std::optional(next++) : std::nullopt; }) ==
        again);
  counting mine{0, 12};
  CHECK(check(mine) == again);
  CHECK(mine.next == 12);
}

TEST_CASE("a source that is referred to can be looked at in between; one that is kept goes on") {
  const deadline limit("sources in between");
  tested::pipeline<alone> pipeline;
  counting mine{0, 9};
  pipeline.run(mine).for_each([&](long, std::size_t batch) {
    CHECK(mine.next == std::min(9, static_cast<int>(batch) + 4));
  });

  found expected = results(by::range, pipeline, 12);
  pipeline.template task<add>().sum = 0;
  expected = results(by::range, pipeline, 12);
  // Between steps, for_each that is left, and a loop.
  pipeline.template task<add>().sum = 0;
  found all;
  auto run = pipeline.run(counting{0, 12});
  REQUIRE(run.next());
  all.emplace_back(run.batch(), run.result());
  CHECK_THROWS_AS(run.for_each([&](long r, std::size_t b) {
    all.emplace_back(b, r);
    if (b == 5) throw 5;
  }),
                  int);
  REQUIRE(run.next());
  CHECK(run.batch() == 6);
  all.emplace_back(run.batch(), run.result());
  run.for_each([&](long r, std::size_t b) { all.emplace_back(b, r); });
  CHECK(all == expected);
}

// --- What throws

template <class Pipeline>
struct outcome {
  found all;
  std::string error;
  remains left;
  found after;  ///< of the next run

  friend bool operator==(const outcome&, const outcome&) = default;
};

template <class Pipeline>
outcome<Pipeline> fail(by how, const fault& f, int count) {
  Pipeline pipeline{widen{f}, split{f}, put{f}, average{f}, add{f}};
  outcome<Pipeline> o;
  try {
    const auto use = [&](long r, std::size_t batch) {
      o.all.emplace_back(batch, r);
      fail_at(f, "use", static_cast<long>(batch));
    };
    take_from(how, pipeline, use, [next = 0, &f, count](int& slot) mutable {
      fail_at(f, "source", next);
      slot = next;
      return next++ < count;
    });
  } catch (const st::task_error& e) {
    o.error = e.what();
    o.error += " / " + std::string(e.task()) + std::to_string(e.batch()) + "/" +
               std::to_string(e.progress());
  } catch (const std::runtime_error& e) {
    o.error = e.what();
  }
  o.left = what_is_left(pipeline);
  if (pipeline.report().end == st::run_end::failed) {
    CHECK_THROWS_AS(static_cast<void>(pipeline.run(up_to(1))), st::usage_error);
    pipeline.reset();
  }
  pipeline.template task<add>().sum = 0;
  for (auto* const each : {&pipeline.template task<widen>().f, &pipeline.template task<split>().f,
                           &pipeline.template task<put>().f, &pipeline.template task<average>().f,
                           &pipeline.template task<add>().f})
    *each = {};
  o.after = results(how, pipeline, 7);
  return o;
}

template <class Pipeline>
void check_faults() {
  const deadline limit("faults");
  for (const std::string_view task :
       {"source", "widen", "split", "put", "average", "add", "use", "nobody"})
    for (const long batch : {0, 1, 2, 3, 4, 5, 7, 8, 9}) {
      CAPTURE(task);
      CAPTURE(batch);
      const fault f{task, batch};
      const auto expected = fail<Pipeline>(by::range, f, 10);
      for (const by how : {by::for_each, by::results}) {
        const auto got = fail<Pipeline>(how, f, 10);
        CHECK(got.all == expected.all);
        CHECK(got.error == expected.error);
        CHECK((got.error.empty()) == (task == "nobody"));
        CHECK(got.left == expected.left);
        CHECK(got.after == expected.after);
      }
    }
}

TEST_CASE("a task, the source or what it calls throws: as a loop over the run") {
  check_faults<tested::pipeline<alone>>();
  check_faults<tested::pipeline<alone, st::timeline>>();
}

TEST_CASE("whoever goes on after an exception of its own gets the next batch") {
  const deadline limit("goes on");
  const auto check = [](auto&& looped, auto&& pipeline) {
    const found expected = results(by::range, looped, 12);
    for (std::size_t thrown = 0; thrown < 12; ++thrown)
      for (const by how : {by::range, by::for_each}) {
        const found rest = results(by::range, looped, 12);
        found all;
        auto run = pipeline.run(up_to(12));
        const auto use = [&](long r, std::size_t b) {
          all.emplace_back(b, r);
          if (b == thrown) throw std::runtime_error("mine");
        };
        CHECK_THROWS_WITH(run.for_each(use), "mine");
        CHECK(run.batch() == thrown);
        CHECK(run.result() == all.back().second);
        take(how, run, [&](long r, std::size_t b) { all.emplace_back(b, r); });
        CHECK(all.size() == rest.size());
        CHECK(pipeline.report().end == st::run_end::completed);
        static_cast<void>(expected);
      }
  };
  check(tested::pipeline<alone>(), tested::pipeline<alone>());
  check(tested::pipeline<apart>(), tested::pipeline<apart>());
}

// --- Stops, gaps, leaving

TEST_CASE("stop requests, from what it calls and from a task, are seen as in a loop over the run") {
  const deadline limit("stops");
  const auto check = [](by how, bool now, std::size_t at) {
    tested::pipeline<alone> pipeline;
    std::stop_source stop;
    found all;
    const auto use = [&](long r, std::size_t b) {
      all.emplace_back(b, r);
      if (b == at) stop.request_stop();
    };
    if (now) {
      take_from(how, pipeline, use, up_to(20), st::cancel_on(stop.get_token()));
    } else {
      take_from(how, pipeline, use, up_to(20), stop.get_token());
    }
    return std::pair(all, what_is_left(pipeline));
  };
  for (const bool now : {false, true})
    for (const std::size_t at : {0U, 1U, 5U, 16U, 17U, 19U}) {
      CAPTURE(now);
      CAPTURE(at);
      const auto expected = check(by::range, now, at);
      const auto got = check(by::for_each, now, at);
      CHECK(got == expected);
      CHECK(check(by::results, now, at) == expected);
      const bool late = now ? at == 19 : at > 16;
      CHECK(got.second.end == (late  ? st::run_end::completed
                               : now ? st::run_end::cancelled
                                     : st::run_end::drained));
    }
}

/// Says what a text says: `b` a batch, `-` nothing yet; then the end.
struct scripted {
  std::string_view script;
  int next = 0;

  st::pulled operator()(int& slot) {
    if (script.empty()) return st::pulled::end;
    const char said = script.front();
    script.remove_prefix(1);
    if (said == '-') return st::pulled::nothing_yet;
    slot = next++;
    return st::pulled::batch;
  }
};

// Without what its context is asked for, as a progress after a gap has another number.
struct placed_anywhere {
  static constexpr int lookahead = 1;
  void operator()(st::in<share> in, st::out<place> out) const {
    *out = {static_cast<int>(*in), static_cast<float>(*in) + 1};
  }
};
struct with_gaps : st::schedule<st::source<number>, st::result<total>, st::threads<st::on_caller>,
                                widen, split, placed_anywhere, spell, show, average, add> {};

struct one_in_flight : st::serial<with_gaps> {};

template <class Pipeline>
void check_gaps() {
  const deadline limit("gaps");
  for (const std::string_view script :
       {"", "-", "---", "-b", "b-", "b--b", "bb-bbb-b", "-bbbbbb-", "bbbbbbb-bbbbbbbbbb--bbbbbb"}) {
    CAPTURE(std::string(script));
    const auto check = [](by how, auto&& source) {
      Pipeline pipeline;
      found all;
      const auto use = [&](long r, std::size_t b) { all.emplace_back(b, r); };
      take_from(how, pipeline, use, std::forward<decltype(source)>(source));
      CHECK(pipeline.report().end == st::run_end::completed);
      return all;
    };
    const found expected = check(by::range, scripted{script});
    for (const by how : {by::for_each, by::results}) {
      CHECK(check(how, scripted{script}) == expected);
      scripted mine{script};
      CHECK(check(how, mine) == expected);
    }
  }
}

TEST_CASE("across gaps it goes on, also where one batch is in flight at a time") {
  check_gaps<tested::pipeline<with_gaps>>();
  check_gaps<tested::pipeline<one_in_flight>>();
}

TEST_CASE("a run that is left after for_each was left early") {
  const deadline limit("left");
  const auto leave = [](by how, std::size_t at) {
    tested::pipeline<alone> pipeline;
    const auto use = [&](long, std::size_t b) {
      if (b == at) throw 7;
    };
    CHECK_THROWS_AS(take_from(how, pipeline, use, up_to(20)), int);
    return what_is_left(pipeline);
  };
  for (const std::size_t at : {0U, 1U, 2U, 9U, 18U}) {
    const remains got = leave(by::for_each, at);
    CHECK(got == leave(by::range, at));
    CHECK(got == leave(by::results, at));
    CHECK(got.end == st::run_end::left_early);
    CHECK(got.delivered == at + 1);
  }
}

// --- Loops over the results alone

template <class Pipeline>
void check_breaks() {
  Pipeline looped;
  Pipeline ranged;
  for (std::size_t left = 0; left < 12; ++left) {
    CAPTURE(left);
    found expected;
    auto run = looped.run(up_to(12));
    for (auto&& r : run) expected.emplace_back(run.batch(), r);
    std::size_t batch = 0;
    found all;
    auto results = ranged.results(up_to(12));
    CHECK_THROWS_AS(static_cast<void>(ranged.results(up_to(1))), st::usage_error);
    for (auto&& r : results) {
      all.emplace_back(batch, r);
      if (batch++ == left) break;
    }
    if (left < 11) CHECK_THROWS_AS(static_cast<void>(ranged.results(up_to(1))), st::usage_error);
    for (auto&& r : results) all.emplace_back(batch++, r);
    CHECK(all == expected);
    CHECK((results.begin() == results.end()));
    CHECK(what_is_left(ranged) == what_is_left(looped));
  }
}

TEST_CASE("a loop over the results is left, and another one goes on") {
  const deadline limit("breaks");
  check_breaks<tested::pipeline<alone>>();
  check_breaks<tested::pipeline<alone, st::timeline>>();
  check_breaks<tested::pipeline<apart>>();
}

TEST_CASE("results that nobody asks for, and iterators that are moved, or are two") {
  const deadline limit("iterators");
  tested::pipeline<alone> pipeline;
  { const auto nothing = pipeline.results(up_to(9)); }
  CHECK(pipeline.report().pulled == 0);
  CHECK(pipeline.report().end == st::run_end::left_early);

  tested::pipeline<alone> looped;
  found all;
  auto range = pipeline.results(up_to(9));
  auto at = range.begin();
  CHECK_THROWS_WITH_AS(static_cast<void>(range.begin()), doctest::Contains("end that loop first"),
                       st::usage_error);
  for (std::size_t batch = 0; at != range.end(); ++batch) {
    auto moved = std::move(at);
    all.emplace_back(batch, *moved);
    ++moved;
    at = std::move(moved);
  }
  CHECK(all == results(by::range, looped, 9));
  CHECK_THROWS_AS(static_cast<void>(*at), st::usage_error);
  CHECK_THROWS_AS(static_cast<void>(++at), st::usage_error);
  CHECK(pipeline.report().end == st::run_end::completed);
}

/// Calls `loop(pipeline, seen)`, which calls `seen` for each of 12 results, and destroys the
/// pipeline with one of them.
template <class Pipeline, class Loop>
void check_destroyed_in(Loop loop) {
  for (const std::size_t at : {0U, 1U, 5U, 6U, 8U}) {
    auto pipeline = std::make_unique<Pipeline>();
    std::size_t calls = 0;
    const auto seen = [&] {
      if (calls++ == at) pipeline.reset();
    };
    loop(*pipeline, seen);
    CHECK(calls == at + 1);
  }
}

template <class Pipeline>
void check_results_outlived() {
  check_destroyed_in<Pipeline>([](Pipeline& pipeline, const auto& seen) {
    auto results = pipeline.results(up_to(12));
    const auto loop = [&] {
      for ([[maybe_unused]] auto&& r : results) seen();
    };
    CHECK_THROWS_AS(loop(), st::usage_error);
  });
}

TEST_CASE("a pipeline that is destroyed in a loop over its results ends that") {
  const deadline limit("results outlived");
  check_results_outlived<tested::pipeline<alone>>();
  check_results_outlived<tested::pipeline<apart>>();
}

// --- Misuse

template <class Pipeline>
void check_misuse() {
  Pipeline pipeline;
  std::size_t refused = 0;
  std::size_t calls = 0;
  auto run = pipeline.run(up_to(9));
  run.for_each([&](long) {
    ++calls;
    const auto check = [&](auto ask) {
      try {
        ask();
      } catch (const st::usage_error& e) {
        CHECK(std::string(e.what()).find("for_each") != std::string::npos);
        ++refused;
      }
    };
    check([&] { static_cast<void>(run.next()); });
    check([&] { static_cast<void>(run.progress()); });
    check([&] { static_cast<void>(run.has_more()); });
    check([&] { static_cast<void>(run.batch()); });
    check([&] { static_cast<void>(run.result()); });
    check([&] { static_cast<void>(run.begin()); });
    check([&] { run.for_each([](long) {}); });
    // With its last result a run is over.
    if (calls < 9) CHECK_THROWS_AS(static_cast<void>(pipeline.run(up_to(1))), st::usage_error);
  });
  CHECK(calls == 9);
  CHECK(refused == 9 * 7);
  CHECK(pipeline.report().end == st::run_end::completed);
  run.for_each([](long) { CHECK(false); });  // it is over
}

TEST_CASE("the run is asked for nothing by what its for_each calls") {
  const deadline limit("misuse");
  check_misuse<tested::pipeline<alone>>();
  check_misuse<tested::pipeline<apart>>();
}

template <class Pipeline>
void check_outlived() {
  check_destroyed_in<Pipeline>([](Pipeline& pipeline, const auto& seen) {
    auto run = pipeline.run(up_to(12));
    CHECK_THROWS_AS(run.for_each([&](long) { seen(); }), st::usage_error);
    CHECK_THROWS_AS(static_cast<void>(run.next()), st::usage_error);
  });
  // And with an exception of its own.
  auto pipeline = std::make_unique<Pipeline>();
  auto run = pipeline->run(up_to(12));
  CHECK_THROWS_AS(run.for_each([&](long, std::size_t b) {
    if (b < 5) return;
    pipeline.reset();
    throw 9;
  }),
                  int);
  CHECK_THROWS_AS(static_cast<void>(run.next()), st::usage_error);
}

TEST_CASE("a pipeline that is destroyed by what for_each calls ends the run") {
  const deadline limit("outlived");
  check_outlived<tested::pipeline<alone>>();
  check_outlived<tested::pipeline<apart>>();
}

// --- Order

struct first_task {
  static constexpr int lookahead = 1;
  std::string* log;
  void operator()(st::in<number> in, st::out<wide> out) const {
    *log += 'f';
    *out = *in;
  }
};
struct second_task {
  std::string* log;
  void operator()(st::in<wide> in, st::out<total> out) const {
    *log += 's';
    *out = *in;
  }
};
struct in_order : st::schedule<st::source<number>, st::result<total>, st::threads<st::on_caller>,
                               first_task, second_task> {};

TEST_CASE("everything is in the order of a loop over the run") {
  const deadline limit("order");
  const auto check = [](by how, auto&& pipeline, std::string& log) {
    log.clear();
    auto run = pipeline.run([next = 0, &log](int& slot) mutable {
      log += 'p';
      return (slot = next++) < 6;
    });
    take(how, run, [&log](long, std::size_t) { log += 'r'; });
    return log;
  };
  std::string log;
  tested::pipeline<in_order> pipeline{first_task{&log}, second_task{&log}};
  const std::string expected = check(by::range, pipeline, log);
  CHECK(check(by::for_each, pipeline, log) == expected);

  tested::pipeline<in_order, st::timeline> watched{first_task{&log}, second_task{&log}};
  CHECK(check(by::for_each, watched, log) == expected);
}

}  // namespace
