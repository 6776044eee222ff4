# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM= -DSCHEDULE= -DCOSTS= -DTRACE= -P costs_of_a_trace.cmake: the costs that are read out of the trace of a
# run in virtual time are those of the run.
execute_process(
  COMMAND "${PROGRAM}" trace "${SCHEDULE}" --costs "${COSTS}" -o "${TRACE}" COMMAND_ERROR_IS_FATAL ANY
)
execute_process(
  COMMAND "${PROGRAM}" costs "${TRACE}" OUTPUT_VARIABLE read COMMAND_ERROR_IS_FATAL ANY
)
file(READ "${COSTS}" written)
foreach(text IN ITEMS read written)
  string(JSON ${text} GET "${${text}}" nanoseconds)
endforeach()
string(JSON equal EQUAL "${read}" "${written}")
if(NOT equal)
  message(FATAL_ERROR "costs of the run:\n${written}\nof its trace:\n${read}")
endif()
