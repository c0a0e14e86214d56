# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs BUILD into a fresh prefix, then configures, builds and runs the project in SOURCE on it.
# COMPONENTS: separated by commas.

cmake_minimum_required(VERSION 3.20)
set(work ${BUILD}/package-test)
file(REMOVE_RECURSE ${work})
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${text}")
  endif()
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
# Somewhere else than it was installed to: nothing may depend on the place.
file(RENAME ${work}/prefix ${work}/moved)
step(${CMAKE_COMMAND} -S ${SOURCE} -B ${work}/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${flags}
  -DCMAKE_PREFIX_PATH=${work}/moved -DCOMPONENTS=${COMPONENTS})
step(${CMAKE_COMMAND} --build ${work}/build)
step(${CMAKE_COMMAND} -E chdir ${work}/build ${CMAKE_CTEST_COMMAND} --output-on-failure)
if(COMPONENTS MATCHES compiler)
  step(${work}/moved/bin/metile list)
endif()
