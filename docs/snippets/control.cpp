// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <coroutine>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <stretto/position.hpp>
#include <stretto/push.hpp>
#include <stretto/serve.hpp>
#include <stretto/sources.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct loaded : st::slot<int> {};
struct total : st::slot<int> {};

struct load {
  using stream = st::stream<"load">;
  static constexpr int lookahead = 2;
  using reads = st::reads<number>;
  using writes = st::writes<loaded>;
  void operator()(int in, int& out) const { out = in; }
};
struct add {
  using stream = st::stream<"add">;
  using reads = st::reads<loaded>;
  using writes = st::writes<total>;
  void operator()(int in, int& out) { out = sum += in; }
  int sum = 0;
};
struct job : st::schedule<st::source<number>, st::result<total>, st::streams<"load", "add">,
                          st::threads<st::on_caller>, load, add> {};

// [queue]
/// What other threads put in comes out, until a stop is requested.
class queue {
 public:
  void put(int value) {
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(value);
    }
    filled_.notify_one();
  }
  std::optional<int> take(const std::stop_token& token) {
    std::unique_lock lock(mutex_);
    if (!filled_.wait(lock, token, [this] { return !values_.empty(); })) return std::nullopt;
    return first();
  }
  std::optional<int> take_if_there() {
    const std::lock_guard lock(mutex_);
    if (values_.empty()) return std::nullopt;
    return first();
  }

 private:
  int first() {
    const int value = values_.front();
    values_.pop_front();
    return value;
  }

  std::mutex mutex_;
  std::condition_variable_any filled_;
  std::deque<int> values_;
};
// [queue]

void answer_questions(st::pipeline<job>& pipeline) {
  // [nothing_yet]
  queue questions;
  std::stop_source leaving;
  const auto asked = [&, token = leaving.get_token()](int& slot, bool may_wait) {
    const auto value = may_wait ? questions.take(token) : questions.take_if_there();
    if (!value) return may_wait ? st::pulled::end : st::pulled::nothing_yet;
    slot = *value;
    return st::pulled::batch;
  };
  for (const int value : {1, 2, 3}) questions.put(value);
  std::size_t answers = 0;
  for (const int t : pipeline.run(asked)) {
    std::printf("%d\n", t);
    if (++answers == 3) questions.put(4);  // not before all three are answered
    if (answers == 4) leaving.request_stop();
  }
  // [nothing_yet]
}

void serve(st::pipeline<job>& pipeline, const std::stop_token& token) {
  // [server]
  st::server sums(pipeline);
  const std::stop_callback on_stop(token, [&] { sums.cancel(); });

  std::future<int> first = sums.ask(1);  // from this thread or any other
  std::future<int> second = sums.ask(2);
  sums.ask(3, [](const auto& answer) { std::printf("third: %d\n", answer.get()); });
  sums.close();  // takes no more
  sums.join();   // all are answered
  std::printf("first: %d, second: %d\n", first.get(), second.get());
  // [server]
}

