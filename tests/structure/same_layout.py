#!/usr/bin/env python3
"""Classes are the same in whatever way they are compiled: same_layout.py <source root> <compiler>...

A program with assertions may be linked with a library without, and so on. All headers are compiled together with some machines in use;
g++ writes down the size and alignment of each class, its bases and its virtual functions. Other compilers do not: skipped."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

WAYS = (["-DNDEBUG"], ["-DHSM_PORTABLE", "-DHSM_LOOP_OPS", "-DHSM_NO_LOCATIONS"])
# Instances of templates, too.
USER = "samples/crowd.cpp"
CLASS = re.compile(r"^Class (\S.*)\n((?:   .*\n)+)", re.MULTILINE)
VTABLE = re.compile(r"^Vtable for (hsm::\S.*)\n(.*): (\d+) entries", re.MULTILINE)


def source(root):
    """What users can include, with all that it includes in turn."""
    headers = (p for p in sorted((root / "hsm").rglob("*.hpp")) if "detail" not in p.parts)
    return "".join(f"#include <{p.relative_to(root).as_posix()}>\n" for p in headers) + f'#include "{root / USER}"\n'


def classes(root, compiler, ways, text):
    """name -> what g++ says of it"""
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder, "classes")
        command = [*compiler, "-std=c++20", "-fsyntax-only", f"-fdump-lang-class={dump}", "-w", "-I", root, *ways, "-x", "c++", "-"]
        subprocess.run(command, input=text, text=True, check=True, cwd=folder)
        said = dump.read_text()
    found = {name: facts for name, facts in CLASS.findall(said) if name.startswith("hsm::")}
    found.update({f"vtable of {name}": entries for name, _, entries in VTABLE.findall(said)})
    return found


def main(root, *compiler):
    root = Path(root).resolve()
    version = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True).stdout
    if "clang" in version or "Free Software Foundation" not in version:
        print("skipped: only g++ tells the layout of classes")
        return 77
    text = source(root)
    usual = classes(root, compiler, [], text)
    if len(usual) < 300:
        return f"g++ told of {len(usual)} classes only"
    different = 0
    for ways in WAYS:
        other = classes(root, compiler, ways, text)
        both = sorted(usual.keys() & other.keys())
        if len(both) < 0.9 * len(usual):
            return f"with {' '.join(ways)} only {len(both)} of {len(usual)} classes are there"
        for name in both:
            if usual[name] != other[name]:
                different += 1
                print(f"{' '.join(ways)}: {name} is another:\n{usual[name]}instead of\n{other[name]}")
    print(f"{len(usual)} classes, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
