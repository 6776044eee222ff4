// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What one thread does in a run, over a machine and a chain that only write down what is asked of
// them: on the left of each line is who is asked, on the right the epoch or progress. No other
// thread is there.

#include <doctest/doctest.h>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <stdexcept>
#include <stretto/run/session/protocol.hpp>
#include <string>
#include <vector>

namespace {

namespace runner = stretto::runner;
using runner::progress_result;
using lines = std::vector<std::string>;

struct signal {
  lines* log = nullptr;
  std::string name{};

  void publish(std::uint32_t epoch) { tell("publish ", epoch); }
  void await(std::uint32_t epoch) { tell("await ", epoch); }

 private:
  void tell(const char* what, std::uint32_t epoch) {
    const bool released_forever = epoch >= runner::detail::released_forever;
    const std::uint32_t number =
        (released_forever ? epoch - runner::detail::released_forever : epoch) - runner::first_epoch;
    log->push_back(what + name + " " + std::to_string(number) +
                   (released_forever ? " for good" : ""));
  }
};

class position {
 public:
  using moment = const position&;

  moment now() const { return *this; }

  moment advance() {
    ++progress_;
    return *this;
  }
  void skip(std::size_t progresses) { progress_ += progresses; }
  std::size_t progress() const { return progress_; }
  std::size_t next_progress() const { return progress_ + 1; }
  std::uint32_t epoch() const {
    return runner::first_epoch + static_cast<std::uint32_t>(progress_ + 1);
  }

 private:
  std::size_t progress_ = static_cast<std::size_t>(-1);
};

// Host 0 is the caller's; two others. Nodes lag 0 and 1 progresses behind the source.
struct machine {
  using position = ::position;
  static constexpr bool submits = false, collects = false, observed = false;
  static constexpr bool drains = false;
  static constexpr bool may_meet = true;

  lines log{};
  bool meets = false;
  std::size_t there = 100;  // batches, as far as is known
  std::size_t first = 0;
  std::size_t called_from = 0;
  bool stop = false;
  bool runs_steady = true;
  std::exception_ptr unmade{};  // what making the slots' values ends with
  std::vector<runner::stopping_point> stopped = std::vector<runner::stopping_point>(3);
  struct {
    signal open;
  } start{{&log, "open"}};
  bool opens = true;
  std::vector<signal> closed{{&log, "closed 1"}, {&log, "closed 2"}};
  signal own{&log, "own"};

  machine() = default;
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  bool make_values(std::size_t host, runner::caught& failure) {
    log.push_back("make " + std::to_string(host));
    if (unmade) failure = {7, unmade};
    return !unmade;
  }
  void publish_delivery(std::uint32_t epoch) { signal{&log, "delivery"}.publish(epoch); }
  template <class Use>
  void each_closed_at(const position&, Use use) {
    for (signal& s : closed) use(s);
  }
  static std::size_t lag_of(std::size_t) { return 0; }
  bool may_run_steady() const { return runs_steady; }
  bool stopping() const { return stop; }
  static bool is_ending_early() { return false; }
  void ask_source_to_stop() { log.push_back("ask the source to stop"); }
  void tell_to_stop() {
    log.push_back("stop");
    stop = true;
  }
  std::size_t batches() const { return there; }
  bool over(std::size_t progress) const { return progress >= there + 1; }
};

// `Host` is who runs; of `Workers` that its group has.
template <std::size_t Host, std::size_t Workers = 1, bool OpenedByPull = false>
struct chain : runner::protocol<machine, chain<Host, Workers, OpenedByPull>> {
  using rules = runner::protocol<machine, chain>;
  static constexpr bool may_alternate = true;
  static constexpr bool may_be_steady = true;

  struct self {
    static bool is_caller() { return Host == 0; }
    static std::size_t number(std::size_t) { return Host; }
    static std::size_t workers() { return Workers; }
    static std::size_t newest() { return 0; }
    static bool is_filled(std::size_t progress) { return progress >= 1; }
    static std::size_t first_node() { return 3; }
    static void enter_device(machine&) {}
    static bool is_opened_by_pull() { return OpenedByPull; }
    static signal& closed(machine& m, const position&) { return m.closed[Host - 1]; }
    template <class Use>
    static void each_owned(machine& m, std::size_t, Use use) {
      use(m.own);
    }
  };
  static self self_at(const position&) { return {}; }

