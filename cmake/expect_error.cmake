# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DCOMPILE="g++;-std=c++20;-fsyntax-only" -DCOMPILER_ID=gcc -DSOURCE=case.cpp -P expect_error.cmake
#
# The case states its own expectation:
#   // expect-error: <regex>         a sentence of the diagnosis
#   // expect-text: <regex>          what stands in its place where the compiler shows computed text
#   // expect-at: <regex>            the line of the case that it points at; if not said, any
#   // expect-lines: <max>           how long the output may be, without what file includes what
#   // expect-compilers: all         in both states on every compiler, with every host compiler of nvcc
#   // expect-compilers: each        in both states on every compiler; `each, not nvcc`: on every other
#   // compile-with: <options>       given to the compiler, separated by spaces; not with -DFIXED
# and, where a compiler differs, the same with -gcc, -clang or -nvcc after "error", "lines" or "with".
# -DSHOWS_TEXT=ON says that the compiler is one that expect-text is for, -DPOINTS=ON that it marks the line of
# expect-at itself as the error, -DREPAIRED_TOO=OFF leaves out step 1. -DHEADER=options give the compiler a precompiled header
# of the library, except along with options of the case's own. -DPAGE is the case's page in docs/errors, with which
# what the compiler says, there called -DLABEL, is compared by -DPYTHON; -DKEEP=file is where it is kept for docs_update alone.
#
# 1. With -DFIXED the case must compile, so that it fails for no other reason. 2. Without, the compiler must
# fail, 3. with exactly one error, 4. the text on the line that is marked as the error, which is what an IDE shows,
# 5. and the case's file there or, where that is in a header, in what is said along with it, 6. in few lines, 7. which are
# those of the page.
cmake_minimum_required(VERSION 3.25)

foreach(argument COMPILE COMPILER_ID SOURCE)
  if(NOT DEFINED ${argument})
    message(FATAL_ERROR "expect_error.cmake needs -D${argument}=")
  endif()
endforeach()

set(ENV{LC_ALL} C)
cmake_path(GET SOURCE FILENAME case)

# The output goes out as it came, message(FATAL_ERROR) would reflow it.
function(reject reason output)
  message(NOTICE "${output}")
  message(FATAL_ERROR "${case}: ${reason}")
endfunction()

function(read_expectation kind result)
  file(READ "${SOURCE}" text)
  foreach(key "${kind}-${COMPILER_ID}" "${kind}")
    if("\n${text}" MATCHES "\n// expect-${key}: *([^\r\n]+)")
      set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  if(kind STREQUAL "text")
    read_expectation(error found)
    set(${result} "${found}" PARENT_SCOPE)
    return()
  elseif(kind STREQUAL "at")
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  message(FATAL_ERROR "${case} has no line '// expect-${kind}: ...'")
endfunction()

function(read_line number result)
  file(READ "${SOURCE}" text)
  foreach(before RANGE 2 ${number})
    string(FIND "${text}" "\n" length)
    math(EXPR length "${length} + 1")
    string(SUBSTRING "${text}" ${length} -1 text)
  endforeach()
  string(REGEX MATCH "^[^\n]*" line "${text}")
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

