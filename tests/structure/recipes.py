#!/usr/bin/env python3
"""The packaging recipes match the library: recipes.py [source root]

The version is the same in all files. The recipes for Conan, vcpkg, Bazel and Debian have correct syntax, and name existing files and options. The
sources of the libraries are the same in Bazel and meson."""

import ast
import fnmatch
import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
problems = []


def read(name):
    return (ROOT / name).read_text()


def check(holds, what):
    if not holds:
        problems.append(what)


def meson_list(name):
    found = re.search(rf"(?:^|\n){name} = (?:files\(|\[)([^])]*)[])]", read("hsm/meson.build"))
    return {f"hsm/{file}" for file in re.findall(r"'([^'\n]+)'", found[1])}


def versions():
    number = int(re.search(r"^#define HSM_VERSION (\d+)$", read("hsm/version.hpp"), re.M)[1])
    version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    minor = version.rsplit(".", 1)[0]
    stated = {
        "packaging/conan/conanfile.py": re.findall(r'^    version = "(.*)"|--version (\S+)', read("packaging/conan/conanfile.py"), re.M),
        "packaging/vcpkg/vcpkg.json": [json.loads(read("packaging/vcpkg/vcpkg.json"))["version"]],
        "packaging/bazel/MODULE.bazel": re.findall(r'module\([^)]*version = "(.*?)"', read("packaging/bazel/MODULE.bazel")),
        "packaging/debian/changelog": re.findall(r"^hsm \((.*?)-\d+\)", read("packaging/debian/changelog"))[:1],
    }
    for file, values in stated.items():
        values = ["".join(value) for value in values]
        check(values and set(values) == {version}, f"{file} has version {values}, hsm/version.hpp {version}")
    for file in ("README.md", "docs/guide/project-setup.md"):
        asked = re.findall(r"find_package\(hsm ([\d.]+)", read(file))
        check(asked and set(asked) == {minor}, f"{file} requires the versions {asked}, but hsm has {version}")
    check("files('hsm/version.hpp')" in read("meson.build"), "meson.build does not read the version from hsm/version.hpp")
    check("file(STRINGS hsm/version.hpp" in read("CMakeLists.txt"), "CMakeLists.txt does not read the version from hsm/version.hpp")


def conan():
    for path in sorted(PACKAGING.glob("conan/**/*.py")):
        compile(path.read_text(), path, "exec")
    recipe = read("packaging/conan/conanfile.py")
    patterns = ast.literal_eval(re.search(r"for pattern in (\(.*?\)):", recipe)[1])
    for pattern in patterns:
        check(list(ROOT.glob(pattern)), f"conanfile.py exports {pattern}, which matches no files")
    for file in re.findall(r"include\((\S+)\)", read("CMakeLists.txt")):
        check("/" not in file or any(fnmatch.fnmatch(file, pattern) for pattern in patterns), f"conanfile.py does not export {file}")
    options = cmake_options()
    for part in re.findall(r'"(\w+)"', re.search(r"for part in (\(\"xml.*?\)):", recipe)[1] + re.search(r"for part in (\(\"SCRIPTS.*?\)):", recipe)[1]):
        check(f"HSM_{part.upper()}" in options, f"conanfile.py sets HSM_{part.upper()}, which CMake does not have")
    for library in re.findall(r'_component\("\w+", "hsm_(\w+)"', recipe):
        check(f"HSM_{library.upper()}" in options, f"conanfile.py has a library hsm_{library}, which CMake does not have")
    check((PACKAGING / "conan/test_package/main.cpp").read_text() == read("tests/consumers/installed/main.cpp"), "the main.cpp of conan differs from that of tests/consumers")


def cmake_options():
    text = read("CMakeLists.txt") + read("packaging/cmake/install.cmake")
    parts = re.search(r"foreach\(part ([A-Z ]+)\)", text)[1].split()
    return {f"HSM_{part}" for part in parts} | set(re.findall(r"(?:set|option)\((HSM_\w+)", text))


def vcpkg():
    manifest = json.loads(read("packaging/vcpkg/vcpkg.json"))
    port = read("packaging/vcpkg/portfile.cmake")
    for option in set(re.findall(r"\bHSM_\w+", port)):
        check(option in cmake_options(), f"portfile.cmake sets {option}, which CMake does not have")
    features = re.findall(r"^    (\w+) HSM_\w+$", port, re.M)
    check(set(features) == set(manifest["features"]), f"vcpkg.json has the features {sorted(manifest['features'])}, portfile.cmake {features}")
    check(port.count("(") == port.count(")"), "portfile.cmake has an unbalanced parenthesis")


