// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recordings that stand in for tasks: that a run with them computes what the recorded run did,
// which tasks that do more than they declare are found, what is refused, and what it comes to.

#include <doctest/doctest.h>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/position.hpp>
#include <stretto/replay.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../bound/known_exposure.hpp"
#include "virtual_run.hpp"

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using std::chrono::microseconds;

namespace {

struct number : st::slot<int> {};
struct digits : st::slot<std::vector<double>> {};
struct mixed : st::slot<std::vector<double>> {};
struct sum : st::slot<double> {};
struct total_of_all : st::resource<double> {};

/// What tasks did in a run.
struct counts {
  int split = 0;
  int mixes = 0;
  int add = 0;
};

struct split {
  using thread = st::thread<"io">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<digits>;
  counts& of;
  void operator()(int n, std::vector<double>& out) const {
    ++of.split;
    out.clear();
    for (int i = 0; i < 4 + n % 3; ++i) out.push_back(n * 0.5 + i);
    if (n % 7 == 0) out.push_back(std::numeric_limits<double>::quiet_NaN());
  }
};
/// Changes what is not in slots, and says so.
struct mix {
  using reads = st::reads<digits>;
  using writes = st::writes<mixed>;
  counts& of;
  double last = 1;
  double capture() const { return last; }
  void restore(double captured) { last = captured; }
  void operator()(const std::vector<double>& in, std::vector<double>& out) {
    ++of.mixes;
    out = in;
    for (double& x : out) x += last;
    last += 1;
  }
};
struct add {
  using reads = st::reads<mixed>;
  using writes = st::writes<sum>;
  using mutates = st::mutates<total_of_all>;
  counts& of;
  double* total = nullptr;
  double capture() const { return *total; }
  void restore(double captured) const { *total = captured; }
  void operator()(const std::vector<double>& in, double& out) const {
    ++of.add;
    for (const double x : in)
      if (x == x) *total += x;
    out = *total;
  }
};
struct sums : st::schedule<st::source<number>, st::result<sum>, split, mix, add> {};

template <class Pipeline>
std::vector<double> results(Pipeline& pipeline, int batches) {
  std::vector<double> all;
  for (auto&& r : pipeline.run(std::views::iota(0, batches))) {
    if constexpr (requires { r.template get<double>(); }) {
      all.push_back(r.template get<double>());
    } else {
      all.push_back(r);
    }
  }
  return all;
}

/// A pipeline of either version, and what its tasks work on.
struct of_types {
  counts done;
  double total = 0;
  st::pipeline<sums, st::replay> pipeline{split{done}, mix{done}, add{done, &total}};
};
struct of_values {
  counts done;
  double total = 0;
  dynamic::pipeline<st::replay> pipeline{
      dynamic::from_types<sums>(split{done}, mix{done}, add{done, &total})};
  of_values() { pipeline.observer().knows<std::vector<double>, double, mix, add>(); }
};

constexpr int batches = 8 * 30;

template <class Version>
void check_replayed() {
  st::recording tape;
  std::vector<double> recorded;
  {
    Version v;
    CHECK_THROWS_WITH_AS(results(v.pipeline, 1),
                         "a replay has to be told what to do in this run: "
                         "`pipeline.observer().record(recording, {.tasks = {\"decode\"}})`, and in "
                         "another pipeline `play(recording)`",
                         st::usage_error);
    v.pipeline.observer().record(
        tape, {.tasks = {"split", "mix", "add"}, .batches = 8 * 20, .compare = true});
    recorded = results(v.pipeline, batches);
    CHECK(v.done.split == batches);
    CHECK(tape.batches() == 160);
    CHECK(tape.tasks() == std::vector<std::string_view>{"split", "mix", "add"});
    // What is recorded once is not recorded over.
    CHECK_THROWS_AS(results(v.pipeline, 1), st::usage_error);
  }
  {
    Version plain;
    plain.pipeline.observer().record(tape, {.tasks = {"split", "mix"}, .batches = 8 * 20});
    CHECK(results(plain.pipeline, batches) == recorded);
  }
  Version v;
  v.pipeline.observer().play(tape, {.stretch = 8});
  CHECK(results(v.pipeline, batches) == recorded);
  // 20 stretches, of which 10 are replayed, in turn.
  CHECK(v.done.split == batches - 5 * 8);
  CHECK(v.done.mixes == batches - 5 * 8);
  CHECK(v.done.add == batches);
  const st::replay_result found = v.pipeline.observer().result();
  REQUIRE(found.tasks.size() == 3);
  CHECK(found.of("split")->saved.size() == 5);
  CHECK(found.of("mix")->saved.size() == 5);
  CHECK(found.of("add")->saved.empty());
  CHECK(found.of("pull") == nullptr);
  CHECK(found.period.count() > 0);
  CHECK(found.of("mix")->time.count() > 0);
  CHECK(found.of("mix")->replayed.count() > 0);
  CHECK(found.compared == 0);
}

}  // namespace

