// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What collectives compute, in which order threads and ranks get to them, and an end agreed on.
#include <mpi.h>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <thread>
#include <vector>
#include "../support/tested.hpp"
#include "scenarios.hpp"

namespace scenarios {
namespace {

namespace st = stretto;
namespace mpi = stretto::mpi;

constexpr std::size_t batches = 40;

/// Lets ranks and threads drift apart, differently each time.
void dawdle(std::size_t batch, int part) {
  const auto mixed = (batch * 2654435761U + static_cast<unsigned>(rank() * 97 + part * 31)) % 7;
  if (mixed > 3) std::this_thread::sleep_for(std::chrono::microseconds(100 * (mixed - 3)));
}

/// Who was in a collective, in turn; and that nobody was at the same time.
struct logbook {
  std::vector<int> entries;
  std::atomic<int> inside{0};
  bool alone = true;

  template <class Body>
  void in(const auto& ctx, int part, const Body& body) {
    if (inside.fetch_add(1) != 0) alone = false;
    entries.push_back(static_cast<int>(ctx.batch()) * 10 + part);
    dawdle(ctx.batch(), part);
    body();
    inside.fetch_sub(1);
  }
  void compare() const {
    expect(alone, "one collective at a time");
    std::vector<int> first = entries;
    int length = static_cast<int>(entries.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect(static_cast<std::size_t>(length) == entries.size(), "as many collectives on all ranks");
    first.resize(static_cast<std::size_t>(length));
    MPI_Bcast(first.data(), length, MPI_INT, 0, MPI_COMM_WORLD);
    expect(first == entries, "the same order of collectives on all ranks");
  }
};

struct number : st::slot<int> {};
struct parts : st::slot<std::vector<int>> {};
struct started : st::slot<std::vector<int>> {};
struct pending : st::slot<MPI_Request> {};
struct sum : st::slot<long> {};
struct both : st::slot<std::vector<int>> {};

/// Two batches ahead, on a stream of its own: every rank's part for every other.
struct exchange {
  using stream = st::stream<"exchange">;
  static constexpr int lookahead = 2;
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  using writes = st::writes<parts>;
  logbook& log;
  void operator()(st::context auto& ctx, int, std::vector<int>& out) {
    log.in(ctx, 0, [&] {
      std::vector<int> mine;
      for (int r = 0; r < ranks(); ++r) mine.push_back(value_of(ctx.batch(), rank(), r));
      out.assign(mine.size(), -1);
      ctx.all_to_all(mine, out);
    });
  }
};

/// Begins in one task what another waits for.
struct begin_rest {
  using stream = st::stream<"rest">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  using writes = st::writes<started, pending>;
  logbook& log;
  void operator()(st::context auto& ctx, int, std::vector<int>& values, MPI_Request& request) {
    log.in(ctx, 1, [&] {
      values.assign(3, value_of(ctx.batch(), rank(), 0));
      mpi::checked(MPI_Iallreduce(MPI_IN_PLACE, values.data(), 3, MPI_INT, MPI_MAX,
                                  ctx.communicator(), &request),
                   "MPI_Iallreduce");
    });
  }
};
struct end_rest {
  using stream = st::stream<"rest">;
  static constexpr bool collective = true;
  using reads = st::reads<started, pending>;
  logbook& log;
  void operator()(st::context auto& ctx, const std::vector<int>& values, MPI_Request request) {
    log.in(ctx, 2, [&] { ctx.wait(request); });
    const int most = value_of(ctx.batch(), ranks() - 1, 0);
    expect(values == std::vector<int>(3, most), "begin and end of an all-reduce");
  }
};

struct add {
  static constexpr bool collective = true;
  using reads = st::reads<number, parts>;
  using writes = st::writes<sum>;
  logbook& log;
  void operator()(st::context auto& ctx, int in, const std::vector<int>& all, long& out) {
    for (int r = 0; r < ranks(); ++r)
      expect(all[static_cast<std::size_t>(r)] == value_of(ctx.batch(), r, rank()), "all-to-all");
    log.in(ctx, 3, [&] { out = ctx.all_reduced(static_cast<long>(in)); });
  }
};

/// Among the ranks whose numbers are as odd: another communicator.
struct in_pairs {
  using communicator = st::communicator<"half">;
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  using writes = st::writes<both>;
  logbook& log;
  void operator()(const mpi::in_context& ctx, int, std::vector<int>& out) {
    const std::size_t batch = log.entries.size();  // any number would do
    dawdle(batch, 4);
    const int mine = rank();
    out.assign(static_cast<std::size_t>(ctx.ranks()), -1);
    ctx.all_gather(std::span(&mine, 1), out);
    for (int i = 0; i < ctx.ranks(); ++i)
      expect(out[static_cast<std::size_t>(i)] == rank() % 2 + 2 * i, "all-gather of a half");
  }
};

/// Asks for no more than its communicator.
struct count {
  using communicator = st::communicator<"half">;
  static constexpr bool collective = true;
  using reads = st::reads<sum>;
  void operator()(MPI_Comm among, long) const {
    int size = 0;
    mpi::checked(MPI_Comm_size(among, &size), "MPI_Comm_size");
    expect(size == (ranks() + 1 - rank() % 2) / 2, "the communicator as a context");
  }
};

struct work : st::schedule<st::source<number>, st::result<sum>, st::streams<"exchange", "rest">,
                           exchange, begin_rest, end_rest, add, in_pairs, count> {};

mpi::communicators both_worlds(MPI_Comm half) {
  return {{"world", MPI_COMM_WORLD}, {"half", half}};
}

template <class Schedule, class... Options>
void run(MPI_Comm half) {
  logbook log;
  tested::pipeline<Schedule, mpi::collectives, Options...> p{
      exchange{log}, begin_rest{log}, end_rest{log}, add{log}, in_pairs{log}, both_worlds(half)};
  for (int again = 0; again < 2; ++again) {
    std::vector<int> source;
    for (std::size_t b = 0; b < batches; ++b) source.push_back(value_of(b, rank(), again));
    std::size_t b = 0;
    for (const long total : p.run(source)) {
      long wanted = 0;
      for (int r = 0; r < ranks(); ++r) wanted += value_of(b, r, again);
      expect(total == wanted, "all-reduce");
      ++b;
    }
    expect(b == batches, "a result for each batch");
  }
  expect(log.entries.size() == 2 * 4 * batches, "each collective once for each batch");
  log.compare();
}

MPI_Comm halves() {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, rank(), &half);
  return half;
}

struct item : st::slot<int> {};
struct total : st::slot<int> {};

struct ahead {
  static constexpr int lookahead = 2;
  static constexpr bool collective = true;
  using reads = st::reads<item>;
  void operator()(st::context auto& ctx, int) { ctx.barrier(); }
};
struct tally {
  using stream = st::stream<"tally">;
  static constexpr bool collective = true;
  using reads = st::reads<item>;
  using writes = st::writes<total>;
  void operator()(st::context auto& ctx, int in, int& out) { out = ctx.all_reduced(in); }
};
struct together : st::schedule<st::source<item>, st::result<total>, st::streams<"tally">,
                               st::agreed_end, ahead, tally> {};

}  // namespace

void results() {
  const MPI_Comm half = halves();
  run<st::serial<work>>(half);
  run<work>(half);
}

void order() {
  const MPI_Comm half = halves();
  run<work, st::barrier>(half);
}

void agreed() {
  tested::pipeline<together, mpi::collectives> p;
  for (const std::size_t least : {5U, 0U, 1U}) {
    // Each rank has another number of batches; rank 1 has the least.
    const std::size_t mine = least + static_cast<std::size_t>((rank() + ranks() - 1) % ranks());
    std::vector<int> source(mine, 1);
    std::size_t seen = 0;
    for (const int sum : p.run(source)) {
      expect(sum == ranks(), "all ranks take part");
      ++seen;
    }
    expect(seen == least, "all ranks stop after as many batches as the one with the least",
           std::to_string(seen));
    expect(p.report().end == st::run_end::completed, "the run is completed");
  }
}

}  // namespace scenarios
