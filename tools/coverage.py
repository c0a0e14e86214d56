#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""coverage.py SUMMARY.json: what `llvm-cov export -summary-only` counted, as a table.

One line for each level of lib/ with the share of its lines that ran, then the files of lib/ with the
most lines that did not."""

import json
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHOWN_FILES = 25


def level_of(path):
    """The folder of lib/ that DESIGN's map names: Support, Dialect/Tile, Targets/Cpu."""
    folders = path.parts[1:-1]
    return "/".join(folders[:2] if folders[0] in ("Dialect", "Targets") else folders[:1])


def read(summary):
    """Path below the root, lines and covered lines of each file of lib/."""
    files = []
    for entry in json.loads(Path(summary).read_text())["data"][0]["files"]:
        path = Path(entry["filename"]).resolve()
        if not path.is_relative_to(ROOT / "lib"):
            continue
        lines = entry["summary"]["lines"]
        files.append((path.relative_to(ROOT), lines["count"], lines["covered"]))
    return files


def row(name, lines, covered):
    share = 100 * covered / lines if lines else 100
    print(f"{name:<44} {lines:>7} {lines - covered:>7} {share:>6.1f} %")


def main():
    files = read(sys.argv[1])
    if not files:
        sys.exit("error: nothing of lib/ was counted")
    levels = defaultdict(lambda: [0, 0])
    for path, lines, covered in files:
        for name in (level_of(path), "all of lib/"):
            levels[name][0] += lines
            levels[name][1] += covered
    print(f"{'level':<44} {'lines':>7} {'not run':>7} {'run':>8}")
    for name, (lines, covered) in sorted(levels.items()):
        row(name, lines, covered)
    print("\nthe files with the most lines that did not run")
    for path, lines, covered in sorted(files, key=lambda file: file[2] - file[1])[:SHOWN_FILES]:
        row(str(path), lines, covered)


if __name__ == "__main__":
    main()
