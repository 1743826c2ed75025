# SPDX-License-Identifier: GPL-2.0
"""Diffs apply, are small, and look like git's."""

import re
import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hotcocci.rewrite.diff import marked, unified

TEXTS = Path(__file__).with_name("diff")

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def applied(before, patch):
    """The result of applying a patch to a text; all context lines are compared."""
    old = re.findall(r"[^\n]*\n|[^\n]+", before)
    new = []
    at = 0
    lines = re.findall(r"[^\n]*\n", patch)[3:]
    left = 0
    for index, line in enumerate(lines):
        if line.startswith("\\"):
            continue
        text = line[1:]
        if lines[index + 1 : index + 2] == ["\\ No newline at end of file\n"]:
            text = text[:-1]
        hunk = HUNK.match(line) if left == 0 else None
        if hunk:
            start, length, new_start, new_length = (
                int(n) if n else 1 for n in hunk.groups()
            )
            until = start - 1 if length else start
            new += old[at:until]
            at = until
            assert len(new) == (new_start - 1 if new_length else new_start)
            left = length + new_length
            continue
        left -= 2 if line[0] == " " else 1
        if line[0] in " -":
            assert old[at] == text
            at += 1
        if line[0] in " +":
            new.append(text)
    assert left == 0
    return "".join(new + old[at:])


TEXT = st.lists(st.sampled_from(["a", "b", "\t}", "", "{", "c\f", "-x"])).map("\n".join)


@given(TEXT, TEXT)
def test_applies(before, after):
    patch = unified("x.c", before, after)
    assert (patch == "") == (before == after)
    if patch:
        assert applied(before, patch) == after


def test_git_accepts_it(tmp_path):
    before = "".join(f"line {n % 7}\n" for n in range(200)) + "end"
    after = before.replace("line 3\nline 4", "line 3\nnew\nline 4", 3).replace(
        "end", "\x85 end\n"
    )
    (tmp_path / "fs").mkdir()
    file = tmp_path / "fs/x.c"
    file.write_bytes(before.encode("latin-1"))
    patch = unified("fs/x.c", before, after).encode("latin-1")
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch, check=True)
    assert file.read_bytes().decode("latin-1") == after


BEFORE = (TEXTS / "before.c").read_text(encoding="utf-8")


def test_equal_lines_elsewhere_are_not_matched():
    after = BEFORE.replace(
        "\tif (get_user(v, p))\n\t\treturn -EFAULT;\n", "\tx();\n", 1
    )
    patch = unified("x.c", BEFORE, after)
    changed = [line for line in patch.split("\n")[3:] if line[:1] in ("+", "-")]
    assert changed == ["-\tif (get_user(v, p))", "-\t\treturn -EFAULT;", "+\tx();"]


@given(TEXT, st.sets(st.integers(1, 5)))
def test_marked_lines_are_removed(text, numbers):
    lines = text.split("\n")
    here = {number for number in numbers if number < len(lines)}
    patch = marked("x.c", text, here)
    assert (patch == "") == (here == set())
    if patch:
        left = [line for n, line in enumerate(lines, 1) if n not in here]
        assert applied(text, patch) == "\n".join(left)
        assert not [s for s in patch.splitlines()[3:] if s.startswith("+")]
