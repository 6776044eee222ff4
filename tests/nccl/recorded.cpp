// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recording library keeps NCCL's rules, and finds ranks that submit different things.
#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <recording/driver.hpp>
#include <recording_nccl/library.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#include "../support/rest.hpp"

namespace {

namespace recording = stretto::testing::recording;
namespace wire = stretto::testing::recording_nccl;
using wire::result;

/// A rank by hand: a stream, memory, and communicators of which each has all ranks.
struct rank {
  rank(wire::network& all, int who) : lib(all, driver, who), number(who) {
    driver.create_stream(stream, 0);
    driver.create_stream(other, 0);
    void* at = nullptr;
    driver.allocate(at, 64 * sizeof(long), stream);
    memory = static_cast<long*>(at);
    driver.enqueue(stream,
                   [m = memory, who] {
                     for (long i = 0; i < 64; ++i) m[i] = 100 * who + i;
                   },
                   "fill", {recording::writes(memory, 64 * sizeof(long))});
  }
  ~rank() {
    driver.free(memory, stream);
    driver.destroy_stream(other);
    driver.destroy_stream(stream);
  }
  rank(const rank&) = delete;
  rank& operator=(const rank&) = delete;

  void join(int id, int size) {
    of.push_back(nullptr);
    lib.init(of.back(), size, {id}, number);
  }
  result ready(std::size_t c) const {
    result r = result::in_progress;
    while (r == result::in_progress) lib.async_error(of[c], r);
    return r;
  }
  result all_reduce(std::size_t c, std::size_t n = 4) const {
    return lib.all_reduce(memory, memory + 32, n, wire::library::type_of<long>(),
                          wire::reduction::sum, of[c], stream);
  }
  /// The results, when the stream has come there.
  std::vector<long> results() const {
    driver.synchronize_stream(stream);
    return {memory + 32, memory + 36};
  }
  void end() const {
    for (const auto c : of) lib.abort(c);
  }

  recording::world world;
  recording::driver driver{world};
  wire::library lib;
  int number;
  recording::stream stream{};
  recording::stream other{};
  long* memory = nullptr;
  std::vector<wire::library::communicator> of;
};

/// Two ranks with two communicators.
struct pair {
  explicit pair(int polls = 0) : net(polls) {
    for (int r = 0; r < 2; ++r) ranks[static_cast<std::size_t>(r)] = std::make_unique<rank>(net, r);
    for (const int id : {7, 8})
      for (auto& r : ranks) r->join(id, 2);
    for (auto& r : ranks)
      for (const std::size_t c : {0U, 1U}) CHECK(r->ready(c) == result::success);
  }
  rank& operator[](std::size_t r) { return *ranks[r]; }
  std::string said(const std::vector<std::string>& all) const {
    std::string text;
    for (const std::string& s : all) (text += s) += '\n';
    return text;
  }

  wire::network net;
  std::array<std::unique_ptr<rank>, 2> ranks;
};

}  // namespace

TEST_CASE("what ranks submit together is done when all streams have come to it") {
  pair p;
  CHECK(p[0].all_reduce(0) == result::success);
  CHECK(p[1].all_reduce(0) == result::success);
  for (const std::size_t r : {0U, 1U})
    CHECK(p[r].results() == std::vector<long>{100, 102, 104, 106});
  CHECK(p.net.leaks().size() == 4);
  for (auto& r : p.ranks) r->end();
  CHECK(p.net.leaks().empty());
  CHECK(p.said(p.net.breaches()) == "");
  CHECK(p.said(p.net.differences()) == "");
}

TEST_CASE("ranks that submit to two communicators in different orders are found, and do not hang") {
  pair p;
  p[0].all_reduce(0);
  p[0].all_reduce(1);
  p[1].all_reduce(1);
  p[1].all_reduce(0);
  for (auto& r : p.ranks) r->results();
  CHECK(p.said(p.net.differences()) ==
        "in place 0 of those they share, rank 1 submits to communicator 8, rank 0 to 7\n");
  for (auto& r : p.ranks) r->end();
}

