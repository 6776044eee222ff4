// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <stretto/device/capture.hpp>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/launches.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::device {

/// A task whose body is called in every progress although graphs were asked for, and why.
struct uncaptured {
  std::string_view task;
  std::string reason;
};

/// Tasks that one launch of a graph does in a steady progress, in the order in which their bodies
/// were called.
struct launch_group {
  std::vector<std::string_view> tasks;
  std::string_view stream;  ///< on which it is launched
  std::string_view reason;  ///< why the graphs of their thread span its streams, or do not
};

namespace detail {

constexpr std::string_view reason_of(span_choice c) {
  switch (c) {
    case span_choice::spans:
      return "graphs span the streams of this thread: a progress takes fewer calls that way";
    case span_choice::no_fewer_calls:
      return "each graph is of one stream: a progress would take no fewer calls otherwise";
    case span_choice::longer:
      return "each graph is of one stream: by the tasks' weights a progress would take longer "
             "otherwise, because a launch ends on all of its streams before the next one begins";
    case span_choice::too_many_tasks:
      return "each graph is of one stream: there are too many tasks to tell whether a progress "
             "would take longer otherwise";
  }
  return "";
}

constexpr std::string_view reason_of(obstacle o) {
  switch (o) {
    case obstacle::none: return "";
    case obstacle::host_task: return "it is a host task";
    case obstacle::collective: return "it is a collective, which ranks watch batch by batch";
    case obstacle::context:
      return "its body takes the context, which tells the batch; let it take the stream instead";
    case obstacle::slot:
      return "the memory of a slot that it uses may move, or be read by the host; use `array`, "
             "`pinned_array` or a type with `static constexpr bool stays = true`";
    case obstacle::transient:
      return "a slot that it uses has memory of its own for each batch, which a graph cannot keep; "
             "use `array` where the task is to be captured";
    case obstacle::turn: return "the copies of its slots come round together too seldom";
  }
  return "";
}

/// The graphs of a pipeline. Tasks that are captured together are known by the first of them; only
/// the thread that runs them touches what is kept for them.
template <class Schedule, class Driver>
class graphs {
  static constexpr const auto& plan = plan_of<Schedule>;

 public:
  using captured = capture<Schedule, Driver>;
  using grouped = launches<Schedule, Driver>;

  explicit graphs(const Driver& driver) : driver_(driver) {}
  graphs(const graphs&) = delete;
  graphs& operator=(const graphs&) = delete;
  ~graphs() { forget(); }

  /// Destroys all graphs, while no run is on: what is replayed is captured anew.
  void forget() {
    for (own& o : by_first_) {
      for (const place& p : o.places)
        if (p.is_captured()) static_cast<void>(driver_.destroy_executable(p.executable));
      o = {};
    }
  }

  /// Launches on \p stream the graph whose turn it is of those that begin with node `First`, with
  /// what \p how has around it, if no more than that is to be done: it was launched in the
  /// progress before, too. Whether it has.
  template <std::size_t First, class How>
  [[gnu::always_inline]] bool launch_next(typename Driver::stream stream, How how) {
    const place* const here = by_first_[First].next;
    if (here == nullptr) [[unlikely]]
      return false;
    by_first_[First].next = here->behind;
    how.before_next_launch();
    shared::checked<Driver>(call::launch, driver_.launch(here->executable, stream));
    how.after_next_launch();
    return true;
  }
  /// Has a thread's launches looked at one by one again: something comes between two of them.
  void interrupt(std::size_t thread) {
    for (std::size_t n = 0; n < plan.nodes; ++n)
      if (plan.thread_of[n] == thread) by_first_[n].next = nullptr;
  }

  /// Has the device do what the bodies of the nodes `First` and `More` put on streams in this place
  /// of their slots' turn. The first time they are called: libraries do at their first call what
  /// may not be captured. The second time that is captured, from then on launched on \p stream.
  /// What cannot be captured is called each time. Nothing is captured before \p ready: other
  /// threads may still be making slots' values in the order of the stream. How bodies are called,
  /// and captured, \p how says: see `one_stream`.
  template <std::size_t First, std::size_t... More, class How>
  void replay(std::size_t progress, typename Driver::stream stream, bool ready, How how) {
    constexpr std::size_t turn = grouped::template turn<First, More...>;
    constexpr std::size_t complete = captured::template complete_from<First, More...>;
    if constexpr (complete > 0)
      if (progress < complete) return how.call();
    own& mine = by_first_[First];
    replay(mine, turn, progress % turn, stream, ready, how);
    ((by_first_[More].emitted_error = mine.emitted_error), ...);
  }

