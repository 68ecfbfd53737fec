#!/usr/bin/env python3
"""Writes units, sources that each include several test files: units.py <root> [<unit>... -- <test file>... --]...

Compiling a test takes most of the time for headers and for templates that other tests also use. A unit begins with the headers of all its files. Each
file is in its own namespace, so that several files can use the same names. -Dsplit=true compiles each test file separately."""

import sys
from pathlib import Path

def head(text):
    """The lines at the beginning of a file that include headers."""
    lines, whole = [], 0  # whole: the number of lines without an #if that encloses other code
    depth = 0
    for line in text.splitlines():
        if line.startswith("#"):
            lines.append(line)
            depth += line.startswith("#if") - line.startswith("#endif")
            if depth == 0:
                whole = len(lines)
        elif line and not line.startswith("//"):
            break
    return lines[:whole]


def unit(files):
    lines = [line for file in files for line in head(file.read_text())]
    lines += [f'namespace {file.stem} {{\n#include "{file}"\n}}' for file in files]
    return "\n".join(lines) + "\n"


def write_units(names, files):
    files = sorted(files, key=lambda file: file.stat().st_size, reverse=True)
    for number, name in enumerate(names):
        text = unit(files[number::len(names)])
        if not Path(name).exists() or Path(name).read_text() != text:  # units of unchanged tests are not compiled again
            Path(name).write_text(text)


def main(root, *words):
    while words:
        names, words = words[:words.index("--")], words[words.index("--") + 1:]
        files, words = words[:words.index("--")], words[words.index("--") + 1:]
        write_units(names, [Path(root, file) for file in files])


if __name__ == "__main__":
    main(*sys.argv[1:])
