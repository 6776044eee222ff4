// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include "fixture.hpp"

/// Host tasks and streams in one pipeline: a host task fills pinned memory, three streams upload,
/// compute and fetch, and a host task looks at what came back.
namespace on_recording::paired {

constexpr std::size_t batches = 12;

struct raw : st::slot<long> {};
struct staged : st::slot<pinned_cell> {};
struct uploaded : st::slot<cell> {};
struct computed : st::slot<cell> {};
struct fetched : st::slot<pinned_cell> {};
struct result : st::slot<long> {};

struct stage {
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<staged>;
  recording::world& w;
  void operator()(const long& in, pinned_cell& out) const { w.host_write(out.data(), in + 1); }
};

struct upload {
  using stream = st::stream<"up">;
  static constexpr int lookahead = 1;
  using reads = st::reads<staged>;
  using writes = st::writes<uploaded>;
  void operator()(st::context auto& c, const pinned_cell& in, cell& out) const {
    c.driver().copy(c.stream(), out.data(), in.data(), sizeof(long), label("upload", c.batch()));
  }
};

struct compute {
  using stream = st::stream<"compute">;
  using reads = st::reads<uploaded>;
  using writes = st::writes<computed>;
  void operator()(st::context auto& c, const cell& in, cell& out) const {
    kernel(c, {out.data()}, {in.data()});
  }
};

struct fetch {
  using stream = st::stream<"down">;
  using reads = st::reads<computed>;
  using writes = st::writes<fetched>;
  // The stream is all that it wants to know.
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    to.copy(s, out.data(), in.data(), sizeof(long), "fetch");
  }
  driver to;
};

struct check {
  using reads = st::reads<fetched>;
  using writes = st::writes<result>;
  recording::world& w;
  void operator()(const pinned_cell& in, long& out) const {
    out = w.host_read_slowly(in.data()) * 2;
  }
};

struct pairs
    : st::schedule<st::source<raw>, st::result<result>, st::streams<"up", "compute", "down">, stage,
                   upload, compute, fetch, check> {};
struct alone : st::replan<pairs, st::threads<st::on_caller>> {};
struct each : st::replan<pairs, st::threads<st::per_task>> {};

struct manned : st::replan<pairs, st::workers<"host", 3>> {};

inline long expected(long in) { return made_by("compute", {in + 1}) * 2; }

template <class Schedule, class... Options>
struct subject : fixture {
  explicit subject(st::device::usage how = {}) : pipeline(stage{w}, fetch{d}, check{w}, d, how) {
    for (const std::string_view name : st::typed::declared<Schedule>::value.streams)
      w.name(pipeline.device().stream(name), std::string(name));
  }
  std::function<std::optional<long>()> source(std::size_t count = batches) const {
    return [next = std::size_t{0}, count]() mutable -> std::optional<long> {
      if (next == count) return std::nullopt;
      return number_of_batch(next++);
    };
  }
  void check_run() {
    std::size_t b = 0;
    for (const long r : pipeline.run(source())) CHECK(r == expected(number_of_batch(b++)));
    CHECK(b == batches);
    CHECK(breaches().empty());
  }
  tested::pipeline<Schedule, device, Options...> pipeline;
};

}  // namespace on_recording::paired
