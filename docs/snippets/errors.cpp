// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <mutex>
#include <queue>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <stretto/explain.hpp>
#include <stretto/sources.hpp>
#include <stretto/stretto.hpp>
#include <string>

namespace st = stretto;

struct number : st::slot<int> {};
struct checked : st::slot<int> {};
struct total : st::slot<int> {};

struct check {
  using stream = st::stream<"check">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<checked>;
  void operator()(int in, int& out) const {
    if (in == bad) throw std::runtime_error("the record is broken");
    out = in;
  }
  int bad = 3;
};
struct add {
  using stream = st::stream<"add">;
  using reads = st::reads<checked>;
  using writes = st::writes<total>;
  void operator()(int in, int& out) { out = sum += in; }
  int sum = 0;
};
struct job : st::schedule<st::source<number>, st::result<total>, st::streams<"check", "add">,
                          st::threads<st::on_caller>, check, add> {};

/// What others put there.
class numbers {
 public:
  void put(int number) {
    const std::lock_guard lock(mutex_);
    waiting_.push(number);
    came_.notify_one();
  }
  bool take(int& number, const std::stop_token& token) {
    std::unique_lock lock(mutex_);
    if (!came_.wait(lock, token, [this] { return !waiting_.empty(); })) return false;
    number = waiting_.front();
    waiting_.pop();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any came_;
  std::queue<int> waiting_;
};

/// The same with a thread for the source.
struct fed : st::schedule<st::source<number, st::thread<"reader">, st::lookahead<2>>,
                          st::result<total>, st::streams<"check", "add">, check, add> {};

// [racing]
struct cache : st::resource<> {};
struct prefetch {
  using stream = st::stream<"prefetch">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using mutates = st::mutates<cache>;
};
struct train {
  using stream = st::stream<"compute">;
  using depends_on = st::depends_on<prefetch>;
  using mutates = st::mutates<cache>;
};
struct racing
    : st::schedule<st::source<number>, st::streams<"prefetch", "compute">, prefetch, train> {};
// [racing]

void stop_a_source() {
  numbers queue;
  for (int n = 1; n < 4; ++n) queue.put(n);
  st::pipeline<fed> pipeline;
  try {
    // [told]
    const auto from_queue = [&queue](int& slot, std::stop_token token) {
      return queue.take(slot, token);  // wakes up when a stop is requested, and says false
    };
    for (const int t : pipeline.run(from_queue)) std::printf("%d\n", t);
    // [told]
  } catch (const st::task_error& error) {
    std::printf("%s\n", error.what());
  }
}

int main() {
  std::printf("=== task\n");
  // [task]
  st::pipeline<job> pipeline;
  try {
    for (const int t : pipeline.run(std::views::iota(1, 10))) std::printf("%d\n", t);
  } catch (const st::task_error& error) {
    std::printf("%s\n", error.what());
    try {
      error.rethrow_nested();
    } catch (const std::runtime_error& original) {
      std::printf("the original: %s\n", original.what());
    }
  }
  // [task]

  std::printf("=== report\n");
  // [report]
  const st::run_report& report = pipeline.report();
  std::printf("pulled %zu, finished %zu, delivered %zu\n", report.pulled, report.finished,
              report.delivered);
  for (const auto& batch : report.in_flight) {
    std::printf("batch %zu is in flight, ran:", batch.batch);
    for (const std::string& task : batch.ran) std::printf(" %s", task.c_str());
    std::printf("\n");
  }
  // [report]

  std::printf("=== told\n");
  stop_a_source();

  std::printf("=== recover\n");
  // [recover]
  for (const auto& batch : pipeline.report().in_flight)
    if (const int* const in = pipeline.recover<number>(batch.batch))
      std::printf("batch %zu came with %d\n", batch.batch, *in);
  // [recover]

  std::printf("=== reset\n");
  // [reset]
  try {
    auto run = pipeline.run(std::views::iota(4, 7));
  } catch (const st::usage_error& error) {
    std::printf("%s\n", error.what());
  }
  pipeline.reset();
  for (const int t : pipeline.run(std::views::iota(4, 7))) std::printf("%d\n", t);
  // [reset]

  std::printf("=== early\n");
  // [early]
  for (const int t : pipeline.run(std::views::iota(10, 20))) {
    std::printf("%d, and that is enough\n", t);
    break;  // batch 1 is in flight, and abandoned
  }
  std::printf("pulled %zu, finished %zu\n", pipeline.report().pulled, pipeline.report().finished);
  // [early]

  std::printf("=== second\n");
  // [second]
  auto first = pipeline.run(std::views::iota(0, 3));
  try {
    auto second = pipeline.run(std::views::iota(0, 3));
  } catch (const st::usage_error& error) {
    std::printf("%s\n", error.what());
  }
  // [second]

  std::printf("=== witness\n");
  // [witness]
  std::printf("%s", st::witness<racing>().c_str());
  // [witness]
}
