# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DCOMMAND= -DEXIT= -DPRINTS= -P expect.cmake: the exit code, and a regular expression that is printed.
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE code OUTPUT_VARIABLE printed ERROR_VARIABLE printed)
if(NOT code EQUAL EXIT)
  message(FATAL_ERROR "exit code ${code}, expected ${EXIT}; printed:\n${printed}")
endif()
if(NOT printed MATCHES "${PRINTS}")
  message(FATAL_ERROR "expected ${PRINTS}, printed:\n${printed}")
endif()
