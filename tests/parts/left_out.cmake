# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configures Stretto as if nothing but a compiler were there, and looks at what it says and at the tests it has.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
execute_process(
  COMMAND
    "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${SCRATCH}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_NCCL=ON -DCMAKE_DISABLE_FIND_PACKAGE_NVTX3=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
  RESULT_VARIABLE failed
  OUTPUT_VARIABLE said
  ERROR_VARIABLE complained
)
if(failed)
  message(FATAL_ERROR "It does not configure:\n${said}${complained}")
endif()
foreach(part IN ITEMS "no NVTX 3: stretto::nvtx" "no CUDA toolkit 13: stretto::cuda"
                      "no NCCL: stretto::nccl" "no MPI: stretto::mpi"
)
  if(NOT said MATCHES "Stretto: ${part} and its tests are left out")
    message(SEND_ERROR "It does not say that there is ${part}; it says:\n${said}")
  endif()
endforeach()

execute_process(
  COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${SCRATCH}" -N OUTPUT_VARIABLE tests
)
foreach(name IN ITEMS cuda gpu mpi nvtx)
  if(tests MATCHES " ${name}\\.")
    message(SEND_ERROR "tests of ${name} are not left out")
  endif()
endforeach()
foreach(name IN ITEMS device collective execute plan)
  if(NOT tests MATCHES " ${name}\\.")
    message(SEND_ERROR "tests of ${name} are missing, which need nothing of all that")
  endif()
endforeach()
file(REMOVE_RECURSE "${SCRATCH}")
