#!/usr/bin/env python3
"""Macros do not change the layout of classes: same_layout.py <source root> <compiler>...

So a program with assertions can be linked with a library without, and vice versa. All public headers are compiled with a sample; g++ writes the size,
alignment, bases and virtual functions of each class. With other compilers, the test is skipped."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

WAYS = (["-DNDEBUG"], ["-DHSM_PORTABLE", "-DHSM_LOOP_OPS", "-DHSM_NO_LOCATIONS"])
# This sample instantiates templates.
USER = "samples/crowd.cpp"
CLASS = re.compile(r"^Class (\S.*)\n((?:   .*\n)+)", re.MULTILINE)
VTABLE = re.compile(r"^Vtable for (hsm::\S.*)\n(.*): (\d+) entries", re.MULTILINE)


def source(root):
    """A source that includes all public headers and the sample."""
    headers = (p for p in sorted((root / "hsm").rglob("*.hpp")) if "detail" not in p.parts)
    return "".join(f"#include <{p.relative_to(root).as_posix()}>\n" for p in headers) + f'#include "{root / USER}"\n'


def classes(root, compiler, ways, text):
    """Class name -> its layout as g++ writes it."""
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder, "classes")
        command = [*compiler, "-std=c++20", "-fsyntax-only", f"-fdump-lang-class={dump}", "-w", "-I", root, *ways, "-x", "c++", "-"]
        subprocess.run(command, input=text, text=True, check=True, cwd=folder)
        output = dump.read_text()
    found = {name: facts for name, facts in CLASS.findall(output) if name.startswith("hsm::")}
    found.update({f"vtable of {name}": entries for name, _, entries in VTABLE.findall(output)})
    return found


def main(root, *compiler):
    root = Path(root).resolve()
    version = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True).stdout
    if "clang" in version or "Free Software Foundation" not in version:
        print("skipped: only g++ writes the layout of classes")
        return 77
    text = source(root)
    usual = classes(root, compiler, [], text)
    if len(usual) < 300:
        return f"g++ wrote only {len(usual)} classes"
    different = 0
    for ways in WAYS:
        other = classes(root, compiler, ways, text)
        both = sorted(usual.keys() & other.keys())
        if len(both) < 0.9 * len(usual):
            return f"with {' '.join(ways)}, g++ wrote only {len(both)} of {len(usual)} classes"
        for name in both:
            if usual[name] != other[name]:
                different += 1
                print(f"{' '.join(ways)}: the layout of {name} is different:\n{other[name]}instead of\n{usual[name]}")
    print(f"{len(usual)} classes, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
