#!/usr/bin/env python3
"""Compiler-specific code is in one header: compiler_words.py [source root]

Checks hsm/ and samples/ for extensions and macros of compilers. Code that is specific to an operating system is allowed elsewhere.

A user's class may overload the unary operator &. So installed headers take addresses of objects with std::addressof."""

import re
import sys
from pathlib import Path

HEADER = "hsm/op/detail/compiler.hpp"
# Third-party code, and code generated from it.
ELSEWHERE = ("hsm/scxml/duktape/",)
WORDS = re.compile(
    r"\basm\b|\b__asm|\b__(atomic|sync)_|\b__builtin_|\b__attribute|\b__declspec|\b__forceinline|\b__assume|\b__restrict|\b__extension__|\b__int128"
    r"|\b__PRETTY_FUNCTION__|\b__FUNCSIG__|\b__FUNCTION__|\b__typeof|\b_Pragma\b|#\s*pragma\s+(?!once\b)"
    r"|\[\[[^\]]*\b(gnu|clang|msvc)::|\b__(clang|GNUC|GNUG|OPTIMIZE|SANITIZE|ELF|GLIBCXX|has_(feature|builtin|attribute|cpp_attribute))\w*|\b_MSC_VER\b"
    r"|\b_LIBCPP_|\bstd::atomic_ref\b"
)
# Addresses of functions and variable templates ("&name<", "&scope::name") are allowed.
ADDRESS = re.compile(r"(?:(?<=[(,={?:\[!<;*])|(?<=return )|(?<=[=,:?<] )|(?<=&& )|(?<=\|\| )|(?<=[-+] ))&(?![&=\]])(?=[\w*(])(?!\w+(?:<|::))")
# Folders without objects of users' classes.
WITHOUT_USERS = ("hsm/op/", "hsm/constant/detail/")
TEXT = re.compile(r'//.*$|"(?:\\.|[^"\\])*"')


def words(line):
    """The matches outside of comments and string literals."""
    return [m[0] for m in WORDS.finditer(TEXT.sub('""', line))]


def addresses(line):
    return ADDRESS.findall(TEXT.sub('""', line))


def installed(root):
    """Files that hsm/meson.build names as headers."""
    return {f"hsm/{name}" for name in re.findall(r"'([\w/]+\.hpp)'", (Path(root) / "hsm/meson.build").read_text())}


def problems(root):
    found = []
    headers = installed(root)
    for path in sorted(p for folder in ("hsm", "samples") for p in Path(root, folder).rglob("*") if p.suffix in (".hpp", ".cpp")):
        file = path.relative_to(root).as_posix()
        if file == HEADER or file.startswith(ELSEWHERE):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found += [f"{file}:{number}: {word}: compiler-specific code belongs in {HEADER}" for word in words(line)]
            if file in headers and not file.startswith(WITHOUT_USERS) and addresses(line):
                found.append(f"{file}:{number}: &: a user's class may overload it: use std::addressof")
    return found


def main(root):
    if words("[[gnu::cold]] asm __builtin_trap(); // asm") != ["[[gnu::", "asm", "__builtin_"] or words('#pragma once // "asm"') or words('puts("asm");'):
        return "compiler_words.py does not find all compiler-specific words, or others"
    if len(addresses("f(&a, &b[i], {&c}); // &d")) != 3 or addresses("[&] f(&g<T>, &T::h); T& t = x & y; auto&& z = a && b; const T &u"):
        return "compiler_words.py does not find all uses of &, or others"
    if not words((Path(root) / HEADER).read_text()):
        return f"{HEADER} contains no compiler-specific code"
    found = problems(root)
    print("\n".join(found) or "compiler-specific code is only in its header, and no user's object is the operand of &")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]))
