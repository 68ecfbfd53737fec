#!/usr/bin/env bash
# Builds programs with the installed library: install_consumer.sh <source root> <build root> <compiler>...
set -euo pipefail
source_root=$1 build_root=$2
shift 2
main=$source_root/tests/consumers/installed/main.cpp
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

echo "== installed, found by pkg-config"
meson install -C "$build_root" --no-rebuild --quiet --destdir "$stage"
PKG_CONFIG_PATH=$(dirname "$(find "$stage" -name hsm.pc)")
export PKG_CONFIG_PATH
read -ra flags <<<"$(PKG_CONFIG_SYSROOT_DIR=$stage pkg-config --cflags --libs hsm)"
"$@" -std=c++20 "$main" "${flags[@]}" -o "$stage/consumer"
"$stage/consumer"
"$source_root/tests/consumers/from_readme.py" "$source_root" "$stage"
"$@" -std=c++20 "$stage/game.cpp" "${flags[@]}" -o "$stage/consumer"
[[ $("$stage/consumer") == *door/open ]]

built=() missing=()
for part in xml scxml scripts json inspect workers cluster; do # each is found with its dependencies, and `hsm` without them
    PKG_CONFIG_SYSROOT_DIR=$stage pkg-config --exists "hsm-$part" || { echo "== hsm-$part was not built" && missing+=("$part") && continue; }
    echo "== hsm-$part"
    built+=("$part")
    needed=("hsm-$part")
    if [[ $part == scripts ]]; then needed+=(hsm-scxml); fi # scripts are part of documents
    read -ra flags <<<"$(PKG_CONFIG_SYSROOT_DIR=$stage pkg-config --cflags --libs "${needed[@]}")"
    "$@" -std=c++20 "${main%/*}/$part.cpp" "${flags[@]}" -o "$stage/consumer"
    "$stage/consumer"
done
needs=$(pkg-config --print-requires --print-requires-private hsm)
[[ $needs == fmt* && $needs != *$'\n'* ]] || { echo "hsm requires other libraries than fmt: $needs"; exit 1; }

if PKG_CONFIG_SYSROOT_DIR=$stage pkg-config --exists hsm-tool; then
    echo "== hsm-tool, and the program"
    read -ra flags <<<"$(PKG_CONFIG_SYSROOT_DIR=$stage pkg-config --cflags --libs hsm-tool)"
    "$@" -std=c++20 "${main%/*}/tool.cpp" "${flags[@]}" -o "$stage/consumer"
    [[ $("$stage/consumer" draw door) == door* ]]
    "$(find "$stage" -path '*/bin/hsm')" --version
    built+=(tool)
    [[ $(find "$stage" -path '*/man1/hsm.1') && $(find "$stage" -path '*/bash-completion/completions/hsm.bash') ]]
else
    echo "== hsm-tool was not built"
    missing+=(tool)
fi

echo "== not installed, found by pkg-config in the build folder"
read -ra flags <<<"$(PKG_CONFIG_PATH=$build_root/meson-uninstalled pkg-config --cflags --libs hsm "${built[@]/#/hsm-}")"
folders=() wanted=0
for flag in "${flags[@]}"; do
    case $flag in
        -L*) folders+=("${flag#-L}") ;;
        -lhsm*)
            ((++wanted))
            [[ $(find "${folders[@]}" -maxdepth 1 -name "lib${flag#-l}.*") ]] || { echo "no library for $flag in ${folders[*]}"; exit 1; }
            ;;
    esac
done
((wanted > ${#built[@]})) || { echo "some libraries are missing: ${flags[*]}"; exit 1; }
"$@" -std=c++20 "$main" "${flags[@]}" -Wl,-rpath,"$build_root/hsm" -o "$stage/consumer"
"$stage/consumer"

if command -v cmake >/dev/null; then
    echo "== installed, found by CMake"
    parts=$(IFS=';' && echo "${built[*]}")
    prefix=$(dirname "$(dirname "$(find "$stage" -path '*/include/hsm')")")
    with_cmake() { CXX="$compiler" cmake -G Ninja -S "$source_root/tests/consumers/cmake" -B "$stage/with_cmake" -DCMAKE_PREFIX_PATH="$prefix" "$@" >"$stage/cmake.log" 2>&1; }
    compiler=$*
    for part in "${missing[@]}"; do # the error contains the reason
        if with_cmake -DPARTS="$part" || ! grep -q "$part: hsm was built without it" "$stage/cmake.log"; then cat "$stage/cmake.log" && exit 1; fi
    done
    rm -rf "$stage/with_cmake"
    with_cmake -DPARTS="$parts" || { cat "$stage/cmake.log" && exit 1; }
    ninja --quiet -C "$stage/with_cmake"
    ninja --quiet -C "$stage/with_cmake" test >"$stage/cmake.log" || { cat "$stage/cmake.log" && exit 1; }
    mkdir "$stage/game"
    cp "$stage/game.cpp" "$stage/game/"
    cp "$stage/package.cmake" "$stage/game/CMakeLists.txt"
    CXX="$compiler" cmake -G Ninja -S "$stage/game" -B "$stage/game/build" -DCMAKE_PREFIX_PATH="$prefix" >"$stage/cmake.log" 2>&1 || { cat "$stage/cmake.log" && exit 1; }
    ninja --quiet -C "$stage/game/build"
    [[ $("$stage/game/build/game") == *door/open ]]
fi

echo "== a subproject"
app=$stage/app
mkdir -p "$app/subprojects"
ln -s "$source_root" "$app/subprojects/hsm"
cp "$stage/game.cpp" "$stage/meson.build" "$app"
unset PKG_CONFIG_PATH
CXX="$*" meson setup "$app/build" "$app" --buildtype=plain --wrap-mode=nodownload --force-fallback-for=hsm
[[ $(meson introspect --tests "$app/build") == '[]' ]] || { echo "the subproject builds its tests or samples"; exit 1; }
if [[ -f $build_root/hsm/libhsm.a ]]; then # it has the same sources, so one of them and the program are compiled, and linked with this library
    ninja --quiet -C "$app/build" game.p/game.cpp.o "$(ninja -C "$app/build" -t targets all | grep -o '^.*libhsm_once.*_text.cpp.o')"
    cp "$build_root/hsm/libhsm.a" "$app/build/subprojects/hsm/hsm/"
    (cd "$app/build" && eval "$(ninja -t commands game | tail -n 1)")
else
    ninja --quiet -C "$app/build" game
fi
[[ $("$app/build/game") == *door/open ]]
