// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/plan/model/list.hpp>
#include <string>

namespace stretto::device::detail {

/// The graphs of tasks that one launch does: one for each place in the turn of their slots' copies
/// and events. Only the thread that runs these tasks touches them while a run is on.
template <class Driver>
class graphs_in_turn {
 public:
  /// Destroys all, while no run is on: what is replayed is captured anew.
  void forget(const Driver& driver) {
    for (const place& p : places_)
      if (p.is_captured()) static_cast<void>(driver.destroy_executable(p.executable));
    *this = {};
  }

  /// Whether nothing is to be done in the next progress but to launch a graph: that was so in the
  /// one before, too.
  [[gnu::always_inline]] bool only_launches() const { return next_ != nullptr; }
  /// If so, the graph whose turn it is.
  [[gnu::always_inline]] typename Driver::executable take_next() {
    const place* const here = next_;
    next_ = here->behind;
    return here->executable;
  }
  /// Has launches looked at one by one again: something comes between two of them.
  void interrupt() { next_ = nullptr; }

  /// Has the device do what bodies put on streams in place \p at of \p turn. The first time they
  /// are called: libraries do at their first call what may not be captured. The second time that is
  /// captured, from then on launched on \p stream. What cannot be captured is called each time.
  /// Nothing is captured before \p ready: other threads may still be making slots' values in the
  /// order of the stream. How bodies are called, and captured, \p how says: see `one_stream`.
  template <class How>
  void replay(const Driver& driver, std::size_t turn, std::size_t at,
              typename Driver::stream stream, bool ready, How& how) {
    if (!refusal_.empty()) return how.call();
    if (places_.empty()) {
      places_.assign(turn, {});
      for (std::size_t i = 0; i < turn; ++i) places_[i].behind = &places_[(i + 1) % turn];
    }
    place& here = places_[at];
    if (!here.is_captured()) {
      if (!ready || !here.called) {
        how.call();
        here.called = true;
        return;
      }
      if (!try_capture(driver, here, stream, how)) {
        static_cast<void>(driver.last_error());  // what the attempt left behind
        return how.call();
      }
    }
    how.before_launch();
    shared::checked<Driver>(call::launch, driver.launch(here.executable, stream));
    how.after_launch();
    if (captured_ == turn && how.may_only_launch()) next_ = here.behind;
  }

  /// How many graphs there are.
  std::size_t size() const { return captured_; }
  /// Why there are no more; empty: nothing was refused.
  const std::string& refusal() const { return refusal_; }

 private:
  /// How often the runtime is asked to capture what it has refused.
  static constexpr int most_refusals = 2;

  struct place {
    typename Driver::executable executable{};
    const place* behind = nullptr;
    bool called = false;  ///< the bodies have been

    bool is_captured() const { return executable != typename Driver::executable{}; }
  };

  /// Whether the runtime let it. What a body throws while the capture is whole, be it for what its
  /// calls left behind, is thrown on, and there is no graph.
  template <class How>
  bool try_capture(const Driver& driver, place& here, typename Driver::stream stream, How& how) {
    const typename Driver::status begun = driver.begin_capture(stream);
    if (begun != Driver::success) return refuse(call::begin_capture, begun);
    std::exception_ptr thrown;
    try {
      how.capture();
    } catch (...) {
      thrown = std::current_exception();
    }
    how.join();
    typename Driver::graph graph{};
    const typename Driver::status ended = driver.end_capture(stream, graph);
    if (ended != Driver::success) return refuse(call::end_capture, ended);
    typename Driver::executable made{};
    typename Driver::status instantiated = Driver::success;
    if (!thrown) instantiated = driver.instantiate(made, graph);
    const typename Driver::status destroyed = driver.destroy_graph(graph);
    if (thrown) std::rethrow_exception(thrown);
    if (instantiated != Driver::success) return refuse(call::instantiate, instantiated);
    here.executable = made;
    ++captured_;
    shared::checked<Driver>(call::destroy_graph, destroyed);
    return true;
  }

  bool refuse(call c, typename Driver::status s) {
    if (Driver::sticky(s)) fail<Driver>(c, s);
    if (++refusals_ < most_refusals) return false;
    refusal_.assign(Driver::call_name(c));
    refusal_.append(": ").append(Driver::text(s));
    return false;
  }

  /// That of the next progress, if all are captured and it only has to be launched.
  const place* next_ = nullptr;
  stretto::planner::list<place> places_;
  std::size_t captured_ = 0;
  int refusals_ = 0;
  std::string refusal_;  ///< why nothing is captured any more
};

/// How bodies are called and captured whose graph is of one stream: order and waits between streams
/// stay what they are, outside of it.
template <class Call>
struct one_stream {
  /// Calls them as without graphs.
  void call() { bodies(false); }
  /// Has them captured; `join` then brings together what else is captured.
  void capture() { bodies(true); }
  void join() noexcept {}
  /// What has to come before the launch.
  void before_launch() {}
  /// What has to come behind it.
  void after_launch() {}
  /// Whether that is no more from now on than what is around a launch that follows another one,
  /// until something comes between.
  static bool may_only_launch() { return true; }

  Call bodies;  ///< is told whether they are captured
};

/// Stands where no graphs were asked for.
template <class Driver>
struct no_graphs {
  explicit no_graphs(const Driver&) {}
};

}  // namespace stretto::device::detail
