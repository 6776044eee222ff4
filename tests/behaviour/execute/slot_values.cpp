// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Who makes the values of slots, when, and what if that fails.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/sanitized.hpp"
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

namespace memory {

/// In main memory, by the account of the system; 0 where it is not known.
std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::size_t resident = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%zu %zu", &pages, &resident) != 2) resident = 0;
    std::fclose(f);
  }
  return resident * 4096;
}

// Sanitizers end the program where an allocation fails.
constexpr bool may_fail = !sanitized;

}  // namespace memory

/// What became of all values.
struct book {
  std::mutex mutex;
  std::set<const void*> alive;
  std::map<std::string, std::vector<std::thread::id>> made;  // by slot, one after the other
  int attempts = 0;
  int fails_at = -1;  // which attempt
  bool standard = true;

  void forget() {
    made.clear();
    attempts = 0;
    fails_at = -1;
  }
};
book& log() {
  static book b;
  return b;
}

template <char Slot>
class traced {
 public:
  traced() {
    const std::lock_guard lock(log().mutex);
    if (log().attempts++ == log().fails_at) {
      if (log().standard) throw std::runtime_error("planned");
      throw 1;
    }
    CHECK(log().alive.insert(this).second);
    log().made[std::string(1, Slot)].push_back(std::this_thread::get_id());
    owned_ = std::make_unique<int>(0);  // which a leak checker misses
  }
  ~traced() {
    const std::lock_guard lock(log().mutex);
    CHECK(log().alive.erase(this) == 1);
  }
  traced(const traced&) = delete;
  traced& operator=(const traced&) = delete;
  traced& operator=(int value) {
    *owned_ = value;
    return *this;
  }
  int get() const { return *owned_; }

 private:
  std::unique_ptr<int> owned_;
};

struct raw : st::slot<traced<'r'>> {};
struct loaded : st::slot<traced<'l'>> {};
struct shaped : st::slot<traced<'s'>> {};
struct result : st::slot<traced<'o'>> {};

/// By task: the thread that ran it for each batch.
using threads = std::array<std::vector<std::thread::id>, 3>;

template <std::size_t Task>
struct noting {
  threads* seen;
  void note() const { (*seen)[Task].push_back(std::this_thread::get_id()); }
};
struct load : noting<0> {
  using thread = st::thread<"loading">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<loaded>;
  void operator()(const traced<'r'>& in, traced<'l'>& out) const {
    note();
    out = in.get() + 1;
  }
};
struct tune : noting<1> {  // writes what `load` has filled, later and elsewhere
  using thread = st::thread<"shaping">;
  static constexpr int lookahead = 1;
  using writes = st::writes<loaded, shaped>;
  void operator()(traced<'l'>& in, traced<'s'>& out) const {
    note();
    in = in.get() * 2;
    out = in.get();
  }
};
struct finish : noting<2> {
  using thread = st::thread<"caller">;
  using reads = st::reads<loaded, shaped>;
  using writes = st::writes<result>;
  void operator()(const traced<'l'>& x, const traced<'s'>& y, traced<'o'>& out) const {
    note();
    out = x.get() + y.get();
  }
};
struct job
    : st::schedule<st::source<raw, st::thread<"reader">>, st::result<result>, load, tune, finish> {
};
struct on_caller : st::replan<job, st::threads<st::on_caller>> {};

constexpr int batches = 8;

template <class Schedule, class... Option>
struct subject {
  threads seen;
  std::thread::id reader;
  tested::pipeline<Schedule, Option...> pipeline{load{{&seen}}, tune{{&seen}}, finish{{&seen}}};

  int results() {
    auto source = [this, next = 0](traced<'r'>& slot) mutable {
      reader = std::this_thread::get_id();
      slot = next;
      return next++ < batches;
    };
    int count = 0;
    for (traced<'o'>& r : pipeline.run(source)) CHECK(r.get() == 4 * (count++ + 1));
    return count;
  }
};

template <class Schedule>
std::size_t all_copies() {
  return st::copies_of<Schedule, raw> + st::copies_of<Schedule, loaded> +
         st::copies_of<Schedule, shaped> + st::copies_of<Schedule, result>;
}

bool only(const std::string& slot, std::size_t copies, std::thread::id by) {
  return log().made[slot] == std::vector<std::thread::id>(copies, by);
}

