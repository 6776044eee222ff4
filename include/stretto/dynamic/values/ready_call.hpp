// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/run/suspended_call.hpp>

namespace stretto::dynamic::detail {

struct task_facts;
union word;

/// Makes the call that is ready at \p at, and goes on with the one behind it. Returns what lies
/// behind the end of its segment; null: nothing.
using call = const word* (*)(const word* at);

/// A piece of a call that is ready to be made: of a task in one progress, or on a device before or
/// after it. Such a call is a word each for what makes it, its object and the facts of its task,
/// then one for each slot. Calls of a segment lie one behind the other, and each makes the next as
/// the last thing that it does, so that there is one jump between two tasks; a segment ends with
/// one word.
union word {
  call body = nullptr;
  void* object;
  const task_facts* facts;
  void* slot;
};
/// Where a call's slots begin.
inline constexpr std::size_t slots_begin = 3;

/// The progress of a host thread whose calls are being made. (What calls are made with says where
/// it is: a parameter would have to be kept by every call.)
struct underway {
  std::size_t progress = 0;
  const word* thrower = nullptr;  ///< the call that threw
  const word* undone = nullptr;   ///< if it was only captured: the first call that so was not done
  bool follows = false;           ///< a task: nothing comes between it and the next call
  runner::suspended_call* told = nullptr;  ///< when the coroutine ends that is being begun
};

template <class Function>
Function& object_of(const word* at) {
  return *static_cast<Function*>(at[1].object);
}
inline const task_facts& facts_of(const word* at) { return *at[2].facts; }

/// Makes the next call, as the last thing that a call does.
[[gnu::always_inline]] inline const word* go_on(const word* next) {
  // Compilers keep two addresses otherwise, before the jump and after it.
  asm("" : "+r"(next));
  return next->body(next);
}

inline const word* end_of_segment(const word* at) { return at + 1; }
inline const word* end_of_progress(const word* /*at*/) { return nullptr; }

}  // namespace stretto::dynamic::detail
