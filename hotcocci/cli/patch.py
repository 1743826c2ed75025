# SPDX-License-Identifier: GPL-2.0
"""``patch PATH…``: print or apply the rewrites that passed their checks, with ``--interactive`` those the user takes."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from hotcocci.cli.options import (
    add,
    add_analysis,
    add_gate,
    add_named,
    add_tier,
    settings_of,
    touched_by,
)
from hotcocci.cli.reports import beside, check_read
from hotcocci.cli.terminal import coloured_diff, has_colour, say
from hotcocci.errors import UserError
from hotcocci.findings import SAFE, Gain, Rewrite
from hotcocci.names import count
from hotcocci.output import proofs, text
from hotcocci.output.proofs import gains_of_patch, table
from hotcocci.output.text import below_hot, best_first, not_offered, with_wrong_comments
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.changes import (
    Gated,
    Rewritten,
    all_others,
    changes,
    chosen_rewrites,
)
from hotcocci.pipeline.gating import pass_all
from hotcocci.pipeline.paths import trees
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.task import require_provers
from hotcocci.rewrite import diff
from hotcocci.saves import is_of
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode, readable
from hotcocci.tree.source import replace as replace_file


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Print a unified diff of all rewrites that passed their checks. "
        "Exit code: 0, 2 error."
    )
    add(parser, "paths")
    add_analysis(parser)
    add(parser, "--diff-base")
    add_tier(parser, SAFE, "take rewrites up to this tier (default: %(default)s)")
    add_named(
        parser,
        {
            "--apply": "change the files; each is written in full or not at all",
            "--interactive": "ask about each rewrite, as 'git add -p' does: y takes it, n does not, a takes it and "
            "all later ones, q quits, p proves it",
        },
    )
    add(parser, "--prove")
    add_gate(parser)
    text = "name the checks that passed"
    parser.add_argument("--verbose", "-v", action="store_true", help=text)


@dataclass(frozen=True)
class _Part:
    """The analysis and gate of one tree.

    ``hidden`` counts rewrites of other tiers, ``cold`` has a line on those that --hot omits.
    """

    analysis: Analysis
    gated: Gated
    hidden: int
    cold: list[str]


def run(options: argparse.Namespace) -> int:
    """Print or apply the diff; returns the exit code."""
    settings = settings_of(options)
    if options.interactive:
        check_terminal()
    if settings.prove and settings.scheduler is None:
        # Before a kernel is prepared.
        require_provers()
    chosen = trees(options.paths)
    parts = [_part(tree, paths, options.diff_base, settings) for tree, paths in chosen]
    gates = [part.gated for part in parts]
    unwritten: list[str] = []
    if options.apply:
        # Before the user is asked about them
        gates = [_writable(part.analysis.tree, part.gated, unwritten) for part in parts]
    if options.interactive:
        passed = [(p.analysis.tree, g) for p, g in zip(parts, gates, strict=True)]
        gates = review(passed, partial(pass_all, settings=settings), settings)
    for part, gated in zip(parts, gates, strict=True):
        tree = part.analysis.tree
        prefix = _prefix(tree) if len(chosen) > 1 else ""
        aside: list[str] = []
        if options.apply:
            files = [each.file for each in (*all_others(gated.passed), *gated.passed)]
            aside = beside(tree.root, files, "to which rewrites were added")
            gated = _write(tree, gated, unwritten)
        else:
            for each in (*all_others(gated.passed), *gated.passed):
                _print(diff.unified(prefix + each.file, each.old, each.new))
        _report(part, gated, settings, options)
        say(*aside)
    say(*(f"hotcocci: {line}" for line in unwritten))
    unread = (text.unread(p.analysis.unread, p.analysis.tree.root) for p in parts)
    check_read([place for places in unread for place in places])
    return 2 if unwritten else 0


def _part(
    tree: Tree, paths: Sequence[Path], diff_base: str | None, settings: Settings
) -> _Part:
    """Analyse a tree and check its rewrites."""
    analysis = analyse(tree, paths, settings, touched_by(tree, diff_base))
    in_tier = [r.finding for r in analysis.rewrites if r.finding.tier in settings.tiers]
    hidden = len(analysis.rewrites) - len(in_tier)
    rewrites = chosen_rewrites(analysis, settings)
    wanted = changes(rewrites, analysis.possible, analysis.texts)
    gated = pass_all(tree, wanted, settings)
    return _Part(analysis, gated, hidden, below_hot(in_tier, settings))


def _writable(tree: Tree, gated: Gated, unwritten: list[str]) -> Gated:
    """Drop the changes of read-only files; adds an error for each to ``unwritten``."""
    writable: list[Rewritten] = []
    for change in gated.passed:
        paths = [tree.root / each.file for each in change.files]
        # The directory's mode decides whether rename() can replace a file: respect the file's own.
        locked = [path for path in paths if _is_read_only(path)]
        if not locked:
            writable.append(change)
        unwritten += [
            line
            for path in locked
            if (
                line
                := f"{path} is read-only and was not changed: run 'chmod u+w {path}'"
            )
            not in unwritten
        ]
    return replace(gated, passed=tuple(writable))


def _is_read_only(path: Path) -> bool:
    try:
        return not path.stat().st_mode & 0o222
    except OSError:
        return False  # A missing file is reported when it is written.


def _write(tree: Tree, gated: Gated, unwritten: list[str]) -> Gated:
    """Write the files; returns what was written and adds an error for each other file to ``unwritten``."""
    written: list[Rewritten] = []
    for other in all_others(gated.passed):
        try:
            replace_file(tree.root / other.file, other.old, other.new)
        except UserError as error:
            unwritten.append(str(error))
            # The changes that do not need it
            left = (
                c for c in gated.passed if other.file not in {o.file for o in c.others}
            )
            gated = replace(gated, passed=tuple(left))
    for change in gated.passed:
        try:
            replace_file(tree.root / change.file, change.old, change.new)
            written.append(change)
        except UserError as error:
            unwritten.append(str(error))
    return replace(gated, passed=tuple(written))


def _prefix(tree: Tree) -> str:
    """Return the path from here to the tree, which tells files of several trees apart."""
    here = Path.cwd()
    if not tree.root.is_relative_to(here):
        return tree.root.name + "/"
    return os.path.relpath(tree.root, here) + "/"


def _print(patch: str) -> None:
    if has_colour(sys.stdout):
        patch = coloured_diff(patch)
    # The bytes of the file, whatever the locale.
    sys.stdout.flush()
    sys.stdout.buffer.write(encode(patch))
    sys.stdout.buffer.flush()


def _report(
    part: _Part, gated: Gated, settings: Settings, options: argparse.Namespace
) -> None:
    """Print refusals, skipped files, proofs, gains and totals to standard error."""
    analysis = part.analysis
    show = text.shown_from(analysis.tree.root)
    lines = [line for each in gated.refused for line in text.refused(each, show)]
    lines += with_wrong_comments(analysis.filtered, options.diff_base is None, show)
    lines += [text.skipped_line(skip, show) for skip in analysis.skipped]
    done = "patched without compiling it"
    lines += [text.skipped_line(skip, show, done) for skip in gated.uncompiled]
    why = "not patched, as it could not be compiled"
    lines += [text.skipped_line(skip, show, why) for skip in gated.held]
    if gated.held:
        lines.append("use --allow-uncompiled to patch files that could not be compiled")
    lines += [text.skipped_line(s, show, "not patched") for s in gated.unproven]
    if gated.unproven:
        lines.append("use --allow-unproven to patch files that are not proven")
    if settings.prove:
        lines += [line for proof in gated.proofs for line in proofs.text(proof, show)]
    lines += text.checks(gated.proofs, options.verbose)
    lines += gains_of_patch([gain for proof in gated.proofs for gain in proof.gains])
    lines += best_first(gated, settings.profile is not None, show)
    rewrites = count(sum(len(c.rewrites) for c in gated.passed), "rewrite")
    files = count(len(gated.passed), "file")
    done = "applied" if options.apply else "printed"
    refused = len(gated.refused)
    if not options.quiet:
        lines.append(f"{rewrites} in {files} {done}, {refused} refused by a check")
    if part.hidden:
        lines.append(
            f"{count(part.hidden, 'rewrite')} omitted by tier: "
            "'lint --tier manual' lists them, --tier adds them to the patch"
        )
    lines += not_offered(analysis.findings)
    lines += part.cold
    say(*lines)


QUESTION = "Take this rewrite [y,n,a,q,p,?]? "
HELP = """\
y - take this rewrite
n - do not take this rewrite
a - take this rewrite and all later ones
q - quit; take neither this rewrite nor any later one
p - prove this rewrite: compare the code before and after
? - print help"""

# Checks changes of a tree
Check = Callable[[Tree, Sequence[Rewritten]], Gated]


class _EndOfInput(Exception):
    """Standard input ended."""


@dataclass(frozen=True)
class Offer:
    """A rewrite that passed its checks, with the change of its file and its function's gains."""

    tree: Tree
    change: Rewritten
    rewrite: Rewrite
    gains: tuple[Gain, ...]


