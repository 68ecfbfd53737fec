#!/usr/bin/env python3
"""Every public function of a public header is named in the documents: api_documented.py <source root>

A function is named if its name is a word in README.md or in a document for users. Headers for loaders and tools, and functions that the language
requires, and conversions, are not checked."""

import re
import sys
from pathlib import Path

from docs_code import has_moved

FOR_TOOLS = {"state_base.hpp", "transition_spec.hpp", "code.hpp", "origin.hpp", "when.hpp"}
NO_DOCUMENTS = {"changelog.md", "benchmarks.md", "contributing.md", "architecture.md"}
# Functions for loaders and tools (spec, core, ring), a deleted function, and functions with well-known names (swap, begin, end, destroy_at).
SELF_EVIDENT = {"nothing_to_check", "spec", "core", "swap", "begin", "end", "get", "release", "destroy_at", "ring"}
NO_DECLARATION = re.compile(r"\b(return|if|for|while|static_assert|using|requires|decltype|sizeof|throw|noexcept|alignas|explicit)\b")


def public_functions(text):
    """Names that are declared outside of `detail` and in public sections. Reads line by line, because the code is formatted."""
    text = re.sub(r"^namespace detail \{.*?^\} // namespace detail", "", text, flags=re.S | re.M)
    text = re.sub(r"//.*", "", text)
    section = "public"
    for line in text.splitlines():
        if found := re.match(r"\s*(public|private|protected):", line):
            section = found[1]
        elif found := re.match(r"(?:template.*)?\b(class|struct|enum)\b", line):
            section = "private" if found[1] == "class" else "public"
        elif line.startswith("};"):
            section = "public"
        if section != "public":
            continue
        for found in re.finditer(r"\b([a-z]\w*)\s*\(", line):
            before = line[: found.start()].rstrip()
            if re.search(r"[\w>&*\]]$", before) and not before.endswith(("->", "new", "&&", "operator")) and not NO_DECLARATION.search(before):
                yield found[1]


def main(root):
    documents = [p for p in (root / "docs").rglob("*.md") if p.name not in NO_DOCUMENTS and not has_moved(p)] + [root / "README.md"]
    words = {word for p in documents for word in re.findall(r"\w+", p.read_text())} | SELF_EVIDENT
    headers = [p for p in sorted(root.glob("hsm/*/*.hpp")) if p.name not in FOR_TOOLS]
    seen, problems = 0, 0
    for header in headers:
        for name in sorted(set(public_functions(header.read_text()))):
            seen += 1
            if name not in words:
                problems += 1
                print(f"{header.relative_to(root)}: no document names {name}()")
    print(f"{seen} functions, {problems} problems")
    return problems > 0 or seen < 200


sys.exit(main(Path(sys.argv[1]).resolve()))
