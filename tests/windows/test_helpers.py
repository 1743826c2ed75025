# SPDX-License-Identifier: GPL-2.0
"""Classification of called names, by the text of their definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.windows.helpers import (
    INLINE,
    INLINED,
    OUT_OF_LINE,
    UNKNOWN,
    helpers_of,
    kind_of,
)

TREE = Path(__file__).parent / "helpers"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("twice", INLINED),
        ("maybe", INLINE),
        ("surely", INLINED),
        ("far_away", OUT_OF_LINE),
        ("never", OUT_OF_LINE),
        ("hidden", INLINE),
        ("both", INLINED),
        ("two_ways", UNKNOWN),
        ("nobody_knows", UNKNOWN),
    ],
)
def test_kinds(name: str, kind: str) -> None:
    assert kind_of(TREE, "file.c", name) == kind


def test_accesses_in_macros() -> None:
    names = ["unsafe_put_pair", "unsafe_add", "load", "unsafe_get_user"]
    found = helpers_of(TREE, "file.c", names)
    assert found["unsafe_put_pair"].directions == ("write",)
    assert found["unsafe_put_pair"].label == 3
    assert found["unsafe_add"].directions == ("read", "write")
    assert found["unsafe_add"].label == 1
    assert found["load"].calls == ("get",)
    assert "unsafe_get_user" not in found


def test_exits_of_macros() -> None:
    found = helpers_of(TREE, "file.c", ["give_up", "leave", "opens_one"])
    assert found["give_up"].jumps == ("out",)
    assert found["leave"].returns
    assert found["opens_one"].opens
