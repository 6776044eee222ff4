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
function(stretto_add_pch name library)
  add_library(stretto_${name} INTERFACE)
  add_library(stretto::${name} ALIAS stretto_${name})
  set_target_properties(stretto_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(stretto_${name} INTERFACE stretto::${library})
  target_precompile_headers(
    stretto_${name} INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:<stretto/${library}.hpp$<ANGLE-R>>"
  )
endfunction()
stretto_add_pch(pch stretto)
stretto_add_pch(dynamic_pch dynamic)

# stretto::module: `import stretto;`, where CMake and the compiler can.
set(stretto_module_include "${PROJECT_SOURCE_DIR}/include")
include(cmake/stretto-module.cmake)
