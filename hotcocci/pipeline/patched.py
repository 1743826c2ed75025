# SPDX-License-Identifier: GPL-2.0
"""Analyse a tree with changes that are not in it yet: patches, or the text in an editor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hotcocci.findings import Skip
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.overlaid import inside, is_saved, name, overlaid
from hotcocci.pipeline.paths import check_outside, is_at
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.incoming import Patch, applied_or_present, left_out
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import SUFFIXES, printable_name


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
