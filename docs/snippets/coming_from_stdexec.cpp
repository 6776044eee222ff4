// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coming_from.hpp"
// [stdexec]
#include <exec/static_thread_pool.hpp>
#include <stdexec/execution.hpp>
#include <utility>

void with_stdexec() {
  namespace ex = stdexec;
  exec::static_thread_pool pool(2);
  auto on_pool = pool.get_scheduler();
  reader read;
  std::string line;
  numbers now;
  numbers next;
  if (!read(line)) return;
  parse(line, now);
  for (bool more = true; more;) {
    more = read(line);
    auto ahead = ex::schedule(on_pool) | ex::then([&] {
                   if (more) parse(line, next);
                 });
    auto mean = ex::schedule(on_pool) | ex::then([&] { return mean_of(now); });
    const auto [m] = ex::sync_wait(ex::when_all(std::move(ahead), std::move(mean))).value();
    write(m);
    std::swap(now, next);
  }
}
// [stdexec]

int main() {
  std::printf("=== stdexec\n");
  with_stdexec();
}
