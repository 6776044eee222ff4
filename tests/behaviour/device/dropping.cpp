// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks without a stream that drop batches between streams: what comes after them is not put on any
// stream for such a batch, and who waits for that waits for what it would have come after.

#include <cstddef>
#include <stdexcept>
#include <stretto/device/timeline.hpp>
#include <stretto/observe/observer.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;
using replaying = st::device::backend<driver, true>;

struct raw : st::slot<pinned_cell> {};
struct loaded : st::slot<cell> {};
struct seen : st::slot<pinned_cell> {};
struct judged : st::slot<long> {};
struct noted : st::slot<cell> {};
struct state : st::slot<cell> {};
struct done : st::slot<pinned_cell> {};

/// Puts a kernel on a stream; where there is no earlier batch it counts as 1.
struct step {
  driver d;
  void put(recording::stream s, const char* name, std::vector<const long*> in, long* out) const {
    std::vector<recording::access> uses{recording::writes(out, sizeof(long))};
    for (const long* at : in)
      if (at != nullptr) uses.push_back(recording::reads(at, sizeof(long)));
    d.enqueue(
        s,
        [name, in = std::move(in), out] {
          std::vector<long> values;
          for (const long* at : in) values.push_back(at == nullptr ? 1 : *at);
          *out = made_by(name, values);
        },
        name, std::move(uses));
  }
};
struct load : step {
  using stream = st::stream<"copies">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<loaded>;
  void operator()(recording::stream s, const pinned_cell& in, cell& out) const {
    put(s, "load", {in.data()}, out.data());
  }
};
struct fetch : step {
  using stream = st::stream<"copies">;
  static constexpr int lookahead = 1;
  using reads = st::reads<loaded>;
  using writes = st::writes<seen>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(s, "fetch", {in.data()}, out.data());
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
struct note : step {
  using stream = st::stream<"side">;
  using reads = st::reads<loaded>;
  using writes = st::writes<noted>;
  void operator()(recording::stream s, const cell& in, cell& out) const {
    put(s, "note", {in.data()}, out.data());
  }
};
/// Of batches that are kept, with what the last one but one left, if it was kept, too.
struct train : step {
  using stream = st::stream<"main">;
  using reads = st::reads<loaded, judged, st::previous<state, 2>>;
  using writes = st::writes<state>;
  void operator()(recording::stream s, const cell& in, long, const st::previous<state, 2>& before,
                  cell& out) const {
    put(s, "train", {in.data(), before ? before->data() : nullptr}, out.data());
  }
};
struct finish : step {
  using stream = st::stream<"copies">;
  using reads = st::reads<state, noted>;
  using writes = st::writes<done>;
  void operator()(recording::stream s, const cell& a, const cell& b, pinned_cell& out) const {
    put(s, "finish", {a.data(), b.data()}, out.data());
  }
};

using all_streams = st::streams<"copies", "side", "main">;
struct sifting : st::schedule<st::source<raw>, st::result<done>, all_streams, load, fetch, judge,
                              note, train, finish> {};
struct alone : st::replan<sifting, st::threads<st::on_caller>> {};
struct each : st::replan<sifting, st::threads<st::per_task>> {};
struct failing : st::schedule<st::source<raw>, st::result<done>, all_streams, load, fetch,
                              strict_judge, note, train, finish> {};

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

template <class Schedule, class Device, class Judge = judge, class... Options>
void check() {
  constexpr std::size_t batches = 40;
  for (unsigned seed = 0; seed <= 6; ++seed) {
    CAPTURE(seed);
    fixture f;
    if (seed > 0) f.w.jitter(seed);
    {
      tested::pipeline<Schedule, Device, Options...> p{
          f.d, load{{f.d}}, fetch{{f.d}}, Judge{f.w}, note{{f.d}}, train{{f.d}}, finish{{f.d}}};
      std::vector<std::size_t> dropped;
      CHECK(rows(p.run(numbers(f.w, batches)), f.w, dropped) == expected(batches));
      std::size_t b = 0;
      for (const std::size_t d : dropped) {
        while (is_kept(b)) ++b;
        CHECK(d == b++);
      }
      CHECK(dropped.size() == batches - expected(batches).size());
      CHECK(p.report().dropped == dropped.size());
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
    CHECK(f.breaches() == "");
    CHECK(f.leaks() == "");
  }
}

TEST_CASE("dropped between streams: a thread for each stream") { check<sifting, device>(); }
TEST_CASE("dropped between streams: the calling thread") { check<alone, device>(); }
TEST_CASE("dropped between streams: a thread for each task") { check<each, device>(); }
TEST_CASE("dropped between streams: threads meet") { check<sifting, device, judge, st::barrier>(); }
TEST_CASE("dropped between streams: one batch after the other") {
  check<st::serial<sifting>, device>();
}
TEST_CASE("dropped because a task failed") { check<failing, device, strict_judge>(); }
TEST_CASE("dropped, with graphs of what no drop has to do with") {
  check<sifting, replaying>();
  check<alone, replaying>();
  fixture f;
  tested::pipeline<alone, replaying> p{f.d,         load{{f.d}},  fetch{{f.d}}, judge{f.w},
                                       note{{f.d}}, train{{f.d}}, finish{{f.d}}};
  std::string left_out;
  for (const st::device::uncaptured& u : p.device().left_out()) (left_out += u.task) += ' ';
  CHECK(left_out == "judge train finish ");
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
  check<sifting, device, judge, st::device::timeline<driver>>();
  check<alone, device, judge, st::device::timeline<driver>>();
}

TEST_CASE("dropped, and watched") {
  check<alone, device, judge, tally>();
  fixture f;
  tested::pipeline<alone, device, tally> p{f.d,         load{{f.d}},  fetch{{f.d}}, judge{f.w},
                                           note{{f.d}}, train{{f.d}}, finish{{f.d}}};
  std::vector<std::size_t> dropped;
  rows(p.run(numbers(f.w, 20)), f.w, dropped);
  CHECK(p.observer().begun == 0);
  CHECK(p.observer().over == 2 * dropped.size());
}

}  // namespace
