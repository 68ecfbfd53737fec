#!/usr/bin/env python3
"""Every source and header in hsm/ compiles alone, so their includes are complete: alone.py <source root> <build root> <compiler>...

The library is built in units, where a source sees what the sources before it include. A header that another file includes first is compiled by that
file. Sources whose third-party headers are not installed are skipped and counted. With clang, all files use one precompiled header of standard
headers; structure/std_includes checks that each file includes the standard headers that it needs."""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root, build, *compiler = sys.argv[1:]
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wold-style-cast", "-Wshadow", "-Wunused", "-Werror")
DEFINES = (f'-DHSM_GDB_SCRIPT="{root}/packaging/debuggers/hsm_gdb.py"',)
INCLUDE = re.compile(r"^#include [<\"](.+)[>\"]", re.MULTILINE)
standard_headers = []  # options that include the precompiled header


def compiled(text, file=("-x", "c++", "-")):
    command = [*compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, *DEFINES, *standard_headers, "-I", root, "-I", f"{build}/hsm", *file]
    return subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def errors(file):
    """The errors of the file, or an empty string."""
    if file.endswith(".hpp") and "#pragma once" not in Path(root, file).read_text().splitlines():
        return f"{file} has no #pragma once"
    if file in included_first:
        return ""
    done = compiled("", [f"{root}/{file}"]) if file.endswith(".cpp") else compiled(f"#include <{file}>\n")
    return f"{file} does not compile alone:\n{done.stdout}" if done.returncode else ""


def is_installed(header):
    return compiled(f"#if !__has_include(<{header}>)\n#error\n#endif\n").returncode == 0


# With `meson test --no-rebuild` the generated header may not exist yet. If it cannot be generated, the sources that include it are skipped.
subprocess.run(["ninja", "-C", build, "hsm/duktape.h"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
files = sorted(path.relative_to(root).as_posix() for path in Path(root, "hsm").rglob("*.[ch]pp"))
includes = {file: INCLUDE.findall(Path(root, file).read_text()) for file in files}
foreign = {header for file in files if file.endswith(".cpp") for header in includes[file] if not header.startswith("hsm/") and "." in header}
absent = {header for header in foreign if not is_installed(header)}
left_out = {file for file in files if absent & set(includes[file])}
files = [file for file in files if file not in left_out]
included_first = {includes[file][0] for file in files if includes[file]} & set(files)

with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
    if "clang" in compiler[0]:
        standard = sorted({header for included in includes.values() for header in included if re.fullmatch(r"\w+", header)})
        Path(folder, "standard.hpp").write_text("".join(f"#include <{header}>\n" for header in standard))
        source, made, faster = f"{folder}/standard.hpp", f"{folder}/standard.pch", ["-Xclang", "-fpch-instantiate-templates"]
        subprocess.run([*compiler, "-std=c++20", *faster, "-x", "c++-header", source, "-o", made], check=True)
        standard_headers = ["-include-pch", f"{folder}/standard.pch"]
    found = [text for text in pool.map(errors, files) if text]
print("\n".join([*found, f"{len(files)} files, {len(included_first)} headers compiled by the files that include them first, {len(left_out)} sources skipped"
                 f"{' without ' + ', '.join(sorted(absent)) if absent else ''}, {len(found)} bad"]))
sys.exit(1 if found or not files else 0)
