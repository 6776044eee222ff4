// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/threads/attachments.hpp>
#include <string_view>

namespace stretto {

/// Thread groups that threads of yours run, by `pipeline.attach("rendering")`; an argument of a
/// pipeline's constructor: `attached_threads{"rendering"}`. The pipeline starts no threads for
/// them.
///
/// The constructor throws `usage_error` for a group that the pipeline does not have or that is
/// named twice, and for `caller`, which is run by whoever asks for results.
class attached_threads {
 public:
  attached_threads() = default;
  attached_threads(std::initializer_list<std::string_view> groups) {
    for (const std::string_view g : groups) add(g);
  }
  /// One more group.
  attached_threads& add(std::string_view group) {
    groups_.append({group.data(), group.size()});
    groups_.push_back('\0');
    return *this;
  }

  /// Calls \p use with the name of each group.
  template <class Use>
  void each(Use use) const {
    for (std::size_t at = 0; at < groups_.size();) {
      const std::string_view name = groups_.data() + at;
      use(name);
      at += name.size() + 1;
    }
  }

 private:
  planner::list<char> groups_;  ///< each with a 0 behind it
};

namespace runner {

/// A token by which nobody ever requests a stop.
struct never_stopped {
  static constexpr bool stop_requested() { return false; }
};

namespace detail {

/// What user threads run of a pipeline with thread groups \p groups, each of which has as many host
/// threads as \p workers says; null if \p wanted names none. Throws `usage_error` if it cannot be
/// done.
STRETTO_INLINE attachments* make_attachments(const attached_threads& wanted,
                                             planner::view<std::string_view> groups,
                                             planner::view<std::size_t> workers);

}  // namespace detail
}  // namespace runner
}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/threads/attached_threads.ipp>
#endif
