# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DCOMPILER=... -DSOURCE=... -DOUTPUT=... -P macros.cmake: a line for each macro of a source, names of compilers
# left out.
execute_process(
  COMMAND "${COMPILER}" -std=gnu++20 -dM -E "${SOURCE}"
  OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY
)
string(REGEX MATCHALL "#define [A-Za-z][A-Za-z0-9_]*" lines "${said}")
string(REPLACE "#define " "" names "${lines}")
string(REPLACE ";" "\n" names "${names}")
file(WRITE "${OUTPUT}" "${names}\n")
