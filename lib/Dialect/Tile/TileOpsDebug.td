// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that show what a kernel computes. They are effects: none is moved or removed.

include "TileOpBase.td"

class Tile_DebugOp<string mnemonic>
  : Tile_Op<mnemonic, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;

def Tile_PrintOp : Tile_DebugOp<"print"> {
  let summary = "prints values on the host";
  let description = [{
    One line a program and value: the program's ids, the text, the value. Lines of one program keep
    their order. Integers that `isUnsigned`, one flag a value, marks are read as unsigned.

    ```mlir
    func.func @show(%x: tensor<4xf32>, %n: i64) {
      tile.print "x and n", %x, %n : tensor<4xf32>, i64
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$text, Variadic<Tile_NumberLike>:$values,
                       OptionalAttr<DenseBoolArrayAttr>:$isUnsigned);
  let hasVerifier = 1;
  let assemblyFormat = "$text (`,` $values^ `:` type($values))? attr-dict";
}

def Tile_AssertOp : Tile_DebugOp<"assert"> {
  let summary = "what must hold; the launch fails where it does not";
  let description = [{
    If the condition is false, for a tile in any element, the launch returns an error with the
    message, the program's ids, the element's index and the source line. What the program does
    afterwards is unspecified, other than that it touches nothing it would not touch otherwise.

    ```mlir
    func.func @check(%x: tensor<64xi32>) {
      %same = arith.cmpi eq, %x, %x : tensor<64xi32>
      tile.assert %same, "a number is itself" : tensor<64xi1>
      return
    }
    ```
  }];
  let arguments = (ins Tile_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def Tile_ProbeOp : Tile_DebugOp<"probe"> {
  let summary = "records a value under a name while a kernel is debugged";
  let description = [{
    Does nothing in an ordinary launch. With `unsigned` an integer is read as unsigned.

    ```mlir
    func.func @watch(%x: tensor<64xf32>) {
      tile.probe "scores" %x : tensor<64xf32>
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Tile_NumberLike:$value, UnitAttr:$isUnsigned);
  let assemblyFormat = "$name (`unsigned` $isUnsigned^)? $value attr-dict `:` type($value)";
}
