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

TEST_CASE("devices that have streams are given access to each other's pools") {
  fixture f(3);
  {
    tested::pipeline<line, device> p(f.d, streams{{"a", {.device = 2}}, {"b", {.device = 1}}});
    CHECK(f.w.logged().of({call::give_access}).text() ==
          "give_access(p1, 2)\ngive_access(p2, 1)\n");
  }
  f.w.take_log();
  {
    tested::pipeline<line, device> p(f.d, streams{{"a", {.device = 2}}, {"b", {.device = 1}}},
                                     st::device::usage{.peer_access = false});
    st::device::pool_resource<driver> own(f.d);
    tested::pipeline<line, device> q(f.d, streams{{"a", {.device = 2}}, {"b", {.device = 1}}},
                                     st::device::memory<driver>{&own});
    tested::pipeline<line, device> on_one(f.d, streams{{"a", {.device = 2}}, {"b", {.device = 2}}});
    CHECK(f.w.logged().of({call::can_access, call::give_access}).empty());
  }
  CHECK(f.breaches().empty());
  CHECK(f.leaks().empty());
}

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

// A host task that sizes device memory while other work is on the streams.
struct host_grown : st::slot<st::device::buffer<long, driver>> {};
struct grow {
  using writes = st::writes<host_grown>;
  mutable std::size_t asked = 0;
  void operator()(st::device::buffer<long, driver>& out) const {
    asked += 2;
    CHECK(out.resize(asked) != nullptr);
  }
};
struct use_grown {
  using stream = st::stream<"b">;
  using reads = st::reads<host_grown>;
  using writes = st::writes<number>;
  void operator()(st::context auto& c, const st::device::buffer<long, driver>& in,
                  pinned_cell& out) const {
    kernel(c, {out.data()}, {}, {recording::writes(in.data(), sizeof(long))});
  }
};
struct growing : st::schedule<st::source<raw>, st::result<number>, st::streams<"a", "b">,
                              st::threads<st::on_caller>, grow, other, use_grown> {};

TEST_CASE("device memory that a host task sizes is on no stream of the schedule's") {
  fixture f;
  {
    tested::pipeline<growing, device> p(f.d);
    f.w.name(p.device().stream("a"), "a");
    f.w.name(p.device().stream("b"), "b");
    CHECK(f.w.logged().count(call::create_stream) == 2);
    auto run = p.run(numbers(f.w, batches));
    f.w.take_log();
    std::size_t allocations = 0;
    for (std::size_t i = 0; i < batches; ++i) {
      run.progress();
      const recording::log all = f.w.take_log();
      for (const char* s : {"a", "b"})
        CHECK(all.on(s).of({call::allocate, call::release, call::synchronize_stream}).empty());
      allocations += all.count(call::allocate);
      if (allocations == 1) CHECK(all.count(call::create_stream) == 1);
    }
    CHECK(allocations >= 3);
    while (run.next()) {
    }
  }
  CHECK(f.breaches().empty());
  CHECK(f.leaks().empty());
}

