# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Headers: nothing of them depends on the architecture, so it all goes below share/. The library of stretto::compiled
# does, and has its own package files below lib/.
set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/stretto")
set(pkgconfig_dir "${CMAKE_INSTALL_DATADIR}/pkgconfig")
set(library_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/stretto")
set(library_pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(
  TARGETS stretto stretto_pch
  EXPORT stretto-targets
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
)
install(EXPORT stretto-targets NAMESPACE stretto:: DESTINATION "${package_dir}")
# Apart: it names nlohmann/json, if that is there.
install(
  TARGETS stretto_dynamic stretto_dynamic_pch
  EXPORT stretto-dynamic-targets
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
)
install(EXPORT stretto-dynamic-targets NAMESPACE stretto:: DESTINATION "${package_dir}")
# The same for each part that needs more than a compiler.
foreach(part nvtx cuda cublas torch nccl mpi senders)
  install(
    TARGETS stretto_${part}
    EXPORT stretto-${part}-targets
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  )
  install(EXPORT stretto-${part}-targets NAMESPACE stretto:: DESTINATION "${package_dir}")
endforeach()

if(STRETTO_BUILD_COMPILED)
  install(
    TARGETS stretto_compiled
    EXPORT stretto-compiled-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  )
  install(
    EXPORT stretto-compiled-targets
    NAMESPACE stretto::
    DESTINATION "${library_package_dir}"
  )
endif()
# Also for who compiles these by hand.
install(
  FILES "${PROJECT_SOURCE_DIR}/include/stretto/stretto.cppm" "${PROJECT_SOURCE_DIR}/include/stretto/compiled.hpp"
        "${PROJECT_SOURCE_DIR}/include/stretto/compiled_files.hpp"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/stretto"
)

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/stretto-config.cmake.in" stretto-config.cmake
  INSTALL_DESTINATION "${package_dir}"
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR library_package_dir
)
write_basic_package_version_file(
  stretto-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT
)
install(
  FILES "${PROJECT_BINARY_DIR}/stretto-config.cmake"
        "${PROJECT_BINARY_DIR}/stretto-config-version.cmake"
        "${CMAKE_CURRENT_LIST_DIR}/FindNVTX3.cmake" "${CMAKE_CURRENT_LIST_DIR}/FindNCCL.cmake"
        "${CMAKE_CURRENT_LIST_DIR}/Findstdexec.cmake"
        "${CMAKE_CURRENT_LIST_DIR}/versions.cmake"
        "${CMAKE_CURRENT_LIST_DIR}/stretto-module.cmake"
  DESTINATION "${package_dir}"
)

# stretto_pc(stretto.pc <where it is installed>): its paths are relative to the .pc file, so that an installed tree can be
# moved.
function(stretto_pc file destination)
  set(root "${CMAKE_INSTALL_PREFIX}")
  cmake_path(ABSOLUTE_PATH destination BASE_DIRECTORY "${root}" OUTPUT_VARIABLE from)
  cmake_path(RELATIVE_PATH root BASE_DIRECTORY "${from}" OUTPUT_VARIABLE pc_prefix)
  foreach(dir IN ITEMS INCLUDEDIR LIBDIR)
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_${dir} BASE_DIRECTORY "${root}" OUTPUT_VARIABLE to)
    cmake_path(RELATIVE_PATH to BASE_DIRECTORY "${root}" OUTPUT_VARIABLE pc_${dir})
  endforeach()
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${file}.in" "${file}" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${file}" DESTINATION "${destination}")
endfunction()
stretto_pc(stretto.pc "${pkgconfig_dir}")
stretto_pc(stretto-dynamic.pc "${pkgconfig_dir}")
if(STRETTO_BUILD_COMPILED)
  stretto_pc(stretto-compiled.pc "${library_pkgconfig_dir}")
endif()

install(
  FILES "${PROJECT_SOURCE_DIR}/docs/schedule.schema.json"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/stretto"
)

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
