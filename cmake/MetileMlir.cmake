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

option(METILE_PCH "Precompile MLIR's headers" ON)
set(METILE_MLIR_PCH
  <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h>
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Math/IR/Math.h> <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Pass/Pass.h>
  <string> <vector> <map> <optional>)

# metile_mlir_level(NAME sources...): a level that includes MLIR.
function(metile_mlir_level name)
  metile_level(${name} ${ARGN})
  target_link_libraries(${name} PUBLIC metile_mlir)
  if(METILE_PCH)
    if(TARGET metile_pch)
      target_precompile_headers(${name} REUSE_FROM metile_pch)
    endif()
    target_compile_options(${name} PRIVATE
      $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  endif()
endfunction()

if(METILE_PCH)
  file(WRITE ${PROJECT_BINARY_DIR}/pch.cpp "")
  add_library(metile_pch OBJECT ${PROJECT_BINARY_DIR}/pch.cpp)
  target_include_directories(metile_pch PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib ${PROJECT_BINARY_DIR}/lib)
  target_link_libraries(metile_pch PUBLIC metile_mlir)
  target_precompile_headers(metile_pch PRIVATE ${METILE_MLIR_PCH})
  target_compile_options(metile_pch PRIVATE
    $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endif()
