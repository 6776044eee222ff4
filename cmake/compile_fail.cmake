# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests that something does not compile, and says why in few words, on every compiler that is present.

set(STRETTO_EXPECT_ERROR "${CMAKE_CURRENT_LIST_DIR}/expect_error.cmake")

find_program(STRETTO_GXX_12 g++-12)
find_program(STRETTO_CLANGXX_16 clang++-16)
find_program(STRETTO_CLANGXX_19 clang++-19)
# Compilers that take computed text in static_assert, if there are any.
find_program(STRETTO_GXX_TEXT NAMES g++-16 g++-15 g++-14)
find_program(STRETTO_CLANGXX_TEXT NAMES clang++-22 clang++-21 clang++-20)
find_program(
  STRETTO_NVCC nvcc
  HINTS ENV CUDA_PATH ENV CUDA_HOME
  PATHS /usr/local/cuda
  PATH_SUFFIXES bin
)
if(STRETTO_NVCC)
  set(nvcc_found ON)
else()
  set(nvcc_found OFF)
endif()
option(STRETTO_COMPILE_FAIL_NVCC "Run the compile-fail tests with nvcc too" ${nvcc_found})

# The compilers as parallel lists: a label for test names, the id that expectations are keyed by, the program,
# and whether it shows computed text; and for each label the options that choose it.
set(stretto_compiler_labels "")
set(stretto_compiler_ids "")
set(stretto_compiler_programs "")
set(stretto_compilers_show_text "")

macro(stretto_add_compiler label id program)
  if(NOT "${program}" MATCHES "-NOTFOUND$" AND NOT "${label}" IN_LIST stretto_compiler_labels)
    list(APPEND stretto_compiler_labels "${label}")
    list(APPEND stretto_compiler_ids "${id}")
    list(APPEND stretto_compiler_programs "${program}")
    set(stretto_options_of_${label} ${ARGN})
    if("${label}" MATCHES "^(gcc|clang-[2-9])")
      list(APPEND stretto_compilers_show_text ON)
    else()
      list(APPEND stretto_compilers_show_text OFF)
    endif()
  endif()
endmacro()

