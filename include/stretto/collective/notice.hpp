// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/collective/message.hpp>
#include <string>
#include <string_view>

namespace stretto::collective {

/// What a rank tells its peers without being asked.
enum class news : std::uint8_t {
  ended,        ///< its source ended: `batch` is how many batches it has
  continued,    ///< it has the batch `batch`, though a peer's source ended before
  finished,     ///< its run is over, and none of its tasks failed
  left,         ///< its user left the run, or stopped it; `batch` batches went through
  failed,       ///< a task of its failed
  peer_failed,  ///< a task of its failed because the peer `ended` left, after `batches` batches
  turned_back   ///< its run was cancelled before all ranks had begun it
};

struct notice {
  news what = news::failed;
  std::size_t run = 0;   ///< of the sender's pipeline, from 1
  std::size_t rank = 0;  ///< the sender
  std::string task{};
  std::size_t batch = 0;
  std::string text{};  ///< what the error said
  std::size_t ended =
      0;  ///< if it went on or is peer_failed: the peer whose source ended, or that left, before,
  std::size_t batches = 0;    ///< and how many batches that one has
  std::size_t submitted = 0;  ///< if it left: the collectives that it took part in, of all runs
  std::size_t reached = 0;    ///< if it left and ranks play roles: the place that it got to
  std::string role{};         ///< that it plays, which its peers know
};

inline message packed(const notice& n) {
  return writer()
      .number(static_cast<std::uint64_t>(n.what))
      .number(n.run)
      .text(n.task)
      .number(n.batch)
      .text(n.text)
      .number(n.ended)
      .number(n.batches)
      .number(n.submitted)
      .number(n.reached)
      .made();
}

inline notice unpacked_notice(std::size_t from, std::string_view bytes) {
  reader in(bytes);
  notice n;
  n.what = static_cast<news>(in.number());
  n.run = in.size();
  n.rank = from;
  n.task = in.text();
  n.batch = in.size();
  n.text = in.text();
  n.ended = in.size();
  n.batches = in.size();
  n.submitted = in.size();
  n.reached = in.size();
  return n;
}

}  // namespace stretto::collective
