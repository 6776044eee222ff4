// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What was found, as code: each text below is compiled next to the test that expects it.

#include <doctest/doctest.h>
#include <fstream>
#include <initializer_list>
#include <ranges>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/search.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(STRETTO_CODE)  // where this file is, if the build knows it better
#  define STRETTO_CODE __FILE__
#endif

namespace st = stretto;
namespace dynamic = stretto::dynamic;

namespace vision {

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct patch : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  void operator()(int in, int& out) const { out = in + 1; }
};
struct crop {
  using reads = st::reads<image>;
  using writes = st::writes<patch>;
  void operator()(int in, int& out) const { out = 2 * in; }
};
struct train {
  using stream = st::stream<"compute">;
  static constexpr std::string_view name = "training step";
  using reads = st::reads<patch>;
  using writes = st::writes<loss>;
  int sum = 0;
  void operator()(int in, int& out) { out = sum += in; }
};
struct learning : st::schedule<st::source<file>, st::result<loss>, st::streams<"compute">, decode,
                               crop, train> {};
static_assert(st::tasks_are<learning, "training step", "decode", "crop">);  // in any order

// clang-format off
// [found]
// Found of `learning`: a progress takes 500, the least that it can: that is what a task takes by itself: `crop`
// 2 batches in flight, the fewest; 384 bytes, the fewest
// 4 hand-overs between threads; of a tenth that a task may take longer, 0 % is to spare
// Thread `caller` begins `pull` at 0
// Thread `b` begins `decode` at 0, `training step` at 300
// Thread `a` begins `crop` at 300
struct learning_found
    : st::replan<learning,
                 st::frugal,
                 st::place<decode, st::lookahead<1>, st::thread<"b">>,
                 st::place<crop, st::lookahead<1>, st::thread<"a">>,
                 st::place<train, st::thread<"b">>,
                 st::slack<image>> {};
static_assert(st::tasks_are<learning_found, "decode", "crop", "training step">);
static_assert(
    st::is_optimal_at<learning_found>({500, 1}, {{"decode", 300}, {"crop", 500}, {"training step", 200}}),
    "learning_found takes another time per progress than was found, or another plan may be faster: look for a plan again");
static_assert(st::fingerprint<learning_found> == 0x49c53eed86224904,
              "learning_found is another plan than was found: look for a plan again");
// [found]
// clang-format on

/// `keep` is declared first, but `send` waits for `train`, so that has to have the thread first.
struct keep {
  using thread = st::thread<"back">;
  using reads = st::reads<file>;
  int last = 0;
  void operator()(int in) { last = in; }
};
struct learn {
  using thread = st::thread<"back">;
  using reads = st::reads<image>;
  using writes = st::writes<patch>;
  void operator()(int in, int& out) const { out = 3 * in; }
};
struct send {
  using thread = st::thread<"front">;
  using reads = st::reads<patch>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = in; }
};
struct sending : st::schedule<st::source<file>, st::result<loss>, keep, decode, learn, send,
                              st::place<decode, st::thread<"front">>> {};

// clang-format off
// [in order]
// Found of `sending`: a progress takes 900, the least that it can with at most 1 batch in flight: tasks wait for each other over batches: `pull` > `decode` > `learn` > `send` > `deliver`
// 1 batch in flight, the fewest; 256 bytes, the fewest
// 5 hand-overs between threads; of a tenth that a task may take longer, 30 % is to spare
// Thread `caller` begins `pull` at 0
// Thread `front` begins `decode` at 0, `send` at 400
// Thread `back` begins `learn` at 300, `keep` at 400
struct sending_found
    : st::replan<sending,
                 st::frugal,
                 st::order<learn, keep>,
                 st::order<decode, send>> {};
static_assert(st::tasks_are<sending_found, "keep", "decode", "learn", "send">);
static_assert(
    st::is_optimal_at<sending_found>({900, 1}, {{"keep", 400}, {"decode", 300}, {"learn", 100}, {"send", 500}}),
    "sending_found takes another time per progress than was found, or another plan may be faster: look for a plan again");
