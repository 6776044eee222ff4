// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Graphs that span the streams of a thread: which tasks one launch does, that it keeps the order of
// the waits that it replaces, inside and towards what is not in it, and when streams are spanned.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
#include "../../support/sanitized.hpp"
#include "fixture.hpp"

namespace {

using namespace on_recording;

using replaying = st::device::backend<driver, true>;

/// What tasks change and look at besides their slots, and how often bodies were called.
struct shared {
  explicit shared(const driver& d) : driver_(d) {
    d.create_stream(own_, 0);
    void* at = nullptr;
    d.allocate(at, 2 * sizeof(long), own_);
    weights = static_cast<long*>(at);
    ticks = weights + 1;
    *weights = 1;
    *ticks = 0;
    d.synchronize_stream(own_);
  }
  shared(const shared&) = delete;
  shared& operator=(const shared&) = delete;
  ~shared() {
    driver_.free(weights, own_);
    driver_.destroy_stream(own_);
  }

  long* weights = nullptr;
  long* ticks = nullptr;
  std::atomic<int> called{0};  // by several threads
  int throws_at = -1;

 private:
  driver driver_;
  recording::stream own_ = nullptr;
};

struct task {
  driver d;
  shared* common;

  void put(recording::stream s, const char* name, std::vector<const long*> in, long* out,
           std::vector<recording::access> besides = {}) const {
    if (common->called++ == common->throws_at) throw std::runtime_error("the body gave up");
    for (const long* at : in) besides.push_back(recording::reads(at, sizeof(long)));
    besides.push_back(recording::writes(out, sizeof(long)));
    d.enqueue(
        s,
        [in = std::move(in), out, name] {
          std::vector<long> values;
          for (const long* at : in) values.push_back(*at);
          *out = made_by(name, values);
        },
        name, std::move(besides));
  }
  recording::access looks() const { return recording::reads(common->weights, sizeof(long)); }
  recording::access changes() const { return recording::writes(common->weights, sizeof(long)); }
};

struct weights : st::resource<> {};
struct raw : st::slot<pinned_cell> {};
struct loaded : st::slot<cell> {};
struct half : st::slot<cell> {};
struct scaled : st::slot<cell> {};
struct done : st::slot<pinned_cell> {};

struct load : task {
  using stream = st::stream<"copies">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<loaded>;
  void operator()(recording::stream s, const pinned_cell& in, cell& out) const {
    put(s, "load", {in.data()}, out.data());
  }
};
struct first : task {
  using stream = st::stream<"main">;
  using reads = st::reads<loaded>;
  using writes = st::writes<half>;
  void operator()(recording::stream s, const cell& in, cell& out) const {
    put(s, "first", {in.data()}, out.data());
  }
};
struct aside : task {
  using stream = st::stream<"side">;
  using reads = st::reads<half>;
  using writes = st::writes<scaled>;
  using observes = st::observes<weights>;
  using cross_iter_depends_on = st::cross_iter_depends_on<struct second>;
  void operator()(recording::stream s, const cell& in, cell& out) const {
    put(s, "aside", {in.data()}, out.data(), {looks()});
  }
};
struct second : task {
  using stream = st::stream<"main">;
  using reads = st::reads<half, scaled>;
  using writes = st::writes<done>;
  using mutates = st::mutates<weights>;
  void operator()(recording::stream s, const cell& a, const cell& b, pinned_cell& out) const {
    put(s, "second", {a.data(), b.data()}, out.data(), {changes()});
  }
};
/// Looks on the host at what `first` has made.
struct look {
  using depends_on = st::depends_on<first>;
  void operator()() const {}
};
struct third : second {
  using depends_on = st::depends_on<look>;
};

long expected(std::size_t b) {
  const long halfway = made_by("first", {made_by("load", {number_of_batch(b)})});
  return made_by("second", {halfway, made_by("aside", {halfway})});
}

using all_streams = st::streams<"copies", "main", "side">;
using more_streams = st::streams<"copies", "main", "side", "upkeep">;

struct line : st::schedule<st::source<raw>, st::result<done>, all_streams, load, first, aside,
                           second, st::threads<st::on_caller>> {};

/// A host task stands between the graphs.
struct aside_of_third : aside {
  using cross_iter_depends_on = st::cross_iter_depends_on<third>;
};
struct with_look : st::schedule<st::source<raw>, st::result<done>, all_streams, load, first, look,
                                aside_of_third, third, st::threads<st::on_caller>> {};

/// The host looks at what a stream does last for which another one waits, too.
struct look_aside {
  using cross_iter_depends_on = st::cross_iter_depends_on<aside>;
  void operator()() const {}
};
struct watched : st::schedule<st::source<raw>, st::result<done>, all_streams, load, first, aside,
                              second, look_aside, st::threads<st::on_caller>> {};

/// A task on one of the streams is called each time.
struct counted : first {
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    CHECK(ctx.batch() < 1000);
    put(ctx.stream(), "first", {in.data()}, out.data());
  }
};
struct with_counted : st::schedule<st::source<raw>, st::result<done>, all_streams, load, counted,
                                   aside, second, st::threads<st::on_caller>> {};

