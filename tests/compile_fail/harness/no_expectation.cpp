// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: has no line '// expect-error
#ifndef FIXED
static_assert(false, "what should it say?");
#endif
