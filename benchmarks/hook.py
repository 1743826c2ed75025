#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the changes of history that the hooks would refuse, and what there is to do about each.

A change is a file of OLD that mentions user access and has another text in NEW, a later kernel version.
It is what ``lint --diff`` and ``check --engine spatch`` report in the lines that the change touches. Prints
each refused change with its findings, and totals; the changes are an even selection.

    python3 benchmarks/hook.py OLD NEW [--changes N] [--cache-dir FOLDER]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.api import Settings, analyse_patched, check  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import SPATCH  # noqa: E402
from hotcocci.pipeline.filtering import is_actionable  # noqa: E402
from hotcocci.pipeline.paths import overlaid  # noqa: E402
from hotcocci.rewrite.diff import unified  # noqa: E402
from hotcocci.tree.incoming import applied, read  # noqa: E402
from hotcocci.tree.kernel import Tree, find_tree  # noqa: E402
from hotcocci.tree.select import (  # noqa: E402
    ACCESS,
    COPY,
    WINDOW,
    mentions,  # noqa: E402
)
from hotcocci.tree.source import decode  # noqa: E402


def main() -> int:
    """Lint the changes; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("old", type=Path, metavar="OLD")
    parser.add_argument("new", type=Path, metavar="NEW")
    parser.add_argument("--changes", type=int, default=200, metavar="N")
    parser.add_argument("--cache-dir", type=Path, default=Settings().cache_dir)
    options = parser.parse_args()
    settings = Settings(cache_dir=options.cache_dir)
    try:
        tree = find_tree(options.old)
        files = changed(tree, options.new, settings)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    chosen = files[:: max(1, len(files) // options.changes)][: options.changes]
    counts: Counter[str] = Counter()
    refused = 0
    for file in chosen:
        said = reports(tree, options.new, file, settings)
        refused += bool(said)
        counts.update(kind for kind, _ in said)
        for kind, line in said:
            print(f"{kind:9} {line}")
    print(f"{len(files)} changes, {len(chosen)} linted, {refused} refused")
    for kind, count in counts.most_common():
        print(f"  {count} {kind}")
    return 0


def changed(tree: Tree, new: Path, settings: Settings) -> list[str]:
    """The files that mention user access and have other texts in both trees."""
    with settings.open_cache() as cache:
        found, _ = mentions(tree, [tree.root], cache, (ACCESS, COPY, WINDOW))
    return [
        file
        for file in sorted(found)
        if (new / file).is_file()
        and (new / file).read_bytes() != (tree.root / file).read_bytes()
    ]


def reports(
    tree: Tree, new: Path, file: str, settings: Settings
) -> list[tuple[str, str]]:
    """What the hooks say of a change: whether there is a rewrite or a violation, and the line."""
    before, after = (decode((root / file).read_bytes()) for root in (tree.root, new))
    patches = read(file, unified(file, before, after))
    analysis = analyse_patched(tree, [tree.root], patches, settings)
    said = [
        (
            "rewrite" if f.verdict == "rewrite" else "comment",
            f"{file}:{f.line}: {f.rule}",
        )
        for f in analysis.findings
        if is_actionable(f, settings)
    ]
    made = applied(tree.root, patches)
    with overlaid(tree, made.texts) as patched:
        paths = [patched.root / name for name in made.texts]
        only = replace(settings, engines=(SPATCH,))
        checked = check(patched, paths, only, made.touched)
    said += [("violation", f"{v.file}:{v.line}: {v.rule}") for v in checked.violations]
    return said


if __name__ == "__main__":
    sys.exit(main())
