# SPDX-License-Identifier: GPL-2.0
"""Create an overlay of a kernel tree with some files changed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from hotcocci.tree.source import encode


def lay(tree: Path, texts: Mapping[str, str], place: Path) -> None:
    """Fill the folder ``place`` with links to the tree, and with the changed files.

    It is new, or was filled before; a file that has its new contents already is not written.
    ``texts`` maps files, relative to the tree, to their new contents. Only parents of changed
    files become real folders; all other entries are links. So an #include of a changed file,
    relative to the source or through -I, finds the changed one. (A "../" through a linked folder
    leads into the tree itself.) Raises OSError if the disk is full.
    """
    made: set[Path] = set()
    for file in texts:
        for folder in reversed(Path(file).parents):
            if folder not in made:
                made.add(folder)
                _mirror(tree / folder, place / folder)
    for file, text in texts.items():
        target, data = place / file, encode(text)
        if target.is_symlink() or not target.is_file() or target.read_bytes() != data:
            target.unlink(missing_ok=True)
            target.write_bytes(data)


def _mirror(original: Path, place: Path) -> None:
    """Create a folder whose entries are links to the entries of the original."""
    if place.is_symlink():
        place.unlink()
    place.mkdir(parents=True, exist_ok=True)
    if original.is_dir():
        present = {entry.name for entry in os.scandir(place)}
        for entry in os.scandir(original):
            if entry.name not in present:
                (place / entry.name).symlink_to(entry.path)


def moved(argv: Sequence[str], tree: Path, place: Path) -> list[str]:
    """A command with all names in the tree replaced by those in the overlay.

    This includes -fmacro-prefix-map=TREE/=, so __FILE__ stays the same.
    """
    changed = []
    for word in argv:
        before, found, after = word.partition(str(tree))
        # "-I/mnt/usr/src/linux/include" and "/usr/src/linux-2/x.h" are not in /usr/src/linux.
        if found and "/" not in before and after[:1] in ("", "/"):
            word = f"{before}{place}{after}"
        changed.append(word)
    return changed
