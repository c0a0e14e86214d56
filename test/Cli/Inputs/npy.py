# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes and shows small float32 arrays in .npy files, without NumPy.

usage: npy.py write FILE SIZExSIZE VALUES... | npy.py show FILE
"""

import ast
import struct
import sys

command, path, *rest = sys.argv[1:]
if command == "write":
    shape = tuple(int(size) for size in rest[0].split("x"))
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    values = [float(value) for value in rest[1:]]
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        file.write(struct.pack(f"<{len(values)}f", *values))
else:
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode().strip())
    body = data[10 + length:]
    values = struct.unpack(f"<{len(body) // 4}f", body)
    print("x".join(map(str, header["shape"])), *(f"{value:g}" for value in values))
