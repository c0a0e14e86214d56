// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Libraries.h"

#include "Bench/HalfConvert.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <dlfcn.h>
#include <fmt/format.h>

namespace metile::bench {
namespace {

/// op(A)·op(B) = C, row-major; the leading dimensions are row lengths in memory, in elements.
struct Product {
  bool transposeA = false, transposeB = false;
  int64_t m = 0, n = 0, k = 0;
  int64_t lda = 0, ldb = 0, ldc = 0;
  int64_t batch = 1, strideA = 0, strideB = 0, strideC = 0;
  const Argument *a = nullptr, *b = nullptr, *c = nullptr;
};

struct MatrixLayout {
  bool transposed = false;
  int64_t rows = 0, columns = 0, leading = 0, batch = 1, batchStride = 0;
};

/// How the last two axes of `argument` lie in memory; nothing if no library call can read it.
std::optional<MatrixLayout> layoutOf(const Argument &argument) {
  size_t rank = argument.sizes.size();
  if (rank != 2 && rank != 3)
    return std::nullopt;
  MatrixLayout layout;
  layout.rows = argument.sizes[rank - 2];
  layout.columns = argument.sizes[rank - 1];
  if (rank == 3) {
    layout.batch = argument.sizes[0];
    layout.batchStride = argument.strides[0];
  }
  int64_t row = argument.strides[rank - 2], column = argument.strides[rank - 1];
  if (column == 1 || layout.columns == 1)
    layout.leading = std::max(row, layout.columns);
  else if (row == 1) {
    layout.transposed = true;
    layout.leading = std::max(column, layout.rows);
  } else
    return std::nullopt;
  return layout;
}

Result<Product> productOf(const Case &benchCase, const ArgumentSet &arguments,
                          const std::string &library) {
  auto refuse = [&](std::string why) {
    return error(
        fmt::format("{} cannot run case '{}': {}", library, benchCase.name, why),
        "a product of two matrices of one dtype, stored with rows or columns without gaps");
  };
  if (benchCase.operation != "gemm")
    return refuse(benchCase.operation.empty()
                      ? "no operation is named that a library knows"
                      : fmt::format("its operation is '{}'", benchCase.operation));
  Product product;
  for (const Argument &argument : arguments.arguments()) {
    if (argument.isScalar)
      continue;
    const Argument *&place = argument.output ? product.c : product.a ? product.b : product.a;
    if (place)
      return refuse("it has more than two inputs or more than one output");
    place = &argument;
  }
  if (!product.a || !product.b || !product.c)
    return refuse("it has no two inputs and an output");
  if (product.a->dtype != product.b->dtype || product.a->dtype != product.c->dtype)
    return refuse("its arguments differ in dtype");
  std::optional<MatrixLayout> a = layoutOf(*product.a), b = layoutOf(*product.b),
                              c = layoutOf(*product.c);
  if (!a || !b || !c || c->transposed)
    return refuse("an argument's strides");
  product.transposeA = a->transposed;
  product.transposeB = b->transposed;
  product.m = c->rows;
  product.n = c->columns;
  product.k = a->columns;
  bool fits = a->rows == product.m && b->rows == product.k && b->columns == product.n &&
              a->batch == c->batch && b->batch == c->batch;
  if (!fits)
    return refuse("the sizes of its arguments are not those of a product");
  product.lda = a->leading;
  product.ldb = b->leading;
  product.ldc = c->leading;
  product.batch = c->batch;
  product.strideA = a->batchStride;
  product.strideB = b->batchStride;
  product.strideC = c->batchStride;
  return product;
}

/// What a loaded library offers.
class GemmLibrary {
public:
  virtual ~GemmLibrary() = default;
  /// False if the library reported an error.
  virtual bool gemm(const Product &product, const float *a, const float *b, float *c) const = 0;
  virtual bool hasDouble() const { return false; }
  virtual bool gemm(const Product &, const double *, const double *, double *) const {
    return false;
  }
  virtual void setThreads(unsigned threads) const = 0;
  std::string title; ///< "OpenBLAS"
  std::vector<std::pair<std::string, std::string>> tools;
  std::vector<std::string> notes;
  unsigned threads = 1;
};

/// The first of `names` that can be loaded. Never unloaded: worker threads of the library live on.
void *loadFirst(const std::vector<std::string> &names) {
  for (const std::string &name : names)
    if (void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return handle;
  return nullptr;
}

template <class F> bool bind(void *handle, const char *symbol, F *&function) {
  function = reinterpret_cast<F *>(dlsym(handle, symbol));
  return function != nullptr;
}

class OpenBlas final : public GemmLibrary {
public:
  static Result<std::shared_ptr<GemmLibrary>> load(unsigned threads) {
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OPENBLAS_L2_SIZE");
    const std::vector<std::string> names = {"libopenblas.so.0", "libopenblas.so",
                                            "/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
                                            "libopenblas.dylib"};
    void *handle = loadFirst(names);
    if (!handle)
      return error("OpenBLAS is not installed",
                   fmt::format("one of {} where the system's loader looks", fmt::join(names, ", ")),
                   "apt-get install libopenblas0-pthread, or brew install openblas");
    auto library = std::make_shared<OpenBlas>();
    const char *(*config)() = nullptr;
    const char *(*core)() = nullptr;
    int (*getThreads)() = nullptr;
    if (!bind(handle, "cblas_sgemm", library->sgemm) ||
        !bind(handle, "cblas_dgemm", library->dgemm) ||
        !bind(handle, "openblas_set_num_threads", library->setNumThreads) ||
        !bind(handle, "openblas_get_num_threads", getThreads) ||
        !bind(handle, "openblas_get_config", config) ||
        !bind(handle, "openblas_get_corename", core))
      return error("the OpenBLAS that is installed lacks functions we call",
                   "OpenBLAS 0.3 with cblas");
    library->setThreads(threads);
    library->threads = static_cast<unsigned>(std::max(1, getThreads()));
    library->title = "OpenBLAS";
    library->tools = {{"openblas_config", config()}, {"openblas_core", core()}};
    std::string version = config();
    size_t start = version.find(' ');
    version = start == std::string::npos
                  ? version
                  : version.substr(start + 1, version.find(' ', start + 1) - start - 1);
    library->notes = {fmt::format("OpenBLAS {}, core {}, {} thread{}", version, core(),
                                  library->threads, library->threads == 1 ? "" : "s")};
    return std::shared_ptr<GemmLibrary>(library);
  }

  bool gemm(const Product &p, const float *a, const float *b, float *c) const override {
    sgemm(rowMajor, flag(p.transposeA), flag(p.transposeB), narrow(p.m), narrow(p.n), narrow(p.k),
          1.0f, a, narrow(p.lda), b, narrow(p.ldb), 0.0f, c, narrow(p.ldc));
    return true;
  }
  bool hasDouble() const override { return true; }
  bool gemm(const Product &p, const double *a, const double *b, double *c) const override {
    dgemm(rowMajor, flag(p.transposeA), flag(p.transposeB), narrow(p.m), narrow(p.n), narrow(p.k),
          1.0, a, narrow(p.lda), b, narrow(p.ldb), 0.0, c, narrow(p.ldc));
    return true;
  }
  void setThreads(unsigned count) const override { setNumThreads(static_cast<int>(count)); }

private:
  // Values of the CBLAS interface (Basic Linear Algebra Subprograms Technical Forum, 2001, B.2).
  static constexpr int rowMajor = 101;
  static int flag(bool transposed) { return transposed ? 112 : 111; }
  static int narrow(int64_t size) { return static_cast<int>(size); }

  using Sgemm = void(int, int, int, int, int, int, float, const float *, int, const float *, int,
                     float, float *, int);
  using Dgemm = void(int, int, int, int, int, int, double, const double *, int, const double *, int,
                     double, double *, int);
  Sgemm *sgemm = nullptr;
  Dgemm *dgemm = nullptr;
  void (*setNumThreads)(int) = nullptr;
};

class OneDnn final : public GemmLibrary {
public:
  static Result<std::shared_ptr<GemmLibrary>> load(unsigned threads) {
    const std::vector<std::string> names = {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so",
                                            "/opt/homebrew/lib/libdnnl.dylib", "libdnnl.dylib"};
    void *handle = loadFirst(names);
    if (!handle)
      return error("oneDNN is not installed",
                   fmt::format("one of {} where the system's loader looks", fmt::join(names, ", ")),
                   "apt-get install libdnnl2, or brew install onednn");
    auto library = std::make_shared<OneDnn>();
    const Version *(*version)() = nullptr;
    if (!bind(handle, "dnnl_sgemm", library->sgemm) || !bind(handle, "dnnl_version", version))
      return error("the oneDNN that is installed lacks functions we call", "oneDNN 2 or 3");
    // oneDNN takes its threads from OpenMP, whose library it brings along.
    bind(RTLD_DEFAULT, "omp_set_num_threads", library->setOmpThreads);
    if (!library->setOmpThreads)
      bind(handle, "omp_set_num_threads", library->setOmpThreads);
    library->setThreads(threads);
    const Version &v = *version();
    std::string number = fmt::format("{}.{}.{}", v.major, v.minor, v.patch);
    library->threads = threads;
    library->title = "oneDNN";
    library->tools = {{"onednn", number}};
    library->notes = {
        library->setOmpThreads
            ? fmt::format("oneDNN {}, {} thread{}", number, threads, threads == 1 ? "" : "s")
            : fmt::format("oneDNN {}, as many threads as it chooses", number)};
    return std::shared_ptr<GemmLibrary>(library);
  }

  bool gemm(const Product &p, const float *a, const float *b, float *c) const override {
    return sgemm(p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.m, p.n, p.k, 1.0f, a, p.lda,
                 b, p.ldb, 0.0f, c, p.ldc) == 0;
  }
  void setThreads(unsigned count) const override {
    if (setOmpThreads)
      setOmpThreads(static_cast<int>(count));
  }

private:
  struct Version {
    int major, minor, patch;
  };
  using Sgemm = int(char, char, int64_t, int64_t, int64_t, float, const float *, int64_t,
                    const float *, int64_t, float, float *, int64_t);
  Sgemm *sgemm = nullptr;
  void (*setOmpThreads)(int) = nullptr;
};

/// Floats on a page of their own: two variants that convert must not differ by where the heap put
/// their buffers.
class FloatBuffer {
public:
  void allocate(size_t size) {
    constexpr size_t page = 4096;
    count = size;
    size_t bytes = (size * sizeof(float) + page - 1) / page * page;
    memory.reset(static_cast<float *>(std::aligned_alloc(page, std::max(bytes, page))));
  }
  float *data() const { return memory.get(); }
  size_t size() const { return count; }

private:
  struct Free {
    void operator()(float *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<float, Free> memory;
  size_t count = 0;
};

class LibraryVariant final : public BenchVariant {
public:
  LibraryVariant(std::string label, std::shared_ptr<GemmLibrary> library, const Product &product)
      : label(std::move(label)), library(std::move(library)), product(product) {
    if (converts()) {
      auto floats = [](const Argument &argument) {
        return argument.bytes / byteSize(argument.dtype);
      };
      wideA.allocate(floats(*product.a));
      wideB.allocate(floats(*product.b));
      wideC.allocate(floats(*product.c));
    }
  }

  Result<std::optional<double>> run(int64_t launches) override {
    for (int64_t i = 0; i < launches; ++i)
      if (!once())
        return error(fmt::format("{} reported a failure", library->title));
    return std::optional<double>();
  }

  VariantDescription describe() const override {
    VariantDescription description;
    description.label = label;
    description.threads = library->threads;
    description.tools = library->tools;
    description.notes = library->notes;
    if (converts())
      description.notes.push_back(
          fmt::format("{} has no {} product: the inputs are converted to f32, multiplied, and the "
                      "result converted back (on one thread), and all of it is timed",
                      library->title, name(product.a->dtype)));
    return description;
  }

private:
  bool converts() const {
    return product.a->dtype == DType::f16 || product.a->dtype == DType::bf16;
  }

  template <class T> bool multiply(const T *a, const T *b, T *c) const {
    for (int64_t i = 0; i < product.batch; ++i)
      if (!library->gemm(product, a + i * product.strideA, b + i * product.strideB,
                         c + i * product.strideC))
        return false;
    return true;
  }

  template <class T> bool multiplyInPlace() const {
    return multiply(reinterpret_cast<const T *>(product.a->data),
                    reinterpret_cast<const T *>(product.b->data),
                    reinterpret_cast<T *>(product.c->data));
  }

  bool once() {
    if (product.a->dtype == DType::f64)
      return multiplyInPlace<double>();
    if (!converts())
      return multiplyInPlace<float>();
    bool isF16 = product.a->dtype == DType::f16;
    auto widen = isF16 ? widenF16 : widenBf16;
    widen(reinterpret_cast<const uint16_t *>(product.a->data), wideA.data(), wideA.size());
    widen(reinterpret_cast<const uint16_t *>(product.b->data), wideB.data(), wideB.size());
    if (!multiply(wideA.data(), wideB.data(), wideC.data()))
      return false;
    auto narrow = isF16 ? narrowToF16 : narrowToBf16;
    narrow(wideC.data(), reinterpret_cast<uint16_t *>(product.c->data), wideC.size());
    return true;
  }

  std::string label;
  std::shared_ptr<GemmLibrary> library;
  Product product;
  FloatBuffer wideA, wideB, wideC;
};

} // namespace

std::vector<std::string> knownLibraries() { return {"openblas", "onednn"}; }

Result<VariantSource> librarySource(std::string_view name, unsigned threads) {
  Result<std::shared_ptr<GemmLibrary>> loaded =
      name == "openblas" ? OpenBlas::load(threads)
      : name == "onednn"
          ? OneDnn::load(threads)
          : error(fmt::format("no library '{}' is known", name),
                  fmt::format("library:{}", fmt::join(knownLibraries(), ", library:")));
  if (!loaded)
    return loaded.takeErrors();
  VariantSource source;
  source.label = fmt::format("library:{}", name);
  source.make = [label = source.label, library = *loaded,
                 threads](const Case &benchCase,
                          const ArgumentSet &arguments) -> Result<std::unique_ptr<BenchVariant>> {
    Result<Product> product = productOf(benchCase, arguments, library->title);
    if (!product)
      return product.takeErrors();
    DType dtype = product->a->dtype;
    if (!isFloat(dtype) || (dtype == DType::f64 && !library->hasDouble()))
      return error(
          fmt::format("{} has no product of {} matrices", library->title, metile::name(dtype)),
          library->hasDouble() ? "f16, bf16, f32, f64" : "f16, bf16, f32");
    if (product->c->dtype != DType::f32 && product->c->dtype != DType::f64 &&
        !product->c->isDense())
      return error(fmt::format("{} cannot convert back into an output with gaps", library->title));
    library->setThreads(threads);
    return std::unique_ptr<BenchVariant>(
        std::make_unique<LibraryVariant>(label, library, *product));
  };
  return source;
}

} // namespace metile::bench
