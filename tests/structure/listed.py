#!/usr/bin/env python3
"""Every source, test and sample is in a list of its meson.build. Every file that contributing.md names exists, and contains the names in the same row
of a table.

    listed.py [root]
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]


def missing(folder, pattern, list_file="meson.build", skip=()):
    text = (ROOT / folder / list_file).read_text()
    for path in sorted((ROOT / folder).rglob(pattern)):
        name = path.relative_to(ROOT / folder).as_posix()
        if not name.startswith(skip) and f"'{name}'" not in text:
            yield f"{folder}/{name} is not in {folder}/{list_file}"


def unknown(document):
    """Files that do not exist, and names in the first column of a table that do not occur in the files of their line."""
    path = re.compile(r"`((?:hsm|tests|samples|docs|packaging)/[\w./-]+\.\w+)`")
    for number, line in enumerate((ROOT / document).read_text().splitlines(), 1):
        files = path.findall(line)
        gone = [f for f in files if not (ROOT / f).exists()]
        yield from (f"{document}:{number}: {f} does not exist" for f in gone)
        if not line.startswith("|") or not files or gone: continue
        text = "".join((ROOT / f).read_text() for f in files)
        for name in re.findall(r"`([\w:]+)`", line.split("|")[1]):
            if name.split("::")[-1] not in text: yield f"{document}:{number}: no file of this line contains {name}"


def main():
    problems = [
        *unknown("docs/internals/contributing.md"),
        *missing("hsm", "*.cpp"),
        *missing("tests", "*_test.cpp"),
        *missing("samples", "*.cpp"),
        *(f"tests/structure/{p.name} is not in tests/meson.build" for p in sorted((ROOT / "tests/structure").iterdir())
          if p.suffix in (".py", ".sh") and f"'structure/{p.name}'" not in (ROOT / "tests/meson.build").read_text()),
    ]
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    sys.exit(bool(problems))


main()
