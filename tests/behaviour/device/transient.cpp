// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Slots whose memory is there for a batch at a time: when it is allocated and given back, in whose
// order, and that none is lost or freed twice, however a run ends.

#include <cstddef>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;

constexpr std::size_t batches = 6;

using transient = st::device::transient_buffer<long, driver>;

/// How many elements a batch has: one of them has many.
std::size_t size_of(std::size_t batch) { return batch == 2 ? 1000 : 1; }

struct raw : st::slot<pinned_cell> {};
struct scratch : st::slot<transient> {};
struct worked : st::slot<pinned_cell> {};
struct looked : st::slot<pinned_cell> {};

/// Throws in a batch; negative: never.
struct trap {
  long batch = -1;
  bool filled = false;  ///< only when it has asked for memory
};

struct load {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<scratch>;
  const trap& at;
  void operator()(st::context auto& c, const pinned_cell& in, transient& out) const {
    const bool falls = static_cast<long>(c.batch()) == at.batch;
    CHECK(out.data() == nullptr);
    CHECK(out.size() == 0);
    if (falls && !at.filled) throw std::runtime_error("planned");
    kernel(c, {out.resize(size_of(c.batch()))}, {in.data()});
    CHECK(out.size() == size_of(c.batch()));
    if (falls) throw std::runtime_error("planned");
  }
};
struct work {
  using stream = st::stream<"b">;
  using reads = st::reads<scratch>;
  using writes = st::writes<worked>;
  const trap& at;
  void operator()(st::context auto& c, const transient& in, pinned_cell& out) const {
    CHECK(in.size() == size_of(c.batch()));
    if (static_cast<long>(c.batch()) == at.batch) throw std::runtime_error("planned");
    kernel(c, {out.data()}, {in.data()});
  }
};
/// On a stream in no order with that of `work`.
struct look {
  using stream = st::stream<"side">;
  using reads = st::reads<scratch>;
  using writes = st::writes<looked>;
  void operator()(st::context auto& c, const transient& in, pinned_cell& out) const {
    kernel(c, {out.data()}, {in.data()});
  }
};
struct line : st::schedule<st::source<raw>, st::result<worked>, st::streams<"a", "b">, load, work> {
};
struct alone : st::replan<line, st::threads<st::on_caller>> {};
struct both : st::schedule<st::source<raw>, st::result<worked>, st::streams<"a", "b", "side">, load,
                           work, look> {};

std::vector<long> expected() {
  std::vector<long> all;
  for (std::size_t b = 0; b < batches; ++b)
    all.push_back(made_by("work", {made_by("load", {number_of_batch(b)})}));
  return all;
}

/// How many blocks of device memory are out.
std::size_t blocks(const fixture& f) {
  const recording::log all = f.w.logged();
  return all.count(call::allocate) - all.count(call::release);
}

template <class Schedule>
void check_runs(fixture& f) {
  const trap none;
  {
    tested::pipeline<Schedule, device> p(f.d, load{none}, work{none});
    for (int run = 0; run < 3; ++run) {
      CHECK(results(p, f.w, batches) == expected());
      CHECK(blocks(f) == 0);
    }
    CHECK(f.w.logged().count(call::allocate) == 3 * batches);
  }
  CHECK(f.breaches().empty());
  CHECK(f.leaks().empty());
}
template <class Schedule>
void check_at_any_pace() {
  for (unsigned seed = 0; seed < 4; ++seed) {
    CAPTURE(seed);
    fixture f;
    if (seed != 0) f.w.jitter(seed);
    check_runs<Schedule>(f);
  }
}
TEST_CASE("each batch has its own memory: on the calling thread") { check_at_any_pace<alone>(); }
TEST_CASE("each batch has its own memory: a thread for each stream") { check_at_any_pace<line>(); }
TEST_CASE("each batch has its own memory: one batch after the other") {
  check_at_any_pace<st::serial<line>>();
}
TEST_CASE("each batch has its own memory: readers in no order") { check_at_any_pace<both>(); }

