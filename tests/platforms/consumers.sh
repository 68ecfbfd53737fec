#!/usr/bin/env bash
# Tests each documented way to use the library in an empty Debian 12: pkg-config and CMake with an installed library, a meson wrap, a folder in a
# CMake project, and Debian packages. Each builds and runs the program of README.md with the project files of docs/guide/project-setup.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh
source tests/platforms/root.sh

needs_root
roots=$(mktemp -d)
trap 'rm -rf "$roots"' EXIT
version=$(awk '/^#define HSM_VERSION/ { printf "%d.%d.%d", $3 / 10000, $3 / 100 % 100, $3 % 100 }' hsm/version.hpp)
results=()
install="apt-get update -qq; apt-get install -qq -y --no-install-recommends"

# consumer <name> <root> <script>: runs the script, whose last line must be the last line of the program of README.md.
consumer() {
    local begin=$SECONDS
    in_root "$2" "$3"
    [[ $(tail -n 1 "$2/log") == door/open ]] || { echo "$1: the program ends with \"$(tail -n 1 "$2/log")\"" && exit 1; }
    results+=("$1: $((SECONDS - begin)) seconds")
    echo "${results[-1]}"
}

# 1. pkg-config, with the commands of README.md. The library stays installed in that root, without its sources.
tests/platforms/readme.sh "$roots/installed"
[[ $(chroot "$roots/installed" pkg-config --modversion hsm) == "$version" ]]
rm -rf "$roots/installed/hsm"

# 2. find_package, with that library.
mkdir "$roots/installed/game"
cp "$roots/installed/readme/game.cpp" "$roots/installed/game/"
cp "$roots/installed/readme/package.cmake" "$roots/installed/game/CMakeLists.txt"
consumer "CMake package" "$roots/installed" "$install cmake >/dev/null
cmake -G Ninja -S game -B game/build
cmake --build game/build
game/build/game"
grep -q "^set(PACKAGE_VERSION \"$version\")" "$roots"/installed/usr/local/lib/cmake/hsm/hsmConfigVersion.cmake
rm -rf "$roots/installed"

# 3. A wrap file, with the archive of a release.
root=$roots/wrap
empty_root "$root"
mkdir -p "$root/game/subprojects/packagefiles"
tests/consumers/from_readme.py . "$root/game"
git archive --prefix="hsm-$version/" -o "$root/game/subprojects/packagefiles/hsm-$version.tar.gz" HEAD
cat >"$root/game/subprojects/hsm.wrap" <<END
[wrap-file]
directory = hsm-$version
source_filename = hsm-$version.tar.gz
source_hash = $(sha256sum <"$root/game/subprojects/packagefiles/hsm-$version.tar.gz" | cut -d' ' -f1)

[provide]
dependency_names = hsm
END
consumer "meson wrap" "$root" "$install $(<"$root/game/packages.txt") >/dev/null
meson setup game/build game --wrap-mode=nodownload
ninja -C game/build game
game/build/game"
rm -rf "$root"

# 4. A folder in a CMake project.
root=$roots/subdirectory
empty_root "$root"
mkdir "$root/game"
tests/consumers/from_readme.py . "$root/game"
cp "$root/game/subdirectory.cmake" "$root/game/CMakeLists.txt"
git archive --prefix=hsm/ HEAD | tar -x -C "$root/game"
consumer "CMake subdirectory" "$root" "$install cmake ninja-build g++ libfmt-dev >/dev/null
cmake -G Ninja -S game -B game/build
cmake --build game/build
game/build/game"
rm -rf "$root"

# 5. Debian packages.
status=0
tests/platforms/debian.sh || status=$?
case $status in
    0) ways=5 ;;
    77) ways=4 ;; # it prints the reason
    *) exit 1 ;;
esac
printf '%s\n' "${results[@]}"
echo "consumers: $ways ways work, hsm $version"
