#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds check_includes.py and check_files.py small wrong trees and expects the refusals."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import check_files  # noqa: E402
import check_includes  # noqa: E402

LICENCE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


class Tree(unittest.TestCase):
    def complaints(self, checker, files):
        """What `checker` says of a tree that holds `files`, path to text."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return checker.check(root)


class Includes(Tree):
    def refuses(self, part, files):
        complaints = self.complaints(check_includes, files)
        self.assertEqual(len(complaints), 1, complaints)
        self.assertIn(part, complaints[0])
        self.assertRegex(complaints[0], r"^[\w/.]+:\d+: error: ")

    def accepts(self, files):
        self.assertEqual(self.complaints(check_includes, files), [])

    def test_right_tree(self):
        self.accepts({"include/metile/dtype.h": "#include <cstdint>\n",
                     "lib/Support/Json.cpp": "#include <nlohmann/json.hpp>\n#include <vector>\n",
                     "lib/Dialect/Tile/Tile.h": '#include "mlir/IR/Builders.h"\n'
                                                '#include "Dialect/Tile/TileOps.h.inc"\n',
                     "lib/Targets/Cpu/Pipeline.cpp": '#include "Dialect/Tile/Tile.h"\n',
                     "kernels/Gemm.cpp": '#include <metile/dtype.h>\n'})

    def test_runtime_stays_free_of_the_compiler(self):
        self.refuses("lib/Runtime includes mlir/IR/Value.h (mlir)",
                     {"lib/Runtime/Device.cpp": '#include <vector>\n#include "mlir/IR/Value.h"\n'})
        self.refuses("lib/Runtime includes lib/Driver/Cache.h", {"lib/Driver/Cache.h": "",
                     "lib/Runtime/Device.cpp": '#include "Driver/Cache.h"\n'})

    def test_public_headers_are_light(self):
        self.refuses("(mlir)", {"include/metile/a.h": "  #  include <llvm/ADT/StringRef.h>\n"})
        self.refuses("(fmt)", {"include/metile/a.h": "#include <fmt/format.h>\n"})

    def test_json_stays_in_source_files(self):
        self.refuses("(json)", {"lib/Support/Json.h": "#include <nlohmann/json.hpp>\n"})

    def test_levels_point_downwards(self):
        self.refuses("lib/Support includes lib/Target/Target.h", {"lib/Target/Target.h": "",
                     "lib/Support/Json.cpp": '#include "Target/Target.h"\n'})

    def test_relative_paths_do_not_hide_a_level(self):
        self.refuses("lib/Layout includes lib/Target/Target.h", {"lib/Target/Target.h": "",
                     "lib/Layout/Map.cpp": '#include "../Target/Target.h"\n'})

    def test_targets_do_not_know_each_other(self):
        self.refuses("lib/Targets/Metal includes lib/Targets/Cpu/Emit.h",
                     {"lib/Targets/Cpu/Emit.h": "",
                     "lib/Targets/Metal/Emit.cpp": '#include "Targets/Cpu/Emit.h"\n'})

    def test_contract_headers_only(self):
        self.refuses("include/metile/runtime.h", {"include/metile/runtime.h": "",
                     "lib/Transforms/Pass.cpp": '#include "metile/runtime.h"\n'})

    def test_kernels_use_what_a_user_has(self):
        self.refuses("kernels includes lib/Support/Json.h", {"lib/Support/Json.h": "",
                     "kernels/Gemm.cpp": '#include "Support/Json.h"\n'})

    def test_unknown_library(self):
        self.refuses("'boost/any.hpp' is neither", {"lib/Driver/A.cpp": "#include <boost/any.hpp>\n"})

    def test_unknown_folder(self):
        self.refuses("no level of the table", {"lib/Attic/A.cpp": "int a;\n"})

    def test_shared_levels_name_no_target(self):
        self.refuses("target word 'Metal'", {"lib/Transforms/Pad.cpp": "int a; // as on Metal\n"})
        self.accepts({"lib/Transforms/Pad.cpp": "namespace metile {} // warped metals\n"})


class Files(Tree):
    def test_right_file(self):
        self.assertEqual(self.complaints(check_files, {"lib/Layout/Map.h": LICENCE}), [])

    def test_licence(self):
        found = self.complaints(check_files, {"lib/Layout/Map.h": "#pragma once\n"})
        self.assertEqual(len(found), 1)
        self.assertIn("no licence line", found[0])

    def test_length(self):
        text = LICENCE + "\n" * 600
        self.assertEqual(self.complaints(check_files, {"lib/Layout/Map.h": text}), [])
        found = self.complaints(check_files, {"lib/Dialect/Tile/Ops.td": text})
        self.assertEqual(found, ["lib/Dialect/Tile/Ops.td:601: error: 601 lines; at most 600: "
                                 "split it by what its parts are for"])


if __name__ == "__main__":
    unittest.main()
