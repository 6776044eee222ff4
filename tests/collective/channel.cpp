// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Letters between ranks: whole, in order, each to its addressee; over memory and over files.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <algorithm>
#include <atomic>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stretto/collective/error.hpp>
#include <stretto/collective/pause.hpp>
#include "ranks.hpp"

namespace coll = stretto::collective;

TEST_CASE_TEMPLATE("every rank gets what every rank gives, gather by gather", Kind, ranks::local,
                   ranks::files) {
  constexpr std::size_t size = 3;
  constexpr std::size_t rounds = 20;
  std::mutex m;
  Kind::each(size, [&](coll::channel& c) {
    for (std::size_t round = 0; round < rounds; ++round) {
      // Long texts of bytes of every kind, so that half a letter would show.
      const auto text = [&](std::size_t r) {
        return std::string(1000 * r, static_cast<char>(round)) + '\0' +
               std::to_string(100 * round + r);
      };
      coll::pause idle;
      const auto all = c.gather(text(c.rank()), [&](const auto&) { idle(); });
      const std::lock_guard lock(m);
      REQUIRE(all.size() == size);
      for (std::size_t r = 0; r < size; ++r) CHECK(all[r] == text(r));
    }
  });
}

TEST_CASE("what comes early waits for its gather, in order") {
  coll::local_ranks all(2);
  coll::local_channel here(all, 0), there(all, 1);
  const auto leave = [](const auto&) { throw 1; };
  for (const char* const text : {"first", "second", "third"})
    CHECK_THROWS_AS(there.gather(text, leave), int);
  for (const char* const text : {"first", "second", "third"})
    CHECK(here.gather("mine", leave) == std::vector<coll::message>{"mine", text});
}

TEST_CASE_TEMPLATE("a gather waits for all, and says who is missing", Kind, ranks::local,
                   ranks::files) {
  std::mutex m;
  std::atomic<bool> late_may_come{false};
  Kind::each(3, [&](coll::channel& c) {
    coll::pause idle;
    if (c.rank() == 2)
      while (!late_may_come) idle();
    std::vector<std::size_t> last_missing;
    c.gather("here", [&](const std::vector<std::size_t>& missing) {
      last_missing = missing;
      if (c.rank() == 0 && missing == std::vector<std::size_t>{2}) late_may_come = true;
      idle();
    });
    const std::lock_guard lock(m);
    if (c.rank() == 0) CHECK(last_missing == std::vector<std::size_t>{2});
  });
}

TEST_CASE_TEMPLATE("notices arrive whole and in order, and do not get among what is gathered", Kind,
                   ranks::local, ranks::files) {
  std::mutex m;
  Kind::each(3, [&](coll::channel& c) {
    for (std::size_t i = 0; i < 5; ++i) {
      coll::notice n;
      n.what = coll::news::continued;
      n.run = 7;
      n.task = "task " + std::to_string(c.rank());
      n.batch = i;
      n.text = std::string(3, '\0');
      n.ended = 2;
      n.batches = 11;
      n.submitted = 13;
      c.notify(n);
    }
    coll::pause idle;
    const auto all = c.gather(std::to_string(c.rank()), [&](const auto&) { idle(); });
    std::vector<std::size_t> next(3);
    for (std::size_t left = 10; left > 0; idle()) {
      const auto n = c.look();
      if (!n) continue;
      --left;
      const std::lock_guard lock(m);
      CHECK(n->rank != c.rank());
      CHECK(n->batch == next[n->rank]++);
      CHECK(n->what == coll::news::continued);
      CHECK(n->run == 7);
      CHECK(n->task == "task " + std::to_string(n->rank));
      CHECK(n->text.size() == 3);
      CHECK(n->ended == 2);
      CHECK(n->batches == 11);
      CHECK(n->submitted == 13);
    }
    const std::lock_guard lock(m);
    CHECK(all == std::vector<coll::message>{"0", "1", "2"});
    CHECK(!c.look());
  });
}

TEST_CASE("what an earlier job left in the folder does no harm") {
  const ranks::folder at;
  // A job that ended in the middle of everything, several times over.
  for (int job = 0; job < 3; ++job) {
    ranks::each(2, [&](std::size_t r) {
      coll::file_channel c(at.path(), r, 2, ranks::forever);
      c.notify({});
      if (r == 0) CHECK_THROWS_AS(c.gather("old", [](const auto&) { throw 1; }), int);
    });
    std::ofstream(at.path() / "asks.1") << "0123";
    std::ofstream(at.path() / "answer.1") << "0123 4567";
    std::ofstream(at.path() / "asks.1.half.1") << "01";
  }
  std::mutex m;
  ranks::each(2, [&](std::size_t r) {
    coll::file_channel c(at.path(), r, 2, ranks::forever);
    const auto notice = c.look();
    coll::pause idle;
    const auto all = c.gather("new", [&](const auto&) { idle(); });
    const std::lock_guard lock(m);
    CHECK(!notice);
    CHECK(all == std::vector<coll::message>{"new", "new"});
  });
}

