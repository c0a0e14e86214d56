// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunArguments.h"

#include "Bench/Check.h"
#include "Support/DTypePrefix.h"
#include "Support/Nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace metile::tools {

namespace {

/// "float32_257x255".
std::string describe(DType dtype, const std::vector<int64_t> &sizes) {
  std::string text = std::string(longName(dtype)) + "_";
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i ? "x" : "") + std::to_string(sizes[i]);
  return text;
}

class Fitter {
public:
  Fitter(const std::string &kernel, const std::vector<Kernel::Parameter> &parameters,
         const CaseFamily *family, const RunWords &words)
      : kernel(kernel), parameters(parameters), family(family), words(words) {}

  Result<RunArguments> run() {
    for (const Kernel::Parameter &parameter : parameters)
      names.push_back(parameter.name);
    auto inputs = assignments(words.inputs, "NAME=FILE.npy");
    auto shapes = assignments(words.shapes, "NAME=DTYPE_SIZES");
    auto scalars = assignments(words.scalars, "NAME=VALUE");
    result.files = assignments(words.outputs, "NAME=FILE.npy");
    if (!errors.diagnostics.empty())
      return std::move(errors);

    if (!words.caseName.empty()) {
      if (!family)
        return error(fmt::format("{} has no cases", kernel), "",
                     "say how large its arguments are with --input and --shape");
      Result<Case> made = family->parse(words.caseName);
      if (!made)
        return made.takeErrors();
      result.made = std::move(*made);
    }
    for (const auto &[name, file] : inputs) {
      Result<NpyArray> array = readNpy(file);
      if (array)
        result.contents.emplace(name, std::move(*array));
      else
        add(array.takeErrors());
    }
    if (!errors.diagnostics.empty())
      return std::move(errors);
    if (words.caseName.empty()) {
      result.made.name = "as given";
      result.made.kernel = kernel;
      for (const Kernel::Parameter &parameter : parameters)
        addParameter(parameter, shapes);
    } else if (!shapes.empty()) {
      add(error("--case and --shape both say how large arguments are", "", "give one of them"));
    }
    if (!errors.diagnostics.empty())
      return std::move(errors);
    for (const auto &[name, text] : scalars)
      setScalar(name, text);
    for (const auto &[name, file] : result.files)
      checkOutput(name);
    for (const auto &[name, array] : result.contents)
      checkContents(name, array);
    if (!errors.diagnostics.empty())
      return std::move(errors);
    return std::move(result);
  }

private:
  void add(const Errors &more) {
    errors.diagnostics.insert(errors.diagnostics.end(), more.diagnostics.begin(),
                              more.diagnostics.end());
  }

  /// The assignments in `texts` by name; a name that is no argument, or comes twice, is an error.
  std::map<std::string, std::string> assignments(const std::vector<std::string> &texts,
                                                 std::string_view what) {
    std::map<std::string, std::string> found;
    for (const std::string &text : texts) {
      auto assignment = splitAssignment(text, what);
      if (!assignment)
        add(assignment.errors());
      else if (std::find(names.begin(), names.end(), assignment->first) == names.end())
        add(unknownName(fmt::format("argument of kernel {}", kernel), assignment->first, names));
      else if (!found.insert(*assignment).second)
        add(error(fmt::format("argument '{}' is given twice", assignment->first)));
    }
    return found;
  }

  CaseArgument *find(const std::string &name) {
    for (CaseArgument &argument : result.made.arguments)
      if (argument.name == name)
        return &argument;
    return nullptr;
  }

  void addParameter(const Kernel::Parameter &parameter,
                    const std::map<std::string, std::string> &shapes) {
    CaseArgument argument;
    argument.name = parameter.name;
    argument.output =
        parameter.role == ArgumentRole::out || parameter.role == ArgumentRole::inout ||
        (parameter.role == ArgumentRole::pointer && result.files.contains(parameter.name));
    argument.random = parameter.role != ArgumentRole::out;
    auto shape = shapes.find(parameter.name);
    auto file = result.contents.find(parameter.name);
    bool fromFile = file != result.contents.end();
    if (parameter.role == ArgumentRole::scalar) {
      bool given = std::any_of(words.scalars.begin(), words.scalars.end(),
                               [&](auto &text) { return text.starts_with(parameter.name + "="); });
      if (!given)
        add(error(fmt::format("scalar '{}' has no value", parameter.name), "",
                  fmt::format("add --scalar {}=VALUE", parameter.name)));
    } else if (fromFile) {
      argument.dtype = file->second.dtype;
      argument.sizes = file->second.sizes;
      if (shape != shapes.end())
        add(error(fmt::format("argument '{}' has both a file and a shape", parameter.name)));
    } else if (shape != shapes.end()) {
      readShape(argument, shape->second);
      if (parameter.role != ArgumentRole::out && !words.random)
        add(error(fmt::format("argument '{}' has no contents", parameter.name), "",
                  fmt::format("add --input {}=FILE.npy, or --random", parameter.name)));
    } else {
      add(error(fmt::format("nothing says how large argument '{}' is", parameter.name), "",
                fmt::format("add --shape {0}=float32_SIZExSIZE{1}, or name a --case",
                            parameter.name,
                            parameter.role == ArgumentRole::out
                                ? ""
                                : fmt::format(" or --input {}=FILE.npy", parameter.name))));
    }
    result.made.arguments.push_back(std::move(argument));
  }