  template <class Pull>
  static progress_result every_task(machine& m, position&, const position& at, Pull& pull) {
    m.log.push_back("all tasks " + std::to_string(at.progress()));
    return pull(m, at.progress());
  }
  template <class Pull>
  static progress_result walk(machine& m, const position&, const position& at, Pull& pull,
                              std::size_t first) {
    m.log.push_back("firing tasks from " + std::to_string(first) + " on " +
                    std::to_string(at.progress()));
    return pull(m, at.progress());
  }
  static progress_result fail(machine& m, std::size_t progress) {
    return rules::failed(m, self{}, 5, 2, progress, runner::first_epoch + 1,
                         std::make_exception_ptr(std::runtime_error("broken")));
  }
};

using pull = std::function<progress_result(machine&, std::size_t)>;

// A machine whose run ends at a failure, and a thread of it.
struct draining : machine {
  static constexpr bool drains = true;
  runner::first_failure failure{};
  std::vector<runner::passed_over> passed = std::vector<runner::passed_over>(8);

  bool is_ending_early() const { return failure.is_known(); }
  bool has_failed() const { return failure.is_known(); }
  static std::size_t place_of(std::size_t node, std::size_t batch) { return 10 * batch + node; }
  runner::passed_over& passed_by(std::size_t node, std::size_t) { return passed[node]; }
  void end_early(const runner::caught& by, std::size_t batch) {
    failure.note(by);
    if (batch + 1 < there) there = batch + 1;
    log.push_back("end at " + std::to_string(by.place));
  }
  void release_pull(std::uint32_t epoch) { signal{&log, "pull"}.publish(epoch); }
};
struct draining_chain : runner::protocol<draining, draining_chain> {
  using rules = runner::protocol<draining, draining_chain>;
  static constexpr bool may_alternate = true;
  static constexpr bool may_be_steady = true;
  using self = chain<1>::self;
  static self self_at(const machine::position&) { return {}; }

  template <class Pull>
  static progress_result every_task(draining& m, machine::position&, const machine::position& at,
                                    Pull& source) {
    m.log.push_back("all tasks " + std::to_string(at.progress()));
    return source(m, at.progress());
  }
  template <class Pull>
  static progress_result walk(draining& m, const machine::position&, const machine::position& at,
                              Pull& source, std::size_t first) {
    m.log.push_back("firing tasks from " + std::to_string(first) + " on " +
                    std::to_string(at.progress()));
    if (m.failure.is_known()) rules::note_passed(m, self{}, 5, at.progress());
    return first == 0 ? source(m, at.progress()) : progress_result::complete;
  }
  /// Its task 5 throws, which is the third of its own.
  static progress_result fail(draining& m, std::size_t progress) {
    rules::failed(m, self{}, 5, 2, progress, runner::first_epoch + 1,
                  std::make_exception_ptr(std::runtime_error("broken")));
    return progress_result::stopped;
  }
};

// Three batches: in progress 3 it turns out that there is no fourth.
progress_result three(machine& m, std::size_t progress) {
  if (progress == 3) m.there = 3;
  return progress < 3 ? progress_result::complete : progress_result::partial;
}

}  // namespace

TEST_CASE("a thread runs prefill with the firing rule, then steadily, then the drain") {
  machine m;
  position at;
  pull source = three;
  chain<1>::run(m, at, source);
  CHECK(m.log == lines{"make 1", "firing tasks from 0 on 0", "all tasks 1", "all tasks 2",
                       "all tasks 3", "publish own 4 for good"});
  CHECK(m.stopped[1].progress == 4);
  CHECK(!m.stopped[1].early);
}

TEST_CASE("where the machine has none of its own for steady progresses, the firing rule goes") {
  machine m;
  m.there = 2;
  m.runs_steady = false;
  position at;
  pull source = three;
  chain<1>::run(m, at, source);
  CHECK(m.log == lines{"make 1", "firing tasks from 0 on 0", "firing tasks from 0 on 1",
                       "firing tasks from 0 on 2", "publish own 3 for good"});
}

TEST_CASE("what is left of a drain is run with the firing rule") {
  machine m;
  m.there = 0;  // known before the first progress
  position at;
  pull source = [](machine&, std::size_t) { return progress_result::complete; };
  chain<1>::run(m, at, source);
  CHECK(m.log == lines{"make 1", "firing tasks from 0 on 0", "publish own 1 for good"});
}

TEST_CASE(
    "a worker leaves out its fellows' progresses, and asks the firing rule in each of its own") {
  machine m;
  m.there = 5;
  position at;
  at.skip(1);  // the second of three
  pull source = [](machine&, std::size_t) { return progress_result::complete; };
  chain<1, 3>::run(m, at, source);
  CHECK(m.log == lines{"make 1", "firing tasks from 0 on 1", "firing tasks from 0 on 4",
                       "publish own 7 for good"});
}

TEST_CASE("a thread that cannot make its slots' values runs nothing, and lets all others go on") {
  machine m;
  m.unmade = std::make_exception_ptr(std::runtime_error("no memory"));
  position at;
  pull source = three;
  chain<2>::run(m, at, source);
  CHECK(m.log == lines{"make 2", "stop", "ask the source to stop", "publish own 0 for good"});
  CHECK(m.stopped[2].early);
  CHECK(m.stopped[2].failure.node == 7);
  CHECK(m.stopped[2].progress == 0);
}

