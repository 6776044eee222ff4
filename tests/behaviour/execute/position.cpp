// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs that go on where an earlier one ended: in the same pipeline, or from a position in another
// one of the schedule, whatever its plan; next to a run that never ended.

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/position.hpp>
#include <stretto/push.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"
#include "going_on.hpp"

namespace {

using namespace going_on;

void check_report(const st::run_report& report, std::size_t first, std::size_t pulled) {
  CHECK(report.end == st::run_end::completed);
  CHECK(report.first == first);
  CHECK(report.pulled == pulled);
  CHECK(report.finished == pulled);
  CHECK(report.delivered == pulled);
  CHECK(report.in_flight.empty());
  CHECK_FALSE(report.holds(first));
}

template <class Pipeline>
void check_onwards() {
  const deadline limit("onwards");
  for (std::size_t cut = 0; cut < 17; ++cut) {
    Pipeline pipeline;
    CHECK(check_results(pipeline.run(samples(0, cut), st::onwards), 0) == cut);
    check_report(pipeline.report(), 0, cut);
    CHECK(check_results(pipeline.run(samples(cut, cut + 1), st::onwards), cut) == cut + 1);
    CHECK(check_results(pipeline.run(samples(cut + 1, batches), st::onwards), cut + 1) == batches);
    check_report(pipeline.report(), cut + 1, batches - cut - 1);
  }
}

/// From one pipeline to another, which has the first one's tasks.
template <class First, class Second>
void check_handed_over() {
  const deadline limit("handed over");
  for (std::size_t cut = 0; cut < 17; ++cut) {
    st::position where(0);
    tell told;
    {
      First first;
      CHECK(check_results(first.run(samples(0, cut)), 0) == cut);
      where = first.position();
      told = first.template task<tell>();
    }
    CHECK(where.batch() == cut);
    Second second(told);
    CHECK(check_results(second.run(samples(cut, batches), st::from(where)), cut) == batches);
    check_report(second.report(), cut, batches - cut);
  }
}

}  // namespace

TEST_CASE("a run that goes on with the next batch is as if the one before had not ended") {
  in_each_plan([]<class Pipeline>() { check_onwards<Pipeline>(); });
}
TEST_CASE("likewise in another pipeline that is given the position, whatever its plan") {
  check_handed_over<tested::pipeline<in_turn>, tested::pipeline<training>>();
  check_handed_over<tested::pipeline<training>, tested::pipeline<in_turn>>();
  check_handed_over<tested::pipeline<training>, tested::pipeline<deeper, st::barrier>>();
  check_handed_over<tested::pipeline<deeper>, tested::pipeline<generated>>();
}

TEST_CASE("workers go on, each with the progresses of its turn") {
  const deadline limit("workers");
  std::vector<long> all;
  tested::pipeline<pooled::in_turn> one;
  for (const long s : one.run(std::views::iota(0, 20))) all.push_back(s);
  for (int cut = 0; cut < 8; ++cut) {
    std::vector<long> found;
    tested::pipeline<pooled::counting> pipeline;
    tested::pipeline<pooled::counting, st::barrier> other;
    for (const long s : pipeline.run(std::views::iota(0, cut))) found.push_back(s);
    for (const long s : pipeline.run(std::views::iota(cut, 11), st::onwards)) found.push_back(s);
    for (const long s : other.run(std::views::iota(11, 20), st::from(pipeline.position())))
      found.push_back(s);
    CHECK(found == all);
  }
}

TEST_CASE("a run that a token stops is gone on with: nothing that was pulled is lost") {
  const deadline limit("stopped");
  tested::pipeline<training> pipeline;
  std::stop_source stop;
  std::size_t pulled = 0;
  auto source = [&]() -> std::optional<int> {
    if (pulled == batches) return std::nullopt;
    return sample_of(static_cast<int>(pulled++));
  };
  std::size_t through = 0;
  {
    auto run = pipeline.run(source, st::onwards, stop.get_token());
    while (run.next()) {
      CHECK(run.result() == expected()[through]);
      if (++through == 4) stop.request_stop();
    }
  }
  CHECK(pipeline.report().end == st::run_end::drained);
  CHECK(through == pulled);
  CHECK(through < batches);
  const std::stop_source never;
  CHECK(check_results(pipeline.run(source, st::cancel_on(never.get_token()), st::onwards),
                      through) == batches);
}

