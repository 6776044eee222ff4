// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/advice/change.hpp>
#include <stretto/advice/fidelity.hpp>
#include <stretto/advice/price.hpp>
#include <stretto/advice/split.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto {

/// A plan of the same tasks that takes less time per progress, by the model, and what it takes
/// instead.
struct priced_edit {
  std::vector<plan_change> changes;
  plan_price before;
  plan_price after;
  std::string limit;         ///< what a progress takes then at best, and why, in words
  dynamic::schedule edited;  ///< the schedule with the changes; its bodies, if it had some
  std::string replan;        ///< what does it for types; empty of a schedule that is a value
  std::string patch;         ///< what does it for a schedule's file: a JSON patch (RFC 6902)

  /// What of the time per progress it saves, as a share of that.
  double gain() const;
  /// What is changed, in words.
  std::string what() const { return advising::in_words(changes); }
};

/// Which edits of a schedule make a progress take less time, what each takes instead, and what no
/// edit can change. Made by `advise`.
class advice {
 public:
  advice(plan_price now, std::string limit, fidelity checked, std::vector<priced_edit> edits,
         std::vector<split_what_if> splits, std::string why_none)
      : now_(now),
        limit_(std::move(limit)),
        checked_(std::move(checked)),
        edits_(std::move(edits)),
        splits_(std::move(splits)),
        why_none_(std::move(why_none)) {}

  /// The present plan.
  const plan_price& now() const { return now_; }
  /// What a progress takes at best, and why, in words.
  const std::string& limit() const { return limit_; }
  /// How well the model tells what was measured. If it does not, there is no advice.
  const fidelity& checked() const { return checked_; }
  /// The best first: the one that saves most time or, of those that save as much, takes the fewest
  /// bytes; or as `advice_options::by` says. None saves less than 2 % of the time per progress, and
  /// none takes more of everything than another.
  const std::vector<priced_edit>& edits() const& { return edits_; }
  std::vector<priced_edit> edits() && { return std::move(edits_); }  // for a loop over them
  /// Tasks that would make a difference if they were two: the best first.
  const std::vector<split_what_if>& splits() const& { return splits_; }
  std::vector<split_what_if> splits() && { return std::move(splits_); }
  /// Why there is no edit, in words; empty if there is one.
  const std::string& why_none() const { return why_none_; }

  /// All of that as text for people.
  std::string text() const;

 private:
  plan_price now_;
  std::string limit_;
  fidelity checked_;
  std::vector<priced_edit> edits_;
  std::vector<split_what_if> splits_;
  std::string why_none_;
};

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/advice.ipp>
#endif
