#!/usr/bin/env python3
"""Every code has its chapter in docs/reference/errors.md, and every chapter its code: errors_documented.py [source root]

hsm/define/code.hpp has the numbers, code.cpp the titles. A chapter is headed `## HSM-007 Unknown state`
and shows a message of that number."""

import re
import sys
from pathlib import Path


def codes(root):
    """Number -> enumerator, from the enum."""
    text = (root / "hsm/define/code.hpp").read_text()
    body = re.search(r"enum class code\b[^{]*\{(.*?)\}", text, re.DOTALL)[1]
    return {int(number): name for name, number in re.findall(r"(\w+)\s*=\s*(\d+)", body)}


def titles(root):
    """Enumerator -> title, from the catalogue."""
    return dict(re.findall(r'\{\s*code::(\w+),\s*"([^"]*)"\s*\}', (root / "hsm/define/code.cpp").read_text()))


def chapters(document):
    """(line, number, title, text) of every heading of a code."""
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
            yield f"{where}: there is no such code"
            continue
        if number in seen:
            yield f"{where}: has a chapter before, in line {seen[number]}"
        elif seen and number < max(seen):
            yield f"{where}: chapters go by number"
        seen[number] = line
        if title != names.get(known[number]):
            yield f"{where}: the title is '{title}', and not '{names.get(known[number])}'"
        if text is None:
            yield f"{where}: the heading of a code has two #"
        elif f"HSM-{number:03} " not in text:
            yield f"{where}: shows no message"
    for number in sorted(known.keys() - seen.keys()):
        yield f"docs/reference/errors.md: no chapter '## HSM-{number:03} {names.get(known[number])}'"


NUMBERS = ["no", "one", "two", "three", "four", "five"]


def group_problems(root):
    """The compile errors come last, in as many groups as the text says."""
    text = (root / "docs/reference/errors.md").read_text().split("# Compile errors\n", 1)[1]
    if "\n## HSM-" in text:
        yield "docs/reference/errors.md: a code has its chapter among the compile errors"
    told = re.search(r"They come in (\w+) groups", text)
    groups = re.findall(r"^## .*\n\n\| the message begins with ", text, re.MULTILINE)
    if not told or told[1] != NUMBERS[len(groups)]:
        yield f"docs/reference/errors.md: the compile errors come in {NUMBERS[len(groups)]} groups"


def constant_problems(root):
    """What compilers that spell letters are told of a constant chart's mistake."""
    known, names = codes(root), titles(root)
    text = (root / "hsm/constant/detail/check.hpp").read_text()
    told = {int(number): title for number, title in re.findall(r'"hsm: HSM-(\d+) (.*) \(the next error contains the location\)"', text)}
    for number in sorted({int(n) for n in re.findall(r'"HSM-(\d+)"', text)} | told.keys()):
        if told.get(number) != names.get(known[number]):
            yield f"hsm/constant/detail/check.hpp: HSM-{number:03} is called '{told.get(number)}', and not '{names.get(known[number])}'"


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve()
    found = [*problems(root), *group_problems(root), *constant_problems(root)]
    count = len(codes(root))
    print("\n".join([*found, f"{count} codes, {len(found)} problems"]))
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
