#!/usr/bin/env bash
# Fuzzes the loader of XML files, with the sanitizers of addresses and of undefined behaviour: tests/fuzz/run.sh [seconds, default 600 [folder]]
#
# The folder is one that is configured with -Dfuzz=enabled, or build/fuzz.
# What is loaded must keep to bounds of time and memory, too: tests/fuzz/load_xml.cpp.
# What is found lies in build/fuzz/found; what is new in build/fuzz/corpus. Both belong, made small, to tests/data/xml_corpus.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh

install_missing "${basic_packages[@]}" clang libclang-rt-dev libpugixml-dev
folder=${2:-build/fuzz}
[[ $folder != build/fuzz ]] || configure build/fuzz clang++ -Doptimization=1 -Ddebug=false -Db_sanitize=address,undefined -Db_lundef=false \
    -Dops=loop "-Dcpp_args=-fsanitize=fuzzer-no-link -gline-tables-only" -Dfuzz=enabled -Dtests=disabled -Dsamples=disabled
build "$folder" tests/fuzz/load_xml
mkdir -p build/fuzz/corpus build/fuzz/found
"$folder/tests/fuzz/load_xml" -max_total_time="${1:-600}" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -dict=tests/fuzz/xml.dict \
    -artifact_prefix=build/fuzz/found/ -print_final_stats=1 build/fuzz/corpus tests/data/xml_corpus samples/data tests/data/xml_errors
