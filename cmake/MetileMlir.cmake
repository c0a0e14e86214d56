# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds MLIR and LLVM 22.1 and declares metile_mlir, which every level that uses them links.

find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(CLI11 REQUIRED)

add_library(metile_mlir INTERFACE)
target_include_directories(metile_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(metile_mlir INTERFACE ${llvm_definitions})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(metile_mlir INTERFACE -fno-rtti)
endif()
target_link_libraries(metile_mlir INTERFACE MLIR LLVM)

# MLIR's headers are most of what a source that includes them costs, so clang reads them from a
# precompiled header. CMake's own support writes paths of the build folder into it and into each
# command, and then no other clone finds anything in the compiler cache; so the header is compiled as
# the one "object" of a library, from files outside the tree alone. For g++ it saves nothing.
set(METILE_PCH_ROOT mlir/Pass/Pass.h)
set(METILE_PCH_HEADERS
  string vector map optional
  mlir/IR/Builders.h mlir/IR/BuiltinOps.h mlir/IR/OpImplementation.h mlir/IR/PatternMatch.h
  mlir/Dialect/Arith/IR/Arith.h mlir/Dialect/Math/IR/Math.h mlir/Dialect/SCF/IR/SCF.h
  mlir/Dialect/Func/IR/FuncOps.h mlir/Dialect/MemRef/IR/MemRef.h
  mlir/Dialect/Vector/IR/VectorOps.h mlir/Dialect/LLVMIR/LLVMDialect.h)
set(pch_default OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(pch_default ON)
endif()
option(METILE_PCH "Precompile MLIR's headers (clang)" ${pch_default})
if(METILE_PCH)
  list(GET MLIR_INCLUDE_DIRS 0 mlir_include_dir)
  set(pch_source ${mlir_include_dir}/${METILE_PCH_ROOT})
  add_library(metile_pch OBJECT ${pch_source})
  list(TRANSFORM METILE_PCH_HEADERS PREPEND "SHELL:-include " OUTPUT_VARIABLE pch_options)
  set_target_properties(metile_pch PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(metile_pch PRIVATE -fPIC
    "SHELL:-x c++-header" "SHELL:-Xclang -fno-pch-timestamp" ${pch_options})
  target_link_libraries(metile_pch PRIVATE metile_mlir)
  set_source_files_properties(${pch_source} PROPERTIES LANGUAGE CXX HEADER_FILE_ONLY OFF)
  set(METILE_PCH_FILE
    ${PROJECT_BINARY_DIR}/CMakeFiles/metile_pch.dir${pch_source}${CMAKE_CXX_OUTPUT_EXTENSION})
endif()

# metile_use_pch(TARGET): the sources of TARGET, which links metile_mlir, read it.
function(metile_use_pch target)
  if(METILE_PCH)
    target_compile_options(${target} PRIVATE "SHELL:-include-pch ${METILE_PCH_FILE}")
    # clang wants the header's own kind of position independence, in executables too.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
    # A dependency on the library would let its object and those that read it compile at once.
    get_target_property(sources ${target} SOURCES)
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${METILE_PCH_FILE})
  endif()
endfunction()

# metile_mlir_level(NAME sources...): a level that includes MLIR.
function(metile_mlir_level name)
  metile_level(${name} ${ARGN})
  target_link_libraries(${name} PUBLIC metile_mlir)
  metile_use_pch(${name})
endfunction()