TEST_CASE("a run that is never asked for a batch leaves the next one where it was") {
  tested::pipeline<training> pipeline;
  CHECK(check_results(pipeline.run(samples(0, 7)), 0) == 7);
  { [[maybe_unused]] auto run = pipeline.run(samples(7, 9), st::onwards); }
  CHECK(pipeline.report().first == 7);
  CHECK(pipeline.report().pulled == 0);
  CHECK(check_results(pipeline.run(samples(7, batches), st::onwards), 7) == batches);
}

TEST_CASE("whoever steps gets results where there are, and is refused those of the run before") {
  const deadline limit("steps");
  tested::pipeline<training> pipeline;
  CHECK(check_results(pipeline.run(samples(0, 6)), 0) == 6);
  auto run = pipeline.run(samples(6, batches), st::onwards);
  std::size_t next = 6;
  while (run.has_more()) {
    if (!run.progress()) {
      if (next == 6) CHECK_THROWS_AS(static_cast<void>(run.result()), st::usage_error);
      if (next == 6) CHECK_THROWS_AS(static_cast<void>(run.batch()), st::usage_error);
      continue;
    }
    CHECK(run.batch() == next);
    CHECK(run.result() == expected()[next++]);
  }
  CHECK(next == batches);
}

TEST_CASE("a loop and a function get the results that follow, with their numbers") {
  tested::pipeline<training> pipeline;
  std::vector<long> found;
  for (const long l : pipeline.run(samples(0, 9))) found.push_back(l);
  {
    auto run = pipeline.run(samples(9, 15), st::onwards);
    run.for_each([&](long l, std::size_t batch) {
      CHECK(batch == found.size());
      found.push_back(l);
    });
  }
  for (const long l : pipeline.run(samples(15, batches), st::onwards)) found.push_back(l);
  CHECK(found == expected());
}

TEST_CASE("pushed batches go on across a flush, where it is said") {
  using pipeline_type = tested::pipeline<training>;
  pipeline_type pipeline;
  st::push_run steps(pipeline, st::onwards);
  std::size_t next = 0;
  const auto take = [&] {
    CHECK(steps.batch() == next);
    CHECK(steps.result() == expected()[next]);
    ++next;
  };
  for (std::size_t b = 0; b < batches; ++b) {
    if (steps.push(sample_of(static_cast<int>(b)))) take();
    if (b % 6 != 5) continue;
    while (steps.flush()) take();
    CHECK(next == b + 1);
    CHECK(steps.taken() == 6);
    CHECK(pipeline.position().batch() == next);  // a checkpoint
  }
  while (steps.flush()) take();
  CHECK(next == batches);
  CHECK_FALSE(steps.push(1));
  steps.close();
  CHECK(why_refused([&] {
          static_cast<void>(steps.push(1));
        }).starts_with("the latest run was left or cancelled with "));
}

TEST_CASE("batches are pushed from a position on, which a run over none takes") {
  st::position where(0);
  tell told;
  {
    tested::pipeline<training> first;
    CHECK(check_results(first.run(samples(0, 9)), 0) == 9);
    where = first.position();
    told = first.task<tell>();
  }
  tested::pipeline<deeper> pipeline(told);
  CHECK(check_results(pipeline.run(samples(9, 9), st::from(where)), 9) == 9);
  st::push_run steps(pipeline, st::onwards);
  std::size_t next = 9;
  const auto take = [&] {
    CHECK(steps.batch() == next);
    CHECK(steps.result() == expected()[next]);
    ++next;
  };
  for (std::size_t b = 9; b < batches; ++b)
    if (steps.push(sample_of(static_cast<int>(b)))) take();
  while (steps.flush()) take();
  CHECK(next == batches);
}

