// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stretto/collective/channel.hpp>
#include <utility>
#include <vector>

namespace stretto::collective {

/// Ranks of one process, such as several devices: the place where they leave messages for each
/// other. Outlives their channels.
class local_ranks {
 public:
  explicit local_ranks(std::size_t size) : boxes_(size) {}

  std::size_t size() const { return boxes_.size(); }

 private:
  friend class local_channel;
  std::mutex mutex_;
  std::vector<std::array<std::deque<envelope>, channel_ids>> boxes_;  ///< by receiver
};

class local_channel final : public channel {
 public:
  local_channel(local_ranks& all, std::size_t rank) : all_(all), rank_(rank) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return all_.size(); }

 protected:
  void send(channel_id on, std::size_t to, const message& text) override {
    const std::lock_guard lock(all_.mutex_);
    all_.boxes_[to][static_cast<std::size_t>(on)].push_back({rank_, text});
  }
  std::optional<envelope> receive(channel_id on) override {
    const std::lock_guard lock(all_.mutex_);
    std::deque<envelope>& box = all_.boxes_[rank_][static_cast<std::size_t>(on)];
    if (box.empty()) return std::nullopt;
    envelope found = std::move(box.front());
    box.pop_front();
    return found;
  }

 private:
  local_ranks& all_;
  std::size_t rank_;
};

}  // namespace stretto::collective
