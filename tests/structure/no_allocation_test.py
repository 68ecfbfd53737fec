#!/usr/bin/env python3
"""Tests of no_allocation.py."""

import tempfile
import unittest
from pathlib import Path

from no_allocation import EXCEPTIONS, check


class no_allocation(unittest.TestCase):
    def found(self, text, file="hsm/run/a.cpp"):
        with tempfile.TemporaryDirectory() as root:
            path = Path(root, file)
            path.parent.mkdir(parents=True)
            path.write_text(text)
            return check(Path(root))

    def bad(self, text, wanted):
        found = self.found(text)
        self.assertTrue(len(found) == 1 and wanted in found[0], found)

    def good(self, text, file="hsm/run/a.cpp"):
        self.assertEqual(self.found(text, file), [])

    def test_destructors(self):
        self.bad("a::~a() {\n    list_.push_back(1);\n}\n", "a.cpp:2: ~a must not fail, but may allocate: push_back(")
        self.bad("struct a { ~a() override { p = new int; } };\n", "~a")
        self.bad("a::~a() { print(fmt::format(text, n)); }\n", "fmt::format(")
        self.good("a::~a() { delete p; }\nvoid f() { list_.push_back(1); }\n")
        self.good("a::~a() = default;\nint* f() { return new int; }\n")

    def test_noexcept(self):
        self.bad("int f(std::pair<int, int> x) const noexcept { return int(std::string(x).size()); }\n", "f must not fail")
        self.bad("a(a&& o) noexcept : b(o.b) { c = std::make_unique<int>(); }\n", "make_unique<")
        self.bad("bool operator=(const a& o) noexcept {\n  if (x) {}\n  return names.emplace(o), true;\n}\n", "a.cpp:3")
        self.good("a(a&& o) noexcept(false) { p = new int; }\n")
        self.good("void f() noexcept;\nvoid g() { p = new int; }\n")
        self.good("void f() noexcept { ::new (place) int; }\n")

    def test_what_is_caught_may_allocate(self):
        self.good("void f() noexcept { try { list_.push_back(1); } catch (...) { } }\n")
        self.bad("void f() noexcept { try { list_.push_back(1); } catch (const error&) { } }\n", "push_back(")

    def test_texts_and_comments(self):
        self.good("a::~a() { // a new one: push_back(1)\n    log(\"new { x\"); /* new a */ }\n")

    def test_exceptions(self):
        for (file, function), why in EXCEPTIONS.items():
            self.assertTrue(why)
            self.good(f"void {function}() noexcept {{ list_.push_back(1); }}\n", file)
            self.assertIn(f"{function}(", Path(__file__).parents[2].joinpath(file).read_text())


if __name__ == "__main__":
    unittest.main()
