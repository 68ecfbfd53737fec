#!/usr/bin/env bash
# Fuzzes what reads bytes from outside, with the sanitizers of addresses and of undefined behaviour, each for so many seconds, two at a time:
#
#     tests/fuzz/run.sh [seconds, default 600 [folder [fuzzer]...]]
#
#     load_xml           XML files; what is loaded must keep to bounds of time and memory, too
#     load_scxml         SCXML documents, and what becomes of them when they are saved and run
#     run_scripts        documents in ECMAScript, scripts, and messages from the process of untrusted ones
#     restore_image      images of instances, crowds and managers
#     restore_document   documents of the same
#     restore_session    sessions of SCXML documents, as text
#     play_log           logs of inputs
#     read_trace         traces
#     read_request       requests to the live page
#     play_script        scripts of tests, for hsm test
#
# The folder is one that is configured with -Dfuzz=enabled, or build/fuzz.
# What is found lies in build/fuzz/<fuzzer>/found; what is new in build/fuzz/<fuzzer>/corpus. Files of load_xml belong, made small, to
# tests/data/xml_corpus; for what else was found there should be a test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh

install_missing "${basic_packages[@]}" clang libclang-rt-dev libpugixml-dev nlohmann-json3-dev libcli11-dev duktape-dev libcpp-httplib-dev
seconds=${1:-600} folder=${2:-build/fuzz}
shift $(($# < 2 ? $# : 2))
fuzzers=("${@:-load_xml}")
(($#)) || fuzzers=(load_xml load_scxml run_scripts restore_image restore_document restore_session play_log read_trace read_request play_script)
[[ $folder != build/fuzz ]] || configure build/fuzz clang++ -Doptimization=1 -Ddebug=false -Db_sanitize=address,undefined -Db_lundef=false \
    -Dops=loop "-Dcpp_args=-fsanitize=fuzzer-no-link -gline-tables-only" -Dfuzz=enabled -Dtests=disabled -Dsamples=disabled
build "$folder" "${fuzzers[@]/#/tests/fuzz/}"

# fuzz <name>: a seed corpus is there, or the fuzzer writes one.
fuzz() {
    local name=$1 work=build/fuzz/$1 known=() words=(tests/fuzz/extremes.dict)
    mkdir -p "$work/corpus" "$work/found" "$work/seeds"
    local options=(-max_len=8192)
    if [[ $name == load_xml ]]; then
        known=(tests/data/xml_corpus samples/data tests/data/xml_errors)
        options=(-max_len=4096)
        words+=(tests/fuzz/xml.dict)
    fi
    if [[ $name == play_script ]]; then
        known=(samples/data)
        options=(-max_len=2048)
        words+=(tests/fuzz/script.dict)
    fi
    if [[ $name == load_scxml ]]; then
        known=(tests/data/scxml_corpus)
        options=(-max_len=4096)
        words+=(tests/fuzz/scxml.dict)
    fi
    if [[ $name == run_scripts ]]; then
        known=(tests/data/script_corpus tests/data/scxml_corpus)
        options=(-max_len=2048)
        words+=(tests/fuzz/ecmascript.dict)
    fi
    cat "${words[@]}" >"$work/words.dict"
    HSM_FUZZ_SEEDS=$work/seeds "$folder/tests/fuzz/$name" -runs=0 "$work/seeds" 2>/dev/null
    "$folder/tests/fuzz/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 "${options[@]}" -dict="$work/words.dict" -artifact_prefix="$work/found/" \
        -print_final_stats=1 "$work/corpus" "$work/seeds" "${known[@]}"
}

mkdir -p build/fuzz
started=0
for name in "${fuzzers[@]}"; do
    { if fuzz "$name" >"build/fuzz/$name.log" 2>&1; then echo OK; else echo FAIL; fi; } >"build/fuzz/$name.result" &
    ((++started % 2)) || wait
done
wait

status=0
for name in "${fuzzers[@]}"; do
    echo "== $name: $(<"build/fuzz/$name.result")"
    [[ $(<"build/fuzz/$name.result") == OK ]] || { status=1 && tail -n 40 "build/fuzz/$name.log"; }
    grep -E "^stat::number_of_executed_units|^SUMMARY|Test unit written" "build/fuzz/$name.log" || true
done
exit $status
