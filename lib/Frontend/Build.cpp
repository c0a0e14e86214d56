// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Build.h"
#include "Frontend/Frontend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/Path.h"

using namespace metile;
using namespace mlir;

// The enumerations are the same, in the same order.
static_assert(int(tile::AtomicKind::Xchg) == int(metile::detail::AtomicOp::xchg) &&
              int(tile::AtomicKind::And) == int(metile::detail::AtomicOp::bitAnd) &&
              int(tile::MemoryOrder::AcqRel) == int(sem::acq_rel));

Build::Build(const Trace &builtTrace, MLIRContext &context, Probes probes)
    : trace(builtTrace), probes(probes), builder(&context), loc(builder.getUnknownLoc()),
      values(trace.types.size()) {
  context.loadDialect<tile::TileDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                      scf::SCFDialect>();
}

mlir::OwningOpRef<ModuleOp> metile::buildModule(const Trace &trace, MLIRContext &context,
                                                Probes probes) {
  return Build(trace, context, probes).run();
}

// ---- types and places
// ----------------------------------------------------------------------------

Type Build::elementType(DType dtype) {
  switch (dtype) {
  case DType::boolean:
    return builder.getI1Type();
  case DType::f8e4m3:
    return Float8E4M3FNType::get(builder.getContext());
  case DType::f8e5m2:
    return Float8E5M2Type::get(builder.getContext());
  case DType::f16:
    return builder.getF16Type();
  case DType::bf16:
    return builder.getBF16Type();
  case DType::f32:
    return builder.getF32Type();
  case DType::f64:
    return builder.getF64Type();
  default:
    return builder.getIntegerType(8 * byteSize(dtype));
  }
}

Type Build::typeOf(const TraceType &type) {
  Type element = elementType(type.dtype);
  if (type.isView()) {
    SmallVector<int64_t> shape(ArrayRef<int64_t>(type.shape)),
        strides(ArrayRef<int64_t>(type.strides));
    for (int64_t &n : shape)
      n = n < 0 ? ShapedType::kDynamic : n;
    for (int64_t &n : strides)
      n = n < 0 ? ShapedType::kDynamic : n;
    return tile::ViewType::get(builder.getContext(), shape, element, strides);
  }
  if (type.isPointer())
    element = tile::PtrType::get(element);
  return tile::tileOrScalar(type.shape, element);
}

mlir::Location Build::place(uint32_t number) {
  // Names of files, not paths: the same kernel gives the same module wherever it is built.
  auto single = [&](const metile::Location &l) -> mlir::Location {
    return FileLineColLoc::get(builder.getContext(), llvm::sys::path::filename(l.file), l.line,
                               l.column);
  };
  const metile::Location &l = trace.locations[number];
  mlir::Location result = single(l);
  for (const metile::Location &caller : l.calledFrom)
    result = CallSiteLoc::get(result, single(caller));
  return result;
}

SmallVector<Value> Build::get(const std::vector<TraceValue> &list, size_t from) const {
  SmallVector<Value> result;
  for (size_t i = from; i < list.size(); ++i)
    result.push_back(values[list[i]]);
  return result;
}

void Build::argumentAttributes(unsigned number, SmallVectorImpl<NamedAttribute> &result) {
  const ArgumentInfo &argument = trace.arguments[number];
  auto add = [&](StringRef name, Attribute value) {
    result.push_back({builder.getStringAttr(name), value});
  };
  static const char *const roles[] = {"in", "out", "inout", "pointer"};
  add(tile::nameAttrName, builder.getStringAttr(argument.name));
  if (argument.role != ArgumentRole::scalar)
    add(tile::roleAttrName, builder.getStringAttr(roles[unsigned(argument.role)]));
  SmallVector<int64_t> sizes(argument.rank, 1), strides(argument.rank, 1);
  for (const Fact &fact : trace.facts) {
    if (fact.argument != number)
      continue;
    switch (fact.kind) {
    case Fact::Kind::aligned:
      add(tile::alignmentAttrName, builder.getI64IntegerAttr(fact.value));
      break;
    case Fact::Kind::scalarDivisible:
      add(tile::divisibilityAttrName, builder.getI64IntegerAttr(fact.value));
      break;
    case Fact::Kind::sizeDivisible:
      sizes[fact.axis] = fact.value;
      break;
    case Fact::Kind::strideDivisible:
      strides[fact.axis] = fact.value;
      break;
    default:
      break; // Equalities stand in the type or replace the argument.
    }
  }
  auto isOne = [](int64_t n) { return n == 1; };
  if (!llvm::all_of(sizes, isOne))
    add(tile::sizeDivisibilityAttrName, builder.getDenseI64ArrayAttr(sizes));
  if (!llvm::all_of(strides, isOne))
    add(tile::strideDivisibilityAttrName, builder.getDenseI64ArrayAttr(strides));
}

