# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# stretto_include_flags(flags Boost::headers TBB::tbb ...): sets `flags` to the options by which a compiler that is called
# by hand finds the headers of these targets. A target that is not there has none; what is in the folders that a compiler
# looks in anyway is left out, as naming those changes their order.
function(stretto_include_flags result)
  set(flags "")
  foreach(library IN LISTS ARGN)
    set(include "")
    if(TARGET ${library})
      get_target_property(include ${library} INTERFACE_INCLUDE_DIRECTORIES)
    endif()
    if(include)
      list(REMOVE_ITEM include "" ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
      list(TRANSFORM include PREPEND "-isystem")
      list(APPEND flags ${include})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES flags)
  set(${result} ${flags} PARENT_SCOPE)
endfunction()
