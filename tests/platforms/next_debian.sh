#!/usr/bin/env bash
# Runs the tests in a root of Debian 13, with newer compilers and libraries: tests/platforms/next_debian.sh <build folder for the log> [compiler package]
#
# Needs root, debootstrap and a mirror. The root stays in build/foreign, so a second run takes less time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh
log=$1
compiler=${2:-g++-13}
release=trixie
folder=$PWD/build/foreign/$release

((EUID == 0)) || { echo "it needs root" && exit 77; }
install_missing debootstrap || exit 77
if [[ ! -e $folder/complete ]]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    debootstrap --variant=minbase "$release" "$folder" http://deb.debian.org/debian >"$folder.log" 2>&1 || { tail -n 5 "$folder.log" && exit 77; }
    cp /etc/resolv.conf "$folder/etc/resolv.conf"
    chroot "$folder" apt-get -qq update
    chroot "$folder" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$compiler" ccache meson ninja-build pkg-config \
        cmake python3 libfmt-dev libpugixml-dev libtbb-dev nlohmann-json3-dev libcpp-httplib-dev libcli11-dev duktape-dev doctest-dev </dev/null >"$folder.log" 2>&1 ||
        { tail -n 5 "$folder.log" && exit 77; }
    touch "$folder/complete"
fi

mkdir -p "$folder/hsm"
git archive HEAD | tar -x -C "$folder/hsm"
cat >"$folder/follow.sh" <<END
set -eu
cd /hsm
export CCACHE_DIR=/ccache
# An older compiler links with its own libstdc++, which lacks symbols that Debian's libraries need. The programs run with the newer libstdc++.
rm -rf build/$compiler
CXX="ccache $compiler" meson setup build/$compiler -Doptimization=0 -Ddebug=false -Dconstant_charts=0 -Dtests=enabled -Dsamples=enabled \
    -Dcpp_link_args=-Wl,--allow-shlib-undefined
meson test -C build/$compiler --print-errorlogs --no-suite structure
END
# Some tests need a terminal and /proc.
mounted=()
trap '((${#mounted[@]} == 0)) || umount "${mounted[@]}"' EXIT
mount -t devpts -o ptmxmode=0666 devpts "$folder/dev/pts" && mounted+=("$folder/dev/pts")
mount -t proc proc "$folder/proc" && mounted+=("$folder/proc")
status=0
chroot "$folder" /bin/sh /follow.sh || status=$?
mkdir -p "$log/meson-logs"
cp "$folder/hsm/build/$compiler/meson-logs/testlog.json" "$log/meson-logs/"
exit $status
