// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <functional>
#include <stretto/declare/may_be_empty.hpp>

namespace {

using stretto::declare::may_be_empty;

struct work : std::function<void(int)> {};
/// That it can be asked for something else.
struct counted {
  void operator()(int) const {}
  explicit operator bool() const { return false; }
};
constexpr auto converts_to_a_pointer = [](int) {};

static_assert(may_be_empty<std::function<void(int)>>);
static_assert(may_be_empty<work>);
static_assert(!may_be_empty<counted>);
static_assert(!may_be_empty<decltype(converts_to_a_pointer)>);

}  // namespace
