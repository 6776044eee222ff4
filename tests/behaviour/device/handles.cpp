// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What bodies ask for that is made once for a stream: when it is made and ended, of what, by whom
// it is shared, and what is said if it cannot be made.

#include <atomic>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;
template <class... Kept>
using handle = st::device::handle<driver, Kept...>;
using location = st::device::slot_location<driver>;

constexpr std::size_t batches = 12;

/// As a library's handle is: made of its stream. For one user at a time.
struct library {
  static inline int made = 0;
  static inline int ended = 0;
  static inline int throws_at = 0;  // of those made

  explicit library(recording::stream s) : of(s) {
    if (made + 1 == throws_at) throw std::runtime_error("no licence");
    ++made;
  }
  library(const library&) = delete;
  library& operator=(const library&) = delete;
  ~library() { ++ended; }
  operator const char*() const { return "library"; }

  recording::stream of;
  std::atomic<int> users{0};
};

/// Made of its place, with memory of its own.
struct workspace {
  static inline int made = 0;
  static inline int ended = 0;

  explicit workspace(const location& where)
      : d(where.driver), stream(where.stream), device(where.device), memory(where) {
    ++made;
    CHECK(current() == device);
  }
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;
  ~workspace() {
    ++ended;
    CHECK(current() == device);
  }
  int current() const {
    int number = -1;
    d.current_device(number);
    return number;
  }

  driver d;
  recording::stream stream;
  int device;
  cell memory;
};

void forget_counts() {
  library::made = library::ended = library::throws_at = workspace::made = workspace::ended = 0;
}

struct raw : st::slot<pinned_cell> {};
struct loaded : st::slot<cell> {};
struct worked : st::slot<cell> {};
struct sent : st::slot<pinned_cell> {};

/// Puts the kernel of a task on a stream; \p besides is used, too.
void put(const driver& d, recording::stream on, std::string_view task, long* out, const long* in,
         long* besides = nullptr) {
  std::vector<recording::access> uses{recording::reads(in, sizeof(long)),
                                      recording::writes(out, sizeof(long))};
  if (besides != nullptr) uses.push_back(recording::writes(besides, sizeof(long)));
  d.enqueue(
      on,
      [out, in, besides, task] {
        if (besides != nullptr) *besides = *in;
        *out = made_by(task, {*in});
      },
      std::string(task), std::move(uses));
}

struct load {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<loaded>;
  driver d;
  std::atomic<int>* calls;
  void operator()(handle<library> h, const auto& in, auto& out) const {
    ++*calls;
    CHECK(++h->users == 1);
    CHECK(h->of == h.stream());
    CHECK(&*h == &h.get<library>());
    const char* const converted = h;
    CHECK(std::string_view(converted) == "library");
    put(d, h.stream(), "load", out.data(), in.data());
    --h->users;
  }
};
struct work {
  using stream = st::stream<"b">;
  using reads = st::reads<loaded>;
  using writes = st::writes<worked>;
  driver d;
  void operator()(const handle<library, workspace>& h, const cell& in, cell& out) const {
    CHECK(++h.get<library>().users == 1);
    CHECK(h.get<library>().of == h.stream());
    CHECK(h.get<workspace>().stream == h.stream());
    CHECK(h.get<workspace>().device == h.device());
    put(d, h.stream(), "work", out.data(), in.data(), h.get<workspace>().memory.data());
    --h.get<library>().users;
  }
};
struct send {
  using stream = st::stream<"b">;
  driver d;
  void operator()(handle<workspace> h, st::in<worked> in, st::out<sent> out) const {
    put(d, h.stream(), "send", out->data(), in->data(), h->memory.data());
  }
};
struct line
    : st::schedule<st::source<raw>, st::result<sent>, st::streams<"a", "b">, load, work, send> {};
struct divided
    : st::replan<line, st::threads<st::group<"first", load, send>, st::group<"second", work>>> {};

std::vector<long> expected() {
  std::vector<long> all;
  all.reserve(batches);
  for (std::size_t b = 0; b < batches; ++b)
    all.push_back(made_by("send", {made_by("work", {made_by("load", {number_of_batch(b)})})}));
  return all;
}

