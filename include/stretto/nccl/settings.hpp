// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stretto/collective/channel.hpp>
#include <stretto/collective/files.hpp>
#include <stretto/collective/local.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace stretto::nccl {

/// How the ranks of a communicator meet: they tell each other the communicator's unique id, and in
/// the first communicator of a pipeline also plans, ends and failures. Given the longest time to
/// wait for the others.
///
/// One serves one pipeline at a time. After a failure, and after a run that was left or abandoned,
/// all ranks need new ones for their next pipelines: what peers said last may still lie in the old.
class meeting {
 public:
  using channel = std::shared_ptr<collective::channel>;

  explicit meeting(std::function<channel(std::chrono::milliseconds)> meet)
      : meet_(std::move(meet)) {}
  channel operator()(std::chrono::milliseconds timeout) const { return meet_(timeout); }

 private:
  std::function<channel(std::chrono::milliseconds)> meet_;
};

/// Ranks that share a file system: in a folder, which is made if need be. It serves one pipeline of
/// a job at a time; what an earlier job left there does no harm.
inline meeting in_folder(const std::filesystem::path& folder, std::size_t rank, std::size_t size) {
  return meeting([=](std::chrono::milliseconds timeout) -> meeting::channel {
    return std::make_shared<collective::file_channel>(folder, rank, size, timeout);
  });
}

/// Ranks of one process, each a pipeline on a device of its own: they share \p all, which outlives
/// them. `nccl::local_ranks all(2)`, then `nccl::in_process(all, 0)` and `nccl::in_process(all,
/// 1)`.
using local_ranks = collective::local_ranks;
/// How ranks of one process meet: \p all is theirs, \p rank this one.
inline meeting in_process(local_ranks& all, std::size_t rank) {
  return meeting([&all, rank](std::chrono::milliseconds) -> meeting::channel {
    return std::make_shared<collective::local_channel>(all, rank);
  });
}

/// Ranks that have a channel already, which nobody else uses.
inline meeting over(std::shared_ptr<collective::channel> channel) {
  return meeting([channel = std::move(channel)](std::chrono::milliseconds) { return channel; });
}

/// Ranks of a communicator that is made of another one, without a meeting of their own, as by
/// `ncclCommSplit`: `{"node", nccl::split{"world", node, 0}}`. All ranks of that one say so.
struct split {
  std::string of;  ///< the other one, which comes before it in the list of communicators
  int color = 0;   ///< ranks of the same one are together; 0 or more
  int key = 0;     ///< orders them; where it is equal, by their numbers in the other one
};

/// Passed to a pipeline along with tasks: its communicators, by the names that tasks use:
/// `nccl::communicators{{"world", nccl::in_folder("/shared/job", rank, size)}}`. The first one has
/// all ranks that run the pipeline. Each is made with the pipeline, on the device of the streams
/// that use it: all ranks make their pipelines at the same time. Any but the first may be a `split`
/// of another.
///
/// NCCL is asked for a non-blocking one, as `standard_config()` says; a fourth member is another
/// `ncclConfig_t`, with limits to the blocks it uses, or `blocking = 1`: then each call puts its
/// collective on the stream before it returns, which takes the thread that calls less time.
///
/// A third member is a communicator that the user made, to be used instead: of the same ranks as
/// meet, by one pipeline at a time. It must live as long as the pipeline, and is aborted, which
/// ends it, if a rank fails: see docs/collectives.md.
template <class Library>
class communicators_of {
 public:
  struct named {
    std::string name;
    std::variant<meeting, split> ranks;
    typename Library::communicator adopted{};
    /// What the library is to make it with, such as an `ncclConfig_t`: not for an adopted one.
    typename Library::config config = Library::standard_config();
  };

  communicators_of() = default;
  communicators_of(std::initializer_list<named> all) : all_(all) {}
  explicit communicators_of(std::vector<named> all) : all_(std::move(all)) {}

  const std::vector<named>& all() const { return all_; }

 private:
  std::vector<named> all_;
};

/// Passed to a pipeline along with tasks: how long is waited for what may never come.
struct timeouts {
  /// For peers: in a collective, and where all ranks meet. 0: for ever.
  std::chrono::milliseconds peers = std::chrono::minutes(10);
  /// For collectives that are on streams when the pipeline stops. Then they are aborted, and the
  /// communicators cannot be used any more.
  std::chrono::milliseconds stop = std::chrono::seconds(2);
};

}  // namespace stretto::nccl
