#!/usr/bin/env python3
"""Checks who includes whom: include_direction.py <source root>

A folder of hsm/ includes only folders to its left, and headers stay light."""

import re
import sys
from pathlib import Path

ORDER = ("op", "define", "chart", "vm", "compile", "run", "crowd", "manage", "observe", "save", "replay", "tool")
# What stands beside the others, and on what.
ASIDE = {"constant": "run", "load": "define", "scxml": "save", "draw": "chart"}


def up_to(stage):
    return set(ORDER[:ORDER.index(stage) + 1])


MAY_INCLUDE = {stage: set(ORDER[:i]) for i, stage in enumerate(ORDER)}
MAY_INCLUDE |= {folder: up_to(stage) for folder, stage in ASIDE.items()}
MAY_INCLUDE["scxml"] |= {"load"}
MAY_INCLUDE["observe"] |= {"constant", "draw"}
MAY_INCLUDE["tool"] |= set(ASIDE)
HEAVY = {"algorithm", "atomic", "chrono", "functional", "iostream", "ranges"}
# Only where the compiler has nothing better.
WHERE_NEEDED = {("hsm/op/detail/compiler.hpp", "atomic")}
# The one header that stands for a library of others, so that all sources parse the same part of it.
FORMATTING = "hsm/op/detail/format.hpp"
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path):
    """The stage that hsm/<stage>/... belongs to; none for the files at the top of hsm/."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else None


def broken_rule(file, bracket, included):
    """The rule that this include breaks, if any."""
    folder, header = folder_of(file), file.endswith(".hpp")
    if bracket == '"':
        return "includes are written from the root, in angle brackets: <hsm/...>"
    if not included.startswith("hsm/"):
        if header and ("/" in included or "." in included) and file != FORMATTING:
            return "third-party and system headers are included in .cpp files only"
        if header and included in HEAVY and (file, included) not in WHERE_NEEDED:
            return f"<{included}> is too slow to parse for a header"
        return None
    other = folder_of(included)
    if folder is None or other == folder or included == "hsm/version.hpp":
        return None
    if other is None:
        return f"{folder} names what it needs, not everything"
    if other not in MAY_INCLUDE[folder]:
        return f"{folder} includes only {', '.join(sorted(MAY_INCLUDE[folder])) or 'itself'}"
    return None


def violations(root):
    """Lines "file:line: include: rule", in order."""
    found = []
    for path in sorted(p for p in Path(root, "hsm").rglob("*") if p.suffix in (".hpp", ".cpp")):
        file = path.relative_to(root).as_posix()
        if folder_of(file) not in {None, *MAY_INCLUDE}:
            found.append(f"{file}:1: a folder without a place in the pipeline")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := INCLUDE.match(line):
                if rule := broken_rule(file, *match.groups()):
                    found.append(f"{file}:{number}: {match[2]}: {rule}")
    return found


if __name__ == "__main__":
    found = violations(sys.argv[1])
    print("\n".join(found) or "every include points to the left")
    sys.exit(1 if found else 0)
