// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Buckets for times, and what is read out of them.

#include <doctest/doctest.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stretto/watch/distribution.hpp>
#include <thread>
#include <vector>
#include "../support/seed.hpp"

namespace st = stretto;
using st::watch::detail::distribution;
using st::watch::detail::histogram;
using std::chrono::nanoseconds;

namespace {

st::activity::times summary_of(const distribution& d) {
  histogram all;
  d.add_to(all);
  return all.summary();
}

}  // namespace

TEST_CASE("buckets follow each other, and the middle of each is in it") {
  static_assert(histogram::bucket_of(0) == 0);
  static_assert(histogram::bucket_of(31) == 31);
  static_assert(histogram::bucket_of(32) == 32);
  static_assert(histogram::bucket_of(33) == 32);
  static_assert(histogram::bucket_of(34) == 33);
  static_assert(histogram::bucket_of(~std::uint64_t{0}) == histogram::buckets - 1);
  for (std::size_t b = 0; b < histogram::buckets; ++b)
    CHECK(histogram::bucket_of(histogram::middle_of(b)) == b);
  std::size_t last = 0;
  for (std::uint64_t n = 0; n < (1U << 16); ++n) {
    const std::size_t b = histogram::bucket_of(n);
    CHECK((b == last || b == last + 1));
    last = b;
  }
}

TEST_CASE("small numbers are exact") {
  distribution d;
  for (const std::uint64_t n : {3U, 1U, 2U, 2U, 30U}) d.add_number(n);
  histogram all;
  d.add_to(all);
  const st::activity::lengths found = all.lengths();
  CHECK(found.count == 5);
  CHECK(found.total == 38);
  CHECK(found.mean() == doctest::Approx(7.6));
  CHECK(found.median == 2);
  CHECK(found.p99 == 30);
  CHECK(found.longest == 30);
  CHECK(st::activity::lengths{}.mean() == 0);
}

TEST_CASE("quantiles are within 1/32, and none is longer than the longest") {
  std::mt19937_64 random(seeds::first(7));
  for (std::size_t round = 0; round < 60; ++round) {
    distribution d;
    std::vector<double> all;
    std::lognormal_distribution<double> times(std::uniform_real_distribution<>(2, 20)(random), 1.5);
    const std::size_t count = round < 20 ? round + 1 : 1 + random() % 3000;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const nanoseconds t(static_cast<nanoseconds::rep>(times(random)));
      d.add(t);
      all.push_back(static_cast<double>(t.count()));
      sum += all.back();
    }
    std::sort(all.begin(), all.end());
    const auto at = [&](double part) {
      return all[static_cast<std::size_t>(std::ceil(part * static_cast<double>(all.size()))) - 1];
    };
    const st::activity::times t = summary_of(d);
    CHECK(t.count == count);
    CHECK(t.total.count() == doctest::Approx(sum * 1e-9));
    CHECK(t.mean().count() == doctest::Approx(sum * 1e-9 / static_cast<double>(count)));
    CHECK(t.longest.count() == doctest::Approx(all.back() * 1e-9));
    CHECK(std::abs(t.median.count() * 1e9 - at(0.5)) <= at(0.5) / 32 + 0.01);
    CHECK(std::abs(t.p99.count() * 1e9 - at(0.99)) <= at(0.99) / 32 + 0.01);
    CHECK(t.p99 <= t.longest);
  }
}

TEST_CASE("nothing, no time, and a clock that went back") {
  distribution d;
  CHECK(summary_of(d).count == 0);
  CHECK(summary_of(d).median.count() == 0);
  CHECK(summary_of(d).mean().count() == 0);
  d.add(nanoseconds(-5));
  d.add(nanoseconds(0));
  CHECK(summary_of(d).count == 2);
  CHECK(summary_of(d).longest.count() == 0);
  d.add(std::chrono::hours(100));
  CHECK(summary_of(d).p99.count() <= 100 * 3600);
  CHECK(summary_of(d).longest.count() == 100 * 3600);
}

TEST_CASE("what others read while it grows only grows") {
  distribution d;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 0; i < 20000; ++i) d.add(nanoseconds(i));
    done = true;
  });
  std::uint64_t count = 0;
  nanoseconds total{};
  while (!done) {
    const st::activity::times t = summary_of(d);
    CHECK(t.count >= count);
    CHECK(d.total() >= total);
    CHECK(t.p99 <= t.longest);
    count = t.count;
    total = d.total();
  }
  writer.join();
  CHECK(summary_of(d).count == 20000);
  CHECK(d.total() == nanoseconds(20000LL * 19999 / 2));
}
