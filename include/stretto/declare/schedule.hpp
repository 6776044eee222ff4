// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/count.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/stream.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/thread.hpp>
#include <string_view>

namespace stretto {

/// How many batches ahead of the training step (lookahead 0) something works.
template <auto Batches>
struct lookahead {
  using stretto_tag = tag::lookahead;
  static_assert(declare::count<Batches> <= most_batches, "a lookahead is 100,000 batches at most");
  static constexpr auto value = declare::as_given<Batches>;
};

/// How long something takes, compared with the rest of the schedule: nanoseconds, or any unit that
/// all weights share. Not negative.
template <auto Time>
struct weight {
  using stretto_tag = tag::weight;
  static constexpr auto value = declare::as_given<Time>;
};

/// What `every` says of the end of the stream.
enum class end_of_stream : unsigned char { and_at_end };
/// For `every`: that the task runs at the end of the stream, too, for what is left of a group.
inline constexpr end_of_stream and_at_end = end_of_stream::and_at_end;

namespace declare {

/// What `every` says behind the number: a phase, whether the end counts, both, or nothing. (A phase
/// that is no number is told by whoever looks at the task.)
template <auto... PhaseAndEnd>
struct groups {
  static constexpr bool phase = false;
  static constexpr bool and_at_end = false;
};
template <>
struct groups<> {
  static constexpr int phase = last_of_group;
  static constexpr bool and_at_end = false;
};
template <auto Phase>
struct groups<Phase> {
  static constexpr auto phase = as_given<Phase>;
  static constexpr bool and_at_end = false;
};
template <>
struct groups<stretto::and_at_end> {
  static constexpr int phase = last_of_group;
  static constexpr bool and_at_end = true;
};
template <auto Phase>
struct groups<Phase, stretto::and_at_end> {
  static constexpr auto phase = as_given<Phase>;
  static constexpr bool and_at_end = true;
};

}  // namespace declare

/// That a task runs for one of `Batches` batches, for `task<...>`: for the last of each group of so
/// many, or for that of which `Phase` batches of the group come before it. A class states the same
/// by `static constexpr int every = 4;` and, if need be, `static constexpr int phase = 0;`.
///
/// Groups are counted from batch 0 on. What is left of one when a run ends has no run of a task
/// whose phase it does not reach, unless another run goes on there. With `and_at_end` it has:
/// `every<4, and_at_end>`, or `every<4, 2, and_at_end>`; a class states the same by `static
/// constexpr bool and_at_end = true;` besides. An error if `Batches` is not from 1 to 100,000, or
/// `Phase` not less than that.
template <auto Batches, auto... PhaseAndEnd>
struct every {
  using stretto_tag = tag::every;
  static constexpr auto value = declare::as_given<Batches>;
  static constexpr auto phase = declare::groups<PhaseAndEnd...>::phase;
  static constexpr bool and_at_end = declare::groups<PhaseAndEnd...>::and_at_end;
};

/// Where batches enter: the slot that each batch pulled from the user's source is put into.
/// Optional `lookahead<N>` (least, and default: the deepest of the tasks) pulls further ahead,
/// optional `thread<"name">` (default: the calling thread) says who pulls, optional `weight<N>`
/// (default: 0) how long that takes.
template <class Slot, class... Placement>
struct source {
  using stretto_tag = tag::source;
  using slot = Slot;
  using placement = pack<Placement...>;
};

/// Where results leave: the slots handed to the user for each batch, in order, all in one
/// `result`. With none, a run yields the batch's number.
template <class... Slots>
struct result {
  using stretto_tag = tag::result;
  using slot_list = pack<Slots...>;
};

/// Part of a schedule: results are handed out in the order of the stream `Name`, without waiting
/// for the device. A result is then for work that is put on that stream, and its memory is filled
/// again only after that work; the host must not look at it. On the host backend, where results are
/// complete anyway, nothing changes.
///
/// An error if the schedule does not declare the stream.
template <fixed_string Name>
struct result_on {
  using stretto_tag = tag::result_on;
  static constexpr std::string_view value = Name.view();
};

/// Overrides a task's `stream<"name">`, `lookahead<N>`, `thread<"name">` or `weight<N>` without
/// touching the task.
template <class Task, class... Placement>
struct place {
  using stretto_tag = tag::place;
  using task = Task;
  using placement = pack<Placement...>;
};

/// Part of a schedule: what the original engine, which keeps no history, rejects is a violation,
/// too: a wait across streams on a slot that has left the ring.
struct strict {
  using stretto_tag = tag::strict;
};

/// Part of a schedule: each slot has the fewest copies that its batches in flight need, and the
/// slack asked for. Else some that need one copy have spare ones, where whoever fills them would
/// wait in each progress for another thread: the source's slot as many as there are batches in
/// flight, up to eight copies; slots that host tasks fill for streams, and results, one. Where
/// `pipelined` pulls further ahead, the source's slot keeps at least the copies it had without.
/// A serial plan has none, nor has one that would exceed `max_bytes` with them. `describe` tells.
struct frugal {
  using stretto_tag = tag::frugal;
};

/// `Copies` more copies of a slot than the batches in flight need, so that its writer waits less
/// for its readers when threads run ahead of each other. Counts instead of the spare copies that
/// a slot may have otherwise (see `frugal`). An error if no task uses the slot.
template <class Slot, auto Copies = 1>
struct slack {
  using stretto_tag = tag::slack;
  using slot = Slot;
  static constexpr int added = declare::count<Copies>;
  static constexpr bool is_number = declare::is_count<Copies>;
  static constexpr bool in_range = added > 0 && added <= most_batches;
  static constexpr std::size_t copies = in_range ? static_cast<std::size_t>(added) : 1;
};

/// Within a progress these tasks run in this order, one after the other: a task on a stream counts
/// as run when it is submitted, so order the effects of two streams with `same_progress_sync`. May
/// list some of the tasks; several may be given. An order that contradicts what the
/// tasks declare is an error that names the cycle (rule 7); one that names a task twice, or what
/// is no task of the schedule, breaks rule 6. `strict` keeps and judges it in the same way.
template <class... Tasks>
struct order {
  using stretto_tag = tag::order;
  using tasks = pack<Tasks...>;
};

/// A software pipeline as a type: tasks in declaration order, and `source`, `result`, `streams`,
/// `threads`, `thread_names`, `queue`, `workers`, `caller_runs`, `place`, `order`, `slack`,
/// `frugal`, `strict`, `pipelined`, `max_in_flight`, `max_bytes` in any order between them. Give it
/// a name of its own so that compiler messages stay short: `struct training :
/// stretto::schedule<...> {};`
template <class... Parts>
struct schedule {
  using parts = pack<Parts...>;
};

/// A schedule of the tasks of another, planned otherwise: `Options` (`place`, `threads`, ...)
/// override what the schedule's own parts say of the same. Within one schedule, and within one
/// replan, nothing is said twice.
template <class Schedule, class... Options>
struct replan {
  using parts = typename declare::joined<pack<Options..., tag::of_the_schedule_replanned>,
                                         typename Schedule::parts>::type;
};

/// Part of a schedule: no more than `Batches` batches are in flight, the deepest lookahead and the
/// training step's counted: 1 to 100,001. Bounds what `pipelined` raises. An error if what is
/// declared alone, with queues and workers, needs more; so it is a bound on a schedule that is not
/// pipelined, too.
template <auto Batches>
struct max_in_flight {
  using stretto_tag = tag::max_in_flight;
  static constexpr bool in_range =
      declare::count<Batches> > 0 && declare::count<Batches> <= most_batches + 1;
  static constexpr int value = in_range ? declare::count<Batches> : 1;
};

/// Part of a schedule: the copies of all slots take no more than `Bytes` bytes, cache lines around
/// them counted as in `memory_bytes`, what slots own elsewhere not. Bounds what `pipelined` raises.
/// An error if what is declared alone needs more, pipelined or not.
template <auto Bytes>
struct max_bytes {
  using stretto_tag = tag::max_bytes;
  static constexpr bool in_range = declare::is_whole<Bytes> && Bytes > 0;
  static constexpr std::size_t value = in_range ? static_cast<std::size_t>(Bytes) : 1;
};

/// Raises lookaheads so that tasks on different threads or streams work on different batches at the
/// same time: as few as give the least modelled period (see `modelled_period`), or, where no task
/// has a weight, as would if all threads and streams were equally busy and each spent its time in
/// any one of its tasks. (Where another thread than the calling one pulls, pulling and the loop
/// over the results count as tasks then.) What is declared is the least: the distance between two
/// lookaheads does not shrink, and a task that gives an offset of a slot by `at_offset` stays where
/// it is, as do, relative to each other, tasks that use a resource which one of them changes. Where
/// tasks would race if anything were raised, nothing is, and nothing is in a schedule of more than
/// 1,000 tasks.
///
/// `pipelined<Schedule>` is another plan of the tasks of a schedule, `pipelined<>` a part of one or
/// an option of `replan`. `max_in_flight<N>` and `max_bytes<N>` bound it: `Options`, or parts.
/// `serial<pipelined<Schedule>>` is as `serial<Schedule>`. Of a serial plan `pipelined` is an
/// error, as nothing overlaps there, and so is to say it twice.
template <class Schedule = void, class... Options>
struct pipelined {
  using parts =
      typename declare::joined<pack<pipelined<>, Options..., tag::of_the_schedule_replanned>,
                               typename Schedule::parts>::type;
};
template <>
struct pipelined<void> {
  using stretto_tag = tag::pipelined;
};

/// Runs the tasks of a schedule one batch after the other: lookahead 0, one stream, the calling
/// thread. What the schedule says of streams, threads and copies goes with it. A
/// `same_progress_sync` between tasks of different lookahead speaks of batches in flight together,
/// which there are none of here, and is dropped; an `order` is kept among tasks of one lookahead.
/// Tasks that write one slot update it in the order of their lookaheads, as they do in a pipeline.
/// The baseline to compare a pipelined plan with: valid if that is, with its results, unless a task
/// observes a resource and leaves open how many batches another has worked into it by then.
template <class Schedule>
struct serial {
  using parts = typename declare::joined<pack<tag::one_by_one>, typename Schedule::parts>::type;
};

}  // namespace stretto