function(read_options result)
  file(READ "${SOURCE}" text)
  set(${result} "" PARENT_SCOPE)
  foreach(key "with-${COMPILER_ID}" "with")
    if("\n${text}" MATCHES "\n// compile-${key}: *([^\r\n]+)")
      separate_arguments(options UNIX_COMMAND "${CMAKE_MATCH_1}")
      set(${result} "${options}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(compile result output)
  execute_process(
    COMMAND ${COMPILE} ${ARGN} "${SOURCE}"
    RESULT_VARIABLE rc
    OUTPUT_VARIABLE out
    ERROR_VARIABLE out
  )
  if(NOT rc MATCHES "^[0-9]+$" OR out MATCHES "internal compiler error|PLEASE submit a bug report")
    reject("the compiler did not run to its end (${rc})" "${out}")
  endif()
  set(${result} ${rc} PARENT_SCOPE)
  set(raw_output "${out}" PARENT_SCOPE)
  # Else a case named like the sentence that it expects would always match.
  string(REPLACE "${case}" "<case>" out "${out}")
  set(${output} "${out}" PARENT_SCOPE)
endfunction()

read_expectation(error wanted)
read_expectation(lines budget)
if(SHOWS_TEXT)
  read_expectation(text wanted)
endif()
read_expectation(at place)
read_options(options)
if(NOT budget MATCHES "^[0-9]+$")
  message(FATAL_ERROR "${case}: expect-lines is '${budget}', not a number")
endif()

if(NOT DEFINED REPAIRED_TOO OR REPAIRED_TOO)
  compile(rc out ${HEADER} -DFIXED)
  if(NOT rc EQUAL 0)
    reject("the repaired case does not compile" "${out}")
  endif()
endif()
if(options)
  set(HEADER "")
endif()
compile(rc out ${HEADER} ${options})
if(rc EQUAL 0)
  reject("compiled, but should not" "${out}")
endif()

# Walked by hand: a CMake list would split at ';' and join what lies between brackets.
set(rest "${out}")
set(line_count 0)
set(error_count 0)
set(found FALSE)
set(error_in_case FALSE)
set(pointed_at "")
while(NOT rest STREQUAL "")
  string(FIND "${rest}" "\n" length)
  string(SUBSTRING "${rest}" 0 ${length} line)
  if(length EQUAL -1)
    set(rest "")
  else()
    math(EXPR length "${length} + 1")
    string(SUBSTRING "${rest}" ${length} -1 rest)
  endif()

  # What the chain of includes is depends on the precompiled header.
  if(line MATCHES "^(In file included| +from )")
    continue()
  endif()
  math(EXPR line_count "${line_count} + 1")
  set(is_first_error FALSE)
  # "file:1:2: error: ", "file:1:2: fatal error: ", "file(1): error: ", "file(1): error #20-D: "
  if(line MATCHES "(^|[ :])error( #[0-9]+(-D)?)?: ")
    math(EXPR error_count "${error_count} + 1")
    if(error_count EQUAL 1)
      set(is_first_error TRUE)
    endif()
  endif()
  if(is_first_error)
    # GCC shows a text as a literal.
    string(REGEX REPLACE "\\\\([\"'])" "\\1" line "${line}")
    if(line MATCHES "${wanted}")
      set(found TRUE)
    endif()
  endif()
  # "case.cpp:57:26: error: ", "case.cpp:57:26:   required from here", "at line 57 of case.cpp"
  set(at "")
  if(line MATCHES "at line ([0-9]+) of .*<case>")
    set(at "${CMAKE_MATCH_1}")
  elseif(line MATCHES "<case>[:(]([0-9]+)")
    set(at "${CMAKE_MATCH_1}")
  endif()
  if(NOT at STREQUAL "")
    if(is_first_error)
      set(error_in_case TRUE)
    endif()
    if(is_first_error OR pointed_at STREQUAL "")
      set(pointed_at "${at}")
    endif()
  endif()
endwhile()

if(NOT error_count EQUAL 1)
  reject("wanted one error, got ${error_count}" "${out}")
endif()
if(NOT found)
  reject("wanted the text /${wanted}/ on the line of the error" "${out}")
endif()
# (A header that is not there is in no instantiation.)
if(pointed_at STREQUAL "" AND NOT out MATCHES "fatal error: ")
  reject("wanted to be pointed at a line of the case" "${out}")
endif()
if(NOT place STREQUAL "")
  read_line(${pointed_at} line)
  if(NOT line MATCHES "${place}")
    reject("wanted to be pointed at /${place}/, not at line ${pointed_at}:${line}" "${out}")
  endif()
  if(POINTS AND NOT error_in_case)
    reject("wanted the error to be marked in the case" "${out}")
  endif()
endif()
if(line_count GREATER budget)
  reject("wanted at most ${budget} lines, got ${line_count}" "${out}")
endif()

if(KEEP)
  # Another run of ctest, at the same time, has a file of its own.
  string(RANDOM LENGTH 16 suffix)
  set(kept "${KEEP}.${suffix}")
  file(WRITE "${kept}" "${raw_output}")
  set(shown "")
  if(PYTHON AND EXISTS "${PAGE}")
    file(STRINGS "${PAGE}" shown REGEX "^<!-- said by: .*${LABEL} ")
  endif()
  set(rc 0)
  if(shown)
    execute_process(
      COMMAND "${PYTHON}" -I -S "${CMAKE_CURRENT_LIST_DIR}/../docs/error_pages.py" --case "${SOURCE}" --label "${LABEL}"
              --output "${kept}"
      RESULT_VARIABLE rc OUTPUT_VARIABLE out ERROR_VARIABLE out
    )
  endif()
  file(RENAME "${kept}" "${KEEP}")
  if(NOT rc EQUAL 0)
    reject("its page says something else" "${out}")
  endif()
endif()
