// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A schedule without some of its tasks: what named them names them in vain, all else is as before,
// in both versions.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

namespace st = stretto;

struct raw : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<int> {};
struct gradient : st::slot<int> {};
struct weights : st::resource<> {};
struct backward;
struct optimizer;

struct load {
  using same_progress_sync = st::same_progress_sync<optimizer>;
  static constexpr int lookahead = 1;
  void operator()(st::in<raw> in, st::out<batch> out) const { out = *in; }
};
struct forward {
  using observes = st::observes<weights>;
  using cross_iter_depends_on = st::cross_iter_depends_on<optimizer>;
  int* weight = nullptr;
  void operator()(st::in<batch> in, st::out<loss> out) const { out = *in * *weight; }
};
struct backward {
  void operator()(st::in<loss> in, st::out<gradient> out) const { out = *in; }
};
struct optimizer {
  using mutates = st::mutates<weights>;
  int* weight = nullptr;
  void operator()(st::in<gradient>) { ++*weight; }
};
struct count {
  using depends_on = st::depends_on<backward, forward>;
  int* seen = nullptr;
  void operator()(st::in<batch>) { ++*seen; }
};

struct training
    : st::schedule<
          st::source<raw>, st::result<loss>, load, forward, backward, optimizer, count,
          st::threads<st::group<"ahead", load>, st::group<"gradients", backward, optimizer>,
                      st::group<"step", forward, count>>,
          st::order<forward, backward, optimizer>, st::order<backward, optimizer>,
          st::place<backward, st::weight<3>>, st::place<forward, st::weight<2>>,
          st::slack<gradient, 2>, st::slack<loss>, st::slack<batch>, st::caller_runs<"step">> {};
struct evaluation : st::without<training, backward, optimizer> {};
struct one_by_one : st::without<st::serial<training>, optimizer, backward> {};
struct in_two_steps : st::without<st::without<training, optimizer>, backward> {};

template <class Tag, class Schedule>
using parts_of = st::declare::only<Tag, typename Schedule::parts>;

static_assert(std::is_same_v<parts_of<void, evaluation>, st::pack<load, forward, count>>);
static_assert(std::is_same_v<parts_of<st::tag::order, evaluation>, st::pack<st::order<forward>>>);
static_assert(std::is_same_v<parts_of<st::tag::place, evaluation>,
                             st::pack<st::place<forward, st::weight<2>>>>);
static_assert(std::is_same_v<
              parts_of<st::tag::threads, evaluation>,
              st::pack<st::threads<st::group<"ahead", load>, st::group<"step", forward, count>>>>);

/// As values, under one name.
template <class Schedule>
st::dynamic::schedule values_of() {
  st::dynamic::schedule s = st::dynamic::from_types<Schedule>();
  s.name = "evaluation";
  return s;
}
std::string described(const st::dynamic::schedule& s) {
  return st::dynamic::planned_schedule(s).describe();
}

}  // namespace

TEST_CASE("what is left of a schedule is planned as it is in values, in one step or two") {
  const std::string types = st::describe<evaluation>();
  CHECK(types.find("optimizer") == std::string::npos);
  CHECK(types.find("gradient") == std::string::npos);
  CHECK(types.find("caller    pull > forward > count > deliver") != std::string::npos);
  CHECK(types.find("batch     3 copies of 4 bytes") != std::string::npos);
  CHECK(types.find("loss      2 copies of 4 bytes") != std::string::npos);

  const std::string planned = described(values_of<evaluation>());
  st::dynamic::schedule values =
      st::dynamic::without(values_of<training>(), {"optimizer", "backward"});
  CHECK(described(values) == planned);
  CHECK(described(values_of<in_two_steps>()) == planned);
  CHECK(described(st::dynamic::serial(values)) == described(values_of<one_by_one>()));
}

TEST_CASE("one schedule trains and evaluates") {
  int weight = 1;
  int seen = 0;
  st::pipeline<training> train(forward{.weight = &weight}, optimizer{.weight = &weight},
                               count{&seen});
  st::pipeline<evaluation> evaluate(forward{.weight = &weight}, count{&seen});
  const std::vector batches{1, 10, 100};
  const auto losses = [&](auto& pipeline) {
    std::vector<int> all;
    for (const int l : pipeline.run(batches)) all.push_back(l);
    return all;
  };
  CHECK(losses(evaluate) == std::vector{1, 10, 100});
  CHECK(losses(train) == std::vector{1, 20, 300});
  CHECK(losses(evaluate) == std::vector{4, 40, 400});
  CHECK(losses(train) == std::vector{4, 50, 600});
  CHECK(weight == 7);
  CHECK(seen == 12);
}

TEST_CASE("values: a task that is not there") {
  const auto said = [](const std::vector<std::string>& names) -> std::string {
    try {
      st::dynamic::without(values_of<training>(), names);
    } catch (const st::usage_error& e) {
      return e.what();
    }
    return "nothing";
  };
  CHECK(said({}) == "nothing");
  CHECK(said({"optimiser"}) ==
        "schedule `evaluation` has no task `optimiser`; did you mean `optimizer`?");
  CHECK(said({"optimizer", "optimizer"}) ==
        "schedule `evaluation` is to be without `optimizer` twice; name it once");
}
