#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who may include whom, as data, and the check that every source keeps to it.

usage: check_includes.py [ROOT]     prints file:line: error: ..., exit status 1 if there is any
"""

import os
import re
import sys

# A level is the sources below a folder; the longest matching prefix decides. What a level may
# include: other levels (a name followed by /* means all below it) and outside libraries. Its own
# files and the C++ standard library are always allowed.
CONTRACT = "include/metile/{artifact,dtype,result}.h"
PUBLIC = "include/metile"
COMPILER_LIBRARIES = ["mlir", "fmt"]
RUNTIME = [PUBLIC, "lib/Support", "lib/Target", "lib/Layout"]
DIALECT = [CONTRACT, "lib/Support", "lib/Layout", "lib/Target", *COMPILER_LIBRARIES]
TARGET_CODE = [PUBLIC, "lib/Support", "lib/Layout", "lib/Target", "lib/Dialect/*", "lib/Transforms",
               "lib/Report", *COMPILER_LIBRARIES]
EVERYTHING = [PUBLIC, "lib/*", "tools", "kernels", "conformance", "errors", "fuzz", "mlir", "fmt",
              "json", "cli11", "toml", "eigen", "openssl", "gtest"]

MAY_INCLUDE = {
    "include/metile": [],
    "lib/Support": [CONTRACT],
    "lib/Layout": [CONTRACT, "lib/Support"],
    "lib/Target": [CONTRACT, "lib/Support", "lib/Layout"],
    "lib/Runtime": RUNTIME,
    "lib/Emulator": [*RUNTIME, "lib/Runtime"],
    "lib/Digest": [CONTRACT, "lib/Support", "openssl"],
    "lib/Bench": [*RUNTIME, "lib/Runtime", "lib/Digest", "fmt", "eigen"],
    "lib/Dialect/Tile": DIALECT,
    "lib/Dialect/Simt": DIALECT,
    "lib/Frontend": [PUBLIC, "lib/Support", "lib/Dialect/Tile", *COMPILER_LIBRARIES],
    "lib/Interpreter": [PUBLIC, "lib/Support", "lib/Dialect/Tile", *COMPILER_LIBRARIES],
    "lib/Transforms": [CONTRACT, "lib/Support", "lib/Layout", "lib/Target", "lib/Dialect/*",
                       *COMPILER_LIBRARIES],
    "lib/Report": [CONTRACT, "lib/Support", "lib/Layout", "lib/Target", "lib/Dialect/*",
                   *COMPILER_LIBRARIES],
    "lib/Targets/Cpu": TARGET_CODE,
    "lib/Targets/Cuda": TARGET_CODE,
    "lib/Targets/Metal": TARGET_CODE,
    "lib/Driver": [PUBLIC, "lib/Support", "lib/Digest", "lib/Layout", "lib/Target", "lib/Dialect/*",
                   "lib/Frontend", "lib/Interpreter", "lib/Transforms", "lib/Report",
                   "lib/Targets/*", *COMPILER_LIBRARIES],
    "tools": EVERYTHING,
    "conformance": EVERYTHING,
    "errors": EVERYTHING,
    "fuzz": EVERYTHING,
    "bench": EVERYTHING,
    "unittest": EVERYTHING,
    "test": EVERYTHING,
    # Kernels and examples show what a user can write, so they have what a user has.
    "kernels": [PUBLIC, "eigen"],
    "examples": [PUBLIC, "eigen"],
}

# Files that may include less or more than their level: (pattern, added, removed).
EXCEPTIONS = [
    (r"lib/Support/.*\.cpp", ["json"], []),
    # The road from the kernel language to a checked trace needs no MLIR; only the builder does.
    (r"lib/Frontend/(Trace|Infer|Dsl|Slot|Record)\w*\.(h|cpp)", [], ["mlir", "lib/Dialect/Tile"]),
]

# Outside libraries by the first part of the include.
LIBRARIES = {
    "mlir": "mlir", "llvm": "mlir", "llvm-c": "mlir", "mlir-c": "mlir", "nlohmann": "json",
    "fmt": "fmt", "CLI": "cli11", "Eigen": "eigen", "openssl": "openssl", "gtest": "gtest",
    "gmock": "gtest", "toml.hpp": "toml", "sanitizer": "std",
    "sys": "std", "linux": "std", "mach": "std", "mach-o": "std",
}

# These levels serve every target alike, so none of their files may name one.
TARGET_FREE = re.compile(r"lib/(Layout|Dialect|Transforms)/")
TARGET_NAMES = re.compile(
    r"\b(cpu|x86(_64)?|avx(2|512)?|sse\d?|neon|arm64|aarch64|zmm|cuda|nvidia|nvvm|nvptx|ptx|warp|cta"
    r"|wgmma|metal|msl|apple)\b", re.IGNORECASE)

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCE = re.compile(r".*\.(h|hpp|c|cc|cpp|inc|def|td)$")
TOP_FOLDERS = ["include", "lib", "tools", "kernels", "conformance", "errors", "fuzz", "examples",
               "bench", "unittest", "test"]


def sources(root):
    """Paths of all sources below `root`, relative to it, sorted."""
    found = []
    for top in TOP_FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            found += [os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
                      for name in names if SOURCE.match(name)]
    return sorted(found)


def level_of(path):
    """The level that `path` belongs to, or None."""
    while path:
        if path in MAY_INCLUDE:
            return path
        path = os.path.dirname(path)
    return None


def resolve(root, path, name):
    """The path of the included file inside the tree, or None if it lies outside. A generated file
    counts as one of the folder it is generated for."""
    for base in (os.path.dirname(path), "lib", "include", "kernels", "tools", "."):
        candidate = os.path.normpath(os.path.join(base, name)).replace(os.sep, "/")
        if candidate.startswith(".."):
            continue
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
        if name.endswith(".inc") and "/" in name and level_of(candidate) and os.path.isdir(
                os.path.join(root, os.path.dirname(candidate))):
            return candidate
    return None


def names_file(entry, included):
    """Whether the table's `entry` admits the file `included` of this tree."""
    if "{" in entry:
        folder, rest = entry.split("{")
        stems, suffix = rest.split("}")
        return included in [folder + stem + suffix for stem in stems.split(",")]
    level = level_of(included)
    return level is not None and (level.startswith(entry[:-1]) if entry.endswith("/*") else
                                  level == entry)


