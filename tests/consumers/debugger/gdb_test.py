#!/usr/bin/env python3
"""Tests the GDB pretty-printers that a program contains: gdb_test.py <gdb> <program of machines.cpp>"""

import re
import subprocess
import sys

gdb, program = sys.argv[1:]

EXPECTED = {
    "agent": 'hsm::instance "lamp/on" = {leaf[0] = lamp/on/light/dim, leaf[1] = lamp/on/sound/hum, clock = 1.25 s, conditions = IsHot, '
             "internal = empty, posted = hit, press, context = 0x...}",
    "fresh": "hsm::instance, not active = {clock = 0 s, context = 0x...}",
    "chart": 'hsm::chart "lamp", 7 states, 3 transitions',
    "state": "lamp/on",
    "time": "0.5 s",
}
SETTINGS = "-iex", "set auto-load safe-path /", "-iex", "set debuginfod enabled off", "-iex", "set startup-with-shell off"
commands = [part for name in EXPECTED for part in ("-ex", f"print {name}")]
shown = subprocess.run([gdb, "-q", "-nx", "-batch", *SETTINGS, "-ex", "break stop_here", "-ex", "run", "-ex", "up", *commands, program],
                       capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
if "ptrace" in shown.stderr or "/proc is not accessible" in shown.stderr or "Could not trace" in shown.stderr:
    print("skipped: GDB cannot trace programs here")
    sys.exit(77)
values = re.findall(r"^\$\d+ = (.*)$", re.sub(r"0x[0-9a-f]+", "0x...", shown.stdout), re.M)
wrong = [f"{name}\n  expected {expected}\n  shown    {value}" for (name, expected), value in zip(EXPECTED.items(), values) if value != expected]
if len(values) != len(EXPECTED) or wrong:
    print("\n".join(wrong), shown.stdout, shown.stderr, sep="\n")
    sys.exit(1)
print(f"{len(EXPECTED)} values as expected")