  void readShape(CaseArgument &argument, const std::string &text) {
    std::string_view rest = text;
    std::optional<DType> dtype = takeDType(rest);
    bool good = dtype.has_value();
    std::string sizes(rest);
    // Far more than any memory holds, and 64 bits still hold the bytes.
    constexpr int64_t largestProduct = int64_t(1) << 56;
    int64_t product = 1;
    for (size_t begin = 0; good && begin <= sizes.size();) {
      size_t end = std::min(sizes.find('x', begin), sizes.size());
      std::optional<int64_t> size = parseInteger(sizes.substr(begin, end - begin));
      good = size && *size >= 1 && !__builtin_mul_overflow(product, *size, &product) &&
             product <= largestProduct;
      argument.sizes.push_back(size.value_or(0));
      begin = end + 1;
    }
    if (!good)
      add(error(fmt::format("'{}' is no shape", text),
                "it is written DTYPE_SIZExSIZE, with 2^56 elements at most",
                "for example float32_257x255"));
    argument.dtype = dtype.value_or(DType::f32);
  }

  /// "5" is an integer, "0.5" a float32, "float16:0.5" says its type.
  void setScalar(const std::string &name, const std::string &text) {
    CaseArgument *argument = find(name);
    if (!argument->isScalar()) {
      add(error(fmt::format("'{}' is an array", name), "",
                fmt::format("use --input {}=FILE.npy", name)));
      return;
    }
    size_t colon = text.find(':');
    std::string number = colon == text.npos ? text : text.substr(colon + 1);
    std::optional<DType> dtype;
    if (colon != text.npos) {
      dtype = parseDType(text.substr(0, colon));
      if (!dtype) {
        add(error(fmt::format("'{}' is no dtype", text.substr(0, colon)),
                  "for example float32, int64"));
        return;
      }
    }
    std::optional<double> value = parseReal(number);
    if (!value) {
      add(error(fmt::format("scalar '{}' is set to '{}'", name, text), "a number"));
      return;
    }
    if (dtype)
      argument->dtype = *dtype;
    else if (words.caseName.empty())
      argument->dtype = parseInteger(number) ? DType::i64 : DType::f32;
    argument->value = *value;
    argument->random = false;
  }

  void checkOutput(const std::string &name) {
    const CaseArgument *argument = find(name);
    if (argument->output)
      return;
    std::vector<std::string> outputs;
    for (const CaseArgument &other : result.made.arguments)
      if (other.output)
        outputs.push_back(other.name);
    add(error(fmt::format("argument '{}' is not written by the kernel", name),
              fmt::format("it writes {}", listNames(outputs, "and"))));
  }

  void checkContents(const std::string &name, const NpyArray &array) {
    const CaseArgument *argument = find(name);
    if (argument->isScalar())
      add(error(fmt::format("'{}' is a scalar", name), "",
                fmt::format("use --scalar {}=VALUE", name)));
    else if (argument->dtype != array.dtype || argument->sizes != array.sizes)
      add(error(fmt::format("argument '{}' comes as {}", name, describe(array.dtype, array.sizes)),
                fmt::format("case {} has {}", result.made.name,
                            describe(argument->dtype, argument->sizes))));
  }

  const std::string &kernel;
  const std::vector<Kernel::Parameter> &parameters;
  const CaseFamily *family;
  const RunWords &words;
  std::vector<std::string> names;
  RunArguments result;
  Errors errors;
};

} // namespace

Result<RunArguments> runArguments(const std::string &kernel,
                                  const std::vector<Kernel::Parameter> &parameters,
                                  const CaseFamily *family, const RunWords &words) {
  return Fitter(kernel, parameters, family, words).run();
}

/// Copies `array` into the memory of `argument`, which has its dtype and sizes.
static void fill(bench::Argument &argument, const NpyArray &array) {
  size_t element = byteSize(argument.dtype);
  for (int64_t i = 0; i < argument.count(); ++i)
    std::memcpy(argument.data + argument.offset(i) * static_cast<int64_t>(element),
                array.bytes.data() + static_cast<size_t>(i) * element, element);
}

void addRunOptions(CommandLine &line, RunWords &words) {
  line.app.add_option("--case", words.caseName, "shapes, dtypes and random contents of a case");
  line.addRepeated("--input", words.inputs, "NAME=FILE.npy: contents of an argument");
  line.addRepeated("--shape", words.shapes, "NAME=DTYPE_SIZExSIZE of an argument without a file");
  line.addRepeated("--scalar", words.scalars, "NAME=VALUE or NAME=DTYPE:VALUE");
  line.app.add_flag("--random", words.random, "random contents for inputs without a file");
  line.app.add_option("--seed", words.seed, "of random contents");
}

Result<bench::ArgumentSet> launchMemory(const RunArguments &arguments, uint64_t seed) {
  Result<bench::ArgumentSet> memory = bench::ArgumentSet::make(arguments.made, seed, false);
  if (!memory)
    return memory.takeErrors();
  for (bench::Argument &argument : memory->arguments())
    if (auto array = arguments.contents.find(argument.name); array != arguments.contents.end())
      fill(argument, array->second);
    else if (argument.output && !argument.input)
      bench::poison(argument);
  return memory;
}

NpyArray gather(const bench::Argument &argument) {
  size_t element = byteSize(argument.dtype);
  NpyArray array;
  array.dtype = argument.dtype;
  array.sizes = argument.sizes;
  array.bytes.resize(static_cast<size_t>(argument.count()) * element);
  for (int64_t i = 0; i < argument.count(); ++i)
    std::memcpy(array.bytes.data() + static_cast<size_t>(i) * element,
                argument.data + argument.offset(i) * static_cast<int64_t>(element), element);
  return array;
}

} // namespace metile::tools
