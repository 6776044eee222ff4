# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each file of definitions, `.ipp`, is included by the header of its name, where nothing is compiled apart, and by
# compiled.hpp or, of schedule files, compiled_files.hpp.
#
#     cmake -DHEADERS=include/stretto -P tests/architecture/compiled.cmake
cmake_minimum_required(VERSION 3.25)

foreach(library IN ITEMS compiled compiled_files)
  file(STRINGS "${HEADERS}/${library}.hpp" ${library} REGEX "^#include <stretto/.*\\.ipp>$")
  list(TRANSFORM ${library} REPLACE "^#include <stretto/(.*)>$" "\\1")
endforeach()

file(GLOB_RECURSE definitions RELATIVE "${HEADERS}" "${HEADERS}/*.ipp")
foreach(file IN LISTS definitions)
  set(library compiled)
  if(file MATCHES "^dynamic/file[./]|^schedule_file\\.")
    set(library compiled_files)
  endif()
  if(NOT file IN_LIST ${library})
    message(SEND_ERROR "${library}.hpp does not include ${file}: the library of stretto::compiled lacks it")
  endif()
  list(REMOVE_ITEM ${library} "${file}")
  string(REGEX REPLACE "ipp$" "hpp" header "${file}")
  file(READ "${HEADERS}/${header}" text)
  string(FIND "${text}" "\n#if !defined(STRETTO_COMPILED)\n#  include <stretto/${file}>\n#endif\n" found)
  if(found EQUAL -1)
    message(SEND_ERROR "${header} does not include ${file} where STRETTO_COMPILED is not defined")
  endif()
endforeach()
foreach(library IN ITEMS compiled compiled_files)
  if(${library})
    message(SEND_ERROR "${library}.hpp includes what belongs elsewhere, or is included twice: ${${library}}")
  endif()
endforeach()
