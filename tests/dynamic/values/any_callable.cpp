// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Who owns the object of a body: copies have their own, or share one that cannot be copied.

#include <doctest/doctest.h>
#include <stretto/dynamic/values/any_callable.hpp>
#include <type_traits>
#include <utility>

namespace {

using stretto::dynamic::detail::any_callable;

/// Counts how many of it there are.
struct counted {
  int* there;
  int value = 0;

  explicit counted(int& count) : there(&count) { ++*there; }
  counted(const counted& other) : there(other.there), value(other.value) { ++*there; }
  counted& operator=(const counted&) = delete;
  ~counted() { --*there; }
};

struct unique : counted {
  using counted::counted;
  unique(const unique&) = delete;
  unique& operator=(const unique&) = delete;
  ~unique() = default;
};

int& value_in(const any_callable& c) { return static_cast<counted*>(c.get())->value; }

}  // namespace

TEST_CASE("an empty one has no object") {
  const any_callable none;
  CHECK(none.get() == nullptr);
  const any_callable copy(none);
  CHECK(copy.get() == nullptr);
}

TEST_CASE("copies have an object of their own") {
  int there = 0;
  {
    any_callable one(std::type_identity<counted>(), there);
    value_in(one) = 1;
    const any_callable other(one);
    CHECK(there == 2);
    value_in(one) = 2;
    CHECK(value_in(other) == 1);
  }
  CHECK(there == 0);
}

TEST_CASE("copies share an object that cannot be copied") {
  int there = 0;
  {
    any_callable kept;
    {
      any_callable one(std::type_identity<unique>(), there);
      const any_callable other(one);
      CHECK(one.get() == other.get());
      kept = other;
    }
    CHECK(there == 1);
    value_in(kept) = 3;
    CHECK(value_in(kept) == 3);
  }
  CHECK(there == 0);
}

TEST_CASE("moving and assigning leave one owner") {
  int there = 0;
  {
    any_callable one(std::type_identity<counted>(), there);
    any_callable moved(std::move(one));
    CHECK(one.get() == nullptr);  // NOLINT(bugprone-use-after-move): says what is left
    CHECK(there == 1);
    any_callable second(std::type_identity<counted>(), there);
    second = std::move(moved);
    CHECK(there == 1);
    const any_callable& itself = second;
    second = itself;
    CHECK(there == 1);
    CHECK(second.get() != nullptr);
  }
  CHECK(there == 0);
}
