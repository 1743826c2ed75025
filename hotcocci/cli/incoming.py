# SPDX-License-Identifier: GPL-2.0
"""``--diff FILE``: looking at a tree as it will be with patches that are not applied yet."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hotcocci.cli.analyse import Analysis, analyse, check_outside
from hotcocci.errors import UserError
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.incoming import Patch, applied, read
from hotcocci.tree.kernel import Tree, probe
from hotcocci.tree.overlay import lay
from hotcocci.tree.source import decode

STDIN = "-"


def add_diff(parser: argparse.ArgumentParser) -> None:
    """``--diff``."""
    parser.add_argument(
        "--diff",
        action="append",
        default=[],
        metavar="FILE",
        help="what these patches would add to the tree, which they are not applied to: a diff, "
        "a mail or an mbox, or a folder of 'git format-patch', - for standard input; may be repeated",
    )


def patches_of(names: Sequence[str], diff_base: str | None, trees: int) -> list[Patch]:
    """The patches that were named, in their order, for this number of trees.

    Raises UserError if one cannot be read, or does not go with what else was asked for.
    """
    if names and diff_base:
        raise UserError(
            "--diff and --diff-base are two ways to name a change: use one of them"
        )
    if names and trees > 1:
        raise UserError(
            f"patches belong to one tree and the paths lie in {trees}: name one of them"
        )
    return [patch for name in names for patch in patches_in(name)]


def analyse_patched(
    tree: Tree,
    paths: Sequence[Path],
    patches: Sequence[Patch],
    settings: Settings,
) -> Analysis:
    """What is found in the lines that patches add or change, at and below the paths.

    Nothing is written to the tree: they are applied in an overlay. Lines are counted as they will be
    with all of them applied. Raises UserError if one does not apply.
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


def patches_in(name: str) -> list[Patch]:
    """The patches of a file, a folder or, with "-", standard input.

    Raises UserError if there are none, or they cannot be read.
    """
    if name == STDIN:
        return read("standard input", decode(sys.stdin.buffer.read()))
    path = Path(name)
    if path.is_dir():
        files = sorted(path.glob("*.patch"))
        if not files:
            raise UserError(
                f"{path} has no *.patch: write them with 'git format-patch -o {path}'"
            )
        # The cover letter of a folder is no mistake.
        return [p for f in files if not f.name.startswith("0000-") for p in _read(f)]
    return _read(path)


def _read(path: Path) -> list[Patch]:
    try:
        return read(str(path), decode(path.read_bytes()))
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}: name a diff, a mail, an mbox or a folder of them"
        ) from error
