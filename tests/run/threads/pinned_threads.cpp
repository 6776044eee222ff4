// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Who holds a thread last has it; when all have let it go, it is where it was.

#include <doctest/doctest.h>
#include <stretto/run/threads/pinned_threads.hpp>
#include <thread>

#if defined(__linux__)

namespace {

using stretto::runner::detail::core_set;
using stretto::runner::detail::pinned_threads;

bool same(const core_set& a, const core_set& b) {
  return a.without(b).empty() && b.without(a).empty();
}
bool on(const core_set& cores) { return same(core_set::of_this_thread(), cores); }

}  // namespace

TEST_CASE("several hold a thread, one inside the other and in turns") {
  const core_set before = core_set::of_this_thread();
  const core_set first = before.turn(0);
  const core_set last = before.turn(before.size() - 1);
  const int a = 0, b = 0, unknown = 0;
  CHECK(pinned_threads::home().empty());

  pinned_threads::hold(&a, first);
  CHECK(on(first));
  pinned_threads::hold(&b, last);
  CHECK(on(last));
  CHECK(same(pinned_threads::home(), before));
  CHECK(same(pinned_threads::own_cores(), before));
  pinned_threads::release(&unknown);
  CHECK(on(last));
  pinned_threads::release(&b);
  CHECK(on(first));

  pinned_threads::hold(&b, last);
  pinned_threads::release(&a);  // not the last that came
  CHECK(on(last));
  pinned_threads::release(&b);
  CHECK(on(before));
  CHECK(pinned_threads::home().empty());
}

TEST_CASE("nobody is held on no cores") {
  const core_set before = core_set::of_this_thread();
  const int a = 0;
  pinned_threads::hold(&a, core_set());
  CHECK(pinned_threads::home().empty());
  pinned_threads::release(&a);
  CHECK(on(before));
}

TEST_CASE("a thread is let go by another one") {
  const core_set before = core_set::of_this_thread();
  const int a = 0;
  pinned_threads::hold(&a, before.turn(0));
  std::thread([&] { pinned_threads::release(&a); }).join();
  CHECK(on(before));
}

#endif
