// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Frontend.h"
#include "Frontend/Infer.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

using namespace metile;

const char *metile::traceOpName(TraceOp op) {
  static const char *const names[] = {
#define METILE_TRACE_OP(name) #name,
#include "Frontend/TraceOps.def"
  };
  return names[size_t(op)];
}

const char *metile::nameOf(detail::UnaryOp op) {
  static const char *const names[] = {"-",    "~",    "!",       "abs",  "floor", "ceil",
                                      "exp",  "exp2", "log",     "log2", "sqrt",  "rsqrt",
                                      "tanh", "erf",  "sigmoid", "sin",  "cos"};
  return names[size_t(op)];
}

const char *metile::nameOf(detail::BinaryOp op) {
  static const char *const names[] = {"+",         "-",         "*",    "/",       "%",
                                      "&",         "|",         "^",    "&&",      "||",
                                      "<<",        ">>",        "==",   "!=",      "<",
                                      "<=",        ">",         ">=",   "maximum", "minimum",
                                      "floor_div", "floor_mod", "cdiv", "mulhi",   "umulhi"};
  return names[size_t(op)];
}

const char *metile::nameOf(detail::ReduceOp op) {
  static const char *const names[] = {"sum", "max", "min", "argmax", "argmin"};
  return names[size_t(op)];
}

const char *metile::spelling(const TraceOperation &op) {
  switch (op.op) {
  case TraceOp::unary:
    return nameOf(detail::UnaryOp(op.ints[0]));
  case TraceOp::binary:
    return nameOf(detail::BinaryOp(op.ints[0]));
  case TraceOp::reduce:
    return nameOf(detail::ReduceOp(op.ints[0]));
  default:
    return traceOpName(op.op);
  }
}

std::string TraceType::str() const {
  std::string element(name(dtype));
  std::string extents = shape.empty() ? "" : infer::shapeText(shape);
  switch (kind) {
  case Kind::none:
    return "nothing";
  case Kind::poison:
    return "poison";
  case Kind::number:
    return element + extents;
  case Kind::pointer:
    return "pointer to " + element + (extents.empty() ? "" : " " + extents);
  case Kind::view:
    return "view of " + element + ", rank " + std::to_string(shape.size());
  }
  return {};
}

namespace {

/// Prints everything that has a meaning and nothing else.
class Writer {
public:
  Writer(const Trace &trace, std::string &out) : trace(trace), out(out) {}

  void header() {
    out += "kernel " + trace.kernel + " math " + std::to_string(int(trace.math)) + "\n";
    static const char *const roles[] = {"in", "out", "inout", "pointer", "scalar"};
    for (const ArgumentInfo &argument : trace.arguments)
      out += "argument " + argument.name + " " + roles[int(argument.role)] + " " +
             std::string(name(argument.dtype)) + " " + std::to_string(argument.rank) + "\n";
    for (const Fact &fact : trace.facts)
      out += "fact " + std::to_string(int(fact.kind)) + " " + std::to_string(fact.argument) + " " +
             std::to_string(fact.axis) + " " + std::to_string(fact.value) + "\n";
    for (const auto &[constant, value] : trace.constants)
      out += "constant " + constant + " " + std::to_string(value) + "\n";
  }

  void region(const TraceRegion &r, unsigned depth) {
    out += "(";
    list(r.arguments, true);
    out += ") {\n";
    for (const TraceOperation &operation : r.operations)
      write(operation, depth + 1);
    if (!r.yields.empty()) {
      indent(depth + 1);
      out += "yield ";
      list(r.yields, false);
      out += "\n";
    }
    indent(depth);
    out += "}";
  }

private:
  void indent(unsigned depth) { out.append(2 * depth, ' '); }
  void list(const std::vector<TraceValue> &values, bool types) {
    for (size_t i = 0; i < values.size(); ++i) {
      out += (i ? ", %" : "%") + std::to_string(values[i]);
      if (types)
        out += ": " + typeText(trace.types[values[i]]);
    }
  }
  static std::string typeText(const TraceType &type) {
    if (!type.isView())
      return type.str();
    return "view of " + std::string(name(type.dtype)) + infer::shapeText(type.shape) +
           infer::shapeText(type.strides);
  }

  /// Whatever the text holds, it cannot be taken for what follows.
  void quoted(const std::string &text) {
    out += " \"";
    for (char c : text) {
      if (c == '"' || c == '\\' || c == '\n')
        out += '\\';
      out += c == '\n' ? 'n' : c;
    }
    out += '"';
  }

  void write(const TraceOperation &operation, unsigned depth) {
    indent(depth);
    if (!operation.results.empty()) {
      list(operation.results, true);
      out += " = ";
    }
    out += traceOpName(operation.op);
    if (!operation.operands.empty()) {
      out += " ";
      list(operation.operands, false);
    }
    if (!operation.ints.empty())
      out += " " + infer::shapeText(operation.ints);
    if (operation.op == TraceOp::constant && operation.ints.empty()) {
      // The bits: decimal digits would depend on the C library.
      uint64_t bits;
      std::memcpy(&bits, &operation.real, sizeof bits);
      char text[32];
      std::snprintf(text, sizeof text, " 0x%016" PRIx64, bits);
      out += text;
    }
    if (!operation.text.empty())
      quoted(operation.text);
    for (const TraceRegion &r : operation.regions) {
      out += " ";
      region(r, depth);
    }
    out += "\n";
  }

  const Trace &trace;
  std::string &out;
};

} // namespace

std::string metile::canonicalText(const Trace &trace) {
  std::string out;
  Writer writer(trace, out);
  writer.header();
  out += "body";
  writer.region(trace.body, 0);
  out += "\n";
  return out;
}
