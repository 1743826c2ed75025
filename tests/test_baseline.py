# SPDX-License-Identifier: GPL-2.0
"""Known findings stay hidden when the code above them moves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hotcocci import baseline
from hotcocci.errors import UserError
from hotcocci.windows.merge import Violation

FILE = "fs/file.c"
TEXT = "int f(void)\n{\n\tunsafe_put_user(1, p, l);\n\tunsafe_put_user(1, p, l);\n}\n"


def at(line: int, rule: str = "UW21") -> Violation:
    return Violation(rule, FILE, line, "f", "message", ("spatch",))


def known(folder: Path, violations: list[Violation], text: str = TEXT) -> Path:
    file = folder / "known.json"
    baseline.write(file, violations, {FILE: text})
    return file


def test_a_known_violation_may_move(tmp_path: Path) -> None:
    file = known(tmp_path, [at(3)])
    moved = "/* a comment */\n\n" + TEXT
    assert baseline.new([at(5)], baseline.read(file), {FILE: moved}) == ([], 0)


def test_a_second_occurrence_is_new(tmp_path: Path) -> None:
    file = known(tmp_path, [at(3)])
    fresh, stale = baseline.new([at(3), at(4)], baseline.read(file), {FILE: TEXT})
    assert (fresh, stale) == ([at(4)], 0)


def test_another_rule_on_the_line_is_new_and_stale_entries_are_counted(
    tmp_path: Path,
) -> None:
    file = known(tmp_path, [at(3)])
    fresh, stale = baseline.new([at(3, "UW02")], baseline.read(file), {FILE: TEXT})
    assert (fresh, stale) == ([at(3, "UW02")], 1)


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
def test_an_invalid_file_is_refused(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "known.json"
    file.write_text(content)
    with pytest.raises(UserError, match=message):
        baseline.read(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="write it first"):
        baseline.read(tmp_path / "known.json")


def test_the_old_file_stays_if_the_new_one_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write the baseline"):
        baseline.write(tmp_path / "nowhere/known.json", [], {})
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_baseline_is_not_replaced(tmp_path: Path) -> None:
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
