// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/execute/device_call.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/dynamic/values/ready_call.hpp>
#include <stretto/run/backend.hpp>
#include <vector>

namespace stretto::dynamic::detail {

/// What a machine calls on collectives (run/backend.hpp says what they are asked): right before the
/// body of a collective task and right after it.
template <class Machine, class InContext>
class collective_call_list {
 public:
  collective_call_list() = default;
  collective_call_list(const collective_call_list&) = delete;
  collective_call_list& operator=(const collective_call_list&) = delete;

  void prepare(Machine& m) {
    const std::size_t nodes = m.plan.plan().order.size();
    of_.resize(nodes);
    for (std::size_t n = 0; n < nodes; ++n) contexts_.push_back(m.collectives.context_of(n));
    for (const std::size_t n : m.plan.plan().tickets) {
      if (n == m.pull()) continue;
      of_[n].before.push_back({.body = &before, .body_if_in_run = &before, .with = &m});
      of_[n].after.push_back({.body = &after, .body_if_in_run = &after, .with = &m});
    }
  }
  /// By node.
  const std::vector<device_calls>& of() const { return of_; }
  /// What the context of a node's body gets.
  const InContext& context_of(std::size_t node) const { return contexts_[node]; }

  /// Sees that what a node has waited for has not ended because collectives were aborted.
  static device_call go_on_call(Machine& m) {
    return {.body = &go_on_there, .body_if_in_run = &go_on_there, .with = &m};
  }

 private:
  /// Makes a call, and whichever comes behind it.
  template <class Act>
  static const word* make(const word* at, Act act) {
    const task_facts& facts = facts_of(at);
    try {
      act(object_of<Machine>(at), facts);
    } catch (...) {
      facts.now->thrower = at;
      throw;
    }
    return go_on(at + slots_begin);
  }
  static const word* before(const word* at) {
    return make(at, [](Machine& m, const task_facts& f) {
      const std::size_t progress = f.now->progress;
      if (m.plan.plan().resolved.rated) runner::tell_end(m.collectives, m);
      m.collectives.before(f.node, progress - f.lag, progress, [&m] { return m.stopping(); });
    });
  }
  static const word* after(const word* at) {
    return make(at, [](Machine& m, const task_facts& f) {
      // Before others make calls, which could hide what the body has left behind.
      if constexpr (Machine::submits) m.device.after_body(f.node);
      m.collectives.after(f.node, f.now->progress - f.lag, f.now->progress);
    });
  }
  static const word* go_on_there(const word* at) {
    return make(at, [](Machine& m, const task_facts&) { m.go_on(); });
  }

  std::vector<device_calls> of_;
  std::vector<InContext> contexts_;
};

}  // namespace stretto::dynamic::detail
