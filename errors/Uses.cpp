// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right kernels used wrongly: schedules, arguments, launches.
#include "Errors.h"

#include "metile/compile.h"
#include "metile/interpreter.h"
#include "metile/runtime.h"

using namespace metile;

namespace {

Kernel scale = kernel("scale", [](In<"x"> x, Out<"y"> y, Const<"BLOCK", 64, 256> block,
                                  //~ option NEGATE=2; NEGATE is one of 0, 1
                                  Option<"NEGATE", 0, 1> negate) {
  Index i = tile_of(y, 0, block);
  y.store({i}, cast(x.load({i}, {block}) * (negate ? -2 : 2), y.dtype()));
});

Kernel fill = kernel("fill", [](Ptr<"p"> p, Scalar<"n"> n) {
  grid(cdiv(n, 16));
  Tile i = program_id(0) * 16 + arange(16);
  store(p + i, 1, i < n);
});

Errors compiled(const Kernel &kernel, const std::vector<ArgumentSpec> &arguments,
                std::string schedule, std::string target = "cpu:x86-64-v3") {
  CompileOptions options;
  options.schedule = std::move(schedule);
  options.target = std::move(target);
  options.useCache = false;
  Result<Artifact> artifact = compile(kernel, arguments, options);
  return artifact ? Errors() : artifact.takeErrors();
}

Errors scheduled(std::string schedule) {
  return compiled(scale, {{f32, {100}}, {f32, {100}}}, std::move(schedule));
}

Errors withOption(std::string option, int64_t value) {
  CompileOptions options;
  options.options = {{std::move(option), value}};
  options.useCache = false;
  Result<Artifact> artifact = compile(scale, {{f32, {100}}, {f32, {100}}}, options);
  return artifact ? Errors() : artifact.takeErrors();
}

/// Compiles `kernel` for `specs` and launches it with `arguments`.
Errors launched(const Kernel &kernel, const std::vector<ArgumentSpec> &specs,
                const std::vector<Argument> &arguments, SizeFacts sizes = SizeFacts::none) {
  CompileOptions options;
  options.target = "reference";
  options.sizes = sizes;
  options.useCache = false;
  DeviceOptions deviceOptions;
  deviceOptions.interpreter = &referenceInterpreter();
  Device device = Device::open("reference", deviceOptions).orExit();
  Artifact artifact = compile(kernel, specs, options).orExit();
  Executable executable = Executable::load(device, artifact).orExit();
  Status status = executable.launch(arguments);
  return status ? Errors() : status.takeErrors();
}

const std::vector<ArgumentSpec> two = {{f32, {100}}, {f32, {100}}};
float x[200], y[200];

} // namespace

