#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each public header alone, with each compiler found and with and without exceptions and
RTTI, and prints the processor time of the slowest of its compilations.

usage: check_headers.py ROOT COMPILER...     exit status 1 if a header does not compile
"""

import glob
import os
import resource
import subprocess
import sys
import tempfile

MODES = [[], ["-fno-exceptions", "-fno-rtti"]]
TARGET_SECONDS = 0.4


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compile_alone(compiler, root, header, mode):
    """The seconds it took and what the compiler said; None for the seconds if it failed. The header
    stands twice in the source: a missing guard is an error too."""
    include = f"#include <{os.path.relpath(header, os.path.join(root, 'include'))}>\n"
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "alone.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(include * 2)
        start = children_seconds()
        done = subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", *mode,
                               "-I", os.path.join(root, "include"), "-c", source, "-o",
                               os.path.join(folder, "alone.o")], capture_output=True, text=True)
        seconds = children_seconds() - start
    return (seconds if done.returncode == 0 else None), "\n".join(done.stderr.splitlines()[:15])


def main():
    root, compilers = sys.argv[1], sys.argv[2:]
    headers = sorted(glob.glob(os.path.join(root, "include", "**", "*.h"), recursive=True))
    if not headers or not compilers:
        print("error: no headers or no compilers to try them with")
        return 2
    failed = 0
    for header in headers:
        slowest = 0.0
        for compiler in compilers:
            for mode in MODES:
                seconds, text = compile_alone(compiler, root, header, mode)
                if seconds is None:
                    failed += 1
                    print(f"{os.path.relpath(header, root)}: error: does not compile alone with "
                          f"{' '.join([compiler, *mode])}\n{text}")
                else:
                    slowest = max(slowest, seconds)
        note = f"  above the {TARGET_SECONDS} s it should stay below" if slowest > TARGET_SECONDS else ""
        print(f"{os.path.relpath(header, root):40} {slowest:.2f} s{note}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
