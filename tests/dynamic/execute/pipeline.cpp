// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bodies, slots, sources and results of the runtime version, and what is said where they do not
// fit.

#include <doctest/doctest.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <stretto/dynamic.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/sources.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

/// `number` of each batch is read by `twice`, which writes `doubled`.
dynamic::schedule twice(dynamic::body body) {
  return {
      .name = "doubling",
      .source = {.slot = "number"},
      .results = {"doubled"},
      .tasks = {
          {.name = "twice", .reads = {"number"}, .writes = {"doubled"}, .body = std::move(body)}}};
}

template <class Pipeline>
std::vector<int> results(Pipeline& p, int batches = 4) {
  std::vector<int> all;
  int next = 0;
  for (const dynamic::result& r : p.run([&](int& n) {
         n = next++;
         return n < batches;
       })) {
    CHECK(r.batch() == all.size());
    all.push_back(r.get<int>());
  }
  return all;
}

std::vector<int> run(dynamic::schedule s) {
  dynamic::pipeline p(std::move(s));
  return results(p);
}

/// What the error says that making a pipeline of a schedule throws; empty if it throws none.
std::string refused(dynamic::schedule s) {
  try {
    const dynamic::pipeline p(std::move(s));
  } catch (const dynamic::schedule_error& e) {
    return e.what();
  }
  return {};
}

void double_it(const int& in, int& out) { out = 2 * in; }

const std::vector<int> doubled{0, 2, 4, 6};

}  // namespace

TEST_CASE("bodies: functions, function objects, by value, with a context, by name") {
  CHECK(run(twice(double_it)) == doubled);
  CHECK(run(twice(&double_it)) == doubled);
  CHECK(run(twice([](const int& in, int& out) noexcept { out = 2 * in; })) == doubled);
  CHECK(run(twice([](int in, int& out) { out = 2 * in; })) == doubled);
  CHECK(run(twice(std::function<void(const int&, int&)>(double_it))) == doubled);
  CHECK(run(twice([](st::task_context& ctx, const int&, int& out) {
          CHECK(ctx.task() == "twice");
          CHECK(ctx.thread() == "host");
          CHECK(ctx.progress() == ctx.batch());
          out = 2 * static_cast<int>(ctx.batch());
        })) == doubled);
  CHECK(run(twice(dynamic::body::with<const int&, int&>(
            [](const auto& in, auto& out) { out = 2 * in; }))) == doubled);
  CHECK(run(twice(dynamic::body::with<const int&, int&>(
            [](st::context auto& ctx, const auto& in, auto& out) {
              out = in + static_cast<int>(ctx.batch());
            }))) == doubled);

  dynamic::schedule s = twice([](dynamic::slot_access& slots) {
    slots.write<int>("doubled") = 2 * slots.read<int>("number");
  });
  s.slot<int>("number").slot<int>("doubled");
  CHECK(run(s) == doubled);
  s.tasks[0].body = [](const st::task_context& ctx, dynamic::slot_access& slots) {
    slots.write<int>("doubled") = 2 * static_cast<int>(ctx.batch());
  };
  CHECK(run(s) == doubled);
}

TEST_CASE("a copy of a schedule copies its bodies; one that cannot be copied is shared") {
  const dynamic::schedule counting =
      twice([runs = 0](const int&, int& out) mutable { out = ++runs; });
  CHECK(run(counting) == std::vector{1, 2, 3, 4});
  CHECK(run(counting) == std::vector{1, 2, 3, 4});

  const dynamic::schedule shared =
      twice([runs = std::make_unique<int>(0)](const int&, int& out) { out = ++*runs; });
  CHECK(run(shared) == std::vector{1, 2, 3, 4});
  CHECK(run(shared) == std::vector{5, 6, 7, 8});
}

TEST_CASE("a pipeline gives access to its bodies") {
  struct adds {
    int sum = 0;
    void operator()(const int& in, int& out) { out = sum += in; }
  };
  dynamic::pipeline p(twice(adds{}));
  CHECK(results(p) == std::vector{0, 1, 3, 6});
  CHECK(p.body<adds>("twice").sum == 6);
  p.body<adds>("twice").sum = 10;
  CHECK(results(p) == std::vector{10, 11, 13, 16});
  CHECK_THROWS_WITH_AS(
      p.body<int>("twice"),
      "the body of task `twice` is not of type `int`: ask for the type that it was "
      "made of (two types may be spelled alike)",
      st::usage_error);
  CHECK_THROWS_AS(p.body<adds>("deliver"), st::usage_error);
  CHECK_THROWS_WITH_AS(p.body<adds>("once"), "schedule `doubling` has no task `once`",
                       st::usage_error);
}

