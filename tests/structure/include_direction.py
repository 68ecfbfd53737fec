#!/usr/bin/env python3
"""Checks the order of includes: include_direction.py <source root>

A folder of hsm/ includes only folders to its left in ORDER, and installed headers include no expensive headers."""

import re
import sys
from pathlib import Path

ORDER = ("op", "text", "define", "chart", "vm", "compile", "run", "crowd", "manage", "observe", "save", "replay", "reload", "inspect", "tool")
# Folders outside of the order, and the last folder of the order that each may include.
ASIDE = {"constant": "run", "load": "define", "scxml": "save", "draw": "chart", "cluster": "replay"}


def up_to(stage):
    return set(ORDER[:ORDER.index(stage) + 1])


MAY_INCLUDE = {stage: set(ORDER[:i]) for i, stage in enumerate(ORDER)}
MAY_INCLUDE |= {folder: up_to(stage) for folder, stage in ASIDE.items()}
MAY_INCLUDE["scxml"] |= {"load", "reload"}
MAY_INCLUDE["observe"] |= {"constant", "draw"}
MAY_INCLUDE["inspect"] |= {"draw"}
MAY_INCLUDE["reload"] |= {"load"}
MAY_INCLUDE["tool"] |= set(ASIDE)
# The number of lines that `g++ -std=c++20 -E` (g++ 12) prints for a standard header: alone, and in addition to <string>, <vector>, <string_view>, <span>
# and <optional> (35,837), which most headers of the library include.
LINES = {
    "regex": (76060, 42800),
    "filesystem": (58728, 29079),
    "condition_variable": (56606, 26944),
    "thread": (51576, 22896),
    "memory": (51766, 22145),
    "random": (52616, 19924),
    "chrono": (46005, 17290),
    "functional": (39354, 16035),
    "fstream": (41847, 13148),
    "ranges": (43101, 11918),
    "sstream": (40437, 11738),
    "algorithm": (27823, 11442),
    "iostream": (39299, 10600),
    "mutex": (37376, 8673),
    "unordered_map": (24528, 8372),
    "atomic": (36478, 7800),
    "map": (22065, 6438),
    "iterator": (33788, 5081),
    "set": (19646, 4094),
    "deque": (19665, 2859),
    "numeric": (10234, 2724),
    "variant": (10818, 2023),
    "charconv": (5519, 1122),
    "stdexcept": (28939, 230),
    "array": (13560, 0),
}
# Users parse the installed headers in each of their sources, so these headers must not include a header that adds more lines. Sources, and headers that
# are not installed, may.
MOST_LINES = 4000
HEAVY = {header for header, (_, added) in LINES.items() if added > MOST_LINES}
# Exceptions without a cheaper alternative.
WHERE_NEEDED = {("hsm/op/detail/compiler.hpp", "atomic"), ("hsm/observe/recorder.hpp", "iterator")}
# This header includes fmt, so that all sources include the same parts of it.
FORMATTING = "hsm/op/detail/format.hpp"
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path):
    """The folder below hsm/, or None for files directly in hsm/."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else None


def installed(root):
    """The headers that hsm/meson.build names."""
    lists = Path(root, "hsm/meson.build")
    return {f"hsm/{name}" for name in re.findall(r"'([\w/]+\.hpp)'", lists.read_text())} if lists.is_file() else set()


def broken_rule(file, bracket, included, is_installed):
    """The rule that this include violates, or None."""
    folder, header = folder_of(file), file.endswith(".hpp")
    if bracket == '"':
        return "an include must begin at the root, in angle brackets: <hsm/...>"
    if not included.startswith("hsm/"):
        if header and ("/" in included or "." in included) and file != FORMATTING:
            return "third-party and system headers are included in .cpp files only"
        if is_installed and included in HEAVY and (file, included) not in WHERE_NEEDED:
            return f"<{included}> adds {LINES[included][1]} lines to each source of a user"
        return None
    other = folder_of(included)
    if folder is None or other == folder or included == "hsm/version.hpp":
        return None
    if other is None:
        return f"{folder} must include single headers instead of the header of a module"
    if other not in MAY_INCLUDE[folder]:
        return f"{folder} includes only {', '.join(sorted(MAY_INCLUDE[folder])) or 'itself'}"
    return None


def violations(root):
    """Lines "file:line: include: rule", in order."""
    found = []
    public = installed(root)
    for path in sorted(p for p in Path(root, "hsm").rglob("*") if p.suffix in (".hpp", ".cpp")):
        file = path.relative_to(root).as_posix()
        if folder_of(file) not in {None, *MAY_INCLUDE}:
            found.append(f"{file}:1: the folder is not in ORDER or ASIDE")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := INCLUDE.match(line):
                if rule := broken_rule(file, *match.groups(), file in public):
                    found.append(f"{file}:{number}: {match[2]}: {rule}")
    return found


if __name__ == "__main__":
    found = violations(sys.argv[1])
    print("\n".join(found) or "every include points to the left")
    sys.exit(1 if found else 0)
