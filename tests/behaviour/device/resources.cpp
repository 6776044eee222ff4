// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a pipeline takes of the device and what it is given: devices, the user's streams,
// priorities, memory.

#include <cstddef>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;

constexpr std::size_t batches = 6;

struct raw : st::slot<pinned_cell> {};
struct loaded : st::slot<cell> {};
struct grown : st::slot<st::device::buffer<long, driver>> {};
struct worked : st::slot<pinned_cell> {};

struct load {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<loaded, grown>;
  void operator()(st::context auto& c, const pinned_cell& in, cell& out,
                  st::device::buffer<long, driver>& more) const {
    int current = -1;
    c.driver().current_device(current);
    CHECK(current == c.device());
    kernel(c, {out.data(), more.resize(c.batch() == 3 ? 4 : 1)}, {in.data()});
  }
};
struct work {
  using stream = st::stream<"b">;
  using reads = st::reads<loaded, grown>;
  using writes = st::writes<worked>;
  void operator()(st::context auto& c, const cell& in, const st::device::buffer<long, driver>& more,
                  pinned_cell& out) const {
    kernel(c, {out.data()}, {in.data(), more.data()});
  }
};
struct line : st::schedule<st::source<raw>, st::result<worked>, st::streams<"a", "b">, load, work> {
};
struct alone : st::replan<line, st::threads<st::on_caller>> {};

long expected(std::size_t b) {
  const long in = made_by("load", {number_of_batch(b)});
  return made_by("work", {in, in});
}

template <class Pipeline>
void check_run(fixture& f, Pipeline& p) {
  std::vector<long> all;
  for (std::size_t b = 0; b < batches; ++b) all.push_back(expected(b));
  CHECK(results(p, f.w, batches) == all);
  CHECK(f.breaches().empty());
}

int current(const fixture& f) {
  int device = -1;
  f.d.current_device(device);
  return device;
}

template <class Schedule>
void check_two_devices() {
  for (unsigned seed = 0; seed < 4; ++seed) {
    fixture f(2);
    if (seed != 0) f.w.jitter(seed);
    {
      tested::pipeline<Schedule, device> p(f.d,
                                           streams{{"a", {.device = 1}}, {"b", {.device = 0}}});
      int of = -1;
      f.d.device_of(p.device().stream("a"), of);
      CHECK(of == 1);
      check_run(f, p);
      CHECK(current(f) == 0);
      f.d.set_device(1);
      check_run(f, p);
      CHECK(current(f) == 1);
    }
    CHECK(f.breaches().empty());
    CHECK(f.leaks().empty());
    CHECK(current(f) == 1);
  }
}
TEST_CASE("streams on two devices: on the calling thread") { check_two_devices<alone>(); }
TEST_CASE("streams on two devices: a thread for each stream") { check_two_devices<line>(); }

TEST_CASE("a user thread that is attached to a group has its own device back") {
  fixture f(2);
  tested::pipeline<line, device> p(f.d, streams{{"a", {.device = 1}}}, st::attached_threads{"a"});
  std::thread attached([&] {
    CHECK(p.attach("a"));
    CHECK(current(f) == 0);
  });
  check_run(f, p);
  attached.join();
  CHECK(f.breaches().empty());
}

TEST_CASE("streams are on the device that is current where the pipeline is made") {
  fixture f(2);
  f.d.set_device(1);
  tested::pipeline<line, device> p(f.d);
  CHECK(current(f) == 1);
  f.d.set_device(0);
  check_run(f, p);
  CHECK(current(f) == 0);
}

TEST_CASE("on one device it is not asked for which in a steady progress, on two it is set") {
  for (const int other : {0, 1}) {
    fixture f(2);
    tested::pipeline<alone, device> p(f.d, streams{{"b", {.device = other}}});
    auto run = p.run(numbers(f.w, batches));
    for (int i = 0; i < 4; ++i) run.progress();
    f.w.take_log();
    run.progress();
    CHECK(f.w.take_log().count(call::set_device) == (other == 0 ? 0 : 2));
  }
}