static_assert(st::fingerprint<sending_found> == 0xdb8115528c23e226,
              "sending_found is another plan than was found: look for a plan again");
// [in order]
// clang-format on

/// Tasks of 9, 4, 4 and 4: one of two threads has 12.
template <int Number>
struct part {
  static constexpr std::string_view name = std::string_view("abcd").substr(Number, 1);
  using reads = st::reads<file>;
  void operator()(int) const {}
};
struct parted : st::schedule<st::source<file>, part<0>, part<1>, part<2>, part<3>> {};

// clang-format off
// [not proved]
// Found of `parted`: a progress takes 12, the least that it can on these threads with at most 3 batches in flight: each order of the tasks was tried or ruled out
// 1 batch in flight, the fewest; 64 bytes, the fewest
// 2 hand-overs between threads; of a tenth that a task may take longer, 42 % is to spare
// Thread `caller` begins `pull` at 0
// Thread `x` begins `a` at 0
// Thread `y` begins `b` at 0, `c` at 4, `d` at 8
struct parted_found
    : st::replan<parted,
                 st::frugal,
                 st::place<part<0>, st::thread<"x">>,
                 st::place<part<1>, st::thread<"y">>,
                 st::place<part<2>, st::thread<"y">>,
                 st::place<part<3>, st::thread<"y">>> {};
static_assert(st::tasks_are<parted_found, "a", "b", "c", "d">);
static_assert(
    st::period_is<parted_found>({12, 1}, {{"a", 9}, {"b", 4}, {"c", 4}, {"d", 4}}),
    "parted_found takes another time per progress than was found: look for a plan again");
// No plan within the limits of the search takes less, which it has proved, and no compiler can.
static_assert(st::fingerprint<parted_found> == 0xe0c3a357cbf705e7,
              "parted_found is another plan than was found: look for a plan again");
// [not proved]
// clang-format on

/// Of tasks that take their weights.
struct weighed : st::replan<learning, st::place<decode, st::weight<310>>,
                            st::place<crop, st::weight<500>>, st::place<train, st::weight<110>>> {};

// clang-format off
// [by weight]
// Found of `weighed`: a progress takes 500, the least that it can: that is what a task takes by itself: `crop`
// 2 batches in flight, the fewest; 384 bytes, the fewest
// 4 hand-overs between threads; of a tenth that a task may take longer, 45 % is to spare
// Thread `caller` begins `pull` at 0
// Thread `b` begins `decode` at 0, `training step` at 310
// Thread `a` begins `crop` at 310
struct weighed_found
    : st::replan<weighed,
                 st::frugal,
                 st::place<decode, st::lookahead<1>, st::thread<"b">>,
                 st::place<crop, st::lookahead<1>, st::thread<"a">>,
                 st::place<train, st::thread<"b">>,
                 st::slack<image>> {};
static_assert(st::tasks_are<weighed_found, "decode", "crop", "training step">);
static_assert(st::costs_are<weighed_found,
                            st::cost_within<"decode", 310, 0, 390>,
                            st::cost_within<"crop", 500, 420>,
                            st::cost_within<"training step", 110, 0, 190>>);
static_assert(
    st::is_optimal_at<weighed_found>({500, 1}, {{"decode", 310}, {"crop", 500}, {"training step", 110}}),
    "weighed_found takes another time per progress than was found, or another plan may be faster: look for a plan again");
static_assert(st::fingerprint<weighed_found> == 0x49c53eed86224904,
              "weighed_found is another plan than was found: look for a plan again");
// [by weight]
// clang-format on

