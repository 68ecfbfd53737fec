#!/usr/bin/env bash
# Installs what is missing, builds the tests and runs them.
#
#     ./tests/run.sh [--all | --long | --pictures | --page | --bench | --platforms] [argument for meson test]...
#
#     ./tests/run.sh                      everything, built with g++
#     ./tests/run.sh --all                also with the sanitizers, 10 seconds of each fuzzer, and with clang
#                                         what must not compile, and each file alone
#     ./tests/run.sh --long               that, --page, with all of clang and clang-tidy, also samples, constant charts and large inputs sanitized, README.md followed on
#                                         an empty Debian, 10 minutes of each fuzzer, 20,000 charts instead of 1,000 in the differential test (300 with
#                                         sanitizers), 100,000,000 operations on a manager and a crowd instead of 3,000,000, 200 random
#                                         constant charts instead of 25, and every allocation failing in the tests of documents and logs
#     ./tests/run.sh --pictures           installs Graphviz, PlantUML, Chromium and, into build/, Mermaid, and has them render 500 random charts
#     ./tests/run.sh --page               installs Chromium and, into build/, Playwright, and tests the live page; screenshots are in build/page/shots
#     ./tests/run.sh --bench              the benchmarks instead; wrong results fail, slow ones do not
#     ./tests/run.sh --platforms [NAME]... other compilers, standard libraries, processors and systems instead (docs/internals/platforms.md), or those named
#     ./tests/run.sh --conformance DIR    SCXML's suites and real documents in that folder (../shared/scxml is one)
#     ./tests/run.sh run/transition       one test: tests/run/transition_test.cpp
#     ./tests/run.sh --suite samples      one suite (a folder of tests/, samples or structure)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

if [[ ${1-} == --conformance ]]; then
    install_missing "${basic_packages[@]}" libpugixml-dev doctest-dev
    folder=$(realpath "${2:?which folder?}")
    configure build/conformance g++ -Doptimization=2 -Ddebug=false -Dtests=enabled -Dscxml=enabled
    build build/conformance tests/conformance
    exec build/conformance/tests/conformance "$folder"
fi

all=false long=false bench=false pictures=false page=false platforms=false constant_charts=25
arguments=()
for argument; do
    case $argument in
        --all) all=true; export HSM_OPERATIONS=${HSM_OPERATIONS:-3000000} ;;
        --long) all=true long=true constant_charts=200; export HSM_CHARTS=20000 HSM_OPERATIONS=100000000 HSM_SHORTAGE=all ;;
        --bench) bench=true ;;
        --platforms) platforms=true ;;
        --page) page=true ;;
        --pictures) pictures=true arguments+=(draw/pictures) ;;
        *) arguments+=("$argument") ;;
    esac
done

if $bench; then
    install_missing "${basic_packages[@]}" libtbb-dev valgrind
    configure build/bench g++ --buildtype=release -Dtests=disabled -Dsamples=disabled -Dbench=enabled
    build build/bench
    build build/bench bench
    exit
fi

status=0
runs=()
plain=(tests g++ -Doptimization=2 -Ddebug=false --werror) # the build of all tests

# configure_suite <name> <c++ compiler> <meson option>...: build/<name>
configure_suite() { configure "build/$1" "$2" -Dtests=enabled -Dsamples=enabled -Dconstant_charts="$constant_charts" "${@:3}"; }

# run_suite <name> <c++ compiler> <meson option>...: in build/<name>; a failure is remembered. With only=<suite>... or skip=<suite>...
# before it, nothing but those suites, or all but those, are built and run. The limits of time are there for what hangs: a slow machine
# is given five times as much.
run_suite() {
    local name=$1 log=build/$1/meson-logs/testlog.json suite
    echo "== $name"
    runs+=("$name")
    rm -f "$log"
    local chosen=()
    for suite in ${only-}; do chosen+=(--suite "$suite"); done
    for suite in ${skip-}; do chosen+=(--no-suite "$suite"); done
    if configure_suite "$@" &&
        ninja -C "build/$name" build.ninja >/dev/null &&
        meson test -C "build/$name" --print-errorlogs --timeout-multiplier=5 ${options-} "${chosen[@]}" "${arguments[@]}"; then
        return
    fi
    status=1
    [[ -s $log ]] || { mkdir -p "${log%/*}" && echo '{"name": "build", "result": "FAIL"}' >"$log"; }
}

