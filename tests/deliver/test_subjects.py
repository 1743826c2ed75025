# SPDX-License-Identifier: GPL-2.0
"""Subject prefixes come from the history of a file."""

from __future__ import annotations

from typing import Any

import pytest

from hotcocci.deliver.gitrepo import open_repository
from hotcocci.deliver.message import by_path, histories, is_capital, prefix_of


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("ALSA: pcm: a", "ALSA: rawmidi: b", "ALSA: "),
        ("drm/i915: a", "drm/xe: b", "drm: "),
        ("net: a", "net: b", "net: "),
    ],
)
def test_common_prefix(one: str, other: str, expected: str) -> None:
    assert prefix_of({"a.c": [one], "b.c": [other]}) == expected


def test_files_without_a_history_follow_the_others() -> None:
    subjects = {"sound/a.c": ["ALSA: pcm: Fix"], "sound/b.c": ["ALSA: rawmidi: Add"]}
    bare = {"sound/core/c.c": [], "sound/core/d.c": ["import"], "sound/core/e.c": []}
    assert prefix_of({**subjects, **bare}) == "ALSA: "
    assert prefix_of(bare) == "sound: core: "


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("arch/x86/kernel/ldt.c", "x86"),
        ("drivers/net/tun.c", "net"),
        ("drivers/lamp.c", "lamp"),
        ("sound/core/pcm.c", "sound: core"),
        ("fs/open.c", "fs"),
    ],
)
def test_without_a_history(file: str, expected: str) -> None:
    assert by_path(file) == expected


def test_capitals_of_the_first_word() -> None:
    assert is_capital({"a.c": ["ALSA: Use", "ALSA: Fix", "ALSA: add"]})
    assert not is_capital({"a.c": ["mm: use", "mm: fix", "Nothing: At all"]})


def test_the_initial_import_is_ignored(git: Any) -> None:
    subjects = histories(
        open_repository(git.root), "HEAD", ["drivers/lamp.c", "Kconfig"]
    )
    assert subjects == {
        "drivers/lamp.c": [
            "light: lamp: off",
            "treewide: rename",
            "light: lamp: dim it",
        ],
        "Kconfig": [],
    }
