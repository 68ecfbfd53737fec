#!/usr/bin/env python3
"""Changes the sources of Duktape for hsm: prepare.py <folder of the sources> <folder to write>

The changes (docs/reference/scxml.md, "Scripts"):
- It is compiled as C++, and its errors are exceptions, so destructors run.
- Its public functions begin with hsm_, because a program may link its own copy of Duktape.
- Steps are counted: of bytecode, of regular expressions, and of native functions that work property by property or byte by byte. When the budget of
  script_context.hpp is used up, an error ends the script.
- The depth of the native stack is limited, and the limit of recursion is lower.

Each pattern must match the stated number of times. Otherwise nothing is written: the changes must first be checked against the other version."""

import re
import sys
from pathlib import Path

# Options of duk_config.h. (Built-in objects cannot be disabled here, because the package's tables of them are already generated. script_engine.cpp
# removes the objects that scripts must not use.)
CONFIGURATION = {
    "DUK_USE_CPP_EXCEPTIONS": "",
    "DUK_USE_INTERRUPT_COUNTER": "",
    "DUK_USE_EXEC_TIMEOUT_CHECK": "(udata) hsm_script_spend(udata, HSM_STEPS_OF_INTERRUPT)",
    "DUK_USE_NATIVE_STACK_CHECK": "() hsm_script_stack_is_full()",
    "DUK_USE_GET_RANDOM_DOUBLE": "(udata) hsm_script_random(udata)",
    "DUK_USE_CALLSTACK_LIMIT": "2000",
    "DUK_USE_VALSTACK_LIMIT": "100000L",
    "DUK_USE_JSON_DEC_RECLIMIT": "500",
    "DUK_USE_JSON_ENC_RECLIMIT": "500",
}

HOOKS = """
extern "C" {
int hsm_script_stack_is_full(void);
double hsm_script_random(void *udata);
void hsm_script_searched(void *udata); /* called for each pass of the garbage collector over the heap */
}
#define HSM_STEPS_OF_INTERRUPT 256
/* The object that udata points to begins with the number of remaining steps. */
static inline int hsm_script_spend(void *udata, long long steps) {
	return (*static_cast<long long *>(udata) -= steps) < 0;
}
#define HSM_SPEND(thr, steps) \\
	do { \\
		if (hsm_script_spend((thr)->heap->heap_udata, (long long) (steps))) { \\
			DUK_ERROR_RANGE((thr), "execution timeout"); \\
		} \\
	} while (0)
"""


def beginning_of(function):
    """A change that counts each operation on a property as a step. Native functions do one for each element of an array."""
    return (rf"(DUK_INTERNAL duk_bool_t\s+{function}\(duk_hthread \*thr, [^;{{]*\) \{{\n)", r"\1\tHSM_SPEND(thr, 1);\n")


# Pattern, replacement, number of matches.
SOURCE = [
    (r"#define DUK_HTHREAD_INTCTR_DEFAULT \(256L \* 1024L\)", "#define DUK_HTHREAD_INTCTR_DEFAULT HSM_STEPS_OF_INTERRUPT", 1),
    (r"#define DUK_RE_EXECUTE_STEPS_LIMIT 1000000000L", "#define DUK_RE_EXECUTE_STEPS_LIMIT 1000000L", 1),
    (r"(\t\tre_ctx->steps_count\+\+;\n)", r"\1\t\tHSM_SPEND(re_ctx->thr, 1);\n", 1),
    (*beginning_of("duk_hobject_getprop"), 1),
    (*beginning_of("duk_hobject_putprop"), 1),
    (*beginning_of("duk_hobject_hasprop"), 1),
    (*beginning_of("duk_hobject_delprop"), 1),
    # A search for a string in a string takes time in proportion to the product of their lengths.
    (r"(\t+)(if \(duk_memcmp\(\(const void \*\) p, \(const void \*\) q_start, \(size_t\) q_blen\) == 0\) \{)",
     r"\1HSM_SPEND(thr, 1 + q_blen / 64);\n\1\2", 3),
    # The garbage collector, which must not throw: each pass over the heap. Deeply nested objects need many passes.
    (r"(DUK_LOCAL void duk__mark_temproots_by_heap_scan\(duk_heap \*heap\) \{\n)", r"\1\thsm_script_searched(heap->heap_udata);\n", 1),
    (r"(\t\tDUK_HEAP_CLEAR_MARKANDSWEEP_RECLIMIT_REACHED\(heap\);\n\n)", r"\1\t\thsm_script_searched(heap->heap_udata);\n", 1),
    # A range of a character class that ignores case is converted character by character.
    (r"(DUK_LOCAL void duk__regexp_generate_ranges\([^{]*\{\n\tduk_re_compiler_ctx \*re_ctx = [^\n]*\n)", r"\1\tHSM_SPEND(re_ctx->thr, 1 + (direct ? 0 : 2 * (r2 - r1)));\n", 1),
]


def changed(text, changes, file):
    for pattern, replacement, times in changes:
        text, found = re.subn(pattern, replacement, text)
        if found != times:
            sys.exit(f"prepare.py: {file}: {pattern!r} has {found} matches instead of {times}; the changes are for Duktape 2.7.0")
    return text


def configured(text):
    changes = [(rf"(?m)^#(?:define|undef) {option}\b.*$", f"#define {option}{value and ('' if value[0] == '(' else ' ') + value}", 1)
               for option, value in CONFIGURATION.items()]
    changes += [(r"(?m)^#endif  /\* DUK_CONFIG_H_INCLUDED \*/$", lambda m: HOOKS + m[0], 1)]
    return changed(text, changes, "duk_config.h")


def renamed(header):
    """Macros that rename each public function to hsm_duk_…"""
    names = sorted(set(re.findall(r"\b(duk_\w+)\s*\(", "".join(re.findall(r"DUK_EXTERNAL_DECL[^;]*;", header)))))
    if len(names) < 200:
        sys.exit(f"prepare.py: duktape.h: only {len(names)} functions found")
    return "".join(f"#define {name} hsm_{name}\n" for name in [*names, "duk_fatal_exception", "duk_internal_exception"])


def main(packaged, out):
    header = (packaged / "duktape.h").read_text()
    config = configured((packaged / "duk_config.h").read_text())
    config = config.replace("#define DUK_CONFIG_H_INCLUDED\n", "#define DUK_CONFIG_H_INCLUDED\n" + renamed(header), 1)
    source = changed((packaged / "duktape.c").read_text(), SOURCE, "duktape.c")
    quiet = "#pragma GCC system_header\n"  # no warnings in the files of hsm that include it
    for name, text in (("duk_config.h", quiet + config), ("duktape.h", quiet + header), ("duktape.cpp", source)):
        (out / name).write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