TEST_CASE("what does not fit is refused before anything runs, all of it at once") {
  CHECK(refused(twice({})) ==
        "schedule `doubling`: task `twice` has no body: it can be planned, but not run");
  void (*const nobody)(const int&, int&) = nullptr;
  CHECK(refused(twice(nobody)) ==
        "schedule `doubling`: task `twice` has no body: it can be planned, but not run");
  const std::function<void(const int&, int&)> empty;
  CHECK(refused(twice(empty)) ==
        "schedule `doubling`: task `twice` has no body: it can be planned, but not run");
  CHECK(refused(twice(dynamic::body::with<const int&, int&>(empty))) ==
        "schedule `doubling`: task `twice` has no body: it can be planned, but not run");
  CHECK(refused(twice([](const int&) {})) ==
        "schedule `doubling`: task `twice` reads 1 and writes 1 slots, but its body takes 1: it "
        "takes what is read, then what is written");
  CHECK(refused(twice([](int&, int&) {})) ==
        "schedule `doubling`: task `twice` takes slot `number` to change it, but only reads it; "
        "take it as const, or list it in `writes`");
  CHECK(refused(twice([](const int&, int) {})) ==
        "schedule `doubling`: task `twice` takes slot `doubled` by value or as const, but writes "
        "it; take it as `int&`");

  dynamic::schedule s = twice(double_it);
  s.source.slot.clear();
  s.tasks[0].reads.clear();
  s.tasks[0].body = [](int&) {};
  CHECK(refused(s) ==
        "schedule `doubling`: it has no source: name the slot that each batch is put "
        "into, `source.slot`");
  s = twice(double_it);
  s.source.slot.clear();
  CHECK(refused(s) ==
        "schedule `doubling`: rule 5: task `twice` reads slot `number`, which no task writes, and "
        "there is no source to fill it; make it the source's slot, list a task that writes it, or "
        "drop the read");

  s = twice(double_it);
  s.tasks.push_back({.name = "thrice", .reads = {"number"}, .body = [](const float&) {}});
  s.tasks.push_back({.name = "none"});
  try {
    const dynamic::pipeline p(s);
    FAIL("accepted");
  } catch (const dynamic::schedule_error& e) {
    CHECK(e.sentences() ==
          std::vector<std::string>{
              "slot `number` is `int` to task `twice`, but `float` to task `thrice`",
              "task `none` has no body: it can be planned, but not run"});
    CHECK(std::string(e.what()).ends_with(" (and 1 more)"));
  }

  CHECK(refused(twice([](dynamic::slot_access&) {})) ==
        "schedule `doubling`: nothing tells the type of slot `number`: say it with "
        "`schedule.slot<T>(\"number\")` (and 1 more)");
}

TEST_CASE("workers share bodies that are callable as const, and no others") {
  dynamic::schedule s = twice([](const int& in, int& out) { out = 2 * in; });
  s.tasks[0].thread = "many";
  s.groups = {{.thread = "many", .workers = 3}};
  CHECK(run(s) == doubled);
  s.tasks[0].body = [n = 0](const int& in, int& out) mutable { out = 2 * in + 0 * n; };
  CHECK(refused(s) ==
        "schedule `doubling`: task `twice` is called by several workers at once, but not callable "
        "as const; declare its call operator const, and keep what it changes in slots");
}

TEST_CASE("asking for slots by name: what is not there stops the pipeline on that task") {
  const auto fails = [](auto ask) {
    dynamic::schedule s = twice([ask](dynamic::slot_access& slots) { ask(slots); });
    s.slot<int>("number").slot<int>("doubled");
    dynamic::pipeline p(s);
    try {
      results(p);
    } catch (const st::task_error& e) {
      CHECK(e.task() == "twice");
      CHECK(e.batch() == 0);
      try {
        e.rethrow_nested();
      } catch (const st::usage_error& original) {
        return std::string(original.what());
      }
    }
    return std::string();
  };
  CHECK(fails([](auto& s) { s.template read<int>("numbre"); }) ==
        "task `twice` asks for slot `numbre`, which it does not declare: list it in `reads` or "
        "`writes`; it has `number`, `doubled`");
  CHECK(fails([](auto& s) { s.template write<int>("number"); }) ==
        "task `twice` asks for slot `number`, to write it, but only reads it: list it in `writes`; "
        "it has `number`, `doubled`");
  CHECK(fails([](auto& s) { s.template read<float>("number"); }) ==
        "task `twice` asks for slot `number`, as `float`, but it holds `int`; it has `number`, "
        "`doubled`");
  CHECK(fails([](auto& s) { s.template read<int>("doubled"); }).empty());
}

