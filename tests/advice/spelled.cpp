// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is advised, as code that compiles and as patches that apply: both are the plan promised.

#include <doctest/doctest.h>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <stretto/advice.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/dynamic/query/outline.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/schedule_file.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include "../bound/timed_plans.hpp"
#include "chains.hpp"

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using kind = st::plan_change::kind;
using changes = st::advising::changes;

namespace vision {

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct patch : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  static constexpr int weight = 300;
  using stream = st::stream<"copy">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  static constexpr int lookahead = 1;
  void operator()(int in, int& out) const { out = in; }
};
struct crop {
  static constexpr int weight = 200;
  using thread = st::thread<"cropper">;
  using reads = st::reads<image>;
  using writes = st::writes<patch>;
  static constexpr int lookahead = 1;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  static constexpr int weight = 350;
  static constexpr std::string_view name = "training step";
  using thread = st::thread<"caller">;
  using reads = st::reads<patch>;
  using writes = st::writes<loss>;
  int seen = 0;
  void operator()(int in, int& out) {
    out = in;
    ++seen;
  }
};
struct learning : st::schedule<st::source<file, st::weight<50>>, st::result<loss>,
                               st::streams<"copy", "compute">, decode, crop, train> {};
struct alone : st::replan<learning, st::place<decode, st::stream<"copy">, st::thread<"caller">>,
                          st::place<crop, st::thread<"caller">>> {};
struct on_caller : st::schedule<st::source<file>, st::result<image>, st::streams<"copy">, decode,
                                st::threads<st::on_caller>> {};
struct laid_out : st::schedule<st::source<file>, st::result<image>, st::streams<"copy">, decode,
                               st::threads<st::generated<1>>> {};

}  // namespace vision

namespace {

using namespace vision;

/// Whether changes of a schedule are spelled as a type whose plan is that of the changed schedule.
template <class Schedule, class Replanned>
void compare(const changes& all, std::string_view spelled) {
  CAPTURE(spelled);
  const dynamic::planned_schedule planned(dynamic::outline<Schedule>());
  const dynamic::schedule edited = st::advising::changed(planned.input(), all);
  CHECK(st::advising::as_replan(st::advising::spelling_of<Schedule>(planned), edited, all) ==
        spelled);
  CHECK(dynamic::planned_schedule(edited).fingerprint() == st::fingerprint<Replanned>);
}
#define COMPARE(schedule, edit, ...) \
  struct edit : __VA_ARGS__ {};      \
  compare<schedule, edit>

nlohmann::json as_json(const dynamic::schedule& s) {
  return nlohmann::json::parse(dynamic::to_json(s));
}
/// Whether a patch of a schedule's file makes it that of another.
void apply(const dynamic::schedule& s, const std::string& patch, const dynamic::schedule& edited) {
  CAPTURE(patch);
  const nlohmann::json patched = as_json(s).patch(nlohmann::json::parse(patch));
  const dynamic::schedule_file file(patched.dump());
  CHECK(file.ok());
  CHECK(dynamic::to_json(file.schedule()) == dynamic::to_json(edited));
}

}  // namespace

TEST_CASE("each change is code that plans what was promised") {
  COMPARE(learning, copy, st::replan<learning, st::slack<image>>)
  ({{kind::copies, "image", {}, 1}}, "st::replan<learning, st::slack<image>>");
  COMPARE(learning, copies, st::replan<learning, st::slack<image, 2>>)
  ({{kind::copies, "image", {}, 2}}, "st::replan<learning, st::slack<image, 2>>");
  COMPARE(learning, further, st::replan<learning, st::place<decode, st::lookahead<2>>>)
  ({{kind::lookahead, "decode", {}, 2}},
   "st::replan<learning, st::place<decode, st::lookahead<2>>>");
  COMPARE(learning, moved,
          st::replan<learning, st::place<decode, st::stream<"compute">, st::lookahead<2>>,
                     st::place<train, st::thread<"training step">>>)
  ({{kind::stream, "decode", "compute", 0},
    {kind::thread, "training step", "training step", 0},
    {kind::lookahead, "decode", {}, 2}},
   "st::replan<learning, st::place<decode, st::stream<\"compute\">, st::lookahead<2>>, "
   "st::place<train, st::thread<\"training step\">>>");
  COMPARE(learning, shared, st::replan<learning, st::workers<"cropper", 2>>)
  ({{kind::workers, "cropper", {}, 2}}, "st::replan<learning, st::workers<\"cropper\", 2>>");
  COMPARE(
      learning, pulled,
      st::replan<learning, st::source<file, st::lookahead<3>, st::thread<"pull">, st::weight<50>>>)
  ({{kind::source_thread, {}, "pull", 0}, {kind::source_lookahead, {}, {}, 3}},
   "st::replan<learning, st::source<file, st::lookahead<3>, st::thread<\"pull\">, "
   "st::weight<50>>>");
  COMPARE(learning, raised, st::replan<learning, st::pipelined<>>)
  ({{kind::pipelined, {}, {}, 0}}, "st::replan<learning, st::pipelined<>>");
  COMPARE(laid_out, wider, st::replan<laid_out, st::threads<st::generated<2>>>)
  ({{kind::generated, {}, {}, 2}}, "st::replan<laid_out, st::threads<st::generated<2>>>");
}

