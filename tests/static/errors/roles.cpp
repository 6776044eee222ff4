// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with the roles of a schedule, each told by a sentence.
#include <doctest/doctest.h>
#include <cstddef>
#include <span>
#include <stretto/explain.hpp>
#include <stretto/plan/rules/roles.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <vector>

namespace st = stretto;

namespace {

struct raw : st::slot<int> {};
struct a : st::slot<int> {};
struct b : st::slot<int> {};
struct file : st::resource<> {};

struct first {
  using role = st::role<"one">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<a>;
  void operator()(int, int&) const {}
};
struct second {
  using role = st::role<"two">;
  using reads = st::reads<a>;
  using writes = st::writes<b>;
  void operator()(int, int&) const {}
};
struct send : st::transfer<a, "one", "two"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};

template <class... Parts>
struct with : st::schedule<st::source<raw>, st::result<b>, first, second, Parts...> {
  static constexpr std::string_view name = "job";
};

template <class Schedule>
std::string said() {
  const std::vector<std::string> all = st::explain_findings<Schedule>();
  return all.empty() ? "" : all[0];
}

struct misspelled : st::transfer<a, "one", "tow"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct from_nobody : st::transfer<a, "zero", "two"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct to_itself : st::transfer<a, "one", "two", "one"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct early : st::transfer<a, "one", "two"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 3;
};
struct backwards : st::transfer<a, "two", "one"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct again : st::transfer<a, "one", "two"> {
  static constexpr std::string_view name = "again";
};
struct among_some : send {
  using communicator = st::communicator<"node">;
};
struct view : st::slot<std::span<const int>>, st::points_into<a> {};
struct viewing {
  using role = st::role<"one">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<a, view>;
  void operator()(int, int&, std::span<const int>&) const {}
};
struct send_view : st::transfer<view, "one", "two"> {
  static constexpr std::string_view name = "send_view";
  static constexpr int lookahead = 1;
};
struct together {
  static constexpr bool collective = true;
  using role = st::role<"two">;
  using reads = st::reads<b>;
  void operator()(int) const {}
};
struct other_source {
  using role = st::role<"two">;
  using reads = st::reads<raw>;
  void operator()(int) const {}
};
struct everywhere {
  using reads = st::reads<b>;
  void operator()(int) const {}
};
struct update {
  using role = st::role<"two">;
  static constexpr int lookahead = 1;
  using writes = st::writes<a>;
  void operator()(int&) const {}
};
struct waits {
  using role = st::role<"two">;
  using reads = st::reads<b>;
  using depends_on = st::depends_on<first>;
  void operator()(int) const {}
};
struct saves {
  using role = st::role<"one">;
  using reads = st::reads<raw>;
  using mutates = st::mutates<file>;
  void operator()(int) const {}
};
struct loads {
  using role = st::role<"two">;
  using reads = st::reads<b>;
  using observes = st::observes<file>;
  void operator()(int) const {}
};
struct behind {
  using role = st::role<"two">;
  using reads = st::reads<st::previous<a>>;
  void operator()(int) const {}
};
struct plain_first : first {
  static constexpr std::string_view name = "first";
  using role = st::role<"other">;
};
struct same : first {
  static constexpr std::string_view name = "first";
};
struct changes_late {
  using role = st::role<"one">;
  using writes = st::writes<a>;
  void operator()(int&) const {}
};

}  // namespace

TEST_CASE("a schedule whose roles fit is valid") {
  CHECK(said<with<send>>().empty());
  CHECK(st::is_valid<with<send>>);
  CHECK(st::is_valid<st::projection<with<send>, "one">>);
}

TEST_CASE("what a role does not have is named, with the transfer to write") {
  CHECK(said<with<>>() ==
        "task `second` of role `two` reads slot `a`, but a rank of role `two` does not have it "
        "then: task `first` of role `one` writes it; between them put `stretto::transfer<a, "
        "\"one\", \"two\">` among the parts of the schedule, at a lookahead that is less than the "
        "writer's and no less than the reader's");
  CHECK_FALSE(st::is_valid<with<>>);
  CHECK(said<with<update>>().starts_with(
      "task `update` of role `two` updates slot `a`, but a rank of role `two` does not have it "
      "then: task `first` of role `one` writes it; between them put"));
  CHECK(said<with<send, everywhere>>().starts_with(
      "task `everywhere`, which is on all ranks, reads slot `b`, but a rank of role `one` does not "
      "have it then: task `second` of role `two` writes it"));
  // The value of an earlier batch is the finished one, which the first role changed after it was
  // sent.
  CHECK(said<with<send, behind>>().empty());
  CHECK(said<with<send, behind, changes_late>>().starts_with(
      "task `second` of role `two` reads slot `a`, but a rank of role `two` does not have it then: "
      "task `changes_late` of role `one` writes it"));
}