namespace {

using owned = std::unique_ptr<int>;

/// `given` goes to `kept` when `look` has seen it.
dynamic::schedule moving(dynamic::body take) {
  return {.name = "moving",
          .source = {.slot = "given"},
          .results = {"kept", "seen"},
          .tasks = {{.name = "take",
                     .reads = {dynamic::takes("given")},
                     .writes = {"kept"},
                     .body = std::move(take)},
                    {.name = "look",
                     .reads = {"given"},
                     .writes = {"seen"},
                     .body = [](const owned& in, int& out) { out = in ? *in : -1; }}}};
}

}  // namespace

TEST_CASE("a value is taken: by a parameter, by name, and by nobody who does not say so") {
  const auto check = [](dynamic::schedule s) {
    dynamic::pipeline p(std::move(s));
    int next = 0;
    int batches = 0;
    for (const dynamic::result& r : p.run([&](owned& in) {
           in = std::make_unique<int>(next);
           return next++ < 4;
         })) {
      CHECK(r.get<int>("seen") == batches);
      const owned mine = std::move(r.get<owned>("kept"));
      REQUIRE(mine);
      CHECK(*mine == batches++);
    }
    CHECK(batches == 4);
  };
  check(moving([](owned&& in, owned& out) { out = std::move(in); }));
  dynamic::schedule by_name =
      moving([](dynamic::slot_access& of) { of.write<owned>("kept") = of.take<owned>("given"); });
  by_name.slot<owned>("kept");
  check(by_name);
  check(dynamic::serial(by_name));
  check(dynamic::pipelined(moving([](owned&& in, owned& out) { out = std::move(in); })));

  CHECK(refused(moving([](const owned&, owned&) {})) ==
        "schedule `moving`: task `take` is to take the value of slot `given`; take it as `" +
            std::string(dynamic::type_of<owned>().name) + "&&`, or list the slot without `takes`");
  dynamic::schedule s = twice([](int&& in, int& out) { out = in; });
  CHECK(refused(s) ==
        "schedule `doubling`: task `twice` takes slot `number` as one that it may move from, but "
        "only reads it; take it as const, or list `takes(\"number\")` in `reads`");
  s = twice([](dynamic::slot_access& of) { of.write<int>("doubled") = of.take<int>("number"); });
  s.slot<int>("number").slot<int>("doubled");
  dynamic::pipeline p(s);
  CHECK_THROWS_AS(results(p), st::task_error);
}

TEST_CASE(
    "a body that returns a verdict may drop batches: a lambda, a function, by name, with a "
    "context") {
  dynamic::schedule s;
  s.source.slot = "number";
  s.results = {"sum"};
  dynamic::task judge;
  judge.name = "judge";
  judge.lookahead = 2;
  judge.reads = {"number"};
  judge.writes = {"kept"};
  dynamic::task add;
  add.name = "add";
  add.reads = {"kept", dynamic::use::previous("kept", 2)};
  add.writes = {"sum"};
  add.thread = "adding";
  add.body = [](int kept, dynamic::previous<int> before, int& sum) {
    sum = kept + 100 * before.value_or(-1);
  };
  bool by_name = false;
  SUBCASE("a lambda") {
    judge.body = [](int n, int& kept) {
      kept = n;
      return n % 3 == 1 ? st::drop : st::keep;
    };
  }
  SUBCASE("with a context") {
    judge.body = [](const st::task_context& ctx, int n, int& kept) noexcept {
      kept = n;
      return ctx.batch() % 3 == 1 ? st::drop : st::keep;
    };
  }
  SUBCASE("of any callable") {
    judge.body = dynamic::body::with<const int&, int&>([](auto n, auto& kept) {
      kept = n;
      return n % 3 == 1 ? st::drop : st::keep;
    });
  }
  SUBCASE("by name") {
    by_name = true;
    judge.body = [](dynamic::slot_access& slots) {
      slots.write<int>("kept") = slots.read<int>("number");
      return slots.read<int>("number") % 3 == 1 ? st::drop : st::keep;
    };
    add.body = [](dynamic::slot_access& slots) {
      const int* const before = slots.previous<int>("kept", 2);
      slots.write<int>("sum") = slots.read<int>("kept") + 100 * (before == nullptr ? -1 : *before);
    };
  }
  s.tasks = {judge, add};
  if (by_name) s.slot<int>("number").slot<int>("kept").slot<int>("sum");
  CHECK(s.tasks[0].body.drops());
  CHECK_FALSE(s.tasks[1].body.drops());
  dynamic::pipeline p(s);
  std::vector<int> sums;
  std::vector<std::size_t> batches;
  for (const dynamic::result& r : p.run(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7})) {
    sums.push_back(r.get<int>("sum"));
    batches.push_back(r.batch());
  }
  CHECK(sums == std::vector<int>{-100, 2, -97, 305, 6 - 100});
  CHECK(batches == std::vector<std::size_t>{0, 2, 3, 5, 6});
  CHECK(p.report().dropped == 3);
  CHECK(p.plan().describe().find("may drop batches") != std::string::npos);
}

