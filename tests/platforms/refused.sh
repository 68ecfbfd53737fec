#!/usr/bin/env bash
# A compiler for a processor that we do not support is told so in a sentence: tests/platforms/refused.sh <compiler> <how the sentence begins>
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if said=$("$1" -std=c++20 -fsyntax-only -I. -x c++ - <<<"#include <hsm/hsm.hpp>" 2>&1); then
    echo "$1 compiles it"
    exit 1
fi
errors=$(grep -c "error:" <<<"$said" || true)
if ((errors != 1)) || ! grep -qF "error: static assertion failed: $2" <<<"$said"; then
    echo "$1 does not say only \"$2\":"
    grep "error:" <<<"$said"
    exit 1
fi
grep "error:" <<<"$said"
