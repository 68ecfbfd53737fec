#!/usr/bin/env python3
"""Compiles every header of hsm/ alone, and included twice: header_alone.py <source root> <compiler>..."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root, *compiler = sys.argv[1:]
headers = sorted(path.relative_to(root).as_posix() for path in Path(root, "hsm").rglob("*.hpp"))


def errors(header):
    """What the compiler says if the header does not compile, else nothing."""
    command = [*compiler, "-std=c++20", "-fsyntax-only", "-I", root, "-x", "c++", "-"]
    source = f"#include <{header}>\n" * 2
    done = subprocess.run(command, input=source, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return f"{header} does not compile alone:\n{done.stdout}" if done.returncode else ""


with ThreadPoolExecutor(os.cpu_count()) as pool:
    found = [text for text in pool.map(errors, headers) if text]
print("\n".join([*found, f"{len(headers)} headers, {len(found)} bad"]))
sys.exit(1 if found or not headers else 0)
