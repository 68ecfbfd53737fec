#!/usr/bin/env python3
"""The code is formatted: format.py [--write] [source root]

Compares the files with the output of clang-format 14; --write formats them. In files with a `requires` clause, only the length of lines is checked,
because that version formats these clauses badly. Lines that contain a string may be longer. Without clang-format 14, the test is skipped."""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77 # for meson
FOLDERS = ("hsm", "tests", "samples")
# These tests limit the number of bytes of errors, and their generated charts have one line each.
LEFT_ALONE = ("tests/compile_fail/",)
# Starting clang-format takes longer than formatting a file.
BATCHES = 8
PLACE = re.compile(r"^(\S+?):(\d+):\d+: warning: ", re.MULTILINE)


def clang_format():
    for name in ("clang-format-14", "clang-format"):
        if path := shutil.which(name):
            version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
            if re.search(r"version 14\.", version):
                return path
    return None


def line_length(root, path):
    """The limit of the nearest .clang-format."""
    for folder in path.relative_to(root).parents:
        if (root / folder / ".clang-format").is_file():
            return int(re.search(r"^ColumnLimit: (\d+)$", (root / folder / ".clang-format").read_text(), re.MULTILINE)[1])


def main():
    write = "--write" in sys.argv[1:]
    folders = [a for a in sys.argv[1:] if not a.startswith("-")]
    root = Path(folders[0] if folders else Path(__file__).parents[2]).resolve()
    files = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*.[ch]pp"))
             if not p.relative_to(root).as_posix().startswith(LEFT_ALONE)]
    problems = []
    for path in files:
        longest = line_length(root, path)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if len(line) > longest and '"' not in line:
                problems.append(f"{path.relative_to(root)}:{number}: {len(line)} characters, more than {longest}")

    program = clang_format()
    sources = [p for p in files if not re.search(r"\brequires\b", p.read_text())]

    def unformatted(batch):
        """The first unformatted place in each file, as "file:line". With --write, formats the files instead."""
        done = subprocess.run([program, "--style=file", "-i" if write else "--dry-run", *batch], capture_output=True, text=True, cwd=root)
        if done.returncode:
            return [f"clang-format failed: {done.stderr}"]
        return {file: f"{file}:{line}" for file, line in reversed(PLACE.findall(done.stderr))}.values()

    if program:
        batches = [[str(p.relative_to(root)) for p in sources[i::BATCHES]] for i in range(BATCHES)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for place in sorted(place for places in pool.map(unformatted, batches) for place in places):
                problems.append(f"{place}: not formatted; tests/structure/format.py --write formats it")
    print("\n".join([*problems, f"{len(files)} files, {len(problems)} problems" + ("" if program else "; clang-format 14 is not installed, so only the length of lines was checked")]))
    if problems or not files:
        return 1
    return 0 if program else SKIPPED


sys.exit(main())
