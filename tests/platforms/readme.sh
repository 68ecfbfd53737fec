#!/usr/bin/env bash
# Follows README.md to the letter on an empty Debian 12: tests/platforms/readme.sh [folder of an empty root that is there already]
#
# The packages of the row "the library", the commands of "Or installed, with pkg-config", the program at the top as game.cpp. Says how long it
# took from the first command to the program's last line, packages included. Needs root, debootstrap and a mirror; the empty root itself
# is what a user has, and is not counted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh

if ((EUID != 0)); then echo "readme: skipped, it needs root" && exit; fi
install_missing debootstrap
made=
empty=${1-}
if [[ -z $empty ]]; then
    made=$(mktemp -d)
    empty=$made
    trap 'rm -rf "$made"' EXIT
    debootstrap --variant=minbase bookworm "$empty" http://deb.debian.org/debian >"$empty.log" 2>&1 || { cat "$empty.log" && exit 1; }
    rm "$empty.log"
fi
rm -rf "$empty/hsm"
mkdir "$empty/hsm"
git archive HEAD | tar -x -C "$empty/hsm"
cp /etc/resolv.conf "$empty/etc/resolv.conf"

# What README.md says: its packages, its commands, its program.
tests/consumers/from_readme.py . "$empty/hsm"
cat >"$empty/hsm/follow.sh" <<END
set -eux
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(<"$empty/hsm/packages.txt") </dev/null >/dev/null
echo "packages: \$SECONDS seconds"
cd /hsm
cp game.cpp /
$(<"$empty/hsm/install.sh")
./game
END

begin=$SECONDS
chroot "$empty" /bin/bash /hsm/follow.sh >"$empty/hsm/log" 2>&1 || { tail -n 40 "$empty/hsm/log" && exit 1; }
took=$((SECONDS - begin))
last=$(tail -n 1 "$empty/hsm/log")
[[ $last == door/open ]] || { echo "readme: the program ends with \"$last\"" && exit 1; }
grep "^packages:" "$empty/hsm/log"
echo "readme: a program of one's own ran $took seconds after the first command"
