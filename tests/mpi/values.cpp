// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules that were values from the beginning: what their bodies may ask for, the same plan as of
// types on other ranks, and what is refused.
#include <mpi.h>
#include <functional>
#include <recording/driver.hpp>
#include <span>
#include <stdexcept>
#include <stretto/device/backend.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <type_traits>
#include <vector>
#include "scenarios.hpp"

namespace scenarios {
namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace mpi = stretto::mpi;
namespace recording = stretto::testing::recording;

using context = st::context_of<st::no_device, mpi::collectives>;
using device = st::device::backend<recording::driver>;

constexpr std::size_t batches = 20;

void gather_all(const mpi::in_context& among, int in, std::vector<int>& out) {
  out.assign(static_cast<std::size_t>(among.ranks()), -1);
  among.all_gather(std::span(&in, 1), out);
}
void add_up(context& ctx, const std::vector<int>& in, long& out) {
  long mine = static_cast<long>(ctx.batch());
  for (const int i : in) mine += i;
  out = ctx.all_reduced(mine);
}

/// What each rank gives, and what comes of it where "node" is all ranks.
int given(std::size_t batch, int of_rank) { return value_of(batch, of_rank, 0); }
long expected(std::size_t batch) {
  long all = static_cast<long>(batch);
  for (int r = 0; r < ranks(); ++r) all += given(batch, r);
  return all * ranks();
}

struct number : st::slot<int> {};
struct all : st::slot<std::vector<int>> {};
struct sum : st::slot<long> {};

struct gather {
  using stream = st::stream<"exchange">;
  using communicator = st::communicator<"node">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  using writes = st::writes<all>;
  void operator()(const mpi::in_context& among, int in, std::vector<int>& out) const {
    gather_all(among, in, out);
  }
};
struct add {
  static constexpr bool collective = true;
  using reads = st::reads<all>;
  using writes = st::writes<sum>;
  void operator()(context& ctx, const std::vector<int>& in, long& out) const {
    add_up(ctx, in, out);
  }
};
struct summing : st::schedule<st::source<number>, st::result<sum>, st::streams<"exchange">,
                              st::agreed_end, gather, add> {};

/// The same, written as a value.
dynamic::schedule summing_value() {
  return {.name = "summing",
          .streams = {"exchange"},
          .source = {.slot = "number", .collective = true},
          .results = {"sum"},
          .tasks = {{.name = "gather",
                     .stream = "exchange",
                     .lookahead = 1,
                     .collective = true,
                     .communicator = "node",
                     .reads = {"number"},
                     .writes = {"all"},
                     .body = gather_all},
                    {.name = "add",
                     .collective = true,
                     .reads = {"all"},
                     .writes = {"sum"},
                     .body = add_up}}};
}

mpi::communicators world_and_node() {
  return {{"world", MPI_COMM_WORLD}, {"node", MPI_COMM_WORLD}};
}

std::vector<int> numbers(std::size_t count) {
  std::vector<int> made;
  for (std::size_t b = 0; b < count; ++b) made.push_back(given(b, rank()));
  return made;
}

template <class... Options>
void run_value(dynamic::schedule s, std::size_t mine = batches) {
  dynamic::pipeline<mpi::collectives, Options...> p(std::move(s), world_and_node());
  const std::vector<int> source = numbers(mine);
  for (int again = 0; again < 2; ++again) {
    std::size_t b = 0;
    for (const dynamic::result& r : p.run(source))
      expect(r.get<long>("sum") == expected(b++), "sum");
    expect(b == batches, "all ranks stop after as many batches", std::to_string(b));
    expect(p.report().end == st::run_end::completed, "the run is completed");
  }
}

/// What \p make throws of this type.
template <class Error>
std::string refusal(const std::function<void()>& make) {
  try {
    make();
  } catch (const Error& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another: ") + e.what();
  }
  return "nothing";
}
void expect_in(const std::string& seen, const std::string& wanted) {
  expect(seen.find(wanted) != std::string::npos, wanted.c_str(), seen);
}

template <class Run>
std::string mismatch_said_by(Run run) {
  try {
    run();
  } catch (const st::plan_mismatch_error& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another: ") + e.what();
  }
  return "nothing";
}

}  // namespace

