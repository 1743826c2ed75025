# SPDX-License-Identifier: GPL-2.0
"""Analyse a tree with changes that are not in it yet: patches, or the text in an editor."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hotcocci.findings import Skip
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.paths import check_outside, is_at
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.incoming import Patch, applied_or_present, left_out
from hotcocci.tree.kernel import Tree, probe
from hotcocci.tree.overlay import lay
from hotcocci.tree.select import SUFFIXES, printable_name
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


def analyse_patched(
    tree: Tree,
    paths: Sequence[Path],
    patches: Sequence[Patch],
    settings: Settings,
) -> Analysis:
    """Return the findings in lines that patches add or change, at and below the paths.

    The patches are applied in an overlay, not to the tree, which may also have them already. Line
    numbers are those with all patches applied. Raises UserError if one does not apply.
    """
    check_outside(settings.cache_dir, tree)
    made = applied_or_present(tree.root, patches)
    if made.touched:
        with overlaid(tree, made.texts) as patched:
            wanted = [inside(patched, tree, path) for path in paths]
            analysis = analyse(patched, wanted, settings, made.touched, tree)
    else:
        analysis = analyse(tree, paths, settings, {})
    unread = [
        Skip(printable_name(file), why)
        for file, why in left_out(patches, SUFFIXES).items()
        if is_at(tree, file, paths)
    ]
    return replace(
        analysis,
        tree=tree,
        skipped=(*analysis.skipped, *unread),
        unread=(*analysis.unread, *unread),
    )


def analyse_text(tree: Tree, path: Path, text: str, settings: Settings) -> Analysis:
    """Return the findings of a file as if it had this text."""
    if is_saved(path, text):
        return analyse(tree, [path], settings)
    check_outside(settings.cache_dir, tree)
    with overlaid(tree, {name(tree, path): text}) as edited:
        file = inside(edited, tree, path)
        analysis = analyse(edited, [file], settings, around=tree)
    return replace(analysis, tree=tree)