TEST_CASE("so are ranks that ask for different things at the same place") {
  pair p;
  p[0].all_reduce(0, 4);
  p[1].all_reduce(0, 3);
  for (auto& r : p.ranks) r->results();
  CHECK(p.said(p.net.differences()) ==
        "communicator 7 of rank 1, collective 0: all_reduce of 3, but rank 0 asks for all_reduce "
        "of 4\n");
  for (auto& r : p.ranks) r->end();
}

TEST_CASE("sends and receives of a group are done together") {
  pair p;
  for (auto& r : p.ranks) {
    r->lib.group_start();
    for (int to = 0; to < 2; ++to) {
      r->lib.send(r->memory + to, 1, wire::library::type_of<long>(), to, r->of[0], r->stream);
      r->lib.receive(r->memory + 32 + to, 1, wire::library::type_of<long>(), to, r->of[0],
                     r->stream);
    }
    r->lib.group_end();
  }
  for (int r = 0; r < 2; ++r) {
    const std::vector<long> got = p[static_cast<std::size_t>(r)].results();
    CHECK(got[0] == r);
    CHECK(got[1] == 100 + r);
  }
  for (auto& r : p.ranks) r->end();
  CHECK(p.said(p.net.breaches()) == "");
}

namespace {

void send(rank& r, int to, std::size_t n = 1) {
  r.lib.send(r.memory + 1, n, wire::library::type_of<long>(), to, r.of[0], r.stream);
}
void receive(rank& r, int from) {
  r.lib.receive(r.memory + 32, 1, wire::library::type_of<long>(), from, r.of[0], r.stream);
}

}  // namespace

TEST_CASE("a send is done when it is received") {
  pair p;
  send(p[0], 1);
  tested::until_others_sleep();
  CHECK_FALSE(p[0].world.idle());
  receive(p[1], 0);
  CHECK(p[1].results()[0] == 1);
  p[0].results();
  for (auto& r : p.ranks) r->end();
  CHECK(p.said(p.net.differences()) == "");
}

TEST_CASE("ranks whose sends wait for each other are found, and do not hang") {
  const auto found = [](const auto& first, const auto& second) {
    pair p;
    first(p[0], 1);
    first(p[1], 0);
    second(p[0], 1);
    second(p[1], 0);
    for (auto& r : p.ranks) r->results();
    for (auto& r : p.ranks) r->end();
    return p.said(p.net.differences());
  };
  const auto sends = [](rank& r, int with) { send(r, with); };
  const auto receives = [](rank& r, int with) { receive(r, with); };
  const auto reduces = [](rank& r, int) { r.all_reduce(0); };
  const std::string deadlock =
      "communicator 7 of rank 1: a kernel waits for ranks that wait for what comes behind it\n";
  CHECK(found(sends, receives) == deadlock);
  CHECK(found(receives, sends) == deadlock);
  CHECK(found([&](rank& r, int with) { r.number == 0 ? sends(r, with) : receives(r, with); },
              [&](rank& r, int with) { r.number == 1 ? sends(r, with) : receives(r, with); }) ==
        "");
  CHECK(found([&](rank& r, int with) { r.number == 0 ? sends(r, with) : reduces(r, with); },
              [&](rank& r, int with) { r.number == 0 ? reduces(r, with) : receives(r, with); }) ==
        deadlock);
}

TEST_CASE("so are both ends of a letter that is not as long on them") {
  pair p;
  send(p[0], 1, 2);
  receive(p[1], 0);
  for (auto& r : p.ranks) r->results();
  CHECK(p.said(p.net.differences()) ==
        "communicator 7 of rank 1, receive of 1 with rank 0, which asks for send of 2\n");
  for (auto& r : p.ranks) r->end();
}

TEST_CASE("ranks connect when both have made their first call, where they do so on demand") {
  pair p(1);
  p.net.connect_on_demand();
  send(p[0], 1);
  result state{};
  for (int i = 0; i < 5; ++i) p[0].lib.async_error(p[0].of[0], state);
  CHECK(state == result::in_progress);
  CHECK(p[0].all_reduce(0) == result::invalid_usage);
  receive(p[1], 0);
  for (auto& r : p.ranks) CHECK(r->ready(0) == result::success);
  CHECK(p[1].results()[0] == 1);
  send(p[0], 1);
  CHECK(p[0].ready(0) == result::success);  // it has met the other one
  receive(p[1], 0);
  CHECK(p[1].ready(0) == result::success);
  for (auto& r : p.ranks) r->results();
  for (auto& r : p.ranks) r->end();
  CHECK(p.said(p.net.breaches()) ==
        "communicator 7 of rank 0, all_reduce: before the call before it has come to its end\n");
  CHECK(p.said(p.net.differences()) == "");
}

