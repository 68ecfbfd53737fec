#!/usr/bin/env python3
"""The pictures of README.md and docs/ are drawn from the samples: docs_pictures.py PROGRAM SOURCE_ROOT [--write]

PROGRAM is build/tests/tests/docs_pictures. Versions of Graphviz differ in their layout, so its input is compared, docs/pictures/NAME.dot. The last line
of NAME.svg contains a hash of that input. --write draws pictures that differ. Each picture is in a document. PNG files are not
compared: screenshots by tests/inspect/page/page_test.mjs, and an animation by tests/samples/arena/picture.py."""

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def mark(text):
    return f"<!-- of {digest(text)} -->\n"


def draw(text):
    svg = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=True).stdout
    return svg + mark(text)


def problems(wanted, folder, write):
    for name, text in wanted.items():
        dot, svg = folder / f"{name}.dot", folder / f"{name}.svg"
        stored = dot.read_text() if dot.is_file() else None
        drawn = svg.is_file() and svg.read_text().endswith(mark(text))
        if stored == text and drawn:
            continue
        if write:
            svg.write_text(draw(text))
            dot.write_text(text)
        else:
            yield f"{dot}: differs from the output of the samples" if stored != text else f"{svg}: is not drawn from {dot.name}"
    for path in sorted(folder.glob("*")):
        if path.suffix != ".png" and (path.stem not in wanted or path.suffix not in (".dot", ".svg")):
            yield f"{path}: no sample draws it"


def shown(root):
    """Pictures that documents show or link to."""
    found = set()
    for document in (root / "README.md", *sorted((root / "docs").rglob("*.md"))):
        found |= set(re.findall(r"\[[^\]]*\]\((?:docs/|\.\./)?pictures/([^)]+\.(?:svg|png))\)", document.read_text()))
    return found


def main(arguments):
    program, root = arguments[0], Path(arguments[1]).resolve()
    folder = root / "docs/pictures"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as drawn:
        subprocess.run([program, drawn], check=True)
        wanted = {path.stem: path.read_text() for path in sorted(Path(drawn).glob("*.dot"))}
    found = list(problems(wanted, folder, "--write" in arguments))
    pictures = {f"{name}.svg" for name in wanted} | {path.name for path in folder.glob("*.png")}
    found += [f"docs/pictures/{name}: no document shows it" for name in sorted(pictures - shown(root))]
    print("\n".join([*found, f"{len(wanted)} pictures, {len(found)} problems"]))
    if found:
        print(f"To update them: {sys.argv[0]} {program} {root} --write")
    return 1 if found or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
