// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/declare/address_of.hpp>
#include <stretto/declare/context.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>

/// What a pipeline asks of a device that its streams are on, and of collectives; and those that are
/// there by default, which do nothing.
namespace stretto {

/// The default device: none. A task on a stream runs on its host thread like any other.
struct no_device {
  using stretto_tag = tag::device;
  /// Whether tasks on streams are only submitted by their thread. If not, nothing of what a device
  /// has to offer is called.
  static constexpr bool submits = false;
  /// The types of the objects that may be passed to a pipeline for the device, along with tasks.
  using settings = pack<>;
  /// What bodies get as their context; that of one task, if it is on a stream.
  using context = task_context;
  template <class Task>
  using context_for = task_context;
  template <class Task>
  using least_context_for = task_context;

  /// Whether the device makes values of slots of this type.
  template <class Type>
  static constexpr bool makes = false;

  /// What a pipeline of `Schedule` holds of the device.
  template <class Schedule>
  class binding {
   public:
    template <class... Given>
    explicit binding(const std::tuple<const Given&...>& /*settings*/) {}
  };

  /// Whether it does what bodies put on streams without having them called.
  static constexpr bool replays = false;

  // For the runtime version.

  /// What a pipeline holds of the device.
  struct table_binding {};
  /// Whom bodies that are values may ask for their stream, and what it is called; empty: there is
  /// none.
  using asked_driver = void;
  static constexpr std::string_view driver_name{};
};

/// The default collectives: none. A collective task is one whose place in the order is kept.
///
/// Where `submits`, a pipeline's `binding` is asked, of collective tasks in the order of their
/// tickets (no two threads are between `before` and `after` at once):
///
///     bool begin_run(stop_flag);       // before a run; the first compares plans. false: stopped
///     in_context context_of(node);                       // what a body's context has of it
///     void before(node, batch, progress, stop_flag);     // right before a collective's body
///     void after(node, batch, progress);                 // right after it
///     bool agree(batch_here, batch, stop_flag);          // after a pull, with `agreed_end`
///     void failed(const run_report&) noexcept;           // after a run that did not complete
///     std::exception_ptr finished(batches) noexcept;     // after one that did: null, or an error
///
/// and, if it has them, `attach(device)` when the pipeline is made, `go_on()` when a task has
/// waited for its streams, `threw(node)` when a task failed, `lost()`, which tells after a run what
/// has ended the device's work, and `come_after(question)`, which is given whether all slots'
/// values have been made in a run: no collective is to begin before. Where tasks do not run for
/// every batch, `tell_end(batches)`, before `before`, once it is known how many there are: what is
/// left out does not tell. `missing()`, on any thread, tells which ranks `begin_run` waits for
/// (`runner::missing_ranks`). What a hook throws is its task's failure.
struct no_collectives {
  using stretto_tag = tag::collectives;
  static constexpr bool submits = false;
  using settings = pack<>;
  struct in_context {};

  template <class Schedule>
  class binding {
   public:
    template <class... Given>
    explicit binding(const std::tuple<const Given&...>& /*settings*/) {}
  };

  // For the runtime version.

  /// What a pipeline holds of collectives: made of its plan (collective/demand.hpp) and the
  /// settings, it is asked the same.
  struct table_binding {};
  /// Whether collective tasks put work on streams of a device.
  static constexpr bool on_streams = false;
  /// What contexts have of it, as bodies that are values name it; empty: there is none.
  static constexpr std::string_view context_name{};
};

namespace runner::detail {

/// The context of a device with what collectives add to it.
template <class Device, class Collectives>
struct full_context : Device::context, Collectives::in_context {
  full_context(const typename Device::context& where, const typename Collectives::in_context& among)
      : Device::context(where), Collectives::in_context(among) {}
};

}  // namespace runner::detail

/// What bodies get as their context in a pipeline with this device and these collectives.
template <class Device, class Collectives = no_collectives>
using context_of =
    std::conditional_t<Collectives::submits, runner::detail::full_context<Device, Collectives>,
                       typename Device::context>;

namespace runner {

/// Other ranks that have not begun a run that has begun on this one.
struct missing_ranks {
  std::size_t first = 0;  ///< the first of them, if there are any
  std::size_t count = 0;
};

/// Tells collectives how many batches there are, if they ask for it and that is known.
template <class Collectives, class Machine>
void tell_end(Collectives& all, const Machine& m) {
  if constexpr (requires { all.tell_end(m.batches()); })
    if (const std::size_t batches = m.batches(); batches != Machine::not_yet_known)
      all.tell_end(batches);
}

namespace detail {

/// The object of a type among those passed to a pipeline; none: null.
template <class Setting, class... Given>
const Setting* setting_among(const std::tuple<const Given&...>& settings) {
  const Setting* found = nullptr;
  const auto look = [&](const auto& given) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(given)>, Setting>)
      found = declare::address_of(given);
  };
  std::apply([&](const auto&... given) { (look(given), ...); }, settings);
  return found;
}

}  // namespace detail

/// A setting by value; one that was not passed has its default.
template <class Setting, class... Given>
Setting setting_or_default(const std::tuple<const Given&...>& settings) {
  const auto* const given = detail::setting_among<Setting>(settings);
  if constexpr (std::is_default_constructible_v<Setting>) {
    return given == nullptr ? Setting{} : *given;
  } else {
    constexpr bool passed = (std::is_same_v<Setting, std::remove_cvref_t<Given>> || ...);
    static_assert(passed, "this driver holds something: pass one to the pipeline");
    return *given;
  }
}

/// Stands for a setting that a pipeline was made without.
struct not_given {};

/// A setting, or `not_given`.
template <class Setting, class... Given>
auto setting_if_given([[maybe_unused]] const std::tuple<const Given&...>& settings) {
  if constexpr ((std::is_same_v<Setting, Given> || ...)) {
    return *detail::setting_among<Setting>(settings);
  } else {
    return not_given{};
  }
}

}  // namespace runner
}  // namespace stretto
