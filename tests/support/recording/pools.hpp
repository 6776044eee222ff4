// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "called.hpp"

/// What calls about pools of memory do.
namespace stretto::testing::recording {

inline status create_pool(called& c, pool& made, int device) {
  c.about(operand::kind::number, device);
  if (!c.existing(device)) return status::invalid_device;
  const int id = static_cast<int>(c.m.pools.size());
  made = &c.m.pools.emplace_back(pool_object{id, device});
  c.about_first(operand::kind::pool, id);
  return status::success;
}

/// CUDA ends a pool that has memory out once all of it is back; here it is a breach, because
/// whoever has it does not know when that is.
inline status destroy_pool(called& c, pool p) {
  if (!c.usable(p)) return status::invalid_value;
  if (p->of_device) return c.refuse(status::invalid_value, "a device keeps its pool");
  if (!c.m.bytes.all_back(p->id)) c.m.breach(c.said, "memory of it was not given back");
  p->destroyed = true;
  return status::success;
}

inline status give_access(called& c, pool p, int device) {
  c.about(operand::kind::number, device);
  if (!c.usable(p)) return status::invalid_value;
  if (!c.existing(device)) return status::invalid_device;
  if (!c.m.peers || device == p->device)
    return c.refuse(status::invalid_device, "these have no such access");
  c.m.bytes.give_access(device, p->id);
  return status::success;
}

}  // namespace stretto::testing::recording
