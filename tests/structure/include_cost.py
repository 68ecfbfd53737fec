#!/usr/bin/env python3
"""Compares the cost of parsing <hsm/hsm.hpp> with that of <vector> and <string>: include_cost.py <source root> <limit> <compiler>..."""

import resource
import subprocess
import sys

root, limit, *compiler = sys.argv[1:]
ROUNDS, ATTEMPTS = 7, 3


def cost(source):
    """Processor seconds to parse this source. On a busy machine they vary less than elapsed time."""
    command = [*compiler, "-std=c++20", "-fsyntax-only", "-I", root, "-x", "c++", "-"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=source, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio():
    rounds = [(cost("#include <hsm/hsm.hpp>\n"), cost("#include <vector>\n#include <string>\n")) for _ in range(ROUNDS)]
    ours, base = (min(column) for column in zip(*rounds))
    print(f"{1000 * ours:.0f} ms, {ours / base:.2f} x <vector> and <string> ({1000 * base:.0f} ms); the limit is {limit}")
    return ours / base


sys.exit(0 if any(ratio() <= float(limit) for _ in range(ATTEMPTS)) else 1)
