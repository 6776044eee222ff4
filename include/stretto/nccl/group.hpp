// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stretto/collective/channel.hpp>
#include <stretto/collective/error.hpp>
#include <stretto/collective/pause.hpp>
#include <stretto/collective/wording.hpp>
#include <stretto/nccl/error.hpp>
#include <stretto/nccl/interface.hpp>
#include <stretto/nccl/settings.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto::nccl::detail {

/// A communicator of a pipeline: how it comes to be, and ends.
template <class Library>
class group {
 public:
  using handle = typename Library::communicator;
  using deadline = collective::deadline;

  group(const Library& library, std::string name, std::shared_ptr<collective::channel> channel)
      : library_(library),
        name_(std::move(name)),
        channel_(std::move(channel)),
        rank_(channel_->rank()),
        size_(channel_->size()) {}
  /// One that is to be split from another.
  group(const Library& library, std::string name) : library_(library), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  /// Where its ranks meet. One that is split from another has none.
  collective::channel& channel() const { return *channel_; }
  std::size_t rank() const { return rank_; }
  std::size_t size() const { return size_; }
  handle communicator() const { return handle_; }
  bool usable() const { return handle_ != handle{} && !aborted_; }
  int device() const { return device_; }

  /// Uses a communicator that the user made.
  void adopt(handle given) {
    const auto [rank, size] = numbers_of(given);
    checked(library_, call::device, library_.device(given, device_), given);
    if (size != size_ || rank != rank_)
      throw usage_error(std::string("communicator `")
                            .append(name_)
                            .append("` was made by the user, and its ranks are not numbered as "
                                    "those that meet"));
    handle_ = given;
  }

  /// Makes one on the current device, \p device, together with the other ranks. Throws `peer_error`
  /// if one of them says on \p control that it cannot.
  void make(int device, const typename Library::config& config, collective::channel& control,
            const deadline& until) {
    device_ = device;
    owned_ = true;
    try {
      const typename Library::identifier id = shared_identifier(control, until);
      checked(
          library_, call::init,
          library_.init(handle_, static_cast<int>(size()), id, static_cast<int>(rank()), config),
          handle_);
      await_ready(*this, control, until);
    } catch (...) {
      abort();
      throw;
    }
  }

  /// Makes one of a part of the ranks of \p parent, on its device, together with these. Throws as
  /// make() does.
  void make(group& parent, int color, int key, const typename Library::config& config,
            collective::channel& control, const deadline& until) {
    device_ = parent.device();
    owned_ = true;
    try {
      checked(library_, call::split,
              library_.split(parent.communicator(), color, key, handle_, config),
              parent.communicator());
      await_ready(parent, control, until);
      await_ready(*this, control, until);
      std::tie(rank_, size_) = numbers_of(handle_);
    } catch (...) {
      abort();
      parent.abort();  // which may still be about to make it
      throw;
    }
  }

  /// Whether the last call has come to its end. Throws `error` if it failed, or another rank did.
  bool is_ready() const {
    typename Library::result state = Library::success;
    checked(library_, call::async_error, library_.async_error(handle_, state), handle_);
    if (state == Library::in_progress) return false;
    if (state != Library::success)
      fail(library_, call::async_error, state, handle_,
           std::string("communicator `").append(name_).append("`"));
    return true;
  }

  /// Registers the blocks of \p memory that are on its device and that it has not seen yet.
  template <class Memory>
  void register_blocks(const Memory& memory) {
    for (; seen_blocks_ < memory.count(); ++seen_blocks_) {
      const auto block = memory.at(seen_blocks_);
      if (block.device != device_) continue;
      typename Library::registration as{};
      checked(library_, call::register_memory,
              library_.register_memory(handle_, block.at, block.bytes, as), handle_);
      registrations_.push_back(as);
    }
  }

  /// Ends what is going on, also on devices. It cannot be used any more.
  void abort() noexcept {
    if (!usable()) return;
    aborted_ = true;
    static_cast<void>(library_.abort(handle_));
  }

  /// Gives it back, when nothing is going on, unless it is the user's.
  void close(const deadline& until) noexcept {
    if (!usable()) return;
    for (const typename Library::registration as : std::exchange(registrations_, {}))
      static_cast<void>(library_.deregister(handle_, as));
    if (!owned_) return;
    try {
      checked(library_, call::finalize, library_.finalize(handle_), handle_);
      for (collective::pause idle; !is_ready(); idle())
        if (until.passed()) return abort();
      aborted_ = true;  // whatever destroy() says, it is no more
      checked(library_, call::destroy, library_.destroy(handle_));
    } catch (...) {
      abort();
    }
  }

 private:
  /// Its rank, and how many there are.
  std::pair<std::size_t, std::size_t> numbers_of(handle c) const {
    int rank = 0;
    int size = 0;
    checked(library_, call::rank, library_.rank(c, rank), c);
    checked(library_, call::count, library_.count(c, size), c);
    return {static_cast<std::size_t>(rank), static_cast<std::size_t>(size)};
  }
  void await_ready(const group& which, collective::channel& control, const deadline& until) const {
    for (collective::pause idle; !which.is_ready(); idle()) {
      hear(control);
      if (until.passed()) throw std::runtime_error(late(until));
    }
  }

  typename Library::identifier shared_identifier(collective::channel& control,
                                                 const deadline& until) {
    typename Library::identifier id{};
    collective::message mine;
    if (rank() == 0) {
      checked(library_, call::unique_id, library_.unique_id(id));
      mine.resize(sizeof id);
      std::memcpy(mine.data(), &id, sizeof id);
    }
    const std::vector<collective::message> all =
        channel_->gather(mine, [&, idle = collective::pause()](const auto& missing) mutable {
          hear(control);
          if (until.passed())
            throw missing_rank_error(missing, "make its pipeline", until.length(), name_);
          idle();
        });
    if (all[0].size() != sizeof id)
      throw std::runtime_error("rank 0 uses another version of NCCL: its unique id is not as long");
    std::memcpy(&id, all[0].data(), sizeof id);
    return id;
  }
  static void hear(collective::channel& control) {
    while (const std::optional<collective::notice> n = control.look())
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): it is checked
      if (n->what == collective::news::failed || n->what == collective::news::turned_back)
        throw peer_error(*n);
  }
  std::string late(const deadline& until) const {
    return std::string("the ranks of communicator `")
        .append(name_)
        .append("` did not all make it within ")
        .append(collective::seconds_text(until.length()));
  }

  [[no_unique_address]] Library library_;
  std::string name_;
  std::shared_ptr<collective::channel> channel_;
  std::size_t rank_ = 0;
  std::size_t size_ = 0;
  handle handle_{};  ///< stays where it is: the library writes to it when it is made
  int device_ = 0;
  std::size_t seen_blocks_ = 0;  ///< of memory that is registered
  std::vector<typename Library::registration> registrations_;
  bool owned_ = false;
  bool aborted_ = false;  ///< or destroyed
};

}  // namespace stretto::nccl::detail
