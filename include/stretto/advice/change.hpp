// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <string>
#include <vector>

namespace stretto {

/// One change of a schedule that another plan of the same tasks takes.
struct plan_change {
  enum class kind {
    copies,            ///< of slot \c subject: \c number more than its batches in flight need
    lookahead,         ///< of task \c subject
    thread,            ///< \c where task \c subject is to run
    stream,            ///< \c where the work of task \c subject is to be put
    workers,           ///< of thread group \c subject
    source_lookahead,  ///< how far ahead batches are pulled
    source_thread,     ///< \c where batches are to be pulled
    generated,         ///< over how many threads tasks are laid out
    pipelined          ///< lookaheads are raised by `pipelined`
  };
  kind what = kind::copies;
  std::string subject{};  ///< a slot, a task or a thread group by name
  std::string where{};    ///< a thread group or a stream by name
  int number = 0;

  friend bool operator==(const plan_change&, const plan_change&) = default;
};

namespace advising {

/// The changes of one edit: each says something of another thing.
using changes = std::vector<plan_change>;

/// Adds a change, in place of one that says something of the same.
STRETTO_INLINE void add_change(changes& to, const plan_change& one);

/// A schedule with changes.
STRETTO_INLINE dynamic::schedule changed(dynamic::schedule s, const changes& all);

/// What a person would call changes.
STRETTO_INLINE std::string in_words(const changes& all);

}  // namespace advising

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/change.ipp>
#endif
