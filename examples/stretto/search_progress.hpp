// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unistd.h>
#include <cstdio>
#include <stretto/search.hpp>

/// Shows on standard error, while a search looks, what a progress takes by the best schedule so
/// far, and what none takes less than: a line for each, or one that changes where that is a
/// terminal.
class search_progress {
 public:
  explicit search_progress(stretto::search::effort& how) {
    how.progress = [this](const stretto::search::solution& now) {
      show(now);
      return true;
    };
  }
  search_progress(const search_progress&) = delete;
  search_progress& operator=(const search_progress&) = delete;
  ~search_progress() {
    if (shown_ && on_terminal_) std::fputs("\r\x1b[K", stderr);
  }

 private:
  void show(const stretto::search::solution& now) {
    if (!now.found) return;
    std::fprintf(stderr, "%sso far %.10g per progress, none takes less than %.10g%s",
                 on_terminal_ ? "\r\x1b[K" : "", now.period.value(), now.least.value(),
                 on_terminal_ ? "" : "\n");
    shown_ = true;
  }

  bool on_terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
};
