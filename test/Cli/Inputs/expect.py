# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and insists on its exit code.

usage: expect.py CODE COMMAND...     prints what the command says on both channels
"""

import subprocess
import sys

wanted = int(sys.argv[1])
done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                      stdin=subprocess.DEVNULL, timeout=120)
sys.stdout.write(done.stdout)
if done.returncode != wanted:
    print(f"expect.py: exit code {done.returncode}, wanted {wanted}")
    sys.exit(1)
