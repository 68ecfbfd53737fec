#!/usr/bin/env python3
"""Writes a definition with 1,000 states, each with its own enter hook and guard: many_states.py <file>"""

import sys
from pathlib import Path

MACHINES, LEAVES = 100, 9  # 100 * (1 + 9) states, and the root


def machine(number):
    first = number * (LEAVES + 1)
    guard = "[](const world& w) {{ return w.value == {}; }}"
    yield f"void add_machine{number}(hsm::fsm<world>& root) {{"
    yield f'    auto& s0 = root.add_fsm("machine{number}").on_enter([](world& w) {{ w.value = {first}; }});'
    for leaf in range(1, LEAVES + 1):
        yield f'    auto& s{leaf} = s0.add("leaf{leaf}").on_enter([](world& w) {{ w.value = {first + leaf}; }});'
    yield f'    s0.to("machine{(number + 1) % MACHINES}").when({guard.format(-first)});'
    for leaf in range(1, LEAVES + 1):
        yield f"    s{leaf}.to(s{leaf % LEAVES + 1}).when({guard.format(first + leaf)});"
    yield "}"


lines = ['#include "many_states.hpp"', "", "namespace {"]
for number in range(MACHINES):
    lines += machine(number)
lines += ["} // namespace", "", "hsm::owned<hsm::fsm<world>> make_many_states() {"]
lines += ['    auto root = hsm::make_fsm<world>("root");']
lines += [f"    add_machine{number}(*root);" for number in range(MACHINES)]
lines += ["    return root;", "}", ""]
Path(sys.argv[1]).write_text("\n".join(lines))
