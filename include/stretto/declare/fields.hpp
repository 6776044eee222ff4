// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto {

/// A slot, with the offset (batches ahead of the training step) at which the task takes it to be;
/// for `reads` and `writes`. Rule 2 wants that to be the task's lookahead, as it is where no offset
/// is stated: stating it makes an error of placing the task elsewhere.
template <class Slot, auto Offset>
struct at_offset {};

/// Slots that the task reads, of the batch it works on; the body gets each as `const T&`, as `T&&`
/// where the entry is `takes<slot>`.
template <class... Slots>
struct reads {};

/// Slots that the task writes, of the batch it works on; the body gets each as `T&`. A task that
/// writes what a task further ahead wrote already updates it in place.
template <class... Slots>
struct writes {};

/// Tasks that must have finished the same batch before this one starts it.
template <class... Tasks>
struct depends_on {};

/// The run of `Task` that worked `N` batches before the batch at hand; for `cross_iter_depends_on`.
template <class Task, auto Batches = 1>
struct ago {};

/// Tasks, or `ago<task, N>`, that must have finished an earlier batch (one ago, or `N`).
template <class... Entries>
struct cross_iter_depends_on {};

/// Tasks whose work of the same progress must have finished, whichever batch it is on.
template <class... Tasks>
struct same_progress_sync {};

/// Resources that the task reads.
template <class... Resources>
struct observes {};

/// Resources that the task changes.
template <class... Resources>
struct mutates {};

}  // namespace stretto
