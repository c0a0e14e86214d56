# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds every integer operation on every pair of 8-bit numbers and compares with Python's integers.

Usage: fold_integers.py METILE_OPT"""

import itertools
import re
import subprocess
import sys

SIGNED = range(-128, 128)
UNSIGNED = range(256)


def quotient(x, y, rounding):
    if y == 0:
        return 0
    floor = x // y
    exact = floor * y == x
    if rounding == "floor" or exact:
        return floor
    if rounding == "ceil":
        return floor + 1
    return floor + 1 if (x < 0) != (y < 0) else floor


def remainder(x, y, rounding):
    return 0 if y == 0 else x - quotient(x, y, rounding) * y


def left(x, by):
    return x << by if 0 <= by < 8 else 0


def right(x, by):
    return x >> (by if 0 <= by < 8 else 8)


def upper(x, y):
    return x * y >> 8


operations = []
for rounding in ("trunc", "floor", "ceil"):
    for name, function in (("div", quotient), ("rem", remainder)):
        for unsigned in ("", " unsigned"):
            operations.append((f"tile.{name} {rounding}{unsigned}", bool(unsigned),
                               lambda x, y, f=function, r=rounding: f(x, y, r)))
operations += [("tile.shl", False, left), ("tile.shr", False, right),
               ("tile.shr unsigned", True, right),
               ("tile.mulhi", False, upper), ("tile.mulhi unsigned", True, upper)]

pairs = list(itertools.product(UNSIGNED, UNSIGNED))
kind = f"tensor<{len(pairs)}xi8>"


def dense(values):
    return 'dense<"0x' + bytes(values).hex() + f'"> : {kind}'


source = [f"func.func @f() -> ({', '.join([kind] * len(operations))}) {{",
          f"  %x = arith.constant {dense(x for x, _ in pairs)}",
          f"  %y = arith.constant {dense(y for _, y in pairs)}"]
source += [f"  %r{i} = {name} %x, %y : {kind}" for i, (name, _, _) in enumerate(operations)]
source += [f"  return {', '.join(f'%r{i}' for i in range(len(operations)))} : "
           f"{', '.join([kind] * len(operations))}", "}"]

output = subprocess.run([sys.argv[1], "-canonicalize"], input="\n".join(source), text=True,
                        capture_output=True, check=True).stdout
constants = {name: bytes.fromhex(text) for name, text in
             re.findall(r'(%\w+) = arith.constant dense<"0x([0-9A-Fa-f]+)">', output)}
results = re.search(r"return (.*) :", output)[1].split(", ")

for (name, unsigned, function), result in zip(operations, results, strict=True):
    if result not in constants:
        sys.exit(f"{name} is not folded")
    for (x, y), got in zip(pairs, constants[result], strict=True):
        if not unsigned:
            x, y = SIGNED[(x + 128) % 256], SIGNED[(y + 128) % 256]
        want = function(x, y) % 256
        if got != want:
            sys.exit(f"{name} {x}, {y}: folded to {got}, is {want} (as an unsigned number)")
print(f"{len(operations)} operations, {len(pairs)} pairs each")
