# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles gemm for a target that this machine cannot run.

usage: compile_foreign.py METILE DIRECTORY
"""

import json
import subprocess
import sys

metile, directory = sys.argv[1:]
listed = subprocess.run([metile, "list", "targets", "--json"], check=True, capture_output=True)
foreign = [t["name"] for t in json.loads(listed.stdout)["targets"] if not t["runs_here"]]
subprocess.run([metile, "compile", "gemm", "--target", foreign[0], "-o", directory], check=True)