TEST_CASE("what records or replays is given no batches that begin half-processed") {
  const auto refused = [](auto&& of) -> std::string {
    st::position where(0);
    where.seed("digits", 0, std::vector<double>{1});
    try {
      static_cast<void>(of.pipeline.run(std::views::iota(0, 3), st::from(where)).next());
    } catch (const st::usage_error& e) {
      return e.what();
    }
    return {};
  };
  const std::string why = "the pipeline records or replays what its tasks write";
  CHECK(refused(of_types()).find(why) != std::string::npos);
  CHECK(refused(of_values()).find(why) != std::string::npos);
}

TEST_CASE("a run with a recording in the place of tasks computes what the recorded one did") {
  check_replayed<of_types>();
  check_replayed<of_values>();
}

namespace {

using virtual_replay = st::watch::detail::replay_by<virtual_clock>;

/// A recording of tasks of a plan that is run in virtual time.
void tell_of_bodies(virtual_replay& replay, const dynamic::planned_schedule& planned) {
  for (std::size_t t = 0; t < planned.input().tasks.size(); ++t) {
    st::runner::replaceable_task task;
    task.number = t;
    task.declared = &planned.declaration().tasks[t];
    task.is_const = true;
    replay.replaces(task, planned.declaration());
  }
}

}  // namespace

TEST_CASE("what is saved without a task is what the model says, whatever exposes or hides it") {
  for (const known_exposure::known& k : known_exposure::all_known()) {
    const dynamic::planned_schedule planned(k.schedule);
    virtual_run virtually(planned);
    virtual_replay replay;
    virtually.attach(replay);
    tell_of_bodies(replay, planned);
    st::recording tape;
    std::vector<std::string> names;
    for (const dynamic::task& t : k.schedule.tasks) names.push_back(t.name);
    const std::size_t recorded = 20 * k.schedule.tasks.size() * 16;
    replay.record(tape, {.tasks = names, .batches = recorded});
    replay.run_begins();
    for (std::size_t b = 0; b < recorded; ++b)
      for (std::size_t t = 0; t < names.size(); ++t) {
        replay.body_done(0, t, b, {});
        replay.finished(0, t, b);
      }
    replay.run_ended();
    replay.play(tape);
    virtually.run(replay, recorded + 16);
    st::replay_result found = replay.result();
    found.hold_against(planned);
    CHECK(found.modelled.count() == doctest::Approx(found.period.count()));
    REQUIRE(found.tasks.size() == names.size());
    for (const st::replay_result::row& r : found.tasks) {
      CAPTURE(r.task);
      CHECK(r.saved.size() >= 9);
      CHECK(r.replayed.count() == doctest::Approx(virtual_run::replayed * 1e-9).epsilon(0.2));
      // A task that takes a microsecond less than before saves that less.
      CHECK(std::abs(r.exposed().value - r.modelled) < 1e-7);
      CHECK(std::abs(r.interference().count()) < 1e-7);
      for (const auto& [task, exposed] : k.exposed)
        if (task == r.task)
          CHECK(r.exposed().value * 1e6 == doctest::Approx(exposed).epsilon(0.04));
    }
  }
}

