# SPDX-License-Identifier: GPL-2.0
"""The window cases themselves: enough of them, each with a clean twin."""

import re

from window_cases import read_window_cases

CASES = read_window_cases(compiling=False)
HEADER = re.compile(r"^[a-z][\w *]*?\b(\w+)\([^;{]*\)\n\{", re.MULTILINE)
BLOCK = re.compile(r"^#define (\w+)\([^;{]*\)\s*\\\n\(\{", re.MULTILINE)


def test_names_and_twins():
    """Functions are named after their file; one without violations is among the broken ones."""
    for case in CASES:
        text = case.path.read_text()
        names, blocks = (
            [(text.count("\n", 0, m.start()) + 1, m[1]) for m in kind.finditer(text)]
            for kind in (HEADER, BLOCK)
        )
        structures = re.findall(r"^struct (\w+) \{", text, re.MULTILINE)
        assert names, case.name
        for name in (*structures, *(name for _, name in names)):
            assert name.startswith(case.name.replace("-", "_")), case.name
        assert bool(case.marks) is bool(case.rules), case.name
        clean = [name for _, name in (*names, *blocks) if name.endswith("_clean")]
        assert clean or not case.rules, case.name
        for line, code, _ in case.marks:
            before = [each for each in (*names, *blocks) if each[0] <= line]
            within = max(before)[1]
            assert within not in clean, f"{case.name}: {code} in line {line}"
