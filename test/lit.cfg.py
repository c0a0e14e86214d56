# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How lit finds and runs the tests of this folder.

import os
import platform

import lit.formats

config.name = "metile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".metal"]
# Kernels are what tests run, and tests themselves only where they lie beside one.
config.excludes = ["Inputs", "kernels"]
config.test_source_root = os.path.join(config.metile_source_root, "test")
config.test_exec_root = os.path.join(config.metile_build_root, "test")

config.available_features.add({"AMD64": "x86_64"}.get(platform.machine(), platform.machine()))

path = [config.metile_tools, config.llvm_tools, config.environment.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
if "ASAN_OPTIONS" in os.environ:
    config.environment["ASAN_OPTIONS"] = os.environ["ASAN_OPTIONS"]
# A test neither reads nor leaves anything in the user's cache.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")

config.substitutions += [
    # %exits CODE COMMAND...: insists on the exit code.
    ("%exits", f"{config.python} {config.metile_source_root}/test/Cli/Inputs/expect.py"),
    ("%metile-fuzz", os.path.join(config.metile_tools, "metile-fuzz")),
    ("%metile-opt", os.path.join(config.metile_tools, "metile-opt")),
    ("%metile", os.path.join(config.metile_tools, "metile")),
    ("%build", config.metile_build_root),
    ("%source", config.metile_source_root),
    ("%mlir_tblgen", os.path.join(config.llvm_tools, "mlir-tblgen")),
    ("%mlir_include", config.mlir_include),
    ("%python", config.python),
    ("%cc", config.cc),
    ("%cxx", config.cxx),
]
