// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs whose first batches begin half-processed: what the position has of them is in their slots,
// and who would have written it is not called; next to a run from the beginning.

#include <doctest/doctest.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <stretto/position.hpp>
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

/// What the slots of `training` hold for each batch in a run from the beginning.
struct written {
  std::vector<long> scaled_;
  std::vector<long> gradient_;
  std::vector<long> weights_;    // of batches for which it is written
  std::vector<int> rate_;        // likewise
  std::vector<st::position> at;  // before each
};
struct shown : st::serial<st::schedule<st::source<sample>, st::result<scaled, gradient>, set_rate,
                                       scale, backward, step, tell>> {};
const written& of_one_run() {
  static const written all = [] {
    written found;
    tested::pipeline<shown> pipeline;
    for (std::size_t b = 0; b < batches; ++b) {
      found.at.push_back(pipeline.position());
      auto run = pipeline.run(samples(b, b + 1), st::onwards);
      REQUIRE(run.next());
      const auto& [s, g] = run.result();
      found.scaled_.push_back(s);
      found.gradient_.push_back(g);
      REQUIRE_FALSE(run.next());
      const st::position after = pipeline.position();
      const long* const w = after.value<weights>(b);
      const int* const r = after.value<rate_of_group>(b);
      found.weights_.push_back(w == nullptr ? 0 : *w);
      found.rate_.push_back(r == nullptr ? 0 : *r);
    }
    return found;
  }();
  return all;
}

/// Which tasks are given what they write, a bit each; the first: the source.
enum given : unsigned {
  of_source = 1,
  of_set_rate = 2,
  of_scale = 4,
  of_backward = 8,
  of_step = 16
};

/// The position before a batch, with \p count batches that begin half-processed.
st::position seeded(std::size_t first, std::size_t count, unsigned what) {
  const written& all = of_one_run();
  st::position where = all.at[first];
  for (std::size_t b = first + count; b-- > first;) {  // in any order
    if ((what & of_source) != 0) where.seed<sample>(b, sample_of(static_cast<int>(b)));
    if ((what & of_set_rate) != 0 && b % 5 == 0) where.seed<rate_of_group>(b, all.rate_[b]);
    if ((what & of_scale) != 0) where.seed<scaled>(b, all.scaled_[b]);
    if ((what & of_backward) != 0) where.seed("gradient", b, all.gradient_[b]);
    if ((what & of_step) != 0 && b % 3 == 2) where.seed<weights>(b, all.weights_[b]);
  }
  return where;
}

template <class Pipeline>
void check_seeded() {
  const deadline limit("seeded");
  for (const std::size_t first : {std::size_t{0}, std::size_t{4}, std::size_t{11}})
    for (const std::size_t count : {1U, 2U, 3U, 7U, 12U})
      for (unsigned what = 1; what < 32; ++what) {
        if (what % 5 != count % 5 && what != 31) continue;
        CAPTURE(first);
        CAPTURE(count);
        CAPTURE(what);
        Pipeline pipeline;
        pipeline.template task<tell>().next = first;
        const std::size_t asked = (what & of_source) != 0 ? first + count : first;
        const st::position where = seeded(first, count, what);
        CHECK(check_results(pipeline.run(samples(asked, batches), st::from(where)), first) ==
              batches);
        const st::run_report& report = pipeline.report();
        CHECK(report.end == st::run_end::completed);
        CHECK(report.first == first);
        CHECK(report.pulled == batches - first);
        CHECK(report.finished == batches - first);
        // What a run was given is no other's.
        pipeline.template task<tell>().next = 0;
        CHECK(check_results(pipeline.run(samples(0, 9)), 0) == 9);
      }
}

}  // namespace

TEST_CASE("a run whose first batches begin half-processed is as if it had begun with all of them") {
  in_each_plan([]<class Pipeline>() { check_seeded<Pipeline>(); });
}

