#!/usr/bin/env bash
# Builds Debian packages from the last commit, checks them with lintian, and tests them in an empty Debian 12 with autopkgtest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh
source tests/platforms/root.sh

command -v apt-get >/dev/null || { echo "skipped: this is not Debian" && exit 77; }
needs_root
install_missing autopkgtest debhelper dpkg-dev duktape-dev fakeroot libcli11-dev libcpp-httplib-dev libfmt-dev libpugixml-dev libtbb-dev lintian meson nlohmann-json3-dev pkg-config python3
version=$(awk '/^#define HSM_VERSION/ { printf "%d.%d.%d", $3 / 10000, $3 / 100 % 100, $3 % 100 }' hsm/version.hpp)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

begin=$SECONDS
git archive --prefix="hsm-$version/" HEAD | gzip -n >"$made/hsm_$version.orig.tar.gz"
tar -C "$made" -xf "$made/hsm_$version.orig.tar.gz"
cp -r packaging/debian "$made/hsm-$version/"
(cd "$made/hsm-$version" && dpkg-buildpackage -us -uc -j"$(nproc)") >"$made/log" 2>&1 || { tail -n 60 "$made/log" && exit 1; }
echo "debian: built in $((SECONDS - begin)) seconds: $(cd "$made" && echo *.deb)"

lintian --allow-root --fail-on error,warning "$made"/*.changes || { echo "debian: lintian reports problems" && exit 1; }
echo "debian: lintian reports no problems"

empty_root "$made/root"
# GDB needs /proc. If it cannot be mounted, the test with GDB is skipped.
if mount -t proc proc "$made/root/proc" 2>/dev/null; then trap 'umount "$made/root/proc" && rm -rf "$made"' EXIT; fi
begin=$SECONDS
status=0
autopkgtest "$made"/*.changes --no-built-binaries -- chroot "$made/root" >"$made/tests.log" 2>&1 || status=$?
# With exit code 8, no test was run.
((status == 0)) && grep -q "^consumers  *PASS" "$made/tests.log" || { tail -n 60 "$made/tests.log" && exit 1; }
echo "debian: autopkgtest passes after $((SECONDS - begin)) seconds"
