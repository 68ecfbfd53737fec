#!/usr/bin/env python3
"""What README.md says, as files: from_readme.py <source root> <folder>

game.cpp is its program, ended by a line that says where it ends; meson.build, package.cmake and subdirectory.cmake are the projects around it,
packages.txt the Debian packages of the library, install.sh the commands that install it and build the program."""

import re
import sys
from pathlib import Path

readme = (Path(sys.argv[1]) / "README.md").read_text()
folder = Path(sys.argv[2])


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", readme, re.S)


definition, use = blocks("cpp")[:2]
(folder / "game.cpp").write_text(
    f"#include <hsm/hsm.hpp>\n\n#include <cstdio>\n\n{definition}\nint main() {{\n{use}std::puts(agent.current().path().c_str());\n}}\n")
(folder / "meson.build").write_text(*blocks("meson"))
package, subdirectory = blocks("cmake")
assert "find_package" in package and "add_subdirectory" in subdirectory
(folder / "package.cmake").write_text(package)
(folder / "subdirectory.cmake").write_text(subdirectory)
(folder / "packages.txt").write_text(re.search(r"\| the library \| `([^`]*)` \|", readme)[1] + "\n")
(folder / "install.sh").write_text(re.search(r"Or installed, with pkg-config:\n\n```sh\n(.*?)```", readme, re.S)[1])
