// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mpiexec -n 2 benchmark_mpi [rounds]: an all-reduce per batch, of 1 MB and of 64 MB, by a task of
// Stretto's and by MPI_Allreduce in a loop. Both sides run in the same processes, in turn. Rank 0
// prints one JSON object: microseconds per batch, a value per round, by length and side.
#include <mpi.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <ranges>
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <vector>
#include "../common/clock.hpp"

namespace {

namespace st = stretto;

using numbers = std::vector<float>;

struct number : st::slot<std::size_t> {};

struct add_up {
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  numbers& values;
  void operator()(st::context auto& ctx, std::size_t) const { ctx.all_reduce(values); }
};
struct work : st::schedule<st::source<number>, st::threads<st::on_caller>, add_up> {};
using pipeline = st::pipeline<work, st::mpi::collectives>;

int rank() {
  int n = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &n);
  return n;
}

/// Times of a round, of which the first warms up.
class stamps {
 public:
  explicit stamps(std::size_t batches) { at_.reserve(batches + 1), now(); }
  void now() { at_.push_back(benchmarks::nanoseconds()); }
  double median() const {
    std::vector<double> took;
    for (std::size_t i = 2; i < at_.size(); ++i)
      took.push_back(static_cast<double>(at_[i] - at_[i - 1]) / 1000);
    std::sort(took.begin(), took.end());
    return took[took.size() / 2];
  }

 private:
  std::vector<std::int64_t> at_;
};

double by_hand(numbers& values, std::size_t batches) {
  MPI_Barrier(MPI_COMM_WORLD);
  stamps taken(batches);
  for (std::size_t b = 0; b < batches; ++b) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
    taken.now();
  }
  return taken.median();
}

double by_stretto(pipeline& p, std::size_t batches) {
  MPI_Barrier(MPI_COMM_WORLD);
  stamps taken(batches);
  for ([[maybe_unused]] const std::size_t b : p.run(std::views::iota(std::size_t{0}, batches)))
    taken.now();
  return taken.median();
}

struct sides {
  const char* name;
  std::size_t length;   ///< in floats
  std::size_t batches;  ///< in a round
  std::vector<double> stretto{};
  std::vector<double> hand{};
};

/// Ranks have x and -x: the sum is nought, which stays so however often it is added up.
void fill(numbers& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i % 1000 + 1) * (rank() == 0 ? 1.F : -1.F);
}
void expect_zeros(const numbers& values, const char* side) {
  if (std::ranges::all_of(values, [](float v) { return v == 0; })) return;
  std::fprintf(stderr, "%s does not add up\n", side);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void measure(sides& s, std::size_t rounds) {
  numbers values(s.length);
  pipeline p{add_up{values}};
  for (std::size_t round = 0; round <= rounds; ++round) {  // the first one warms up
    fill(values);
    const double hand = by_hand(values, s.batches);
    expect_zeros(values, "MPI_Allreduce");
    fill(values);
    const double stretto = by_stretto(p, s.batches);
    expect_zeros(values, "all_reduce");
    if (round == 0) continue;
    s.hand.push_back(hand);
    s.stretto.push_back(stretto);
  }
}

void print(const char* name, const char* side, const std::vector<double>& times, const char* end) {
  std::printf("\"%s_%s\": [", name, side);
  for (std::size_t i = 0; i < times.size(); ++i)
    std::printf("%s%.2f", i == 0 ? "" : ", ", times[i]);
  std::printf("]%s", end);
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  const std::size_t rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 15;
  std::vector<sides> all{{"1mb", std::size_t{1} << 18U, 100}, {"64mb", std::size_t{1} << 24U, 6}};
  try {
    for (sides& s : all) measure(s, rounds);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank() == 0) {
    std::printf("{");
    for (const sides& s : all) {
      print(s.name, "us", s.stretto, ", ");
      print(s.name, "by_hand_us", s.hand, &s == &all.back() ? "}\n" : ", ");
    }
  }
  MPI_Finalize();
}
