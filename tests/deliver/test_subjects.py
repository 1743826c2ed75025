# SPDX-License-Identifier: GPL-2.0
"""The prefix of a subject is the one that a file's history has most often."""

from __future__ import annotations

from typing import Any

import pytest

from hotcocci.deliver.gitrepo import open_repository
from hotcocci.deliver.subjects import by_path, capital, histories, prefix


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["ALSA: pcm: Fix it", "ALSA: pcm: Add", "ALSA: Use"], "ALSA: pcm: "),
        (["drm/i915/gt: fix", "treewide: kill", "treewide: it"], "drm/i915/gt: "),
        (["[media] tuner: x", "[media] tuner: y"], "tuner: "),
        (["Revert: x", "Fix foo: bar", "x86: Fix: y"], "x86: "),
        (["Linux 6.12"], "fs: "),
        ([], "fs: "),
    ],
)
def test_of_one_file(said: list[str], expected: str) -> None:
    assert prefix({"fs/a.c": said}) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("ALSA: pcm: a", "ALSA: rawmidi: b", "ALSA: "),
        ("drm/i915: a", "drm/xe: b", "drm: "),
        ("net: a", "net: b", "net: "),
    ],
)
def test_what_files_have_in_common(one: str, other: str, expected: str) -> None:
    assert prefix({"a.c": [one], "b.c": [other]}) == expected


def test_files_without_a_history_follow_the_others() -> None:
    said = {"sound/a.c": ["ALSA: pcm: Fix"], "sound/b.c": ["ALSA: rawmidi: Add"]}
    bare = {"sound/core/c.c": [], "sound/core/d.c": ["import"], "sound/core/e.c": []}
    assert prefix({**said, **bare}) == "ALSA: "
    assert prefix(bare) == "sound: core: "


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


def test_how_the_first_word_begins() -> None:
    assert capital({"a.c": ["ALSA: Use", "ALSA: Fix", "ALSA: add"]})
    assert not capital({"a.c": ["mm: use", "mm: fix", "Nothing: At all"]})


def test_the_import_of_a_tree_tells_nothing(git: Any) -> None:
    said = histories(open_repository(git.root), "HEAD", ["drivers/lamp.c", "Kconfig"])
    assert said == {
        "drivers/lamp.c": [
            "light: lamp: off",
            "treewide: rename",
            "light: lamp: dim it",
        ],
        "Kconfig": [],
    }