TEST_CASE("what is advised first, written into a program, takes what was promised") {
  const st::advice found = st::advise<learning>();
  REQUIRE(!found.edits().empty());
  CHECK(found.edits()[0].replan == "st::replan<learning, st::pipelined<>>");
  struct first : st::replan<learning, st::pipelined<>> {};
  CHECK(st::bound_of<first>().period() == found.edits()[0].after.period);
  CHECK(st::bound_of<first>().latency() == found.edits()[0].after.latency);
  CHECK(found.text().find("\n   st::replan<learning, st::pipelined<>>\n") != std::string::npos);

  const st::advice other = st::advise<alone>({{"decode", 100}}, {.most_threads = 2});
  REQUIRE(!other.edits().empty());
  CHECK(other.edits()[0].replan ==
        "st::replan<alone, st::source<file, st::thread<\"pull\">, st::weight<50>>, "
        "st::place<decode, st::thread<\"pull\">>, st::place<crop, st::thread<\"pull\">>>");
  struct second
      : st::replan<alone, st::source<file, st::thread<"pull">, st::weight<50>>,
                   st::place<decode, st::thread<"pull">>, st::place<crop, st::thread<"pull">>> {};
  CHECK(st::bound_of<second>({{"decode", 100}}).period() == other.edits()[0].after.period);
}

TEST_CASE("of types and of values the same is advised") {
  const st::advice types = st::advise<learning>({{"decode", 500}});
  const dynamic::planned_schedule planned(dynamic::from_types<learning>());
  const st::advice values = st::advise(planned, {{"decode", 500}});
  REQUIRE(types.edits().size() == values.edits().size());
  for (std::size_t i = 0; i < types.edits().size(); ++i) {
    CHECK(types.edits()[i].changes == values.edits()[i].changes);
    CHECK(types.edits()[i].after.bytes == values.edits()[i].after.bytes);
    CHECK(types.edits()[i].patch == values.edits()[i].patch);
    CHECK(values.edits()[i].replan.empty());
  }
}

TEST_CASE("workers are for who can be called by several, and where the schedule can have them") {
  for (const st::priced_edit& e : st::advise<learning>({{"training step", 3000}}).edits())
    for (const st::plan_change& c : e.changes) CHECK(c.what != kind::workers);
  for (const st::priced_edit& e : st::advise<on_caller>().edits())
    for (const st::plan_change& c : e.changes) CHECK(c.what != kind::workers);
}

TEST_CASE("a patch of the schedule's file makes it the edited one") {
  const dynamic::schedule s = dynamic::outline<learning>();
  changes all{{kind::copies, "image", {}, 1},         {kind::copies, "patch", {}, 2},
              {kind::lookahead, "decode", {}, 2},     {kind::thread, "crop", "an \"other\"\n", 0},
              {kind::stream, "decode", "compute", 0}, {kind::workers, "cropper", {}, 2},
              {kind::source_lookahead, {}, {}, 3},    {kind::source_thread, {}, "pull", 0},
              {kind::generated, {}, {}, 4},           {kind::pipelined, {}, {}, 0}};
  const dynamic::schedule edited = st::advising::changed(s, all);
  apply(s, st::advising::as_patch(edited, all), edited);
  // What is there already is put in place of.
  for (st::plan_change& c : all) ++c.number;
  dynamic::schedule queued = edited;
  queued.groups[0].queue = 3;
  const dynamic::schedule again = st::advising::changed(queued, all);
  CHECK(again.groups.size() == 1);
  CHECK(again.slacks.size() == 2);
  apply(queued, st::advising::as_patch(again, all), again);
}

TEST_CASE("so do the patches advised of random schedules") {
  std::size_t applied = 0;
  timed_plan::for_each(60, false, 11, [&](const timed_plan& p) {
    const dynamic::schedule s = dynamic::detail::outliner(p.declared).outline();
    if (!dynamic::diagnose(s).ok()) return;
    for (const st::priced_edit& e : st::advise(dynamic::planned_schedule(s)).edits()) {
      apply(s, e.patch, e.edited);
      ++applied;
    }
  });
  CHECK(applied > 20);
}
