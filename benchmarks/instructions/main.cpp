// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One sequential run of N batches, for `valgrind --tool=callgrind` to count: see
// callgrind.py.

#include <cstdio>
#include <cstdlib>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <string_view>
#include "../fourteen/by_hand.hpp"
#include "../fourteen/source.hpp"
#include "../fourteen/table.hpp"
#include "../fourteen/work.hpp"

namespace {

using namespace benchmarks;
using pipeline = fourteen<work::nothing>;

// Each in a function of its own, so that they are optimised apart from each other.

[[gnu::noinline]] void by_hand_sequential(std::size_t batches) {
  by_hand::sequential<pipeline>(counted(batches), [](value& r) { work::nothing::task<14>(r); });
}

[[gnu::noinline]] void stretto_sequential(std::size_t batches) {
  st::pipeline<pipeline::sequential> sequential;
  for (value& r : sequential.run(counted(batches))) work::nothing::task<14>(r);
}

[[gnu::noinline]] void dynamic_sequential(std::size_t batches) {
  st::dynamic::pipeline sequential(st::dynamic::from_types<pipeline::sequential>());
  for (const st::dynamic::result& r : sequential.run(counted(batches)))
    work::nothing::task<14>(r.get<value>());
}

[[gnu::noinline]] void table_sequential(std::size_t batches) {
  table<pipeline>().run(counted(batches), [](value& r) { work::nothing::task<14>(r); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) {
    const std::string_view variant = argv[1];
    const std::size_t batches = std::strtoul(argv[2], nullptr, 10);
    if (variant == "by_hand") return by_hand_sequential(batches), 0;
    if (variant == "stretto") return stretto_sequential(batches), 0;
    if (variant == "dynamic") return dynamic_sequential(batches), 0;
    if (variant == "table") return table_sequential(batches), 0;
  }
  std::fputs("usage: instructions by_hand|stretto|dynamic|table BATCHES\n", stderr);
  return 2;
}
