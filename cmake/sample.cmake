# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Of what would take long to try whole, a build tries a sample: another one each day, all of it in turn. The preset
# `exhaustive` tries everything.
option(STRETTO_EXHAUSTIVE "Try everything, not a sample that is another one each day" OFF)
set(STRETTO_SANITIZED_SHARE
    1
    CACHE STRING "With a sanitizer: of tests of what runs do, and of examples, build one in so many, other ones each day"
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
# both, which is one file for both versions, is built of one version, and tomorrow of the other. With a sanitizer one in
# STRETTO_SANITIZED_SHARE is.
function(stretto_todays types values)
  set(kept_typed "")
  set(kept_dynamic "")
  set(number 0)
  foreach(name IN LISTS ${types})
    math(EXPR number "${number} + 1")
    set(kept ON)
    if(STRETTO_SANITIZE)
      stretto_sampled(kept ${number} ${STRETTO_SANITIZED_SHARE})
    elseif("${name}" IN_LIST ${values})
      stretto_sampled(kept ${number} 2)
    endif()
    if(kept)
      list(APPEND kept_typed ${name})
    endif()
  endforeach()
  foreach(name IN LISTS ${values})
    math(EXPR number "${number} + 1")
    set(kept ON)
    if(STRETTO_SANITIZE)
      stretto_sampled(kept ${number} ${STRETTO_SANITIZED_SHARE})
    elseif("${name}" IN_LIST ${types} AND NOT STRETTO_EXHAUSTIVE AND "${name}" IN_LIST kept_typed)
      set(kept OFF)
    endif()
    if(kept)
      list(APPEND kept_dynamic ${name})
    endif()
  endforeach()
  set(${types} ${kept_typed} PARENT_SCOPE)
  set(${values} ${kept_dynamic} PARENT_SCOPE)
endfunction()
