#!/usr/bin/env python3
"""No destructor and no noexcept function in hsm/ allocates in its own body, because a failed allocation would terminate the program.

Called functions are not checked. A try block with catch (...) may allocate.

    no_allocation.py [root]
"""
import pathlib
import re
import sys

# File and function, and why it may allocate.
EXCEPTIONS = {
    ("hsm/crowd/crowd_core.cpp", "give_back"): "page_for reserves memory for all places in the list of free places",
    ("hsm/crowd/crowd_core.cpp", "take_back"): "the same",
    ("hsm/save/restore_crowd.cpp", "put_free"): "the same",
    ("hsm/save/restore_crowd.cpp", "forget"): "memory for the list of kept observers is reserved before any change",
}

IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z])\'(?:\\.|[^\'\\\n])+\'', re.S)
HEAD = re.compile(r"(?P<name>~?\w+|operator[^\s(]{1,3})\s*\((?P<rest>(?:[^()]|\([^()]*\))*)\)\s*(?:const\s*|&+\s*)*"
                  r"(?P<noexcept>noexcept\b(?!\s*\(false))?(?:\([^{}]*?\))?\s*(?:override\s*|final\s*)*(?::[^;{}]*)?\{")
ALLOCATES = re.compile(r"\b(?:push_back|emplace_back|push_front|emplace_front|try_emplace|insert_or_assign|emplace|reserve|resize)\s*\(|[.>]append\s*\("
                       r"|\bmake_(?:unique|shared|owned)\s*<|\bnew\b(?!\s*\()|\bto_string\s*\(|\bfmt::format(?:_to)?\s*\(|\bstd::(?:string|vector<[^>]*>)\s*[({]")
CAUGHT = re.compile(r"\btry\s*\{")


def end_of_block(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    return len(text)


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_caught(body):
    """The body without the try blocks that catch everything."""
    for at in [m.start() for m in CAUGHT.finditer(body)]:
        end = end_of_block(body, body.index("{", at))
        if re.match(r"\s*catch\s*\(\s*\.\.\.\s*\)", body[end:]):
            body = body[:at] + blank(body[at:end]) + body[end:]
    return body


def problems_in(name, text):
    text = IGNORED.sub(lambda m: blank(m.group()), text)
    for head in HEAD.finditer(text):
        function = head["name"]
        if not head["noexcept"] and not function.startswith("~") or (name, function) in EXCEPTIONS:
            continue
        begin = head.end() - 1
        for found in ALLOCATES.finditer(without_caught(text[begin:end_of_block(text, begin)])):
            line = text.count("\n", 0, begin + found.start()) + 1
            yield f"{name}:{line}: {function} must not fail, but may allocate: {' '.join(found.group().split())}"


def check(root):
    files = sorted(p for p in (root / "hsm").rglob("*.[ch]pp"))
    return [problem for path in files for problem in problems_in(path.relative_to(root).as_posix(), path.read_text())]


def main():
    problems = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve())
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
