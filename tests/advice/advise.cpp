// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is advised of schedules whose best edit is known.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <stretto/advice.hpp>
#include <stretto/advice/quotients.hpp>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "chains.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

st::advice advise(const dynamic::schedule& s, const st::advice_options& within = {}) {
  return st::advise(dynamic::planned_schedule(s), {}, within);
}
std::string best(const dynamic::schedule& s, const st::advice_options& within = {}) {
  const st::advice found = advise(s, within);
  return found.edits().empty() ? found.why_none() : found.edits()[0].what();
}
bool has_edit(const st::advice& a, std::string_view what) {
  return std::any_of(a.edits().begin(), a.edits().end(),
                     [&](const st::priced_edit& e) { return e.what() == what; });
}

/// Decodes, crops and trains on threads of their own: two take turns at the one copy of a slot.
dynamic::schedule sharing() {
  dynamic::schedule s = chain({{300, 1, "a"}, {200, 1, "b"}, {350, 0, "caller"}});
  s.source.lookahead = 3;
  return s;
}

/// Each task waits for the one before it, the first for the last: weights.
dynamic::schedule feedback() {
  dynamic::schedule s = chain({{100, 0, "a"}, {200, 0, "b"}, {300, 0, "c"}});
  s.tasks[0].observes = {"weights"};
  s.tasks[1].observes = {"weights"};
  s.tasks[2].mutates = {"weights"};
  s.tasks[0].cross_iter_depends_on = {"t3"};
  return s;
}

/// One thread submits to two streams.
dynamic::schedule on_two_streams() {
  dynamic::schedule s = chain({{300, 1, "io"}, {500, 0, "io"}});
  s.streams = {"copy", "compute"};
  s.tasks[0].stream = "copy";
  s.tasks[1].stream = "compute";
  return s;
}
st::advice advise_on_device(const dynamic::schedule& s, long long submission,
                            std::vector<std::vector<std::string>> engines = {}) {
  return st::advise(dynamic::planned_schedule(s),
                    {{"submit t1", submission}, {"submit t2", submission}},
                    {.device = dynamic::device_model{std::move(engines)}});
}

}  // namespace

TEST_CASE("of a device, tasks move off a thread that is busy with submissions, not with work") {
  const dynamic::schedule s = on_two_streams();
  CHECK(best(s, {.most_threads = 2}) == "`t1` on thread `caller`");
  CHECK(advise_on_device(s, 0).why_none() ==
        "no edit of the plan that was tried saves 2 %: only a shorter `t2` helps");
  const st::advice busy = advise_on_device(s, 400);
  CHECK(has_edit(busy, "`t1` on thread `t1`"));
  CHECK(busy.edits()[0].before.threads + 1 == busy.edits()[0].after.threads);
}

TEST_CASE("halves of a task of a device share its engine") {
  const st::advice alone = advise_on_device(on_two_streams(), 0);
  REQUIRE(alone.splits().size() == 1);
  CHECK(alone.splits()[0].task == "t2");
  CHECK(alone.splits()[0].period.value() == 300);
  CHECK(advise_on_device(on_two_streams(), 0, {{"t1", "t2"}}).splits().empty());
}

TEST_CASE("a record of threads tells nothing of a device") {
  const dynamic::planned_schedule planned(on_two_streams());
  const auto costs = {st::task_cost{"t1", 300}, st::task_cost{"t2", 500}};
  const st::timeline record = st::simulate(planned, costs, 100).record();
  const st::measured_run run(record);
  CHECK_THROWS_WITH_AS(
      st::advise(planned, run, {.device = dynamic::device_model{}}),
      "a record of threads does not tell what the streams of a device take: advise "
      "by costs of tasks and of their submissions",
      st::usage_error);
}

TEST_CASE("who takes turns at a copy works further ahead of the other") {
  const st::advice found = advise(sharing());
  CHECK(found.text() ==
        "a progress takes 500 at best: `t1` > `t2` > `t1` 1 progress later, 500 in all\n"
        "1. `t1` at lookahead 2: 30 % less; a batch takes 1400, not 2000\n"
        "   a progress takes 350 at best: thread `caller` is busy all the time with `t3`\n"
        "   [{\"op\": \"add\", \"path\": \"/tasks/0/lookahead\", \"value\": 2}]\n");
  CHECK(found.now().period.value() == 500);
  REQUIRE(found.edits().size() == 1);
  const st::priced_edit& edit = found.edits()[0];
  CHECK(edit.before.period.value() == 500);
  CHECK(edit.after.period.value() == 350);
  CHECK(edit.edited.at("t1").lookahead == 2);
  CHECK(edit.replan.empty());
  CHECK(edit.changes ==
        std::vector{st::plan_change{st::plan_change::kind::lookahead, "t1", {}, 2}});
}

