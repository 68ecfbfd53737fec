#!/usr/bin/env python3
"""Tests of include_direction.py."""

import tempfile
import unittest
from pathlib import Path

from include_direction import violations


class include_direction(unittest.TestCase):
    def check(self, file, text):
        with tempfile.TemporaryDirectory() as root:
            path = Path(root, file)
            path.parent.mkdir(parents=True)
            Path(root, "hsm/meson.build").write_text("headers = files(\n  'define/state.hpp',\n  'hsm.hpp',\n)\n")
            path.write_text(text)
            return [violation.split(": ")[0] for violation in violations(root)]

    def bad(self, file, include):
        self.assertEqual(self.check(file, f"#pragma once\n{include}\n"), [f"{file}:2"])

    def good(self, file, include):
        self.assertEqual(self.check(file, f"{include}\n"), [])

    def test_to_the_right(self):
        self.bad("hsm/define/state.hpp", "#include <hsm/chart/chart.hpp>")
        self.bad("hsm/chart/chart.cpp", "#include <hsm/run/instance.hpp>")
        self.bad("hsm/crowd/crowd.hpp", "#include <hsm/observe/observer.hpp>")
        self.bad("hsm/load/xml.cpp", "  # include <hsm/chart/chart.hpp>")
        self.bad("hsm/run/instance.hpp", "#include <hsm/hsm.hpp>")
        self.bad("hsm/op/detail/op.hpp", "#include <hsm/define/state.hpp>")
        self.bad("hsm/draw/dot.cpp", "#include <hsm/run/instance.hpp>")

    def test_to_the_left(self):
        self.good("hsm/define/state.hpp", "#include <hsm/define/hook.hpp>")
        self.good("hsm/manage/manager.hpp", "#include <hsm/crowd/crowd.hpp>")
        self.good("hsm/draw/dot.cpp", "#include <hsm/chart/chart.hpp>")
        self.good("hsm/define/state.hpp", "// #include <hsm/chart/chart.hpp>")

    def test_the_top(self):
        self.good("hsm/hsm.hpp", "#include <hsm/run/instance.hpp>")
        self.good("hsm/define/state.hpp", "#include <hsm/version.hpp>")

    def test_headers_are_light(self):
        self.bad("hsm/define/state.hpp", "#include <chrono>")
        self.bad("hsm/hsm.hpp", "#include <algorithm>")
        self.bad("hsm/define/state.hpp", "#include <memory>")
        self.good("hsm/define/detail/parts.hpp", "#include <memory>")
        self.bad("hsm/define/state.hpp", "#include <fmt/format.h>")
        self.bad("hsm/load/xml.hpp", "#include <pugixml.hpp>")
        self.good("hsm/define/state.cpp", "#include <fmt/format.h>")
        self.good("hsm/define/state.cpp", "#include <algorithm>")
        self.good("hsm/define/state.hpp", "#include <vector>")

    def test_spelling(self):
        self.bad("hsm/define/state.cpp", '#include "state.hpp"')
        self.assertEqual(self.check("hsm/utils/pile.hpp", ""), ["hsm/utils/pile.hpp:1"])


unittest.main()
