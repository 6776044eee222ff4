# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

# Has the signals of a test start just before they wrap around.
function(stretto_wrap_epochs target)
  set(signal "include/stretto/run/wait/signal.hpp")
  set(from_zero "inline constexpr std::uint32_t first_epoch = 0;")
  file(READ "${PROJECT_SOURCE_DIR}/${signal}" text)
  string(REPLACE "${from_zero}" "inline constexpr std::uint32_t first_epoch = 0xFFFFFFFAU;" wrapping "${text}")
  if(wrapping STREQUAL text)
    message(FATAL_ERROR "${signal} lacks the line: ${from_zero}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${signal}")
  file(CONFIGURE OUTPUT "${signal}" CONTENT "${wrapping}" @ONLY)
  target_include_directories(${target} BEFORE PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/include")
endfunction()
