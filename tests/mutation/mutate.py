#!/usr/bin/env python3
"""Breaks the engine in one place at a time and sees that the tests notice.

    mutate.py [--write] [number]...     all of them, or those; --write renews docs/mutations.md

Works in build/mutation, on a copy of the sources. A breakage that does not compile, or whose text is not found exactly once, is a
mistake of the list and fails as well.
"""
import pathlib
import shutil
import subprocess
import sys

from mutations import MUTATIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutation" / "source"
BUILD = ROOT / "build" / "mutation" / "build"


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def prepare():
    shutil.rmtree(COPY, ignore_errors=True)
    for folder in ("hsm", "tests", "samples", "subprojects"):
        shutil.copytree(ROOT / folder, COPY / folder, ignore=shutil.ignore_patterns("__pycache__"),
                        copy_function=shutil.copy)  # newer than what an interrupted run has left
    for file in ("meson.build", "meson_options.txt"):
        shutil.copy(ROOT / file, COPY / file)
    if not (BUILD / "build.ninja").exists():
        run("meson", "setup", str(BUILD), str(COPY), "-Doptimization=1", "-Ddebug=false", "-Dops=loop", "-Dtests=enabled", "-Dsamples=disabled", check=True)


def suite_of(mutation):
    """Whose tests are to notice it: as a fifth entry says, or by the folder."""
    folder = mutation[4] if len(mutation) > 4 else mutation[0].split("/")[0]
    return folder if folder in ("crowd", "manage") else "run"


def build(suite):
    targets = [t for t in run("ninja", "-C", str(BUILD), "-t", "targets", "all").stdout.split("\n") if t.startswith(f"tests/{suite}_") and ": cpp_LINKER" in t]
    also = ["tests/run_differential_test"] if suite == "crowd" else []
    return run("ninja", "-C", str(BUILD), *[t.split(":")[0] for t in targets], *also)


def failing_tests(suite):
    """The names of the tests that fail; every one of them runs with a limit, as a broken engine may hang."""
    result = run("meson", "test", "-C", str(BUILD), "--no-rebuild", "--timeout-multiplier", "0.5" if suite == "run" else "0.1", "--suite", suite)
    return sorted({line.split("/ ", 1)[1].split()[0] for line in result.stdout.split("\n")
                   if " / " in line and any(word in line for word in (" FAIL ", " ERROR ", " TIMEOUT "))})


def try_mutation(file, old, new, suite):
    path = COPY / "hsm" / file
    text = path.read_text()
    if text.count(old) != 1:
        return None, f"stands there {text.count(old)} times"
    path.write_text(text.replace(old, new))
    try:
        built = build(suite)
        if built.returncode:
            return None, "does not compile: " + "\n".join(l for l in built.stdout.split("\n") if "error" in l)[:300]
        return failing_tests(suite), ""
    finally:
        path.write_text(text)


def main():
    numbers = [int(a) for a in sys.argv[1:] if a.isdigit()] or range(1, len(MUTATIONS) + 1)
    prepare()
    if any(build(suite).returncode or failing_tests(suite) for suite in {suite_of(MUTATIONS[number - 1]) for number in numbers}):
        sys.exit("the tests must pass before anything is broken")
    rows, bad = [], 0
    for number in numbers:
        file, what, old, new = MUTATIONS[number - 1][:4]
        caught, problem = try_mutation(file, old, new, suite_of(MUTATIONS[number - 1]))
        bad += not caught
        verdict = ", ".join(caught) if caught else problem or "NOT CAUGHT"
        print(f"{number:3} {what}: {verdict}", flush=True)
        rows.append(f"| {number} | `{file}` | {what} | {verdict} |")
    if "--write" in sys.argv:
        (ROOT / "docs" / "mutations.md").write_text(
            "# Breaking the engine on purpose\n\n"
            "`tests/mutation/mutate.py` breaks the engine in one place at a time, builds it, and runs the tests of `tests/run`, or of\n"
            "`tests/crowd` or `tests/manage` for what stands there. Each breakage has to be noticed. What noticed it, at the last run:\n\n"
            "| | where | what is broken | noticed by |\n|---|---|---|---|\n" + "\n".join(rows) + "\n")
    print(f"{len(rows) - bad} caught, {bad} not")
    sys.exit(bad > 0)


main()
