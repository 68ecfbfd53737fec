#!/usr/bin/env python3
"""Tests the library as one header and one source: single_header.py <source root> <compiler>...

The two files are generated and compiled with warnings as errors. The program of README.md and two others run with them. -Wshadow is not used for the
source, because names of one merged file can shadow those of another."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

root, compiler = Path(sys.argv[1]).resolve(), sys.argv[2:]
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wold-style-cast", "-Werror")


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-8000:]}")
    return done.stdout


with tempfile.TemporaryDirectory() as temporary:
    folder = Path(temporary)
    run(root / "hsm/single/single_header.py", root, folder)
    made = {path.name: path.read_text() for path in folder.iterdir()}
    if set(made) != {"hsm.hpp", "hsm.cpp"} or re.search(r"#\s*include\s*[<\"]hsm/", "".join(made.values())):
        sys.exit(f"single_header.py wrote {sorted(made)}, or a file still includes a header of hsm/")
    run(*compiler, "-std=c++20", *WARNINGS, "-c", "hsm.cpp", "-o", "hsm.o", cwd=folder)

    run(root / "tests/consumers/from_readme.py", root, folder)
    (folder / "main.cpp").write_text((root / "tests/consumers/installed/main.cpp").read_text())
    (folder / "timers.cpp").write_text((root / "samples/timers.cpp").read_text())
    (folder / "expect.hpp").write_text((root / "samples/expect.hpp").read_text())
    for program, expected in {"game": "creak\ndoor/open\n", "main": "", "timers": None}.items():
        source = folder / f"{program}.cpp"
        source.write_text('#include "hsm.hpp"\n' + re.sub(r"#include <hsm/.*\n", "", source.read_text()))
        run(*compiler, "-std=c++20", *WARNINGS, "-Wshadow", "-I.", f"{program}.cpp", "hsm.o", "-o", program, cwd=folder)
        output = run(folder / program)
        if expected is not None and output != expected:
            sys.exit(f"{program} prints {output!r} instead of {expected!r}")
print("3 programs run")
