#!/usr/bin/env python3
"""Counts the instructions of packing and unpacking messages between two ranks, and of memcpy of the same bytes: packing.py <cluster_benchmark>.

Runs the benchmark with callgrind, for events of 4 bytes and for agents with contexts of 64 bytes."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The functions of which the instructions are counted, and those that are called once for each message.
FUNCTIONS = {"pack an event": ("append_bytes", "append_bytes"), "memcpy of an event": ("copy_event", "copy_event"),
             "pack an agent": ("cluster_core::write_columns", "crowd_core::drop_plain"),
             "unpack an agent": ("cluster_core::read_columns", "crowd_core::begin_plain"), "memcpy of an agent": ("copy_agent", "copy_agent")}


def costs(profile):
    """Returns the number of calls of each function, and their instructions, including those of called functions."""
    names, found, called, calls = {}, {}, None, 0
    for line in profile.read_text().splitlines():
        if define := re.match(r"c?fn=\((\d+)\) (.+)", line):
            names[define[1]] = define[2]
        if callee := re.match(r"cfn=\((\d+)\)", line):
            called = callee[1]
        elif line.startswith("calls="):
            calls = int(line[6:].split()[0])
        elif calls:
            count, cost = found.get(called, (0, 0))
            found[called] = (count + calls, cost + int(line.split()[1]))
            calls = 0
    return {names[number]: each for number, each in found.items()}


with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["mpirun", "--oversubscribe", "-n", "2", "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/%p", sys.argv[1], "10000", "5", "10"],
                   env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}, capture_output=True, check=True)
    profile = costs(min(Path(folder).iterdir()))
for what, (function, once) in FUNCTIONS.items():
    instructions = sum(cost for name, (_, cost) in profile.items() if f"::{function}(" in name)
    messages = sum(calls for name, (calls, _) in profile.items() if f"::{once}(" in name)
    print(f"{what:20} {instructions / messages:6.1f} instructions ({messages} times)")
