#!/usr/bin/env python3
"""Each rule in docs/reference/semantics.md has tests: rules_have_tests.py [source root]

The page has the cases T1, T2, ... and the rules R1, R2, ..., each once: as the first word of a line in the chapter "The rules and their tests", or,
for rules, in parentheses after the sentence that states the rule: "(R1)", "(R2, R3)". tests/structure/rules.txt has the same numbers, in
order, without a gap. Below each number it lists its tests, as "  tests/run/hold_test.cpp: a name". Each file exists and has a test case or
subcase of exactly that name; tests/cluster/run.py has a function with that docstring. A test with a case's number in its name is in the list of that case."""

import re
import sys
from pathlib import Path

DOCUMENT = "docs/reference/semantics.md"
CHAPTER = "## The rules and their tests"
LIST = "tests/structure/rules.txt"
LEAST = {"T": 41, "R": 239}  # finds numbers that are removed at the end

ROW = re.compile(r"(T)(\d+) ")
MARK = re.compile(r"\((R\d+(?:, R\d+)*)\)")
TEST = re.compile(r"  (\S+): (.+)")
STRING = r'"((?:[^"\\\n]|\\.)*)"'
CASE = re.compile(rf"^[ \t]*(?:TEST_CASE|SUBCASE|TEST_CASE_TEMPLATE)\(\s*{STRING}\s*[,)]", re.MULTILINE)
DOCSTRING = re.compile(r'^def \w+\(\):\n    """([^"\n]*)"""$', re.MULTILINE)
NUMBER = re.compile(r"\bT(\d+)\b")


def stated(document):
    """(line, letter, number, parts) of each case and rule of the page; the parts of a case are its chart and its trace."""
    inside = False
    lines = document.read_text().splitlines()
    for i, line in enumerate(lines, 1):
        if line.startswith("## "):
            inside = line == CHAPTER
        if inside and (row := ROW.match(line)):
            yield i, row[1], int(row[2]), (line[row.end() :], lines[i])
        for mark in MARK.findall(line):
            for number in mark.split(", "):
                yield i, "R", int(number[1:]), None


def listed(path, problems):
    """{(letter, number): (line, [(file, name) of each test])} in the order of rules.txt."""
    found, tests = {}, None
    for i, line in enumerate(path.read_text().splitlines(), 1):
        if heading := re.fullmatch(r"([TR])(\d+)", line):
            key = heading[1], int(heading[2])
            if key in found:
                problems.append(f"{LIST}:{i}: {line} is listed twice")
            tests = []
            found[key] = i, tests
        elif (test := TEST.fullmatch(line)) and tests is not None:
            tests.append((test[1], test[2]))
        else:
            problems.append(f"{LIST}:{i}: a line must be a number or '  file: name of a test'")
    return found


def cases_of(path):
    """(line, name) of each test case and subcase, without those in comments."""
    text = path.read_text()
    return [(text.count("\n", 0, case.start(1)) + 1, case[1].replace('\\"', '"')) for case in (DOCSTRING if path.suffix == ".py" else CASE).finditer(text)]


def problems_of_order(found):
    """The numbers of the list are in order, without gaps."""
    last = dict.fromkeys(LEAST, 0)
    for (letter, number), (line, _) in found.items():
        if number != last[letter] + 1:
            yield f"{LIST}:{line}: {letter}{number} follows {letter}{last[letter]}"
        last[letter] = number
    for letter, least in LEAST.items():
        if last[letter] < least:
            yield f"{LIST}:1: the last number is {letter}{last[letter]}, but {letter}{least} must exist"


def problems_of_page(document, found):
    """The page has the same numbers as the list, each once."""
    seen = {}
    for line, letter, number, parts in stated(document):
        where = f"{DOCUMENT}:{line}: {letter}{number}"
        if (letter, number) in seen:
            yield f"{where} is already in line {seen[letter, number]}"
        seen[letter, number] = line
        if parts and not (parts[0].strip() and parts[1].startswith("     ")):
            yield f"{where} has no chart or no trace"
        if (letter, number) not in found:
            yield f"{where} is not in {LIST}"
    for letter, number in found.keys() - seen.keys():
        yield f"{LIST}:{found[letter, number][0]}: {letter}{number} is not in {DOCUMENT}"


def problems_of_list(root, found, cases):
    for (letter, number), (line, tests) in found.items():
        where = f"{LIST}:{line}: {letter}{number}"
        if not tests:
            yield f"{where} names no test"
        for file, name in tests:
            if not (root / file).is_file():
                yield f"{where}: {file} does not exist"
            elif name not in (known for _, known in cases.get(file, ())):
                yield f'{where}: {file} has no test case "{name}"'
        if len(set(tests)) < len(tests):
            yield f"{where} names a test twice"


def problems_of_tests(found, cases):
    """A test with a number in its name is in the list of that number."""
    for file, known in cases.items():
        for line, name in known:
            for number in map(int, NUMBER.findall(name)):
                if ("T", number) not in found:
                    yield f'{file}:{line}: "{name}": T{number} is not in {LIST}'
                elif (file, name) not in found["T", number][1]:
                    yield f'{file}:{line}: "{name}": T{number} of {LIST} does not name it'


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve()
    problems = []
    found = listed(root / LIST, problems)
    cases = {path.relative_to(root).as_posix(): cases_of(path) for path in [*sorted((root / "tests").rglob("*_test.cpp")), root / "tests/cluster/run.py"]}
    problems += [*problems_of_order(found), *problems_of_page(root / DOCUMENT, found), *problems_of_list(root, found, cases), *problems_of_tests(found, cases)]
    tests = {test for _, of_rule in found.values() for test in of_rule}
    counts = ", ".join(f"{sum(key[0] == letter for key in found)} {letter}" for letter in LEAST)
    print("\n".join([*problems, f"{counts}, {len(tests)} tests, {len(problems)} problems"]))
    return 1 if problems or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
