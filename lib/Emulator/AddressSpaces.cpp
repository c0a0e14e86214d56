// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/AddressSpaces.h"

#include <algorithm>
#include <set>

namespace metile::emulator {

bool isAddressSpace(std::string_view word) {
  static constexpr std::string_view words[] = {
      "device",      "threadgroup",           "constant", "thread", "ray_data",
      "object_data", "threadgroup_imageblock"};
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

namespace {

/// Whether the qualifier at `index` follows a parameter list: it qualifies a member function.
bool qualifiesFunction(const TokenEditor &editor, size_t index) {
  size_t before = editor.previous(index);
  while (before != TokenEditor::none &&
         (editor[before].is("const") || editor[before].is("volatile") ||
          isAddressSpace(editor[before].text)))
    before = editor.previous(before);
  return before != TokenEditor::none && editor[before].is(")");
}

//===--- Declarations that become the same ---===//

/// One declaration of a scope: [first, end) with its body or semicolon; the head ends before the
/// body, the semicolon or a constructor's initialisers.
struct Declaration {
  size_t first = 0, headEnd = 0, end = 0;
  size_t body = TokenEditor::none; ///< Its `{`.
};

class DuplicateMerger {
public:
  DuplicateMerger(TokenEditor &editor, const ScopeTable &scopes) : editor(editor), scopes(scopes) {}

  void scope(size_t first, size_t end) {
    std::set<std::string> seen;
    for (size_t at = first; at < end;) {
      if (editor.isRemoved(at) || editor.is(at, ";") || editor.is(at, "}")) {
        ++at;
        continue;
      }
      Declaration declaration = read(at, end);
      at = std::max(declaration.end, at + 1);
      using Kind = ScopeTable::Kind;
      Kind kind =
          declaration.body == TokenEditor::none ? Kind::other : scopes.kindOf(declaration.body);
      if (kind == Kind::namespaceBlock) {
        scope(declaration.body + 1, editor.match(declaration.body));
        continue;
      }
      std::string key = keyOf(declaration);
      bool isNew = key.empty() || seen.insert(key).second;
      if (!isNew && spaces)
        editor.remove(declaration.first, declaration.end);
      else if (kind == Kind::classBody)
        scope(declaration.body + 1, editor.match(declaration.body));
    }
  }

private:
  Declaration read(size_t first, size_t end) {
    Declaration declaration;
    declaration.first = first;
    // `public:` and the like open nothing.
    if (editor.is(first + 1, ":") && (editor.is(first, "public") || editor.is(first, "private") ||
                                      editor.is(first, "protected"))) {
      declaration.headEnd = declaration.end = first + 2;
      return declaration;
    }
    bool hasParameters = false, headDone = false, initialises = false;
    for (size_t i = first; i < end; ++i) {
      if (editor.isRemoved(i))
        continue;
      if (editor.is(i, ";")) {
        declaration.end = i + 1;
        if (!headDone)
          declaration.headEnd = i;
        return declaration;
      }
      if (editor.is(i, ":") && hasParameters && !headDone) {
        declaration.headEnd = i;
        headDone = initialises = true;
      } else if (editor.is(i, "=") && !headDone && hasParameters) {
        declaration.headEnd = i; // `= default`
        headDone = true;
      } else if ((editor.is(i, "(") || editor.is(i, "[")) && editor.match(i) != TokenEditor::none) {
        hasParameters |= editor.is(i, "(");
        i = editor.match(i);
      } else if (editor.is(i, "{") && editor.match(i) != TokenEditor::none) {
        // A member's initialiser, as in `: a{1}, b{2} {}`, follows a name and is followed by , or
        // {.
        size_t close = editor.match(i), after = editor.next(close);
        if (initialises && (editor.is(after, ",") || editor.is(after, "{"))) {
          i = close;
          continue;
        }
        if (!headDone)
          declaration.headEnd = i;
        declaration.body = i;
        declaration.end = close + 1;
        bool isFunction = scopes.kindOf(i) == ScopeTable::Kind::functionBody ||
                          scopes.kindOf(i) == ScopeTable::Kind::namespaceBlock;
        if (isFunction)
          return declaration;
        headDone = true; // A class or an initialiser goes on to its semicolon.
        i = close;
      }
    }
    declaration.end = end;
    if (!headDone)
      declaration.headEnd = end;
    return declaration;
  }

  /// The head as it will be, parameter names left out; empty for what cannot be a duplicate. Sets
  /// `spaces` if an address space stood in it.
  std::string keyOf(const Declaration &declaration) {
    spaces = false;
    std::string key = declaration.body == TokenEditor::none ? "declaration" : "definition";
    bool isFunctionOrClass = false;
    std::string_view last;
    int depth = 0;
    for (size_t i = declaration.first; i < declaration.headEnd; ++i) {
      if (editor.isRemoved(i))
        continue;
      std::string_view word = editor[i].text;
      depth += (word == "(") - (word == ")");
      isFunctionOrClass |= word == "(" || word == "struct" || word == "class";
      if (isAddressSpace(word)) {
        spaces = true;
        if (word != "constant" || qualifiesFunction(editor, i))
          continue;
        word = "const";
      }
      if (word == "const" && last == "const")
        continue;
      size_t after = editor.next(i);
      bool isName = depth > 0 && editor.isIdentifier(i) &&
                    (editor.is(after, ",") || editor.is(after, ")") || editor.is(after, "=")) &&
                    last != "(" && last != "," && last != "const";
      if (isName)
        continue;
      (key += ' ') += word;
      last = word;
    }
    return isFunctionOrClass ? key : std::string();
  }

  TokenEditor &editor;
  const ScopeTable &scopes;
  bool spaces = false;
};

//===--- Variables in threadgroup memory ---===//

class ThreadgroupVariables {
public:
  explicit ThreadgroupVariables(TokenEditor &editor) : editor(editor) {}

  /// Rewrites the declaration whose qualifier stands at `keyword`; false if it declares a pointer
  /// or reference, or nothing.
  bool rewrite(size_t keyword) {
    size_t first = keyword;
    for (size_t before = editor.previous(first);
         before != TokenEditor::none &&
         (editor.is(before, "static") || editor.is(before, "volatile") ||
          editor.is(before, "const"));
         before = editor.previous(before))
      first = before;
    size_t before = editor.previous(first);
    bool startsStatement = before == TokenEditor::none || editor.is(before, ";") ||
                           editor.is(before, "{") || editor.is(before, "}") ||
                           editor.is(before, ":");
    if (!startsStatement)
      return false;
    size_t end = editor.endOfStatement(keyword);
    if (!readDeclarators(editor.next(keyword), end))
      return false;
    std::string text;
    for (const Declarator &declarator : declarators)
      text += variable(declarator);
    editor.insertBefore(first, text);
    editor.remove(first, std::min(end + 1, editor.size()));
    return true;
  }

private:
  struct Declarator {
    size_t name;
    std::string dimensions;
  };

  /// Finds the type [typeFirst, typeEnd) and what is declared in [first, end).
  bool readDeclarators(size_t first, size_t end) {
    declarators.clear();
    typeFirst = first;
    typeEnd = TokenEditor::none;
    for (size_t i = first; i < end; i = editor.next(i)) {
      if (editor.is(i, "*") || editor.is(i, "&") || editor.is(i, "&&"))
        return false;
      if (editor.is(i, "<")) {
        size_t close = editor.closeAngle(i);
        if (close == TokenEditor::none)
          return false;
        i = close;
        continue;
      }
      if (editor.is(i, "(") && editor.match(i) != TokenEditor::none) {
        // alignas(16) and the like
        i = editor.match(i);
        continue;
      }
      size_t after = editor.next(i);
      bool declares = editor.isIdentifier(i) && i != first &&
                      (after >= end || editor.is(after, "[") || editor.is(after, "=") ||
                       editor.is(after, ",") || editor.is(after, "{"));
      if (!declares)
        continue;
      if (typeEnd == TokenEditor::none)
        typeEnd = i;
      Declarator declarator{i, {}};
      size_t at = after;
      for (; at < end && editor.is(at, "["); at = editor.next(editor.match(at)))
        declarator.dimensions += editor.text(at, editor.match(at) + 1);
      declarators.push_back(std::move(declarator));
      // An initialiser has no meaning in threadgroup memory.
      while (at < end && !editor.is(at, ",")) {
        if ((editor.is(at, "{") || editor.is(at, "(")) && editor.match(at) != TokenEditor::none)
          at = editor.match(at);
        at = editor.next(at);
      }
      i = at;
      if (at >= end)
        break;
    }
    return !declarators.empty();
  }

  std::string variable(const Declarator &declarator) {
    std::string name(editor[declarator.name].text);
    std::string holder = "MetileHolder" + std::to_string(number++);
    return "struct " + holder + " { " + editor.text(typeFirst, typeEnd) + " " + name +
           declarator.dimensions + "; }; static ::metile::emulator::ThreadgroupVariable " + holder +
           "Place{\"" + name +
           "\", ::metile::emulator::siteOf(__builtin_LINE(), __builtin_COLUMN()), sizeof(" +
           holder + "), 0}; auto &" + name + " = ::metile::emulator::threadgroupMemory<" + holder +
           ">(" + holder + "Place)." + name + ";";
  }

  TokenEditor &editor;
  size_t typeFirst = 0, typeEnd = 0;
  std::vector<Declarator> declarators;
  unsigned number = 0;
};

} // namespace

void mergeDuplicates(TokenEditor &editor, const ScopeTable &scopes) {
  DuplicateMerger(editor, scopes).scope(0, editor.size());
}

void eraseAddressSpaces(TokenEditor &editor, const ScopeTable &scopes) {
  ThreadgroupVariables variables(editor);
  for (size_t i = 0; i < editor.size(); ++i) {
    if (!editor.isIdentifier(i))
      continue;
    std::string_view word = editor[i].text;
    if (word == "coherent") {
      size_t after = editor.next(i);
      if (editor.is(after, "(") && editor.match(after) != TokenEditor::none)
        editor.remove(after, editor.match(after) + 1);
      editor.remove(i);
    }
    if (!isAddressSpace(word) || editor.isReplaced(i))
      continue;
    if (word == "threadgroup" && scopes.inFunction(i) && variables.rewrite(i))
      continue;
    size_t before = editor.previous(i), after = editor.next(i);
    bool isConst = word == "constant" && !qualifiesFunction(editor, i) &&
                   !(before != TokenEditor::none && editor.is(before, "const")) &&
                   !editor.is(after, "const");
    if (isConst)
      editor.replace(i, "const");
    else
      editor.remove(i);
  }
}

} // namespace metile::emulator
