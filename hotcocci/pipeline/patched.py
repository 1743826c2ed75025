# SPDX-License-Identifier: GPL-2.0
"""Analyse a tree with patches that are not applied yet."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.paths import check_outside
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.incoming import Patch, applied
from hotcocci.tree.kernel import Tree, probe
from hotcocci.tree.overlay import lay


def analyse_patched(
    tree: Tree,
    paths: Sequence[Path],
    patches: Sequence[Patch],
    settings: Settings,
) -> Analysis:
    """Return the findings in lines that patches add or change, at and below the paths.

    The patches are applied in an overlay, not to the tree. Line numbers are those with all patches
    applied. Raises UserError if one does not apply.
    """
    check_outside(settings.cache_dir, tree)
    made = applied(tree.root, patches)
    if not made.touched:
        return analyse(tree, paths, settings, {})
    with tempfile.TemporaryDirectory(prefix="hotcocci-patched-") as folder:
        root = Path(folder).resolve() / tree.root.name
        lay(tree.root, made.texts, root)
        inside = [root / path.resolve().relative_to(tree.root) for path in paths]
        patched = Tree(root, probe(root))
        analysis = analyse(patched, inside, settings, made.touched, tree)
    return replace(analysis, tree=tree)
