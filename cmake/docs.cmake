# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target docs: the reference, from the headers, in docs/reference of the build folder.

find_package(Doxygen REQUIRED)

file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/docs/reference")
configure_file("${PROJECT_SOURCE_DIR}/docs/Doxyfile.in" docs/Doxyfile @ONLY)
add_custom_target(
  docs
  COMMAND Doxygen::doxygen "${PROJECT_BINARY_DIR}/docs/Doxyfile"
  COMMAND "${CMAKE_COMMAND}" -E echo "reference: ${PROJECT_BINARY_DIR}/docs/reference/index.html"
  VERBATIM
)
