# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes `compilers`, a JSON file for measure.py: the configured compiler, and others that are there.

set(flags "-std=c++20" "-O2" "-I${PROJECT_SOURCE_DIR}/include")
get_target_property(boost_include Boost::headers INTERFACE_INCLUDE_DIRECTORIES)
if(boost_include)
  list(REMOVE_ITEM boost_include "" ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
  list(TRANSFORM boost_include PREPEND "-isystem")
  list(APPEND flags ${boost_include})
endif()

find_program(STRETTO_GXX_12 g++-12)
find_program(STRETTO_CLANGXX_16 clang++-16)
find_program(STRETTO_CLANGXX_19 clang++-19)
find_program(
  STRETTO_NVCC nvcc
  HINTS ENV CUDA_PATH ENV CUDA_HOME
  PATHS /usr/local/cuda
  PATH_SUFFIXES bin
)

list(JOIN flags "\", \"" flags)
set(entries "  {\"label\": \"\", \"command\": [\"${CMAKE_CXX_COMPILER}\", \"${flags}\"]}")
file(REAL_PATH "${CMAKE_CXX_COMPILER}" configured)
macro(add_compiler label program)
  set(found "")
  if(${program})
    file(REAL_PATH "${${program}}" found)
  endif()
  if(found AND NOT found STREQUAL configured)
    string(
      APPEND entries
      ",\n  {\"label\": \"${label}\", \"command\": [\"${${program}}\", \"${flags}\"]}"
    )
  endif()
endmacro()
add_compiler(gcc_12 STRETTO_GXX_12)
add_compiler(clang_16 STRETTO_CLANGXX_16)
add_compiler(clang_19 STRETTO_CLANGXX_19)
add_compiler(nvcc STRETTO_NVCC)

set(compilers "${CMAKE_CURRENT_BINARY_DIR}/compile/compilers.json")
file(WRITE "${compilers}" "[\n${entries}\n]\n")
