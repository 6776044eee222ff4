// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <stretto/device/error.hpp>
#include <stretto/device/handles.hpp>
#include <stretto/device/memory.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/run/error.hpp>

namespace stretto::device::detail {

/// Memory from pools of a pipeline's own, one for each of its devices. They end with it, when what
/// came from them has been given back.
template <class Driver>
class own_pools : public memory_resource<Driver> {
 public:
  explicit own_pools(const Driver& driver) : driver_(driver) {}
  ~own_pools() override {
    for (const entry& e : all_) static_cast<void>(driver_.destroy_pool(e.pool));
  }

  /// Makes that of a device, which keeps up to \p threshold bytes, if it is not there yet.
  void make(int device, std::size_t threshold) {
    for (const entry& e : all_)
      if (e.device == device) return;
    typename Driver::pool made{};
    shared::checked<Driver>(call::create_pool, driver_.create_pool(made, device));
    all_.push_back({device, made});
    shared::checked<Driver>(call::set_release_threshold,
                            driver_.set_release_threshold(made, threshold));
  }
  /// That of a device; where none was made, what memory of the device comes from otherwise.
  typename Driver::pool on(int device) const {
    for (const entry& e : all_)
      if (e.device == device) return e.pool;
    typename Driver::pool pool{};
    shared::checked<Driver>(call::device_pool, driver_.device_pool(pool, device));
    return pool;
  }

  void* allocate(std::size_t bytes, typename Driver::stream stream) override {
    int device = 0;
    shared::checked<Driver>(call::current_device, driver_.current_device(device));
    void* memory = nullptr;
    shared::checked<Driver>(call::allocate_from,
                            driver_.allocate_from(memory, bytes, on(device), stream));
    return memory;
  }
  void deallocate(void* memory, std::size_t /*bytes*/,
                  typename Driver::stream stream) noexcept override {
    static_cast<void>(driver_.free(memory, stream));
  }

 private:
  struct entry {
    int device;
    typename Driver::pool pool;
  };
  [[no_unique_address]] Driver driver_;
  planner::list<entry> all_;
};

/// Where a pipeline takes device memory from, as it was told by `memory`.
template <class Driver>
class memory_source {
 public:
  /// Throws `usage_error` if more than one place was said.
  memory_source(const Driver& driver, const memory<Driver>& said)
      : driver_(driver),
        shared_(driver, said.pool),
        own_(driver),
        threshold_(said.release_threshold),
        yours_(said.resource != nullptr || said.pool) {
    const int places =
        (said.resource != nullptr ? 1 : 0) + (said.pool ? 1 : 0) + (said.release_threshold ? 1 : 0);
    if (places > 1)
      throw usage_error(
          "`memory` says more than one of `resource`, `pool` and `release_threshold`: the "
          "threshold is that of pools of the pipeline's own; of a pool of yours, set it there");
    if (said.resource != nullptr) {
      resource_ = said.resource;
    } else if (threshold_) {
      resource_ = &own_;
    } else {
      resource_ = &shared_;
    }
  }
  memory_source(const memory_source&) = delete;
  memory_source& operator=(const memory_source&) = delete;

  memory_resource<Driver>& resource() const { return *resource_; }
  /// Whether it is the user's, who sees to what else is to be said of it.
  bool is_the_users() const { return yours_; }

  /// Memory will be asked for on this device.
  void prepare(int device) {
    if (threshold_) own_.make(device, *threshold_);
  }
  /// The pool that memory of a device comes from, unless it is the user's.
  typename Driver::pool pool_of(int device) const { return own_.on(device); }

 private:
  [[no_unique_address]] Driver driver_;
  pool_resource<Driver> shared_;
  own_pools<Driver> own_;
  std::optional<std::size_t> threshold_;
  bool yours_;
  memory_resource<Driver>* resource_ = nullptr;
};

}  // namespace stretto::device::detail
