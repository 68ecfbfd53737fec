#!/usr/bin/env python3
"""Every error code has a chapter in docs/reference/errors.md, and every chapter has a code: errors_documented.py [source root]

hsm/define/code.hpp contains the numbers, code.cpp the titles. A chapter has the heading `## HSM-007 Unknown state` and contains a message with that
number."""

import re
import sys
from pathlib import Path


def codes(root):
    """Number -> enumerator, from code.hpp."""
    text = (root / "hsm/define/code.hpp").read_text()
    body = re.search(r"enum class code\b[^{]*\{(.*?)\}", text, re.DOTALL)[1]
    return {int(number): name for name, number in re.findall(r"(\w+)\s*=\s*(\d+)", body)}


def titles(root):
    """Enumerator -> title, from code.cpp."""
    return dict(re.findall(r'\{\s*code::(\w+),\s*"([^"]*)"\s*\}', (root / "hsm/define/code.cpp").read_text()))


def chapters(document):
    """(line, number, title, text) of each chapter. The text is None if the heading does not begin with ##."""
    parts = []
    for i, line in enumerate(document.read_text().splitlines(), 1):
        heading = re.match(r"#+ HSM-(\d{3,})\b\s*(.*)", line)
        if heading:
            parts.append([i, int(heading[1]), heading[2].strip(), "" if line.startswith("## ") else None])
        elif parts and re.match(r"#{1,2} ", line):
            parts.append([i, None, "", ""])
        elif parts and parts[-1][3] is not None:
            parts[-1][3] += line + "\n"
    return [part for part in parts if part[1] is not None]


def problems(root):
    document = root / "docs/reference/errors.md"
    known, names = codes(root), titles(root)
    for number, name in known.items():
        if name not in names:
            yield f"hsm/define/code.cpp: code::{name} has no title"
    seen = {}
    for line, number, title, text in chapters(document):
        where = f"docs/reference/errors.md:{line}: HSM-{number:03}"
        if number not in known:
            yield f"{where}: the code does not exist"
            continue
        if number in seen:
            yield f"{where}: has another chapter in line {seen[number]}"
        elif seen and number < max(seen):
            yield f"{where}: chapters must be in the order of their numbers"
        seen[number] = line
        if title != names.get(known[number]):
            yield f"{where}: the title is '{title}' instead of '{names.get(known[number])}'"
        if text is None:
            yield f"{where}: the heading must begin with ##"
        elif f"HSM-{number:03} " not in text:
            yield f"{where}: contains no message"
    for number in sorted(known.keys() - seen.keys()):
        yield f"docs/reference/errors.md: no chapter '## HSM-{number:03} {names.get(known[number])}'"


NUMBERS = ["no", "one", "two", "three", "four", "five"]


def group_problems(root):
    """The compile errors come last, and the text states the number of their groups."""
    text = (root / "docs/reference/errors.md").read_text().split("# Compile errors\n", 1)[1]
    if "\n## HSM-" in text:
        yield "docs/reference/errors.md: a code has its chapter among the compile errors"
    stated = re.search(r"The messages come in (\w+) groups", text)
    groups = re.findall(r"^## .*\n\n\| the message begins with ", text, re.MULTILINE)
    if not stated or stated[1] != NUMBERS[len(groups)]:
        yield f"docs/reference/errors.md: the compile errors come in {NUMBERS[len(groups)]} groups"


def constant_problems(root):
    """The titles in the messages for compilers that print strings letter by letter."""
    known, names = codes(root), titles(root)
    text = (root / "hsm/constant/detail/check.hpp").read_text()
    titled = {int(number): title for number, title in re.findall(r'"hsm: HSM-(\d+) (.*) \(the next error contains the location\)"', text)}
    for number in sorted({int(n) for n in re.findall(r'"HSM-(\d+)"', text)} | titled.keys()):
        if titled.get(number) != names.get(known[number]):
            yield f"hsm/constant/detail/check.hpp: HSM-{number:03} has the title '{titled.get(number)}' instead of '{names.get(known[number])}'"


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve()
    found = [*problems(root), *group_problems(root), *constant_problems(root)]
    count = len(codes(root))
    print("\n".join([*found, f"{count} codes, {len(found)} problems"]))
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