TEST_CASE("what a call has begun is on its stream when the communicator is ready, not before") {
  pair p(2);
  for (auto& r : p.ranks) CHECK(r->all_reduce(0) == result::in_progress);
  for (auto& r : p.ranks) {
    // Not waited for: it comes before the collective.
    r->driver.enqueue(r->stream, {}, "too early");
    CHECK(r->ready(0) == result::success);
    CHECK(p.said(r->world.take_breaches()) ==
          "kernel(s0, \"too early\"): before `all_reduce 7.0` is on s0\n");
  }
  for (auto& r : p.ranks) {
    CHECK(r->results() == std::vector<long>{100, 102, 104, 106});
    CHECK(r->world.ran() == std::vector<std::string>{"fill", "too early", "all_reduce 7.0"});
  }
  // Nor is it ever, if the communicator is aborted first.
  CHECK(p[0].all_reduce(0) == result::in_progress);
  for (auto& r : p.ranks) r->end();
  CHECK(p[0].world.idle());
  CHECK(p.said(p.net.breaches()) == "");
}

TEST_CASE("nothing is to be put on the stream of a communicator that is in progress") {
  pair p(2);
  rank& r = *p.ranks[0];
  recording::event e{};
  r.driver.create_event(e);
  r.driver.record(e, r.other);
  CHECK(r.all_reduce(0) == result::in_progress);
  r.driver.record(e, r.stream);
  r.driver.wait(r.stream, e);
  r.driver.copy(r.stream, r.memory, r.memory + 8, sizeof(long));
  void* more = nullptr;
  r.driver.allocate(more, 8, r.stream);
  CHECK(p.said(r.world.take_breaches()) ==
        "record(e0, s0): before `all_reduce 7.0` is on s0\n"
        "wait(s0, e0): before `all_reduce 7.0` is on s0\n"
        "copy(s0, 8): before `all_reduce 7.0` is on s0\n"
        "allocate(s0): before `all_reduce 7.0` is on s0\n");
  // On others it may be, and when the communicator is ready.
  r.driver.record(e, r.other);
  CHECK(r.ready(0) == result::success);
  r.driver.free(more, r.stream);
  CHECK(p.said(r.world.take_breaches()) == "");
  // What is aborted has nothing to put there any more.
  CHECK(r.all_reduce(1) == result::in_progress);
  for (auto& all : p.ranks) all->end();
  r.driver.record(e, r.stream);
  r.driver.destroy_event(e);
  CHECK(p.said(r.world.breaches()) == "");
}

TEST_CASE("collectives of several communicators find room as a device has it, or wait for ever") {
  const auto both_end = [](std::size_t room, bool in_order) {
    pair p;
    if (room > 0) p.net.limit_residents(room);
    if (in_order) p.net.keep_launch_order();
    // All submit the same, but what comes first on a device is another one on each rank.
    for (std::size_t i = 0; i < 2; ++i) p[i].world.pause(i == 0 ? p[i].stream : p[i].other);
    for (auto& r : p.ranks) {
      r->all_reduce(0);
      r->lib.all_reduce(r->memory + 8, r->memory + 48, 4, wire::library::type_of<long>(),
                        wire::reduction::sum, r->of[1], r->other);
    }
    tested::until_others_sleep();
    for (std::size_t i = 0; i < 2; ++i) p[i].world.resume(i == 0 ? p[i].stream : p[i].other);
    tested::until_others_sleep();
    const bool ended = p[0].world.idle() && p[1].world.idle();
    for (auto& r : p.ranks) r->end();
    CHECK(p.said(p.net.differences()) == "");
    return ended;
  };
  CHECK(both_end(0, false));
  CHECK(both_end(2, false));
  CHECK_FALSE(both_end(1, false));
  CHECK(both_end(1, true));
}

