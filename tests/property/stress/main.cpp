// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random pipelines under random delays and faults, again and again: results, order and reports are
// checked, hangs noticed, and memory must be the same after each round, to the byte.
//
//   stress [--rounds N | --seconds N] [--seed N]

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#include "../../behaviour/execute/deadline.hpp"
#include "../../support/seed.hpp"
#include "memory.hpp"
#include "seeds.hpp"
#include "subject.hpp"

namespace stress {

run_state state;

/// Takes its time now and then, up to 3 ms, and does what the run is disturbed by.
void disturb(std::size_t node, std::size_t batch) {
  dice d(state.seed ^ (node << 20U) ^ batch);
  if (d.one_in(100)) std::this_thread::sleep_for(std::chrono::microseconds(d.below(3000)));
  if (state.planned.node != node || state.planned.batch != batch) return;
  if (state.planned.what == fault::exception) {
    probing::current->fail_on(batch);
    throw planned_fault();
  }
  state.requested.store(true, std::memory_order_release);
}

interrupting::interruption interrupted(std::size_t node, std::size_t batch, std::size_t time) {
  return interrupting::interruption(state.seed ^ (node << 20U) ^ (time << 30U) ^ batch);
}

namespace {

struct arguments {
  std::uint64_t rounds = 2;
  std::uint64_t seconds = 0;  ///< instead of rounds
  std::uint64_t seed = seeds::first(1);
};

/// Each pipeline of `all` once more. False, having said why, if anything is wrong.
bool exercise(const std::vector<std::unique_ptr<subject>>& all, std::uint64_t seed,
              std::string_view which) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t draw = (seed << 16U) + i;
    const run_plan planned(draw, all[i]->nodes(), all[i]->sleeps() ? 16 : 3);
    const std::string wrong = all[i]->exercise(planned);
    if (wrong.empty()) continue;
    std::printf("%s (%.*s), seed %llu, disturbance %d at node %zu, batch %zu of %zu:\n%s",
                all[i]->name().c_str(), static_cast<int>(which.size()), which.data(),
                static_cast<unsigned long long>(seed), static_cast<int>(planned.planned.what),
                planned.planned.node, planned.planned.batch, planned.batches, wrong.c_str());
    return false;
  }
  return true;
}

std::vector<std::unique_ptr<subject>> made(const std::vector<maker>& makers) {
  std::vector<std::unique_ptr<subject>> all;
  for (const maker make : makers) all.push_back(make(0));
  return all;
}

bool run(const arguments& a) {
  const std::vector<maker> makers = all_makers();
  // Some pipelines live all the time, others are made for each round.
  const auto old = made(makers);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(a.seconds);
  std::uint64_t round = 0;
  std::size_t live = 0;
  std::size_t resident = 0;
  for (; a.seconds != 0 ? std::chrono::steady_clock::now() < end : round < a.rounds; ++round) {
    const deadline limit("a round of random runs", std::chrono::seconds(240));
    if (!exercise(old, a.seed + round, "old")) return false;
    if (!exercise(made(makers), a.seed + round, "new")) return false;
    const std::size_t now = memory::live_bytes();
    if (round == 0) live = now;  // what is made once is there from now on
    if (now != live) {
      std::printf("round %llu leaves %zu bytes, the first left %zu\n",
                  static_cast<unsigned long long>(round), now, live);
      return false;
    }
    // The C library's heap and the stacks that it keeps take a while to settle.
    if (round < 5) continue;
    const std::size_t pages = memory::resident_bytes();
    if (round < 20) {
      resident = std::max(resident, pages);
    } else if (memory::counts_pages && pages > resident + (std::size_t{1} << 20U)) {
      std::printf("%zu bytes are resident after round %llu, %zu at most in the first 20\n", pages,
                  static_cast<unsigned long long>(round), resident);
      return false;
    }
  }
  std::printf("%llu rounds of %zu pipelines, old and new, each disturbed and not: nothing wrong; ",
              static_cast<unsigned long long>(round), makers.size());
  std::printf("%zu bytes live after each; %zu resident\n", live, memory::resident_bytes());
  return true;
}

}  // namespace
}  // namespace stress

int main(int argc, char** argv) {
  stress::arguments a;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--rounds") a.rounds = number;
    if (name == "--seconds") a.seconds = number;
    if (name == "--seed") a.seed = number;
  }
  seeds::print(a.seed, a.seconds != 0 ? a.seconds : a.rounds, a.seconds != 0 ? "seconds" : "rounds",
               argc, argv);
  return stress::run(a) ? 0 : 1;
}
