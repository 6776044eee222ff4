# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the harness on a case that says `// harness: <regex>`: what the harness must say when it rejects
# the case, or "accepts".
cmake_minimum_required(VERSION 3.25)

file(READ "${SOURCE}" text)
if(NOT text MATCHES "\n// harness: ([^\n]+)")
  message(FATAL_ERROR "${SOURCE} has no line '// harness: ...'")
endif()
set(wanted "${CMAKE_MATCH_1}")

execute_process(
  COMMAND
    "${CMAKE_COMMAND}" "-DCOMPILE=${COMPILE}" "-DCOMPILER_ID=${COMPILER_ID}" "-DSOURCE=${SOURCE}"
    -P "${EXPECT_ERROR}"
  RESULT_VARIABLE rc
  OUTPUT_VARIABLE out
  ERROR_VARIABLE out
)
if(wanted STREQUAL "accepts")
  if(NOT rc EQUAL 0)
    message(FATAL_ERROR "the harness should accept this case:\n${out}")
  endif()
elseif(rc EQUAL 0)
  message(FATAL_ERROR "the harness accepted a case that it should reject")
elseif(NOT out MATCHES "${wanted}")
  message(FATAL_ERROR "the harness should have said /${wanted}/:\n${out}")
endif()
