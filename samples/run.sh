#!/usr/bin/env bash
# Installs missing packages, builds a sample and plays recorded inputs with it (default: samples/data/demo.fm2).
#
#     ./samples/run.sh [movie.fm2]...     the sample `character`
#     ./samples/run.sh --page             the sample `watched`, with a live page for the browser
#     ./samples/run.sh arena [option]...  a game; --headless works without a display
#     ./samples/run.sh epidemic [people in a row [ticks]]  an epidemic on two MPI ranks; writes into the current folder. 2000: 4 million people
set -euo pipefail
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

if [[ ${1-} == --page ]]; then
    install_missing "${basic_packages[@]}" graphviz libcpp-httplib-dev nlohmann-json3-dev
    configure build/page_sample g++ --buildtype=release -Dtests=disabled -Dsamples=enabled -Dinspect=enabled
    build build/page_sample samples/watched
    exec build/page_sample/samples/watched "${@:2}" samples/data/demo.fm2
fi

if [[ ${1-} == epidemic ]]; then
    install_missing "${basic_packages[@]}" libopenmpi-dev libpugixml-dev openmpi-bin
    configure build/epidemic g++ --buildtype=release -Dtests=disabled -Dsamples=enabled -Dxml=enabled -Dcluster=enabled
    build build/epidemic samples/epidemic
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    exec mpirun --oversubscribe -n 2 build/epidemic/samples/epidemic samples/data/epidemic.xml "$called_from" "${@:2}"
fi

if [[ ${1-} == arena ]]; then
    install_missing "${basic_packages[@]}" libpugixml-dev nlohmann-json3-dev libsdl2-dev
    configure build/arena g++ --buildtype=release -Dtests=disabled -Dsamples=enabled -Dxml=enabled -Djson=enabled -Darena=enabled
    build build/arena samples/arena
    exec build/arena/samples/arena "${@:2}"
fi

install_missing "${basic_packages[@]}"
configure build/release g++ --buildtype=release -Dtests=disabled -Dsamples=enabled
build build/release samples/character

(($#)) || set -- "$PWD/samples/data/demo.fm2"
character=$PWD/build/release/samples/character
cd "$called_from"
exec "$character" "$@"
