# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Headers only: nothing here depends on the architecture, so it all goes below share/.
set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/stretto")
set(pkgconfig_dir "${CMAKE_INSTALL_DATADIR}/pkgconfig")

install(
  TARGETS stretto
  EXPORT stretto-targets
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
)
install(EXPORT stretto-targets NAMESPACE stretto:: DESTINATION "${package_dir}")
# Apart: it names nlohmann/json, if that is there.
install(
  TARGETS stretto_dynamic
  EXPORT stretto-dynamic-targets
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
)
install(EXPORT stretto-dynamic-targets NAMESPACE stretto:: DESTINATION "${package_dir}")
# The same for each part that needs more than a compiler.
foreach(part nvtx cuda nccl mpi)
  install(
    TARGETS stretto_${part}
    EXPORT stretto-${part}-targets
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  )
  install(EXPORT stretto-${part}-targets NAMESPACE stretto:: DESTINATION "${package_dir}")
endforeach()

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/stretto-config.cmake.in" stretto-config.cmake
  INSTALL_DESTINATION "${package_dir}"
)
write_basic_package_version_file(
  stretto-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT
)
install(
  FILES "${PROJECT_BINARY_DIR}/stretto-config.cmake"
        "${PROJECT_BINARY_DIR}/stretto-config-version.cmake"
        "${CMAKE_CURRENT_LIST_DIR}/FindNVTX3.cmake" "${CMAKE_CURRENT_LIST_DIR}/FindNCCL.cmake"
  DESTINATION "${package_dir}"
)

# Relative to the .pc file, so that an installed tree can be moved.
set(root "${CMAKE_INSTALL_PREFIX}")
cmake_path(ABSOLUTE_PATH pkgconfig_dir BASE_DIRECTORY "${root}" OUTPUT_VARIABLE from)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "${root}" OUTPUT_VARIABLE to)
cmake_path(RELATIVE_PATH root BASE_DIRECTORY "${from}" OUTPUT_VARIABLE pc_prefix)
cmake_path(RELATIVE_PATH to BASE_DIRECTORY "${root}" OUTPUT_VARIABLE pc_include)
configure_file("${CMAKE_CURRENT_LIST_DIR}/stretto.pc.in" stretto.pc @ONLY)
configure_file("${CMAKE_CURRENT_LIST_DIR}/stretto-dynamic.pc.in" stretto-dynamic.pc @ONLY)
install(
  FILES "${PROJECT_BINARY_DIR}/stretto.pc" "${PROJECT_BINARY_DIR}/stretto-dynamic.pc"
  DESTINATION "${pkgconfig_dir}"
)

install(
  FILES "${PROJECT_SOURCE_DIR}/docs/schedule.schema.json"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/stretto"
)

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
