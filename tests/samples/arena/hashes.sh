#!/usr/bin/env bash
# The game samples/arena computes the same frames with every compiler: hashes.sh
#
# ./tests/run.sh compares the hashes of g++ with -O2. This script compares those of the other combinations of g++, clang, -O0 and -O2.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source .ci/setup.sh

for build in g++:0 clang++:0 clang++:2; do
    folder=build/arena_${build/:/_}
    configure "$folder" "${build%:*}" -Doptimization="${build#*:}" -Ddebug=false -Dtests=enabled -Dsamples=enabled -Dxml=enabled -Djson=enabled \
        -Darena=disabled
    build "$folder" tests/samples/arena/arena_check
    (cd "$folder" && HSM_ARENA_RUNS=0 tests/samples/arena/arena_check ../../samples/arena ../../tests/samples/arena/hashes.txt)
done
