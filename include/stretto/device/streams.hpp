// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stretto/plan/model/list.hpp>
#include <string_view>

namespace stretto::device {

/// What a stream of a schedule is on the device.
template <class Driver>
struct stream_options {
  /// The lower the sooner it is served, in the device's range; what lies outside is brought inside.
  int priority = 0;
  /// The number of the device; none: the one that is current where the pipeline is made.
  std::optional<int> device{};
  /// A stream that the user or another library made, to be used instead of one of the pipeline's
  /// own. It must live as long as the pipeline, which does not destroy it. Other work may be put on
  /// it from the pipeline's tasks; what is put on it from elsewhere meanwhile is in no order, and
  /// may get into graphs. Not `cudaStreamPerThread`, which is another one on each thread.
  std::optional<typename Driver::stream> adopted{};
};

/// Passed to a pipeline along with tasks: what its streams are, by name; a stream that is not named
/// is made with the defaults. A name that is no stream of the schedule is a `usage_error`. In a
/// serial plan, which has one stream, what is said first goes.
template <class Driver>
class streams {
 public:
  using options = stream_options<Driver>;
  struct entry {
    std::string_view name;
    options what{};
  };

  streams() = default;
  streams(std::initializer_list<entry> all) {
    for (const entry& e : all) all_.push_back(e);
  }

  std::size_t size() const { return all_.size(); }
  const entry& operator[](std::size_t i) const { return all_[i]; }

 private:
  planner::list<entry> all_;
};

/// Passed to a pipeline along with tasks: how it uses the device.
struct usage {
  /// A host task that waits for a stream sleeps instead of spinning: the core is free meanwhile,
  /// and the task goes on some microseconds later.
  bool sleep = false;
  /// Where streams are on several devices, each is given access to the memory that the pools of the
  /// others give the pipeline. Not needed where tasks only copy from one device to another.
  bool peer_access = true;
};

}  // namespace stretto::device
