# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs each of PROGRAMS with ARGUMENTS: all print the checksums that the first one prints.
list(LENGTH PROGRAMS count)
if(count LESS 2)
  message(FATAL_ERROR "nothing to compare")
endif()
set(expected "")
foreach(program IN LISTS PROGRAMS)
  execute_process(
    COMMAND "${program}" ${ARGUMENTS} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said
  )
  message(STATUS "${program}:\n${said}")
  string(REGEX MATCHALL "checksum [0-9a-f]+" found "${said}")
  if(NOT code EQUAL 0 OR NOT found)
    message(FATAL_ERROR "${program} ended with ${code}")
  endif()
  if(expected AND NOT found STREQUAL expected)
    message(FATAL_ERROR "${program} has another checksum than ${expected}")
  endif()
  set(expected "${found}")
endforeach()