template <class Schedule, class... Option>
void check_makers() {
  log().forget();
  {
    subject<Schedule, Option...> s;
    CHECK(log().attempts == 0);
    CHECK(s.results() == batches);
    CHECK(log().alive.size() == all_copies<Schedule>());
    CHECK(only("r", st::copies_of<Schedule, raw>, s.reader));
    CHECK(only("l", st::copies_of<Schedule, loaded>, s.seen[0].at(0)));
    CHECK(only("s", st::copies_of<Schedule, shaped>, s.seen[1].at(0)));
    CHECK(only("o", st::copies_of<Schedule, result>, std::this_thread::get_id()));
    CHECK(s.results() == batches);  // the same values
    CHECK(log().attempts == static_cast<int>(all_copies<Schedule>()));
  }
  CHECK(log().alive.empty());
}

/// Of the value that is made as the \p attempt-th of all, by whatever thread.
template <class Schedule, class... Option>
void check_failure(int attempt) {
  CAPTURE(attempt);
  const deadline limit("a run of which a value cannot be made");
  log().forget();
  {
    subject<Schedule, Option...> s;
    log().fails_at = attempt;
    std::string slot;
    try {
      s.results();
      FAIL("nothing was thrown");
    } catch (const st::task_error& error) {
      CHECK(error.batch() == 0);
      try {
        error.rethrow_nested();
      } catch (const st::slot_error& inner) {
        slot = inner.slot();
        const std::map<std::string, std::pair<std::string_view, std::string_view>> by{
            {"raw", {"pull", "reader"}},
            {"loaded", {"load", "loading"}},
            {"shaped", {"tune", "shaping"}},
            {"result", {"finish", "caller"}}};
        REQUIRE(by.count(slot) == 1);
        CHECK(error.task() == by.at(slot).first);
        CHECK(inner.group() ==
              (st::plan_of<Schedule>.threads == 1 ? "caller" : by.at(slot).second));
        CHECK(inner.what() ==
              "the value of slot `" + slot + "` could not be made on thread group `" +
                  std::string(inner.group()) + "`: " +
                  (log().standard ? "planned" : "an exception that is not a std::exception"));
        if (log().standard) {
          CHECK_THROWS_AS(inner.rethrow_nested(), std::runtime_error);
        } else {
          CHECK_THROWS_AS(inner.rethrow_nested(), int);
        }
      }
    }
    CHECK(!slot.empty());
    CHECK(s.pipeline.report().end == st::run_end::failed);
    CHECK(s.pipeline.report().failures.size() == 1);
    CHECK(s.pipeline.report().finished == 0);
    CHECK(s.pipeline.report().delivered == 0);
    if (attempt % 2 == 0) {  // otherwise it is destroyed as it is
      s.pipeline.reset();
      CHECK(s.results() == batches);
      CHECK(log().alive.size() == all_copies<Schedule>());
    }
  }
  CHECK(log().alive.empty());
}

template <class Schedule, class... Option>
void check_every_failure() {
  for (const bool standard : {true, false}) {
    log().standard = standard;
    for (int attempt = 0; attempt < static_cast<int>(all_copies<Schedule>()); ++attempt)
      check_failure<Schedule, Option...>(attempt);
  }
  log().standard = true;
}

}  // namespace

TEST_CASE("slots: values are made at the first run, each by the thread that fills it") {
  check_makers<job>();
  check_makers<job, st::barrier>();
  check_makers<on_caller>();
}

TEST_CASE("slots: nothing is made for a pipeline that never runs") {
  log().forget();
  { const subject<job> unused; }
  {
    subject<job> left;
    auto source = [](traced<'r'>&) { return false; };
    const auto never_advanced = left.pipeline.run(source);
  }
  CHECK(log().attempts == 0);
}

TEST_CASE("slots: a value that cannot be made is an error of the task that fills it") {
  check_every_failure<job>();
  check_every_failure<job, st::barrier, st::spin>();
  check_every_failure<on_caller>();
}

