// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Scopes.h"

namespace metile::emulator {

ScopeTable::ScopeTable(const TokenEditor &editor)
    : editor(editor), functions(editor.size(), false), parents(editor.size(), TokenEditor::none) {
  std::vector<size_t> open;
  for (size_t i = 0; i < editor.size(); ++i) {
    parents[i] = open.empty() ? TokenEditor::none : open.back();
    Kind around = open.empty() ? Kind::namespaceBlock : kinds[open.back()];
    bool insideFunction = around == Kind::functionBody ||
                          (around == Kind::other && !open.empty() && functions[open.back()]);
    functions[i] = insideFunction;
    if (editor.isRemoved(i))
      continue;
    if (editor[i].is("{") && editor.match(i) != TokenEditor::none) {
      kinds[i] = classify(i, insideFunction);
      open.push_back(i);
    } else if (editor[i].is("}") && !open.empty() && editor.match(open.back()) == i) {
      open.pop_back();
    }
  }
}

ScopeTable::Kind ScopeTable::classify(size_t brace, bool insideFunction) const {
  bool hasParameters = false, isFirst = true;
  for (size_t i = editor.previous(brace); i != TokenEditor::none; i = editor.previous(i)) {
    const Token &token = editor[i];
    if (token.is(";") || token.is("{") || token.is("}"))
      break;
    if (isFirst && (token.is("=") || token.is(",") || token.is("return")))
      return Kind::other;
    isFirst = false;
    if ((token.is(")") || token.is("]")) && editor.match(i) != TokenEditor::none) {
      hasParameters |= token.is(")");
      i = editor.match(i);
      continue;
    }
    if (token.is("("))
      break; // The brace stands inside an argument list.
    if (token.is("namespace"))
      return Kind::namespaceBlock;
    if (token.is("enum"))
      return Kind::other;
    if (token.is("extern") && !hasParameters)
      return Kind::namespaceBlock;
    if (token.is("struct") || token.is("class") || token.is("union")) {
      // `class T` among template parameters is none.
      size_t before = editor.previous(i);
      bool isParameter =
          before != TokenEditor::none && (editor[before].is("<") || editor[before].is(","));
      if (!isParameter && !hasParameters)
        return Kind::classBody;
    }
  }
  return hasParameters || insideFunction ? Kind::functionBody : Kind::other;
}

std::string ScopeTable::namespacePrefix(size_t index) const {
  std::string prefix;
  for (size_t brace = parents[index]; brace != TokenEditor::none; brace = parents[brace]) {
    if (kinds.at(brace) != Kind::namespaceBlock)
      continue;
    std::string name;
    for (size_t i = editor.previous(brace); i != TokenEditor::none && !editor[i].is("namespace");
         i = editor.previous(i))
      name = std::string(editor[i].text) + name;
    if (!name.empty() && name.front() != '"')
      prefix = name + "::" + prefix;
  }
  return prefix;
}

} // namespace metile::emulator
