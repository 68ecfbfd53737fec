#!/usr/bin/env python3
"""Writes units, sources that each include several test files: units.py <root> <unit>... -- <test file>...

Most of the time of compiling a test is spent on headers and on templates that other tests use as well. In a unit each file is in a namespace of
its own, so that names may be equal in several of them; the headers of all come first. -Dsplit=true compiles each test file on its own."""

import sys
from pathlib import Path

def head(text):
    """The lines with which a file includes headers."""
    lines, whole = [], 0  # as many as are not within an #if that encloses more than includes
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


def main(root, *words):
    names, files = words[:words.index("--")], [Path(root, word) for word in words[words.index("--") + 1:]]
    files.sort(key=lambda file: file.stat().st_size, reverse=True)
    for number, name in enumerate(names):
        Path(name).write_text(unit(files[number::len(names)]))


if __name__ == "__main__":
    main(*sys.argv[1:])
