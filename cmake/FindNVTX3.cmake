# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# NVTX3::nvtx3: the headers of NVTX 3, of the CUDA toolkit or by themselves.
find_path(NVTX3_INCLUDE_DIR nvtx3/nvToolsExt.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
mark_as_advanced(NVTX3_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NVTX3 REQUIRED_VARS NVTX3_INCLUDE_DIR)

if(NVTX3_FOUND AND NOT TARGET NVTX3::nvtx3)
  add_library(NVTX3::nvtx3 INTERFACE IMPORTED)
  # It loads the profiler, if there is one, when it is first called.
  set_target_properties(
    NVTX3::nvtx3 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${NVTX3_INCLUDE_DIR}"
                            INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}"
  )
endif()
