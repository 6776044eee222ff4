// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/launches.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/run/wait/signal.hpp>
#include <stretto/static/query/plan_of.hpp>

namespace stretto::device::detail {

/// The order between streams and the graphs that span them: within a capture, and where launches
/// follow what was called or the other way round. What is kept of a thread only that thread
/// touches.
template <class Schedule, class Driver>
class stream_marks {
  static constexpr const auto& plan = plan_of<Schedule>;
  using order = ordering<Schedule>;
  using grouped = launches<Schedule, Driver>;
  using status = typename Driver::status;

 public:
  explicit stream_marks(const Driver& driver) : driver_(driver) {}

  /// \p streams: by number. \p make_event gives a new event for a stream.
  template <class Make>
  void make(const std::array<typename Driver::stream, order::streams>& streams, Make make_event) {
    streams_ = streams;
    for (std::size_t s = 0; s < order::streams; ++s)
      if (grouped::spanned_by[s] != order::none) of_stream_[s] = make_event(s);
    for (std::size_t n = 0; n < plan.tasks; ++n)
      if (grouped::spans(n) && grouped::is_awaited_inside(n))
        of_node_[n] = make_event(order::stream_of[n]);
  }

  /// Marks how far a stream is, for others to come after that.
  status mark(std::size_t stream) const {
    return driver_.record(of_stream_[stream], streams_[stream]);
  }
  status come_after(std::size_t stream, std::size_t marked) const {
    return driver_.wait(streams_[stream], of_stream_[marked]);
  }

  /// Edges of the graph that is being captured, into a node and out of it.
  template <std::size_t Node>
  void wait_inside() const {
    for (const stretto::planner::edge& e : plan.streams.edges)
      if (e.consumer == Node && grouped::is_inside(e))
        shared::checked<Driver>(
            call::wait, driver_.wait(streams_[order::stream_of[Node]], of_node_[e.producer]));
  }
  template <std::size_t Node>
  void mark_inside() const {
    if constexpr (grouped::is_awaited_inside(Node))
      shared::checked<Driver>(call::record,
                              driver_.record(of_node_[Node], streams_[order::stream_of[Node]]));
  }

  /// At the beginning of a thread's part of a run: all streams have been waited for.
  void restart(std::size_t thread) { launched_[thread].last = false; }
  /// Has what a thread launches from now on come after what is on the streams that it spans.
  void launches_after_streams(std::size_t thread) {
    if (launched_[thread].last) return;
    const std::size_t origin = grouped::chosen.launch[thread];
    for (std::size_t s = 0; s < order::streams; ++s) {
      if (s == origin || grouped::spanned_by[s] != thread) continue;
      shared::checked<Driver>(call::record, mark(s));
      shared::checked<Driver>(call::wait, come_after(origin, s));
    }
    launched_[thread].last = true;
  }
  /// Has what is put on those streams from now on come after what was launched. Whether that was
  /// the last.
  bool streams_after_launches(std::size_t thread) {
    if (!launched_[thread].last) return false;
    const std::size_t origin = grouped::chosen.launch[thread];
    shared::checked<Driver>(call::record, mark(origin));
    for (std::size_t s = 0; s < order::streams; ++s)
      if (s != origin && grouped::spanned_by[s] == thread)
        shared::checked<Driver>(call::wait, come_after(s, origin));
    launched_[thread].last = false;
    return true;
  }

 private:
  struct alignas(runner::cache_line) launch_state {
    /// Whether what the thread put on these streams last was launched: those other than that of the
    /// launch know nothing of it.
    bool last = false;
  };

  [[no_unique_address]] Driver driver_;
  std::array<typename Driver::stream, order::streams> streams_{};
  std::array<typename Driver::event, order::streams> of_stream_{};
  std::array<typename Driver::event, order::nodes> of_node_{};
  std::array<launch_state, plan.threads> launched_{};
};

/// Stands where no graphs were asked for.
template <class Driver>
struct no_marks {
  explicit no_marks(const Driver&) {}
};

}  // namespace stretto::device::detail
