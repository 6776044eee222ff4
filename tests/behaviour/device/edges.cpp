// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every kind of edge between two streams: each kind has a pair of streams of its own, so that no
// other wait does its work.

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;

struct raw : st::slot<pinned_cell> {};

/// A task that puts a kernel with what it reads and writes on a stream.
template <st::fixed_string Stream, int Ahead>
struct on {
  using stream = st::stream<Stream>;
  static constexpr int lookahead = Ahead;
  void operator()(st::context auto& c, const auto& in, auto& out) const {
    kernel(c, {out.data()}, {in.data()});
  }
  void operator()(st::context auto& c) const { kernel(c, {}, {}); }
};

// Data, in the same progress; and the copy is used again by the next batch.
struct x0 : st::slot<cell> {};
struct y0 : st::slot<pinned_cell> {};
struct data0_from : on<"data0 a", 0> {
  using reads = st::reads<raw>;
  using writes = st::writes<x0>;
};
struct data0_to : on<"data0 b", 0> {
  using reads = st::reads<x0>;
  using writes = st::writes<y0>;
};

// Data, a progress later.
struct x1 : st::slot<cell> {};
struct y1 : st::slot<pinned_cell> {};
struct data1_from : on<"data1 a", 1> {
  using reads = st::reads<raw>;
  using writes = st::writes<x1>;
};
struct data1_to : on<"data1 b", 0> {
  using reads = st::reads<x1>;
  using writes = st::writes<y1>;
};

struct depends0_from : on<"depends0 a", 0> {};
struct depends0_to : on<"depends0 b", 0> {
  using depends_on = st::depends_on<depends0_from>;
};
struct depends1_from : on<"depends1 a", 1> {};
struct depends1_to : on<"depends1 b", 0> {
  using depends_on = st::depends_on<depends1_from>;
};

struct cross1_from : on<"cross1 a", 1> {};
struct cross1_to : on<"cross1 b", 1> {
  using cross_iter_depends_on = st::cross_iter_depends_on<cross1_from>;
};
struct cross0_from : on<"cross0 a", 0> {};
struct cross0_to : on<"cross0 b", 1> {
  using cross_iter_depends_on = st::cross_iter_depends_on<cross0_from>;
};
// What the original engine rejects: the event lies further back than its ring reaches.
struct history1_from : on<"history1 a", 0> {};
struct history1_to : on<"history1 b", 0> {
  using cross_iter_depends_on = st::cross_iter_depends_on<history1_from>;
};
struct history2_from : on<"history2 a", 0> {};
struct history2_to : on<"history2 b", 0> {
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<history2_from, 2>>;
};

struct sync_from : on<"sync a", 0> {};
struct sync_to : on<"sync b", 1> {
  using same_progress_sync = st::same_progress_sync<sync_from>;
};
struct sync_back_from : on<"sync back a", 1> {};
struct sync_back_to : on<"sync back b", 0> {
  using same_progress_sync = st::same_progress_sync<sync_back_from>;
};

// A slot that is written ahead and updated later, with a reader of either.
struct x2 : st::slot<cell> {};
struct y2 : st::slot<pinned_cell> {};
struct z2 : st::slot<pinned_cell> {};
struct written : on<"update a", 1> {
  using reads = st::reads<raw>;
  using writes = st::writes<x2>;
};
struct reads_written : on<"update b", 1> {
  using reads = st::reads<x2>;
  using writes = st::writes<y2>;
};
struct updated : on<"update a", 0> {
  using writes = st::writes<x2>;
  void operator()(st::context auto& c, cell& x) const { kernel(c, {x.data()}, {x.data()}); }
};
struct reads_updated : on<"update c", 0> {
  using reads = st::reads<x2>;
  using writes = st::writes<z2>;
};

struct edges
    : st::schedule<
          st::source<raw>, st::result<y0, y1, y2, z2>,
          st::streams<"data0 a", "data0 b", "data1 a", "data1 b", "depends0 a", "depends0 b",
                      "depends1 a", "depends1 b", "cross1 a", "cross1 b", "cross0 a", "cross0 b",
                      "history1 a", "history1 b", "history2 a", "history2 b", "sync a", "sync b",
                      "sync back a", "sync back b", "update a", "update b", "update c">,
          data0_from, data0_to, data1_from, data1_to, depends0_from, depends0_to, depends1_from,
          depends1_to, cross1_from, cross1_to, cross0_from, cross0_to, history1_from, history1_to,
          history2_from, history2_to, sync_from, sync_to, sync_back_from, sync_back_to, written,
          reads_written, updated, reads_updated> {};
