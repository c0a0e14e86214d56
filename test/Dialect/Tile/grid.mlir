// RUN: metile-opt %s | metile-opt | FileCheck %s

// CHECK-LABEL: func.func @ordered
func.func @ordered(%n: i64 {tile.name = "n"}) attributes {tile.kernel} {
  // CHECK: tile.grid %{{.*}}
  tile.grid %n
  // CHECK: tile.program_id 0
  // CHECK: tile.program_id 2
  // CHECK: tile.num_programs 1
  %0 = tile.program_id 0
  %1 = tile.program_id 2
  %2 = tile.num_programs 1
  return
}

// The extents may be any pure function of the arguments.
// CHECK-LABEL: func.func @free
func.func @free(%x: !tile.view<?x?xf32, [?, 1]> {tile.name = "x", tile.role = "in"},
                %count: i32 {tile.name = "count"}) attributes {tile.kernel} {
  %c64 = arith.constant 64 : i64
  %size = tile.view_size %x, 0 : !tile.view<?x?xf32, [?, 1]>
  %n = tile.div ceil %size, %c64 : i64
  %m = arith.extsi %count : i32 to i64
  // CHECK: tile.grid free %{{.*}}, %{{.*}}, %{{.*}}
  tile.grid free %n, %m, %c64
  return
}
