# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Targets for <stretto/senders.hpp>: stretto_senders_stand_in, with the headers here in place of stdexec's, and where
# stdexec is there stretto_senders_real.
#
# stretto_senders_library is the real one, or else the stand-in. stretto_senders_headers is the target that has its
# headers, for compilers that are called by hand.
if(NOT TARGET stretto_senders_stand_in)
  add_library(stretto_senders_stand_in INTERFACE)
  target_include_directories(stretto_senders_stand_in INTERFACE "${CMAKE_CURRENT_LIST_DIR}")
  target_link_libraries(stretto_senders_stand_in INTERFACE stretto::stretto)
  if(TARGET stretto::senders)
    add_library(stretto_senders_real INTERFACE)
    target_link_libraries(stretto_senders_real INTERFACE stretto::senders $<TARGET_NAME_IF_EXISTS:TBB::tbb>)
  endif()
endif()
if(TARGET stretto_senders_real)
  # stdexec includes <execution>, which in libstdc++ calls oneTBB where that has headers.
  find_package(TBB QUIET) # in each folder that links it
  set(stretto_senders_library stretto_senders_real)
  set(stretto_senders_headers STDEXEC::stdexec)
else()
  set(stretto_senders_library stretto_senders_stand_in)
  set(stretto_senders_headers stretto_senders_stand_in)
endif()