/// Makes a pipeline, and runs it twice.
template <class Schedule, class Device = device, class... Setting>
void check_runs(fixture& f, int libraries, int workspaces, const Setting&... settings) {
  forget_counts();
  std::atomic<int> calls{0};
  {
    tested::pipeline<Schedule, Device> p(f.d, load{f.d, &calls}, work{f.d}, send{f.d}, settings...);
    for (int run = 0; run < 2; ++run) {
      CHECK(library::made == libraries);
      CHECK(workspace::made == workspaces);
      CHECK(results(p, f.w, batches) == expected());
    }
    CHECK(library::made == libraries);
    CHECK(workspace::made == workspaces);
    CHECK(library::ended + workspace::ended == 0);
    f.w.take_log();
  }
  CHECK(library::ended == libraries);
  CHECK(workspace::ended == workspaces);
  CHECK(f.breaches() == "");
  CHECK(f.leaks() == "");
}

}  // namespace

TEST_CASE("one is made of each type for each stream, with the pipeline, and ended with it") {
  for (unsigned seed = 0; seed < 3; ++seed) {
    fixture f;
    if (seed != 0) f.w.jitter(seed);
    check_runs<line>(f, 2, 1);
  }
}

TEST_CASE("threads that submit to one stream have one each") {
  fixture f;
  check_runs<divided>(f, 2, 2);
}

TEST_CASE("one batch after the other: there is one stream") {
  fixture f;
  check_runs<st::serial<line>>(f, 1, 1);
}

TEST_CASE("its device is current when it is made and when it is ended") {
  fixture f(2);
  check_runs<line>(f, 2, 1, streams{{"b", {.device = 1}}});
  int current = -1;
  f.d.current_device(current);
  CHECK(current == 0);
}

TEST_CASE("it takes memory from where the slots have theirs") {
  struct counting : st::device::pool_resource<driver> {
    using st::device::pool_resource<driver>::pool_resource;
    void* allocate(std::size_t bytes, recording::stream s) override {
      ++allocated;
      return st::device::pool_resource<driver>::allocate(bytes, s);
    }
    std::atomic<int> allocated{0};
  };
  fixture f;
  counting from(f.d);
  forget_counts();
  std::atomic<int> calls{0};
  tested::pipeline<line, device> p(f.d, load{f.d, &calls}, work{f.d}, send{f.d},
                                   st::device::memory<driver>{&from});
  CHECK(from.allocated == 1);
}

TEST_CASE("what makes it impossible is told with the task and its stream, and nothing is left") {
  for (const int at : {1, 2}) {
    fixture f;
    forget_counts();
    library::throws_at = at;
    std::atomic<int> calls{0};
    std::string text;
    try {
      tested::pipeline<line, device> p(f.d, load{f.d, &calls}, work{f.d}, send{f.d});
    } catch (const st::device::handle_error& e) {
      text = e.what();
      CHECK(e.task() == (at == 1 ? "load" : "work"));
      CHECK(e.stream() == (at == 1 ? "a" : "b"));
      CHECK_THROWS_WITH(std::rethrow_exception(e.nested_ptr()), "no licence");
    }
    CAPTURE(text);
    CHECK(text.find("library` for task `") != std::string::npos);
    CHECK(text.find(at == 1 ? "`load` on stream `a`" : "`work` on stream `b`") !=
          std::string::npos);
    CHECK(text.find("could not be made: no licence") != std::string::npos);
    CHECK(library::ended == at - 1);
    CHECK(f.breaches() == "");
    CHECK(f.leaks() == "");
  }
}

TEST_CASE("a body that asks for it is replayed, and nothing is made in a capture") {
  fixture f;
  forget_counts();
  std::atomic<int> calls{0};
  {
    tested::pipeline<line, st::device::backend<driver, true>> p(f.d, load{f.d, &calls}, work{f.d},
                                                                send{f.d});
    CHECK(results(p, f.w, batches) == expected());
    CHECK(results(p, f.w, batches) == expected());
    CHECK(p.device().left_out().empty());
    CHECK(p.device().graph_count() > 0);
    CHECK(calls < static_cast<int>(2 * batches));
    CHECK(library::made == 2);
  }
  CHECK(library::ended == 2);
  CHECK(f.breaches() == "");
  CHECK(f.leaks() == "");
}

#if !defined(STRETTO_TEST_DYNAMIC)

TEST_CASE(
    "in a steady progress nothing is asked of the device that a stream alone would not need") {
  fixture f;
  forget_counts();
  std::atomic<int> calls{0};
  st::pipeline<st::replan<line, st::threads<st::on_caller>>, device> p(f.d, load{f.d, &calls},
                                                                       work{f.d}, send{f.d});
  auto run = p.run(numbers(f.w, batches));
  for (int i = 0; i < 4; ++i) run.progress();
  f.w.take_log();
  run.progress();
  const auto log = f.w.take_log();
  CHECK(log.count(call::set_device) + log.count(call::current_device) == 0);
  CHECK(log.count(call::allocate) + log.count(call::synchronize_stream) == 0);
}

