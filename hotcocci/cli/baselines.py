# SPDX-License-Identifier: GPL-2.0
"""``--baseline`` and ``--write-baseline``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from hotcocci import baseline
from hotcocci.errors import UserError
from hotcocci.plural import count
from hotcocci.tree.kernel import Tree


def one_tree(
    chosen: Sequence[tuple[Tree, Sequence[Path]]],
    baseline: Path | None,
    write_baseline: Path | None,
) -> None:
    """Raise UserError if a baseline is used for several trees, or both read and written."""
    if baseline and write_baseline:
        raise UserError(
            "--baseline and --write-baseline cannot be used together: omit one of them"
        )
    if (baseline or write_baseline) and len(chosen) > 1:
        names = ", ".join(tree.root.name for tree, _ in chosen)
        raise UserError(
            f"a baseline covers one tree, but the paths are in {len(chosen)} ({names}): name one of them"
        )


def write_baseline(
    file: Path, found: Sequence[baseline.Located], texts: Mapping[str, str], what: str
) -> None:
    """Write all findings to a baseline and print their number; ``what`` is the noun to count.

    Raises UserError if it cannot be written.
    """
    baseline.write(file, found, texts)
    print(f"{count(len(found), what)} written to {file}", file=sys.stderr)
