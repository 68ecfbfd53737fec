#!/usr/bin/env python3
"""Renders drawings of random charts and reads the results: pictures.py PROGRAM BUILD_FOLDER

PROGRAM contains the test draw/random, which writes drawings and lists of states. Each state and each arrow of a drawing must be in the SVG. The
renderers are Graphviz, PlantUML, and Mermaid in BUILD_FOLDER/pictures/node_modules with Chromium. A renderer that is not installed is skipped and
reported; tests/run.sh --pictures installs them. HSM_PICTURES is the number of charts (default: 25)."""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
UNDRAWN = []  # arrows that PlantUML does not draw
UNDERSTOOD = Counter()


def states(base):
    return [line.split() for line in base.with_suffix(".states").read_text().splitlines()]


def missing_in_dot(base):
    svg, text = base.with_suffix(".dot.svg").read_text(), base.with_suffix(".dot").read_text()
    drawn = set(re.findall(r'<g id="([^"]+)" class="(?:node|cluster) ', svg))
    yield from (f"state {path}" for path, _, _ in states(base) if path not in drawn)
    wanted = Counter(re.findall(r' -> .*class="(t\d+)"\];$', text, re.MULTILINE))
    found = Counter(re.findall(r'class="edge (t\d+)"', svg))
    yield from (f"transition {t}: {found[t]} arrows instead of {n}" for t, n in wanted.items() if found[t] != n)


def arrows(text):
    return [(a, b) for a, b in re.findall(r"^\s*(\S+) -(?:->|\[[^\]]*\]->) (\S+)", text, re.MULTILINE)]


def missing_in_plantuml(base):
    svg, text = html.unescape(base.with_suffix(".svg").read_text()), base.with_suffix(".puml").read_text()
    words = set(re.findall(r"<text[^>]*>([^<]*)</text>", svg))
    ids = Counter(re.sub(r"-\d+$", "", i) for i in re.findall(r'<path[^>]* id="([^"]+)"', svg))
    for path, name, kind in states(base):
        shown = {name, f"H {name}", f"H* {name}"}
        if kind != "choice" and not shown & words:
            yield f"state {path}"
    wanted = Counter(f"{a}->{b}" for a, b in arrows(text) if "[*]" not in (a, b))
    UNDERSTOOD.update(wanted)
    links = Counter("->".join(link) for link in re.findall(r"^(?:.*<!--)?link (\S+) to (\S+)-->", svg, re.MULTILINE))
    for a, n in wanted.items():
        if ids[a] == n:
            continue
        # PlantUML 1.2020 does not draw some arrows of crowded charts, but writes comments with their names.
        if links[a] >= n:
            UNDRAWN.append(a)
        else:
            yield f"arrow {a}: {ids[a]} instead of {n}"


def missing_in_mermaid(base):
    svg, text = base.with_suffix(".mmd.svg").read_text(), base.with_suffix(".mmd").read_text()
    drawn = set(re.findall(r'id="m-state-(.+?)-\d+"', svg))
    yield from (f"state {path}" for path, _, _ in states(base) if path not in drawn)
    found, wanted = len(re.findall(r'<path [^>]*class="[^"]*\btransition\b', svg)), len(arrows(text))
    if found != wanted:
        yield f"{found} arrows instead of {wanted}"


def by_dot(bases, _):
    if not shutil.which("dot"):
        return "Graphviz is not installed"
    for base in bases:
        subprocess.run(["dot", "-Tsvg", f"{base}.dot", "-o", f"{base}.dot.svg"], check=True)


def by_plantuml(bases, _):
    if not shutil.which("plantuml"):
        return "PlantUML is not installed"
    subprocess.run(["plantuml", "-headless", "-tsvg", *(f"{b}.puml" for b in bases)], check=True)


def by_mermaid(bases, build):
    modules, chromium = build / "pictures/node_modules", shutil.which("chromium")
    if not chromium or not shutil.which("node") or not (modules / "mermaid").is_dir():
        return "Mermaid, Chromium or node is not installed"
    subprocess.run(["node", str(HERE / "pictures/render.mjs"), str(modules), chromium, *(f"{b}.mmd" for b in bases)], check=True)


def main(program, build):
    count, failed, skipped = int(os.environ.get("HSM_PICTURES", "25")), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--source-file=*/draw/random_test.cpp"], check=True, stdout=subprocess.DEVNULL, env=os.environ | {"HSM_DRAWINGS": folder, "HSM_DRAWN_CHARTS": str(count)})
        bases = [Path(folder) / str(n) for n in range(1, count + 1)]
        for name, render, missing in (("Graphviz", by_dot, missing_in_dot), ("PlantUML", by_plantuml, missing_in_plantuml),
                                      ("Mermaid", by_mermaid, missing_in_mermaid)):
            if reason := render(bases, Path(build)):
                skipped += 1
                print(f"{name} is skipped: {reason}; tests/run.sh --pictures installs it")
                continue
            problems = [f"{name}, chart {base.name}: {what} is missing" for base in bases for what in missing(base)]
            failed += len(problems)
            print("\n".join([*problems[:20], f"{name}: {count} charts, {len(problems)} problems"]))
    if UNDRAWN:
        print(f"PlantUML read {UNDERSTOOD.total()} arrows, and did not draw {len(UNDRAWN)} of them")
        failed += len(UNDRAWN) * 100 > UNDERSTOOD.total()
    return 1 if failed else 77 if skipped == 3 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
