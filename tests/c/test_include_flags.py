# SPDX-License-Identifier: GPL-2.0
"""Headers in folders that a Makefile names."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.c.headers import reachable


@pytest.mark.parametrize(
    "place, flags",
    [
        ("fs/a", "ccflags-y += -I $(src)/lib"),
        ("fs/a", "ccflags-y += -I $(srctree)/$(src)/lib"),
        ("fs/a", "ccflags-y := -I$(srctree)/fs/a/lib"),
        ("fs/a", "ccflags-y += -Wall \\\n\t-I$(src)/b/../lib"),
        ("fs", "subdir-ccflags-y += -I$(src)/a/lib"),
    ],
)
def test_found_by_flag(place: str, flags: str, tmp_path: Path) -> None:
    (tmp_path / "fs/a/lib").mkdir(parents=True)
    (tmp_path / "fs/a/lib/own.h").write_text("struct own { int a; };\n")
    (tmp_path / "fs/a/use.c").write_text('#include "own.h"\n')
    (tmp_path / place / "Makefile").write_text(flags + "\n")
    assert "own.h" in {h.path.name for h in reachable(tmp_path, "fs/a/use.c")}
