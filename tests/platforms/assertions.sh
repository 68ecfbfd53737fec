#!/usr/bin/env bash
# Programs with assertions run with libraries without, and the other way round: tests/platforms/assertions.sh [compiler]
#
# The samples check what they show. Each is compiled with and without NDEBUG, and linked with a library that was built in the other way.
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
        # They check by returning something else than 0, whatever NDEBUG is.
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
