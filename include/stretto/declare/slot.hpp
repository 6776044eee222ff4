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

/// State shared by all batches, outside the slots: weights, a cache, a file. A task says that it
/// reads it (`observes`) or changes it (`mutates`).
template <class Type = void>
struct resource {
  using resource_type = Type;
};

}  // namespace stretto
