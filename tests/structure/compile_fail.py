#!/usr/bin/env python3
"""Incorrect programs do not compile, and the errors explain why: compile_fail.py <source root> <compiler>...

Each tests/compile_fail/*.cpp has one topic. The lines before the first line `// case: <name>` belong to all cases. A case must fail to compile, and
the errors must contain the text of each line `// expect: <text>`. With -DHSM_CORRECTED it must compile, so it fails for no other reason.
`// at most: <bytes>` limits the output of g++, without the path of the source root. `// at most: <number> lines` limits the output of every compiler.

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

CASE = "// case:"
EXPECT = "// expect:"
AT_MOST = "// at most:"
HEADERS = "#include <hsm/hsm.hpp>\n#include <hsm/constant/constant_instance.hpp>\n"
is_clang = "clang" in "".join(compiler)


def compile(file, *options):
    command = [*compiler, "-std=c++20", "-I", root, *options, str(file)]
    english = {**os.environ, "LC_ALL": "C", "CCACHE_DISABLE": "1"}  # ccache changes paths in messages
    return subprocess.run(command, env=english, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def precompiled(folder):
    """Options that use a precompiled header of the headers."""
    header = Path(folder, "headers.hpp")
    header.write_text(HEADERS)
    output = f"{header}.{'pch' if is_clang else 'gch'}"
    made = compile(header, "-x", "c++-header", "-o", output)
    if made.returncode:
        sys.exit(f"the headers do not compile:\n{beginning(made.stdout)}")
    return ("-include-pch", output) if is_clang else ("-Winvalid-pch", "-Werror=invalid-pch", "-include", str(header))


def spelled(text):
    """The text, followed by the text with words that clang prints letter by letter joined."""
    return text.replace("\\'", "'") + re.sub(r"'(\\?.)'(, )?", r"\1", text).replace("\\'", "'")


def beginning(text, lines=30):
    return "\n".join(text.splitlines()[:lines])


def cases(topic, folder):
    """Writes each case of a topic to a separate file. Its errors contain the lines of the topic."""
    lines = topic.read_text().splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith(CASE)]
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        file = Path(folder, f"{lines[start][len(CASE):].strip()}.cpp")
        if file.exists():
            sys.exit(f"{topic.name}:{start + 1}: there is another case {file.stem}")
        place = f'#line {start + 2} "{topic}"'
        file.write_text("\n".join([*lines[:starts[0]], place, *lines[start + 1:end], ""]))
        yield file


def problem(file):
    """The problem of this case, or None."""
    expected = [line[len(EXPECT):].strip() for line in file.read_text().splitlines() if line.startswith(EXPECT)]
    if not expected or not all(expected):
        return f"{file.name}: has no line {EXPECT} <text>"
    wrong = compile(file, "-fsyntax-only", *with_headers)
    if wrong.returncode == 0:
        return f"{file.name}: compiles, but must not"
    if missing := [words for words in expected if words not in spelled(wrong.stdout)]:
        return f"{file.name}: the errors do not contain {missing}:\n{beginning(wrong.stdout)}"
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


with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
    topics = sorted(Path(root, "tests/compile_fail").glob("*.cpp"))
    files = [file for topic in topics for file in cases(topic, folder)]
    everything = Path(folder, "corrected.cpp")
    everything.write_text(unit(files))
    corrected = pool.submit(compile, everything, "-fsyntax-only", "-DHSM_CORRECTED")
    with_headers = precompiled(folder)
    found = [text for text in pool.map(problem, files) if text]
    if corrected.result().returncode:
        one_by_one = [text for text in pool.map(problem_when_corrected, files) if text]
        found += one_by_one or [f"corrected, they do not compile together:\n{beginning(corrected.result().stdout)}"]
print("\n".join([*found, f"{len(files)} cases, {len(found)} bad"]))
sys.exit(1 if found or not files else 0)
