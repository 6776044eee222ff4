// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules whose ranks differ, with transfers from device to device. In both versions.
#include <doctest/doctest.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>
#include "../support/tested.hpp"
#include "cluster.hpp"

namespace {

using namespace cluster;

struct shown : st::slot<pinned_cell> {};
struct echoed : st::slot<long> {};

struct read : upload {
  using role = st::role<"reader">;
  static constexpr int lookahead = 4;
};
struct to_trainer : st::transfer<raw, "reader", "trainer"> {
  using stream = st::stream<"prepare">;
  using thread = st::thread<"network">;
  static constexpr int lookahead = 3;
};
struct fit {
  using role = st::role<"trainer">;
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<part>;
  trap in_fit;
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    if (in_fit && in_fit(ctx.batch())) return;
    ctx.driver().enqueue(
        ctx.stream(), [from = in.data(), to = out.data()] { *to = 2 * *from + 1; }, {},
        {recording::reads(in.data(), sizeof(long)), recording::writes(out.data(), sizeof(long))});
  }
};
struct add_up {
  using role = st::role<"trainer">;
  using stream = st::stream<"compute">;
  static constexpr bool collective = true;  // among the trainers
  static constexpr int lookahead = 2;
  using reads = st::reads<part>;
  using writes = st::writes<total>;
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    ctx.all_reduce(in.data(), out.data(), 1);
  }
};
struct to_others : st::transfer<total, "trainer", "writer", "reader"> {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
};
struct fetch : download {
  using role = st::role<"writer">;
  using stream = st::stream<"prepare">;
};
struct store : look {
  using role = st::role<"writer">;
};
struct check {
  using role = st::role<"reader">;
  using stream = st::stream<"compute">;
  using reads = st::reads<total, raw>;
  using writes = st::writes<shown>;
  void operator()(st::context auto& ctx, const cell& in, const cell& of, pinned_cell& out) const {
    ctx.driver().enqueue(
        ctx.stream(), [a = in.data(), b = of.data(), to = out.data()] { *to = *a - *b; }, "check",
        {recording::reads(in.data(), sizeof(long)), recording::reads(of.data(), sizeof(long)),
         recording::writes(out.data(), sizeof(long))});
  }
};
struct echo {
  using role = st::role<"reader">;
  using reads = st::reads<shown>;
  using writes = st::writes<echoed>;
  void operator()(const pinned_cell& in, long& out) const { out = in[0]; }
};

struct job : st::schedule<st::source<number>, st::result<result, echoed>,
                          st::streams<"prepare", "compute">, read, to_trainer, fit, add_up,
                          to_others, fetch, store, check, echo> {};

struct traps {
  trap in_fit{};
  trap in_store{};
};

/// What the number of a lane's reader is on a batch.
long given(std::size_t batch, std::size_t lane) { return static_cast<long>(10 * batch + lane); }
/// What all trainers add up to.
long sum_of(std::size_t batch, std::size_t lanes) {
  long all = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) all += 2 * given(batch, lane) + 1;
  return all;
}

/// The ranks of each role after those of another: that of rank \p r.
constexpr std::size_t roles = 3;
std::size_t lane_of(std::size_t r, std::size_t lanes) { return r % lanes; }

struct setting {
  wire::library::config config = wire::library::standard_config();
  timeouts timeout = patient;
  std::function<traps(std::size_t rank)> of{};
  std::function<void(std::size_t rank)> failed{};
  std::size_t writers_leave_after = 1000;  ///< batches
};

communicators world_of(machines& all, std::size_t r, wire::library::config config) {
  return {{"world", st::nccl::in_process(all.among_all, r), nullptr, config}};
}

/// Each rank plays its part in \p batches batches; what it said.
std::vector<std::string> play(machines& all, std::size_t batches, const setting& as = {}) {
  const std::size_t lanes = all.size() / roles;
  return all.each([&](std::size_t r) {
    const std::size_t lane = lane_of(r, lanes);
    const traps mine = as.of ? as.of(r) : traps{};
    std::size_t b = 0;
    const auto run = [&](auto&& pipeline, auto source, auto expected) {
      try {
        for (const auto& got : pipeline.run(source)) {
          if constexpr (std::is_same_v<decltype(expected(b)), long>) CHECK(got == expected(b));
          if (++b == as.writers_leave_after && r / lanes == 2) break;
        }
      } catch (...) {
        if (as.failed) as.failed(r);
        throw;
      }
    };
    const auto nothing = [](std::size_t) {};
    if (r / lanes == 0) {
      std::size_t next = 0;
      const auto source = [&](pinned_cell& into) {
        if (next == batches) return false;
        all.world(r).host_writes(into.data(), sizeof(long));
        into[0] = given(next++, lane);
        return true;
      };
      using part = tested::pipeline<st::projection<job, "reader">, device, collectives>;
      run(part{all.driver_of(r), all.library_of(r), world_of(all, r, as.config), as.timeout},
          source, [&](std::size_t batch) { return sum_of(batch, lanes) - given(batch, lane); });
    } else if (r / lanes == 1) {
      using part = tested::pipeline<st::projection<job, "trainer">, device, collectives>;
      run(part{fit{mine.in_fit}, all.driver_of(r), all.library_of(r), world_of(all, r, as.config),
               as.timeout},
          st::follow(), nothing);
    } else {
      using part = tested::pipeline<st::projection<job, "writer">, device, collectives>;
      run(part{store{{mine.in_store}}, all.driver_of(r), all.library_of(r),
               world_of(all, r, as.config), as.timeout},
          st::follow(), [&](std::size_t batch) { return sum_of(batch, lanes); });
    }
    CHECK(b == (r / lanes == 2 ? (std::min)(batches, as.writers_leave_after) : batches));
  });
}

