// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/execute/slot_copies.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/run/wait/signal.hpp>
#include <vector>

namespace stretto::dynamic::detail {

/// Signals of a machine (`runner::signal` of whichever wait strategy) one behind the other, their
/// type forgotten.
using signals_at = void*;

/// A wait of a task: for the signals of a producer, one for each host thread that runs it.
struct wait {
  signals_at on = nullptr;    ///< the first
  std::uint32_t back = 0;     ///< progresses
  std::uint32_t workers = 1;  ///< how many signals there are
};

/// What a step has to do with other threads, whatever the progress.
struct step_signals {
  signals_at said = nullptr;   ///< null: nobody waits for it
  std::size_t first_wait = 0;  ///< of the waits of its host
  std::size_t last_wait = 0;
};

/// A copy of a slot that a host thread uses, in a table that is too long to be laid out: it moves
/// on with each progress that the thread runs.
struct moving_slot {
  const slot_copies* slot = nullptr;
  std::size_t copy = 0;
  std::size_t by = 0;
  std::size_t cell = 0;  ///< in the rows of its host

  void move() {
    copy += by;
    if (copy >= slot->size()) copy -= slot->size();
  }
};

/// A host thread: its chain as a table. Which copies of the slots a progress uses comes round again
/// after some progresses, and for all of these every call is laid out before the first run: a
/// progress walks over its calls and looks nothing up.
struct host {
  std::size_t steps = 0;
  std::size_t segment = 1;                ///< steps that nothing comes between
  std::size_t stride = 0;                 ///< frames of a progress: steps, and ends of segments
  std::size_t period = 1;                 ///< in progresses that this thread runs
  std::vector<frame> frames;              ///< by progress and step
  std::vector<void*> rows;                ///< the slots that frames point to
  std::vector<moving_slot> moving;        ///< if the period is too long
  std::vector<void*> results;             ///< of the calling thread: result slots, by progress
  std::vector<step_signals> signal_list;  ///< by step
  std::vector<wait> waits;                ///< of all steps, in order
  std::vector<signals_at> owned;          ///< that others may wait for
  std::size_t number = 0;
  std::size_t thread = 0;     ///< the thread group
  std::size_t worker = 0;     ///< its number in the group
  std::size_t workers = 1;    ///< how many the group has
  bool pulls = false;         ///< which is then the first step
  std::size_t newest = 0;     ///< least lag of its nodes
  std::size_t oldest = 0;     ///< greatest lag
  std::size_t first_new = 0;  ///< the first step on the newest batch

  /// Where a step is among the frames of a progress.
  std::size_t frame_of(std::size_t step) const { return step + step / segment; }
};

/// How far a host thread is in a run.
class position {
 public:
  /// What its thread sees of a progress: all of it.
  using moment = const position&;

  /// Before the first progress of a run.
  void restart(host& self);
  moment advance() {
    ++progress_;
    now_ += self_->stride;
    ++turn_;
    if (now_ == end_) {
      now_ = begin_;
      turn_ = 0;
      if (!moving_.empty()) [[unlikely]]
        move();
    }
    return *this;
  }
  void skip(std::size_t progresses) { progress_ += progresses; }
  std::size_t progress() const { return progress_; }
  std::size_t next_progress() const { return progress_ + 1; }
  /// 0, where signals start, before progress 0.
  std::uint32_t epoch() const {
    return runner::first_epoch + static_cast<std::uint32_t>(progress_ + 1);
  }
  host& self() const { return *self_; }
  /// The calls of this progress.
  const frame* frames() const { return now_; }
  /// Which of the progresses of its period this one is.
  std::size_t turn() const { return turn_; }

 private:
  /// The copies that a table too long to be laid out has for this progress.
  void move();

  host* self_ = nullptr;
  std::size_t progress_ = static_cast<std::size_t>(-1);
  const frame* begin_ = nullptr;
  const frame* end_ = nullptr;
  const frame* now_ = nullptr;
  std::size_t turn_ = 0;
  std::vector<moving_slot> moving_;
};

}  // namespace stretto::dynamic::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/execute/host.ipp>
#endif
