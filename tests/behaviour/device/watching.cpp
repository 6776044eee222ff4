// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a watchdog says of streams that have come to rest. What hangs is let go when it has been
// told of, and the watchdog comes when all else has come to rest, so that no test takes it for
// certain that something happens in time.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <regex>
#include <stretto/watch.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include "../../support/rest.hpp"
#include "fixture.hpp"

namespace {

using namespace on_recording;
using std::chrono::milliseconds;
using replaying = st::device::backend<driver, true>;

/// What a task does on a batch and does not end before somebody lets it.
struct gate {
  std::string_view task;
  std::size_t batch = 0;
  std::function<void()> hangs{};  ///< called there, when all others sleep
  std::atomic<bool> is_open{false};

  void pass(std::string_view by, std::size_t on) const {
    if (by != task || on != batch) return;
    tested::until_others_sleep();
    hangs();
    wait();
  }
  void wait() const { is_open.wait(false); }
  void open() {
    is_open = true;
    is_open.notify_all();
  }
};

/// Of a watchdog that may be yet to come.
struct late_token {
  const std::atomic<const st::watchdog*>* dog;
  bool stop_requested() const {
    const st::watchdog* const there = dog->load();
    return there != nullptr && there->token().stop_requested();
  }
};

struct raw : st::slot<pinned_cell> {};
struct image : st::slot<cell> {};
struct loss : st::slot<pinned_cell> {};

/// A body that takes its stream only, and so can be captured.
struct stage {
  driver d;
  const gate* door;
  std::atomic<std::size_t>* runs;  ///< of its kernel: one for each batch

  template <class In, class Out>
  void put(recording::stream s, const char* name, const In& in, Out& out) const {
    const auto kernel = [name, door = door, runs = runs, from = in.data(), to = out.data()] {
      door->pass(name, (*runs)++);
      *to = *from;
    };
    d.enqueue(
        s, kernel, name,
        {recording::reads(in.data(), sizeof(long)), recording::writes(out.data(), sizeof(long))});
  }
};
struct upload : stage {
  using stream = st::stream<"h2d">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<image>;
  void operator()(recording::stream s, const pinned_cell& in, cell& out) const {
    put(s, "upload", in, out);
  }
};
struct train : stage {
  using stream = st::stream<"compute">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(s, "train", in, out);
  }
};
/// On the host.
struct look {
  const gate* door;
  driver d;
  const bool* allocates;
  std::size_t batch = 0;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  void operator()(const pinned_cell& /*in*/) {
    void* at = nullptr;
    if (*allocates && batch == door->batch + 1) d.allocate_pinned(at, sizeof(long));
    if (at != nullptr) d.free_pinned(at);
    door->pass("look", batch++);
  }
};

using two_streams = st::streams<"h2d", "compute">;
struct training : st::schedule<st::source<raw>, st::result<loss>, two_streams, upload, train,
                               st::slack<raw>, st::slack<image>> {};
struct alone : st::replan<training, st::threads<st::on_caller>> {};
struct upload_behind : upload {
  using depends_on = st::depends_on<look>;
};
struct with_look : st::schedule<st::source<raw>, st::result<loss>, two_streams, look, upload_behind,
                                train, st::threads<st::on_caller>, st::slack<raw>> {};

/// A pipeline that hangs when a task comes to a batch, be it in a kernel of its.
template <class Schedule, class Device = device, class Upload = upload>
struct hanging : fixture {
  hanging(std::string_view task, std::size_t batch) : door{task, batch} {
    w.name(pipeline.device().stream("h2d"), "h2d");
  }

  gate door;
  std::atomic<std::size_t> uploads{0}, trainings{0};
  bool allocates = false;
  using subject = tested::pipeline<Schedule, Device, st::monitor>;
  subject pipeline = made();
  std::optional<st::watchdog> dog;
  std::atomic<const st::watchdog*> there{nullptr};

  subject made() {
    const Upload first{{d, &door, &uploads}};
    const train second{{d, &door, &trainings}};
    const streams both{{"h2d"}, {"compute"}};
    if constexpr (std::is_same_v<Upload, upload>)
      return subject(d, first, second, both);
    else
      return subject(d, look{&door, d, &allocates}, first, second, both);
  }

  /// Runs 20 batches. What is told of it, without times, when that has \p expected. (On a busy
  /// machine it may be told later of what has only not gone on for a while.)
  std::string told(std::string_view expected) {
    return told_of(expected, [this] { CHECK(results(pipeline, w, 20).size() == 20); });
  }
  template <class Run>
  std::string told_of(std::string_view expected, Run run) {
    std::string all;
    door.hangs = [&] {
      dog.emplace(tested::untyped(pipeline), milliseconds(30), [&](const std::string& what) {
        if (what.find(expected) == std::string::npos) return;
        all = what;
        door.open();
      });
      there = &*dog;
    };
    run();
    there = nullptr;
    dog.reset();
    CHECK(breaches() == "");
    return std::regex_replace(all, std::regex(R"(for [0-9.]+ (s|ms|us|ns))"), "for ...");
  }
};

