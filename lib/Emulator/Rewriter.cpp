// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Rewriter.h"

#include "Emulator/AddressSpaces.h"
#include "Emulator/Kernels.h"

#include <algorithm>
#include <set>

namespace metile::emulator {
namespace {

class Rewriter {
public:
  Rewriter(const TokenList &tokens, const RewriteRequest &request)
      : editor(tokens), request(request) {}

  RewrittenText run() {
    AttributeTable attributes(editor);
    ScopeTable scopes(editor);
    readFunctionConstants(attributes, scopes);
    KernelTable kernels(editor, attributes, scopes);
    mergeDuplicates(editor, scopes);
    eraseAddressSpaces(editor, scopes);
    rewriteLiterals();
    rewriteSwizzles();

    RewrittenText result;
    result.text = givenConstants();
    editor.write(result.text, result.map);
    for (const KernelEntry &entry : kernels.entries)
      result.kernels.push_back({entry.hostName, entry.location});
    std::string rest = entries(kernels, result.hasEntry);
    result.text += rest;
    return result;
  }

private:
  struct FunctionConstant {
    std::string name, index;
  };

  static bool isIndex(const std::string &key) {
    return !key.empty() && key.find_first_not_of("0123456789") == key.npos;
  }
  /// The value given for the constant called `name`, or null.
  const ConstantValue *givenByName(const std::string &name) const {
    auto given = request.constants.find(name);
    return given == request.constants.end() ? nullptr : &given->second;
  }

  /// `constant bool flag [[function_constant(7)]];` becomes a constexpr variable with its value.
  void readFunctionConstants(const AttributeTable &attributes, const ScopeTable &scopes) {
    for (size_t i = 0; i < editor.size(); ++i) {
      if (!editor[i].is("[") || scopes.inFunction(i))
        continue;
      const Attribute *attribute = attributes.find("function_constant", i, i + 1);
      size_t name = attribute ? editor.previous(i) : TokenEditor::none;
      size_t after = editor.next(i);
      if (name == TokenEditor::none || !editor.isIdentifier(name) || !editor.is(after, ";"))
        continue;
      size_t keyword = editor.previous(name);
      while (keyword != TokenEditor::none && !editor.is(keyword, "constant") &&
             !editor.is(keyword, ";") && !editor.is(keyword, "}"))
        keyword = editor.previous(keyword);
      if (keyword == TokenEditor::none || !editor.is(keyword, "constant"))
        continue;
      FunctionConstant constant{std::string(editor[name].text),
                                editor.sourceText(attribute->first, attribute->end)};
      for (size_t j = keyword + 1; j < name; ++j)
        if (editor.is(j, "constexpr") || editor.is(j, "const") || editor.is(j, "static"))
          editor.remove(j);
      std::string type = editor.text(keyword + 1, name);
      const ConstantValue *given = givenByName(constant.name);
      std::string value =
          given ? "static_cast<" + type + ">(" + given->text + ")"
                : "::metile::emulator::functionConstant<" + type + ", (" + constant.index + ")>";
      editor.replace(keyword, "constexpr");
      editor.insertBefore(after, "= " + value);
      std::string known =
          given ? "true" : "::metile::emulator::GivenConstant<(" + constant.index + ")>::given";
      editor.insertBefore(keyword,
                          "constexpr bool metileGiven_" + constant.name + " = " + known + ";");
      constants.push_back(std::move(constant));
    }
    for (size_t i = 0; i < editor.size(); ++i) {
      if (!editor.is(i, "is_function_constant_defined"))
        continue;
      size_t open = editor.next(i), close = editor.is(open, "(") ? editor.match(open) : open;
      if (close == TokenEditor::none || close == open)
        continue;
      editor.replace(i, "metileGiven_" + editor.text(open + 1, close));
      editor.remove(open, close + 1);
    }
  }

  /// 1.0h and 1.0bf are no numbers of C++.
  void rewriteLiterals() {
    for (size_t i = 0; i < editor.size(); ++i) {
      if (editor[i].kind != Token::Kind::number || editor.isRemoved(i))
        continue;
      std::string_view text = editor[i].text;
      bool isHex = text.starts_with("0x") || text.starts_with("0X");
      if (isHex)
        continue;
      std::string_view type;
      if (text.ends_with("bf") || text.ends_with("BF"))
        type = "bfloat";
      else if (text.ends_with("h") || text.ends_with("H"))
        type = "half";
      if (type.empty())
        continue;
      text.remove_suffix(type == "half" ? 1 : 2);
      bool isInteger = text.find_first_of(".eE") == text.npos;
      editor.replace(i, std::string(type) + "(" + std::string(text) + (isInteger ? ".0f)" : "f)"));
    }
  }

  /// What stands for the letters of a swizzle in its getter's name; empty if `word` is none.
  static std::string swizzleLetters(std::string_view word) {
    static constexpr std::string_view colours[] = {"rg", "ba", "rgb", "rgba"};
    if (std::find(std::begin(colours), std::end(colours), word) != std::end(colours)) {
      std::string letters(word);
      for (char &letter : letters)
        letter = "xyzw"[std::string_view("rgba").find(letter)];
      return letters;
    }
    bool isSwizzle = word.size() >= 2 && word.size() <= 4 &&
                     word.find_first_not_of("xyzw") == std::string_view::npos;
    return isSwizzle ? std::string(word) : std::string();
  }