/// Another thread has the first task.
struct on_two_threads : st::replan<line, st::threads<st::group<"loader", load>,
                                                     st::group<"trainer", first, aside, second>>> {
};

/// Two threads have tasks on one stream.
struct on_one_stream
    : st::replan<line,
                 st::threads<st::group<"front", load, first>, st::group<"back", aside, second>>> {};

/// Another thread's task stands between, which this one waits for.
struct around_another : st::replan<line, st::threads<st::group<"around", load, first, second>,
                                                     st::group<"between", aside>>> {};

/// Events come round together with copies only after more progresses than copies do.
struct tick : task {
  using stream = st::stream<"upkeep">;
  void operator()(recording::stream s) const {
    d.enqueue(
        s, [] {}, "tick");
  }
};
struct look_far {
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<tick, 2>>;
  void operator()() const {}
};
struct watched_from_afar
    : st::schedule<st::source<raw>, st::result<done>, more_streams, load, first, aside, second,
                   tick, look_far, st::threads<st::on_caller>> {};

/// The result is handed out on a stream of the pipeline's.
struct on_stream : st::replan<line, st::result_on<"main">> {};

/// Several places in the turn.
struct in_turns : st::replan<line, st::slack<raw>, st::slack<loaded>, st::slack<done>> {};

/// Spanned, `load` of a batch would wait for the batch before it, which it need not.
struct apart
    : st::replan<line, st::place<first, st::lookahead<1>>, st::place<aside, st::lookahead<1>>,
                 st::place<second, st::lookahead<1>>, st::slack<loaded>> {};
/// That matters where it takes any time.
struct apart_but_light : st::replan<apart, st::place<load, st::lookahead<1>, st::weight<0>>> {};

/// `apart`, where neither the source nor the result holds anybody up.
struct apart_with_room
    : st::replan<apart, st::slack<raw, 2>, st::slack<loaded, 2>, st::slack<done, 2>> {};

/// Each graph has one task, with a host task between.
struct look_at_loaded {
  using depends_on = st::depends_on<load>;
  void operator()() const {}
};
struct finish_loaded : task {
  using stream = st::stream<"main">;
  using reads = st::reads<loaded>;
  using writes = st::writes<done>;
  using depends_on = st::depends_on<look_at_loaded>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(s, "finish", {in.data()}, out.data());
  }
};
struct one_by_one : st::schedule<st::source<raw>, st::result<done>, st::streams<"copies", "main">,
                                 load, look_at_loaded, finish_loaded, st::threads<st::on_caller>,
                                 st::place<load, st::lookahead<0>>> {};