TEST_CASE("memory is given back behind the last user's work, on its stream, and before its event") {
  fixture f;
  const trap none;
  tested::pipeline<alone, device> p(f.d, load{none}, work{none});
  f.w.name(p.device().stream("a"), "a");
  f.w.name(p.device().stream("b"), "b");
  f.w.take_log();
  results(p, f.w, 2);
  const recording::log all = f.w.take_log();
  std::string text;
  for (const recording::entry& e : all.on("b")) {
    if (!e.call || e.call == call::release) (text += e.text) += '\n';
    if (e.call == call::record) text += "record\n";
  }
  CHECK(text ==
        "record\n"  // of a progress in which the task does not fire
        "kernel(b, \"work b0\")\nfree(m2, b)\nrecord\n"
        "kernel(b, \"work b1\")\nfree(m3, b)\nrecord\n");
  std::string on_a;
  for (const recording::entry& e : all.on("a"))
    if (!e.call || e.call == call::allocate) (on_a += e.text) += '\n';
  CHECK(on_a ==
        "allocate(m2, 8, a)\nkernel(a, \"load b0\")\nallocate(m3, 8, a)\nkernel(a, \"load b1\")\n");
}

TEST_CASE("where readers end in no order it is given back when the copy is filled anew") {
  fixture f;
  const trap none;
  struct calling : st::replan<both, st::threads<st::on_caller>> {};
  tested::pipeline<calling, device> p(f.d, load{none}, work{none});
  f.w.name(p.device().stream("a"), "a");
  f.w.take_log();
  results(p, f.w, 4);
  std::size_t held = 0;
  std::size_t most = 0;
  for (const recording::entry& e : f.w.take_log()) {
    if (e.call == call::allocate) most = std::max(most, ++held);
    if (e.call != call::release) continue;
    --held;
    CHECK(e.stream_name == "a");
  }
  CHECK(held == 0);
  CHECK(most == 2);  // copies of the slot
}

TEST_CASE("streams on two devices: memory is given back on a stream of its own device") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    fixture f(2);
    if (seed != 0) f.w.jitter(seed);
    const trap none;
    {
      tested::pipeline<line, device> p(f.d, load{none}, work{none},
                                       streams{{"a", {.device = 1}}, {"b", {.device = 0}}});
      f.w.name(p.device().stream("a"), "a");
      CHECK(results(p, f.w, batches) == expected());
      CHECK(blocks(f) == 0);
      for (const recording::entry& e : f.w.logged().of({call::release})) {
        CHECK(e.stream_name == "a");
        CHECK(e.device == 1);
      }
    }
    CHECK(f.breaches().empty());
    CHECK(f.leaks().empty());
  }
}

/// A run that throws; then nothing is out, and after a reset all is well.
template <class Schedule>
void check_failure(fixture& f, trap& at_load, trap& at_work) {
  {
    tested::pipeline<Schedule, device> p(f.d, load{at_load}, work{at_work});
    CHECK_THROWS_AS(results(p, f.w, batches), st::task_error);
    CHECK(blocks(f) == 0);
    at_load.batch = at_work.batch = -1;
    p.reset();
    CHECK(results(p, f.w, batches) == expected());
    CHECK(blocks(f) == 0);
  }
  CHECK(f.breaches().empty());
  CHECK(f.leaks().empty());
}
TEST_CASE("whoever throws, nothing is lost") {
  for (long batch = 0; batch < static_cast<long>(batches); ++batch)
    for (int who = 0; who < 3; ++who) {
      CAPTURE(batch);
      CAPTURE(who);
      fixture f;
      f.w.jitter(static_cast<unsigned>(batch) + 1);
      trap at_load{who < 2 ? batch : -1, who == 1};
      trap at_work{who == 2 ? batch : -1};
      check_failure<line>(f, at_load, at_work);
    }
  fixture f;
  trap at_load{2, true};
  trap at_work;
  check_failure<both>(f, at_load, at_work);
}

TEST_CASE("a loop that is left early leaves nothing out") {
  for (std::size_t taken = 1; taken < batches; ++taken) {
    fixture f;
    const trap none;
    {
      tested::pipeline<line, device> p(f.d, load{none}, work{none});
      std::size_t got = 0;
      for (const pinned_cell& r : p.run(numbers(f.w, batches))) {
        static_cast<void>(r);
        if (++got == taken) break;
      }
      CHECK(blocks(f) == 0);
      CHECK(results(p, f.w, batches) == expected());
    }
    CHECK(f.breaches().empty());
    CHECK(f.leaks().empty());
  }
}

TEST_CASE("an allocation that is refused is the failure of the task that asks") {
  for (std::size_t nth = 0; nth < batches; ++nth) {
    CAPTURE(nth);
    fixture f;
    const trap none;
    {
      tested::pipeline<line, device> p(f.d, load{none}, work{none});
      f.w.fail(call::allocate, nth, status::memory_allocation);
      try {
        results(p, f.w, batches);
        FAIL("no error");
      } catch (const st::task_error& e) {
        CHECK(e.task() == "load");
        CHECK(e.batch() == nth);
      }
      f.w.take_log();
      p.reset();
      CHECK(results(p, f.w, batches) == expected());
    }
    CHECK(f.leaks().empty());
    CHECK(f.breaches().empty());
  }
}

