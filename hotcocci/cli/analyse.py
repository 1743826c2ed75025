# SPDX-License-Identifier: GPL-2.0
"""From paths to findings and rewrites: what lint, patch and why have in common."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.cache import Cache
from hotcocci.cli.options import chosen_rules
from hotcocci.cli.progress import progress
from hotcocci.engines import spatch
from hotcocci.errors import UserError
from hotcocci.findings import Facts, Finding, Rewrite, Skip
from hotcocci.rewrite import Options, decide
from hotcocci.rewrite.facts_json import load
from hotcocci.rules.rulebook import Rule
from hotcocci.tree.kernel import Tree, find_trees
from hotcocci.tree.select import candidates
from hotcocci.tree.source import decode

CHECKOUT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r"^\s*from (hotcocci[\w.]*) import ([\w, ]+)", re.MULTILINE)


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
            found.setdefault(tree.root, (tree, []))[1].append(
                path if inside else tree.root
            )
    return list(found.values())


def analyse(tree: Tree, paths: Sequence[Path], args: argparse.Namespace) -> Analysis:
    """Look at all candidate files at and below the paths with all rules asked for."""
    check_outside(args.cache_dir, tree)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    texts: dict[str, str] = {}
    with Cache(args.cache_dir) as cache:
        files, skipped = candidates(tree, paths, cache)
        for rule in chosen_rules(args.rule):
            facts, missed = look(tree, rule, files, cache, args)
            skipped += missed
            for file, seen in facts.items():
                text = _read(tree, file)
                made, possible = _decide(rule, text, seen, tree, args)
                findings += made
                rewrites += possible
                if possible:
                    texts[file] = text
    return Analysis(
        tree,
        tuple(sorted(findings, key=lambda f: (f.file, f.line, f.rule))),
        tuple(
            sorted(
                rewrites, key=lambda r: (r.finding.file, r.finding.line, r.finding.rule)
            )
        ),
        tuple(sorted(dict.fromkeys(skipped), key=lambda s: (s.file, s.reason))),
        texts,
    )


def look(
    tree: Tree, rule: Rule, files: Sequence[str], cache: Cache, args: argparse.Namespace
) -> tuple[dict[str, Facts], list[Skip]]:
    """The facts that one rule's script sees in each file; a file without any access is left out."""
    script = CHECKOUT / rule.script
    with progress(rule.title) as show:
        seen, missed = spatch.facts(
            tree,
            script,
            files,
            cache,
            args.jobs,
            args.timeout,
            show,
            extra_inputs=modules_of(script),
        )
    return {file: load(data, file) for file, data in seen.items() if data}, missed


def modules_of(script: Path) -> list[Path]:
    """The modules of ours that a semantic patch imports, and those that they import."""
    found: dict[Path, None] = {}
    waiting = [script]
    while waiting:
        for module in _imports(waiting.pop()):
            if module not in found:
                found[module] = None
                waiting.append(module)
    return sorted(found)


def check_outside(folder: Path, tree: Tree) -> None:
    """Raise UserError if a folder that is going to be written to lies in the kernel tree."""
    if folder.resolve().is_relative_to(tree.root):
        raise UserError(
            f"{folder} is inside the kernel tree, which is never written to: name another folder"
        )


def _imports(file: Path) -> Iterator[Path]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror}: restore it") from error
    for package, names in IMPORT.findall(text):
        base = CHECKOUT / package.replace(".", "/")
        places = [base.with_suffix(".py"), base / "__init__.py"]
        places += [base / f"{name.strip()}.py" for name in names.split(",")]
        yield from (place for place in places if place.is_file())


def _decide(
    rule: Rule, text: str, facts: Facts, tree: Tree, args: argparse.Namespace
) -> tuple[list[Finding], list[Rewrite]]:
    api = args.api
    if api == "auto":
        api = "scoped" if tree.features.scoped else "classic"
    return decide(
        rule.code,
        text,
        facts,
        Options(api=api, min_run=args.min_run, features=tree.features),
    )


def _read(tree: Tree, file: str) -> str:
    try:
        return decode((tree.root / file).read_bytes())
    except OSError as error:
        raise UserError(
            f"cannot read {file}: {error.strerror}: run the command again"
        ) from error
