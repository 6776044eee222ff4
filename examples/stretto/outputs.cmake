# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM= -DSCHEDULES= -DFOLDER= -P outputs.cmake: checks that the program writes a file whole or not at all,
# and reports a file that it cannot write.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(plan "${FOLDER}/plan.json")
set(certificate "${FOLDER}/certificate.json")

# run(EXIT code SAYS regex [OUTPUT file] COMMAND ...): what it says on standard error.
function(run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "EXIT;SAYS;OUTPUT" "COMMAND")
  set(to OUTPUT_VARIABLE printed)
  if(arg_OUTPUT)
    set(to OUTPUT_FILE "${arg_OUTPUT}")
  endif()
  execute_process(
    COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${SCHEDULES}" RESULT_VARIABLE code ${to} ERROR_VARIABLE said
  )
  if(NOT code EQUAL arg_EXIT OR NOT said MATCHES "${arg_SAYS}")
    message(SEND_ERROR "${arg_COMMAND}: expected ${arg_EXIT} and ${arg_SAYS}, found ${code} and:\n${said}")
  endif()
  set(printed "${printed}" PARENT_SCOPE)
endfunction()
function(expect_old_plan)
  file(READ "${plan}" now)
  file(READ "${SCHEDULES}/ranking.json" was)
  if(NOT now STREQUAL was)
    message(SEND_ERROR "the schedule has been lost:\n${now}")
  endif()
  file(GLOB all RELATIVE "${FOLDER}" "${FOLDER}/*" "${FOLDER}/.stretto*")
  if(NOT all STREQUAL "plan.json")
    message(SEND_ERROR "there is ${all}, not the schedule alone")
  endif()
endfunction()

if(EXISTS /dev/full)
  foreach(command IN ITEMS "--help" "tune;--help" "check;ranking.json")
    run(EXIT 2 SAYS "stretto: cannot write the output" OUTPUT /dev/full COMMAND "${PROGRAM}" ${command})
  endforeach()
  run(EXIT 2 SAYS "/dev/full: cannot be written: " COMMAND "${PROGRAM}" describe ranking.json -o /dev/full)
endif()

# In place, where files may have 512 bytes, as on a disk that is full.
file(COPY_FILE "${SCHEDULES}/ranking.json" "${plan}")
run(
  EXIT 2 SAYS "plan.json: cannot be written: " COMMAND
  sh -c "trap '' XFSZ; ulimit -f 1; exec \"\$@\"" sh "${PROGRAM}" tune "${plan}" --costs ranking_costs.json -o "${plan}"
)
expect_old_plan()
# A later step fails.
run(
  EXIT 2 SAYS "/nowhere/certificate.json: cannot be written: " COMMAND
  "${PROGRAM}" tune "${plan}" --costs ranking_costs.json -o "${plan}" --certificate /nowhere/certificate.json
)
expect_old_plan()
run(
  EXIT 2 SAYS "/nowhere/plan.json: cannot be written: " COMMAND
  "${PROGRAM}" tune ranking.json --costs ranking_costs.json -o /nowhere/plan.json --certificate "${certificate}"
)
expect_old_plan()
run(
  EXIT 2 SAYS "goes with a schedule that is proved to be the best" COMMAND
  "${PROGRAM}" tune serial.json --by list --ranges -o "${plan}" --certificate "${certificate}"
)
expect_old_plan()

# What a link points to is replaced, and `-` is no file.
file(CREATE_LINK plan.json "${FOLDER}/link.json" SYMBOLIC)
run(EXIT 0 SAYS "^$" COMMAND "${PROGRAM}" format training.json -o "${FOLDER}/link.json")
run(EXIT 0 SAYS "^$" COMMAND "${PROGRAM}" format training.json -o -)
file(READ "${plan}" written)
if(NOT written STREQUAL printed OR NOT IS_SYMLINK "${FOLDER}/link.json")
  message(SEND_ERROR "written to a file:\n${written}\nto standard output:\n${printed}")
endif()