def bazel():
    targets, modules = {}, {}

    def glob(patterns, exclude=()):
        return [f.relative_to(ROOT).as_posix() for p in patterns for f in sorted(ROOT.glob(p)) if f.relative_to(ROOT).as_posix() not in exclude]

    def cc_library(name, **attributes):
        targets[name] = attributes

    def anything(*_, **__):
        return None

    words = {"load": anything, "package": anything, "glob": glob, "cc_library": cc_library}
    exec(compile(read("packaging/bazel/BUILD.bazel"), "BUILD.bazel", "exec"), words)  # pylint: disable=exec-used
    words = {"module": anything, "bazel_dep": lambda name, version: modules.update({name: version})}
    exec(compile(read("packaging/bazel/MODULE.bazel"), "MODULE.bazel", "exec"), words)  # pylint: disable=exec-used
    wanted = {
        "hsm": meson_list("sources") | meson_list("once_sources") | meson_list("dump_sources") | meson_list("debugger_sources"),
        "xml": meson_list("xml_sources"),
        "scxml": meson_list("scxml_sources"),
        "json": meson_list("json_sources"),
        "workers": meson_list("worker_sources"),
    }
    check(set(targets) == set(wanted), f"BUILD.bazel has {sorted(targets)}")
    for name, files in wanted.items():
        given = set(targets[name]["srcs"])
        for file in sorted(given ^ files):
            problems.append(f"BUILD.bazel: {name}: {file} is only in {'hsm/meson.build' if file in files else 'BUILD.bazel'}")
        for dependency in targets[name]["deps"]:
            other = re.match(r"@(\w+)|:(\w+)", dependency)
            check(other[1] in modules if other[1] else other[2] in targets, f"BUILD.bazel: {name} needs {dependency}, which does not exist")


def debian():
    control = read("packaging/debian/control")
    packages = re.findall(r"^Package: (\S+)$", control, re.M)
    for path in sorted((PACKAGING / "debian").glob("*.*")):
        check(path.name.split(".")[0] in packages or path.name == "source", f"debian/{path.name} belongs to no package")
    build = re.search(r"^Build-Depends: (.*?)^\S", control, re.M | re.S)[1]
    rules = read("packaging/debian/rules")
    options = set(re.findall(r"^option\('(\w+)'", read("meson_options.txt"), re.M))
    for option in re.findall(r"-D(\w+)=enabled", rules):
        check(option in options, f"debian/rules enables {option}, which meson does not have")
    parts = re.findall(r"^\| [^|]*\| plus `([^`]*)`[^|]*\|[^|]*\|[^|]*\|[^|]*\| `(\w+)`, (?:`HSM_\w+`|–) \|$", read("docs/guide/project-setup.md"), re.M)
    for needed, option in parts:
        if option != "tests":
            check(f"-D{option}=enabled" in rules, f"debian/rules does not enable {option}")
            for package in needed.split():
                check(package in build, f"Build-Depends of debian/control lacks {package}, which {option} needs")
    check(len(parts) == 9, f"the table of docs/guide/project-setup.md has {len(parts)} parts")


def natvis():
    """The classes and members that hsm.natvis names exist. (It cannot be tested without Visual Studio.)"""
    tree = ElementTree.parse(PACKAGING / "debuggers/hsm.natvis")
    space = {"n": "http://schemas.microsoft.com/vstudio/debugger/natvis/2010"}
    sources = "\n".join(path.read_text() for path in sorted((ROOT / "hsm").rglob("*.hpp")))
    for view in tree.iterfind("n:Type", space):
        name = view.get("Name").split("::")[-1]
        check(re.search(rf"\b(?:struct|class) {name}\b[^;(]*\{{", sources), f"hsm.natvis: the class {view.get('Name')} does not exist")
        own = {"i", "core", "region", "queues", *(v.get("Name") for v in view.iter() if v.get("Name") and v.tag.endswith(("Variable", "Intrinsic")))}
        expressions = [part for node in view.iter() for text in (node.text or "", node.get("Condition", ""), node.get("Expression", ""))
                       for part in ([text] if not node.tag.endswith("DisplayString") or text == node.get("Condition") else re.findall(r"\{(.*?)\}", text))]
        for word in {word for text in expressions for word in re.findall(r"[A-Za-z_]\w*", re.sub(r"0x\w+|,sb\b", "", text))} - own - {"hsm", "detail"}:
            check(re.search(rf"\b{word}\b", sources), f"hsm.natvis: {view.get('Name')}: {word} does not exist")


for part in (versions, conan, vcpkg, bazel, debian, natvis):
    part()
print(*problems, f"{len(problems)} problems", sep="\n")
sys.exit(bool(problems))
