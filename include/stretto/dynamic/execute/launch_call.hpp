// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/execute/device_call.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/dynamic/values/ready_call.hpp>
#include <vector>

namespace stretto::dynamic::detail {

/// Tasks that one launch of a graph does, as a progress has them: one row of calls in place of
/// theirs, and the calls of their bodies apart, for progresses in which these are made.
struct launch_calls {
  std::vector<std::size_t> nodes;  ///< in the order of their thread
  std::vector<device_call> calls;
  std::size_t begins = 0;  ///< which of the calls sees what is to be done
  std::size_t behind = 0;  ///< which of them comes next where that one has done all

  // What the layout finds, in words, whatever the progress: where in its progress the call is that
  // begins, and, from there on, what lies behind.
  std::ptrdiff_t at = 0;
  std::ptrdiff_t to_behind = 0;
  std::vector<std::ptrdiff_t> to_body;  ///< by node: its own call
};

/// The launches of all groups of tasks of a machine: `Machine` has `device`, a table_backend.hpp
/// that replays.
template <class Machine>
class launch_call_list {
  using device_type = typename Machine::device_type;
  using launched = typename device_type::launched;

 public:
  launch_call_list() = default;
  launch_call_list(const launch_call_list&) = delete;
  launch_call_list& operator=(const launch_call_list&) = delete;

  /// Makes the calls of each group. \p around: by group, what is called around its launch; \p
  /// before: by node, what is called before a body; null: whoever walks over the calls sees to all
  /// that.
  void prepare(Machine& m, const std::vector<device_calls>* before,
               const std::vector<device_calls>* around) {
    const auto& groups = m.device.groups();
    laid_out_.reserve(groups.size());
    launches_.reserve(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
      launched& graphs = m.device.graphs_of(i);
      launch_calls& to = laid_out_.emplace_back();
      to.nodes = groups[i].nodes;
      launch& what = launches_.emplace_back(launch{&graphs, &m, i, &to});
      if (before == nullptr) {
        to.calls.push_back(call_of<&replay_always>(what));
        to.behind = 1;
        continue;
      }
      if (!graphs.spans) {
        to.calls = (*before)[to.nodes.front()].before;
      } else {
        Machine::add_go_on(m, to.calls);
      }
      to.begins = to.calls.size();
      const device_calls& here = (*around)[i];
      if (here.before.empty()) {
        to.calls.push_back(call_of<&begin_and_launch>(what));
      } else {
        to.calls.push_back(call_of<&begin>(what));
        to.calls.insert(to.calls.end(), here.before.begin(), here.before.end());
        to.calls.push_back(call_of<&launch_next>(what));
      }
      if (!graphs.spans) to.behind = to.calls.size();
      to.calls.insert(to.calls.end(), here.after.begin(), here.after.end());
      if (graphs.spans) to.behind = to.calls.size();
    }
  }
  std::vector<launch_calls>& laid_out() { return laid_out_; }

 private:
  struct launch {
    launched* graphs;
    Machine* machine;
    std::size_t group;
    const launch_calls* laid_out;
  };

  template <call Body>
  static device_call call_of(launch& what) {
    return {.body = Body, .body_if_in_run = Body, .with = &what};
  }

  /// Makes the launch, if there is nothing else to do.
  static const word* begin_and_launch(const word* at) {
    auto& what = object_of<launch>(at);
    if (!what.graphs->graphs.only_launches()) [[unlikely]]
      return replay(at);
    return launch_next(at);
  }
  /// Sees whether there is anything else to do.
  static const word* begin(const word* at) {
    if (!object_of<launch>(at).graphs->graphs.only_launches()) [[unlikely]]
      return replay(at);
    return go_on(at + slots_begin);
  }
  [[gnu::always_inline]] static const word* launch_next(const word* at) {
    auto& what = object_of<launch>(at);
    try {
      device_type::launch_next(*what.graphs, what.machine->device.driver());
    } catch (...) {
      facts_of(at).now->thrower = at;
      throw;
    }
    return go_on(at + slots_begin);
  }
  [[gnu::noinline]] static const word* replay(const word* at) {
    do_replay(at);
    return go_on(at + object_of<launch>(at).laid_out->to_behind);
  }
  static const word* replay_always(const word* at) { return replay(at); }

  /// Has the device do what the bodies put on streams, where that may take calls of them.
  [[gnu::noinline]] static void do_replay(const word* at) {
    auto& what = object_of<launch>(at);
    underway& now = *facts_of(at).now;
    bool captured = false;
    const auto call_body = [&](std::size_t i, auto before, bool is_captured) {
      const word* const body = at + what.laid_out->to_body[i];
      now.thrower = body;
      captured = is_captured;
      before();
      body->body(body);
    };
    now.thrower = at;
    try {
      what.machine->device.replay(what.group, now.progress, what.machine->prepared(), call_body);
    } catch (...) {
      if (captured) now.undone = at;
      throw;
    }
  }

  std::vector<launch_calls> laid_out_;
  std::vector<launch> launches_;
};

}  // namespace stretto::dynamic::detail
