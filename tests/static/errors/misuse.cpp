// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each field of a task in a wrong form: found where it was meant for Stretto, left alone where it
// is data of the task's own.

#include <doctest/doctest.h>
#include <functional>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace st = stretto;
namespace e = stretto::errors;
namespace m = stretto::invalid::member;

namespace misuse_test {

struct given : st::slot<int> {};
struct made : st::slot<int> {};
struct first {
  void operator()(st::in<given>) const {}
};

template <class Task>
struct job : st::schedule<st::source<given>, st::result<made>, first, Task> {};
template <class Task>
using found = decltype(st::typed::shape_diagnostic<job<Task>>());

// Found also in a base class, and in a class of which none can be made.
#define EXPECT(NAME, ERROR, ...)                                              \
  namespace NAME {                                                            \
  struct task {                                                               \
    __VA_ARGS__;                                                              \
    void operator()(st::in<given> in, st::out<made> out) const { out = *in; } \
  };                                                                          \
  struct derived : task {};                                                   \
  struct last final {                                                         \
    __VA_ARGS__;                                                              \
    void operator()(st::in<given> in, st::out<made> out) const { out = *in; } \
  };                                                                          \
  template <class T>                                                          \
  using list = e::list_as_value<T, m::depends_on>;                            \
  template <class T>                                                          \
  using fine = e::no_error;                                                   \
  static_assert(std::is_same_v<found<task>, ERROR<task>>);                    \
  static_assert(std::is_same_v<found<derived>, ERROR<derived>>);              \
  static_assert(std::is_same_v<found<last>, ERROR<last>>);                    \
  }

enum class letter { a };

EXPECT(role_literal, e::odd_role, static constexpr const char* role = "r")
EXPECT(role_array, e::odd_role, static constexpr char role[] = "r")
EXPECT(role_view, e::odd_role, static constexpr std::string_view role = "r")
EXPECT(role_string, e::odd_role, inline static const std::string role = "r")
EXPECT(role_fixed, e::odd_role, static constexpr st::fixed_string<2> role = "r")
EXPECT(role_number, e::odd_role, static constexpr int role = 1)
EXPECT(role_letter, e::odd_role, static constexpr letter role = letter::a)
EXPECT(role_enumerator, e::odd_role, enum {role})
EXPECT(role_object, e::odd_role, static constexpr st::role<"r"> role{})
EXPECT(role_member, e::odd_role, st::role<"r"> role)
EXPECT(role_reference, e::odd_role, static constexpr const char* const& role = "r")
EXPECT(stream_number, e::odd_stream, static constexpr int stream = 1)
EXPECT(stream_literal, e::odd_stream, static constexpr const char* stream = "s")
EXPECT(stream_object, e::odd_stream, static constexpr st::stream<"s"> stream{})
EXPECT(stream_member, e::odd_stream, st::stream<"s"> stream)
EXPECT(thread_number, e::odd_thread, static constexpr int thread = 1)
EXPECT(thread_literal, e::odd_thread, static constexpr const char* thread = "t")
EXPECT(thread_object, e::odd_thread, static constexpr st::thread<"t"> thread{})
EXPECT(communicator_literal, e::odd_communicator, static constexpr auto communicator = "c")
EXPECT(communicator_number, e::odd_communicator, static constexpr int communicator = 0)
EXPECT(communicator_type, e::odd_communicator, using communicator = int)
EXPECT(depends_on_literal, list, static constexpr const char* depends_on = "first")
EXPECT(depends_on_number, list, static constexpr int depends_on = 1)
EXPECT(depends_on_object, list, static constexpr st::depends_on<first> depends_on{})
EXPECT(depends_on_member, list, st::depends_on<first> depends_on)
EXPECT(phase_type, e::odd_rate, using phase = int)
EXPECT(phase_constant, e::odd_rate, using phase = std::integral_constant<int, 1>)
EXPECT(phase_flag, e::odd_rate, static constexpr bool phase = true)
EXPECT(every_type, e::odd_rate, using every = int)
EXPECT(every_part, e::odd_rate, st::every<2> every)
EXPECT(weight_type, e::odd_weight, using weight = int)
EXPECT(weight_part, e::odd_weight, st::weight<2> weight)
EXPECT(failure_flag, e::odd_on_failure, static constexpr bool on_failure = true)
EXPECT(failure_literal, e::odd_on_failure, static constexpr const char* on_failure = "drop")
EXPECT(failure_verdict, e::odd_on_failure, static constexpr auto on_failure = st::drop)
EXPECT(failure_object, e::odd_on_failure, st::on_failure<st::drop> on_failure)

EXPECT(own_text, fine, std::string role)
EXPECT(own_pointer, fine, const char* stream = nullptr)
EXPECT(own_handle, fine, void* communicator = nullptr)
EXPECT(own_shared_handle, fine, inline static void* stream = nullptr)
EXPECT(own_shared_count, fine, inline static int role = 0)
EXPECT(own_reference, fine, const std::string& role)
EXPECT(own_function, fine, void role() const {})
EXPECT(
    own_static_function, fine, static const char* communicator() { return "c"; })
EXPECT(own_callback, fine, std::function<void()> on_failure)
EXPECT(own_list, fine, std::vector<int> reads)
EXPECT(own_phase, fine, enum class phase{reading, writing})
EXPECT(own_phase_text, fine, static constexpr const char* phase = "train")
EXPECT(own_phase_number, fine, float phase = 0)
EXPECT(own_weight, fine, using weight = float)

// Each list by its own name.
template <class Member>
struct of_list {
  template <class Task>
  using error = e::list_as_value<Task, Member>;
};
EXPECT(reads_literal, of_list<m::reads>::error, static constexpr auto reads = "given")
EXPECT(writes_literal, of_list<m::writes>::error, static constexpr auto writes = "given")
EXPECT(observes_literal, of_list<m::observes>::error, static constexpr auto observes = "state")
EXPECT(mutates_literal, of_list<m::mutates>::error, static constexpr auto mutates = "state")
EXPECT(cross_iter_number, of_list<m::cross_iter_depends_on>::error,
       static constexpr int cross_iter_depends_on = 1)
EXPECT(sync_flag, of_list<m::same_progress_sync>::error,
       static constexpr bool same_progress_sync = true)

}  // namespace misuse_test

TEST_CASE("fields in a wrong form are refused") {
  // What the compiler has judged above; one of them also in words.
  CHECK(std::string(misuse_test::found<misuse_test::role_literal::task>::text())
            .find("is not a role") != std::string::npos);
}
