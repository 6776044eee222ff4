// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/grouping.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/wait/signal.hpp>

namespace stretto::device::detail {

/// The order between streams and the graphs that span them: within a capture, and where launches
/// follow what was called or the other way round. What is kept of a thread, or of a stream that its
/// graphs span, only that thread touches.
template <class Driver>
class stream_marks {
  static constexpr std::size_t none = stretto::planner::none;
  using status = typename Driver::status;

 public:
  explicit stream_marks(const Driver& driver) : driver_(driver) {}

  /// \p grouped stays where it is. \p streams: by number. \p make_event gives a new event for a
  /// stream.
  template <class Make>
  void make(const grouped_nodes& grouped, stretto::planner::view<typename Driver::stream> streams,
            Make make_event) {
    grouped_ = &grouped;
    streams_.append(streams);
    of_stream_.assign(streams.size(), {});
    of_node_.assign(grouped.facts.nodes(), {});
    spanned_by_.assign(streams.size(), none);
    captured_.assign(streams.size(), 0);
    launched_.assign(grouped.facts.threads(), {});
    for (std::size_t s = 0; s < streams.size(); ++s) {
      spanned_by_[s] = grouped.spanned_by(s);
      if (spanned_by_[s] != none) of_stream_[s] = make_event(s);
    }
    for (std::size_t n = 0; n < of_node_.size(); ++n)
      if (grouped.spans(n) && grouped.is_awaited_inside(n)) of_node_[n] = make_event(stream_of(n));
  }

  /// Marks how far a stream is, for others to come after that.
  status mark(std::size_t stream) const {
    return driver_.record(of_stream_[stream], streams_[stream]);
  }
  status come_after(std::size_t stream, std::size_t marked) const {
    return driver_.wait(streams_[stream], of_stream_[marked]);
  }

  // A capture of the graph that begins with node `head`, on the stream on which it is launched.

  /// Brings those streams into it that come after no other.
  void fork(std::size_t head) {
    const std::size_t origin = grouped_->launch_stream(head);
    launched_[thread_of(head)].whole = false;
    for (std::size_t s = 0; s < streams_.size(); ++s)
      if (spanned_by_[s] == thread_of(head)) captured_[s] = 0;
    shared::checked<Driver>(call::record, mark(origin));
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (s == origin || !forks_from_origin(head, s)) continue;
      shared::checked<Driver>(call::wait, come_after(s, origin));
      captured_[s] = 1;
    }
  }
  /// Edges of the graph into a node, and out of it.
  void before_captured(std::size_t node) {
    for (const stretto::planner::edge& e : grouped_->facts.awaits)
      if (e.consumer == node && grouped_->is_inside(e))
        shared::checked<Driver>(call::wait,
                                driver_.wait(streams_[stream_of(node)], of_node_[e.producer]));
    captured_[stream_of(node)] = 1;  // at the latest by a wait for another stream
  }
  void after_captured(std::size_t node) {
    if (grouped_->is_awaited_inside(node))
      shared::checked<Driver>(call::record,
                              driver_.record(of_node_[node], streams_[stream_of(node)]));
  }
  /// All of its nodes are in it.
  void have_whole(std::size_t head) { launched_[thread_of(head)].whole = true; }
  /// Brings its streams together. (What is refused here, the end of the capture tells.)
  void join(std::size_t head) noexcept {
    const std::size_t origin = grouped_->launch_stream(head);
    const bool whole = launched_[thread_of(head)].whole;
    for (std::size_t s = 0; s < streams_.size(); ++s)
      if (s != origin && spanned_by_[s] == thread_of(head) && captured_[s] != 0 &&
          !(whole && ends_before_another(head, s)))
        if (mark(s) == Driver::success) static_cast<void>(come_after(origin, s));
  }

  /// Has what a thread launches from now on come after what is on the streams that it spans.
  void launches_after_streams(std::size_t thread) {
    if (launched_[thread].last) return;
    const std::size_t origin = grouped_->launch[thread];
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (s == origin || spanned_by_[s] != thread) continue;
      shared::checked<Driver>(call::record, mark(s));
      shared::checked<Driver>(call::wait, come_after(origin, s));
    }
    launched_[thread].last = true;
  }
  /// Has what is put on those streams from now on come after what was launched. Whether that was
  /// the last.
  bool streams_after_launches(std::size_t thread) {
    if (!launched_[thread].last) return false;
    const std::size_t origin = grouped_->launch[thread];
    shared::checked<Driver>(call::record, mark(origin));
    for (std::size_t s = 0; s < streams_.size(); ++s)
      if (s != origin && spanned_by_[s] == thread)
        shared::checked<Driver>(call::wait, come_after(s, origin));
    launched_[thread].last = false;
    return true;
  }

 private:
  struct alignas(runner::cache_line) launch_state {
    /// Whether what the thread put on these streams last was launched: those other than that of the
    /// launch know nothing of it.
    bool last = false;
    bool whole = false;  ///< all nodes of the graph that it captures are in it
  };

  std::size_t stream_of(std::size_t node) const { return grouped_->facts.stream_of[node]; }
  std::size_t thread_of(std::size_t node) const { return grouped_->facts.thread_of[node]; }
  /// Calls \p use with each node of a graph that is on a stream, in the order of its thread.
  template <class Use>
  void each_on(std::size_t head, std::size_t stream, Use use) const {
    const capture_facts& facts = grouped_->facts;
    const stretto::planner::range chain = facts.chains[thread_of(head)];
    for (std::size_t i = chain.first; i < chain.last; ++i)
      if (const std::size_t n = facts.chained[i];
          facts.stream_of[n] == stream && grouped_->follows(head, n))
        use(n);
  }
  /// Whether the first node of a stream comes after no other stream's.
  bool forks_from_origin(std::size_t head, std::size_t stream) const {
    bool is_first = true;
    bool forks = false;
    each_on(head, stream, [&](std::size_t n) {
      if (!is_first) return;
      is_first = false;
      forks = true;
      for (const stretto::planner::edge& e : grouped_->facts.awaits)
        if (e.consumer == n && grouped_->is_inside(e)) forks = false;
    });
    return forks;
  }
  /// Whether another stream's node comes after all that a stream does.
  bool ends_before_another(std::size_t head, std::size_t stream) const {
    bool awaited = false;
    each_on(head, stream, [&](std::size_t n) { awaited = grouped_->is_awaited_inside(n); });
    return awaited;
  }

  [[no_unique_address]] Driver driver_;
  const grouped_nodes* grouped_ = nullptr;
  stretto::planner::list<typename Driver::stream> streams_;
  stretto::planner::list<typename Driver::event> of_stream_;
  stretto::planner::list<typename Driver::event> of_node_;
  stretto::planner::list<std::size_t> spanned_by_;  ///< by stream: see `grouped_nodes`
  stretto::planner::list<char> captured_;           ///< by stream: whether the capture is on it
  stretto::planner::list<launch_state> launched_;   ///< by thread
};

/// Stands where no graphs were asked for.
template <class Driver>
struct no_marks {
  explicit no_marks(const Driver&) {}
};

}  // namespace stretto::device::detail