TEST_CASE("a user's stream is used, in the order of what else is on it, and left alone") {
  fixture f;
  recording::stream mine = nullptr;
  f.d.create_stream(mine, -1);
  f.w.name(mine, "mine");
  {
    tested::pipeline<line, device> p(f.d, streams{{"a", {.adopted = mine}}});
    CHECK(p.device().stream("a") == mine);
    CHECK(f.w.logged().count(call::create_stream) == 2);  // mine, and b
    f.d.enqueue(
        mine, [] {}, "before");
    check_run(f, p);
    CHECK(f.w.ordered("before", "load b0"));
    f.d.enqueue(
        mine, [] {}, "after");
    CHECK(f.w.ordered("load b5", "after"));
  }
  CHECK(f.leaks() == "mine was not destroyed\n");
  CHECK(f.d.synchronize_stream(mine) == status::success);
  f.d.destroy_stream(mine);
  CHECK(f.breaches().empty());
}

TEST_CASE("a user's stream is on the device it was made on") {
  fixture f(2);
  recording::stream mine = nullptr;
  f.d.set_device(1);
  f.d.create_stream(mine, 0);
  f.d.set_device(0);
  {
    tested::pipeline<line, device> p(f.d, streams{{"a", {.adopted = mine}}});
    check_run(f, p);
  }
  f.d.destroy_stream(mine);
  CHECK(f.leaks().empty());
}

TEST_CASE("priorities are brought into the device's range") {
  fixture f;
  const tested::pipeline<line, device> p(f.d,
                                         streams{{"b", {.priority = -99}}, {"a", {.priority = 7}}});
  CHECK(f.w.logged().of({call::create_stream}).text() ==
        "create_stream(s0)\ncreate_stream(s1, -5)\n");
}

// A host task is the first to use device memory, which another stream than the first uses then.
struct by_host : st::slot<cell> {};
struct number : st::slot<pinned_cell> {};
struct prepare {
  using writes = st::writes<by_host>;
  void operator()(cell& out) const { CHECK(out.data() != nullptr); }
};
struct other {
  using stream = st::stream<"a">;
  using reads = st::reads<raw>;
  void operator()(st::context auto& c, const pinned_cell& in) const { kernel(c, {}, {in.data()}); }
};
struct use {
  using stream = st::stream<"b">;
  using reads = st::reads<by_host>;
  using writes = st::writes<number>;
  void operator()(st::context auto& c, const cell& in, pinned_cell& out) const {
    kernel(c, {out.data()}, {}, {recording::writes(in.data(), sizeof(long))});
  }
};
struct prepared : st::schedule<st::source<raw>, st::result<number>, st::streams<"a", "b">,
                               st::threads<st::on_caller>, prepare, other, use> {};

TEST_CASE("device memory that a host task fills is there for every stream") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    fixture f;
    if (seed != 0) f.w.jitter(seed);
    {
      tested::pipeline<prepared, device> p(f.d);
      CHECK(results(p, f.w, batches) == std::vector<long>(batches, made_by("use", {})));
    }
    CHECK(f.breaches().empty());
    CHECK(f.leaks().empty());
  }
}