TEST_CASE("a run without `onwards` begins anew") {
  tested::pipeline<in_turn> pipeline;
  CHECK(check_results(pipeline.run(samples(0, 5)), 0) == 5);
  pipeline.task<tell>().next = 0;
  CHECK(check_results(pipeline.run(samples(0, 8)), 0) == 8);
  CHECK(pipeline.position().batch() == 8);
}

TEST_CASE("a position tells what later batches look back at, and what is saved of it is enough") {
  struct saved {
    std::string slot;
    std::size_t batch;
    long value;
    int small;
  };
  for (std::size_t cut = 0; cut < 12; ++cut) {
    tested::pipeline<training> pipeline;
    CHECK(check_results(pipeline.run(samples(0, cut)), 0) == cut);
    const st::position where = pipeline.position();
    std::vector<saved> file;
    for (const st::kept_value& v : where.values()) {
      CHECK_FALSE(v.dropped());
      CHECK(v.batch() < cut);
      if (v.slot() == "sample" || v.slot() == "rate_of_group") {
        file.push_back({std::string(v.slot()), v.batch(), 0, *v.get<int>()});
        CHECK_THROWS_AS(static_cast<void>(v.get<long>()), st::usage_error);
      } else {
        file.push_back({std::string(v.slot()), v.batch(), *v.get<long>(), 0});
      }
    }
    st::position read(cut);
    for (const saved& v : file) {
      if (v.slot == "sample") read.seed<sample>(v.batch, v.small);
      if (v.slot == "rate_of_group") read.seed<rate_of_group>(v.batch, v.small);
      if (v.slot == "scaled") read.seed<scaled>(v.batch, v.value);
      if (v.slot == "gradient") read.seed("gradient", v.batch, v.value);  // by its name
      if (v.slot == "weights") read.seed<weights>(v.batch, -1).seed<weights>(v.batch, v.value);
    }
    CHECK(read.values().size() == file.size());
    tested::pipeline<training> other;
    other.task<tell>().next = cut;
    CHECK(check_results(other.run(samples(cut, batches), st::from(read)), cut) == batches);
  }
}

TEST_CASE("which values those are follows from rates and phases") {
  tested::pipeline<in_turn> pipeline;
  CHECK(check_results(pipeline.run(samples(0, 7)), 0) == 7);
  const st::position at_7 = pipeline.position();
  // Batches 7 to 9 have the rate of batch 5, and batch 10 its predecessor.
  CHECK(*at_7.value<rate_of_group>(5) == *at_7.value<int>("rate_of_group", 5));
  CHECK(at_7.value<rate_of_group>(0) == nullptr);
  CHECK(*at_7.value<sample>(6) == sample_of(6));
  CHECK(*at_7.value<sample>(5) == sample_of(5));
  CHECK(at_7.value<sample>(4) == nullptr);
  CHECK(at_7.value<scaled>(4) != nullptr);
  CHECK(at_7.value<scaled>(3) == nullptr);
  CHECK(at_7.value<weights>(5) != nullptr);
  CHECK(at_7.value<weights>(2) == nullptr);
  CHECK(at_7.value<gradient>(6) != nullptr);  // of the group of batch 8
  CHECK(at_7.value<gradient>(5) == nullptr);
  CHECK(at_7.value<loss>(6) == nullptr);
  CHECK(at_7.values().size() == 2 + 1 + 3 + 1 + 1);
}

TEST_CASE("values that a process begins with are seeded before its first batch") {
  // As if batches before the thousandth million had been: numbers that 32 bits do not hold.
  const std::size_t first = (std::size_t{1} << 33U) + 15;
  REQUIRE(first % 15 == 2);
  st::position where(first);
  where.seed<pooled::number>(first - 1, 10).seed<pooled::number>(first - 2, 20);
  where.seed<pooled::sum>(first - 1, 1000);
  tested::pipeline<pooled::counting> pipeline;
  std::vector<long> found;
  auto run = pipeline.run(std::views::iota(1, 6), st::from(where));
  while (run.next()) {
    CHECK(run.batch() == first + found.size());
    found.push_back(run.result());
  }
  CHECK(found == std::vector<long>{1022, 1036, 1043, 1053, 1066});
  CHECK(pipeline.position().batch() == first + 5);
}

