#!/usr/bin/env python3
"""Tests of hsm generate: generate_in_builds.py <source root> <program hsm> <compiler>...

The written files, errors without written files, compiler messages for a file that does not match the code, and the functions for CMake and meson."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

root, hsm, *compiler = sys.argv[1:]
root = Path(root).resolve()
hsm = str(Path(hsm).resolve())
monster = root / "samples/data/monster.xml"
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def run(*words, **options):
    english = {**os.environ, "LC_ALL": "C", "CCACHE_DISABLE": "1", "NO_COLOR": "1"}
    return subprocess.run([str(w) for w in words], env=english, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def generate(*words):
    return run(hsm, "generate", *words)


def compiled(folder, code):
    (folder / "game.cpp").write_text(code)
    return run(*compiler, "-std=c++20", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wold-style-cast", "-Werror", "-fsyntax-only", "-I", root, "game.cpp",
               cwd=folder)


def texts_and_hooks(folder):
    chart, hooks = folder / "monster_chart.hpp", folder / "monster_hooks.hpp"
    first = generate("constant", monster, "-o", chart)
    check(first.returncode == 0 and "created " in first.stdout and hooks.exists(), f"the hooks are not created: {first.stdout}")
    text = chart.read_text()
    hooks.write_text(hooks.read_text() + "// mine\n")
    again = generate("constant", monster, "-o", chart)
    check(again.returncode == 0 and again.stdout == "", f"the second call prints: {again.stdout}")
    check(hooks.read_text().endswith("// mine\n"), "the hooks are overwritten")
    check(chart.read_text() == text, "the same file gives another text")
    skeleton = folder / "monster.cpp"
    check(generate("registry", monster, "-o", skeleton).returncode == 0, "a skeleton is not written")
    skeleton.write_text("// mine\n")
    refused = generate("registry", monster, "-o", skeleton)
    check(refused.returncode == 2 and "--force" in refused.stdout and skeleton.read_text() == "// mine\n", f"a skeleton is overwritten: {refused.stdout}")
    check(generate("registry", monster, "-o", skeleton, "--force").returncode == 0 and "registrar" in skeleton.read_text(), "a skeleton is not overwritten with --force")


def errors_write_nothing(folder):
    binary, wrong = folder / "binary.xml", folder / "wrong.xml"
    binary.write_bytes(bytes(range(256)))
    wrong.write_text('<Project name="P"><state ID="a"><to ID="b"/></state></Project>')
    limited = folder / "limited.xml"
    limited.write_text('<Project name="P"><state ID="a"><to ID="a" event="*"/></state></Project>')
    for word in ("registry", "definition", "constant"):
        for file, code, expected in ((folder / "gone.xml", 2, "no such file"), (folder, 2, ""), (binary, 1, "HSM-303"), (wrong, 1, "HSM-007"),
                                 *(((limited, 1, "1:33: error: a constant chart has no lists"),) if word == "constant" else ())):
            out = folder / "out.hpp"
            made = generate(word, file, "-o", out)
            check(made.returncode == code and expected in made.stdout, f"{word} {file}: {made.returncode} {made.stdout}")
            check(not out.exists() and not list(folder.glob("*_hooks.hpp")), f"{word} {file}: something was written")
        full = generate(word, monster, "-o", "/dev/full", "--hooks", folder / "own.hpp")
        check(full.returncode == 2, f"{word}: a full disk: {full.returncode} {full.stdout}")
        away = generate(word, monster, "-o", folder / "no/such/folder.hpp")
        check(away.returncode == 2, f"{word}: no folder: {away.returncode} {away.stdout}")
    for space in ("std", "a::", "a b", "class"):
        check(generate("constant", monster, "--namespace", space).returncode == 2, f"the namespace {space!r} is accepted")


GAME = """#include "monster_chart.hpp"
monster::context ours;
hsm::constant_instance<monster::chart> agent(ours);
bool hunts() { return agent.is_in("chase"); }
"""


def errors_name_the_file(folder):
    file = folder / "monster.xml"
    text = monster.read_text()
    file.write_text(text)
    run(hsm, "generate", "constant", "monster.xml", "-o", "monster_chart.hpp", cwd=folder)
    fits = compiled(folder, GAME)
    check(fits.returncode == 0, f"the generated code does not compile: {fits.stdout}")

    def change(old, new):
        changed = text.replace(old, new)
        check(changed != text, f"{old} is not in the file")
        file.write_text(changed)
        made = run(hsm, "generate", "constant", "monster.xml", "-o", "monster_chart.hpp", cwd=folder)
        check(made.returncode == 0, made.stdout)
        return compiled(folder, GAME)

    # a state is renamed: to another name, to a similar name, and with `was`
    renamed = change('"chase"', '"hunt"').stdout
    check("game.cpp:4:" in renamed and "monster.xml:3:" in renamed and "there_is_no_such_state_in_monster_xml" in renamed, f"a removed state:\n{renamed}")
    renamed = change('"chase"', '"chases"').stdout
    check("game.cpp:4:" in renamed and "monster.xml:15:" in renamed, f"a state with a similar name:\n{renamed}")
    text = text.replace('<state ID="chase"', '<state was="chase" ID="chase"')
    renamed = change('ID="chase"', 'ID="hunt"').stdout
    check("game.cpp:4:" in renamed and "monster.xml:15:" in renamed, f"a state with its former name:\n{renamed}")
    # a missing guard: the error contains its column
    missing = change('ID="hasTarget"', 'ID="hasTraget"').stdout
    check("monster.xml:9:35: error" in missing and "hasTraget" in missing, f"a missing guard:\n{missing}")


def cmake_and_meson(folder):
    (folder / "monster.xml").write_text(monster.read_text())
    (folder / "game.cpp").write_text(GAME)
    (folder / "more.cpp").write_text('#include "monster_definition.hpp"\nauto made = monster::make_definition();\n')
    if shutil.which("cmake"):
        (folder / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.16)
project(game LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
include({root}/packaging/cmake/hsmGenerate.cmake)
add_library(game OBJECT game.cpp more.cpp)
target_include_directories(game PRIVATE {root})
hsm_generate_constant(game monster.xml HOOKS src/monster_hooks.hpp)
hsm_generate_definition(game monster.xml HOOKS src/monster_hooks.hpp)
hsm_generate_registry(game monster.xml HOOKS src/monster_hooks.hpp)
""")
        (folder / "src").mkdir()
        made = run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "with_cmake", f"-DHSM_PROGRAM={hsm}", f"-DCMAKE_CXX_COMPILER={shutil.which(compiler[-1])}")
        check(made.returncode == 0, made.stdout)
        made = run("cmake", "--build", folder / "with_cmake", "-j1")
        check(made.returncode == 0 and (folder / "src/monster_hooks.hpp").exists(), f"CMake: {made.stdout}")
        check("no work to do" in run("ninja", "-C", folder / "with_cmake").stdout, "CMake: a second build is not empty")
    (folder / "meson.build").write_text(f"""project('game', 'cpp', default_options: 'cpp_std=c++20')
generate_constant = generator(find_program('hsm'),
  arguments: ['generate', 'constant', '@INPUT@', '-o', '@OUTPUT@', '@EXTRA_ARGS@'],
  output: '@BASENAME@_chart.hpp')
chart = generate_constant.process('monster.xml', extra_args: ['--hooks', meson.current_source_dir() / 'monster_hooks.hpp'])
static_library('game', 'game.cpp', chart, cpp_args: '-I{root}')
""")
    os.environ |= {"PATH": f"{Path(hsm).parent}:{os.environ['PATH']}", "CXX": " ".join(compiler)}
    made = run("meson", "setup", folder / "with_meson", folder)
    check(made.returncode == 0, f"meson: {made.stdout}")
    made = run("ninja", "-C", folder / "with_meson")
    check(made.returncode == 0 and (folder / "monster_hooks.hpp").exists(), f"meson: {made.stdout}")


for test in (texts_and_hooks, errors_write_nothing, errors_name_the_file, cmake_and_meson):
    with tempfile.TemporaryDirectory() as folder:
        test(Path(folder).resolve())
print("\n".join([*failures, f"{len(failures)} failures"]))
sys.exit(bool(failures))