/// Three stages, of which the host waits for the first and the last only.
struct last_stage : task {
  using stream = st::stream<"side">;
  using reads = st::reads<half>;
  using writes = st::writes<done>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(s, "finish", {in.data()}, out.data());
  }
};
struct in_stages
    : st::schedule<st::source<raw>, st::result<done>, all_streams, load, first, last_stage,
                   st::threads<st::on_caller>, st::place<load, st::lookahead<2>>,
                   st::place<first, st::lookahead<1>>> {};

/// The same, the last one first in a progress.
struct backwards : st::schedule<st::source<raw>, st::result<done>, all_streams, last_stage, first,
                                load, st::threads<st::on_caller>, st::place<load, st::lookahead<2>>,
                                st::place<first, st::lookahead<1>>> {};

/// The host waits for the batch before, and two streams end without a task that waits for them.
struct noted : st::slot<pinned_cell> {};
struct note : task {
  using stream = st::stream<"side">;
  static constexpr int lookahead = 1;
  using reads = st::reads<half>;
  using writes = st::writes<noted>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(s, "note", {in.data()}, out.data());
  }
};
struct finish : task {
  using stream = st::stream<"main">;
  static constexpr int lookahead = 1;
  using reads = st::reads<half>;
  using writes = st::writes<done>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(s, "finish", {in.data()}, out.data());
  }
};
/// No wait connects its stream with another one.
struct upkeep : task {
  using stream = st::stream<"upkeep">;
  static constexpr int lookahead = 1;
  using mutates = st::mutates<weights>;
  void operator()(recording::stream s) const {
    put(s, "upkeep", {common->weights}, common->weights);
  }
};
struct spread : st::schedule<st::source<raw>, st::result<done, noted>, more_streams, load, first,
                             note, finish, upkeep, st::threads<st::on_caller>,
                             st::place<first, st::lookahead<1>>, st::place<load, st::weight<0>>> {};

/// Two graphs have tasks of a stream that nobody waits for.
struct ticks : st::resource<> {};
struct tick_early : task {
  using stream = st::stream<"upkeep">;
  using mutates = st::mutates<ticks>;
  void operator()(recording::stream s) const { put(s, "tick", {common->ticks}, common->ticks); }
};
struct look_between {
  using depends_on = st::depends_on<first, tick_early>;
  void operator()() const {}
};
struct tick_late : tick_early {
  using depends_on = st::depends_on<look_between>;
};
struct finish_late : task {
  using stream = st::stream<"main">;
  using reads = st::reads<half>;
  using writes = st::writes<done>;
  using depends_on = st::depends_on<look_between>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(s, "finish", {in.data()}, out.data());
  }
};
struct ticking : st::schedule<st::source<raw>, st::result<done>,
                              st::streams<"copies", "main", "upkeep">, load, first, tick_early,
                              look_between, finish_late, tick_late, st::threads<st::on_caller>> {};

template <class Schedule>
struct subject : fixture {
  shared common{d};
  tested::pipeline<Schedule, replaying> pipeline = make(static_cast<Schedule*>(nullptr));

  explicit subject(unsigned seed = 0) {
    for (const char* s : {"copies", "main", "side"}) w.name(pipeline.device().stream(s), s);
    if (seed > 0) w.jitter(seed);
  }
  template <class Of>
  tested::pipeline<Schedule, replaying> make(Of*) {
    return tested::pipeline<Schedule, replaying>(d, load{{d, &common}}, first{{d, &common}},
                                                 aside{{d, &common}}, second{{d, &common}});
  }
  tested::pipeline<Schedule, replaying> make(with_look*) {
    return tested::pipeline<Schedule, replaying>(d, load{{d, &common}}, first{{d, &common}},
                                                 aside_of_third{{{d, &common}}},
                                                 third{{{d, &common}}});
  }
  tested::pipeline<Schedule, replaying> make(watched_from_afar*) {
    return tested::pipeline<Schedule, replaying>(d, load{{d, &common}}, first{{d, &common}},
                                                 aside{{d, &common}}, second{{d, &common}},
                                                 tick{{d, &common}});
  }
  tested::pipeline<Schedule, replaying> make(with_counted*) {
    return tested::pipeline<Schedule, replaying>(d, load{{d, &common}}, counted{{{d, &common}}},
                                                 aside{{d, &common}}, second{{d, &common}});
  }

