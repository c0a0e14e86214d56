# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs FIRST and SECOND; their outputs must be the same.
foreach(side FIRST SECOND)
  execute_process(COMMAND ${${side}} OUTPUT_VARIABLE ${side}_OUTPUT RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${${side}} failed: ${${side}_OUTPUT}")
  endif()
endforeach()
if(NOT FIRST_OUTPUT STREQUAL SECOND_OUTPUT)
  message(FATAL_ERROR "The traces differ.\n--- ${FIRST}\n${FIRST_OUTPUT}\n--- ${SECOND}\n${SECOND_OUTPUT}")
endif()