// ---- structure
// -----------------------------------------------------------------------------------

mlir::OwningOpRef<ModuleOp> Build::run() {
  mlir::OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> types;
  for (TraceValue argument : trace.body.arguments)
    types.push_back(typeOf(type(argument)));
  auto function =
      func::FuncOp::create(builder, loc, trace.kernel, builder.getFunctionType(types, {}));
  function->setAttr(tile::kernelAttrName, builder.getUnitAttr());
  for (unsigned i = 0; i < types.size(); ++i) {
    SmallVector<NamedAttribute> attributes;
    argumentAttributes(i, attributes);
    function.setArgAttrs(i, attributes);
  }
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  for (auto [i, argument] : llvm::enumerate(trace.body.arguments)) {
    values[argument] = block->getArgument(i);
    for (const Fact &fact : trace.facts)
      if (fact.kind == Fact::Kind::scalarEquals && fact.argument == i)
        values[argument] = constant(type(argument), fact.value, double(fact.value));
  }
  body(trace.body, *block);
  func::ReturnOp::create(builder, loc);
  return module;
}

void Build::body(const TraceRegion &region, Block &block) {
  builder.setInsertionPointToEnd(&block);
  for (const TraceOperation &op : region.operations) {
    operation(op);
    if (probes == Probes::every)
      probeResults(op);
  }
}

