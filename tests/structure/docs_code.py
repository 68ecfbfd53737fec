#!/usr/bin/env python3
"""Checks README.md and all pages in docs/: docs_code.py [--write] [source root]

A C++ block below a line `<!-- code: samples/hello.cpp [program] -->` equals the dedented text between the lines `// [program]` and
`// [/program]` of that file. --write updates it. Relative links lead to existing files and headings. Sources name only existing pages. No link and no
source leads to a page that has moved, which begins with "This page moved to"."""

import re
import sys
import textwrap
from pathlib import Path
from urllib.parse import unquote

MARK = re.compile(r"<!--\s*code:\s*(\S+)\s+\[([^\]]+)\]\s*-->\s*$")
REGION_EDGE = re.compile(r"\s*// \[/?[^\]]+\]\s*$")
LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?[^)]*\)")
NAMED = re.compile(r"(?<![\w/.])docs/[\w/-]+\.(?:md|xsd)\b")
SOURCES = (".hpp", ".cpp", ".py", ".sh", ".build", ".txt", ".xml")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class wrong(Exception):
    pass


def documents(root):
    return [path for path in (root / "README.md", *sorted((root / "docs").rglob("*.md"))) if path.is_file()]


def has_moved(page):
    """Whether the page exists only for old links."""
    return page.suffix == ".md" and re.match(r"# .*\n\nThis page moved to ", page.read_text()) is not None


# --- code ---


def region(root, file, name):
    """The lines of a region, without the edges of regions inside it."""
    path = root / file
    if not path.is_file():
        raise wrong(f"{file} does not exist")
    lines = path.read_text().splitlines()
    edges = [line.strip() for line in lines]
    begin, end = f"// [{name}]", f"// [/{name}]"
    if edges.count(begin) != 1 or edges.count(end) != 1 or edges.index(begin) > edges.index(end):
        raise wrong(f"{file} has no region [{name}]: a line '{begin}' and, below it, a line '{end}', each once")
    inside = lines[edges.index(begin) + 1 : edges.index(end)]
    text = textwrap.dedent("\n".join(line for line in inside if not REGION_EDGE.match(line)))
    return text.strip("\n").splitlines()


def block_below(lines, mark):
    """The first line of the fenced block below line `mark`, and the line after its last; an empty range if there is no block."""
    begin = mark + 1
    if begin == len(lines) or not lines[begin].startswith("```"):
        return begin, begin
    for end in range(begin + 1, len(lines)):
        if lines[end].rstrip() == "```":
            return begin, end + 1
    raise wrong("the block is never closed")


def first_difference(found, wanted):
    for i, (left, right) in enumerate(zip(found, wanted)):
        if left != right:
            return i, f"'{left}' instead of '{right}'"
    shorter = min(len(found), len(wanted))
    return shorter, f"{len(found)} lines instead of {len(wanted)}"


def fenced_lines(lines):
    """For each line, whether it is part of a fenced block."""
    fenced, inside = [], False
    for line in lines:
        edge = line.lstrip().startswith("```")
        fenced.append(inside or edge)
        inside ^= edge
    return fenced


def check_code(root, document, write, problems):
    """Reports blocks that differ, or rewrites them. Returns the number of blocks."""
    text = document.read_text()
    lines = text.splitlines()
    fenced = fenced_lines(lines)
    marks = [i for i, line in enumerate(lines) if MARK.match(line) and not fenced[i]]
    for i, line in enumerate(lines):
        if re.match(r"\s*<!--\s*code\b", line) and i not in marks:
            problems.append((document, i, "a comment that includes code must have the form <!-- code: file [region] --> and its own line"))
    for mark in reversed(marks):  # from the end, because --write changes the number of lines
        file, name = MARK.match(lines[mark]).groups()
        try:
            wanted = ["```cpp", *region(root, file, name), "```"]
            begin, end = block_below(lines, mark)
        except wrong as e:
            problems.append((document, mark, str(e)))
            continue
        if lines[begin:end] == wanted:
            continue
        if write:
            lines[begin:end] = wanted
        else:
            where, what = first_difference(lines[begin:end], wanted)
            problems.append((document, begin + where, f"differs from {file} [{name}]: {what}; --write updates it"))
    written = "\n".join(lines) + "\n"
    if write and written != text:
        document.write_text(written)
    return len(marks)


# --- links ---


def anchors(document):
    """The anchors that GitHub generates from the headings."""
    found, seen = set(), {}
    lines = document.read_text().splitlines()
    for line, in_code in zip(lines, fenced_lines(lines)):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if in_code or not heading:
            continue
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        times = seen.get(slug, 0)
        seen[slug] = times + 1
        found.add(f"{slug}-{times}" if times else slug)
    return found


def broken(root, document, target):
    """The problem of this link, or None."""
    path, _, anchor = target.partition("#")
    if path.startswith("/"):
        return "an absolute path"
    file = (document.parent / unquote(path)).resolve() if path else document
    if not file.is_relative_to(root):
        return "leads out of the repository"
    if not file.exists():
        return "the file does not exist"
    if file.is_file() and has_moved(file):
        return "the page has moved"
    if anchor and file.suffix == ".md" and unquote(anchor) not in anchors(file):
        return f"{file.relative_to(root)} has no heading for #{anchor}"
    return None


def check_links(root, document, problems):
    lines = document.read_text().splitlines()
    for i, (line, in_code) in enumerate(zip(lines, fenced_lines(lines))):
        if in_code:
            continue
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if ELSEWHERE.match(target):
                continue
            if problem := broken(root, document, target):
                problems.append((document, i, f"the link {target}: {problem}"))


def check_sources(root, problems):
    for folder in ("hsm", "samples", "tests", "packaging"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES or path.name.endswith("_test.py"):
                continue
            for i, line in enumerate(path.read_text(errors="replace").splitlines()):
                for page in NAMED.findall(line):
                    if not (root / page).is_file() or has_moved(root / page):
                        problems.append((path, i, f"{page} does not exist, or has moved"))


def main(arguments):
    write = "--write" in arguments
    folders = [a for a in arguments if not a.startswith("-")]
    root = Path(folders[0] if folders else Path(__file__).parents[2]).resolve()
    problems, blocks = [], 0
    for document in documents(root):
        blocks += check_code(root, document, write, problems)
        check_links(root, document, problems)
    check_sources(root, problems)
    for document, line, problem in sorted(problems):
        print(f"{document.relative_to(root)}:{line + 1}: {problem}")
    if not blocks:
        print("no document includes code: the comments have another form")
    print(f"{len(documents(root))} documents, {blocks} blocks of code, {len(problems)} problems")
    return 1 if problems or not blocks else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
