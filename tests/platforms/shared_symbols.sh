#!/usr/bin/env bash
# What our shared libraries show: tests/platforms/shared_symbols.sh <folder of libhsm.so and others> <folder of hsm.pc and others>
#
# Names of hsm, and instances of templates with its types; nothing of fmt, pugixml or others. And something: what cannot fail shows nothing.
# Who compiles with them needs no files of other libraries.
set -euo pipefail

libraries=("$1"/libhsm*.so)
for library in "${libraries[@]}"; do
    shown=$(nm -DC --defined-only "$library" | cut -d' ' -f3-)
    foreign=$(grep -v 'hsm::' <<<"$shown" || true)
    if [[ -n $foreign ]]; then
        echo "$library shows what is not ours:"
        head -n 20 <<<"$foreign"
        exit 1
    fi
    grep -q 'hsm::' <<<"$shown"
    echo "$library: $(wc -l <<<"$shown") names, all of hsm"
done
readelf -d "$1/libhsm.so" | grep -q 'SONAME.*libhsm\.so\.[0-9]*\.[0-9]*\]' || { echo "libhsm.so has no version in its name" && exit 1; }
flags=$(PKG_CONFIG_LIBDIR=$2 pkg-config --cflags --libs hsm hsm-xml hsm-scxml hsm-scripts hsm-json hsm-workers hsm-tool)
[[ " $flags " == *" -lhsm_xml "*"-lhsm "* ]] && ! grep -qE -- '-l(fmt|pugixml|tbb)' <<<"$flags" || { echo "pkg-config asks for the libraries of others: $flags" && exit 1; }