namespace {

// A long chain is not one function.
struct at_length : training {};

// Counts its calls.
namespace counted {
struct number : st::slot<int> {};
struct twice : st::slot<long> {};
struct more : st::slot<long> {};
struct again : st::slot<long> {};
struct sum : st::slot<long> {};

struct doubles {
  using thread = st::thread<"pool">;
  static constexpr int lookahead = 1;
  void operator()(const st::context auto& ctx, st::in<number> in, st::out<twice> two,
                  st::out<more> three) const {
    dawdle(*in);
    ++(*calls)[ctx.batch()];
    *two = 2L * *in;
    *three = 3L * *in;
  }
  std::shared_ptr<std::array<std::atomic<int>, 40>> calls =
      std::make_shared<std::array<std::atomic<int>, 40>>();
};
struct look {
  void operator()(st::in<twice> in, st::out<again> out) const { *out = *in + 1; }
};
struct total {
  void operator()(st::in<twice> in, st::in<more> more_, st::in<again> once,
                  st::previous<sum> before, st::out<sum> out) const {
    *out = before.value_or(0) + *in + *more_ - *once;
  }
};
struct summing : st::schedule<st::source<number>, st::result<sum>, doubles, look, total,
                              st::workers<"pool", 3>> {};
struct in_turn : st::serial<summing> {};

template <class Pipeline>
void check(std::size_t count) {
  CAPTURE(count);
  std::vector<long> all;
  tested::pipeline<in_turn> one;
  for (const long s : one.run(std::views::iota(0, 30))) all.push_back(s);
  st::position where(0);
  for (std::size_t b = 0; b < count; ++b) {
    const auto n = static_cast<long>(b);
    where.seed_unread<number>(b).seed<twice>(b, 2 * n).seed<more>(b, 3 * n);
  }
  doubles one_of_them;
  Pipeline pipeline(one_of_them);
  std::vector<long> found;
  for (const long s : pipeline.run(std::views::iota(static_cast<int>(count), 30), st::from(where)))
    found.push_back(s);
  CHECK(found == all);
  for (std::size_t b = 0; b < 30; ++b) CHECK((*one_of_them.calls)[b] == (b < count ? 0 : 1));
}
}  // namespace counted

}  // namespace

template <>
[[maybe_unused]] inline constexpr std::size_t stretto::unrolled_up_to<at_length> = 1;

TEST_CASE("likewise where a chain is long") { check_seeded<tested::pipeline<at_length>>(); }

TEST_CASE("who writes what is given is not called, whichever worker has its turn") {
  const deadline limit("workers");
  for (const std::size_t count : {1U, 2U, 3U, 4U, 8U, 29U, 30U}) {
    counted::check<tested::pipeline<counted::summing>>(count);
    counted::check<tested::pipeline<counted::in_turn>>(count);
  }
}

TEST_CASE("the batch that a task drops is dropped, and one that was given there is not") {
  using pairs = std::vector<std::pair<std::size_t, long>>;
  const deadline limit("dropped");
  tested::pipeline<dropping::counting> pipeline;
  const auto collect = [&pipeline](const st::position& where, int first) {
    pairs found;
    auto run = pipeline.run(std::views::iota(first, 8), st::from(where));
    while (run.next()) found.emplace_back(run.batch(), run.result());
    return found;
  };
  const pairs all = collect(st::position(0), 0);
  // Batch 1 would have been dropped by who is not called for it; batch 4 is.
  st::position where(0);
  where.seed<dropping::number>(0, 0).seed<dropping::number>(1, 1).seed<dropping::parsed>(1, 1);
  pairs found = collect(where, 2);
  REQUIRE(found.size() == all.size() + 1);
  CHECK(found[1] == std::pair<std::size_t, long>(1, 1 + 3));
  CHECK(found[2].first == 2);
  CHECK(found[2].second == 2 + 100);
  CHECK(found.back() == all.back());
  // What would come after a task that drops a batch is not put there either.
  st::position both(0);
  both.seed<dropping::sum>(0, 500).seed<dropping::sum>(1, 600).seed<dropping::sum>(2, 700);
  found = collect(both, 0);
  CHECK(found[0] == std::pair<std::size_t, long>(0, 500));
  CHECK(found[1] == std::pair<std::size_t, long>(2, 700));
  CHECK(pipeline.report().dropped == 3);
}

