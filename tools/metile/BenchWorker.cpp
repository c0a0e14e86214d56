// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile bench-worker: the other end of root: variants, spoken to over stdin and stdout.

#include "CommandLine.h"
#include "Variants.h"

#include "Bench/Worker.h"

#include <memory>

#include <unistd.h>

namespace metile::tools {

namespace {

/// A variant together with the context that it refers to.
class OwningVariant : public bench::BenchVariant {
public:
  OwningVariant(std::unique_ptr<Selection> selection, std::unique_ptr<VariantContext> context,
                std::unique_ptr<bench::BenchVariant> inner)
      : selection(std::move(selection)), context(std::move(context)), inner(std::move(inner)) {}
  Result<std::optional<double>> run(int64_t launches) override { return inner->run(launches); }
  bench::VariantDescription describe() const override { return inner->describe(); }

private:
  std::unique_ptr<Selection> selection;
  std::unique_ptr<VariantContext> context;
  std::unique_ptr<bench::BenchVariant> inner;
};

} // namespace

static Result<std::unique_ptr<bench::BenchVariant>> prepare(const Registry &registry,
                                                            const bench::WorkerRequest &request,
                                                            const bench::ArgumentSet &arguments) {
  Result<Selection> selected = select(registry, request.kernel);
  if (!selected)
    return selected.takeErrors();
  auto selection = std::make_unique<Selection>(std::move(*selected));
  Result<Case> made = selection->parseCase(request.caseName);
  if (!made)
    return made.takeErrors();
  auto context = std::make_unique<VariantContext>(VariantContext{registry, *selection});
  context->threads = request.threads;
  Result<bench::VariantSource> source = variantSource(request.variant, *context);
  if (!source)
    return source.takeErrors();
  Result<std::unique_ptr<bench::BenchVariant>> variant = source->make(*made, arguments);
  if (!variant)
    return variant.takeErrors();
  return std::unique_ptr<bench::BenchVariant>(std::make_unique<OwningVariant>(
      std::move(selection), std::move(context), std::move(*variant)));
}

int benchWorker(const Registry &registry, const Words &words) {
  CommandLine line("bench-worker", "Answers the questions of a benchmark in another process: JSON "
                                   "lines on stdin and stdout (docs/benchmarking.md).");
  if (auto code = line.parse(words))
    return *code;
  return bench::serveWorker(
      STDIN_FILENO, STDOUT_FILENO, compilerBuildId(),
      [&](const bench::WorkerRequest &request, const bench::ArgumentSet &arguments) {
        return prepare(registry, request, arguments);
      });
}

} // namespace metile::tools