std::vector<WrongUse> metile::wrongUses() {
  return {
      {"unknown_field", Loc::current(), [] { return scheduled("BLOK=64"); }},
      //~ schedule: unknown field 'BLOK'; fields here are BLOCK, threads, vector_width,
      //~+ block_swizzle, RELAXED_PRECISION, math, register_tile, repack, unroll and
      //~+ scratch_everything; did you mean BLOCK?
      {"constant_outside_its_list", Loc::current(), [] { return scheduled("BLOCK=100"); }},
      //~ schedule: '100' is no value of the kernel's constant BLOCK; legal are 64 or 256
      {"field_without_value", Loc::current(), [] { return scheduled("BLOCK"); }},
      //~ schedule: 'BLOCK' is no field; a schedule is KEY=VALUE,KEY=VALUE,…
      {"field_given_twice", Loc::current(), [] { return scheduled("BLOCK=64,BLOCK=256"); }},
      //~ schedule: 'BLOCK' is given twice; each field once; remove one of the two
      {"field_of_another_type", Loc::current(), [] { return scheduled("unroll=three"); }},
      //~ schedule: 'three' is no value of unroll; legal are powers of two from 1 to 16; unroll:
      //~+ vectors that one trip of an inner loop handles
      {"field_out_of_range", Loc::current(), [] { return scheduled("unroll=64"); }},
      //~ schedule: '64' is no value of unroll; legal are powers of two from 1 to 16; unroll:
      //~+ vectors that one trip of an inner loop handles
      {"choice_that_is_none", Loc::current(), [] { return scheduled("repack=always"); }},
      //~ schedule: 'always' is no value of repack; legal are none, private or shared; repack: who
      //~+ copies the right operand of a dot into panels: nobody, each program, or the first that
      //~+ needs it for all
      {"field_of_another_target", Loc::current(), [] { return scheduled("stages=2"); }},
      //~ schedule: field 'stages' does not exist on cpu; it exists on metal and cuda; remove it
      {"field_not_honoured", Loc::current(), [] { return scheduled("repack=shared"); }},
      //~ repack=shared cannot be honoured on cpu:x86-64-v3; repack is none or private: each
      //~+ program copies its own panels; use repack=private
      {"register_tile_too_large", Loc::current(), [] { return scheduled("register_tile=32x64"); }},
      //~ register_tile=32x64 does not fit the registers of cpu:x86-64-v3; columns are a multiple
      //~+ of 8, and rows*vectors + vectors + 1 is at most 16 (vectors = columns/8); for example
      //~+ register_tile=6x16
      {"two_mistakes", Loc::current(), [] { return scheduled("block_swizzle=4,math=fast"); }},
      //~ block_swizzle cannot be honoured on cpu:x86-64-v3; programs run in the order of the grid
      //~+ on a CPU; remove the field
      //~ math=fast cannot be honoured on cpu:x86-64-v3; math is strict or default here; remove the
      //~+ field
      {"unknown_target", Loc::current(), [] { return compiled(scale, two, "", "cpu:x86-64-v9"); }},
      //~ unknown target 'cpu:x86-64-v9'; known are cpu, reference, cpu:armv8.2, cpu:x86-64-v3 and
      //~+ cpu:x86-64-v4; did you mean 'cpu:x86-64-v3'?
      {"unknown_option", Loc::current(), [] { return withOption("NEGATED", 1); }},
      //~ kernel scale has no option NEGATED; its options are NEGATE; did you mean NEGATE?
      {"option_outside_its_list", Loc::current(), [] { return withOption("NEGATE", 2); }},
      {"too_few_specs", Loc::current(), [] { return compiled(scale, {{f32, {100}}}, ""); }},
      //~ kernel scale is given 1 argument; it has 2 parameters; describe each parameter in its
      //~+ order
      {"strides_for_another_rank", Loc::current(),
       //~ argument x has 1 size and 2 strides; one stride an axis, or none for row-major
       [] { return compiled(scale, {{f32, {100}, {1, 1}}, {f32, {100}}}, ""); }},
      {"too_few_arguments", Loc::current(),
       //~ scale: missing 'y'; the parameters are (x, y); pass all of them in order
       [] { return launched(scale, two, {Argument::view(x, f32, {100})}); }},
      {"wrong_type", Loc::current(),
       //~ scale: 'y' is a view of float64 with 1 axis; this executable was compiled for a view of
       //~+ float32 with 1 axis; convert the data, or compile the kernel for float64
       [] {
         return launched(scale, two,
                         {Argument::view(x, f32, {100}), Argument::view(y, f64, {100})});
       }},
      {"wrong_rank", Loc::current(),
       //~ scale: 'y' is a view of float32 with 2 axes; this executable was compiled for a view of
       //~+ float32 with 1 axis; compile the kernel for this rank
       [] {
         return launched(scale, two,
                         {Argument::view(x, f32, {100}), Argument::view(y, f32, {10, 10})});
       }},
      {"scalar_for_a_view", Loc::current(),
       //~ scale: 'x' is a scalar of float32; this executable was compiled for a view of float32
       //~+ with 1 axis; parameter 1 is In
       [] {
         return launched(scale, two, {Argument::scalar(1.0f), Argument::view(y, f32, {100})});
       }},
      {"output_that_is_only_read", Loc::current(),
       //~ scale: 'y' is written, but was passed as a pointer to const; Out parameters need memory
       //~+ that may be written
       [] {
         const float *constant = y;
         return launched(scale, two,
                         {Argument::view(x, f32, {100}), Argument::view(constant, f32, {100})});
       }},
      {"buffers_overlap", Loc::current(),
       //~ scale: 'x' and 'y' overlap; an Out view shares no memory with other In and Out views;
       //~+ pass separate memory, or declare the parameter as InOut
       [] {
         return launched(scale, two,
                         {Argument::view(x, f32, {100}), Argument::view(x + 50, f32, {100})});
       }},
      {"negative_size", Loc::current(),
       //~ scale: 'y' has the sizes (-1); sizes are 0 or more
       [] {
         return launched(scale, two, {Argument::view(x, f32, {100}), Argument::view(y, f32, {-1})});
       }},
      {"null_pointer", Loc::current(),
       //~ scale: 'x' is a null pointer; only an empty view, or a launch over an empty grid, may
       //~+ have one
       [] {
         float *nothing = nullptr;
         return launched(scale, two,
                         {Argument::view(nothing, f32, {100}), Argument::view(y, f32, {100})});
       }},
      {"fact_violated", Loc::current(),
       //~ scale: y.size(0) is 90; this executable relies on: y.size(0) is divisible by 4; compile
       //~+ the kernel for such arguments
       [] {
         return launched(scale, two, {Argument::view(x, f32, {100}), Argument::view(y, f32, {90})},
                         SizeFacts::divisibility);
       }},
      {"stride_violated", Loc::current(),
       //~ scale: x.stride(0) is 2; this executable relies on: x.stride(0) is 1; compile the kernel
       //~+ for such arguments
       [] {
         return launched(scale, two,
                         {Argument::view(x, f32, {100}, {2}), Argument::view(y, f32, {100})});
       }},
      {"scalar_out_of_range", Loc::current(),
       //~ fill: the value of 'n' does not fit int8; pass a value within its range
       [] {
         return launched(fill, {{f32}, {i8}},
                         {Argument::pointer(x, f32), Argument::scalar(i8, 300)});
       }},
  };
}
