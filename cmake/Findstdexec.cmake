# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# STDEXEC::stdexec: stdexec as it is installed, or the headers alone, of a checkout:
# -DSTDEXEC_INCLUDE_DIR=<checkout>/include.
find_package(stdexec CONFIG QUIET)
if(NOT TARGET STDEXEC::stdexec)
  find_path(STDEXEC_INCLUDE_DIR stdexec/execution.hpp)
  mark_as_advanced(STDEXEC_INCLUDE_DIR)

  include(FindPackageHandleStandardArgs)
  find_package_handle_standard_args(stdexec REQUIRED_VARS STDEXEC_INCLUDE_DIR)

  if(stdexec_FOUND)
    find_package(Threads REQUIRED)
    add_library(STDEXEC::stdexec INTERFACE IMPORTED)
    # It includes <execution>, for which libstdc++ would want oneTBB.
    set_target_properties(
      STDEXEC::stdexec
      PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${STDEXEC_INCLUDE_DIR}"
                 INTERFACE_COMPILE_DEFINITIONS _GLIBCXX_USE_TBB_PAR_BACKEND=0
                 INTERFACE_LINK_LIBRARIES Threads::Threads
    )
  endif()
endif()
