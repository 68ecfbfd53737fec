#!/usr/bin/env python3
"""Counts what meson's test logs say: summary.py <build root> <name of a build folder>...

A doctest executable counts as its test cases, any other test as one. The last line is the total."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

CASES = re.compile(r"^\[doctest\] test cases: *\d+ \| *(\d+) passed \| *(\d+) failed \| *(\d+) skipped", re.MULTILINE)


def count(test):
    """The passed, failed and skipped cases of one record."""
    if test["result"] == "SKIP":
        return Counter(skipped=1)
    good = test["result"] in ("OK", "EXPECTEDFAIL")
    cases = CASES.findall(test.get("stdout", ""))
    if not cases:
        return Counter(passed=1) if good else Counter(failed=1)
    counts = Counter(dict(zip(("passed", "failed", "skipped"), map(int, cases[-1]))))
    if not good and not counts["failed"]:  # a leak, say, found after the last case
        counts["failed"] = 1
    return counts


def reason(test):
    """What a skipped test wrote after "skipped:", or else its last line."""
    lines = [line.strip() for line in (test.get("stdout", "") + test.get("stderr", "")).splitlines() if line.strip()]
    said = [line.removeprefix("skipped:").strip() for line in lines if line.startswith("skipped:")]
    return (said or lines or ["no reason given"])[-1]


def sentence(counts):
    text = f"{counts['passed']} passed, {counts['failed']} failed"
    return text + (f", {counts['skipped']} skipped" if counts["skipped"] else "")


def main(root, *names):
    total = Counter()
    print()
    for name in names:
        log = Path(root, name, "meson-logs", "testlog.json")
        tests = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
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
