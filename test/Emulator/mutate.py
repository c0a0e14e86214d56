#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation test of `metile check`: takes each barrier out of each kernel, and the flag out of each
barrier, and looks whether the check notices.

usage: mutate.py METILE KERNEL.metal...     prints the score; exit status 1 unless it is perfect

A barrier whose line says "unneeded" must make no difference, all others must be missed. Each kernel
itself must be clean. What is launched stands in the TOML file beside the kernel.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

BARRIER = re.compile(r"\b(threadgroup|simdgroup)_barrier\((mem_flags::mem_\w+)\);")


def findings(metile, text, config, name, folder):
    """The rules that a check of `text` reports."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([metile, "check", path, "--config", config, "--json"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    if done.returncode not in (0, 1):
        sys.exit(f"{name}: {done.stderr}")
    return [finding["rule"] for check in json.loads(done.stdout)["checks"]
            for finding in check["findings"]]


def mutants(text):
    """(line, what was done, whether it must be noticed, the text) of each change."""
    for barrier in BARRIER.finditer(text):
        line = text.count("\n", 0, barrier.start()) + 1
        needed = "unneeded" not in text.splitlines()[line - 1]
        yield (line, "removed", needed,
               text[:barrier.start()] + " " * len(barrier[0]) + text[barrier.end():])
        yield (line, "mem_none", needed,
               text[:barrier.start(2)] + "mem_flags::mem_none" + text[barrier.end(2):])


def main():
    metile, kernels = sys.argv[1], sys.argv[2:]
    noticed = wanted = silent = unneeded = 0
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for kernel in kernels:
            name = os.path.basename(kernel)
            config = os.path.splitext(kernel)[0] + ".toml"
            with open(kernel, encoding="utf-8") as file:
                text = file.read()
            if rules := findings(metile, text, config, name, folder):
                failures.append(f"{name}: correct as it is, but {rules}")
            for line, change, needed, mutant in mutants(text):
                rules = findings(metile, mutant, config, name, folder)
                if needed:
                    wanted += 1
                    noticed += bool(rules)
                else:
                    unneeded += 1
                    silent += not rules
                if bool(rules) != needed:
                    failures.append(f"{name}:{line}: {change}: " + (str(rules) or "nothing"))
    for failure in failures:
        print(failure)
    print(f"{len(kernels)} kernels: {noticed} of {wanted} changes that matter noticed, "
          f"{silent} of {unneeded} that do not matter passed over")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