void Build::operation(const TraceOperation &op) {
  loc = place(op.location);
  Type result = op.results.empty() ? Type() : typeOf(type(op.results[0]));
  auto define = [&](Value value) { values[op.results[0]] = value; };
  auto operand = [&](size_t i) { return get(op.operands[i]); };
  auto dtypeOf = [&](size_t i) { return type(op.operands[i]).dtype; };
  switch (op.op) {
  case TraceOp::constant:
    return define(constant(type(op.results[0]), op.ints.empty() ? 0 : op.ints[0], op.real));
  case TraceOp::grid:
    tile::GridOp::create(builder, loc, get(op.operands), op.ints[0] != 0);
    return;
  case TraceOp::programId:
    return define(tile::ProgramIdOp::create(builder, loc, result, op.ints[0]));
  case TraceOp::numPrograms:
    return define(tile::NumProgramsOp::create(builder, loc, result, op.ints[0]));
  case TraceOp::arange:
    return define(tile::ArangeOp::create(builder, loc, result, op.ints[0]));
  case TraceOp::splat:
    return define(tile::SplatOp::create(builder, loc, result, operand(0)));
  case TraceOp::expandDims:
    if (type(op.operands[0]).shape.empty())
      return define(tile::ReshapeOp::create(builder, loc, result, operand(0)));
    return define(tile::ExpandDimsOp::create(builder, loc, result, operand(0), op.ints[0]));
  case TraceOp::broadcast:
    return define(tile::BroadcastOp::create(builder, loc, result, operand(0)));
  case TraceOp::reshape:
    return define(tile::ReshapeOp::create(builder, loc, result, operand(0)));
  case TraceOp::join:
    return define(tile::JoinOp::create(builder, loc, result, operand(0), operand(1)));
  case TraceOp::split: {
    auto halves = tile::SplitOp::create(builder, loc, result, result, operand(0));
    values[op.results[0]] = halves.getLhs();
    values[op.results[1]] = halves.getRhs();
    return;
  }
  case TraceOp::flip:
    return define(tile::FlipOp::create(builder, loc, result, operand(0), op.ints[0]));
  case TraceOp::gather:
    return define(tile::GatherOp::create(builder, loc, result, operand(0), operand(1), op.ints[0]));
  case TraceOp::transpose:
    return define(tile::TransposeOp::create(builder, loc, result, operand(0),
                                            builder.getDenseI64ArrayAttr(op.ints)));
  case TraceOp::cast:
    return define(cast(operand(0), dtypeOf(0), type(op.results[0]).dtype));
  case TraceOp::bitcast:
    if (operand(0).getType() == result)
      return define(operand(0));
    return define(arith::BitcastOp::create(builder, loc, result, operand(0)));
  case TraceOp::select:
    return define(arith::SelectOp::create(builder, loc, operand(0), operand(1), operand(2)));
  case TraceOp::unary:
    return define(unary(metile::detail::UnaryOp(op.ints[0]), operand(0), dtypeOf(0)));
  case TraceOp::binary:
    return define(binary(metile::detail::BinaryOp(op.ints[0]), metile::nan(op.ints[1]), operand(0),
                         operand(1), dtypeOf(0)));
  case TraceOp::fma:
    return define(math::FmaOp::create(builder, loc, operand(0), operand(1), operand(2)));
  case TraceOp::addPtr:
    return define(tile::AddPtrOp::create(builder, loc, result, operand(0), operand(1)));
  case TraceOp::load:
    return define(tile::LoadOp::create(builder, loc, result, operand(0),
                                       op.operands.size() > 1 ? operand(1) : Value(),
                                       op.operands.size() > 2 ? operand(2) : Value()));
  case TraceOp::store:
    tile::StoreOp::create(builder, loc, operand(0), operand(1),
                          op.operands.size() > 2 ? operand(2) : Value());
    return;
  case TraceOp::viewSize:
    return define(tile::ViewSizeOp::create(builder, loc, result, operand(0), op.ints[0]));
  case TraceOp::viewStride:
    return define(tile::ViewStrideOp::create(builder, loc, result, operand(0), op.ints[0]));
  case TraceOp::viewAt:
    return define(tile::ViewAtOp::create(builder, loc, result, operand(0), get(op.operands, 1)));
  case TraceOp::viewTranspose:
    return define(tile::ViewTransposeOp::create(builder, loc, result, operand(0),
                                                builder.getDenseI64ArrayAttr(op.ints)));
  case TraceOp::viewLoad: {
    SmallVector<Value> offsets = get(op.operands, 1);
    Value fill = op.ints[0] ? offsets.pop_back_val() : Value();
    return define(tile::ViewLoadOp::create(builder, loc, result, operand(0), offsets, fill,
                                           DenseBoolArrayAttr()));
  }
  case TraceOp::viewStore:
    tile::ViewStoreOp::create(builder, loc, operand(0), operand(1), get(op.operands, 2),
                              DenseBoolArrayAttr());
    return;
  case TraceOp::viewPointers: {
    auto pointers = tile::ViewPointersOp::create(builder, loc, result, typeOf(type(op.results[1])),
                                                 operand(0), get(op.operands, 1));
    values[op.results[0]] = pointers.getPtr();
    values[op.results[1]] = pointers.getInside();
    return;
  }
  case TraceOp::atomicRmw: {
    using metile::detail::AtomicOp;
    auto code = AtomicOp(op.ints[0]);
    bool isUnsigned =
        (code == AtomicOp::max || code == AtomicOp::min) && !isSigned(type(op.results[0]).dtype);
    return define(tile::AtomicRmwOp::create(builder, loc, result, tile::AtomicKind(op.ints[0]),
                                            isUnsigned, tile::MemoryOrder(op.ints[1]), operand(0),
                                            operand(1),
                                            op.operands.size() > 2 ? operand(2) : Value()));
  }
  case TraceOp::atomicCas:
    return define(tile::AtomicCasOp::create(builder, loc, result, tile::MemoryOrder(op.ints[0]),
                                            operand(0), operand(1), operand(2),
                                            op.operands.size() > 3 ? operand(3) : Value()));
  case TraceOp::reduce:
    return define(reduce(op));
  case TraceOp::combine:
  case TraceOp::scan:
    return combine(op);
  case TraceOp::sort:
    return sort(op);
  case TraceOp::histogram:
    return define(tile::HistogramOp::create(builder, loc, result, operand(0),
                                            op.operands.size() > 1 ? operand(1) : Value()));
  case TraceOp::dot: {
    auto mode =
        precision(op.ints[0]) == precision::tf32 ? tile::Precision::Tf32 : tile::Precision::Ieee;
    return define(tile::DotOp::create(builder, loc, result, operand(0), operand(1), operand(2),
                                      mode, dtypeOf(0) == DType::u8, dtypeOf(1) == DType::u8));
  }
  case TraceOp::print: {
    SmallVector<bool> isUnsigned;
    for (size_t i = 0; i < op.operands.size(); ++i)
      isUnsigned.push_back(isUnsignedInteger(dtypeOf(i)));
    tile::PrintOp::create(builder, loc, op.text, get(op.operands),
                          llvm::is_contained(isUnsigned, true)
                              ? builder.getDenseBoolArrayAttr(isUnsigned)
                              : DenseBoolArrayAttr());
    return;
  }
  case TraceOp::assertion:
    tile::AssertOp::create(builder, loc, operand(0), op.text);
    return;
  case TraceOp::probe:
    if (probes != Probes::none)
      probe(op.text, op.operands[0]);
    return;
  case TraceOp::forLoop:
  case TraceOp::whileLoop:
  case TraceOp::ifThenElse:
    return structured(op);
  case TraceOp::placeholder:
  case TraceOp::result:
  case TraceOp::tileOf:
  case TraceOp::unreadable:
    llvm_unreachable("operation of an unfinished trace");
  }
}

