// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: accepts
// expect-error: a_slot_nobody_writes<loss>
// expect-lines: 11
template <class Slot>
struct a_slot_nobody_writes;
struct loss;

#ifndef FIXED
static_assert(sizeof(a_slot_nobody_writes<loss>) > 0);
#endif
