// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/graphs_in_turn.hpp>
#include <stretto/device/grouping.hpp>
#include <stretto/device/obstacle.hpp>
#include <stretto/device/stream_marks.hpp>
#include <stretto/device/table_launches.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::device::detail {

/// The graphs of a pipeline of the runtime version: those of each group of tasks that one launch
/// does.
template <class Driver>
class table_graphs {
 public:
  struct group {
    graphs_in_turn<Driver> graphs;  ///< first: what is looked at in each progress
    typename Driver::stream stream{};
    std::size_t origin = 0;  ///< the number of that stream
    std::size_t thread = 0;
    bool spans = false;  ///< several streams
  };

  explicit table_graphs(const Driver& driver) : marks(driver), driver_(driver) {}
  table_graphs(const table_graphs&) = delete;
  table_graphs& operator=(const table_graphs&) = delete;
  ~table_graphs() { forget(); }

  /// When it is found which tasks one launch does. \p streams: by number. \p make_event gives a new
  /// event for a stream.
  template <class Make>
  void make(stretto::planner::view<typename Driver::stream> streams, Make make_event) {
    const grouped_nodes& grouped = launches.grouped();
    groups.resize(launches.groups().size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::size_t first = launches.groups()[i].nodes.front();
      group& g = groups[i];
      g.origin = grouped.launch_stream(first);
      g.stream = streams[g.origin];
      g.thread = grouped.facts.thread_of[first];
      g.spans = grouped.spans(first);
    }
    marks.make(grouped, streams, make_event);
  }

  /// Destroys all graphs, while no run is on: what is replayed is captured anew.
  void forget() {
    for (group& g : groups) g.graphs.forget(driver_);
  }
  /// Has a thread's launches looked at one by one again: something comes between two of them.
  void interrupt(std::size_t thread) {
    for (group& g : groups)
      if (g.thread == thread) g.graphs.interrupt();
  }
  /// Has what is put on the streams that a thread's graphs span come after what was launched.
  void streams_after_launches(std::size_t thread) {
    if (marks.streams_after_launches(thread)) interrupt(thread);
  }
  /// Of a node that is called in a progress of its own.
  void before_call(std::size_t node) {
    const std::size_t number = launches.group_of(node);
    if (number == stretto::planner::none) return;
    group& g = groups[number];
    g.graphs.interrupt();  // the turn of its places goes on without it
    if (g.spans) streams_after_launches(g.thread);
  }

  /// The tasks that are called each time, as far as is known: see `graphs`.
  std::vector<uncaptured> left_out(stretto::planner::view<std::string_view> tasks) const {
    std::vector<uncaptured> all;
    for (std::size_t n = 0; n < launches.obstacles().size(); ++n) {
      const obstacle why = launches.obstacles()[n];
      std::string reason(reason_of(why));
      if (why == obstacle::none) reason = groups[launches.group_of(n)].graphs.refusal();
      if (!reason.empty()) all.push_back({tasks[n], std::move(reason)});
    }
    return all;
  }
  /// How many graphs there are.
  std::size_t size() const {
    std::size_t made = 0;
    for (const group& g : groups) made += g.graphs.size();
    return made;
  }

  table_launches launches;
  std::vector<group> groups;
  stream_marks<Driver> marks;

 private:
  [[no_unique_address]] Driver driver_;
};

/// How bodies are called and captured whose graph spans streams (see `one_stream`), and what is
/// around its launch: what `across_streams` is of types. `Binding` is what a pipeline holds of the
/// device; `Call` calls the body of the i-th node by `call(i, before, captured)`, with `before()`
/// right before it.
template <class Binding, class Call>
class across_table {
 public:
  across_table(Binding& device, std::size_t number, std::size_t progress, Call call)
      : device_(device),
        of_(device.graphs_.groups[number]),
        nodes_(device.graphs_.launches.groups()[number].nodes),
        progress_(progress),
        call_(call) {}

  void call() {
    device_.graphs_.streams_after_launches(of_.thread);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      call_(
          i, [&] { device_.before(nodes_[i], progress_); }, false);
      device_.after(nodes_[i], progress_, true);
    }
  }
  void capture() {
    device_.graphs_.marks.fork(nodes_.front());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto before = [&] {
        device_.use_device_of(nodes_[i]);
        device_.graphs_.marks.before_captured(nodes_[i]);
      };
      call_(i, before, true);
      device_.after_body(nodes_[i]);
      device_.graphs_.marks.after_captured(nodes_[i]);
    }
    device_.graphs_.marks.have_whole(nodes_.front());
  }
  void join() noexcept { device_.graphs_.marks.join(nodes_.front()); }
  void before_launch() {
    device_.use_device_of_stream(of_.thread, of_.origin);
    device_.graphs_.marks.launches_after_streams(of_.thread);
    for (const std::size_t n : nodes_) device_.wait_before_launch(n, of_.origin, progress_);
  }
  void after_launch() {
    for (const std::size_t n : nodes_) device_.record_after_launch(n, of_.origin, progress_);
  }
  /// With one device there is no more around a launch that follows another one.
  bool may_only_launch() const { return !device_.on_several_; }

 private:
  Binding& device_;
  const typename table_graphs<typename Binding::driver_type>::group& of_;
  const std::vector<std::size_t>& nodes_;
  std::size_t progress_;
  Call call_;
};

}  // namespace stretto::device::detail
