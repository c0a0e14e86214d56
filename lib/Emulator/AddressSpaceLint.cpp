// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/AddressSpaceLint.h"

#include "Emulator/AddressSpaces.h"
#include "Emulator/Attributes.h"

#include <algorithm>
#include <map>
#include <set>

namespace metile::emulator {
namespace {

constexpr size_t none = TokenEditor::none;

template <size_t N> bool isOneOf(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// Words that may stand in front of a name without declaring it.
bool isStatementWord(std::string_view word) {
  static constexpr std::string_view words[] = {"return", "else", "case", "goto", "do", "sizeof"};
  return isOneOf(word, words);
}

/// A variable, parameter or pointer as it is declared in the tokens [first, end).
struct Declaration {
  size_t name = none;
  std::string space;  ///< What its value, or what it points to, lies in; empty if not said.
  unsigned stars = 0; ///< Levels of pointers.
  bool isReference = false;
  bool isArray = false;
  bool isClear = true; ///< Its tokens tell all of this.

  bool isIndirect() const { return stars || isReference; }
  /// Whether the name stands for an address in `space`.
  bool isAddress() const { return stars == 1 || (isArray && !stars); }
};

/// A function with a body.
struct Function {
  std::string name;
  bool isKernel = false;
  size_t head = 0, body = 0; ///< First token of the declaration; the `{`.
  std::vector<Declaration> parameters;
};

class Linter {
public:
  explicit Linter(const TokenList &tokens) : editor(tokens), attributes(editor), scopes(editor) {}

  std::vector<Diagnostic> run() {
    for (size_t i = 0; i < editor.size(); ++i)
      if (editor.is(i, "{") && editor.match(i) != none && !scopes.inFunction(i) &&
          scopes.kindOf(i) == ScopeTable::Kind::functionBody)
        readFunction(i);
    for (const Function &function : functions) {
      checkParameters(function);
      checkBody(function);
    }
    checkProgramScope();
    std::vector<Diagnostic> diagnostics;
    for (auto &[token, diagnostic] : found)
      diagnostics.push_back(std::move(diagnostic));
    return diagnostics;
  }

private:
  void report(size_t token, std::string what, std::string allowed, std::string change) {
    found.emplace(token, Diagnostic{editor.location(token), std::move(what), std::move(allowed),
                                    std::move(change)});
  }

  //===--- Reading declarations ---===//

  /// The first token of the declaration or statement that `index` belongs to.
  size_t startOf(size_t index) const {
    size_t start = index;
    for (size_t i = editor.previous(index); i != none; i = editor.previous(i)) {
      if (editor.is(i, ";") || editor.is(i, "{") || editor.is(i, "}"))
        break;
      bool isAccess =
          editor.is(i, ":") && editor.previous(i) != none &&
          (editor.is(editor.previous(i), "public") || editor.is(editor.previous(i), "private") ||
           editor.is(editor.previous(i), "protected"));
      if (isAccess)
        break;
      if ((editor.is(i, ")") || editor.is(i, "]")) && editor.match(i) != none)
        i = editor.match(i);
      start = i;
    }
    return start;
  }

  /// The end of the piece that begins at `first`: a comma outside brackets, or `end`.
  size_t endOfPiece(size_t first, size_t end) const {
    for (size_t i = first; i < end; i = editor.next(i)) {
      if (editor.is(i, ","))
        return i;
      if (editor.is(i, "<") && editor.closeAngle(i) != none && editor.closeAngle(i) < end)
        i = editor.closeAngle(i);
      else if ((editor.is(i, "(") || editor.is(i, "[") || editor.is(i, "{")) &&
               editor.match(i) != none)
        i = editor.match(i);
    }
    return end;
  }

  /// Reads what [first, end) declares; `end` is its initialiser, comma or semicolon.
  Declaration readDeclaration(size_t first, size_t end) const {
    Declaration declaration;
    for (size_t i = first; i < end; i = editor.next(i)) {
      std::string_view word = editor[i].text;
      if (editor.is(i, "=") || editor.is(i, "{"))
        break;
      if (isAddressSpace(word)) {
        // `device T *thread p`: the second says where the pointer itself lies.
        if (!declaration.isIndirect() && declaration.space.empty())
          declaration.space = word;
        else if (!declaration.isIndirect())
          declaration.isClear = false;
      } else if (word == "*") {
        ++declaration.stars;
      } else if (word == "&") {
        declaration.isReference = true;
      } else if (word == "&&" || word == "..." || word == "auto" || word == "operator") {
        declaration.isClear = false;
      } else if (word == "<") {
        size_t close = editor.closeAngle(i);
        if (close == none || close >= end) {
          declaration.isClear = false;
          break;
        }
        i = close;
      } else if (word == "(") {
        // Of alignas, a function pointer, or a reference to an array.
        declaration.isClear = false;
        if (editor.match(i) != none)
          i = editor.match(i);
      } else if (word == "[") {
        declaration.isArray = true;
        if (editor.match(i) != none)
          i = editor.match(i);
      } else if (editor.isIdentifier(i)) {
        declaration.name = i;
      }
    }
    return declaration;
  }

  void readFunction(size_t body) {
    Function function;
    function.head = startOf(body);
    function.body = body;
    size_t at = function.head;
    while (editor.is(at, "template") && editor.is(editor.next(at), "<")) {
      size_t close = editor.closeAngle(editor.next(at));
      if (close == none)
        return;
      at = editor.next(close);
    }
    size_t open = none;
    for (; at < body; at = editor.next(at)) {
      function.isKernel |= editor.is(at, "kernel");
      if (editor.is(at, "operator")) {
        // `operator()` has two pairs of parentheses.
        at = editor.next(at);
        if (editor.is(at, "("))
          at = editor.match(at);
      } else if (editor.is(at, "<") && editor.closeAngle(at) != none) {
        at = editor.closeAngle(at);
      } else if (editor.is(at, "(")) {
        size_t before = editor.previous(at);
        if (before == none || editor.match(at) == none)
          return;
        if (!editor.is(before, "__attribute__") && !editor.is(before, "alignas") &&
            !editor.is(before, "decltype") && !editor.is(before, "requires")) {
          open = at;
          break;
        }
        at = editor.match(at);
      }
    }
    if (open == none)
      return;
    static constexpr std::string_view entries[] = {"kernel", "vertex", "fragment", "visible"};
    for (const Attribute *attribute : attributes.within(function.head, open))
      function.isKernel |= isOneOf(attribute->name, entries);
    if (editor.isIdentifier(editor.previous(open)))
      function.name = editor[editor.previous(open)].text;
    size_t close = editor.match(open);
    for (size_t first = editor.next(open); first < close;) {
      size_t end = endOfPiece(first, close);
      function.parameters.push_back(readDeclaration(first, end));
      first = editor.next(end);
    }
    functions.push_back(std::move(function));
  }

  //===--- Parameters ---===//

  void checkParameters(const Function &function) {
    for (const Declaration &parameter : function.parameters) {
      if (!parameter.isClear || parameter.name == none)
        continue;
      std::string name(editor[parameter.name].text);
      if (parameter.isIndirect() && parameter.space.empty())
        report(parameter.name,
               "parameter '" + name + "' is a " + (parameter.stars ? "pointer" : "reference") +
                   " without an address space",
               function.isKernel ? "device, constant or threadgroup"
                                 : "device, constant, threadgroup or thread",
               "write the address space in front of its type");
      else if (function.isKernel && parameter.isIndirect() && parameter.space == "thread")
        report(parameter.name, "parameter '" + name + "' of a kernel points to thread memory",
               "device, constant or threadgroup", "");
    }
  }

  //===--- Bodies ---===//

  /// The declaration of `name` that holds in this function; null if there is none, or more than one
  /// thing of this name.
  const Declaration *known(size_t name) const {
    auto at = names.find(editor[name].text);
    return at == names.end() || !at->second.isClear ? nullptr : &at->second;
  }

  void addName(const Declaration &declaration) {
    if (declaration.name == none)
      return;
    auto [at, isNew] = names.try_emplace(editor[declaration.name].text, declaration);
    if (!isNew)
      at->second.isClear = false;
  }

  /// Whether a statement begins at `index`.
  bool startsStatement(size_t index) const {
    size_t before = editor.previous(index);
    return before == none || editor.is(before, ";") || editor.is(before, "{") ||
           editor.is(before, "}");
  }

  void checkBody(const Function &function) {
    names.clear();
    for (const Declaration &parameter : function.parameters)
      addName(parameter);
    size_t end = editor.match(function.body);
    struct Local {
      size_t first, end;
      Declaration declaration;
    };
    std::vector<Local> locals;
    for (size_t i = function.body + 1; i < end; ++i) {
      if (editor.isRemoved(i))
        continue;
      // Whatever looks as if it declared a name takes away what is known of it.
      size_t before = editor.previous(i);
      bool declaresOther = editor.isIdentifier(i) && before != none &&
                           ((editor.isIdentifier(before) && !isAddressSpace(editor[before].text) &&
                             !isStatementWord(editor[before].text)) ||
                            editor.is(before, ">"));
      auto shadowed = names.find(editor[i].text);
      if (declaresOther && shadowed != names.end())
        shadowed->second.isClear = false;
      if (!startsStatement(i))
        continue;
      size_t first = i;
      static constexpr std::string_view qualifiers[] = {"const", "static", "constexpr", "volatile"};
      size_t space = i;
      while (space < end && isOneOf(editor[space].text, qualifiers))
        space = editor.next(space);
      if (space >= end || !isAddressSpace(editor[space].text))
        continue;
      size_t stop = std::min(editor.endOfStatement(i), end);
      size_t piece = endOfPiece(first, stop);
      Declaration declaration = readDeclaration(first, piece);
      bool isOne = piece == stop && declaration.isClear && declaration.name != none;
      if (isOne)
        checkPlace(function, declaration);
      if (!isOne)
        declaration.isClear = false;
      locals.push_back({first, piece, declaration});
      i = std::max(i, declaration.name == none ? i : declaration.name);
    }
    for (const Local &local : locals)
      addName(local.declaration);
    for (const Local &local : locals)
      if (const Declaration *target =
              local.declaration.name == none ? nullptr : known(local.declaration.name))
        checkInitialiser(*target, local.end);
    for (size_t i = function.body + 1; i < end; ++i) {
      if (editor.isRemoved(i))
        continue;
      if (editor.is(i, "=") && startsStatement(editor.previous(i)))
        checkAssignment(i);
      else if (editor.is(i, "(") && editor.match(i) != none)
        checkCall(i);
    }
  }

  /// A variable that itself lies in an address space.
  void checkPlace(const Function &function, const Declaration &declaration) {
    if (declaration.isIndirect())
      return;
    std::string name(editor[declaration.name].text);
    if (declaration.space == "threadgroup" && !function.isKernel)
      report(declaration.name,
             "'" + name + "' lies in threadgroup memory, but '" + function.name + "' is no kernel",
             "kernels alone declare threadgroup memory",
             "declare it in the kernel and hand in a threadgroup pointer");
    else if (declaration.space == "device")
      report(declaration.name, "'" + name + "' is a variable in device memory",
             "variables of a function lie in thread or, in a kernel, in threadgroup memory",
             "pass a buffer to the kernel");
  }

  /// The address space of the pointer that the expression [first, end) gives, if its tokens tell.
  std::string spaceOfPointer(size_t first, size_t end) {
    if (first >= end)
      return {};
    if (editor.is(first, "(") && editor.match(first) != none && editor.match(first) < end) {
      size_t close = editor.match(first);
      Declaration type = readDeclaration(editor.next(first), close);
      bool isCast = !type.space.empty() && type.stars == 1 && editor.next(close) < end;
      if (!isCast)
        return editor.next(close) >= end ? spaceOfPointer(editor.next(first), close) : "";
      checkCast(first, type.space, editor.next(close), end);
      return type.space;
    }
    bool takesAddress = editor.is(first, "&");
    size_t name = takesAddress ? editor.next(first) : first;
    if (name >= end || !editor.isIdentifier(name))
      return {};
    const Declaration *declaration = known(name);
    if (!declaration || declaration->space.empty())
      return {};
    size_t after = editor.next(name);
    if (takesAddress) {
      bool isElement = editor.is(after, "[") && editor.match(after) != none;
      if (isElement)
        after = editor.next(editor.match(after));
      bool isPlain = isElement ? declaration->isAddress() : !declaration->stars;
      return isPlain && endsTerm(after, end) ? declaration->space : "";
    }
    return declaration->isAddress() && endsTerm(after, end) ? declaration->space : "";
  }
  bool endsTerm(size_t index, size_t end) const {
    if (index >= end)
      return true;
    if (!editor.is(index, "+") && !editor.is(index, "-"))
      return false;
    // An operator that binds less tightly makes something else of it.
    for (size_t i = index; i < end; i = editor.next(i)) {
      static constexpr std::string_view others[] = {
          "?", "<", ">", "==", "!=", "<=", ">=", "&&", "||", "="};
      if (isOneOf(editor[i].text, others))
        return false;
      if ((editor.is(i, "(") || editor.is(i, "[")) && editor.match(i) != none)
        i = editor.match(i);
    }
    // The difference of two pointers is none.
    return !editor.is(index, "-") || !editor.isIdentifier(editor.next(index)) ||
           !known(editor.next(index));
  }

  void checkCast(size_t open, const std::string &space, size_t first, size_t end) {
    std::string from = spaceOfPointer(first, end);
    if (!from.empty() && from != space && castsReported.insert(open).second)
      report(open, "a cast from " + from + " to " + space + " memory",
             "a pointer keeps its address space", "copy what it points to instead");
  }

  void checkPointer(const std::string &what, const std::string &space, size_t first, size_t end) {
    std::string from = spaceOfPointer(first, end);
    if (!from.empty() && from != space)
      report(first,
             "a pointer to " + from + " memory for " + what + ", which points to " + space +
                 " memory",
             "a pointer keeps its address space",
             "declare it as " + from + ", or copy what it points to");
  }

  void checkInitialiser(const Declaration &target, size_t end) {
    size_t equals = editor.next(target.name);
    if (target.stars == 1 && !target.isReference && editor.is(equals, "="))
      checkPointer("'" + std::string(editor[target.name].text) + "'", target.space,
                   editor.next(equals), end);
  }

  void checkAssignment(size_t equals) {
    size_t name = editor.previous(equals);
    const Declaration *target = editor.isIdentifier(name) ? known(name) : nullptr;
    if (target && target->stars == 1 && !target->isReference && !target->space.empty())
      checkPointer("'" + std::string(editor[name].text) + "'", target->space, editor.next(equals),
                   editor.endOfStatement(equals));
  }

  /// The function called by the parentheses at `open`, if there is but one of its name.
  const Function *calledBy(size_t open) const {
    size_t name = editor.previous(open);
    if (name == none || !editor.isIdentifier(name))
      return nullptr;
    size_t before = editor.previous(name);
    if (before != none &&
        (editor.is(before, ".") || editor.is(before, "->") || editor.is(before, "::")))
      return nullptr;
    const Function *callee = nullptr;
    for (const Function &function : functions)
      if (function.name == editor[name].text) {
        if (callee)
          return nullptr;
        callee = &function;
      }
    return callee;
  }

  void checkCall(size_t open) {
    const Function *callee = calledBy(open);
    if (!callee)
      return;
    size_t close = editor.match(open);
    std::vector<std::pair<size_t, size_t>> pieces;
    for (size_t first = editor.next(open); first < close;) {
      size_t end = endOfPiece(first, close);
      pieces.emplace_back(first, end);
      first = editor.next(end);
    }
    if (pieces.size() != callee->parameters.size())
      return;
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Declaration &parameter = callee->parameters[i];
      if (parameter.isClear && parameter.stars == 1 && !parameter.isReference &&
          !parameter.space.empty() && parameter.name != none)
        checkPointer("parameter '" + std::string(editor[parameter.name].text) + "' of '" +
                         callee->name + "'",
                     parameter.space, pieces[i].first, pieces[i].second);
    }
  }

  //===--- Program scope ---===//

  void checkProgramScope() {
    for (size_t i = 0; i < editor.size();) {
      size_t around = scopes.enclosing(i);
      bool isProgramScope =
          !editor.isRemoved(i) && !scopes.inFunction(i) &&
          (around == none || scopes.kindOf(around) == ScopeTable::Kind::namespaceBlock);
      if (!isProgramScope || editor.is(i, ";") || editor.is(i, "{") || editor.is(i, "}")) {
        ++i;
        continue;
      }
      i = std::max(checkVariable(i), i + 1);
    }
  }

  /// Checks the declaration of program scope that begins at `first`, and returns where it ends, or
  /// where the block that it opens begins.
  size_t checkVariable(size_t first) {
    static constexpr std::string_view others[] = {
        "using",  "typedef", "template",  "struct",        "class",  "enum",    "union",
        "extern", "friend",  "namespace", "static_assert", "inline", "operator"};
    bool isOther = false;
    unsigned names = 0;
    size_t name = none, i = first;
    for (; i < editor.size() && !editor.is(i, ";"); i = editor.next(i)) {
      std::string_view word = editor[i].text;
      bool opensBlock = editor.is(i, "{") && scopes.kindOf(i) != ScopeTable::Kind::other;
      if (opensBlock && scopes.kindOf(i) == ScopeTable::Kind::functionBody)
        return editor.match(i) + 1;
      if (opensBlock)
        return i + 1;
      if (word == "=" || word == "{" || word == "[")
        break;
      // A function, a macro's call, or something between.
      isOther |= word == "(" || word == "*" || word == "&" || isOneOf(word, others) ||
                 isAddressSpace(word);
      if (word == "<" && editor.closeAngle(i) != none)
        i = editor.closeAngle(i);
      else if (word == "(" && editor.match(i) != none)
        i = editor.match(i);
      else if (editor.isIdentifier(i)) {
        name = i;
        ++names;
      }
    }
    size_t end = editor.endOfStatement(i);
    bool isThreadgroup = false;
    for (size_t j = first; j < i; j = editor.next(j))
      isThreadgroup |= editor.is(j, "threadgroup") || editor.is(j, "device");
    bool isCall = false;
    for (size_t j = first; j < i; j = editor.next(j))
      isCall |= editor.is(j, "(") || editor.is(j, "*") || editor.is(j, "using");
    if (name != none && isThreadgroup && !isCall)
      report(name, "'" + std::string(editor[name].text) + "' is a variable of the program",
             "variables of the program lie in constant memory",
             "declare it in the kernel, or pass a buffer");
    else if (name != none && names >= 2 && !isOther && end < editor.size())
      report(name,
             "'" + std::string(editor[name].text) +
                 "' is a variable of the program without an address space",
             "variables of the program lie in constant memory", "write constant in front of it");
    return end + 1;
  }

  TokenEditor editor;
  AttributeTable attributes;
  ScopeTable scopes;
  std::vector<Function> functions;
  std::map<std::string_view, Declaration> names; ///< Of the function that is read.
  std::set<size_t> castsReported;
  std::multimap<size_t, Diagnostic> found; ///< By token, which is their order in the file.
};

} // namespace

std::vector<Diagnostic> lintAddressSpaces(const TokenList &tokens) { return Linter(tokens).run(); }

} // namespace metile::emulator
