# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers do without functions of the standard library that a compiler warns of in users' files: those that ask for a
# temporary buffer, by which libstdc++ 12 names what is deprecated, as Clang 22 notices wherever they are instantiated.
#
#     cmake -DHEADERS=include/stretto -P tests/architecture/warned_of.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE headers "${HEADERS}/*.hpp" "${HEADERS}/*.ipp" "${HEADERS}/*.cppm")
if(NOT headers)
  message(FATAL_ERROR "no headers found: they are not where this test looks")
endif()
foreach(header IN LISTS headers)
  file(STRINGS "${header}" lines REGEX "(stable_sort|stable_partition|inplace_merge)[ (]")
  if(lines)
    message(SEND_ERROR "${header}: Clang 22 with libstdc++ 12 warns users of this: ${lines}")
  endif()
endforeach()
