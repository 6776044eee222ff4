// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a task threw for batches that it dropped by that: how many are taken, which are kept, and
// that several threads may note while another one looks.

#include <doctest/doctest.h>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <stretto/run/failure_log.hpp>
#include <thread>
#include <vector>

namespace {

namespace runner = stretto::runner;
constexpr std::size_t any_number = static_cast<std::size_t>(-1);

std::vector<std::size_t> listed(const runner::failure_log& log) {
  std::vector<std::size_t> batches;
  log.each_listed([&](std::size_t batch, const std::exception_ptr& error) {
    CHECK(error != nullptr);
    batches.push_back(batch);
  });
  return batches;
}

}  // namespace

TEST_CASE("the first failures are kept, all are counted, until they are forgotten") {
  runner::failure_log log;
  CHECK(listed(log).empty());
  for (std::size_t b = 0; b < 40; ++b)
    CHECK(log.note(3 * b, std::make_exception_ptr(b), any_number));
  CHECK(log.count() == 40);
  const std::vector<std::size_t> first = listed(log);
  REQUIRE(first.size() == runner::most_failures_listed);
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i] == 3 * i);
  CHECK(log.each_listed([](std::size_t, const std::exception_ptr&) {}) == 40);
  log.forget();
  CHECK(log.count() == 0);
  CHECK(listed(log).empty());
  CHECK(log.note(7, std::make_exception_ptr(7), any_number));
  CHECK(listed(log) == std::vector<std::size_t>{7});
}

TEST_CASE("no more are taken than there may be") {
  runner::failure_log log;
  CHECK_FALSE(log.note(0, std::make_exception_ptr(0), 0));
  CHECK(log.note(1, std::make_exception_ptr(1), 2));
  CHECK(log.note(2, std::make_exception_ptr(2), 2));
  CHECK_FALSE(log.exceeded());
  CHECK_FALSE(log.note(3, std::make_exception_ptr(3), 2));
  CHECK(log.exceeded());
  CHECK(log.count() == 2);
  CHECK(listed(log) == std::vector<std::size_t>{1, 2});
  log.forget();
  CHECK_FALSE(log.exceeded());
}

TEST_CASE("what was thrown is let go when it is forgotten, and if it is beyond what is listed") {
  runner::failure_log log;
  const auto thrown = std::make_shared<int>(1);
  for (std::size_t b = 0; b < 20; ++b)
    CHECK(log.note(b, std::make_exception_ptr(thrown), any_number));
  CHECK(thrown.use_count() == 1 + static_cast<long>(runner::most_failures_listed));
  log.forget();
  CHECK(thrown.use_count() == 1);
}

TEST_CASE("several threads note while another one looks") {
  runner::failure_log log;
  std::atomic<bool> done{false};
  std::atomic<std::size_t> taken{0};
  std::vector<std::thread> noting;
  for (int t = 0; t < 2; ++t)
    noting.emplace_back([&] {
      for (std::size_t b = 0; b < 2000; ++b)
        if (log.note(b, std::make_exception_ptr(b), 2500)) ++taken;
    });
  std::thread looking([&] {
    while (!done) {
      std::size_t seen = 0;
      const std::size_t count =
          log.each_listed([&](std::size_t, const std::exception_ptr& e) { seen += e != nullptr; });
      CHECK(seen == (count < 16 ? count : 16));
      std::this_thread::yield();
    }
  });
  for (std::thread& t : noting) t.join();
  done = true;
  looking.join();
  CHECK(taken == 2500);
  CHECK(log.count() == 2500);
}
