#!/usr/bin/env bash
# Builds and installs shared libraries with CMake, and links programs with them: tests/platforms/shared_cmake.sh [compiler]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
read -ra compiler <<<"${1:-g++}"
folder=$PWD/build/shared_cmake
through=() # ccache
if ((${#compiler[@]} > 1)); then through=(-DCMAKE_CXX_COMPILER_LAUNCHER="${compiler[0]}"); fi

export CXX=${compiler[-1]}
# The options include settings that an enclosing project may use for its own code, and an absolute CMAKE_INSTALL_LIBDIR, as some packagers set it.
cmake -G Ninja -S . -B "$folder" -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_INSTALL_PREFIX="$folder/installed" \
    -DCMAKE_INSTALL_LIBDIR="$folder/installed/lib" -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON -DCMAKE_UNITY_BUILD=ON \
    "${through[@]}"
ninja --quiet -C "$folder" install
"$folder/installed/bin/hsm" --version
tests/platforms/shared_symbols.sh "$folder/installed/lib" "$folder/installed/lib/pkgconfig"

[[ $(PKG_CONFIG_PATH=$folder/installed/lib/pkgconfig pkg-config --variable=libdir hsm) == "$folder/installed/lib" ]]

parts="xml;scxml;scripts;json;workers;tool"
cmake -G Ninja -S tests/consumers/cmake -B "$folder/consumer" -DCMAKE_PREFIX_PATH="$folder/installed" -DPARTS="$parts" "${through[@]}"
ninja --quiet -C "$folder/consumer"
readelf -d "$folder/consumer/app" | grep -q 'NEEDED.*libhsm\.so\.' || { echo "the program does not use libhsm.so" && exit 1; }
ctest --test-dir "$folder/consumer" --output-on-failure
