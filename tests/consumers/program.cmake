# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the program, as the README says, out of the build folder of the tests, and runs it; and configures the preset that the
# README names, which has the target that it builds.
#   cmake -DSTRETTO_SOURCE_DIR= -DSTRETTO_BINARY_DIR= -DWORK_DIR= -DCXX= -DGENERATOR= -P program.cmake
cmake_minimum_required(VERSION 3.25)

file(READ "${STRETTO_SOURCE_DIR}/README.md" readme)
set(build "cmake --workflow --preset program")
set(install "cmake --install build/program --component stretto_program --prefix \"$HOME/.local\"")
string(FIND "${readme}" "${build}\n${install}\n" found)
if(found EQUAL -1)
  message(FATAL_ERROR "README has other steps than this test knows:\n${build}\n${install}")
endif()

execute_process(
  COMMAND "${CMAKE_COMMAND}" --install "${STRETTO_BINARY_DIR}" --component stretto_program --prefix "${WORK_DIR}/local"
          COMMAND_ERROR_IS_FATAL ANY
)
file(GLOB_RECURSE installed RELATIVE "${WORK_DIR}/local" "${WORK_DIR}/local/*")
if(NOT installed STREQUAL "bin/stretto")
  message(FATAL_ERROR "installed are ${installed}, not the program alone")
endif()
execute_process(
  COMMAND "${WORK_DIR}/local/bin/stretto" check "${STRETTO_SOURCE_DIR}/examples/stretto/schedules/training.json"
          COMMAND_ERROR_IS_FATAL ANY
)

execute_process(
  COMMAND "${CMAKE_COMMAND}" --preset program -B "${WORK_DIR}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}"
  WORKING_DIRECTORY "${STRETTO_SOURCE_DIR}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY
)
file(READ "${STRETTO_SOURCE_DIR}/CMakePresets.json" presets)
if(NOT presets MATCHES "\"configurePreset\": \"program\", \"targets\": .\"([a-z_]+)\"")
  message(FATAL_ERROR "no preset builds the program alone")
endif()
set(target "${CMAKE_MATCH_1}")
set(list_targets --build "${WORK_DIR}/build" --target help)
execute_process(COMMAND "${CMAKE_COMMAND}" ${list_targets} OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY)
if(NOT targets MATCHES "${target}")
  message(FATAL_ERROR "there is no target ${target}:\n${targets}")
endif()