namespace {

// Two that write one slot.
namespace updated {
struct number : st::slot<int> {};
struct value : st::slot<long> {};
struct between : st::slot<long> {};
struct out : st::slot<long> {};
struct first {
  static constexpr int lookahead = 2;
  void operator()(st::in<number> n, st::out<value> v) const { v = 10 * *n; }
};
struct look {
  static constexpr int lookahead = 2;
  void operator()(st::in<value> v, st::out<between> b) const { b = *v + 1; }
};
struct second {
  static constexpr int lookahead = 1;
  void operator()(st::inout<value> v) const { *v += 5; }
};
struct last {
  void operator()(st::in<value> v, st::in<between> b, st::out<out> o) const { o = *v * 1000 + *b; }
};
struct updating : st::schedule<st::source<number>, st::result<out>, first, look, second, last> {};
}  // namespace updated

}  // namespace

TEST_CASE("of a slot that several write, what the last of them leaves is given") {
  tested::pipeline<updated::updating> pipeline;
  st::position where(0);
  where.seed<updated::value>(0, 7);
  const auto run = [&] {
    std::vector<long> found;
    for (const long o : pipeline.run(std::vector{1, 2, 3}, st::from(where))) found.push_back(o);
    return found;
  };
  CHECK(why_refused(run) ==
        "slot `value` cannot be seeded for batch 0: task `look` reads it before task `second` "
        "writes it again, and what is seeded is what is there then: seed what the former writes, "
        "too");
  where.seed<updated::between>(0, 9);
  CHECK(run() == std::vector<long>{7009, 25021, 35031});
}

// ---- sources

TEST_CASE("the source is asked for batches of which its slot is not given, wherever they are") {
  tested::pipeline<counted::summing> pipeline;
  std::vector<int> asked;
  int next = 0;
  st::position where(0);
  where.seed<counted::number>(1, 100).seed<counted::number>(3, 300);
  auto source = [&](int& slot) {
    slot = next++;
    asked.push_back(slot);
    return asked.size() < 4;
  };
  std::vector<long> found;
  for (const long s : pipeline.run(source, st::from(where))) found.push_back(s);
  // The end came with batch 5.
  CHECK(asked == std::vector{0, 1, 2, 3});
  CHECK(found == std::vector<long>{-1, 298, 300, 1199, 1204});
}

template <class Schedule>
void check_pausing() {
  const std::vector<int> all{100, 101, 2, 103, 4, 5, 6};
  std::vector<long> wanted;
  {
    tested::pipeline<Schedule> pipeline;
    for (const long s : pipeline.run(all)) wanted.push_back(s);
  }
  tested::pipeline<Schedule> pipeline;
  st::position where(0);
  for (const std::size_t b : {0U, 1U, 3U}) where.seed<counted::number>(b, all[b]);
  where.seed<counted::again>(1, 2L * all[1] + 1).seed<counted::again>(5, 2L * all[5] + 1);
  for (const int every : {1, 2, 3}) {  // how often it has nothing
    std::size_t next = 2;
    int asked = 0;
    const auto now_and_then = [&](int& slot, bool may_wait) {
      if (next == all.size()) return st::pulled::end;
      if (!may_wait && asked++ % every == 0) return st::pulled::nothing_yet;
      slot = all[std::exchange(next, next == 2 ? 4 : next + 1)];
      return st::pulled::batch;
    };
    std::vector<long> found;
    for (const long s : pipeline.run(now_and_then, st::from(where))) found.push_back(s);
    CHECK(found == wanted);
    CHECK(asked > 0);
  }
}

TEST_CASE("a source that has nothing yet is one behind what was given, and between") {
  const deadline limit("a pause with seeds");
  check_pausing<counted::summing>();
  check_pausing<counted::in_turn>();
}