  /// Whether a run gives what it should; false after wrong numbers.
  bool run(std::size_t batches) {
    std::vector<long> right;
    for (std::size_t b = 0; b < batches; ++b) right.push_back(expected(b));
    return results(pipeline, w, batches) == right;
  }
};

template <class Schedule>
std::vector<st::device::launch_group> launches_of() {
  static fixture f;  // what is told names tasks and streams
  static shared common(f.d);
  return []<class... Task>(st::pack<Task...>) {
    const auto made = []<class Type>(std::type_identity<Type>) {
      if constexpr (std::is_base_of_v<task, Type>)
        return Type{f.d, &common};
      else
        return Type{};
    };
    static tested::pipeline<Schedule, replaying> pipeline(f.d, made(std::type_identity<Task>{})...);
    return pipeline.device().launches();
  }(typename st::typed::declared<Schedule>::tasks{});
}

template <class Schedule>
std::string launched() {
  std::string text;
  for (const st::device::launch_group& l : launches_of<Schedule>()) {
    text.append(l.stream).append(":");
    for (const std::string_view t : l.tasks) text.append(" ").append(t);
    text.append("; ");
  }
  return text;
}

template <class Schedule>
void check_runs(std::size_t launches) {
  for (unsigned seed = 0; seed <= 6; ++seed) {
    CAPTURE(seed);
    subject<Schedule> s(seed);
    CHECK(s.run(30));
    CHECK(s.run(30));
    CHECK(s.run(2));
    CHECK(s.run(1));
    s.w.take_log();
    CHECK(s.run(30));
    CHECK(s.w.take_log().count(call::launch) >= launches * 28);
    CHECK(s.breaches() == "");
    CHECK(s.pipeline.device().graph_count() >= launches);
  }
}

TEST_CASE("results are right: one graph") { check_runs<line>(1); }
TEST_CASE("results are right: several places in the turn") { check_runs<in_turns>(1); }
TEST_CASE("results are right: a host task between") { check_runs<with_look>(2); }
TEST_CASE("results are right: the host waits for one in the middle") { check_runs<watched>(1); }
TEST_CASE("results are right: a task between that is called") { check_runs<with_counted>(2); }
TEST_CASE("results are right: two threads") { check_runs<on_two_threads>(2); }
TEST_CASE("results are right: a stream of two threads") { check_runs<on_one_stream>(4); }
TEST_CASE("results are right: another thread between") { check_runs<around_another>(3); }
TEST_CASE("results are right: the host waits for an old batch") {
  check_runs<watched_from_afar>(1);
}
TEST_CASE("results are right: a graph for each stream") { check_runs<apart>(4); }

TEST_CASE("results are right: in the order of a stream") {
  for (unsigned seed = 0; seed <= 4; ++seed) {
    subject<on_stream> s(seed);
    for (int times = 0; times < 3; ++times) {
      std::vector<long> seen(20);
      std::size_t b = 0;
      for (const pinned_cell& r : s.pipeline.run(numbers(s.w, 20))) {
        const long* const from = r.data();
        long* const to = &seen[b++];
        s.d.enqueue(s.pipeline.device().stream("main"), [=] { *to = *from; }, "read",
                    {recording::reads(from, sizeof(long))});
      }
      for (b = 0; b < 20; ++b) CHECK(seen[b] == expected(b));
    }
    CHECK(s.breaches() == "");
    CHECK(s.pipeline.device().graph_count() > 0);
  }
}

