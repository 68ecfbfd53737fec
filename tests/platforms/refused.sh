#!/usr/bin/env bash
# A compiler for an unsupported processor must print exactly one error: tests/platforms/refused.sh <compiler> <beginning of the error>
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if output=$("$1" -std=c++20 -fsyntax-only -I. -x c++ - <<<"#include <hsm/hsm.hpp>" 2>&1); then
    echo "$1 compiles it"
    exit 1
fi
errors=$(grep -c "error:" <<<"$output" || true)
if ((errors != 1)) || ! grep -qF "error: static assertion failed: $2" <<<"$output"; then
    echo "the only error of $1 is not \"$2\":"
    grep "error:" <<<"$output"
    exit 1
fi
grep "error:" <<<"$output"
