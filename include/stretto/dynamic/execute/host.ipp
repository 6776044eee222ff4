// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/execute/host.hpp>

namespace stretto::dynamic::detail {

STRETTO_INLINE void position::restart(host& self) {
  self_ = &self;
  progress_ = static_cast<std::size_t>(-1);
  begin_ = self.frames.data();
  end_ = begin_ + self.frames.size();
  now_ = end_ - self.stride;
  turn_ = self.period - 1;
  moving_ = self.moving;
  for (moving_slot& s : moving_) s.copy = (s.copy + (s.slot->size() - s.by)) % s.slot->size();
}

[[gnu::noinline]] STRETTO_INLINE void position::move() {
  for (moving_slot& s : moving_) {
    s.move();
    self_->rows[s.cell] = s.slot->at(s.copy);
  }
}

}  // namespace stretto::dynamic::detail
