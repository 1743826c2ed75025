# SPDX-License-Identifier: GPL-2.0
"""Baselines, as the commands that list what they find use them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from hotcocci import baseline
from hotcocci.c.allowances import UNUSED
from hotcocci.errors import UserError
from hotcocci.output.text import count
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import Tree


def one_tree(
    chosen: Sequence[tuple[Tree, Sequence[Path]]],
    baseline: Path | None,
    write_baseline: Path | None,
) -> None:
    """Raise UserError if a baseline is used for several trees, or read and written at once."""
    if baseline and write_baseline:
        raise UserError(
            "--baseline shows what is new and --write-baseline makes all of it known: use one of them"
        )
    if (baseline or write_baseline) and len(chosen) > 1:
        names = ", ".join(tree.root.name for tree, _ in chosen)
        raise UserError(
            f"a baseline describes one tree and the paths lie in {len(chosen)} ({names}): name one of them"
        )


def read_baseline(
    tree: Tree, paths: Sequence[Path], rules: Collection[str], settings: Settings
) -> Counter[str] | None:
    """What ``--baseline`` knows of the rules at and below the paths, None without it.

    The rest is not looked for and not gone. Raises UserError if it cannot be read.
    """
    if settings.baseline is None:
        return None
    places = [path.resolve() for path in paths]

    def judged(rule: str, file: str) -> bool:
        inside = any((tree.root / file).is_relative_to(place) for place in places)
        return inside and (rule in rules or rule == UNUSED)

    return baseline.read(settings.baseline, judged)


def write_baseline(
    file: Path, found: Sequence[baseline.Located], texts: Mapping[str, str], what: str
) -> None:
    """Make all that was found known, and say so; ``what`` is what it is called.

    Raises UserError if it cannot be written.
    """
    baseline.write(file, found, texts)
    print(f"{count(len(found), what)} written to {file}", file=sys.stderr)