TEST_CASE("a transfer is between roles that there are, of what the first has and others lack") {
  CHECK(said<with<misspelled>>() ==
        "transfer `send` names role `tow`, which no task has; did you mean `two`?");
  CHECK(said<with<from_nobody>>() == "transfer `send` names role `zero`, which no task has");
  CHECK(said<with<to_itself>>() ==
        "transfer `send` names role `one` twice; name who sends, then each who receives");
  CHECK(said<with<early>>() ==
        "transfer `send` sends slot `a`, which no task writes before; give the task of role `one` "
        "that writes it a larger lookahead than the transfer has");
  CHECK(said<with<backwards>>() ==
        "transfer `send` sends slot `a` from role `two`, which does not have it then: task `first` "
        "of role `one` writes it; name the role that has it, or send it there before");
  CHECK(said<with<send, again>>() ==
        "transfer `again` sends slot `a` to role `two`, which has it already; leave that role out");
  CHECK(
      said<with<among_some>>() ==
      "transfer `send` names a communicator; transfers are among all ranks of the pipeline: leave "
      "it out");
}

namespace {

struct looking {
  using role = st::role<"two">;
  using reads = st::reads<view>;
  using writes = st::writes<b>;
  void operator()(std::span<const int>, int&) const {}
};
struct items : st::slot<int> {};
struct produce {
  using role = st::role<"one">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<st::produces<items, 2>>;
  void operator()(int, std::span<int>) const {}
};
struct consume {
  using role = st::role<"two">;
  using reads = st::reads<st::consumes<items, 2>>;
  using writes = st::writes<b>;
  void operator()(std::span<const int>, int&) const {}
};
struct send_items : st::transfer<items, "one", "two"> {
  static constexpr int lookahead = 1;
};

}  // namespace

TEST_CASE("values that view into others do not travel") {
  struct job : st::schedule<st::source<raw>, st::result<b>, viewing, send_view, looking> {};
  CHECK(said<job>().starts_with(
      "transfer `send_view` sends slot `view`, whose values view into those "
      "of other slots and mean nothing on another rank"));
  struct of_items : st::schedule<st::source<raw>, st::result<b>, produce, send_items, consume> {};
  CHECK(said<of_items>().starts_with("rule 9: "));
}

TEST_CASE("what ranks do not share orders nothing between them") {
  CHECK(said<with<send, together>>().empty());
  CHECK(said<with<send, other_source>>().starts_with(
      "the source's slot `raw` is read by task `other_source` of role `two` and by task `first` of "
      "role `one`; let one role have the source"));
  CHECK(said<with<send, waits>>().starts_with(
      "task `waits` of role `two` depends on task `first` of role `one`, which is not on the same "
      "ranks"));
  CHECK(said<with<send, st::order<first, second>>>().starts_with(
      "an order has task `second` of role `two` after task `first` of role `one`, and no rank has "
      "both"));
  CHECK(said<with<send, st::order<first, send>>>().empty());
  CHECK(said<with<send, saves, loads>>().starts_with(
      "task `loads` of role `two` uses resource `file`, which task `saves` of role `one` changes "
      "on another rank"));
  CHECK(said<with<send, st::threads<st::group<"t", second>>, st::queue<"t", 2>>>().starts_with(
      "a schedule with roles has a queue or workers for a thread group"));
}

TEST_CASE("a projection is of a role that there is, and planned as its schedule") {
  CHECK(said<st::projection<with<send>, "three">>().ends_with("has role `three`"));
  CHECK(said<st::projection<with<send>, "oen">>().ends_with("has role `oen`; did you mean `one`?"));
  CHECK(said<st::projection<with<>, "one">>().starts_with("task `second` of role `two` reads"));
  CHECK(said<st::replan<st::projection<with<send>, "one">, st::frugal>>().find(
            "plans a projection anew, which other ranks would not know of") != std::string::npos);
  CHECK(said<st::without<st::projection<with<send>, "one">, first>>().find(
            "plans a projection anew") != std::string::npos);
}

TEST_CASE("a transfer is called after its slot and who receives it, and tells its roles") {
  CHECK(st::name_of<st::transfer<a, "one", "two">>.text == "a_to_two");
  const std::string told = st::describe<with<send>>();
  CHECK(told.find("role one  reads raw") != std::string::npos);
  CHECK(told.find("from role one to two  writes a") != std::string::npos);
  CHECK(st::describe<st::projection<with<send>, "one">>().find("from role one to two  reads a") !=
        std::string::npos);
}

TEST_CASE("there are 64 roles at most") {
  std::vector<std::string> names;
  for (int n = 0; n < 65; ++n) names.push_back("role " + std::to_string(n));
  for (const std::size_t count : {std::size_t{64}, std::size_t{65}}) {
    std::vector<st::planner::task> tasks(count);
    for (std::size_t t = 0; t < count; ++t) {
      tasks[t].id = st::name(names[t]);
      tasks[t].role = names[t];
    }
    st::planner::declaration d;
    d.tasks = {tasks.data(), count};
    const bool fits = st::planner::check_roles(d).what == st::planner::role_misuse::sound;
    CHECK(fits == (count == 64));
  }
}

TEST_CASE("a fingerprint tells of roles") {
  struct job_of_first : st::schedule<st::source<raw>, st::result<a>, first> {};
  struct job_of_same : st::schedule<st::source<raw>, st::result<a>, same> {};
  struct job_of_other : st::schedule<st::source<raw>, st::result<a>, plain_first> {};
  CHECK(st::fingerprint<job_of_first> == st::fingerprint<job_of_same>);
  CHECK(st::fingerprint<job_of_first> != st::fingerprint<job_of_other>);
}
