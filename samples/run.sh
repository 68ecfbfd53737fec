#!/usr/bin/env bash
# Installs what is missing, builds the sample `character` and plays recorded inputs with it.
#
#     ./samples/run.sh [movie.fm2]...     default: samples/data/demo.fm2
set -euo pipefail
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

install_missing "${basic_packages[@]}"
configure build/release g++ --buildtype=release -Dtests=disabled -Dsamples=enabled
build build/release samples/character

(($#)) || set -- "$PWD/samples/data/demo.fm2"
character=$PWD/build/release/samples/character
cd "$called_from"
exec "$character" "$@"
