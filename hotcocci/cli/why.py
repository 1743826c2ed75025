# SPDX-License-Identifier: GPL-2.0
"""``why FILE:LINE``: why this place was, or was not, rewritten."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hotcocci.c.source import apply
from hotcocci.cli.options import add_analysis, settings_of
from hotcocci.errors import UserError
from hotcocci.findings import REWRITE, Finding, Rewrite
from hotcocci.output import text
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.facts import facts_of
from hotcocci.pipeline.filtering import Filtered
from hotcocci.pipeline.settings import Settings
from hotcocci.rewrite import diff
from hotcocci.rules.entry import LOADS
from hotcocci.rules.rulebook import REASONS, rule
from hotcocci.rules.ua101_user_access_run import RULE as RUNS
from hotcocci.rules.ua101_user_access_run.alone import alone
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.select import ACCESS
from hotcocci.tree.source import decode, encode, readable

WIDTH = 79


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "why",
        help="why this place was, or was not, rewritten",
        description="Explains what was decided about one line of a file. Exit code: 0, 2 error.",
    )
    parser.add_argument(
        "place", metavar="FILE:LINE", help="the line, as lint prints it"
    )
    add_analysis(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Explain one line; returns the exit code."""
    settings = replace(settings_of(options), cold=True)
    path, line = _place(options.place)
    tree = find_tree(path)
    source = _lines(path)
    if line > len(source):
        raise UserError(f"{path} has {len(source)} lines, there is no line {line}")
    analysis = analyse(tree, [path], settings)
    aside = _explain_aside(analysis.filtered, line, settings)
    here = [
        finding
        for finding in analysis.findings
        if finding.line <= line <= finding.end_line
    ]
    for finding in here:
        _explain(finding, analysis, source, settings)
    if not here and not aside:
        file = str(path.resolve().relative_to(tree.root))
        _explain_nothing(analysis, source, file, line, settings)
    return 0


def _explain_aside(filtered: Filtered, line: int, settings: Settings) -> bool:
    """Tell what is at a line and not shown, and why; whether there is any."""
    told = [
        (
            each.finding,
            f"Line {each.by.line} allows it: it is neither printed nor rewritten.",
        )
        for each in filtered.allowed
        if line == each.by.line or each.finding.line <= line <= each.finding.end_line
    ]
    told += [
        (finding, f"{settings.baseline} knows it: it is neither printed nor rewritten.")
        for finding in filtered.known
        if finding.line <= line <= finding.end_line
    ]
    for finding, reason in told:
        print(
            f"{finding.rule} ({rule(finding.rule).title}), lines {finding.line} to {finding.end_line}:"
        )
        print(textwrap.fill(finding.message, WIDTH))
        print(reason)
    return bool(told)


def _place(text: str) -> tuple[Path, int]:
    # A compiler's file:line:column is welcome too.
    file, _, number = text.partition(":")
    number = number.partition(":")[0]
    if not file or not number.isdigit() or number == "0":
        raise UserError(
            f"{text!r} is not a place: write FILE:LINE, as in fs/ioctl.c:120"
        )
    path = Path(file)
    if path.is_dir():
        raise UserError(f"{path} is a folder: name a file and a line in it")
    return path, int(number)


def _lines(path: Path) -> list[str]:
    try:
        return decode(path.read_bytes()).split("\n")
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}: make it readable"
        ) from error


def _explain(
    finding: Finding,
    analysis: Analysis,
    source: Sequence[str],
    settings: Settings,
) -> None:
    where = f" in {finding.function}()" if finding.function else ""
    print(
        f"{finding.rule} ({rule(finding.rule).title}), lines {finding.line} to {finding.end_line}{where}:"
    )
    print(textwrap.fill(finding.message, WIDTH))
    if settings.profile is not None:
        print(f"In the profile, {finding.function}(): {text.share(finding)}.")
    print()
    _quote(source, finding.line, finding.end_line)
    print()
    if finding.verdict == REWRITE:
        print(f"It is rewritten, in tier {finding.tier}.")
        for rewrite in (r for r in analysis.rewrites if r.finding == finding):
            _show_rewrite(rewrite, analysis.texts[finding.file])
        return
    reason = finding.reason or ""
    print(
        textwrap.fill(
            f"It is not rewritten: {reason}. {REASONS.get(reason, '')}", WIDTH
        )
    )


def _show_rewrite(rewrite: Rewrite, before: str) -> None:
    print(f"It becomes{_form(rewrite)}:\n")
    patch = diff.unified(rewrite.finding.file, before, apply(before, rewrite.edits))
    print(readable(patch), end="")
    for note in rewrite.notes:
        print(textwrap.fill(note, WIDTH))


def _form(rewrite: Rewrite) -> str:
    """How it is written: only what opens windows has a shape and an API."""
    if rule(rewrite.finding.rule).family == LOADS:
        return ""
    return f", as shape {rewrite.shape} with the {rewrite.api} API"


def _explain_nothing(
    analysis: Analysis,
    source: Sequence[str],
    file: str,
    line: int,
    settings: Settings,
) -> None:
    _quote(source, line, line)
    print()
    for told in _nothing_here(analysis, source, file, line, settings):
        print(textwrap.fill(told, WIDTH))
    if analysis.findings:
        places = ", ".join(
            f"{f.rule} at {f.line}-{f.end_line}" for f in analysis.findings
        )
        print(textwrap.fill(f"Found in this file: {places}.", WIDTH))


def _nothing_here(
    analysis: Analysis,
    source: Sequence[str],
    file: str,
    line: int,
    settings: Settings,
) -> list[str]:
    """Paragraphs on a line that is in no finding."""
    missed = analysis.unseen.get(file, ())
    if line in missed:
        return [
            "spatch did not see this access: it cannot parse the code around it, "
            "or it is an argument of a macro."
        ]
    failed = [skip.reason for skip in analysis.skipped] if not missed else []
    if failed:
        return [f"The file was not looked at: {reason}." for reason in failed]
    facts = facts_of(analysis.tree, RUNS, file, settings)
    told = alone("\n".join(source), facts, line)
    if told:
        return told
    if ACCESS.pattern.search(encode(source[line - 1])):
        return [
            "What looks like an access here is none: a comment, a text, or a macro."
        ]
    return ["There is no get_user(), put_user() or __ variant of them in this line."]


def _quote(source: Sequence[str], first: int, last: int) -> None:
    for number in range(first, last + 1):
        print(f"{number:6}  {readable(source[number - 1])}")