void Build::probe(StringRef name, TraceValue value) {
  tile::ProbeOp::create(builder, loc, name, get(value), isUnsignedInteger(type(value).dtype));
}

void Build::probeResults(const TraceOperation &op) {
  // What combines elements is no part of a program's text: there is nothing to stop at.
  Operation *around = builder.getInsertionBlock()->getParentOp();
  if (op.op == TraceOp::constant || isa<tile::ReduceOp, tile::ScanOp>(around))
    return;
  loc = place(op.location);
  for (TraceValue result : op.results)
    if (type(result).isNumber())
      probe(spelling(op), result);
}

void Build::structured(const TraceOperation &op) {
  mlir::Location here = loc;
  OpBuilder::InsertionGuard guard(builder);
  Operation *made = nullptr;
  auto bind = [&](const TraceRegion &region, Block &block) {
    for (auto [argument, value] : llvm::zip_equal(region.arguments, block.getArguments()))
      values[argument] = value;
  };
  SmallVector<Type> types;
  for (TraceValue result : op.results)
    types.push_back(typeOf(type(result)));
  SmallVector<mlir::Location> places(types.size(), here);

  if (op.op == TraceOp::forLoop) {
    Value step = get(op.operands[2]);
    // scf.for needs a positive step; a step of zero or less would not end.
    if (!step.getDefiningOp<arith::ConstantOp>() && !step.getDefiningOp<tile::NumProgramsOp>())
      step = arith::MaxSIOp::create(builder, here, step, integerSplat(1, step.getType()));
    auto loop = scf::ForOp::create(builder, here, get(op.operands[0]), get(op.operands[1]), step,
                                   get(op.operands, 3));
    made = loop;
    const TraceRegion &region = op.regions[0];
    bind(region, *loop.getBody());
    if (types.empty())
      loop.getBody()->getTerminator()->erase();
    body(region, *loop.getBody());
    scf::YieldOp::create(builder, here, get(region.yields));
  } else if (op.op == TraceOp::whileLoop) {
    auto loop = scf::WhileOp::create(builder, here, types, get(op.operands));
    made = loop;
    Block *before = builder.createBlock(&loop.getBefore(), {}, types, places);
    bind(op.regions[0], *before);
    body(op.regions[0], *before);
    scf::ConditionOp::create(builder, here, get(op.regions[0].yields[0]),
                             get(op.regions[0].yields, 1));
    Block *after = builder.createBlock(&loop.getAfter(), {}, types, places);
    bind(op.regions[1], *after);
    body(op.regions[1], *after);
    scf::YieldOp::create(builder, here, get(op.regions[1].yields));
  } else {
    const TraceRegion &otherwise = op.regions[1];
    bool hasElse = !types.empty() || !otherwise.operations.empty();
    auto branch = scf::IfOp::create(builder, here, types, get(op.operands[0]),
                                    /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
    made = branch;
    body(op.regions[0], *branch.thenBlock());
    scf::YieldOp::create(builder, here, get(op.regions[0].yields));
    if (hasElse) {
      body(otherwise, *branch.elseBlock());
      scf::YieldOp::create(builder, here, get(otherwise.yields));
    }
  }
  for (auto [result, value] : llvm::zip_equal(op.results, made->getResults()))
    values[result] = value;
}
