#!/usr/bin/env python3
"""Writes the first program and its project files, as in the documents: from_readme.py <source root> <folder>

game.cpp is the program of README.md. The other files are from the section "Building and installing" of docs/guide/project-setup.md: meson.build,
package.cmake and subdirectory.cmake are project files, packages.txt lists the Debian packages of the library, install.sh installs it and builds the
program. Fails if a file is not in the documents exactly once."""

import re
import sys
from pathlib import Path

root, folder = Path(sys.argv[1]), Path(sys.argv[2])
readme = (root / "README.md").read_text()
page = "docs/guide/project-setup.md"
section = re.search(r"^## Building and installing\n(.*?)(?=^## )", (root / page).read_text(), re.M | re.S)
if not section:
    sys.exit(f"{page} has no section 'Building and installing'")


def only(found, what):
    if len(found) != 1:
        sys.exit(f"{len(found)} found instead of one: {what}")
    return found[0]


def block(text, language, having, where):
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
    return only([found for found in blocks if having in found], f"a {language} block with '{having}' in {where}")


(folder / "game.cpp").write_text(block(readme, "cpp", "int main()", "README.md"))
for name, language, having in (
    ("meson.build", "meson", "project("),
    ("install.sh", "sh", "meson install"),
    ("package.cmake", "cmake", "find_package(hsm"),
    ("subdirectory.cmake", "cmake", "add_subdirectory(hsm)"),
):
    (folder / name).write_text(block(section[1], language, having, page))
packages = only(re.findall(r"^\| the library \| `([^`]*)` \|", section[1], re.M), f"the packages of the library in {page}")
(folder / "packages.txt").write_text(packages + "\n")