/// Two blocks of a size that each batch chooses.
struct pair_of_buffers {
  static constexpr bool transient = true;
  explicit pair_of_buffers(const st::device::slot_location<driver>& where)
      : keys(where), values(where) {}
  ::transient keys;
  ::transient values;
};
struct pairs : st::slot<pair_of_buffers> {};
struct fill_pairs {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<pairs>;
  void operator()(st::context auto& c, const pinned_cell& in, pair_of_buffers& out) const {
    out.keys.resize(7);
    long* const keys = out.keys.resize(3);  // in place of the 7
    kernel(c, {keys, c.batch() % 2 == 0 ? out.values.resize(1) : keys}, {in.data()});
    if (c.batch() % 4 != 0) return;
    out.values.resize(0);
    CHECK(out.values.size() == 0);
  }
};
struct use_pairs {
  using stream = st::stream<"b">;
  using reads = st::reads<pairs>;
  using writes = st::writes<worked>;
  void operator()(st::context auto& c, const pair_of_buffers& in, pinned_cell& out) const {
    kernel(c, {out.data()}, {in.keys.data()});
  }
};
struct with_pairs : st::schedule<st::source<raw>, st::result<worked>, st::streams<"a", "b">,
                                 fill_pairs, use_pairs> {};

TEST_CASE("a user's type has any number of blocks, each sized as often as wanted") {
  fixture f;
  {
    tested::pipeline<with_pairs, device> p(f.d);
    f.w.name(p.device().stream("a"), "a");
    f.w.name(p.device().stream("b"), "b");
    CHECK(results(p, f.w, batches).size() == batches);
    CHECK(f.w.logged().count(call::allocate) == 2 * batches + batches / 2);
    const recording::log given_back = f.w.logged().of({call::release});
    CHECK(given_back.on("a").size() == batches + 2);  // by the task that sizes them
    CHECK(given_back.on("b").size() == batches + 1);  // of one batch, two
    CHECK(blocks(f) == 0);
  }
  CHECK(f.breaches().empty());
  CHECK(f.leaks().empty());
}

/// Does not say that it has transient memory.
struct silent {
  explicit silent(const st::device::slot_location<driver>& where) : memory(where) {}
  ::transient memory;
};
struct silent_slot : st::slot<silent> {};
struct fill_silent {
  using stream = st::stream<"a">;
  using reads = st::reads<raw>;
  using writes = st::writes<silent_slot>;
  void operator()(recording::stream, const pinned_cell&, silent&) const {}
};
struct use_silent {
  using stream = st::stream<"a">;
  using reads = st::reads<silent_slot>;
  using writes = st::writes<worked>;
  void operator()(recording::stream, const silent&, pinned_cell&) const {}
};
struct with_silent
    : st::schedule<st::source<raw>, st::result<worked>, st::streams<"a">, fill_silent, use_silent> {
};

TEST_CASE("a type that does not say that it is transient is told to") {
  fixture f;
  {
    tested::pipeline<with_silent, device> p(f.d);
    try {
      results(p, f.w, batches);
      FAIL("no error");
    } catch (const std::exception& e) {
      const std::string said = e.what();
      CHECK(said.find("slot `silent_slot`") != std::string::npos);
      CHECK(said.find("`static constexpr bool transient = true`") != std::string::npos);
    }
  }
  CHECK(f.leaks().empty());
}

/// What the batch before has left in its memory, which is there until then.
struct remember {
  using stream = st::stream<"b">;
  using reads = st::reads<scratch, st::previous<scratch>>;
  using writes = st::writes<worked>;
  void operator()(st::context auto& c, const transient& in, const st::previous<scratch>& before,
                  pinned_cell& out) const {
    if (before) {
      kernel(c, {out.data()}, {in.data(), before->data()});
    } else {
      kernel(c, {out.data()}, {in.data()});
    }
  }
};
struct looking_back
    : st::schedule<st::source<raw>, st::result<worked>, st::streams<"a", "b">, load, remember> {};