TEST_CASE("a rank that asks while rank 0 reads what an earlier job asked is answered, too") {
  const ranks::folder at;
  const auto request = at.path() / "asks.1";
  // A pipe is a file whose reader is known to be in the middle of it.
  REQUIRE(mkfifo(request.c_str(), 0600) == 0);
  const int earlier = open(request.c_str(), O_RDWR);
  REQUIRE(earlier >= 0);
  REQUIRE(write(earlier, "0123", 4) == 4);
  ranks::each(3, [&](std::size_t r) {
    const auto wait_until = [](const auto& so) {
      for (coll::pause idle; !so();) idle();
    };
    const auto read = [&] {
      int left = 1;
      return ioctl(earlier, FIONREAD, &left) == 0 && left == 0;
    };
    if (r == 1) wait_until(read);
    if (r < 2) {
      const coll::file_channel c(at.path(), r, 2, ranks::forever);
      return;
    }
    wait_until([&] { return std::filesystem::is_regular_file(request); });
    close(earlier);
  });
}

TEST_CASE("ranks that do not come to the folder are named") {
  const ranks::folder at;
  const std::chrono::milliseconds soon(40);
  CHECK(ranks::thrown<stretto::missing_rank_error>([&] {
          coll::file_channel(at.path(), 0, 3, soon);
        }) == "ranks 1 and 2 did not come to the folder of the ranks within 40 ms");
  CHECK(ranks::thrown<stretto::missing_rank_error>([&] {
          coll::file_channel(at.path(), 1, 3, soon);
        }) == "rank 0 did not come to the folder of the ranks within 40 ms");
}

TEST_CASE("an answer to what an earlier job asked is none") {
  const ranks::folder at;
  std::ofstream(at.path() / "answer.1") << "0123 4567";
  std::ofstream(at.path() / "4567.welcome.1").flush();
  CHECK_THROWS_AS(coll::file_channel(at.path(), 1, 2, std::chrono::milliseconds(40)),
                  stretto::missing_rank_error);
}

TEST_CASE("a job leaves nothing in the folder, and who is gone gets no messages") {
  const ranks::folder at;
  std::atomic<int> left{0};
  ranks::each(3, [&](std::size_t r) {
    {
      coll::file_channel c(at.path(), r, 3, ranks::forever);
      if (r == 0) {
        for (coll::pause idle; left < 2;) idle();
        c.notify({});
      }
    }
    ++left;
  });
  CHECK(std::filesystem::is_empty(at.path()));
}

TEST_CASE("no rank's many messages keep another's waiting") {
  ranks::files::each(3, [](coll::channel& c) {
    coll::pause idle;
    if (c.rank() > 0) {
      for (int n = 0; n < 3; ++n) c.notify({});
      c.gather("", [&](const auto&) { idle(); });
      return;
    }
    c.gather("", [&](const auto&) { idle(); });
    std::string senders;
    for (int n = 0; n < 6; ++n) senders += std::to_string(c.look()->rank);
    const bool in_turn = senders == "121212" || senders == "212121";  // whoever comes first
    CHECK_MESSAGE(in_turn, senders);
  });
}

TEST_CASE("a look for messages is no dearer among 64 ranks than among two") {
  const auto microseconds = [](std::size_t size) {
    double least = 1e9;
    std::atomic<bool> measured{false};
    ranks::files::each(size, [&](coll::channel& c) {
      coll::pause idle;
      if (c.rank() == 0) {
        const auto now = [] {
          timespec at{};
          clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
          return 1e6 * static_cast<double>(at.tv_sec) + 1e-3 * static_cast<double>(at.tv_nsec);
        };
        for (int repeat = 0; repeat < 10; ++repeat) {
          const double before = now();
          for (int look = 0; look < 50; ++look) CHECK(!c.look());
          least = std::min(least, (now() - before) / 50);
        }
        measured = true;
      }
      while (!measured) idle();
    });
    return least;
  };
  const double few = microseconds(2);
  const double many = microseconds(64);
  CAPTURE(few);
  CAPTURE(many);
  CHECK(many < 4 * few);
}

TEST_CASE("a message that is too short is an error, not a read past its end") {
  CHECK_THROWS_AS(coll::unpacked_notice(1, "short"), std::runtime_error);
  coll::message text = coll::packed(coll::notice{});
  text.pop_back();
  CHECK_THROWS_AS(coll::unpacked_notice(1, text), std::runtime_error);
}
