#!/usr/bin/env python3
"""What is public, is visible: public_headers.py [source root]

Every header of hsm/ outside of a folder detail/ has a row of docs/headers.md, and every row has such a header; every header and
source of detail/ is in the namespace hsm::detail. Samples, docs, benchmarks and programs that use the installed library include
public headers only. What is installed cannot include what is not."""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r"#\s*include\s*<((?:hsm|tests|samples)/[^>]+)>")
ROW = re.compile(r"^\|\s*\[(hsm/[^\]]+)\]\(\.\./(hsm/[^)]+)\)\s*\|\s*(\S.*?)\s*\|$")
USERS = ("samples", "docs", "README.md", "tests/consumers", "tests/benchmarks", "tests/compile_fail", "tests/modules")
# Of the benchmarks, what measures a part that users do not call.
MAY_LOOK_INSIDE = {"tests/benchmarks/idle_tick.cpp", "tests/modules/host.cpp", "tests/modules/in_module.hpp", "tests/compile_fail/compiled_leaf.cpp"}


def is_internal(header):
    return "/detail/" in header


def files(root, folder):
    path = root / folder
    return [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in (".cpp", ".hpp", ".md"))


def rows(root, problems):
    """header -> line, in the page."""
    found = {}
    for number, line in enumerate((root / "docs/headers.md").read_text().splitlines(), 1):
        if not (row := ROW.match(line)):
            continue
        if row[1] != row[2]:
            problems.append(f"docs/headers.md:{number}: [{row[1]}] leads to {row[2]}")
        if row[1] in found:
            problems.append(f"docs/headers.md:{number}: {row[1]} is there twice")
        found[row[1]] = number
    return found


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    problems = []
    headers = {p.relative_to(root).as_posix(): p for p in sorted((root / "hsm").rglob("*.hpp"))}
    listed = rows(root, problems)
    for header in headers:
        if not is_internal(header) and header not in listed:
            problems.append(f"{header}:1: a public header without a row in docs/headers.md")
    for header, line in listed.items():
        if header not in headers or is_internal(header):
            problems.append(f"docs/headers.md:{line}: {header} is no public header")

    for header, path in headers.items():
        text = path.read_text()
        if is_internal(header) and "namespace" in text and not re.search(r"^namespace hsm::detail\b|^namespace detail \{", text, re.MULTILINE):
            problems.append(f"{header}:1: a header of detail/ is in the namespace hsm::detail")
        for included in INCLUDE.findall(text):
            if included.startswith(("tests/", "samples/")):
                problems.append(f"{header}:1: the library includes <{included}>")

    used = 0
    for folder in USERS:
        for path in files(root, folder):
            name = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                for included in INCLUDE.findall(line):
                    used += 1
                    if included.startswith("hsm/") and included not in headers:
                        problems.append(f"{name}:{number}: there is no <{included}>")
                    elif is_internal(included) and name not in MAY_LOOK_INSIDE:
                        problems.append(f"{name}:{number}: <{included}> is not for users")

    print("\n".join([*problems, f"{len(listed)} public headers, {used} includes, {len(problems)} problems"]))
    sys.exit(1 if problems or not listed or not used else 0)


main()