TEST_CASE("what is read of earlier batches stays for as long") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    fixture f;
    if (seed != 0) f.w.jitter(seed);
    const trap none;
    {
      tested::pipeline<looking_back, device> p(f.d, load{none});
      std::vector<long> all;
      const auto loaded = [](std::size_t b) { return made_by("load", {number_of_batch(b)}); };
      all.push_back(made_by("remember", {loaded(0)}));
      for (std::size_t b = 1; b < batches; ++b)
        all.push_back(made_by("remember", {loaded(b), loaded(b - 1)}));
      CHECK(results(p, f.w, batches) == all);
      CHECK(blocks(f) == 0);
    }
    CHECK(f.breaches().empty());
    CHECK(f.leaks().empty());
  }
}

/// Memory from somewhere else, whose sizes are remembered.
class counting : public st::device::memory_resource<driver> {
 public:
  explicit counting(const driver& d) : driver_(d), pool_(d) {}
  void* allocate(std::size_t bytes, recording::stream s) override {
    void* const at = pool_.allocate(bytes, s);
    sizes[at] = bytes;
    largest = std::max(largest, bytes);
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
  std::map<void*, std::size_t> sizes;
  std::size_t largest = 0;

 private:
  driver driver_;
  st::device::pool_resource<driver> pool_;
};

TEST_CASE("a user's resource has all of it back after each batch, as much as it gave") {
  fixture f;
  counting resource(f.d);
  const trap none;
  {
    tested::pipeline<alone, device> p(f.d, load{none}, work{none},
                                      st::device::memory<driver>{&resource});
    CHECK(results(p, f.w, batches) == expected());
    CHECK(resource.sizes.empty());
    CHECK(resource.largest == 1000 * sizeof(long));
  }
  CHECK(f.leaks().empty());
}

struct fill_unnamed {
  using stream = st::stream<"a">;
  using reads = st::reads<raw>;
  using writes = st::writes<scratch>;
  void operator()(recording::stream, const pinned_cell&, transient&) const {}
};
struct use_unnamed {
  using stream = st::stream<"a">;
  using reads = st::reads<scratch>;
  using writes = st::writes<worked>;
  void operator()(recording::stream, const transient&, pinned_cell&) const {}
};
struct unnamed : st::schedule<st::source<raw>, st::result<worked>, st::streams<"a">, fill_unnamed,
                              use_unnamed> {};

TEST_CASE("tasks on transient slots are in no graph, and are told why") {
  fixture f;
  const trap none;
  {
    tested::pipeline<alone, st::device::backend<driver, true>> p(f.d, load{none}, work{none});
    CHECK(results(p, f.w, batches) == expected());
    const std::vector<st::device::uncaptured> left_out = p.device().left_out();
    CHECK(left_out.size() == 2);
  }
  {
    tested::pipeline<unnamed, st::device::backend<driver, true>> p(f.d);
    CHECK(results(p, f.w, batches).size() == batches);
    CHECK(p.device().graph_count() == 0);
    for (const st::device::uncaptured& u : p.device().left_out())
      CHECK(u.reason.find("has memory of its own for each batch") != std::string::npos);
  }
  using of = st::device::detail::capture<unnamed, driver>;
  CHECK(of::obstacles[0] == st::device::obstacle::transient);
  CHECK(of::obstacles[1] == st::device::obstacle::transient);
  CHECK(f.leaks().empty());
  CHECK(f.breaches().empty());
}

#if defined(STRETTO_TEST_DYNAMIC)

/// What is wrong with a schedule of these tasks.
std::string refusal(const st::dynamic::schedule& s) {
  fixture f;
  try {
    st::dynamic::pipeline<device> p(s, f.d);
  } catch (const st::dynamic::schedule_error& e) {
    return e.what();
  }
  return "nothing";
}

TEST_CASE("who is on no stream has nothing to do with transient slots") {
  namespace dynamic = st::dynamic;
  dynamic::schedule s;
  s.streams = {"a"};
  s.source.slot = "raw";
  dynamic::task fill("fill");
  fill.stream = "a";
  fill.reads = {"raw"};
  fill.writes = {"scratch"};
  fill.body = [](recording::stream, const pinned_cell&, transient&) {};
  dynamic::task read("read");
  read.reads = {"scratch"};
  read.writes = {"worked"};
  read.body = [](const transient&, long&) {};
  s.tasks = {fill, read};
  s.results = {"worked"};
  CHECK(refusal(s).find("task `read` has no stream, and uses slot `scratch`, whose memory is "
                        "transient") != std::string::npos);
  s.tasks[1].stream = "a";
  s.tasks[1].body = [](recording::stream, const transient&, long&) {};
  s.results = {"worked", "scratch"};
  CHECK(refusal(s).find("results are handed out from slot `scratch`") != std::string::npos);
}

#endif

}  // namespace