TEST_CASE("results: by name, by type, and what they are not") {
  dynamic::schedule s = twice(double_it);
  s.tasks.push_back({.name = "half",
                     .reads = {"number"},
                     .writes = {"halved"},
                     .body = [](const int& in, double& out) { out = in / 2.0; }});
  s.results = {"halved", "doubled"};
  dynamic::pipeline both(s);
  for (const dynamic::result& r : both.run(std::vector{3})) {
    CHECK(r.get<double>("halved") == 1.5);
    CHECK(r.get<int>("doubled") == 6);
    CHECK_THROWS_AS(r.get<int>("halved"), st::usage_error);
    CHECK_THROWS_WITH_AS(r.get<int>("number"),
                         "the result of a batch asks for slot `number`, which it does not declare: "
                         "list it in `results`; it has `halved`, `doubled`",
                         st::usage_error);
    CHECK_THROWS_WITH_AS(r.get<int>(),
                         "the result of a batch has several slots, `halved`, `doubled`: say which "
                         "is asked for",
                         st::usage_error);
  }
  s.results.clear();
  dynamic::pipeline none(s);
  std::size_t batches = 0;
  for (const dynamic::result& r : none.run(std::vector{3, 4})) {
    CHECK(r.batch() == batches++);
    CHECK_THROWS_WITH_AS(r.get<int>(),
                         "the result of a batch has no slots: list what is asked for in `results`",
                         st::usage_error);
  }
  CHECK(batches == 2);
}

TEST_CASE("sources: whatever tells its type, and others when the type is said") {
  dynamic::pipeline p(twice(double_it));
  const auto all = [](auto&& run) {
    std::vector<int> got;
    for (const dynamic::result& r : run) got.push_back(r.get<int>());
    return got;
  };
  const std::vector<int> numbers{0, 1, 2, 3};
  CHECK(all(p.run(numbers)) == doubled);
  CHECK(all(p.run(std::vector<int>(numbers))) == doubled);
  int next = 0;
  CHECK(all(p.run([&] { return next < 4 ? std::optional(next++) : std::nullopt; })) == doubled);
  next = 0;
  CHECK(all(p.run([&](int& n) { return (n = next++) < 4; })) == doubled);
  next = 0;
  CHECK(all(p.run([&](const std::stop_token&) {
          return next < 4 ? std::optional(next++) : std::nullopt;
        })) == doubled);
  next = 0;
  CHECK(all(p.run([&](int& n, const std::stop_token&) { return (n = next++) < 4; })) == doubled);
  next = 0;
  CHECK(all(p.run<int>([&](auto& n) { return (n = next++) < 4; })) == doubled);
  next = 0;
  CHECK(all(p.run<int>([&](auto&& n) { return (n = next++) < 4; })) == doubled);
  next = 0;
  CHECK(all(p.run<int>([&](auto& n, auto may_wait) {
          n = next++;
          return !may_wait && n == 0 ? st::pulled::nothing_yet
                 : n < 4             ? st::pulled::batch
                                     : st::pulled::end;
        })) == doubled);
  CHECK(all(p.run<int>(std::vector<short>{0, 1, 2, 3})) == doubled);
  CHECK(all(p.run(std::vector<int>{})).empty());
  CHECK_THROWS_WITH_AS(
      static_cast<void>(p.run(std::vector<float>{1})),
      "the source yields `float`, but slot `number` holds `int`, as the tasks take it; let them "
      "take "
      "what the source yields, or, where it can be put into that, name the slot's type: "
      "run<T>(source)",
      st::usage_error);
  CHECK(all(p.run(numbers)) == doubled);  // nothing has happened to it
}

