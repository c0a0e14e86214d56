// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"

#include "Support/HalfFloat.h"
#include "metile/code_loader.h"
#include "metile/compile.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <random>

namespace metile::conformance {

double roundTo(DType dtype, double value) {
  switch (dtype) {
  case DType::f16:
    return floatFromF16(f16FromDouble(value));
  case DType::bf16:
    return floatFromBf16(bf16FromDouble(value));
  case DType::f32:
    return static_cast<float>(value);
  default:
    return value;
  }
}

int64_t wrapTo(DType dtype, int64_t value) {
  switch (dtype) {
  case DType::boolean:
    return value != 0;
  case DType::i8:
    return static_cast<int8_t>(value);
  case DType::i16:
    return static_cast<int16_t>(value);
  case DType::i32:
    return static_cast<int32_t>(value);
  case DType::u8:
    return static_cast<uint8_t>(value);
  case DType::u16:
    return static_cast<uint16_t>(value);
  case DType::u32:
    return static_cast<uint32_t>(value);
  default:
    return value;
  }
}

static constexpr std::byte guardByte{0xa5};

Array::Array(DType dtype, std::vector<int64_t> sizes, std::vector<int64_t> strides)
    : type(dtype), extents(std::move(sizes)), steps(std::move(strides)),
      guardBytes(guardElements * byteSize(dtype)) {
  if (steps.empty()) {
    int64_t step = 1;
    steps.resize(extents.size());
    for (size_t axis = extents.size(); axis-- > 0; step *= extents[axis])
      steps[axis] = step;
  }
  int64_t last = 0;
  bool empty = false;
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    last += std::max<int64_t>(0, extents[axis] - 1) * steps[axis];
    empty |= extents[axis] == 0;
  }
  size_t bytes = empty ? 0 : static_cast<size_t>(last + 1) * byteSize(type);
  storage.assign(bytes + 2 * guardBytes, guardByte);
  // Behind the end of a float array lie NaNs: reading them shows.
  if (isFloat(type))
    for (size_t i = 0; i < guardBytes; i += byteSize(type)) {
      std::memset(storage.data() + i, 0xff, byteSize(type));
      std::memset(storage.data() + storage.size() - guardBytes + i, 0xff, byteSize(type));
    }
}