namespace {

template <class Version>
std::string compared(void (*spoil)(Version&)) {
  st::recording tape;
  {
    Version v;
    v.pipeline.observer().record(tape,
                                 {.tasks = {"split", "mix"}, .batches = 8 * 20, .compare = true});
    results(v.pipeline, batches);
  }
  Version v;
  spoil(v);
  v.pipeline.observer().play(tape, {.stretch = 8, .compare = true});
  try {
    results(v.pipeline, batches);
  } catch (const st::task_error& e) {
    try {
      std::rethrow_if_nested(e);
    } catch (const st::observer_error& o) {
      try {
        o.rethrow_nested();
      } catch (const st::usage_error& why) {
        return why.what();
      }
    }
  }
  const st::replay_result found = v.pipeline.observer().result();
  // A slot of each of three tasks, on 160 batches, 40 of which `split` and `mix` are replayed on.
  CHECK(found.compared == 3 * 160 - 80);
  CHECK(found.period.count() == 0);
  CHECK(found.of("mix")->saved.empty());
  CHECK(found.text() ==
        "what tasks did while others were replayed is what they did when that was recorded: 400 "
        "values were compared, and nothing was timed\n");
  return "";
}

template <class Version>
void check_compared() {
  CHECK(compared<Version>([](Version&) {}) == "");
  CHECK(compared<Version>([](Version& v) { v.total = 0.25; }) ==
        "`add` has written to slot `sum` what is not in the recording, for batch 0: a task that is "
        "replayed does what is neither in its slots nor in what it captures, or the run did not "
        "begin as the one that was recorded");
}

/// A task for one of three batches, and one behind a task that drops batches.
struct kept_number : st::slot<int> {};
struct third : st::slot<double> {};
struct square : st::slot<double> {};
struct pick {
  using reads = st::reads<number>;
  using writes = st::writes<kept_number>;
  st::verdict operator()(int n, int& out) const {
    out = n;
    return n % 5 == 0 ? st::drop : st::keep;
  }
};
struct sum_up {
  using thread = st::thread<"io">;
  static constexpr int every = 3;
  using reads = st::reads<number>;
  using writes = st::writes<third>;
  static inline int calls = 0;
  void operator()(int n, double& out) const {
    ++calls;
    out = n / 3.0;
  }
};
struct multiply {
  using thread = st::thread<"io">;
  using reads = st::reads<kept_number, st::latest<third>>;
  using writes = st::writes<square>;
  static inline int calls = 0;
  void operator()(int n, st::latest<third> last, double& out) const {
    ++calls;
    out = n * n + (last ? *last : 0.5);
  }
};
struct squares : st::schedule<st::source<number>, st::result<square>, sum_up, pick, multiply> {};

template <class Make>
void check_rated_and_dropped(Make make) {
  st::recording tape;
  std::vector<double> recorded;
  {
    auto pipeline = make();
    pipeline->observer().record(tape, {.tasks = {"sum_up", "multiply"}, .batches = 96});
    recorded = results(*pipeline, 100);
    CHECK(recorded.size() == 80);
  }
  sum_up::calls = multiply::calls = 0;
  auto pipeline = make();
  pipeline->observer().play(tape);
  CHECK(results(*pipeline, 100) == recorded);
  // Of 100 batches, 48 in stretches in which one or the other is replayed.
  CHECK(sum_up::calls < 33);
  CHECK(multiply::calls < 80);
  CHECK(33 - sum_up::calls + 80 - multiply::calls >= 5 + 2 * 12);
}

/// Says that it changes nothing, and does.
struct counting {
  using reads = st::reads<number>;
  using writes = st::writes<sum>;
  int* seen;
  void operator()(int n, double& out) const { out = n + ++*seen; }
};
struct secretly : st::schedule<st::source<number>, st::result<sum>, counting> {};

}  // namespace

TEST_CASE("with comparison a run that does something else than the recorded one ends") {
  check_compared<of_types>();
  check_compared<of_values>();
}

TEST_CASE("tasks that do not run for each batch are replayed where they ran") {
  check_rated_and_dropped([] { return std::make_unique<st::pipeline<squares, st::replay>>(); });
  check_rated_and_dropped([] {
    auto made = std::make_unique<dynamic::pipeline<st::replay>>(dynamic::from_types<squares>());
    made->observer().knows<double>();
    return made;
  });
}

TEST_CASE("what a task does secretly is found by comparison") {
  st::recording tape;
  int seen = 0;
  st::pipeline<secretly, st::replay> p(counting{&seen});
  p.observer().record(tape, {.tasks = {"counting"}, .batches = 64, .compare = true});
  results(p, 64);
  seen = 0;
  p.observer().play(tape, {.compare = true});
  // On batch 32, after 16 batches on which it was replayed.
  CHECK_THROWS_AS(results(p, 64), st::task_error);
  CHECK(seen == 17);
}