TEST_CASE("results are right: streams of two devices") {
  for (unsigned seed = 0; seed <= 4; ++seed) {
    recording::world w(2);
    const driver d(w);
    if (seed > 0) w.jitter(seed);
    shared common(d);
    tested::pipeline<line, replaying> pipeline(
        d, load{{d, &common}}, first{{d, &common}}, aside{{d, &common}}, second{{d, &common}},
        streams{{"copies"}, {"main", {.device = 1}}, {"side", {.device = 1}}});
    for (int times = 0; times < 2; ++times) {
      std::vector<long> right;
      for (std::size_t b = 0; b < 20; ++b) right.push_back(expected(b));
      CHECK(results(pipeline, w, 20) == right);
    }
    CHECK(pipeline.device().graph_count() == 2);
    CHECK(w.take_breaches().empty());
  }
}

TEST_CASE("results are right: one graph is captured later than another one, or not at all") {
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (std::size_t refused = 0; refused < 4; ++refused) {
      CAPTURE(seed);
      CAPTURE(refused);
      fixture f;
      f.w.jitter(seed);
      shared common(f.d);
      tested::pipeline<ticking, replaying> pipeline(
          f.d, load{{f.d, &common}}, first{{f.d, &common}}, tick_early{{f.d, &common}},
          finish_late{{f.d, &common}}, tick_late{{{f.d, &common}}});
      f.w.fail(call::end_capture, refused, status::invalid_value);
      if (seed % 2 == 0) f.w.fail(call::end_capture, refused + 2, status::invalid_value);
      std::vector<long> right;
      long ticked = 0;
      for (std::size_t b = 0; b < 30; ++b) {
        right.push_back(
            made_by("finish", {made_by("first", {made_by("load", {number_of_batch(b)})})}));
        for (int twice = 0; twice < 2; ++twice) ticked = made_by("tick", {ticked});
      }
      CHECK(results(pipeline, f.w, 30) == right);
      CHECK(*common.ticks == ticked);
      CHECK(f.breaches() == "");
      CHECK(pipeline.device().graph_count() > 0);
    }
}

TEST_CASE("results are right: runs of all lengths") {
  subject<in_turns> s;
  for (std::size_t batches = 0; batches < 24; ++batches) CHECK(s.run(batches));
  CHECK(s.pipeline.device().graph_count() == 6);
  CHECK(s.breaches() == "");
}

TEST_CASE("results are right: what is called at a run's end comes after what was launched") {
  for (unsigned seed = 0; seed <= 6; ++seed) {
    fixture f;
    shared common(f.d);
    tested::pipeline<in_stages, replaying> pipeline(
        f.d, load{{f.d, &common}}, first{{f.d, &common}}, last_stage{{f.d, &common}});
    if (seed > 0) f.w.jitter(seed);
    for (int times = 0; times < 3; ++times) {
      std::vector<long> right;
      for (std::size_t b = 0; b < 20; ++b)
        right.push_back(
            made_by("finish", {made_by("first", {made_by("load", {number_of_batch(b)})})}));
      CHECK(results(pipeline, f.w, 20) == right);
    }
    CHECK(pipeline.device().graph_count() > 0);
    CHECK(f.breaches() == "");
  }
}

TEST_CASE("what the user puts on a stream between runs comes before what is launched") {
  subject<apart_but_light> s;
  CHECK(s.run(20));
  CHECK(s.run(20));
  for (int times = 0; times < 3; ++times) {
    long* const weights = s.common.weights;
    s.d.enqueue(s.pipeline.device().stream("side"), [weights] { *weights = 1; }, "of the user",
                {recording::writes(weights, sizeof(long))});
    s.w.take_log();
    auto run = s.pipeline.run(numbers(s.w, 20));
    while (run.next()) s.w.host_reads(run.result().data(), sizeof(long));
    CHECK(s.breaches() == "");
  }
}

