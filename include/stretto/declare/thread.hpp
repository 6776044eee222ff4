// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/count.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <string_view>

namespace stretto {

/// The host thread that runs a task, by name. "caller" is the thread that asks for results.
template <fixed_string Name>
struct thread {
  using stretto_tag = tag::thread;
  static constexpr std::string_view value = Name.view();
};

/// Part of a schedule: the thread groups that there are. With it, a thread that a task, a `place`,
/// a `group`, a thread map's function or the source names is one of these, so that a slip of
/// fingers does not make another thread. "caller", "host" and the names of the streams are known
/// without it, and so is a task's own name, which `per_task` gives to its thread.
///
/// An error if a task or the source is on another thread, and if a name is listed twice. A thread
/// that no task is on is no error; `describe` says so.
template <fixed_string... Names>
struct thread_names {
  using stretto_tag = tag::thread_names;
  static_assert(sizeof...(Names) > 0, "`thread_names` lists one thread at least");
  static constexpr std::size_t size = sizeof...(Names);
  static constexpr std::string_view value[size + 1] = {Names.view()..., {}};
};

/// For `scheduled`: the thread groups that it may put tasks on which name no thread. None of them
/// pulls batches or hands results out.
template <fixed_string... Names>
struct offered_threads {
  using stretto_tag = tag::offered_threads;
  using list = pack<thread<Names>...>;
  static constexpr std::size_t size = sizeof...(Names);
  static constexpr std::string_view value[size + 1] = {Names.view()..., {}};
};

/// Thread map: one thread per stream, and one named "host" for tasks without a stream (the
/// default).
struct by_stream {
  using stretto_tag = tag::thread_map_entry;
};

/// Thread map: every task on a thread of its own.
struct per_task {
  using stretto_tag = tag::thread_map_entry;
};

/// Thread map: no thread is started, the calling thread runs every task.
struct on_caller {
  using stretto_tag = tag::thread_map_entry;
};

/// Part of an explicit thread map: these tasks run on the thread `Name`. A task that no group names
/// goes by its stream.
template <fixed_string Name, class... Tasks>
struct group {
  using stretto_tag = tag::thread_map_entry;
  static constexpr std::string_view value = Name.view();
  using tasks = pack<Tasks...>;
};

/// Thread map by a function: `Choose` is `constexpr std::string_view(const planner::task&)` and
/// returns the name of the thread; an empty name means by stream.
template <auto Choose>
struct chosen_by {
  using stretto_tag = tag::thread_map_entry;
  static constexpr auto choose = Choose;
};

/// Thread map made by the compiler: `Threads` threads in all, the calling thread one of them, and
/// tasks laid out over them, each thread's in an order of its own, so that a progress takes the
/// least time when threads run ahead of each other. Counts on the tasks' `weight`. Tasks with a
/// thread of their own, or in a `group` of the same map, stay there; their threads count among the
/// number.
///
/// An error if `Threads` is less than 1, or less than the threads asked for by name and the
/// caller's.
template <auto Threads>
struct generated {
  using stretto_tag = tag::thread_map_entry;
  static constexpr int number = declare::count<Threads>;
};

/// How tasks are laid out over host threads: `by_stream`, `per_task`, `on_caller`, `chosen_by<f>`,
/// one or more `group`s, or `generated<N>`. A task's own `thread` (its member, or in `place`) goes
/// first.
template <class... Map>
struct threads {
  using stretto_tag = tag::threads;
  using map = pack<Map...>;
};

/// Part of a schedule: a queue of `Batches` batches between the thread group `Name` and the others.
/// The group may run up to N batches further ahead, and catch up after a burst; no further,
/// so memory stays a constant. Its tasks, and those that their batches go through before, work at a
/// lookahead that is larger by `Batches`, and slots get the copies for it.
///
/// An error if no task is in the group, if the calling thread runs it, or if the thread map is
/// `generated`. A task that waits for another's run of an earlier batch cannot be further ahead of
/// it than that (rule 6).
template <fixed_string Name, auto Batches>
struct queue {
  using stretto_tag = tag::thread_group;
  static constexpr std::string_view value = Name.view();
  static constexpr int batches = declare::count<Batches>;
  static constexpr bool is_number = declare::is_count<Batches>;
  static constexpr bool in_range = batches > 0 && batches <= most_batches;
  static constexpr int number = 1;
};

/// Part of a schedule: `Number` host threads, the workers, run the thread group `Name`, each every
/// N batches: for host work that takes long and is the same for each batch, such as decoding.
/// Results are what they are with one. The group works `Number` - 1 batches further ahead, as with
/// a `queue`, and slots get the copies for N batches at work at once. A task object is shared
/// by its workers.
///
/// An error if no task is in the group, if one of them is on a stream, a collective or not callable
/// as const, if the calling thread or the source is in the group, or if the thread map is
/// `generated`. A task that mutates a resource, and does not wait for its own run of the batch
/// before (`cross_iter_depends_on`), races with itself.
template <fixed_string Name, auto Number>
struct workers {
  using stretto_tag = tag::thread_group;
  static constexpr std::string_view value = Name.view();
  static constexpr int batches = 0;
  static constexpr int number = declare::count<Number>;
  static constexpr bool is_number = declare::is_count<Number>;
  static constexpr bool in_range = number > 0 && number < 100;
};

/// The calling thread runs the thread group `Name` instead of only waiting for it.
template <fixed_string Name>
struct caller_runs {
  using stretto_tag = tag::caller_runs;
  static constexpr std::string_view value = Name.view();
};

}  // namespace stretto
