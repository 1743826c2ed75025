# SPDX-License-Identifier: GPL-2.0
"""Cases in files whose lines end with CR LF: rewritten alike, with the line ends of the file."""

import re
import shutil
from pathlib import Path

import pytest
from case_files import FIXTURES, read_cases, without_header
from case_tool import call, make_tree

pytestmark = [
    pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch"),
    pytest.mark.whole,
]

# Labels, directives
STEMS = ("exit-", "ifdef-")


def patched(root: Path, *options: str) -> None:
    words = ["--churn", "--api=classic", "--apply", "--allow-uncompiled"]
    words += ["--tier=manual", f"--cache-dir={root.parent / 'cache'}"]
    call(["patch", str(root), *words, *options])


def test_cases_keep_their_line_ends(tmp_path):
    cases = [c for c in read_cases() if c.rules == ("UA101",)]
    cases = [case for case in cases if case.name.startswith(STEMS)]
    root = tmp_path / "tree"
    make_tree("classic", cases, root)
    for case in cases:
        (root / case.path).write_text(case.source, encoding="utf-8", newline="\r\n")
    patched(root, "--rule=UA101")
    for case in cases:
        text = (root / case.path).read_bytes().decode()
        assert text.count("\r\n") == text.count("\n"), case.name
        expected = case.afters.get("classic", without_header(case.source))
        assert without_header(text.replace("\r\n", "\n")) == expected, case.name
    assert sum("classic" in case.afters for case in cases) > 15


def test_the_header_keeps_its_line_ends_and_indentation(tmp_path):
    [case] = [c for c in read_cases() if c.name == "switch-commands"]
    tabs = (FIXTURES / "classic/include/linux/uaccess.h").read_text(encoding="utf-8")
    blanks = re.sub(r"^\t+", lambda t: "    " * len(t[0]), tabs, flags=re.M)
    after: dict[str, str] = {}
    for text in (tabs, blanks):
        make_tree("classic", [case], root := tmp_path / f"tree{len(after)}")
        header = root / "include/linux/uaccess.h"
        header.write_text(text, encoding="utf-8", newline="\r\n")
        patched(root, "--rule=UA203", f"--profile={FIXTURES / 'hot.txt'}")
        made = header.read_bytes().decode()
        assert made.count("\r\n") == made.count("\n")
        after[text] = made.replace("\r\n", "\n")
    assert after[tabs] == case.headers["classic"]
    assert not re.search(r"^ *\t", after[blanks], re.M)
    assert after[blanks].split() == after[tabs].split()
    aligned = "\n           (IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) ||\n            IS_ALIGNED("
    begin = "\n    if (!user_read_access_begin(src, n))\n        goto general;\n"
    assert aligned in after[blanks] and begin in after[blanks]
