# SPDX-License-Identifier: GPL-2.0
"""From paths to findings and rewrites: what lint, patch and why have in common."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hotcocci.c import excerpt
from hotcocci.c.allowances import allowances
from hotcocci.cache import Cache
from hotcocci.cli.accessors import accessors
from hotcocci.cli.apart import apart
from hotcocci.cli.decisions import Asked, Decision, decisions
from hotcocci.cli.known import read_baseline
from hotcocci.cli.inputs import CHECKOUT, modules_of
from hotcocci.cli.looks import worth_parsing
from hotcocci.cli.options import chosen_rules
from hotcocci.cli.progress import progress
from hotcocci.cli.ranking import heat, hot_functions, profile_of, rated
from hotcocci.cli.sift import Sifted, sift
from hotcocci.engines import spatch
from hotcocci.errors import UserError
from hotcocci.findings import Facts, Finding, Rewrite, Skip
from hotcocci.rewrite.hot import hot_files
from hotcocci.rewrite.options import Options, options_of
from hotcocci.c.facts_json import load
from hotcocci.rules.entry import Rule
from hotcocci.rules.working import working_of
from hotcocci.tree import select
from hotcocci.tree.kernel import Tree, find_trees
from hotcocci.tree.select import ALLOWANCE, OUTSIDE, SUFFIXES, mentioning, mentions
from hotcocci.tree.source import decode
from hotcocci.tree.touched import Touched

# What an excerpt of a file has left of it.
_OF_EXCERPTS = (Path(excerpt.__file__), Path(select.__file__))
_CALLED = re.compile(r"\b[A-Za-z_]\w*(?=\s*\()")


@dataclass(frozen=True)
class Analysis:
    """What was found in one tree, the hottest first under a profile, else by files and lines.

    ``rewrites`` belong to the findings whose verdict is rewrite; ``texts`` holds, for each
    file with a rewrite, the text that its edits count in; ``unseen``, for each file that has
    any, the lines of accesses that spatch did not see, which ``skipped`` tells of as well.
    ``possible`` are the rewrites of all findings, ``sifted`` tells of those that are not shown;
    ``sources`` are the texts of all files that may have findings.
    """

    tree: Tree
    findings: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    skipped: tuple[Skip, ...]
    texts: dict[str, str]
    unseen: dict[str, tuple[int, ...]]
    possible: tuple[Rewrite, ...]
    sifted: Sifted
    sources: dict[str, str]


def trees(paths: Sequence[Path]) -> list[tuple[Tree, list[Path]]]:
    """The kernel trees that the paths lie in, or hold, and what to look at in each."""
    found: dict[Path, tuple[Tree, list[Path]]] = {}
    for path in paths:
        for tree in find_trees(path):
            inside = path.resolve().is_relative_to(tree.root)
            wanted = found.setdefault(tree.root, (tree, []))[1]
            wanted.append(path if inside else tree.root)
    return list(found.values())


def analyse(
    tree: Tree,
    paths: Sequence[Path],
    args: argparse.Namespace,
    touched: Mapping[str, Touched] | None = None,
    around: Tree | None = None,
) -> Analysis:
    """Look at all candidate files at and below the paths with all rules asked for.

    With ``touched`` only those files are looked at, and only findings in what a change touches shown.
    ``around`` is the whole tree where ``tree`` has only its changed files as files.
    """
    rules = chosen_rules(args.rule)
    known = read_baseline(tree, paths, [rule.code for rule in rules], args)
    if touched is not None:
        paths = changed_files(tree, paths, touched)
    options = options_for(tree, args)
    check_outside(args.cache_dir, tree)
    profile = profile_of(args)
    with Cache(args.cache_dir) as cache:
        mentioned, skipped = mentions(tree, paths, cache)
        files = [
            (rule, mentioning(mentioned, working_of(rule.code).mention))
            for rule in rules
        ]
        made, missed = look(tree, files, options, cache, args, around)
        skipped += missed
        commented = texts_of(tree, mentioning(mentioned, ALLOWANCE))
        anywhere = _anywhere(tree, rules, commented, options, cache, args, around)
    if profile is not None:
        made = [rated(decision, profile) for decision in made]
    rewrites = sorted(
        (rewrite for decision in made for rewrite in decision.rewrites),
        key=lambda rewrite: _order(rewrite.finding),
    )
    failed = {skip.file for skip in skipped} | {d.file for d in made if d.unseen}
    sifted = sift(
        made,
        commented,
        {rule.code: mentioned.keys() - failed for rule in rules},
        anywhere,
        touched,
        known,
    )
    shown = set(sifted.shown)
    made_at_once, overlapping = apart([r for r in rewrites if r.finding in shown])
    findings = [overlapping.get(finding, finding) for finding in sifted.shown]
    unseen = {decision.file: decision.unseen for decision in made if decision.unseen}
    skipped += [_missed(file, lines) for file, lines in unseen.items()]
    return Analysis(
        tree,
        tuple(sorted(findings, key=_order)),
        made_at_once,
        tuple(sorted(dict.fromkeys(skipped), key=lambda s: (s.file, s.reason))),
        {decision.file: decision.text for decision in made if decision.rewrites},
        unseen,
        tuple(rewrites),
        sifted,
        commented | {decision.file: decision.text for decision in made},
    )


def changed_files(
    tree: Tree, paths: Sequence[Path], touched: Iterable[str]
) -> list[Path]:
    """The C files that are changed, at and below the paths."""
    wanted = [path.resolve() for path in paths]
    return [
        tree.root / file
        for file in sorted(touched)
        if file.endswith(SUFFIXES)
        and file.partition("/")[0] not in OUTSIDE
        and (tree.root / file).is_file()
        and any((tree.root / file).is_relative_to(path) for path in wanted)
    ]


def texts_of(tree: Tree, files: Sequence[str]) -> dict[str, str]:
    """The texts of files of the tree. Raises UserError if one cannot be read."""
    try:
        return {file: decode((tree.root / file).read_bytes()) for file in files}
    except OSError as error:
        raise UserError(
            f"cannot read {error.filename}: {error.strerror}: run the command again"
        ) from error


def look(
    tree: Tree,
    files: Sequence[tuple[Rule, Sequence[str]]],
    options: Options,
    cache: Cache,
    args: argparse.Namespace,
    around: Tree | None = None,
) -> tuple[list[Decision], list[Skip]]:
    """What each rule says about each of its files, and the files that could not be looked at."""
    asked: list[Asked] = []
    skipped: list[Skip] = []
    for rule, own in files:
        what, missed = _asked(tree, rule, own, options, cache, args, around or tree)
        asked.append(what)
        skipped += missed
    return decisions(tree, asked, cache, args.jobs), skipped


def _asked(
    tree: Tree,
    rule: Rule,
    files: Sequence[str],
    options: Options,
    cache: Cache,
    args: argparse.Namespace,
    around: Tree,
) -> tuple[Asked, list[Skip]]:
    """What one rule has to decide on, and the files it could not look at."""
    working = working_of(rule.code)
    if not working.heat:
        # What was decided stays known, whatever profile is given.
        options = replace(options, hot=None)
    if working.hot_only and not options.cold:
        files = hot_files(tree.root, files, options.hot)
    if working.accessors and files:
        known = accessors(around, files, cache, args.jobs)
        options = replace(options, accessors=known)
    worth = worth_parsing(tree, rule, files, cache)
    if working.heat and options.hot is not None:
        # The text alone does not tell what a profile shows.
        worth = sorted({*worth, *hot_files(tree.root, files, options.hot)})
    # Which functions a profile will show to be hot is not known to a semantic patch.
    everywhere = options.hot is not None
    seen, skipped = _seen(tree, rule, worth, cache, args, everywhere)
    return Asked(rule, seen, options), skipped


def _anywhere(
    tree: Tree,
    rules: Sequence[Rule],
    texts: Mapping[str, str],
    options: Options,
    cache: Cache,
    args: argparse.Namespace,
    around: Tree | None,
) -> frozenset[tuple[str, str, int]]:
    """Where rules that depend on a profile may find anything: file, rule and line.

    Only of the files in which a comment allows such a rule, whose ``texts`` are given: it is not
    unused because no profile shows its function today.
    """
    named = {file: {a.rule for a in allowances(text)} for file, text in texts.items()}
    files = [
        (rule, [file for file, codes in named.items() if rule.code in codes])
        for rule in rules
        if working_of(rule.code).heat
    ]
    files = [(rule, own) for rule, own in files if own]
    if not files:
        return frozenset()
    called = {name for text in texts.values() for name in _CALLED.findall(text)}
    hottest = replace(options, cold=True, hot=frozenset(called))
    made, _ = look(tree, files, hottest, cache, args, around)
    findings = (finding for decision in made for finding in decision.findings)
    return frozenset((f.file, f.rule, f.line) for f in findings)


def facts_of(
    tree: Tree, rule: Rule, file: str, cache: Cache, args: argparse.Namespace
) -> Facts:
    """What one rule sees in one file; empty if spatch cannot say."""
    seen, _ = _seen(tree, rule, [file], cache, args)
    return load(seen[file], file) if seen.get(file) else Facts(file)


def _seen(
    tree: Tree,
    rule: Rule,
    files: Sequence[str],
    cache: Cache,
    args: argparse.Namespace,
    everywhere: bool = False,
) -> tuple[dict[str, dict[str, Any]], list[Skip]]:
    """The facts of each file as spatch hands them over, and the files it fails on."""
    working = working_of(rule.code)
    script = CHECKOUT / (working.seen_by or rule.script)
    with progress(rule.title) as show:
        return spatch.facts(
            tree,
            script,
            files,
            cache,
            args.jobs,
            args.timeout,
            show,
            extra_inputs=(*modules_of(script), *_OF_EXCERPTS),
            defines=("everywhere=yes",) if everywhere else (),
            wanted=None if everywhere else working.wanted,
        )


def _missed(file: str, lines: Sequence[int]) -> Skip:
    """The part of a file that was not looked at."""
    numbers = ", ".join(map(str, lines))
    what = "line" if len(lines) == 1 else "lines"
    return Skip(file, f"{what} {numbers}: spatch could not parse the code around")


def options_for(tree: Tree, args: argparse.Namespace) -> Options:
    """What a decision is to know: the tree's features, and what the user asked for.

    Raises UserError if the tree does not have the API asked for.
    """
    has = {"scoped": tree.features.scoped, "masked": tree.features.masked}
    if not has.get(args.api, True):
        raise UserError(
            f"{tree.root} has no {args.api} windows: leave --api away, or use another"
        )
    options = options_of(
        tree.root, tree.features, args.api, args.min_run, hot_functions(args)
    )
    return replace(options, cold=args.cold)


def check_outside(folder: Path, tree: Tree) -> None:
    """Raise UserError if a folder that is written to lies in the kernel tree."""
    if folder.resolve().is_relative_to(tree.root):
        raise UserError(
            f"{folder} is inside the kernel tree, which is never written to: "
            "name another folder"
        )


def _order(finding: Finding) -> tuple[float, str, int, str]:
    return -heat(finding), finding.file, finding.line, finding.rule