TEST_CASE("positions go from types to values, and back") {
  std::vector<long> found;
  st::pipeline<pooled::in_turn> types;
  for (const long s : types.run(std::views::iota(0, 6))) found.push_back(s);
  st::dynamic::pipeline values(st::dynamic::from_types<pooled::counting>());
  for (const auto& r : values.run<int>(std::views::iota(6, 13), st::from(types.position())))
    found.push_back(r.get<long>());
  CHECK(why_refused([&] { static_cast<void>(values.position<int>()); }) ==
        "later batches look back at slot `sum`, which holds `" +
            std::string(st::declare::qualified_name<long>()) +
            "`: name that type where the position is taken, as in "
            "`pipeline.position<long, float>()`");
  const st::position where = values.position<int, long>();
  for (const long s : types.run(std::views::iota(13, 20), st::from(where))) found.push_back(s);
  std::vector<long> all;
  for (const long s : types.run(std::views::iota(0, 20))) all.push_back(s);
  CHECK(found == all);
}

// ---- drops

TEST_CASE("a dropped batch that later ones look back at stays empty, and counts as the run's") {
  using found = std::vector<std::pair<std::size_t, long>>;
  const auto collect = [](auto&& run, found& to) {
    while (run.next()) to.emplace_back(run.batch(), run.result());
  };
  found all;
  tested::pipeline<dropping::in_turn> one;
  collect(one.run(std::views::iota(0, 12)), all);
  for (int cut = 0; cut < 8; ++cut) {
    found here;
    tested::pipeline<dropping::counting> pipeline;
    tested::pipeline<dropping::in_turn> other;
    collect(pipeline.run(std::views::iota(0, cut)), here);
    const std::size_t before = here.size();
    collect(pipeline.run(std::views::iota(cut, 9), st::onwards), here);
    const st::run_report& report = pipeline.report();
    CHECK(report.first == static_cast<std::size_t>(cut));
    CHECK(report.pulled == static_cast<std::size_t>(9 - cut));
    CHECK(report.delivered == here.size() - before);
    CHECK(report.dropped == report.pulled - report.delivered);
    CHECK(report.drops.size() == report.dropped);
    CHECK(report.drops.front().batch >= report.first);
    const st::position where = pipeline.position();
    const st::kept_value* const last = where.find(st::name_of<dropping::parsed>, 7);
    REQUIRE(last != nullptr);
    CHECK(last->dropped());
    CHECK(last->get<long>() == nullptr);
    CHECK(*where.value<dropping::parsed>(8) == 8);
    collect(other.run(std::views::iota(9, 12), st::from(where)), here);
    CHECK(here == all);
  }
}
TEST_CASE("a batch is seeded as dropped, unless nobody drops any there") {
  st::position where(9);
  where.seed<dropping::parsed>(8, 8).seed_dropped<dropping::parsed>(7);
  tested::pipeline<dropping::counting> pipeline;
  {
    auto run = pipeline.run(std::views::iota(9, 10), st::from(where));
    REQUIRE(run.next());
    CHECK(run.result() == 9 + 800 + 3);
  }
  {
    where.seed<dropping::parsed>(7, 7);  // after all
    auto run = pipeline.run(std::views::iota(9, 10), st::from(where));
    REQUIRE(run.next());
    CHECK(run.result() == 9 + 800 + 70000);
  }
  st::position never(2);
  never.seed<pooled::number>(1, 1).seed<pooled::number>(0, 1).seed_dropped("sum", 1);
  tested::pipeline<pooled::counting> other;
  CHECK(why_refused(
            [&] { static_cast<void>(other.run(std::views::iota(9, 10), st::from(never))); }) ==
        "the position says that batch 1 was dropped before slot `sum` was written, but in this "
        "schedule no task drops batches before that: seed a value");
}

// ---- refused