namespace {

/// Counts its objects, which several threads make; the one that is to fail does when it is made.
struct counted {
  static inline std::atomic<int> alive = 0;
  static inline std::atomic<int> until_failure = -1;
  alignas(128) int value = 0;

  counted() {
    CHECK(reinterpret_cast<std::uintptr_t>(this) % 128 == 0);
    if (until_failure-- == 0) throw std::runtime_error("no more of these");
    ++alive;
  }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --alive; }
};

dynamic::schedule held() {
  return {.source = {.slot = "in"},
          .results = {"out"},
          .tasks = {{.name = "ahead",
                     .thread = "other",
                     .lookahead = 2,
                     .reads = {"in"},
                     .writes = {"kept"},
                     .body = [](const counted& in, counted& out) { out.value = in.value; }},
                    {.name = "behind",
                     .reads = {"kept"},
                     .writes = {"out"},
                     .body = [](const counted& in, int& out) { out = in.value; }}}};
}

}  // namespace

TEST_CASE("slots: aligned, one copy for each batch at work, destroyed with the pipeline") {
  counted::until_failure = -1;
  {
    dynamic::pipeline p(held());
    int next = 0;
    int expected = 0;
    for (const dynamic::result& r : p.run([&](counted& c) { return (c.value = next++) < 10; }))
      CHECK(r.get<int>() == expected++);
    CHECK(expected == 10);
    CHECK(counted::alive == 3 + 3);  // two of the source's are spare
    CHECK(p.memory_bytes() == 6 * sizeof(counted) + 2 * 64);
  }
  CHECK(counted::alive == 0);
}

TEST_CASE("slots: one that cannot be made is an error of its task, and nothing leaks") {
  for (int copy = 0; copy < 4; ++copy) {
    counted::until_failure = copy;
    {
      dynamic::pipeline p(held());
      const auto run = [&] {
        int next = 0;
        std::size_t got = 0;
        for (const dynamic::result& r : p.run([&](counted& c) { return (c.value = next++) < 3; }))
          got += r.batch() + 1;
        return got;
      };
      try {
        run();
        FAIL("made");
      } catch (const st::task_error& e) {
        CHECK(std::string(e.what()).find("no more of these") != std::string::npos);
      }
      p.reset();
      CHECK(run() == 6);
    }
    CHECK(counted::alive == 0);
  }
  counted::until_failure = -1;
}

namespace {

/// One task reads slots that are written at these lookaheads, on threads of their own.
dynamic::schedule far_ahead(const std::vector<int>& lookaheads, int workers) {
  dynamic::schedule s{.source = {.slot = "in"}, .results = {"sum"}};
  dynamic::task sum{.name = "sum", .thread = "sums", .writes = {"sum"}};
  for (const int ahead : lookaheads) {
    const std::string slot = "slot" + std::to_string(ahead);
    s.tasks.push_back({.name = "write" + std::to_string(ahead),
                       .thread = "writers",
                       .lookahead = ahead,
                       .reads = {"in"},
                       .writes = {slot},
                       .body = [ahead](const int& in, int& out) { out = ahead * in; }});
    s.slot<int>(slot);
    sum.reads.emplace_back(slot);
  }
  sum.body = [](dynamic::slot_access& slots) {
    int total = 0;
    for (const int ahead : {6, 10, 12, 16})
      total += slots.read<int>("slot" + std::to_string(ahead));
    slots.write<int>("sum") = total;
  };
  s.slot<int>("sum");
  s.tasks.push_back(std::move(sum));
  s.groups = {{.thread = "sums", .workers = workers}};
  return s;
}

}  // namespace

TEST_CASE("slots whose copies come round together only after thousands of batches") {
  for (const int workers : {1, 3}) {
    CAPTURE(workers);
    dynamic::pipeline p(far_ahead({6, 10, 12, 16}, workers));
    for (int again = 0; again < 2; ++again) {
      const std::vector<int> all = results(p, 300);
      REQUIRE(all.size() == 300);
      for (int b = 0; b < 300; ++b) CHECK(all[static_cast<std::size_t>(b)] == 44 * b);
    }
  }
}

