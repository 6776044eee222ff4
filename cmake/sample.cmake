# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Of what would take long to try whole, a build tries a sample: another one each day, all of it in turn. The preset
# `exhaustive` tries everything.
option(STRETTO_EXHAUSTIVE "Try everything, not a sample that is another one each day" OFF)
set(STRETTO_SANITIZED_SHARE
    1
    CACHE STRING "With a sanitizer: of most tests and examples build one in so many, other ones each day"
)
string(TIMESTAMP stretto_day "%s" UTC)
math(EXPR stretto_day "${stretto_day} / 86400")

# stretto_sampled(result number of): whether number `number` is in the sample, which is one in `of`.
function(stretto_sampled result number of)
  math(EXPR place "(${number} + ${stretto_day}) % ${of}")
  if(STRETTO_EXHAUSTIVE OR place EQUAL 0)
    set(${result} ON PARENT_SCOPE)
  else()
    set(${result} OFF PARENT_SCOPE)
  endif()
endfunction()

# stretto_sampled_units(first count all share): which units of `all` to build: all of them from 0 on, or `share` of them.
function(stretto_sampled_units first count all share)
  if(STRETTO_EXHAUSTIVE)
    set(${first} 0 PARENT_SCOPE)
    set(${count} ${all} PARENT_SCOPE)
  else()
    math(EXPR start "${stretto_day} % (${all} / ${share}) * ${share}")
    set(${first} ${start} PARENT_SCOPE)
    set(${count} ${share} PARENT_SCOPE)
  endif()
endfunction()

# stretto_todays(types values): takes from the two lists of names those tests that are not built today. A test that is in
# both, which is one file for both versions, is built of one version, tomorrow of the other, and then four days not at all;
# one that is of types alone, every sixth day. With a sanitizer all are.
function(stretto_todays types values)
  if(STRETTO_SANITIZE OR STRETTO_EXHAUSTIVE)
    return()
  endif()
  set(as_types ${${types}})
  set(as_values ${${values}})
  set(number 0)
  foreach(name IN LISTS ${types})
    math(EXPR number "${number} + 1")
    math(EXPR tomorrow "${number} + 1")
    stretto_sampled(by_types ${number} 6)
    stretto_sampled(by_values ${tomorrow} 6)
    if(NOT by_types)
      list(REMOVE_ITEM as_types ${name})
    endif()
    if(NOT by_values)
      list(REMOVE_ITEM as_values ${name})
    endif()
  endforeach()
  set(${types} ${as_types} PARENT_SCOPE)
  set(${values} ${as_values} PARENT_SCOPE)
endfunction()
