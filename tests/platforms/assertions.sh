#!/usr/bin/env bash
# Links programs with assertions to libraries without, and vice versa: tests/platforms/assertions.sh [compiler]
#
# The programs are samples, which check their results. Each is compiled with and without NDEBUG, and linked with a library built the other way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh
read -ra compiler <<<"${1:-g++}"

status=0
for library in without with; do
    folder=build/assertions_$library
    ndebug=$([[ $library == without ]] && echo true || echo false)
    configure "$folder" "${compiler[*]}" -Doptimization=0 -Ddebug=false -Db_ndebug="$ndebug" -Dtests=disabled -Dsamples=disabled -Dtool=disabled
    build "$folder"
    export PKG_CONFIG_PATH=$PWD/$folder/meson-uninstalled
    read -ra flags <<<"$(pkg-config --cflags --libs --static hsm)"
    program_define=$([[ $library == without ]] && echo -UNDEBUG || echo -DNDEBUG)
    for sample in animation crowd defer hello history mailbox manager parallel patrol timers traced watch weapon why_not; do
        # Failed checks return an exit code other than 0, independent of NDEBUG.
        "${compiler[@]}" -std=c++20 "$program_define" "samples/$sample.cpp" -o "$folder/$sample" -I. "${flags[@]}" -pthread
        if "$folder/$sample" >"$folder/$sample.log" 2>&1; then
            echo "$sample ($program_define) with a library $library assertions: runs"
        else
            echo "$sample ($program_define) with a library $library assertions: fails"
            tail -n 5 "$folder/$sample.log"
            status=1
        fi
    done
done
exit $status