TEST_CASE("which tasks one launch does") {
  CHECK(launched<line>() == "copies: load first aside second; ");
  CHECK(launched<spread>() == "copies: load first note finish upkeep; ");
  CHECK(launched<in_turns>() == "copies: load first aside second; ");
  // `first` is waited for by the host.
  CHECK(launched<with_look>() == "copies: load first; copies: aside_of_third third; ");
  // What is called is on the stream of the launches.
  CHECK(launched<with_counted>() == "main: load; main: aside second; ");
  // The stream of another thread is not this thread's to span.
  CHECK(launched<on_two_threads>() == "copies: load; main: first aside second; ");
  CHECK(launched<on_one_stream>() == "copies: load; main: first; side: aside; main: second; ");
  // A graph ends where its thread waits for another one.
  CHECK(launched<around_another>() == "copies: load first; copies: second; side: aside; ");
  // Nor is a stream spanned where others put work, unless graphs are launched there.
  CHECK(launched<on_stream>() == "main: load first aside second; ");
  CHECK(launched<apart>() == "copies: load; main: first; side: aside; main: second; ");
  CHECK(launched<apart_but_light>() == "copies: load first aside second; ");
  CHECK(launched<apart_with_room>() == launched<apart>());
  CHECK(launched<in_stages>() == "copies: load first last_stage; ");
}

template <class Schedule>
std::string reason() {
  return std::string(launches_of<Schedule>().front().reason);
}

TEST_CASE("it is said why graphs span streams, or do not") {
  CHECK(reason<line>() ==
        "graphs span the streams of this thread: a progress takes fewer calls that way");
  CHECK(reason<st::serial<line>>() ==
        "each graph is of one stream: a progress would take no fewer calls otherwise");
  CHECK(reason<apart>().find("by the tasks' weights a progress would take longer") !=
        std::string::npos);
  CHECK(reason<apart_with_room>() == reason<apart>());
  CHECK(reason<one_by_one>() == reason<st::serial<line>>());
}

TEST_CASE("a steady progress is a launch") {
  subject<line> s;
  auto run = s.pipeline.run(numbers(s.w, 100));
  for (int i = 0; i < 10; ++i) run.progress();
  const int called = s.common.called;
  s.w.take_log();
  run.progress();
  CHECK(s.w.take_log().text() ==
        "synchronize_event(e0)\n"  // the source's pinned memory is to be filled again
        "launch(x0, copies)\n"
        "record(e0, copies)\n"
        "record(e3, copies)\n"
        "synchronize_event(e3)\n");  // the result is handed out
  CHECK(s.common.called == called);
}

TEST_CASE("waits for others lie before the launch, records for them behind it") {
  subject<on_two_threads> s;
  auto run = s.pipeline.run(numbers(s.w, 100));
  for (int i = 0; i < 20; ++i) run.progress();
  s.w.take_log();
  for (int i = 0; i < 4; ++i) run.progress();
  const recording::log all = s.w.take_log();
  CHECK(all.count(call::record_external) == 0);
  CHECK(all.count(call::record) >= 6);
  const std::size_t launches = all.on("main").count(call::launch);
  CHECK(launches >= 2);
  CHECK(all.on("main").count(call::wait) == all.count(call::wait));
  CHECK(all.count(call::wait) + 1 >= launches);  // another thread may be between the two
  CHECK(all.count(call::wait) <= launches + 1);
}

/// A run in which, from the second batch on, some calls may do nothing; and, if asked for, a
/// capture is refused, so that a place is called after another one was launched.
struct leaving_out {
  static constexpr std::size_t batches = 14;

  leaving_out(bool refuse, call what, std::size_t nth, std::size_t many = 1) {
    w.name(pipeline.device().stream("upkeep"), "upkeep");
    std::size_t b = 0;
    try {
      auto run = pipeline.run(numbers(w, batches));
      while (run.next()) {
        const auto& [finished, noted_down] = run.result();
        const long halfway = made_by("first", {made_by("load", {number_of_batch(b)})});
        noticed = w.host_read(finished.data()) != made_by("finish", {halfway}) || noticed;
        noticed = w.host_read(noted_down.data()) != made_by("note", {halfway}) || noticed;
        if (b++ > 0) continue;
        w.take_log();
        if (refuse) w.fail(call::end_capture, 1, status::invalid_value);
        for (std::size_t i = 0; i < many; ++i) w.ignore(what, nth + i);
      }
    } catch (const std::exception&) {
      noticed = true;
    }
    noticed = noticed || b != batches || !w.take_breaches().empty();
  }

