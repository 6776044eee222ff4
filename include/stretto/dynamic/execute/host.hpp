// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/run/wait/signal.hpp>
#include <vector>

namespace stretto::dynamic::detail {

/// A signal of a machine (`runner::signal_word` of whichever wait strategy), its type forgotten,
/// and where it is said early; null: nowhere.
struct signal_at {
  runner::early_word* early = nullptr;
  void* then = nullptr;  ///< null: there is none

  template <class Signal>
  runner::early_signal<Signal> as() const {
    return {early, *static_cast<Signal*>(then)};
  }
};

/// Things that come in turn, progress by progress.
struct in_turn {
  std::byte* first = nullptr;  ///< null: there are none
  std::size_t stride = 0;
  std::size_t count = 1;
  std::size_t ahead = 0;  ///< in progress 0 it is the turn of this one

  void* of(std::size_t number) const { return first + number * stride; }
  void* at(std::size_t progress) const {
    if (first == nullptr) return nullptr;
    return of(count == 1 ? 0 : (progress + ahead) % count);
  }
};

/// The signals of a node: one for each host thread that runs it, and words that are said early, one
/// in each copy of a slot that it fills.
struct node_signals {
  in_turn own;
  in_turn early;

  signal_at at(std::size_t progress) const {
    return {static_cast<runner::early_word*>(early.at(progress)), own.at(progress)};
  }
};

/// A wait of a task. On cache lines of its own, because its thread writes to it.
struct alignas(runner::cache_line) wait {
  node_signals on;
  std::uint32_t back = 0;  ///< progresses
  std::uint32_t seen = 0;  ///< how far the thread has seen the signal, if there is one for all

  /// Whether there is one signal, whoever runs the node.
  bool is_one() const { return on.own.count == 1; }
};

/// What a step has to do with other threads, whatever the progress, and where its task's call is.
struct step_signals {
  node_signals said;
  std::size_t first_wait = 0;  ///< of the waits of its host
  std::size_t last_wait = 0;
  std::size_t own = 0;   ///< among the words of a progress
  std::size_t size = 0;  ///< in words
};

/// Something that a call uses of which there are several, in turn: a copy of a slot, an event. It
/// moves on with each progress that the thread runs.
struct moving_part {
  std::byte* first = nullptr;
  std::size_t stride = 0;
  std::size_t copies = 1;
  std::size_t copy = 0;
  std::size_t by = 0;
  std::size_t cell = 0;   ///< among the words of a progress
  std::size_t every = 1;  ///< progresses that one is used for; \c copies and \c copy count those

