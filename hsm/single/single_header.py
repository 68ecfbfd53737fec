#!/usr/bin/env python3
"""Makes one header and one source of the library: single_header.py <source root> <folder to write hsm.hpp and hsm.cpp into>

For Compiler Explorer, and for who wants two files. It is what `hsm` is without its parts; fmt stays an include, and is compiled along.
What stands alone in its file there is moved beside what stands alone in others, so names in anonymous namespaces get the file's name if another
file has the same (own_names.py)."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from own_names import identifiers, local_names, renamed  # noqa: E402

INCLUDE = re.compile(r"\s*#\s*include\s*<([^>]+)>")


def meson_list(text, name):
    found = re.search(rf"(?:^|\n){name} = (?:files\(|\[)([^])]*)[])]", text)
    return re.findall(r"'([^'\n]+)'", found[1])


class Merged:
    """Files one after the other, each header where it is first included; includes of others are collected."""

    def __init__(self, root, texts, have=()):
        self.root, self.texts, self.have = root, texts, set(have)
        self.includes, self.lines = set(), []

    def add(self, name):
        """The file hsm/<name>, and before it the headers that it includes."""
        self.have.add(name)
        depth, kept = 0, []
        for line in self.texts[name].splitlines():
            include = INCLUDE.match(line)
            if re.match(r"\s*#\s*if", line):
                depth += 1
            elif re.match(r"\s*#\s*endif", line):
                depth -= 1
            if include and include[1].startswith("hsm/"):  # also one that depends on something: our headers bear to be included anyway
                other = include[1].removeprefix("hsm/")
                if other not in self.have:
                    self.add(other)
            elif include and not depth:
                self.includes.add(include[1])
            elif line != "#pragma once":
                kept.append(line)
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")
        self.lines.append(f"// ---- hsm/{name}\n{text}\n")
        self.lines.extend(f"#undef {macro}\n" for macro in re.findall(r"(?m)^\s*#\s*define (\w+)", text) if name.endswith(".cpp"))

    def text(self, beginning):
        return beginning + "".join(f"#include <{name}>\n" for name in sorted(self.includes)) + "\n" + "\n".join(self.lines)


def main(root, out):
    lists = (root / "hsm/meson.build").read_text()
    headers = [name for name in meson_list(lists, "headers") if name in ("hsm.hpp", "version.hpp", "fwd.hpp") or "/" in name and not name.startswith("scxml/")]
    sources = [name for which in ("sources", "once_sources", "dump_sources", "debugger_sources") for name in meson_list(lists, which)]
    texts = {path.relative_to(root / "hsm").as_posix(): path.read_text() for path in sorted((root / "hsm").rglob("*.[ch]pp"))}
    version = re.search(r"HSM_VERSION (\d+)", texts["version.hpp"])[1]
    version = f"{int(version) // 10000}.{int(version) // 100 % 100}.{int(version) % 100}"

    uses = {}
    for name in {*sources, *(n for n in texts if n.endswith(".hpp"))}:
        for word in identifiers(texts[name]):
            uses.setdefault(word, set()).add(name)
    for name in sources:
        shared = {word for word in local_names(texts[name]) if len(uses[word]) > 1}
        beginning = re.sub(r"\W", "_", name.removesuffix(".cpp"))
        texts[name] = renamed(texts[name], {word: f"{beginning}_{word}" for word in shared})

    what = f"hsm {version}, hierarchical state machines for C++20, in two files that hsm/single/single_header.py made of the library's own."
    licence = "".join(f"// {line}".rstrip() + "\n" for line in (root / "LICENSE").read_text().splitlines())
    header = Merged(root, texts)
    for name in headers:
        if name not in header.have:
            header.add(name)
    source = Merged(root, texts, header.have)
    for name in sources:
        source.add(name)
    out.mkdir(parents=True, exist_ok=True)
    (out / "hsm.hpp").write_text(header.text(f"// {what}\n//\n{licence}#pragma once\n\n"))
    (out / "hsm.cpp").write_text(source.text(f"// {what}\n// To be compiled once: g++ -std=c++20 game.cpp hsm.cpp. It needs fmt 9.1 or newer, of which only the headers.\n"
                                             '#ifndef FMT_HEADER_ONLY\n#define FMT_HEADER_ONLY\n#endif\n#include "hsm.hpp"\n\n'))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