TEST_CASE("slots: each worker makes the copies that it is the first to fill") {
  struct decode {
    using thread = st::thread<"decoding">;
    using reads = st::reads<raw>;
    using writes = st::writes<loaded>;
    std::array<std::thread::id, 32>* by_batch;
    void operator()(st::task_context& ctx, const traced<'r'>& in, traced<'l'>& out) const {
      by_batch->at(ctx.batch()) = std::this_thread::get_id();
      out = in.get();
    }
  };
  struct schedule : st::schedule<st::source<raw, st::lookahead<1>>, st::result<loaded>, decode,
                                 st::workers<"decoding", 3>, st::slack<loaded, 1>> {};
  constexpr std::size_t copies = st::copies_of<schedule, loaded>;
  static_assert(copies % 3 != 0);                        // they change hands
  static_assert(st::plan_of<schedule>.lag[0] % 3 != 0);  // and the first batch is not the first's
  log().forget();
  {
    std::array<std::thread::id, 32> by_batch;
    tested::pipeline<schedule> pipeline{decode{&by_batch}};
    auto source = [next = 0](traced<'r'>& slot) mutable {
      slot = next;
      return next++ < 32;
    };
    int count = 0;
    for (const traced<'l'>& r : pipeline.run(source)) CHECK(r.get() == count++);
    CHECK(count == 32);
    std::map<std::thread::id, std::size_t> expected;
    for (std::size_t copy = 0; copy < copies; ++copy) ++expected[by_batch.at(copy)];
    std::map<std::thread::id, std::size_t> made;
    for (const std::thread::id id : log().made["l"]) ++made[id];
    CHECK(made == expected);
    CHECK(made.size() == 3);
  }
  CHECK(log().alive.empty());
}

TEST_CASE("slots: values are on lines of their own, large ones on pages of their own") {
  struct number : st::slot<int> {};
  struct large : st::slot<std::array<char, 100'000>> {};
  struct work {
    using reads = st::reads<number>;
    using writes = st::writes<large>;
    void operator()(int in, std::array<char, 100'000>& out) const {
      out[0] = static_cast<char>(in);
    }
  };
  struct schedule : st::schedule<st::source<number>, st::result<large>, work, st::slack<large, 1>> {
  };
  static_assert(st::memory_bytes<schedule> >= st::copies_of<schedule, large> * 102'400);
  const auto pipeline = std::make_unique<tested::pipeline<schedule>>();
  std::set<std::uintptr_t> places;
  for (const auto& r : pipeline->run(std::vector<int>(5)))
    places.insert(reinterpret_cast<std::uintptr_t>(r.data()));
  CHECK(places.size() == st::copies_of<schedule, large>);
  for (const std::uintptr_t place : places) CHECK(place % 4096 == 0);
}

TEST_CASE("slots: large ones are not in the pipeline object, which may be on a stack") {
  struct number : st::slot<int> {};
  struct huge {
    huge() {}                            // NOLINT(modernize-use-equals-default): writes nothing
    std::array<char, 80'000'000> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  };
  struct large : st::slot<huge> {};
  struct fill {
    using reads = st::reads<number>;
    using writes = st::writes<large>;
    void operator()(int in, huge& out) const { out.bytes.back() = static_cast<char>(in); }
  };
  struct use {
    using reads = st::reads<large>;
    void operator()(const huge& in) const { CHECK(in.bytes.back() > 0); }
  };
  struct schedule : st::schedule<st::source<number>, st::slack<large>, fill, use> {};
  static_assert(st::memory_bytes<schedule> >= 160'000'000);
  static_assert(sizeof(tested::pipeline<schedule>) < 16 * 1024);
  // Pages are not touched before the threads do that make the values.
  const std::size_t before = memory::resident_bytes();
  tested::pipeline<schedule> pipeline;
  CHECK(memory::resident_bytes() < before + (std::size_t{16} << 20U));
  std::size_t sum = 0;  // of the numbers of the batches
  for (const std::size_t batch : pipeline.run(std::vector{1, 2, 3})) sum += batch;
  CHECK(sum == 0 + 1 + 2);
}

namespace endless_slot {
struct number : st::slot<int> {};
struct endless {
  endless() {}                        // NOLINT(modernize-use-equals-default): writes nothing
  char bytes[std::size_t{1} << 46U];  // NOLINT(cppcoreguidelines-pro-type-member-init)
};
struct large : st::slot<endless> {};
struct fill {
  using reads = st::reads<number>;
  using writes = st::writes<large>;
  void operator()(int in, endless& out) const { out.bytes[0] = static_cast<char>(in); }
};
struct schedule : st::schedule<st::source<number>, fill> {};
}  // namespace endless_slot

TEST_CASE("slots: more than there is memory for is std::bad_alloc from the constructor") {
  if (!memory::may_fail) return;
  CHECK_THROWS_AS(std::make_unique<tested::pipeline<endless_slot::schedule>>(), std::bad_alloc);
}
