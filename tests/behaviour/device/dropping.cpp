// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks without a stream that drop batches between streams: what comes after them is not put on any
// stream for such a batch, and who waits for that waits for what it would have come after.

#include <cstddef>
#include <stdexcept>
#include <stretto/device/timeline.hpp>
#include <stretto/observe/observer.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;
using replaying = st::device::backend<driver, true>;

/// Memory of a batch alone.
using transient = st::device::transient_buffer<long, driver>;
long* room_in(cell& out) { return out.data(); }
long* room_in(transient& out) { return out.resize(1); }

struct raw : st::slot<pinned_cell> {};
template <class Memory>
struct loaded : st::slot<Memory> {};
struct seen : st::slot<pinned_cell> {};
struct judged : st::slot<long> {};
template <class Memory>
struct noted : st::slot<Memory> {};
struct state : st::slot<cell> {};
struct done : st::slot<pinned_cell> {};

struct step {
  driver d;
};
template <class Memory>
struct load : step {
  using stream = st::stream<"copies">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<loaded<Memory>>;
  void operator()(recording::stream s, const pinned_cell& in, Memory& out) const {
    put(d, s, "load", {in.data()}, room_in(out));
  }
};
template <class Memory>
struct fetch : step {
  using stream = st::stream<"copies">;
  static constexpr int lookahead = 1;
  using reads = st::reads<loaded<Memory>>;
  using writes = st::writes<seen>;
  void operator()(recording::stream s, const Memory& in, pinned_cell& out) const {
    put(d, s, "fetch", {in.data()}, out.data());
  }
};

bool is_kept(std::size_t batch) { return batch * 7 % 5 > 1 && batch % 9 < 7; }
long seen_of(std::size_t batch) {
  return made_by("fetch", {made_by("load", {number_of_batch(batch)})});
}

/// Judges by what came back from the device.
struct judge {
  recording::world& w;
  using reads = st::reads<seen>;
  using writes = st::writes<judged>;
  st::verdict operator()(const pinned_cell& in, long& out) {
    out = w.host_read_slowly(in.data());
    CHECK(out == seen_of(batch));
    return is_kept(batch++) ? st::keep : st::drop;
  }
  std::size_t batch = 0;
};
struct strict_judge {
  recording::world& w;
  using on_failure = st::on_failure<st::drop>;
  using reads = st::reads<seen>;
  using writes = st::writes<judged>;
  void operator()(const pinned_cell& in, long& out) {
    out = w.host_read_slowly(in.data());
    if (!is_kept(batch++)) throw std::runtime_error("not this one");
  }
  std::size_t batch = 0;
};
/// For every batch.
template <class Memory>
struct note : step {
  using stream = st::stream<"side">;
  using reads = st::reads<loaded<Memory>>;
  using writes = st::writes<noted<Memory>>;
  void operator()(recording::stream s, const Memory& in, Memory& out) const {
    put(d, s, "note", {in.data()}, room_in(out));
  }
};
/// Of batches that are kept, with what the last one but one left, if it was kept, too.
template <class Memory>
struct train : step {
  using stream = st::stream<"main">;
  using reads = st::reads<loaded<Memory>, judged, st::previous<state, 2>>;
  using writes = st::writes<state>;
  void operator()(recording::stream s, const Memory& in, long, const st::previous<state, 2>& before,
                  cell& out) const {
    put(d, s, "train", {in.data(), before ? before->data() : nullptr}, out.data());
  }
};
template <class Memory>
struct finish : step {
  using stream = st::stream<"copies">;
  using reads = st::reads<state, noted<Memory>>;
  using writes = st::writes<done>;
  void operator()(recording::stream s, const cell& a, const Memory& b, pinned_cell& out) const {
    put(d, s, "finish", {a.data(), b.data()}, out.data());
  }
};

using all_streams = st::streams<"copies", "side", "main">;
template <class Memory, class Judge>
struct sifted_by : st::schedule<st::source<raw>, st::result<done>, all_streams, load<Memory>,
                                fetch<Memory>, Judge, note<Memory>, train<Memory>, finish<Memory>> {
};
template <class Memory>
struct sifting : sifted_by<Memory, judge> {};
template <class Memory>
struct alone : st::replan<sifting<Memory>, st::threads<st::on_caller>> {};
template <class Memory>
struct each : st::replan<sifting<Memory>, st::threads<st::per_task>> {};
template <class Memory>
using one_by_one = st::serial<sifting<Memory>>;
template <class Memory>
struct failing : sifted_by<Memory, strict_judge> {};

template <class Schedule, class Memory, class Device, class Judge, class... Options>
tested::pipeline<Schedule, Device, Options...> made(fixture& f) {
  return tested::pipeline<Schedule, Device, Options...>{f.d,
                                                        load<Memory>{{f.d}},
                                                        fetch<Memory>{{f.d}},
                                                        Judge{f.w},
                                                        note<Memory>{{f.d}},
                                                        train<Memory>{{f.d}},
                                                        finish<Memory>{{f.d}}};
}

