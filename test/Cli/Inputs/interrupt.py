# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts a benchmark, interrupts it as Ctrl-C does, and shows what is left.

usage: interrupt.py RECORD COMMAND...
"""

import json
import signal
import subprocess
import sys
import time

record, command = sys.argv[1], sys.argv[2:]
process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
time.sleep(3)
process.send_signal(signal.SIGINT)
_, messages = process.communicate(timeout=60)
print(messages)
print("exit code", process.returncode)
with open(record) as file:
    document = json.load(file)
print("status", document["status"])
