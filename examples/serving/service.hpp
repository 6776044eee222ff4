// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A service that ranks candidates for users: what its stages do, its inbox, and clients that
// measure it. Nothing here knows a library for pipelines.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace service {

using clock = std::chrono::steady_clock;
using microseconds = std::chrono::duration<double, std::micro>;

// --- requests -----------------------------------------------------------------------------------

struct request {
  std::string text;  // `user 17 candidates 4 8 15 16 23 42`
  std::function<void(const std::string&)> reply;
};

/// Where requests wait. Full, it makes clients wait, too.
class inbox {
 public:
  void put(request r) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return waiting_.size() < most; });
    waiting_.push_back(std::move(r));
    filled_.notify_one();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    filled_.notify_all();
  }
  /// The next one, once it is there; false: there will be no more.
  bool take(request& r) {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !waiting_.empty() || closed_; });
    if (waiting_.empty()) return false;
    r = std::move(waiting_.front());
    waiting_.pop_front();
    room_.notify_one();
    return true;
  }

 private:
  static constexpr std::size_t most = 64;
  std::mutex mutex_;
  std::condition_variable filled_;
  std::condition_variable room_;
  std::deque<request> waiting_;
  bool closed_ = false;
};

// --- decode -------------------------------------------------------------------------------------

constexpr std::size_t candidates = 512;

struct query {
  std::uint32_t user = 0;
  std::array<std::uint32_t, candidates> items{};
};

void decode(const request& in, query& out);

// --- look up ------------------------------------------------------------------------------------

constexpr std::size_t width = 32;
constexpr std::size_t items = 400'000;
constexpr std::size_t users = 10'000;
using row = std::array<float, width>;

std::vector<row> made_up(std::size_t rows, unsigned seed);

struct features {
  row user{};
  std::array<row, candidates> candidate{};
  std::array<std::uint32_t, candidates> item{};
};

/// What a user is offered depends on what they have been offered before.
class feature_store {
 public:
  void operator()(const query& in, features& out);

 private:
  std::vector<row> users_ = made_up(users, 1);
  std::vector<row> items_ = made_up(items, 2);
};

// --- rank ---------------------------------------------------------------------------------------

struct ranking {
  std::array<std::pair<float, std::uint32_t>, candidates> best{};
};

/// A few dense layers.
class model {
 public:
  void operator()(const features& in, ranking& out) const;

 private:
  std::vector<row> user_ = made_up(width, 3);
  std::vector<row> item_ = made_up(width, 4);
  std::vector<std::vector<row>> layers_ = std::vector(4, made_up(width, 5));
};

// --- reply --------------------------------------------------------------------------------------

void reply(const request& to, const ranking& with);

// --- clients ------------------------------------------------------------------------------------

/// Sends requests, the same each time, and keeps what comes back, and when.
class clients {
 public:
  explicit clients(std::size_t requests) {
    std::minstd_rand random(6);
    const auto any = [&](std::size_t of) { return std::to_string(random() % of); };
    for (std::size_t n = 0; n < requests; ++n) {
      std::string text = "user " + any(users) + " candidates";
      for (std::size_t c = 0; c < candidates; ++c) text += ' ' + any(items);
      sent_.push_back({std::move(text), {}, {}, false});
    }
  }

  /// The next one as soon as the one before is answered. False if one is not.
  bool one_by_one(inbox& to) {
    for (sent& s : sent_) {
      put(to, s);
      std::unique_lock lock(mutex_);
      if (!answered_.wait_for(lock, std::chrono::seconds(20), [&] { return s.answered; })) {
        std::fprintf(stderr, "a lone request has no answer\n");
        return false;
      }
    }
    return true;
  }
  /// As fast as they are taken.
  void at_once(inbox& to) {
    for (sent& s : sent_) put(to, s);
  }
  /// At random, this many per second in the mean.
  void at_rate(inbox& to, double per_second) {
    std::minstd_rand random(7);
    clock::time_point due = clock::now();
    for (sent& s : sent_) {
      const double share = static_cast<double>(random()) / std::minstd_rand::max();
      due += std::chrono::duration_cast<clock::duration>(
          std::chrono::duration<double>(-std::log(share) / per_second));
      std::this_thread::sleep_until(due);
      put(to, s);
    }
  }

  /// Once the service has ended.
  double latency(double quantile) const {
    std::vector<double> all;
    all.reserve(sent_.size());
    for (const sent& s : sent_) all.push_back(s.latency.count());
    const auto at = static_cast<std::ptrdiff_t>(quantile * static_cast<double>(all.size() - 1));
    std::nth_element(all.begin(), all.begin() + at, all.end());
    return all[static_cast<std::size_t>(at)];
  }
  std::uint32_t checksum() const {
    std::uint32_t sum = 2166136261U;  // FNV-1a
    for (const sent& s : sent_)
      for (const char c : s.answered ? s.text : "?")
        sum = (sum ^ static_cast<unsigned char>(c)) * 16777619U;
    return sum;
  }

 private:
  struct sent {
    std::string text;  // the request, later the answer
    clock::time_point at;
    microseconds latency;
    bool answered;
  };

  void put(inbox& to, sent& s) {
    request r{s.text, [this, &s](const std::string& answer) {
                const clock::time_point now = clock::now();
                const std::lock_guard lock(mutex_);
                s.latency = now - s.at;
                s.text = answer;
                s.answered = true;
                answered_.notify_one();
              }};
    s.at = clock::now();
    to.put(std::move(r));
  }

  std::mutex mutex_;
  std::condition_variable answered_;
  std::vector<sent> sent_;
};

/// `program [requests [per second]...]`: has \p serve answer an inbox until it is closed, with
/// clients that send one by one, as many as they can at once, and at these rates.
template <class Serve>
int program(int argc, char** argv, Serve serve) try {
  const std::size_t many = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2000;
  feature_store store;
  bool good = true;
  const auto run = [&](const char* how, std::size_t requests, auto send) {
    clients c(requests);
    inbox in;
    const clock::time_point begin = clock::now();
    std::thread sender([&] {
      send(c, in);
      in.close();
    });
    serve(in, store);
    const std::chrono::duration<double> took = clock::now() - begin;
    sender.join();
    const double per_second = static_cast<double>(requests) / took.count();
    std::printf("%s: %.0f requests/s, p50 %.0f us, p99 %.0f us, checksum %08x\n", how, per_second,
                c.latency(0.5), c.latency(0.99), c.checksum());
    return per_second;
  };
  run("one by one", 200, [&](clients& c, inbox& in) { good = c.one_by_one(in); });
  const double capacity = run("at once", many, [](clients& c, inbox& in) { c.at_once(in); });
  std::vector<double> rates{0.3 * capacity, 0.7 * capacity};
  if (argc > 2) rates.clear();
  for (int i = 2; i < argc; ++i) rates.push_back(std::strtod(argv[i], nullptr));
  for (const double rate : rates)
    run("at random", many, [&](clients& c, inbox& in) { c.at_rate(in, rate); });
  return good ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace service
