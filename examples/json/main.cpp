// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends pages of text through filters that a schedule file lists. Edit the file to move a filter to
// another thread, drop it, or add one; nothing is compiled anew. Two programs do that,
// with_stretto.cpp and by_hand.cpp; this one compares what comes out and how long it takes.
// `json` runs all files of chains/; `json FILE ROUNDS` runs one, that many times by each.
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include "compare.hpp"
#include "twins/alternate.hpp"

namespace {

constexpr std::size_t pages = 200;

filters::outcome compare(const std::string& file, std::size_t rounds) {
  filters::outcome piped;
  filters::outcome by_hand;
  const twins::times times = twins::alternate(
      rounds, [&] { piped = filters::run_stretto(file, pages); },
      [&] { by_hand = filters::run_by_hand(file, pages); });
  std::printf("%s\n", file.c_str());
  std::printf("  stretto  digest %016" PRIx64 ", %.3f ms per page\n", piped.digest,
              times.stretto / pages);
  std::printf("  by hand  digest %016" PRIx64 ", %.3f ms per page\n", by_hand.digest,
              times.twin / pages);
  std::printf("  stretto takes %.2f of the time\n", times.ratio());
  return piped == by_hand && piped.pages == pages ? piped : filters::outcome{};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = FILTER_CHAINS;
  try {
    if (argc > 1) {
      const std::size_t rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
      const bool same = compare(argv[1], rounds).pages == pages;
      std::printf("%s\n", same ? "the same text" : "THE TEXTS DIFFER");
      return same ? 0 : 1;
    }
    const filters::outcome one = compare(folder + "/one_thread.json", 1);
    const bool same = one.pages == pages && one == compare(folder + "/two_threads.json", 1) &&
                      one == compare(folder + "/thread_each.json", 1);
    std::printf("%s\n", same ? "the same text, whatever the threads" : "THE TEXTS DIFFER");
    return same ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "json: %s\n", e.what());
    return 1;
  }
}