struct alone : st::replan<edges, st::threads<st::on_caller>> {};

// Copies and events come round together only after more progresses than are laid out.
struct far_x : st::slot<cell> {};
struct far_z : st::slot<cell> {};
struct far_y : st::slot<pinned_cell> {};
struct far_u : st::slot<pinned_cell> {};
struct far_a : on<"far a", 8> {
  using reads = st::reads<raw>;
  using writes = st::writes<far_x>;
};
struct far_b : on<"far b", 8> {
  using reads = st::reads<raw>;
  using writes = st::writes<far_z>;
};
struct far_c : on<"far b", 4> {
  using reads = st::reads<far_x>;
  using writes = st::writes<far_y>;
};
struct far_d : on<"far a", 2> {
  using reads = st::reads<far_z>;
  using writes = st::writes<far_u>;
};
struct far_apart : st::schedule<st::source<raw>, st::result<far_y, far_u>,
                                st::streams<"far a", "far b">, far_a, far_b, far_c, far_d> {};
struct far_apart_alone : st::replan<far_apart, st::threads<st::on_caller>> {};

/// That \p from of a batch comes before \p to of a later batch.
struct kept {
  const char* from;
  const char* to;
  int later;
};
constexpr kept all_kept[] = {
    {"data0_from", "data0_to", 0},
    {"data0_to", "data0_from", 1},  // reuse
    {"data1_from", "data1_to", 0},
    {"data1_to", "data1_from", 2},  // reuse: there are two copies
    {"depends0_from", "depends0_to", 0},
    {"depends1_from", "depends1_to", 0},
    {"cross1_from", "cross1_to", 1},
    {"cross0_from", "cross0_to", 1},
    {"history1_from", "history1_to", 1},
    {"history2_from", "history2_to", 2},
    {"sync_from", "sync_to", 1},
    {"sync_back_from", "sync_back_to", -1},
    {"written", "reads_written", 0},
    {"reads_written", "updated", 0},
    {"written", "updated", 0},
    {"updated", "reads_updated", 0},
    {"reads_updated", "written", 2},  // reuse
};

/// No edge says that these are ordered: what orders them would be one wait too many.
constexpr kept all_free[] = {
    {"depends0_to", "depends0_from", 1},    {"cross1_from", "cross1_to", 0},
    {"cross0_to", "cross0_from", 0},        {"history1_from", "history1_to", 0},
    {"history2_from", "history2_to", 1},    {"sync_from", "sync_to", 0},
    {"sync_back_from", "sync_back_to", -2},
};

constexpr std::size_t batches = 8;

template <class Check>
void for_each_batch(const kept& k, Check check, std::size_t count = batches) {
  for (std::size_t b = 0; b < count; ++b) {
    const long later = static_cast<long>(b) + k.later;
    if (later < 0 || later >= static_cast<long>(count)) continue;
    check(label(k.from, b), label(k.to, static_cast<std::size_t>(later)));
  }
}

using numbers_of_a_batch = std::tuple<long, long, long, long>;

template <class Schedule>
std::vector<numbers_of_a_batch> results_of(fixture& f) {
  tested::pipeline<Schedule, device> p(f.d);
  std::vector<numbers_of_a_batch> all;
  for (const auto& r : p.run(numbers(f.w, batches))) {
    const auto number = [&](const pinned_cell& c) {
      f.w.host_reads(c.data(), sizeof(long));
      return c[0];
    };
    const auto& [a, b, c, d] = r;
    all.emplace_back(number(a), number(b), number(c), number(d));
  }
  return all;
}

std::vector<numbers_of_a_batch> expected_results() {
  std::vector<numbers_of_a_batch> all;
  for (std::size_t b = 0; b < batches; ++b) {
    const long in = number_of_batch(b);
    const auto through = [&](std::string_view first, std::string_view second) {
      return made_by(second, {made_by(first, {in})});
    };
    all.emplace_back(through("data0_from", "data0_to"), through("data1_from", "data1_to"),
                     through("written", "reads_written"),
                     made_by("reads_updated", {through("written", "updated")}));
  }
  return all;
}