TEST_CASE("a run that lost batches is not gone on with, and has no position") {
  tested::pipeline<training> pipeline;
  const auto onwards = [&] { static_cast<void>(pipeline.run(samples(0, 1), st::onwards)); };
  const auto position = [&] { static_cast<void>(pipeline.position()); };
  {
    auto run = pipeline.run(samples(0, batches));
    CHECK(why_refused(position) ==
          "a run of this pipeline is still there: let it come to its end before position()");
    REQUIRE(run.next());
    CHECK(why_refused(position).starts_with("a run of this pipeline is still there"));
    CHECK(why_refused(onwards) ==
          "a second run was started while one is active: end or leave the first one");
  }
  const std::string lost = "the latest run was left or cancelled with " +
                           std::to_string(pipeline.report().in_flight.size()) +
                           " batches in flight and " +
                           std::to_string(pipeline.report().undelivered.size()) +
                           " undelivered (see report(), and recover() for what they carry), behind "
                           "which it cannot go on: stop a run that is to go on by a token, "
                           "run(source, token), and take all its results";
  CHECK(why_refused(onwards) == lost);
  CHECK(why_refused(position) == lost);

  pipeline.task<tell>() = {0, 3};
  CHECK_THROWS_AS(check_results(pipeline.run(samples(0, batches)), 0), st::task_error);
  CHECK(why_refused(position) ==
        "the latest run of this pipeline failed (see report()), and batches that were in flight "
        "are lost: call reset(), and begin anew or from a position that was taken before");
  pipeline.reset();
  const std::string forgotten =
      "slots do not hold any more what batches of the latest run left there, since reset() or "
      "since values of a position could not be put there: begin anew, or from a position that was "
      "taken before";
  CHECK(why_refused(onwards) == forgotten);
  CHECK(why_refused(position) == forgotten);
  pipeline.task<tell>() = {};
  CHECK(check_results(pipeline.run(samples(0, batches)), 0) == batches);
  CHECK(pipeline.position().batch() == batches);
}

TEST_CASE("a task that fails after others' batches is told with the number of its own") {
  tested::pipeline<training> pipeline;
  CHECK(check_results(pipeline.run(samples(0, 5)), 0) == 5);
  const st::position before = pipeline.position();
  pipeline.task<tell>().fails_at = 8;
  std::size_t next = 5;
  try {
    auto run = pipeline.run(samples(5, batches), st::onwards);
    while (run.next()) CHECK(run.result() == expected()[next++]);
    FAIL("no error");
  } catch (const st::task_error& e) {
    CHECK(e.task() == "tell");
    CHECK(e.batch() == 8);
  }
  CHECK(next == 8);
  const st::run_report& report = pipeline.report();
  CHECK(report.first == 5);
  CHECK(report.finished == 3);
  CHECK(report.delivered == 3);
  REQUIRE(report.in_flight.size() == report.pulled - report.finished);
  CHECK(report.in_flight.front().batch == 8);
  CHECK(report.holds(8));
  CHECK_FALSE(report.holds(7));
  CHECK(*pipeline.recover<gradient>(8) != 0);
  CHECK(pipeline.recover<gradient>(7) == nullptr);
  pipeline.reset();
  pipeline.task<tell>() = {5};
  CHECK(check_results(pipeline.run(samples(5, batches), st::from(before)), 5) == batches);
}

TEST_CASE("a position that does not fit is refused, and leaves the pipeline as it was") {
  tested::pipeline<training> pipeline;
  CHECK(check_results(pipeline.run(samples(0, 7)), 0) == 7);
  const auto why = [&](const st::position& where) {
    return why_refused([&] { static_cast<void>(pipeline.run(samples(0, 1), st::from(where))); });
  };
  CHECK(why(st::position(1)) ==
        "batches from 1 on look back at slot `sample` of batch 0, of which the position has no "
        "value: seed it");
  st::position where = pipeline.position();
  CHECK(why(st::position(where).seed<loss>(6, 1L)) ==
        "the position has a value of slot `loss` of batch 6, at which no batch from 7 on looks "
        "back: leave it out, or number batches as the run did that it is from");
  CHECK(why(st::position(where).seed<weights>(4, 1L))
            .starts_with("the position has a value of slot `weights` of batch 4"));
  CHECK(why(st::position(where).seed<pooled::twice>(6, 1L)) ==
        "the position has a value of slot `twice`, which this schedule does not have");
  st::position other_type(7);
  for (const st::kept_value& v : where.values())
    if (v.slot() == "sample") {
      other_type.seed("sample", v.batch(), 1L);
    } else if (v.slot() == "rate_of_group") {
      other_type.seed("rate_of_group", v.batch(), *v.get<int>());
    } else {
      other_type.seed(v.slot(), v.batch(), *v.get<long>());
    }
  CHECK(why(other_type) == "slot `sample` holds `int`, not `" +
                               std::string(st::declare::qualified_name<long>()) + "`");
  CHECK(check_results(pipeline.run(samples(7, batches), st::onwards), 7) == batches);
}

