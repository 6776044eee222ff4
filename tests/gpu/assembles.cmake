# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The kernel that is kept as text in a header is what CUDA's assembler takes.
#
#     cmake -DHEADER=include/stretto/cuda/pause.hpp -DPTXAS=ptxas -P tests/gpu/assembles.cmake
file(READ "${HEADER}" text)
if(NOT text MATCHES "R\"\\(([^\"]*)\\)\"")
  message(FATAL_ERROR "there is no kernel in ${HEADER}")
endif()
string(RANDOM LENGTH 12 name)
set(kernel "${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx")
file(WRITE "${kernel}" "${CMAKE_MATCH_1}")
execute_process(
  COMMAND "${PTXAS}" -arch=sm_75 -warn-spills -Werror -o "${kernel}.cubin" "${kernel}" RESULT_VARIABLE failed
)
file(REMOVE "${kernel}" "${kernel}.cubin")
if(failed)
  message(FATAL_ERROR "the kernel in ${HEADER} is refused")
endif()