  /// The calls of a kind until the last launch.
  std::vector<std::string> calls(call what) {
    std::vector<std::string> all;
    std::size_t until = 0;
    for (const auto& e : w.take_log()) {
      if (e.call == what) all.push_back(e.text);
      if (e.call == call::launch) until = all.size();
    }
    all.resize(until);
    return all;
  }

  recording::world w;
  driver d{w};
  shared common{d};
  tested::pipeline<spread, replaying> pipeline{d,
                                               load{{d, &common}},
                                               first{{d, &common}},
                                               note{{d, &common}},
                                               finish{{d, &common}},
                                               upkeep{{d, &common}}};
  bool noticed = false;
};

/// Those that can be left out without anybody noticing, of those that begin so.
std::string unnoticed(bool refuse, call what, std::string_view beginning, std::size_t least,
                      std::size_t together = 1) {
  leaving_out nothing(refuse, what, 1000);
  CHECK_FALSE(nothing.noticed);
  const std::vector<std::string> all = nothing.calls(what);
  std::string text;
  std::size_t tried = 0;
  for (std::size_t i = 0; i + together <= all.size(); ++i) {
    if (all[i].find(beginning) != 0) continue;
    ++tried;
    if (!leaving_out(refuse, what, i, together).noticed)
      text.append(std::to_string(i)).append(": ").append(all[i]).append("\n");
  }
  CHECK(tried >= least);
  return text;
}

// Where waits are left out there are races, as there are to be.
TEST_CASE("no wait can be left out" * doctest::skip(thread_sanitized)) {
  CHECK(unnoticed(false, call::wait, "", 20) == "");
}
// A launch has three of them behind it, of which each is late enough for who waits for another.
TEST_CASE("no three records can be left out" * doctest::skip(thread_sanitized)) {
  CHECK(unnoticed(false, call::record, "", 20, 3) == "");
}
TEST_CASE("what is called after a launch comes after it, whatever the stream" *
          doctest::skip(thread_sanitized)) {
  const std::vector<std::string> all = leaving_out(true, call::wait, 1000).calls(call::wait);
  bool needed = false;
  for (std::size_t i = 0; i < all.size() && !needed; ++i)
    needed = all[i].find("wait(upkeep") == 0 && leaving_out(true, call::wait, i).noticed;
  CHECK(needed);
}

TEST_CASE("a body that throws while several streams are captured fails as it would otherwise") {
  std::size_t captures = 0;
  for (int at = 8; at < 24; ++at) {
    CAPTURE(at);
    subject<line> s;
    s.common.throws_at = at;
    std::string what;
    try {
      s.run(30);
    } catch (const st::task_error& e) {
      what = e.what();
    }
    CHECK((what.find("the body gave up") != std::string::npos) == (s.common.called > at));
    const recording::log all = s.w.take_log();
    captures += all.count(call::begin_capture) - all.count(call::instantiate);
    CHECK(s.breaches() == "");
    s.pipeline.reset();
    CHECK(s.run(30));
    CHECK(s.run(30));
    CHECK(s.pipeline.device().left_out().empty());
    CHECK(s.breaches() == "");
  }
  CHECK(captures >= 4);  // some of them while they were captured
}

