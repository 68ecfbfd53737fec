#!/usr/bin/env python3
"""What must not compile does not, and says why: compile_fail.py <source root> <compiler>...

Each tests/compile_fail/*.cpp begins with lines `// expect: <words>`. It must fail to compile, the errors must contain the
words, and with -DHSM_CORRECTED it must compile: so it fails for that reason and no other. With a line `// at most: <bytes>` that is
all that g++ may print, the path of the source root not counted. With `// at most: <number> lines` every compiler keeps to that.

The headers are parsed once, into a precompiled header; all corrected programs are compiled in one run."""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root, *compiler = sys.argv[1:]
root = str(Path(root).resolve())
sys.path.insert(0, f"{root}/tests")
from units import unit  # noqa: E402

EXPECT = "// expect:"
AT_MOST = "// at most:"
HEADERS = "#include <hsm/hsm.hpp>\n#include <hsm/constant/constant_instance.hpp>\n"
is_clang = "clang" in "".join(compiler)


def compile(file, *options):
    command = [*compiler, "-std=c++20", "-I", root, *options, str(file)]
    english = {**os.environ, "LC_ALL": "C", "CCACHE_DISABLE": "1"}  # which writes paths in another way
    return subprocess.run(command, env=english, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def precompiled(folder):
    """Options with which the headers need not be parsed again."""
    header = Path(folder, "headers.hpp")
    header.write_text(HEADERS)
    output = f"{header}.{'pch' if is_clang else 'gch'}"
    made = compile(header, "-x", "c++-header", "-o", output)
    if made.returncode:
        sys.exit(f"the headers do not compile:\n{beginning(made.stdout)}")
    return ("-include-pch", output) if is_clang else ("-Winvalid-pch", "-Werror=invalid-pch", "-include", str(header))


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
    wrong = compile(file, "-fsyntax-only", *with_headers)
    if wrong.returncode == 0:
        return f"{file.name}: compiles, and must not"
    if missing := [words for words in expected if words not in spelled(wrong.stdout)]:
        return f"{file.name}: the errors do not say {missing}, but:\n{beginning(wrong.stdout)}"
    most = [line[len(AT_MOST):].split() for line in file.read_text().splitlines() if line.startswith(AT_MOST)]
    for number, *unit in most:
        if unit:
            size, what = len(wrong.stdout.splitlines()), "lines"
        elif is_clang:
            continue
        else:
            size, what = len(wrong.stdout.replace(f"{root}/", "")), "bytes"
        if size > int(number):
            return f"{file.name}: {size} {what} of errors, more than {number}:\n{beginning(wrong.stdout)}"
    return None


def problem_when_corrected(file):
    corrected = compile(file, "-fsyntax-only", "-DHSM_CORRECTED")
    return f"{file.name}: does not compile when corrected:\n{beginning(corrected.stdout)}" if corrected.returncode else None


files = sorted(Path(root, "tests/compile_fail").glob("*.cpp"))
with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
    everything = Path(folder, "corrected.cpp")
    everything.write_text(unit(files))
    corrected = pool.submit(compile, everything, "-fsyntax-only", "-DHSM_CORRECTED")
    with_headers = precompiled(folder)
    found = [text for text in pool.map(problem, files) if text]
    if corrected.result().returncode:
        one_by_one = [text for text in pool.map(problem_when_corrected, files) if text]
        found += one_by_one or [f"corrected, they do not compile together:\n{beginning(corrected.result().stdout)}"]
print("\n".join([*found, f"{len(files)} files, {len(found)} bad"]))
sys.exit(1 if found or not files else 0)
