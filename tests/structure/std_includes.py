#!/usr/bin/env python3
"""Every file in hsm/ includes a standard header for each name of namespace std that it uses, itself or by headers of hsm/: std_includes.py <source root>

structure/alone cannot find missing standard headers with clang, because a precompiled header contains all of them. A name that is not in the table is
an error."""

import re
import sys
from pathlib import Path

# Header -> the names that it declares. A file needs one of the headers that declare a name.
HEADERS = {
    "algorithm": r"ranges::\w+|(stable_)?sort|stable_partition|\w+_if|(any|all|none)_of|\w+_n|find|fill|copy|rotate|mismatch|clamp|min|max|lower_bound|partition_point|equal|unique|remove",
    "array": "array|get|tuple_size|size|begin|end",
    "atomic": r"atomic\w*|memory_order\w*",
    "bit": r"count[lr]_zero|popcount|rot[lr]|bit_\w+|has_single_bit|endian",
    "cctype": "tolower|is(digit|alnum|alpha|space)",
    "charconv": "(to|from)_chars|errc",
    "chrono": "chrono",
    "clocale": "localeconv",
    "cmath": "isfinite|isnan|isinf|signbit|log1p|l?lround|floor|ceil|f?abs",
    "concepts": r"integral|floating_point|\w+_integral|same_as|derived_from|convertible_to",
    "condition_variable": "condition_variable",
    "csignal": "sig_atomic_t|raise",
    "cstddef": "size_t|ptrdiff_t|nullptr_t|max_align_t|byte|to_integer",
    "cstdint": r"u?int\d+_t|u?intptr_t",
    "cstdio": "FILE|f(open|close|read|write|flush|puts|printf|scanf|error)|puts|getc|clearerr|setvbuf|rename|remove|size_t",
    "cstdlib": r"getenv|free|malloc|realloc|strto\w+|abs|size_t",
    "cstring": r"mem(cpy|set|move|cmp)|str(cmp|spn|cspn|error)|size_t",
    "deque": "deque|erase_if",
    "exception": r"exception|exception_ptr|\w+_exception|uncaught_exceptions",
    "filesystem": "filesystem",
    "fstream": "[io]?fstream",
    "functional": "function|hash|less|greater|ranges::greater|ranges::less",
    "initializer_list": "initializer_list",
    "iostream": "cout",
    "iterator": r"back_inserter|make_move_iterator|prev|next|\w+_iterator_tag|s?size|begin|end",
    "limits": "numeric_limits",
    "list": "list",
    "map": "(multi)?map|erase_if|less|size|begin|end|pair",
    "memory": r"addressof|allocator|\w+_ptr|make_(unique|shared)",
    "mutex": "mutex|lock_guard|unique_lock|once_flag|call_once",
    "new": "bad_alloc|align_val_t|exception|size_t",
    "numeric": "accumulate|partial_sum|inclusive_scan",
    "optional": "addressof|optional|nullopt",
    "random": "random_device",
    "ranges": r"ranges::\w+|views",
    "set": "(multi)?set|erase_if|less|size|begin|end",
    "source_location": "source_location",
    "span": r"span|addressof|as_(writable_)?bytes|ranges::(size|data|begin|end)|size|begin|end|size_t",
    "sstream": "i?o?stringstream",
    "stdexcept": "(runtime|logic|length)_error|invalid_argument|out_of_range|exception",
    "string": "string|getline|addressof|to_string|sto[id]|erase(_if)?|hash|size|begin|end|size_t|string_view",
    "string_view": "string_view|addressof|string_view_literals|hash|size|begin|end|size_t",
    "system_error": "errc|error_code|system_error|generic_category|make_error_code",
    "thread": "thread|this_thread",
    "tuple": "tuple|tie|apply|tuple_size|get",
    "type_traits": r"is_\w+|(remove|add|make_(un)?signed|conditional|enable_if|underlying|decay|type_identity|invoke_result)(_\w+)?|integral_constant|bool_constant|has_unique_object_representations_v",
    "unordered_map": "unordered_(multi)?map|erase_if|hash",
    "unordered_set": "unordered_set|erase_if|hash",
    "utility": r"addressof|in_place|tuple_size|move|forward|exchange|swap|pair|declval|get|(make_)?(index|integer)_sequence\w*",
    "variant": "variant|get|get_if|visit|holds_alternative",
    "vector": "vector|addressof|erase(_if)?|size|begin|end|size_t",
}
DECLARES = {header: re.compile(f"({names})\\Z") for header, names in HEADERS.items()}
NAME = re.compile(r"\bstd::(ranges::\w+|\w+)")
INCLUDE = re.compile(r"^\s*#\s*include [<\"](.+)[>\"]", re.MULTILINE)


def declaring(name):
    return {header for header, names in DECLARES.items() if names.match(name)}


def code_only(text):
    return re.sub(r"\"(\\.|[^\"\n\\])*\"|//.*", "", text)


root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
texts = {path.relative_to(root).as_posix(): path.read_text() for path in Path(root, "hsm").rglob("*.[ch]pp")}
included = {file: set(INCLUDE.findall(text)) for file, text in texts.items()}


def reached(file):
    """Every header that the file includes, itself or by another header of hsm/."""
    found, open_ = set(), [file]
    while open_:
        for header in included.get(open_.pop(), set()) - found:
            found.add(header)
            open_.append(header)
    return found


problems = []
for file, text in sorted(texts.items()):
    headers = reached(file)
    for name in sorted(set(NAME.findall(code_only(text)))):
        enough = declaring(name)
        if not enough:
            problems.append(f"{file}: no header is known for std::{name}; add it to the table in {Path(__file__).name}")
        elif not enough & headers:
            problems.append(f"{file} uses std::{name}: include <{'> or <'.join(sorted(enough))}>")
print("\n".join([*problems, f"{len(texts)} files, {len(problems)} problems"]))
sys.exit(1 if problems or not texts else 0)
