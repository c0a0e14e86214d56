# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands that a page shows and compares what they print with what the page shows.

usage: replay.py PAGE PROGRAM     "$ metile ..." in a ```console block becomes PROGRAM ...
"""

import difflib
import re
import shlex
import subprocess
import sys

page, program = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    blocks = re.findall(r"^```console\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
wrong = 0
for block in blocks:
    command, _, shown = block.partition("\n")
    words = shlex.split(command.removeprefix("$ metile"))
    printed = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, timeout=120).stdout
    if printed != shown:
        wrong += 1
        print(command)
        sys.stdout.writelines(difflib.unified_diff(shown.splitlines(True), printed.splitlines(True),
                                                   page, "now"))
print(f"{len(blocks)} commands, {wrong} print something else")
sys.exit(1 if wrong or not blocks else 0)