TEST_CASE(
    "more tasks on one thread than one call makes: all run in order, and any of them may fail") {
  constexpr std::size_t count = 150;
  for (const std::size_t failing : {count, std::size_t{0}, std::size_t{62}, std::size_t{63},
                                    std::size_t{64}, std::size_t{127}, count - 1}) {
    CAPTURE(failing);
    std::vector<std::size_t> ran;
    int batch = 0;
    dynamic::schedule s{.name = "long", .source = {.slot = "number"}};
    s.slot<int>("number");
    for (std::size_t t = 0; t < count; ++t) {
      dynamic::task one{.name = "t" + std::to_string(t)};
      one.body = [&ran, &batch, t, failing] {
        ran.push_back(t);
        if (t == failing && batch == 3) throw std::runtime_error("fails");
      };
      if (t > 0) one.depends_on = {"t" + std::to_string(t - 1)};
      s.tasks.push_back(std::move(one));
    }
    dynamic::pipeline p(std::move(s));
    const auto five = [&](int& n) {
      n = ++batch;
      return n <= 5;
    };
    bool failed = false;
    try {
      for (const dynamic::result& r : p.run<int>(five)) CHECK(r.batch() + 1 == std::size_t(batch));
    } catch (const st::task_error& e) {
      failed = true;
      CHECK(e.task() == "t" + std::to_string(failing));
      CHECK(e.batch() == 2);
    }
    CHECK(failed == (failing < count));
    CHECK(ran.size() == (failed ? 2 * count + failing + 1 : 5 * count));
    for (std::size_t i = 0; i < ran.size(); ++i) CHECK(ran[i] == i % count);
  }
}

TEST_CASE("options as types or as arguments, and cores") {
  dynamic::schedule s = twice(double_it);
  s.tasks[0].thread = "worker";
  dynamic::pipeline<st::barrier, st::block, st::timeline> a(s);
  CHECK(results(a) == doubled);
  CHECK(a.observer().spans(1).size() == 4);
  CHECK(a.observer().threads()[1] == "worker");
  CHECK(a.observer().tasks()[0] == "twice");
  dynamic::pipeline b(s, st::pinned{}, st::block{});
  CHECK(results(b) == doubled);
  CHECK_THROWS_AS(dynamic::pipeline<>(s, st::cores{{"nobody", {0}}}), st::usage_error);
}

TEST_CASE("a user thread is attached to a thread group, with and without cores and options") {
  dynamic::schedule s = twice(double_it);
  s.tasks[0].thread = "worker";
  std::thread::id ran_on;
  s.tasks[0].body = [&](int in, int& out) {
    ran_on = std::this_thread::get_id();
    out = 2 * in;
  };
  const auto check = [&](auto& pipeline) {
    std::thread::id id;
    std::jthread host([&](const std::stop_token& leaving) {
      while (pipeline.attach("worker", leaving)) {
      }
    });
    id = host.get_id();
    CHECK(results(pipeline) == doubled);
    CHECK(results(pipeline) == doubled);
    host.request_stop();
    host.join();
    CHECK(ran_on == id);
  };
  dynamic::pipeline attaching(s, st::attached_threads{"worker"});
  check(attaching);
  dynamic::pipeline with_option(s, st::attached_threads{"worker"}, st::barrier{});
  check(with_option);
  dynamic::pipeline<st::block> with_cores(s, st::cores(), st::attached_threads{"worker"});
  check(with_cores);
  dynamic::pipeline with_all(s, st::cores(), st::attached_threads{"worker"}, st::barrier{},
                             st::block{});
  check(with_all);
  CHECK_THROWS_AS(attaching.attach("nobody"), st::usage_error);
  CHECK_THROWS_AS(dynamic::pipeline<>(s, st::attached_threads{"nobody"}), st::usage_error);
}

TEST_CASE("a pipeline of types and its runtime version are sources for each other") {
  dynamic::pipeline inner(twice(double_it));
  dynamic::pipeline outer(twice(double_it));
  const std::vector<int> numbers{0, 1, 2, 3};
  auto from = inner.run(numbers);
  std::vector<int> got;
  for (const dynamic::result& r : outer.run([&](int& n) {
         if (!from.next()) return false;
         n = from.result().get<int>();
         return true;
       }))
    got.push_back(r.get<int>());
  CHECK(got == std::vector{0, 4, 8, 12});
}
