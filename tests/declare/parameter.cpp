// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What calls tell of a body's parameters: nothing here runs.

#include <doctest/doctest.h>
#include <cstdint>
#include <span>
#include <stretto/declare/parameter.hpp>
#include <vector>

namespace {

namespace declare = stretto::declare;
using stretto::pack;
using floats = std::vector<float>;

// Whether what a body writes at its only parameter is lost.
template <class Body>
constexpr bool loses(Body) {
  return declare::detail::call_around<Body, pack<>, pack<>>::template loses_changes<floats>();
}
static_assert(!loses([](floats&) {}));
static_assert(loses([](floats) {}));
static_assert(loses([](const floats&) {}));
static_assert(!loses([](std::span<float>) {}));
static_assert(loses([](std::span<const float>) {}));

// Whether a body takes a number as one that cannot hold it.
template <class Given, class Body>
constexpr bool narrows(Body) {
  return declare::narrows<declare::detail::call_around<Body, pack<>, pack<>>, Given>();
}
static_assert(!narrows<int>([](int) {}));
static_assert(!narrows<int>([](long) {}));
static_assert(!narrows<int>([](double) {}));
static_assert(narrows<int>([](float) {}));
static_assert(narrows<int>([](short) {}));
static_assert(narrows<int>([](unsigned long) {}));
static_assert(narrows<double>([](float) {}));
static_assert(narrows<double>([](long) {}));
static_assert(narrows<int*>([](bool) {}));
static_assert(!narrows<int*>([](const int*) {}));
static_assert(!narrows<int*>([](long) {}));
static_assert(!narrows<floats>([](const floats&) {}));

static_assert(declare::detail::holds_all_of<double, std::int32_t>());
static_assert(!declare::detail::holds_all_of<double, std::int64_t>());
static_assert(declare::detail::holds_all_of<std::int64_t, std::uint32_t>());
static_assert(!declare::detail::holds_all_of<std::uint64_t, std::int8_t>());
static_assert(!declare::detail::holds_all_of<bool, unsigned char>());
static_assert(declare::detail::holds_all_of<int, bool>());
enum small : signed char {};
static_assert(declare::detail::holds_all_of<short, small>());
static_assert(!declare::detail::holds_all_of<unsigned, small>());

// A plain call operator: the slots' own types, behind a context or not.
template <class... Given, class Body>
constexpr bool as_given(Body) {
  return declare::takes_as_given(&Body::operator(), pack<Given...>{});
}
static_assert(as_given<const int&, floats&>([](int, floats&) {}));
static_assert(as_given<const int&>([](const int&) {}));
static_assert(as_given<const int&>([](const char&, int) mutable {}));
static_assert(!as_given<const int&>([](long) {}));
static_assert(!as_given<floats&>([](floats) {}));

// The arguments around a place.
struct between {
  void operator()(const int&, floats&, const char&) {}
};
using given = pack<const int&, floats&, const char&>;
static_assert(declare::call_at<between, 1, given>::type::takes<floats&>());
static_assert(!declare::call_at<between, 1, given>::type::takes<const floats&>());
static_assert(declare::call_at<between, 0, given>::type::takes<int>());
static_assert(!declare::call_at<between, 2, given>::type::takes<floats&>());

}  // namespace

TEST_CASE("what a body's parameters are was asked when this was compiled") { CHECK(true); }
