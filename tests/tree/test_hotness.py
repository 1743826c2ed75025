# SPDX-License-Identifier: GPL-2.0
"""Estimate of a function's hotness, and the lists that it uses."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from hotcocci.tree.hot.folders import FOLDERS
from hotcocci.tree.hot.scale import ELSEWHERE, OPERATION, PASSED, SELDOM, STEP
from hotcocci.tree.hotness import PLACES, guess, is_hot


@pytest.mark.parametrize(
    ("file", "function", "weight"),
    [
        ("fs/namei.c", "acl_permission_check", STEP),
        ("sound/core/pcm_native.c", "snd_pcm_ioctl_sync_ptr_compat", OPERATION),
        ("drivers/gpu/drm/drm_ioctl.c", "drm_ioctl", OPERATION),
        ("fs/select.c", "poll", OPERATION),  # SYSCALL_DEFINE3(poll, …)
        ("fs/namei.c", "an_unknown_function", PASSED),
        ("fs/namei.c", None, PASSED),
        ("drivers/isdn/mISDN/socket.c", "acl_permission_check", ELSEWHERE),
        ("kernel/module/main.c", "load_module", SELDOM),  # nearer than kernel
        ("kernelish/main.c", "f", ELSEWHERE),  # a folder, not the prefix of a name
        ("main.c", "f", ELSEWHERE),
        ("fs/xfs/xfs_ioctl32.c", "xfs_compat_flock64_copyin", SELDOM),
        ("fs/xfs/xfs_ioctl.c", "xfs_getbmap_format", ELSEWHERE),
        ("fs/xfs/xfs_file.c", "xfs_ioctl_something", ELSEWHERE),
        ("kernel/module/main.c", "compat_load", SELDOM),
    ],
)
def test_the_most_specific_entry_wins(
    file: str, function: str | None, weight: float
) -> None:
    assert guess(file, function) == weight


def test_listed_functions_are_hot() -> None:
    assert is_hot("fs/readdir.c", "filldir64")
    assert is_hot("fs/stat.c", "cp_new_stat")
    assert not is_hot("fs/stat.c", "an_unknown_function")
    assert not is_hot("fs/stat.c", None)
    assert not is_hot("drivers/net/tun.c", "filldir64")


def test_every_entry_has_a_source_and_is_unique() -> None:
    assert all(len(place.source) > 14 for place in PLACES)
    assert all(place.weight in (STEP, OPERATION, ELSEWHERE, SELDOM) for place in PLACES)
    assert set(FOLDERS.values()) <= {PASSED, SELDOM}
    names = Counter(
        (place.file, name) for place in PLACES for name in place.functions.split()
    )
    assert [name for name, number in names.items() if number > 1] == []
    assert all(re.fullmatch(r"[a-z_]\w*", name) for _, name in names)
    assert all(re.fullmatch(r"[\w/.-]+\.[ch]", place.file) for place in PLACES)
