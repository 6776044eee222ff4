// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <recording/spoken_to.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/dynamic.hpp>
#include <string>
#include "../random_runs/model.hpp"

/// Random schedules on streams of the recording driver: tasks on a stream put a kernel there, the
/// others run on the host. What comes out must be what the model says, and whatever a declaration
/// puts in order is so on the device.
namespace random_device {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace recording = stretto::testing::recording;
using random_runs::dice;
using random_runs::model;
using random_runs::most_batches;
using recording::driver;
using recording::status;
using value = std::uint64_t;
using device = st::device::backend<driver>;
using context = st::device::context<driver>;
using cell = st::device::array<value, 1, driver>;
using pinned_cell = st::device::pinned_array<value, 1, driver>;

inline constexpr std::size_t most_tasks = 8;

enum class fault {
  none,
  drain,           ///< a stop request
  abandon,         ///< one that leaves what is in flight
  leave,           ///< the loop is left
  body,            ///< a body throws, on the host or before it has put anything on its stream
  body_submitted,  ///< it throws behind that
  refused,         ///< its launch is refused
  call             ///< a call of the driver fails
};

/// How a run is disturbed.
struct run_plan {
  fault what = fault::none;
  std::size_t node = 0;
  std::size_t batch = 0;
  std::size_t batches = 0;
  std::size_t call = 0;  ///< which one fails, from the beginning of the run

  std::string text() const {
    static constexpr const char* faults[] = {"nothing", "drain",           "abandon", "leave",
                                             "body",    "body, submitted", "refused", "call"};
    return std::string(faults[static_cast<std::size_t>(what)]) + " at node " +
           std::to_string(node) + ", batch " + std::to_string(batch) + " of " +
           std::to_string(batches) + ", call " + std::to_string(call);
  }
};

inline run_plan draw_run(std::uint64_t seed, std::size_t tasks) {
  dice d(seed);
  run_plan p;
  p.what = static_cast<fault>(d.below(8));
  p.batches = d.one_in(3) ? d.below(4) : d.below(most_batches - 3);
  p.batch = d.below(p.batches + 1);
  p.node = d.below(tasks);
  p.call = d.one_in(2) ? d.below(12) : d.below(150);
  return p;
}

/// The machine that a schedule runs on.
struct surroundings {
  int devices = 1;
  std::array<int, 3> device_of{};  ///< by stream
  std::size_t room = 0;            ///< how much work a stream takes; 0: any amount
  bool waits_implicitly = false;
  bool loads_lazily = false;

  std::string text() const {
    std::string all = std::to_string(devices) + " devices";
    for (const int d : device_of) all += " " + std::to_string(d);
    all += ", room for " + std::to_string(room);
    if (waits_implicitly) all += ", pinned memory waits";
    if (loads_lazily) all += ", kernels are loaded lazily";
    return all;
  }
  /// A serial plan has one.
  st::device::streams<driver> streams_of(const dynamic::schedule& s) const {
    if (s.serial) return {{"serial", {.device = device_of[0]}}};
    return {{"a", {.device = device_of[0]}},
            {"b", {.device = device_of[1]}},
            {"c", {.device = device_of[2]}}};
  }
  void arrange(recording::world& w) const {
    if (room > 0) w.take_at_most(room);
    if (waits_implicitly) w.wait_implicitly();
    if (loads_lazily) w.load_lazily();
  }
};

inline surroundings draw_surroundings(std::uint64_t seed) {
  dice d(seed ^ 0x5eedU);
  surroundings s;
  if (d.one_in(2)) s.devices = 2 + d.number(2);
  for (int& on : s.device_of) on = d.number(static_cast<std::size_t>(s.devices));
  if (d.one_in(3)) s.room = 1 + d.below(4);
  s.waits_implicitly = d.one_in(4);
  s.loads_lazily = d.one_in(4);
  return s;
}

}  // namespace random_device
