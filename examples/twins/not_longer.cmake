# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM=with_stretto.cpp -DTWIN="by_hand.cpp;channel.hpp" -P not_longer.cmake: PROGRAM has at most as many lines of
# code as TWIN has in all. Comments, empty lines and lines of brackets alone are none.
cmake_minimum_required(VERSION 3.25)

function(lines_of_code result)
  set(count 0)
  foreach(file IN LISTS ARGN)
    file(READ "${file}" text)
    string(REGEX REPLACE "[;[]" "," text "${text}") # or they would cut lists
    string(REPLACE "]" "," text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    list(FILTER lines INCLUDE REGEX "[A-Za-z0-9]")
    list(FILTER lines EXCLUDE REGEX "^ *//")
    list(LENGTH lines length)
    math(EXPR count "${count} + ${length}")
  endforeach()
  set(${result} ${count} PARENT_SCOPE)
endfunction()

lines_of_code(program ${PROGRAM})
lines_of_code(twin ${TWIN})
message(STATUS "${PROGRAM} has ${program} lines of code, its twin ${twin}")
if(program EQUAL 0 OR program GREATER twin)
  message(FATAL_ERROR "${PROGRAM} is to have at most as many as its twin")
endif()
