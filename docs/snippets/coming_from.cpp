// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coming_from.hpp"
// [stretto]
#include <stretto/stretto.hpp>

namespace st = stretto;

struct line : st::slot<std::string> {};
struct values : st::slot<numbers> {};
struct mean : st::slot<double> {};

struct parsing {
  using thread = st::thread<"parsing">;
  static constexpr int lookahead = 1;  // works on the next batch while `averaging` is at this one
  using reads = st::reads<line>;
  using writes = st::writes<values>;
  void operator()(const std::string& in, numbers& out) const { parse(in, out); }
};
struct averaging {
  using thread = st::thread<"averaging">;
  using reads = st::reads<values>;
  using writes = st::writes<mean>;
  void operator()(const numbers& in, double& out) const { out = mean_of(in); }
};
struct means : st::schedule<st::source<line>, st::result<mean>, parsing, averaging> {};

void with_stretto() {
  st::pipeline<means> pipeline;
  for (const double m : pipeline.run(reader{})) write(m);
}
// [stretto]

// [workers]
struct shared : st::replan<means, st::workers<"parsing", 4>> {};
// [workers]

// [by hand]
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

template <class T>
class channel {
 public:
  void put(std::optional<T> item) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return items_.size() < 2; });
    items_.push_back(std::move(item));
    filled_.notify_one();
  }
  std::optional<T> take() {  // nothing: the end
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !items_.empty(); });
    std::optional<T> item = std::move(items_.front());
    items_.pop_front();
    room_.notify_one();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable filled_;
  std::deque<std::optional<T>> items_;
};

void by_hand() {
  channel<std::string> lines;
  channel<numbers> parsed;
  channel<double> averaged;
  std::jthread parser([&] {
    while (const std::optional<std::string> in = lines.take()) {
      numbers out;
      parse(*in, out);
      parsed.put(std::move(out));
    }
    parsed.put({});
  });
  std::jthread averager([&] {
    while (const std::optional<numbers> in = parsed.take()) averaged.put(mean_of(*in));
    averaged.put({});
  });
  std::jthread feeder([&, read = reader{}]() mutable {
    for (std::string in; read(in);) lines.put(in);
    lines.put({});
  });
  while (const std::optional<double> m = averaged.take()) write(*m);
}
// [by hand]

int main() {
  std::printf("=== stretto\n");
  with_stretto();
  std::printf("=== by hand\n");
  by_hand();
  static_assert(st::is_valid<shared>);
}
