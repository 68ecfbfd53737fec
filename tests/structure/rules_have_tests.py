#!/usr/bin/env python3
"""The rules of docs/reference/semantics.md and the tests that hold them find each other: rules_have_tests.py [source root]

The chapter "The rules and their tests" has the cases T1, T2, ... and the rules R1, R2, ..., each in a row of a table: once, in order,
without a gap. The last cell of a row names its tests, as `[run/hold](../../tests/run/hold_test.cpp): "a name", "another one"; [...`.
Each file exists and has a test case, or a subcase, of exactly that name. What has a case's number in its name stands in the row of that
case."""

import re
import sys
from pathlib import Path

DOCUMENT = "docs/reference/semantics.md"
CHAPTER = "## The rules and their tests"
LEAST = {"T": 41, "R": 1}  # a row that goes missing at the end is missed, too

ROW = re.compile(r"\|\s*([TR])(\d+)\s*\|")
TESTS_OF_A_FILE = re.compile(r'\[[^\]]*\]\((?:\.\./)+([^)#]+)\): ("[^"]*"(?:, "[^"]*")*)')
STRING = r'"((?:[^"\\\n]|\\.)*)"'
CASE = re.compile(rf"^[ \t]*(?:TEST_CASE|SUBCASE|TEST_CASE_TEMPLATE)\(\s*{STRING}\s*[,)]", re.MULTILINE)
NUMBER = re.compile(r"\bT(\d+)\b")


def rows(document):
    """(line, letter, number, cells) of each row of the chapter."""
    inside = False
    for i, line in enumerate(document.read_text().splitlines(), 1):
        if line.startswith("## "):
            inside = line == CHAPTER
        elif inside and (row := ROW.match(line)):
            yield i, row[1], int(row[2]), line.strip().strip("|").split(" | ")


def tests_of(cell):
    """(file, name) of each test; None if the cell is not of the form."""
    entries = cell.strip().split("; [")
    found = []
    for entry in [entries[0], *("[" + rest for rest in entries[1:])]:
        tests = TESTS_OF_A_FILE.fullmatch(entry)
        if not tests:
            return None
        found += [(tests[1], name) for name in re.findall('"([^"]*)"', tests[2])]
    return found


def cases_of(path):
    """(line, name) of each test case and subcase. What is commented out is none."""
    text = path.read_text()
    return [(text.count("\n", 0, case.start(1)) + 1, case[1].replace('\\"', '"')) for case in CASE.finditer(text)]


def problems_of_order(found):
    """Each number once, one after the other."""
    last = dict.fromkeys(LEAST, 0)
    for line, letter, number, _ in found:
        if number != last[letter] + 1:
            yield f"{DOCUMENT}:{line}: {letter}{number} stands behind {letter}{last[letter]}"
        last[letter] = number
    for letter, least in LEAST.items():
        if last[letter] < least:
            yield f"{DOCUMENT}:1: the last row of its kind is {letter}{last[letter]}, and not {letter}{least} or a later one"


def problems_of_row(root, where, cells, cases):
    if len(cells) < 3 or not all(cell.strip() for cell in cells):
        yield f"{where} has a cell that is empty"
        return
    tests = tests_of(cells[-1])
    if tests is None:
        yield f'{where} does not name its tests in the form [run/hold](../../tests/run/hold_test.cpp): "a name", "another one"'
        return
    for file, name in tests:
        if not (root / file).is_file():
            yield f"{where}: there is no file {file}"
        elif name not in (known for _, known in cases.get(file, ())):
            yield f'{where}: {file} has no test case "{name}"'
    if len(set(tests)) < len(tests):
        yield f"{where} names a test twice"


def problems_of_tests(found, cases):
    """The other end: what has a number in its name is named by that row."""
    named = {(letter, number): set(tests_of(cells[-1]) or ()) for _, letter, number, cells in found}
    for file, known in cases.items():
        for line, name in known:
            for number in map(int, NUMBER.findall(name)):
                if ("T", number) not in named:
                    yield f'{file}:{line}: "{name}": there is no T{number} in {DOCUMENT}'
                elif (file, name) not in named["T", number]:
                    yield f'{file}:{line}: "{name}": T{number} of {DOCUMENT} does not name it'


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve()
    found = list(rows(root / DOCUMENT))
    cases = {path.relative_to(root).as_posix(): cases_of(path) for path in sorted((root / "tests").rglob("*_test.cpp"))}
    problems = list(problems_of_order(found))
    for line, letter, number, cells in found:
        problems += problems_of_row(root, f"{DOCUMENT}:{line}: {letter}{number}", cells, cases)
    problems += problems_of_tests(found, cases)
    tests = {test for *_, cells in found for test in tests_of(cells[-1]) or ()}
    counts = ", ".join(f"{sum(row[1] == letter for row in found)} {letter} rows" for letter in LEAST)
    print("\n".join([*problems, f"{counts}, {len(tests)} tests, {len(problems)} problems"]))
    return 1 if problems or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
