#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the facts that spatch finds in excerpts with those in the whole files.

    python3 benchmarks/excerpts.py TREE [--jobs N]
    python3 benchmarks/excerpts.py TREE --known OTHER

Each semantic patch of the rewriting rules runs over its files of a tree, once with only the functions
that matter, once with all. Prints the files whose facts differ, and the processor time of both runs
in seconds.

With ``--known``, nothing is run: prints how many files are the same in the OTHER tree, and how many
excerpts, whose facts are then known.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.c.excerpt import Wanted, excerpt  # noqa: E402
from hotcocci.c.facts_json import load  # noqa: E402
from hotcocci.cache import Cache  # noqa: E402
from hotcocci.engines import spatch  # noqa: E402
from hotcocci.findings import Facts  # noqa: E402
from hotcocci.pipeline.facts import worth_parsing  # noqa: E402
from hotcocci.pipeline.fingerprint import modules_of  # noqa: E402
from hotcocci.rewrite.hot import hot_files  # noqa: E402
from hotcocci.rules.rulebook import REWRITE_RULES, rule  # noqa: E402
from hotcocci.rules.implementation import implementation_of  # noqa: E402
from hotcocci.tree.kernel import Tree, find_tree  # noqa: E402
from hotcocci.tree.select import mentioning, mentions  # noqa: E402

TIMEOUT = 120


def main() -> int:
    """Print a table, a line for each semantic patch."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--known", type=Path, metavar="OTHER")
    options = parser.parse_args()
    tree = find_tree(options.tree)
    if options.known:
        return _known(tree, find_tree(options.known))
    with tempfile.TemporaryDirectory() as folder, Cache(Path(folder)) as cache:
        inputs = _inputs(tree, cache)
        print(
            "semantic patch, files, seconds of excerpts, of whole files, facts differ"
        )
        for script, (files, code) in inputs.items():
            wanted = implementation_of(code).wanted
            see = _reader(tree, script, sorted(files), cache, options.jobs)
            cut, cut_time = _timed(lambda: see(wanted))
            # Separate caches: both runs use the same keys.
            with tempfile.TemporaryDirectory() as other, Cache(Path(other)) as fresh:
                see = _reader(tree, script, sorted(files), fresh, options.jobs)
                whole, whole_time = _timed(lambda: see(None))
            differ = [file for file in sorted(files) if cut[file] != whole[file]]
            print(
                f"{script.name}, {len(files)}, {cut_time:.1f}, {whole_time:.1f}, {len(differ)}"
            )
            for file in differ:
                print(f"  {file}: {_difference(cut[file], whole[file])}")
    return 0


def _known(tree: Tree, other: Tree) -> int:
    """Print the table of ``--known``."""
    print("semantic patch, files, same, same excerpt")
    with tempfile.TemporaryDirectory() as folder, Cache(Path(folder)) as cache:
        theirs = _inputs(other, cache)
        for script, (files, code) in _inputs(tree, cache).items():
            wanted = implementation_of(code).wanted
            same = excerpts = 0
            for file in files & theirs[script][0]:
                mine, known = (
                    (each.root / file).read_bytes() for each in (tree, other)
                )
                same += mine == known
                excerpts += (
                    excerpt(file, mine, wanted).text
                    == excerpt(file, known, wanted).text
                )
            print(f"{script.name}, {len(files)}, {same}, {excerpts}")
    return 0


def _inputs(tree: Tree, cache: Cache) -> dict[Path, tuple[set[str], str]]:
    """Map each semantic patch to its files and to a rule that uses it."""
    mentioned, _ = mentions(tree, [tree.root], cache)
    inputs: dict[Path, tuple[set[str], str]] = {}
    for code in (entry.code for entry in REWRITE_RULES):
        implementation = implementation_of(code)
        files = mentioning(mentioned, implementation.mention)
        if implementation.hot_only:
            files = hot_files(tree.root, files, None)
        script = ROOT / rule(code).script
        known = inputs.setdefault(script, (set(), code))
        known[0].update(worth_parsing(tree, rule(code), files, cache))
    return inputs


def _reader(
    tree: Tree, script: Path, files: list[str], cache: Cache, jobs: int
) -> Callable[[Wanted | None], dict[str, Facts]]:
    def see(wanted: Wanted | None) -> dict[str, Facts]:
        found, skipped = spatch.facts(
            tree,
            script,
            files,
            cache,
            jobs,
            TIMEOUT,
            extra_inputs=modules_of(script),
            wanted=wanted,
        )
        lost = {skip.file for skip in skipped}
        return {
            file: load(found[file], file)
            if file not in lost and found[file]
            else Facts(file)
            for file in files
        }

    return see


def _timed(
    see: Callable[[], dict[str, Facts]],
) -> tuple[dict[str, Facts], float]:
    before = os.times()
    seen = see()
    after = os.times()
    own = after.user + after.system - before.user - before.system
    theirs = after.children_user + after.children_system
    return seen, own + theirs - before.children_user - before.children_system


def _difference(cut: Facts, whole: Facts) -> str:
    """Count the facts of each kind that only one of the two has."""
    kinds = []
    for kind in ("accesses", "types", "locals", "statements"):
        mine, theirs = set(getattr(cut, kind)), set(getattr(whole, kind))
        if mine != theirs:
            kinds.append(f"{kind} +{len(mine - theirs)} -{len(theirs - mine)}")
    return ", ".join(kinds)


if __name__ == "__main__":
    sys.exit(main())