namespace {

struct page {
  std::vector<std::unique_ptr<int>> parts;
};
struct list_of_pages : st::slot<std::vector<std::unique_ptr<int>>> {};
struct text : st::slot<std::string_view> {};
struct shared_text : st::slot<std::shared_ptr<std::string>> {};
struct pointer : st::slot<int*> {};
struct pointers : st::slot<std::vector<const int*>> {};
struct pairs : st::slot<std::pair<int, const char*>> {};
struct pages : st::slot<page> {};

template <class Slot>
struct writer_of {
  using reads = st::reads<number>;
  using writes = st::writes<Slot>;
  void operator()(int, typename Slot::value_type&) const {}
};
struct a : writer_of<list_of_pages> {};
struct b : writer_of<text> {};
struct c : writer_of<shared_text> {};
struct d : writer_of<pointer> {};
struct e : writer_of<pointers> {};
struct f : writer_of<pairs> {};
struct g : writer_of<pages> {};
struct changing {
  using reads = st::reads<number>;
  void operator()(int) {}
};
struct changing_total {
  using reads = st::reads<number>;
  using mutates = st::mutates<total_of_all>;
  void operator()(int) const {}
};
struct together {
  using reads = st::reads<number>;
  static constexpr bool collective = true;
  void operator()(int) const {}
};
struct picky {
  using reads = st::reads<number>;
  st::verdict operator()(int) const { return st::keep; }
};
struct capturing {
  using thread = st::thread<"many">;
  using reads = st::reads<number>;
  int capture() const { return 0; }
  void restore(int) const {}
  void operator()(int) const {}
};
struct blob {
  int value = 0;
};
struct blobs : st::slot<std::vector<blob>> {};
struct writer : writer_of<blobs> {};
struct incomparable : st::schedule<st::source<number>, writer> {};
struct refused : st::schedule<st::source<number>, a, b, c, d, e, f, g, changing, changing_total,
                              together, capturing, picky, st::workers<"many", 2>> {};

/// What is said when a task is to be recorded.
template <class Pipeline>
std::string said(Pipeline& p, const char* task) {
  st::recording tape;
  try {
    p.observer().record(tape, {.tasks = {task}});
  } catch (const st::usage_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

/// Its copies would not compile.
template <>
struct st::recorded_value<page> {};

namespace {

struct piece : st::slot<int> {};
struct put_together : st::slot<int> {};
struct cut_up {
  void operator()(st::in<number> n, st::produces<piece, 2> halves) const {
    halves[0] = static_cast<int>(*n) / 2;
    halves[1] = static_cast<int>(*n) - halves[0];
  }
};
struct join {
  void operator()(st::consumes<piece, 2> halves, st::out<put_together> all) const {
    all = halves[0] + halves[1];
  }
};
struct of_pieces : st::schedule<st::source<number>, st::result<put_together>, cut_up, join> {};

}  // namespace

TEST_CASE("what cannot be replayed is refused with a reason") {
  st::pipeline<refused, st::replay> p;
  for (const char* task : {"a", "b", "c", "d", "e", "f", "g"}) {
    CAPTURE(task);
    const std::string why = said(p, task);
    CHECK(why.starts_with("`" + std::string(task) + "` cannot be replayed: it writes slot `"));
    CHECK(
        why.ends_with("`: copies of that are not known to have all that is in it; specialise "
                      "`stretto::recorded_value` for it"));
  }
  CHECK(said(p, "changing") ==
        "`changing` cannot be replayed: its call operator is not const, so it may change what is "
        "in no slot; let it have members `capture() const`, which returns what it changes, and "
        "`restore(captured)`");
  CHECK(said(p, "changing_total") ==
        "`changing_total` cannot be replayed: it changes resource `total_of_all`, which is in no "
        "slot; let it have members `capture() const`, which returns what it changes, and "
        "`restore(captured)`");
  CHECK(said(p, "together") ==
        "`together` cannot be replayed: it is a collective, and other ranks wait for what it does");
  CHECK(said(p, "picky") ==
        "`picky` cannot be replayed: it may drop batches, and a recording has what is in slots, "
        "not whether there is anything");
  CHECK(said(p, "capturing") ==
        "`capturing` cannot be replayed: several workers call it at once, so that `capture` would "
        "find what it did on other batches");
  st::pipeline<of_pieces, st::replay> pieces;
  CHECK(said(pieces, "cut_up") ==
        "`cut_up` cannot be replayed: it produces items, of which a recording would have the first "
        "one of each batch");
  const auto records_what_consumes = [](auto& first, auto& second) {
    st::recording tape;
    const std::vector<int> numbers(24, 7);
    first.observer().record(tape, {.tasks = {"join"}, .batches = 24, .compare = true});
    std::size_t results = 0;
    first.run(numbers).for_each([&](const auto&) { ++results; });
    second.observer().play(tape, {.stretch = 4, .compare = true});
    second.run(numbers).for_each([&](const auto&) { ++results; });
    CHECK(results == 48);
  };
  st::pipeline<of_pieces, st::replay> played;
  records_what_consumes(pieces, played);
  const dynamic::schedule as_value = dynamic::from_types<of_pieces>(cut_up{}, join{});
  dynamic::pipeline<st::replay> value(as_value);
  dynamic::pipeline<st::replay> played_value(as_value);
  value.observer().knows<int>();
  played_value.observer().knows<int>();
  records_what_consumes(value, played_value);
  CHECK(said(p, "unknown") == "`unknown` is no task of this pipeline");

  of_values v;
  dynamic::pipeline<st::replay> of_unknown(
      dynamic::from_types<sums>(split{v.done}, mix{v.done}, add{v.done, &v.total}));
  CHECK(said(of_unknown, "split")
            .starts_with("`split` cannot be replayed: it writes slot `digits`, which holds "
                         "`std::vector<double"));
  CHECK(said(of_unknown, "split").ends_with("`: name that type, `pipeline.observer().knows<T>()`"));
  of_unknown.observer().knows<std::vector<double>, double>();
  CHECK(said(of_unknown, "split") == "");
  CHECK(said(of_unknown, "mix") ==
        "`mix` cannot be replayed: its call operator is not const, so it may change what is in no "
        "slot; let its callable have members `capture() const` and `restore(captured)`, and name "
        "its type, `pipeline.observer().knows<T>()`");
}

namespace {

struct dictionary : st::slot<std::map<std::string, std::optional<int>>> {};
struct grid : st::slot<std::array<std::vector<bool>, 2>> {};
struct other_writer : writer_of<dictionary> {};
struct another_writer : writer_of<grid> {};
struct plain_containers : st::schedule<st::source<number>, other_writer, another_writer> {};

namespace elsewhere {

struct mix : writer_of<sum> {};
struct mixing : st::schedule<st::source<number>, mix> {};

}  // namespace elsewhere

static_assert(!st::watch::detail::copied_as_it_is<std::reference_wrapper<const std::string>>);
static_assert(!st::watch::detail::copied_as_it_is<std::map<int, std::shared_ptr<int>>>);
static_assert(!st::watch::detail::copied_as_it_is<std::optional<std::string_view>>);

}  // namespace

TEST_CASE("containers of values are recorded as they are") {
  st::pipeline<plain_containers, st::replay> p;
  CHECK(said(p, "other_writer") == "");
  CHECK(said(p, "another_writer") == "");
}

TEST_CASE("a replay says how it is to be used") {
  of_types v;
  auto& o = v.pipeline.observer();
  st::recording tape;
  CHECK_THROWS_WITH_AS(o.record(tape, {}), "a recording is of some task: say of which, `tasks`",
                       st::usage_error);
  CHECK_THROWS_WITH_AS(o.record(tape, {.tasks = {"mix"}, .batches = 0}),
                       "a recording is of one batch at least", st::usage_error);
  CHECK_THROWS_WITH_AS(o.record(tape, {.tasks = {"mix", "mix"}}),
                       "`mix` is listed twice in what is to be recorded", st::usage_error);
  const char* const nothing =
      "there is nothing in the recording: `record` it, in a run that has ended by now";
  CHECK_THROWS_WITH_AS(o.play(tape), nothing, st::usage_error);
  o.record(tape, {.tasks = {"mix"}, .batches = 47});
  CHECK_THROWS_WITH_AS(o.play(tape), nothing, st::usage_error);
  results(v.pipeline, 50);
  CHECK_THROWS_WITH_AS(o.play(tape),
                       "a recording of 47 batches has fewer than three stretches of 16 batches: "
                       "record more, or let `stretch` be less",
                       st::usage_error);
  CHECK_THROWS_WITH_AS(o.play(tape, {.stretch = 8, .most_runs = 0}),
                       "a replay has room for one run at least", st::usage_error);
  CHECK_THROWS_WITH_AS(o.play(tape, {.stretch = 1}),
                       "a replay needs stretches of two batches and more", st::usage_error);
  CHECK_THROWS_WITH_AS(o.play(tape, {.tasks = {"split"}, .stretch = 8}),
                       "`split` is not in the recording", st::usage_error);
  CHECK_THROWS_WITH_AS(o.play(tape, {.stretch = 8, .compare = true}),
                       "the recording has nothing to compare with: record it with `.compare = "
                       "true`",
                       st::usage_error);
  o.play(tape, {.stretch = 8});
  {
    auto run = v.pipeline.run(std::views::iota(0, 50));
    CHECK_THROWS_WITH_AS(o.play(tape, {.stretch = 8}),
                         "a run is on: say what a replay is to do before it begins or when it has "
                         "ended",
                         st::usage_error);
  }
  st::pipeline<incomparable, st::replay> of_no_numbers;
  CHECK_THROWS_WITH_AS(
      of_no_numbers.observer().record(tape, {.tasks = {"writer"}, .compare = true}),
      "nothing that tasks write can be compared: let a type have `operator==`, or specialise "
      "`stretto::recorded_value` for it, with `same`",
      st::usage_error);
  CHECK(tape.tasks().front() == "mix");
  st::pipeline<elsewhere::mixing, st::replay> alike;
  CHECK_THROWS_WITH_AS(alike.observer().play(tape, {.stretch = 8}),
                       "the recording is of another schedule: `mix` writes other slots here",
                       st::usage_error);
  st::pipeline<secretly, st::replay> other(counting{&v.done.add});
  CHECK_THROWS_WITH_AS(other.observer().play(tape, {.stretch = 8}),
                       "`mix` is no task of this pipeline", st::usage_error);
}

TEST_CASE("a recording may be moved, dropped or made anew while others record or play it") {
  const auto played = [](st::recording tape) {  // which is gone when it is played
    auto v = std::make_unique<of_types>();
    v->pipeline.observer().play(tape, {.stretch = 8});
    return v;
  };
  of_types dropped;
  {
    st::recording tape;
    dropped.pipeline.observer().record(tape, {.tasks = {"mix"}, .batches = 60});
  }
  results(dropped.pipeline, 60);

  of_types moved;
  st::recording first;
  moved.pipeline.observer().record(first, {.tasks = {"mix"}, .batches = 60});
  st::recording tape = std::move(first);
  results(moved.pipeline, 60);
  CHECK(first.batches() == 0);  // NOLINT(bugprone-use-after-move): that is asked
  CHECK(first.tasks().empty());
  REQUIRE(tape.batches() == 60);

  of_types playing;
  playing.pipeline.observer().play(tape, {.stretch = 8});
  of_types again;
  again.pipeline.observer().record(tape, {.tasks = {"add", "split"}, .batches = 40});
  results(playing.pipeline, 60);
  CHECK(playing.done.mixes == 60 - 3 * 8);
  results(again.pipeline, 60);
  CHECK(tape.batches() == 40);
  const auto of_nobody = played(std::move(tape));
  results(of_nobody->pipeline, 40);
  CHECK(of_nobody->done.split + of_nobody->done.add == 2 * 40 - 2 * 8);
}

TEST_CASE("what a replay refuses leaves what it was told before") {
  of_types v;
  auto& o = v.pipeline.observer();
  st::recording long_one;
  o.record(long_one, {.tasks = {"split", "mix"}, .batches = 60});
  results(v.pipeline, 60);
  st::recording tape;
  o.record(tape, {.tasks = {"mix"}, .batches = 60});
  CHECK_THROWS_AS(o.play(long_one, {.tasks = {"add"}, .stretch = 8}), st::usage_error);
  st::recording other;
  CHECK_THROWS_AS(o.record(other, {.tasks = {"add", "nobody"}}), st::usage_error);
  results(v.pipeline, 60);
  CHECK(tape.batches() == 60);
  CHECK(tape.tasks() == std::vector<std::string_view>{"mix"});
}

TEST_CASE("a recording has the batches that its run had") {
  const auto record = [](st::recording& tape, int count, std::size_t most) {
    of_types v;
    v.pipeline.observer().record(tape, {.tasks = {"split", "mix"}, .batches = most});
    results(v.pipeline, count);
    return tape.batches();
  };
  st::recording tape;
  CHECK(record(tape, 0, 160) == 0);
  CHECK(record(tape, 160, 160) == 160);
  REQUIRE(record(tape, 60, 160) == 60);
  of_types v;
  v.pipeline.observer().play(tape, {.stretch = 8});
  results(v.pipeline, batches);
  // 7 stretches, of which 3 are replayed.
  CHECK(v.done.split + v.done.mixes == 2 * batches - 3 * 8);

  // Of a run that failed, those that all tasks were done with.
  of_types failing;
  failing.pipeline.observer().record(tape, {.tasks = {"mix", "add"}, .batches = 160});
  {
    auto run = failing.pipeline.run(std::views::iota(0, batches) | std::views::transform([](int n) {
                                      if (n == 70) throw std::runtime_error("no more");
                                      return n;
                                    }));
    CHECK_THROWS([&] {
      while (run.next()) {
      }
    }());
  }
  CHECK(tape.batches() <= 70);
  CHECK(tape.batches() >= 68);

  // One for each third batch, and one for those that are not dropped.
  st::pipeline<squares, st::replay> rated;
  rated.observer().record(tape, {.tasks = {"sum_up", "multiply"}, .batches = 160});
  results(rated, 95);
  CHECK(tape.batches() == 95);
  rated.observer().record(tape, {.tasks = {"sum_up"}, .batches = 160});
  results(rated, 95);
  CHECK(tape.batches() == 93);
  rated.observer().record(tape, {.tasks = {"sum_up", "multiply"}, .batches = 160});
  const auto later_dropped = [](int n) { return n < 50 ? n : 5 * n; };
  rated.run(std::views::iota(0, 160) | std::views::transform(later_dropped)).for_each([](double) {
  });
  CHECK(tape.batches() == 50);
}

TEST_CASE("a recording is not played for other batches than its own") {
  st::recording tape;
  {
    of_types v;
    v.pipeline.observer().record(tape, {.tasks = {"mix"}, .batches = 160});
    results(v.pipeline, 160);
  }
  of_types v;
  v.pipeline.observer().play(tape, {.stretch = 8});
  results(v.pipeline, 80);
  CHECK_THROWS_WITH_AS(
      v.pipeline.run(std::views::iota(80, 160), st::onwards).for_each([](double) {}),
      "this run begins with batch 80, and the one that was recorded with batch 0: "
      "a recording stands in for the batches that it is of",
      st::usage_error);
}

TEST_CASE("a result of replays as text") {
  using namespace std::chrono_literals;
  st::replay_result r;
  r.period = 500us;
  r.batches = 16;
  r.tasks = {{"decode", 300us, 2us, {}, 0}, {"train", 490us, 4us, {290e-6, 290e-6, 290e-6}, 0}};
  CHECK(r.text() ==
        "a progress takes 500 us; stretches of 16 batches\n"
        "  task   time    replayed in  stretches  exposed\n"
        "  train  490 us  4.00 us      3          290 us\n");
  dynamic::schedule s =
      known_exposure::of({known_exposure::task("decode", 1, {"in"}, {"x"}, 1, "other"),
                          known_exposure::task("train", 1, {"x"}, {"out"})},
                         {"out"});
  const dynamic::planned_schedule planned(s);
  st::replay_result more = r;
  for (int i = 0; i < 2; ++i) r.add(more);
  r.hold_against(planned);
  CHECK(r.of("train")->saved.size() == 9);
  CHECK(
      r.text() ==
      "a progress takes 500 us, modelled 490 us; stretches of 16 batches\n"
      "  task   time    replayed in  stretches  exposed                    modelled  interference\n"
      "  train  490 us  4.00 us      9          290 us (290 us to 290 us)  190 us    100 us\n");
  r.period = 700us;
  CHECK(r.text().starts_with(
      "a progress takes 700 us, modelled 490 us, 30 % apart: the model does not tell what these "
      "runs took, or the machine did something else, too; stretches of 16 batches\n"));
  more.tasks.pop_back();
  CHECK_THROWS_WITH_AS(r.add(more), "results of replays are added that are of other tasks",
                       st::usage_error);
}
