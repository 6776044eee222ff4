// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each rank says when one of them cannot go on. Each ends: a hang is a failure of the test.
#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>
#include "../support/tested.hpp"
#include "cluster.hpp"

namespace {

using namespace cluster;
using pipeline = tested::pipeline<training, device, collectives>;

/// A thread may be kept from running for a while, and yet be no rank that hangs.
constexpr timeouts brief{.peers = tested::patience, .stop = std::chrono::milliseconds(500)};
/// For what waits again and again.
constexpr std::chrono::milliseconds hasty(50);

/// What tests do in bodies of a rank.
struct traps {
  trap in_spread{};
  trap in_sum{};
  trap in_look{};
};

using outcome = std::vector<std::string>;

/// Each rank runs \p batches batches; what it said. Results until then are right, another run is
/// refused, and nothing is left. \p aborted: how many communicators are by then, at least.
outcome run(machines& all, const std::function<traps(std::size_t rank)>& of,
            const std::function<std::size_t(std::size_t rank)>& batches,
            const timeouts& timeout = brief, std::size_t aborted = 0) {
  outcome said = all.each([&](std::size_t r) {
    traps t = of(r);
    pipeline p{spread{t.in_spread}, sum{t.in_sum},           look{t.in_look}, all.driver_of(r),
               all.library_of(r),   all.communicators_of(r), timeout};
    try {
      std::size_t b = 0;
      std::size_t next = 0;
      const auto source = [&](pinned_cell& into) {
        into[0] = static_cast<long>(10 * next + r);
        return next++ < batches(r);
      };
      for (const long value : p.run(source)) CHECK(value == expected(b++, all.size()));
      CHECK(b == batches(r));
    } catch (...) {
      CHECK(all.net.aborts(static_cast<int>(r)) >= aborted);
      p.reset();
      CHECK_THROWS_AS(all.run(p, r, 1), st::usage_error);
      throw;
    }
  });
  CHECK(all.net.differences().empty());
  all.check_clean();
  return said;
}

bool contains(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

std::size_t always_20(std::size_t /*rank*/) { return 20; }

}  // namespace

TEST_CASE("a task that throws ends all ranks, with its rank, name, batch and words") {
  for (const std::size_t ranks : {2U, 3U}) {
    for (const bool told : {false, true}) {
      CAPTURE(told);
      machines all(ranks);
      if (told) all.net.tell_of_aborts();
      // With time enough for the rank that failed to say why, though its abort is seen before.
      const timeouts timeout{.peers = tested::patience, .stop = std::chrono::seconds(1)};
      const outcome said = run(
          all,
          [](std::size_t r) {
            return traps{.in_look = [r](std::size_t b) {
              if (r == 1 && b == 3) throw std::runtime_error("disk full");
              return false;
            }};
          },
          always_20, timeout);
      for (std::size_t r = 0; r < ranks; ++r)
        CHECK(said[r] ==
              (r == 1 ? "disk full" : "rank 1 failed at task `look` on batch 3: disk full"));
    }
  }
}

TEST_CASE("so does one that throws instead of its collective") {
  machines all(2);
  const outcome said = run(
      all,
      [](std::size_t r) {
        return traps{.in_sum = [r](std::size_t b) {
          if (r == 0 && b == 5) throw std::runtime_error("no memory");
          return false;
        }};
      },
      always_20, brief, 2);
  CHECK(said[0] == "no memory");
  CHECK(said[1] == "rank 0 failed at task `sum` on batch 5: no memory");
  CHECK(all.net.aborts(1) == 2);
}

TEST_CASE("what does not complete in time is named by ticket, task and batch") {
  // Nothing else takes as long, or else a longer time is tried.
  for (std::chrono::seconds deadline(1);; deadline *= 2) {
    machines all(2);
    std::promise<void> given_up;
    const std::shared_future<void> wait = given_up.get_future().share();
    const outcome said = all.each([&](std::size_t r) {
      pipeline p{spread{[&, r](std::size_t b) {
                   if (r == 1 && b == 4) wait.wait();
                   return false;
                 }},
                 all.driver_of(r), all.library_of(r), all.communicators_of(r),
                 timeouts{.peers = deadline, .stop = hasty}};
      try {
        all.run(p, r, 20);
      } catch (...) {
        if (r == 0) given_up.set_value();
        throw;
      }
    });
    const std::string what = "ticket 0, task `spread` on batch 4, did not complete within " +
                             std::to_string(deadline.count()) + " s: a rank is stuck, or gone";
    if (said[0] != what && deadline < std::chrono::seconds(64)) continue;
    CHECK(said[0] == what);
    CHECK(contains(said[1], "rank 0 failed at task "));
    CHECK(contains(said[1], what));
    all.check_clean();
    return;
  }
}

TEST_CASE("ranks with other plans do not begin") {
  machines all(2);
  const outcome said = all.each([&](std::size_t r) {
    if (r == 0) {
      pipeline p{all.driver_of(r), all.library_of(r), all.communicators_of(r), brief};
      all.run(p, r, 3);
    } else {
      tested::pipeline<st::serial<training>, device, collectives> p{
          all.driver_of(r), all.library_of(r), all.communicators_of(r), brief};
      all.run(p, r, 3);
    }
  });
  for (const std::string& s : said) {
    CHECK(contains(s, "rank 0 and rank 1 run different plans: "));
    CHECK(contains(s, "task `"));
  }
  all.check_clean();
}

TEST_CASE("unequal numbers of batches are found on all ranks") {
  for (const std::size_t shorter : {0U, 1U}) {
    machines all(2);
    const outcome said = run(
        all, [](std::size_t) { return traps{}; },
        [&](std::size_t r) { return std::size_t{r == shorter ? 9U : 12U}; });
    for (const std::string& s : said)
      CHECK(contains(s, "rank " + std::to_string(shorter) + " ended after 9 batches, but rank " +
                            std::to_string(1 - shorter) + " has batch "));
  }
}

TEST_CASE("what the library reports is an error with a place, and ends the other ranks") {
  machines all(2);
  std::atomic<bool> reported{false};
  const outcome said = run(
      all,
      [&](std::size_t r) {
        return traps{.in_look = [&, r](std::size_t b) {
          if (r == 0 && b == 2 && !reported.exchange(true))
            all.net.report(0, wire::result::system_error);
          return false;
        }};
      },
      [](std::size_t) { return std::size_t{100000}; });
  CHECK(contains(said[0], "communicator `"));
  CHECK(contains(said[0], "async_error: unhandled system error (ncclResult_t 2)"));
  CHECK(contains(said[1], "rank 0 failed at task `"));
  CHECK(contains(said[1], "unhandled system error"));
}

TEST_CASE("a rank that leaves its run ends the others'") {
  machines all(2);
  const outcome said = all.each([&](std::size_t r) {
    pipeline p{all.driver_of(r), all.library_of(r), all.communicators_of(r), brief};
    std::size_t seen = 0;
    std::size_t next = 0;
    const auto source = [&](pinned_cell& into) {
      into[0] = static_cast<long>(10 * next + r);
      return next++ < 50;
    };
    for (const long value : p.run(source)) {
      CHECK(value == expected(seen, 2));
      if (++seen == 5 && r == 1) break;
    }
  });
  CHECK(contains(said[0], "rank 1 left its run after "));
  CHECK(said[1] == "");
  all.check_clean();
}

TEST_CASE("a run that is to stop ends, though a collective on its streams hangs") {
  machines all(2);
  std::promise<void> ended;
  const std::shared_future<void> wait = ended.get_future().share();
  std::stop_source stop;
  const outcome said = all.each([&](std::size_t r) {
    pipeline p{spread{[&, r](std::size_t b) {
                 if (r == 1 && b == 4) wait.wait();
                 return false;
               }},
               sum{[&, r](std::size_t b) {
                 // When `spread` of batch 4 is on its stream: its ticket comes before.
                 if (r == 0 && b == 3) stop.request_stop();
                 return false;
               }},
               all.driver_of(r),
               all.library_of(r),
               all.communicators_of(r),
               brief};
    if (r == 1) {
      all.run(p, r, 20);
      return;
    }
    std::size_t next = 0;
    const auto source = [&](pinned_cell& into) {
      into[0] = static_cast<long>(10 * next++ + r);
      return true;
    };
    std::size_t seen = 0;
    const auto until_it_ends = [&] {
      for (const long value : p.run(source, st::cancel_on(stop.get_token())))
        CHECK(value == expected(seen++, 2));
    };
    try {
      until_it_ends();
    } catch (const st::task_error& e) {
      CHECK(contains(e.what(), "the pipeline stopped while the task waited for ranks"));
    }
    CHECK(p.report().end == st::run_end::failed);
    ended.set_value();
  });
  CHECK(said[0] == "");
  CHECK(contains(said[1], "rank 0 left its run after "));
  all.check_clean();
}

TEST_CASE("a rank that does not come is named") {
  machines all(2);
  const timeouts short_of_time{.peers = std::chrono::milliseconds(100),
                               .stop = std::chrono::milliseconds(20)};
  const outcome said = all.each([&](std::size_t r) {
    if (r == 1) return;
    const pipeline p{all.driver_of(r), all.library_of(r), all.communicators_of(r), short_of_time};
  });
  CHECK(said[0] == "rank 1 of communicator `world` did not make its pipeline within 100 ms");
  all.check_clean();
}

TEST_CASE("communicators are to be passed, by their names") {
  machines all(1);
  outcome said = all.each([&](std::size_t r) {
    const pipeline p{all.driver_of(r), all.library_of(r), brief};
  });
  CHECK(contains(said[0], "pass nccl::communicators"));
  said = all.each([&](std::size_t r) {
    const pipeline p{all.driver_of(r), all.library_of(r), brief,
                     communicators{{"world", st::nccl::in_process(all.among_all, r)}}};
  });
  CHECK(contains(said[0],
                 "task `spread` is a collective among the ranks of `tables`, and no communicator "
                 "of that name was passed"));
  all.check_clean();
}

TEST_CASE("whichever call of the library fails, all ranks end and nothing is left") {
  const timeouts timeout{.peers = tested::patience, .stop = hasty};
  for (const int failing : {0, 1}) {
    std::size_t k = 0;
    for (bool left = false; !left; ++k) {
      CAPTURE(failing);
      CAPTURE(k);
      machines all(2, 1);
      all.net.let_aborts_end_calls();
      all.net.fail_at(failing, k, wire::result::internal_error);
      const outcome said = run(
          all, [](std::size_t) { return traps{}; }, [](std::size_t) { return std::size_t{3}; },
          timeout);
      left = all.net.fault_left();
      const auto at = static_cast<std::size_t>(failing);
      // When a communicator is given back there is nobody to tell.
      if (!said[at].empty()) {
        CHECK(contains(said[at], "internal error (ncclResult_t 3)"));
        // At the end the other one may have all that it needs.
        if (!said[1 - at].empty()) CHECK(contains(said[1 - at], "internal error (ncclResult_t 3)"));
      }
    }
    CHECK(k > 20);
  }
}

TEST_CASE("whichever call of the device fails, all ranks end and nothing is left") {
  std::size_t unsaid = 0;  // by calls that give something back, whose failure changes nothing
  std::size_t k = 0;
  for (bool left = false; !left; ++k) {
    CAPTURE(k);
    machines all(2, 1);
    all.net.let_aborts_end_calls();
    all.world(1).fail_at(k, recording::status::launch_out_of_resources);
    const outcome said = all.each([&](std::size_t r) {
      pipeline p{all.driver_of(r), all.library_of(r), all.communicators_of(r),
                 timeouts{.peers = std::chrono::milliseconds(500), .stop = hasty}};
      std::size_t b = 0;
      for (const long value : all.run(p, r, 3)) CHECK(value == expected(b++, 2));
      CHECK(b == 3);
    });
    const bool came = all.world(1).faults_left() == 0;
    if (came && said[1].empty()) ++unsaid;
    // It may be time that was up before the call.
    left = !came && said[0].empty() && said[1].empty();
    for (const std::string& l : all.net.leaks()) CHECK_MESSAGE(false, l);
    for (const std::string& b : all.net.breaches()) CHECK_MESSAGE(false, b);
  }
  CHECK(k > 50);
  CHECK(unsaid < k / 2);
}
