# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Flags every target shares, and the helper that declares one level of the library.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Assertions stay on: they guard our own bugs, and no user mistake may reach one.
string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

find_program(METILE_CCACHE ccache)
if(METILE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${METILE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${METILE_CCACHE})
endif()
# MLIR's shared libraries make the default linker slow. g++ 12 finds lld by this name only.
find_program(METILE_LLD ld.lld HINTS /usr/lib/llvm-22/bin)
if(METILE_LLD AND NOT APPLE)
  get_filename_component(METILE_LLD_DIR ${METILE_LLD} DIRECTORY)
  add_link_options(-fuse-ld=lld -B${METILE_LLD_DIR})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(METILE_SANITIZE)
  add_compile_options(-fsanitize=${METILE_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${METILE_SANITIZE})
endif()

if(METILE_FUZZERS)
  # The first thing that a sanitizer finds ends a run.
  add_compile_options(-fsanitize=fuzzer-no-link -fno-sanitize-recover=all)
endif()

if(METILE_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

# metile_calls_kernels(NAME): for code that calls what was compiled at run time. That carries none of
# the types which UBSan looks for before the first instruction, where there may be no memory at all.
function(metile_calls_kernels name)
  if(METILE_SANITIZE MATCHES undefined AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${name} PRIVATE -fno-sanitize=function)
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)

# metile_level(NAME sources...): one level of DESIGN's map, as an object library. The shared
# libraries of lib/CMakeLists.txt are made of these.
function(metile_level name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib ${PROJECT_BINARY_DIR}/lib)
endfunction()
