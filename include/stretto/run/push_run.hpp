// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <stretto/errors/emit.hpp>
#include <stretto/run/active_run.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/given_pipeline.hpp>
#include <stretto/run/onwards.hpp>
#include <stretto/run/push_misuse.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/temporary_misuse.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stretto {

namespace runner::detail {

template <class Given, class Value>
concept filling = requires(Given&& given, Value& slot) { std::forward<Given>(given)(slot); } &&
                  !fills_in_vain<Given, Value> && !says_whether<Given, Value>;

}  // namespace runner::detail

/// What can be pushed to a pipeline that pulls batches of type `T`: what can be assigned to a `T`,
/// or a callable that takes `T&` and fills it.
template <class Given, class Value>
concept batch_of = runner::detail::filling<Given, Value> ||
                   (std::assignable_from<Value&, Given> && runner::detail::goes_into<Given, Value>);

namespace runner::detail {

/// The source of a run that batches are pushed into: has what was offered, once. Asked when there
/// is nothing, it has ended.
template <class Value>
class offered_batch {
 public:
  /// \p put fills the slot; stays until it is withdrawn.
  template <class Put>
  void offer(Put& put) {
    put_ = std::addressof(put);
    call_ = [](void* what, Value& slot) { (*static_cast<Put*>(what))(slot); };
  }
  void withdraw() { call_ = nullptr; }
  /// How many it had.
  std::size_t taken() const { return taken_; }

  bool operator()(Value& slot) {
    if (call_ == nullptr) return false;
    std::exchange(call_, nullptr)(put_, slot);
    ++taken_;  // not if that threw
    return true;
  }

 private:
  void* put_ = nullptr;
  void (*call_)(void* put, Value& slot) = nullptr;
  std::size_t taken_ = 0;
};

}  // namespace runner::detail

/// A run that is handed its batches one at a time instead of taking them from a source, for where
/// others have the loop: a callback, a request handler, a training script. Of types it is made as
/// `push_run steps(pipeline)`, of values as `push_run<dynamic::pipeline<>, T> steps(pipeline)`:
///
///     if (steps.push(batch)) use(steps.result());   // for each batch
///     while (steps.flush()) use(steps.result());    // what is still in flight
///
/// From the first `push` until `flush` says false, or `close`, it is the pipeline's run; then the
/// next `push` begins another, with batch 0, or where the one before ended, if it was made as
/// `push_run steps(pipeline, onwards)`. One thread makes all calls: it is the pipeline's calling
/// thread, runs that one's tasks inside `push` and `flush`, and has to be the one that pulls. Stays
/// where it is made.
template <class Pipeline,
          class Value =
              typename runner::source_value_of<Pipeline, runner::detail::untold_batch>::type>
class push_run {
  using source = runner::detail::offered_batch<Value>;
  using run = decltype(runner::run_over<Value>(std::declval<Pipeline&>(), std::declval<source&>()));
  using temporary = runner::temporary_pipeline<Pipeline>;
  template <class Batch>
  using unfit = decltype(runner::batch_diagnostic<Batch, Value>());
  /// Whether a batch yields more than its number, as far as the type of the pipeline tells.
  static constexpr bool yields = !std::is_same_v<typename run::reference, std::size_t>;

 public:
  /// As of a run over a source: of types a reference to the result slot's value, of values a
  /// `dynamic::result`.
  using reference = typename run::reference;

  /// Of values, throws `usage_error` if another thread than the calling one pulls.
  [[nodiscard]] explicit push_run(Pipeline& pipeline) : push_run(pipeline, false) {}
  /// Whose batches go on where the latest run of the pipeline ended, and after `flush` where that
  /// did: see `onwards`. `push` throws what `run` does there.
  [[nodiscard]] push_run(Pipeline& pipeline, runner::where_the_latest_ended)
      : push_run(pipeline, true) {}
  /// Of a pipeline that is gone before anything is pushed: a compile error.
  template <class... Where, auto Why = errors::why<temporary>>
  STRETTO_REFUSED explicit push_run(Pipeline&& pipeline, Where...) : pipeline_(pipeline) {
    static_cast<void>(errors::emit_in_body<temporary>::value);
  }
  push_run(const push_run&) = delete;
  push_run& operator=(const push_run&) = delete;
  /// As `close`.
  ~push_run() = default;

