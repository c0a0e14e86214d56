#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what every source file owes: its licence line and a bounded length.

usage: check_files.py [ROOT]     prints file:line: error: ..., exit status 1 if there is any
"""

import os
import re
import sys

from check_includes import sources

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
LICENSED = re.compile(r".*(\.(h|hpp|c|cc|cpp|def|td|py|cmake|sh)|CMakeLists\.txt|^run|^\.ci/run)$")
LINE_LIMITS = {".td": 600, ".h": 800, ".cpp": 800, ".c": 800, ".py": 800}


def all_files(root):
    found = set(sources(root)) | {"run", ".ci/run", "CMakeLists.txt"}
    for top in ("cmake", "tools", "lib", "test", "unittest", "kernels", "examples", "errors",
                "conformance", "bench"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            found |= {os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
                      for name in names}
    return sorted(path for path in found if os.path.isfile(os.path.join(root, path)))


def check(root):
    complaints = []
    for path in all_files(root):
        limit = LINE_LIMITS.get(os.path.splitext(path)[1])
        if limit is None and not LICENSED.match(path):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().splitlines()
        # A script's first line is its interpreter's.
        if LICENSED.match(path) and not any(LICENCE in line for line in lines[:2]):
            complaints.append(f"{path}:1: error: no licence line; the file opens with '{LICENCE}'")
        if limit is not None and len(lines) > limit:
            complaints.append(f"{path}:{limit + 1}: error: {len(lines)} lines; at most {limit}: "
                              "split it by what its parts are for")
    return complaints


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(
        os.path.abspath(__file__)))
    complaints = check(root)
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
