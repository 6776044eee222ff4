// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What padding finds of pipelines in virtual time, where it is known which task is exposed; and
// that runs of pipelines of both versions compute with it what they do without.

#include <doctest/doctest.h>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <stretto/bound/bound_of.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch/padding.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "../bound/known_exposure.hpp"
#include "virtual_run.hpp"

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using std::chrono::microseconds;
using virtual_padding = st::watch::detail::padding_by<virtual_clock>;

namespace {

st::padding_result padded(const dynamic::planned_schedule& planned, st::padding_options how,
                          std::size_t batches) {
  virtual_run virtually(planned);
  virtual_padding padding;
  virtually.attach(padding);
  padding.pad(how);
  CHECK(virtually.run(padding, batches) < virtual_clock::look);
  return padding.result();
}

/// By what is known of it, with one that is neither a task's nor a progress': 2 µs, none of which
/// any of them has to spare.
void check_slopes(const dynamic::schedule& s, std::size_t stretch = 16) {
  const dynamic::planned_schedule planned(s);
  const st::plan_bound bound = st::bound_of(planned);
  const st::padding_result found = padded(planned, {.longest = microseconds(2), .stretch = stretch},
                                          40 * s.tasks.size() * stretch);
  CHECK(found.period.count() == doctest::Approx(bound.period().value() * 1e-9));
  REQUIRE(found.tasks.size() == s.tasks.size());
  for (const st::padding_result::row& r : found.tasks) {
    CAPTURE(r.task);
    const double slope = known_exposure::slope_of(bound, r.task);
    CHECK(r.stretches >= 15);
    CHECK(r.slope == doctest::Approx(slope).epsilon(0.01));
    CHECK(r.low <= r.slope);
    CHECK(r.slope <= r.high);
    CHECK(r.high - r.low < 0.1);
    CHECK(r.found() == (slope > 0.1 ? st::padding_result::finding::exposed
                                    : st::padding_result::finding::hidden));
    CHECK(r.time.count() == doctest::Approx(static_cast<double>(bound.time_of(r.task)) * 1e-9));
    CHECK(r.exposed_at_most().count() >= bound.exposed(r.task).value() * 1e-9 - 1e-9);
  }
}

}  // namespace

TEST_CASE("slopes are those of the model, whatever exposes or hides a task") {
  for (const known_exposure::known& k : known_exposure::all_known()) check_slopes(k.schedule);
}

TEST_CASE("of workers that share a task, each batch of one delays half of all") {
  using namespace known_exposure;
  dynamic::schedule s =
      of({task("load", 90, {"in"}, {"x"}, 2, "other"), task("use", 30, {"x"}, {})}, {});
  s.groups.push_back({"other", 0, 2});
  check_slopes(s);
}

TEST_CASE("of a circle that takes two progresses, each batch of a task delays half of all") {
  using namespace known_exposure;
  dynamic::schedule s = of(
      {task("decode", 30, {"in"}, {"image"}, 1, "decoder"),
       task("crop", 20, {"image"}, {"patch"}, 1, "cropper"), task("train", 35, {"patch"}, {"out"})},
      {"out"});
  s.slacks.push_back({"image", 1});
  check_slopes(s);
}

TEST_CASE("of a task that does not run for each batch, its time per batch counts") {
  using namespace known_exposure;
  dynamic::schedule s = of({task("use", 30, {"in"}, {"x"}), task("save", 60, {"x"}, {})}, {});
  s.tasks[1].every = 4;
  const dynamic::planned_schedule planned(s);
  for (const std::size_t stretch : {std::size_t{16}, std::size_t{23}}) {
    const st::padding_result found =
        padded(planned, {.longest = microseconds(2), .stretch = stretch}, 100 * stretch);
    CHECK(found.period.count() == doctest::Approx(45e-6));
    CHECK(found.of("save")->time.count() == doctest::Approx(15e-6));
    CHECK(found.of("save")->slope == doctest::Approx(1).epsilon(0.01));
    CHECK(found.of("use")->slope == doctest::Approx(1).epsilon(0.01));
  }
}

