#!/usr/bin/env python3
"""Tests of english.py."""

import tempfile
import unittest
from pathlib import Path

from english import check


class english(unittest.TestCase):
    def errors(self, file, text):
        with tempfile.TemporaryDirectory() as root:
            path = Path(root, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            return check(Path(root))

    def bad(self, text, wanted, file="docs/guide/page.md"):
        errors, _ = self.errors(file, text)
        self.assertTrue(errors and wanted in errors[0], errors)

    def good(self, text, file="docs/guide/page.md"):
        self.assertEqual(self.errors(file, text)[0], [])

    def test_phrases(self):
        self.bad("# Page\n\nThe observer is told\nof it.\n", "page.md:3: 'told'")
        self.bad("Nobody answers.\n", "'somebody'", "README.md")
        self.bad("| a | Loaded anew |\n", "'anew'")
        self.bad("The transition is over.\n", "'is over'")
        self.good("The observer is notified. The recommendation amends nothing. The image is over the text.\n")

    def test_code_is_excluded(self):
        self.good("The condition `is over` [leads](told.md) there.\n\n```cpp\n// told anew\n```\n<!-- code: samples/told.cpp [anew] -->\n")

    def test_long_sentences(self):
        long = " ".join(["word"] * 31) + ".\n"
        self.bad(long, "1 of 1 sentences")
        self.good(" ".join(["word"] * 30) + ".\n" + "Short one. " * 3 + "\n")
        self.good(long + "\n" + "Short one.\n\n" * 49)
        self.good("- " + "word " * 20 + "\n- " + "word " * 20 + "\n\n| " + long)

    def test_long_pages(self):
        self.bad("Line.\n" * 401, "more than 400 lines")
        self.good("Line.\n" * 400)

    def test_scripts(self):
        for file in ("meson.build", "CMakeLists.txt", ".ci/run", "hsm/inspect/page/main.js", "packaging/debian/control", "tests/run.sh"):
            self.bad("\nThe observer is told.\n", f"{file}:2: 'told'", file)
        self.good("It is told.\n", "tests/data/input.xml")
        self.good("It is told.\n", "samples/data/demo.fm2")

    def test_other_paths_are_counted(self):
        for file, text in {"docs/old.md": "It is told.\n", "hsm/a/b.hpp": '#include "told"\nint told; // told\n', "hsm/a/b.cpp": 'auto told = "told";\n'}.items():
            errors, counts = self.errors(file, text)
            self.assertEqual(errors, [])
            self.assertEqual(counts[f"phrases and pages to rewrite in {file.split('/')[0]}"], 1, file)


if __name__ == "__main__":
    unittest.main()
