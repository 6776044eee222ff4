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

# Every case is tried on the first compiler, a twelfth of them each day, a sample of them repaired, too. The
# others try a sample of the cases, wrong only; of those that say `// expect-compilers: each` they try more, in both states, and of those that say `all` nvcc does with
# further host compilers, too. `, not nvcc` leaves that out: its phase here says nothing of warnings.
include("${CMAKE_CURRENT_LIST_DIR}/sample.cmake")
option(STRETTO_COMPILE_FAIL_ALL "Try every case on every compiler in both states" OFF)

# One test per case and compiler that tries it, such as compile_fail.rule_6_unknown_name.clang-19, for each .cpp file
# in DIRECTORY. PREFIX goes before the case's name; CHECKED_BY is a script to run instead of the harness,
# which it finds in EXPECT_ERROR. LIBRARIES are targets that the cases include of, on other compilers than nvcc.
function(stretto_add_compile_fail_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DIRECTORY;PREFIX;CHECKED_BY" "LIBRARIES")
  stretto_include_flags(library_flags ${arg_LIBRARIES})
  cmake_path(ABSOLUTE_PATH arg_DIRECTORY NORMALIZE)
  set(script "${STRETTO_EXPECT_ERROR}")
  if(arg_CHECKED_BY)
    cmake_path(ABSOLUTE_PATH arg_CHECKED_BY NORMALIZE OUTPUT_VARIABLE script)
  endif()
  file(GLOB cases CONFIGURE_DEPENDS "${arg_DIRECTORY}/*.cpp")
  set(number 0)
  foreach(source IN LISTS cases)
    math(EXPR number "${number} + 1")
    cmake_path(GET source STEM LAST_ONLY case)
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
      set(one_in 16)
      if(index EQUAL 0)
        set(one_in 12)
      endif()
      if(index GREATER 0 AND NOT on_all AND NOT on_each AND NOT STRETTO_COMPILE_FAIL_ALL)
        set(repaired_too OFF)
        set(one_in 48)
      endif()
      math(EXPR place "${number} + ${index}")
      if(index EQUAL 0 AND NOT on_all AND NOT STRETTO_COMPILE_FAIL_ALL)
        stretto_sampled(repaired_too ${place} 16)
      endif()
      stretto_sampled(tried ${place} ${one_in})
      if(NOT tried AND NOT STRETTO_COMPILE_FAIL_ALL)
        continue()
      endif()
      set(test "compile_fail.${arg_PREFIX}${case}.${label}")
      stretto_case_command(${index} "${CMAKE_CURRENT_BINARY_DIR}/${test}" command)
      list(APPEND command ${library_flags})
      set(points OFF) # see errors/emit.hpp
      if(label MATCHES "^gcc-1[23]$")
        set(points ON)
      endif()
      add_test(
        NAME ${test}
        COMMAND
          "${CMAKE_COMMAND}" "-DCOMPILE=${command}" -DCOMPILER_ID=${id} -DSHOWS_TEXT=${text} -DPOINTS=${points}
          -DREPAIRED_TOO=${repaired_too} "-DSOURCE=${source}"
          "-DKEEP=${CMAKE_CURRENT_BINARY_DIR}/said/${arg_PREFIX}${case}.${label}.txt"
          "-DEXPECT_ERROR=${STRETTO_EXPECT_ERROR}" -P "${script}"
      )
      set_property(GLOBAL APPEND PROPERTY STRETTO_COMPILE_FAIL_TESTS ${test})
      set_tests_properties(${test} PROPERTIES LABELS "compile-fail")
    endforeach()
  endforeach()
endfunction()
