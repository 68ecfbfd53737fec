#!/usr/bin/env bash
# Installs missing packages, builds the tests and runs them.
#
#     ./tests/run.sh [--all | --long | --pictures | --page | --bench | --platforms] [argument for meson test]...
#
#     ./tests/run.sh                      the tests, built with g++
#     ./tests/run.sh --all                also tests that seldom fail (compile errors, the installed library, the single header, samples written to
#                                         files, random constant charts, crowds with MPICH), --page, the tests with sanitizers, 5 seconds of each fuzzer, and each file
#                                         compiled alone with clang
#     ./tests/run.sh --long               --all with more: consumers, headers and clang-tidy with clang; samples, constant charts and
#                                         large inputs with sanitizers; the commands of README.md on an empty Debian; 10 minutes of each fuzzer;
#                                         20,000 charts in the differential test (--all: 1,000, with sanitizers 200; else 300); 100,000,000 operations on a
#                                         manager and a crowd (1,000,000); 200 random constant charts (25); each allocation fails in the tests of
#                                         documents and logs
#     ./tests/run.sh --pictures           installs Graphviz, PlantUML, Chromium and, into build/, Mermaid, and renders 500 random charts with them
#     ./tests/run.sh --page               installs Chromium and, into build/, Playwright, and tests the live page; screenshots are in build/page/shots
#     ./tests/run.sh --bench              the benchmarks instead; wrong results are failures, slow ones are not
#     ./tests/run.sh --platforms [NAME]... all or some other compilers, standard libraries, processors and systems (docs/internals/platforms.md)
#     ./tests/run.sh --conformance DIR    SCXML's suites and documents in that folder, for example ../shared/scxml
#     ./tests/run.sh run/transition       one test file: tests/run/transition_test.cpp
#     ./tests/run.sh --suite samples      one suite: a folder of tests/, samples or structure
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
        --all) all=true; export HSM_OPERATIONS=${HSM_OPERATIONS:-1000000} ;;
        --long) all=true long=true constant_charts=200; export HSM_CHARTS=20000 HSM_KILLS=50 HSM_OPERATIONS=100000000 HSM_SHORTAGE=all HSM_ARENA_RUNS=10000 ;;
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

# configure_suite <name> <c++ compiler> <meson option>...: configures build/<name>
configure_suite() { configure "build/$1" "$2" -Dtests=enabled -Dsamples=enabled -Dconstant_charts="$constant_charts" "${@:3}"; }

# run_suite <name> <c++ compiler> <meson option>...: builds and runs the tests in build/<name>, and sets status=1 after a failure. The variables
# only=<suite>... and skip=<suite>... select suites. Time limits are for tests that hang, so they are multiplied by five for slow machines.
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

# run_script <run> <name> <command>...: runs a script, which counts as one test. Exit code 77 means skipped.
run_script() {
    local log=build/$1/meson-logs/testlog.json name=$2 result=OK output=build/$1.log begin=$SECONDS
    echo "== $1"
    runs+=("$1")
    shift 2
    "$@" >"$output" 2>&1 || { [[ $? == 77 ]] && result=SKIP || result=FAIL status=1; tail -n 40 "$output"; }
    mkdir -p "${log%/*}"
    printf '{"name": "%s", "result": "%s", "duration": %d, "stdout": "%s"}\n' "$name" "$result" $((SECONDS - begin)) "$([[ $result != SKIP ]] || grep '^skipped:' "$output" | tail -n 1 | tr -d '"\\')" >"$log"
}

install_missing "${basic_packages[@]}" doctest-dev duktape-dev graphviz libcli11-dev libcpp-httplib-dev libpugixml-dev libmpich-dev libopenmpi-dev libtbb-dev mpich nlohmann-json3-dev openmpi-bin libxml2-utils protobuf-compiler lcov libsdl2-dev
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
# These take long and seldom fail. --all runs `alone`, and --long `tidy`, with clang, which is faster.
slow=
if ((${#arguments[@]} == 0)); then
    slow="alone tidy"
    $all || slow+=" compile_fail consumers headers mpich random_constant samples_by_file"
fi
charts=${HSM_CHARTS-}
if $all; then export HSM_CHARTS=${charts:-1000}; else export HSM_CHARTS=${charts:-300}; fi
skip=$slow run_suite "${plain[@]}"
if $all; then
    ((${#arguments[@]})) || run_script page page tests/inspect/page/run.sh build/tests
    $long || constant_charts=0 # they take long to compile; the first build tests them
    # With sanitizers, clang compiles in a quarter of the time of g++. With -O1, the tests run in a third of the time without optimization.
    operations=$HSM_OPERATIONS seldom=
    $long || { export HSM_OPERATIONS=150000 HSM_CHARTS=${charts:-200}; seldom="large samples constant"; }
    linker=() # the default linker takes a sixth of the build time
    if command -v ld.lld >/dev/null; then linker=(-Dcpp_link_args=-fuse-ld=lld); fi
    counted=-fsanitize-coverage=inline-8bit-counters,pc-table # for the fuzzer
    skip="structure reference samples_by_file $seldom" run_suite sanitize clang++ -Doptimization=1 -Ddebug=false -Dops=loop \
        "-Dcpp_args=-gline-tables-only $counted" "${linker[@]}" -Db_sanitize=address,undefined -Db_lundef=false -Dfuzz=enabled --werror
    ((${#arguments[@]})) || run_script fuzz fuzzers tests/fuzz/run.sh 5 build/sanitize
    if $long; then export HSM_POSTS=${HSM_POSTS:-1000000}; fi
    only=threads run_suite thread clang++ -Doptimization=0 -Ddebug=false -Dcpp_args=-gline-tables-only "${linker[@]}" \
        -Db_sanitize=thread -Db_lundef=false -Dtool=disabled -Dscxml=disabled -Dscripts=disabled -Dxml=disabled
    export HSM_OPERATIONS=$operations HSM_CHARTS=${charts:-1000}
    others= options=--no-rebuild # alone compiles on its own, but meson would build all targets first
    if $long; then others="compile_fail tidy consumers headers" options=; fi # these seldom fail, because clang compiles the tests above
    only="alone $others" run_suite clang clang++ -Doptimization=0 -Ddebug=false --werror
    options=
    if $long && ((${#arguments[@]} == 0)); then
        run_script long_fuzz fuzzers tests/fuzz/run.sh 600
        run_script arena_hashes hashes tests/samples/arena/hashes.sh
        run_script platforms readme tests/platforms/readme.sh && tail -n 1 build/platforms.log
    fi
fi

slowest=
((${#arguments[@]})) || slowest=--slowest
python3 tests/summary.py $slowest build "${runs[@]}" || status=1
exit $status
