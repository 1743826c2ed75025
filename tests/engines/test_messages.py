# SPDX-License-Identifier: GPL-2.0
"""Messages of two versions of a file are compared, not their lines or places."""

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


def test_what_gcc_says() -> None:
    assert parse(SAID, "/tmp/over", "/usr/src/linux") == (
        Message("fs/a.c", 12, WARNING, "unused variable 'x' [-Wunused-variable]"),
        Message("include/linux/b.h", 5, ERROR, "expected ';'"),
        Message("./include/generated/c.h", 7, ERROR, "d.h: No such file or directory"),
    )


def test_a_tree_may_be_called_anything() -> None:
    said = "/home/jürgen/t/fs/a.c:1:2: error: no".encode().decode("latin-1")
    assert parse(said, "/home/jürgen/t") == (Message("fs/a.c", 1, ERROR, "no"),)


def test_only_what_is_new_counts_and_each_as_often_as_it_is() -> None:
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


def test_a_message_reads_as_the_compiler_prints_it() -> None:
    assert str(Message("a.c", 3, ERROR, "no")) == "a.c:3: error: no"
    assert str(Message("a.c", 0, ERROR, "no")) == "a.c: error: no"