void values() {
  // Each rank has another number of batches; one has the least.
  const std::size_t mine = batches + static_cast<std::size_t>((rank() + 1) % ranks());
  run_value(summing_value(), mine);
  run_value<st::barrier>(summing_value(), mine);
  run_value<st::timeline>(summing_value(), mine);
  dynamic::schedule in_turn = summing_value();
  in_turn.serial = true;
  run_value(in_turn, mine);

  dynamic::schedule by_name = summing_value();
  by_name.slot<std::vector<int>>("all").slot<long>("sum");
  by_name.at("add").body = [](context& ctx, dynamic::slot_access& slots) {
    add_up(ctx, slots.read<std::vector<int>>("all"), slots.write<long>("sum"));
  };
  // Where a communicator is no number, as it is in MPICH.
  if constexpr (std::is_pointer_v<MPI_Comm>)
    by_name.at("gather").body = [](MPI_Comm among, const int& in, std::vector<int>& out) {
      out.assign(static_cast<std::size_t>(ranks()), -1);
      mpi::checked(MPI_Allgather(&in, 1, MPI_INT, out.data(), 1, MPI_INT, among), "MPI_Allgather");
    };
  run_value(by_name, mine);

  // Where there is nothing to do together nobody asks for the others.
  if (rank() == 0) {
    dynamic::schedule alone = summing_value();
    alone.source.collective = false;
    for (dynamic::task& t : alone.tasks) {
      t.collective = false;
      t.communicator.clear();
    }
    alone.at("gather").body = [](int in, std::vector<int>& out) { out = {in}; };
    alone.at("add").body = [](const std::vector<int>& in, long& out) { out = in.front(); };
    dynamic::pipeline<mpi::collectives> p(alone, mpi::communicators{{"self", MPI_COMM_SELF}});
    std::size_t b = 0;
    for (const dynamic::result& r : p.run(numbers(3)))
      expect(r.get<long>() == given(b++, 0), "alone");
    expect(b == 3, "a rank by itself");
  }
}

void both_versions() {
  if (rank() % 2 == 1) return run_value(summing_value());
  st::pipeline<summing, mpi::collectives> p{world_and_node()};
  const std::vector<int> source = numbers(batches);
  for (int again = 0; again < 2; ++again) {
    std::size_t b = 0;
    for (const long total : p.run(source)) expect(total == expected(b++), "sum");
    expect(b == batches, "all batches");
  }
}

void other_values() {
  struct change {
    std::string found_at;
    std::function<void(dynamic::schedule&)> make;
  };
  const std::vector<change> changes{
      // Batches are pulled as far ahead, but that is not where they differ first.
      {"gather", [](dynamic::schedule& s) { s.at("gather").lookahead = 2; }},
      {"gather", [](dynamic::schedule& s) { s.at("gather").communicator = "world"; }}};
  const std::string others = ranks() == 2 ? "rank 0" : "ranks 0, 2 and 3";
  for (const change& c : changes) {
    std::string said;
    if (rank() == 1) {
      dynamic::schedule s = summing_value();
      c.make(s);
      said = mismatch_said_by([&] { run_value(s); });
    } else {
      st::pipeline<summing, mpi::collectives> p{world_and_node()};
      said = mismatch_said_by([&] {
        for ([[maybe_unused]] const long total : p.run(numbers(3))) {
        }
      });
    }
    expect_in(said, others + " and rank 1 run different plans: ");
    expect_in(said, "they differ in task `" + c.found_at +
                        "`: its lookahead, stream, role, communicator");
  }
}

void refused_values() {
  expect_in(refusal<dynamic::schedule_error>([] { dynamic::pipeline p(summing_value()); }),
            "task `gather` asks for `stretto::mpi::in_context`, but the pipeline is given no "
            "collectives: give it those as an option");
  expect_in(refusal<dynamic::schedule_error>([] {
              dynamic::schedule s = summing_value();
              s.at("add").collective = false;
              dynamic::pipeline<mpi::collectives> p(s, world_and_node());
            }),
            "task `add` asks for its communicator and is no collective: set its `collective`");
  expect_in(
      refusal<st::usage_error>([] { dynamic::pipeline<mpi::collectives> p(summing_value()); }),
      "task `gather` is a collective among the ranks of `node`, and no communicator of that "
      "name was passed");

  recording::world world;
  expect_in(refusal<st::usage_error>([&] {
              dynamic::pipeline<device, mpi::collectives> p(
                  summing_value(), recording::driver(world), world_and_node());
            }),
            "task `gather` is a collective of MPI, and those are host tasks where streams are a "
            "device's: leave out its stream, and have a task before it copy to pinned memory");
  {
    dynamic::schedule s = summing_value();
    s.at("gather").stream.clear();
    dynamic::pipeline<device, mpi::collectives> p(s, recording::driver(world), world_and_node());
    std::size_t b = 0;
    for (const dynamic::result& r : p.run(numbers(batches)))
      expect(r.get<long>() == expected(b++), "host tasks beside a device");
    expect(b == batches, "all batches beside a device");
  }
  for (const std::string& breach : world.breaches()) expect(false, "no breach", breach);
}

}  // namespace scenarios
