// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How collectives on streams are watched: what the threads that do so ask, and whom they wait for.
#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stretto/collective/channel.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "cluster.hpp"

namespace {

using namespace cluster;
using clock = std::chrono::steady_clock;

/// A call that waits for the device holds the context of a rank's machine: others wait for it,
/// until the collectives on the device are aborted.
struct context_lock {
  const wire::network* net = nullptr;
  int rank = 0;
  std::atomic<bool> held{false};
  std::atomic<bool> given_up{false};

  void pass() {
    const clock::time_point latest = clock::now() + tested::patience;
    while (held && net->aborts(rank) == 0) {
      if (clock::now() > latest) {
        given_up = true;
        held = false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

class locking_driver : public recording::driver {
 public:
  locking_driver(recording::world& w, context_lock& lock) : recording::driver(w), lock_(&lock) {}
  status query(event e) const {
    lock_->pass();
    return recording::driver::query(e);
  }
  status record(event e, stream s) const {
    lock_->pass();
    return recording::driver::record(e, s);
  }
  status create_event(event& e) const {
    lock_->pass();
    return recording::driver::create_event(e);
  }

 private:
  context_lock* lock_;
};

using there = st::device::array<long, 1, locking_driver>;
using pinned = st::device::pinned_array<long, 1, locking_driver>;
using locking = st::device::backend<locking_driver>;
using locking_collectives = st::nccl::collectives_over<wire::library, locking_driver>;

struct given : st::slot<pinned> {};
struct mine : st::slot<there> {};
struct ours : st::slot<there> {};
struct brought : st::slot<pinned> {};
struct found : st::slot<long> {};

struct send {
  using stream = st::stream<"compute">;
  using reads = st::reads<given>;
  using writes = st::writes<mine>;
  void operator()(st::context auto& ctx, const pinned& in, there& out) const {
    ctx.driver().copy(ctx.stream(), out.data(), in.data(), sizeof(long));
  }
};
struct add {
  using stream = st::stream<"compute">;
  static constexpr bool collective = true;
  using reads = st::reads<mine>;
  using writes = st::writes<ours>;
  trap in_add;
  void operator()(st::context auto& ctx, const there& in, there& out) const {
    if (in_add) in_add(ctx.batch());
    ctx.all_reduce(in.data(), out.data(), 1);
  }
};
struct bring {
  using stream = st::stream<"compute">;
  using reads = st::reads<ours>;
  using writes = st::writes<brought>;
  void operator()(st::context auto& ctx, const there& in, pinned& out) const {
    ctx.driver().copy(ctx.stream(), out.data(), in.data(), sizeof(long));
  }
};
struct find {
  using reads = st::reads<brought>;
  using writes = st::writes<found>;
  trap in_find;
  void operator()(const st::task_context& ctx, const pinned& in, long& out) const {
    if (in_find) in_find(ctx.batch());
    out = in[0];
  }
};
struct adding : st::schedule<st::source<given>, st::result<found>, st::streams<"compute">, send,
                             add, bring, find> {};

/// Rank 0's context is held from batch 3 on; rank 1 does \p last in batch 4 instead of coming to
/// the collective. What both say.
std::vector<std::string> say(const trap& last, std::chrono::milliseconds deadline) {
  machines all(2);
  std::array<context_lock, 2> locks;
  std::promise<void> over;
  const std::shared_future<void> wait = over.get_future().share();
  for (int r = 0; r < 2; ++r) {
    locks[static_cast<std::size_t>(r)].net = &all.net;
    locks[static_cast<std::size_t>(r)].rank = r;
  }
  std::vector<std::string> said = all.each([&](std::size_t r) {
    const trap in_add = [&, r](std::size_t b) {
      if (r == 0 && b == 3) locks[0].held = true;
      if (r == 1 && b == 4) {
        if (last) return last(b);
        wait.wait();
      }
      return false;
    };
    st::pipeline<adding, locking, locking_collectives> p{
        add{in_add}, locking_driver(all.world(r), locks[r]), all.library_of(r),
        communicators{{"world", st::nccl::in_process(all.among_all, r)}},
        timeouts{.peers = deadline, .stop = std::chrono::milliseconds(50)}};
    std::size_t next = 0;
    const auto source = [&](pinned& into) {
      into[0] = static_cast<long>(next);
      return next++ < 10;
    };
    try {
      for (const long value : p.run(source)) CHECK(value >= 0);
    } catch (...) {
      if (r == 0) over.set_value();
      throw;
    }
  });
  CHECK_FALSE(locks[0].given_up);
  all.check_clean();
  return said;
}

/// What two ranks have sent each other, and how often each has looked for notices.
struct post {
  std::mutex mutex;
  std::array<std::array<std::deque<st::collective::envelope>, st::collective::channel_ids>, 2>
      boxes;
  std::array<std::atomic<std::size_t>, 2> looks{};
};
class counting_channel : public st::collective::channel {
 public:
  counting_channel(post& all, std::size_t rank) : all_(all), rank_(rank) {}
  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return 2; }

 protected:
  void send(st::collective::channel_id on, std::size_t to,
            const st::collective::message& text) override {
    const std::lock_guard hold(all_.mutex);
    all_.boxes[to][static_cast<std::size_t>(on)].push_back({rank_, text});
  }
  std::optional<st::collective::envelope> receive(st::collective::channel_id on) override {
    if (on == st::collective::channel_id::notices) ++all_.looks[rank_];
    const std::lock_guard hold(all_.mutex);
    auto& box = all_.boxes[rank_][static_cast<std::size_t>(on)];
    if (box.empty()) return std::nullopt;
    st::collective::envelope next = std::move(box.front());
    box.pop_front();
    return next;
  }

 private:
  post& all_;
  std::size_t rank_;
};

}  // namespace

TEST_CASE("a peer's failure is heard while a call to the device holds the context") {
  const std::vector<std::string> said =
      say([](std::size_t) -> bool { throw std::runtime_error("no memory"); }, tested::patience);
  CHECK(said[0] == "rank 1 failed at task `add` on batch 4: no memory");
  CHECK(said[1] == "no memory");
}

TEST_CASE("so is the end of the time that is given") {
  const std::vector<std::string> said = say({}, std::chrono::seconds(1));
  CHECK(said[0].find("did not complete within 1 s: a rank is stuck, or gone") != std::string::npos);
}

TEST_CASE("the threads that watch are on the device of the streams") {
  recording::world world(2);
  wire::network net;
  st::nccl::local_ranks all(1);
  st::nccl::local_ranks tables(1);
  {
    st::pipeline<training, device, collectives> p{
        driver(world), wire::library(net, driver(world), 0),
        st::device::streams<driver>{{"prepare", {.device = 1}}, {"compute", {.device = 1}}},
        communicators{{"world", st::nccl::in_process(all, 0)},
                      {"tables", st::nccl::in_process(tables, 0)}}};
    std::size_t next = 0;
    const auto until_asked = [&](pinned_cell& into) {
      into[0] = static_cast<long>(next++);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return world.count_calls(st::device::call::query) < 5;
    };
    for (const long value : p.run(until_asked)) CHECK(value > 0);
  }
  std::vector<int> asking;
  for (const recording::entry& e : world.logged())
    if (e.call == st::device::call::query) asking.push_back(e.device);
  CHECK(asking.size() >= 5);
  CHECK(std::count(asking.begin(), asking.end(), 1) == static_cast<long>(asking.size()));
}

TEST_CASE("looks for what peers say do not grow with the number of collectives") {
  machines all(2);
  post letters;
  constexpr std::size_t batches = 1000;
  std::array<std::size_t, 2> before{};
  std::array<std::size_t, 2> after{};
  std::array<clock::duration, 2> took{};
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    const st::nccl::meeting met = st::nccl::over(std::make_shared<counting_channel>(letters, r));
    clock::time_point began;
    const trap count = [&, r](std::size_t b) {
      if (b == 10) before[r] = letters.looks[r], began = clock::now();
      if (b == batches - 10) after[r] = letters.looks[r], took[r] = clock::now() - began;
      return false;
    };
    st::pipeline<training, device, collectives> p{
        look{count}, all.driver_of(r), all.library_of(r), patient,
        communicators{{"world", met}, {"tables", st::nccl::in_process(all.among_tables, r)}}};
    CHECK(all.run(p, r, batches).size() == batches);
  });
  for (const std::string& s : said) CHECK(s == "");
  for (const std::size_t r : {0U, 1U}) {
    const auto periods = static_cast<std::size_t>(took[r] / std::chrono::milliseconds(5));
    CHECK(after[r] - before[r] <= periods + 10);
  }
}
