#!/usr/bin/env python3
"""Messages of meson about missing dependencies: missing_options.py <source root> <compiler>...

If only fmt is found, the library is configured without its parts, and the summary names the Debian package that each part needs. Enabling the option
of a part is an error that names the package."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

root, compiler = sys.argv[1], sys.argv[2:]
PACKAGES = {"xml": "libpugixml-dev", "scxml": "libpugixml-dev", "scripts": "libpugixml-dev", "json": "nlohmann-json3-dev", "inspect": "nlohmann-json3-dev", "tbb": "libtbb-dev", "cluster": "libopenmpi-dev", "tool": "libcli11-dev"}
FMT = "Name: fmt\nDescription: fake\nVersion: 9.1.0\nLibs: -lfmt\nCflags:\n"
problems = []

with tempfile.TemporaryDirectory() as temporary:
    folder = Path(temporary)
    (folder / "fmt.pc").write_text(FMT)
    (folder / "native").write_text("[binaries]\ncmake = '/nonexistent/cmake'\n")
    for wrapper in ("mpic++", "mpicxx", "mpiCC"):
        (folder / wrapper).write_text("#!/bin/sh\nexit 1\n")
        (folder / wrapper).chmod(0o755)
    environment = {**os.environ, "PATH": f"{temporary}:{os.environ['PATH']}", "CXX": " ".join(compiler), "LC_ALL": "C", "PKG_CONFIG_LIBDIR": temporary, "PKG_CONFIG_PATH": "", "COLUMNS": "400"}
    count = 0

    def setup(*options):
        global count
        count += 1
        command = [shutil.which("meson"), "setup", str(folder / str(count)), root, "-Dsamples=disabled", f"-Dduktape_sources={folder}/nowhere", f"--native-file={folder}/native",
                   "--wrap-mode=nofallback", *options]
        made = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False)
        return made.returncode, made.stdout

    code, text = setup()
    if code:
        problems.append(f"the library alone:\n{text}")
    for part, package in {**PACKAGES, "workers": "libtbb-dev", "tests": "doctest-dev"}.items():
        if part != "tbb" and not re.search(rf"^ *{part} *: no: Debian package {package} is missing$", text, re.M):
            problems.append(f"{part}: {package} is not named:\n{text}")
    for option, package in {**PACKAGES, "tests": "doctest-dev"}.items():
        code, text = setup(f"-D{option}=enabled")
        if not code or package not in text or "ERROR" not in text:
            problems.append(f"-D{option}=enabled is not an error that names {package}:\n{text}")
    code, text = setup("-Dxml=disabled", "-Dscxml=enabled")
    if not code or "-Dxml" not in text:
        problems.append(f"-Dscxml=enabled with -Dxml=disabled is not an error that names -Dxml:\n{text}")
    for option in ("xml", "scxml"):
        code, text = setup(f"-D{option}=disabled", "-Dscripts=enabled")
        if not code or f"-D{option}" not in text:
            problems.append(f"-Dscripts=enabled with -D{option}=disabled is not an error that names -D{option}:\n{text}")
    # With pugixml, but without Duktape.
    (folder / "pugixml.pc").write_text(FMT.replace("fmt", "pugixml").replace("9.1.0", "1.12"))
    code, text = setup("-Dscripts=enabled")
    if not code or "duktape-dev" not in text or f"{folder}/nowhere" not in text:
        problems.append(f"-Dscripts=enabled without Duktape is not an error that names its package and folder:\n{text}")

print(*problems, f"{len(problems)} problems", sep="\n")
sys.exit(bool(problems))
