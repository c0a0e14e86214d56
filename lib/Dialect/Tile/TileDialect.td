// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect and its types: what the user means, without layouts and without threads.

#ifndef METILE_DIALECT_TILE_TILEDIALECT_TD
#define METILE_DIALECT_TILE_TILEDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::metile::tile";
  let summary = "Tile kernels as the user wrote them";
  let description = [{
    A kernel is a `func.func` with the unit attribute `tile.kernel`. Its arguments are views
    (`!tile.view`), pointers (`!tile.ptr`) and scalars. A tile value is a builtin ranked tensor of
    static shape; every axis is a power of two; a tile of rank 0 is a plain scalar. Integers are
    signless; operations whose meaning depends on the sign say so. Index arithmetic is `i64`.

    Operations of `arith`, `math` and `scf` keep their meaning. Where theirs is poison or undefined
    (division by zero, over-wide shifts, float to integer, narrowing of floats) this dialect has its
    own.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []>
  : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Tile_PtrType : Tile_Type<"Ptr", "ptr", [VectorElementTypeInterface]> {
  let summary = "address of one element";
  let description = [{
    `!tile.ptr<f16>`. Arithmetic counts in elements. `!tile.ptr<i1>` addresses bytes that hold 0 or 1.
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType), [{
    return $_get(elementType.getContext(), elementType);
  }]>];
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "strided view of memory: base address, sizes and strides";
  let description = [{
    `!tile.view<?x64xf32, [?, 1]>`: shape and element type, then one stride an axis in elements. A
    number instead of `?` is a fact on which code may rely.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        ArrayRefParameter<"int64_t">:$strides);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getShape().size(); }
  }];
}

/// Scalars a tile may hold. The floats of 8 bits are for storage: they are moved, converted and
/// multiplied by `tile.dot`, and all other arithmetic is done on what they widen to.
def Tile_Float : AnyTypeOf<[F16, BF16, F32, F64]>;
def Tile_Float8 : AnyTypeOf<[F8E4M3FN, F8E5M2]>;
def Tile_Int : AnyTypeOf<[I8, I16, I32, I64]>;
def Tile_Number : AnyTypeOf<[F8E4M3FN, F8E5M2, F16, BF16, F32, F64, I1, I8, I16, I32, I64],
                            "number">;
def Tile_Element : AnyTypeOf<[Tile_Number, Tile_PtrType], "number or pointer">;

/// A scalar or a tile of such scalars. Vectors stand for pieces of tiles while a target lowers them.
class Tile_Like<Type element, string what>
  : AnyTypeOf<[element, RankedTensorOf<[element]>, VectorOfAnyRankOf<[element]>],
              what # " or tile of them">;
def Tile_NumberLike : Tile_Like<Tile_Number, "number">;
def Tile_FloatLike : Tile_Like<Tile_Float, "float">;
def Tile_RoundedLike : Tile_Like<AnyTypeOf<[Tile_Float8, Tile_Float]>, "float">;
def Tile_IntLike : Tile_Like<Tile_Int, "integer">;
def Tile_IntOrBoolLike : Tile_Like<AnyTypeOf<[I1, Tile_Int]>, "integer or i1">;
def Tile_BoolLike : Tile_Like<I1, "i1">;
def Tile_PtrLike : Tile_Like<Tile_PtrType, "pointer">;
def Tile_ElementLike : Tile_Like<Tile_Element, "number or pointer">;
def Tile_Tile : RankedTensorOf<[Tile_Element]>;

#endif
