// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic whose meaning arith leaves open. All are elementwise.

include "TileOpBase.td"

def Tile_Rounding : I32EnumAttr<"Rounding", "which way a quotient is rounded", [
    I32EnumAttrCase<"Trunc", 0, "trunc">, I32EnumAttrCase<"Floor", 1, "floor">,
    I32EnumAttrCase<"Ceil", 2, "ceil">]> {
  let cppNamespace = "::metile::tile";
}

class Tile_ElementwiseOp<string mnemonic, list<Trait> traits = []>
  : Tile_Op<mnemonic, traits # [Pure] # ElementwiseMappable.traits>;

class Tile_IntBinaryOp<string mnemonic>
  : Tile_ElementwiseOp<mnemonic, [AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let results = (outs Tile_IntLike:$result);
  let hasFolder = 1;
}

def Tile_DivOp : Tile_IntBinaryOp<"div"> {
  let summary = "integer quotient, rounded toward zero, down or up";
  let description = [{
    By zero it is 0. The lowest number by -1 is the lowest number. Nothing traps. With `unsigned`
    both operands are read as unsigned.

    ```mlir
    func.func @div(%a: i64, %b: tensor<64xi32>) -> (i64, tensor<64xi32>) {
      %block = arith.constant 64 : i64
      %blocks = tile.div ceil %a, %block : i64
      %quotient = tile.div trunc unsigned %b, %b : tensor<64xi32>
      return %blocks, %quotient : i64, tensor<64xi32>
    }
    ```
  }];
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs, Tile_Rounding:$rounding,
                       UnitAttr:$isUnsigned);
  let assemblyFormat = [{
    $rounding (`unsigned` $isUnsigned^)? $lhs `,` $rhs attr-dict `:` type($result)
  }];
}

def Tile_RemOp : Tile_IntBinaryOp<"rem"> {
  let summary = "what the quotient of the same rounding leaves";
  let description = [{
    `lhs - div(lhs, rhs) * rhs`: with `trunc` it has the sign of `lhs`, with `floor` that of `rhs`.
    By zero it is 0.

    ```mlir
    func.func @wrap(%i: i64, %n: i64) -> i64 {
      %inside = tile.rem floor %i, %n : i64
      return %inside : i64
    }
    ```
  }];
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs, Tile_Rounding:$rounding,
                       UnitAttr:$isUnsigned);
  let assemblyFormat = [{
    $rounding (`unsigned` $isUnsigned^)? $lhs `,` $rhs attr-dict `:` type($result)
  }];
}

def Tile_ShlOp : Tile_IntBinaryOp<"shl"> {
  let summary = "shift to the left";
  let description = [{
    By the width or more, or by a negative amount, it is 0.

    ```mlir
    func.func @shl(%x: tensor<64xi32>, %by: tensor<64xi32>) -> tensor<64xi32> {
      %y = tile.shl %x, %by : tensor<64xi32>
      return %y : tensor<64xi32>
    }
    ```
  }];
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Tile_ShrOp : Tile_IntBinaryOp<"shr"> {
  let summary = "shift to the right";
  let description = [{
    Copies of the sign come in from the left, with `unsigned` zeros. By the width or more, or by a
    negative amount, nothing else is left: -1 or 0.

    ```mlir
    func.func @shr(%x: i32, %by: i32) -> (i32, i32) {
      %y = tile.shr %x, %by : i32
      %z = tile.shr unsigned %x, %by : i32
      return %y, %z : i32, i32
    }
    ```
  }];
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs, UnitAttr:$isUnsigned);
  let assemblyFormat = "(`unsigned` $isUnsigned^)? $lhs `,` $rhs attr-dict `:` type($result)";
}

def Tile_MulHiOp : Tile_IntBinaryOp<"mulhi"> {
  let summary = "upper half of the product";
  let description = [{
    Of the product in twice the width, the bits that `arith.muli` drops. With `unsigned` both
    operands are read as unsigned.

    ```mlir
    func.func @mulhi(%x: tensor<64xi32>, %y: tensor<64xi32>) -> tensor<64xi32> {
      %z = tile.mulhi unsigned %x, %y : tensor<64xi32>
      return %z : tensor<64xi32>
    }
    ```
  }];
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs, UnitAttr:$isUnsigned);
  let assemblyFormat = "(`unsigned` $isUnsigned^)? $lhs `,` $rhs attr-dict `:` type($result)";
}

def Tile_ToIntOp : Tile_ElementwiseOp<"to_int"> {
  let summary = "float to integer, toward zero";
  let description = [{
    What is out of range becomes the nearest number of the integer type, NaN becomes 0.

    ```mlir
    func.func @to_int(%x: tensor<64xf32>) -> tensor<64xi8> {
      %i = tile.to_int unsigned %x : tensor<64xf32> -> tensor<64xi8>
      return %i : tensor<64xi8>
    }
    ```
  }];
  let arguments = (ins Tile_FloatLike:$source, UnitAttr:$isUnsigned);
  let results = (outs Tile_IntLike:$result);
  let assemblyFormat = [{
    (`unsigned` $isUnsigned^)? $source attr-dict `:` type($source) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_FromIntOp : Tile_ElementwiseOp<"from_int"> {
  let summary = "integer to float with a single rounding to nearest even";
  let description = [{
    What is too large for the float becomes infinite. `i1` is converted with `unsigned`: true is 1.

    ```mlir
    func.func @from_int(%i: tensor<64xi32>) -> tensor<64xf16> {
      %x = tile.from_int %i : tensor<64xi32> -> tensor<64xf16>
      return %x : tensor<64xf16>
    }
    ```
  }];
  let arguments = (ins Tile_IntOrBoolLike:$source, UnitAttr:$isUnsigned);
  let results = (outs Tile_FloatLike:$result);
  let assemblyFormat = [{
    (`unsigned` $isUnsigned^)? $source attr-dict `:` type($source) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_RoundOp : Tile_ElementwiseOp<"round"> {
  let summary = "float to a narrower float";
  let description = [{
    To nearest even in a single rounding; subnormals are kept and NaN stays NaN. What is too large
    becomes infinite, in the floats of 8 bits the largest finite number, as does infinity there.
    Widening is `arith.extf`; between floats of one width one widens to f32 and rounds.

    ```mlir
    func.func @round(%x: tensor<64xf32>) -> tensor<64xbf16> {
      %y = tile.round %x : tensor<64xf32> -> tensor<64xbf16>
      return %y : tensor<64xbf16>
    }
    ```
  }];
  let arguments = (ins Tile_FloatLike:$source);
  let results = (outs Tile_RoundedLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
