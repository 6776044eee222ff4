// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/run/run_state.hpp>
#include <stretto/run/threads/thread_team.hpp>
#include <stretto/static/execute/chain.hpp>
#include <utility>

namespace stretto::typed::detail {

/// A source seen from a thread that cannot know its type.
template <class Slot>
struct erased_pull {
  static constexpr bool abandons = false;
  void* source = nullptr;
  bool (*fill)(void* source, Slot& slot) = nullptr;

  bool operator()(Slot& slot) { return fill(source, slot); }
};

/// Stands where a chain does not pull.
struct no_pull {
  static constexpr bool abandons = false;
  template <class Slot>
  bool operator()(Slot&) {
    return false;
  }
};

/// What the team does of a pipeline's runs: each host thread its group's chain.
template <class Machine, class ErasedPull>
class team_work {
  using hosts = typename Machine::hosts;

 public:
  explicit team_work(Machine& m) : machine_(m) {}

  /// What the thread that pulls takes batches from, if that is one of the team.
  void pull_from(ErasedPull pull) { pull_ = pull; }

  runner::thread_team::job job() {
    return {this, [](void* self, std::size_t host) {
              static_cast<team_work*>(self)->work(
                  host, std::make_index_sequence<Machine::begun::groups>());
            }};
  }

 private:
  template <std::size_t... Thread>
  void work(std::size_t host, std::index_sequence<Thread...>) {
    using part = void (team_work::*)(std::size_t);
    // The calling thread's has no part here; group 0 stands for it.
    static constexpr part parts[] = {&team_work::run < Thread == 0 ? sizeof...(Thread) - 1
                                                                   : Thread > ...};
    (this->*parts[hosts::group(host)])(host);
  }

  template <std::size_t Thread>
  void run(std::size_t host) {
    typename Machine::position at;
    at.restart(machine_.memory, machine_.first);
    at.skip(runner::progresses_to_own(host - hosts::first(Thread), hosts::workers(Thread),
                                      machine_.first));
    if constexpr (Machine::plan.thread_of[Machine::plan.pull] == Thread) {
      chain<Machine, Thread>::run(machine_, at, pull_);
    } else {
      no_pull none;
      chain<Machine, Thread>::run(machine_, at, none);
    }
  }

  Machine& machine_;
  ErasedPull pull_{};
};

}  // namespace stretto::typed::detail
