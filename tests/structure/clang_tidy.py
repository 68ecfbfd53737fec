#!/usr/bin/env python3
"""clang-tidy reports no problems in the units of the library: clang_tidy.py <source root> <build root>

The checks are in .clang-tidy. The test is skipped if clang-tidy is not installed."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77  # for meson
THIRD_PARTY = ("hsm/duktape.cpp",)


def main(root, build):
    program = shutil.which("clang-tidy")
    if not program:
        print("skipped: clang-tidy is not installed")
        return SKIPPED
    subprocess.run(["ninja", "-C", build, "hsm/duktape.h"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # generated
    commands = json.loads(Path(build, "compile_commands.json").read_text())
    units = [c["file"] for c in commands if c["output"].startswith("hsm/") and c["file"] not in THIRD_PARTY]

    def problems(unit):
        command = [program, "-p", build, "--quiet", f"--config-file={root}/.clang-tidy", str(Path(build, unit))]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return f"{unit}:\n{done.stdout}{done.stderr}" if done.returncode else ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(problems, units) if text]
    print("\n".join([*found, f"{len(units)} units, {len(found)} with problems"]))
    return 1 if found or not units else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