  /// Puts a batch into the source's slot (or has it filled by \p batch, a callable) and runs one
  /// progress of the calling thread. With as many batches in flight as the pipeline has, waits for
  /// the oldest: that is the back-pressure. Returns whether a batch got through that no task
  /// dropped, so that `result()` may be used until the next call.
  ///
  /// Throws `usage_error` while the pipeline has another run or when it is gone, after a failure
  /// until `reset()`, after `flush` until that says false, and within another `push` or `flush`: in
  /// a task or in \p batch. Throws `task_error` if a task threw, or \p batch did where it was to
  /// fill the slot, or copying it; results that were complete by then come first, and no more
  /// batches are taken: `taken()` does not grow. The run has ended then.
  template <batch_of<Value> Batch>
    requires yields
  [[nodiscard("a batch that got through has a result, which the next call takes away")]] bool push(
      Batch&& batch) {
    return pushed(std::forward<Batch>(batch));
  }
  /// Likewise where batches have no results.
  template <batch_of<Value> Batch>
    requires(!yields)
  bool push(Batch&& batch) {
    return pushed(std::forward<Batch>(batch));
  }
  /// Of what does not go into the source's slot: a compile error that says what does.
  template <class Batch, auto Why = errors::why<unfit<Batch>>>
    requires(!batch_of<Batch, Value>)
  STRETTO_REFUSED bool push(Batch&&) {
    static_cast<void>(errors::emit_in_body<unfit<Batch>>::value);
    return false;
  }

  /// Has what is in flight go through. True for each batch that does and that no task dropped, in
  /// order, whose `result()` may then be used; false when none is left.
  /// Throws `task_error` as `push` does.
  [[nodiscard("one batch at a time: call it until it says false")]] bool flush() {
    refuse_within();
    if (!run_.has_value()) return false;
    flushing_ = true;
    ending end(*this);
    const being_asked now(*this);
    if (!run_->next()) return false;
    end.not_yet();
    through_ = true;
    return true;
  }

  /// Abandons what is in flight, as leaving a run does: `pipeline.report()` lists it. Throws
  /// `usage_error` within `push` or `flush`, whose run it would destroy.
  void close() {
    refuse_within();
    end();
  }

  /// The result of the batch that got through last. Throws `usage_error` if none has since the run
  /// began, or the run is over.
  reference result() {
    if (!run_.has_value() || !through_) refuse_result();
    return run_->result();
  }
  /// The number of that batch: how many were pushed before it since `push` began the run, and of
  /// one that goes on since that began from which it does. Throws as `result` does.
  std::size_t batch() const {
    if (!run_.has_value() || !through_) refuse_result();
    return run_->batch();
  }
  /// How many batches the pipeline has taken since `push` began the latest run.
  std::size_t taken() const { return batches_.taken(); }

 private:
  push_run(Pipeline& pipeline, bool goes_on) : pipeline_(pipeline), onwards_(goes_on) {
    if constexpr (requires { pipeline.tell_end(kept_); }) pipeline.tell_end(kept_);
    const std::string_view thread = pipeline.pulled_by();
    if (!thread.empty())
      throw usage_error("batches are pushed by the calling thread, but thread `" +
                        std::string(thread) +
                        "` pulls those of this pipeline: leave the thread out of its source, or "
                        "let the caller run that group");
  }
  /// Ends the run, unless it turns out to go on.
  class ending {
   public:
    explicit ending(push_run& steps) : steps_(&steps) {}
    ending(const ending&) = delete;
    ending& operator=(const ending&) = delete;
    ~ending() {
      if (steps_ != nullptr) steps_->end();
    }
    void not_yet() { steps_ = nullptr; }

