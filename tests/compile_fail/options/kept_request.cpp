// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A request is awaited by its name
//
// What `co_ask` returns is awaited once, so it is given away.
//
// expect-error: a_request_that_is_kept_is_given_away_to_co_await<int>
// expect-text: what `co_ask` returns is awaited once: await it where it is made, `co_await server.co_ask\(request\)`, or give it away, `co_await std::move\(asked\)`
// expect-at: co_await asked
// expect-lines: 18
#include <coroutine>
#include <exception>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

struct detached {
  struct promise_type {
    static detached get_return_object() { return {}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() {}
    static void unhandled_exception() { std::terminate(); }
  };
};
detached ask(st::server<st::pipeline<training>>& server, int& answer) {
#ifdef FIXED
  answer = co_await server.co_ask(1);
#else
  auto asked = server.co_ask(1);
  answer = co_await asked;
#endif
}
