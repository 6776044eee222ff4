// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: wanted the text
// expect-error: text_only_in_file_name
// expect-lines: 50
#ifndef FIXED
static_assert(false, "something else");
#endif
