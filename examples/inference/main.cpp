// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A miniature inference server: requests arrive at their own pace, the source makes batches of them
// (by size or by deadline), and while one batch is in the model the next is being prepared and the
// answers of the one before are going out. The source has a thread of its own, so that it may wait
// for requests as long as it likes: nobody else waits with it. Prints latencies; checks every
// answer.
#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <mutex>
#include <numeric>
#include <random>
#include <stretto/stretto.hpp>
#include <thread>
#include <vector>

namespace st = stretto;
using clock_type = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr std::size_t side = 32;      // of an image
constexpr std::size_t features = 64;  // 8 x 8 averages
constexpr std::size_t hidden = 512;
constexpr std::size_t classes = 8;

struct request {
  std::size_t id = 0;
  std::array<std::uint8_t, side * side> image{};
  clock_type::time_point arrived{};
};
using input = std::array<float, features>;
using scores = std::array<float, classes>;

// --- the model: two dense layers with made-up weights ------------------------------------------

struct network {
  std::vector<float> first = random_weights(features * hidden);
  std::vector<float> second = random_weights(hidden * classes);

  scores operator()(const input& x) const {
    std::array<float, hidden> h{};
    for (std::size_t i = 0; i < features; ++i)
      for (std::size_t j = 0; j < hidden; ++j) h[j] += x[i] * first[i * hidden + j];
    scores y{};
    for (std::size_t j = 0; j < hidden; ++j)
      for (std::size_t k = 0; k < classes; ++k)
        y[k] += std::max(h[j], 0.0F) * second[j * classes + k];
    return y;
  }

  static std::vector<float> random_weights(std::size_t n) {
    std::minstd_rand random(static_cast<unsigned>(n));
    std::vector<float> w(n);
    for (float& v : w) v = static_cast<float>(random() % 2001) / 1000 - 1;
    return w;
  }
};

// Equalises the histogram, then averages blocks of 8 x 8.
input prepared(const std::array<std::uint8_t, side * side>& image) {
  std::array<int, 256> up_to{};
  for (const std::uint8_t p : image) ++up_to[p];
  std::partial_sum(up_to.begin(), up_to.end(), up_to.begin());
  input x{};
  for (std::size_t i = 0; i < image.size(); ++i)
    x[i / side / 8 * 8 + i % side / 8] += static_cast<float>(up_to[image[i]] - 2048) / 131072;
  return x;
}
std::size_t best(const scores& s) {
  return static_cast<std::size_t>(std::max_element(s.begin(), s.end()) - s.begin());
}

// --- the pipeline -------------------------------------------------------------------------------

struct requests : st::slot<std::vector<request>> {};
struct inputs : st::slot<std::vector<input>> {};
struct outputs : st::slot<std::vector<scores>> {};
struct answered : st::slot<std::size_t> {};

struct preprocess {
  using stream = st::stream<"cpu">;
  static constexpr int lookahead = 1;
  using reads = st::reads<requests>;
  using writes = st::writes<inputs>;
  void operator()(const std::vector<request>& in, std::vector<input>& out) const {
    out.clear();
    for (const request& r : in) out.push_back(prepared(r.image));
  }
};

struct forward {
  using stream = st::stream<"model">;
  using reads = st::reads<inputs>;
  using writes = st::writes<outputs>;
  const network& model;
  void operator()(const std::vector<input>& in, std::vector<scores>& out) const {
    out.clear();
    for (const input& x : in) out.push_back(model(x));
  }
};

struct answer {
  std::size_t label = 0;
  microseconds latency{};
};

struct reply {
  using thread = st::thread<"caller">;
  using reads = st::reads<requests, outputs>;
  using writes = st::writes<answered>;
  std::vector<answer>& answers;
  void operator()(const std::vector<request>& in, const std::vector<scores>& out,
                  std::size_t& count) const {
    const auto now = clock_type::now();
    for (std::size_t i = 0; i < in.size(); ++i)
      answers[in[i].id] = {best(out[i]),
                           std::chrono::duration_cast<microseconds>(now - in[i].arrived)};
    count = in.size();
  }
};

struct serving : st::schedule<st::source<requests, st::thread<"intake">>, st::result<answered>,
                              st::streams<"cpu", "model">, preprocess, forward, reply> {};

// --- requests over time, and how they become batches --------------------------------------------

class request_queue {
 public:
  void push(const request& r) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(r);
    changed_.notify_one();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_one();
  }

  // The next batch: waits for a first request, then until the batch is full or `deadline` after
  // that request came. False once the queue is closed and empty.
  bool next(std::vector<request>& batch, std::size_t full, microseconds deadline) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty() || closed_; });
    if (waiting_.empty()) return false;
    changed_.wait_until(lock, waiting_.front().arrived + deadline,
                        [&] { return waiting_.size() >= full || closed_; });
    batch.clear();
    while (!waiting_.empty() && batch.size() < full) {
      batch.push_back(waiting_.front());
      waiting_.pop_front();
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<request> waiting_;
  bool closed_ = false;
};

request made_up(std::size_t id) {
  std::minstd_rand random(static_cast<unsigned>(id) + 1);
  request r{id, {}, {}};
  for (std::uint8_t& p : r.image) p = static_cast<std::uint8_t>(random() >> 16);
  return r;
}

// Groups of eight requests, `gap` apart on average.
template <class Schedule>
bool serve(const char* title, const std::vector<request>& all, microseconds gap) {
  const network model;
  std::vector<answer> answers(all.size());
  request_queue queue;
  std::thread clients([&] {
    std::minstd_rand random(7);
    auto due = clock_type::now();
    for (request r : all) {
      if (r.id % 8 == 0) std::this_thread::sleep_until(due += random() % 3 * gap);
      r.arrived = clock_type::now();
      queue.push(r);
    }
    queue.close();
  });

  const auto begin = clock_type::now();
  st::pipeline<Schedule> pipeline{forward{model}, reply{answers}};
  std::size_t batches = 0;
  std::size_t replies = 0;
  for (const std::size_t n : pipeline.run(
           [&](std::vector<request>& batch) { return queue.next(batch, 32, microseconds(400)); })) {
    ++batches;
    replies += n;
  }
  const std::chrono::duration<double> took = clock_type::now() - begin;
  clients.join();

  bool right = replies == all.size();
  for (const request& r : all)
    right = right && answers[r.id].label == best(model(prepared(r.image)));
  std::ranges::sort(answers, {}, &answer::latency);
  const auto percentile = [&](std::size_t p) {
    return static_cast<long>(answers[(all.size() - 1) * p / 100].latency.count());
  };
  std::printf("  %-10s %4zu batches, latency p50 %6ld us, p99 %6ld us; %7.0f requests/s, %s\n",
              title, batches, percentile(50), percentile(99),
              static_cast<double>(all.size()) / took.count(), right ? "all right" : "WRONG");
  return right;
}

int main() {
  std::vector<request> all;
  for (std::size_t id = 0; id < 4000; ++id) all.push_back(made_up(id));
  // With time to spare, handing a batch from thread to thread buys nothing. When requests pile up,
  // the pipeline answers more of them.
  std::printf("%zu requests, a trickle\n", all.size());
  bool right = serve<st::serial<serving>>("serial", all, microseconds(400));
  right = serve<serving>("pipelined", all, microseconds(400)) && right;
  std::printf("%zu requests, all at once\n", all.size());
  right = serve<st::serial<serving>>("serial", all, microseconds(0)) && right;
  right = serve<serving>("pipelined", all, microseconds(0)) && right;
  return right ? 0 : 1;
}