def check_include(root, path, name, quoted):
    """The complaint about one include, or None."""
    level = level_of(path)
    allowed = list(MAY_INCLUDE[level])
    for pattern, added, removed in EXCEPTIONS:
        if re.fullmatch(pattern, path):
            allowed = [entry for entry in allowed + added if entry not in removed]
    shown = ", ".join(allowed) or "the C++ standard library only"
    included = resolve(root, path, name)
    if included is not None:
        if level_of(included) == level or any(names_file(entry, included) for entry in allowed):
            return None
        return f"{level} includes {included}; allowed here: {shown}"
    head = name.split("/")[0]
    library = LIBRARIES.get(head)
    if library is None:
        if "/" not in name and not quoted:
            return None
        return (f"'{name}' is neither in this tree nor of a library that the project uses; "
                f"libraries: {', '.join(sorted(set(LIBRARIES.values())))}")
    if library == "std" or library in allowed:
        return None
    return f"{level} includes {name} ({library}); allowed here: {shown}"


def check(root):
    """All complaints about the tree at `root`, as printable lines."""
    complaints = []
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().splitlines()
        if level_of(path) is None:
            complaints.append(f"{path}:1: error: no level of the table holds this file; add its "
                              "folder to MAY_INCLUDE in tools/check_includes.py")
            continue
        for number, line in enumerate(lines, 1):
            include = INCLUDE.match(line)
            complaint = None
            if include and not path.endswith(".td"):
                complaint = check_include(root, path, include[2], include[1] == '"')
            if complaint is None and TARGET_FREE.match(path):
                if name := TARGET_NAMES.search(line):
                    complaint = (f"names the target word '{name[0]}'; this level serves every target: "
                                 "ask TargetDesc, or move it to lib/Targets")
            if complaint:
                complaints.append(f"{path}:{number}: error: {complaint}")
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