TEST_CASE("or there is a copy more, where the one who fills it is as far ahead as it may be") {
  dynamic::schedule s = sharing();
  s.tasks[0].writes = {dynamic::use("s1", 1)};
  CHECK(best(s) == "1 copy of `s1` to spare");
}

TEST_CASE("copies that are there to spare count") {
  dynamic::schedule s = chain({{300, 1, "a"}, {300, 1, "b"}, {300, 0, "c"}, {300, 0, "d"}});
  s.tasks[0].writes = {dynamic::use("s1", 1)};
  s.tasks[3].reads.push_back(dynamic::use("s1", 0));
  s.source.lookahead = 5;
  s.slacks = {{"s1", 1}, {"s2", 3}, {"s3", 3}};
  CHECK(has_edit(advise(s), "2 copies of `s1` to spare"));
}

TEST_CASE("tasks move off a thread that is busy all the time") {
  const dynamic::schedule s = chain({{300, 1, "a"}, {300, 0, "a"}});
  CHECK(best(s, {.most_threads = 2}) == "`t1` on thread `caller`");
  const st::advice found = advise(s);
  CHECK(has_edit(found, "4 workers on thread `a`"));
  CHECK(found.edits()[0].after.threads == found.now().threads + 3);
  CHECK(found.edits()[0].after.period.value() == 150);
}

TEST_CASE("what may not be called by several threads gets no workers") {
  dynamic::schedule s = chain({{300, 0, "caller"}});
  s.tasks[0].body = [](const int& in, int& out) { out = in; };
  CHECK(best(s) == "`t1` on thread `t1`, 4 workers on thread `t1`");
  s.tasks[0].body = [kept = 0](const int& in, int& out) mutable { out = kept = in; };
  CHECK(best(s) == "no edit of the plan that was tried saves 2 %: only a shorter `t1` helps");
  s.tasks[0].thread = "a";
  CHECK(best(s) == "no edit of the plan that was tried saves 2 %: only a shorter `t1` helps");
}

TEST_CASE("bodies stay, and tell what copies take") {
  dynamic::schedule s = sharing();
  for (dynamic::task& t : s.tasks) t.body = [](const int& in, int& out) { out = in + 1; };
  s.tasks[0].writes = {dynamic::use("s1", 1)};
  const st::advice found = advise(s);
  REQUIRE(best(s) == "1 copy of `s1` to spare");
  const st::priced_edit& edit = found.edits()[0];
  CHECK(edit.after.bytes == edit.before.bytes + 64);
  CHECK(edit.after.copies == edit.before.copies + 1);
  dynamic::pipeline pipeline(edit.edited);
  const std::vector<int> batches{1, 2, 3, 4};
  int next = 1;
  for (const dynamic::result& r : pipeline.run(batches)) CHECK(r.get<int>() == 3 + next++);
  CHECK(next == 5);
  CHECK(found.text().find("30 % less; 64 bytes more; a batch") != std::string::npos);
}

TEST_CASE("two edits that save something only together are one") {
  const st::advice found = advise(
      chain({{300, 0, "caller"}, {200, 0, "caller"}, {100, 0, "caller"}}), {.most_threads = 2});
  REQUIRE(!found.edits().empty());
  CHECK(found.edits()[0].what() == "`t1` on thread `t1`, `t1` at lookahead 1");
  CHECK(found.edits()[0].after.period.value() == 300);
}

TEST_CASE("what works ahead, or is on one stream, moves to a thread at once") {
  dynamic::schedule s = chain({{100, 1, "caller"},
                               {100, 1, "caller"},
                               {100, 1, "caller"},
                               {100, 0, "caller"},
                               {100, 0, "caller"},
                               {100, 0, "caller"}});
  CHECK(best(s, {.most_threads = 2}) == "`t1`, `t2`, `t3` on thread `t1`");
  s.streams = {"copy"};
  for (const std::size_t t : {0U, 1U, 2U}) {
    s.tasks[t].lookahead = 0;
    s.tasks[t].stream = "copy";
  }
  s.source.lookahead = 1;
  CHECK(best(s, {.most_threads = 2}) == "`t1`, `t2`, `t3` on thread `copy`");
}

