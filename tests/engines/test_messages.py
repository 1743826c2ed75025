# SPDX-License-Identifier: GPL-2.0
"""Comparing compiler messages of two versions of a file, ignoring lines and paths."""

from __future__ import annotations

from hotcocci.engines.messages import ERROR, WARNING, Message, new, parse

SAID = """\
/tmp/over/fs/a.c: In function 'f':
/tmp/over/fs/a.c:12:3: warning: unused variable 'x' [-Wunused-variable]
In file included from /tmp/over/fs/a.c:1:
/usr/src/linux/include/linux/b.h:5: error: expected ';'
/tmp/over/fs/a.c:12:3: note: it is here
./include/generated/c.h:7:1: fatal error: d.h: No such file or directory
cc1: some warnings
"""


def test_gcc_messages() -> None:
    assert parse(SAID, "/tmp/over", "/usr/src/linux") == (
        Message("fs/a.c", 12, WARNING, "unused variable 'x' [-Wunused-variable]"),
        Message("include/linux/b.h", 5, ERROR, "expected ';'"),
        Message("./include/generated/c.h", 7, ERROR, "d.h: No such file or directory"),
    )


def test_new_messages_are_counted() -> None:
    def warning(line: int, text: str) -> Message:
        return Message("fs/a.c", line, WARNING, text)

    before = [warning(1, "x"), warning(2, "frame size of 3000 bytes is larger")]
    after = [
        warning(5, "frame size of 3008 bytes is larger"),
        warning(7, "x"),
        warning(8, "x"),
        warning(9, "y"),
    ]
    assert new(before, after) == (warning(8, "x"), warning(9, "y"))
    assert new(before, before) == ()
