#!/usr/bin/env python3
"""Every header of hsm/ compiles alone, and may be included twice: header_alone.py <source root> <compiler>...

A header that a source of the library includes first was compiled alone by the build, if its part is built. The
others are compiled here."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root, *compiler = sys.argv[1:]
folder = Path(root, "hsm")
headers = sorted(path.relative_to(root).as_posix() for path in folder.rglob("*.hpp"))
includes = (re.search(r"^#include [<\"](.+)[>\"]", path.read_text(), re.MULTILINE) for path in folder.rglob("*.cpp"))
built = {found[1] for found in includes if found}


def errors(header):
    """What is wrong with the header, or nothing."""
    if "#pragma once" not in Path(root, header).read_text().splitlines():
        return f"{header} has no #pragma once"
    if header in built:
        return ""
    command = [*compiler, "-std=c++20", "-fsyntax-only", "-I", root, "-x", "c++", "-"]
    done = subprocess.run(command, input=f"#include <{header}>\n", text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return f"{header} does not compile alone:\n{done.stdout}" if done.returncode else ""


with ThreadPoolExecutor(os.cpu_count()) as pool:
    found = [text for text in pool.map(errors, headers) if text]
print("\n".join([*found, f"{len(headers)} headers, {len(headers) - len(built & set(headers))} compiled here, {len(found)} bad"]))
sys.exit(1 if found or not headers else 0)
