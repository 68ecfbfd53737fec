#!/usr/bin/env python3
"""Breaks the engine in one place at a time and checks that a test fails.

    mutate.py [--write] [number]...     all breakages, or those with these numbers; --write updates their lines in tests/mutation/results.tsv

Works on a copy of the sources in build/mutation, with clang if it is installed, because it compiles faster. The tests in tests/mutation/results.tsv
run first, and the whole suite only if none of them fails. A breakage also fails if it does not compile or if its text does not occur exactly once.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from mutations import MUTATIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutation" / "source"
BUILD = ROOT / "build" / "mutation" / "build"
RESULTS = ROOT / "tests/mutation/results.tsv"


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def copy_changed(source, target):
    """Copies a file unless the target is equal, so that unchanged files are not built again. An interrupted run leaves a changed file."""
    target = pathlib.Path(target)
    if not target.exists() or target.read_bytes() != pathlib.Path(source).read_bytes():
        shutil.copy(source, target)


def prepare():
    for folder in ("hsm", "tests", "samples", "subprojects", "docs", "packaging"):
        for old in (COPY / folder).rglob("*"):
            if old.is_file() and not (ROOT / old.relative_to(COPY)).exists():
                old.unlink()
        shutil.copytree(ROOT / folder, COPY / folder, ignore=shutil.ignore_patterns("__pycache__"), copy_function=copy_changed, dirs_exist_ok=True)
    for file in ("meson.build", "meson_options.txt"):
        copy_changed(ROOT / file, COPY / file)
    if not (BUILD / "build.ninja").exists():
        compiler = shutil.which("clang++") or "g++"
        options = ["-Doptimization=0", "-Ddebug=false", "-Dops=loop", "-Dtests=enabled", "-Dsamples=disabled", "-Dconstant_charts=0", f"-Dshared_data={ROOT.parent / 'shared'}"]
        run("meson", "setup", str(BUILD), str(COPY), *options, check=True, env={**os.environ, "CXX": compiler})


def suite_of(mutation):
    """The suite whose tests must notice the breakage: its fifth entry, or by the folder of its file."""
    if len(mutation) > 4:
        return mutation[4]
    folder = mutation[0].split("/")[0]
    return folder if folder in ("crowd", "manage", "observe", "constant", "save", "replay", "reload", "scxml", "cluster") else "run"


def suites_with(suite):
    return ("run", "vm") if suite == "run" else (suite,)


def programs():
    """Test name -> path of its program, relative to BUILD."""
    tests = json.loads(run("meson", "introspect", "--tests", str(BUILD)).stdout)
    prefix = f"{BUILD}/tests/"  # a script can start the program
    return {test["name"]: os.path.relpath(word, BUILD) for test in tests for word in test["cmd"] if word.startswith(prefix)}


def programs_of(suite):
    """The programs of the tests in a suite."""
    return sorted({program for test, program in programs().items() if test.split("/")[0] in suites_with(suite)})


def build(targets):
    return run("ninja", "-C", str(BUILD), *targets)


def failing_tests(suite, tests=(), stop_after=0):
    """The names of the tests that fail. Each runs with a time limit, because a broken engine may hang."""
    result = run("meson", "test", "-C", str(BUILD), "--no-rebuild", "--timeout-multiplier", "0.5", "--maxfail", str(stop_after),
                 *(f"--suite={each}" for each in suites_with(suite)), *tests)
    if "Meson test encountered an error" in result.stdout + result.stderr:
        sys.exit(result.stdout + result.stderr)
    return sorted({line.split("/ ", 1)[1].split()[0] for line in result.stdout.split("\n")
                   if " / " in line and any(word in line for word in (" FAIL ", " ERROR ", " TIMEOUT "))})


def results():
    """Breakage -> the tests that failed in its last run. results.tsv has a line for each breakage, in the order of MUTATIONS."""
    return dict(line.split("\t") for line in RESULTS.read_text().splitlines())


def noticed(suite, known):
    """The tests that notice the current breakage, and a problem. Tests that noticed it in the last run are tried first."""
    if known and not build({programs()[test] for test in known}).returncode:
        if failing := failing_tests(suite, known):
            return failing, ""
    built = build(programs_of(suite))
    if built.returncode:
        return None, "does not compile: " + "\n".join(l for l in built.stdout.split("\n") if "error" in l)[:300]
    return failing_tests(suite, stop_after=3), ""


def try_mutation(file, old, new, suite, known):
    path = COPY / "hsm" / file
    text = path.read_text()
    if text.count(old) != 1:
        return None, f"its text occurs {text.count(old)} times"
    path.write_text(text.replace(old, new))
    try:
        return noticed(suite, known)
    finally:
        path.write_text(text)


def write_results(verdicts):
    known = {**results(), **verdicts}
    RESULTS.write_text("".join(f"{m[1]}\t{known.get(m[1], 'not run yet')}\n" for m in MUTATIONS))


def main():
    numbers = [int(a) for a in sys.argv[1:] if a.isdigit()] or range(1, len(MUTATIONS) + 1)
    prepare()
    for suite in {suite_of(MUTATIONS[number - 1]) for number in numbers}:
        built = build(programs_of(suite))
        if failing := built.stdout[-1000:] if built.returncode else ", ".join(failing_tests(suite)):
            sys.exit(f"the tests must pass before anything is broken: {failing}")
    last = results()
    tests = programs()
    verdicts, bad = {}, 0
    for number in numbers:
        file, what, old, new = MUTATIONS[number - 1][:4]
        known = [test for test in last.get(what, "").split(", ") if test in tests]
        quick = [test for test in known if not test.endswith("/differential")]
        caught, problem = try_mutation(file, old, new, suite_of(MUTATIONS[number - 1]), quick or known)
        bad += not caught
        verdicts[what] = ", ".join(caught) if caught else problem or "NOT CAUGHT"
        print(f"{number:3} {what}: {verdicts[what]}", flush=True)
        if "--write" in sys.argv:
            write_results(verdicts)
    print(f"{len(verdicts) - bad} caught, {bad} not")
    sys.exit(bad > 0)


main()