  /// That of progress \p progress less \p back, to begin with, then always \p by progresses on.
  static moving_part of(void* first, std::size_t stride, std::size_t copies, std::size_t progress,
                        std::size_t back, std::size_t by) {
    return {static_cast<std::byte*>(first), stride, copies,
            (progress + copies - back % copies) % copies, by % copies};
  }
  /// Of things of which each is used for so many progresses: \p copies of them, \p back from the
  /// first of those.
  static moving_part held(void* first, std::size_t stride, std::size_t copies, std::size_t every,
                          std::size_t progress, std::size_t back, std::size_t by) {
    moving_part part = of(first, stride, copies * every, progress, back, by);
    part.every = every;
    return part;
  }
  void* at() const { return first + (every == 1 ? copy : copy / every) * stride; }
  void move() {
    copy += by;
    if (copy >= copies) copy -= copies;
  }
  /// By so many progresses of the thread.
  void move(std::size_t progresses) { copy = (copy + progresses % copies * by) % copies; }
  void move_back() { copy = (copy + (copies - by)) % copies; }
};

/// The calls of one progress, the result slots that it hands out and its signals. Null: to be
/// looked up.
struct turn {
  const word* calls = nullptr;
  void* const* results = nullptr;
  const signal_at* said = nullptr;     ///< by step
  const signal_at* awaited = nullptr;  ///< by wait
  const signal_at* closing = nullptr;  ///< as in the host
};

/// A host thread: its chain as a table. Which copies of the slots and which events a progress uses
/// comes round again after some progresses, and for all of these every call is laid out before the
/// first run: a progress makes one call after the other and looks nothing up.
struct alignas(runner::cache_line) host {
  underway now;
  std::size_t steps = 0;
  bool flows = false;                     ///< nothing comes between the steps
  std::vector<turn> turns;                ///< the progresses, until they come round again
  std::vector<word> words;                ///< of all of them
  std::vector<word> alone;                ///< room for a call that is made by itself
  std::vector<moving_part> moving;        ///< if that takes too long to be laid out
  std::vector<void*> results;             ///< of the calling thread: result slots, by progress
  std::vector<signal_at> turn_signals;    ///< by progress
  std::vector<step_signals> signal_list;  ///< by step
  std::vector<std::size_t> quiet_until;   ///< by step: the next that waits, or is waited for
  /// By step: where the segment ends that it begins. Only its first step waits, and only its last
  /// one is waited for. Empty: each step is a segment.
  std::vector<std::size_t> segment_end;
  std::vector<wait> waits;   ///< of all steps, in order
  std::vector<void*> owned;  ///< signals that others may wait for
  /// With a barrier: that the progress is finished. Its own; of the calling thread, those of all
  /// other threads.
  std::vector<node_signals> closing;
  bool opened_by_pull = false;  ///< with a barrier: that a progress has begun is told by the pull
  std::size_t number = 0;
  std::size_t thread = 0;      ///< the thread group
  std::size_t worker = 0;      ///< its number in the group
  std::size_t workers = 1;     ///< how many the group has
  bool pulls = false;          ///< which is then the first step
  std::size_t newest = 0;      ///< least lag of its nodes
  std::size_t oldest = 0;      ///< greatest lag
  std::size_t first_new = 0;   ///< the first step on the newest batch
  std::vector<char> launched;  ///< by step: whether the launch that begins with one before does it
  std::vector<std::size_t> begins;  ///< coroutines whose calls it begins, by number in the layout

  const task_facts& facts_at(std::size_t step) const {
    return facts_of(words.data() + signal_list[step].own);
  }
};

/// How far a host thread is in a run.
class position {
 public:
  /// What its thread sees of a progress: all of it.
  using moment = const position&;

  /// Before the first of its own progresses from one on, in which the batch of that number is
  /// pulled.
  void restart(host& self, std::size_t progress);
  moment advance() {
    ++progress_;
    if (++now_ == end_) {
      now_ = begin_;
      if (!moving_.empty()) [[unlikely]]
        move();
    }
    return *this;
  }
  moment now() const { return *this; }
  void skip(std::size_t progresses) { progress_ += progresses; }
  std::size_t progress() const { return progress_; }
  std::size_t next_progress() const { return progress_ + 1; }
  /// 0, where signals start, before progress 0.
  std::uint32_t epoch() const { return epoch_of(progress_); }
  static std::uint32_t epoch_of(std::size_t progress) {
    return runner::first_epoch + static_cast<std::uint32_t>(progress + 1);
  }
  host& self() const { return *self_; }
  /// The calls of this progress.
  const word* calls() const { return now_->calls; }
  /// Its signals: what a step publishes, what a wait is for, what tells that it is finished.
  signal_at said(std::size_t step) const {
    if (now_->said != nullptr) [[likely]]
      return now_->said[step];
    return self_->signal_list[step].said.at(progress_);
  }
  signal_at awaited(std::size_t wait) const {
    if (now_->awaited != nullptr) [[likely]]
      return now_->awaited[wait];
    return self_->waits[wait].on.at(progress_ - self_->waits[wait].back);
  }
  signal_at closing(std::size_t thread) const {
    if (now_->closing != nullptr) [[likely]]
      return now_->closing[thread];
    return self_->closing[thread].at(progress_);
  }
  /// The result slots that it hands out; null: they are to be looked up.
  void* const* results() const { return now_->results; }

 private:
  /// What calls use in this progress that could not be laid out.
  void move();

  host* self_ = nullptr;
  std::size_t progress_ = static_cast<std::size_t>(-1);
  const turn* begin_ = nullptr;
  const turn* end_ = nullptr;
  const turn* now_ = nullptr;
  std::vector<moving_part> moving_;
};

}  // namespace stretto::dynamic::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/execute/host.ipp>
#endif
