# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# STRETTO_SANITIZE=address;undefined or =thread instruments every target of this build.

set(STRETTO_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address;undefined or thread")

if(STRETTO_SANITIZE)
  list(JOIN STRETTO_SANITIZE "," sanitizers)
  # With -O0 what waits for other threads is so slow that races and time-outs hide each other. The sanitizers of memory
  # hide nothing by being slow, and optimising what they add takes three times as long as compiling it. -g1 because
  # lines are all that reports need.
  if(STRETTO_SANITIZE STREQUAL "thread")
    set(optimised -O1)
  else()
    set(optimised -O0)
  endif()
  add_compile_options(
    -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer ${optimised} -g1
  )
  add_link_options(-fsanitize=${sanitizers})
  # Clang's runtime defines `operator new` for good, and tests that count allocations do, too: theirs are linked first.
  if(STRETTO_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_link_options(-Wl,--allow-multiple-definition)
  endif()
  # GCC's flow analysis reports uninitialised reads that only the instrumentation introduces.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # ThreadSanitizer passes over fences, of which GCC warns. Those here are between atomic numbers: no other data is seen
  # because of one, so it misses nothing and reports nothing that is not there.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
endif()
