# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Of what would take long to try whole, a build tries a sample: another one each day, all of it in turn. The preset
# `exhaustive` tries everything.
option(STRETTO_EXHAUSTIVE "Try everything, not a sample that is another one each day" OFF)
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
