// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams.hpp"
#include <utility>

CUstream_st::~CUstream_st() {
  {
    const std::scoped_lock hold(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CUstream_st::put(work w) {
  if (captured) {
    captured->nodes.push_back({std::move(w)});
    return;
  }
  {
    const std::scoped_lock hold(mutex_);
    waiting_.push_back(std::move(w));
  }
  changed_.notify_all();
}

void CUstream_st::await_idle() {
  std::unique_lock hold(mutex_);
  changed_.wait(hold, [this] { return waiting_.empty() && !busy_; });
}

void CUstream_st::serve() {
  std::unique_lock hold(mutex_);
  for (;;) {
    changed_.wait(hold, [this] { return !waiting_.empty() || ends_; });
    if (waiting_.empty()) return;
    const work next = std::move(waiting_.front());
    waiting_.pop_front();
    busy_ = true;
    hold.unlock();
    next();
    hold.lock();
    busy_ = false;
    changed_.notify_all();
  }
}