void play_well(machines& all, const setting& as = {}) {
  for (std::size_t r = 0; r < all.size(); ++r) all.world(r).jitter(static_cast<unsigned>(r + 1));
  for (const std::string& s : play(all, 20, as)) CHECK(s == "");
  for (const std::string& d : all.net.differences()) CHECK(d == "");
  all.check_clean();
}

}  // namespace

TEST_CASE("what ranks of one role have on their devices gets to those of others") {
  for (const std::size_t lanes : {1U, 2U, 3U}) {
    CAPTURE(lanes);
    machines all(roles * lanes);
    play_well(all);
  }
}

TEST_CASE("so it does where ranks connect on demand, and one kernel at a time finds room") {
  for (const bool blocking : {false, true}) {
    CAPTURE(blocking);
    machines all(roles * 2);
    all.net.connect_on_demand();
    all.net.limit_residents(1);
    play_well(all, {.config = {blocking}});
    CHECK(all.net.count_blocking() == (blocking ? 12 : 0));  // with the parts of the roles
  }
}

namespace {

/// For what waits again and again.
constexpr timeouts hasty{.peers = tested::patience, .stop = std::chrono::milliseconds(50)};

bool contains(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}
/// One that throws in the trainer's body, or the writer's, on a batch.
std::function<traps(std::size_t)> failing(std::size_t role, std::size_t batch) {
  return [=](std::size_t r) {
    const trap here = [=](std::size_t b) {
      if (r == role && b == batch) throw std::runtime_error("no memory");
      return false;
    };
    return r == 1 ? traps{.in_fit = here} : traps{.in_store = here};
  };
}

}  // namespace

TEST_CASE("a task that fails in one role ends the ranks of all, with its role, name and batch") {
  for (const std::size_t role : {1U, 2U})
    for (const std::size_t batch : {0U, 5U}) {
      CAPTURE(batch);
      machines all(roles);
      const std::vector<std::string> said = play(all, 20, {.of = failing(role, batch)});
      const std::string what = role == 1
                                   ? "rank 1 of role `trainer` failed at task `fit` on batch "
                                   : "rank 2 of role `writer` failed at task `store` on batch ";
      for (std::size_t r = 0; r < roles; ++r)
        CHECK(said[r] == (r == role ? "no memory" : what + std::to_string(batch) + ": no memory"));
      CHECK(all.net.differences().empty());
      all.check_clean();
    }
}

TEST_CASE("a rank that stays away from its end of a transfer is waited for until time is up") {
  // Nothing else takes as long, or else a longer time is tried.
  for (std::chrono::seconds deadline(1);; deadline *= 2) {
    machines all(roles);
    std::promise<void> given_up;
    const std::shared_future<void> wait = given_up.get_future().share();
    std::atomic<int> left{2};
    const auto stuck = [&](std::size_t r) {
      return traps{.in_fit = [&, r](std::size_t b) {
        if (r == 1 && b == 4) wait.wait_for(tested::patience);
        return false;
      }};
    };
    // On the last batch: otherwise they wait for it where they agree on another one, too.
    const std::vector<std::string> said = play(all, 5,
                                               {.timeout = {.peers = deadline, .stop = hasty.stop},
                                                .of = stuck,
                                                .failed = [&](std::size_t r) {
                                                  if (r != 1 && --left == 0) given_up.set_value();
                                                }});
    // The first of them that notices says it, and the others hear of it. In the progress in which
    // the trainer is at batch 4 it would have sent what is of batch 3.
    const std::string what = "task `total_to_writer` on batch 3, did not complete within " +
                             std::to_string(deadline.count()) + " s: a rank is stuck, or gone";
    const bool all_say =
        contains(said[0], what) && contains(said[1], what) && contains(said[2], what);
    if (!all_say && deadline < std::chrono::seconds(64)) continue;
    for (const std::string& s : said) CHECK_MESSAGE(contains(s, what), s);
    CHECK(contains(said[1], " failed at task "));
    all.check_clean();
    return;
  }
}

