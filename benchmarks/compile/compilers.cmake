# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes `compilers`, a JSON file for measure.py: the configured compiler, and the others that its page speaks of, with
# null for the command of those that are not there.

stretto_include_flags(includes Boost::headers nlohmann_json::nlohmann_json TBB::tbb)
set(flags "-std=c++20" "-O2" "-I${PROJECT_SOURCE_DIR}/include" ${includes})

find_program(STRETTO_GXX_12 g++-12)
find_program(STRETTO_GXX_14 g++-14)
find_program(STRETTO_CLANGXX_16 clang++-16)
find_program(STRETTO_CLANGXX_19 clang++-19)
find_program(STRETTO_CLANGXX_22 clang++-22)
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
  set(command "null")
  if(${program})
    file(REAL_PATH "${${program}}" found)
    set(command "[\"${${program}}\", \"${flags}\"]")
  endif()
  if(NOT found STREQUAL configured)
    string(APPEND entries ",\n  {\"label\": \"${label}\", \"command\": ${command}}")
  endif()
endmacro()
add_compiler(gcc_12 STRETTO_GXX_12)
add_compiler(gcc_14 STRETTO_GXX_14)
add_compiler(clang_16 STRETTO_CLANGXX_16)
add_compiler(clang_19 STRETTO_CLANGXX_19)
add_compiler(clang_22 STRETTO_CLANGXX_22)
add_compiler(nvcc STRETTO_NVCC)

set(compilers "${CMAKE_CURRENT_BINARY_DIR}/compile/compilers.json")
file(WRITE "${compilers}" "[\n${entries}\n]\n")
