#!/usr/bin/env python3
"""Every source, header, test and sample that exists is in the list of its meson.build: a file that is not runs nowhere.

    listed.py [root]
"""
import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]


def missing(folder, pattern, list_file="meson.build", skip=()):
    text = (ROOT / folder / list_file).read_text()
    for path in sorted((ROOT / folder).rglob(pattern)):
        name = path.relative_to(ROOT / folder).as_posix()
        if not name.startswith(skip) and f"'{name}'" not in text:
            yield f"{folder}/{name} is not in {folder}/{list_file}"


def main():
    problems = [
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
