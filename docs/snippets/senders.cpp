// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdio>
#include <exec/static_thread_pool.hpp>
#include <stdexec/execution.hpp>
#include <stretto/senders.hpp>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <utility>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct loaded : st::slot<int> {};
struct total : st::slot<int> {};

struct load {
  using thread = st::thread<"load">;
  static constexpr int lookahead = 2;
  void operator()(st::in<number> in, st::out<loaded> out) const { out = *in; }
};
struct add {
  using thread = st::thread<"caller">;
  void operator()(st::in<loaded> in, st::out<total> out) { out = sum += *in; }
  int sum = 0;
};
struct job : st::schedule<st::source<number>, st::result<total>, load, add> {};

void on_a_scheduler() {
  st::pipeline<job> pipeline;
  // [run]
  exec::static_thread_pool pool(2);
  const std::vector<int> numbers{1, 2, 3};
  auto run = st::run_as_sender(pipeline, numbers, [](int sum) { std::printf("%d\n", sum); });
  auto pulled = stdexec::starts_on(pool.get_scheduler(), std::move(run)) |
                stdexec::then([](const st::run_report& report) { return report.pulled; });
  const auto [batches] = stdexec::sync_wait(std::move(pulled)).value();
  std::printf("%zu batches\n", batches);
  // [run]
}

void with_threads_of_a_scheduler() {
  exec::static_thread_pool pool(2);
  const std::vector<int> numbers{1, 2, 3};
  // [attach]
  st::pipeline<job> pipeline(st::attached_threads{"load"});
  auto loading = stdexec::starts_on(pool.get_scheduler(), st::attach_as_sender(pipeline, "load"));
  auto run = st::run_as_sender(pipeline, numbers);
  stdexec::sync_wait(stdexec::when_all(std::move(loading), std::move(run)));
  // [attach]
}

// [task]
stdexec::task<int> converse(st::server<st::pipeline<job>>& sums) {
  const int first = co_await st::ask_as_sender(sums, 1);
  co_return co_await st::ask_as_sender(sums, 10 * first);  // not on the server's thread
}
// [task]

void in_a_coroutine() {
  st::pipeline<job> pipeline;
  st::server sums(pipeline);
  const auto [answer] = stdexec::sync_wait(converse(sums)).value();
  std::printf("%d\n", answer);
}

int main() {
  on_a_scheduler();
  with_threads_of_a_scheduler();
  in_a_coroutine();
}
