// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <condition_variable>
#include <coroutine>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <stretto/dynamic.hpp>
#include <stretto/stretto.hpp>
#include <stretto/suspend.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace st = stretto;
namespace dynamic = stretto::dynamic;

/// Stands for what answers some time later, on a thread of its own: an io_uring, an RPC library.
class client {
 public:
  auto get(int id) {
    struct answer {
      client& from;
      int id;
      static constexpr bool await_ready() noexcept { return false; }
      void await_suspend(std::coroutine_handle<> who) { from.ask(who); }
      int await_resume() const noexcept { return 100 * id; }
    };
    return answer{*this, id};
  }

 private:
  void ask(std::coroutine_handle<> who) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(who);
    }
    asked_.notify_one();
  }
  void answer(const std::stop_token& closing) {
    std::unique_lock lock(mutex_);
    while (asked_.wait(lock, closing, [this] { return !waiting_.empty(); })) {
      const auto all = std::exchange(waiting_, {});
      lock.unlock();
      for (const std::coroutine_handle<> who : all) who.resume();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any asked_;
  std::vector<std::coroutine_handle<>> waiting_;
  std::jthread thread_{[this](const std::stop_token& closing) { answer(closing); }};
};

struct id : st::slot<int> {};
struct page : st::slot<int> {};
struct hash : st::slot<int> {};
struct sum : st::slot<int> {};

// [tasks]
struct fetch {
  using thread = st::thread<"work">;
  static constexpr int lookahead = 2;
  st::suspendable operator()(st::in<id> from, st::out<page> to) {
    *to = co_await server.get(*from);  // whatever can be awaited
  }
  client& server;
};
struct mix {  // on the same thread, which does not wait for the page
  using thread = st::thread<"work">;
  static constexpr int lookahead = 2;
  void operator()(st::in<id> from, st::out<hash> to) const { *to = *from % 7; }
};
struct add {
  using thread = st::thread<"caller">;
  void operator()(st::in<page> a, st::in<hash> b, st::out<sum> to) const { *to = *a + *b; }
};
struct job : st::schedule<st::source<id>, st::result<sum>, fetch, mix, add> {};
// [tasks]

int main() {
  std::printf("=== run\n");
  // [run]
  client server;
  st::pipeline<job> pipeline(fetch{server});
  for (const int s : pipeline.run(std::vector{8, 9, 10})) std::printf("%d\n", s);
  // [run]
  std::printf("=== values\n");
  // [values]
  dynamic::schedule pages;
  pages.source.slot = "id";
  pages.results = {"page"};
  pages.tasks = {{.name = "fetch",
                  .reads = {"id"},
                  .writes = {"page"},
                  .body = [&server](const int& from, int& to) -> st::suspendable {
                    to = co_await server.get(from);
                  }}};
  dynamic::pipeline<> fetching(pages);
  for (const dynamic::result& r : fetching.run(std::vector{8, 9}))
    std::printf("%d\n", r.get<int>("page"));
  // [values]
}
