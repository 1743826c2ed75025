# SPDX-License-Identifier: GPL-2.0
"""Definitions of types and variables in headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.c.typed import variable

HEADER = """
extern unsigned long ticks_per_second;
extern struct timer __user *first_timer;
extern int cells[4];
extern int read_ticks(void);
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    header = tmp_path / "include/linux/ticks.h"
    header.parent.mkdir(parents=True)
    header.write_text(HEADER)
    (tmp_path / "clock.c").write_text("#include <linux/ticks.h>\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("ticks_per_second", "unsigned long"),
        ("first_timer", "struct timer __user *"),
        ("current", "struct task_struct *"),
        ("cells", None),
        ("read_ticks", None),
        ("ticks", None),
    ],
)
def test_variable(root: Path, name: str, type_: str | None) -> None:
    assert variable(root, "clock.c", name) == type_
