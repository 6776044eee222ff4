// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Fields that say when a task runs, or after what, and that nobody else can see: found whatever
// else the task has. Public ones, and functions of such names, are left alone.

#include <doctest/doctest.h>
#include <stretto/declare/access.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/slot.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <stretto/static/errors/misuse.hpp>
#include <type_traits>

namespace st = stretto;

namespace private_fields_test {

struct number : st::slot<int> {};
struct state : st::resource<> {};
struct first {
  void operator()(st::in<number>) const {}
};

template <class Task>
using found = decltype(st::typed::detail::list_diagnostic<Task>());
template <class Found>
inline constexpr bool is_private = false;
template <class Task, class Member>
inline constexpr bool is_private<st::errors::private_member<Task, Member>> = true;
template <class Task>
inline constexpr bool is_fine = !is_private<found<Task>>;
template <class Task, class Member>
inline constexpr bool hides = std::is_same_v<found<Task>, st::errors::private_member<Task, Member>>;

#define EXPECT_FIELD(NAME, ...)                                               \
  namespace of_##NAME {                                                       \
    class hidden {                                                            \
      __VA_ARGS__;                                                            \
                                                                              \
     public:                                                                  \
      void operator()(st::in<number>) const {}                                \
    };                                                                        \
    class beside_lists {                                                      \
     public:                                                                  \
      using reads = st::reads<number>;                                        \
                                                                              \
     private:                                                                 \
      __VA_ARGS__;                                                            \
    };                                                                        \
    class in_private : hidden {};                                             \
    struct open {                                                             \
      __VA_ARGS__;                                                            \
    };                                                                        \
    struct derived : open {};                                                 \
    struct function {                                                         \
      void NAME() const {}                                                    \
    };                                                                        \
    struct type {                                                             \
      struct NAME {};                                                         \
    };                                                                        \
    struct data {                                                             \
      int NAME = 1;                                                           \
    };                                                                        \
    using member = st::invalid::member::NAME;                                 \
    static_assert(hides<hidden, member> && hides<beside_lists, member>);      \
    static_assert(hides<in_private, member>);                                 \
    static_assert(is_fine<open> && is_fine<derived> && is_fine<function>);    \
    static_assert(is_fine<type> && is_fine<data>);                            \
    struct hiding : st::schedule<st::source<number>, first, hidden> {};       \
    struct beside : st::schedule<st::source<number>, first, beside_lists> {}; \
    static_assert(!st::is_valid<hiding> && !st::is_valid<beside>);            \
  }

EXPECT_FIELD(depends_on, using depends_on = st::depends_on<first>)
EXPECT_FIELD(cross_iter_depends_on, using cross_iter_depends_on = st::cross_iter_depends_on<first>)
EXPECT_FIELD(same_progress_sync, using same_progress_sync = st::same_progress_sync<first>)
EXPECT_FIELD(observes, using observes = st::observes<state>)
EXPECT_FIELD(mutates, using mutates = st::mutates<state>)
EXPECT_FIELD(lookahead, static constexpr int lookahead = 1)
EXPECT_FIELD(every, static constexpr int every = 4)

#undef EXPECT_FIELD

struct counted {
  enum { lookahead = 1, every = 4 };
};
static_assert(is_fine<counted>);

/// Its own affair: it may well be data.
class writing {
  int weight = 0;
  int stream = 0;
  int thread = 0;
  int phase = 0;
  int reads = 0;
  int writes = 0;

 public:
  int sum() const { return weight + stream + thread + phase + reads + writes; }
  void operator()(st::in<number>) const {}
};
static_assert(is_fine<writing>);
struct in_order : st::schedule<st::source<number>, first, writing> {};
static_assert(st::is_valid<in_order>);

}  // namespace private_fields_test

TEST_CASE("private fields of tasks are found by the compiler") {}
