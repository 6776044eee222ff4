// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/declare/name.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/handles.hpp>
#include <stretto/device/inquiry.hpp>
#include <stretto/device/kept.hpp>
#include <stretto/device/memory.hpp>
#include <stretto/device/pools.hpp>
#include <stretto/device/streams.hpp>
#include <stretto/device/transient.hpp>
#include <stretto/plan/derive/looked_back.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/text_builder.hpp>
#include <string_view>
#include <tuple>
#include <utility>

namespace stretto::device::detail {

/// What a pipeline holds of the device, whoever made its plan: streams, events, memory.
template <class Driver>
class device_resources {
 public:
  device_resources(const device_resources&) = delete;
  device_resources& operator=(const device_resources&) = delete;

  const Driver& driver() const { return driver_; }

  /// For who asks `has_come_to`, of streams that there are.
  inquiry<Driver> inquire() const { return {driver_, handles_.streams[0].device}; }

  /// Before a run from progress \p first on, while no thread is in one.
  void begin_run(std::size_t first) { first_ = first; }

  /// Keeps the calling thread's device, for a user thread that is attached for a run.
  auto keep_current_device() const { return current_device_kept<Driver>(driver_); }

  /// When all threads have left a run: waits until what they put on streams is done. What went
  /// wrong with it, or null.
  std::exception_ptr synchronize() noexcept {
    std::exception_ptr failure = handles_.synchronize();
    // Of batches that did not come to their end.
    for (const transient_copy<Driver>& c : transients_) c.end();
    try {
      shared::checked<Driver>(call::record, std::exchange(released_, Driver::success));
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
    return failure;
  }

 protected:
  template <class... Given>
  explicit device_resources(const std::tuple<const Given&...>& settings)
      : driver_(runner::setting_or_default<Driver>(settings)),
        usage_(runner::setting_or_default<usage>(settings)),
        memory_(driver_, runner::setting_or_default<memory<Driver>>(settings)),
        handles_(driver_),
        host_stream_(driver_),
        kept_(driver_) {}
  ~device_resources() = default;

  /// \p number tells which of the streams a name means.
  template <class Number, class... Given>
  void make_streams(planner::view<std::string_view> names, Number number,
                    const std::tuple<const Given&...>& settings) {
    handles_.make_streams(names, number, runner::setting_or_default<streams<Driver>>(settings));
    for (const stream_handle<Driver>& s : handles_.streams)
      if (s.device != handles_.streams[0].device) on_several_ = true;
    if (!handles_.streams.empty()) host_stream_.on(handles_.streams[0].device);
    for (const stream_handle<Driver>& s : handles_.streams) memory_.prepare(s.device);
    if (on_several_ && !memory_.is_the_users() && usage_.peer_access)
      handles_.give_access(names, [this](int device) { return memory_.pool_of(device); });
  }
  void make_events(std::size_t count, std::size_t stream, bool host_waits) {
    handles_.make_events(count, handles_.streams[stream], usage_.sleep && host_waits);
  }

  /// Puts down at \p to what a task's handle refers to; \p stream is the task's. Throws
  /// `handle_error` if it cannot be made.
  void keep(kept_list<Driver> wanted, const asking_task& by, std::size_t stream, void** to) {
    const stream_handle<Driver>& on = handles_.streams[stream];
    const slot_location<Driver> where{&memory_.resource(), on.stream, on.device, driver_};
    for (const kept_type<Driver>* const type : wanted) *to++ = kept_.of(*type, by, where);
  }

  /// Makes a value at \p at by `make(at, location)`; \p stream is that of the task that fills it,
  /// none for a host task. `end(at)` ends it. \p transients: the copy it is, of a transient slot.
  template <class Make, class End>
  void make_value(void* at, std::size_t stream, transient_copy<Driver>* transients, Make make,
                  End end) const {
    const bool host_fills = stream == planner::none;
    shared::on_device<Driver> current(driver_);
    slot_location<Driver> where{&memory_.resource(), {}, current.before(), driver_};
    if (!handles_.streams.empty()) {
      const stream_handle<Driver>& on = handles_.streams[host_fills ? 0 : stream];
      if (host_fills) {
        where.stream = memory_stream<Driver>(host_stream_);
      } else {
        where.stream = on.stream;
      }
      where.device = on.device;
      where.host_fills = host_fills;
      current.use(on.device);
    }
    where.transients = transients;
    make(at, std::as_const(where));
    // A host task does not wait for the stream on which the memory becomes usable.
    if (host_fills) {
      const typename Driver::status usable = host_stream_.synchronize();
      if (usable != Driver::success) end(at);
      shared::checked<Driver>(call::synchronize_stream, usable);
    }
  }

  /// Throws `usage_error` if a run that goes on from others would look back at what is gone.
  template <class Gone>
  static void refuse_if_gone(planner::view<planner::earlier_value> needed,
                             planner::view<name> all_slots, Gone gone) {
    for (const planner::earlier_value& v : needed)
      if (gone(v.slot))
        throw usage_error(
            runner::text_builder()
                .add("batches look back at slot ")
                .name(all_slots[v.slot].text)
                .add(", whose memory is transient and was given back when the run before ended: "
                     "let one run have all batches, or use a type whose memory stays, such as a "
                     "`buffer`")
                .text());
  }

  /// The stream of a number, which the user calls \p name; none: the user is told so.
  typename Driver::stream numbered(std::size_t stream, std::string_view name) const {
    if (stream != planner::none) return handles_.streams[stream].stream;
    throw usage_error(runner::text_builder().add("the schedule has no stream ").name(name).text());
  }

  void wait_for_all() const {
    for (const stream_handle<Driver>& s : handles_.streams)
      shared::checked<Driver>(call::synchronize_stream, driver_.synchronize_stream(s.stream));
  }

  /// Whether what was to be done \p back progresses before one lies in the run, so that there is an
  /// event to wait for. Nothing before it is: all streams were waited for when the run before
  /// ended. (A gap in a run, in which its source has nothing, ends none.)
  bool in_run(std::size_t progress, std::size_t back) const { return progress >= first_ + back; }

  /// The device that is current on the calling thread, at the beginning of its part of a run, and
  /// where that goes on behind a gap.
  int enter(bool caller) {
    int current = 0;
    shared::checked<Driver>(call::current_device, driver_.current_device(current));
    if (caller && before_run_ < 0) before_run_ = current;
    return current;
  }
  /// Makes the device of the streams current on a thread that others share a part of a run with.
  void enter_as_worker() const {
    if (handles_.streams.empty()) return;
    int current = 0;
    shared::checked<Driver>(call::current_device, driver_.current_device(current));
    use_device(current, handles_.streams[0].device);
  }
  /// \p current: the device that is current on the calling thread.
  void use_device(int& current, int device) const {
    if (current == device) return;
    shared::checked<Driver>(call::set_device, driver_.set_device(device));
    current = device;
  }
  /// Gives the calling thread the device back that it had before the run.
  void give_back(int current) noexcept {
    if (before_run_ >= 0 && before_run_ != current)
      static_cast<void>(driver_.set_device(before_run_));
    before_run_ = -1;
  }

  /// What the task left behind that has just been called is its failure.
  [[gnu::always_inline]] void check_last_error() const {
    const typename Driver::status left = driver_.last_error();
    // That something was not ready is an answer that somebody asked for.
    if (left != Driver::success && left != Driver::not_ready) [[unlikely]]
      fail<Driver>(call::last_error, left);
  }
  /// An error of the event that releases a result is told by `synchronize`: nobody runs.
  [[gnu::always_inline]] void keep_released(typename Driver::status s) noexcept {
    if (s != Driver::success && released_ == Driver::success) [[unlikely]]
      released_ = s;
  }

  [[no_unique_address]] Driver driver_;
  usage usage_;
  memory_source<Driver> memory_;
  handles<Driver> handles_;
  mutable host_stream<Driver> host_stream_;
  kept_objects<Driver> kept_;  ///< ended before the streams, and before the memory's resource
  mutable planner::list<transient_copy<Driver>> transients_;  ///< by slot and copy
  bool on_several_ = false;                                   ///< devices

 private:
  typename Driver::status released_ = Driver::success;
  std::size_t first_ = 0;  ///< the run's first progress
  int before_run_ = -1;    ///< the calling thread's device; negative: no run is on
};

}  // namespace stretto::device::detail
