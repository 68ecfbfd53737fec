#!/usr/bin/env python3
"""What must not compile does not, and says why: compile_fail.py <source root> <compiler>...

Each tests/compile_fail/*.cpp begins with lines `// expect: <words>`. It must fail to compile, the errors must contain the
words, and with -DHSM_CORRECTED it must compile: so it fails for that reason and no other. With a line `// at most: <bytes>` that is
all that g++ may print, the path of the source root not counted. With `// at most: <number> lines` every compiler keeps to that."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root, *compiler = sys.argv[1:]
root = str(Path(root).resolve())
EXPECT = "// expect:"
AT_MOST = "// at most:"


def compile(file, *options):
    command = [*compiler, "-std=c++20", "-fsyntax-only", "-I", root, *options, file]
    english = {**os.environ, "LC_ALL": "C", "CCACHE_DISABLE": "1"}  # which writes paths in another way
    return subprocess.run(command, env=english, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def spelled(text):
    """Also with the words that clang prints letter by letter."""
    return text.replace("\\'", "'") + re.sub(r"'(\\?.)'(, )?", r"\1", text).replace("\\'", "'")


def beginning(text, lines=30):
    return "\n".join(text.splitlines()[:lines])


def problem(file):
    """What is wrong with this file, if anything."""
    expected = [line[len(EXPECT):].strip() for line in file.read_text().splitlines() if line.startswith(EXPECT)]
    if not expected or not all(expected):
        return f"{file.name}: says nowhere what it expects ({EXPECT} <words>)"
    wrong = compile(file)
    if wrong.returncode == 0:
        return f"{file.name}: compiles, and must not"
    if missing := [words for words in expected if words not in spelled(wrong.stdout)]:
        return f"{file.name}: the errors do not say {missing}, but:\n{beginning(wrong.stdout)}"
    most = [line[len(AT_MOST):].split() for line in file.read_text().splitlines() if line.startswith(AT_MOST)]
    for number, *unit in most:
        if unit:
            size, what = len(wrong.stdout.splitlines()), "lines"
        elif "clang" in "".join(compiler):
            continue
        else:
            size, what = len(wrong.stdout.replace(f"{root}/", "")), "bytes"
        if size > int(number):
            return f"{file.name}: {size} {what} of errors, more than {number}:\n{beginning(wrong.stdout)}"
    corrected = compile(file, "-DHSM_CORRECTED")
    if corrected.returncode:
        return f"{file.name}: does not compile when corrected:\n{beginning(corrected.stdout)}"
    return None


files = sorted(Path(root, "tests/compile_fail").glob("*.cpp"))
with ThreadPoolExecutor(os.cpu_count()) as pool:
    found = [text for text in pool.map(problem, files) if text]
print("\n".join([*found, f"{len(files)} files, {len(found)} bad"]))
sys.exit(1 if found or not files else 0)
