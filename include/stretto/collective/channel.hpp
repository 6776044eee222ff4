// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <stretto/collective/message.hpp>
#include <stretto/collective/notice.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::collective {

/// What arrives apart from each other: neither overtakes the other's.
enum class channel_id : std::uint8_t { notices, gathered };
inline constexpr std::size_t channel_ids = 2;

struct envelope {
  std::size_t from = 0;
  message text;
};

/// How the ranks of a run talk to each other outside their collectives: about plans, ends and
/// failures. Kept off the way of steady progresses, hence virtual. Not thread-safe: one thread of a
/// rank uses it at a time.
///
/// A transport has two functions. Messages from one rank with one id arrive in order and whole;
/// sending never waits for the receiver.
class channel {
 public:
  channel() = default;
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  virtual ~channel() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;

  /// Tells all peers.
  void notify(const notice& n) { send_all(channel_id::notices, packed(n)); }

  /// The next notice of a peer, or none yet.
  std::optional<notice> look() {
    std::optional<envelope> found = receive(channel_id::notices);
    if (!found) return std::nullopt;
    return unpacked_notice(found->from, found->text);
  }

  /// What every rank gives, by rank: all ranks call this the same number of times. Until all is
  /// there it calls \p idle again and again with the ranks that are missing, and with what there is
  /// by rank if it takes that; it may throw, and should take its time.
  template <class Idle>
  std::vector<message> gather(const message& mine, Idle&& idle) {
    early_.resize(size());
    send_all(channel_id::gathered, mine);
    std::vector<message> all(size());
    std::vector<std::size_t> missing = peers();
    all[rank()] = mine;
    while (true) {
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): the condition checks
      while (std::optional<envelope> found = receive(channel_id::gathered)) keep(std::move(*found));
      std::erase_if(missing, [&](std::size_t r) {
        if (early_[r].empty()) return false;
        all[r] = std::move(early_[r].front());
        early_[r].pop_front();
        return true;
      });
      if (missing.empty()) return all;
      if constexpr (std::is_invocable_v<Idle&, const std::vector<std::size_t>&,
                                        const std::vector<message>&>) {
        idle(std::as_const(missing), std::as_const(all));
      } else {
        idle(std::as_const(missing));
      }
    }
  }

 protected:
  virtual void send(channel_id on, std::size_t to, const message& text) = 0;
  /// The next message of any peer, if there is one.
  virtual std::optional<envelope> receive(channel_id on) = 0;

 private:
  void keep(envelope&& early) { early_[early.from].push_back(std::move(early.text)); }

  std::vector<std::size_t> peers() const {
    std::vector<std::size_t> all;
    for (std::size_t r = 0; r < size(); ++r)
      if (r != rank()) all.push_back(r);
    return all;
  }
  void send_all(channel_id on, const message& text) {
    for (const std::size_t r : peers()) send(on, r, text);
  }

  std::vector<std::deque<message>> early_;  ///< by rank: of gathers that this rank is not yet at
};

}  // namespace stretto::collective