/// A coroutine that begins at once and is gone when it has come to its end.
struct detached {
  struct promise_type {
    static detached get_return_object() { return {}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() {}
    static void unhandled_exception() { std::terminate(); }
  };
};

// [co_ask]
detached converse(st::server<st::pipeline<job>>& sums) {  // a coroutine of any type
  const int first = co_await sums.co_ask(1);
  const int second = co_await sums.co_ask(10 * first);  // on the server's thread by now
  std::printf("first: %d, second: %d\n", first, second);
  sums.close();
  try {
    co_await sums.co_ask(3);
  } catch (const st::unanswered& e) {
    std::printf("%s\n", e.what());
  }
}
// [co_ask]

void await_answers(st::pipeline<job>& pipeline) {
  st::server sums(pipeline);
  converse(sums);
  sums.join();
}

// [batching_slots]
struct questions : st::slot<std::vector<int>> {};
struct squares : st::slot<std::vector<long>> {};

struct square {  // all of a batch at once, as a model does
  void operator()(st::in<questions> in, st::out<squares> out) const {
    std::printf("a batch of %zu\n", in->size());
    out->clear();  // it has the answers of an earlier batch
    for (const long n : *in) out->push_back(n * n);
  }
};
struct model : st::schedule<st::source<questions>, st::result<squares>, square> {};
// [batching_slots]

void gather() {
  // [batching]
  st::pipeline<model> pipeline;
  st::server server(pipeline, st::batching{.most = 3, .wait = std::chrono::minutes(1)});
  std::vector<std::future<long>> answers;
  for (int n = 0; n < 4; ++n) answers.push_back(server.ask(n));
  server.close();  // the fourth does not wait for more
  server.join();
  for (std::future<long>& answer : answers) std::printf("%ld\n", answer.get());
  // [batching]
}

// [fallible_slots]
struct roots : st::slot<std::vector<st::fallible<double>>> {};

struct root {
  void operator()(st::in<questions> in, st::out<roots> out) const {
    out->clear();
    for (const int n : *in) {
      if (n < 0)
        out->push_back(st::failed(std::domain_error("no root of " + std::to_string(n))));
      else
        out->push_back(std::sqrt(n));
    }
  }
};
struct rooting : st::schedule<st::source<questions>, st::result<roots>, root> {};
// [fallible_slots]

void fail_one() {
  st::pipeline<rooting> pipeline;
  // [fallible]
  st::server server(pipeline, st::batching{.most = 2, .wait = std::chrono::minutes(1)});
  std::future<double> good = server.ask(9);
  std::future<double> bad = server.ask(-9);  // in the same batch
  std::printf("%g\n", good.get());
  try {
    bad.get();
  } catch (const std::domain_error& e) {
    std::printf("%s\n", e.what());
  }
  // [fallible]
}

// [several_slots]
struct sample {
  int value;
  float weight;
};
struct samples : st::slot<sample> {};
struct weighed : st::slot<float> {};
// [several_slots]
struct weigh {
  void operator()(st::in<samples> in, st::out<weighed> out) const {
    out = static_cast<float>(in->value) * in->weight;
  }
};
struct weighing : st::schedule<st::source<samples>, st::result<weighed>, weigh> {};

void take_from_several() {
  st::pipeline<weighing> pipeline;
  // [several]
  const std::vector<int> recorded{1, 2, 3};
  const std::vector<int> played{10};
  auto weights = [w = 0.F]() mutable { return std::optional(w += 0.5F); };
  for (const float w : pipeline.run(st::zip(st::merge(recorded, played), weights)))
    std::printf("%.1f\n", w);
  // [several]
}

// [onwards_tasks]
struct reading : st::slot<int> {};
struct average : st::slot<double> {};

struct smooth {
  void operator()(st::in<reading> in, st::previous<average> before, st::out<average> out) const {
    out = before ? (*before + *in) / 2 : *in;
  }
};
struct smoothing : st::schedule<st::source<reading>, st::result<average>, smooth> {};
// [onwards_tasks]

void go_on() {
  // [onwards]
  st::pipeline<smoothing> pipeline;
  for (const auto& part : {std::vector{8, 4}, std::vector{2, 6, 4}}) {
    auto run = pipeline.run(part, st::onwards);
    while (run.next()) std::printf("batch %zu: %.2f\n", run.batch(), run.result());
    const st::run_report& of_part = pipeline.report();
    std::printf("%zu batches from %zu on\n", of_part.pulled, of_part.first);
  }
  // [onwards]

  std::printf("=== position\n");
  // [position]
  const st::position where = pipeline.position();
  for (const st::kept_value& v : where.values())
    std::printf("before batch %zu: slot %s of batch %zu is %.2f\n", where.batch(),
                std::string(v.slot()).c_str(), v.batch(), *v.get<double>());

  st::pipeline<st::serial<smoothing>> other;  // the same tasks, planned otherwise
  for (const double a : other.run(std::vector{0, 0}, st::from(where))) std::printf("%.2f\n", a);
  // [position]

  std::printf("=== seed\n");
  // [seed]
  st::position saved(100);  // read from a file
  saved.seed<average>(99, 16.0);
  st::pipeline<smoothing> resumed;
  auto run = resumed.run(std::vector{8}, st::from(saved));
  while (run.next()) std::printf("batch %zu: %.2f\n", run.batch(), run.result());
  // [seed]

  std::printf("=== unseeded\n");
  // [unseeded]
  try {
    static_cast<void>(resumed.run(std::vector{8}, st::from(st::position(100))));
  } catch (const st::usage_error& e) {
    std::printf("%s\n", e.what());
  }
  // [unseeded]

  std::printf("=== half_processed\n");
  // [half_processed]
  st::position begun(0);
  begun.seed<average>(0, 8.0).seed_unread<reading>(0);
  begun.seed<average>(1, 6.0).seed_unread<reading>(1);
  auto rest = resumed.run(std::vector{2, 6}, st::from(begun));  // the source begins with batch 2
  while (rest.next()) std::printf("batch %zu: %.2f\n", rest.batch(), rest.result());
  // [half_processed]
}

volatile std::sig_atomic_t signal_came = 0;

int main() {
  st::pipeline<job> pipeline;

  std::printf("=== drain\n");
  // [drain]
  std::stop_source stop;
  for (const int t : pipeline.run(std::views::iota(1, 1000), stop.get_token())) {
    std::printf("%d\n", t);
    if (t == 3) stop.request_stop();  // from this thread or any other
  }
  const st::run_report& report = pipeline.report();
  if (report.end == st::run_end::drained)
    std::printf("drained: pulled %zu, finished %zu\n", report.pulled, report.finished);
  // [drain]

  std::printf("=== abandon\n");
  // [abandon]
  std::stop_source now;
  for (const int t : pipeline.run(std::views::iota(1, 1000), st::cancel_on(now.get_token()))) {
    std::printf("%d\n", t);
    now.request_stop();
  }
  if (report.end == st::run_end::cancelled)
    std::printf("abandoned: pulled %zu, finished %zu, in flight %zu\n", report.pulled,
                report.finished, report.in_flight.size());
  // [abandon]

  std::printf("=== blocking\n");
  // [blocking]
  queue requests;
  std::stop_source closing;
  std::thread others([&] {
    for (const int value : {10, 20, 30}) requests.put(value);
    closing.request_stop();
  });
  const auto token = closing.get_token();
  const auto next = [&] { return requests.take(token); };  // the source watches the token, too
  for (const int t : pipeline.run(next, token)) static_cast<void>(t);
  others.join();
  if (report.end == st::run_end::drained) std::printf("closed\n");
  // [blocking]

  std::printf("=== own\n");
  // [own]
  struct interrupted {
    bool stop_requested() const { return signal_came != 0; }  // set by a signal handler
  };
  std::size_t results = 0;
  for (const int t : pipeline.run(std::views::iota(1, 10), interrupted())) results += t != 0;
  // [own]
  std::printf("%zu\n", results);

  std::printf("=== nothing_yet\n");
  st::pipeline<job> fresh;
  answer_questions(fresh);

  std::printf("=== several\n");
  take_from_several();

  std::printf("=== onwards\n");
  go_on();

  std::printf("=== push\n");
  // [push]
  st::push_run steps(pipeline);
  for (const int value : {1, 2, 3, 4}) {
    if (steps.push(value)) {
      std::printf("pushed %d, batch %zu falls out\n", value, steps.batch());
    } else {
      std::printf("pushed %d\n", value);
    }
  }
  while (steps.flush()) std::printf("batch %zu, flushed\n", steps.batch());
  // [push]

  std::printf("=== server\n");
  st::pipeline<job> serving;
  serve(serving, std::stop_token());

  std::printf("=== co_ask\n");
  st::pipeline<job> conversing;
  await_answers(conversing);

  std::printf("=== batching\n");
  gather();

  std::printf("=== fallible\n");
  fail_one();
}
