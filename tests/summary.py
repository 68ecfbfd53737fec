#!/usr/bin/env python3
"""Counts the results in meson's test logs: summary.py [--slowest] <build root> <name of a build folder>...

Each test case of a doctest executable counts as one, and each other test as one. --slowest also lists the ten slowest steps of the builds and the ten
slowest tests. The last line is the total."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

CASES = re.compile(r"^cases: (\d+) passed, (\d+) failed, (\d+) skipped$", re.MULTILINE)  # tests/main.cpp prints it


def count(test):
    """The passed, failed and skipped cases of one record."""
    if test["result"] == "SKIP":
        return Counter(skipped=1)
    good = test["result"] in ("OK", "EXPECTEDFAIL")
    cases = CASES.findall(test.get("stdout", ""))
    if not cases:
        return Counter(passed=1) if good else Counter(failed=1)
    counts = Counter(dict(zip(("passed", "failed", "skipped"), map(int, cases[-1]))))
    if not good and not counts["failed"]:  # for example a leak, found after the last case
        counts["failed"] = 1
    return counts


def reason(test):
    """The text after "skipped:" in the output of a skipped test, or else its last line."""
    lines = [line.strip() for line in (test.get("stdout", "") + test.get("stderr", "")).splitlines() if line.strip()]
    reasons = [line.removeprefix("skipped:").strip() for line in lines if line.startswith("skipped:")]
    return (reasons or lines or ["no reason given"])[-1]


def sentence(counts):
    text = f"{counts['passed']} passed, {counts['failed']} failed"
    return text + (f", {counts['skipped']} skipped" if counts["skipped"] else "")


def steps(folder):
    """Seconds and output of each step in ninja's log; a later build of the same output replaces an earlier one."""
    log = folder / ".ninja_log"
    lines = [line.split("\t") for line in log.read_text().splitlines()[1:]] if log.exists() else []
    last = {output: (int(end) - int(begin)) / 1000 for begin, end, _, output, _ in lines}
    return [(seconds, f"{folder.name}: {output}") for output, seconds in last.items()]


def records(folder):
    log = folder / "meson-logs" / "testlog.json"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def print_slowest(what, timed):
    print(f"the slowest {what}:")
    for seconds, name in sorted(timed, reverse=True)[:10]:
        print(f"{seconds:8.1f} s  {name}")


def main(*words):
    root, *names = (word for word in words if word != "--slowest")
    folders = [Path(root, name) for name in names]
    total = Counter()
    print()
    if "--slowest" in words:
        print_slowest("build steps", [step for folder in folders for step in steps(folder)])
        print_slowest("tests", [(test.get("duration", 0), f"{folder.name}: {test['name']}") for folder in folders for test in records(folder)])
    for name, folder in zip(names, folders):
        tests = records(folder)
        counts = Counter()
        for test in tests:
            mine = count(test)
            counts += mine
            test_name = test["name"].split(" / ")[-1]  # without its suites
            if test["result"] == "SKIP":
                print(f"{name}: skipped {test_name}: {reason(test)}")
            elif mine["failed"]:
                print(f"{name}: {'TIMED OUT' if test['result'] == 'TIMEOUT' else 'FAILED'} {test_name}")
        print(f"{name}: {sentence(counts)}")
        total += counts
    print(sentence(total))
    return 1 if total["failed"] or not total else 0  # a misspelt name runs nothing


sys.exit(main(*sys.argv[1:]))