TEST_CASE("a task that threw is kept with its place; the others are stopped, then let go on") {
  machine m;
  position at;
  pull source = [](machine& of, std::size_t progress) { return chain<1>::fail(of, progress); };
  chain<1>::run(m, at, source);
  CHECK(m.log == lines{"make 1", "firing tasks from 0 on 0", "stop", "ask the source to stop",
                       "publish own 1 for good"});
  CHECK(m.stopped[1].early);
  CHECK(m.stopped[1].failure.node == 5);
  CHECK(m.stopped[1].place == 2);
  CHECK(m.stopped[1].progress == 0);
}

TEST_CASE("who asks for results says before each progress that the one before is delivered") {
  machine m;
  position at;
  pull source = three;
  CHECK(chain<0>::masked(m, at, source) == progress_result::complete);
  CHECK(chain<0>::steady(m, at, source) == progress_result::complete);
  CHECK(m.log == lines{"publish delivery 0", "firing tasks from 0 on 0", "publish delivery 1",
                       "all tasks 1"});
}

TEST_CASE("the calling thread opens the barrier, and waits until all others are through") {
  machine m;
  m.meets = true;
  position at;
  pull source = three;
  CHECK(chain<0>::steady(m, at, source) == progress_result::complete);
  CHECK(m.log == lines{"publish open 1", "all tasks 0", "await closed 1 1", "await closed 2 1"});
}

TEST_CASE("another thread waits for the barrier to open, and says when it is through") {
  machine m;
  m.meets = true;
  position at;
  pull source = three;
  CHECK(chain<2>::steady(m, at, source) == progress_result::complete);
  chain<2>::leave(m, at);
  CHECK(m.log == lines{"await open 1", "all tasks 0", "publish closed 2 1",
                       "publish own 1 for good", "publish closed 2 1 for good"});
}

TEST_CASE("whose first task waits for the pull needs no other word that the barrier is open") {
  machine m;
  m.meets = true;
  position at;
  pull source = three;
  CHECK(chain<2, 1, true>::steady(m, at, source) == progress_result::complete);
  CHECK(m.log == lines{"all tasks 0", "publish closed 2 1"});
}

TEST_CASE("where nobody waits for the barrier to open, nothing is said of it until the end") {
  machine m;
  m.meets = true;
  m.opens = false;
  position at;
  pull source = three;
  CHECK(chain<0>::steady(m, at, source) == progress_result::complete);
  CHECK(m.log == lines{"all tasks 0", "await closed 1 1", "await closed 2 1"});
}

TEST_CASE("a stop that is seen at the barrier comes before the next progress") {
  machine m;
  m.meets = true;
  position at;
  pull source = [](machine& of, std::size_t) {
    of.stop = true;
    return progress_result::complete;
  };
  CHECK(chain<0>::steady(m, at, source) == progress_result::stopped);
  CHECK(m.stopped[0].progress == 1);
  CHECK(m.stopped[0].place == 0);
  CHECK(m.log.back() == "publish open 1 for good");
}

TEST_CASE("who has stopped does not wait at the barrier") {
  machine m;
  m.meets = true;
  position at;
  pull source = [](machine& of, std::size_t progress) { return chain<0>::fail(of, progress); };
  CHECK(chain<0>::steady(m, at, source) == progress_result::stopped);
  for (const std::string& line : m.log) CHECK(line.find("await") == std::string::npos);
}

TEST_CASE("a thread whose task fails goes on from there with the firing rule, to the run's end") {
  draining m;
  position at;
  auto source = [](draining& of, std::size_t progress) {
    if (progress == 2) return draining_chain::fail(of, progress);
    return progress < 2 ? progress_result::complete : progress_result::partial;
  };
  draining_chain::run(m, at, source);
  CHECK(m.log == lines{"make 1", "firing tasks from 0 on 0", "all tasks 1", "all tasks 2",
                       "end at 25", "publish pull 1", "ask the source to stop",
                       "firing tasks from 2 on 2", "firing tasks from 0 on 3",
                       "publish own 4 for good"});
  CHECK_FALSE(m.stopped[1].early);
  CHECK(m.stopped[1].failure.node == 5);
  CHECK(m.stopped[1].failure.place == 25);
  CHECK(m.passed[5].batch == 2);  // not 3, which it passed over as well
  CHECK(m.passed[5].begun);
}

TEST_CASE("what fails again when it is passed over ends all at once") {
  draining m;
  CHECK(draining_chain::fail(m, 2) == progress_result::stopped);
  CHECK_FALSE(m.stopped[1].early);
  draining_chain::fail(m, 2);
  CHECK(m.stopped[1].early);
  CHECK(m.stop);
  CHECK(m.stopped[1].failure.place == 25);  // the first error stays the one to be told
}