TEST_CASE("a whole chain works ahead at once") {
  const dynamic::schedule s = chain({{300, 0, "a"}, {200, 0, "b"}, {300, 0, "c"}});
  CHECK(best(s) == "lookaheads as `pipelined` raises them");
  CHECK(has_edit(advise(s), "the source at lookahead 1"));
  CHECK(advise(s).edits()[0].after.period.value() == 300);
}

TEST_CASE("a source that takes long gets a thread") {
  dynamic::schedule s = chain({{100, 1, "a"}, {100, 0, "caller"}});
  s.source.weight = 300;
  CHECK(best(s) == "the source on thread `pull`");
  s.thread_names = {"a"};
  CHECK(best(s) == "`t2` on thread `t2`");
}

TEST_CASE("a task on a stream that is busy all the time moves to another one") {
  dynamic::schedule s = chain({{300, 1, ""}, {200, 1, ""}, {100, 0, ""}});
  s.streams = {"compute", "copy"};
  s.tasks[0].stream = s.tasks[1].stream = "compute";
  s.tasks[2].stream = "copy";
  CHECK(best(s) == "`t1` on stream `copy`, `t2` at lookahead 0");
}

TEST_CASE("tasks are laid out over a thread more") {
  dynamic::schedule s = chain({{300, 2, ""}, {300, 1, ""}, {300, 0, ""}});
  s.generated = 2;
  CHECK(best(s) == "tasks laid out over 3 threads");
}

TEST_CASE("where tasks wait for each other whatever is done, that is said") {
  const st::advice found = advise(feedback());
  CHECK(found.edits().empty());
  // One behind the other, two tasks take as long as one: they have to be side by side.
  REQUIRE(found.splits().size() == 3);
  for (const st::split_what_if& two : found.splits()) CHECK(two.side_by_side);
  CHECK(found.text() ==
        "a progress takes 600 at best: `t1` > `t2` > `t3` > `t1` 1 progress later, 600 in all\n"
        "no edit of the plan that was tried saves 2 %: the circle `t1` > `t2` > `t3` bounds, and "
        "only a shorter task of it helps\n"
        "what if `t3` were two tasks side by side, each half as long: a progress took 450\n"
        "what if `t2` were two tasks side by side, each half as long: a progress took 500\n"
        "what if `t1` were two tasks side by side, each half as long: a progress took 550\n");
}

TEST_CASE("what would help if a task were two is told apart, and only where no edit does it") {
  dynamic::schedule s = chain({{400, 1, "a"}, {100, 0, "caller"}});
  s.tasks[0].body = [kept = 0](const int& in, int& out) mutable { out = kept = in; };
  const st::advice found = advise(s);
  CHECK(found.edits().empty());
  REQUIRE(found.splits().size() == 1);
  CHECK(found.splits()[0].task == "t1");
  CHECK(found.splits()[0].period.value() == 200);
  CHECK(found.text().ends_with(
      "what if `t1` were two tasks, each half as long: a progress took 200\n"));
  s.tasks[0].body = {};  // workers do it, too
  CHECK(advise(s).splits().empty());
}

TEST_CASE("a task that would be two is on no more threads than there may be") {
  dynamic::schedule s = chain({{400, 0, "caller"}});
  s.tasks[0].body = [kept = 0](const int& in, int& out) mutable { out = kept = in; };  // no workers
  REQUIRE(advise(s).splits().size() == 1);
  CHECK(advise(s, {.most_threads = 2}).splits().size() == 1);
  CHECK(advise(s, {.most_threads = 1}).splits().empty());
}

TEST_CASE("two tasks side by side are on no stream, and on any other thread") {
  dynamic::schedule s = chain({{100, 1, "other"}, {300, 0, "caller"}});
  s.streams = {"one"};
  s.tasks[1].stream = "one";
  s.tasks[1].cross_iter_depends_on = {"t2"};
  const st::advice found = advise(s, {.most_threads = 2});
  INFO(found.text());
  REQUIRE(found.splits().size() == 1);
  CHECK(found.splits()[0].side_by_side);
  CHECK(found.splits()[0].period.value() == 250);
}

