#!/usr/bin/env bash
# Checks the names that shared libraries export: tests/platforms/shared_symbols.sh <folder of libhsm.so etc.> <folder of hsm.pc etc.>
#
# They export names of hsm and template instances with its types, and no names of other libraries. pkg-config lists no other libraries for them.
set -euo pipefail

libraries=("$1"/libhsm*.so)
for library in "${libraries[@]}"; do
    shown=$(nm -DC --defined-only "$library" | cut -d' ' -f3-)
    foreign=$(grep -v 'hsm::' <<<"$shown" || true)
    if [[ -n $foreign ]]; then
        echo "$library exports names that do not belong to hsm:"
        head -n 20 <<<"$foreign"
        exit 1
    fi
    grep -q 'hsm::' <<<"$shown"
    echo "$library: $(wc -l <<<"$shown") names, all of hsm"
done
readelf -d "$1/libhsm.so" | grep -q 'SONAME.*libhsm\.so\.[0-9]*\.[0-9]*\]' || { echo "libhsm.so has no version in its name" && exit 1; }
flags=$(PKG_CONFIG_LIBDIR=$2 pkg-config --cflags --libs hsm hsm-xml hsm-scxml hsm-scripts hsm-json hsm-workers hsm-tool)
[[ " $flags " == *" -lhsm_xml "*"-lhsm "* ]] && ! grep -qE -- '-l(fmt|pugixml|tbb)' <<<"$flags" || { echo "pkg-config lists libraries other than those of hsm: $flags" && exit 1; }
