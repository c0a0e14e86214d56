// RUN: %metile-fuzz --replay %s

// fuzz: contents seed=1 specials=0
// fuzz: view x i64 sizes=5 strides=1 value=0 in=1 out=0
// fuzz: scalar n i64 sizes=- strides=- value=3 in=1 out=0
// fuzz: view y i64 sizes=5 strides=1 value=0 in=0 out=1

func.func @grows(%x: !tile.view<?xi64, [1]> {tile.name = "x", tile.role = "in"}, %n: i64 {tile.name = "n"},
                 %y: !tile.view<?xi64, [1]> {tile.name = "y", tile.role = "out"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  tile.grid %c1
  %first = tile.view_load %x[%c0] : !tile.view<?xi64, [1]> -> tensor<8xi64>
  %step = arith.constant dense<-7> : tensor<8xi64>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%held = %first) -> (tensor<8xi64>) : i64 {
    %next = arith.addi %held, %step : tensor<8xi64>
    scf.yield %next : tensor<8xi64>
  }
  tile.view_store %last, %y[%c0] : tensor<8xi64>, !tile.view<?xi64, [1]>
  return
}