TEST_CASE("of a task that is two side by side, whoever waits for it waits for both") {
  dynamic::schedule s = feedback();
  s.orders = {{"t2", "t3"}};
  s.tasks[1].same_progress_sync = {"t1"};
  s.tasks[2].mutates = {"model"};
  s.tasks[2].observes = {"table"};
  s.tasks[1].observes = {"model"};
  const dynamic::schedule halves = st::advising::split_side_by_side(s, 2);
  CHECK_MESSAGE(dynamic::diagnose(halves).ok(), dynamic::diagnose(halves).sentences(halves)[0]);
  const auto& waits = halves.tasks[0].cross_iter_depends_on;
  REQUIRE(waits.size() == 2);
  CHECK(waits[0].task == "t3, first half");
  CHECK(waits[1].task == "t3, second half");
  CHECK(waits[1].batches == waits[0].batches);
  CHECK(halves.orders[0] == std::vector<std::string>{"t2", "t3, first half"});
  CHECK(halves.tasks[3].mutates == std::vector<std::string>{"model, other half"});
  CHECK(halves.tasks[3].observes == std::vector<std::string>{"table"});
  CHECK(halves.tasks[1].observes == std::vector<std::string>{"model", "model, other half"});
  CHECK(halves.results == std::vector<std::string>{"s3", "t3, other half"});
  const dynamic::schedule first = st::advising::split_side_by_side(s, 0);
  CHECK(first.tasks[2].reads.size() == s.tasks[1].reads.size() + 1);
  CHECK(first.tasks[2].same_progress_sync ==
        std::vector<std::string>{"t1, first half", "t1, second half"});
}

TEST_CASE("of a task that is two, whoever waits for it waits for its end") {
  dynamic::schedule s = feedback();
  s.orders = {{"t2", "t3"}};
  const dynamic::schedule halves = st::advising::split(s, 2);
  CHECK(dynamic::diagnose(halves).ok());
  CHECK(halves.tasks[0].cross_iter_depends_on[0].task == "t3, second half");
  CHECK(halves.orders[0] == std::vector<std::string>{"t2", "t3, first half", "t3, second half"});
  CHECK(halves.tasks[2].writes[0].slot == halves.tasks[3].reads.back().slot);
  CHECK(halves.tasks[3].writes[0].slot == "s3");
}

TEST_CASE("a serial plan has one answer") {
  dynamic::schedule s = chain({{300, 1, ""}, {200, 0, ""}});
  s.serial = true;
  CHECK(
      best(s) ==
      "a serial plan does one thing after the other: only a shorter task helps, or a plan that is "
      "not serial");
}

TEST_CASE("what takes no time cannot take less") {
  const st::advice found = advise(chain({{0, 1, "a"}, {0, 0, "caller"}}));
  CHECK(found.edits().empty());
  CHECK(found.why_none().empty());
  CHECK(found.text() == "a progress takes 0 at best\n");
}

TEST_CASE("a model that does not tell what was measured advises nothing") {
  const dynamic::schedule s = chain({{300, 1, "a"}, {300, 0, "a"}});
  CHECK(
      advise(s, {.measured_period = 640}).text() ==
      "modelled 600, measured 640: 6.3 % apart\n"
      "no advice: the model does not tell what this plan takes; given a `measured_run`, this says "
      "where it is wrong\n");
  CHECK(advise(s, {.measured_period = 640}).edits().empty());
  CHECK(advise(s, {.measured_period = 630})
            .text()
            .starts_with("modelled 600, measured 630: 4.8 % apart\na progress takes 600 at best"));
  CHECK(!advise(s, {.measured_period = 630}).edits().empty());
}

TEST_CASE("an edit after which a task sees another state of a resource is none") {
  // `t1` looks at what `t2` of the batch before has left. Further ahead it would look at less.
  dynamic::schedule s = chain({{300, 1, "a"}, {300, 1, "b"}, {10, 0, "caller"}});
  s.tasks[0].observes = {"state"};
  s.tasks[1].mutates = {"state"};
  s.tasks[0].cross_iter_depends_on = {"t2"};
  for (const st::priced_edit& e : advise(s).edits()) {
    const dynamic::planned_schedule after(e.edited);
    const auto& nodes = after.plan().resolved.nodes;
    CHECK(nodes[0].lookahead == nodes[1].lookahead);
  }
}

TEST_CASE("nor is one after which it is the other's turn first") {
  // `look` is before `change`, because that waits for `make`. If `make` were ahead, it would not.
  dynamic::schedule s;
  s.source.slot = "in";
  s.results = {"out"};
  s.tasks.resize(3);
  s.tasks[0].name = "change";
  s.tasks[0].reads = {"made"};
  s.tasks[0].writes = {"out"};
  s.tasks[0].mutates = {"state"};
  s.tasks[1].name = "look";
  s.tasks[1].reads = {"in"};
  s.tasks[1].observes = {"state"};
  s.tasks[2].name = "make";
  s.tasks[2].reads = {"in"};
  s.tasks[2].writes = {"made"};
  s.tasks[2].weight = s.tasks[0].weight = 300;
  s.tasks[0].thread = s.tasks[1].thread = "a";
  s.tasks[2].thread = "b";
  const auto looks_first = [](const dynamic::schedule& of) {
    const dynamic::planned_schedule p(of);
    const auto& order = p.plan().order;
    return std::find(order.begin(), order.end(), 1U) < std::find(order.begin(), order.end(), 0U);
  };
  REQUIRE(looks_first(s));
  dynamic::schedule ahead = s;
  ahead.at("make").lookahead = 1;
  REQUIRE(!looks_first(ahead));
  for (const st::priced_edit& e : advise(s).edits()) {
    CAPTURE(e.what());
    CHECK(looks_first(e.edited));
  }
}

