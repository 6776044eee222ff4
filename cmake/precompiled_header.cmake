# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DCOMPILE="g++;-std=c++20;-x;c++-header;cases.hpp" -DRESULT=cases.hpp.gch -P precompiled_header.cmake
#
# Precompiles a header, always: a precompiled header that is older than what it includes would make tests judge what is no more.
# Compilations that use the one before, in another run of ctest, go on with it.
cmake_minimum_required(VERSION 3.25)

string(RANDOM LENGTH 16 suffix)
set(made "${RESULT}.${suffix}")
execute_process(COMMAND ${COMPILE} -o "${made}" RESULT_VARIABLE rc)
if(NOT rc EQUAL 0)
  file(REMOVE "${made}")
  message(FATAL_ERROR "the header does not compile (${rc})")
endif()
file(RENAME "${made}" "${RESULT}")