# run_script <run> <name> <command>...: a script of its own; counts as a test. 77 says that it skipped.
run_script() {
    local log=build/$1/meson-logs/testlog.json name=$2 result=OK output=build/$1.log begin=$SECONDS
    echo "== $1"
    runs+=("$1")
    shift 2
    "$@" >"$output" 2>&1 || { [[ $? == 77 ]] && result=SKIP || result=FAIL status=1; tail -n 40 "$output"; }
    mkdir -p "${log%/*}"
    printf '{"name": "%s", "result": "%s", "duration": %d, "stdout": "%s"}\n' "$name" "$result" $((SECONDS - begin)) "$([[ $result != SKIP ]] || grep '^skipped:' "$output" | tail -n 1 | tr -d '"\\')" >"$log"
}

install_missing "${basic_packages[@]}" doctest-dev duktape-dev graphviz libcli11-dev libcpp-httplib-dev libpugixml-dev libtbb-dev nlohmann-json3-dev libxml2-utils protobuf-compiler lcov
if $page; then
    configure_suite "${plain[@]}"
    exec tests/inspect/page/run.sh build/tests
fi
if $platforms; then
    set -- "${arguments[@]}"
    arguments=()
    source tests/platforms/run.sh
    run_platforms "$@"
    python3 tests/summary.py build "${runs[@]}" || status=1
    exit $status
fi
if $all; then install_missing clang clang-format clang-tidy libclang-rt-dev lld; fi
if $pictures; then
    install_missing graphviz plantuml chromium nodejs
    command -v npm >/dev/null || install_missing npm
    mkdir -p build/pictures
    cp tests/draw/pictures/package*.json build/pictures/
    (cd build/pictures && npm ci --ignore-scripts --silent)
    export HSM_PICTURES=${HSM_PICTURES:-500}
fi
# structure/alone and structure/clang_tidy take long; with --all they are run with clang, which is faster.
slow=
((${#arguments[@]})) || slow="alone tidy"
charts=${HSM_CHARTS-}
if $all; then export HSM_CHARTS=${charts:-1000}; fi
skip=$slow run_suite "${plain[@]}"
if $all; then
    ((${#arguments[@]})) || run_script page page tests/inspect/page/run.sh build/tests
    $long || constant_charts=0 # they take every compiler its time, and are built by one
    # Sanitized by clang, which takes a quarter of the time of g++. With -O1 the tests take a third of their time without optimization.
    operations=$HSM_OPERATIONS seldom=
    $long || { export HSM_OPERATIONS=150000 HSM_CHARTS=${charts:-300}; seldom="large samples constant"; }
    linker=() # the usual one takes a sixth of the time
    if command -v ld.lld >/dev/null; then linker=(-Dcpp_link_args=-fuse-ld=lld); fi
    counted=-fsanitize-coverage=inline-8bit-counters,pc-table # for the fuzzer
    skip="structure reference samples_by_file $seldom" run_suite sanitize clang++ -Doptimization=1 -Ddebug=false -Dops=loop \
        "-Dcpp_args=-gline-tables-only $counted" "${linker[@]}" -Db_sanitize=address,undefined -Db_lundef=false -Dfuzz=enabled --werror
    ((${#arguments[@]})) || run_script fuzz fuzzers tests/fuzz/run.sh 10 build/sanitize
    if $long; then export HSM_POSTS=${HSM_POSTS:-1000000}; fi
    only=threads run_suite thread clang++ -Doptimization=0 -Ddebug=false -Dcpp_args=-gline-tables-only "${linker[@]}" \
        -Db_sanitize=thread -Db_lundef=false -Dtool=disabled -Dscxml=disabled -Dscripts=disabled -Dxml=disabled
    export HSM_OPERATIONS=$operations HSM_CHARTS=${charts:-1000}
    others= options=--no-rebuild # these compile on their own, and meson would build everything first
    if $long; then others="tidy consumers headers" options=; fi # seldom fail: clang compiles them above
    only="compile_fail alone $others" run_suite clang clang++ -Doptimization=0 -Ddebug=false --werror
    options=
    if $long && ((${#arguments[@]} == 0)); then
        run_script long_fuzz fuzzers tests/fuzz/run.sh 600
        run_script platforms readme tests/platforms/readme.sh && tail -n 1 build/platforms.log
    fi
fi

slowest=
((${#arguments[@]})) || slowest=--slowest
python3 tests/summary.py $slowest build "${runs[@]}" || status=1
exit $status