TEST_CASE("a first stretch that is slow, as threads start, is compared with nothing") {
  const dynamic::planned_schedule planned(known_exposure::all_known()[0].schedule);
  virtual_run virtually(planned);
  virtual_padding padding;
  virtually.attach(padding);
  padding.pad({.longest = microseconds(2)});
  virtually.run(padding, 3 * 16, 16);
  const st::padding_result found = padding.result();
  CHECK(found.stretches == 1);
  for (const st::padding_result::row& r : found.tasks)
    if (r.stretches == 1) CHECK(r.slope == doctest::Approx(1).epsilon(0.01));
  CHECK(found.period.count() == doctest::Approx(80e-6));
}

TEST_CASE("what is padded by more than it has to spare is not hidden") {
  using namespace known_exposure;
  const dynamic::schedule s =
      of({task("load", 70, {"in"}, {"x"}, 1, "other"), task("use", 80, {"x"}, {"out"})}, {"out"});
  const st::padding_result found =
      padded(dynamic::planned_schedule(s), {.longest = microseconds(40), .stretch = 64}, 64 * 200);
  const st::padding_result::row* const load = found.of("load");
  CHECK(load->slope > 0.3);
  CHECK(load->slope < 0.9);  // of all that is longer, a part
  CHECK(found.of("use")->slope == doctest::Approx(1).epsilon(0.01));
  CHECK(found.of("other") == nullptr);
}

TEST_CASE("several runs are one experiment, in which no stretch is in two of them") {
  using namespace known_exposure;
  const dynamic::planned_schedule planned(all_known()[0].schedule);
  virtual_run virtually(planned);
  virtual_padding padding;
  virtually.attach(padding);
  CHECK(padding.result().tasks.size() == 2);
  CHECK(padding.result().tasks[0].stretches == 0);
  padding.pad({.longest = microseconds(2), .stretch = 8, .most_stretches = 30});
  CHECK(padding.result().stretches == 0);
  std::size_t before = 0;
  // Of the first run the stretches from 1 to 8 are whole, and 1, 3, 5 and 7 padded.
  for (const std::size_t stretches : {4U, 8U, 12U, 13U, 13U}) {
    // Whether it begins anew, or goes on where the one before has ended.
    virtually.run(padding, 8 * 9 + 7, 0, before * 1001);
    const st::padding_result found = padding.result();
    CHECK(found.stretches == stretches);
    CHECK(found.tasks[0].stretches + found.tasks[1].stretches == stretches);
    CHECK(found.stretches >= before);
    before = found.stretches;
    CHECK(found.period.count() == doctest::Approx(80e-6));
    for (const st::padding_result::row& r : found.tasks)
      CHECK(r.slope == doctest::Approx(1).epsilon(0.01));
  }
  padding.pad({.longest = microseconds(2)});
  CHECK(padding.result().stretches == 0);
}

