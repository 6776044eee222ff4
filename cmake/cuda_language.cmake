# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CUDA as a language, for our own tests, examples and benchmarks. STRETTO_CUDA_LANGUAGE says whether there is a compiler;
# sanitizers' options are none of its.

set(STRETTO_CUDA_LANGUAGE OFF)
if(NOT TARGET stretto::cuda OR STRETTO_SANITIZE)
  return()
endif()
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "Stretto: no CUDA compiler: what is written in CUDA is left out")
  return()
endif()

# Code for the device at hand, or else for whatever a driver makes of it.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  find_program(NVIDIA_SMI nvidia-smi)
  mark_as_advanced(NVIDIA_SMI)
  set(has_device 1)
  if(NVIDIA_SMI)
    execute_process(COMMAND "${NVIDIA_SMI}" -L RESULT_VARIABLE has_device OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(has_device EQUAL 0)
    set(CMAKE_CUDA_ARCHITECTURES native)
  else()
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual)
  endif()
endif()
enable_language(CUDA)
set(STRETTO_CUDA_LANGUAGE ON)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 does not know of it
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) # as stretto::cuda links it
if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
