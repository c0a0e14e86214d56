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
  let summary = "integer quotient; by zero it is 0, the lowest number by -1 is itself";
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs, Tile_Rounding:$rounding,
                       UnitAttr:$isUnsigned);
  let assemblyFormat = [{
    $rounding (`unsigned` $isUnsigned^)? $lhs `,` $rhs attr-dict `:` type($result)
  }];
}

def Tile_RemOp : Tile_IntBinaryOp<"rem"> {
  let summary = "lhs - div(lhs, rhs) * rhs with the same rounding; by zero it is 0";
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs, Tile_Rounding:$rounding,
                       UnitAttr:$isUnsigned);
  let assemblyFormat = [{
    $rounding (`unsigned` $isUnsigned^)? $lhs `,` $rhs attr-dict `:` type($result)
  }];
}

def Tile_ShlOp : Tile_IntBinaryOp<"shl"> {
  let summary = "shift to the left; by the width or more, or a negative amount, it gives 0";
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Tile_ShrOp : Tile_IntBinaryOp<"shr"> {
  let summary = "shift to the right; by the width or more, or a negative amount, only the sign is left";
  let description = [{ With `unsigned` zeros come in from the left, else copies of the sign. }];
  let arguments = (ins Tile_IntLike:$lhs, Tile_IntLike:$rhs, UnitAttr:$isUnsigned);
  let assemblyFormat = "(`unsigned` $isUnsigned^)? $lhs `,` $rhs attr-dict `:` type($result)";
}

def Tile_ToIntOp : Tile_ElementwiseOp<"to_int"> {
  let summary = "float to integer, toward zero; out of range it saturates, NaN gives 0";
  let arguments = (ins Tile_FloatLike:$source, UnitAttr:$isUnsigned);
  let results = (outs Tile_IntLike:$result);
  let assemblyFormat = "(`unsigned` $isUnsigned^)? $source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_FromIntOp : Tile_ElementwiseOp<"from_int"> {
  let summary = "integer to float with a single rounding to nearest even";
  let arguments = (ins Tile_IntOrBoolLike:$source, UnitAttr:$isUnsigned);
  let results = (outs Tile_FloatLike:$result);
  let assemblyFormat = "(`unsigned` $isUnsigned^)? $source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_RoundOp : Tile_ElementwiseOp<"round"> {
  let summary = "float to a narrower float: nearest even, one rounding, subnormals kept, NaN stays NaN";
  let arguments = (ins Tile_FloatLike:$source);
  let results = (outs Tile_FloatLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
