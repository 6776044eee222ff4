// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/execute/host.hpp>
#include <stretto/run/run_state.hpp>

namespace stretto::dynamic::detail {

STRETTO_INLINE void position::restart(host& self, std::size_t progress) {
  self_ = &self;
  progress_ = progress + runner::progresses_to_own(self.worker, self.workers, progress) - 1;
  begin_ = self.turns.data();
  end_ = begin_ + self.turns.size();
  // Turns and parts are told off by the progresses that this thread runs.
  const std::size_t before = (progress_ + 1 - self.worker) / self.workers;
  now_ = begin_ + (before + self.turns.size() - 1) % self.turns.size();
  moving_ = self.moving;
  for (moving_part& p : moving_) {
    p.move(before);
    p.move_back();
  }
}

[[gnu::noinline]] STRETTO_INLINE void position::move() {
  for (moving_part& p : moving_) {
    p.move();
    self_->words[p.cell].slot = p.at();
  }
}

}  // namespace stretto::dynamic::detail
