# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# That includes.cmake sees what it looks for: a header that does one thing wrong is put among the others.
cmake_minimum_required(VERSION 3.25)

function(refuse header text expected)
  file(REMOVE_RECURSE "${SCRATCH}")
  file(COPY "${HEADERS}/" DESTINATION "${SCRATCH}")
  file(WRITE "${SCRATCH}/${header}" "#pragma once\n\n${text}\n")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -DHEADERS=${SCRATCH} -P "${CMAKE_CURRENT_LIST_DIR}/includes.cmake"
    RESULT_VARIABLE result
    ERROR_VARIABLE said
  )
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${header}${expected}" at)
  if(result EQUAL 0 OR at LESS 0)
    message(SEND_ERROR "expected: ${header}${expected}\nsaid: ${said}")
  endif()
endfunction()

refuse(attic/odd.hpp "" ": nothing says what attic/ may know")
refuse(run/odd.hpp "#include <stretto/device/error.hpp>" " includes from device/, which run/ must not know")
refuse(
  run/odd.hpp "namespace stretto::typed {\n}  // namespace stretto::typed"
  " opens namespace stretto::typed, which belongs to another room"
)
refuse(
  device/odd.hpp
  "namespace stretto {\nnamespace runner::detail {\n}  // namespace runner::detail\n}  // namespace stretto"
  " opens namespace stretto::runner, which belongs to another room"
)
refuse(
  static/execute/odd.hpp "namespace stretto::detail {\n}  // namespace stretto::detail"
  " opens namespace stretto::detail, which belongs to another room"
)
refuse(run/odd.hpp "namespace boost {\n}  // namespace boost" " opens namespace boost")
refuse(run/odd.hpp "namespace stretto::runner {\n}" ": a namespace is not closed")
refuse(
  nccl/odd.hpp "using device::detail::handles; using detail::core; using stretto::nccl::detail::core;"
  " names device::detail, which is for the headers of another folder only"
)
refuse(cuda.hpp "using typed::detail::ring;" " names typed::detail, which is for the headers of another folder only")
