// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each rank says when one of them cannot go on.
#include <mpi.h>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <vector>
#include "../support/tested.hpp"
#include "scenarios.hpp"

namespace scenarios {
namespace {

namespace st = stretto;
namespace mpi = stretto::mpi;

struct number : st::slot<int> {};
struct prepared : st::slot<int> {};
struct sum : st::slot<int> {};

using trap = std::function<void(const mpi::in_context*, std::size_t batch)>;

/// On a thread of its own, one batch ahead; a collective, too.
struct prepare {
  using stream = st::stream<"prepare">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  using writes = st::writes<prepared>;
  trap in_prepare;
  void operator()(st::context auto& ctx, int in, int& out) {
    if (in_prepare) in_prepare(&ctx, ctx.batch());
    out = ctx.all_reduced(in);
  }
};
struct add {
  using stream = st::stream<"add">;
  static constexpr bool collective = true;
  using reads = st::reads<prepared>;
  using writes = st::writes<sum>;
  trap in_add;
  void operator()(st::context auto& ctx, int in, int& out) {
    if (in_add) in_add(&ctx, ctx.batch());
    out = ctx.all_reduced(in);
  }
};
/// No collective, on a thread of its own, far ahead.
struct fetch {
  using stream = st::stream<"fetch">;
  static constexpr int lookahead = 2;
  using reads = st::reads<number>;
  trap in_fetch;
  void operator()(const st::task_context& ctx, int) {
    if (in_fetch) in_fetch(nullptr, ctx.batch());
  }
};
/// No collective.
struct look {
  using reads = st::reads<sum>;
  trap in_look;
  void operator()(const st::task_context& ctx, int) {
    if (in_look) in_look(nullptr, ctx.batch());
  }
};

struct training : st::schedule<st::source<number>, st::result<sum>,
                               st::streams<"prepare", "add", "fetch">, prepare, add, look, fetch> {
};

struct deeper_prepare : prepare {
  static constexpr std::string_view name = "prepare";
  static constexpr int lookahead = 2;
};
struct other_training : st::schedule<st::source<number>, st::result<sum>,
                                     st::streams<"prepare", "add">, deeper_prepare, add, look> {};

using pipeline = tested::pipeline<training, mpi::collectives>;

/// What a run says that fails; the error itself, inside of the task's, to \p inner.
template <class Inner, class Run>
std::string said(const Run& run, const std::function<void(const Inner&)>& inner = nullptr) {
  try {
    run();
  } catch (const st::task_error& e) {
    try {
      e.rethrow_nested();
    } catch (const Inner& original) {
      if (inner) inner(original);
      return original.what();
    } catch (const std::exception& original) {
      return std::string("another: ") + original.what();
    }
  } catch (const Inner& e) {
    if (inner) inner(e);
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another: ") + e.what();
  }
  return "nothing";
}

template <class Pipeline>
void run_all(Pipeline& p, std::size_t batches) {
  std::vector<int> source(batches, 1);
  for (const int sum : p.run(source))
    expect(sum == ranks() * ranks(), "sums until then", std::to_string(sum));
}

void expect_refusal(pipeline& p) {
  p.reset();
  const std::string text = said<st::usage_error>([&] { run_all(p, 3); });
  expect(text.find("a run over these communicators failed") == 0, "no run after a failure", text);
}

void expect_text(const std::string& seen, const std::string& wanted) {
  expect(seen == wanted, wanted.c_str(), seen);
}

}  // namespace

void throws() {
  pipeline p{look{[](auto*, std::size_t batch) {
    if (rank() == 1 && batch == 3) throw std::runtime_error("disk full");
  }}};
  if (rank() == 1) {
    expect_text(said<std::runtime_error>([&] { run_all(p, 50); }), "disk full");
    expect(p.report().failures.front().task == "look", "the task that threw comes first");
  } else {
    expect_text(said<st::peer_error>([&] { run_all(p, 50); },
                                     [](const st::peer_error& e) {
                                       expect(e.rank() == 1 && e.task() == "look" && e.batch() == 3,
                                              "rank, task and batch");
                                     }),
                "rank 1 failed at task `look` on batch 3: disk full");
  }
  expect_refusal(p);
}

void throws_meanwhile() {
  // Rank 1's `add` waits for rank 0, which holds back, when its `fetch` throws.
  std::atomic<bool> waiting{false};
  pipeline p{add{[&](auto*, std::size_t batch) {
               if (batch != 2) return;
               waiting = rank() == 1;
               if (rank() == 0)
                 MPI_Recv(nullptr, 0, MPI_BYTE, 1, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
             }},
             fetch{[&](auto*, std::size_t batch) {
               if (rank() != 1 || batch != 4) return;
               while (!waiting) std::this_thread::yield();
               throw std::runtime_error("no such file");
             }}};
  if (rank() != 1) {
    return expect_text(said<st::peer_error>([&] { run_all(p, 50); }),
                       "rank 1 failed at task `fetch` on batch 4: no such file");
  }
  expect_text(said<std::runtime_error>([&] { run_all(p, 50); }), "no such file");
  expect(p.report().failures.size() == 1, "that a task left its wait is no failure");
  MPI_Send(nullptr, 0, MPI_BYTE, 0, 77, MPI_COMM_WORLD);
  expect_refusal(p);
}

void throws_inside() {
  pipeline p{prepare{[](auto*, std::size_t batch) {
    if (rank() == 0 && batch == 7) throw std::runtime_error("no memory");
  }}};
  if (rank() == 0) {
    expect_text(said<std::runtime_error>([&] { run_all(p, 50); }), "no memory");
  } else {
    expect_text(said<st::peer_error>([&] { run_all(p, 50); }),
                "rank 0 failed at task `prepare` on batch 7: no memory");
  }
  expect_refusal(p);
}

void stalls() {
  // Rank 1 does nothing on batch 4 until the others have given up on it; then it sees that. If
  // something else took as long as the timeout all try a longer one.
  for (int seconds = 4;; seconds *= 2) {
    const int tag = 77 + seconds;
    MPI_Barrier(MPI_COMM_WORLD);
    pipeline p{prepare{[tag](auto*, std::size_t batch) {
                 if (rank() != 1 || batch != 4) return;
                 for (int r = 0; r < ranks(); ++r)
                   if (r != 1)
                     MPI_Recv(nullptr, 0, MPI_BYTE, r, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
               }},
               mpi::timeout(std::chrono::seconds(seconds))};
    // Whoever is first past its timeout tells the others, who may not be past theirs.
    const std::string text = said<st::peer_error>([&] { run_all(p, 50); });
    if (rank() != 1) MPI_Send(nullptr, 0, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
    const std::string wanted = "task `prepare` on batch 4, did not complete within " +
                               std::to_string(seconds) + " s: a rank is stuck, or gone";
    const int mine = text.find(wanted) != std::string::npos ? 1 : 0;
    int all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all == 0 && seconds < 64) continue;
    expect(mine == 1, "the timeout names ticket, task and batch", text);
    if (rank() == 1)
      expect(text.find("rank ") == 0 &&
                 text.find(" failed at task `prepare` on batch 4: ticket ") != std::string::npos,
             "the stalled rank hears that it was given up", text);
    return;
  }
}

void mismatch() {
  std::string text;
  if (rank() == 1) {
    tested::pipeline<other_training, mpi::collectives> p;
    text = said<st::plan_mismatch_error>([&] { run_all(p, 3); });
  } else {
    pipeline p;
    text = said<st::plan_mismatch_error>([&] { run_all(p, 3); });
  }
  const std::string others = ranks() == 2 ? "rank 0" : "ranks 0, 2 and 3";
  expect(text.find(others + " and rank 1 run different plans: ") == 0, "which ranks", text);
  expect(text.find("task `") != std::string::npos, "which task", text);
}

void unequal() {
  pipeline p;
  const std::string text = said<st::batch_count_error>(
      [&] { run_all(p, rank() == 1 ? 9 : 12); },
      [](const st::batch_count_error& e) {
        expect(e.ended() == 1 && e.batches() == 9 && e.other() != 1, "who ended, and who went on");
      });
  expect(text.find("rank 1 ended after 9 batches, but rank ") == 0, "unequal batches", text);
  expect_refusal(p);
}

void left() {
  pipeline p;
  std::vector<int> source(50, 1);
  const std::string text = said<st::peer_error>([&] {
    std::size_t seen = 0;
    for ([[maybe_unused]] const int sum : p.run(source))
      if (++seen == 5 && rank() == 1) break;
  });
  if (rank() == 1) return expect_text(text, "nothing");
  expect(text.find("rank 1 left its run after ") == 0, "who left", text);
}

void mpi_error() {
  pipeline p{prepare{[](const mpi::in_context* ctx, std::size_t batch) {
    int value = 0;
    if (batch == 2) ctx->broadcast(std::span(&value, 1), 1000);
  }}};
  const std::string text = said<mpi::error>([&] { run_all(p, 5); });
  // A rank may hear of another's error before it makes its own.
  expect(text.find("MPI_Ibcast failed: ") != std::string::npos, "MPI's error is one here", text);
}

void dies() {
  pipeline p{look{[](auto*, std::size_t batch) {
    if (rank() != 1 || batch != 3) return;
    std::printf("rank 1 dies\n");
    std::fflush(stdout);
    std::raise(SIGKILL);
  }}};
  run_all(p, 50);
  std::printf("rank %d survived\n", rank());
  std::fflush(stdout);
}

void misuse() {
  const std::string no_world = said<st::usage_error>([] {
    pipeline p{mpi::communicators{{"all", MPI_COMM_WORLD}}};
  });
  expect(no_world.find("task `prepare` is a collective among the ranks of `world`, and no "
                       "communicator of that name was passed") == 0,
         "a communicator that was not passed", no_world);
  const std::string none = said<st::usage_error>(
      [] { pipeline p{mpi::communicators(std::initializer_list<mpi::communicators::named>{})}; });
  expect(none.find("mpi::communicators is empty") == 0, "no communicators", none);

  const std::vector<int> in(3);
  std::vector<int> out(4);
  pipeline p{prepare{[&](const mpi::in_context* ctx, std::size_t) { ctx->all_reduce(in, out); }}};
  const std::string lengths = said<st::usage_error>([&] { run_all(p, 1); });
  expect(
      lengths == "all_reduce: in and out differ in length" || lengths.find("another: rank ") == 0,
      "lengths that do not fit", lengths);
}

void single_thread() {
  int level = 0;
  MPI_Query_thread(&level);
  if (level >= MPI_THREAD_SERIALIZED) return;  // it gives more than it was asked for
  const std::string text = said<st::usage_error>([] { pipeline p; });
  expect(
      text.find("initialise it by MPI_Init_thread with MPI_THREAD_SERIALIZED") != std::string::npos,
      "too few threads allowed", text);
  tested::pipeline<st::serial<training>, mpi::collectives> p;
  run_all(p, 5);
}

}  // namespace scenarios
