"""A partial parser of C++, which finds the local names of a source and renames them."""

import re

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)"""
    r"""|(?P<string>(?:u8|[uUL])?R"(?P<end>[^()\\\s]{0,16})\(.*?\)(?P=end)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')"""
    r"""|(?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)"""
    r"""|(?P<word>[A-Za-z_]\w*)"""
    r"""|(?P<sign>::|->\*?|.)""",
    re.S,
)
OPEN, CLOSE = {"{", "(", "["}, {"}", ")", "]"}
# Words that can precede a declared name and be followed by parentheses.
WITH_PARENTHESES = {"alignas", "decltype", "noexcept", "explicit", "requires", "__attribute__"}


def tokens(text):
    """(kind, text) of each token. A preprocessor line has the kind "space"."""
    found, at, line_begins = [], 0, True
    while at < len(text):
        directive = line_begins and re.compile(r"[ \t]*#(?:\\\n|[^\n])*").match(text, at)
        if directive:
            found.append(("space", directive[0]))
            at = directive.end()
            continue
        match = TOKEN.match(text, at)
        found.append((match.lastgroup if match.lastgroup != "end" else "string", match[0]))
        line_begins = match[0].endswith("\n") or (line_begins and match.lastgroup == "space") or "\n" in match[0] and match.lastgroup == "space"
        at = match.end()
    return found


def identifiers(text):
    """All words of a text, including those in macro definitions."""
    words = {token for kind, token in tokens(text) if kind == "word"}
    for line in re.findall(r"(?m)^[ \t]*#[ \t]*define((?:\\\n|[^\n])*)", text):
        words |= set(re.findall(r"[A-Za-z_]\w*", line))
    return words


def after(code, at):
    """The index after the bracket that closes the one at `at`."""
    depth = 0
    while at < len(code):
        depth += (code[at] in OPEN) - (code[at] in CLOSE)
        at += 1
        if not depth:
            return at
    raise ValueError("a bracket is not closed")


def after_angles(code, at):
    """The index after the > that closes the < at `at`."""
    depth = 0
    while True:
        if code[at] in ("(", "{", "["):
            at = after(code, at)
            continue
        depth += (code[at] == "<") - (code[at] == ">")
        at += 1
        if not depth:
            return at


def declaration(code, at, names):
    """Adds the name that the declaration at `at` declares. Returns the index of the next declaration."""
    while code[at] in ("template", "["):  # or an attribute
        at = after_angles(code, at + 1) if code[at] == "template" else after(code, at)
    while code[at] in ("constexpr", "const", "inline", "static", "constinit"):
        at += 1
    begin = at
    if code[at] in ("struct", "class", "union", "enum"):
        unscoped = code[at] == "enum" and code[at + 1] not in ("class", "struct")
        at += 1
        while code[at] in ("class", "struct", "[", "alignas"):
            at = after(code, at + (code[at] == "alignas")) if code[at] in ("[", "alignas") else at + 1
        if code[at].isidentifier():
            names.add(code[at])
        while code[at] not in ("{", ";"):
            at += 1
        if code[at] == "{":
            if unscoped:
                body = code[at + 1:after(code, at) - 1]
                names.update(word for before, word in zip([",", *body], body) if before == "," and word.isidentifier())
            at = after(code, at)
        if code[at].isidentifier():  # a variable of that type
            names.add(code[at])
        while code[at] != ";":
            at = after(code, at) if code[at] in OPEN else at + 1
        return at + 1
    if code[at] in ("using", "concept", "namespace"):
        if code[at + 1] != "namespace" and code[at + 2] in ("=", "{"):
            names.add(code[at + 1])
        if code[at] == "namespace" and code[at + 2] == "{":
            return after(code, at + 2)
        while code[at] != ";":
            at = after(code, at) if code[at] in OPEN else at + 1
        return at + 1
    if code[at] in ("static_assert", "asm", ";"):
        while code[at] != ";":
            at = after(code, at) if code[at] in OPEN else at + 1
        return at + 1
    # A function or a variable: its name precedes the first bracket, =, or ;.
    while code[at] not in ("(", "{", "=", ";", "[") or code[at:at + 2] == ["[", "["]:
        if code[at] in WITH_PARENTHESES and code[at + 1] == "(":
            at = after(code, at + 1)
        elif code[at] == "[":
            at = after(code, at)
        elif code[at] == "<":
            at = after_angles(code, at)
        elif code[at] == "operator":
            at += 1
            while code[at] != "(" or code[at + 1] == ")" and code[at + 2] == "(":
                at += 1
            begin = at
        else:
            at += 1
    if at > begin and code[at - 1].isidentifier() and (at - 2 < begin or code[at - 2] != "::"):
        names.add(code[at - 1])
    function = code[at] == "("
    while code[at] != ";":
        if function and code[at] == "{":
            return after(code, at)
        at = after(code, at) if code[at] in OPEN else at + 1
    return at + 1


def local_names(text):
    """The names declared in the anonymous namespaces of a source. (Sources have no static functions or variables outside of classes.)"""
    code = [token for kind, token in tokens(text) if kind != "space"]
    names = set()
    for i in range(len(code) - 1):
        if code[i] == "namespace" and code[i + 1] == "{":
            at, end = i + 2, after(code, i + 1) - 1
            while at < end:
                at = declaration(code, at, names)
    return names


def renamed(text, names):
    """The text with the names replaced, except after `.`, `->` and qualifiers other than hsm's namespaces."""
    result, before, qualifier = [], "", ""
    for kind, token in tokens(text):
        member = before in (".", "->") or before == "::" and qualifier not in ("hsm", "detail", "draw")
        if kind == "word" and token in names and not member:
            result.append(names[token])
        elif token.lstrip().startswith("#") and "define" in token:
            result.append(re.sub(r"[A-Za-z_]\w*", lambda m: names.get(m[0], m[0]), token))
        else:
            result.append(token)
        if kind != "space":
            before, qualifier = token, before
    return "".join(result)
