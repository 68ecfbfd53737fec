#!/usr/bin/env bash
# Tests the live page in Chromium: run.sh BUILD
#
# BUILD is a configured build folder. Installs missing packages, and Playwright into build/page. Screenshots are in build/page/shots. Returns 77 if
# a package cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source .ci/setup.sh

skip() { echo "skipped: $1" && exit 77; }

install_missing chromium nodejs || skip "Chromium and Node.js cannot be installed"
command -v npm >/dev/null || install_missing npm || skip "npm cannot be installed"
command -v chromium >/dev/null || skip "Chromium is not installed"
mkdir -p build/page
cp tests/inspect/page/package*.json build/page/
(cd build/page && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --ignore-scripts --silent) || skip "npm cannot install Playwright"

build "$1" tests/watched_program
export HSM_PLAYWRIGHT=build/page
exec timeout 300 node tests/inspect/page/page_test.mjs build/page/shots "$1/tests/watched_program"
