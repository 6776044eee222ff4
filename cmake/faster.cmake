# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For users who want to compile faster: docs/compile_time.md says what each is for.

# stretto::compiled: what is no template, compiled once. Built for those who link it, so that nobody else waits for it.
add_library(stretto_compiled STATIC cmake/compiled.cpp)
add_library(stretto::compiled ALIAS stretto_compiled)
set_target_properties(
  stretto_compiled PROPERTIES EXPORT_NAME compiled OUTPUT_NAME stretto POSITION_INDEPENDENT_CODE ON
)
if(NOT STRETTO_BUILD_COMPILED)
  set_target_properties(stretto_compiled PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
# What is declared apart from its definition must compile without it, too: tests try each header of this list.
set(stretto_declarations ${stretto_headers})
list(FILTER stretto_declarations INCLUDE REGEX "\\.ipp$")
list(TRANSFORM stretto_declarations REPLACE "ipp$" "hpp")
target_sources(
  stretto_compiled
  PUBLIC FILE_SET HEADERS BASE_DIRS include FILES include/stretto/compiled.hpp ${stretto_declarations}
)
target_compile_definitions(stretto_compiled PUBLIC STRETTO_COMPILED)
target_link_libraries(stretto_compiled PUBLIC stretto::stretto)
if(PROJECT_IS_TOP_LEVEL)
  target_link_libraries(stretto_compiled PRIVATE $<BUILD_INTERFACE:stretto_warnings>)
endif()
# Schedule files are an object of their own in the same archive: who uses none does not link it.
if(TARGET nlohmann_json::nlohmann_json)
  target_sources(stretto_compiled PRIVATE cmake/compiled_files.cpp)
  target_link_libraries(stretto_compiled PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
  set_target_properties(stretto_compiled PROPERTIES STRETTO_FILES ON EXPORT_PROPERTIES STRETTO_FILES)
endif()

# stretto::pch, stretto::dynamic_pch: who links them has these headers precompiled.
add_library(stretto_pch INTERFACE)
add_library(stretto::pch ALIAS stretto_pch)
set_target_properties(stretto_pch PROPERTIES EXPORT_NAME pch)
target_link_libraries(stretto_pch INTERFACE stretto::stretto)
target_precompile_headers(
  stretto_pch INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:<stretto/stretto.hpp$<ANGLE-R>>"
)
add_library(stretto_dynamic_pch INTERFACE)
add_library(stretto::dynamic_pch ALIAS stretto_dynamic_pch)
set_target_properties(stretto_dynamic_pch PROPERTIES EXPORT_NAME dynamic_pch)
target_link_libraries(stretto_dynamic_pch INTERFACE stretto::dynamic)
target_precompile_headers(
  stretto_dynamic_pch INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:<stretto/dynamic.hpp$<ANGLE-R>>"
)

# stretto::module: `import stretto;`, where CMake and the compiler can.
set(stretto_module_include "${PROJECT_SOURCE_DIR}/include")
include(cmake/stretto-module.cmake)
