#!/usr/bin/env python3
"""Compares the output in a page of docs/ with the output of the programs: documented.py [--write] <root> <page> <program>...

Below a line `<!-- run -->` is a fenced block. Its first line is a command, `$ hsm ...`. It runs in a folder with the files of samples/data and the
files that earlier commands of the page have created. The other lines are its output on stdout and stderr; `--write` updates them. A last line `[1]` is
the exit code, if it is not 0."""

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
    root, page = pathlib.Path(words[0]), words[1]
    document = root / page
    text = document.read_text()
    problems = []
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        for file in (root / "samples/data").iterdir():
            shutil.copy(file, folder)
        for program in map(pathlib.Path, words[2:]):
            (pathlib.Path(programs) / program.name).symlink_to(program.resolve())
        if (pathlib.Path(programs) / "character").exists():
            printed("character --quiet --record run.hsmlog demo.fm2 && character --quiet --trace run.trace demo.fm2", folder, programs)

        def renewed(match):
            is_now = printed(match[2][2:].strip(), folder, programs)
            if is_now != match[3]:
                problems.append(f"{page}: {match[2].strip()} prints\n{is_now}instead of\n{match[3]}")
            return match[1] + match[2] + is_now + match[4]

        renewed_text, blocks = BLOCK.subn(renewed, text)
    if "--write" in sys.argv:
        document.write_text(renewed_text)
        problems = []
    print("\n".join([*problems, f"{blocks} blocks, {len(problems)} problems"]))
    sys.exit(1 if problems or not blocks or blocks != text.count("<!-- run -->") else 0)


main()