TEST_CASE("a position tells that batches were dropped before it, and what is not read behind it") {
  st::position where(7);
  CHECK(why_refused([&] { where.seed_dropped("loss", 9); }) ==
        "a position before batch 7 is told of slot `loss` for batch 9 that it was dropped: let a "
        "task drop it, or leave the batch out");
  CHECK(why_refused([&] { where.seed_unread<loss>(6); }) ==
        "a position before batch 7 is told of slot `loss` for batch 6 that nobody reads it: of "
        "batches before it, leave out what is not looked back at");
  CHECK(where.values().empty());
  CHECK(where.seed_unread("loss", 7).values().front().unread());
  CHECK_FALSE(where.values().front().dropped());
  CHECK(where.value<loss>(7) == nullptr);
  const std::size_t most = (std::numeric_limits<std::size_t>::max)();
  CHECK(why_refused([&] { static_cast<void>(st::position(most)); }) ==
        "a position is before batch " + std::to_string(most) + ", and no run gets that far");
}

namespace pointing {
struct text : st::slot<std::string> {};
struct word : st::slot<std::string_view>, st::points_into<text> {};
struct found : st::slot<std::string> {};
struct cut {
  void operator()(st::in<text> t, st::out<word> w) const { w = std::string_view(*t).substr(1); }
};
struct join {
  void operator()(st::in<word> w, st::previous<word> before, st::out<found> f) const {
    f = std::string(before.value_or("-")) + std::string(*w);
  }
};
struct joining : st::schedule<st::source<text>, st::result<found>, cut, join> {};
}  // namespace pointing

TEST_CASE("what points into another slot is not handed over, but the pipeline goes on with it") {
  const std::vector<std::string> all{"one", "two", "three"};
  tested::pipeline<pointing::joining> pipeline;
  for (const std::string& f : pipeline.run(all)) CHECK_FALSE(f.empty());
  const std::string why =
      "batches look back at slot `word`, whose values point into slot `text` of this pipeline: "
      "they cannot be handed over; let this pipeline go on by st::onwards";
  CHECK(why_refused([&] { static_cast<void>(pipeline.position()); }) == why);
  st::position where(3);
  where.seed<pointing::word>(2, "hree").seed<pointing::text>(2, "three");
  CHECK(why_refused([&] { static_cast<void>(pipeline.run(all, st::from(where))); }) == why);
  std::vector<std::string> next;
  for (const std::string& f : pipeline.run(all, st::onwards)) next.push_back(f);
  CHECK(next == std::vector<std::string>{"hreene", "newo", "wohree"});
}

TEST_CASE("attached threads take part in a run that goes on") {
  const deadline limit("attached");
  tested::pipeline<training> pipeline{st::attached_threads{"scale"}};
  for (const std::size_t first : {std::size_t{0}, std::size_t{5}, std::size_t{11}}) {
    const std::size_t last = first == 11 ? batches : first == 5 ? 11 : 5;
    std::thread mine([&] { pipeline.attach("scale"); });
    CHECK(check_results(pipeline.run(samples(first, last), st::onwards), first) == last);
    mine.join();
  }
  tested::pipeline<training> other{st::attached_threads{"scale"}};
  CHECK(other.position().batch() == 0);
  CHECK(pipeline.position().batch() == batches);
}
