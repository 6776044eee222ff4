// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ranks of a pipeline agree on, with threads as ranks that go through collectives as a
// pipeline would. A rank that waits here waits for a collective that does not complete.
#include <doctest/doctest.h>
#include <array>
#include <barrier>
#include <chrono>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <stretto/collective/peers.hpp>
#include <string>
#include <thread>
#include "ranks.hpp"

namespace coll = stretto::collective;
using coll::peers;

namespace {

coll::plan_digest plan_of(std::uint64_t fingerprint) {
  return {fingerprint, {{"sum", fingerprint}}};
}

/// `early` works one batch ahead of `late`, and is submitted after it.
coll::ticket_row tickets() { return coll::ticket_row({{"late", 1}, {"early", 0}}); }

/// What each rank got, by rank.
class outcome {
 public:
  template <class Error, class Body>
  void of(std::size_t rank, const Body& body) {
    std::string text = ranks::thrown<Error>(body);
    const std::lock_guard lock(mutex_);
    said_[rank] = std::move(text);
  }
  const std::string& operator[](std::size_t rank) { return said_[rank]; }

 private:
  std::mutex mutex_;
  std::map<std::size_t, std::string> said_;
};

constexpr auto go_on = [] { return false; };

void wait_for_ever(peers& p) {
  for (peers::wait wait(p);;) wait(go_on);
}

/// The collectives of a run of N batches, which complete at once.
void run(peers& p, std::size_t batches) {
  p.begin_run();
  for (std::size_t progress = 0; progress <= batches; ++progress) {
    if (progress >= 1) {
      p.enter(0, progress - 1, progress, go_on);
      p.leave();
    }
    if (progress < batches) {
      p.enter(1, progress, progress, go_on);
      p.leave();
    }
  }
  if (const std::exception_ptr error = p.finished(batches)) std::rethrow_exception(error);
}

stretto::run_report failure(const char* task, std::size_t batch, std::exception_ptr error) {
  stretto::run_report report;
  report.end = stretto::run_end::failed;
  report.failures.push_back({task, batch, batch, std::move(error)});
  return report;
}

template <class Kind = ranks::local, class Body>
void among(std::size_t size, std::chrono::milliseconds deadline, const Body& body) {
  Kind::each(size, [&](coll::channel& c) {
    peers p(c, plan_of(1), tickets(), deadline);
    body(p);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("runs of equal length end on all ranks, one after the other", Kind, ranks::local,
                   ranks::files) {
  outcome got;
  among<Kind>(3, ranks::forever, [&](peers& p) {
    got.of<std::exception>(p.rank(), [&] {
      for (const std::size_t batches : {4U, 0U, 1U, 7U}) run(p, batches);
      CHECK(!p.broken());
    });
  });
  for (std::size_t r = 0; r < 3; ++r) CHECK(got[r].empty());
}

TEST_CASE("ranks with different plans say so before the first collective") {
  outcome got;
  ranks::local::each(3, [&](coll::channel& c) {
    peers p(c, plan_of(c.rank() == 1 ? 2 : 1), tickets(), ranks::forever);
    got.of<stretto::plan_mismatch_error>(c.rank(), [&] { p.begin_run(); });
  });
  for (std::size_t r = 0; r < 3; ++r)
    CHECK(got[r].find("ranks 0 and 2 and rank 1 run different plans: they differ in task `sum`") ==
          0);
}

TEST_CASE_TEMPLATE("a failure reaches ranks that wait, and is told once", Kind, ranks::local,
                   ranks::files) {
  outcome got;
  among<Kind>(3, ranks::forever, [&](peers& p) {
    got.of<stretto::peer_error>(p.rank(), [&] {
      p.begin_run();
      p.enter(1, 0, 0, go_on);
      if (p.rank() == 1) {
        auto report = failure("early", 0, std::make_exception_ptr(std::runtime_error("boom")));
        // A thread that waited, and was in an earlier progress, is not what failed.
        report.failures.insert(report.failures.begin(),
                               {"late", 0, 0, std::make_exception_ptr(stretto::wait_stopped())});
        p.failed(report);
        CHECK(p.broken());
        return;
      }
      try {
        wait_for_ever(p);
      } catch (const stretto::peer_error& e) {
        CHECK(e.rank() == 1);
        CHECK(e.task() == "early");
        CHECK(e.message() == "boom");
        // Not told as a failure of this rank's own.
        p.failed(failure("early", 0, std::current_exception()));
        throw;
      }
    });
  });
  CHECK(got[1].empty());
  for (const std::size_t r : {0U, 2U})
    CHECK(got[r] == "rank 1 failed at task `early` on batch 0: boom");
}

TEST_CASE("a failure reaches ranks that end, and those that begin another run") {
  outcome got;
  among(3, ranks::forever, [&](peers& p) {
    got.of<stretto::peer_error>(p.rank(), [&] {
      p.begin_run();
      if (p.rank() == 0)
        p.failed(failure("x", 3, std::make_exception_ptr(std::runtime_error("no"))));
      if (p.rank() == 1) {
        const std::exception_ptr error = p.finished(3);
        CHECK(error != nullptr);
        if (error) std::rethrow_exception(error);
      }
      if (p.rank() == 2) p.begin_run();
    });
  });
  for (const std::size_t r : {1U, 2U}) CHECK(got[r] == "rank 0 failed at task `x` on batch 3: no");
}

/// `late` of the last batch comes after the place where `early` of another one would have been.
template <class Body>
void among_counting(std::size_t size, std::chrono::milliseconds deadline, const Body& body) {
  ranks::local::each(size, [&](coll::channel& c) {
    peers p(c, plan_of(1), coll::ticket_row({{"early", 0}, {"late", 1}}), deadline);
    body(p);
  });
}

/// All collectives of a run of one batch, after which the ranks know that all have one.
void run_until_counted(peers& p) {
  p.begin_run();
  p.enter(0, 0, 0, go_on);
  p.leave();
  p.enter(1, 0, 1, go_on);
  p.leave();
}

TEST_CASE("who is done hears of what fails after the last collective") {
  outcome got;
  std::barrier counted(3);
  among_counting(3, ranks::forever, [&](peers& p) {
    got.of<stretto::peer_error>(p.rank(), [&] {
      run_until_counted(p);
      CHECK(p.finished(1) == nullptr);
      run_until_counted(p);
      counted.arrive_and_wait();
      if (p.rank() == 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return p.failed(failure("x", 0, std::make_exception_ptr(std::runtime_error("no"))));
      }
      if (const std::exception_ptr error = p.finished(1)) std::rethrow_exception(error);
    });
  });
  CHECK(got[1].empty());
  for (const std::size_t r : {0U, 2U}) CHECK(got[r] == "rank 1 failed at task `x` on batch 0: no");
}

TEST_CASE("to leave a run at its last result is no failure") {
  outcome got;
  among_counting(2, ranks::forever, [&](peers& p) {
    got.of<std::exception>(p.rank(), [&] {
      run_until_counted(p);
      if (p.rank() == 1) {
        stretto::run_report left;
        left.finished = 1;
        p.failed(left);
      } else if (const std::exception_ptr error = p.finished(1)) {
        std::rethrow_exception(error);
      }
      p.begin_run();
    });
  });
  for (const std::size_t r : {0U, 1U}) CHECK(got[r].empty());
}

TEST_CASE("a rank whose run does not end is missed") {
  // Nothing else takes as long, or else a longer time is tried.
  for (std::chrono::seconds deadline(1);; deadline *= 2) {
    outcome got;
    std::promise<void> told;
    among_counting(2, deadline, [&](peers& p) {
      got.of<stretto::missing_rank_error>(p.rank(), [&] {
        run_until_counted(p);
        if (p.rank() == 1) return;
        if (const std::exception_ptr error = p.finished(1)) std::rethrow_exception(error);
      });
      p.rank() == 0 ? told.set_value() : told.get_future().wait();
    });
    const std::string said = "rank 1 did not end its run within " + coll::seconds_text(deadline);
    if (got[0] != said && deadline < std::chrono::seconds(64)) continue;
    CHECK(got[0] == said);
    return;
  }
}

TEST_CASE("after a failure there is no other run") {
  std::barrier both(2);
  among(2, ranks::forever, [&](peers& p) {
    p.begin_run();
    both.arrive_and_wait();  // or one might hear of it while it waits for the other to begin
    if (p.rank() == 0) {
      p.failed(failure("x", 3, std::make_exception_ptr(42)));
    } else {
      const auto go_on_alone = [&] {
        p.enter(1, 0, 0, go_on);
        wait_for_ever(p);
      };
      CHECK_THROWS_AS(go_on_alone(), stretto::peer_error);
    }
    CHECK_THROWS_AS(p.begin_run(), stretto::usage_error);
  });
}

TEST_CASE("the deadline names ticket, task and batch") {
  // Nothing else takes as long, or else a longer time is tried.
  for (std::chrono::milliseconds deadline(30);; deadline *= 10) {
    outcome got;
    among(1, deadline, [&](peers& p) {
      got.of<stretto::timeout_error>(0, [&] {
        p.begin_run();
        p.enter(1, 0, 0, go_on);
        p.leave();
        p.enter(0, 0, 1, go_on);
        wait_for_ever(p);
      });
    });
    const std::string said = "ticket 0, task `late` on batch 0, did not complete within " +
                             coll::seconds_text(deadline) + ": a rank is stuck, or gone";
    if (got[0] != said && deadline < std::chrono::seconds(30)) continue;
    CHECK(got[0] == said);
    return;
  }
}

TEST_CASE("a rank that does not come is named") {
  outcome got;
  among(2, std::chrono::milliseconds(50), [&](peers& p) {
    if (p.rank() == 0) got.of<stretto::missing_rank_error>(0, [&] { p.begin_run(); });
  });
  CHECK(got[0] == "rank 1 did not begin run 1 within 50 ms");
}

TEST_CASE_TEMPLATE("unequal numbers of batches are an error on both sides", Kind, ranks::local,
                   ranks::files) {
  outcome got;
  among<Kind>(2, ranks::forever, [&](peers& p) {
    got.of<stretto::batch_count_error>(p.rank(), [&] {
      run(p, 2);
      run(p, p.rank() == 0 ? 6 : 4);
    });
  });
  for (const std::size_t r : {0U, 1U})
    CHECK(got[r].find("rank 1 ended after 4 batches, but rank 0 has batch ") == 0);
}

TEST_CASE("a rank that ended holds back its next collective until the others have, too") {
  // Else its `late` of the last batch would meet the other's `early` of a batch that it has not.
  outcome got;
  among(2, ranks::forever, [&](peers& p) {
    got.of<stretto::batch_count_error>(p.rank(), [&] {
      p.begin_run();
      p.enter(1, 0, 0, go_on);
      p.leave();
      p.enter(0, 0, 1, go_on);
      p.leave();
      if (p.rank() == 0) {
        p.enter(1, 1, 1, go_on);
        wait_for_ever(p);
      }
      // Batch 1 of this rank: there is none. The next collective is nothing that a run would have,
      // but that there is one tells that `early` was left out.
      p.enter(0, 1, 2, go_on);
      CHECK(false);
    });
  });
  for (const std::size_t r : {0U, 1U})
    CHECK(got[r].find("rank 1 ended after 1 batch, but rank 0 has batch 1") == 0);
}

TEST_CASE("a third rank that knows only that one went on says the same") {
  outcome got;
  among(3, ranks::forever, [&](peers& p) {
    got.of<stretto::batch_count_error>(p.rank(), [&] { run(p, p.rank() == 2 ? 2 : 3); });
  });
  for (const std::size_t r : {0U, 1U, 2U}) {
    CHECK(got[r].find("rank 2 ended after 2 batches, but rank ") == 0);
    CHECK(got[r].find(" has batch 2: give all ranks as many") != std::string::npos);
  }
}

TEST_CASE("who waits leaves when the pipeline stops") {
  among(1, ranks::forever, [&](peers& p) {
    p.begin_run();
    p.enter(1, 0, 0, go_on);
    int asked = 0;
    const auto leave = [&] {
      peers::wait wait(p);
      for (;;) wait([&] { return ++asked == 3; });
    };
    CHECK_THROWS_AS(leave(), stretto::wait_stopped);
    CHECK(!p.broken());
    p.failed({});  // it had not completed, though
    CHECK(p.broken());
  });
}

TEST_CASE("ranks that left at the same collective may run again, others may not") {
  for (const bool equal : {true, false}) {
    outcome got;
    std::barrier both(2);  // or one might hear in its second collective that the other has left
    among(2, ranks::forever, [&](peers& p) {
      got.of<stretto::usage_error>(p.rank(), [&] {
        p.begin_run();
        p.enter(1, 0, 0, go_on);
        p.leave();
        if (equal || p.rank() == 0) {
          p.enter(0, 0, 1, go_on);
          p.leave();
        }
        both.arrive_and_wait();
        stretto::run_report left;
        left.finished = 1;
        p.failed(left);
        run(p, 2);
      });
    });
    for (const std::size_t r : {0U, 1U})
      CHECK((got[r].find("the ranks left their last run at different collectives") == 0) == !equal);
  }
}

TEST_CASE("who goes on is told that a peer has left") {
  outcome got;
  among(2, ranks::forever, [&](peers& p) {
    got.of<stretto::peer_error>(p.rank(), [&] {
      p.begin_run();
      p.enter(1, 0, 0, go_on);
      p.leave();
      if (p.rank() == 0) {
        stretto::run_report left;
        left.finished = 1;
        return p.failed(left);
      }
      p.enter(0, 0, 1, go_on);
      wait_for_ever(p);
    });
  });
  CHECK(got[1] == "rank 0 left its run after 1 batch");
}

TEST_CASE("a collective that was given up is none that others can complete") {
  outcome got;
  among(2, ranks::forever, [&](peers& p) {
    got.of<stretto::peer_error>(p.rank(), [&] {
      p.begin_run();
      p.enter(1, 0, 0, go_on);
      if (p.rank() == 0) return p.failed({});
      wait_for_ever(p);
    });
  });
  CHECK(got[0].empty());
  CHECK(got[1] == "rank 0 left its run after 0 batches");
}

TEST_CASE("a rank that can make no other run tells those that begin one") {
  outcome got;
  std::barrier both(2);
  among(2, ranks::forever, [&](peers& p) {
    p.begin_run();
    p.enter(1, 0, 0, go_on);
    both.arrive_and_wait();  // or one might hear in its collective that the other gave it up
    if (p.rank() == 1) p.leave();
    p.failed({});
    if (p.rank() == 0) {
      CHECK_THROWS_AS(p.begin_run(), stretto::usage_error);
      CHECK_THROWS_AS(p.begin_run(), stretto::usage_error);
    } else {
      got.of<stretto::peer_error>(1, [&] { p.begin_run(); });
    }
  });
  CHECK(got[1] ==
        "rank 0 failed at task `early` on batch 0: it gave up collectives of its last run, "
        "and cannot begin another");
}

TEST_CASE("who leaves and begins another run hears that a peer missed it") {
  // The third rank does not need the first one, and yet says the same as the second.
  outcome got;
  among(3, ranks::forever, [&](peers& p) {
    got.of<stretto::peer_error>(p.rank(), [&] {
      p.begin_run();
      if (p.rank() == 0) {
        p.failed({});
        return p.begin_run();
      }
      if (p.rank() == 2) return p.begin_run();
      try {
        p.enter(1, 0, 0, go_on);
        wait_for_ever(p);
      } catch (...) {
        p.failed(failure("early", 0, std::current_exception()));
        throw;
      }
    });
  });
  for (std::size_t r = 0; r < 3; ++r) CHECK(got[r] == "rank 0 left its run after 0 batches");
}

TEST_CASE("who waits for the others' numbers of batches leaves when the pipeline stops") {
  among(2, ranks::forever, [&](peers& p) {
    p.begin_run();
    if (p.rank() == 1) return;
    // That `early` of batch 1 was left out tells that there is none: the other has not said so.
    p.enter(1, 0, 0, go_on);
    p.leave();
    int asked = 0;
    CHECK_THROWS_AS(p.enter(0, 1, 2, [&] { return ++asked == 3; }), stretto::wait_stopped);
    CHECK(asked == 3);
  });
}

TEST_CASE("numbers of batches are compared where no collective tells that they differ") {
  outcome got;
  among(2, ranks::forever, [&](peers& p) {
    got.of<stretto::batch_count_error>(p.rank(), [&] {
      p.begin_run();
      if (const std::exception_ptr error = p.finished(p.rank() == 0 ? 3 : 5))
        std::rethrow_exception(error);
    });
  });
  for (const std::size_t r : {0U, 1U})
    CHECK(got[r].find("rank 0 ended after 3 batches, but rank 1 has batch 3") == 0);
}

TEST_CASE("a peer that left after a collective has taken part in it") {
  outcome got;
  std::barrier both(2);
  among(2, ranks::forever, [&](peers& p) {
    got.of<std::exception>(p.rank(), [&] {
      p.begin_run();
      // The second hears that the first has left in the very collective that they have in common.
      if (p.rank() == 1) both.arrive_and_wait();
      p.enter(1, 0, 0, go_on);
      p.leave();
      p.failed({});
      if (p.rank() == 0) both.arrive_and_wait();
      run(p, 2);
    });
  });
  for (const std::size_t r : {0U, 1U}) CHECK(got[r].empty());
}

TEST_CASE("who waits for the others' numbers of batches hears that one has left") {
  outcome got;
  among(2, ranks::forever, [&](peers& p) {
    got.of<stretto::peer_error>(p.rank(), [&] {
      p.begin_run();
      if (p.rank() == 0) return p.failed({});
      if (const std::exception_ptr error = p.finished(0)) std::rethrow_exception(error);
    });
  });
  CHECK(got[1] == "rank 0 left its run after 0 batches");
}

TEST_CASE("what all agree on is so, and only that") {
  outcome got;
  among(3, ranks::forever, [&](peers& p) {
    got.of<std::exception>(p.rank(), [&] {
      p.begin_run();
      p.enter(1, 0, 0, go_on);
      const bool all = p.agreed(true, go_on);
      const bool one = p.agreed(p.rank() == 1, go_on);
      const bool none = p.agreed(false, go_on);
      p.leave();
      if (!all || one || none) throw std::runtime_error("otherwise");
    });
  });
  for (std::size_t r = 0; r < 3; ++r) CHECK(got[r].empty());
}

TEST_CASE("a failure is told once, by the rank whose own it is") {
  coll::local_ranks all(2);
  coll::local_channel here(all, 0), there(all, 1);
  const auto news = [&] {
    std::size_t heard = 0;
    while (there.look()) ++heard;
    return heard;
  };
  const auto own = std::make_exception_ptr(std::runtime_error("boom"));
  coll::notice of_another;
  of_another.task = "x";

  peers one(here, plan_of(1), tickets(), ranks::forever);
  one.failed(failure("early", 0, own));
  CHECK(news() == 1);
  one.failed(failure("early", 0, own));
  one.give_up();
  CHECK(news() == 0);

  peers other(here, plan_of(1), tickets(), ranks::forever);
  other.failed(failure("early", 0, std::make_exception_ptr(stretto::peer_error(of_another))));
  CHECK(news() == 0);

  peers idle(here, plan_of(1), tickets(), ranks::forever);
  idle.give_up();
  idle.give_up();
  CHECK(news() == 1);
}

// Collectives that go on when they have been left, as streams have them.
struct pending {
  std::size_t ticket = 0;
  std::size_t batch = 0;
};

TEST_CASE("who watches collectives hears of each whether it will complete, and stays where it is") {
  outcome got;
  std::barrier both(2);
  among(2, ranks::forever, [&](peers& p) {
    got.of<stretto::batch_count_error>(p.rank(), [&] {
      p.begin_run();
      if (p.rank() == 1) {
        both.arrive_and_wait();
        if (const std::exception_ptr error = p.finished(2)) std::rethrow_exception(error);
        return;
      }
      for (const auto& [ticket, batch, progress] :
           {std::array{1U, 0U, 0U}, {0U, 0U, 1U}, {1U, 1U, 1U}, {0U, 1U, 2U}}) {
        p.enter(ticket, batch, progress, go_on);
        p.leave();
      }
      p.watch(std::vector<pending>{{1, 1}, {0, 0}});
      CHECK(p.batch() == 1);
      both.arrive_and_wait();
      for (coll::pause idle;; idle()) p.watch(std::vector<pending>{{0, 1}, {1, 2}, {0, 0}});
    });
  });
  for (const std::size_t r : {0U, 1U})
    CHECK(got[r].find("rank 1 ended after 2 batches, but rank 0 has batch 2") == 0);
}

namespace {

/// Two ranks that have begun their first run, in which they play roles or none.
struct two_ranks {
  explicit two_ranks(const std::string& first_role = {}, const std::string& second_role = {})
      : roles{first_role, second_role} {
    for (std::size_t r = 0; r < 2; ++r) {
      coll::casting cast;
      if (!roles[r].empty()) {
        cast.own = roles[r];
        cast.all = {roles[0], roles[1]};
      }
      both.at(r)->play(cast);
    }
    std::thread other([&] { both[1]->begin_run(); });
    while (both[1]->missing().count == 0) std::this_thread::yield();
    CHECK(both[1]->missing().first == 0);
    both[0]->begin_run();  // what the other one has said is there: this waits for nothing
    other.join();
    CHECK(both[1]->missing().count == 0);
  }

  std::array<std::string, 2> roles;
  coll::local_ranks there{2};
  coll::local_channel here{there, 0}, away{there, 1};
  peers first{here, plan_of(1), tickets(), std::chrono::milliseconds(20)};
  peers second{away, plan_of(1), tickets(), ranks::forever};
  std::array<peers*, 2> both{&first, &second};
};

}  // namespace

TEST_CASE("the role of a rank that does not come is told, when that is known") {
  two_ranks with_roles("reader", "trainer");
  CHECK(ranks::thrown<stretto::missing_rank_error>([&] { with_roles.first.begin_run(); }) ==
        "rank 1 of role `trainer` did not begin run 2 within 20 ms");
  two_ranks without;
  CHECK(ranks::thrown<stretto::missing_rank_error>([&] { without.first.begin_run(); }) ==
        "rank 1 did not begin run 2 within 20 ms");
}

TEST_CASE("a rank that was stopped before the next run is heard of there, and not in this one") {
  two_ranks all;
  CHECK_FALSE(all.second.begin_run([] { return true; }));
  all.second.failed({});  // its run has come to its end
  all.first.enter(1, 0, 0, go_on);
  all.first.leave();
  CHECK(ranks::thrown<stretto::peer_error>([&] { all.first.begin_run(); }) ==
        "rank 1 was stopped before all ranks had begun run 2");
  CHECK(ranks::thrown<stretto::usage_error>([&] {
          all.second.begin_run();
        }).find("no other run can use them") != std::string::npos);
}

TEST_CASE("where ranks play roles, what one that left had done before is not missed") {
  // What the one that leaves has given up, if anything.
  for (const bool gives_up : {false, true}) {
    CAPTURE(gives_up);
    std::barrier both(2);
    ranks::local::each(2, [&](coll::channel& c) {
      const std::vector<std::string_view> names{"first", "second"};
      peers p(c, plan_of(1), coll::ticket_row({{"agree", 0, true}, {"early", 0}, {"late", 1}}),
              ranks::forever);
      p.listen_elsewhere();
      p.play({.own = names[c.rank()],
              .all = names,
              .tickets = 3,
              .meetings = {{}, {1, names, true}, {2, names, true}}});
      p.begin_run();
      p.enter(0, 0, 0, go_on);
      p.leave();
      p.enter(1, 0, 0, go_on);
      p.leave();
      if (c.rank() == 0) {
        if (gives_up) p.take_back(std::vector<pending>{{1, 0}});
        p.failed({});
        both.arrive_and_wait();
        return;
      }
      p.enter(0, 1, 1, go_on);
      p.leave();
      p.enter(2, 0, 1, go_on);
      p.leave();
      both.arrive_and_wait();
      const auto said = [&](const std::vector<pending>& all) {
        return ranks::thrown<stretto::peer_error>([&] { p.watch(all); });
      };
      const std::string left = "rank 0 of role `first` left its run after 0 batches";
      CHECK(said({{1, 0}}) == (gives_up ? left : ""));
      CHECK(said({{2, 0}}) == left);
    });
  }
}

TEST_CASE("collectives that were given up when a run ended do not count in the next") {
  outcome got;
  std::barrier both(2);
  among(2, ranks::forever, [&](peers& p) {
    got.of<std::exception>(p.rank(), [&] {
      p.begin_run();
      p.enter(1, 0, 0, go_on);
      p.leave();
      if (p.rank() == 0) {
        p.enter(0, 0, 1, go_on);
        p.leave();
        p.take_back(std::vector<pending>{{0, 0}});
      }
      both.arrive_and_wait();
      p.failed({});
      run(p, 2);
    });
  });
  for (const std::size_t r : {0U, 1U}) CHECK(got[r].empty());
}

TEST_CASE("a row of tickets tells how many batches there are from what is left out") {
  // By hand: lags 1, 0; two batches: progress 0: place 1; 1: 0, 1; 2: 0 (1 is left out).
  coll::ticket_row row = tickets();
  CHECK(!row.enter(1, 0));
  CHECK(!row.enter(0, 1));
  CHECK(!row.enter(1, 1));
  CHECK(!row.enter(0, 2));  // 1 is not due before it
  CHECK(row.enter(0, 3) == 2);
  row.restart();
  coll::ticket_row ahead({{"early", 0}, {"late", 2}});
  CHECK(!ahead.enter(0, 0));
  CHECK(!ahead.enter(0, 1));
  CHECK(!ahead.enter(0, 2));
  CHECK(!ahead.enter(1, 2));
  CHECK(ahead.enter(1, 3) == 3);  // `early` of batch 3 was left out
}

TEST_CASE("asking whether there is a batch needs none") {
  // Pulling is asked for the batch that there is not, too, and no more after it.
  coll::ticket_row row({{"pull", 0, true}, {"early", 0}, {"late", 1}});
  CHECK(!row.enter(0, 0));
  CHECK(!row.enter(1, 0));
  CHECK(!row.enter(0, 1));
  CHECK(row.enter(2, 1) == 1);  // `early` of batch 1 was left out
  outcome got;
  ranks::local::each(2, [&](coll::channel& c) {
    peers p(c, plan_of(1), row, ranks::forever);
    got.of<std::exception>(p.rank(), [&] {
      p.begin_run();
      if (p.rank() == 0) {
        const std::exception_ptr error = p.finished(0);
        CHECK(error == nullptr);
        return;
      }
      p.enter(0, 0, 0, go_on);
      // The other knows the answer already, and has said that it ended.
      int looks = 0;
      const auto answered = [&] {
        peers::wait wait(p);
        for (;;) wait([&] { return ++looks == 100; });
      };
      CHECK_THROWS_AS(answered(), stretto::wait_stopped);
      p.leave();
      CHECK(p.finished(0) == nullptr);
    });
  });
  CHECK(got[0].empty());
  CHECK(got[1].empty());
}
