// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A padding of what tasks have a device do: where the work that waits comes on streams, and what is
// told of it.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ranges>
#include <stretto/device/padding.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;
using namespace std::chrono_literals;

/// Waits for no time; its label has the time that was asked for.
struct pause {
  static constexpr std::string_view name = "a pause";
  status operator()(const driver& d, driver::stream s, std::chrono::nanoseconds time) const {
    return d.enqueue(
        s, [] {}, "pause " + std::to_string(time.count()));
  }
};
using padding = st::device::padding<driver, pause>;
using finding = st::padding_result::finding;

struct number : st::slot<int> {};
struct there : st::slot<cell> {};
struct back : st::slot<pinned_cell> {};
struct sum : st::slot<long> {};

/// Kernels that take time by a clock that stands otherwise.
template <class Context>
void busy(const Context& here, recording::world& w, std::chrono::microseconds time) {
  here.driver().enqueue(
      here.stream(), [&w, time] { w.pass(time); }, label(here.task(), here.batch()));
}
struct upload {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<there>;
  recording::world& w;
  void operator()(st::context auto& c, int, cell&) const { busy(c, w, 10us); }
};
struct compute {
  using stream = st::stream<"a">;
  using reads = st::reads<there>;
  using writes = st::writes<back>;
  recording::world& w;
  void operator()(st::context auto& c, const cell&, pinned_cell&) const { busy(c, w, 20us); }
};
struct add {
  using reads = st::reads<back>;
  using writes = st::writes<sum>;
  void operator()(const pinned_cell&, long& out) const { out = 1; }
};
struct training : st::schedule<st::source<number>, st::result<sum>, st::streams<"a">,
                               st::threads<st::on_caller>, upload, compute, add> {};

constexpr std::size_t stretch = 16;
constexpr int batches = 16 * 13;  // each task is padded in two stretches

template <class Pipeline>
void run(Pipeline& p) {
  for ([[maybe_unused]] const auto b : p.run(std::views::iota(0, batches))) {
  }
}

std::string pause_of(std::chrono::nanoseconds time) {
  return "pause " + std::to_string(time.count());
}

}  // namespace

TEST_CASE("work that waits comes behind a task's work, for each batch of its stretches") {
  fixture f;
  tested::pipeline<training, device, padding> p{upload{f.w}, compute{f.w}, f.d};
  f.w.settle();
  CHECK(f.w.ran() == std::vector<std::string>{"pause 0", "pause 0"});
  p.observer().pad({.longest = 1us, .stretch = stretch});
  run(p);
  std::size_t padded = 0;
  const std::vector<std::string> ran = f.w.ran();
  for (std::size_t at = 2; at < ran.size(); ++at) {
    CAPTURE(ran[at]);
    const std::size_t task = ran[at].starts_with("upload") ? 0 : 1;
    const auto batch = static_cast<std::size_t>(std::stoul(ran[at].substr(ran[at].find(" b") + 2)));
    const auto by =
        std::chrono::duration_cast<std::chrono::nanoseconds>(p.observer().padded_by(task, batch));
    if (by == 0ns) continue;
    ++padded;
    REQUIRE(at + 1 < ran.size());
    CHECK(ran[++at] == pause_of(by));
  }
  CHECK(padded == 4 * stretch);
  CHECK(static_cast<std::size_t>(std::ranges::count_if(
            ran, [](const std::string& s) { return s.starts_with("pause "); })) == padded + 2);
  CHECK(f.breaches() == "");
}

TEST_CASE("what a task takes is what the device took for it, where nothing was padded") {
  fixture f;
  f.w.set_clock(recording::device_clock::that_stands());
  tested::pipeline<training, device, padding> p{upload{f.w}, compute{f.w}, f.d};
  p.observer().pad({.longest = 1us, .stretch = stretch});
  for (int runs = 0; runs < 2; ++runs) run(p);
  const st::padding_result found = p.observer().result();
  REQUIRE(found.tasks.size() == 3);
  for (const char* const task : {"upload", "compute"}) {
    CHECK(found.of(task)->on_device);
    CHECK(found.of(task)->found() != finding::not_padded);
    CHECK(found.of(task)->stretches == 4);
  }
  CHECK(found.of("upload")->time.count() == doctest::Approx(10e-6));
  CHECK(found.of("compute")->time.count() == doctest::Approx(20e-6));
  CHECK(found.of("add")->stretches == 4);
  CHECK_FALSE(found.of("add")->on_device);

  p.observer().pad({.longest = 1us, .stretch = stretch});
  CHECK(p.observer().result().of("compute")->time.count() == 0);
  CHECK(f.breaches() == "");
}

namespace {

template <int Which>
struct link : st::slot<cell> {};
/// One of a chain of tasks that no thread waits for.
template <int Which>
struct stage {
  static constexpr std::string_view name = Which == 1 ? "one" : Which == 2 ? "two" : "three";
  using stream = st::stream<Which == 1 ? "a" : Which == 2 ? "b" : "c">;
  using reads = st::reads<std::conditional_t<Which == 1, number, link<Which - 1>>>;
  using writes = st::writes<link<Which>>;
  void operator()(st::context auto& c, const auto&, cell&) const {
    c.driver().enqueue(
        c.stream(), [] {}, label(c.task(), c.batch()));
  }
};
struct last {
  using stream = st::stream<"c">;
  using reads = st::reads<link<3>>;
  recording::world& w;
  void operator()(st::context auto& c, const cell&) const {
    if (c.batch() == 2) w.resume(c.stream());
    c.driver().enqueue(
        c.stream(), [] {}, label(c.task(), c.batch()));
  }
};
struct unseen : st::schedule<st::source<number>, st::streams<"a", "b", "c">,
                             st::threads<st::on_caller>, stage<1>, stage<2>, stage<3>, last> {};

}  // namespace

TEST_CASE("threads that leave the device behind make padding say nothing") {
  fixture f;
  tested::pipeline<unseen, device, padding> p{last{f.w}, f.d};
  p.observer().pad({.longest = 1us, .stretch = stretch});
  const driver::stream c = p.device().stream("c");
  int next = 0;
  for ([[maybe_unused]] const auto b : p.run([&](int& to) {
         to = next;
         if (next == 0) f.w.pause(c);
         return next++ < batches;
       })) {
  }
  CHECK_THROWS_WITH_AS(
      p.observer().result(),
      "nothing can be said of padding: threads went on while the device was several batches behind "
      "with `three`; let a thread read what comes of the device's work",
      st::usage_error);
  p.observer().pad({.longest = 1us, .stretch = stretch});
  CHECK(p.observer().result().stretches == 0);
}

namespace {

struct refused {
  static constexpr std::string_view name = "a pause";
  status operator()(const driver&, driver::stream, std::chrono::nanoseconds) const {
    return status::not_permitted;
  }
};

}  // namespace

TEST_CASE("a device that refuses says what of") {
  fixture f;
  using none = st::device::padding<driver, refused>;
  CHECK_THROWS_WITH_AS((tested::pipeline<training, device, none>{upload{f.w}, compute{f.w}, f.d}),
                       doctest::Contains("a pause: operation not permitted"), st::device::error);
}