namespace {

struct other_slot : st::slot<long> {};
struct listed {
  using stream = st::stream<"a">;
  using reads = st::reads<loaded>;
  using writes = st::writes<other_slot>;
};
struct mixed : listed {
  void operator()(handle<library>, const cell&, auto&) const {}
};
struct named_types : listed {
  template <class In, class Out>
  void operator()(const handle<workspace, library>&, const In&, Out&) noexcept {}
};
struct on_stream : listed {
  void operator()(recording::stream, const auto&, auto&) const {}
};
struct in_context : listed {
  void operator()(st::context auto&, const auto&, auto&) const {}
};
/// Its result is deduced: to ask what it takes must not compile it.
struct deducing : listed {
  auto operator()(auto& here, const auto&, auto& out) const { out = here.no_such_member; }
};
struct overloaded : listed {
  void operator()(handle<library>, const cell&, long&) const {}
  void operator()(handle<library>, const cell&, int&) const {}
};
struct plain : listed {
  void operator()(const cell&, long&) const {}
};
template <class Task>
using kept_of = typename st::device::detail::asked<Task, driver>::kept;
template <class Task>
using context_of = typename device::context_for<Task>;

static_assert(std::is_same_v<kept_of<load>, st::pack<library>>);
static_assert(std::is_same_v<kept_of<work>, st::pack<library, workspace>>);
static_assert(std::is_same_v<kept_of<send>, st::pack<workspace>>);
static_assert(std::is_same_v<kept_of<mixed>, st::pack<library>>);
static_assert(std::is_same_v<kept_of<named_types>, st::pack<workspace, library>>);
static_assert(std::is_same_v<kept_of<on_stream>, st::pack<>>);
static_assert(std::is_same_v<kept_of<in_context>, st::pack<>>);
static_assert(std::is_same_v<kept_of<deducing>, st::pack<>>);
static_assert(std::is_same_v<kept_of<overloaded>, st::pack<>>);
static_assert(std::is_same_v<kept_of<plain>, st::pack<>>);
static_assert(std::is_same_v<context_of<mixed>, handle<library>>);
static_assert(std::is_same_v<context_of<in_context>, st::device::context<driver>>);

}  // namespace

#else

namespace {

namespace dynamic = stretto::dynamic;

dynamic::schedule of_values(const driver& d) {
  dynamic::schedule s{
      .name = "of values",
      .streams = {"a"},
      .source = {.slot = "raw"},
      .results = {"out"},
      .tasks = {{.name = "load",
                 .stream = "a",
                 .reads = {"raw"},
                 .writes = {"there"},
                 .body =
                     [d](handle<library, workspace> h, const pinned_cell& in, cell& out) {
                       put(d, h.stream(), "load", out.data(), in.data(),
                           h.get<workspace>().memory.data());
                     }},
                {.name = "send",
                 .stream = "a",
                 .reads = {"there"},
                 .writes = {"out"},
                 .body = [d](const handle<library>& h, dynamic::slot_access& slots) {
                   CHECK(h->of == h.stream());
                   put(d, h.stream(), "send", slots.write<pinned_cell>("out").data(),
                       slots.read<cell>("there").data());
                 }}}};
  s.slot<pinned_cell>("out");
  return s;
}

}  // namespace

TEST_CASE("bodies that are values ask for handles, of a copy of a schedule, too") {
  fixture f;
  forget_counts();
  {
    const dynamic::schedule s = of_values(f.d);
    dynamic::pipeline<device> p(s, f.d);
    CHECK(library::made == 1);
    CHECK(workspace::made == 1);
    std::vector<long> all;
    std::vector<long> right;
    for (const dynamic::result& r : p.run<pinned_cell>(numbers(f.w, batches))) {
      right.push_back(made_by("send", {made_by("load", {number_of_batch(all.size())})}));
      all.push_back(r.get<pinned_cell>()[0]);
    }
    CHECK(all == right);
  }
  CHECK(library::ended == 1);
  CHECK(workspace::ended == 1);
  CHECK(f.breaches() == "");
  CHECK(f.leaks() == "");
}

TEST_CASE("a host task that asks for a handle is refused, by name") {
  fixture f;
  forget_counts();
  dynamic::schedule s = of_values(f.d);
  s.at("send").stream = "";
  CHECK_THROWS_WITH_AS(dynamic::pipeline<device>(s, f.d),
                       doctest::Contains("task `send` has no stream, and its body asks for one"),
                       dynamic::schedule_error);
  CHECK(library::made == 0);
}

#endif