TEST_CASE("nobody is waited for where a host task's pinned memory is made") {
  fixture f;
  tested::pipeline<alone, device> p(f.d);
  auto run = p.run(numbers(f.w, batches));
  run.progress();
  CHECK(f.w.logged().count(call::allocate_pinned) > 0);
  CHECK(f.w.logged().count(call::synchronize_stream) == 0);
  CHECK(f.w.logged().count(call::create_stream) == 2);
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

TEST_CASE("streams on devices that cannot access each other's memory are refused") {
  fixture f(2);
  f.w.keep_apart();
  CHECK(refusal([&] {
          tested::pipeline<line, device> p(f.d, streams{{"a", {.device = 1}}});
        }) ==
        "stream `a` is on device 1, which cannot access memory of device 0, where stream `b` is: "
        "put them on one device, pass a memory resource that all of the devices can access, or, if "
        "tasks only copy from one device to the other, usage{.peer_access = false}");
  tested::pipeline<line, device> p(f.d, streams{{"a", {.device = 1}}},
                                   st::device::usage{.peer_access = false});
  CHECK(f.breaches().empty());
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
  explicit counting(const driver& d) : driver_(d), pool_(d) {}
  void* allocate(std::size_t bytes, recording::stream s) override {
    if (left == 0) throw std::bad_alloc();
    --left;
    ++allocations;
    void* const at = pool_.allocate(bytes, s);
    sizes[at] = bytes;
    return at;
  }
  void deallocate(void* at, std::size_t bytes, recording::stream s) noexcept override {
    int of = -1;
    int current = -2;
    driver_.device_of(s, of);
    driver_.current_device(current);
    CHECK(current == of);
    CHECK(sizes.at(at) == bytes);
    sizes.erase(at);
    pool_.deallocate(at, bytes, s);
  }
  std::size_t left = 1000;
  std::size_t allocations = 0;
  std::map<void*, std::size_t> sizes;

 private:
  driver driver_;
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

TEST_CASE("memory is given back with its stream's device current") {
  fixture f(2);
  counting pool(f.d);
  recording::pool there = nullptr;
  f.d.device_pool(there, 1);
  f.d.give_access(there, 0);  // which is the resource's matter
  {
    tested::pipeline<alone, device> p(f.d, st::device::memory<driver>{&pool},
                                      streams{{"a", {.device = 1}}});
    check_run(f, p);
  }
  CHECK(pool.sizes.empty());
  CHECK(current(f) == 0);
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

TEST_CASE("pools of a pipeline's own keep what is freed, one on each of its devices") {
  fixture f(3);
  {
    tested::pipeline<line, device> p(f.d, st::device::memory<driver>{.release_threshold = 4096},
                                     streams{{"a", {.device = 2}}, {"b", {.device = 1}}});
    CHECK(f.w.logged()
              .of({call::create_pool, call::set_release_threshold, call::give_access})
              .text() ==
          "create_pool(p3, 2)\nset_release_threshold(p3, 4096)\n"
          "create_pool(p4, 1)\nset_release_threshold(p4, 4096)\n"
          "give_access(p4, 2)\ngive_access(p3, 1)\n");
    check_run(f, p);
    CHECK(f.w.logged().count(call::allocate) == 0);
    for (const recording::entry& e : f.w.logged().of({call::allocate_from}))
      CHECK(e.text.find("p3, s0)") != std::string::npos);
    CHECK(f.w.logged().count(call::allocate_from) == 5);
  }
  CHECK(f.w.logged().of({call::destroy_pool}).text() == "destroy_pool(p3)\ndestroy_pool(p4)\n");
  CHECK(f.leaks().empty());
  CHECK(f.breaches().empty());
}

TEST_CASE("streams on one device share the pool of the pipeline's own") {
  fixture f(2);
  f.d.set_device(1);
  {
    tested::pipeline<line, device> p(f.d, st::device::memory<driver>{.release_threshold = 0});
    check_run(f, p);
    CHECK(f.w.logged().of({call::create_pool}).text() == "create_pool(p2, 1)\n");
  }
  CHECK(f.leaks().empty());
  CHECK(f.breaches().empty());
}

TEST_CASE("what is refused of a pool of the pipeline's own leaves none behind") {
  for (const call refused : {call::create_pool, call::set_release_threshold}) {
    fixture f;
    f.w.fail(refused, 0, status::invalid_value);
    CHECK_THROWS_AS((tested::pipeline<line, device>(
                        f.d, st::device::memory<driver>{.release_threshold = 4096})),
                    st::device::error);
    CHECK(f.leaks().empty());
  }
}

TEST_CASE("a user's pool is taken as it is") {
  fixture f(2);
  recording::pool mine = nullptr;
  f.d.create_pool(mine, 0);
  f.d.give_access(mine, 1);
  f.w.take_log();
  {
    tested::pipeline<line, device> p(f.d, st::device::memory<driver>{.pool = mine},
                                     streams{{"b", {.device = 1}}});
    CHECK(f.w.logged().of({call::give_access, call::create_pool}).empty());
    check_run(f, p);
    CHECK(f.w.logged().count(call::allocate) == 0);
    CHECK(f.w.logged().count(call::allocate_from) == 5);
  }
  CHECK(f.w.logged().of({call::destroy_pool, call::set_release_threshold}).empty());
  CHECK(f.d.destroy_pool(mine) == status::success);
  CHECK(f.leaks().empty());
  CHECK(f.breaches().empty());
}

TEST_CASE("memory comes from one place") {
  fixture f;
  counting resource(f.d);
  recording::pool mine = nullptr;
  f.d.create_pool(mine, 0);
  for (const st::device::memory<driver>& two :
       {st::device::memory<driver>{.resource = &resource, .pool = mine},
        st::device::memory<driver>{.pool = mine, .release_threshold = 1},
        st::device::memory<driver>{.resource = &resource, .release_threshold = 1}}) {
    try {
      tested::pipeline<line, device> p(f.d, two);
      FAIL("no error");
    } catch (const st::usage_error& e) {
      CHECK(std::string(e.what()).find("more than one of `resource`, `pool` and") !=
            std::string::npos);
    }
  }
  f.d.destroy_pool(mine);
  CHECK(f.leaks().empty());
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

/// A value that knows where it is to be, and which device was current when it was made.
struct placed {
  explicit placed(const st::device::slot_location<driver>& where) : device(where.device) {
    where.driver.current_device(current);
  }
  int device;
  int current = -1;
};
struct placed_by_host : st::slot<placed> {};
struct placed_on_a : st::slot<placed> {};
struct placed_on_b : st::slot<placed> {};
struct place {
  static constexpr int lookahead = 1;
  using reads = st::reads<plain>;
  using writes = st::writes<placed_by_host>;
  void operator()(const long&, placed& out) const {
    CHECK(out.device == 1);  // that of the first stream
    CHECK(out.current == 1);
  }
};
struct place_a {
  using stream = st::stream<"a">;
  using reads = st::reads<placed_by_host>;
  using writes = st::writes<placed_on_a>;
  void operator()(st::context auto&, const placed&, placed& out) const {
    CHECK(out.device == 1);
    CHECK(out.current == 1);
  }
};
struct place_b {
  using stream = st::stream<"b">;
  using reads = st::reads<placed_on_a>;
  using writes = st::writes<placed_on_b>;
  void operator()(st::context auto&, const placed&, placed& out) const {
    CHECK(out.device == 2);
    CHECK(out.current == 2);
  }
};
struct placing : st::schedule<st::source<plain>, st::streams<"a", "b">, place, place_a, place_b> {};

// Whose thread has one device in a run, and makes values for two.
struct placing_alone : st::replan<placing, st::threads<st::on_caller>> {};

template <class Schedule>
void check_device_of_values() {
  fixture f(3);
  {
    tested::pipeline<Schedule, device> p{f.d, streams{{"a", {.device = 1}}, {"b", {.device = 2}}}};
    int seen = 0;
    long next = 0;
    const auto three = [&](long& to) {
      to = next;
      return next++ < 3;
    };
    for ([[maybe_unused]] const auto b : p.run(three)) ++seen;
    CHECK(seen == 3);
    CHECK(current(f) == 0);
  }
  CHECK(f.breaches() == "");
}
TEST_CASE("values are made with their stream's device: a thread for each stream") {
  check_device_of_values<placing>();
}
TEST_CASE("values are made with their stream's device: one thread") {
  check_device_of_values<placing_alone>();
}

TEST_CASE("buffers grow by half at least, and pinned ones give nothing back meanwhile") {
  fixture f;
  st::device::pool_resource<driver> pool(f.d);
  recording::stream s = nullptr;
  f.d.create_stream(s, 0);
  {
    const st::device::slot_location<driver> where{&pool, s, 0, f.d};
    st::device::buffer<long, driver> on_device(where, 10);
    st::device::pinned_buffer<long, driver> pinned(where, 10);
    const long* const first = pinned.data();
    f.d.enqueue(s, [] {}, "still copies", {recording::reads(first, 10 * sizeof(long))});
    f.w.take_log();
    for (std::size_t size = 11; size <= 100; ++size) {
      on_device.resize(size);
      pinned.resize(size);
      CHECK(pinned.size() == size);
      CHECK(on_device.size() == size);
    }
    CHECK(pinned.data() != first);
    CHECK(pinned.capacity() == 109);
    CHECK(on_device.capacity() == 109);
    const recording::log all = f.w.take_log();
    CHECK(all.count(call::allocate) == 6);
    CHECK(all.count(call::release) == 6);
    CHECK(all.count(call::allocate_pinned) == 6);
    CHECK(all.count(call::free_pinned) == 0);
    CHECK(all.count(call::synchronize_stream) == 0);
    pinned.resize(1000);  // more than half as much again
    CHECK(pinned.capacity() == 1000);
    pinned.resize(1);
    CHECK(pinned.capacity() == 1000);
    f.d.synchronize_stream(s);
  }
  f.d.destroy_stream(s);
  CHECK(f.breaches().empty());
  CHECK(f.leaks().empty());
}

// Pinned memory that a stream fills and sizes: it has grown when all copies have seen the largest.
struct sized_result : st::slot<st::device::pinned_buffer<long, driver>> {};
struct fill {
  using stream = st::stream<"b">;
  using reads = st::reads<loaded, grown>;
  using writes = st::writes<sized_result>;
  void operator()(st::context auto& c, const cell& in, const st::device::buffer<long, driver>&,
                  st::device::pinned_buffer<long, driver>& out) const {
    kernel(c, {out.resize(c.batch() < 3 ? 1 + c.batch() : 4)}, {in.data()});
  }
};
struct sized_line
    : st::schedule<st::source<raw>, st::result<sized_result>, st::streams<"a", "b">, load, fill> {};

TEST_CASE("steady progresses make no call that may wait for the device") {
  constexpr std::size_t many = 30;
  fixture f;
  f.w.jitter(1);
  f.w.wait_implicitly();
  {
    tested::pipeline<sized_line, device> p(f.d);
    std::size_t b = 0;
    std::size_t by_then = 0;
    for (const auto& r : p.run(numbers(f.w, many))) {
      f.w.host_reads(r.data(), sizeof(long));
      CHECK(r[0] == made_by("fill", {made_by("load", {number_of_batch(b)})}));
      if (++b == 10) by_then = f.w.implicit_waits();
    }
    CHECK(b == many);
    CHECK(by_then > 0);
    CHECK(f.w.implicit_waits() == by_then);
    CHECK(f.w.logged().count(call::free_pinned) == 0);
  }
  CHECK(f.breaches().empty());
  CHECK(f.leaks().empty());
}

TEST_CASE("a pinned buffer that cannot grow keeps what it has") {
  fixture f;
  st::device::pool_resource<driver> pool(f.d);
  st::device::pinned_buffer<long, driver> pinned({&pool, {}, 0, f.d}, 10);
  f.w.fail(call::allocate_pinned, 0, status::memory_allocation);
  CHECK_THROWS_AS(pinned.resize(11), st::device::error);
  CHECK(pinned.size() == 10);
  CHECK(pinned.capacity() == 10);
  CHECK(pinned.resize(11) != nullptr);
}

}  // namespace