/// Two tasks on one stream, of which one may be on another.
struct blur {
  using stream = st::stream<"compute">;
  using thread = st::thread<"one">;
  void operator()(st::in<file> in, st::out<image> out) const { *out = *in + 3; }
};
struct sharpen {
  using stream = st::stream<"compute">;
  using thread = st::thread<"other">;
  void operator()(st::in<image> in, st::out<loss> out) const { *out = *in * 2; }
};
struct filtering : st::schedule<st::source<file>, st::result<loss>, st::streams<"compute", "more">,
                                blur, sharpen> {};

// clang-format off
// [on streams]
// Found of `filtering`: a progress takes 40, the least that it can on these threads: the thread is busy, `one`: `blur`
// 2 batches in flight; 256 bytes
// 3 hand-overs between threads; of a tenth that a task may take longer, 42 % is to spare
// Thread `caller` begins `pull` at 0
// Thread `one` begins `blur` at 0
// Thread `other` begins `sharpen` at 0
struct filtering_found
    : st::replan<filtering,
                 st::frugal,
                 st::place<blur, st::lookahead<1>, st::stream<"more">>> {};
static_assert(st::tasks_are<filtering_found, "blur", "sharpen">);
static_assert(
    st::is_optimal_at<filtering_found>({40, 1}, {{"blur", 40}, {"sharpen", 30}}),
    "filtering_found takes another time per progress than was found, or another plan may be faster: look for a plan again");
static_assert(st::fingerprint<filtering_found> == 0xeac971e41d406e77,
              "filtering_found is another plan than was found: look for a plan again");
// [on streams]
// clang-format on

struct pulling : st::schedule<st::source<file, st::weight<40>>, st::result<image>, decode> {};

struct pipelined_learning : st::replan<learning, st::pipelined<>> {};
struct roomy : st::replan<learning, st::slack<image, 3>> {};
struct other : st::schedule<st::source<file>, st::result<image>, decode> {};

}  // namespace vision

namespace {

using costs = std::initializer_list<st::task_cost>;

template <class Schedule>
st::search::found_schedule found_for(costs of, std::vector<std::string> threads,
                                     int in_flight = 3) {
  st::search::limits within;
  within.threads = std::move(threads);
  within.in_flight = in_flight;
  return st::search::find_schedule(dynamic::outline<Schedule>(), of, within);
}

/// What stands between two `// [mark]` in this file.
std::string code(std::string_view mark) {
  std::ifstream file(STRETTO_CODE);
  const std::string line = "// [" + std::string(mark) + "]";
  std::string text;
  bool inside = false;
  for (std::string one; std::getline(file, one);) {
    if (one == line) inside = !inside;
    if (inside && one != line) text += one + "\n";
  }
  return text;
}

template <class Schedule>
std::vector<int> results() {
  st::pipeline<Schedule> pipeline;
  std::vector<int> all;
  pipeline.run(std::views::iota(0, 20)).for_each([&](int loss) { all.push_back(loss); });
  return all;
}

}  // namespace

TEST_CASE("what was found is code that compiles, and the schedule's results are what they were") {
  const costs times{{"decode", 300}, {"crop", 500}, {"training step", 200}};
  const auto found = found_for<vision::learning>(times, {"a", "b"});
  REQUIRE(found.period == st::planner::ratio{500, 1});
  CHECK(st::search::as_replan<vision::learning>(found, times, "learning_found") == code("found"));
  CHECK(results<vision::learning_found>() == results<st::serial<vision::learning>>());
  const dynamic::planned_schedule as_code(dynamic::outline<vision::learning_found>());
  const dynamic::planned_schedule as_value(found.schedule);
  CHECK(as_code.fingerprint() == as_value.fingerprint());
}

