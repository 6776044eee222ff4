# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configures Stretto as if little but a compiler were there, and looks at what it says and at the tests it has.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
execute_process(
  COMMAND
    "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${SCRATCH}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_NCCL=ON -DCMAKE_DISABLE_FIND_PACKAGE_NVTX3=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_stdexec=ON -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
  RESULT_VARIABLE failed
  OUTPUT_VARIABLE said
  ERROR_VARIABLE complained
)
if(failed)
  message(FATAL_ERROR "It does not configure:\n${said}${complained}")
endif()
foreach(part IN ITEMS "no NVTX 3: stretto::nvtx" "no CUDA toolkit 13: stretto::cuda"
                      "no NCCL 2.26: stretto::nccl" "no MPI: stretto::mpi" "no cuBLAS: stretto::cublas"
                      "no LibTorch: stretto::torch" "no stdexec: stretto::senders"
)
  if(NOT said MATCHES "Stretto: ${part} and its tests are left out")
    message(SEND_ERROR "It does not say that there is ${part}; it says:\n${said}")
  endif()
endforeach()
foreach(line IN ITEMS "no CLI11: the program stretto is left out" "no CLI11: the ranking example is left out"
                      "no nlohmann/json: tests of schedule files, records, traces and docs are left out"
)
  if(NOT said MATCHES "Stretto: ${line} [(]sh cmake/setup.sh[)]")
    message(SEND_ERROR "It does not say `${line}`; it says:\n${said}")
  endif()
endforeach()

execute_process(
  COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${SCRATCH}" -N OUTPUT_VARIABLE tests
)
foreach(name IN ITEMS cuda gpu mpi nvtx conformance files generated)
  if(tests MATCHES " ${name}\\.")
    message(SEND_ERROR "tests of ${name} are not left out")
  endif()
endforeach()
foreach(name IN ITEMS device collective execute plan)
  if(NOT tests MATCHES " ${name}\\.")
    message(SEND_ERROR "tests of ${name} are missing, which need nothing of all that")
  endif()
endforeach()
# The last line of a test run.
set(last "left out, as there is no [^\n]*MPI[^\n]* [(]sh cmake/setup.sh[)]")
if(NOT tests MATCHES "${last}")
  message(SEND_ERROR "no test says what is left out:\n${tests}")
endif()
execute_process(
  COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${SCRATCH}" -R "left out, as|architecture.warned_of" OUTPUT_VARIABLE ended
)
if(NOT ended MATCHES "did not run:\n[^\n]*${last}")
  message(SEND_ERROR "the test run does not end with what is left out:\n${ended}")
endif()

# Without what the tests themselves are written with.
file(REMOVE_RECURSE "${SCRATCH}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${SCRATCH}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
          -DCMAKE_DISABLE_FIND_PACKAGE_doctest=ON -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
  RESULT_VARIABLE failed
  OUTPUT_VARIABLE said
  ERROR_VARIABLE complained
)
if(failed OR NOT said MATCHES "Stretto: no doctest: the tests are left out [(]sh cmake/setup.sh[)]")
  message(SEND_ERROR "Without doctest:\n${said}${complained}")
endif()
file(REMOVE_RECURSE "${SCRATCH}")