TEST_CASE("each edge is kept, in every plan") {
  const std::vector<numbers_of_a_batch> expected = expected_results();
  const auto check = [&](fixture& f, const std::vector<numbers_of_a_batch>& values) {
    CHECK(values == expected);
    CHECK(f.breaches().empty());
    CHECK(f.leaks().empty());
    for (const kept& k : all_kept)
      for_each_batch(k, [&](const std::string& from, const std::string& to) {
        CAPTURE(from);
        CAPTURE(to);
        CHECK(f.w.ordered(from, to));
      });
  };
  {
    fixture f;
    check(f, results_of<alone>(f));
  }
  for (unsigned seed = 1; seed <= 4; ++seed) {
    fixture f;
    f.w.jitter(seed);
    check(f, results_of<alone>(f));
    fixture g;
    g.w.jitter(seed);
    check(g, results_of<edges>(g));
  }
}

template <class Schedule>
void check_far_apart(unsigned jitter) {
  constexpr kept all[] = {{"far_a", "far_c", 0},
                          {"far_b", "far_d", 0},
                          {"far_c", "far_a", 5},   // reuse
                          {"far_d", "far_b", 7}};  // reuse
  constexpr std::size_t count = 40;
  fixture f;
  f.w.jitter(jitter);
  tested::pipeline<Schedule, device> p(f.d);
  std::size_t b = 0;
  for (const auto& r : p.run(numbers(f.w, count))) {
    const auto& [y, u] = r;
    const long in = number_of_batch(b++);
    f.w.host_reads(y.data(), sizeof(long));
    f.w.host_reads(u.data(), sizeof(long));
    CHECK(y[0] == made_by("far_c", {made_by("far_a", {in})}));
    CHECK(u[0] == made_by("far_d", {made_by("far_b", {in})}));
  }
  CHECK(b == count);
  CHECK(f.breaches().empty());
  for (const kept& k : all)
    for_each_batch(
        k,
        [&](const std::string& from, const std::string& to) {
          CAPTURE(from);
          CAPTURE(to);
          CHECK(f.w.ordered(from, to));
        },
        count);
}

TEST_CASE("each edge is kept where copies come round together only after many batches") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    check_far_apart<far_apart_alone>(seed);
    check_far_apart<far_apart>(seed);
  }
}

TEST_CASE("no more is ordered than the edges say") {
  fixture f;
  tested::pipeline<alone, device> p(f.d);
  auto run = p.run(numbers(f.w, batches));
  const auto hold = [&](bool held) {
    for (const char* s : {"depends0 a", "cross1 a", "cross0 b", "history1 a", "history2 a",
                          "sync a", "sync back a"}) {
      if (held)
        f.w.pause(p.device().stream(s));
      else
        f.w.resume(p.device().stream(s));
    }
  };
  hold(true);
  while (run.next()) {
    if (run.batch() + 2 == batches) break;
  }
  for (const kept& k : all_free) {
    CAPTURE(k.from);
    for (std::size_t b = 2; b + 4 < batches; ++b) {
      const auto later = static_cast<std::size_t>(static_cast<long>(b) + k.later);
      CHECK_FALSE(f.w.ordered(label(k.from, b), label(k.to, later)));
    }
  }
  hold(false);
}

TEST_CASE("no wait can be left out") {
  constexpr std::size_t waits = st::plan_of<alone>.streams.edges.size();
  for (std::size_t left_out = 0; left_out < waits; ++left_out) {
    CAPTURE(left_out);
    fixture f;
    tested::pipeline<alone, device> p(f.d);
    auto run = p.run(numbers(f.w, batches));
    for (int i = 0; i < 4; ++i) run.progress();
    f.w.ignore(call::wait, left_out);
    while (run.next()) {
    }
    CHECK(f.w.faults_left() == 0);
    std::size_t broken = f.w.take_breaches().size();
    for (const kept& k : all_kept)
      for_each_batch(k, [&](const std::string& from, const std::string& to) {
        broken += f.w.ordered(from, to) ? 0U : 1U;
      });
    CHECK(broken > 0);
  }
}

}  // namespace
