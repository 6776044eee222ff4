// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `main.cpp` does, by hand: two threads, and a queue between them.
#include <atomic>
#include "service.hpp"

/// For one thread that fills and one that empties. Spins for a while, then sleeps.
template <class T, std::uint32_t Size>
class ring {
 public:
  T& place() {
    return of(filled_, [&](std::uint32_t f) { wait(emptied_, f - Size); });
  }
  void filled() { advance(filled_); }
  T& next() {
    return of(emptied_, [&](std::uint32_t e) { wait(filled_, e); });
  }
  void emptied() { advance(emptied_); }

 private:
  template <class Wait>
  T& of(const std::atomic<std::uint32_t>& mine, Wait wait) {
    const std::uint32_t at = mine.load(std::memory_order_relaxed);
    wait(at);
    return values_[at % Size];
  }
  /// Until it is no longer that.
  static void wait(const std::atomic<std::uint32_t>& other, std::uint32_t seen) {
    for (int spins = 0; spins < 2000; ++spins)
      if (other.load(std::memory_order_acquire) != seen) return;
    other.wait(seen, std::memory_order_acquire);
  }
  static void advance(std::atomic<std::uint32_t>& mine) {
    mine.fetch_add(1, std::memory_order_release);
    mine.notify_one();
  }

  std::array<T, Size> values_{};
  alignas(64) std::atomic<std::uint32_t> filled_{0};
  alignas(64) std::atomic<std::uint32_t> emptied_{0};
};

struct looked_up {
  service::request request;
  service::features features;
  bool last = false;
};

static void serve(service::inbox& inbox, service::feature_store& store) {
  ring<looked_up, 2> queue;
  std::thread front([&] {
    service::query query;
    for (;; queue.filled()) {
      looked_up& out = queue.place();
      out.last = !inbox.take(out.request);
      if (out.last) break;
      service::decode(out.request, query);
      store(query, out.features);
    }
    queue.filled();
  });
  const service::model model;
  service::ranking ranking;
  for (;; queue.emptied()) {
    const looked_up& in = queue.next();
    if (in.last) break;
    model(in.features, ranking);
    service::reply(in.request, ranking);
  }
  front.join();
}

int main(int argc, char** argv) { return service::program(argc, argv, serve); }