  /// The tasks that are called each time, as far as is known: what the runtime does not let be
  /// captured shows in the first steady progresses. While no run is on.
  std::vector<uncaptured> left_out() const {
    std::vector<uncaptured> all;
    for (std::size_t n = 0; n < plan.tasks; ++n) {
      if (captured::obstacles[n] != obstacle::none) {
        all.push_back(uncaptured{plan.names[n], std::string(reason_of(captured::obstacles[n]))});
      } else if (!by_first_[n].emitted_error.empty()) {
        all.push_back(uncaptured{plan.names[n], by_first_[n].emitted_error});
      }
    }
    return all;
  }
  /// What is launched in a steady progress when all is captured, in the order of each thread.
  static std::vector<launch_group> each_launch() {
    std::vector<launch_group> all;
    for (std::size_t t = 0; t < plan.threads; ++t)
      for (std::size_t i = plan.chains[t].first; i < plan.chains[t].last; ++i) {
        const std::size_t n = plan.chained[i];
        if (grouped::chosen.first[n] == grouped::none) continue;
        if (grouped::chosen.first[n] == n) {
          const std::size_t on =
              grouped::spans(n) ? grouped::launch_stream(n) : ordering<Schedule>::stream_of[n];
          all.push_back(
              {{}, ordering<Schedule>::stream_name(on), reason_of(grouped::chosen.choice[t])});
        }
        all.back().tasks.push_back(plan.names[n]);
      }
    return all;
  }
  /// How many graphs there are.
  std::size_t size() const {
    std::size_t made = 0;
    for (const own& o : by_first_) made += o.captured;
    return made;
  }

 private:
  /// How often the runtime is asked to capture what it has refused.
  static constexpr int most_refusals = 2;

  /// In the turn of copies and events.
  struct place {
    typename Driver::executable executable{};
    const place* behind = nullptr;
    bool called = false;  ///< the bodies have been

    bool is_captured() const { return executable != typename Driver::executable{}; }
  };
  struct own {
    /// That of the next progress, if all are captured and it only has to be launched.
    const place* next = nullptr;
    stretto::planner::list<place> places;
    std::size_t captured = 0;
    int refusals = 0;
    std::string emitted_error;  ///< why it is captured no more
  };

  template <class How>
  void replay(own& mine, std::size_t turn, std::size_t at, typename Driver::stream stream,
              bool ready, How& how) {
    if (!mine.emitted_error.empty()) return how.call();
    if (mine.places.empty()) {
      mine.places.assign(turn, {});
      for (std::size_t i = 0; i < turn; ++i) mine.places[i].behind = &mine.places[(i + 1) % turn];
    }
    place& here = mine.places[at];
    if (!here.is_captured()) {
      if (!ready || !here.called) {
        how.call();
        here.called = true;
        return;
      }
      if (!try_capture(mine, here, stream, how)) {
        static_cast<void>(driver_.last_error());  // what the attempt left behind
        return how.call();
      }
    }
    how.before_launch();
    shared::checked<Driver>(call::launch, driver_.launch(here.executable, stream));
    how.after_launch();
    if (mine.captured == turn && how.may_only_launch()) mine.next = here.behind;
  }

  /// Whether the runtime let it. What a body throws while the capture is whole, be it for what its
  /// calls left behind, is thrown on, and there is no graph.
  template <class How>
  bool try_capture(own& mine, place& here, typename Driver::stream stream, How& how) {
    const typename Driver::status begun = driver_.begin_capture(stream);
    if (begun != Driver::success) return refuse(mine, call::begin_capture, begun);
    std::exception_ptr thrown;
    try {
      how.capture();
    } catch (...) {
      thrown = std::current_exception();
    }
    how.join();
    typename Driver::graph graph{};
    const typename Driver::status ended = driver_.end_capture(stream, graph);
    if (ended != Driver::success) return refuse(mine, call::end_capture, ended);
    typename Driver::executable made{};
    typename Driver::status instantiated = Driver::success;
    if (!thrown) instantiated = driver_.instantiate(made, graph);
    const typename Driver::status destroyed = driver_.destroy_graph(graph);
    if (thrown) std::rethrow_exception(thrown);
    if (instantiated != Driver::success) return refuse(mine, call::instantiate, instantiated);
    here.executable = made;
    ++mine.captured;
    shared::checked<Driver>(call::destroy_graph, destroyed);
    return true;
  }

  bool refuse(own& mine, call c, typename Driver::status s) {
    if (Driver::sticky(s)) fail<Driver>(c, s);
    if (++mine.refusals < most_refusals) return false;
    mine.emitted_error.assign(Driver::call_name(c));
    mine.emitted_error.append(": ").append(Driver::text(s));
    return false;
  }

  [[no_unique_address]] Driver driver_;
  std::array<own, plan.nodes> by_first_{};
};

/// How bodies are called and captured whose graph is of one stream: order and waits between streams
/// stay what they are, outside of it.
template <class Call>
struct one_stream {
  /// Calls them as without graphs.
  void call() { bodies(); }
  /// Has them captured; `join` then brings together what else is captured.
  void capture() { bodies(); }
  void join() noexcept {}
  /// What has to come before the launch.
  void before_launch() {}
  /// What has to come behind it.
  void after_launch() {}
  /// Whether that is no more from now on than `launches_only` has, until something comes between.
  static bool may_only_launch() { return true; }

  Call bodies;
};
/// What is around the launch of a graph of one stream when it is launched again and again.
struct launches_only {
  static void before_next_launch() {}
  static void after_next_launch() {}
};

/// Stands where no graphs were asked for.
template <class Driver>
struct no_graphs {
  explicit no_graphs(const Driver&) {}
};

}  // namespace detail
}  // namespace stretto::device
