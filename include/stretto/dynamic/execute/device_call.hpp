// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/dynamic/values/ready_call.hpp>
#include <vector>

namespace stretto::dynamic::detail {

/// A call on a device, or on collectives, that is made before a task's body or after it, whatever
/// the progress.
struct device_call {
  call body = nullptr;
  call body_if_in_run = nullptr;  ///< does nothing where it would look back before the run
  void* with = nullptr;
  void* about = nullptr;  ///< the first of events or copies in turn; null: it is about none
  std::size_t size = 0;   ///< of one
  std::size_t count = 0;
  std::size_t back = 0;  ///< progresses
};

/// Those of a node, in order.
struct device_calls {
  std::vector<device_call> before;
  std::vector<device_call> after;
};

/// The device calls of all nodes of a plan: `Device` is what the pipeline holds of the device
/// (device/table_backend.hpp).
template <class Device>
class device_call_list {
  using prepared = typename Device::prepared;
  using action = typename Device::action;
  static constexpr bool replays = Device::replays;

 public:
  device_call_list() = default;
  device_call_list(const device_call_list&) = delete;
  device_call_list& operator=(const device_call_list&) = delete;

  void prepare(Device& device, std::size_t nodes) {
    of_.resize(nodes);
    if constexpr (replays) around_launches_.resize(device.groups().size());
    std::size_t all = 0;
    each(device, [&](std::vector<device_call>&, const prepared&) { ++all; });
    prepared_.reserve(all);
    each(device, [&](std::vector<device_call>& to, const prepared& with) {
      prepared_.push_back(with);
      to.push_back(made_with(prepared_.back()));
    });
  }
  /// Has another call made before each node, when the device has been asked for what it is.
  void add_before_each(const device_call& another) {
    for (device_calls& n : of_) n.before.push_back(another);
  }
  /// By node.
  const std::vector<device_calls>& of() const { return of_; }
  /// By group of tasks that one launch of a graph does.
  const std::vector<device_calls>& around_launches() const { return around_launches_; }

 private:
  template <class Use>
  void each(Device& device, Use use) {
    for (std::size_t n = 0; n < of_.size(); ++n) {
      device.each_before(n, [&](const prepared& with) { use(of_[n].before, with); });
      device.each_after(n, [&](const prepared& with) { use(of_[n].after, with); });
    }
    if constexpr (replays)
      for (std::size_t g = 0; g < around_launches_.size(); ++g) {
        device_calls& to = around_launches_[g];
        device.each_before_launch(g, [&](const prepared& with) { use(to.before, with); });
        device.each_after_launch(g, [&](const prepared& with) { use(to.after, with); });
      }
  }
  static device_call made_with(prepared& with) {
    device_call c;
    switch (with.what) {
      case action::use_device: say_how<action::use_device>(c); break;
      case action::wait_for_all: say_how<action::wait_for_all>(c); break;
      case action::wait: say_how<action::wait>(c); break;
      case action::synchronize: say_how<action::synchronize>(c); break;
      case action::give_back: say_how<action::give_back>(c); break;
      case action::check: say_how<action::check>(c); break;
      case action::check_and_record: say_how<action::check_and_record>(c); break;
      case action::record: say_how<action::record>(c); break;
    }
    c.with = &with;
    c.about = with.copies != nullptr ? with.copies : static_cast<void*>(with.events);
    c.size = with.copies != nullptr ? sizeof(*with.copies) : sizeof(*with.events);
    c.count = with.count;
    c.back = with.back;
    return c;
  }
  template <action What>
  static void say_how(device_call& c) {
    c.body = &make<What, false>;
    c.body_if_in_run = &make<What, has_event(What)>;
  }
  static constexpr bool has_event(action what) {
    return what == action::wait || what == action::synchronize || what == action::give_back ||
           what == action::check_and_record || what == action::record;
  }

  template <action What, bool IfInRun>
  static const word* make(const word* at) {
    const auto& with = object_of<const prepared>(at);
    if (!IfInRun || Device::is_in_run(with, facts_of(at).now->progress)) {
      try {
        if constexpr (has_event(What)) {
          Device::template act<What>(with, at[slots_begin].slot);
        } else {
          Device::template act<What>(with, nullptr);
        }
      } catch (...) {
        facts_of(at).now->thrower = at;
        throw;
      }
    }
    return go_on(at + slots_begin + (has_event(What) ? 1 : 0));
  }

  std::vector<prepared> prepared_;
  std::vector<device_calls> of_;
  std::vector<device_calls> around_launches_;
};

}  // namespace stretto::dynamic::detail
