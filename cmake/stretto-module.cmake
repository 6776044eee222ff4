# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target stretto::module, of the module that is in ${stretto_module_include}/stretto. It is compiled by the project
# that imports it, also where Stretto is installed: what a compiler makes of a module is for that compiler and its flags.
# Where that cannot be, stretto_module_needs says what is missing.
set(stretto_module_needs "")
if(CMAKE_VERSION VERSION_LESS 3.28)
  set(stretto_module_needs "CMake 3.28")
elseif(NOT CMAKE_GENERATOR MATCHES "Ninja")
  set(stretto_module_needs "the generator Ninja")
elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
  set(stretto_module_needs "Clang 16")
elseif(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17 AND (NOT DEFINED CMAKE_CXX_EXTENSIONS OR CMAKE_CXX_EXTENSIONS))
  set(stretto_module_needs "CMAKE_CXX_EXTENSIONS OFF with Clang 16, which finds no module of gnu++20")
elseif(NOT CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS)
  set(stretto_module_needs "clang-scan-deps")
endif()

if(NOT stretto_module_needs AND NOT TARGET stretto::module)
  add_library(stretto_module STATIC EXCLUDE_FROM_ALL)
  add_library(stretto::module ALIAS stretto_module)
  target_sources(
    stretto_module PUBLIC FILE_SET CXX_MODULES BASE_DIRS "${stretto_module_include}" FILES
                          "${stretto_module_include}/stretto/stretto.cppm"
  )
  set_target_properties(stretto_module PROPERTIES CXX_SCAN_FOR_MODULES ON)
  target_link_libraries(stretto_module PUBLIC stretto::stretto)
endif()
