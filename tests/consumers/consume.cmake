# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs the outside project KIND, a folder here; or `module_by_hand`, that of `module` without CMake:
#   cmake -DKIND= -DSTRETTO_SOURCE_DIR= -DSTRETTO_BINARY_DIR= -DWORK_DIR= -DCXX= -DGENERATOR= -P consume.cmake
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE rc OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT rc EQUAL 0)
    list(JOIN ARGN " " command)
    message(NOTICE "${out}")
    message(FATAL_ERROR "${KIND}: ${rc} from: ${command}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}/build")
set(project "${CMAKE_CURRENT_LIST_DIR}/${KIND}")
set(prefix "${WORK_DIR}/moved")

if(KIND STREQUAL "compiled")
  # As the docs say how to install it. With warnings as errors, since it is built for itself.
  run(
    "${CMAKE_COMMAND}" -E chdir "${STRETTO_SOURCE_DIR}" "${CMAKE_COMMAND}" --preset compiled -B "${WORK_DIR}/stretto"
    -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}" -DCMAKE_BUILD_TYPE=Debug
  )
  run("${CMAKE_COMMAND}" --build "${WORK_DIR}/stretto")
  set(STRETTO_BINARY_DIR "${WORK_DIR}/stretto")
endif()
if(NOT KIND STREQUAL "add_subdirectory")
  # An installed tree must survive a move: package managers stage it elsewhere first.
  run("${CMAKE_COMMAND}" --install "${STRETTO_BINARY_DIR}" --prefix "${WORK_DIR}/installed")
  file(RENAME "${WORK_DIR}/installed" "${prefix}")
endif()

if(KIND STREQUAL "pkg_config")
  set(ENV{PKG_CONFIG_PATH} "${prefix}/share/pkgconfig")
  set(ENV{CXX} "${CXX}")
  run("${CMAKE_COMMAND}" -E chdir "${WORK_DIR}/build" sh "${project}/build.sh")
elseif(KIND STREQUAL "module_by_hand")
  set(ENV{PREFIX} "${prefix}")
  set(ENV{CXX} "${CXX}")
  run("${CMAKE_COMMAND}" -E chdir "${WORK_DIR}/build" sh "${CMAKE_CURRENT_LIST_DIR}/module/build.sh")
else()
  run(
    "${CMAKE_COMMAND}" -S "${project}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}"
    "-DSTRETTO_SOURCE_DIR=${STRETTO_SOURCE_DIR}" --no-warn-unused-cli
  )
  run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
endif()

if(KIND MATCHES "^(find_package|add_subdirectory)$")
  file(GLOB precompiled "${WORK_DIR}/build/CMakeFiles/with_pch.dir/cmake_pch.hxx.[gp]ch")
  if(NOT precompiled)
    message(FATAL_ERROR "${KIND}: stretto::pch precompiles nothing")
  endif()
elseif(KIND STREQUAL "compiled" AND PKG_CONFIG)
  file(GLOB_RECURSE found "${prefix}/*/stretto-compiled.pc")
  cmake_path(GET found PARENT_PATH found)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/share/pkgconfig:${found}")
  set(ENV{CXX} "${CXX}")
  run("${CMAKE_COMMAND}" -E chdir "${WORK_DIR}/build" sh "${project}/build.sh")
endif()
run("${WORK_DIR}/build/consumer")