TEST_CASE("a source that ends before what was given is told of, behind the results") {
  tested::pipeline<counted::in_turn> pipeline;
  st::position where(0);
  for (std::size_t b = 0; b < 4; ++b) where.seed<counted::again>(b, 0);
  const auto take = [&](auto&& run, std::vector<long>& found) {
    for (const long s : run) found.push_back(s);
  };
  const std::string why =
      "the source ended before batches of which the position has values: let it have those "
      "batches, or seed its slot for them, too";
  std::vector<long> found;
  CHECK(why_refused([&] { take(pipeline.run(std::vector{1, 2}, st::from(where)), found); }) == why);
  CHECK(found == std::vector<long>{5, 15});
  CHECK(pipeline.report().end == st::run_end::completed);
  {
    auto run = pipeline.run(std::vector{1, 2}, st::from(where));
    CHECK(run.next());
    CHECK(run.next());
    CHECK(why_refused([&] { run.next(); }) == why);
    CHECK_FALSE(run.next());
  }
  // Not if somebody asked for a stop, or took no more.
  std::stop_source stop;
  auto source = [&](int& slot) {
    slot = 1;
    stop.request_stop();
    return true;
  };
  found.clear();
  take(pipeline.run(source, st::from(where), stop.get_token()), found);
  CHECK(found == std::vector<long>{5});
  CHECK(pipeline.report().end == st::run_end::drained);
  { [[maybe_unused]] const auto left = pipeline.run(std::vector{1}, st::from(where)).next(); }
  found.clear();
  take(pipeline.run(std::vector{1, 2, 3, 4}, st::from(where)), found);
  CHECK(found.size() == 4);
}

TEST_CASE("a run that could not be made leaves nothing to the next") {
  st::position where(0);
  where.seed<counted::twice>(0, 1000).seed<counted::more>(0, 0).seed<counted::again>(0, 0);
  tested::pipeline<counted::summing> pipeline{st::attached_threads{"pool"}};
  auto pausing = [](int&) { return st::pulled::end; };
  CHECK(why_refused([&] {
          static_cast<void>(pipeline.run(pausing, st::from(where)));
        }).starts_with("a source that may say nothing_yet does not go with attached threads"));
  std::vector<std::thread> mine;
  for (int i = 0; i < 3; ++i) mine.emplace_back([&] { pipeline.attach("pool"); });
  std::vector<long> found;
  for (const long s : pipeline.run(std::vector{1})) found.push_back(s);
  for (std::thread& t : mine) t.join();
  CHECK(found == std::vector<long>{2});
}

namespace {

/// Cannot be copied once it is spent.
struct fragile {
  int value = 0;
  fragile() = default;
  explicit fragile(int v) : value(v) {}
  fragile(const fragile&) = default;
  fragile& operator=(const fragile& other) {
    if (other.value < 0) throw std::runtime_error("spent");
    value = other.value;
    return *this;
  }
  ~fragile() = default;
};
struct made : st::slot<fragile> {};
struct make {
  using thread = st::thread<"maker">;
  static constexpr int lookahead = 1;
  void operator()(st::in<counted::number> n, st::out<made> m) const { m->value = *n; }
};
struct use {
  void operator()(st::in<made> m, st::out<counted::sum> s) const { s = m->value; }
};
struct making : st::schedule<st::source<counted::number>, st::result<counted::sum>, make, use> {};

}  // namespace

TEST_CASE("a value whose copy throws fails the task that it stands in for") {
  const deadline limit("copy");
  tested::pipeline<making> pipeline;
  st::position where(0);
  where.seed<made>(0, fragile(4)).seed<made>(1, fragile(-1));
  std::vector<long> found;
  try {
    for (const long s : pipeline.run(std::vector{1, 2, 3}, st::from(where))) found.push_back(s);
    FAIL("no error");
  } catch (const st::task_error& e) {
    CHECK(e.task() == "make");
    CHECK(e.batch() == 1);
  }
  // `make` is a batch ahead: that of batch 1 may fail before batch 0 is complete.
  if (!found.empty()) CHECK(found == std::vector<long>{4});
  pipeline.reset();
  found.clear();
  for (const long s : pipeline.run(std::vector{1, 2})) found.push_back(s);
  CHECK(found == std::vector<long>{1, 2});
}

// ---- refused

