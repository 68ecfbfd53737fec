#!/usr/bin/env python3
"""What docs/reference/tool.md shows of the program is what it prints: documented.py [--write] <root> <hsm> <character_tool>

Below a line `<!-- run -->` stands a fenced block: a line `$ hsm ...`, run in a folder with the files of samples/data and what the documented
commands before it have made there, then what it prints, to stdout and stderr; `--write` puts it there. A line `[1]` at the end is its exit code,
if that is not 0."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(<!-- run -->\n```text\n)(\$ [^\n]*\n)(.*?)(```\n)", re.DOTALL)


def printed(command, folder, programs):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env={"PATH": f"{programs}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout + (f"[{done.returncode}]\n" if done.returncode else "")


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    root, hsm, character_tool = map(pathlib.Path, words)
    document = root / "docs/reference/tool.md"
    text = document.read_text()
    problems = []
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        for file in (root / "samples/data").iterdir():
            shutil.copy(file, folder)
        (pathlib.Path(programs) / "hsm").symlink_to(hsm.resolve())
        (pathlib.Path(programs) / "character_tool").symlink_to(character_tool.resolve())
        (pathlib.Path(programs) / "character").symlink_to(character_tool.resolve().with_name("character"))
        subprocess.run(["bash", "-c", "character --quiet --record run.hsmlog demo.fm2 && character --quiet --trace run.trace demo.fm2"], cwd=folder,
                       env={"PATH": f"{programs}:/usr/bin:/bin"}, check=True, stdout=subprocess.DEVNULL)

        def renewed(match):
            is_now = printed(match[2][2:].strip(), folder, programs)
            if is_now != match[3]:
                problems.append(f"docs/reference/tool.md: {match[2].strip()} prints\n{is_now}and not\n{match[3]}")
            return match[1] + match[2] + is_now + match[4]

        renewed_text, blocks = BLOCK.subn(renewed, text)
    if "--write" in sys.argv:
        document.write_text(renewed_text)
        problems = []
    print("\n".join([*problems, f"{blocks} blocks, {len(problems)} problems"]))
    sys.exit(1 if problems or not blocks or blocks != text.count("<!-- run -->") else 0)


main()
