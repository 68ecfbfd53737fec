#!/usr/bin/env bash
# Follows README.md and docs/guide/project-setup.md on an empty Debian 12: tests/platforms/readme.sh [folder for the root, which is not deleted]
#
# Installs the packages of the library and runs the commands of "Building and installing", with the program of README.md as game.cpp. Prints the time
# from the clone to the program's last line, with and without the packages, and the time stated in README.md.
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
in_root "$empty" "begin=\$SECONDS
apt-get update -qq
apt-get install -qq -y --no-install-recommends $(<"$empty/readme/packages.txt") >/dev/null
echo \"packages: \$((SECONDS - begin))\"
cd /hsm
cp /readme/game.cpp .
$(<"$empty/readme/install.sh")
./game"
took=$((SECONDS - begin))
last=$(tail -n 1 "$empty/log")
[[ $last == door/open ]] || { echo "readme: the program ends with \"$last\"" && exit 1; }
packages=$(sed -n 's/^packages: //p' "$empty/log")
claim=$(grep -o "takes about [0-9]* seconds" README.md) || { echo "readme: README.md does not state how many seconds it takes" && exit 1; }
echo "readme: the first program ran $((took - packages)) seconds after the clone began, and the packages took $packages seconds more," \
    "on $(nproc) cores with a load of $(cut -d' ' -f1 /proc/loadavg). README.md: $claim"
