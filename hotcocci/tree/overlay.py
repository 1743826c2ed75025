# SPDX-License-Identifier: GPL-2.0
"""A kernel tree as it would be with some files changed, without changing it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from hotcocci.tree.source import encode


def lay(tree: Path, texts: Mapping[str, str], place: Path) -> None:
    """Fill the new folder ``place`` with links to the tree, and with the changed files.

    ``texts`` maps files, relative to the tree, to their new content. Only the folders
    that lead to a changed file become folders, whose other entries are links; so every
    way to name a changed file in an #include, beside the source or through -I, leads to
    the changed one. (A "../" through a linked folder leads into the tree itself.)

    Raises OSError if the disk does not take it.
    """
    made: set[Path] = set()
    for file in texts:
        for folder in reversed(Path(file).parents):
            if folder not in made:
                made.add(folder)
                _mirror(tree / folder, place / folder)
    for file, text in texts.items():
        target = place / file
        target.unlink(missing_ok=True)
        target.write_bytes(encode(text))


def _mirror(original: Path, place: Path) -> None:
    """Make a folder whose entries are links to the entries of the original."""
    place.unlink(missing_ok=True)
    place.mkdir(parents=True)
    if original.is_dir():
        for entry in os.scandir(original):
            (place / entry.name).symlink_to(entry.path)


def moved(argv: Sequence[str], tree: Path, place: Path) -> list[str]:
    """The command with every name in the tree replaced by the one in the overlay.

    -fmacro-prefix-map=TREE/= is among them, so that __FILE__ stays what it was.
    """
    changed = []
    for word in argv:
        before, found, after = word.partition(str(tree))
        # "-I/mnt/usr/src/linux/include" and "/usr/src/linux-2/x.h" are not in /usr/src/linux.
        if found and "/" not in before and after[:1] in ("", "/"):
            word = f"{before}{place}{after}"
        changed.append(word)
    return changed
