// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The plans of the ranking example: whatever the threads, the losses are those of the serial plan.

#include <doctest/doctest.h>
#include <bit>
#include <vector>
#include "flights.hpp"
#include "schedule.hpp"
#include "small_flights.hpp"
#include "split.hpp"
#include "split_backward.hpp"

namespace {

using namespace ranking;
namespace st = stretto;

struct fixture {
  flight_file file = flight_file::parse("small.csv", small_flights(3000));
  split_rows rows = split_by_day(file);
  vocabulary words{file, rows.training};

  template <class Schedule, template <class...> class Trainer = pipelined::trainer>
  std::vector<std::uint32_t> losses(std::uint32_t cache_lines = 400) const {
    batch_source source(file, rows.training, 64, 2);
    learning how;
    how.batches = source.batches();
    pipelined::state state(words, how, cache_lines);
    Trainer<Schedule> trainer(state);
    std::vector<std::uint32_t> bits;
    for (const auto& yielded : trainer.pipeline.run(source))
      bits.push_back(std::bit_cast<std::uint32_t>(pipelined::report_of(yielded).loss));
    return bits;
  }
};

constexpr std::string_view alternating(const st::planner::task& t) {
  return t.id.text.size() % 2 == 0 ? "even" : "odd";
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "every thread map computes the serial plan's losses, bit for bit") {
  using pipelined::training;
  const auto serial = losses<pipelined::serial>();
  CHECK(serial.size() > 60);
  CHECK(losses<training>() == serial);
  CHECK(losses<st::replan<training, st::threads<st::on_caller>>>() == serial);
  CHECK(losses<st::replan<training, st::threads<st::by_stream>>>() == serial);
  CHECK(losses<st::replan<training, st::threads<st::per_task>>>() == serial);
  CHECK(losses<st::replan<training, st::threads<st::chosen_by<alternating>>>>() == serial);
}

TEST_CASE_FIXTURE(fixture, "backward in three tasks computes the same gradients, bit for bit") {
  using pipelined::split_trainer;
  using pipelined::split_training;
  const auto serial = losses<pipelined::serial>();
  CHECK(losses<split_training, split_trainer>() == serial);
  CHECK(losses<st::serial<split_training>, split_trainer>() == serial);
  CHECK(losses<st::replan<split_training, st::threads<st::per_task>>, split_trainer>() == serial);
}

TEST_CASE_FIXTURE(fixture, "the runtime version computes them, too") {
  using pipelined::dynamic_trainer;
  using pipelined::training;
  const auto serial = losses<pipelined::serial>();
  CHECK(losses<training, dynamic_trainer>() == serial);
  CHECK(losses<pipelined::serial, dynamic_trainer>() == serial);
  CHECK(losses<st::replan<training, st::threads<st::per_task>>, dynamic_trainer>() == serial);
}

TEST_CASE_FIXTURE(fixture, "so does a deeper lookahead, and a small cache that evicts") {
  using deeper =
      st::replan<pipelined::training, st::place<pipelined::h2d, st::lookahead<4>>,
                 st::source<pipelined::batch_text, st::lookahead<5>, st::thread<"reader">>>;
  const auto serial = losses<pipelined::serial>(320);
  CHECK(losses<deeper>(320) == serial);
  CHECK(st::in_flight<deeper> == 6);
}

TEST_CASE("the plan is the engine's: three batches in flight, two threads, two waits") {
  constexpr auto& plan = st::plan_of<pipelined::training>;
  CHECK(plan.in_flight() == 3);
  CHECK(plan.threads == 2);
  CHECK(plan.barrier.size() == 2);
  CHECK(st::copies_of<pipelined::training, pipelined::decoded> == 3);
  CHECK(st::copies_of<pipelined::training, pipelined::cached> == 2);
  CHECK(st::copies_of<pipelined::serial, pipelined::decoded> == 1);
}