TEST_CASE("of tasks that go by their weights the code has the range of these") {
  auto found = found_for<vision::weighed>({}, {"a", "b"});
  REQUIRE(found.period == st::planner::ratio{500, 1});
  CHECK(st::search::as_replan<vision::weighed>(found, {}, "weighed_found") == code("by weight"));
  const costs one{{"crop", 500}};
  const std::string some = st::search::as_replan<vision::weighed>(found, one, "some");
  CHECK(some.find("st::cost_within<\"decode\", 310, 0, 390>") != std::string::npos);
  CHECK(some.find("st::cost_within<\"crop\"") == std::string::npos);
  CHECK(some.find("}, {{\"crop\", 500}, {\"decode\", 310}, ") != std::string::npos);
  found.least = {499, 1};  // of what is not proved nothing is known, but what it was found for
  const std::string exact = st::search::as_replan<vision::weighed>(found, {}, "exact");
  CHECK(exact.find("st::cost_within<\"decode\", 310>") != std::string::npos);
  CHECK(exact.find("st::cost_within<\"crop\", 500>") != std::string::npos);
  const auto pulled = found_for<vision::pulling>({}, {"a"});
  CHECK(st::search::as_replan<vision::pulling>(pulled, {}, "x")
            .find("st::cost_within<\"pull\", 40>") != std::string::npos);
}

TEST_CASE("the stream of a task is said where it is another") {
  const costs times{{"blur", 40}, {"sharpen", 30}};
  const auto found = st::search::find_streams(dynamic::outline<vision::filtering>(), times,
                                              {.in_flight = 2}, {"compute", "more"});
  REQUIRE(found.period == st::planner::ratio{40, 1});
  CHECK(st::search::as_replan<vision::filtering>(found, times, "filtering_found") ==
        code("on streams"));
  CHECK(results<vision::filtering_found>() == results<st::serial<vision::filtering>>());
}

TEST_CASE("the order in which tasks are on their threads is said where it is another") {
  const costs times{{"keep", 400}, {"decode", 300}, {"learn", 100}, {"send", 500}};
  const auto found = found_for<vision::sending>(times, {}, 1);
  REQUIRE(found.period == st::planner::ratio{900, 1});
  CHECK(st::search::as_replan<vision::sending>(found, times, "sending_found") == code("in order"));
  CHECK(results<vision::sending_found>() == results<st::serial<vision::sending>>());
}

TEST_CASE("what the compiler cannot prove is no assertion, but said") {
  const costs times{{"a", 9}, {"b", 4}, {"c", 4}, {"d", 4}};
  auto found = found_for<vision::parted>(times, {"x", "y"});
  REQUIRE(found.period == st::planner::ratio{12, 1});
  REQUIRE(found.optimal());
  REQUIRE(found.reason == st::search::proof::why::search);
  const std::string proved = st::search::as_replan<vision::parted>(found, times, "parted_found");
  CHECK(proved == code("not proved"));
  found.least = {23, 2};
  CHECK(st::search::as_replan<vision::parted>(found, times, "parted_found")
            .find("// A plan that takes less may be there; none within the limits takes less than "
                  "11.50.\n") != std::string::npos);
}

TEST_CASE("what no other plan of a schedule can say is refused") {
  const costs times{{"decode", 300}};
  const auto found = found_for<vision::learning>(times, {"a"});
  const auto refused = [&]<class Schedule>(std::type_identity<Schedule>, const char* why) {
    CHECK_THROWS_WITH_AS(static_cast<void>(st::search::as_replan<Schedule>(found, times, "x")),
                         doctest::Contains(why), st::usage_error);
  };
  refused(std::type_identity<vision::pipelined_learning>(), "leaves lookaheads or threads to");
  refused(std::type_identity<vision::roomy>(), "needs no `slack` of slot `image`");
  refused(std::type_identity<vision::other>(), "task `crop` was found, but is none of");
  const costs others{{"decode", 100}};
  CHECK_THROWS_WITH_AS(
      static_cast<void>(st::search::as_replan<vision::learning>(found, others, "x")),
      doctest::Contains("no `replan` of `learning` is the schedule that was found"),
      st::usage_error);
  for (const char* const name : {"", "1st", "two words", "vision::found", "class"})
    CHECK_THROWS_WITH_AS(
        static_cast<void>(st::search::as_replan<vision::learning>(found, times, name)),
        doctest::Contains("no plan can be called `"), st::usage_error);
}
