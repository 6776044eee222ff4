// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All-reduces that are long enough to be made in parts, next to those that are not.
#include <mpi.h>
#include <cstddef>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <vector>
#include "../support/tested.hpp"
#include "scenarios.hpp"

namespace scenarios {
namespace {

namespace st = stretto;
namespace mpi = stretto::mpi;

struct length : st::slot<std::size_t> {};
struct first : st::slot<int> {};

/// Of an element's ranks.
int wanted(std::size_t i, MPI_Op op) {
  int all = op == MPI_PROD ? 1 : op == MPI_MIN ? std::numeric_limits<int>::max() : 0;
  for (int r = 0; r < ranks(); ++r) {
    const int mine = value_of(i % 7, r, 1) % 50 + 1;
    if (op == MPI_SUM) all += mine;
    if (op == MPI_PROD) all *= mine;
    if (op == MPI_MAX) all = mine > all ? mine : all;
    if (op == MPI_MIN) all = mine < all ? mine : all;
    if (op == MPI_BXOR) all ^= mine;
  }
  return all;
}
template <class Type>
std::vector<Type> mine(std::size_t length) {
  std::vector<Type> all(length);
  for (std::size_t i = 0; i < length; ++i)
    all[i] = static_cast<Type>(value_of(i % 7, rank(), 1) % 50 + 1);
  return all;
}
template <class Type>
void expect_all(const std::vector<Type>& got, MPI_Op op, const char* what) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != static_cast<Type>(wanted(i, op))) ++wrong;
  expect(wrong == 0, what, std::to_string(wrong) + " of " + std::to_string(got.size()));
}

/// Numbers whose sum depends on the order in which they are added up: all ranks must do it alike.
template <class Context>
void expect_alike(const Context& ctx, std::size_t length) {
  std::vector<float> values(length);
  for (std::size_t i = 0; i < length; ++i)
    values[i] = 1.F / static_cast<float>(i % 1000 + 3 + static_cast<std::size_t>(rank()) * 17);
  ctx.all_reduce(values);
  std::vector<float> roots = values;
  ctx.broadcast(roots, 0);
  expect(length == 0 || std::memcmp(values.data(), roots.data(), length * sizeof(float)) == 0,
         "sums are the same on all ranks, bit by bit");
}

struct add_up {
  static constexpr bool collective = true;
  using reads = st::reads<length>;
  using writes = st::writes<first>;
  void operator()(st::context auto& ctx, std::size_t n, int& out) const {
    for (const MPI_Op op : {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BXOR}) {
      std::vector<int> in_place = mine<int>(n);
      ctx.all_reduce(in_place, op);
      expect_all(in_place, op, "in place");
      const std::vector<int> in = mine<int>(n);
      std::vector<int> to(n, -1);
      ctx.all_reduce(in, to, op);
      expect_all(to, op, "from one memory to another");
      expect(in == mine<int>(n), "what is only read stays");
      if (n > 0) out = to[0];
    }
    std::vector<double> sums = mine<double>(n);
    ctx.all_reduce(sums);
    expect_all(sums, MPI_SUM, "of another type");
    expect_alike(ctx, n);
  }
};
struct sums : st::schedule<st::source<length>, st::result<first>, add_up> {};

struct throw_at {
  using reads = st::reads<length>;
  std::size_t batch;
  void operator()(const st::task_context& ctx, std::size_t) const {
    if (rank() == 1 && ctx.batch() == batch) throw std::runtime_error("no memory");
  }
};
struct average {
  static constexpr bool collective = true;
  using depends_on = st::depends_on<throw_at>;
  using reads = st::reads<length>;
  void operator()(st::context auto& ctx, std::size_t n) const {
    std::vector<float> values(n, 1);
    ctx.all_reduce(values);
  }
};
struct failing : st::schedule<st::source<length>, throw_at, average> {};

/// What MPI does not define.
struct and_floats {
  static constexpr bool collective = true;
  using reads = st::reads<length>;
  void operator()(st::context auto& ctx, std::size_t n) const {
    std::vector<float> values(n);
    ctx.all_reduce(values, MPI_BAND);
  }
};
struct impossible : st::schedule<st::source<length>, and_floats> {};

/// What a task's error says.
template <class Pipeline>
std::string said(Pipeline& p, const std::vector<std::size_t>& lengths) {
  try {
    for ([[maybe_unused]] const auto& b : p.run(lengths)) continue;
  } catch (const st::task_error& e) {
    try {
      e.rethrow_nested();
    } catch (const std::exception& original) {
      return original.what();
    }
  }
  return "nothing";
}

}  // namespace

void long_sums() {
  tested::pipeline<sums, mpi::collectives> p;
  const std::vector<std::size_t> lengths{0, 1, 1000, 16'384, 65'536, 100'003, 1'000'003, 65'537};
  std::size_t seen = 0;
  for (const int all : p.run(lengths)) {
    expect(lengths[seen] == 0 || all == wanted(0, MPI_BXOR), "the result");
    ++seen;
  }
  expect(seen == lengths.size(), "a result for each batch");
}

void long_sum_fails() {
  tested::pipeline<failing, mpi::collectives> p{throw_at{3}};
  const std::string seen = said(p, std::vector<std::size_t>(6, 1'000'003));
  expect(seen ==
             (rank() == 1 ? "no memory" : "rank 1 failed at task `throw_at` on batch 3: no memory"),
         "a rank that does not come to a long sum", seen);
}

void long_bits_of_floats() {
  tested::pipeline<impossible, mpi::collectives> p;
  const std::string seen = said(p, {1'000'003});
  expect(seen.find("MPI_Iallreduce failed: ") != std::string::npos, "MPI's error", seen);
}

}  // namespace scenarios
