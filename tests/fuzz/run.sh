#!/usr/bin/env bash
# Fuzzes the readers of external data with the address and undefined behavior sanitizers, each for some seconds, two at a time:
#
#     tests/fuzz/run.sh [seconds, default 600 [folder [fuzzer]...]]
#
#     load_xml           XML files; loading must also keep to limits of time and memory
#     load_scxml         SCXML documents, which are also saved and run
#     run_scripts        documents in ECMAScript, scripts, and messages from the process of untrusted scripts
#     restore_image      images of instances, crowds and managers
#     restore_document   documents of instances, crowds and managers
#     restore_session    sessions of SCXML documents, as text
#     play_log           logs of inputs
#     read_trace         traces
#     read_request       requests to the live page
#     play_script        test scripts of `hsm test`
#
# The folder is configured with -Dfuzz=enabled (default: build/fuzz). Inputs that fail are written to build/fuzz/<fuzzer>/found, and inputs with new
# coverage to build/fuzz/<fuzzer>/corpus. Add failed inputs of load_xml to tests/data/xml_corpus, after minimizing them, and a test for all others.
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

# fuzz <name>: runs a fuzzer, with the seeds that it writes itself and with files of the repository.
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
