# SPDX-License-Identifier: GPL-2.0
"""An overlay shows changed files and leaves the tree unchanged."""

from __future__ import annotations

import os
from pathlib import Path

from hotcocci.tree.overlay import lay, moved


def test_changed_files_and_their_neighbours_are_visible(tmp_path: Path) -> None:
    tree = tmp_path / "linux"
    for file in ("fs/a.c", "fs/ext/b.c", "mm/c.c", "Makefile"):
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        (tree / file).write_text(f"{file} as it was")
    lay(tree, {"fs/a.c": "changed \xe9", "fs/new.h": "new"}, tmp_path / "over")
    seen = {
        str(Path(folder, name).relative_to(tmp_path / "over")): Path(
            folder, name
        ).read_bytes()
        for folder, _, names in os.walk(tmp_path / "over", followlinks=True)
        for name in names
    }
    assert seen == {
        "fs/a.c": b"changed \xe9",
        "fs/new.h": b"new",
        "fs/ext/b.c": b"fs/ext/b.c as it was",
        "mm/c.c": b"mm/c.c as it was",
        "Makefile": b"Makefile as it was",
    }
    assert (tree / "fs/a.c").read_text() == "fs/a.c as it was"
    assert not (tree / "fs/new.h").exists()


def test_names_in_a_command_move_with_the_tree() -> None:
    tree, place = Path("/usr/src/linux"), Path("/tmp/over")
    argv = [
        "gcc",
        "-I/usr/src/linux/include",
        "-include",
        "/usr/src/linux/include/linux/kconfig.h",
        "-fmacro-prefix-map=/usr/src/linux/=",
        "-I/usr/src/linux",
        "-I./include",
        "-I/usr/src/linux-2/include",
        "-I/mnt/usr/src/linux/include",
    ]
    assert moved(argv, tree, place) == [
        "gcc",
        "-I/tmp/over/include",
        "-include",
        "/tmp/over/include/linux/kconfig.h",
        "-fmacro-prefix-map=/tmp/over/=",
        "-I/tmp/over",
        "-I./include",
        "-I/usr/src/linux-2/include",
        "-I/mnt/usr/src/linux/include",
    ]