// By a stream of its own, on which NCCL has each kernel of a communicator wait for the one before
// (ncclLaunchPrepare).
TEST_CASE("collectives of a communicator are done in their order, on whatever streams") {
  pair p;
  p.net.limit_residents(1);
  const auto submit = [](rank& r, std::size_t at, recording::stream s) {
    r.lib.all_reduce(r.memory, r.memory + at, 4, wire::library::type_of<long>(),
                     wire::reduction::sum, r.of[0], s);
  };
  // The second one's stream is there first, on one rank.
  p[0].world.pause(p[0].stream);
  for (auto& r : p.ranks) {
    r->driver.synchronize_stream(r->number == 1 ? r->stream : r->other);
    submit(*r, 32, r->stream);
    submit(*r, 48, r->other);
  }
  tested::until_others_sleep();
  CHECK_FALSE(p[0].world.idle());
  p[0].world.resume(p[0].stream);
  for (auto& r : p.ranks) {
    r->driver.synchronize_stream(r->stream);
    r->driver.synchronize_stream(r->other);
    CHECK(p.net.done(r->number) == std::vector<std::string>{"all_reduce 7.0", "all_reduce 7.1"});
  }
  for (auto& r : p.ranks) r->end();
  CHECK(p.said(p.net.differences()) == "");
}

TEST_CASE("a group over several communicators is a kernel of each, in the order of the calls") {
  pair p(2);
  for (auto& r : p.ranks) {
    r->lib.group_start();
    for (const std::size_t c : {1U, 0U, 1U}) CHECK(r->all_reduce(c) == result::success);
    CHECK(r->lib.group_end() == result::in_progress);
    // Each communicator is in progress, and asked by itself.
    CHECK(r->ready(1) == result::success);
    CHECK(r->all_reduce(0) == result::invalid_usage);
    CHECK(r->ready(0) == result::success);
    CHECK(r->all_reduce(0) == result::in_progress);
    CHECK(r->ready(0) == result::success);
  }
  for (auto& r : p.ranks) {
    r->results();
    CHECK(r->world.ran() ==
          std::vector<std::string>{"fill", "all_reduce 8.0", "all_reduce 7.0", "all_reduce 7.1"});
    CHECK(p.said(r->world.breaches()) == "");
  }
  CHECK(p.net.breaches().size() == 2);
  for (auto& r : p.ranks) r->end();
}

TEST_CASE("a communicator is split by all its ranks, when nothing is going on") {
  pair p(2);
  std::array<wire::library::communicator, 2> made{};
  CHECK(p[0].lib.split(p[0].of[0], 3, 1, made[0]) == result::in_progress);
  result state{};
  for (int i = 0; i < 5; ++i) p[0].lib.async_error(p[0].of[0], state);
  CHECK(state == result::in_progress);  // until the other rank has come
  CHECK(p[0].all_reduce(0) == result::invalid_usage);
  CHECK(p[1].lib.split(p[1].of[0], 3, 0, made[1]) == result::in_progress);
  CHECK(made[1] == nullptr);
  for (std::size_t r = 0; r < 2; ++r) CHECK(p[r].ready(0) == result::success);
  for (std::size_t r = 0; r < 2; ++r) {
    REQUIRE(made[r] != nullptr);
    int number = 0;
    p[r].lib.rank(made[r], number);
    CHECK(number == 1 - static_cast<int>(r));
  }
  CHECK(p[0].lib.split(p[0].of[1], -1, 0, made[0]) == result::invalid_argument);
  CHECK(p[0].all_reduce(1) == result::in_progress);
  CHECK(p[0].ready(1) == result::success);
  CHECK(p[0].lib.split(p[0].of[1], 0, 0, made[0]) == result::invalid_usage);
  CHECK(p.net.leaks().size() == 6);
  for (std::size_t r = 0; r < 2; ++r) {
    p[r].end();
    p[r].lib.abort(made[r]);
  }
  CHECK(p.said(p.net.breaches()) ==
        "communicator 7 of rank 0, all_reduce: before the call before it has come to its end\n"
        "communicator 8 of rank 0, split: with collectives on streams\n");
}

