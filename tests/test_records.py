# SPDX-License-Identifier: GPL-2.0
"""Records survive JSON; names are quoted as git does."""

import os
import subprocess

import pytest

from hotcocci.findings import Skip
from hotcocci.names import printable, quoted, unquoted
from hotcocci.records import rebuilt


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "text",
        {},
        {"file": 1, "reason": "x"},
        {"file": "a", "reason": None},
        {"file": "a", "reason": "x", "more": 1},
    ],
)
def test_other_shapes_are_refused(data):
    with pytest.raises((TypeError, ValueError, KeyError)):
        rebuilt(Skip, data)


NAMES = ["plain.c", "a b%c'd.c", '\x1b[31mr"e\\d.c', "tab\tbell\a.c", "grün.c"]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_quoted_as_git_does(tmp_path, name):
    (tmp_path / name).write_text("")
    for command in (["init", "-q"], ["add", "-N", "."]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    listed = {
        setting: subprocess.run(
            ["git", "-c", f"core.quotePath={setting}", "ls-files"],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        ).stdout.rstrip(b"\n")
        for setting in ("false", "true")
    }
    assert quoted(name) == listed["false"].decode()
    for output in listed.values():
        assert unquoted(output.decode("latin-1")) == name


def test_a_name_that_is_not_utf_8():
    name = os.fsdecode(b"caf\xe9.c")
    assert quoted(name) == '"caf\\351.c"'
    assert unquoted('"caf\\351.c"') == unquoted("caf\xe9.c") == name
    assert unquoted(r'"\777\N{x\z.c"') == r"\777\N{x\z.c"


def test_what_a_terminal_would_obey_is_escaped():
    # A control sequence in either form, a backspace, and a change of direction
    assert quoted("\x1b[31mx") == '"\\033[31mx"'
    assert quoted("\x9b31mx") == '"\\302\\23331mx"'
    assert (
        printable("a\x1b[2Jb\tc\nd\b\u202ee") == "a\\033[2Jb\tc\nd\\b\\342\\200\\256e"
    )
    assert printable('say "grün" \\ x') == 'say "grün" \\ x'
