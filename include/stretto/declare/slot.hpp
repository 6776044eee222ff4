// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto {

/// A named, typed value that travels with a batch. Declared by deriving:
/// `struct loss : stretto::slot<float> {};`
/// `T` must be default-constructible; one object per copy lives as long as the pipeline, so a task
/// that writes it finds what an earlier batch left there and can reuse its memory.
template <class Type>
struct slot {
  using value_type = Type;
};

/// A base of a slot whose values view into those of other slots, next to `slot`:
/// `struct words : stretto::slot<std::vector<std::string_view>>, stretto::points_into<text> {};`
/// Whoever uses the slot for a batch keeps the others' values of that batch: they are neither
/// filled again nor taken before. An error if the task that fills the slot does not read (or write)
/// them, or if they are written while it is still used.
template <class... Slots>
struct points_into {};

/// State shared by all batches, outside the slots: weights, a cache, a file. A task says that it
/// reads it (`observes`) or changes it (`mutates`).
template <class Type = void>
struct resource {
  using resource_type = Type;
};

}  // namespace stretto
