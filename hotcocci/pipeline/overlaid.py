# SPDX-License-Identifier: GPL-2.0
"""A tree with the texts of some files changed, in a temporary folder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hotcocci.tree.kernel import Tree, probe
from hotcocci.tree.overlay import lay
from hotcocci.tree.source import encode, read


@contextmanager
def overlaid(tree: Tree, texts: Mapping[str, str]) -> Iterator[Tree]:
    """Make a temporary tree with the texts of these files, and links to all others."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-patched-") as folder:
        root = Path(folder).resolve() / tree.root.name
        lay(tree.root, texts, root)
        yield Tree(root, probe(root))


def is_saved(path: Path, text: str) -> bool:
    """Whether the file is there and has this text."""
    return path.exists() and read(path) == encode(text)


def name(tree: Tree, path: Path) -> str:
    """The name of a file, relative to the tree."""
    return str(path.resolve().relative_to(tree.root))


def inside(overlay: Tree, tree: Tree, path: Path) -> Path:
    """The path that a path of the tree has in an overlay."""
    return overlay.root / name(tree, path)
