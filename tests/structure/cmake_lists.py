#!/usr/bin/env python3
"""CMake builds and installs the same as meson: cmake_lists.py <source root> <build root of meson> <compiler>...

Configures with CMake the parts that the meson build has, and compares the sources of libraries and programs and the installed files. Then enables
parts whose dependencies are missing, which must be an error that names the Debian package."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

root, built, compiler = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]
PARTS = ("xml", "scxml", "scripts", "json", "inspect", "workers", "cluster", "tool")
problems = []

if not shutil.which("cmake"):
    print("skipped: CMake is not installed")
    sys.exit(77)


def introspect(what):
    command = [shutil.which("meson") or "meson", "introspect", built, f"--{what}"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def configure(folder, *options, source=root):
    return subprocess.run(["cmake", "-G", "Ninja", "-S", str(source), "-B", str(folder), *options], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "CXX": " ".join(compiler), "LC_ALL": "C"}, check=False)


def short(path):
    """The path of a source below the root; the name of a generated source."""
    path = Path(path)
    return path.relative_to(root).as_posix() if path.is_relative_to(root / "hsm") else path.name


def of_meson():
    """Target name -> its .cpp files. The sources of hsm_once and hsm_debugger count as sources of hsm."""
    found = {}
    for target in introspect("targets"):
        if target["name"].startswith("hsm") and Path(target["defined_in"]).parent == root / "hsm" and target["type"] != "custom":
            files = {short(file) for source in target["target_sources"] for file in source.get("sources", []) + source.get("generated_sources", [])}
            found.setdefault(target["name"] + ("_program" if target["type"] == "executable" else ""), set()).update(f for f in files if f.endswith(".cpp"))
    found["hsm"] |= found.pop("hsm_once", set()) | found.pop("hsm_debugger", set())
    return found


def of_cmake(folder):
    reply = folder / ".cmake/api/v1/reply"
    model = json.loads(next(reply.glob("codemodel-v2-*.json")).read_text())["configurations"][0]
    targets, places = {}, set()
    for entry in model["targets"]:
        target = json.loads((reply / entry["jsonFile"]).read_text())
        if target["type"] != "UTILITY":
            sources = (source["path"] for source in target.get("sources", []) if source["path"].endswith(".cpp"))
            targets[target["name"]] = {short(root / path) for path in sources}
    for entry in model["directories"]:
        for installer in json.loads((reply / entry["jsonFile"]).read_text())["installers"]:
            for path in installer["paths"]:
                destination = installer["destination"]
                places.add(f"{destination}/{Path(path if isinstance(path, str) else path['to']).name}")
    return targets, places


def compare(what, meson, cmake):
    for name, one, other in (("meson", meson, cmake), ("CMake", cmake, meson)):
        problems.extend(f"{what}: {item} is only in the build of {name}" for item in sorted(one - other))


with tempfile.TemporaryDirectory() as temporary:
    folder = Path(temporary)
    ours = of_meson()
    options = {option["name"]: option["value"] for option in introspect("buildoptions")}
    query = folder / "all/.cmake/api/v1/query"
    query.mkdir(parents=True)
    (query / "codemodel-v2").touch()
    words = [f"-DHSM_{part.upper()}={'ON' if f'hsm_{part}' in ours else 'OFF'}" for part in PARTS]
    words += [f"-DCMAKE_INSTALL_LIBDIR={options['libdir']}", f"-DHSM_DUKTAPE_SOURCES={options['duktape_sources']}", f"-DHSM_OPS={options['ops']}"]
    made = configure(folder / "all", *words)
    if made.returncode:
        sys.exit(made.stdout)
    theirs, places = of_cmake(folder / "all")
    compare("targets", set(ours), set(theirs))
    for name in set(ours) & set(theirs):
        compare(name, ours[name], theirs[name])
    # Compares names of libraries without the suffix, which depends on whether they are shared.
    installed = {Path(place).relative_to(options["prefix"]).as_posix() for place in introspect("installed").values()}
    by_name = [{re.sub(r"/(lib\w+)\.(a|so[.\d]*)$", r"/\1", place) for place in some} for some in (installed, places)]
    compare("installed", *by_name)
    if len(installed) < 100:
        problems.append(f"only {len(installed)} files are installed")
    for part in PARTS:
        if not re.search(rf"^--   {part} +{'yes' if f'hsm_{part}' in ours else 'no: '}", made.stdout, re.M):
            problems.append(f"the summary does not contain {part}:\n{made.stdout}")

    # As a folder of another project: its targets find the dependencies of the parts, and only the parts that it links are built.
    parts = [part for part in PARTS if f"hsm_{part}" in ours]
    made = configure(folder / "within", f"-DSUBDIRECTORY={root}", f"-DPARTS={';'.join(parts)}", f"-DHSM_DUKTAPE_SOURCES={options['duktape_sources']}",
                     source=root / "tests/consumers/cmake")
    if made.returncode or "-- hsm " not in made.stdout or "Warning" in made.stdout:
        problems.append(f"as a folder of another project:\n{made.stdout}")
    made = configure(folder / "within", "-DPARTS=", source=root / "tests/consumers/cmake")
    asked = subprocess.run(["ninja", "-C", str(folder / "within"), "-t", "commands", "all"], capture_output=True, text=True, check=False).stdout
    if made.returncode or "main.cpp" not in asked or "tool/program.cpp" in asked or "hsm_xml" in asked:
        problems.append(f"as a folder of another project, parts are built that it does not link, or nothing is built:\n{made.stdout}{asked[:2000]}")

    # Parts that are ON without their dependencies.
    gone = ["-DCMAKE_DISABLE_FIND_PACKAGE_pugixml=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON",
            "-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_httplib=ON", f"-DHSM_DUKTAPE_SOURCES={folder}/nowhere"]
    packages = {"xml": "libpugixml-dev", "scxml": "libpugixml-dev", "scripts": "duktape-dev", "json": "nlohmann-json3-dev", "workers": "libtbb-dev", "cluster": "libopenmpi-dev",
                "inspect": "libcpp-httplib-dev", "tool": "libcli11-dev"}
    made = configure(folder / "none", *gone)
    if made.returncode:
        problems.append(f"with fmt only:\n{made.stdout}")
    asked_for = configure(folder / "not_installed", f"-Dhsm_DIR={folder}/none", source=root / "tests/consumers/cmake")
    output = " ".join(asked_for.stdout.split())
    if not asked_for.returncode or not all(why in output for why in ("there is no library hsm", "scxml: hsm was built without it", "workers: hsm was built without it")):
        problems.append(f"an hsm that is not found is not an error with the reason:\n{asked_for.stdout}")
    for part, package in packages.items():
        if not re.search(rf"^--   {part} +no: .*Debian package {package} is missing", made.stdout, re.M):
            problems.append(f"the summary does not name {package}:\n{made.stdout}")
    for part, package in packages.items():
        made = configure(folder / "none", *gone, *(f"-DHSM_{other.upper()}={'ON' if other == part else 'AUTO'}" for other in PARTS))
        if not made.returncode or package not in made.stdout:
            problems.append(f"HSM_{part.upper()}=ON without {package} is not an error that names it:\n{made.stdout}")
    old = folder / "old"
    old.mkdir()
    (old / "pugixmlConfig.cmake").write_text("add_library(pugixml::pugixml INTERFACE IMPORTED)\n")
    (old / "pugixmlConfigVersion.cmake").write_text("set(PACKAGE_VERSION 1.9)\nset(PACKAGE_VERSION_COMPATIBLE FALSE)\n")
    good = re.findall(r"^pugixml_DIR:\w+=(/.*)$", (folder / "all/CMakeCache.txt").read_text(), re.M)
    good += [place.removeprefix("/usr") for place in good] # hidden, because CMake would use them instead; also through the link /lib
    made = configure(folder / "with_old", f"-Dpugixml_DIR={old}", f"-DCMAKE_IGNORE_PATH={';'.join(good)}")
    if made.returncode or "no: Debian package libpugixml-dev 1.11 or newer (1.9 is installed) is missing" not in made.stdout:
        problems.append(f"the summary does not contain the version of a pugixml that is too old:\n{made.stdout}")
    made = configure(folder / "none", *gone, *(f"-DHSM_{part.upper()}=AUTO" for part in PARTS), "-DHSM_SCXML=ON", "-DHSM_XML=OFF")
    if not made.returncode or "HSM_XML" not in made.stdout:
        problems.append(f"HSM_SCXML=ON with HSM_XML=OFF is not an error that names HSM_XML:\n{made.stdout}")

print(*problems, f"{len(problems)} problems", sep="\n")
sys.exit(bool(problems))
