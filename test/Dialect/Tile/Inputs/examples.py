# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the example of every operation defined in a folder's .td files, as split input.

Exits with 1 when an operation has no example or its example does not use it."""

import pathlib
import re
import sys

definition = re.compile(r'^def (\w+Op) : \w+<"(\w+)".*?^}', re.S | re.M)
block = re.compile(r"^ *```mlir\n(.*?)^ *```", re.S | re.M)

examples = []
missing = []
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.td")):
    for match in definition.finditer(path.read_text(encoding="utf-8")):
        found = block.findall(match[0])
        examples += found
        if not any(f"tile.{match[2]}" in text for text in found):
            missing.append(match[1])
if missing or not examples:
    sys.exit("operations without an example: " + ", ".join(missing))
print("\n// -----\n".join(examples))