TEST_CASE("costs that cannot be are refused") {
  CHECK_THROWS_AS(static_cast<void>(st::advise(dynamic::planned_schedule(sharing()), {{"t9", 1}})),
                  st::usage_error);
}

TEST_CASE("there is no advice on what differs by rank") {
  dynamic::schedule s = sharing();
  for (dynamic::task& t : s.tasks) t.role = "all of it";
  CHECK_THROWS_WITH_AS(static_cast<void>(advise(s)),
                       doctest::Contains("differs by rank, and advice is about one that all ranks "
                                         "run alike"),
                       st::usage_error);
}

TEST_CASE("threads that meet are advised on as such") {
  const dynamic::planned_schedule planned(chain({{300, 0, "a"}, {200, 0, "b"}}));
  const st::advice found = st::advise(planned, {}, {}, st::barrier{});
  CHECK(found.now().period.value() == 500);
  REQUIRE(!found.edits().empty());
  const dynamic::planned_schedule after(found.edits()[0].edited);
  CHECK(found.edits()[0].after.period == st::bound_of(after, {}, st::barrier{}).period());
}

TEST_CASE("quotients are compared exactly, however large they are") {
  using st::advising::detail::is_less;
  CHECK(is_less(1, 3, 1, 2));
  CHECK_FALSE(is_less(1, 2, 1, 3));
  CHECK_FALSE(is_less(2, 4, 1, 2));
  CHECK_FALSE(is_less(1, 2, 2, 4));
  CHECK(is_less(0, 5, 1, 1'000'000));
  CHECK_FALSE(is_less(0, 5, 0, 7));
  CHECK(is_less(7, 2, 11, 3));
  constexpr unsigned long long large = 1'000'000'000'000'000'003U;  // whose product has no type
  CHECK(is_less(large - 1, large, large, large + 1));
  CHECK_FALSE(is_less(large, large + 1, large - 1, large));
}

TEST_CASE("if asked, edits come in the order of what a byte brings") {
  struct large {
    std::byte all[4096];  // NOLINT(modernize-avoid-c-arrays)
  };
  dynamic::schedule s = chain({{300, 1, "a"}, {200, 1, "b"}, {350, 0, "caller"}});
  s.tasks[0].body = [](const large&, int& out) { out = 1; };
  s.tasks[1].body = [](const int& in, int& out) { out = in; };
  s.tasks[2].body = [](const int& in, int& out) { out = in; };
  const st::advice by_time = advise(s);
  const st::advice by_byte = advise(s, {.by = st::advice_order::gain_per_byte});
  const auto names_of = [](const st::advice& a) {
    std::vector<std::string> all;
    for (const st::priced_edit& e : a.edits()) all.push_back(e.what());
    return all;
  };
  const std::vector<std::string> first = names_of(by_time);
  const std::vector<std::string> second = names_of(by_byte);
  REQUIRE(first.size() >= 2);
  CHECK(first != second);
  CHECK(std::is_permutation(first.begin(), first.end(), second.begin(), second.end()));
  const auto more = [](const st::priced_edit& e) {
    return e.after.bytes > e.before.bytes ? static_cast<double>(e.after.bytes - e.before.bytes) : 0;
  };
  for (std::size_t i = 1; i < by_byte.edits().size(); ++i) {
    const st::priced_edit& before = by_byte.edits()[i - 1];
    const st::priced_edit& then = by_byte.edits()[i];
    if (more(before) == 0 && more(then) == 0) CHECK(before.gain() >= then.gain());
    if (more(before) == 0) continue;
    CHECK(more(then) > 0);
    CHECK(before.gain() / more(before) >= then.gain() / more(then) - 1e-12);
  }
  // What is asked about splits is the best time that edits come to, in whatever order they come.
  CHECK(by_byte.splits().size() == by_time.splits().size());
}
