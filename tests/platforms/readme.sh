#!/usr/bin/env bash
# Follows README.md to the letter on an empty Debian 12: tests/platforms/readme.sh [folder to make the empty root in, which then stays]
#
# The packages of the row "the library", the commands of "Or installed, with pkg-config", the program at the top as game.cpp. Says how long it
# took from the clone to the program's last line, packages included. The empty root itself is what a user has, and is not counted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh
source tests/platforms/root.sh

needs_root
empty=${1-}
if [[ -z $empty ]]; then
    empty=$(mktemp -d)
    trap 'rm -rf "$empty"' EXIT
fi
empty_root "$empty"
mkdir "$empty/readme"
tests/consumers/from_readme.py . "$empty/readme"

begin=$SECONDS
git clone --quiet --no-hardlinks . "$empty/hsm"
in_root "$empty" "apt-get update -qq
apt-get install -qq -y --no-install-recommends $(<"$empty/readme/packages.txt") >/dev/null
echo \"packages: \$SECONDS seconds\"
cd /hsm
cp /readme/game.cpp .
$(<"$empty/readme/install.sh")
./game"
took=$((SECONDS - begin))
last=$(tail -n 1 "$empty/log")
[[ $last == door/open ]] || { echo "readme: the program ends with \"$last\"" && exit 1; }
grep "^packages:" "$empty/log"
echo "readme: a program of one's own ran $took seconds after the clone began, on $(nproc) cores with a load of $(cut -d' ' -f1 /proc/loadavg)"