def check_terminal() -> None:
    """Raise UserError unless standard input and standard error are a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(
            "--interactive needs a terminal: run it in one, or omit --interactive"
        )


def review(
    passed: Sequence[tuple[Tree, Gated]], check: Check, settings: Settings
) -> list[Gated]:
    """Ask about each rewrite that passed its checks; returns what the user took, per tree.

    A file of which only a part was taken is checked again. Raises UserError at the end of input.
    """
    offers = [offer for tree, gated in passed for offer in _offers(tree, gated)]
    try:
        taken = _choose(offers, settings)
    except _EndOfInput as error:
        raise UserError(
            "input ended before the last question: nothing was printed or written"
        ) from error
    return [_kept(tree, gated, taken, check) for tree, gated in passed]


def _offers(tree: Tree, gated: Gated) -> Iterator[Offer]:
    """Each rewrite that passed, by file and line."""
    measured = {proof.file: proof.gains for proof in gated.proofs}
    for change in gated.passed:
        for rewrite in sorted(change.rewrites, key=lambda r: r.finding.line):
            gains = measured.get(change.file, ())
            own = [gain for gain in gains if is_of(gain, rewrite.finding)]
            yield Offer(tree, change, rewrite, tuple(own))


def _choose(offers: Sequence[Offer], settings: Settings) -> list[Offer]:
    taken: list[Offer] = []
    for index, offer in enumerate(offers):
        _show(offer)
        key = _answer(f"({index + 1}/{len(offers)}) {QUESTION}", offer, settings)
        if key == "a":
            return [*taken, *offers[index:]]
        if key == "y":
            taken.append(offer)
        if key == "q":
            break
    return taken


def _answer(question: str, offer: Offer, settings: Settings) -> str:
    """Ask until an answer decides: y, n, a or q."""
    while True:
        key = _ask(question)
        if key in ("y", "n", "a", "q"):
            return key
        if key != "p":
            say(HELP)
            continue
        try:
            _prove(offer, settings)
        except UserError as error:
            say(str(error))


def _kept(tree: Tree, gated: Gated, taken: Sequence[Offer], check: Check) -> Gated:
    """The gate of a tree with only the rewrites that were taken."""
    whole: list[Rewritten] = []
    parts: list[Rewritten] = []
    for change in gated.passed:
        own = [offer.rewrite for offer in taken if offer.change is change]
        if len(own) == len(change.rewrites):
            whole.append(change)
        elif own:
            parts.append(change.only(own))
    again = check(tree, parts) if parts else Gated()
    kept = {change.file for change in whole}
    rest = replace(
        gated,
        passed=tuple(whole),
        uncompiled=tuple(s for s in gated.uncompiled if s.file in kept),
        proofs=tuple(p for p in gated.proofs if p.file in kept),
    )
    return rest + again


def _prove(offer: Offer, settings: Settings) -> None:
    # It imports what proves a rewrite.
    from hotcocci.pipeline.proving import prove

    for proof in prove(offer.tree, [offer.change.only([offer.rewrite])], settings):
        say("\n".join(proofs.text(proof, str)))


def _show(offer: Offer) -> None:
    """Print a rewrite: its diff, finding, notes and gains."""
    finding, only = offer.rewrite.finding, offer.change.only([offer.rewrite])
    name = text.shown_from(offer.tree.root)
    files = (*only.others, only)
    parts = [diff.unified(each.file, each.old, each.new) for each in files]
    shown = readable("".join(parts)).rstrip("\n")
    say(coloured_diff(shown) if has_colour(sys.stderr) else shown)
    for note in (text.line(finding, name), *offer.rewrite.notes, *table(offer.gains)):
        say(f"# {note}")


def _ask(question: str) -> str:
    """Read an answer from the terminal, in lower case."""
    # Not input(), which prints its prompt to standard output, into the patch.
    print(question, end="", file=sys.stderr, flush=True)
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        say("")
        raise
    if not line:
        say("")
        raise _EndOfInput
    return line.strip().lower()
