// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CHeader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace metile::tools {

/// Words that C or C++ keeps for itself, and the fields of the struct that are no arguments.
static bool isReserved(std::string_view name) {
  static const std::set<std::string_view> words = {
      "alignas",  "alignof",   "and",          "asm",       "auto",      "bool",     "break",
      "case",     "catch",     "char",         "class",     "const",     "continue", "default",
      "delete",   "do",        "double",       "else",      "enum",      "explicit", "export",
      "extern",   "false",     "float",        "for",       "friend",    "goto",     "if",
      "inline",   "int",       "long",         "mutable",   "namespace", "new",      "not",
      "operator", "or",        "private",      "protected", "public",    "register", "restrict",
      "return",   "short",     "signed",       "sizeof",    "static",    "struct",   "switch",
      "template", "this",      "throw",        "true",      "try",       "typedef",  "typename",
      "union",    "unsigned",  "using",        "virtual",   "void",      "volatile", "while",
      "xor",      "workspace", "debug_channel"};
  return words.contains(name);
}

static bool isIdentifier(const std::string &name) {
  return !isReserved(name) && !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// The C type that holds one scalar; floats that C lacks are passed as their bits.
static std::string_view cType(DType dtype) {
  switch (dtype) {
  case DType::boolean:
  case DType::u8:
  case DType::f8e4m3:
  case DType::f8e5m2:
    return "uint8_t";
  case DType::i8:
    return "int8_t";
  case DType::i16:
    return "int16_t";
  case DType::i32:
    return "int32_t";
  case DType::i64:
    return "int64_t";
  case DType::u16:
  case DType::f16:
  case DType::bf16:
    return "uint16_t";
  case DType::u32:
    return "uint32_t";
  case DType::u64:
    return "uint64_t";
  case DType::f32:
    return "float";
  case DType::f64:
    return "double";
  }
  return "";
}

static std::string_view roleText(ArgumentRole role) {
  switch (role) {
  case ArgumentRole::in:
    return "read";
  case ArgumentRole::out:
    return "written";
  case ArgumentRole::inout:
    return "read and written";
  case ArgumentRole::pointer:
    return "an address";
  case ArgumentRole::scalar:
    return "a number";
  }
  return "";
}

namespace {

class HeaderWriter {
public:
  explicit HeaderWriter(const Artifact &artifact)
      : artifact(artifact), name(artifact.kernel), upper(artifact.kernel) {
    for (char &c : upper)
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (const ArgumentInfo &argument : artifact.arguments)
      parameterSlots += argument.slots();
    for (const Workspace &workspace : artifact.workspaces)
      shared += workspace.scope == Workspace::Scope::launch;
    shows = !artifact.debugSites.empty();
  }

  std::string write() {
    writeTop();
    if (shows)
      writeDebug();
    writeStruct();
    writeMemory();
    writeCheck();
    writeGrid();
    writeRun();
    text += fmt::format("\n#endif /* METILE_{}_H */\n", upper);
    return std::move(text);
  }

private:
  template <class... Args> void put(fmt::format_string<Args...> format, Args &&...args) {
    text += fmt::format(format, std::forward<Args>(args)...);
    text += '\n';
  }

  void writeTop() {
    put("/* {} for {}, made by metile.", name, artifact.target);
    put("   Include this in C or C++ and link {}.o. It needs no library.", name);
    if (!artifact.constants.empty()) {
      std::string constants;
      for (const auto &[constant, value] : artifact.constants)
        constants += fmt::format(" {}={}", constant, value);
      put("   Constants:{}", constants);
    }
    put("   Needs a processor with: {}",
        artifact.features.empty() ? "nothing special" : artifact.features);
    put("   This file and the object code may be used under any terms. */");
    put("#ifndef METILE_{0}_H\n#define METILE_{0}_H\n", upper);
    put("#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n");
    put("#ifdef __cplusplus\nextern \"C\" {{\n#endif");
    std::set<std::string> entries;
    for (const Step &step : artifact.steps)
      if (entries.insert(step.entry).second)
        put("int32_t {}(const uint64_t *slots, int64_t begin, int64_t end, void *scratch);",
            step.entry);
    put("#ifdef __cplusplus\n}}\n#endif\n");
    put("enum {{ {}_steps = {} }};\n", name, artifact.steps.size());
  }

  static std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\')
        result += '\\';
      if (static_cast<unsigned char>(c) < ' ' || c == '?')
        result += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
      else
        result += c;
    }
    return result + "\"";
  }

  void writeDebug() {
    put("/* Whoever wants to see what the kernel prints, asserts or probes hands in a channel. "
        "`show`");
    put("   is called with a number that says where in the kernel (an index of {}_debug_sites),",
        name);
    put("   the program's indices and the addresses of the values there, row-major and valid "
        "during");
    put("   the call; for a failed assertion values[0] points to an int64_t, the index of the "
        "first");
    put("   element that is false. Several threads may call at once. */");
    put("#ifndef METILE_DEBUG_CHANNEL\n#define METILE_DEBUG_CHANNEL");
    put("struct metile_debug_channel {{");
    put("  void *host; /* handed back to show */");
    put("  void (*show)(void *host, int32_t site, int64_t x, int64_t y, int64_t z,");
    put("               const void *const *values);\n}};\n#endif\n");
    put("static const struct {{\n  const char *kind, *text, *place;\n}} {}_debug_sites[] = {{",
        name);
    for (const DebugSite &site : artifact.debugSites) {
      static constexpr std::string_view kinds[] = {"print", "assertion", "probe"};
      std::string values;
      for (const DebugSite::Value &value : site.values)
        values += fmt::format("{}{} {}", values.empty() ? "" : ", ", longName(value.dtype),
                              fmt::join(value.shape, "x"));
      put("    {{{}, {}, {}}}, /* {} */", quoted(kinds[static_cast<size_t>(site.kind)]),
          quoted(site.text), quoted(site.location.str()), values.empty() ? "no value" : values);
    }
    put("}};\n");
  }

  void writeStruct() {
    put("/* The arguments of one launch. Sizes and strides count elements. Memory that is written");
    put("   must not overlap other arguments. */");
    put("struct {}_arguments {{", name);
    for (const ArgumentInfo &argument : artifact.arguments) {
      std::string_view type = argument.role == ArgumentRole::in ? "const void *" : "void *";
      if (argument.role == ArgumentRole::scalar)
        put("  {} {}; /* {}, {} */", cType(argument.dtype), argument.name, roleText(argument.role),
            longName(argument.dtype));
      else
        put("  {}{}; /* {}, {} */", type, argument.name, roleText(argument.role),
            longName(argument.dtype));
      std::string axes;
      for (const char *what : {"size", "stride"})
        for (uint32_t axis = 0; argument.isView() && axis < argument.rank; ++axis)
          axes += fmt::format("{}{}_{}_{}", axes.empty() ? "" : ", ", argument.name, what, axis);
      if (!axes.empty())
        put("  int64_t {};", axes);
    }
    if (shows)
      put("  const struct metile_debug_channel *debug_channel; /* NULL: nothing is shown */");
    if (shared)
      put("  void *workspace; /* {}_workspace_bytes of memory, aligned to {} */", name,
          alignmentOf(Workspace::Scope::launch));
    put("}};\n");
  }

  uint32_t alignmentOf(Workspace::Scope scope) const {
    uint32_t alignment = 64;
    for (const Workspace &workspace : artifact.workspaces)
      if (workspace.scope == scope)
        alignment = std::max(alignment, workspace.alignment);
    return alignment;
  }

  /// Local copies of what `expressions` read, under the names that SizeExpr::str uses.
  void putLocals(const std::vector<const SizeExpr *> &expressions) {
    std::set<std::string> names;
    for (const SizeExpr *expression : expressions) {
      for (const SizeExpr::Term &term : expression->terms) {
        using Kind = SizeExpr::Kind;
        if (term.kind != Kind::size && term.kind != Kind::stride && term.kind != Kind::scalar)
          continue;
        SizeExpr alone;
        alone.terms.push_back(term);
        names.insert(alone.str(artifact.arguments));
      }
    }
    for (const std::string &local : names)
      put("  const int64_t {0} = (int64_t)args->{0};", local);
    if (names.empty())
      put("  (void)args;");
  }

  void writeBytes(std::string_view function, Workspace::Scope scope) {
    std::vector<const SizeExpr *> expressions;
    for (const Workspace &workspace : artifact.workspaces)
      if (workspace.scope == scope)
        expressions.push_back(&workspace.bytes);
    put("static inline size_t {0}_{1}(const struct {0}_arguments *args) {{", name, function);
    put("  size_t bytes = 0;");
    putLocals(expressions);
    for (const Workspace &workspace : artifact.workspaces)
      if (workspace.scope == scope)
        put("  bytes = (bytes + {0}) / {1} * {1} + (size_t)({2}); /* {3} */",
            workspace.alignment - 1, workspace.alignment, workspace.bytes.str(artifact.arguments),
            workspace.name);
    put("  return bytes;\n}}\n");
  }

  void writeMemory() {
    put("/* Bytes of scratch memory for each thread, aligned to {}; 0: none is needed. */",
        alignmentOf(Workspace::Scope::worker));
    writeBytes("scratch_bytes", Workspace::Scope::worker);
    if (!shared)
      return;
    put("/* Bytes of the memory that all threads of a launch share. */");
    writeBytes("workspace_bytes", Workspace::Scope::launch);
  }

  std::string condition(const Fact &fact) const {
    const std::string &argument = artifact.arguments[fact.argument].name;
    std::string size = fmt::format("args->{}_size_{}", argument, fact.axis);
    std::string stride = fmt::format("args->{}_stride_{}", argument, fact.axis);
    switch (fact.kind) {
    case Fact::Kind::sizeEquals:
      return fmt::format("{} == {}", size, fact.value);
    case Fact::Kind::sizeDivisible:
      return fmt::format("{} % {} == 0", size, fact.value);
    case Fact::Kind::strideEquals:
      return fmt::format("{} == {}", stride, fact.value);
    case Fact::Kind::strideDivisible:
      return fmt::format("{} % {} == 0", stride, fact.value);
    case Fact::Kind::aligned:
      return fmt::format("(uintptr_t)args->{} % {} == 0", argument, fact.value);
    case Fact::Kind::scalarEquals:
      return fmt::format("(int64_t)args->{} == {}", argument, fact.value);
    case Fact::Kind::scalarDivisible:
      return fmt::format("(int64_t)args->{} % {} == 0", argument, fact.value);
    }
    return "1";
  }

  void writeCheck() {
    put("/* NULL if the code may run on these arguments, else what it relies on and misses. */");
    put("static inline const char *{0}_check(const struct {0}_arguments *args) {{", name);
    put("  (void)args;");
    for (const Fact &fact : artifact.facts)
      put("  if (!({}))\n    return \"{} relies on: {}\";", condition(fact), name,
          fact.str(artifact.arguments));
    put("  return NULL;\n}}\n");
  }

  void writeGrid() {
    put("/* The programs of a step along x, y and z; their product is returned. */");
    put("static inline int64_t {0}_grid(const struct {0}_arguments *args, int step, "
        "int64_t grid[3]) {{",
        name);
    std::vector<const SizeExpr *> expressions;
    for (const Step &step : artifact.steps)
      for (const SizeExpr &extent : step.grid)
        expressions.push_back(&extent);
    putLocals(expressions);
    put("  grid[0] = grid[1] = grid[2] = 0;\n  switch (step) {{");
    for (size_t i = 0; i < artifact.steps.size(); ++i) {
      put("  case {}:", i);
      for (size_t axis = 0; axis < 3; ++axis)
        put("    grid[{}] = {};", axis, artifact.steps[i].grid[axis].str(artifact.arguments));
      put("    break;");
    }
    put("  default:\n    break;\n  }}");
    put("  return grid[0] * grid[1] * grid[2];\n}}\n");
  }

  void writeSlots() {
    put("  uint64_t slots[{}];", parameterSlots + 3 + shows + shared);
    put("  memset(slots, 0, sizeof slots);");
    uint32_t slot = 0;
    for (const ArgumentInfo &argument : artifact.arguments) {
      if (argument.role == ArgumentRole::scalar) {
        put("  memcpy(&slots[{0}], &args->{1}, sizeof args->{1});", slot++, argument.name);
        continue;
      }
      put("  slots[{}] = (uint64_t)(uintptr_t)args->{};", slot++, argument.name);
      for (const char *what : {"size", "stride"})
        for (uint32_t axis = 0; argument.isView() && axis < argument.rank; ++axis)
          put("  slots[{}] = (uint64_t)args->{}_{}_{};", slot++, argument.name, what, axis);
    }
    put("  for (int axis = 0; axis < 3; ++axis)\n    slots[{} + axis] = (uint64_t)grid[axis];",
        slot);
    slot += 3;
    if (shows)
      put("  slots[{}] = (uint64_t)(uintptr_t)args->debug_channel;", slot++);
    if (!shared)
      return;
    std::vector<const SizeExpr *> expressions;
    for (const Workspace &workspace : artifact.workspaces)
      if (workspace.scope == Workspace::Scope::launch)
        expressions.push_back(&workspace.bytes);
    put("  size_t offset = 0;");
    putLocals(expressions);
    for (const Workspace &workspace : artifact.workspaces) {
      if (workspace.scope != Workspace::Scope::launch)
        continue;
      put("  offset = (offset + {0}) / {1} * {1};", workspace.alignment - 1, workspace.alignment);
      put("  slots[{}] = (uint64_t)(uintptr_t)args->workspace + offset; /* {} */", slot++,
          workspace.name);
      put("  offset += (size_t)({});", workspace.bytes.str(artifact.arguments));
    }
    put("  (void)offset;");
  }

  void writeRun() {
    put("/* Runs the programs [begin, end) of a step. Threads may share a step in any way, each "
        "with");
    put("   scratch of its own; a step may begin when the one before is done. 0: success{} */",
        shows
            ? ",\n   n: the assertion of debug site n - 1 failed, and later programs were not run."
            : ".");
    put("static inline int {0}_run(const struct {0}_arguments *args, int step, int64_t begin, "
        "int64_t end,\n                          void *scratch) {{",
        name);
    put("  int64_t grid[3];");
    put("  if (begin >= end || {}_grid(args, step, grid) == 0)\n    return 0;", name);
    writeSlots();
    put("  switch (step) {{");
    for (size_t i = 0; i < artifact.steps.size(); ++i)
      put("  case {}:\n    return {}(slots, begin, end, scratch);", i, artifact.steps[i].entry);
    put("  default:\n    return -1;\n  }}\n}}\n");

    put("/* Checks the arguments and runs everything on the calling thread. 0: success; -1: see");
    put("   {0}_check; else what {0}_run returned. */", name);
    put("static inline int {0}_launch(const struct {0}_arguments *args, void *scratch) {{", name);
    put("  if ({}_check(args))\n    return -1;", name);
    put("  for (int step = 0; step < {}_steps; ++step) {{", name);
    put("    int64_t grid[3];");
    put("    int64_t programs = {}_grid(args, step, grid);", name);
    put("    int failed = {}_run(args, step, 0, programs, scratch);", name);
    put("    if (failed)\n      return failed;\n  }}\n  return 0;\n}}");
  }

  const Artifact &artifact;
  std::string name, upper;
  uint32_t parameterSlots = 0;
  uint32_t shared = 0; ///< Workspaces of the whole launch.
  bool shows = false;  ///< Whether there are debug sites.
  std::string text;
};

} // namespace

Result<std::string> cHeader(const Artifact &artifact) {
  Errors errors;
  auto check = [&](std::string_view what, const std::string &name) {
    if (!isIdentifier(name))
      errors.diagnostics.push_back({{},
                                    fmt::format("the {} '{}' cannot be named in C", what, name),
                                    "letters, digits and _, no digit first, no word of C or C++",
                                    "rename it"});
  };
  check("kernel", artifact.kernel);
  for (const ArgumentInfo &argument : artifact.arguments)
    check("argument", argument.name);
  if (!errors.diagnostics.empty())
    return errors;
  return HeaderWriter(artifact).write();
}

} // namespace metile::tools
