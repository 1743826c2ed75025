# SPDX-License-Identifier: GPL-2.0
"""Known findings stay hidden when the code above them moves."""

import os

import pytest

from hotcocci import baseline
from hotcocci.errors import UserError
from hotcocci.findings import violated

FILE = "fs/file.c"
TEXT = "int f(void)\n{\n\tunsafe_put_user(1, p, l);\n\tunsafe_put_user(1, p, l);\n}\n"


def at(line, rule="UW21"):
    return violated(rule, FILE, line, "f", "message", ("spatch",))


def known(folder):
    """What a baseline has of a violation in line 3."""
    file = folder / "known.json"
    baseline.write(file, [at(3)], {FILE: TEXT})
    return baseline.read(file)


@pytest.mark.parametrize(
    ("found", "text", "fresh", "stale"),
    [
        # It may move; a second occurrence is new, and so is another rule on its line.
        ([at(5)], "/* a comment */\n\n" + TEXT, [], 0),
        ([at(3), at(4)], TEXT, [at(4)], 0),
        ([at(3, "UW02")], TEXT, [at(3, "UW02")], 1),
    ],
)
def test_what_is_new(tmp_path, found, text, fresh, stale):
    assert baseline.new(found, known(tmp_path), {FILE: text}) == (fresh, stale)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not a baseline"),
        ("[]", "is not a baseline"),
        ("[" * 100_000, "is not a baseline"),
        ('{"version": 1, "known": [{"id": 3}]}', "is not a baseline"),
        ('{"version": 2, "known": []}', "has baseline version 2"),
    ],
)
def test_an_invalid_file_is_refused(tmp_path, content, message):
    file = tmp_path / "known.json"
    with pytest.raises(UserError, match="write it first"):
        baseline.read(file)
    file.write_text(content)
    with pytest.raises(UserError, match=message):
        baseline.read(file)
    with pytest.raises(UserError, match="cannot write the baseline"):
        baseline.write(tmp_path / "nowhere/known.json", [], {})
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_no_baseline_is_not_replaced(tmp_path):
    source, pipe = tmp_path / "file.c", tmp_path / "pipe"
    source.write_text(TEXT)
    os.mkfifo(pipe)
    for file in (source, pipe, tmp_path):
        with pytest.raises(UserError, match="left alone"):
            baseline.write(file, [at(3)], {FILE: TEXT})
    assert source.read_text() == TEXT and pipe.is_fifo()
    # The twins: an older version, and an empty file as of mktemp(1).
    for text in ('{"version": 0, "known": []}', ""):
        source.write_text(text)
        baseline.write(source, [at(3)], {FILE: TEXT})
        assert baseline.read(source).total() == 1
