// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Example.h"

#include "Dialect/Tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include <fmt/format.h>

using namespace mlir;

namespace metile::fuzz {
namespace {

/// The extent of an axis that a view leaves open: no multiple of a tile's.
constexpr int64_t openExtent = 70;
/// What a number is that the example takes: small, as it may be an offset or a divisor.
constexpr int64_t scalarValue = 3;
/// Pointers point this far into their memory, so that random offsets stay inside.
constexpr int64_t pointerStart = 64;

/// Makes a kernel around one function.
class Wrapper {
public:
  Wrapper(func::FuncOp example, Program &program)
      : example(example), program(program), b(example.getContext()), loc(example.getLoc()) {}

  void wrap() {
    auto module = ModuleOp::create(loc);
    program.module = module;
    b.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> types(example.getArgumentTypes());
    for (Type &type : types)
      type = parameterType(type);
    for (Type result : example.getResultTypes())
      types.push_back(outputType(result));
    auto kernel = func::FuncOp::create(b, loc, example.getName(), b.getFunctionType(types, {}));
    kernel->setAttr(tile::kernelAttrName, b.getUnitAttr());
    Block *entry = kernel.addEntryBlock();
    b.setInsertionPointToStart(entry);
    if (example.getOps<tile::GridOp>().empty())
      tile::GridOp::create(b, loc, ValueRange{index(1)}, false);

    IRMapping mapping;
    unsigned inputs = example.getNumArguments();
    for (unsigned i = 0; i < inputs; ++i) {
      describe(kernel, i, example.getArgumentTypes()[i]);
      mapping.map(example.getArgument(i),
                  argument(example.getArgumentTypes()[i], entry->getArgument(i)));
    }
    for (Operation &op : example.front().without_terminator())
      b.clone(op, mapping);
    for (auto [i, result] : llvm::enumerate(example.front().getTerminator()->getOperands())) {
      describeOutput(kernel, inputs + i);
      output(mapping.lookup(result), entry->getArgument(inputs + i));
    }
    func::ReturnOp::create(b, loc);
  }

private:
  Value index(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  SmallVector<Value> origin(size_t rank) { return SmallVector<Value>(rank, index(0)); }

  static bool isPointer(Type type) { return isa<tile::PtrType>(tile::elementTypeOf(type)); }
  static bool isView(Type type) { return isa<tile::ViewType>(type); }

  /// A view of dense elements of as many axes as `shape` has.
  static Type denseView(ArrayRef<int64_t> shape, Type element) {
    SmallVector<int64_t> sizes(shape.size(), ShapedType::kDynamic), strides = sizes;
    strides.back() = 1;
    return tile::ViewType::get(element.getContext(), sizes, element, strides);
  }

  /// What the kernel takes where the example takes a value of `type`.
  static Type parameterType(Type type) {
    if (isView(type) || tile::shapeOf(type).empty())
      return type;
    return isPointer(type) ? tile::elementTypeOf(type)
                           : denseView(tile::shapeOf(type), tile::elementTypeOf(type));
  }

  /// The shape and elements that stand for a result of `type`: those behind pointers and views.
  static std::pair<SmallVector<int64_t>, Type> shownAs(Type type) {
    if (auto view = dyn_cast<tile::ViewType>(type)) {
      SmallVector<int64_t> shape(view.getRank(), 64);
      return {shape, view.getElementType()};
    }
    SmallVector<int64_t> shape(tile::shapeOf(type));
    Type element = tile::elementTypeOf(type);
    if (auto pointer = dyn_cast<tile::PtrType>(element))
      element = pointer.getElementType();
    return {shape.empty() ? SmallVector<int64_t>{1} : shape, element};
  }

  static Type outputType(Type result) {
    auto [shape, element] = shownAs(result);
    return denseView(shape, element);
  }

  /// The example's argument, made from the kernel's.
  Value argument(Type type, Value parameter) {
    ArrayRef<int64_t> shape = tile::shapeOf(type);
    if (isView(type) || (shape.empty() && !isPointer(type)))
      return parameter;
    if (!isPointer(type))
      return tile::ViewLoadOp::create(b, loc, type, parameter, origin(shape.size()), Value(),
                                      DenseBoolArrayAttr());
    Value start =
        tile::AddPtrOp::create(b, loc, parameter.getType(), parameter, index(pointerStart));
    if (shape.empty())
      return start;
    int64_t count = cast<RankedTensorType>(type).getNumElements();
    Value places =
        tile::ArangeOp::create(b, loc, RankedTensorType::get({count}, b.getI64Type()), 0);
    if (shape.size() > 1)
      places =
          tile::ReshapeOp::create(b, loc, RankedTensorType::get(shape, b.getI64Type()), places);
    return tile::AddPtrOp::create(b, loc, type, tile::SplatOp::create(b, loc, type, start), places);
  }

  /// Stores a result, or what it refers to.
  void output(Value result, Value view) {
    auto [shape, element] = shownAs(result.getType());
    Type tile = tile::tileOrScalar(shape, element);
    if (isView(result.getType()))
      result = tile::ViewLoadOp::create(b, loc, tile, result, origin(shape.size()), Value(),
                                        DenseBoolArrayAttr());
    if (isPointer(result.getType()))
      result = tile::LoadOp::create(b, loc, tile, result, Value(), Value());
    if (tile::shapeOf(result.getType()).empty())
      result = tile::SplatOp::create(b, loc, tile, result);
    tile::ViewStoreOp::create(b, loc, result, view, origin(shape.size()), DenseBoolArrayAttr());
  }

  void describe(func::FuncOp kernel, unsigned number, Type type) {
    LaunchArgument argument;
    argument.name = fmt::format("a{}", number);
    argument.isInput = true;
    if (auto view = dyn_cast<tile::ViewType>(type)) {
      bool isWritten = llvm::any_of(example.getArgument(number).getUsers(),
                                    [](Operation *user) { return isa<tile::ViewStoreOp>(user); });
      argument.isOutput = isWritten;
      argument.dtype = tile::dtypeOf(view.getElementType());
      for (int64_t size : view.getShape())
        argument.sizes.push_back(ShapedType::isDynamic(size) ? openExtent : size);
      add(kernel, number, argument, isWritten ? "inout" : "in");
    } else if (isPointer(type)) {
      argument.kind = LaunchArgument::Kind::pointer;
      argument.isOutput = true;
      argument.dtype =
          tile::dtypeOf(cast<tile::PtrType>(tile::elementTypeOf(type)).getElementType());
      argument.sizes = {2 * pointerStart + shownCount(type)};
      add(kernel, number, argument, "pointer");
    } else if (ArrayRef<int64_t> shape = tile::shapeOf(type); !shape.empty()) {
      argument.dtype = tile::dtypeOf(tile::elementTypeOf(type));
      argument.sizes = shape.vec();
      add(kernel, number, argument, "in");
    } else {
      argument.kind = LaunchArgument::Kind::scalar;
      argument.dtype = tile::dtypeOf(type);
      argument.value = argument.dtype == DType::boolean ? 1 : scalarValue;
      add(kernel, number, argument, {});
    }
  }

  static int64_t shownCount(Type type) { return ShapedType::getNumElements(shownAs(type).first); }

  void describeOutput(func::FuncOp kernel, unsigned number) {
    auto [shape, element] = shownAs(example.getResultTypes()[number - example.getNumArguments()]);
    LaunchArgument argument;
    argument.name = fmt::format("r{}", number - example.getNumArguments());
    argument.dtype = tile::dtypeOf(element);
    argument.sizes.assign(shape.begin(), shape.end());
    argument.isOutput = true;
    add(kernel, number, argument, "out");
  }

  void add(func::FuncOp kernel, unsigned number, LaunchArgument argument, StringRef role) {
    argument.strides.assign(argument.sizes.size(), 1);
    for (size_t axis = argument.sizes.size(); axis-- > 1;)
      argument.strides[axis - 1] = argument.strides[axis] * argument.sizes[axis];
    kernel.setArgAttr(number, tile::nameAttrName, b.getStringAttr(argument.name));
    if (!role.empty())
      kernel.setArgAttr(number, tile::roleAttrName, b.getStringAttr(role));
    program.arguments.push_back(std::move(argument));
  }

  func::FuncOp example;
  Program &program;
  OpBuilder b;
  mlir::Location loc;
};

} // namespace

Result<std::vector<Program>> examplePrograms(const std::string &text, const std::string &file,
                                             MLIRContext &context) {
  constexpr std::string_view separator = "// -----\n";
  std::vector<Program> programs;
  size_t line = 0;
  for (size_t start = 0; start < text.size();) {
    size_t end = std::min(text.find(separator, start), text.size());
    size_t next = std::min(end + separator.size(), text.size());
    // Behind as many lines as in the file, so that mistakes are found there.
    Result<Program> part =
        parse(std::string(line, '\n') + text.substr(start, end - start), file, context);
    if (!part)
      return part.takeErrors();
    ModuleOp module = part->module.get();
    for (auto function : module.getOps<func::FuncOp>())
      Wrapper(function, programs.emplace_back()).wrap();
    for (; start < next; ++start)
      line += text[start] == '\n';
  }
  return programs;
}

} // namespace metile::fuzz
