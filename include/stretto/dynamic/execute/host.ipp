// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/execute/host.hpp>

namespace stretto::dynamic::detail {

STRETTO_INLINE void position::restart(host& self) {
  self_ = &self;
  progress_ = static_cast<std::size_t>(-1);
  begin_ = self.turns.data();
  end_ = begin_ + self.turns.size();
  now_ = end_ - 1;
  moving_ = self.moving;
  for (moving_part& p : moving_) p.move_back();
}

[[gnu::noinline]] STRETTO_INLINE void position::move() {
  for (moving_part& p : moving_) {
    p.move();
    self_->words[p.cell].slot = p.at();
  }
}

}  // namespace stretto::dynamic::detail