TEST_CASE("whichever call of the library fails, ranks with roles end and nothing is left") {
  for (const int rank : {0, 1, 2}) {
    bool left = false;
    // Not each of the many, to save time.
    for (std::size_t k = static_cast<std::size_t>(rank); !left; k += 5) {
      CAPTURE(rank);
      CAPTURE(k);
      machines all(roles, 1);
      all.net.let_aborts_end_calls();
      all.net.fail_at(rank, k, wire::result::internal_error);
      const std::vector<std::string> said = play(all, 3, {.timeout = hasty});
      left = all.net.fault_left();
      CHECK(all.net.differences().empty());
      all.check_clean();
      const auto at = static_cast<std::size_t>(rank);
      // When a communicator is given back there is nobody to tell.
      if (said[at].empty()) continue;
      CHECK(contains(said[at], "internal error (ncclResult_t 3)"));
      for (const std::string& s : said)
        if (!s.empty()) CHECK(contains(s, "internal error (ncclResult_t 3)"));
    }
  }
}

TEST_CASE("a rank that leaves its run ends those of the other roles") {
  for (const std::size_t batches : {1U, 5U}) {
    machines all(roles);
    const std::vector<std::string> said =
        play(all, 200, {.timeout = hasty, .writers_leave_after = batches});
    CHECK(said[2] == "");
    for (const std::size_t r : {0U, 1U})
      CHECK_MESSAGE(contains(said[r], "rank 2 of role `writer` left its run after "), said[r]);
    CHECK(all.net.differences().empty());
    all.check_clean();
  }
}

TEST_CASE("roles that send to each other are played by as many ranks") {
  machines all(4);
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    const auto with = [&](auto part, auto source) {
      tested::pipeline<decltype(part), device, collectives> p{all.driver_of(r), all.library_of(r),
                                                              world_of(all, r, {false}), patient};
      for ([[maybe_unused]] const auto& batch : p.run(source)) continue;
    };
    if (r == 0) with(st::projection<job, "reader">(), [](pinned_cell&) { return false; });
    if (r == 1) with(st::projection<job, "trainer">(), st::follow());
    if (r > 1) with(st::projection<job, "writer">(), st::follow());
  });
  for (const std::string& s : said)
    CHECK(
        contains(s, "is from role `trainer`, which 1 rank plays, to role `writer`, which 2 ranks"));
  all.check_clean();
}

namespace {

struct beat : st::slot<int> {};
/// It has nothing to do with what others send.
struct tick {
  using role = st::role<"clock">;
  using writes = st::writes<beat>;
  void operator()(int& out) const { out = 1; }
};
struct ticking : st::schedule<st::source<number>, st::result<beat>,
                              st::streams<"prepare", "compute">, read, to_trainer, fit, tick> {};

}  // namespace

TEST_CASE("a role that neither sends nor receives is in the communicator of those that do") {
  machines all(3);
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    std::size_t seen = 0;
    const auto with = [&](auto part, auto source) {
      tested::pipeline<decltype(part), device, collectives> p{all.driver_of(r), all.library_of(r),
                                                              world_of(all, r, {false}), patient};
      for ([[maybe_unused]] const auto& batch : p.run(source)) ++seen;
    };
    std::size_t next = 0;
    if (r == 0)
      with(st::projection<ticking, "reader">(), [&](pinned_cell& into) {
        all.world(r).host_writes(into.data(), sizeof(long));
        into[0] = 1;
        return next++ < 7;
      });
    if (r == 1) with(st::projection<ticking, "trainer">(), st::follow());
    if (r == 2) with(st::projection<ticking, "clock">(), st::follow());
    CHECK(seen == 7);
  });
  for (const std::string& s : said) CHECK(s == "");
  all.check_clean();
}

namespace {

struct take_over {
  using role = st::role<"trainer">;
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 2;
  using reads = st::reads<part>;
  using writes = st::writes<total>;
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    ctx.driver().copy(ctx.stream(), out.data(), in.data(), sizeof(long));
  }
};
struct job_alone
    : st::schedule<st::source<number>, st::result<result>, st::streams<"prepare", "compute">, read,
                   to_trainer, fit, take_over, to_others, fetch, store> {};

}  // namespace

TEST_CASE("one rank alone does what all ranks do, and transfers leave values where they are") {
  recording::world machine;
  tested::pipeline<job_alone, device> p{driver(machine)};
  std::size_t b = 0;
  std::size_t next = 0;
  const auto source = [&](pinned_cell& into) {
    machine.host_writes(into.data(), sizeof(long));
    into[0] = given(next++, 0);
    return next <= 9;
  };
  for (const long got : p.run(source)) CHECK(got == sum_of(b++, 1));
  CHECK(b == 9);
  for (const std::string& breach : machine.breaches()) CHECK(breach == "");
}
