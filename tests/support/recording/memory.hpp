// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "access.hpp"
#include "completion.hpp"

namespace stretto::testing::recording {

/// What a handle to a pool of memory points to.
struct pool_object {
  int id;
  int device;
  bool of_device = false;  // a device's own
  std::size_t release_threshold = 0;
  bool destroyed = false;
};

/// Memory of the device, pinned memory, and memory of the host that was made known, with the work
/// that uses it. Two uses of the same bytes of which one writes must be ordered.
class memory {
 public:
  enum class kind { device, pinned, host };

  /// More than a device has.
  static constexpr std::size_t too_much = std::size_t{1} << 40U;

  /// Keeps bytes alive while work uses them, so that a mistake is found and does no harm.
  using storage = std::shared_ptr<std::byte>;

  /// A new block, filled with a pattern that is no sensible value. \p work allocates it; null: it
  /// is there at once. \p device: where it is, if it is a device's, and from which pool.
  int add(kind what, std::size_t bytes, const work_ptr& work, int device = -1, int pool = -1) {
    auto* raw = static_cast<std::byte*>(::operator new(bytes, alignment));
    std::memset(raw, 0xCD, bytes);
    storage owned(raw, [](std::byte* p) { ::operator delete(p, alignment); });
    const int id = keep(what, raw, bytes, std::move(owned), work);
    blocks_[index(id)].device = device;
    blocks_[index(id)].pool = pool;
    return id;
  }
  /// From now on kernels on \p device may use what is from \p pool.
  void give_access(int device, int pool) { access_.emplace(device, pool); }
  /// Whether nothing from a pool is still to be given back.
  bool all_back(int pool) const {
    return std::none_of(blocks_.begin(), blocks_.end(),
                        [pool](const block& b) { return b.pool == pool && !b.released; });
  }
  /// Memory of the host's own.
  int adopt(void* at, std::size_t bytes) {
    return keep(kind::host, static_cast<std::byte*>(at), bytes, nullptr, nullptr);
  }
  /// Whether it is memory of the host's own, which is not page-locked.
  bool pageable(const void* at) {
    const block* const b = find({at, 1, false});
    return b != nullptr && b->what == kind::host;
  }
  void* address(int id) const { return blocks_[index(id)].at; }

  /// \p work uses bytes. \p say is called with what is wrong with it; then \return is false.
  template <class Say>
  bool touch(const access& use, const work_ptr& work, std::vector<storage>& held, Say say) {
    block* const b = find(use);
    if (b == nullptr) {
      say("uses bytes that nobody has allocated");
      return false;
    }
    if (b->released) {
      say("uses " + name(*b) + ", which was freed");
      return false;
    }
    if (b->device >= 0 && use.device >= 0 && b->device != use.device &&
        !access_.contains({use.device, b->pool})) {
      say("uses " + name(*b) + ", which is on device " + std::to_string(b->device) +
          " and cannot be accessed from device " + std::to_string(use.device));
      return false;
    }
    check(*b, use, *work, say);
    note(*b, use, work);
    if (b->owned != nullptr) held.push_back(b->owned);
    return true;
  }

  /// A host thread uses bytes, and knows of the work that \p known covers.
  template <class Say>
  void touch_by_host(const access& use, const clock& known, Say say) {
    block* const b = find(use);
    if (b == nullptr) return say("uses bytes that nobody has allocated");
    if (b->released) return say("uses " + name(*b) + ", which was freed");
    if (b->what == kind::device) return say("uses " + name(*b) + ", which is the device's");
    for (const used& u : b->uses) {
      if (overlap(*b, u, use) && (u.writes || use.writes) &&
          !known.covers(u.work->queue, u.work->number)) {
        say(describe(*u.work) + " uses " + name(*b) + ", and nobody has waited for it");
      }
    }
  }

  /// The block that begins here is given back by \p work, or at once if it is pinned (null): its
  /// number, or -1. It is used no more; \p known tells whose end has been seen.
  template <class Say>
  int release(const void* at, kind what, const work_ptr& work, const clock& known, Say say) {
    const auto it = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                 [&](const block& b) { return b.at == at && b.what == what; });
    if (it == blocks_.rend()) return say("gives back what nobody has allocated"), -1;
    if (it->released) return say("gives back " + name(*it) + " again"), -1;
    for (const used& u : it->uses) {
      const bool over = known.covers(u.work->queue, u.work->number);
      if (!over && (work == nullptr || !u.work->comes_before(*work)))
        say(describe(*u.work) + " may still use " + name(*it));
    }
    it->released = true;
    it->uses.clear();
    return it->id;
  }
  /// The bytes themselves go, when the work that gives them back is done.
  void drop(int id) { blocks_[index(id)].owned = nullptr; }

  std::vector<std::string> leaks() const {
    std::vector<std::string> all;
    for (const block& b : blocks_)
      if (!b.released && b.what != kind::host) all.push_back(name(b) + " was not given back");
    return all;
  }
  std::size_t live() const { return leaks().size(); }

 private:
  static constexpr std::align_val_t alignment{256};

  struct used {
    std::size_t first, last;
    bool writes;
    work_ptr work;
  };
  struct block {
    int id;
    kind what;
    std::byte* at;
    std::size_t bytes;
    storage owned;
    bool released = false;
    std::vector<used> uses;
    int device = -1;
    int pool = -1;
  };

  int keep(kind what, std::byte* at, std::size_t bytes, storage owned, const work_ptr& work) {
    const int id = static_cast<int>(blocks_.size());
    blocks_.push_back({id, what, at, bytes, std::move(owned), false, {}, -1, -1});
    if (work != nullptr) note(blocks_.back(), writes(at, bytes), work);
    return id;
  }
  static std::size_t index(int id) { return static_cast<std::size_t>(id); }
  static std::string name(const block& b) {
    std::string text = "m";
    text += std::to_string(b.id);
    return text;
  }
  static std::string describe(const completion& work) {
    return work.label.empty() ? std::string("other work") : work.label;
  }

  /// The newest block that holds all of it: addresses are used again.
  block* find(const access& use) {
    const auto* const first = static_cast<const std::byte*>(use.at);
    const auto it = std::find_if(blocks_.rbegin(), blocks_.rend(), [&](const block& b) {
      return first >= b.at && first + use.bytes <= b.at + b.bytes;
    });
    return it == blocks_.rend() ? nullptr : &*it;
  }

  static bool overlap(const block& b, const used& u, const access& use) {
    const auto first = static_cast<std::size_t>(static_cast<const std::byte*>(use.at) - b.at);
    return first < u.last && u.first < first + use.bytes;
  }

  template <class Say>
  static void check(const block& b, const access& use, const completion& work, Say say) {
    for (const used& u : b.uses)
      if (overlap(b, u, use) && (u.writes || use.writes) && !u.work->comes_before(work))
        say(describe(*u.work) + " uses " + name(b) + ", too, with no order between them");
  }

  /// Who comes later is compared with the last writer and with who has read since.
  static void note(block& b, const access& use, const work_ptr& work) {
    const auto first = static_cast<std::size_t>(static_cast<const std::byte*>(use.at) - b.at);
    const std::size_t last = first + use.bytes;
    std::erase_if(b.uses, [&](const used& u) {
      const bool inside = first <= u.first && u.last <= last;
      return inside && (use.writes || (!u.writes && u.work->queue == work->queue));
    });
    b.uses.push_back({first, last, use.writes, work});
  }

  std::deque<block> blocks_;
  std::set<std::pair<int, int>> access_;
};

}  // namespace stretto::testing::recording