TEST_CASE("what does not fit the tasks of a schedule is refused, by slot and batch") {
  tested::pipeline<training> pipeline;
  const auto why = [&](st::position where) {
    return why_refused([&] { static_cast<void>(pipeline.run(samples(0, 9), st::from(where))); });
  };
  CHECK(why(st::position(0).seed<rate_of_group>(1, 1)) ==
        "slot `rate_of_group` cannot be seeded for batch 1: task `set_rate`, which writes it, is "
        "called for one batch of 5, and not for that one");
  CHECK(why(st::position(0).seed("scaled", 0, 1)) ==
        "slot `scaled` holds `" + std::string(st::declare::qualified_name<long>()) +
            "`, not `int`");
  CHECK(why(st::position(0).seed("scale", 0, 1)) ==
        "the position has a value of slot `scale`, which this schedule does not have");
  CHECK(why(st::position(0).seed_unread<scaled>(0)) ==
        "the position says that nobody reads slot `scaled` of batch 0, but task `backward` does, "
        "for batch 0: seed a value");
  // Also by batches that look back at it.
  CHECK(why(st::position(0).seed_unread<scaled>(0).seed<gradient>(0, 1)) ==
        "the position says that nobody reads slot `scaled` of batch 0, but task `backward` does, "
        "for batch 1: seed a value");
  CHECK(why(st::position(0).seed_unread<rate_of_group>(0).seed<scaled>(0, 1)) ==
        "the position says that nobody reads slot `rate_of_group` of batch 0, but task `set_rate` "
        "does, for batch 5: seed a value");
  CHECK(why(st::position(0).seed_unread<loss>(0)) ==
        "slot `loss` cannot be seeded for batch 0: it is a result, which is handed out: seed a "
        "value");
  CHECK(check_results(pipeline.run(samples(0, batches)), 0) == batches);

  tested::pipeline<counted::summing> other;
  st::position part(0);
  part.seed<counted::more>(0, 1);
  CHECK(why_refused([&] { static_cast<void>(other.run(std::vector{1}, st::from(part))); }) ==
        "the position has a value that task `doubles` writes for batch 0, and none of slot "
        "`twice`, which it writes, too: seed that, or say `seed_unread` if no task that is called "
        "reads it");
}

namespace {

namespace itemised {
struct number : st::slot<int> {};
struct half : st::slot<int> {};
struct sum : st::slot<int> {};
struct halve {
  void operator()(st::in<number> n, st::produces<half, 2> h) const { h[0] = h[1] = *n / 2; }
};
struct add {
  void operator()(st::consumes<half, 2> h, st::out<sum> s) const { s = h[0] + h[1]; }
};
struct adding : st::schedule<st::source<number>, st::result<sum>, halve, add> {};
}  // namespace itemised

namespace pointing {
struct text : st::slot<std::string> {};
struct word : st::slot<std::string_view>, st::points_into<text> {};
struct found : st::slot<std::string> {};
struct cut {
  void operator()(st::in<text> t, st::out<word> w) const { w = std::string_view(*t).substr(1); }
};
struct copy {
  void operator()(st::in<word> w, st::out<found> f) const { f = std::string(*w); }
};
struct cutting : st::schedule<st::source<text>, st::result<found>, cut, copy> {};
}  // namespace pointing

}  // namespace

TEST_CASE("items are not given, nor what points into other slots; what is around them is") {
  tested::pipeline<itemised::adding> pipeline;
  CHECK(why_refused([&] {
          static_cast<void>(
              pipeline.run(std::vector{1}, st::from(st::position(0).seed<itemised::half>(0, 1))));
        }) ==
        "slot `half` cannot be seeded for batch 0: tasks consume or produce items of it, and what "
        "is seeded is one value");
  std::vector<int> sums;
  st::position where(0);
  where.seed<itemised::number>(0, 8).seed<itemised::sum>(1, 50);
  for (const int s : pipeline.run(std::vector{2, 4}, st::from(where))) sums.push_back(s);
  CHECK(sums == std::vector{8, 50, 4});

  tested::pipeline<pointing::cutting> cutting;
  const std::vector<std::string> texts{"one", "two"};
  const auto why = [&](const st::position& at) {
    return why_refused([&] { static_cast<void>(cutting.run(texts, st::from(at))); });
  };
  const std::string expected =
      " cannot be seeded for batch 0: its values point into another slot, or those of another one "
      "into it, as only tasks of this pipeline can have them do";
  CHECK(why(st::position(0).seed<pointing::word>(0, "ne")) == "slot `word`" + expected);
  CHECK(why(st::position(0).seed_unread<pointing::text>(0)) == "slot `text`" + expected);
  std::vector<std::string> found;
  st::position text(0);
  text.seed<pointing::text>(0, "zero");
  for (const std::string& f : cutting.run(texts, st::from(text))) found.push_back(f);
  CHECK(found == std::vector<std::string>{"ero", "ne", "wo"});
}
