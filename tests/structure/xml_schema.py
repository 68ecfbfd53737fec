#!/usr/bin/env python3
"""docs/hsm.xsd accepts the XML files of the samples, and rejects files that the loader rejects for their form: xml_schema.py <source root>

Skipped if xmllint is not installed (Debian: libxml2-utils)."""

import shutil
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])
SKIPPED = 77
# The numbers of errors that a schema can find.
OF_FORM = ("304", "307", "308", "309", "310", "311", "312")


def accepts(file):
    command = ["xmllint", "--noout", "--nonet", "--schema", str(root / "docs/hsm.xsd"), str(file)]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode == 0, done.stdout


if not shutil.which("xmllint"):
    print("skipped: xmllint is not installed (Debian: libxml2-utils)")
    sys.exit(SKIPPED)

problems = []
good = sorted(root.glob("samples/data/*.xml")) + [root / "tests/data/xml_corpus/all.xml", root / "tests/data/xml_corpus/bits.xml"]
bad = [f for f in sorted(root.glob("tests/data/xml_errors/*.xml")) if f.name.startswith(OF_FORM)]
for file in good:
    accepted, output = accepts(file)
    if not accepted:
        problems.append(f"{file.relative_to(root)} is rejected:\n{output}")
for file in bad:
    if accepts(file)[0]:
        problems.append(f"{file.relative_to(root)} is accepted")
print("\n".join([*problems, f"{len(good)} good files, {len(bad)} bad ones, {len(problems)} problems"]))
sys.exit(1 if problems or len(good) < 4 or len(bad) < len(OF_FORM) else 0)