using row = std::pair<std::size_t, long>;

std::vector<row> expected(std::size_t batches) {
  std::vector<row> all;
  std::vector<long> states;
  for (std::size_t b = 0; b < batches; ++b) {
    const long in = made_by("load", {number_of_batch(b)});
    const bool looks = b >= 2 && is_kept(b - 2);
    states.push_back(is_kept(b) ? made_by("train", {in, looks ? states[b - 2] : 1}) : -1);
    if (is_kept(b)) all.emplace_back(b, made_by("finish", {states[b], made_by("note", {in})}));
  }
  return all;
}

template <class Run>
std::vector<row> rows(Run&& run, recording::world& w, std::vector<std::size_t>& dropped) {
  std::vector<row> all;
  while (run.next([&](std::size_t batch, std::string_view task) {
    CHECK((task == "judge" || task == "strict_judge"));
    dropped.push_back(batch);
  })) {
    w.host_reads(run.result().data(), sizeof(long));
    all.emplace_back(run.batch(), run.result()[0]);
  }
  return all;
}

template <template <class> class Schedule, class Device, class Memory = cell, class Judge = judge,
          class... Options>
void check() {
  static constexpr std::size_t batches = 40;
  with_each_seed(6, [](fixture& f, unsigned) {
    {
      auto p = made<Schedule<Memory>, Memory, Device, Judge, Options...>(f);
      std::vector<std::size_t> dropped;
      CHECK(rows(p.run(numbers(f.w, batches)), f.w, dropped) == expected(batches));
      std::size_t b = 0;
      for (const std::size_t d : dropped) {
        while (is_kept(b)) ++b;
        CHECK(d == b++);
      }
      CHECK(dropped.size() == batches - expected(batches).size());
      CHECK(p.report().dropped == dropped.size());
      // What batches had for themselves was given back, also where its last user was passed over.
      if constexpr (std::is_same_v<Memory, transient>) {
        const recording::log all = f.w.logged();
        CHECK(all.count(call::allocate) - all.count(call::release) ==
              st::copies_of<Schedule<Memory>, state>);
      }
    }
    // What was dropped was put on no stream.
    const auto count = [all = f.w.ran()](std::string_view name) {
      std::size_t n = 0;
      for (const std::string& done : all) n += done == name ? 1U : 0U;
      return n;
    };
    CHECK(count("note") == batches);
    CHECK(count("train") == expected(batches).size());
    CHECK(count("finish") == expected(batches).size());
  });
}

TEST_CASE("dropped between streams: a thread for each stream") { check<sifting, device>(); }
TEST_CASE("dropped between streams: the calling thread") { check<alone, device>(); }
TEST_CASE("dropped between streams: a thread for each task") { check<each, device>(); }
TEST_CASE("dropped between streams: threads meet") {
  check<sifting, device, cell, judge, st::barrier>();
}
TEST_CASE("dropped between streams: one batch after the other") { check<one_by_one, device>(); }
TEST_CASE("dropped because a task failed") { check<failing, device, cell, strict_judge>(); }
TEST_CASE("dropped with the memory of their own: a thread for each stream") {
  check<sifting, device, transient>();
}
TEST_CASE("dropped with the memory of their own: the calling thread") {
  check<alone, device, transient>();
}
TEST_CASE("dropped with the memory of their own: one batch after the other") {
  check<one_by_one, device, transient>();
}
TEST_CASE("dropped, with graphs of what no drop has to do with") {
  check<sifting, replaying>();
  check<alone, replaying>();
  fixture f;
  auto p = made<alone<cell>, cell, replaying, judge>(f);
  std::string left_out;
  for (const st::device::uncaptured& u : p.device().left_out())
    (left_out += u.task.substr(0, u.task.find('<'))) += ' ';
  CHECK(left_out == "judge train finish ");
  CHECK(p.device().left_out().back().reason.starts_with("a task before it may drop batches"));
}

/// Counts what it is told.
struct tally {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  std::size_t begun = 0;
  std::size_t over = 0;
  void attached(auto&&, auto&&) {}
  void started(std::size_t, std::size_t, std::size_t) { ++begun; }
  void finished(std::size_t, std::size_t, std::size_t) { --begun; }
  void failed(std::size_t, std::size_t, std::size_t, const std::exception_ptr&) {}
  void passed_over(std::size_t, std::size_t, std::size_t) { ++over; }
};

TEST_CASE("dropped, and timed") {
  check<sifting, device, cell, judge, st::device::timeline<driver>>();
  check<alone, device, cell, judge, st::device::timeline<driver>>();
}

TEST_CASE("dropped, and watched") {
  check<alone, device, cell, judge, tally>();
  fixture f;
  auto p = made<alone<cell>, cell, device, judge, tally>(f);
  std::vector<std::size_t> dropped;
  rows(p.run(numbers(f.w, 20)), f.w, dropped);
  CHECK(p.observer().begun == 0);
  CHECK(p.observer().over == 2 * dropped.size());
}

}  // namespace
