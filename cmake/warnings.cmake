# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Linked PRIVATE by our own tests, examples and benchmarks, never by the library.

add_library(stretto_warnings INTERFACE)
target_compile_options(
  stretto_warnings
  INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow;-Werror>
    "$<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings;-Xcompiler=-Wall,-Wextra,-Wshadow,-Werror>"
)
