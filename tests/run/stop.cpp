// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A source that a token stops: nothing more is taken, and it is known why it ended.

#include <doctest/doctest.h>
#include <stretto/run/stop.hpp>
#include <type_traits>
#include <utility>

namespace {

namespace runner = stretto::runner;

struct flag {
  bool up = false;
  bool stop_requested() const { return up; }
};

struct counting {
  int taken = 0;
  int most = 100;
  bool operator()(int& slot) {
    slot = taken;
    return taken++ < most;
  }
};

}  // namespace

TEST_CASE("once a stop is requested the source is not asked again") {
  counting source;
  flag token;
  runner::detail::stoppable_puller<counting&, int, flag&> pull(source, token);
  int slot = 0;
  CHECK(pull(slot));
  CHECK(pull(slot));
  CHECK_FALSE(pull.drained());
  CHECK_FALSE(pull.stop_requested());
  token.up = true;
  CHECK_FALSE(pull(slot));
  CHECK(source.taken == 2);
  CHECK(pull.drained());
}

TEST_CASE("a source that ends by itself was not drained, one that looks at the token was") {
  counting source{0, 1};
  flag token;
  runner::detail::stoppable_puller<counting&, int, flag&> pull(source, token);
  int slot = 0;
  CHECK(pull(slot));
  CHECK_FALSE(pull(slot));
  CHECK_FALSE(pull.drained());

  const auto looks = [&](int&) { return !(token.up = true); };
  runner::detail::stoppable_puller<const decltype(looks)&, int, flag&> other(looks, token);
  CHECK_FALSE(other(slot));
  CHECK(other.drained());
}

TEST_CASE("a stop that is found before there is a batch to pull for is one") {
  counting source;
  flag token{true};
  runner::detail::stoppable_puller<counting&, int, flag&> pull(source, token);
  CHECK(pull.stop_requested());
  CHECK(pull.drained());
  CHECK(source.taken == 0);
}

TEST_CASE("a token that cancels is left to the threads: the source goes on") {
  counting source;
  flag token{true};
  using puller = runner::detail::stoppable_puller<counting&, int, runner::cancelling<flag&>>;
  puller pull(source, stretto::cancel_on(token));
  int slot = 0;
  CHECK(pull(slot));
  CHECK(pull.stop_requested());
  CHECK_FALSE(puller::drained());
  CHECK(&pull.token() == &token);
  static_assert(puller::abandons);
  static_assert(!runner::detail::stoppable_puller<counting&, int, flag&>::abandons);
}

TEST_CASE("an lvalue token is referred to, an rvalue kept") {
  flag token;
  static_assert(std::is_same_v<decltype(stretto::cancel_on(token)), runner::cancelling<flag&>>);
  static_assert(std::is_same_v<decltype(stretto::cancel_on(flag{})), runner::cancelling<flag>>);
  static_assert(stretto::stoppable_token<const flag&>);
  static_assert(!stretto::stoppable_token<int>);
}
