# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which tests the tiers of a build with sanitizers have. Every test is there and can be asked for by name; in `full` are those
# in which a sanitizer can see something, in `quick` one or two for each thing that threads share, or that is allocated in one
# place and given back in another.

# Groups in which it sees nothing of ours: what the compiler evaluates, models of what threads do and interleavings of plans,
# programs that are there to be shown, what is mostly other people's code at work (CUDA's runtime, profilers, MPI: what ranks
# say to each other is in `collective`), and tests that run a compiler.
set(stretto_unsanitized_groups
    architecture
    compile_fail
    compile_time
    consumers
    cuda
    declare
    docs
    dynamic/header
    gpu
    macros
    mpi
    observe/nvtx
    parts
    property/differential
    property/model
    property/mutation
    property/oracle
    record
    tidy
)
# The search takes minutes under a sanitizer, which sees it at work in the tests of its pieces; what runs records as types runs
# a compiler; in a browser it is the browser that is slow; a schedule's size is no matter of memory.
set(stretto_unsanitized_tests "^(conformance\\.(scheduling|baseline|search|static)|report\\.browser|plan\\.(many_tasks|ten_thousand)$|execute\\.bodies$|senders\\.stand_in_ends$|examples\\..*not_longer)")
# Counts of instructions and of blocks are of code without instrumentation, and the sanitizers of doctest's runner want RTTI.
set(stretto_without_meaning "^(steady\\.|files\\.work$|dynamic\\.identity_without_rtti$)")

if(STRETTO_SANITIZE STREQUAL "thread")
  # What runs on one thread.
  list(APPEND stretto_unsanitized_groups dynamic/file picture plan property/fuzz static text ../examples/stretto)
  string(APPEND stretto_unsanitized_tests "|^(execute|dynamic)\\.(generated|long_chains|no_memory|parameters|points_into|spelled_alike|addresses|serial)$|^dynamic\\.(schedules|device_plan|from_types|graphs|identity)|^plan\\.")
  set(stretto_sanitized_quick
      collective.channels
      collective.local_ranks
      dynamic.random_runs
      dynamic.stress
      dynamic.suspending
      dynamic_device.random
      execute.attaching
      execute.happens_before
      execute.queues
      execute.serving
      execute.stopping
      execute.workers
      run.accounting
      run.protocol
      run.threads
      run.wait
      stress.random
      watch.runs
  )
else()
  string(APPEND stretto_unsanitized_tests "|^dynamic\\.stress$") # as stress.random, with slots' values, of which there are tests
  set(stretto_sanitized_quick
      collective.peers
      compiled.linkage
      device.pieces
      dynamic.endings
      dynamic.random_runs
      dynamic_device.leaving
      dynamic_device.random
      dynamic.first_failures
      execute.failures
      execute.slot_values
      execute.suspending
      execute.takes
      files.file
      fuzz.corpus
      nccl.failures
      recording.driver
      run.accounting
      run.protocol
      run.threads
      run.wait
  )
endif()

# stretto_sanitized(in_quick in_full name): changes the two, of a test of the current folder.
function(stretto_sanitized in_quick in_full name)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/tests" OUTPUT_VARIABLE group)
  set(quick OFF)
  if(name IN_LIST stretto_sanitized_quick)
    set(quick ON)
    set_property(GLOBAL APPEND PROPERTY STRETTO_SANITIZED_SEEN ${name})
  endif()
  set(full ON)
  if(group IN_LIST stretto_unsanitized_groups OR name MATCHES "${stretto_unsanitized_tests}")
    set(full OFF)
  endif()
  if(name MATCHES "${stretto_without_meaning}")
    set(full OFF)
    set_tests_properties(${name} PROPERTIES DISABLED ON)
  endif()
  set(${in_quick} ${quick} PARENT_SCOPE)
  set(${in_full} ${full} PARENT_SCOPE)
endfunction()

# To be called when all tests are there: a name in the list above that no test has is a mistake.
function(stretto_check_sanitized)
  get_property(seen GLOBAL PROPERTY STRETTO_SANITIZED_SEEN)
  set(unknown ${stretto_sanitized_quick})
  list(REMOVE_ITEM unknown ${seen} "")
  if(unknown)
    message(FATAL_ERROR "cmake/sanitized.cmake names tests that there are not: ${unknown}")
  endif()
endfunction()
