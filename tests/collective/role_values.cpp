// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules with roles that are values: the plans and results of types, ranks of both versions
// together, and what is refused.
#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stretto/dynamic.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#include "../support/role_job.hpp"
#include "ranks.hpp"

namespace st = stretto;
namespace local = stretto::local;
namespace dynamic = stretto::dynamic;
using role_job::job;
using role_job::results;

namespace {

constexpr std::chrono::minutes patience(2);
using value_pipeline = dynamic::pipeline<local::collectives>;

auto numbers(int batches) {
  return [next = 0, batches]() mutable {
    return next < batches ? std::optional(next++) : std::nullopt;
  };
}

/// The job as it would be written where there are no types.
dynamic::schedule written() {
  using sample = std::vector<double>;
  const role_job::decode decode{};
  dynamic::task spread = dynamic::transfer<sample>("sample", "reader", {"trainer", "keeper"}, 3);
  spread.thread = "net";
  return {.name = "job",
          .source = {.slot = "number"},
          .results = {"kept", "echoed"},
          .tasks = {{.name = "decode",
                     .thread = "io",
                     .lookahead = 4,
                     .role = "reader",
                     .reads = {"number"},
                     .writes = {"sample"},
                     .body = [decode](const st::task_context& ctx, int in,
                                      sample& out) { decode(ctx, in, out); }},
                    std::move(spread),
                    {.name = "train",
                     .lookahead = 2,
                     .role = "trainer",
                     .reads = {"sample"},
                     .writes = {"loss"},
                     .body =
                         [sum = 0.0](const sample& in, double& out) mutable {
                           for (const double x : in) sum += x * 0.1;
                           out = sum;
                         }},
                    dynamic::transfer<double>("loss", "trainer", {"keeper"}, 1),
                    {.name = "keep_it",
                     .thread = "io",
                     .lookahead = 1,
                     .role = "keeper",
                     .reads = {"loss", "sample"},
                     .writes = {"kept"},
                     .body = [](double in, const sample& of,
                                double& out) { out = in / (static_cast<double>(of.size()) + 3); }},
                    dynamic::transfer<double>("kept", "keeper", {"reader"}),
                    {.name = "echo",
                     .role = "reader",
                     .reads = {"kept", "number"},
                     .writes = {"echoed"},
                     .body = [](double in, int of, double& out) { out = in * of; }}}};
}

/// Three ranks, each of types or of values.
results on_ranks(const dynamic::schedule& whole, int batches, unsigned of_values) {
  results all;
  local::ranks there(3);
  ranks::each(3, [&](std::size_t r) {
    const local::rank here(there, r, patience);
    const bool value = (of_values >> r & 1U) != 0;
    if (r == 0 && value) {
      value_pipeline pipeline(dynamic::projection(whole, "reader"), here);
      for (const dynamic::result& result : pipeline.run(numbers(batches)))
        all.echoed.push_back(result.get<double>("echoed"));
    } else if (r == 0) {
      st::pipeline<st::projection<job, "reader">, local::collectives> pipeline(here);
      for (const auto& [kept, echoed] : pipeline.run(numbers(batches)))
        all.echoed.push_back(echoed);
    } else if (r == 1 && value) {
      value_pipeline pipeline(dynamic::projection(whole, "trainer"), here);
      std::size_t seen = 0;
      for ([[maybe_unused]] const dynamic::result& result : pipeline.run(st::follow())) ++seen;
      CHECK(seen == static_cast<std::size_t>(batches));
    } else if (r == 1) {
      st::pipeline<st::projection<job, "trainer">, local::collectives> pipeline(here);
      for ([[maybe_unused]] const auto& result : pipeline.run(st::follow())) continue;
    } else if (value) {
      value_pipeline pipeline(dynamic::projection(whole, "keeper"), here);
      for (const dynamic::result& result : pipeline.run(st::follow()))
        all.kept.push_back(result.get<double>());
    } else {
      st::pipeline<st::projection<job, "keeper">, local::collectives> pipeline(here);
      for (const double kept : pipeline.run(st::follow())) all.kept.push_back(kept);
    }
  });
  return all;
}

results alone(const dynamic::schedule& whole, int batches) {
  dynamic::pipeline<> pipeline(whole);
  results all;
  for (const dynamic::result& r : pipeline.run(numbers(batches))) {
    all.kept.push_back(r.get<double>("kept"));
    all.echoed.push_back(r.get<double>("echoed"));
  }
  return all;
}

std::string refusal(const std::function<void()>& make) {
  return ranks::thrown<std::exception>(make);
}
std::string planned(const dynamic::schedule& s) {
  return refusal([&] { const dynamic::planned_schedule p(s); });
}
std::string with(void (*change)(dynamic::schedule&)) {
  dynamic::schedule s = written();
  change(s);
  return planned(s);
}
bool tells(const std::string& text, std::string_view part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a schedule with roles has one plan, of types, made of them and written as a value") {
  const dynamic::schedule of_types = dynamic::from_types<job>();
  CHECK(dynamic::planned_schedule(of_types).fingerprint() == st::fingerprint<job>);
  CHECK(dynamic::planned_schedule(dynamic::outline<job>()).fingerprint() == st::fingerprint<job>);
  CHECK(dynamic::planned_schedule(written()).fingerprint() == st::fingerprint<job>);
  const auto part_of = [&](std::string_view role) {
    return dynamic::planned_schedule(dynamic::projection(of_types, role)).fingerprint();
  };
  CHECK(part_of("reader") == st::fingerprint<st::projection<job, "reader">>);
  CHECK(part_of("trainer") == st::fingerprint<st::projection<job, "trainer">>);
  CHECK(part_of("keeper") == st::fingerprint<st::projection<job, "keeper">>);
}

TEST_CASE("parts of serial and pipelined schedules are planned as those of types") {
  const auto compare = []<class Whole>(std::type_identity<Whole>) {
    const dynamic::schedule whole = dynamic::outline<Whole>();
    CHECK(dynamic::planned_schedule(whole).fingerprint() == st::fingerprint<Whole>);
    CHECK(dynamic::planned_schedule(dynamic::projection(whole, "reader")).fingerprint() ==
          st::fingerprint<st::projection<Whole, "reader">>);
    CHECK(dynamic::planned_schedule(dynamic::projection(whole, "trainer")).fingerprint() ==
          st::fingerprint<st::projection<Whole, "trainer">>);
  };
  compare(std::type_identity<st::serial<job>>());
  compare(std::type_identity<st::pipelined<job>>());
}

TEST_CASE("lookaheads that are raised are raised alike on all ranks") {
  const dynamic::schedule meal{
      .name = "meal",
      .source = {.slot = "number"},
      .tasks = {{.name = "peel",
                 .thread = "a",
                 .lookahead = 3,
                 .role = "kitchen",
                 .reads = {"number"},
                 .writes = {"cut"}},
                {.name = "cook",
                 .thread = "b",
                 .lookahead = 3,
                 .role = "kitchen",
                 .reads = {"cut"},
                 .writes = {"cooked"}},
                dynamic::transfer<int>("cooked", "kitchen", {"table"}, 2),
                {.name = "eat", .lookahead = 1, .role = "table", .reads = {"cooked"}}},
      .pipelined = true};
  const dynamic::planned_schedule whole(meal);
  const dynamic::schedule kitchen = dynamic::projection(meal, "kitchen");
  bool some = false;
  for (std::size_t t = 0; t < 3; ++t) {
    CHECK(kitchen.tasks[t].lookahead == whole.plan().resolved.nodes[t].lookahead);
    some = some || kitchen.tasks[t].lookahead > meal.tasks[t].lookahead;
  }
  CHECK(some);
  CHECK_FALSE(kitchen.pipelined);
  CHECK(dynamic::projection(meal, "table").source.lookahead == whole.plan().resolved.max_lookahead);
}

TEST_CASE("one rank alone runs a schedule with roles that is a value, bit by bit as types") {
  for (const int batches : {0, 1, 30}) {
    CHECK(alone(dynamic::from_types<job>(), batches) == role_job::on_one_rank(batches));
    CHECK(alone(written(), batches) == role_job::on_one_rank(batches));
  }
}

TEST_CASE("ranks of types and of values run one schedule together") {
  const results expected = role_job::on_one_rank(25);
  for (unsigned of_values = 0; of_values < 8; ++of_values) {
    CAPTURE(of_values);
    CHECK(on_ranks(written(), 25, of_values) == expected);
  }
}

TEST_CASE("what a rank runs may change its bodies and threads, and nothing that others count on") {
  dynamic::schedule part = dynamic::projection(written(), "keeper");
  CHECK(part.tasks.size() == 4);
  CHECK(part.results == std::vector<std::string>{"kept"});
  part.at("keep_it").thread = "another";
  part.at("keep_it").body = [](double in, const std::vector<double>&, double& out) { out = in; };
  CHECK(planned(part).empty());
  const auto changed = [&](const std::function<void(dynamic::schedule&)>& change) {
    dynamic::schedule s = part;
    change(s);
    return tells(planned(s),
                 "what a rank of role `keeper` runs is not its part of schedule `job` any more: "
                 "change the schedule of all ranks, and project that");
  };
  changed([](dynamic::schedule& s) { dynamic::remove_task(s, "kept_to_reader"); });
  changed([](dynamic::schedule& s) { s.at("keep_it").lookahead = 0; });
  changed([](dynamic::schedule& s) { s.source.collective = false; });
  changed([](dynamic::schedule& s) {
    s.orders.clear();
    s.at("loss_to_keeper").lookahead = 2;
  });
  part.role = "keepr";
  CHECK(tells(planned(part), "has role `keepr`; did you mean `keeper`?"));
  part.whole.clear();
  CHECK(tells(planned(part), "and does not say of which schedule"));
}

TEST_CASE("streams, threads, types and copies of what a rank has not are no part of it") {
  dynamic::schedule s = written();
  s.streams = {"copy"};
  s.at("echo").stream = "copy";
  s.thread_names = {"io", "net", "copy", "host"};
  s.slacks = {{"number", 1}, {"sample", 1}, {"echoed", 1}};
  s.slot<double>("echoed").slot<double>("loss");
  s.caller_runs = "copy";
  REQUIRE(planned(s) == "");
  const dynamic::schedule part = dynamic::projection(s, "trainer");
  CHECK(planned(part) == "");
  CHECK(part.streams.empty());
  CHECK(part.thread_names == std::vector<std::string>{"net", "host"});
  CHECK(part.caller_runs == "caller");
  CHECK(part.slacks.size() == 1);
  CHECK(part.types.size() == 2);  // one stands for the batches of others
  CHECK(planned(dynamic::projection(s, "keeper")) == "");
  const dynamic::schedule reader = dynamic::projection(s, "reader");
  CHECK(planned(reader) == "");
  CHECK(reader.streams == s.streams);
  CHECK(reader.caller_runs == "copy");
  CHECK(reader.slacks.size() == 3);
}

TEST_CASE("a projection is of the schedule of all ranks, for a role of it") {
  CHECK(refusal([] { dynamic::projection(written(), "trainr"); }) ==
        "no task of schedule `job` has role `trainr`; did you mean `trainer`?");
  CHECK(tells(
      refusal([] { dynamic::projection(dynamic::projection(written(), "reader"), "reader"); }),
      "schedule `job` is what a rank of role `reader` runs; project the schedule of all "
      "ranks, its `whole`"));
  CHECK(tells(refusal([] {
                dynamic::schedule s = written();
                s.at("train").reads = {"sampel"};
                dynamic::projection(s, "reader");
              }),
              "rule 5"));
}

TEST_CASE("what roles of values leave out is refused with the sentences of types") {
  CHECK(tells(with([](dynamic::schedule& s) { dynamic::remove_task(s, "loss_to_keeper"); }),
              "task `keep_it` of role `keeper` reads slot `loss`, but a rank of role `keeper` does "
              "not have it then: task `train` of role `trainer` writes it"));
  CHECK(tells(with([](dynamic::schedule& s) { s.at("sample_to_trainer").to = {"trainr"}; }),
              "transfer `sample_to_trainer` names role `trainr`, which no task has; did you mean "
              "`trainer`?"));
  CHECK(tells(with([](dynamic::schedule& s) { s.at("sample_to_trainer").communicator = "node"; }),
              "transfer `sample_to_trainer` names a communicator"));
  CHECK(tells(with([](dynamic::schedule& s) { s.at("echo").depends_on = {"train"}; }),
              "task `echo` of role `reader` depends on task `train` of role `trainer`"));
  CHECK(tells(with([](dynamic::schedule& s) {
                s.groups = {{"io", 1, 1}};
              }),
              "a schedule with roles has a queue or workers for a thread group"));
}

TEST_CASE("a transfer that is a value says who sends what to whom, and nothing else") {
  CHECK(
      tells(with([](dynamic::schedule& s) { s.at("sample_to_trainer").role.clear(); }),
            "task `sample_to_trainer` sends to other roles (its `to`) and does not say who sends"));
  CHECK(tells(
      with([](dynamic::schedule& s) { s.at("sample_to_trainer").reads = {"number"}; }),
      "task `sample_to_trainer` sends to other roles (its `to`), and so updates the one slot"));
  CHECK(tells(with([](dynamic::schedule& s) {
                s.at("sample_to_trainer").writes = {{"sample", 3}};
              }),
              "without an offset"));
  CHECK(tells(
      with([](dynamic::schedule& s) { s.at("sample_to_trainer").writes.clear(); }),
      "task `sample_to_trainer` sends to other roles (its `to`), and so updates the one slot"));
  CHECK(
      tells(with([](dynamic::schedule& s) {
              s.at("sample_to_trainer").body = [](std::vector<double>&) {};
            }),
            "task `sample_to_trainer` sends to other roles (its `to`) and has a body of its own"));
  CHECK(tells(with([](dynamic::schedule& s) { s.at("sample_to_trainer").to.clear(); }),
              "task `sample_to_trainer` has the body of a transfer (`sent`) and names nobody who "
              "receives"));
}

TEST_CASE("pipelines say what they need to run a schedule with roles, or a part of one") {
  local::ranks there(1);
  const auto made = [&](const dynamic::schedule& s) {
    return refusal([&] { const value_pipeline p(s, local::rank(there, 0)); });
  };
  CHECK(tells(made(written()),
              "has roles, so that with collectives each rank runs its own part: give the pipeline "
              "`stretto::dynamic::projection(schedule, \"role\")`"));
  CHECK(
      tells(refusal([] { const dynamic::pipeline<> p(dynamic::projection(written(), "reader")); }),
            "is what one rank of several runs, and needs collectives that send from role to "
            "role"));
  dynamic::schedule s = written();
  s.at("sample_to_trainer").body = {};
  CHECK(
      tells(made(dynamic::projection(s, "reader")),
            "task `sample_to_trainer` has no body: a transfer's is `stretto::dynamic::sent<T>()`"));
  s.at("sample_to_trainer").body = dynamic::sent<int>();
  CHECK(tells(made(dynamic::projection(s, "reader")), "slot `sample` is `"));

  dynamic::schedule owners{
      .name = "owners",
      .source = {.slot = "number"},
      .tasks = {{.name = "make",
                 .lookahead = 2,
                 .role = "maker",
                 .reads = {"number"},
                 .writes = {"owner"},
                 .body = [](int, std::unique_ptr<int>&) {}},
                dynamic::transfer<std::unique_ptr<int>>("owner", "maker", {"user"}, 1),
                {.name = "use",
                 .role = "user",
                 .reads = {"owner"},
                 .body = [](const std::unique_ptr<int>&) {}}}};
  CHECK(tells(made(dynamic::projection(owners, "user")),
              "transfer `owner_to_user` sends slot `owner` of type `"));
  CHECK(tells(made(dynamic::projection(owners, "maker")),
              "which cannot be copied and moved; ranks of one process send copies"));
}

TEST_CASE("who has the source and who follows cannot be mistaken for each other") {
  local::ranks there(3);
  value_pipeline reader(dynamic::projection(written(), "reader"), local::rank(there, 0));
  CHECK(tells(refusal([&] { static_cast<void>(reader.run(st::follow())); }),
              "`stretto::follow()` is for ranks whose role does not have the source, and this "
              "pipeline pulls batches into slot `number`: run with a source"));
  value_pipeline trainer(dynamic::projection(written(), "trainer"), local::rank(there, 1));
  CHECK(tells(refusal([&] { static_cast<void>(trainer.run(numbers(3))); }),
              "the ranks of role `trainer` do not have the source of schedule `job`: run with "
              "`stretto::follow()`"));
}

TEST_CASE("explanations tell who runs a task that not all ranks run, in both versions") {
  const std::string of_types = st::explain<job, role_job::decode, role_job::train>();
  CHECK(tells(of_types, "  `decode` is on ranks of role `reader`\n"));
  CHECK(tells(of_types, "  `train` is on ranks of role `trainer`\n"));
  CHECK(tells(of_types, "  (no rank has both: between them ranks wait in transfers)\n"));
  CHECK(tells(st::explain<job, role_job::spread, role_job::train>(1),
              "  `sample_to_trainer` is from role `reader` to `trainer` to `keeper`\n"));
  const dynamic::planned_schedule planned(written());
  CHECK(planned.explain("decode", "train") == of_types);
  CHECK(planned.explain("decode", "echo").find("no rank has both") == std::string::npos);
  CHECK(tells(planned.describe(), "from role reader to trainer to keeper"));
  CHECK(tells(st::describe<job>(), "from role reader to trainer to keeper"));
}
