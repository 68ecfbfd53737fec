#!/usr/bin/env python3
"""Makes the sources of Duktape that hsm compiles from those that a package ships: prepare.py <their folder> <folder to write>

What is changed, and why (docs/reference/scxml.md, "Scripts"):
- it is compiled as C++, and its errors are exceptions: destructors run on the way;
- its public functions begin with hsm_: a program may link a Duktape of its own;
- every step is counted, of its bytecode, of regular expressions, and of what its native functions do property by property or byte by
  byte; when the budget of script_heap.hpp is used up, an error ends the script;
- the depth of the native stack is bounded, and recursion more tightly.

Each change must find its place as often as it says, else nothing is written: another version has to be looked at first."""

import re
import sys
from pathlib import Path

# What is said of the configuration. (What is left out there is still named in the tables of built-in objects that the package has; so
# script_engine.cpp takes those away that scripts are not to have.)
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
void hsm_script_searched(void *udata); /* all of the heap, for garbage */
}
#define HSM_STEPS_OF_INTERRUPT 256
/* What the heap was made with begins with the steps that are left. */
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
    """An operation on a property: native functions that walk along a huge array do one for each element."""
    return (rf"(DUK_INTERNAL duk_bool_t\s+{function}\(duk_hthread \*thr, [^;{{]*\) \{{\n)", r"\1\tHSM_SPEND(thr, 1);\n")


# Pattern, replacement, how often.
SOURCE = [
    (r"#define DUK_HTHREAD_INTCTR_DEFAULT \(256L \* 1024L\)", "#define DUK_HTHREAD_INTCTR_DEFAULT HSM_STEPS_OF_INTERRUPT", 1),
    (r"#define DUK_RE_EXECUTE_STEPS_LIMIT 1000000000L", "#define DUK_RE_EXECUTE_STEPS_LIMIT 1000000L", 1),
    (r"(\t\tre_ctx->steps_count\+\+;\n)", r"\1\t\tHSM_SPEND(re_ctx->thr, 1);\n", 1),
    (*beginning_of("duk_hobject_getprop"), 1),
    (*beginning_of("duk_hobject_putprop"), 1),
    (*beginning_of("duk_hobject_hasprop"), 1),
    (*beginning_of("duk_hobject_delprop"), 1),
    # A search for a string in a string: the product of their lengths.
    (r"(\t+)(if \(duk_memcmp\(\(const void \*\) p, \(const void \*\) q_start, \(size_t\) q_blen\) == 0\) \{)",
     r"\1HSM_SPEND(thr, 1 + q_blen / 64);\n\1\2", 3),
    # The collector, which must not throw: each pass over the heap, of which there are many if objects are nested deep.
    (r"(DUK_LOCAL void duk__mark_temproots_by_heap_scan\(duk_heap \*heap\) \{\n)", r"\1\thsm_script_searched(heap->heap_udata);\n", 1),
    (r"(\t\tDUK_HEAP_CLEAR_MARKANDSWEEP_RECLIMIT_REACHED\(heap\);\n\n)", r"\1\t\thsm_script_searched(heap->heap_udata);\n", 1),
    # A range of a character class that ignores case: each character of the range.
    (r"(DUK_LOCAL void duk__regexp_generate_ranges\([^{]*\{\n\tduk_re_compiler_ctx \*re_ctx = [^\n]*\n)", r"\1\tHSM_SPEND(re_ctx->thr, 1 + (direct ? 0 : 2 * (r2 - r1)));\n", 1),
]


def changed(text, changes, what):
    for pattern, replacement, times in changes:
        text, found = re.subn(pattern, replacement, text)
        if found != times:
            sys.exit(f"prepare.py: {what}: {found} places instead of {times} match {pattern!r}; written for Duktape 2.7.0")
    return text


def configured(text):
    changes = [(rf"(?m)^#(?:define|undef) {option}\b.*$", f"#define {option}{value and ('' if value[0] == '(' else ' ') + value}", 1)
               for option, value in CONFIGURATION.items()]
    changes += [(r"(?m)^#endif  /\* DUK_CONFIG_H_INCLUDED \*/$", lambda m: HOOKS + m[0], 1)]
    return changed(text, changes, "duk_config.h")


def renamed(header):
    """One line for each public function: hsm_duk_…"""
    names = sorted(set(re.findall(r"\b(duk_\w+)\s*\(", "".join(re.findall(r"DUK_EXTERNAL_DECL[^;]*;", header)))))
    if len(names) < 200:
        sys.exit(f"prepare.py: duktape.h: only {len(names)} functions found")
    return "".join(f"#define {name} hsm_{name}\n" for name in [*names, "duk_fatal_exception", "duk_internal_exception"])


def main(packaged, out):
    header = (packaged / "duktape.h").read_text()
    config = configured((packaged / "duk_config.h").read_text())
    config = config.replace("#define DUK_CONFIG_H_INCLUDED\n", "#define DUK_CONFIG_H_INCLUDED\n" + renamed(header), 1)
    source = changed((packaged / "duktape.c").read_text(), SOURCE, "duktape.c")
    quiet = "#pragma GCC system_header\n"  # for our own files that include it
    for name, text in (("duk_config.h", quiet + config), ("duktape.h", quiet + header), ("duktape.cpp", source)):
        (out / name).write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