   private:
    push_run* steps_;
  };
  /// While it exists, tasks of the calling thread and callables that fill the slot are within a
  /// call, and ask for nothing.
  class being_asked {
   public:
    explicit being_asked(push_run& steps) : steps_(steps) { say(true); }
    being_asked(const being_asked&) = delete;
    being_asked& operator=(const being_asked&) = delete;
    ~being_asked() { say(false); }

   private:
    // relaxed: another thread that asks is in a task, or has not been told to.
    void say(bool asked) { steps_.asked_.store(asked, std::memory_order_relaxed); }

    push_run& steps_;
  };
  /// A run stays where it is made: a conversion makes it inside the optional.
  struct made_in_place {
    push_run& steps;
    operator run() const {
      if (steps.onwards_)
        return runner::run_over<Value>(steps.pipeline_, steps.batches_, stretto::onwards);
      return runner::run_over<Value>(steps.pipeline_, steps.batches_);
    }
  };

  template <class Batch>
  bool pushed(Batch&& batch) {
    refuse_within();
    if (flushing_)
      throw usage_error(
          "a batch is pushed while others are flushed: call flush() until it says false, or "
          "close()");
    run& now = begun();
    ending end(*this);
    auto put = [&batch](Value& slot) {
      if constexpr (runner::detail::filling<Batch, Value>) {
        static_cast<void>(std::forward<Batch>(batch)(slot));
      } else {
        slot = std::forward<Batch>(batch);
      }
    };
    batches_.offer(put);
    const being_asked asked(*this);
    const bool through = now.progress();
    batches_.withdraw();
    end.not_yet();
    if (through) through_ = true;
    return through;
  }

  void end() noexcept {
    flushing_ = false;
    // A run without its pipeline stays: it says so, also to the next who pushes.
    if (run_.has_value() && run_->lost_pipeline()) return;
    run_.reset();
    batches_.withdraw();
    through_ = false;
  }

  run& begun() {
    if (run_.has_value()) return *run_;
    if (kept_.outlived())
      throw usage_error(
          "the pipeline that batches are pushed to is gone: let it be there as long as its "
          "push_run");
    batches_ = {};
    return run_.emplace(made_in_place{*this});
  }
  /// Batches that are pushed within a push would overtake it, and take its results.
  void refuse_within() const {
    if (asked_.load(std::memory_order_relaxed))
      throw usage_error(
          "push(), flush() or close() is called within push() or flush(), by a task or by what "
          "fills the source's slot: keep what is to be pushed, and call when that call is over");
  }
  [[noreturn]] static void refuse_result() {
    throw usage_error(
        "a result is asked for, but no batch has got through: ask where push() or flush() says "
        "true");
  }

  Pipeline& pipeline_;
  runner::kept_reference kept_;
  source batches_;
  std::optional<run> run_;
  bool onwards_ = false;  ///< runs go on where the latest one ended
  bool flushing_ = false;
  bool through_ = false;            ///< whether a batch of the run has got through
  std::atomic<bool> asked_{false};  ///< within a call of push or flush
};

template <class Pipeline>
push_run(Pipeline&&) -> push_run<std::remove_reference_t<Pipeline>>;
template <class Pipeline>
push_run(Pipeline&&, runner::where_the_latest_ended) -> push_run<std::remove_reference_t<Pipeline>>;

/// Where nothing can be pushed: a compile error that says why, and no other.
template <class Pipeline, class Value>
  requires(!errors::is_no_error<decltype(runner::push_diagnostic<Pipeline, Value>())>)
class push_run<Pipeline, Value> : public runner::not_a_push_run<Pipeline> {
  using unfit = decltype(runner::push_diagnostic<Pipeline, Value>());

 public:
  template <class Given, class... Where, auto Why = errors::why<unfit>>
  STRETTO_REFUSED explicit push_run(Given&&, Where...) {
    static_cast<void>(errors::emit_in_body<unfit>::value);
  }
};

}  // namespace stretto
