// RUN: %exits 0 %metile check %s -I %S/../Inputs --grid 1 --threads 1 --buffer fail=zeros:i32[1] --constant 0=int:5 --constant flag=bool:true
// RUN: %exits 2 %metile check %s -I %S/../Inputs --grid 1 --threads 1 --buffer fail=zeros:i32[1] --constant 9=int:5 | FileCheck %s
// CHECK: error: there is no function constant '9'; known: size (0), flag (1) and absent (2)
#include "expect.h"

constant int size [[function_constant(0)]];
constant bool flag [[function_constant(0 + 1)]];
constant float absent [[function_constant(2)]];
constant float with_default = is_function_constant_defined(absent) ? absent : 2.5f;

kernel void constants(device int *fail, device int *unused [[buffer(1), function_constant(absent)]]) {
  int array[size + 1] = {};
  EXPECT(size == 5 && flag && sizeof(array) == 24 && with_default == 2.5f);
  EXPECT(is_function_constant_defined(size) && !is_function_constant_defined(absent));
}
