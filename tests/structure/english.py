#!/usr/bin/env python3
"""Documents, comments and messages are written in plain English: english.py [source root]

Checks pages (without code), the comments and string literals of hsm/, and the whole text of build files, scripts and packaging files (SCRIPTS). In
SCRIPTS and in the paths of STRICT, phrases of NEVER are errors. In STRICT, at most 2 % of a folder's sentences have more than 30 words. Pages of SHORT
have at most 400 lines. Pages that have moved are skipped. All other findings, and the words of WATCH, are only counted."""

import re
import sys
from collections import Counter
from pathlib import Path

from docs_code import documents, has_moved

STRICT = ("README.md", "docs/README.md", "docs/SECURITY.md", "docs/changelog.md", "docs/guide/", "docs/reference/", "docs/tutorial/",
          "docs/internals/architecture.md", "docs/internals/benchmarks.md", "docs/internals/contributing.md", "docs/internals/platforms.md")
SHORT = ("README.md", "docs/README.md", "docs/guide/")  # reference pages can be long
SCRIPTS = re.compile(r"^\.ci/|^packaging/(?:debian|vcpkg)/|(?:^|/)(?:CMakeLists|meson_options)\.txt$"
                     r"|\.(?:bazel|build|cmake|css|html|in|js|map|mjs|natvis|proto|py|scxml|sh|xml|xsd)$")
NOT_CHECKED = ("tests/data/", "tests/structure/english")  # inputs of tests; these scripts contain the phrases
MAX_LINES, MAX_WORDS, MAX_LONG = 400, 30, 0.02

NEVER = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in {
    "told": r"\b(?:tell|tells|told|telling)\b",
    "whoever": r"\bwhoever\b",
    "somebody": r"\b(?:some|no|any|every)body\b",
    "of yours": r"\bof (?:yours|theirs|ours)\b",
    "words of a definition": r"\bwords of (?:a|the) definition\b",
    "in the place of": r"\bin the place of\b",
    "is over": r"\b(?:is|are|was) over\b(?! (?:a|an|the|\d))",
    "stands in": r"\bstands? (?:in|at|beside)\b",
    "goes on": r"\b(?:goes|go|went) on\b",
    "by itself": r"\bby (?:itself|themselves)\b",
    "comes of it": r"\b(?:comes|becomes) of (?:it|this|that)\b|\bcomes down to\b",
    "taken for": r"\btaken (?:for|as)\b",
    "can be had": r"\b(?:can(?:not)?|is to|are to) be had\b",
    "brings along": r"\b(?:brings?|takes?) along\b",
    "as ever": r"\bas ever\b",
    "mend": r"\bmend(?:s|ed|ing)?\b",
    "anew": r"\banew\b",
    "knows nothing of": r"\bknows? nothing of\b|\basks? for nothing else\b",
}.items()}
WATCH = re.compile(r"\b(?:made?|there (?:is|are)|kept?|noted?|given?|comes?|at all|at once|alone|beside|such|things?|so that many|that is to be)\b", re.IGNORECASE)


def prose(text):
    """The lines of a page: without code, comments and the targets of links."""
    text = re.sub(r"^ *```.*?^ *```|<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text, flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", "code", text)
    return re.sub(r"\]\([^)]*\)", "]", text).splitlines()


def sentences(lines):
    """Paragraphs and list items, split at full stops. Table rows and headings are not sentences."""
    paragraphs, current = [], []
    for line in [*lines, ""]:
        ends = not line.strip() or re.match(r"\s*(?:[-*]|\d+\.) |#|\s*\|", line)
        if ends and current:
            paragraphs.append(" ".join(current))
            current = []
        if line.strip() and not re.match(r"#|\s*\|", line):
            current.append(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", line).strip())
    return [sentence for text in paragraphs for sentence in re.split(r"(?<=[.!?:])[\"*)]*\s+", text) if sentence]


def source_texts(text):
    """Comments and string literals of a source, at their lines."""
    token = re.compile(r'//(?P<comment>[^\n]*)|R"\w*\(.*?\)\w*"|"(?P<literal>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)\'', re.S)
    lines = [""] * (text.count("\n") + 1)
    for found in token.finditer(re.sub(r"^[ \t]*#[ \t]*include.*", "", text, flags=re.M)):
        words = re.sub(r"`[^`]*`", "code", found["comment"] or found["literal"] or "")
        lines[found.string.count("\n", 0, found.start())] += " " + words
    return lines


def scripts(root):
    paths = [*root.glob("*"), *(path for folder in (".ci", "docs", "hsm", "packaging", "samples", "tests") for path in (root / folder).rglob("*"))]
    names = {path.relative_to(root).as_posix() for path in paths if path.is_file()}
    return [root / name for name in sorted(names) if SCRIPTS.search(name) and not name.startswith(NOT_CHECKED)]


def findings(lines):
    """(line, phrase) of each phrase that is never written."""
    return [(i, name) for i, line in enumerate(lines, 1) for name, pattern in NEVER.items() for _ in pattern.finditer(line)]


def too_long(all_sentences):
    return [sentence for sentence in all_sentences if len(sentence.split()) > MAX_WORDS]


def check(root):
    """Errors, and the counts of what is no error."""
    errors, counts, folders = [], Counter(), {}
    pages = [page for page in documents(root) if not has_moved(page)]
    sources = [path for path in sorted((root / "hsm").rglob("*")) if path.suffix in (".hpp", ".cpp")]
    for path in pages + sources + scripts(root):
        name, text = path.relative_to(root).as_posix(), path.read_text()
        page, source = path.suffix == ".md", path.suffix in (".hpp", ".cpp")
        strict = name.startswith(STRICT) or not (page or source)
        lines = prose(text) if page else source_texts(text) if source else text.splitlines()
        problems = [f"{name}:{line}: '{phrase}'" for line, phrase in findings(lines)]
        if name.startswith(SHORT) and text.count("\n") > MAX_LINES:
            problems.append(f"{name}: more than {MAX_LINES} lines")
        if page or source:
            counts["words to watch"] += sum(len(WATCH.findall(line)) for line in lines)
        if strict:
            errors += problems
        else:
            counts[f"phrases and pages to rewrite in {name.split('/')[0]}"] += len(problems)
        if page:
            folder = folders.setdefault((path.parent.relative_to(root).as_posix(), strict), [])
            folder += sentences(lines)
    for (folder, strict), written in folders.items():
        long = too_long(written)
        if strict and len(long) > MAX_LONG * len(written):
            errors += [f"{folder}: {len(long)} of {len(written)} sentences have more than {MAX_WORDS} words", *(f"    {sentence}" for sentence in long)]
        elif not strict:
            counts["long sentences to rewrite"] += len(long)
    return errors, counts


def main(arguments):
    errors, counts = check(Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve())
    print(*errors, *(f"{what}: {count}" for what, count in counts.items()), f"{len(errors)} problems", sep="\n")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
