#!/usr/bin/env python3
"""The text that each mutation of tests/mutation replaces occurs once in its file, and tests/mutation/results.tsv has a line for each mutation.

    mutations_stand.py [root]
"""
import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mutation"))
sys.dont_write_bytecode = True

from mutations import MUTATIONS  # noqa: E402


def occurrences(file, text):
    path = ROOT / "hsm" / file
    return path.read_text().count(text) if path.exists() else 0


problems = [f"{number} {what}: its text occurs {occurrences(file, old)} times in hsm/{file}"
            for number, (file, what, old, *_) in enumerate(MUTATIONS, 1) if occurrences(file, old) != 1]
results = [line.split("\t")[0] for line in (ROOT / "tests/mutation/results.tsv").read_text().splitlines()]
if results != [what for _, what, *_ in MUTATIONS]:
    problems.append("tests/mutation/results.tsv has other mutations, or another order: mutate.py --write updates it")
print("\n".join([*problems, f"{len(MUTATIONS)} mutations, {len(problems)} problems"]))
sys.exit(1 if problems or not MUTATIONS else 0)