int64_t Array::count() const {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

int64_t Array::offsetOf(int64_t index) const {
  int64_t offset = 0;
  for (size_t axis = extents.size(); axis-- > 0; index /= extents[axis])
    offset += index % extents[axis] * steps[axis];
  return offset;
}

template <class T> static T loadAs(const std::byte *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

static Number readNumber(DType dtype, const std::byte *address) {
  switch (dtype) {
  case DType::f16:
    return {0, floatFromF16(loadAs<uint16_t>(address))};
  case DType::bf16:
    return {0, floatFromBf16(loadAs<uint16_t>(address))};
  case DType::f32:
    return {0, loadAs<float>(address)};
  case DType::f64:
    return {0, loadAs<double>(address)};
  default:
    int64_t integer = 0;
    std::memcpy(&integer, address, byteSize(dtype));
    // A bool is read as it is: anything but 0 and 1 must show.
    return {dtype == DType::boolean ? integer : wrapTo(dtype, integer), 0};
  }
}

static void writeNumber(DType dtype, std::byte *address, Number value) {
  uint64_t bits = static_cast<uint64_t>(value.integer);
  if (dtype == DType::f16)
    bits = f16FromDouble(value.real);
  else if (dtype == DType::bf16)
    bits = bf16FromDouble(value.real);
  else if (dtype == DType::f32)
    bits = std::bit_cast<uint32_t>(static_cast<float>(value.real));
  else if (dtype == DType::f64)
    bits = std::bit_cast<uint64_t>(value.real);
  std::memcpy(address, &bits, byteSize(dtype));
}

Number Array::get(int64_t index) const {
  return readNumber(type, storage.data() + guardBytes + offsetOf(index) * byteSize(type));
}

void Array::set(int64_t index, Number value) {
  writeNumber(type, data() + offsetOf(index) * byteSize(type), value);
}

Number Array::at(std::initializer_list<int64_t> position) const {
  int64_t offset = 0;
  size_t axis = 0;
  for (int64_t coordinate : position)
    offset += coordinate * steps[axis++];
  return readNumber(type, storage.data() + guardBytes + offset * byteSize(type));
}

void Array::fillRandom(uint64_t seed, bool wide) {
  std::mt19937_64 random(seed);
  static constexpr double specials[] = {0.0,
                                        -0.0,
                                        1.0,
                                        -1.0,
                                        std::numeric_limits<double>::infinity(),
                                        -std::numeric_limits<double>::infinity(),
                                        std::numeric_limits<double>::quiet_NaN(),
                                        6e-8,
                                        -3e-6,
                                        65504.0,
                                        -1e30,
                                        0.5,
                                        1.5,
                                        2.5,
                                        -2.5,
                                        1e-39};
  for (int64_t i = 0; i < count(); ++i) {
    uint64_t bits = random();
    double unit = static_cast<double>(bits >> 11) / static_cast<double>(uint64_t(1) << 53);
    Number value;
    if (wide) {
      value.integer = wrapTo(type, static_cast<int64_t>(bits));
      if (bits % 16 == 0) // The ends of the range, zero and minus one, where rules differ.
        value.integer =
            wrapTo(type, std::array<int64_t, 4>{0, -1, int64_t(1) << (8 * byteSize(type) - 1),
                                                1}[bits / 16 % 4]);
      value.real = bits % 4 == 0 ? specials[bits / 4 % std::size(specials)] : (unit - 0.5) * 200;
    } else {
      value.integer = wrapTo(type, static_cast<int64_t>(bits % (isUnsigned(type) ? 10 : 19)) -
                                       (isUnsigned(type) ? 0 : 9));
      value.real = unit * 4 - 2;
    }
    if (type == DType::boolean)
      value.integer = static_cast<int64_t>(bits & 1);
    set(i, value);
  }
}

void Array::poison() {
  for (int64_t i = 0; i < count(); ++i)
    set(i, {0x55, std::numeric_limits<double>::quiet_NaN()});
}

bool Array::guardsIntact() const {
  std::byte expected = isFloat(type) ? std::byte{0xff} : guardByte;
  auto intact = [&](const std::byte *from) {
    return std::all_of(from, from + guardBytes, [&](std::byte byte) { return byte == expected; });
  };
  return intact(storage.data()) && intact(storage.data() + storage.size() - guardBytes);
}

std::function<double(double)> ulps(DType dtype, double count) {
  int fraction = dtype == DType::f16    ? 10
                 : dtype == DType::bf16 ? 7
                 : dtype == DType::f32  ? 23
                                        : 52;
  int lowest = dtype == DType::f16 ? -14 : dtype == DType::f64 ? -1022 : -126;
  return [=](double expected) {
    int exponent = lowest;
    if (expected != 0 && std::isfinite(expected))
      exponent = std::max(lowest, std::ilogb(expected));
    return count * std::ldexp(1.0, exponent - fraction);
  };
}

static std::string spell(DType dtype, Number value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value.real);
  return isFloat(dtype) ? text : std::to_string(value.integer);
}

/// Empty if `got` equals `expected` within the bound, else what differs first.
static std::string compare(const Array &got, const Array &expected,
                           const std::function<double(double)> &bound) {
  int64_t wrong = 0;
  std::string first;
  for (int64_t i = 0; i < got.count(); ++i) {
    Number a = got.get(i), b = expected.get(i);
    bool equal = a.integer == b.integer;
    if (isFloat(got.dtype())) {
      equal = a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
      if (!equal && bound)
        equal = std::abs(a.real - b.real) <= bound(b.real);
    }
    if (equal)
      continue;
    if (wrong++ == 0)
      first = "element " + std::to_string(i) + " is " + spell(got.dtype(), a) + ", expected " +
              spell(got.dtype(), b);
  }
  return wrong ? first + " (" + std::to_string(wrong) + " of " + std::to_string(got.count()) +
                     " wrong)"
               : std::string();
}

/// Compiles and loads the kernel of `check`; `sizes`: what its code may rely on.
static Result<Executable> build(const Check &check, const std::string &device, SizeFacts sizes) {
  CompileOptions options;
  options.target = device;
  options.useCache = false;
  options.sizes = sizes;
  for (const auto &[constant, value] : check.constants)
    options.schedule +=
        (options.schedule.empty() ? "" : ",") + constant + "=" + std::to_string(value);
  std::vector<ArgumentSpec> specs;
  for (size_t i = 0; i < check.arguments.size(); ++i) {
    const Array &array = check.arguments[i];
    ArgumentSpec spec{array.dtype()};
    if (check.kernel.parameters()[i].role == ArgumentRole::scalar) {
      spec.value = array.get(0).integer;
    } else if (check.kernel.parameters()[i].role != ArgumentRole::pointer) {
      spec.sizes = array.sizes();
      spec.strides = array.strides();
    }
    specs.push_back(std::move(spec));
  }
  Result<Artifact> artifact = compile(check.kernel, specs, options);
  if (!artifact)
    return artifact.takeErrors();
  DeviceOptions deviceOptions;
  deviceOptions.codeLoader = &jitLoader();
  Result<Device> opened = Device::open(device, deviceOptions);
  if (!opened)
    return opened.takeErrors();
  return Executable::load(*opened, *artifact);
}

std::string Suite::verdict(Check &check) {
  std::optional<Executable> executable;
  if (auto known = sharedCode.find(check.sharedCode); known != sharedCode.end())
    executable = known->second;
  if (!executable) {
    Result<Executable> built =
        build(check, device, check.sharedCode.empty() ? SizeFacts::divisibility : SizeFacts::none);
    if (!built)
      return built.errors().str();
    executable = *built;
    if (!check.sharedCode.empty())
      sharedCode.emplace(check.sharedCode, *executable);
  }

  std::vector<Array> expected;
  for (size_t output : check.outputs) {
    check.arguments[output].poison();
    expected.push_back(check.arguments[output]);
  }
  check.reference(check.arguments, expected);

  std::vector<Argument> arguments;
  for (size_t i = 0; i < check.arguments.size(); ++i) {
    Array &array = check.arguments[i];
    switch (check.kernel.parameters()[i].role) {
    case ArgumentRole::scalar:
      arguments.push_back(isFloat(array.dtype())
                              ? Argument::scalar(array.dtype(), array.get(0).real)
                              : Argument::scalar(array.dtype(), array.get(0).integer));
      break;
    case ArgumentRole::pointer:
      arguments.push_back(Argument::pointer(array.data(), array.dtype()));
      break;
    default:
      arguments.push_back(Argument::view(static_cast<void *>(array.data()), array.dtype(),
                                         std::span(array.sizes()), std::span(array.strides())));
    }
  }
  if (Status launched = executable->launch(arguments); !launched)
    return launched.errors().str();

  for (Array &array : check.arguments)
    if (!array.guardsIntact())
      return "wrote beside an argument";
  for (size_t i = 0; i < check.outputs.size(); ++i)
    if (std::string wrong = compare(check.arguments[check.outputs[i]], expected[i], check.bound);
        !wrong.empty())
      return wrong;
  return {};
}

void Suite::run(const std::string &group, Check check) {
  if (!filter.empty() && check.name.find(filter) == std::string::npos)
    return;
  auto counted = std::find_if(groups.begin(), groups.end(),
                              [&](const Group &known) { return known.name == group; });
  if (counted == groups.end())
    counted = groups.insert(counted, Group{group});
  std::string wrong = verdict(check);
  if (wrong.empty()) {
    ++counted->passed;
    return;
  }
  ++counted->failed;
  std::printf("FAIL %s: %s\n", check.name.c_str(), wrong.c_str());
}

int Suite::finish() const {
  int passed = 0, failed = 0;
  std::printf("\n%-24s %8s %8s   on %s\n", "operation", "passed", "failed", device.c_str());
  for (const Group &group : groups) {
    std::printf("%-24s %8d %8d\n", group.name.c_str(), group.passed, group.failed);
    passed += group.passed;
    failed += group.failed;
  }
  std::printf("\n%d passed, %d failed\n", passed, failed);
  return failed || !passed ? 1 : 0;
}

} // namespace metile::conformance