TEST_CASE("memory is registered as NCCL demands") {
  pair p;
  rank& r = *p.ranks[0];
  const auto said = [&] {
    std::string text = p.said(p.net.breaches());
    static std::size_t known = 0;
    std::string added = text.substr(known);
    known = text.size();
    return added;
  };
  void* at = nullptr;
  int as = 0;
  CHECK(r.lib.register_memory(r.of[0], r.memory, 8, as) == result::invalid_usage);
  CHECK(said() ==
        "communicator 7 of rank 0, register_memory: of memory that allocate() has not made\n");
  CHECK(r.lib.allocate(at, 8 * sizeof(long)) == result::success);
  CHECK(r.lib.register_memory(r.of[0], at, 8 * sizeof(long), as) == result::success);
  CHECK(r.lib.deregister(r.of[1], as) == result::invalid_usage);
  CHECK(said() == "communicator 8 of rank 0, deregister: of what is not\n");

  // All ranks give registered memory, or none.
  auto* const mine = static_cast<long*>(at);
  const auto type = wire::library::type_of<long>();
  r.driver.enqueue(r.stream, [=] { mine[0] = 1; }, "one", {recording::writes(mine, sizeof(long))});
  r.lib.all_reduce(mine, mine + 1, 1, type, wire::reduction::sum, r.of[0], r.stream);
  CHECK(r.lib.deregister(r.of[0], as) == result::invalid_usage);
  CHECK(said() == "communicator 7 of rank 0, deregister: with collectives on streams\n");
  p[1].all_reduce(0, 1);
  CHECK(p.said(p.net.differences()) ==
        "communicator 7 of rank 1, collective 0: all_reduce of 1, but rank 0 asks for all_reduce "
        "of 1 in registered memory\n");
  for (auto& all : p.ranks) all->driver.synchronize_stream(all->stream);

  CHECK(r.lib.release(at) == result::success);
  CHECK(said() == "communicator 7 of rank 0, release: of memory that is registered\n");
  CHECK(r.lib.finalize(r.of[0]) == result::success);
  CHECK(r.lib.destroy(r.of[0]) == result::success);
  CHECK(said() == "communicator 7 of rank 0, destroy: with registered memory\n");
  r.lib.abort(r.of[1]);
  p[1].end();
  CHECK(p.said(r.world.breaches()) == "");
}

TEST_CASE("an abort ends what hangs on its own streams") {
  pair p;
  p[0].all_reduce(0);
  p[0].end();
  p[0].results();
  p[1].end();
  CHECK(p.said(p.net.breaches()) == "");
}

TEST_CASE("what NCCL forbids is written down") {
  const auto breach = [](int polls, const std::function<void(pair&)>& act) {
    pair p(polls);
    act(p);
    for (auto& r : p.ranks)
      for (const auto c : r->of)
        if (!c->aborted && !c->destroyed) r->lib.abort(c);
    return p.said(p.net.breaches());
  };
  CHECK(breach(2,
               [](pair& p) {
                 CHECK(p[0].all_reduce(0) == result::in_progress);
                 CHECK(p[0].all_reduce(0) == result::invalid_usage);
               }) ==
        "communicator 7 of rank 0, all_reduce: before the call before it has come to its end\n");
  CHECK(breach(0, [](pair& p) {
          p[0].lib.abort(p[0].of[0]);
          p[0].all_reduce(0);
        }) == "all_reduce: the communicator is no more, or not yet\n");
  CHECK(breach(0, [](pair& p) { p[0].lib.destroy(p[0].of[0]); }) ==
        "communicator 7 of rank 0, destroy: before it was finalized\n");
  // Two threads, again and again, until they meet.
  CHECK(breach(0, [](pair& p) {
          const auto ask = [&] {
            result r{};
            while (p.net.breaches().empty()) p[0].lib.async_error(p[0].of[0], r);
          };
          std::thread other(ask);
          ask();
          other.join();
        }).find("async_error: another thread is inside the library for this device") == 0);
}

TEST_CASE("faults and reports come where they are planned") {
  pair p;
  const std::size_t made = p.net.count_calls(0);
  CHECK(made > 0);
  p.net.fail_at(0, made + 1, result::system_error);
  CHECK(p.net.fault_left());
  CHECK(p[0].ready(0) == result::success);
  CHECK(p[0].all_reduce(0) == result::system_error);
  CHECK_FALSE(p.net.fault_left());
  p.net.report(0, result::remote_error);
  CHECK(p[0].ready(1) == result::remote_error);
  CHECK(p[1].ready(1) == result::success);
  for (auto& r : p.ranks) r->end();
}
