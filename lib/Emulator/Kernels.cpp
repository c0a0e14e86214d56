// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Kernels.h"

#include "Emulator/AddressSpaces.h"

#include <algorithm>

namespace metile::emulator {

static constexpr size_t none = TokenEditor::none;

/// Attributes of parameters that are values of the thread; namesakes in Shim/Entry.h.
static bool isBuiltin(std::string_view name) {
  static constexpr std::string_view names[] = {"thread_position_in_grid",
                                               "thread_position_in_threadgroup",
                                               "thread_index_in_threadgroup",
                                               "threadgroup_position_in_grid",
                                               "threadgroups_per_grid",
                                               "threads_per_grid",
                                               "threads_per_threadgroup",
                                               "dispatch_threads_per_threadgroup",
                                               "grid_size",
                                               "grid_origin",
                                               "thread_index_in_simdgroup",
                                               "simdgroup_index_in_threadgroup",
                                               "simdgroups_per_threadgroup",
                                               "dispatch_simdgroups_per_threadgroup",
                                               "threads_per_simdgroup",
                                               "thread_execution_width",
                                               "thread_index_in_quadgroup",
                                               "quadgroup_index_in_threadgroup",
                                               "quadgroups_per_threadgroup",
                                               "dispatch_quadgroups_per_threadgroup"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

KernelTable::KernelTable(TokenEditor &editor, const AttributeTable &attributes,
                         const ScopeTable &scopes)
    : editor(editor), attributes(attributes), scopes(scopes) {
  size_t statement = 0; // First token of the current declaration.
  for (size_t i = 0; i < editor.size(); ++i) {
    const Token &token = editor[i];
    bool opensFunction = editor.is(i, "{") && editor.match(i) != none &&
                         scopes.kindOf(i) == ScopeTable::Kind::functionBody;
    if (opensFunction)
      i = editor.match(i);
    if (opensFunction || token.is(";") || token.is("{") || token.is("}")) {
      statement = i + 1;
      continue;
    }
    // An attribute's own tokens are removed, so its place is asked for instead.
    bool isMarked =
        editor.is(i, "kernel") || (token.is("[") && attributes.find("kernel", i, i + 1));
    if (editor.is(i, "template") && !editor.is(editor.next(i), "<")) {
      size_t end = editor.endOfStatement(i);
      bool isKernel = attributes.find("host_name", i, end) || attributes.find("kernel", i, end);
      for (size_t j = i; j < end && !editor.is(j, "("); ++j)
        isKernel |= editor.is(j, "kernel");
      if (isKernel) {
        readInstantiation(i);
        i = statement = std::min(end, editor.size() - 1);
      }
    } else if (isMarked) {
      readDefinition(i, statement);
    }
  }
}

std::string KernelTable::hostName(size_t first, size_t end, const std::string &otherwise) const {
  const Attribute *attribute = attributes.find("host_name", first, end);
  if (!attribute)
    return otherwise;
  std::string name;
  for (size_t i = attribute->first; i < attribute->end; ++i)
    if (editor[i].kind == Token::Kind::text && editor[i].text.size() >= 2)
      name += editor[i].text.substr(1, editor[i].text.size() - 2);
  return name;
}

void KernelTable::readDefinition(size_t marker, size_t first) {
  if (editor.is(marker, "kernel"))
    editor.remove(marker);
  // A kernel that is not asked for costs nothing if nobody else can call it.
  size_t head = editor.isRemoved(first) ? editor.next(first) : first;
  static constexpr std::string_view linkages[] = {"static", "inline", "extern", "template"};
  if (std::none_of(std::begin(linkages), std::end(linkages),
                   [&](std::string_view word) { return editor.is(head, word); }))
    editor.insertBefore(head, "static ");
  // The parameters: the first parentheses that follow a name.
  size_t open = marker;
  for (; open < editor.size(); ++open) {
    if (editor.is(open, ";") || editor.is(open, "{"))
      return;
    if (!editor.is(open, "(") || editor.match(open) == none)
      continue;
    size_t before = editor.previous(open);
    if (before != none && editor.isIdentifier(before) && !editor.is(before, "__attribute__") &&
        !editor.is(before, "alignas"))
      break;
    open = editor.match(open);
  }
  if (open >= editor.size())
    return;
  size_t close = editor.match(open), name = editor.previous(open);
  size_t after = editor.next(close);
  if (!editor.is(after, "{")) // A declaration, which its definition follows.
    return;
  KernelFunction function;
  function.name = editor[name].text;
  function.isTemplate = editor.is(first, "template") || editor.is(editor.next(first), "template");
  const Attribute *limit = attributes.find("max_total_threads_per_threadgroup", first, after);
  if (limit && !function.isTemplate)
    function.threadLimit = editor.sourceText(limit->first, limit->end);
  size_t start = open + 1;
  for (size_t i = open + 1; i <= close; ++i) {
    if (!editor.isRemoved(i) && editor[i].is("<")) {
      if (size_t closing = editor.closeAngle(i); closing != none)
        i = closing;
    } else if (i < close && (editor.is(i, "(") || editor.is(i, "[")) && editor.match(i) != none) {
      i = editor.match(i);
    } else if (i == close || editor.is(i, ",")) {
      if (editor.next(start - 1) < i)
        function.parameters.push_back(readParameter(start, i));
      start = i + 1;
    }
  }
  functions.push_back(std::move(function));
  if (functions.back().isTemplate)
    return;
  KernelEntry entry;
  entry.hostName = hostName(first, after, functions.back().name);
  entry.pointer = "&::" + scopes.namespacePrefix(name) + functions.back().name;
  entry.function = functions.size() - 1;
  entry.location = editor.location(name);
  entries.push_back(std::move(entry));
}

KernelParameter KernelTable::readParameter(size_t first, size_t end) {
  KernelParameter parameter;
  bool isThreadgroup = false, isBuffer = false;
  size_t name = none;
  for (size_t i = first; i < end; ++i) {
    if (editor.isRemoved(i))
      continue;
    isThreadgroup |= editor[i].is("threadgroup");
    isBuffer |= editor[i].is("device") || editor[i].is("constant");
    if (editor[i].is("[") && editor.match(i) != none)
      i = editor.match(i);
    else if (editor[i].isIdentifier())
      name = i;
  }
  if (name != none) {
    parameter.name = editor[name].text;
    parameter.location = editor.location(name);
  }
  std::string condition;
  const Attribute *bound = nullptr;
  for (const Attribute *attribute : attributes.within(first, end)) {
    if (attribute->name == "function_constant")
      condition =
          ", static_cast<bool>(" + editor.sourceText(attribute->first, attribute->end) + ")";
    else if (!bound)
      bound = attribute;
  }
  const std::string scope = "::metile::emulator::";
  std::string index = bound ? "(" + editor.sourceText(bound->first, bound->end) + ")" : "";
  if (bound)
    parameter.attribute = bound->name + (bound->first < bound->end ? index : std::string());
  if (bound && bound->name == "buffer")
    parameter.binding = scope + "Buffer<" + index + condition + ">";
  else if (bound && bound->name == "threadgroup")
    parameter.binding = scope + "ThreadgroupMemory<" + index + condition + ">";
  else if (bound && (bound->name == "texture" || bound->name == "sampler"))
    parameter.binding = scope + "Texture<" + index + condition + ">";
  else if (bound && isBuiltin(bound->name))
    parameter.binding = scope + "builtins::" + bound->name;
  else if (!bound && isBuffer)
    parameter.binding = scope + "Buffer<" + scope + "implicitIndex" + condition + ">";
  else if (!bound && isThreadgroup)
    parameter.binding = scope + "ThreadgroupMemory<" + scope + "implicitIndex" + condition + ">";
  else
    parameter.binding = scope + "Unsupported";
  return parameter;
}

/// The text of [first, end) as it will be without address spaces.
std::string KernelTable::plainText(size_t first, size_t end) const {
  std::string text;
  for (size_t i = first; i < end; i = editor.next(i)) {
    std::string word = isAddressSpace(editor[i].text) ? editor[i].is("constant") ? "const" : ""
                                                      : editor.text(i, i + 1);
    if (!word.empty() && !(word == "const" && text.ends_with("const")))
      text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

void KernelTable::readInstantiation(size_t keyword) {
  size_t end = editor.endOfStatement(keyword);
  size_t at = editor.next(keyword);
  if (editor.is(at, "kernel"))
    at = editor.next(at);
  // The type: decltype(…), void, or the name of a function type.
  if (editor.is(at, "decltype")) {
    at = editor.next(editor.match(editor.next(at)));
  } else {
    at = editor.next(at);
    while (editor.is(at, "::"))
      at = editor.next(editor.next(at));
    if (editor.is(at, "<")) {
      size_t close = editor.closeAngle(at);
      at = close == none ? end : editor.next(close);
    }
  }
  // The kernel: a name, perhaps with template arguments, perhaps with parameters that tell them.
  size_t first = at, name = none;
  while (at < end && (editor.isIdentifier(at) || editor.is(at, "::"))) {
    if (editor.isIdentifier(at))
      name = at;
    at = editor.next(at);
  }
  bool hasArguments = editor.is(at, "<") && editor.closeAngle(at) != none;
  if (hasArguments)
    at = editor.next(editor.closeAngle(at));
  at = std::min(at, end);
  if (name != none) {
    KernelEntry entry;
    std::string written = plainText(first, at);
    entry.pointer =
        (editor.is(first, "::") ? "&" : "&::" + scopes.namespacePrefix(keyword)) + written;
    if (!hasArguments && editor.is(at, "(") && editor.match(at) != none)
      entry.pointer =
          "static_cast<void (*)" + plainText(at, editor.match(at) + 1) + ">(" + entry.pointer + ")";
    entry.hostName = hostName(keyword, end, written);
    entry.location = editor.location(keyword);
    for (size_t i = functions.size(); i-- > 0;)
      if (functions[i].name == editor[name].text) {
        entry.function = i;
        entries.push_back(std::move(entry));
        break;
      }
  }
  editor.remove(keyword, std::min(end + 1, editor.size()));
}

} // namespace metile::emulator