  bool isMember(size_t index) const {
    size_t before = editor.previous(index);
    return before != TokenEditor::none && (editor.is(before, ".") || editor.is(before, "->"));
  }

  /// In a template clang fails at an operator between two properties of types that it does not know
  /// yet. So the left one becomes the call that it means.
  void rewriteSwizzles() {
    static constexpr std::string_view operators[] = {"+", "-",  "*",  "/",  "%",  "&",  "|",  "^",
                                                     "<", "<<", ">>", "==", "!=", "<=", ">=", ">"};
    std::set<std::string_view> ofOthers; // Some class of the user's has a member of this name.
    for (size_t i = 0; i < editor.size(); ++i)
      if (editor.isIdentifier(i) && !isMember(i) && !swizzleLetters(editor[i].text).empty())
        ofOthers.insert(editor[i].text);
    for (size_t i = 0; i < editor.size(); ++i) {
      if (!editor.isIdentifier(i) || !isMember(i) || ofOthers.count(editor[i].text))
        continue;
      std::string letters = swizzleLetters(editor[i].text);
      size_t after = editor.next(i), second = editor.next(std::min(after, editor.size() - 1));
      bool isOperator = after < editor.size() &&
                        std::find(std::begin(operators), std::end(operators), editor[after].text) !=
                            std::end(operators);
      // Tokens of `<<=` and `>>=`, which assign, and of `>>`.
      bool isShift = (editor.is(after, "<<") && editor.is(second, "=")) ||
                     (editor.is(after, ">") && editor.is(second, ">"));
      if (!letters.empty() && isOperator && !isShift)
        editor.replace(i, "get_" + letters + "()");
    }
  }

  /// The values that were given by index, ahead of everything.
  std::string givenConstants() const {
    std::string text = "#include \"Shim.h\"\n";
    for (const auto &[key, value] : request.constants)
      if (isIndex(key))
        text +=
            "template <> struct metile::emulator::GivenConstant<" + key +
            "> { static constexpr bool given = true; static constexpr auto value = " + value.text +
            "; };\n";
    return text;
  }

  /// What the emulator reads and calls, after the kernel's own text.
  std::string entries(const KernelTable &kernels, bool &hasEntry) const {
    std::string text;
    if (request.kernel.empty()) {
      hasEntry = true;
      for (const KernelEntry &entry : kernels.entries)
        text += "template void " + entryType(kernels, entry) + "::run<" + entry.pointer +
                ">(::metile::emulator::Group *);\n";
      return text;
    }
    for (const KernelEntry &entry : kernels.entries)
      if (entry.hostName == request.kernel) {
        hasEntry = true;
        return module(kernels, entry);
      }
    hasEntry = false;
    return text;
  }

  static std::string entryType(const KernelTable &kernels, const KernelEntry &entry) {
    std::string type = "::metile::emulator::EntryOf<decltype(" + entry.pointer + ")";
    for (const KernelParameter &parameter : kernels.functions[entry.function].parameters)
      type += ", " + parameter.binding;
    return type + ">";
  }

  static std::string quoted(const std::string &text) {
    std::string result = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\')
        result += '\\';
      result += c;
    }
    return result + "\"";
  }

  std::string module(const KernelTable &kernels, const KernelEntry &entry) const {
    const KernelFunction &function = kernels.functions[entry.function];
    std::string text = "namespace {\nconstexpr ::metile::emulator::ParameterText metileTexts[] = {";
    for (const KernelParameter &parameter : function.parameters)
      text += "{" + quoted(parameter.name) + ", " + quoted(parameter.attribute) + ", 0}, ";
    text += "{}};\nusing MetileEntry = " + entryType(kernels, entry) +
            ";\nconstexpr auto metileParameters = MetileEntry::parameters(metileTexts);\n"
            "constexpr ::metile::emulator::FunctionConstant metileConstants[] = {";
    for (const FunctionConstant &constant : constants)
      text += "{" + quoted(constant.name) + ", (" + constant.index + "), metileGiven_" +
              constant.name + "}, ";
    text += "{}};\nunsigned metileSlots = 0;\n}\nextern \"C\" "
            "__attribute__((visibility(\"default\"))) const "
            "::metile::emulator::KernelModule metileKernelModule = {"
            "::metile::emulator::abiVersion, " +
            quoted(entry.hostName) + ", metileParameters.elements, " +
            std::to_string(function.parameters.size()) + ", metileConstants, " +
            std::to_string(constants.size()) + ", " +
            (function.threadLimit.empty() ? "0" : "(" + function.threadLimit + ")") +
            ", &MetileEntry::run<" + entry.pointer + ">, &metileSlots};\n";
    return text;
  }

  TokenEditor editor;
  const RewriteRequest &request;
  std::vector<FunctionConstant> constants;
};

} // namespace

RewrittenText rewrite(const TokenList &tokens, const RewriteRequest &request) {
  return Rewriter(tokens, request).run();
}

} // namespace metile::emulator