bool tells(const std::string& all, std::string_view line) {
  return all.find("\n  " + std::string(line)) != std::string::npos;
}

/// As docs/watching.md shows it.
constexpr std::string_view told_in_docs = R"(
// [told]
nothing has moved for ...; batches in flight: 6
  thread `caller` has waited for ... to run `deliver` on batch 5, which comes after `train` on batch 5 (reads `loss`), which stream `compute` has not finished
  stream `h2d` has not finished `upload` on batch 5, which waits for nothing any more
  stream `compute` has not finished `train` on batch 5, nor begun it: it waits for `upload` on batch 5, which stream `h2d` has not finished
// [told]
)";

}  // namespace

TEST_CASE("a stream that hangs is told of, and who waits for it") {
  hanging<alone> p("upload", 5);
  const std::string all = p.told("stream `h2d` has not finished `upload` on batch 5");
  CHECK("\n// [told]\n" + all + "\n// [told]\n" == told_in_docs);
}

TEST_CASE("each stream has a thread") {
  hanging<training> p("train", 5);
  const std::string all = p.told("stream `compute` has not finished `train` on batch 5");
  CHECK(tells(all,
              "stream `compute` has not finished `train` on batch 5, which waits for nothing any "
              "more"));
  CHECK(
      all.find("to run `deliver` on batch 5, which comes after `train` on batch 5 (reads `loss`), "
               "which stream `compute` has not finished") != std::string::npos);
}

TEST_CASE("a run that hangs at its end is ended, with an error that says where") {
  hanging<alone> p("train", 19);
  p.told_of("stream `compute` has not finished `train` on batch 19", [&] {
    results(p.pipeline.run(numbers(p.w, 20), st::cancel_on(late_token{&p.there})), p.w);
    std::string what;
    try {
      p.dog->rethrow();
    } catch (const st::stall_error& error) {
      what = error.what();
    }
    CHECK(tells(what,
                "stream `compute` has not finished `train` on batch 19, which waits for nothing "
                "any more"));
    CHECK(
        tells(what, "stream `h2d` has finished all that it was given, `upload` on batch 19 last"));
  });
}

TEST_CASE("of tasks in graphs that span streams only what others wait for is known") {
  hanging<alone, replaying> p("train", 15);
  const std::string all = p.told("stream `compute` has not finished `train` on batch 15");
  CHECK(tells(all,
              "stream `compute` has not finished `train` on batch 15, which is launched in a graph "
              "with others"));
  CHECK(tells(all,
              "stream `h2d` is not known to have finished `upload` on batch 15, `upload` on "
              "batch 16"));
}

TEST_CASE("streams that have been given nothing") {
  hanging<with_look, device, upload_behind> p("look", 0);
  const std::string all = p.told("`look` on batch 0");
  CHECK(tells(all, "stream `h2d` has been given nothing yet"));
  CHECK(tells(all, "stream `compute` has been given nothing yet"));
}

TEST_CASE("a device that does not answer keeps nobody from being told") {
  hanging<with_look, device, upload_behind> p("upload", 3);
  p.w.wait_implicitly();
  p.allocates = true;
  const std::string all = p.told("the device does not answer");
  CHECK(tells(all, "thread `caller` has been in `look` on batch 4"));
  CHECK(tells(all, "of streams nothing is known: the device does not answer"));
}

TEST_CASE("a source that waits is no rest while a stream hangs") {
  hanging<training> p("upload", 3);
  auto source = [&p, next = numbers(p.w, 4)](pinned_cell& into) mutable {
    const bool batch = next(into);
    if (!batch) p.door.wait();
    return batch;
  };
  const std::string all = p.told_of("stream `h2d` has not finished `upload` on batch 3", [&] {
    CHECK(results(p.pipeline.run(source), p.w).size() == 4);
  });
  CHECK(all.find("has asked the source for batch 4") != std::string::npos);
}

TEST_CASE("the device may refuse, which says nothing and disturbs nobody") {
  hanging<alone> p("train", 5);
  for (std::size_t nth = 0; nth < 100; ++nth)
    p.w.fail(call::exchange_capture_mode, nth, status::unknown);
  const std::string all =
      p.told("stream `compute` is not known to have finished `train` on batch 5");
  CHECK(tells(
      all, "stream `h2d` is not known to have finished `upload` on batch 5, `upload` on batch 6"));
}
