// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks without a stream that are called several times for a batch, before and behind streams.

#include <array>
#include <cstddef>
#include <span>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;

struct raw : st::slot<std::array<long, 6>> {};
struct piece : st::slot<long> {};
struct pair_sum : st::slot<long> {};
struct staged : st::slot<pinned_cell> {};
struct worked : st::slot<pinned_cell> {};
struct half : st::slot<long> {};
struct result : st::slot<std::vector<long>> {};

struct cut {
  static constexpr int lookahead = 3;
  void operator()(st::in<raw> in, st::produces<piece, 6> out) const {
    for (std::size_t i = 0; i < 6; ++i) out[i] = (*in)[i];
  }
};
struct add {
  static constexpr int lookahead = 3;
  void operator()(st::consumes<piece, 2> in, st::produces<pair_sum> out) const {
    out[0] = in[0] + in[1];
  }
};
struct stage {
  static constexpr int lookahead = 2;
  recording::world& w;
  using reads = st::reads<st::consumes<pair_sum, 3>>;
  using writes = st::writes<staged>;
  void operator()(st::consumes<pair_sum, 3> in, pinned_cell& out) const {
    w.host_write(out.data(), in[0] + 10 * in[1] + 100 * in[2]);
  }
};
struct work {
  using stream = st::stream<"main">;
  static constexpr int lookahead = 1;
  using reads = st::reads<staged>;
  using writes = st::writes<worked>;
  void operator()(st::context auto& c, const pinned_cell& in, pinned_cell& out) const {
    kernel(c, {out.data()}, {in.data()});
  }
};
struct halve {
  recording::world& w;
  using reads = st::reads<worked>;
  using writes = st::writes<st::produces<half, 2>>;
  void operator()(const pinned_cell& in, st::produces<half, 2> out) const {
    const long all = w.host_read_slowly(in.data());
    out[0] = all / 2;
    out[1] = all - all / 2;
  }
};
struct gather {
  void operator()(st::consumes<half, 2> in, st::out<result> out) const {
    out->assign(in.begin(), in.end());
  }
};

struct line : st::schedule<st::source<raw>, st::result<result>, st::streams<"main">, cut, add,
                           stage, work, halve, gather> {};
struct alone : st::replan<line, st::threads<st::on_caller>> {};
struct each : st::replan<line, st::threads<st::per_task>> {};

template <class Schedule, class Device>
void check() {
  static constexpr long batches = 20;
  with_each_seed(4, [](fixture& f, unsigned) {
    tested::pipeline<Schedule, Device> p{f.d, stage{f.w}, halve{f.w}};
    long next = 0;
    long b = 0;
    for (const std::vector<long>& r : p.run([&next](std::array<long, 6>& into) {
           for (long i = 0; i < 6; ++i) into[static_cast<std::size_t>(i)] = next * 7 + i;
           return next++ < batches;
         })) {
      const long first = 14 * b + 1;  // what the first two come to
      const long all = made_by("work", {first + 10 * (first + 4) + 100 * (first + 8)});
      CHECK(r == std::vector<long>{all / 2, all - all / 2});
      ++b;
    }
    CHECK(b == batches);
  });
}

TEST_CASE("items around a stream: a thread for each stream") { check<line, device>(); }
TEST_CASE("items around a stream: the calling thread") { check<alone, device>(); }
TEST_CASE("items around a stream: a thread for each task") { check<each, device>(); }
TEST_CASE("items around a stream: one batch after the other") { check<st::serial<line>, device>(); }
TEST_CASE("items around a stream: graphs") { check<alone, st::device::backend<driver, true>>(); }

}  // namespace
