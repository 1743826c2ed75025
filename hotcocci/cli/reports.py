# SPDX-License-Identifier: GPL-2.0
"""``--format``: findings and violations in formats other than text; most runs need none of these."""

import argparse
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from hotcocci.cli.terminal import coloured_finding, has_colour, say
from hotcocci.errors import UserError
from hotcocci.findings import Finding, Rewrite, Skip
from hotcocci.names import count
from hotcocci.output import text
from hotcocci.tree.kernel import Tree, version_name
from hotcocci.tree.source import readable
from hotcocci.tree.touched import uncommitted

TEXT = "text"
JSON = "json"
SARIF = "sarif"
HTML = "html"
GITHUB = "github"
OF_FINDINGS = (TEXT, JSON, SARIF, HTML, GITHUB)
OF_VIOLATIONS = (TEXT, JSON, SARIF, GITHUB)
# Formats that print one document per tree
DOCUMENTS = {JSON: "JSON", SARIF: "a SARIF log", HTML: "the page"}
# Directories that only group subsystems
WIDE = ("arch", "drivers")


def check_trees(
    options: argparse.Namespace, chosen: Sequence[tuple[Tree, Sequence[Path]]]
) -> None:
    """Raise UserError for options that exclude each other, or are for one tree if the paths are in several."""

    def has(name: str) -> bool:
        return bool(getattr(options, name, None))

    for first, second in (("baseline", "write_baseline"), ("diff", "diff_base")):
        if has(first) and has(second):
            flags = f"--{first} and --{second}".replace("_", "-")
            raise UserError(f"{flags} cannot be used together: omit one of them")
    for is_asked, what in (
        (options.format in DOCUMENTS, f"{DOCUMENTS.get(options.format)} covers"),
        (has("baseline") or has("write_baseline"), "a baseline covers"),
        (has("diff"), "--diff applies to"),
    ):
        if is_asked and len(chosen) > 1:
            names = ", ".join(tree.root.name for tree, _ in chosen)
            raise UserError(
                f"{what} one tree, but the paths are in {len(chosen)} ({names}): name one of them"
            )


def check_read(places: Sequence[str]) -> None:
    """Raise UserError if code that a change touches was not read, as ``file:line: reason``."""
    if places:
        more = f" (and {count(len(places) - 1, 'other place')})" if places[1:] else ""
        raise UserError(
            f"{places[0]}{more}: the change is not checked there: mend the code, or check it by hand"
        )


def document(
    command: str,
    form: str,
    tree: Tree,
    findings: Sequence[Finding],
    skipped: Sequence[Skip],
    texts: Mapping[str, str],
    rewrites: Sequence[Rewrite] = (),
    left: Mapping[str, int] | None = None,
) -> str:
    """Format findings of a command, whose files have these ``texts``; empty if there is nothing to print.

    ``form`` is not text. An HTML page counts what is ``left`` out, by reason.
    """
    shown = set(findings)
    rewrites = [rewrite for rewrite in rewrites if rewrite.finding in shown]
    if form == JSON:
        from hotcocci.output import json

        diffs = {r.finding: text.patch_of(r, texts) for r in rewrites}
        return json.document(tree, findings, skipped, diffs)
    if form == GITHUB:
        show = text.annotated_from(tree.root)
        lines = [text.annotation(finding, show) for finding in findings]
        return "\n".join(
            [*lines, *(text.skip_annotation(skip, show) for skip in skipped)]
        )
    if form == SARIF:
        from hotcocci.output import sarif

        return sarif.document(tree, findings, rewrites, skipped, texts, command)
    # Importing jinja2 is slow.
    from hotcocci.deliver.maintainers import read, subsystem
    from hotcocci.output import html

    sections = read(tree.root)
    belongs = {
        f: subsystem(sections, f) or folder(f) for f in {f.file for f in findings}
    }
    about = html.About(
        shlex.join(["hotcocci", *sys.argv[1:]]),
        version_name(tree.features.version),
        f"{datetime.now():%Y-%m-%d %H:%M}",
        left or {},
    )
    return html.page(tree, findings, rewrites, skipped, texts, belongs, about)


def show(lines: Sequence[str], form: str, tree: Tree, skipped: Sequence[Skip]) -> None:
    """Print what is not empty, and what was skipped if the format has no place for that."""
    colour = form == TEXT and has_colour(sys.stdout)
    for line in filter(None, lines):
        print(coloured_finding(line) if colour else line)
    if form not in DOCUMENTS:
        name = text.shown_from(tree.root)
        say(*(text.skipped_line(skip, name) for skip in skipped))


def folder(file: str) -> str:
    """Return the first one or two directories of a file: its group without a MAINTAINERS entry."""
    parts = os.path.dirname(file).split("/")
    return "/".join(parts[: 2 if parts[0] in WIDE else 1]) or "."


SHOWN = 3


def beside(tree: Path, files: Sequence[str], what: str) -> list[str]:
    """Return a line if some of these files, or below these folders, have uncommitted changes; ``what`` ends it."""
    try:
        found = uncommitted(tree, files)
    except UserError as error:
        return [f"uncommitted changes are not looked for: {error}"]
    if not found:
        return []
    names = ", ".join(readable(name) for name in found[:SHOWN])
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    has = "has" if len(found) == 1 else "have"
    number = count(len(found), "file")
    return [f"{number} {has} uncommitted changes, {what}: {names}{more}"]