# A compiler whose version its name need not tell.
macro(stretto_add_compiler_by_version id program)
  if(NOT "${program}" MATCHES "-NOTFOUND$")
    execute_process(
      COMMAND "${program}" -dumpversion OUTPUT_VARIABLE found_version ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    if(found_version MATCHES "^[0-9]+")
      stretto_add_compiler(${id}-${CMAKE_MATCH_0} ${id} "${program}")
    endif()
  endif()
endmacro()

string(REGEX MATCH "^[0-9]+" configured_major "${CMAKE_CXX_COMPILER_VERSION}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  stretto_add_compiler(gcc-${configured_major} gcc "${CMAKE_CXX_COMPILER}")
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  stretto_add_compiler(clang-${configured_major} clang "${CMAKE_CXX_COMPILER}")
endif()
stretto_add_compiler(gcc-12 gcc "${STRETTO_GXX_12}")
stretto_add_compiler(clang-16 clang "${STRETTO_CLANGXX_16}")
stretto_add_compiler(clang-19 clang "${STRETTO_CLANGXX_19}")
stretto_add_compiler_by_version(gcc "${STRETTO_GXX_TEXT}")
stretto_add_compiler_by_version(clang "${STRETTO_CLANGXX_TEXT}")
# nvcc with each host compiler that it can use here.
if(STRETTO_COMPILE_FAIL_NVCC AND STRETTO_NVCC)
  execute_process(COMMAND "${STRETTO_NVCC}" --version OUTPUT_VARIABLE found_version ERROR_QUIET)
  if(found_version MATCHES "release ([0-9]+)")
    set(nvcc_label nvcc-${CMAKE_MATCH_1})
    foreach(host STRETTO_GXX_12 STRETTO_CLANGXX_16 STRETTO_CLANGXX_19)
      if(${host})
        set(host_suffix "")
        if(NOT host STREQUAL "STRETTO_GXX_12")
          cmake_path(GET ${host} FILENAME host_suffix)
          string(REGEX REPLACE "\\+\\+" "" host_suffix "-with-${host_suffix}")
        endif()
        stretto_add_compiler(${nvcc_label}${host_suffix} nvcc "${STRETTO_NVCC}" -ccbin "${${host}}")
      endif()
    endforeach()
  endif()
endif()

stretto_include_flags(boost_flags Boost::headers)
set(stretto_case_flags -std=c++20 "-I${PROJECT_SOURCE_DIR}/include" ${boost_flags})

# The command that compiles one case with compiler number `index`, without its file name.
function(stretto_case_command index scratch result)
  list(GET stretto_compiler_programs ${index} program)
  list(GET stretto_compiler_ids ${index} id)
  if(id STREQUAL "nvcc")
    # The cheapest phase of nvcc that still instantiates what host code calls.
    set(phase -x cu -ptx -o "${scratch}.ptx")
  else()
    set(phase -fsyntax-only)
  endif()
  list(GET stretto_compiler_labels ${index} label)
  set(${result} "${program}" ${stretto_options_of_${label}} ${phase} ${stretto_case_flags} PARENT_SCOPE)
endfunction()

# Most of what a case takes is the headers: for each compiler that can, one of them is precompiled, by a test that the cases
# need, in each run of ctest anew. It is lean: with more in it, what a case does not use costs more than it saves.
# (nvcc 13 precompiles nothing.)
set(stretto_precompiled_folder "${PROJECT_BINARY_DIR}/tests/compile_fail/precompiled")
function(stretto_header_options index result)
  list(GET stretto_compiler_labels ${index} label)
  list(GET stretto_compiler_ids ${index} id)
  if(id STREQUAL "gcc")
    set(${result} -include "${stretto_precompiled_folder}/${label}/cases.hpp" PARENT_SCOPE)
  elseif(id STREQUAL "clang")
    set(${result} -include-pch "${stretto_precompiled_folder}/${label}/cases.hpp.pch" PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()

# stretto_compile_fail_test(index NAME name COMMAND ...): a test by the compiler of that index, with a label by which all of
# one compiler are found. Those of the first compiler are quick.
function(stretto_compile_fail_test index)
  set(tier "")
  if(index GREATER 0)
    set(tier FULL_ONLY)
  endif()
  list(GET stretto_compiler_labels ${index} label)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME" "COMMAND")
  stretto_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND} ${tier})
  set_tests_properties(${arg_NAME} PROPERTIES LABELS "compile-fail;on-${label};any-compiler")
endfunction()

get_property(precompiled_already GLOBAL PROPERTY STRETTO_CASES_ARE_PRECOMPILED)
if(NOT precompiled_already)
  set_property(GLOBAL PROPERTY STRETTO_CASES_ARE_PRECOMPILED ON)
  foreach(label id program IN ZIP_LISTS stretto_compiler_labels stretto_compiler_ids stretto_compiler_programs)
    if(id STREQUAL "nvcc")
      continue()
    endif()
    set(header "${stretto_precompiled_folder}/${label}/cases.hpp")
    file(CONFIGURE OUTPUT "${header}" CONTENT "#include <stretto/stretto.hpp>\n")
    set(precompiled "${header}.pch")
    if(id STREQUAL "gcc")
      set(precompiled "${header}.gch")
    endif()
    set(command "${program}" ${stretto_options_of_${label}} ${stretto_case_flags} -x c++-header "${header}")
    list(FIND stretto_compiler_labels "${label}" index)
    stretto_compile_fail_test(
      ${index} NAME compile_fail.header.${label}
      COMMAND "${CMAKE_COMMAND}" "-DCOMPILE=${command}" "-DRESULT=${precompiled}" -P
              "${CMAKE_CURRENT_LIST_DIR}/precompiled_header.cmake"
    )
    set_tests_properties(
      compile_fail.header.${label} PROPERTIES FIXTURES_SETUP compile_fail_headers.${label}
    )
  endforeach()
endif()

# Every case is tried on every compiler: on the first one in both states, on others wrong, and of those that say
# `// expect-compilers: each` in both states, too; those that say `all` are tried by nvcc with further host
# compilers. `, not nvcc` leaves that out: its phase here says nothing of warnings.
option(STRETTO_COMPILE_FAIL_ALL "Try every case on every compiler in both states" OFF)

# The interpreter itself, not a script that looks for it: it starts for each case.
find_package(Python3 QUIET COMPONENTS Interpreter)
set(stretto_python "")
if(Python3_FOUND)
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -c "import sys; print(sys.executable)" OUTPUT_VARIABLE stretto_python
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
endif()

# One test per case and compiler that tries it, such as compile_fail.rule_6_unknown_name.clang-19, for each .cpp file
# in DIRECTORY. PREFIX goes before the case's name; CHECKED_BY is a script to run instead of the harness,
# which it finds in EXPECT_ERROR. LIBRARIES are targets that the cases include of, on other compilers than nvcc. With PAGES
# what a compiler says is compared with the case's page.
function(stretto_add_compile_fail_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "PAGES" "DIRECTORY;PREFIX;CHECKED_BY" "LIBRARIES")
  stretto_include_flags(library_flags ${arg_LIBRARIES})
  cmake_path(ABSOLUTE_PATH arg_DIRECTORY NORMALIZE)
  string(REGEX REPLACE "/$" "" arg_DIRECTORY "${arg_DIRECTORY}")
  set(script "${STRETTO_EXPECT_ERROR}")
  if(arg_CHECKED_BY)
    cmake_path(ABSOLUTE_PATH arg_CHECKED_BY NORMALIZE OUTPUT_VARIABLE script)
  endif()
  file(GLOB cases CONFIGURE_DEPENDS "${arg_DIRECTORY}/*.cpp")
  foreach(source IN LISTS cases)
    cmake_path(GET source STEM LAST_ONLY case)
    file(STRINGS "${source}" of_harness REGEX "^// harness: ")
    file(STRINGS "${source}" on_all REGEX "^// (expect-compilers: all|harness: )")
    file(STRINGS "${source}" on_each REGEX "^// expect-compilers: each")
    file(STRINGS "${source}" not_on_nvcc REGEX "^// expect-compilers: .*, not nvcc")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    foreach(label id text IN ZIP_LISTS stretto_compiler_labels stretto_compiler_ids stretto_compilers_show_text)
      list(FIND stretto_compiler_labels "${label}" index)
      if(not_on_nvcc AND id STREQUAL "nvcc")
        continue()
      endif()
      if(NOT on_all AND NOT STRETTO_COMPILE_FAIL_ALL AND label MATCHES "-with-")
        continue()
      endif()
      set(repaired_too ON)
      if(index GREATER 0 AND NOT on_all AND NOT on_each AND NOT STRETTO_COMPILE_FAIL_ALL)
        set(repaired_too OFF)
      endif()
      set(test "compile_fail.${arg_PREFIX}${case}.${label}")
      stretto_case_command(${index} "${CMAKE_CURRENT_BINARY_DIR}/${test}" command)
      list(APPEND command ${library_flags})
      set(header "")
      if(NOT of_harness)
        stretto_header_options(${index} header)
      endif()
      set(points OFF) # see errors/emit.hpp
      if(label MATCHES "^gcc-1[23]$")
        set(points ON)
      endif()
      set(page "")
      if(arg_PAGES)
        set(page "-DPAGE=${PROJECT_SOURCE_DIR}/docs/errors/${case}.md" "-DLABEL=${label}" "-DPYTHON=${stretto_python}"
                 "-DKEEP=${CMAKE_CURRENT_BINARY_DIR}/said/${case}.${label}.txt"
        )
      endif()
      stretto_compile_fail_test(
        ${index} NAME ${test}
        COMMAND
          "${CMAKE_COMMAND}" "-DCOMPILE=${command}" "-DHEADER=${header}" -DCOMPILER_ID=${id} -DSHOWS_TEXT=${text}
          -DPOINTS=${points} -DREPAIRED_TOO=${repaired_too} "-DSOURCE=${source}" ${page}
          "-DEXPECT_ERROR=${STRETTO_EXPECT_ERROR}" -P "${script}"
      )
      if(header)
        set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED compile_fail_headers.${label})
      endif()
    endforeach()
  endforeach()
endfunction()