TEST_CASE("what ranks pad does not depend on what happens in them") {
  using namespace known_exposure;
  const auto draws = [](int time, std::size_t batches, st::padding_options how, bool again = true) {
    const dynamic::planned_schedule planned(
        of({task("a", time, {"in"}, {"x"}), task("b", 10, {"x"}, {"y"}, 0, "other"),
            task("c", 10, {"y"}, {"out"})},
           {"out"}));
    virtual_run virtually(planned);
    virtual_padding padding;
    virtually.attach(padding);
    padding.pad(how);
    virtually.run(padding, batches);
    if (again) virtually.run(padding, 10);
    std::vector<std::vector<long long>> all;
    for (std::size_t stretch = 0; stretch < 60; ++stretch) {
      std::vector<long long>& by = all.emplace_back();
      for (std::size_t t = 0; t < 3; ++t)
        by.push_back(padding.padded_by(t, 16 * stretch + stretch % 16).count());
    }
    return all;
  };
  const st::padding_options how{.longest = microseconds(2)};
  const auto one = draws(10, 100, how);
  CHECK(one == draws(70, 40, how));
  CHECK(one != draws(10, 100, how, false));  // nor does a run repeat another
  CHECK(one != draws(10, 100, {.longest = microseconds(2), .seed = 2}));
  CHECK(one != draws(10, 100, {.longest = microseconds(2), .seed = std::uint64_t{1} << 32U | 1U}));
  // No two tasks at once, none in every other stretch, each as often as the others.
  std::vector<int> times(3);
  for (std::size_t s = 0; s < one.size(); ++s) {
    int padded = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      if (one[s][t] == 0) continue;
      ++padded;
      ++times[t];
      CHECK(one[s][t] >= 1'000);
      CHECK(one[s][t] <= 2'000);
    }
    CHECK(padded == static_cast<int>(s % 2));
  }
  CHECK(times == std::vector<int>{10, 10, 10});
}

TEST_CASE("a padding says how it is to be used") {
  using namespace known_exposure;
  const dynamic::planned_schedule planned(all_known()[1].schedule);
  virtual_run virtually(planned);
  virtual_padding padding;
  virtually.attach(padding);
  CHECK_THROWS_WITH_AS(padding.run_begins(),
                       "a padding has to be told by how much it pads tasks: "
                       "`pipeline.observer().pad({.longest = std::chrono::microseconds(100)})`",
                       st::usage_error);
  CHECK_THROWS_WITH_AS(padding.pad({}),
                       "tasks cannot be padded by no time or less: say by how much, `longest`",
                       st::usage_error);
  CHECK_THROWS_AS(padding.pad({.longest = microseconds(-1)}), st::usage_error);
  CHECK_THROWS_WITH_AS(padding.pad({.longest = microseconds(1), .stretch = 1}),
                       "a padding needs stretches of two batches and more, and three stretches "
                       "and more",
                       st::usage_error);
  CHECK_THROWS_AS(padding.pad({.longest = microseconds(1), .most_stretches = 2}), st::usage_error);
  padding.pad({.longest = microseconds(1), .stretch = 3});
  padding.run_begins();
  CHECK_THROWS_WITH_AS(padding.pad({.longest = microseconds(2)}),
                       "a run is being padded: call `pad` before it begins or when it has ended",
                       st::usage_error);
  padding.run_ended();
  virtually.run(padding, 100);
  CHECK_THROWS_WITH_AS(padding.result(),
                       "stretches of 3 batches are too short for a padding with 2 batches in "
                       "flight: let `stretch` be at least 6",
                       st::usage_error);

  dynamic::schedule rated = all_known()[0].schedule;
  rated.results = {};
  rated.tasks[1].every = 20;
  const dynamic::planned_schedule of_groups(rated);
  virtual_run slowly(of_groups);
  virtual_padding other;
  slowly.attach(other);
  other.pad({.longest = microseconds(1)});
  CHECK_THROWS_WITH_AS(other.run_begins(),
                       "tasks run once per 20 batches: stretches of a padding have to be longer "
                       "than 16 batches",
                       st::usage_error);
}

TEST_CASE("a result as text") {
  using namespace std::chrono_literals;
  st::padding_result r;
  r.period = 3210us;
  r.stretches = 400;
  r.batches = 16;
  r.longest = 300us;
  r.tasks = {{"decode", false, 100, 1546us, 0.0201, -0.01, 0.0499},
             {"train", false, 100, 1000us, 0.99, 0.9, 1.1},
             {"save", false, 100, 50us, 0.3, 0.05, 0.6},
             {"log", false, 7, 2us, 0.3, -INFINITY, INFINITY},
             {"kernel", true, 100, 40us, 0.01, 0, 0.02},
             {"copy", true, 0, 0us, 0, -INFINITY, INFINITY, false}};
  CHECK(
      r.text() ==
      "a progress takes 3.21 ms; tasks were padded by up to 300 us in 400 stretches of 16 "
      "batches\n"
      "  task    time     slope                 exposed\n"
      "  decode  1.55 ms  0.02 (-0.01 to 0.05)  no\n"
      "  train   1.00 ms  0.99 (0.90 to 1.10)   up to 1.00 ms\n"
      "  save    50.0 us  0.30 (0.05 to 0.60)   unknown: more stretches are needed\n"
      "  log     2.00 us                        unknown: padded in 7 stretches\n"
      "  kernel  40.0 us  0.01 (0.00 to 0.02)   no\n"
      "  copy                                   unknown: it works on a device, for which there is "
      "`cuda::padding`\n");
  CHECK(r.exposed() == std::vector<std::string>{"train"});
  r.tasks[2].low = 0.1;
  CHECK(r.tasks[2].found() == st::padding_result::finding::unknown);
  CHECK(r.tasks[2].exposed_at_most() == st::padding_result::seconds(30e-6));
  r.tasks[0].high = -0.1;
  CHECK(r.tasks[0].exposed_at_most().count() == 0);
}

namespace {

using clock_type = std::chrono::steady_clock;

struct number : st::slot<int> {};
struct moment : st::slot<clock_type::time_point> {};
struct square : st::slot<int> {};
struct sum : st::slot<long> {};

struct multiply {
  using thread = st::thread<"io">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<square, moment>;
  void operator()(int in, int& out, clock_type::time_point& done) const {
    out = in * in;
    done = clock_type::now();
  }
};
struct add {
  using reads = st::reads<number, square, moment>;
  using writes = st::writes<sum>;
  void operator()(int batch, int in, clock_type::time_point done, long& out) {
    out = total += in;
    if (padding == nullptr) return;
    const auto by = padding->padded_by(0, static_cast<std::size_t>(batch));
    waited_long_enough += clock_type::now() - done >= by ? 1 : 0;
    padded_batches += by > clock_type::duration{} ? 1 : 0;
  }
  long total = 0;
  static inline const st::padding* padding = nullptr;
  static inline int waited_long_enough = 0;
  static inline int padded_batches = 0;
};
struct sums : st::schedule<st::source<number>, st::result<sum>, multiply, add> {};

template <class Pipeline>
std::vector<long> results(Pipeline& pipeline, int batches) {
  std::vector<long> all;
  for (auto&& r : pipeline.run(std::views::iota(0, batches))) {
    if constexpr (requires { r.template get<long>(); }) {
      all.push_back(r.template get<long>());
    } else {
      all.push_back(r);
    }
  }
  return all;
}

template <class Padded>
void check_padded(Padded& pipeline, const std::vector<long>& plain) {
  constexpr int batches = 16 * 41;
  CHECK_THROWS_AS(results(pipeline, 1), st::usage_error);
  pipeline.observer().pad({.longest = microseconds(20)});
  add::padding = &pipeline.observer();
  add::waited_long_enough = add::padded_batches = 0;
  CHECK(results(pipeline, batches) == plain);
  add::padding = nullptr;
  CHECK(add::waited_long_enough == batches);  // who reads what a task made sees it later
  CHECK(add::padded_batches == 10 * 16);
  const st::padding_result found = pipeline.observer().result();
  REQUIRE(found.tasks.size() == 2);
  CHECK(found.tasks[0].task == "multiply");
  CHECK(found.tasks[0].stretches == 10);
  CHECK(found.tasks[1].stretches == 10);
  CHECK(found.stretches == 20);
  CHECK(found.period.count() > 0);
}

}  // namespace

TEST_CASE("pipelines of both versions compute with padding what they compute without") {
  st::pipeline<sums> plain;
  const std::vector<long> expected = results(plain, 16 * 41);
  st::pipeline<sums, st::padding> padded;
  check_padded(padded, expected);
  dynamic::pipeline<st::padding> of_values(dynamic::from_types<sums>());
  check_padded(of_values, expected);
}
