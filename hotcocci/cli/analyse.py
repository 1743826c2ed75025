# SPDX-License-Identifier: GPL-2.0
"""From paths to findings and rewrites: what lint, patch and why have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.cache import Cache
from hotcocci.cli.decisions import CHECKOUT, Decision, decisions, modules_of
from hotcocci.cli.options import chosen_rules
from hotcocci.cli.progress import progress
from hotcocci.engines import spatch
from hotcocci.errors import UserError
from hotcocci.findings import Finding, Rewrite, Skip
from hotcocci.rewrite.context import Options
from hotcocci.rewrite.window import MIN_RUN
from hotcocci.rules.rulebook import Rule
from hotcocci.tree.kernel import Tree, architectures, find_trees
from hotcocci.tree.select import candidates


@dataclass(frozen=True)
class Analysis:
    """What was found in one tree, in the order of files and lines.

    ``rewrites`` belong to the findings whose verdict is rewrite; ``texts`` holds, for each
    file with a rewrite, the text that its edits count in.
    """

    tree: Tree
    findings: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    skipped: tuple[Skip, ...]
    texts: dict[str, str]


def trees(paths: Sequence[Path]) -> list[tuple[Tree, list[Path]]]:
    """The kernel trees that the paths lie in, or hold, and what to look at in each."""
    found: dict[Path, tuple[Tree, list[Path]]] = {}
    for path in paths:
        for tree in find_trees(path):
            inside = path.resolve().is_relative_to(tree.root)
            wanted = found.setdefault(tree.root, (tree, []))[1]
            wanted.append(path if inside else tree.root)
    return list(found.values())


def analyse(tree: Tree, paths: Sequence[Path], args: argparse.Namespace) -> Analysis:
    """Look at all candidate files at and below the paths with all rules asked for."""
    rules = chosen_rules(args.rule)
    options = options_for(tree, args)
    check_outside(args.cache_dir, tree)
    made: list[Decision] = []
    with Cache(args.cache_dir) as cache:
        files, skipped = candidates(tree, paths, cache)
        for rule in rules:
            decided, missed = look(tree, rule, files, options, cache, args)
            made += decided
            skipped += missed
    findings = [finding for decision in made for finding in decision.findings]
    rewrites = [rewrite for decision in made for rewrite in decision.rewrites]
    return Analysis(
        tree,
        tuple(sorted(findings, key=_place)),
        tuple(sorted(rewrites, key=lambda rewrite: _place(rewrite.finding))),
        tuple(sorted(dict.fromkeys(skipped), key=lambda s: (s.file, s.reason))),
        {decision.file: decision.text for decision in made if decision.rewrites},
    )


def look(
    tree: Tree,
    rule: Rule,
    files: Sequence[str],
    options: Options,
    cache: Cache,
    args: argparse.Namespace,
) -> tuple[list[Decision], list[Skip]]:
    """What one rule says about each file, and the files it could not look at."""
    script = CHECKOUT / rule.script
    with progress(rule.title) as show:
        seen, skipped = spatch.facts(
            tree,
            script,
            files,
            cache,
            args.jobs,
            args.timeout,
            show,
            extra_inputs=modules_of(script),
        )
    # A file without the words that the rule needs has no facts at all.
    facts = {file: data for file, data in seen.items() if data}
    return decisions(tree, rule, facts, options, cache, args.jobs), skipped


def options_for(tree: Tree, args: argparse.Namespace) -> Options:
    """What a decision is to know: the tree's features, and what the user asked for.

    Raises UserError if the tree does not have the API asked for.
    """
    has = {"scoped": tree.features.scoped, "masked": tree.features.masked}
    api = args.api
    if api == "auto":
        api = "scoped" if tree.features.scoped else "classic"
    if not has.get(api, True):
        raise UserError(
            f"{tree.root} has no {api} windows: leave --api away, or use another"
        )
    return Options(
        root=tree.root,
        api=api,
        min_run=args.min_run or MIN_RUN[api],
        arm_get_u64=tree.features.arm_get_u64,
        arches=architectures(tree.root),
        gain_arches=tree.features.gain_arches,
    )


def check_outside(folder: Path, tree: Tree) -> None:
    """Raise UserError if a folder that is written to lies in the kernel tree."""
    if folder.resolve().is_relative_to(tree.root):
        raise UserError(
            f"{folder} is inside the kernel tree, which is never written to: "
            "name another folder"
        )


def _place(finding: Finding) -> tuple[str, int, str]:
    return finding.file, finding.line, finding.rule
