// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a watchdog says of streams that have come to rest. What hangs is let go when it has been
// told of, so that no test takes it for certain that something happens in time.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <stretto/watch.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;
using std::chrono::milliseconds;

/// The kernel of a task on a batch, which does not end before somebody lets it.
struct gate {
  std::string_view task;
  std::size_t batch = 0;
  std::atomic<bool> open{false};

  void pass(std::string_view by, std::size_t on) const {
    if (by != task || on != batch) return;
    while (!open) std::this_thread::sleep_for(milliseconds(1));
  }
};

struct raw : st::slot<pinned_cell> {};
struct image : st::slot<cell> {};
struct loss : st::slot<pinned_cell> {};

struct stage {
  const gate* door;

  template <class Context, class In, class Out>
  void put(const Context& here, const In& in, Out& out) const {
    const long* from = in.data();
    long* to = out.data();
    here.driver().enqueue(
        here.stream(),
        [this, from, to, task = std::string(here.task()), batch = here.batch()] {
          door->pass(task, batch);
          *to = *from;
        },
        label(here.task(), here.batch()),
        {recording::reads(from, sizeof(long)), recording::writes(to, sizeof(long))});
  }
};
struct upload : stage {
  using stream = st::stream<"h2d">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<image>;
  void operator()(st::context auto& here, const pinned_cell& in, cell& out) const {
    put(here, in, out);
  }
};
struct train : stage {
  using stream = st::stream<"compute">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(st::context auto& here, const cell& in, pinned_cell& out) const {
    put(here, in, out);
  }
};
struct training : st::schedule<st::source<raw>, st::result<loss>, st::streams<"h2d", "compute">,
                               upload, train, st::slack<raw>, st::slack<image>> {};
struct alone : st::replan<training, st::threads<st::on_caller>> {};

/// Times differ, and are left out.
std::string without_times(std::string text) {
  for (std::size_t at = text.find(" for "); at != std::string::npos;
       at = text.find(" for ", at + 1)) {
    const std::size_t from = at + 5;
    if (text[from] < '0' || text[from] > '9') continue;
    const std::size_t to = text.find(' ', text.find(' ', from) + 1);
    const std::size_t end = std::min(to, text.find_first_of("\n;,", from));
    text.replace(from, end - from, "...");
  }
  return text;
}

/// A pipeline that hangs, and what was told of it when \p expected was.
template <class Schedule, class Device>
struct hanging : fixture {
  explicit hanging(std::string_view task, std::size_t batch) : door{task, batch} {}

  gate door;
  tested::pipeline<Schedule, Device, st::monitor> pipeline{d, upload{{&door}}, train{{&door}},
                                                           streams{{"h2d"}, {"compute"}}};

  std::string told(std::size_t batches, std::string_view expected) {
    std::string all;
    const st::watchdog dog(tested::untyped(pipeline), milliseconds(30), [&](const std::string& what) {
      MESSAGE(what);
      if (what.find(expected) == std::string::npos) return;  // a busy machine
      all = what;
      door.open = true;
    });
    CHECK(results(pipeline, w, batches).size() == batches);
    CHECK(breaches() == "");
    return without_times(all);
  }
};

}  // namespace

TEST_CASE("the stream that hangs is told of, and who waits for it") {
  hanging<alone, device> p("upload", 5);
  CHECK(p.told(20, "`h2d` has not finished `upload` on batch 5") == "");
}
TEST_CASE("threads") {
  hanging<training, device> p("train", 5);
  CHECK(p.told(20, "`compute` has not finished `train` on batch 5") == "");
}
TEST_CASE("end") {
  hanging<training, device> p("train", 19);
  CHECK(p.told(20, "`compute` has not finished `train` on batch 19") == "");
}