TEST_CASE("what was only captured when a body threw has not been done") {
  CHECK(launched<backwards>() == "copies: last_stage first load; ");
  std::size_t captures = 0;
  for (int at = 6; at < 24; ++at) {
    CAPTURE(at);
    fixture f;
    shared common(f.d);
    common.throws_at = at;
    tested::pipeline<backwards, replaying> pipeline(
        f.d, load{{f.d, &common}}, first{{f.d, &common}}, last_stage{{f.d, &common}});
    std::size_t b = 0;
    try {
      for (const pinned_cell& r : pipeline.run(numbers(f.w, 30))) {
        f.w.host_reads(r.data(), sizeof(long));
        CHECK(r[0] ==
              made_by("finish", {made_by("first", {made_by("load", {number_of_batch(b)})})}));
        ++b;
      }
    } catch (const st::task_error&) {
    }
    CHECK(f.breaches() == "");
    const recording::log all = f.w.take_log();
    captures += all.count(call::begin_capture) - all.count(call::instantiate);
  }
  CHECK(captures >= 4);
}

/// Counts what it is told of each task.
struct counting {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;

  void attached(std::span<const std::string_view>, std::span<const std::string_view> tasks) {
    begun.resize(tasks.size());
    ended.resize(tasks.size());
    out_of_order.resize(tasks.size());
  }
  void started(std::size_t, std::size_t task, std::size_t batch) {
    if (batch != begun[task]++) ++out_of_order[task];
  }
  void finished(std::size_t, std::size_t task, std::size_t batch) {
    if (batch != ended[task]++) ++out_of_order[task];
  }

  std::vector<std::size_t> begun;
  std::vector<std::size_t> ended;
  std::vector<std::size_t> out_of_order;  // by task: threads share nothing
};

template <class Schedule>
void check_watched(std::size_t launches) {
  fixture f;
  shared common(f.d);
  tested::pipeline<Schedule, replaying, counting> pipeline(
      f.d, load{{f.d, &common}}, first{{f.d, &common}}, aside{{f.d, &common}},
      second{{f.d, &common}});
  std::vector<long> right;
  for (std::size_t b = 0; b < 30; ++b) right.push_back(expected(b));
  CHECK(results(pipeline, f.w, 30) == right);
  const counting& told = pipeline.observer();
  CHECK(told.out_of_order == std::vector<std::size_t>(told.begun.size()));
  CHECK(std::count(told.begun.begin(), told.begun.begin() + 4, 30) == 4);
  CHECK(told.ended == told.begun);
  CHECK(f.w.take_log().count(call::launch) >= launches * 20);
  CHECK(f.breaches() == "");
}

TEST_CASE("whoever watches is told of each task that a launch does") {
  check_watched<line>(1);
  check_watched<apart>(4);
  check_watched<on_two_threads>(2);
}

TEST_CASE("what changed in a task is seen when graphs are made anew") {
  subject<line> s;
  shared other(s.d);
  CHECK(s.run(20));
  s.pipeline.template task<first>().common = &other;
  CHECK(s.run(20));
  const int called = other.called;
  CHECK(called < 3);
  s.pipeline.device().forget_graphs();
  CHECK(s.pipeline.device().graph_count() == 0);
  CHECK(s.run(20));
  CHECK(other.called - called >= 4);
  CHECK(s.breaches() == "");
}

TEST_CASE("there is a graph for each place in the turn of copies and events") {
  static_assert(st::device::ordering<watched_from_afar>::event_count[4] == 3);
  subject<line> two;
  CHECK(two.run(40));
  CHECK(two.pipeline.device().graph_count() == 2);
  subject<watched_from_afar> six;
  CHECK(six.run(40));
  CHECK(six.pipeline.device().graph_count() == 6);
}

TEST_CASE("nothing is left behind") {
  fixture f;
  {
    shared common(f.d);
    tested::pipeline<line, replaying> pipeline(f.d, load{{f.d, &common}}, first{{f.d, &common}},
                                               aside{{f.d, &common}}, second{{f.d, &common}});
    results(pipeline, f.w, 20);
    CHECK(pipeline.device().graph_count() == 2);
  }
  CHECK(f.leaks() == "");
  CHECK(f.breaches() == "");
}

}  // namespace
