# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# STRETTO_SANITIZE=address;undefined or =thread instruments every target of this build.

set(STRETTO_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address;undefined or thread")

if(STRETTO_SANITIZE)
  list(JOIN STRETTO_SANITIZE "," sanitizers)
  # -O1 because instrumented -O0 code is so slow that races and time-outs hide each other; -g1 because lines are all that
  # reports need, and the rest takes a third of the time to compile.
  add_compile_options(
    -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1
  )
  add_link_options(-fsanitize=${sanitizers})
  # GCC's flow analysis reports uninitialised reads that only the instrumentation introduces.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