template <class Make>
std::string refusal(Make make) {
  try {
    make();
  } catch (const st::usage_error& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("what there is not is refused") {
  fixture f(2);
  const auto make = [&](streams wanted) {
    return refusal([&] { tested::pipeline<line, device> p(f.d, wanted); });
  };
  const std::string unknown = make({{"c", {}}});
  CHECK(unknown.find("`c`") != std::string::npos);
  CHECK(unknown.find("`a`") != std::string::npos);
  CHECK(make({{"a", {.device = 2}}}).find("device 2") != std::string::npos);
  CHECK(make({{"a", {.device = -1}}}).find("device -1") != std::string::npos);
  tested::pipeline<line, device> p(f.d);
  CHECK(refusal([&] { p.device().stream("c"); }).find("`c`") != std::string::npos);
  CHECK(f.breaches().empty());
}

/// A user's pool, which counts.
class counting : public st::device::memory_resource<driver> {
 public:
  explicit counting(const driver& d) : pool_(d) {}
  void* allocate(std::size_t bytes, recording::stream s) override {
    if (left == 0) throw std::bad_alloc();
    --left;
    ++allocations;
    void* const at = pool_.allocate(bytes, s);
    sizes[at] = bytes;
    return at;
  }
  void deallocate(void* at, std::size_t bytes, recording::stream s) noexcept override {
    CHECK(sizes.at(at) == bytes);
    sizes.erase(at);
    pool_.deallocate(at, bytes, s);
  }
  std::size_t left = 1000;
  std::size_t allocations = 0;
  std::map<void*, std::size_t> sizes;

 private:
  st::device::pool_resource<driver> pool_;
};

TEST_CASE(
    "device memory comes from the user's resource: once for each copy, and when a buffer grows") {
  fixture f;
  counting pool(f.d);
  {
    tested::pipeline<alone, device> p(f.d, st::device::memory<driver>{&pool});
    check_run(f, p);
    // Two copies of each of two slots; one of the buffers had to grow.
    CHECK(pool.allocations == 5);
    CHECK(f.w.logged().count(call::allocate) == 5);
    CHECK(f.w.logged().count(call::allocate_pinned) == 2);
    check_run(f, p);
    CHECK(pool.allocations <= 6);  // the other copy has batch 3 now
    const std::size_t by_then = pool.allocations;
    check_run(f, p);
    check_run(f, p);
    CHECK(pool.allocations <= by_then + 1);
  }
  CHECK(pool.sizes.empty());
  CHECK(f.leaks().empty());
  CHECK(f.breaches().empty());
}

TEST_CASE("a resource that has no memory fails the task that fills the slot") {
  for (std::size_t enough = 0; enough < 5; ++enough) {
    CAPTURE(enough);
    fixture f;
    counting pool(f.d);
    {
      tested::pipeline<line, device> p(f.d, st::device::memory<driver>{&pool});
      pool.left = enough;
      try {
        results(p, f.w, batches);
        FAIL("no error");
      } catch (const st::task_error& e) {
        CHECK(e.task() == "load");
      }
      CHECK(f.w.idle());
      p.reset();
      pool.left = 1000;
      check_run(f, p);
    }
    CHECK(pool.sizes.empty());
    CHECK(f.leaks().empty());
    CHECK(f.breaches().empty());
  }
}

struct plain : st::slot<long> {};
struct looked_at : st::slot<long> {};
struct sent : st::slot<cell> {};

/// A host task that makes calls for which the current device counts.
struct look {
  static constexpr int lookahead = 1;
  using reads = st::reads<plain>;
  using writes = st::writes<looked_at>;
  driver d;
  void operator()(const long& in, long& out) const {
    void* at = nullptr;
    if (d.allocate_pinned(at, sizeof(long)) == status::success) d.free_pinned(at);
    out = in;
  }
};
struct send {
  using stream = st::stream<"a">;
  using reads = st::reads<looked_at>;
  using writes = st::writes<sent>;
  void operator()(st::context auto& here, const long&, cell& out) const {
    kernel(here, {out.data()}, {});
  }
};
struct looking : st::schedule<st::source<plain>, st::streams<"a">, look, send> {};
struct looking_together : st::replan<looking, st::workers<"host", 3>> {};

template <class Schedule>
void check_device_of_host_tasks() {
  fixture f(2);
  {
    tested::pipeline<Schedule, device> p{look{f.d}, f.d, streams{{"a", {.device = 1}}}};
    int seen = 0;
    long next = 0;
    const auto twenty = [&](long& to) {
      to = next;
      return next++ < 20;
    };
    for ([[maybe_unused]] const auto b : p.run(twenty)) ++seen;
    CHECK(seen == 20);
  }
  CHECK(f.breaches() == "");
}
TEST_CASE("host tasks run with the device of the streams: a thread") {
  check_device_of_host_tasks<looking>();
}
TEST_CASE("host tasks run with the device of the streams: workers") {
  check_device_of_host_tasks<looking_together>();
}

}  // namespace
