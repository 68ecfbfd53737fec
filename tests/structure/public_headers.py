#!/usr/bin/env python3
"""Checks of public headers: public_headers.py [source root]

- Every header of hsm/ outside of folders detail/ is public: it is in docs/reference/headers.md, once. Every header on that page exists.
- The header of a module (hsm/save.hpp) includes all public headers of its folder.
- Every header in a folder detail/ is in the namespace hsm::detail.
- Samples, docs, benchmarks and programs that use the installed library include public headers only.
- The library includes no headers of tests or samples."""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r"#\s*include\s*<((?:hsm|tests|samples)/[^>]+)>")
LISTED = re.compile(r"\[([^\]]+\.hpp)\]\(\.\./\.\./(hsm/[^)]+)\)")
FOLDERS = {"xml": "load"}  # folders whose names differ from the module
WHOLE = {"hsm.hpp", "fwd.hpp", "version.hpp"}  # headers that are not modules
USERS = ("samples", "docs", "README.md", "tests/consumers", "tests/benchmarks", "tests/compile_fail", "tests/modules")
# These use internal functions.
MAY_LOOK_INSIDE = {"tests/benchmarks/idle_tick.cpp", "tests/modules/host.cpp", "tests/modules/in_module.hpp", "tests/compile_fail/contexts.cpp"}


def is_internal(header):
    return "/detail/" in header


def files(root, folder):
    path = root / folder
    return [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in (".cpp", ".hpp", ".md"))


def rows(root, problems):
    """Header -> its line in the page."""
    found = {}
    for number, line in enumerate((root / "docs/reference/headers.md").read_text().splitlines(), 1):
        for shown, header in LISTED.findall(line):
            if header not in (shown, f"hsm/{shown}"):
                problems.append(f"docs/reference/headers.md:{number}: [{shown}] leads to {header}")
            if header in found:
                problems.append(f"docs/reference/headers.md:{number}: {header} is listed twice")
            found[header] = number
    return found


def modules(root, headers):
    """Missing and wrong includes in the headers of modules."""
    for path in sorted((root / "hsm").glob("*.hpp")):
        if path.name in WHOLE:
            continue
        folder = f"hsm/{FOLDERS.get(path.stem, path.stem)}"
        wanted = {name for name in headers if str(Path(name).parent) == folder}
        included = set(INCLUDE.findall(path.read_text()))
        yield from (f"hsm/{path.name}:1: does not include <{name}>" for name in sorted(wanted - included))
        yield from (f"hsm/{path.name}:1: includes <{name}>, which is not in {folder}" for name in sorted(included - wanted))
        if not wanted:
            yield f"hsm/{path.name}:1: {folder} contains no public headers"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    problems = []
    headers = {p.relative_to(root).as_posix(): p for p in sorted((root / "hsm").rglob("*.hpp"))}
    listed = rows(root, problems)
    for header in headers:
        if not is_internal(header) and header not in listed:
            problems.append(f"{header}:1: a public header that is not in docs/reference/headers.md")
    for header, line in listed.items():
        if header not in headers or is_internal(header):
            problems.append(f"docs/reference/headers.md:{line}: {header} is not a public header")
    problems += modules(root, headers)

    for header, path in headers.items():
        text = path.read_text()
        if is_internal(header) and "namespace" in text and not re.search(r"^namespace hsm::(inspect::)?detail\b|^namespace detail \{", text, re.MULTILINE):
            problems.append(f"{header}:1: a header in detail/ must be in the namespace hsm::detail")
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
                        problems.append(f"{name}:{number}: <{included}> does not exist")
                    elif is_internal(included) and name not in MAY_LOOK_INSIDE:
                        problems.append(f"{name}:{number}: <{included}> is not public")

    print("\n".join([*problems, f"{len(listed)} public headers, {used} includes, {len(problems)} problems"]))
    sys.exit(1 if problems or not listed or not used else 0)


main()
